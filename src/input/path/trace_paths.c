/*
 * trace_paths.c - the traces in a log directory.
 *
 * TensorFlow, Keras and JAX write each run of the profiler into a folder
 * plugins/profile/RUN, with a file for each host. Of several runs the newest
 * counts, unless one is chosen by its name: runs are named by their time, so
 * the last name is the newest. Beside the traces may be an op log, which
 * tfprof.trace() in Python writes.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/path/paths.h"
#include "model/inputs.h"
#include "model/model.h"

#define RUNS "plugins/profile"

enum { MOST_HOSTS = 100000 };

bool tfp_is_trace_name(const char *name)
{
    tfp_span text = tfp_span_of(name);
    return tfp_span_ends(text, ".xplane.pb") ||
           tfp_span_ends(text, ".xplane.pb.gz");
}

bool tfp_is_log_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    return !strcmp(slash ? slash + 1 : name, "tfprof_log");
}

static DIR *open_folder(int at, const char *path)
{
    int fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !dir)
        close(fd);
    return dir;
}

/* Are there traces in a folder? */
static bool has_traces(int at, const char *path)
{
    DIR *dir = open_folder(at, path);
    const struct dirent *entry;
    bool found = false;
    while (dir && !found && (entry = readdir(dir)) != NULL)
        found = tfp_is_trace_name(entry->d_name);
    if (dir)
        closedir(dir);
    return found;
}

/* Is the entry of a folder of runs a run? */
static bool is_run(DIR *runs, const char *name)
{
    return name[0] != '.' && has_traces(dirfd(runs), name);
}

int tfp_open_runs(int dir)
{
    DIR *runs = open_folder(dir, RUNS);
    const struct dirent *entry;
    bool any = false;
    int fd;
    while (runs && !any && (entry = readdir(runs)) != NULL)
        any = is_run(runs, entry->d_name);
    fd = any ? fcntl(dirfd(runs), F_DUPFD_CLOEXEC, 0) : -1;
    if (runs)
        closedir(runs);
    return fd;
}

bool tfp_has_run(int dir, const char *run)
{
    DIR *runs = open_folder(dir, RUNS);
    const struct dirent *entry;
    bool found = false;
    while (runs && !found && (entry = readdir(runs)) != NULL)
        found = (!run || !strcmp(entry->d_name, run)) &&
                is_run(runs, entry->d_name);
    if (runs)
        closedir(runs);
    return found;
}

/* The newest run of those in `runs`, or the one with this name; its name is
 * empty when there is none. */
static void choose_run(DIR *runs, const char *run, tfp_file_name *chosen)
{
    const struct dirent *entry;
    chosen->text[0] = 0;
    while ((entry = readdir(runs)) != NULL) {
        if ((run ? !strcmp(entry->d_name, run)
                 : strcmp(entry->d_name, chosen->text) > 0) &&
            is_run(runs, entry->d_name))
            snprintf(chosen->text, sizeof(chosen->text), "%s", entry->d_name);
    }
}

static int64_t count_runs(int dir)
{
    DIR *runs = open_folder(dir, RUNS);
    const struct dirent *entry;
    int64_t count = 0;
    while (runs && (entry = readdir(runs)) != NULL)
        count += is_run(runs, entry->d_name);
    if (runs)
        closedir(runs);
    return count;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const tfp_file_name *)a)->text,
                  ((const tfp_file_name *)b)->text);
}

/* JAX writes each trace a second time, for the viewers of Chrome and Perfetto.
 * What they contain is read, so they are not worth a note. */
static bool is_copy(const char *name)
{
    static const char *const ends[] = { ".trace.json.gz",
                                        "perfetto_trace.json.gz" };
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        if (size >= strlen(ends[i]) &&
            !strcmp(name + size - strlen(ends[i]), ends[i]))
            return true;
    }
    return false;
}

static bool is_beside(DIR *dir, const char *name)
{
    struct stat about;
    return name[0] != '.' && !tfp_is_trace_name(name) &&
           !tfp_is_log_name(name) && !is_copy(name) &&
           fstatat(dirfd(dir), name, &about, 0) == 0 && S_ISREG(about.st_mode);
}

/* Notes the files beside a trace that are not read: their number, and the names
 * of the first. */
