/*
 * paths.c - opens what a path names: a file, a directory, a pipe, stdin.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/reader.h"
#include "base/store.h"
#include "input/kind/kinds.h"
#include "input/path/log_paths.h"
#include "input/path/paths.h"
#include "input/table/table.h"
#include "model/inputs.h"
#include "model/model.h"
#include "trace/run_steps.h"

/* Of a table the magic number stands at its end. */
enum { TAIL = TFP_TABLE_FOOTER, MOST_FILES = 10000, LONGEST = 8192 };

int tfp_fail_path(tfp_input_context *context, const tfp_input_request *request,
                  const char *member, const tfprof_error *why,
                  tfprof_error *err)
{
    if (!tfp_input_begin(context, request->path, member))
        return tfp_fail_nomem(err);
    if (err)
        *err = *why;
    return tfp_input_failed(context, why->code, why);
}

static bool has_changed(int fd, const struct stat *before)
{
    struct stat now;
    return before->st_size > 0 && S_ISREG(before->st_mode) &&
           fstat(fd, &now) == 0 &&
           (now.st_size != before->st_size ||
            now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
            now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

static int add_fd(tfp_input_context *context, const tfp_input_request *request,
                  const char *member, const char *path, int fd,
                  const struct stat *about, tfprof_error *err)
{
    uint8_t tail[TAIL];
    tfp_store store = tfp_store_fd(&fd, (uint64_t)about->st_size);
    char full[LONGEST];
    tfp_input_stream stream = { .source = tfp_source_fd(&fd),
                                .member = member,
                                .is_file = true,
                                .device = about->st_dev,
                                .inode = about->st_ino,
                                .size = -1 };
    tfp_input_request own = *request;
    tfp_state state = { 0 };
    tfprof_error why;
    int status;
    snprintf(full, sizeof(full), "%s%s%s", member ? request->path : path,
             member ? "/" : "", member ? member : "");
    /* Files in /proc say 0 and have bytes all the same. */
    if (S_ISREG(about->st_mode) && about->st_size > 0) {
        stream.size = about->st_size;
        stream.store = &store;
        stream.file = full;
    }
    if (stream.size >= TAIL &&
        pread(fd, tail, TAIL, (off_t)(stream.size - TAIL)) == TAIL)
        stream.tail = (tfp_span){ tail, TAIL };
    if (!member)
        own.state = &state;
    status = tfp_input_add_stream(context, &own, &stream, err);
    if (status == TFPROF_OK && state.is_found)
        return tfp_follow_state(context, request, &state, full, err);
    if (tfp_stops_all(status) || !has_changed(fd, about))
        return status;
    tfp_fail(&why, TFPROF_ERR_IO, -1,
             "the file changed while it was being read (wait until it is "
             "complete, or copy it first)");
    if (err)
        *err = why;
    return tfp_input_failed(context, why.code, &why);
}

/* ---- Directories -------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const tfp_file_name *)a)->text,
                  ((const tfp_file_name *)b)->text);
}

static bool push_name(tfp_memory *memory, tfp_file_names *names,
                      const char *text)
{
    tfp_file_name name;
    snprintf(name.text, sizeof(name.text), "%s", text);
    return TFP_VEC_PUSH(memory, names, name);
}

/* The files of a directory, by name. */
static int list_files(tfp_memory *memory, DIR *dir, tfp_file_names *names,
                      tfprof_error *err)
{
    const struct dirent *entry;
    struct stat about;
    while (errno = 0, (entry = readdir(dir)) != NULL) {
        if (fstatat(dirfd(dir), entry->d_name, &about, 0) != 0 ||
            S_ISDIR(about.st_mode))
            continue;
        if (names->count >= MOST_FILES)
            return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                            "the directory contains more than %d files (give "
                            "the files instead)",
                            MOST_FILES);
        if (!push_name(memory, names, entry->d_name))
            return tfp_fail_nomem(err);
    }
    if (errno != 0)
        return tfp_fail_errno(err, errno, "cannot list the directory");
    if (names->count > 0)
        qsort(names->data, names->count, sizeof(*names->data), compare_names);
    /* The variables of a SavedModel stand in a folder of their own. */
    if (fstatat(dirfd(dir), "variables/variables.index", &about, 0) == 0 &&
        !S_ISDIR(about.st_mode) &&
        !push_name(memory, names, "variables/variables.index"))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

int tfp_list_path(tfp_memory *memory, const char *path, tfp_file_names *names,
                  tfprof_error *err)
{
    DIR *dir = opendir(path);
    int status;
    if (!dir)
        return tfp_fail_errno(err, errno, "cannot list the directory");
    status = list_files(memory, dir, names, err);
    closedir(dir);
    return status;
}

/* The hosts of one run: a damaged trace is left out, unless all of them are,
 * and so is a damaged op log beside them. */
static void judge_left_out(tfp_model *model, size_t first)
{
    size_t whole = 0;
    for (size_t i = first; i < model->inputs.count; i++)
        whole += model->inputs.data[i].kind == TFP_FILE_XSPACE &&
                 model->inputs.data[i].status == TFPROF_OK;
    for (size_t i = first; i < model->inputs.count; i++)
        model->inputs.data[i].is_left_out &= whole > 0;
}

/* The names of what stands in the directory: files, and then folders, in the
 * order that the system lists these. */
static int fail_nothing_known(DIR *dir, const tfp_file_names *files,
                              tfprof_error *err)
{
    tfp_name_list seen = { .room = sizeof(seen.text) };
    const struct dirent *entry;
    struct stat about;
    for (size_t i = 0; i < files->count; i++)
        tfp_name_list_add(&seen, tfp_span_of(files->data[i].text));
    rewinddir(dir);
    while ((entry = readdir(dir)) != NULL) {
        char name[NAME_MAX + 2];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            fstatat(dirfd(dir), entry->d_name, &about, 0) != 0 ||
            !S_ISDIR(about.st_mode))
            continue;
        snprintf(name, sizeof(name), "%s/", entry->d_name);
        tfp_name_list_add(&seen, tfp_span_of(name));
    }
    tfp_name_list_end(&seen);
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "no supported file in this directory (%s%s)",
                    seen.all > 0 ? "found: " : "it is empty", seen.text);
}

