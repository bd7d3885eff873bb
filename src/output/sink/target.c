/*
 * target.c - where a file is to go, and what stands there now.
 *
 * Somebody else may change a shared folder at any moment. So a link is opened
 * as itself, and its owner and its text are those of the descriptor; the
 * folder of the result stays open, and all later calls name a file in it.
 */
#define _GNU_SOURCE /* O_PATH */
#include "output/sink/target.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"

enum { MOST_LINKS = 40 }; /* as the system has it */

int tfp_target_fail(const char *path, const char *why, tfprof_error *err)
{
    char name[160];
    tfp_escape_short(tfp_span_of(path), name, sizeof(name));
    return tfp_fail(err, TFPROF_ERR_OUTPUT, -1, "%s: cannot write: %s", name,
                    why);
}

int tfp_target_fail_errno(const char *path, int why, tfprof_error *err)
{
    tfp_target_fail(path, strerror(why), err);
    if (err)
        err->errnum = why;
    return TFPROF_ERR_OUTPUT;
}

/* Bytes of the path up to and with its last slash; 0 when it has none. */
static size_t folder_size(const tfp_target *target)
{
    const char *slash = strrchr(target->path, '/');
    return slash ? (size_t)(slash + 1 - target->path) : 0;
}

const char *tfp_target_name(const tfp_target *target)
{
    return target->path + folder_size(target);
}

/* Makes the path the first `kept` bytes of the present one and then `more`. */
static int set_path(tfp_target *target, size_t kept, const char *more,
                    tfp_memory *memory, tfprof_error *err)
{
    size_t tail = strlen(more) + 1;
    char *path = tfp_memory_alloc(memory, kept + tail);
    if (!path)
        return tfp_fail_nomem(err);
    if (kept > 0)
        memcpy(path, target->path, kept);
    memcpy(path + kept, more, tail);
    tfp_memory_free(memory, target->path);
    target->path = path;
    target->size = kept + tail;
    return TFPROF_OK;
}

/* ---- Links -------------------------------------------------------------- */

/* Opens the folder of `text`: of the path at first, then of the text of a
 * link, which starts in the folder of that link. The system resolves links in
 * the middle by its own rules; the last name is left to the caller. */
static int open_folder(tfp_target *target, const char *text, tfprof_error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(text, '/');
    size_t size = slash ? (size_t)(slash + 1 - text) : 0;
    int fd;
    if (size == 0 && target->folder >= 0)
        return TFPROF_OK;
    if (size >= sizeof(folder))
        return tfp_target_fail_errno(target->path, ENAMETOOLONG, err);
    memcpy(folder, text, size);
    folder[size] = '\0';
    fd = openat(target->folder >= 0 ? target->folder : AT_FDCWD,
                size > 0 ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return tfp_target_fail_errno(target->path, errno, err);
    if (target->folder >= 0)
        close(target->folder);
    target->folder = fd;
    return TFPROF_OK;
}

/* In a folder like /tmp, where anyone may put a link but only its owner may
 * take it away, only links of this user and of the folder's owner are
 * followed. Linux has the same rule (fs.protected_symlinks), but it can be
 * off, and readlinkat() is not bound by it. */
static bool may_follow(const struct stat *link, int folder)
{
    struct stat around;
    if (fstat(folder, &around) != 0)
        return false;
    return (around.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
           link->st_uid == geteuid() || link->st_uid == around.st_uid;
}

/* The text of a link that is open, 0 bytes when it is not one. */
static int read_link(const tfp_target *target, int fd, char text[PATH_MAX],
                     tfprof_error *err)
{
    ssize_t size;
    text[0] = '\0';
    if (!S_ISLNK(target->about.st_mode))
        return TFPROF_OK;
    if (!may_follow(&target->about, target->folder))
        return tfp_target_fail_errno(target->path, EACCES, err);
    size = readlinkat(fd, "", text, PATH_MAX - 1);
    if (size <= 0)
        return tfp_target_fail_errno(target->path, size < 0 ? errno : ENOENT,
                                     err);
    text[size] = '\0';
    return TFPROF_OK;
}

/* What stands at the path, and the text of the link if it is one. */
static int look(tfp_target *target, char text[PATH_MAX], tfprof_error *err)
{
    int fd = openat(target->folder, tfp_target_name(target),
                    O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int status;
    text[0] = '\0';
    target->exists = fd >= 0;
    if (fd < 0)
        return errno == ENOENT
                   ? TFPROF_OK
                   : tfp_target_fail_errno(target->path, errno, err);
    status = fstat(fd, &target->about) == 0
                 ? read_link(target, fd, text, err)
                 : tfp_target_fail_errno(target->path, errno, err);
    close(fd);
    return status;
}

/* Goes where links lead, so that a file is replaced and not the link, and is
 * made where a link points that leads nowhere yet. */
static int follow_links(tfp_target *target, tfp_memory *memory,
                        tfprof_error *err)
{
    char text[PATH_MAX];
    int status = open_folder(target, target->path, err);
    for (int i = 0; status == TFPROF_OK && i < MOST_LINKS; i++) {
        status = look(target, text, err);
        if (status != TFPROF_OK || text[0] == '\0')
            return status;
        status = set_path(target, text[0] == '/' ? 0 : folder_size(target),
                          text, memory, err);
        if (status == TFPROF_OK)
            status = open_folder(target, text, err);
    }
    return status == TFPROF_OK ? tfp_target_fail_errno(target->path, ELOOP, err)
                               : status;
}

static int find_file(tfp_target *target, tfp_memory *memory, tfprof_error *err)
{
    bool existed = target->exists;
    int status = follow_links(target, memory, err);
    if (status != TFPROF_OK)
        return status;
    if (!target->exists && existed)
        return tfp_target_fail_errno(target->path, ENOENT, err);
    if (target->exists && !S_ISREG(target->about.st_mode))
        return tfp_target_fail_errno(target->path, ESTALE, err);
    return TFPROF_OK;
}

/* ---- Life --------------------------------------------------------------- */

/* The system is asked first, since it may refuse to follow a link for reasons
 * of its own. It is also the only one to follow links such as /dev/stdout,
 * whose text is no path. */
int tfp_target_find(tfp_target *target, const char *path, tfp_memory *memory,
                    tfprof_error *err)
{
    int status;
    *target = (tfp_target){ .folder = -1 };
    target->exists = stat(path, &target->about) == 0;
    if (!target->exists && errno != ENOENT)
        return tfp_target_fail_errno(path, errno, err);
    status = set_path(target, 0, path, memory, err);
    if (status == TFPROF_OK &&
        !(target->exists && !S_ISREG(target->about.st_mode)))
        status = find_file(target, memory, err);
    if (status != TFPROF_OK)
        tfp_target_release(target, memory);
    return status;
}

void tfp_target_release(tfp_target *target, tfp_memory *memory)
{
    tfp_memory_free(memory, target->path);
    if (target->folder >= 0)
        close(target->folder);
    target->path = NULL;
    target->folder = -1;
}
