/*
 * whole_file.c - a small file, read in one piece.
 */
#include "input/path/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens without blocking: a pipe would wait for its writer, and opening a
 * device may have any effect. Reads block again afterwards. */
static int open_quietly(const char *path, int *fd, tfprof_error *err)
{
    struct stat about;
    int flags;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (*fd < 0 || fstat(*fd, &about) != 0)
        return tfp_fail_errno(err, errno, "cannot open");
    if (S_ISDIR(about.st_mode))
        return tfp_fail(err, TFPROF_ERR_IO, -1, "is a directory");
    if (!S_ISREG(about.st_mode) && !S_ISFIFO(about.st_mode))
        return tfp_fail(err, TFPROF_ERR_IO, -1, "is neither a file nor a pipe");
    flags = fcntl(*fd, F_GETFL);
    if (flags < 0 || fcntl(*fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
        return tfp_fail_errno(err, errno, "cannot open");
    return TFPROF_OK;
}

static int fail_reading(const tfp_reader *reader, tfprof_error *err)
{
    if (err)
        *err = reader->why;
    return reader->status;
}

static int read_fd(tfp_whole_file *file, tfp_memory *memory, const int *fd,
                   size_t most, tfprof_error *err)
{
    tfp_reader *reader = &file->packed;
    tfp_reader_init(reader, memory, tfp_source_fd(fd), INT64_MAX);
    if (!tfp_reader_need(reader, 3) && reader->status != TFPROF_OK)
        return fail_reading(reader, err);
    if (tfp_gzip_recognises(tfp_reader_view(reader))) {
        file->gzip = tfp_gzip_new(memory, tfp_source_reader(reader));
        if (!file->gzip)
            return tfp_fail_nomem(err);
        reader = &file->unpacked;
        tfp_reader_init(reader, memory, tfp_source_gzip(file->gzip), INT64_MAX);
    }
    if (tfp_reader_need(reader, most + 1))
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1, "larger than %zu bytes",
                        most);
    if (reader->status != TFPROF_OK)
        return fail_reading(reader, err);
    file->bytes = tfp_reader_view(reader);
    return TFPROF_OK;
}

int tfp_whole_file_read(tfp_whole_file *file, tfp_memory *memory,
                        const char *path, size_t most, tfprof_error *err)
{
    bool is_stdin = !strcmp(path, "-");
    int fd = STDIN_FILENO, status = TFPROF_OK;
    *file = (tfp_whole_file){ .bytes = { NULL, 0 } };
    tfp_reader_init(&file->packed, memory, tfp_source_fd(&fd), 0);
    tfp_reader_init(&file->unpacked, memory, tfp_source_fd(&fd), 0);
    if (!is_stdin)
        status = open_quietly(path, &fd, err);
    if (status == TFPROF_OK)
        status = read_fd(file, memory, &fd, most, err);
    if (fd >= 0 && !is_stdin)
        close(fd);
    return status;
}

void tfp_whole_file_release(tfp_whole_file *file)
{
    tfp_gzip_free(file->gzip);
    tfp_reader_release(&file->unpacked);
    tfp_reader_release(&file->packed);
}