/* What the files of a directory have in common. */
typedef struct company {
    size_t traces;
    bool has_known_hosts;
} company;

/* Has a trace been read of the host of a file? */
static bool is_known_host(const tfp_model *model, const char *file)
{
    tfp_span host = tfp_host_of_file(tfp_span_of(file));
    for (size_t i = 0; i < model->inputs.count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        if (input->trace.folder != 0 &&
            tfp_span_equal(host, tfp_model_text(model, input->trace.host)))
            return true;
    }
    return false;
}

static company company_of(const tfp_model *model, const tfp_file_names *names)
{
    enum { MOST_COMPARED = 10000000 }; /* more would take long */
    company found = { 0 };
    bool is_long = names->count * model->inputs.count > MOST_COMPARED;
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->data[i].text;
        if (!tfp_is_trace_name(name))
            continue;
        found.traces++;
        found.has_known_hosts = found.has_known_hosts ||
                                (!is_long && is_known_host(model, name));
    }
    return found;
}

/* An op log beside traces is one by its name, whatever it holds. */
static tfp_input_request request_of(const tfp_input_request *request,
                                    const company *others, const char *name)
{
    tfp_input_request own = *request;
    own.has_other_hosts = others->traces > 1;
    own.has_known_hosts = others->traces > 1 && others->has_known_hosts;
    if (request->role != TFP_ROLE_ANY || !tfp_is_log_name(name))
        return own;
    own.is_beside_traces = others->traces > 0;
    if (own.is_beside_traces)
        own.role = TFP_ROLE_OP_LOG;
    return own;
}

/* Adds each file. A file of unknown kind is listed and is not an error, but a
 * directory without any file of a known kind is an error. */
