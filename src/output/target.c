/*
 * target.c - where a file is to go, and what stands there now.
 */
#include "output/target.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"

enum { MOST_LINKS = 40 }; /* as the system has it */

int tfp_target_fail(const char *path, const char *why, tfprof_error *err)
{
    char name[160];
    tfp_escape(tfp_span_of(path), name, sizeof(name));
    return tfp_fail(err, TFPROF_ERR_OUTPUT, -1, "cannot write %s: %s", name,
                    why);
}

int tfp_target_fail_errno(const char *path, int why, tfprof_error *err)
{
    return tfp_target_fail(path, strerror(why), err);
}

size_t tfp_target_folder(const tfp_target *target)
{
    const char *slash = strrchr(target->path, '/');
    return slash ? (size_t)(slash + 1 - target->path) : 0;
}

/* Makes the path the first `kept` bytes of the present one and then `more`. */
static int set_path(tfp_target *target, size_t kept, const char *more,
                    tfp_memory *memory, tfprof_error *err)
{
    size_t tail = strlen(more) + 1;
    char *path = tfp_memory_resize(memory, NULL, 0, kept + tail);
    if (!path)
        return tfp_fail_nomem(err);
    if (kept > 0)
        memcpy(path, target->path, kept);
    memcpy(path + kept, more, tail);
    tfp_target_release(target, memory);
    target->path = path;
    target->size = kept + tail;
    return TFPROF_OK;
}

/* Where symbolic links lead, so that a file is replaced and not the link, and
 * is made where a link points that leads nowhere yet. */
static int follow_links(tfp_target *target, tfp_memory *memory,
                        tfprof_error *err)
{
    char link[PATH_MAX];
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t size = readlink(target->path, link, sizeof(link) - 1);
        int status;
        if (size <= 0)
            return TFPROF_OK; /* no link; or nothing at all */
        link[size] = '\0';
        status = set_path(target,
                          link[0] == '/' ? 0 : tfp_target_folder(target), link,
                          memory, err);
        if (status != TFPROF_OK)
            return status;
    }
    return tfp_target_fail_errno(target->path, ELOOP, err);
}

static int look(tfp_target *target, tfp_memory *memory, tfprof_error *err)
{
    bool existed = target->exists;
    int status = follow_links(target, memory, err);
    if (status != TFPROF_OK)
        return status;
    target->exists = lstat(target->path, &target->about) == 0;
    if (!target->exists && (errno != ENOENT || existed))
        return tfp_target_fail_errno(target->path, errno, err);
    if (target->exists && !S_ISREG(target->about.st_mode))
        return tfp_target_fail_errno(target->path, ESTALE, err);
    return TFPROF_OK;
}

/* The system is asked first, since it may refuse to follow a link (that of
 * another user in /tmp, say) which readlink() would read. It is also the only
 * one to follow links such as /dev/stdout, whose text is no path. */
int tfp_target_find(tfp_target *target, const char *path, tfp_memory *memory,
                    tfprof_error *err)
{
    int status;
    *target = (tfp_target){ 0 };
    target->exists = stat(path, &target->about) == 0;
    if (!target->exists && errno != ENOENT)
        return tfp_target_fail_errno(path, errno, err);
    status = set_path(target, 0, path, memory, err);
    if (status == TFPROF_OK &&
        !(target->exists && !S_ISREG(target->about.st_mode)))
        status = look(target, memory, err);
    if (status != TFPROF_OK)
        tfp_target_release(target, memory);
    return status;
}

void tfp_target_release(tfp_target *target, tfp_memory *memory)
{
    if (target->path)
        tfp_memory_free(memory, target->path, target->size);
    target->path = NULL;
}
