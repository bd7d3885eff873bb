/*
 * leftover.c - the names of unfinished files, and those left behind.
 *
 * A writer locks its file right after making it, and lets go when the file has
 * its final name. A file without a lock is therefore a dead writer's, or so new
 * that its writer is about to lock it; that one finds out (lock_new() in
 * file.c) and makes another. On a file system that knows no locks nothing is
 * taken away, for nobody can tell.
 */
#include "output/sink/leftover.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"

static const char prefix[] = ".tfprof-";
enum { PREFIX = sizeof(prefix) - 1 };

void tfp_leftover_name(char name[TFP_LEFTOVER_SIZE])
{
    snprintf(name, TFP_LEFTOVER_SIZE, "%s%016llx", prefix,
             (unsigned long long)tfp_random_seed());
}

static bool is_ours(const char *name)
{
    return !strncmp(name, prefix, PREFIX) &&
           strlen(name) == TFP_LEFTOVER_SIZE - 1 &&
           strspn(name + PREFIX, "0123456789abcdef") ==
               TFP_LEFTOVER_SIZE - 1 - PREFIX;
}

/* Opened for writing, which a lock over a network needs; without waiting and
 * without following, whatever may stand there. */
static void remove_dead(int folder, const char *name, uid_t owner)
{
    struct stat about;
    int fd = openat(folder, name,
                    O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
        (about.st_uid == geteuid() || about.st_uid == owner) &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(fd);
}

void tfp_leftover_remove(int folder, uid_t owner)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    const struct dirent *entry;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (is_ours(entry->d_name))
            remove_dead(dirfd(dir), entry->d_name, owner);
    }
    closedir(dir);
}