static int add_files(tfp_input_context *context,
                     const tfp_input_request *request, DIR *dir,
                     const tfp_file_names *names, tfprof_error *err)
{
    size_t before = context->model->inputs.count;
    tfp_choice choice = { .prefix = "" };
    company others = company_of(context->model, names);
    int first = TFPROF_OK;
    if (request->role == TFP_ROLE_ANY)
        first = tfp_choose_checkpoint(context, request, dirfd(dir), names,
                                      &choice, err);
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->data[i].text;
        tfp_input_request own = request_of(request, &others, name);
        int status = tfp_add_chosen(context, &own, dirfd(dir), name, &choice,
                                    first == TFPROF_OK ? err : NULL);
        if (first == TFPROF_OK)
            first = status;
        if (tfp_stops_all(status))
            return status;
    }
    judge_left_out(context->model, before);
    return first;
}

/* ---- Log directories ---------------------------------------------------- */

/* Is there only what can stand beside traces: checkpoints, op logs and what is
 * not read? Otherwise it is the directory of a model. */
static bool has_no_model(const tfp_model *model, size_t first)
{
    for (size_t i = first; i < model->inputs.count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        if (input->is_read && input->kind != TFP_FILE_CHECKPOINT &&
            input->kind != TFP_FILE_CHECKPOINT_V1 &&
            input->kind != TFP_FILE_CHECKPOINT_STATE &&
            input->kind != TFP_FILE_OP_LOG)
            return false;
    }
    return true;
}

static bool has_known(const tfp_model *model, size_t first)
{
    for (size_t i = first; i < model->inputs.count; i++) {
        if (!tfp_kind_is_foreign(model->inputs.data[i].kind))
            return true;
    }
    return false;
}

/* The log directories that a directory stands for. One that has runs of its own
 * counts even if there is too much below it to search. */
static int pick_logs(const tfp_input_context *context,
                     const tfp_input_request *request, int dir,
                     tfp_log_paths *logs, tfprof_error *err)
{
    bool has_runs = tfp_has_run(dir, context->run);
    int status;
    if (has_runs &&
        (request->is_log || request->is_runs || context->leaves_logs))
        return tfp_push_log(context->model->memory, logs, "")
                   ? TFPROF_OK
                   : tfp_fail_nomem(err);
    status = tfp_pick_logs(context, dir, logs, err);
    if (status != TFPROF_ERR_LIMIT || !has_runs)
        return status;
    tfp_log_paths_release(context->model->memory, logs);
    return tfp_push_log(context->model->memory, logs, "") ? TFPROF_OK
                                                          : tfp_fail_nomem(err);
}

/* A directory without the option of a kind. Traces of its own are found before
 * its files are read, others only if there is no model among these. */
static int add_any(tfp_input_context *context, const tfp_input_request *request,
                   DIR *dir, tfp_file_names *names, tfprof_error *err)
{
    tfp_model *model = context->model;
    size_t before = model->inputs.count;
    tfp_log_paths logs = { 0 };
    bool has_runs = tfp_has_run(dirfd(dir), NULL);
    bool is_own = false;
    int status = has_runs ? pick_logs(context, request, dirfd(dir), &logs, err)
                          : TFPROF_OK;
    if (status == TFPROF_OK && logs.count == 1 && !*logs.data[0]) {
        is_own = true;
        status = tfp_list_traces(model->memory, dirfd(dir), context->run, names,
                                 err);
    }
    if (status == TFPROF_OK && (is_own || logs.count < 2))
        status = add_files(context, request, dir, names, err);
    if (is_own && !tfp_note_runs(context, before, dirfd(dir)))
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK && !has_runs && !context->leaves_logs &&
        has_no_model(model, before))
        status = pick_logs(context, request, dirfd(dir), &logs, err);
    if (status == TFPROF_OK && !is_own && logs.count > 0)
        status = tfp_add_logs(context, request, &logs, err);
    else if (status == TFPROF_OK && !has_known(model, before))
        status = fail_nothing_known(dir, names, err);
    tfp_log_paths_release(model->memory, &logs);
    return status;
}

