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
#include "input/path/log_search.h"
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

/* What a file is. Only regular files are opened. False when out of memory. */
static bool judge_file(tfp_memory *memory, int at, const char *path,
                       tfp_file_kind *kind)
{
    struct stat about;
    bool ok;
    int fd;
    *kind = TFP_FILE_UNKNOWN;
    if (fstatat(at, path, &about, 0) != 0)
        return true; /* perhaps the prefix of a checkpoint */
    if (!S_ISREG(about.st_mode)) {
        *kind = TFP_FILE_SPECIAL;
        return true;
    }
    fd = openat(at, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return true;
    ok = probe_fd(memory, &fd, path, kind);
    close(fd);
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
    tfp_file_names folders; /* by name */
    bool has_files;
    bool has_runs;   /* files with run records */
    bool has_models; /* files that belong to runs: graphs and others */
    bool has_odd;    /* files that nobody knows */
} folder;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const tfp_file_name *)a)->text,
                  ((const tfp_file_name *)b)->text);
}

static bool look_at_file(tfp_memory *memory, DIR *dir, const char *name,
                         folder *f)
{
    tfp_file_kind kind;
    f->has_files = true;
    if (f->has_runs) /* the others do not matter */
        return true;
    if (!judge_file(memory, dirfd(dir), name, &kind))
        return false;
    /* A damaged trace is known by its name. */
    if (has_records(kind) || tfp_is_trace_name(name))
        f->has_runs = true;
    else if (tfp_kind_of(kind)->is_read)
        f->has_models = true;
    else if (tfp_kind_is_foreign(kind))
        f->has_odd = true;
    return true;
}

/* Hidden entries are not inputs. */
static bool look_at(tfp_memory *memory, DIR *dir, const char *name, folder *f)
{
    tfp_file_name copy;
    struct stat about;
    if (name[0] == '.' || fstatat(dirfd(dir), name, &about, 0) != 0)
        return true;
    if (!S_ISDIR(about.st_mode))
        return look_at_file(memory, dir, name, f);
    snprintf(copy.text, sizeof(copy.text), "%s", name);
    return TFP_VEC_PUSH(memory, &f->folders, copy);
}

static int look(tfp_memory *memory, DIR *dir, folder *f, tfprof_error *err)
{
    const struct dirent *entry;
    *f = (folder){ .has_files = false };
    while (f->folders.count <= MOST_RUNS && (entry = readdir(dir)) != NULL) {
        if (!look_at(memory, dir, entry->d_name, f))
            return tfp_fail_nomem(err);
    }
    if (f->folders.count > 0)
        qsort(f->folders.data, f->folders.count, sizeof(*f->folders.data),
              compare_names);
    return TFPROF_OK;
}

