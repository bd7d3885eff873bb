/*
 * sink.c - where an answer goes, a buffer at a time.
 */
#include "output/sink/sink.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/escape.h"

void tfp_sink_init(tfp_sink *sink, tfp_write_fn *write, void *context)
{
    sink->write = write;
    sink->context = context;
    sink->cancel = NULL;
    sink->failed = false;
    sink->cancelled = false;
    sink->escaped = false;
    sink->used = 0;
}

static void ask(tfp_sink *sink)
{
    if (!sink->failed && tfp_cancelled(sink->cancel))
        sink->failed = sink->cancelled = true;
}

bool tfp_sink_is_done(tfp_sink *sink, size_t round)
{
    enum { ROUNDS_BETWEEN_ASKS = 1024 };
    if (round % ROUNDS_BETWEEN_ASKS == 0)
        ask(sink);
    return sink->failed;
}

bool tfp_sink_flush(tfp_sink *sink)
{
    ask(sink);
    if (!sink->failed && sink->used > 0)
        sink->failed = sink->write(sink->context, sink->buffer, sink->used) !=
                       0;
    sink->used = 0;
    return !sink->failed;
}

int tfp_sink_fail(const tfp_sink *sink, tfprof_error *err)
{
    if (sink->cancelled)
        return tfp_fail_cancelled(err);
    return tfp_fail(err, TFPROF_ERR_OUTPUT, -1, "the output was not written");
}

void tfp_sink_bytes(tfp_sink *sink, tfp_span bytes)
{
    while (bytes.size > 0) {
        size_t room = sizeof(sink->buffer) - sink->used;
        size_t n = bytes.size < room ? bytes.size : room;
        memcpy(sink->buffer + sink->used, bytes.data, n);
        sink->used += n;
        bytes.data += n;
        bytes.size -= n;
        if (sink->used == sizeof(sink->buffer))
            tfp_sink_flush(sink);
    }
}

void tfp_sink_text(tfp_sink *sink, const char *text)
{
    tfp_sink_bytes(sink, tfp_span_of(text));
}

void tfp_sink_blanks(tfp_sink *sink, size_t count)
{
    static const uint8_t blanks[] = "                                ";
    for (; count > sizeof(blanks) - 1; count -= sizeof(blanks) - 1)
        tfp_sink_bytes(sink, (tfp_span){ blanks, sizeof(blanks) - 1 });
    tfp_sink_bytes(sink, (tfp_span){ blanks, count });
}

/* For numbers and short words; longer text goes through the calls above. */
void tfp_sink_format(tfp_sink *sink, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    tfp_sink_text(sink, text);
}

void tfp_sink_escaped(tfp_sink *sink, tfp_span bytes)
{
    while (bytes.size > 0) {
        size_t plain = tfp_escape_plain(bytes), odd = 0;
        tfp_sink_bytes(sink, (tfp_span){ bytes.data, plain });
        if (plain < bytes.size)
            odd = tfp_escape_odd(
                (tfp_span){ bytes.data + plain, bytes.size - plain });
        sink->escaped |= odd > 0;
        for (size_t i = 0; i < odd; i++)
            tfp_sink_format(sink, "\\x%02x", bytes.data[plain + i]);
        bytes.data += plain + odd;
        bytes.size -= plain + odd;
    }
}
