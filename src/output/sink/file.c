/*
 * file.c - an answer in a file: whole or not at all.
 */
#include "output/sink/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/escape.h"

/* Milliseconds of a wait for the reader of a pipe until it asks whether the
 * output is still wanted. */
enum { MOST_WAIT = 20 };

/* ---- Names -------------------------------------------------------------- */

static const char packed_ending[] = ".gz";
static const char json_ending[] = ".json";

/* Do the first `size` bytes of a path end so? A file called just ".gz" has no
 * ending, it is only hidden. */
static bool has_ending(const char *path, size_t size, const char *ending)
{
    const char *slash = strrchr(path, '/');
    size_t start = slash ? (size_t)(slash + 1 - path) : 0;
    tfp_span name = { (const uint8_t *)path + start, size - start };
    return name.size > strlen(ending) && tfp_span_ends(name, ending);
}

bool tfp_file_is_packed_name(const char *path)
{
    return has_ending(path, strlen(path), packed_ending);
}

/* The bytes that the number of a step follows. */
static size_t stem_size(const char *path)
{
    size_t size = strlen(path);
    if (tfp_file_is_packed_name(path))
        size -= strlen(packed_ending);
    return has_ending(path, size, json_ending) ? size - strlen(json_ending)
                                               : size;
}

size_t tfp_file_step_name(const char *path, int64_t step, char *buffer,
                          size_t size)
{
    size_t stem = stem_size(path);
    /* The stem is copied by hand: it may be longer than printf counts. */
    if (stem < size) {
        memcpy(buffer, path, stem);
        snprintf(buffer + stem, size - stem, "_%lld%s", (long long)step,
                 path + stem);
    } else if (size > 0) {
        memcpy(buffer, path, size - 1);
        buffer[size - 1] = '\0';
    }
    return strlen(path) + (size_t)snprintf(NULL, 0, "_%lld", (long long)step);
}

/* ---- The inputs --------------------------------------------------------- */

/* The path of an input, ended by NUL, with the file's name when the path is
 * its directory. NULL when out of memory. */
