/*
 * aggregate_folder.c - the folder that the tables of an aggregate go into.
 */
#include "api/aggregate_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "output/aggregate/tables.h"
#include "output/sink/file.h"

enum { NAME_ROOM = 32 };

/* Creates the directory whose path ends at `end`, unless it exists. Returns 0
 * or the errno. */
static int make_directory(tfp_agg_folder *f, size_t end)
{
    struct stat about;
    int why;
    if (mkdir(f->path, 0777) == 0) {
        f->first = f->first ? f->first : end;
        f->last = end;
        return 0;
    }
    why = errno;
    if (stat(f->path, &about) != 0) /* EEXIST: a link that leads nowhere */
        return why == EEXIST ? errno : why;
    return S_ISDIR(about.st_mode) ? 0 : ENOTDIR;
}

/* Creates a folder, and its parents if they are missing. */
static int make_folder(tfp_agg_folder *f, tfprof_error *err)
{
    int why = 0;
    for (size_t i = 1; i <= f->length && why == 0; i++) {
        char next = f->path[i];
        if (next != '/' && next != '\0')
            continue;
        f->path[i] = '\0';
        why = make_directory(f, i);
        f->path[i] = next;
    }
    if (why == 0 && access(f->path, W_OK | X_OK) != 0)
        why = errno;
    if (why == 0)
        return TFPROF_OK;
    return tfp_fail(err, TFPROF_ERR_OUTPUT, -1,
                    "%s: cannot create the folder: %s",
                    tfp_shorten(tfp_span_of(f->path), 120).text, strerror(why));
}

int tfp_agg_folder_open(tfp_agg_folder *f, const char *path, tfprof_profile *p,
                        tfprof_error *err)
{
    size_t length = strlen(path);
    int status;
    *f = (tfp_agg_folder){ .memory = &p->memory,
                           .length = length,
                           .room = NAME_ROOM };
    f->path = tfp_memory_alloc(f->memory, length + NAME_ROOM);
    if (!f->path)
        return tfp_fail_nomem(err);
    memcpy(f->path, path, length + 1);
    status = make_folder(f, err);
    for (size_t i = 0; tfp_agg_files[i] && status == TFPROF_OK; i++)
        status = tfp_file_check_target(tfp_agg_folder_file(f, i), &p->model,
                                       &p->options.formula_file, err);
    return status;
}

const char *tfp_agg_folder_file(tfp_agg_folder *f, size_t file)
{
    snprintf(f->path + f->length, f->room, "/%s", tfp_agg_files[file]);
    return f->path;
}

int tfp_agg_folder_clear(tfp_agg_folder *f, tfprof_error *err)
{
    size_t last = 0;
    const char *path;
    while (tfp_agg_files[last + 1])
        last++;
    path = tfp_agg_folder_file(f, last);
    if (unlink(path) == 0 || errno == ENOENT)
        return TFPROF_OK;
    return tfp_fail(err, TFPROF_ERR_OUTPUT, -1,
                    "%s: cannot remove the file: %s",
                    tfp_shorten(tfp_span_of(path), 120).text, strerror(errno));
}

/* Ends the path before the slashes at `end`, and returns its new length. */
static size_t cut_slashes(tfp_agg_folder *f, size_t end)
{
    while (end > 0 && f->path[end - 1] == '/')
        end--;
    f->path[end] = '\0';
    return end;
}

void tfp_agg_folder_close(tfp_agg_folder *f, bool is_kept)
{
    if (!f->path)
        return;
    if (!is_kept && f->first > 0) {
        size_t end = cut_slashes(f, f->last);
        while (end >= f->first && rmdir(f->path) == 0) {
            while (end > 0 && f->path[end - 1] != '/')
                end--;
            end = cut_slashes(f, end);
        }
    }
    tfp_memory_free(f->memory, f->path);
    f->path = NULL;
}
