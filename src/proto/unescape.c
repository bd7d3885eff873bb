/*
 * unescape.c - what stands between the quotes of a text file, as bytes.
 *
 * The same text is accepted, and means the same bytes, as in CUnescape() of
 * google/protobuf/text_encoding.py. That one works in two passes: \u and \U
 * become characters first, everything else is resolved in what that gives, so
 * that \u005cn is a newline. Text with \u or \U is rare; all other text takes
 * the second pass alone. A backslash before any other character stays, as it
 * does there. Its \N{NAME} is refused: it would need the names of Unicode.
 */
#include "proto/unescape.h"

#include "base/escape.h"

static bool blame(tfp_escape_fault *fault, const uint8_t *at, const char *why)
{
    fault->at = at;
    fault->why = why;
    return false;
}

static int hex_digit(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* Reads up to `most` hex digits; how many there were. */
static int hex_digits(const uint8_t *at, const uint8_t *end, int most,
                      uint32_t *value)
{
    int count = 0;
    *value = 0;
    while (count < most && at + count < end && hex_digit(at[count]) >= 0)
        *value = *value << 4 | (uint32_t)hex_digit(at[count++]);
    return count;
}

/* ---- First pass: \u and \U ---------------------------------------------- */

static bool read_character(const uint8_t *at, const uint8_t *end,
                           uint32_t *code, tfp_escape_fault *fault)
{
    int digits = at[1] == 'u' ? 4 : 8;
    if (hex_digits(at + 2, end, digits, code) < digits)
        return blame(fault, at,
                     digits == 4 ? "\\u needs four hexadecimal digits"
                                 : "\\U needs eight hexadecimal digits");
    if (*code > 0x10ffff)
        return blame(fault, at, "code point is larger than U+10FFFF");
    if (*code >= 0xd800 && *code < 0xe000)
        return blame(fault, at, "a surrogate is not a character");
    return true;
}

static size_t resolve_characters(tfp_span text, uint8_t *out,
                                 tfp_escape_fault *fault)
{
    const uint8_t *at = text.data, *end = text.data + text.size;
    uint8_t *start = out;
    uint32_t code;
    while (at < end) {
        if (*at != '\\' || end - at < 2) {
            *out++ = *at++;
        } else if (at[1] == 'u' || at[1] == 'U') {
            if (!read_character(at, end, &code, fault))
                return 0;
            out += tfp_utf8_put(code, out);
            at += at[1] == 'u' ? 6 : 10;
        } else {
            /* One hex digit gets a zero before it while the text still shows
             * that it is alone. */
            bool lone = at[1] == 'x' && hex_digits(at + 2, end, 2, &code) == 1;
            *out++ = *at++;
            *out++ = *at++;
            if (lone)
                *out++ = '0';
        }
    }
    return (size_t)(out - start);
}

/* ---- Second pass: all others -------------------------------------------- */

typedef struct escapes {
    const uint8_t *at, *end;
    uint8_t *out;
    bool resolved; /* the first pass was made */
    tfp_escape_fault *fault;
} escapes;

static bool number_escape(escapes *e, uint32_t value, int size, const char *why)
{
    if (value > 0xff)
        return blame(e->fault, e->at, why);
    *e->out++ = (uint8_t)value;
    e->at += size;
    return true;
}

static bool octal_escape(escapes *e)
{
    uint32_t value = 0;
    int size = 1;
    while (size < 4 && e->at + size < e->end && e->at[size] >= '0' &&
           e->at[size] <= '7')
        value = value << 3 | (uint32_t)(e->at[size++] - '0');
    return number_escape(e, value, size, "octal escape is larger than \\377");
}

static bool hex_escape(escapes *e)
{
    uint32_t value;
    int digits = hex_digits(e->at + 2, e->end, 2, &value);
    if (digits < (e->resolved ? 2 : 1))
        return blame(e->fault, e->at, "\\x needs a hexadecimal digit");
    return number_escape(e, value, 2 + digits, NULL);
}

/* A \u that the first pass has made from a \u005c. */
static bool character_escape(escapes *e)
{
    uint32_t code;
    if (!e->resolved)
        return false; /* tfp_unescape() sees to it */
    if (!read_character(e->at, e->end, &code, e->fault))
        return false;
    return number_escape(e, code, e->at[1] == 'u' ? 6 : 10,
                         "\\u formed by another escape is larger than U+00FF");
}

/* The letters that stand for one byte each; 0 for all others. */
static const uint8_t meant[128] = {
    ['a'] = '\a', ['b'] = '\b', ['f'] = '\f',  ['n'] = '\n',  ['r'] = '\r',
    ['t'] = '\t', ['v'] = '\v', ['\\'] = '\\', ['\''] = '\'', ['"'] = '"'
};

static bool one_escape(escapes *e)
{
    uint8_t byte;
    if (e->end - e->at < 2)
        return blame(e->fault, e->at, "the string ends with a backslash");
    byte = e->at[1];
    if (byte < sizeof(meant) && meant[byte]) {
        *e->out++ = meant[byte];
    } else if (byte >= '0' && byte <= '7') {
        return octal_escape(e);
    } else if (byte == 'x') {
        return hex_escape(e);
    } else if (byte == 'u' || byte == 'U') {
        return character_escape(e);
    } else if (byte == 'N') {
        return blame(e->fault, e->at, "\\N is not supported");
    } else if (byte != '\n') { /* a newline can only be made by \u000a */
        *e->out++ = '\\';
        *e->out++ = byte;
    }
    e->at += 2;
    return true;
}

/* Output never overtakes input, so both may be the same bytes. */
static bool resolve_escapes(escapes *e)
{
    const uint8_t *at = e->at, *end = e->end;
    uint8_t *out = e->out;
    while (at < end) {
        if (*at != '\\') {
            *out++ = *at++;
        } else if (end - at >= 4 && tfp_is_octal_escape(at)) {
            *out++ = (uint8_t)((at[1] & 3) << 6 | (at[2] & 7) << 3 |
                               (at[3] & 7));
            at += 4;
        } else {
            e->at = at;
            e->out = out;
            if (!one_escape(e))
                return false;
            at = e->at;
            out = e->out;
        }
    }
    e->out = out;
    return true;
}

size_t tfp_unescape(tfp_span text, uint8_t *out, tfp_escape_fault *fault)
{
    escapes e = { .at = text.data,
                  .end = text.data + text.size,
                  .out = out,
                  .fault = fault };
    *fault = (tfp_escape_fault){ 0 };
    if (!resolve_escapes(&e)) {
        /* Wrong, or not to be done in one pass: \x\u0031 is both. */
        tfp_escape_fault found = *fault;
        *fault = (tfp_escape_fault){ 0 };
        e = (escapes){
            .at = out, .out = out, .resolved = true, .fault = fault
        };
        e.end = out + resolve_characters(text, out, fault);
        if (!fault->why && !resolve_escapes(&e))
            fault->at = text.data; /* where it was cannot be told any more */
        if (fault->why && found.why)
            *fault = found;
    }
    return fault->why ? 0 : (size_t)(e.out - out);
}
