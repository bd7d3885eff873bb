/*
 * op_name.c - what the name of an event says about the operation it ran.
 *
 * The rules are those of xprof: its tables are what ours are compared with.
 */
#include "trace/op_name.h"

#include <stdbool.h>

static bool is_upper(uint8_t c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(uint8_t c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(uint8_t c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter_or_digit(uint8_t c)
{
    return is_upper(c) || is_lower(c) || is_digit(c);
}

/* "model/dense_1/MatMul" */
static bool is_tf_name(tfp_span s)
{
    if (s.size == 0 || !(is_letter_or_digit(s.data[0]) || s.data[0] == '.'))
        return false;
    for (size_t i = 1; i < s.size; i++) {
        uint8_t c = s.data[i];
        if (!is_letter_or_digit(c) && c != '_' && c != '.' && c != '/' &&
            c != '>' && c != '-')
            return false;
    }
    return true;
}

/* "MatMul" */
static bool is_tf_type(tfp_span s)
{
    if (s.size == 0 || !(is_upper(s.data[0]) || s.data[0] == '_'))
        return false;
    for (size_t i = 1; i < s.size; i++) {
        if (!is_letter_or_digit(s.data[i]) && s.data[i] != '_')
            return false;
    }
    return true;
}

/* "dot_general" or "reduce_sum[axes=(0,)]"; *word is what stands before the
 * bracket. */
static bool is_jax_type(tfp_span s, tfp_span *word)
{
    size_t i = 0;
    while (i < s.size && (is_lower(s.data[i]) || s.data[i] == '_' ||
                          (i > 0 && is_digit(s.data[i]))))
        i++;
    *word = (tfp_span){ s.data, i };
    if (i == 0)
        return false;
    /* As a pattern would have it, the bracket holds no new line. */
    return i == s.size || (s.data[i] == '[' && s.data[s.size - 1] == ']' &&
                           s.size > i + 1 && !memchr(s.data, '\n', s.size));
}

/* Does it read as a number? Blanks around it do not matter. */
static bool is_number(tfp_span s)
{
    size_t i = 0, end = s.size, digits = 0;
    while (i < end && strchr(" \t\n\v\f\r", s.data[i]) && s.data[i])
        i++;
    while (end > i && strchr(" \t\n\v\f\r", s.data[end - 1]) && s.data[end - 1])
        end--;
    i += i < end && (s.data[i] == '+' || s.data[i] == '-');
    for (; i < end && is_digit(s.data[i]); i++)
        digits++;
    return digits > 0 && i == end;
}

/* The last part of the name without its number: "add" of "a/b/add_3". */
static tfp_span type_of_name(tfp_span name)
{
    size_t start = name.size, bar;
    tfp_span part, suffix;
    while (start > 0 && name.data[start - 1] != '/')
        start--;
    part = (tfp_span){ name.data + start, name.size - start };
    bar = part.size;
    while (bar > 0 && part.data[bar - 1] != '_')
        bar--;
    suffix = (tfp_span){ part.data + bar, part.size - bar };
    if (is_number(suffix))
        part.size = bar > 0 ? bar - 1 : 0;
    return part;
}

static bool starts_without_case(tfp_span s, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++) {
        if (i >= s.size ||
            (uint8_t)(is_upper(s.data[i]) ? s.data[i] + 32 : s.data[i]) !=
                (uint8_t)word[i])
            return false;
    }
    return true;
}

static tfp_op_name copy_name(tfp_span text)
{
    static const struct {
        const char *start, *type;
    } copies[] = { { "memcpyhtod", "MemcpyHToD" },
                   { "memcpydtoh", "MemcpyDToH" },
                   { "memcpydtod", "MemcpyDToD" },
                   { "memcpyhtoh", "MemcpyHToH" } };
    for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
        if (starts_without_case(text, copies[i].start))
            return (tfp_op_name){ TFP_NAMED_COPY, text,
                                  tfp_span_of(copies[i].type) };
    }
    return (tfp_op_name){ .name = text };
}

tfp_op_name tfp_op_name_parse(tfp_span text)
{
    const uint8_t *colon = text.size ? memchr(text.data, ':', text.size) : NULL;
    tfp_span name, type, word;
    if (!colon)
        return copy_name(text);
    name = (tfp_span){ text.data, (size_t)(colon - text.data) };
    type = (tfp_span){ colon + 1, text.size - name.size - 1 };
    if (tfp_span_is(name, "Iterator"))
        return (tfp_op_name){ TFP_NAMED_DATA, text, tfp_span_of("Dataset") };
    if (is_tf_name(name) && is_tf_type(type))
        return (tfp_op_name){ TFP_NAMED_TF, name, type };
    word = type.size > 0 ? type : type_of_name(name);
    if (is_jax_type(word, &word))
        return (tfp_op_name){ TFP_NAMED_JAX, name, word };
    if (type.size == 0)
        return (tfp_op_name){ TFP_NAMED_TF, name, type_of_name(name) };
    return (tfp_op_name){ .name = text };
}
