/*
 * runs.c - the runs that a path stands for in a comparison.
 */
#include "input/path/runs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/gzip.h"
#include "base/reader.h"
#include "input/kind/kinds.h"
#include "input/path/paths.h"
#include "model/file_kinds.h"

enum { PROBE_BYTES = 64 << 10, MOST_RUNS = 10000 };

/* ---- Files -------------------------------------------------------------- */

static bool has_records(tfp_file_kind kind)
{
    return kind == TFP_FILE_RUN_METADATA || kind == TFP_FILE_STEP_STATS ||
           kind == TFP_FILE_PROFILE || kind == TFP_FILE_XSPACE;
}

static tfp_file_kind probe(tfp_reader *reader, const char *path)
{
    bool is_text, full = tfp_reader_need(reader, PROBE_BYTES);
    tfp_probe about = { .is_complete = !full && reader->status == TFPROF_OK,
                        .path = path };
    if (reader->status == TFPROF_ERR_NOMEM)
        return TFP_FILE_UNKNOWN;
    about.head = tfp_reader_view(reader);
    if (about.head.size > PROBE_BYTES) {
        about.head.size = PROBE_BYTES;
        about.is_complete = false;
    }
    return tfp_probe_kind(&about, &is_text)->kind;
}

/* What an open file is, by its first bytes. False when out of memory. */
static bool probe_fd(tfp_memory *memory, const int *fd, const char *path,
                     tfp_file_kind *kind)
{
    tfp_reader packed, unpacked;
    tfp_gzip *gzip;
    bool ok;
    tfp_reader_init(&packed, memory, tfp_source_fd(fd), INT64_MAX);
    (void)tfp_reader_need(&packed, 3);
    if (packed.status == TFPROF_ERR_NOMEM ||
        !tfp_gzip_recognises(tfp_reader_view(&packed))) {
        *kind = probe(&packed, path);
        ok = packed.status != TFPROF_ERR_NOMEM;
        tfp_reader_release(&packed);
        return ok;
    }
    gzip = tfp_gzip_new(memory, tfp_source_reader(&packed));
    ok = gzip != NULL;
    if (ok) {
        tfp_reader_init(&unpacked, memory, tfp_source_gzip(gzip), INT64_MAX);
        *kind = probe(&unpacked, path);
        ok = packed.status != TFPROF_ERR_NOMEM &&
             unpacked.status != TFPROF_ERR_NOMEM;
        tfp_reader_release(&unpacked);
        tfp_gzip_free(gzip);
    }
    tfp_reader_release(&packed);
    return ok;
}

/* Is the file at a path a run? Only regular files are opened. False when out
 * of memory. */
static bool judge_file(tfp_memory *memory, int at, const char *path,
                       bool *is_run)
{
    struct stat about;
    tfp_file_kind kind = TFP_FILE_UNKNOWN;
    bool ok;
    int fd;
    *is_run = false;
    if (fstatat(at, path, &about, 0) != 0)
        return true; /* perhaps the prefix of a checkpoint */
    *is_run = !S_ISREG(about.st_mode);
    if (*is_run)
        return true;
    fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return true;
    ok = probe_fd(memory, &fd, path, &kind);
    close(fd);
    *is_run = has_records(kind);
    return ok;
}

/* ---- Folders ------------------------------------------------------------ */

static int add(tfp_memory *memory, tfp_run_paths *runs, const char *path,
               const char *member, bool is_run, tfprof_error *err)
{
    tfp_run_path run = { .is_run = is_run };
    size_t size = strlen(path) + (member ? strlen(member) + 1 : 0) + 1;
    if (runs->count >= MOST_RUNS)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "one side of a comparison has more than %d runs",
                        MOST_RUNS);
    run.path = tfp_memory_alloc(memory, size);
    if (!run.path)
        return tfp_fail_nomem(err);
    snprintf(run.path, size, "%s%s%s", path, member ? "/" : "",
             member ? member : "");
    if (TFP_VEC_PUSH(memory, runs, run))
        return TFPROF_OK;
    tfp_memory_free(memory, run.path);
    return tfp_fail_nomem(err);
}

/* What a directory contains. */
typedef struct folder {
    tfp_file_names traces;  /* plugins/profile/RUN, by name */
    tfp_file_names folders; /* by name */
    bool has_files, has_run_files;
} folder;