/* A directory with the option of a kind. */
static int add_typed(tfp_input_context *context,
                     const tfp_input_request *request, DIR *dir,
                     tfp_file_names *names, tfprof_error *err)
{
    tfp_model *model = context->model;
    size_t before = model->inputs.count;
    int status = tfp_list_traces(model->memory, dirfd(dir), context->run, names,
                                 err);
    if (status == TFPROF_OK)
        status = add_files(context, request, dir, names, err);
    if (!tfp_note_runs(context, before, dirfd(dir)))
        return tfp_fail_nomem(err);
    if (status == TFPROF_OK && !has_known(model, before))
        return fail_nothing_known(dir, names, err);
    return status;
}

/* Has no entry from `first` on an error of its own? */
static bool is_unblamed(const tfp_model *model, size_t first)
{
    while (first < model->inputs.count &&
           model->inputs.data[first].status == TFPROF_OK)
        first++;
    return first == model->inputs.count;
}

static int add_directory(tfp_input_context *context,
                         const tfp_input_request *request, int fd,
                         tfprof_error *err)
{
    tfp_memory *memory = context->model->memory;
    tfp_file_names names = { 0 };
    tfprof_error why = { 0 };
    DIR *dir = fdopendir(fd);
    size_t before = context->model->inputs.count;
    int status = TFPROF_OK;
    if (!dir) {
        tfp_fail_errno(&why, errno, "cannot list the directory");
        close(fd);
        return tfp_fail_path(context, request, NULL, &why, err);
    }
    if (!request->is_runs)
        status = list_files(memory, dir, &names, &why);
    if (status == TFPROF_OK && request->role == TFP_ROLE_CHECKPOINT)
        status = tfp_add_checkpoint_among(context, request, dirfd(dir), &names,
                                          &why);
    else if (status == TFPROF_OK && request->role == TFP_ROLE_ANY)
        status = add_any(context, request, dir, &names, &why);
    else if (status == TFPROF_OK)
        status = add_typed(context, request, dir, &names, &why);
    TFP_VEC_RELEASE(memory, &names);
    closedir(dir);
    if (status == TFPROF_OK)
        return TFPROF_OK;
    if (is_unblamed(context->model, before))
        return tfp_fail_path(context, request, NULL, &why, err);
    if (err)
        *err = why;
    return status;
}

/* ---- Files -------------------------------------------------------------- */

/* Where a path comes from, which decides what it may lead to. */
typedef enum path_origin {
    GIVEN,   /* by the user: a file, a directory, a pipe, standard input */
    LISTED,  /* in a directory: a regular file; others are passed over */
    FOLLOWED /* made up here or found in a file: a regular file */
} path_origin;

/* The empty device counts as an empty file. */
static bool is_device(const struct stat *about)
{
    struct stat null;
    if (S_ISBLK(about->st_mode))
        return true;
    return S_ISCHR(about->st_mode) &&
           !(stat("/dev/null", &null) == 0 && S_ISCHR(null.st_mode) &&
             null.st_rdev == about->st_rdev);
}

static bool may_read(path_origin origin, const struct stat *about)
{
    return origin == GIVEN ? !is_device(about) : S_ISREG(about->st_mode);
}

/* Opens a path, unless it leads to what may not be read, for which *fd stays
 * below 0 and 0 is returned. Opening a device may have effects, and opening a
 * pipe may take forever, so it is looked at before; and again after, for it
 * may be another file by then. -1 with errno set when it cannot be opened. */
static int open_path(int at, const char *path, path_origin origin, int *fd,
                     struct stat *about)
{
    int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
    if (fstatat(at, path, about, 0) != 0)
        return -1;
    if (!may_read(origin, about))
        return 0;
    *fd = openat(at, path, origin == GIVEN ? flags : flags | O_NONBLOCK);
    if (*fd < 0 || fstat(*fd, about) != 0)
        return -1;
    if (!may_read(origin, about)) {
        close(*fd);
        *fd = -1;
    }
    return 0;
}

