/*
 * sink.h - where an answer goes, a buffer at a time.
 *
 * The first failure is remembered; what is written after it is dropped, so
 * writers need not look and the end of the answer does.
 */
#ifndef TFP_OUTPUT_SINK_H
#define TFP_OUTPUT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"

/* Takes all of `size` bytes; not 0 when it cannot. */
typedef int tfp_write_fn(void *context, const void *data, size_t size);

typedef struct tfp_sink {
    tfp_write_fn *write;
    void *context;
    const tfp_cancel *cancel; /* asked at each buffer; may be NULL */
    bool failed;
    bool cancelled; /* with failed */
    bool escaped;   /* some name could not be shown as it is */
    size_t used;
    char buffer[16 << 10];
} tfp_sink;

void tfp_sink_init(tfp_sink *sink, tfp_write_fn *write, void *context);

void tfp_sink_bytes(tfp_sink *sink, tfp_span bytes);

void tfp_sink_text(tfp_sink *sink, const char *text);
void tfp_sink_format(tfp_sink *sink, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void tfp_sink_blanks(tfp_sink *sink, size_t count);

/* Names from strangers: base/escape.h. */
void tfp_sink_escaped(tfp_sink *sink, tfp_span bytes);

/* Hands over what is left. False if anything was not written. */
bool tfp_sink_flush(tfp_sink *sink);

/* Whether the rest of the answer is of no use: something was not written, or
 * nobody waits for it any more. Asks for the latter now and then, by `round`,
 * so that loops may call it each time whether they write or not. */
bool tfp_sink_is_done(tfp_sink *sink, size_t round);

/* Why it failed, as an error. */
int tfp_sink_fail(const tfp_sink *sink, tfprof_error *err);

/* Room for `size` bytes, fewer than the buffer has, to be written in place;
 * tfp_sink_took() says how many were. */
static inline char *tfp_sink_room(tfp_sink *sink, size_t size)
{
    if (sizeof(sink->buffer) - sink->used < size)
        tfp_sink_flush(sink);
    return sink->buffer + sink->used;
}

static inline void tfp_sink_took(tfp_sink *sink, size_t size)
{
    sink->used += size;
}

static inline void tfp_sink_char(tfp_sink *sink, char c)
{
    *tfp_sink_room(sink, 1) = c;
    tfp_sink_took(sink, 1);
}

#endif