static char *input_path(const tfp_model *model, const tfp_input *input,
                        size_t *size)
{
    tfp_span path = tfp_model_text(model, input->path);
    tfp_span member = tfp_model_text(model, input->member);
    char *text;
    *size = path.size + member.size + 2;
    text = tfp_memory_alloc(model->memory, *size);
    if (text)
        snprintf(text, *size, "%.*s%s%.*s", (int)path.size,
                 (const char *)path.data, member.size ? "/" : "",
                 (int)member.size, (const char *)member.data);
    return text;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* What a path leads to; "-" may be a file, through the shell's "<". */
static bool leads_to(const char *path, const struct stat *target)
{
    struct stat source;
    int found = strcmp(path, "-") ? stat(path, &source)
                                  : fstat(STDIN_FILENO, &source);
    return found == 0 && is_same(&source, target);
}

/* Is the target what was read, or what stands now where it was read? */
static int comes_from(const tfp_model *model, const tfp_input *input,
                      const struct stat *target, bool *same, tfprof_error *err)
{
    char *path;
    size_t size;
    *same = input->is_file && input->device == target->st_dev &&
            input->inode == target->st_ino;
    if (*same || !input->is_file)
        return TFPROF_OK;
    path = input_path(model, input, &size);
    if (!path)
        return tfp_fail_nomem(err);
    *same = leads_to(path, target);
    tfp_memory_free(model->memory, path);
    return TFPROF_OK;
}

/* The files that a checkpoint was given for, of which it may read values. */
static bool is_of_checkpoint(const tfp_model *model, const tfp_checkpoint *c,
                             const struct stat *target)
{
    enum { MOST_SHARDS = 1 << 16 }; /* a file may claim any number */
    tfp_span prefix = tfp_model_text(model, c->prefix);
    char path[PATH_MAX + 64];
    bool same;
    if (prefix.size == 0 || prefix.size > PATH_MAX)
        return false;
    snprintf(path, sizeof(path), "%.*s.index", (int)prefix.size, prefix.data);
    same = leads_to(path, target);
    for (uint32_t i = 0; !same && i < c->shards && i < MOST_SHARDS; i++) {
        snprintf(path, sizeof(path), "%.*s.data-%05u-of-%05u", (int)prefix.size,
                 prefix.data, i, c->shards);
        same = leads_to(path, target);
    }
    return same;
}

static bool is_one_of(const tfp_words *paths, const struct stat *target)
{
    const char *path = paths->data;
    for (size_t i = 0; i < paths->count; i++, path += strlen(path) + 1) {
        if (leads_to(path, target))
            return true;
    }
    return false;
}

int tfp_file_check_others(const char *path, const tfp_words *others,
                          const char *what, tfprof_error *err)
{
    struct stat target;
    if (stat(path, &target) != 0 || !S_ISREG(target.st_mode) ||
        !is_one_of(others, &target))
        return TFPROF_OK;
    return tfp_fail(err, TFPROF_ERR_OPTION, -1, "--output: '%s' is %s",
                    tfp_shorten(tfp_span_of(path), 120).text, what);
}

int tfp_file_check_target(const char *path, const tfp_model *model,
                          const tfp_words *formula_files, tfprof_error *err)
{
    struct stat target;
    bool exists = stat(path, &target) == 0, same;
    if (!exists && errno != ENOENT)
        return tfp_target_fail_errno(path, errno, err);
    if (!exists || !S_ISREG(target.st_mode))
        return TFPROF_OK;
    for (size_t i = 0; i < model->inputs.count; i++) {
        int status = comes_from(model, &model->inputs.data[i], &target, &same,
                                err);
        if (status != TFPROF_OK)
            return status;
        if (same)
            return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                            "--output: '%s' is one of the inputs",
                            tfp_shorten(tfp_span_of(path), 120).text);
    }
    for (size_t i = 0; i < model->stored.checkpoints.count; i++) {
        if (is_of_checkpoint(model, &model->stored.checkpoints.data[i],
                             &target))
            return tfp_fail(
                err, TFPROF_ERR_OPTION, -1,
                "--output: '%s' belongs to a checkpoint among the inputs",
                tfp_shorten(tfp_span_of(path), 120).text);
    }
    return tfp_file_check_others(path, formula_files,
                                 "one of the formula files", err);
}

/* ---- Writing through ---------------------------------------------------- */

/* If the target is already open as a standard stream, writes to that stream.
 * "/dev/stdout" may be a file, whose other contents must stay, or a socket,
 * which cannot be opened by name. */
static bool open_standard(tfp_file *file)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat open_file;
        int flags = fcntl(fd, F_GETFL);
        if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY ||
            fstat(fd, &open_file) != 0 ||
            !is_same(&open_file, &file->target.about))
            continue;
        file->fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        return file->fd >= 0;
    }
    return false;
}

/* Is `fd` still the target that was examined? The path may lead elsewhere by
 * now. */
static bool is_open(const tfp_target *target, int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && is_same(&about, &target->about);
}

/* Asks, in a wait that may have no end. The answer may be given only once. */
static bool is_cancelled(tfp_file *file)
{
    file->cancelled = file->cancelled || tfp_cancelled(file->cancel);
    return file->cancelled;
}

/* Opens a FIFO once somebody reads it. A call that blocks would miss a request
 * to stop that comes just before it or in another thread. */
