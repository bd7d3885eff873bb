/*
 * mutate_session.c - how libFuzzer changes an input of fuzz_session.c.
 *
 * Bytes changed at random rarely leave a message whole, least of all one of
 * several files. So most changes are made to one field of one file: it gets
 * another value, goes, comes again, takes the place of another, or gets another
 * number, and the lengths around it are put right. Some are made to the head
 * and the script, some to any bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "mutate.h"
#include "target.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* As in fuzz_session.c. */
enum { SCRIPT = 8, HEAD = 9, FILE_HEAD = 3, MOST_FILES = 8 };
enum { MOST_FIELDS = 256, MOST_DEPTH = 11, MOST_SIZE = 60000 };

typedef struct field {
    uint32_t tag;
    size_t start, body, end; /* body: of the value, after the length */
} field;

/* What is written; `full` once there was no room. */
typedef struct output {
    uint8_t *data;
    size_t size, most;
    bool full;
} output;

/* ---- Wire format -------------------------------------------------------- */

/* Where the number ends, or 0. */
static size_t get_varint(tfp_span data, size_t at, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && at < data.size; shift += 7) {
        *value |= (uint64_t)(data.data[at] & 127) << shift;
        if (data.data[at++] < 128)
            return at;
    }
    return 0;
}

static void put(output *o, const uint8_t *data, size_t size)
{
    if (o->full || size > o->most - o->size) {
        o->full = true;
        return;
    }
    if (size > 0)
        memcpy(o->data + o->size, data, size);
    o->size += size;
}

static void put_varint(output *o, uint64_t value)
{
    uint8_t byte;
    do {
        byte = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
        put(o, &byte, 1);
        value >>= 7;
    } while (value);
}

/* How long the value of a field is that starts at `at`, or SIZE_MAX. */
static bool find_value(tfp_span data, size_t at, field *f)
{
    uint64_t value;
    size_t left = data.size - at;
    f->body = at;
    switch (f->tag & 7) {
    case 0: f->end = get_varint(data, at, &value); return f->end > 0;
    case 1: f->end = at + 8; return left >= 8;
    case 5: f->end = at + 4; return left >= 4;
    case 2:
        f->body = get_varint(data, at, &value);
        if (f->body == 0 || value > data.size - f->body)
            return false;
        f->end = f->body + (size_t)value;
        return true;
    default: return false;
    }
}

/* 0 when the bytes are not a message. */
static size_t find_fields(tfp_span data, field *fields)
{
    enum { LARGEST_NUMBER = 200 };
    size_t count = 0, at = 0;
    while (at < data.size && count < MOST_FIELDS) {
        field *f = &fields[count++];
        uint64_t tag;
        f->start = at;
        at = get_varint(data, at, &tag);
        if (at == 0 || tag >> 3 == 0 || tag >> 3 > LARGEST_NUMBER)
            return 0;
        f->tag = (uint32_t)tag;
        if (!find_value(data, at, f))
            return 0;
        at = f->end;
    }
    return count;
}

/* ---- Changes ------------------------------------------------------------ */

static void change_bytes(output *o, tfp_span data)
{
    enum { MORE = 48 };
    uint8_t *copy = malloc(data.size + MORE);
    if (!copy)
        return;
    if (data.size > 0)
        memcpy(copy, data.data, data.size);
    put(o, copy, LLVMFuzzerMutate(copy, data.size, data.size + MORE));
    free(copy);
}

static void put_number(output *o, uint32_t tag, uint32_t *random)
{
    static const int64_t numbers[] = {
        0,          1,          -1,          2,
        3,          7,          64,          255,
        256,        4096,       65535,       65536,
        2147483647, 2147483648, -2147483648, 4294967295,
        4294967296, INT64_MAX,  INT64_MIN,   INT64_MAX - 1,
        -5,         100,        1000000,     1700000000000000,
    };
    size_t count = sizeof(numbers) / sizeof(numbers[0]);
    put_varint(o, tag);
    put_varint(o, (uint64_t)numbers[fuzz_draw(random) % count]);
}

static void put_field(output *o, uint32_t tag, tfp_span body)
{
    put_varint(o, tag);
    put_varint(o, body.size);
    put(o, body.data, body.size);
}