static bool note_beside(tfp_model *model, tfp_input *input, int at)
{
    enum { NAMED = 8 };
    tfp_memory *memory = model->memory;
    tfp_span member = tfp_model_text(model, input->member);
    tfp_input_texts *beside = &input->trace.beside;
    const struct dirent *entry;
    tfp_file_names names = { 0 };
    tfp_file_name folder;
    DIR *dir;
    bool ok = true;
    snprintf(folder.text, sizeof(folder.text), "%.*s", (int)member.size,
             (const char *)member.data);
    *strrchr(folder.text, '/') = '\0';
    dir = open_folder(at, folder.text);
    while (dir && ok && (entry = readdir(dir)) != NULL) {
        tfp_file_name name;
        if (!is_beside(dir, entry->d_name))
            continue;
        snprintf(name.text, sizeof(name.text), "%s", entry->d_name);
        ok = TFP_VEC_PUSH(memory, &names, name);
    }
    if (dir)
        closedir(dir);
    if (names.count > 0)
        qsort(names.data, names.count, sizeof(*names.data), compare_names);
    for (size_t i = 0; i < names.count && i < NAMED && ok; i++) {
        tfp_string text = tfp_model_string(model,
                                           tfp_span_of(names.data[i].text));
        ok = text != TFP_NO_ID && TFP_VEC_PUSH(memory, &beside->first, text);
    }
    beside->count = (int64_t)names.count;
    TFP_VEC_RELEASE(memory, &names);
    return ok;
}

bool tfp_note_runs(const tfp_input_context *context, size_t first, int dir)
{
    tfp_model *model = context->model;
    int64_t count = 0;
    for (size_t i = first; i < model->inputs.count; i++) {
        tfp_input *input = &model->inputs.data[i];
        if (!tfp_span_starts(tfp_model_text(model, input->member), RUNS "/"))
            continue;
        if (count == 0) {
            count = count_runs(dir);
            if (!note_beside(model, input, dir))
                return false;
        }
        input->trace.runs = count;
        input->trace.is_chosen = context->run != NULL;
    }
    return true;
}

/* Adds the traces of a run and its op log to `names`, by name. */
static int list_run(tfp_memory *memory, DIR *runs, const char *run,
                    tfp_file_names *names, tfprof_error *err)
{
    DIR *dir = open_folder(dirfd(runs), run);
    const struct dirent *entry;
    size_t first = names->count;
    int status = TFPROF_OK;
    if (!dir) {
        int why = errno;
        char what[200];
        snprintf(what, sizeof(what),
                 "cannot list the directory plugins/profile/%s",
                 tfp_shorten(tfp_span_of(run), 100).text);
        return tfp_fail_errno(err, why, what);
    }
    while (status == TFPROF_OK && (entry = readdir(dir)) != NULL) {
        tfp_file_name name;
        int size;
        if (!tfp_is_trace_name(entry->d_name) &&
            !tfp_is_log_name(entry->d_name))
            continue;
        size = snprintf(name.text, sizeof(name.text), "%s/%s/%s", RUNS, run,
                        entry->d_name);
        if (size < 0 || (size_t)size >= sizeof(name.text))
            status = tfp_fail(
                err, TFPROF_ERR_LIMIT, -1,
                "a file name in %s is too long (give the directory of the run)",
                RUNS);
        else if (names->count - first >= MOST_HOSTS)
            status = tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                              "the profiler run has more than %d hosts (give "
                              "the traces instead of the directory)",
                              MOST_HOSTS);
        else if (!TFP_VEC_PUSH(memory, names, name))
            status = tfp_fail_nomem(err);
    }
    closedir(dir);
    if (names->count > first)
        qsort(names->data + first, names->count - first, sizeof(*names->data),
              compare_names);
    return status;
}

int tfp_list_traces(tfp_memory *memory, int dir, const char *run,
                    tfp_file_names *names, tfprof_error *err)
{
    DIR *runs = open_folder(dir, RUNS);
    tfp_file_name chosen;
    int status = TFPROF_OK;
    if (!runs)
        return TFPROF_OK;
    choose_run(runs, run, &chosen);
    if (chosen.text[0])
        status = list_run(memory, runs, chosen.text, names, err);
    closedir(runs);
    return status;
}

int tfp_list_trace_runs(tfp_memory *memory, int dir, tfp_file_names *names,
                        tfprof_error *err)
{
    DIR *runs = open_folder(dir, RUNS);
    const struct dirent *entry;
    size_t first = names->count;
    int status = TFPROF_OK;
    while (runs && status == TFPROF_OK && (entry = readdir(runs)) != NULL) {
        tfp_file_name name;
        int size;
        if (!is_run(runs, entry->d_name))
            continue;
        size = snprintf(name.text, sizeof(name.text), "%s/%s", RUNS,
                        entry->d_name);
        if (size < 0 || (size_t)size >= sizeof(name.text))
            status = tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                              "a folder name in %s is too long", RUNS);
        else if (!TFP_VEC_PUSH(memory, names, name))
            status = tfp_fail_nomem(err);
    }
    if (runs)
        closedir(runs);
    if (names->count > first)
        qsort(names->data + first, names->count - first, sizeof(*names->data),
              compare_names);
    return status;
}
