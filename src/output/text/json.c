/*
 * json.c - writes JSON as it comes, without holding it.
 */
#include "output/text/json.h"

#include <assert.h>
#include <math.h>

#include "base/escape.h"
#include "output/text/decimal.h"
#include "output/text/figures.h"

void tfp_json_init(tfp_json *j, tfp_sink *sink)
{
    *j = (tfp_json){ .sink = sink };
}

static void new_line(tfp_json *j)
{
    tfp_sink_char(j->sink, '\n');
    for (int i = 0; i < j->level && !j->compact; i++)
        tfp_sink_text(j->sink, "  ");
}

/* ---- Strings ------------------------------------------------------------ */

/* Not 0 where one of eight bytes is that one. */
static uint64_t has_byte(uint64_t eight, uint8_t byte)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t zero = eight ^ ones * byte;
    return (zero - ones) & ~zero & ones << 7;
}

/* Are eight bytes printable ASCII that needs no escape? */
static bool are_safe(const uint8_t *bytes)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t eight;
    memcpy(&eight, bytes, sizeof(eight));
    return !(((eight | (eight - ones * ' ') | (eight + ones)) & ones << 7) |
             has_byte(eight, '"') | has_byte(eight, '\\') |
             has_byte(eight, '<'));
}

/* How many bytes at the start are so; of most names all. */
static size_t safe_run(tfp_span text)
{
    size_t at = 0;
    while (at + 8 <= text.size && are_safe(text.data + at))
        at += 8;
    if (at > 0 && at + 8 > text.size && are_safe(text.data + (text.size - 8)))
        return text.size;
    while (at < text.size && text.data[at] >= ' ' && text.data[at] < 0x7f &&
           text.data[at] != '"' && text.data[at] != '\\' &&
           text.data[at] != '<')
        at++;
    return at;
}

static void put_escaped(tfp_json *j, uint32_t code, tfp_span one)
{
    if (code == '"' || code == '\\')
        tfp_sink_format(j->sink, "\\%c", (char)code);
    else if (code == '\n')
        tfp_sink_text(j->sink, "\\n");
    else if (code == '\t')
        tfp_sink_text(j->sink, "\\t");
    else if (code == '<' || (code < 0x10000 && !tfp_escape_plain(one)))
        tfp_sink_format(j->sink, "\\u%04x", (unsigned)code);
    else
        tfp_sink_bytes(j->sink, one);
}

/* What stands inside quotes: JSON's own escapes; "<" as \u003c, so that the
 * text can stand in a page; hidden characters as \u; invalid bytes as \xHH,
 * which after reading is the same text that the terminal shows. */
static void put_text(tfp_json *j, tfp_span text)
{
    while (text.size > 0) {
        size_t n = safe_run(text);
        if (n > 0) {
            tfp_sink_bytes(j->sink, (tfp_span){ text.data, n });
        } else {
            uint32_t code = 0;
            n = tfp_utf8_next(text, &code);
            if (n > 0) {
                put_escaped(j, code, (tfp_span){ text.data, n });
            } else {
                j->sink->escaped = true;
                tfp_sink_format(j->sink, "\\\\x%02x", text.data[n++]);
            }
        }
        text.data += n;
        text.size -= n;
    }
}

/* ---- Structure ---------------------------------------------------------- */

/* What stands before a value. Keys are words of ours and need no escape. */
static void begin_item(tfp_json *j, const char *key)
{
    size_t size = key ? strlen(key) : 0;
    char *at, *start;
    if (j->has_items[j->level])
        tfp_sink_char(j->sink, ',');
    if (j->level > 0 && j->line_level == 0)
        new_line(j);
    start = at = tfp_sink_room(j->sink, size + sizeof(" \"\": "));
    if (j->has_items[j->level] && j->line_level > 0 && !j->compact)
        *at++ = ' ';
    j->has_items[j->level] = true;
    if (key) {
        *at++ = '"';
        memcpy(at, key, size);
        at += size;
        *at++ = '"';
        *at++ = ':';
        if (!j->compact)
            *at++ = ' ';
    }
    tfp_sink_took(j->sink, (size_t)(at - start));
}

