/*
 * bytes.h - spans of bytes and arithmetic that cannot overflow.
 *
 * A span borrows: it lives as long as what it points into. Names in files may
 * hold any byte, NUL included, so they are spans everywhere and never C
 * strings.
 */
#ifndef TFP_BASE_BYTES_H
#define TFP_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct tfp_span {
    const uint8_t *data; /* may be NULL when size is 0 */
    size_t size;
} tfp_span;

static inline tfp_span tfp_span_of(const char *text)
{
    return (tfp_span){ (const uint8_t *)text, strlen(text) };
}

static inline bool tfp_span_equal(tfp_span a, tfp_span b)
{
    return a.size == b.size && (a.size == 0 || !memcmp(a.data, b.data, a.size));
}

/* Less than, equal to or greater than 0, by bytes; a shorter one that begins
 * a longer one comes first. */
static inline int tfp_span_compare(tfp_span a, tfp_span b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common == 0 ? 0 : memcmp(a.data, b.data, common);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

static inline bool tfp_span_is(tfp_span a, const char *text)
{
    return tfp_span_equal(a, tfp_span_of(text));
}

static inline bool tfp_span_starts(tfp_span a, const char *text)
{
    size_t n = strlen(text);
    return a.size >= n && !memcmp(a.data, text, n);
}

/* Changes only ASCII letters. Does not depend on the locale. */
static inline char tfp_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The same whatever the case of ASCII letters; `text` is in lower case. */
static inline bool tfp_span_starts_any_case(tfp_span a, const char *text)
{
    size_t n = strlen(text);
    if (a.size < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (tfp_lower((char)a.data[i]) != text[i])
            return false;
    }
    return true;
}

static inline bool tfp_span_ends(tfp_span a, const char *text)
{
    size_t n = strlen(text);
    return a.size >= n && !memcmp(a.data + (a.size - n), text, n);
}

/* What stands behind the last slash of a path. */
static inline tfp_span tfp_span_base_name(tfp_span path)
{
    size_t at = path.size;
    while (at > 0 && path.data[at - 1] != '/')
        at--;
    return (tfp_span){ path.data + at, path.size - at };
}

/* Where `text`, which is not empty, first occurs in `in`, or NULL. */
static inline const uint8_t *tfp_span_find(tfp_span in, const char *text)
{
    size_t n = strlen(text);
    while (in.size >= n) {
        const uint8_t *at = memchr(in.data, text[0], in.size - n + 1);
        if (!at || !memcmp(at, text, n))
            return at;
        in.size -= (size_t)(at + 1 - in.data);
        in.data = at + 1;
    }
    return NULL;
}

/* Sums and products of costs stop at the ends of the range: a figure that is
 * too large stays the largest figure instead of turning negative. */
static inline int64_t tfp_add_sat(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

static inline int64_t tfp_sub_sat(int64_t a, int64_t b)
{
    int64_t difference;
    if (__builtin_sub_overflow(a, b, &difference))
        return b < 0 ? INT64_MAX : INT64_MIN;
    return difference;
}

static inline int64_t tfp_mul_sat(int64_t a, int64_t b)
{
    int64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
    return product;
}

/* False when the result does not fit; *out is then unspecified. */
static inline bool tfp_add_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

static inline bool tfp_mul_size(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

#endif
