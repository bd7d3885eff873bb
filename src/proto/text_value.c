/*
 * text_value.c - one value of a text file, in its wire form.
 */
#include "proto/text_value.h"

#include "base/error.h"

#include <string.h>

#include "base/escape.h"
#include "proto/numbers.h"
#include "proto/unescape.h"

/* ---- Integers ----------------------------------------------------------- */

typedef struct integer_range {
    uint64_t most, least; /* magnitudes of the largest and the smallest */
    const char *expected;
} integer_range;

static const integer_range int32_range = {
    INT32_MAX, UINT64_C(1) << 31, "an integer from -2147483648 to 2147483647"
};
static const integer_range uint32_range = { UINT32_MAX, 0,
                                            "an integer from 0 to 4294967295" };
static const integer_range int64_range = {
    INT64_MAX, UINT64_C(1) << 63,
    "an integer from -9223372036854775808 to 9223372036854775807"
};
static const integer_range uint64_range = {
    UINT64_MAX, 0, "an integer from 0 to 18446744073709551615"
};

/* NULL for what is no integer. */
static const integer_range *range_of(tfp_type type)
{
    switch (type) {
    case TFP_TYPE_INT32: return &int32_range;
    case TFP_TYPE_UINT32:
    case TFP_TYPE_FIXED32: return &uint32_range;
    case TFP_TYPE_INT64:
    case TFP_TYPE_SINT64: return &int64_range;
    case TFP_TYPE_UINT64:
    case TFP_TYPE_FIXED64: return &uint64_range;
    default: return NULL;
    }
}

static bool fits(const tfp_integer *number, const integer_range *range)
{
    uint64_t limit = number->negative ? range->least : range->most;
    return !number->too_large && number->magnitude <= limit;
}

/* Two's complement, however many bits the type has. */
static uint64_t wire_value(const tfp_integer *number, tfp_type type)
{
    uint64_t value = number->negative ? 0 - number->magnitude
                                      : number->magnitude;
    if (type == TFP_TYPE_SINT64) /* zigzag: the sign moves to the end */
        value = value << 1 ^ (value >> 63 ? UINT64_MAX : 0);
    return value;
}

static bool convert_integer(tfp_span word, bool octal, tfp_type type,
                            const integer_range *range, uint64_t *value)
{
    tfp_integer number;
    if (!tfp_integer_read(word, octal, &number) || !fits(&number, range))
        return false;
    *value = wire_value(&number, type);
    return true;
}

/* ---- Other numbers ------------------------------------------------------ */

static bool convert_float(tfp_span word, tfp_type type, uint64_t *value)
{
    double number;
    if (!tfp_double_read(word, &number))
        return false;
    if (type == TFP_TYPE_DOUBLE) {
        memcpy(value, &number, sizeof(number));
    } else {
        /* All protobuf libraries go through double. */
        float narrow = (float)number;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof(bits));
        *value = bits;
    }
    return true;
}

static bool convert_bool(tfp_span word, uint64_t *value)
{
    *value = tfp_span_is(word, "true") || tfp_span_is(word, "True") ||
             tfp_span_is(word, "t") || tfp_span_is(word, "1");
    return *value || tfp_span_is(word, "false") || tfp_span_is(word, "False") ||
           tfp_span_is(word, "f") || tfp_span_is(word, "0");
}

/* A word holds no NUL, so the comparison stops at the name's end. */
static bool is_named(const char *name, tfp_span word)
{
    size_t i = 0;
    while (i < word.size && name[i] == (char)word.data[i])
        i++;
    return i == word.size && name[i] == '\0';
}

static bool convert_enum(const tfp_enum *values, tfp_span word, uint64_t *value)
{
    if (!(tfp_byte_class[word.data[0]] & TFP_BYTE_LETTER))
        return convert_integer(word, false, TFP_TYPE_ENUM, &int32_range, value);
    for (size_t i = 0; i < values->count; i++) {
        if (is_named(values->values[i].name, word)) {
            *value = (uint64_t)(int64_t)values->values[i].number;
            return true;
        }
    }
    return false;
}

bool tfp_text_convert(const tfp_field_spec *field, tfp_span word,
                      uint64_t *value)
{
    const integer_range *range = range_of(field->type);
    if (range)
        return convert_integer(word, true, field->type, range, value);
    switch (field->type) {
    case TFP_TYPE_FLOAT:
    case TFP_TYPE_DOUBLE: return convert_float(word, field->type, value);
    case TFP_TYPE_BOOL: return convert_bool(word, value);
    case TFP_TYPE_ENUM: return convert_enum(field->values, word, value);
    default: return false;
    }
}