static void open_level(tfp_json *j, char bracket)
{
    assert(j->level + 1 < TFP_JSON_LEVELS);
    tfp_sink_char(j->sink, bracket);
    j->level++;
    j->closing[j->level] = bracket == '{' ? '}' : ']';
    j->has_items[j->level] = false;
}

void tfp_json_open(tfp_json *j, const char *key, char bracket)
{
    begin_item(j, key);
    open_level(j, bracket);
}

void tfp_json_open_named(tfp_json *j, tfp_span key, char bracket)
{
    begin_item(j, NULL);
    tfp_sink_char(j->sink, '"');
    put_text(j, key);
    tfp_sink_text(j->sink, j->compact ? "\":" : "\": ");
    open_level(j, bracket);
}

void tfp_json_open_line(tfp_json *j, const char *key, char bracket)
{
    tfp_json_open(j, key, bracket);
    if (j->line_level == 0)
        j->line_level = j->level;
}

void tfp_json_close(tfp_json *j)
{
    char closing = j->closing[j->level];
    bool had_items = j->has_items[j->level];
    j->level--;
    if (had_items && j->line_level == 0)
        new_line(j);
    if (j->level < j->line_level)
        j->line_level = 0;
    tfp_sink_char(j->sink, closing);
    if (j->level == 0)
        tfp_sink_text(j->sink, "\n");
}

void tfp_json_int(tfp_json *j, const char *key, int64_t value)
{
    begin_item(j, key);
    tfp_sink_took(j->sink, tfp_figure_integer(
                               value, tfp_sink_room(j->sink, TFP_FIGURE_SIZE)));
}

void tfp_json_exact_int(tfp_json *j, const char *key, int64_t value)
{
    const int64_t most = (int64_t)1 << 53;
    char digits[TFP_FIGURE_SIZE];
    if (value > -most && value < most) {
        tfp_json_int(j, key, value);
    } else {
        tfp_figure_integer(value, digits);
        tfp_json_text(j, key, digits);
    }
}

void tfp_json_bool(tfp_json *j, const char *key, bool value)
{
    begin_item(j, key);
    tfp_sink_text(j->sink, value ? "true" : "false");
}

void tfp_json_constant(tfp_json *j, const char *items)
{
    begin_item(j, NULL);
    tfp_sink_text(j->sink, items);
}

void tfp_json_null(tfp_json *j, const char *key)
{
    begin_item(j, key);
    tfp_sink_text(j->sink, "null");
}

void tfp_json_string(tfp_json *j, const char *key, tfp_span value)
{
    begin_item(j, key);
    tfp_sink_char(j->sink, '"');
    put_text(j, value);
    tfp_sink_char(j->sink, '"');
}

void tfp_json_joined(tfp_json *j, const char *key, const char *before,
                     tfp_span value, const char *after)
{
    begin_item(j, key);
    tfp_sink_char(j->sink, '"');
    put_text(j, tfp_span_of(before));
    put_text(j, value);
    put_text(j, tfp_span_of(after));
    tfp_sink_char(j->sink, '"');
}

void tfp_json_token(tfp_json *j, const char *key, tfp_span value)
{
    begin_item(j, key);
    tfp_sink_bytes(j->sink, value);
}

void tfp_json_double(tfp_json *j, const char *key, double value)
{
    char digits[TFP_DECIMAL_SIZE];
    size_t size = tfp_decimal_exact(value, digits);
    tfp_json_token(j, key, (tfp_span){ (const uint8_t *)digits, size });
}

void tfp_json_double_or_null(tfp_json *j, const char *key, double value,
                             bool is_known)
{
    if (is_known && isfinite(value))
        tfp_json_double(j, key, value);
    else
        tfp_json_null(j, key);
}

void tfp_json_text(tfp_json *j, const char *key, const char *value)
{
    tfp_json_string(j, key, tfp_span_of(value));
}