static int await_reader(tfp_file *file, tfprof_error *err)
{
    const tfp_target *target = &file->target;
    struct stat about;
    while (!is_cancelled(file)) {
        file->fd = open(target->path,
                        O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (file->fd >= 0)
            return TFPROF_OK;
        if (errno == EINTR)
            continue;
        if (errno != ENXIO)
            return tfp_target_fail_errno(target->path, errno, err);
        /* A socket, which gives the same error, may be there by now. */
        if (stat(target->path, &about) != 0 || !is_same(&about, &target->about))
            return tfp_target_fail_errno(target->path, ESTALE, err);
        poll(NULL, 0, MOST_WAIT);
    }
    return tfp_fail_cancelled(err);
}

static int open_through(tfp_file *file, tfprof_error *err)
{
    const char *path = file->target.path;
    int status = TFPROF_OK;
    if (S_ISFIFO(file->target.about.st_mode)) {
        status = await_reader(file, err);
    } else {
        do {
            file->fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
        } while (file->fd < 0 && errno == EINTR && !is_cancelled(file));
        if (file->fd < 0)
            status = file->cancelled ? tfp_fail_cancelled(err)
                                     : tfp_target_fail_errno(path, errno, err);
    }
    if (status != TFPROF_OK)
        return status;
    return is_open(&file->target, file->fd)
               ? TFPROF_OK
               : tfp_target_fail_errno(path, ESTALE, err);
}

/* ---- The new file ------------------------------------------------------- */

/* Fails unless the existing file can be opened for writing. rename() could
 * replace it anyway, but a write-protected file or a running program must not
 * be replaced. Another writer may have replaced the file since it was examined;
 * target->about then describes the new one. */
static int check_writable(tfp_target *target, tfprof_error *err)
{
    int fd = openat(target->folder, tfp_target_name(target),
                    O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool is_file;
    if (fd < 0)
        return tfp_target_fail_errno(target->path, errno, err);
    is_file = fstat(fd, &target->about) == 0 && S_ISREG(target->about.st_mode);
    close(fd);
    return is_file ? TFPROF_OK
                   : tfp_target_fail_errno(target->path, ESTALE, err);
}

/* Locks the new file. False if it is gone: before it was locked, another writer
 * may have mistaken it for a leftover and removed it. */
static bool lock_new(const tfp_file *file)
{
    struct stat made, there;
    if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(file->fd, &made) == 0 &&
           fstatat(file->target.folder, file->temporary, &there,
                   AT_SYMLINK_NOFOLLOW) == 0 &&
           is_same(&made, &there);
}

static void close_fds(tfp_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    if (file->lock >= 0)
        close(file->lock);
    file->fd = file->lock = -1;
}

/* O_EXCL refuses a name that is there, be it a link. */
static bool make_new(tfp_file *file, mode_t mode)
{
    int folder = file->target.folder;
    for (int tries = 0; tries < 100; tries++) {
        tfp_leftover_name(file->temporary);
        file->fd = openat(folder, file->temporary,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          mode);
        if (file->fd < 0 && errno != EEXIST && errno != EINTR)
            return false;
        if (file->fd < 0)
            continue;
        if (lock_new(file))
            return true;
        unlinkat(folder, file->temporary, 0);
        close_fds(file);
        errno = EBUSY;
    }
    return false;
}

/* Whom the new file belongs to, and who may read it once it is finished: as
 * the old one, or as the system says for a new one. Until then it is ours. */
static int set_rights(tfp_file *file, tfprof_error *err)
{
    const tfp_target *target = &file->target;
    const struct stat *old = &target->about;
    struct stat made;
    if (fstat(file->fd, &made) != 0)
        return tfp_target_fail_errno(target->path, errno, err);
    file->mode = (target->exists ? old->st_mode : made.st_mode) & 0777;
    if (!target->exists && fchmod(file->fd, 0600) != 0)
        return tfp_target_fail_errno(target->path, errno, err);
    if (target->exists &&
        (made.st_uid != old->st_uid || made.st_gid != old->st_gid) &&
        fchown(file->fd, old->st_uid, old->st_gid) != 0) {
        char why[128];
        snprintf(why, sizeof(why), "cannot preserve its owner and group: %s",
                 strerror(errno));
        return tfp_target_fail(target->path, why, err);
    }
    return TFPROF_OK;
}

static int open_new(tfp_file *file, tfprof_error *err)
{
    tfp_target *target = &file->target;
    if (target->exists) {
        int status = check_writable(target, err);
        if (status != TFPROF_OK)
            return status;
    }
    tfp_leftover_remove(target->folder,
                        target->exists ? target->about.st_uid : geteuid());
    if (!make_new(file, target->exists ? 0600 : 0666))
        return tfp_target_fail_errno(target->path, errno, err);
    /* Closing tells of errors, and comes before the final name; the lock must
     * outlast it. */
    file->lock = fcntl(file->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (file->lock < 0)
        return tfp_target_fail_errno(target->path, errno, err);
    return set_rights(file, err);
}

/* ---- Life --------------------------------------------------------------- */

static int open_target(tfp_file *file, tfprof_error *err)
{
    const tfp_target *target = &file->target;
    if (target->exists && open_standard(file))
        return TFPROF_OK;
    if (!target->exists || S_ISREG(target->about.st_mode))
        return open_new(file, err);
    switch (target->about.st_mode & S_IFMT) {
    case S_IFIFO:
    case S_IFCHR: return open_through(file, err);
    case S_IFDIR: return tfp_target_fail_errno(target->path, EISDIR, err);
    case S_IFBLK:
        return tfp_target_fail(target->path, "it is a block device", err);
    default: return tfp_target_fail(target->path, "it is not a file", err);
    }
}

static void release(tfp_file *file)
{
    close_fds(file);
    tfp_target_release(&file->target, file->memory);
}

/* Takes away what was begun; nothing has been made before there is an fd. */
static void discard(tfp_file *file)
{
    if (file->temporary[0] != '\0' && (file->fd >= 0 || file->lock >= 0))
        unlinkat(file->target.folder, file->temporary, 0);
    release(file);
}

int tfp_file_open(tfp_file *file, const char *path, tfp_memory *memory,
                  const tfp_cancel *cancel, tfprof_error *err)
{
    int status;
    *file = (tfp_file){
        .memory = memory, .cancel = cancel, .fd = -1, .lock = -1
    };
    status = tfp_target_find(&file->target, path, memory, err);
    if (status != TFPROF_OK)
        return status;
    status = open_target(file, err);
    if (status != TFPROF_OK)
        discard(file);
    return status;
}

/* Whether a write that failed is worth trying again: after a signal, and when a
 * FIFO, or a pipe that another program has made non-blocking, has room. */
static bool try_again(tfp_file *file)
{
    struct pollfd ready = { .fd = file->fd, .events = POLLOUT };
    int why = errno;
    bool is_full = why == EAGAIN || why == EWOULDBLOCK;
    if ((!is_full && why != EINTR) || is_cancelled(file)) {
        errno = why;
        return false;
    }
    return !is_full || poll(&ready, 1, MOST_WAIT) >= 0 || errno == EINTR;
}

int tfp_file_write(void *context, const void *data, size_t size)
{
    tfp_file *file = context;
    const char *at = data;
    while (size > 0) {
        ssize_t n = write(file->fd, at, size);
        if (n < 0 && try_again(file))
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

/* Closed is closed, also when a signal came in between. */
static int close_written(tfp_file *file)
{
    int status = close(file->fd);
    file->fd = -1;
    return status != 0 && errno != EINTR ? errno : 0;
}

/* All of it on the disk, then its final name. 0, or why not. */
static int put_in_place(tfp_file *file)
{
    int folder = file->target.folder, why;
    if (fchmod(file->fd, file->mode) != 0)
        return errno;
    while (fsync(file->fd) != 0) {
        if (errno == EINVAL) /* a file system that has nothing to wait for */
            break;
        if (errno != EINTR)
            return errno;
    }
    why = close_written(file);
    if (why == 0 && renameat(folder, file->temporary, folder,
                             tfp_target_name(&file->target)) != 0)
        why = errno;
    return why;
}

int tfp_file_close(tfp_file *file, int status, tfprof_error *err)
{
    int why;
    if (status == TFPROF_ERR_OUTPUT && file->cancelled)
        status = tfp_fail_cancelled(err);
    else if (status == TFPROF_ERR_OUTPUT && file->failure != 0)
        status = tfp_target_fail_errno(file->target.path, file->failure, err);
    if (status != TFPROF_OK) {
        discard(file);
        return status;
    }
    why = file->temporary[0] != '\0' ? put_in_place(file) : close_written(file);
    if (why == 0) {
        release(file);
        return TFPROF_OK;
    }
    status = tfp_target_fail_errno(file->target.path, why, err);
    discard(file);
    return status;
}
