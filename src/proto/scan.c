/*
 * scan.c - the tokens of protobuf's text format.
 *
 * Most of a printed message is indentation, so runs of spaces and the inside
 * of strings are looked at eight bytes at a time.
 */
#include "proto/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "proto/unescape.h"

/* clang-format off */
#define B TFP_BYTE_BLANK
#define L (TFP_BYTE_LETTER | TFP_BYTE_URL)
#define D (TFP_BYTE_DIGIT | TFP_BYTE_URL)
#define S (TFP_BYTE_SIGN | TFP_BYTE_URL)
#define P (TFP_BYTE_DOT | TFP_BYTE_URL)
#define Q TFP_BYTE_QUOTE
#define U TFP_BYTE_URL
const uint8_t tfp_byte_class[256] = {
    /* Python counts the separators 0x1c to 0x1f as blanks too. */
    0, 0, 0, 0, 0, 0, 0, 0, 0, B, B, B, B, B, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, B, B, B, B,
    B, U, Q, B, U, U, U, Q, U, U, U, S, U, S, P, 0, /*  !"#$%&'()*+,-./ */
    D, D, D, D, D, D, D, D, D, D, 0, U, 0, U, 0, 0, /* 0123456789:;<=>? */
    0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    L, L, L, L, L, L, L, L, L, L, L, 0, 0, 0, 0, L, /* PQRSTUVWXYZ[\]^_ */
    0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
    L, L, L, L, L, L, L, L, L, L, L, 0, 0, 0, U, 0, /* pqrstuvwxyz{|}~  */
    /* Some of the following begin a blank that is not ASCII. */
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
    B, B, B, B, B, B, B, B, B, B, B, B, B, B, B, B,
};
#undef B
#undef L
#undef D
#undef S
#undef P
#undef Q
#undef U
/* clang-format on */

/* ---- Eight bytes at a time ---------------------------------------------- */

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (uint8_t)(byte))

/* The byte at `at` is the lowest of the result, whatever the machine. */
static inline uint64_t load8(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The highest bit of each byte that is 0. Bytes above the lowest such byte
 * may be marked wrongly; only the lowest mark is used. */
static inline uint64_t mark_zeros(uint64_t word)
{
    return (word - EACH_BYTE(1)) & ~word & EACH_BYTE(0x80);
}

static inline size_t lowest(uint64_t mark)
{
    return (size_t)__builtin_ctzll(mark) / 8;
}

/* Indentation is mostly less than 16 and never the same: that much is looked
 * at without a branch. */
static inline const uint8_t *skip_spaces(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= 16) {
        uint64_t one = load8(at) ^ EACH_BYTE(' ');
        uint64_t two = load8(at + 8) ^ EACH_BYTE(' ');
        uint64_t other = one ? one : two;
        at += one ? 0 : 8;
        if (other)
            return at + lowest(other);
        at += 8;
    }
    while (at < end && *at == ' ')
        at++;
    return at;
}

/* The first quote, backslash or newline, or `end`. */
static const uint8_t *find_special(const uint8_t *at, const uint8_t *end,
                                   uint8_t quote)
{
    const uint64_t quotes = EACH_BYTE(quote);
    while (end - at >= 8) {
        uint64_t word = load8(at);
        uint64_t marks = mark_zeros(word ^ quotes) |
                         mark_zeros(word ^ EACH_BYTE('\\')) |
                         mark_zeros(word ^ EACH_BYTE('\n'));
        if (marks)
            return at + lowest(marks);
        at += 8;
    }
    while (at < end && *at != quote && *at != '\\' && *at != '\n')
        at++;
    return at;
}

/* ---- The window --------------------------------------------------------- */

/* True when `size` bytes stand at scan->at, which may have moved. */
static bool need(tfp_scan *s, size_t size)
{
    tfp_reader *r = s->reader;
    bool enough;
    if ((size_t)(s->end - s->at) >= size)
        return true;
    if (s->at)
        r->at = (size_t)(s->at - r->window);
    enough = tfp_reader_need(r, size);
    if (r->window) {
        s->at = r->window + r->at;
        s->end = r->window + r->end;
    }
    return enough;
}

static int64_t offset_of(const tfp_scan *s, const uint8_t *byte)
{
    if (!byte)
        return tfp_reader_offset(s->reader);
    return s->reader->offset + (byte - s->reader->window);
}

void tfp_scan_init(tfp_scan *s, tfp_reader *reader)
{
    *s = (tfp_scan){ .reader = reader, .line = 1 };
    if (reader->window) {
        s->at = reader->window + reader->at;
        s->end = reader->window + reader->end;
    }
    if (need(s, 3) && !memcmp(s->at, "\xef\xbb\xbf", 3))
        s->at += 3;
    s->line_start = offset_of(s, s->at);
}

/* ---- Blanks ------------------------------------------------------------- */

/* The size of a blank that is not ASCII: U+0085, U+00A0, U+1680, U+2000 to
 * U+200A, U+2028, U+2029, U+202F, U+205F or U+3000. 0 for anything else. */
static size_t wide_blank(tfp_scan *s)
{
    const uint8_t *at;
    uint32_t three;
    (void)need(s, 3);
    at = s->at;
    if (s->end - at >= 2 && at[0] == 0xc2)
        return at[1] == 0x85 || at[1] == 0xa0 ? 2 : 0;
    if (s->end - at < 3)
        return 0;
    three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    if (three >= 0xe28080 && three <= 0xe2808a)
        return 3;
    switch (three) {
    case 0xe19a80:
    case 0xe280a8:
    case 0xe280a9:
    case 0xe280af:
    case 0xe2819f:
    case 0xe38080: return 3;
    default: return 0;
    }
}