/* Writes something else in the place of the field x; y is another. */
static void change_field(output *o, tfp_span data, const field *x,
                         const field *y, uint32_t *random)
{
    size_t size = x->end - x->start;
    switch (fuzz_draw(random) % 8) {
    case 0:
    case 1: break; /* it goes */
    case 2:
    case 3: /* it comes again */
        for (uint32_t times = 2 + fuzz_draw(random) % 6; times > 0; times--)
            put(o, data.data + x->start, size);
        break;
    case 4: put(o, data.data + y->start, y->end - y->start); break;
    case 5:
        if ((x->tag & 7) == 2 && (y->tag & 7) == 2) {
            put_field(o, x->tag,
                      (tfp_span){ data.data + y->body, y->end - y->body });
            break;
        }
        __attribute__((fallthrough));
    default: {
        uint64_t tag;
        size_t value = get_varint(data, x->start, &tag);
        put_varint(o, (x->tag & 7) | (1 + fuzz_draw(random) % 16) << 3);
        put(o, data.data + value, x->end - value);
        break;
    }
    }
}

static void change(output *o, tfp_span data, uint32_t *random, int depth)
{
    static field all[MOST_DEPTH][MOST_FIELDS];
    field *fields = all[depth];
    size_t count = depth + 1 < MOST_DEPTH ? find_fields(data, fields) : 0;
    const field *x;
    unsigned which = fuzz_draw(random) % 16;
    if (count == 0) {
        change_bytes(o, data);
        return;
    }
    x = &fields[fuzz_draw(random) % count];
    put(o, data.data, x->start);
    if ((x->tag & 7) == 2 && which < 9) { /* what is in it */
        output inner = { malloc(MOST_SIZE), 0, MOST_SIZE, false };
        if (inner.data)
            change(&inner, (tfp_span){ data.data + x->body, x->end - x->body },
                   random, depth + 1);
        put_field(o, x->tag, (tfp_span){ inner.data, inner.size });
        o->full = o->full || inner.full;
        free(inner.data);
    } else if ((x->tag & 7) == 0 && which < 10) {
        put_number(o, x->tag, random);
    } else {
        change_field(o, data, x, &fields[fuzz_draw(random) % count], random);
    }
    put(o, data.data + x->end, data.size - x->end);
}

/* ---- An input of fuzz_session.c ----------------------------------------- */

/* Where the files begin; a number of them, up to MOST_FILES. */
static size_t find_files(tfp_span data, size_t *starts)
{
    size_t at = HEAD + data.data[SCRIPT], count = 0;
    while (at + FILE_HEAD <= data.size && count < MOST_FILES) {
        starts[count++] = at;
        at += FILE_HEAD + data.data[at + 1] + 256u * data.data[at + 2];
    }
    return count;
}

static size_t change_file(uint8_t *data, size_t size, size_t max_size,
                          size_t start, uint32_t *random)
{
    size_t body = start + FILE_HEAD;
    size_t length = data[start + 1] + 256u * data[start + 2];
    output o = { malloc(MOST_SIZE), 0, MOST_SIZE, false };
    length = length < size - body ? length : size - body;
    if (o.data)
        change(&o, (tfp_span){ data + body, length }, random, 0);
    if (o.data && !o.full && size - length + o.size <= max_size) {
        memmove(data + body + o.size, data + body + length,
                size - body - length);
        if (o.size > 0)
            memcpy(data + body, o.data, o.size);
        data[start + 1] = (uint8_t)o.size;
        data[start + 2] = (uint8_t)(o.size >> 8);
        size += o.size - length;
    }
    free(o.data);
    return size;
}

size_t mutate_any(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    (void)seed;
    return LLVMFuzzerMutate(data, size, max_size);
}

size_t mutate_session(uint8_t *data, size_t size, size_t max_size,
                      unsigned seed)
{
    uint32_t random = seed | 1;
    size_t starts[MOST_FILES], count;
    if (size <= HEAD || fuzz_draw(&random) % 6 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    count = find_files((tfp_span){ data, size }, starts);
    if (count == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (fuzz_draw(&random) % 5 == 0) { /* head and script, but for its length */
        for (uint32_t times = 1 + fuzz_draw(&random) % 3; times > 0; times--) {
            size_t at = fuzz_draw(&random) % (HEAD + data[SCRIPT]);
            if (at != SCRIPT)
                data[at] = (uint8_t)fuzz_draw(&random);
        }
        return size;
    }
    return change_file(data, size, max_size, starts[fuzz_draw(&random) % count],
                       &random);
}
