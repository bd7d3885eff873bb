/*
 * reader.c - a window that slides over an input of any length.
 */
#include "base/reader.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Most inputs of a folder with thousands are small, and fresh memory costs more
 * than reading them: the window takes its full size for what is longer than
 * half of the first. */
enum { FIRST_WINDOW = 32 << 10, WINDOW = 1 << 20 };

static ptrdiff_t read_fd(void *self, void *buffer, size_t size,
                         tfprof_error *err)
{
    int fd = *(const int *)self;
    for (;;) {
        ssize_t n = read(fd, buffer, size);
        if (n >= 0)
            return n;
        if (errno == EAGAIN) { /* a pipe someone set to non-blocking */
            struct pollfd ready = { .fd = fd, .events = POLLIN };
            if (poll(&ready, 1, -1) >= 0)
                continue;
        }
        if (errno == EINTR)
            return TFP_READ_INTERRUPTED;
        return tfp_fail_errno(err, errno, "cannot read");
    }
}

tfp_source tfp_source_fd(const int *fd)
{
    return (tfp_source){ read_fd, (void *)(uintptr_t)fd };
}

static ptrdiff_t read_span(void *self, void *buffer, size_t size,
                           tfprof_error *err)
{
    tfp_span *bytes = self;
    (void)err;
    if (size > bytes->size)
        size = bytes->size;
    if (size > 0)
        memcpy(buffer, bytes->data, size);
    bytes->data += size;
    bytes->size -= size;
    return (ptrdiff_t)size;
}

tfp_source tfp_source_span(tfp_span *bytes)
{
    return (tfp_source){ read_span, bytes };
}

void tfp_reader_init(tfp_reader *r, tfp_memory *memory, tfp_source source,
                     int64_t limit)
{
    *r = (tfp_reader){ .memory = memory, .source = source, .limit = limit };
}

void tfp_reader_release(tfp_reader *r)
{
    tfp_memory_free(r->memory, r->window);
    r->window = NULL;
    r->capacity = r->at = r->end = 0;
}

static bool stop(tfp_reader *r, int status)
{
    r->status = status;
    return false;
}

/* Moves the unread bytes to the front and makes the window larger if it is
 * full of them. It doubles, so growing costs no more than reading. */
static bool make_room(tfp_reader *r)
{
    size_t unread = r->end - r->at, capacity;
    uint8_t *window;
    if (r->at > 0) {
        memmove(r->window, r->window + r->at, unread);
        r->offset += (int64_t)r->at;
        r->at = 0;
        r->end = unread;
    }
    if (unread < r->capacity &&
        (r->capacity >= WINDOW ||
         r->offset + (int64_t)unread <= FIRST_WINDOW / 2))
        return true;
    capacity = r->capacity == 0       ? FIRST_WINDOW
               : r->capacity < WINDOW ? WINDOW
                                      : r->capacity * 2;
    window = tfp_memory_resize(r->memory, r->window, capacity);
    if (!window)
        return stop(r, tfp_fail_nomem(&r->why));
    r->window = window;
    r->capacity = capacity;
    return true;
}

/* Tells how far it has come; false when the answer is to stop. */
static bool tell(tfp_reader *r, tfp_progress_fn *listener)
{
    if (!listener ||
        listener(r->progress_self, r->offset + (int64_t)r->end) == 0)
        return true;
    return stop(r, tfp_fail(&r->why, TFPROF_ERR_CANCELLED, -1, "canceled"));
}

static bool read_more(tfp_reader *r)
{
    ptrdiff_t n;
    if (r->ended || r->status != TFPROF_OK || !make_room(r))
        return false;
    do {
        n = r->source.read(r->source.self, r->window + r->end,
                           r->capacity - r->end, &r->why);
        if (n == TFP_READ_INTERRUPTED && !tell(r, r->interrupted))
            return false;
    } while (n == TFP_READ_INTERRUPTED);
    if (n < 0)
        return stop(r, (int)n);
    r->ended = n == 0;
    r->end += (size_t)n;
    if (r->offset + (int64_t)r->end > r->limit) {
        r->end = (size_t)(r->limit - r->offset); /* no byte past it is seen */
        return stop(
            r,
            tfp_fail(&r->why, TFPROF_ERR_LIMIT, r->limit,
                     "input exceeds the limit of %lld bytes (see --max_input)",
                     (long long)r->limit));
    }
    return tell(r, r->progress) && n > 0;
}

bool tfp_reader_fill(tfp_reader *r, size_t size)
{
    while (r->end - r->at < size) {
        if (!read_more(r))
            return false;
    }
    return true;
}

static ptrdiff_t read_reader(void *self, void *buffer, size_t size,
                             tfprof_error *err)
{
    tfp_reader *from = self;
    tfp_span view;
    if (!tfp_reader_need(from, 1)) {
        if (from->status != TFPROF_OK && err)
            *err = from->why;
        return from->status;
    }
    view = tfp_reader_view(from);
    if (size > view.size)
        size = view.size;
    memcpy(buffer, view.data, size);
    from->at += size;
    return (ptrdiff_t)size;
}

tfp_source tfp_source_reader(tfp_reader *from)
{
    return (tfp_source){ read_reader, from };
}

bool tfp_reader_skip(tfp_reader *r, uint64_t size)
{
    for (;;) {
        size_t unread = r->end - r->at;
        if (size <= unread) {
            r->at += (size_t)size;
            return true;
        }
        size -= unread;
        r->at = r->end;
        if (!read_more(r))
            return false;
    }
}