static void release_folder(tfp_memory *memory, folder *f)
{
    TFP_VEC_RELEASE(memory, &f->traces);
    TFP_VEC_RELEASE(memory, &f->folders);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const tfp_file_name *)a)->text,
                  ((const tfp_file_name *)b)->text);
}

/* Hidden entries are not inputs. */
static bool look_at(tfp_memory *memory, DIR *dir, const char *name, folder *f)
{
    tfp_file_name copy;
    struct stat about;
    bool is_run = false, ok = true;
    if (name[0] == '.' || fstatat(dirfd(dir), name, &about, 0) != 0)
        return true;
    if (!S_ISDIR(about.st_mode)) {
        f->has_files = true;
        if (S_ISREG(about.st_mode) && !f->has_run_files)
            ok = judge_file(memory, dirfd(dir), name, &is_run);
        f->has_run_files |= is_run;
        return ok;
    }
    snprintf(copy.text, sizeof(copy.text), "%s", name);
    return TFP_VEC_PUSH(memory, &f->folders, copy);
}

static int look(tfp_memory *memory, const char *path, folder *f,
                tfprof_error *err)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    int status;
    *f = (folder){ .has_files = false };
    if (!dir) /* reading it as an input reports why */
        return TFPROF_OK;
    status = tfp_list_trace_runs(memory, dirfd(dir), &f->traces, err);
    while (status == TFPROF_OK && f->traces.count == 0 &&
           f->folders.count < MOST_RUNS && (entry = readdir(dir)) != NULL) {
        if (!look_at(memory, dir, entry->d_name, f))
            status = tfp_fail_nomem(err);
    }
    closedir(dir);
    if (f->folders.count > 0)
        qsort(f->folders.data, f->folders.count, sizeof(*f->folders.data),
              compare_names);
    return status;
}

static int add_members(tfp_memory *memory, tfp_run_paths *runs,
                       const char *path, const tfp_file_names *members,
                       tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < members->count && status == TFPROF_OK; i++)
        status = add(memory, runs, path, members->data[i].text, true, err);
    return status;
}

/* A folder of a directory: the traces in it, or all of its files. */
static int add_subfolder(tfp_memory *memory, tfp_run_paths *runs,
                         const char *path, const char *name, tfprof_error *err)
{
    folder f;
    tfp_run_paths whole = { 0 };
    int status = add(memory, &whole, path, name, true, err);
    if (status != TFPROF_OK)
        return status;
    status = look(memory, whole.data[0].path, &f, err);
    if (status == TFPROF_OK && f.traces.count > 0)
        status = add_members(memory, runs, whole.data[0].path, &f.traces, err);
    else if (status == TFPROF_OK && f.has_files)
        status = add(memory, runs, path, name, true, err);
    release_folder(memory, &f);
    tfp_run_paths_release(memory, &whole);
    return status;
}

static int add_folder(tfp_memory *memory, tfp_run_paths *runs, const char *path,
                      tfprof_error *err)
{
    folder f;
    size_t before = runs->count;
    int status = look(memory, path, &f, err);
    if (status == TFPROF_OK && f.traces.count > 0)
        status = add_members(memory, runs, path, &f.traces, err);
    for (size_t i = 0;
         status == TFPROF_OK && !f.has_files && i < f.folders.count; i++)
        status = add_subfolder(memory, runs, path, f.folders.data[i].text, err);
    if (status == TFPROF_OK && runs->count == before)
        status = add(memory, runs, path, NULL, f.has_run_files || !f.has_files,
                     err);
    release_folder(memory, &f);
    return status;
}

int tfp_list_runs(tfp_memory *memory, const char *path, tfp_run_paths *runs,
                  tfprof_error *err)
{
    struct stat about;
    bool is_stdin = !strcmp(path, "-"), is_run = true;
    if (!is_stdin && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return add_folder(memory, runs, path, err);
    if (!is_stdin && !judge_file(memory, AT_FDCWD, path, &is_run))
        return tfp_fail_nomem(err);
    return add(memory, runs, path, NULL, is_run, err);
}

void tfp_run_paths_release(tfp_memory *memory, tfp_run_paths *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        tfp_memory_free(memory, runs->data[i].path);
    TFP_VEC_RELEASE(memory, runs);
}
