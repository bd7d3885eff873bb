/*
 * checkpoint_paths.c - which files make a checkpoint.
 *
 * PREFIX.index has its name and PREFIX.data-00000-of-00002 the values, version
 * 2; in version 1 it is the file PREFIX, or PREFIX-00000-of-00002 and so on.
 * The file `checkpoint` in a directory says which one is the latest. It is
 * believed only about files in its own directory, unless the user says so.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/path/paths.h"
#include "input/table/table.h"
#include "model/inputs.h"
#include "model/model.h"

#define STATE "checkpoint"

enum { LONGEST = 8192 }; /* of a path that is put together */

/* ---- Names -------------------------------------------------------------- */

static size_t count_digits_before(const char *text, size_t end)
{
    size_t count = 0;
    while (count < end && text[end - count - 1] >= '0' &&
           text[end - count - 1] <= '9')
        count++;
    return count;
}

/* "PREFIX-00001-of-00004" is cut into its parts; false for other names. */
static bool is_shard(const char *name, size_t *prefix, unsigned *index,
                     unsigned *count)
{
    size_t end = strlen(name), digits = count_digits_before(name, end), at;
    char tail[40];
    if (digits < 5 || digits > 9 || end < digits + 4 ||
        strncmp(name + end - digits - 4, "-of-", 4) != 0)
        return false;
    at = end - digits - 4;
    digits = count_digits_before(name, at);
    if (digits < 5 || digits > 9 || at < digits + 2 ||
        name[at - digits - 1] != '-')
        return false;
    *prefix = at - digits - 1;
    snprintf(tail, sizeof(tail), "%s", name + *prefix);
    return sscanf(tail, "-%u-of-%u", index, count) == 2 && *index < *count &&
           *count > 0;
}

/* The name without ".index" and without the number of a shard. */
static size_t prefix_size(const char *name)
{
    size_t size = strlen(name), end = strlen(".index");
    unsigned index, count;
    if (size > end && !strcmp(name + size - end, ".index"))
        return size - end;
    if (is_shard(name, &size, &index, &count))
        return size;
    return strlen(name);
}

static bool has_prefix(const char *name, const char *prefix)
{
    size_t size = prefix_size(name);
    return strlen(prefix) == size && !strncmp(name, prefix, size);
}

/* ---- One checkpoint ----------------------------------------------------- */

/* Adds all shards of a version 1. `name` is one of them, and stands in `at`. */
static int add_shards(tfp_input_context *context,
                      const tfp_input_request *request, bool are_members,
                      int at, const char *name, tfprof_error *err)
{
    char path[LONGEST];
    size_t prefix;
    unsigned index, count;
    tfp_shards shards = { .checkpoint = TFP_NO_ID };
    int status = TFPROF_OK;
    if (!is_shard(name, &prefix, &index, &count))
        return tfp_add_followed(context, request, are_members ? name : NULL, at,
                                name, err);
    for (unsigned i = 0; status == TFPROF_OK && i < count; i++) {
        tfp_input_request shard = *request;
        shard.shards = &shards;
        snprintf(path, sizeof(path), "%.*s-%05u-of-%05u", (int)prefix, name, i,
                 count);
        if (!are_members)
            shard.path = path;
        shards.more_come = i + 1 < count;
        status = tfp_add_followed(context, &shard, are_members ? path : NULL,
                                  at, path, err);
    }
    return status;
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISDIR(about.st_mode);
}

/* The directory of a path, with its "/"; empty for the current one. */
static size_t folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* The bytes of a name before the part that stands for any number. */
static size_t pattern_prefix(const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i + 1 < size; i++) {
        if (name[i] == '-' && (name[i + 1] == '?' || name[i + 1] == '*'))
            return i;
    }
    return size;
}

/* A shard of the version 1 that `path` is the prefix of, or a pattern of; *out
 * is empty when there is none. */
static int find_shard(tfp_memory *memory, const char *path, char *out,
                      size_t size, tfprof_error *err)
{
    size_t folder = folder_size(path), prefix;
    const char *name = path + folder;
    tfp_file_names names = { 0 };
    char where[LONGEST / 2];
    unsigned index, count;
    int status;
    snprintf(where, sizeof(where), "%.*s", (int)folder, path);
    status = tfp_list_path(memory, folder ? where : ".", &names, err);
    out[0] = '\0';
    for (size_t i = 0; i < names.count && out[0] == '\0'; i++) {
        const char *text = names.data[i].text;
        if (is_shard(text, &prefix, &index, &count) && prefix > 0 &&
            prefix == pattern_prefix(name) && !strncmp(text, name, prefix))
            snprintf(out, size, "%s%s", where, text);
    }
    TFP_VEC_RELEASE(memory, &names);
    return status == TFPROF_ERR_NOMEM ? status : TFPROF_OK;
}