/* Passes over the rest of the line, not the newline. */
static void skip_comment(tfp_scan *s)
{
    do {
        const uint8_t *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
        if (newline) {
            s->at = newline;
            return;
        }
        s->at = s->end;
    } while (need(s, 1));
}

int tfp_scan_blanks(tfp_scan *s)
{
    const uint8_t *at = s->at, *end = s->end;
    for (;;) {
        size_t size;
        if (at < end && *at == '\n') {
            at++;
            s->line++;
            s->line_start = offset_of(s, at);
        }
        at = skip_spaces(at, end);
        s->at = at;
        if (at == end) {
            if (!need(s, 1))
                return TFP_SCAN_END;
        } else if (!(tfp_byte_class[*at] & TFP_BYTE_BLANK)) {
            return *at;
        } else if (*at == '\n') {
            continue;
        } else if (*at == '#') {
            skip_comment(s);
        } else if (*at < 0x80) {
            s->at++;
        } else if ((size = wide_blank(s)) > 0) {
            s->at += size;
        } else {
            return *s->at;
        }
        at = s->at;
        end = s->end;
    }
}

/* ---- Words and strings -------------------------------------------------- */

tfp_span tfp_scan_word(tfp_scan *s)
{
    /* A number may have dots in it, a name may not. */
    int mask = tfp_byte_class[*s->at] & TFP_BYTE_LETTER ? TFP_BYTE_WORD
                                                        : TFP_BYTE_NUMBER;
    size_t size = 1;
    tfp_span word;
    do {
        const uint8_t *at = s->at + size;
        while (at < s->end && tfp_byte_class[*at] & mask)
            at++;
        size = (size_t)(at - s->at);
    } while (s->at + size == s->end && need(s, size + 1));
    word = (tfp_span){ s->at, size };
    s->at += size;
    if (s->reader->status != TFPROF_OK && s->at == s->end)
        word.size = 0;
    return word;
}

int tfp_scan_string(tfp_scan *s, tfp_span *inner, bool *escaped,
                    tfprof_error *err)
{
    uint8_t quote = *s->at;
    const uint8_t *at = s->at + 1;
    *escaped = false;
    for (;;) {
        size_t size;
        at = find_special(at, s->end, quote);
        if (s->end - at >= 2 && *at == '\\' && at[1] != '\n') {
            const uint8_t *first = at;
            *escaped = true;
            while (s->end - at >= 4 && tfp_is_octal_escape(at))
                at += 4;
            at += at == first ? 2 : 0;
            continue;
        }
        if (at < s->end && *at == quote)
            break;
        if (s->end - at >= 2 || (at < s->end && *at == '\n'))
            return tfp_scan_fail(
                s, tfp_scan_place(s, s->at), err,
                "unterminated string: no closing quote on this line");
        size = (size_t)(at - s->at);
        if (!need(s, (size_t)(s->end - s->at) + 1)) {
            s->at = s->end;
            return TFP_SCAN_CUT;
        }
        at = s->at + size;
    }
    *inner = (tfp_span){ s->at + 1, (size_t)(at - s->at) - 1 };
    s->at = at + 1;
    return TFPROF_OK;
}

/* ---- Errors ------------------------------------------------------------- */

tfp_place tfp_scan_place(const tfp_scan *s, const uint8_t *byte)
{
    int64_t offset = offset_of(s, byte);
    return (tfp_place){ offset, s->line, offset - s->line_start + 1 };
}

int tfp_scan_fail(const tfp_scan *s, tfp_place place, tfprof_error *err,
                  const char *format, ...)
{
    va_list args;
    int size;
    if (s->reader->status != TFPROF_OK) {
        if (err)
            *err = s->reader->why;
        return s->reader->status;
    }
    if (!err)
        return TFPROF_ERR_MALFORMED;
    *err = (tfprof_error){ .code = TFPROF_ERR_MALFORMED,
                           .offset = place.offset,
                           .line = place.line,
                           .column = place.column };
    va_start(args, format);
    size = vsnprintf(err->message, sizeof(err->message), format, args);
    va_end(args);
    if (size >= (int)sizeof(err->message))
        tfp_escape_mark_cut(err->message, sizeof(err->message));
    return TFPROF_ERR_MALFORMED;
}

/* Says in `text` what stands at the peeked byte. */
static void describe(const tfp_scan *s, int byte, char *text, size_t size)
{
    bool first = offset_of(s, s->at) == 0;
    if (byte == 0)
        snprintf(text, size, "a NUL byte (UTF-16 text or a binary file?)");
    else if (first && (byte == 0xff || byte == 0xfe))
        snprintf(text, size, "UTF-16 text (only UTF-8 is supported)");
    else if (tfp_scan_is_quote(byte))
        snprintf(text, size, "a string");
    else if (tfp_scan_is_word(byte)) {
        tfp_span word = { s->at, 1 }; /* as far as the window shows it */
        while (word.data + word.size < s->end && word.size <= TFP_SHOWN &&
               tfp_byte_class[word.data[word.size]] & TFP_BYTE_NUMBER)
            word.size++;
        snprintf(text, size, "\"%s\"", tfp_shorten(word, TFP_SHOWN).text);
    } else if (byte > ' ' && byte < 0x7f)
        snprintf(text, size, "'%c'", byte);
    else
        snprintf(text, size, "byte 0x%02x", (unsigned)byte);
}

int tfp_scan_expected(tfp_scan *s, const char *what, tfprof_error *err)
{
    int byte = tfp_scan_peek(s);
    char found[sizeof(tfp_short) + 2]; /* with its quotes */
    if (byte == TFP_SCAN_END)
        return TFP_SCAN_CUT;
    describe(s, byte, found, sizeof(found));
    return tfp_scan_fail(s, tfp_scan_place(s, s->at), err,
                         "expected %s, found %s", what, found);
}
