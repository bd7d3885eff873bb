/*
 * store.c - bytes that can be read at any place: a file, or memory.
 */
#include "base/store.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int read_fd(void *self, uint64_t at, void *buffer, size_t size,
                   tfprof_error *err)
{
    int fd = *(const int *)self;
    uint8_t *to = buffer;
    while (size > 0) {
        ssize_t n = pread(fd, to, size, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return tfp_fail_errno(err, errno, "cannot read");
        if (n == 0)
            return tfp_fail(err, TFPROF_ERR_IO, (int64_t)at,
                            "the file shrank while it was being read");
        to += n;
        at += (uint64_t)n;
        size -= (size_t)n;
    }
    return TFPROF_OK;
}

tfp_store tfp_store_fd(const int *fd, uint64_t size)
{
    return (tfp_store){ read_fd, (void *)(uintptr_t)fd, size };
}

static int read_span(void *self, uint64_t at, void *buffer, size_t size,
                     tfprof_error *err)
{
    const tfp_span *bytes = self;
    (void)err;
    if (size > 0)
        memcpy(buffer, bytes->data + at, size);
    return TFPROF_OK;
}

tfp_store tfp_store_span(const tfp_span *bytes)
{
    return (tfp_store){ read_span, (void *)(uintptr_t)bytes, bytes->size };
}

int tfp_store_read(const tfp_store *store, uint64_t at, void *buffer,
                   size_t size, tfprof_error *err)
{
    if (!tfp_store_has(store, at, size))
        return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                        "cannot read %llu bytes at offset %llu: the data has "
                        "only %llu bytes",
                        (unsigned long long)size, (unsigned long long)at,
                        (unsigned long long)store->size);
    return store->read(store->self, at, buffer, size, err);
}
