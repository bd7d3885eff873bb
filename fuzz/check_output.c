/*
 * check_output.c - is what we wrote what a reader of it may expect?
 */
#include "check_output.h"

#include <stdlib.h>

#include "proto/schema.h"

enum { MOST_LEVELS = 32 };

/* The size of the UTF-8 character at `at`, 0 when there is none. */
static size_t character_size(const uint8_t *at, const uint8_t *end)
{
    /* First byte from, to; second byte from, to; size. RFC 3629. */
    static const uint8_t forms[][5] = {
        { 0x00, 0x7f, 0x80, 0xbf, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 },
        { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
        { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
        { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        const uint8_t *form = forms[i];
        size_t size = form[4];
        if (*at < form[0] || *at > form[1])
            continue;
        if ((size_t)(end - at) < size ||
            (size > 1 && (at[1] < form[2] || at[1] > form[3])))
            return 0;
        for (size_t k = 2; k < size; k++) {
            if ((at[k] & 0xc0) != 0x80)
                return 0;
        }
        return size;
    }
    return 0;
}

bool fuzz_is_printable(tfp_span text)
{
    const uint8_t *at = text.data, *end = at + text.size;
    while (at < end) {
        size_t size = character_size(at, end);
        if (size == 0 || (*at < ' ' && *at != '\n') || *at == 0x7f)
            return false;
        if (size == 2 && *at == 0xc2 && at[1] < 0xa0) /* U+0080 to U+009F */
            return false;
        at += size;
    }
    return true;
}

/* ---- JSON --------------------------------------------------------------- */

typedef struct json {
    const uint8_t *at, *end;
} json;

static bool value(json *j, int level);

static bool accept(json *j, char byte)
{
    if (j->at == j->end || *j->at != (uint8_t)byte)
        return false;
    j->at++;
    return true;
}

static void blanks(json *j)
{
    while (accept(j, ' ') || accept(j, '\n') || accept(j, '\t') ||
           accept(j, '\r'))
        continue;
}

static bool word(json *j, const char *text)
{
    tfp_span left = { j->at, (size_t)(j->end - j->at) };
    if (!tfp_span_starts(left, text))
        return false;
    j->at += strlen(text);
    return true;
}

static bool digits(json *j)
{
    const uint8_t *start = j->at;
    while (j->at < j->end && *j->at >= '0' && *j->at <= '9')
        j->at++;
    return j->at > start;
}

static bool number(json *j)
{
    (void)accept(j, '-');
    if (!accept(j, '0') && !digits(j))
        return false;
    if (accept(j, '.') && !digits(j))
        return false;
    if (accept(j, 'e') || accept(j, 'E')) {
        if (!accept(j, '-'))
            (void)accept(j, '+');
        return digits(j);
    }
    return true;
}

static bool escape(json *j)
{
    if (!accept(j, 'u')) {
        bool known = j->at < j->end && *j->at && strchr("\"\\/bfnrt", *j->at);
        j->at += known;
        return known;
    }
    for (int i = 0; i < 4; i++, j->at++) {
        if (j->at == j->end || !*j->at ||
            !strchr("0123456789abcdefABCDEF", *j->at))
            return false;
    }
    return true;
}

static bool string(json *j)
{
    if (!accept(j, '"'))
        return false;
    while (!accept(j, '"')) {
        size_t size = j->at < j->end ? character_size(j->at, j->end) : 0;
        if (size == 0 || *j->at < ' ')
            return false;
        if (accept(j, '\\')) {
            if (!escape(j))
                return false;
        } else {
            j->at += size;
        }
    }
    return true;
}

/* What stands between brackets or braces, which have been opened. */
static bool items(json *j, char close, int level)
{
    blanks(j);
    if (accept(j, close))
        return true;
    do {
        blanks(j);
        if (close == '}') {
            if (!string(j))
                return false;
            blanks(j);
            if (!accept(j, ':'))
                return false;
        }
        if (!value(j, level))
            return false;
        blanks(j);
    } while (accept(j, ','));
    return accept(j, close);
}

static bool value(json *j, int level)
{
    if (level == MOST_LEVELS)
        return false;
    blanks(j);
    if (accept(j, '{'))
        return items(j, '}', level + 1);
    if (accept(j, '['))
        return items(j, ']', level + 1);
    if (j->at < j->end && *j->at == '"')
        return string(j);
    return word(j, "true") || word(j, "false") || word(j, "null") || number(j);
}

bool fuzz_is_json(tfp_span text)
{
    json j = { text.data, text.data + text.size };
    return value(&j, 0) && accept(&j, '\n') && j.at == j.end;
}

bool fuzz_is_table(tfp_span text)
{
    size_t fields = 1, expected = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size; i++) {
        uint8_t byte = text.data[i];
        quoted ^= byte == '"';
        fields += byte == ',' && !quoted;
        if (byte == '\n' && (quoted || (expected && fields != expected)))
            return false;
        if (byte == '\n') {
            expected = fields;
            fields = 1;
        }
    }
    return !quoted && text.size > 0 && text.data[text.size - 1] == '\n';
}

/* ---- Messages ----------------------------------------------------------- */

typedef struct message_walk {
    tfp_span bytes;
    size_t at;
    size_t *ends; /* of the messages that we are in */
    size_t depth, room;
} message_walk;

static bool read_varint(message_walk *w, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        uint8_t byte;
        if (w->at >= w->ends[w->depth])
            return false;
        byte = w->bytes.data[w->at++];
        *value |= (uint64_t)(byte & 0x7f) << (shift < 64 ? shift : 63);
        if (byte < 0x80)
            return true;
    }
    return false;
}

static void enter(message_walk *w, size_t size)
{
    if (w->depth + 2 > w->room) {
        w->room = 2 * w->room;
        w->ends = realloc(w->ends, w->room * sizeof(*w->ends));
        if (!w->ends)
            abort();
    }
    w->ends[++w->depth] = w->at + size;
}

static bool is_utf8(const uint8_t *at, size_t size)
{
    const uint8_t *end = at + size;
    while (at < end) {
        size_t n = character_size(at, end);
        if (n == 0)
            return false;
        at += n;
    }
    return true;
}

static bool walk_field(message_walk *w, uint32_t children)
{
    uint64_t tag, value;
    if (!read_varint(w, &tag) || tag >> 3 == 0 || !read_varint(w, &value))
        return false;
    if ((tag & 7) == TFP_WIRE_VARINT)
        return value != 0 || children == 0;
    if ((tag & 7) != TFP_WIRE_BYTES || value > w->ends[w->depth] - w->at)
        return false;
    if (children != 0 && tag >> 3 == children) {
        enter(w, (size_t)value);
        return true;
    }
    if (children != 0 && tag >> 3 == 1 &&
        !is_utf8(w->bytes.data + w->at, (size_t)value))
        return false;
    w->at += (size_t)value;
    return true;
}

bool fuzz_is_message(tfp_span bytes, uint32_t children)
{
    message_walk w = { .bytes = bytes, .room = 16 };
    bool ok = true;
    w.ends = malloc(w.room * sizeof(*w.ends));
    if (!w.ends)
        abort();
    w.ends[0] = bytes.size;
    while (ok && (w.depth > 0 || w.at < w.ends[0])) {
        if (w.at == w.ends[w.depth])
            w.depth--;
        else
            ok = walk_field(&w, children);
    }
    free(w.ends);
    return ok;
}