/* What error messages call a value that tfp_text_convert() takes. */
static const char *expected(const tfp_field_spec *field)
{
    const integer_range *range = range_of(field->type);
    if (range)
        return range->expected;
    if (field->type == TFP_TYPE_ENUM)
        return field->values->name;
    return field->type == TFP_TYPE_BOOL ? "true or false" : "a number";
}

/* Most numbers are a few decimal digits. False leaves it to the others. */
static bool quick_integer(tfp_scan *s, const tfp_field_spec *field,
                          uint64_t *value)
{
    const uint8_t *at = s->at;
    const integer_range *range;
    uint64_t sum = 0;
    if (s->end - at < 20 || (at[0] == '0' && at[1] >= '0' && at[1] <= '9'))
        return false;
    for (int i = 0; i < 18 && *at >= '0' && *at <= '9'; i++)
        sum = sum * 10 + (uint64_t)(*at++ - '0');
    if (at == s->at || tfp_byte_class[*at] & TFP_BYTE_NUMBER)
        return false;
    range = range_of(field->type);
    if (!range || sum > range->most)
        return false;
    s->at = at;
    *value = wire_value(&(tfp_integer){ .magnitude = sum }, field->type);
    return true;
}

int tfp_text_number(tfp_scan *s, const tfp_field_spec *field, uint64_t *value,
                    tfprof_error *err)
{
    int byte = tfp_scan_peek(s);
    tfp_span word;
    if (!tfp_scan_is_word(byte))
        return tfp_scan_expected(s, expected(field), err);
    if (quick_integer(s, field, value))
        return TFPROF_OK;
    word = tfp_scan_word(s);
    if (word.size > 0 && tfp_text_convert(field, word, value))
        return TFPROF_OK;
    return tfp_scan_fail(s, tfp_scan_place(s, word.data), err,
                         "expected %s for %s, found \"%s\"", expected(field),
                         field->name, tfp_shorten(word, TFP_SHOWN).text);
}

/* ---- Strings ------------------------------------------------------------ */

static int append_piece(tfp_scan *s, tfp_memory *memory, tfp_text_bytes *out,
                        tfprof_error *err)
{
    tfp_span inner = { 0 };
    bool escaped;
    tfp_escape_fault fault;
    int status = tfp_scan_string(s, &inner, &escaped, err);
    if (status != TFPROF_OK)
        return status;
    if (!TFP_VEC_RESERVE(memory, out,
                         escaped ? TFP_UNESCAPE_ROOM(inner.size) : inner.size))
        return tfp_fail_nomem(err);
    if (!escaped) {
        if (inner.size > 0)
            memcpy(out->data + out->count, inner.data, inner.size);
        out->count += inner.size;
        return TFPROF_OK;
    }
    out->count += tfp_unescape(inner, out->data + out->count, &fault);
    if (fault.why)
        return tfp_scan_fail(s, tfp_scan_place(s, fault.at), err,
                             "bad escape in a string: %s", fault.why);
    return TFPROF_OK;
}

int tfp_text_string(tfp_scan *s, tfp_memory *memory, tfp_text_bytes *out,
                    tfprof_error *err)
{
    if (!tfp_scan_is_quote(tfp_scan_peek(s)))
        return tfp_scan_expected(s, "a string", err);
    do {
        int status = append_piece(s, memory, out, err);
        if (status != TFPROF_OK)
            return status;
    } while (tfp_scan_is_quote(tfp_scan_peek(s)));
    return TFPROF_OK;
}

/* ---- Unknown fields ----------------------------------------------------- */

int tfp_text_unknown_word(tfp_scan *s, tfp_span *word, tfprof_error *err)
{
    tfp_integer integer;
    double number;
    if (!tfp_scan_is_word(tfp_scan_peek(s)))
        return tfp_scan_expected(s, "a value", err);
    *word = tfp_scan_word(s);
    if (word->size > 0) {
        if (tfp_byte_class[word->data[0]] & TFP_BYTE_LETTER)
            return TFPROF_OK;
        if (tfp_integer_read(*word, true, &integer) &&
            (fits(&integer, &int64_range) || fits(&integer, &uint64_range)))
            return TFPROF_OK;
        if (tfp_double_read(*word, &number))
            return TFPROF_OK;
    }
    return tfp_scan_fail(s, tfp_scan_place(s, word->data), err,
                         "expected a value, found \"%s\"",
                         tfp_shorten(*word, TFP_SHOWN).text);
}
