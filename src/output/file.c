/*
 * file.c - an answer in a file: whole or not at all.
 */
#include "output/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/escape.h"

enum { SUFFIX_SIZE = sizeof(".tfprof-0123456789abcdef") };

static int fail_path(tfprof_error *err, const char *path, int why)
{
    char name[160];
    tfp_escape(tfp_span_of(path), name, sizeof(name));
    return tfp_fail(err, TFPROF_ERR_OUTPUT, -1, "cannot write %s: %s", name,
                    strerror(why));
}

/* ---- The target --------------------------------------------------------- */

/* The path of an input, ended by NUL, with the file's name when the path is
 * its directory. NULL when out of memory. */
static char *input_path(const tfp_model *model, const tfp_input *input,
                        size_t *size)
{
    tfp_span path = tfp_model_text(model, input->path);
    tfp_span member = tfp_model_text(model, input->member);
    char *text;
    *size = path.size + member.size + 2;
    text = tfp_memory_resize(model->memory, NULL, 0, *size);
    if (text)
        snprintf(text, *size, "%.*s%s%.*s", (int)path.size,
                 (const char *)path.data, member.size ? "/" : "",
                 (int)member.size, (const char *)member.data);
    return text;
}

/* Does an input come from that file? "-" may, through the shell's "<". */
static bool comes_from(const char *input, const struct stat *target)
{
    struct stat source;
    int found = strcmp(input, "-") ? stat(input, &source)
                                   : fstat(STDIN_FILENO, &source);
    return found == 0 && source.st_dev == target->st_dev &&
           source.st_ino == target->st_ino;
}

int tfp_file_check_target(const char *path, const tfp_model *model,
                          tfprof_error *err)
{
    struct stat target;
    if (stat(path, &target) != 0 || !S_ISREG(target.st_mode))
        return TFPROF_OK;
    for (size_t i = 0; i < model->inputs.count; i++) {
        size_t size;
        char *input = input_path(model, &model->inputs.data[i], &size);
        bool same;
        if (!input)
            return tfp_fail_nomem(err);
        same = comes_from(input, &target);
        tfp_memory_free(model->memory, input, size);
        if (same)
            return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                            "--output: '%.120s' is one of the inputs", path);
    }
    return TFPROF_OK;
}

static char *copy_path(tfp_memory *memory, const char *path, size_t extra)
{
    size_t size = strlen(path) + 1;
    char *copy = tfp_memory_resize(memory, NULL, 0, size + extra);
    if (copy)
        memcpy(copy, path, size);
    return copy;
}

/* Where a symbolic link leads, so that the file is replaced, not the link. */
static int resolve_target(tfp_file *file, const char *path, tfprof_error *err)
{
    char real[PATH_MAX];
    const char *found = realpath(path, real);
    file->target = copy_path(file->memory, found ? found : path, 0);
    return file->target ? TFPROF_OK : tfp_fail_nomem(err);
}

/* ---- The new file ------------------------------------------------------- */

/* A name that nobody can have prepared, in the folder of the target: O_EXCL
 * refuses one that is there. */
static int open_temporary(tfp_file *file, mode_t mode, tfprof_error *err)
{
    const char *slash = strrchr(file->target, '/');
    size_t folder = slash ? (size_t)(slash + 1 - file->target) : 0;
    file->temporary = copy_path(file->memory, file->target, SUFFIX_SIZE);
    if (!file->temporary)
        return tfp_fail_nomem(err);
    for (int tries = 0; tries < 100; tries++) {
        snprintf(file->temporary + folder, SUFFIX_SIZE, ".tfprof-%016llx",
                 (unsigned long long)tfp_random_seed());
        file->fd = open(file->temporary,
                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        mode);
        if (file->fd >= 0 || errno != EEXIST)
            break;
    }
    return file->fd >= 0 ? TFPROF_OK : fail_path(err, file->target, errno);
}

/* What is written through: pipes, devices, links that lead nowhere yet. */
static int open_through(tfp_file *file, tfprof_error *err)
{
    file->fd = open(file->target, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    return file->fd >= 0 ? TFPROF_OK : fail_path(err, file->target, errno);
}

/* "/dev/stdout" sent to a file is that file, and what stands in it already,
 * or is still to come, must stay. */
static bool open_standard(tfp_file *file, const struct stat *target)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat open_file;
        if (fstat(fd, &open_file) == 0 && open_file.st_dev == target->st_dev &&
            open_file.st_ino == target->st_ino) {
            file->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
            return file->fd >= 0;
        }
    }
    return false;
}

static int open_target(tfp_file *file, tfprof_error *err)
{
    struct stat target;
    int status;
    if (lstat(file->target, &target) != 0)
        return open_temporary(file, 0666, err);
    if (!S_ISREG(target.st_mode))
        return open_through(file, err);
    if (open_standard(file, &target))
        return TFPROF_OK;
    status = open_temporary(file, 0600, err);
    if (status == TFPROF_OK && fchmod(file->fd, target.st_mode & 07777))
        return fail_path(err, file->target, errno);
    return status;
}

static void release(tfp_file *file)
{
    if (file->temporary)
        tfp_memory_free(file->memory, file->temporary,
                        strlen(file->target) + 1 + SUFFIX_SIZE);
    if (file->target)
        tfp_memory_free(file->memory, file->target, strlen(file->target) + 1);
}

static void discard(tfp_file *file)
{
    if (file->fd >= 0) {
        close(file->fd);
        if (file->temporary)
            unlink(file->temporary);
    }
    release(file);
}

int tfp_file_open(tfp_file *file, const char *path, tfp_memory *memory,
                  tfprof_error *err)
{
    int status;
    *file = (tfp_file){ .memory = memory, .fd = -1 };
    status = resolve_target(file, path, err);
    if (status == TFPROF_OK)
        status = open_target(file, err);
    if (status != TFPROF_OK)
        discard(file);
    return status;
}

int tfp_file_write(void *context, const void *data, size_t size)
{
    tfp_file *file = context;
    const char *at = data;
    while (size > 0) {
        ssize_t n = write(file->fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            file->failure = n < 0 ? errno : EIO;
            return -1;
        }
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

int tfp_file_close(tfp_file *file, int status, tfprof_error *err)
{
    int why = 0;
    if (status == TFPROF_ERR_OUTPUT && file->failure != 0)
        status = fail_path(err, file->target, file->failure);
    if (status != TFPROF_OK) {
        discard(file);
        return status;
    }
    if (file->temporary && fsync(file->fd) != 0)
        why = errno;
    if (close(file->fd) != 0 && why == 0)
        why = errno;
    if (why == 0 && file->temporary &&
        rename(file->temporary, file->target) != 0)
        why = errno;
    if (why != 0) {
        status = fail_path(err, file->target, why);
        if (file->temporary)
            unlink(file->temporary);
    }
    release(file);
    return status;
}
