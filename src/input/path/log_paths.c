/*
 * log_paths.c - which traces a directory stands for.
 *
 * The traces of one log directory answer together: they are the hosts of a run.
 * Log directories of several programs, such as workers, do not.
 */
#include "input/path/log_paths.h"

#include "base/intern.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "input/path/paths.h"
#include "model/inputs.h"
#include "model/model.h"

enum { LONGEST = 8192 };

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const tfp_file_name *)a)->text,
                  ((const tfp_file_name *)b)->text);
}

static int open_log(int dir, const char *path)
{
    return openat(dir, *path ? path : ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
}

/* Keeps the log directories that have a run with this name. */
static void keep_with_run(tfp_memory *memory, int dir, const char *run,
                          tfp_log_paths *logs)
{
    size_t kept = 0;
    for (size_t i = 0; i < logs->count; i++) {
        int fd = open_log(dir, logs->data[i]);
        if (fd >= 0 && tfp_has_run(fd, run))
            logs->data[kept++] = logs->data[i];
        else
            tfp_memory_free(memory, logs->data[i]);
        if (fd >= 0)
            close(fd);
    }
    logs->count = kept;
}

/* The names of all runs, each once. */
static int fail_no_run(tfp_memory *memory, int dir, const char *run,
                       const tfp_log_paths *logs, tfprof_error *err)
{
    tfp_file_names names = { 0 };
    tfp_name_list list = { .room = 100 };
    int status = TFPROF_OK;
    for (size_t i = 0; i < logs->count && status == TFPROF_OK; i++) {
        int fd = open_log(dir, logs->data[i]);
        if (fd >= 0) {
            status = tfp_list_trace_runs(memory, fd, &names, err);
            close(fd);
        }
    }
    if (names.count > 0)
        qsort(names.data, names.count, sizeof(*names.data), compare_names);
    for (size_t i = 0; i < names.count; i++) {
        tfp_span path = tfp_span_of(names.data[i].text);
        if (i == 0 || strcmp(names.data[i].text, names.data[i - 1].text) != 0)
            tfp_name_list_add(&list, tfp_span_base_name(path));
    }
    tfp_name_list_end(&list);
    TFP_VEC_RELEASE(memory, &names);
    return status == TFPROF_OK
               ? tfp_fail(err, TFPROF_ERR_OPTION, -1,
                          "no run has the name %s (use --run with one of: %s)",
                          tfp_shorten(tfp_span_of(run), 60).text, list.text)
               : status;
}

int tfp_pick_logs(const tfp_input_context *context, int dir,
                  tfp_log_paths *logs, tfprof_error *err)
{
    tfp_memory *memory = context->model->memory;
    tfp_log_paths all = { 0 };
    int status = tfp_find_logs(memory, dir, logs, err);
    if (status != TFPROF_OK || !context->run || logs->count == 0)
        return status;
    keep_with_run(memory, dir, context->run, logs);
    if (logs->count > 0)
        return TFPROF_OK;
    status = tfp_find_logs(memory, dir, &all, err);
    if (status == TFPROF_OK)
        status = fail_no_run(memory, dir, context->run, &all, err);
    tfp_log_paths_release(memory, &all);
    return status;
}

/* ---- Adding ------------------------------------------------------------- */

/* The path of a log directory as the user can give it; that of the directory
 * itself means its runs alone. False if it is too long. */
static bool join(const char *path, const char *log, char *buffer, size_t size)
{
    size_t length = strlen(path);
    int used;
    while (length > 1 && path[length - 1] == '/')
        length--;
    used = snprintf(buffer, size, "%.*s%s%s", (int)length, path,
                    path[length - 1] == '/' ? "" : "/",
                    *log ? log : "plugins/profile");
    return used > 0 && (size_t)used < size;
}

static int add_log(tfp_input_context *context, const tfp_input_request *request,
                   const char *log, tfprof_error *err)
{
    tfp_input_request own = *request;
    char path[LONGEST];
    if (!join(request->path, log, path, sizeof(path)))
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "the path of a log directory is too long");
    own.path = path;
    own.is_log = true;
    return tfp_input_add_path(context, &own, err);
}

static int fail_several(tfp_input_context *context,
                        const tfp_input_request *request,
                        const tfp_log_paths *logs, tfprof_error *err)
{
    tfp_memory *memory = context->model->memory;
    tfp_name_list list = { .room = 120 };
    tfprof_error why;
    tfp_input *input;
    int status;
    for (size_t i = 0; i < logs->count; i++)
        tfp_name_list_add(
            &list,
            tfp_span_of(*logs->data[i] ? logs->data[i] : "plugins/profile"));
    tfp_name_list_end(&list);
    tfp_fail(&why, TFPROF_ERR_OPTION, -1,
             "%zu log directories with traces are below this one (give one of "
             "them: %s)",
             logs->count, list.text);
    status = tfp_fail_path(context, request, NULL, &why, err);
    if (status != TFPROF_ERR_OPTION)
        return status;
    input = &context->model->inputs.data[context->model->inputs.count - 1];
    for (size_t i = 0; i < logs->count; i++) {
        char path[LONGEST];
        tfp_string text;
        if (!join(request->path, logs->data[i], path, sizeof(path)))
            continue;
        text = tfp_model_string(context->model, tfp_span_of(path));
        if (text == TFP_NO_ID ||
            !TFP_VEC_PUSH(memory, &input->trace.beside.first, text))
            return tfp_fail_nomem(err);
    }
    return status;
}

int tfp_add_logs(tfp_input_context *context, const tfp_input_request *request,
                 const tfp_log_paths *logs, tfprof_error *err)
{
    int first = TFPROF_OK;
    if (logs->count > 1 && !(context->defers & TFP_DEFER_TRACES))
        return fail_several(context, request, logs, err);
    for (size_t i = 0; i < logs->count; i++) {
        int status = add_log(context, request, logs->data[i],
                             first == TFPROF_OK ? err : NULL);
        if (first == TFPROF_OK)
            first = status;
        if (tfp_stops_all(status))
            return status;
    }
    return first;
}

/* ---- The folder of runs ------------------------------------------------- */

/* Ends a path before its last name, if that is `name`. */
static bool cut_name(char *path, const char *name)
{
    size_t length = strlen(path), size = strlen(name);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (length < size || memcmp(path + length - size, name, size) != 0 ||
        (length > size && path[length - size - 1] != '/'))
        return false;
    path[length - size] = '\0';
    return true;
}

/* The path, or the whole one of the directory that the program runs in. */
static bool copy_path(const char *path, char *buffer, size_t size)
{
    if (!strcmp(path, ".") || !strcmp(path, "./"))
        return getcwd(buffer, size) != NULL;
    if (strlen(path) + 2 > size)
        return false;
    snprintf(buffer, size, "%s", path);
    return true;
}

bool tfp_log_of_runs(const char *path, char *buffer, size_t size)
{
    int fd;
    bool has_runs;
    if (!copy_path(path, buffer, size))
        return false;
    (void)cut_name(buffer, "profile");
    if (!cut_name(buffer, "plugins"))
        return false;
    if (!*buffer)
        snprintf(buffer, size, ".");
    fd = open_log(AT_FDCWD, buffer);
    has_runs = fd >= 0 && tfp_has_run(fd, NULL);
    if (fd >= 0)
        close(fd);
    return has_runs;
}