/* The runs of a log directory, whose path from `dir` is `log`. */
static int add_log(tfp_memory *memory, tfp_run_paths *runs, const char *path,
                   int dir, const char *log, tfprof_error *err)
{
    tfp_run_paths whole = { 0 };
    tfp_file_names names = { 0 };
    int fd = openat(dir, *log ? log : ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    int status = add(memory, &whole, path, *log ? log : NULL, true, err);
    if (status == TFPROF_OK && fd >= 0)
        status = tfp_list_trace_runs(memory, fd, &names, err);
    for (size_t i = 0; i < names.count && status == TFPROF_OK; i++)
        status = add(memory, runs, whole.data[0].path, names.data[i].text, true,
                     err);
    if (fd >= 0)
        close(fd);
    TFP_VEC_RELEASE(memory, &names);
    tfp_run_paths_release(memory, &whole);
    return status;
}

/* The runs of all log directories in a directory. */
static int add_logs(tfp_memory *memory, tfp_run_paths *runs, const char *path,
                    int dir, tfprof_error *err)
{
    tfp_log_paths logs = { 0 };
    int status = tfp_find_logs(memory, dir, &logs, err);
    for (size_t i = 0; i < logs.count && status == TFPROF_OK; i++)
        status = add_log(memory, runs, path, dir, logs.data[i], err);
    tfp_log_paths_release(memory, &logs);
    return status;
}

/* What a folder in a directory is. */
typedef enum part {
    PART_NONE,  /* it has nothing to do with runs, as far as can be seen */
    PART_RUNS,  /* it has runs, which were added */
    PART_DOUBT, /* a run, if others are beside it: it is empty, or has a model
                 * or files that nobody knows */
} part;

static int add_subfolder(tfp_memory *memory, tfp_run_paths *runs,
                         const char *path, const char *name, DIR *dir,
                         part *what, tfprof_error *err)
{
    folder f = { 0 };
    tfp_run_paths whole = { 0 };
    size_t before = runs->count;
    int status = add(memory, &whole, path, name, true, err);
    *what = PART_NONE;
    if (status == TFPROF_OK)
        status = add_logs(memory, runs, whole.data[0].path, dirfd(dir), err);
    if (status == TFPROF_OK && runs->count == before)
        status = look(memory, dir, &f, err);
    if (status == TFPROF_OK && f.has_runs)
        status = add(memory, runs, path, name, true, err);
    if (runs->count > before)
        *what = PART_RUNS;
    else if (f.has_models || f.has_odd ||
             (!f.has_files && f.folders.count == 0))
        *what = PART_DOUBT;
    TFP_VEC_RELEASE(memory, &f.folders);
    tfp_run_paths_release(memory, &whole);
    return status;
}

/* The same of a folder that may not be there or not be readable. Then reading
 * it as an input reports why, if it is a run. */
static int try_subfolder(tfp_memory *memory, tfp_run_paths *runs,
                         const char *path, const char *name, int at, part *what,
                         tfprof_error *err)
{
    int fd = openat(at, name, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    int status = TFPROF_OK;
    *what = PART_DOUBT;
    if (dir)
        status = add_subfolder(memory, runs, path, name, dir, what, err);
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    return status;
}

static int compare_runs(const void *a, const void *b)
{
    return strcmp(((const tfp_run_path *)a)->path,
                  ((const tfp_run_path *)b)->path);
}

/* The folders of a directory without runs of its own. If files of a model are
 * beside them, a folder without run records belongs to the model. */
static int add_subfolders(tfp_memory *memory, tfp_run_paths *runs,
                          const char *path, int dir, const folder *f,
                          tfprof_error *err)
{
    size_t before = runs->count;
    tfp_file_names doubtful = { 0 };
    int status = TFPROF_OK;
    for (size_t i = 0; i < f->folders.count && status == TFPROF_OK; i++) {
        const char *name = f->folders.data[i].text;
        part what;
        status = try_subfolder(memory, runs, path, name, dir, &what, err);
        if (what == PART_DOUBT &&
            !TFP_VEC_PUSH(memory, &doubtful, f->folders.data[i]))
            status = tfp_fail_nomem(err);
    }
    if (f->has_models || (f->has_files && runs->count == before))
        doubtful.count = 0;
    for (size_t i = 0; i < doubtful.count && status == TFPROF_OK; i++)
        status = add(memory, runs, path, doubtful.data[i].text, true, err);
    if (doubtful.count > 0 && runs->count > before)
        qsort(runs->data + before, runs->count - before, sizeof(*runs->data),
              compare_runs);
    TFP_VEC_RELEASE(memory, &doubtful);
    return status;
}

static int add_open_folder(tfp_memory *memory, tfp_run_paths *runs,
                           const char *path, DIR *dir, tfprof_error *err)
{
    folder f;
    size_t before = runs->count;
    int status;
    if (tfp_has_run(dirfd(dir), NULL))
        return add_logs(memory, runs, path, dirfd(dir), err);
    status = look(memory, dir, &f, err);
    if (status == TFPROF_OK && !f.has_runs)
        status = add_subfolders(memory, runs, path, dirfd(dir), &f, err);
    if (status == TFPROF_OK && (runs->count == before || f.has_models))
        status = add(memory, runs, path, NULL, f.has_runs || !f.has_files, err);
    TFP_VEC_RELEASE(memory, &f.folders);
    return status;
}

static int add_folder(tfp_memory *memory, tfp_run_paths *runs, const char *path,
                      tfprof_error *err)
{
    DIR *dir = opendir(path);
    int status;
    if (!dir) /* reading it as an input reports why */
        return add(memory, runs, path, NULL, true, err);
    status = add_open_folder(memory, runs, path, dir, err);
    closedir(dir);
    return status;
}

int tfp_list_runs(tfp_memory *memory, const char *path, tfp_run_paths *runs,
                  tfprof_error *err)
{
    struct stat about;
    bool is_stdin = !strcmp(path, "-");
    tfp_file_kind kind = TFP_FILE_SPECIAL;
    if (!is_stdin && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return add_folder(memory, runs, path, err);
    if (!is_stdin && !judge_file(memory, AT_FDCWD, path, &kind))
        return tfp_fail_nomem(err);
    return add(memory, runs, path, NULL,
               kind == TFP_FILE_SPECIAL || has_records(kind), err);
}

void tfp_run_paths_release(tfp_memory *memory, tfp_run_paths *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        tfp_memory_free(memory, runs->data[i].path);
    TFP_VEC_RELEASE(memory, runs);
}
