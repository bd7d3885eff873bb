/*
 * log_search.c - the log directories below a directory.
 *
 * A list of folders to look at takes the place of a recursion. Folders come
 * before links to folders, so that what can be reached in both ways has the
 * path without a link.
 */
#include "input/path/log_search.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "input/path/paths.h"

/* A search must end soon, whatever is below. */
enum {
    MOST_FOLDERS = 100000,
    MOST_ENTRIES = 2000000,
    MOST_LEVELS = 64,
    LONGEST = 4096
};

typedef struct search {
    tfp_memory *memory;
    int root;
    tfp_log_paths folders, links; /* to look at */
    tfp_interner seen;            /* {device, inode} of folders */
    int64_t entries;
    tfp_log_paths *found;
} search;

void tfp_log_paths_release(tfp_memory *memory, tfp_log_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        tfp_memory_free(memory, paths->data[i]);
    TFP_VEC_RELEASE(memory, paths);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_paths(tfp_log_paths *paths)
{
    if (paths->count > 0)
        qsort(paths->data, paths->count, sizeof(*paths->data), compare_paths);
}

static bool push_path(tfp_memory *memory, tfp_log_paths *paths,
                      const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = tfp_memory_alloc(memory, size);
    if (!path)
        return false;
    snprintf(path, size, "%s%s%s", folder, *folder && *name ? "/" : "", name);
    if (TFP_VEC_PUSH(memory, paths, path))
        return true;
    tfp_memory_free(memory, path);
    return false;
}

bool tfp_push_log(tfp_memory *memory, tfp_log_paths *paths, const char *path)
{
    return push_path(memory, paths, "", path);
}

/* Is it the first time that this folder is seen? */
static bool is_new(search *s, int fd, bool *is_first)
{
    struct stat about;
    uint64_t key[2];
    size_t known = s->seen.items.count;
    *is_first = false;
    if (fstat(fd, &about) != 0)
        return true;
    key[0] = (uint64_t)about.st_dev;
    key[1] = (uint64_t)about.st_ino;
    if (tfp_intern(&s->seen, (tfp_span){ (const uint8_t *)key, sizeof(key) }) ==
        TFP_NO_ID)
        return false;
    *is_first = s->seen.items.count > known;
    return true;
}

/* Adds the folder if it has traces that no other one has. */
static bool note_runs(search *s, int dir, const char *path)
{
    int runs = tfp_open_runs(dir);
    bool ok, is_first;
    if (runs < 0)
        return true;
    ok = is_new(s, runs, &is_first) &&
         (!is_first || tfp_push_log(s->memory, s->found, path));
    close(runs);
    return ok;
}

static size_t count_levels(const char *path)
{
    size_t levels = 1;
    for (; *path; path++)
        levels += *path == '/';
    return levels;
}

/* Is it the folder of runs, which has been looked at? */
static bool is_runs(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return !strcmp(slash ? slash + 1 : path, "plugins") &&
           !strcmp(name, "profile");
}

static bool note_entry(search *s, DIR *dir, const char *path,
                       const struct dirent *entry)
{
    struct stat about;
    bool is_link;
    if (entry->d_name[0] == '.' || is_runs(path, entry->d_name) ||
        strlen(path) + strlen(entry->d_name) + 2 > LONGEST ||
        fstatat(dirfd(dir), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    is_link = S_ISLNK(about.st_mode);
    if (is_link && fstatat(dirfd(dir), entry->d_name, &about, 0) != 0)
        return true;
    return !S_ISDIR(about.st_mode) ||
           push_path(s->memory, is_link ? &s->links : &s->folders, path,
                     entry->d_name);
}

static int fail_too_many(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                    "too many folders to search for traces (give the log "
                    "directory)");
}

static int look_into(search *s, DIR *dir, const char *path, tfprof_error *err)
{
    const struct dirent *entry;
    bool is_first;
    if (!is_new(s, dirfd(dir), &is_first))
        return tfp_fail_nomem(err);
    if (!is_first)
        return TFPROF_OK;
    if (!note_runs(s, dirfd(dir), path))
        return tfp_fail_nomem(err);
    if (*path && count_levels(path) >= MOST_LEVELS)
        return TFPROF_OK;
    while ((entry = readdir(dir)) != NULL) {
        if (++s->entries > MOST_ENTRIES)
            return fail_too_many(err);
        if (!note_entry(s, dir, path, entry))
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

static int look_at(search *s, const char *path, tfprof_error *err)
{
    int fd = openat(s->root, *path ? path : ".",
                    O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NONBLOCK);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    int status;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return TFPROF_OK; /* it may belong to somebody else */
    }
    status = look_into(s, dir, path, err);
    closedir(dir);
    return status;
}

/* The links that were found become folders to look at. */
static bool follow_links(search *s)
{
    sort_paths(&s->links);
    if (!TFP_VEC_RESERVE(s->memory, &s->folders, s->links.count))
        return false;
    for (size_t i = 0; i < s->links.count; i++)
        s->folders.data[s->folders.count++] = s->links.data[i];
    s->links.count = 0;
    return true;
}

static int search_all(search *s, tfprof_error *err)
{
    int status = TFPROF_OK;
    if (!tfp_push_log(s->memory, &s->folders, ""))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < s->folders.count && status == TFPROF_OK; i++) {
        if (i >= MOST_FOLDERS)
            return fail_too_many(err);
        status = look_at(s, s->folders.data[i], err);
        if (status == TFPROF_OK && i + 1 == s->folders.count &&
            !follow_links(s))
            status = tfp_fail_nomem(err);
    }
    return status;
}

int tfp_find_logs(tfp_memory *memory, int dir, tfp_log_paths *found,
                  tfprof_error *err)
{
    search s = { .memory = memory, .root = dir, .found = found };
    int status = tfp_interner_init(&s.seen, memory, 8, tfp_random_seed())
                     ? search_all(&s, err)
                     : tfp_fail_nomem(err);
    tfp_log_paths_release(memory, &s.folders);
    tfp_log_paths_release(memory, &s.links);
    tfp_interner_release(&s.seen);
    sort_paths(found);
    return status;
}