int tfp_add_prefix(tfp_input_context *context, const tfp_input_request *request,
                   bool *found, tfprof_error *err)
{
    char path[LONGEST];
    int size = snprintf(path, sizeof(path), "%s.index", request->path);
    int status;
    *found = size > 0 && (size_t)size < sizeof(path) && is_file(path);
    if (*found)
        return tfp_add_followed(context, request, NULL, AT_FDCWD, path, err);
    if (access(request->path, F_OK) == 0)
        return TFPROF_OK; /* it is a file itself */
    status = find_shard(context->model->memory, request->path, path,
                        sizeof(path), err);
    *found = status != TFPROF_OK || path[0] != '\0';
    if (status != TFPROF_OK)
        return status;
    return *found ? add_shards(context, request, false, AT_FDCWD, path, err)
                  : TFPROF_OK;
}

int tfp_add_checkpoint(tfp_input_context *context,
                       const tfp_input_request *request, tfprof_error *err)
{
    bool found = false;
    int status = TFPROF_OK;
    size_t prefix;
    unsigned index, count;
    tfprof_error why;
    if (strcmp(request->path, "-") != 0)
        status = tfp_add_prefix(context, request, &found, err);
    if (found)
        return status;
    if (is_file(request->path) &&
        is_shard(request->path, &prefix, &index, &count) && count > 1 &&
        !strstr(request->path + folder_size(request->path), ".data-"))
        return add_shards(context, request, false, AT_FDCWD, request->path,
                          err);
    if (access(request->path, F_OK) != 0 && errno == ENOENT &&
        strcmp(request->path, "-") != 0) {
        tfp_fail(&why, TFPROF_ERR_IO, -1,
                 "no such checkpoint: neither this file nor this name with "
                 ".index exists");
        return tfp_fail_path(context, request, NULL, &why, err);
    }
    return tfp_add_file(context, request, NULL, AT_FDCWD, request->path, err);
}

/* ---- The latest one ----------------------------------------------------- */

/* A path that stays in its directory: not absolute, and without "..". */
static bool stays_inside(const char *path)
{
    if (*path == '/')
        return false;
    while (*path) {
        size_t size = strcspn(path, "/");
        if (size == 2 && !strncmp(path, "..", 2))
            return false;
        path += size + (path[size] == '/');
    }
    return true;
}

/* `path` is NULL when the state names no path that can be shown. */
static int fail_state(tfp_input_context *context, const char *what,
                      const char *path, tfprof_error *err)
{
    tfprof_error why;
    if (path)
        tfp_fail(&why, TFPROF_ERR_MISSING, -1, "names the checkpoint %s, %s",
                 tfp_shorten(tfp_span_of(path), 120).text, what);
    else
        tfp_fail(&why, TFPROF_ERR_MISSING, -1, "%s", what);
    if (err)
        *err = why;
    return tfp_input_failed(context, why.code, &why);
}

int tfp_follow_state(tfp_input_context *context,
                     const tfp_input_request *request, const tfp_state *state,
                     const char *path, tfprof_error *err)
{
    tfp_span latest = tfp_model_text(context->model, state->latest);
    char named[LONGEST / 2], full[LONGEST];
    const char *inside = named;
    tfp_input_request next = *request;
    bool found, is_inside;
    int status;
    if (request->is_followed)
        return fail_state(context,
                          "a checkpoint state file must name a checkpoint, "
                          "not a state file",
                          NULL, err);
    if (latest.size == 0 || latest.size >= sizeof(named) ||
        memchr(latest.data, 0, latest.size))
        return fail_state(context, "does not name a valid path", NULL, err);
    snprintf(named, sizeof(named), "%.*s", (int)latest.size, latest.data);
    is_inside = stays_inside(named);
    if (!is_inside && !context->follow)
        inside = named + folder_size(named);
    snprintf(full, sizeof(full), "%.*s%s",
             *inside == '/' ? 0 : (int)folder_size(path), path, inside);
    next.path = full;
    next.role = TFP_ROLE_CHECKPOINT;
    next.is_followed = true;
    found = is_file(full);
    status = found ? tfp_add_followed(context, &next, NULL, AT_FDCWD, full, err)
                   : tfp_add_prefix(context, &next, &found, err);
    if (found)
        return status;
    return fail_state(
        context,
        is_inside || context->follow
            ? "which does not exist"
            : "which is outside of this directory (use --follow to read it)",
        named, err);
}

/* ---- Directories -------------------------------------------------------- */

static bool is_table(int dir, const char *name)
{
    uint8_t tail[TFP_TABLE_FOOTER];
    struct stat about;
    int fd = fstatat(dir, name, &about, 0) == 0 && S_ISREG(about.st_mode)
                 ? openat(dir, name,
                          O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
                 : -1;
    bool is = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
              about.st_size >= TFP_TABLE_FOOTER &&
              pread(fd, tail, sizeof(tail), about.st_size - TFP_TABLE_FOOTER) ==
                  TFP_TABLE_FOOTER &&
              tfp_table_recognises((tfp_span){ tail, sizeof(tail) });
    if (fd >= 0)
        close(fd);
    return is;
}

/* The only checkpoint among the files, into `prefix`; how many there are. All
 * of them, or the first few, are listed in `list`. */
static size_t find_only(int dir, const tfp_file_names *names, char *prefix,
                        char *list, size_t size)
{
    char last[NAME_MAX + 1] = "";
    size_t count = 0, used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->data[i].text;
        if (!is_table(dir, name) || (count > 0 && has_prefix(name, last)))
            continue;
        snprintf(last, sizeof(last), "%.*s", (int)prefix_size(name), name);
        if (used + strlen(last) + 6 < size)
            used += (size_t)snprintf(list + used, size - used, "%s%s",
                                     count ? ", " : "", last);
        else if (used + 5 < size)
            used = size - 1, memcpy(list + strlen(list), " ...", 5);
        count++;
    }
    memcpy(prefix, last, sizeof(last));
    return count;
}