/* What may not be read has an entry all the same. */
static int refuse(tfp_input_context *context, const tfp_input_request *request,
                  const char *member, const char *path, path_origin origin,
                  tfprof_error *err)
{
    tfprof_error why;
    if (origin == LISTED) {
        tfp_input *input;
        if (!tfp_input_begin(context, request->path, member))
            return tfp_fail_nomem(err);
        input = &context->model->inputs.data[context->model->inputs.count - 1];
        tfp_kind_note(input, tfp_kind_of(TFP_FILE_SPECIAL));
        return TFPROF_OK;
    }
    if (origin == GIVEN)
        tfp_fail(&why, TFPROF_ERR_IO, -1,
                 "is a device (use a file, a pipe, or - for standard input)");
    else
        tfp_fail(&why, TFPROF_ERR_IO, -1, "cannot open %s: not a regular file",
                 tfp_shorten(tfp_span_of(path), 120).text);
    return tfp_fail_path(context, request, member, &why, err);
}

static int add_path(tfp_input_context *context,
                    const tfp_input_request *request, const char *member,
                    int at, const char *path, path_origin origin,
                    tfprof_error *err)
{
    struct stat about;
    int fd = -1, status;
    if (open_path(at, path, origin, &fd, &about) != 0) {
        tfprof_error why;
        tfp_fail_errno(&why, errno, "cannot open");
        status = tfp_fail_path(context, request, member, &why, err);
    } else if (fd < 0) {
        status = refuse(context, request, member, path, origin, err);
    } else if (S_ISDIR(about.st_mode)) {
        return add_directory(context, request, fd, err); /* closes it */
    } else {
        status = add_fd(context, request, member, path, fd, &about, err);
    }
    if (fd >= 0)
        close(fd);
    return status;
}

static int add_stdin(tfp_input_context *context,
                     const tfp_input_request *request, tfprof_error *err)
{
    struct stat about;
    tfprof_error why;
    if (context->read_stdin) {
        tfp_fail(&why, TFPROF_ERR_OPTION, -1,
                 "standard input can be given only once");
        return tfp_fail_path(context, request, NULL, &why, err);
    }
    context->read_stdin = true;
    if (fstat(STDIN_FILENO, &about) != 0) {
        tfp_fail_errno(&why, errno, "cannot open");
        return tfp_fail_path(context, request, NULL, &why, err);
    }
    return add_fd(context, request, NULL, "-", STDIN_FILENO, &about, err);
}

int tfp_add_file(tfp_input_context *context, const tfp_input_request *request,
                 const char *member, int at, const char *path,
                 tfprof_error *err)
{
    if (!member && !strcmp(path, "-"))
        return add_stdin(context, request, err);
    return add_path(context, request, member, at, path, member ? LISTED : GIVEN,
                    err);
}

int tfp_add_followed(tfp_input_context *context,
                     const tfp_input_request *request, const char *member,
                     int at, const char *path, tfprof_error *err)
{
    return add_path(context, request, member, at, path, FOLLOWED, err);
}

int tfp_input_add_path(tfp_input_context *context,
                       const tfp_input_request *request, tfprof_error *err)
{
    tfp_input_request runs = *request;
    char log[LONGEST];
    bool found;
    int status;
    runs.is_runs = true;
    runs.path = log;
    if (request->role == TFP_ROLE_ANY && !context->leaves_logs &&
        !request->is_runs && tfp_log_of_runs(request->path, log, sizeof(log)))
        return tfp_add_file(context, &runs, NULL, AT_FDCWD, log, err);
    if (request->role == TFP_ROLE_CHECKPOINT)
        return tfp_add_checkpoint(context, request, err);
    if (request->role == TFP_ROLE_ANY && strcmp(request->path, "-") != 0 &&
        access(request->path, F_OK) != 0 && errno == ENOENT) {
        status = tfp_add_prefix(context, request, &found, err);
        if (found)
            return status;
    }
    return tfp_add_file(context, request, NULL, AT_FDCWD, request->path, err);
}