static bool has_name(const tfp_file_names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (!strcmp(names->data[i].text, name))
            return true;
    }
    return false;
}

static int add_state(tfp_input_context *context,
                     const tfp_input_request *request, int dir,
                     tfp_state *state, tfprof_error *err)
{
    tfp_input_request own = *request;
    own.state = state;
    return tfp_add_file(context, &own, STATE, dir, STATE, err);
}

/* Adds the files of the checkpoint that `prefix` names in a directory. */
static int add_named(tfp_input_context *context,
                     const tfp_input_request *request, int dir,
                     const tfp_file_names *names, const char *prefix,
                     tfprof_error *err)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->data[i].text;
        if (has_prefix(name, prefix) && is_table(dir, name))
            return add_shards(context, request, true, dir, name, err);
    }
    return tfp_fail(err, TFPROF_ERR_MISSING, -1, "no such checkpoint: %s",
                    prefix);
}

static int fail_several(size_t count, const char *list, tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "%zu checkpoints in this directory, but no file '" STATE
                    "' that names the latest; give one of: %s",
                    count, list);
}

int tfp_add_checkpoint_among(tfp_input_context *context,
                             const tfp_input_request *request, int dir,
                             const tfp_file_names *names, tfprof_error *err)
{
    char prefix[NAME_MAX + 1], list[120], path[LONGEST];
    size_t count;
    if (has_name(names, STATE)) {
        tfp_state state = { 0 };
        int status = add_state(context, request, dir, &state, err);
        if (status != TFPROF_OK)
            return status;
        if (state.is_found) {
            snprintf(path, sizeof(path), "%s/", request->path);
            return tfp_follow_state(context, request, &state, path, err);
        }
    }
    count = find_only(dir, names, prefix, list, sizeof(list));
    if (count == 1)
        return add_named(context, request, dir, names, prefix, err);
    if (count == 0)
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "no checkpoint in this directory (files seen: %zu)",
                        names->count);
    return fail_several(count, list, err);
}

int tfp_choose_checkpoint(tfp_input_context *context,
                          const tfp_input_request *request, int dir,
                          const tfp_file_names *names, tfp_choice *choice,
                          tfprof_error *err)
{
    char list[120], latest[NAME_MAX + 1] = "";
    tfp_state state = { 0 };
    size_t count;
    int status = TFPROF_OK;
    *choice = (tfp_choice){
        .has_state = has_name(names, STATE),
        .others = "one of several checkpoints in this directory; choose one "
                  "with --checkpoint_path"
    };
    if (choice->has_state)
        status = add_state(context, request, dir, &state, err);
    if (state.is_found) {
        tfp_span text = tfp_model_text(context->model, state.latest);
        size_t at = text.size;
        while (at > 0 && text.data[at - 1] != '/')
            at--;
        if (text.size - at < sizeof(latest))
            snprintf(latest, sizeof(latest), "%.*s", (int)(text.size - at),
                     text.data + at);
    }
    for (size_t i = 0; *latest && i < names->count; i++) {
        const char *name = names->data[i].text;
        if (!has_prefix(name, latest) || !is_table(dir, name))
            continue;
        memcpy(choice->prefix, latest, sizeof(latest));
        choice->others =
            "not the latest checkpoint; use --checkpoint_path to read it";
        return status;
    }
    count = find_only(dir, names, choice->prefix, list, sizeof(list));
    if (count != 1)
        choice->prefix[0] = '\0';
    if (count > 1 && !choice->has_state)
        fail_several(count, list, &choice->several);
    return status;
}

int tfp_add_chosen(tfp_input_context *context, const tfp_input_request *request,
                   int dir, const char *name, const tfp_choice *choice,
                   tfprof_error *err)
{
    bool is_chosen = *choice->prefix && has_prefix(name, choice->prefix);
    tfp_input_request own = *request;
    size_t prefix;
    unsigned index, count;
    tfp_input *input;
    int status;
    if (choice->has_state && !strcmp(name, STATE))
        return TFPROF_OK;
    if (is_chosen && is_shard(name, &prefix, &index, &count))
        return index == 0 ? add_shards(context, request, true, dir, name, err)
                          : TFPROF_OK;
    if (!is_chosen)
        own.passed_over = choice->others;
    status = tfp_add_file(context, &own, name, dir, name, err);
    if (status != TFPROF_OK)
        return status;
    input = &context->model->inputs.data[context->model->inputs.count - 1];
    if (input->remark == choice->others)
        input->why = choice->several;
    return TFPROF_OK;
}
