/*
 * json.c - writes JSON as it comes, without holding it.
 */
#include "output/json.h"

#include <assert.h>

#include "output/escape.h"

void tfp_json_init(tfp_json *j, tfp_sink *sink)
{
    *j = (tfp_json){ .sink = sink };
}

static void new_line(tfp_json *j)
{
    if (j->line_level > 0)
        return;
    tfp_sink_text(j->sink, "\n");
    for (int i = 0; i < j->level; i++)
        tfp_sink_text(j->sink, "  ");
}

/* The quotes, and inside them: JSON's own escapes; "<" as \u003c, so that the
 * text can stand in a page; hidden characters as \u; invalid bytes as \xHH,
 * which after reading is the same text that the terminal shows. */
static void put_string(tfp_json *j, tfp_span text)
{
    tfp_sink_text(j->sink, "\"");
    while (text.size > 0) {
        uint32_t code = 0;
        size_t n = tfp_utf8_next(text, &code);
        tfp_span one = { text.data, n };
        j->sink->escaped |= n == 0;
        if (n == 0)
            tfp_sink_format(j->sink, "\\\\x%02x", *text.data);
        else if (code == '"' || code == '\\')
            tfp_sink_format(j->sink, "\\%c", (char)code);
        else if (code == '\n')
            tfp_sink_text(j->sink, "\\n");
        else if (code == '\t')
            tfp_sink_text(j->sink, "\\t");
        else if (code == '<' || (code < 0x10000 && !tfp_escape_plain(one)))
            tfp_sink_format(j->sink, "\\u%04x", (unsigned)code);
        else
            tfp_sink_bytes(j->sink, one);
        n += n == 0;
        text.data += n;
        text.size -= n;
    }
    tfp_sink_text(j->sink, "\"");
}

static void begin_item(tfp_json *j, const char *key)
{
    if (j->has_items[j->level])
        tfp_sink_text(j->sink, j->line_level > 0 ? ", " : ",");
    if (j->level > 0)
        new_line(j);
    j->has_items[j->level] = true;
    if (key) {
        put_string(j, tfp_span_of(key));
        tfp_sink_text(j->sink, ": ");
    }
}

void tfp_json_open(tfp_json *j, const char *key, char bracket)
{
    assert(j->level + 1 < TFP_JSON_LEVELS);
    begin_item(j, key);
    tfp_sink_bytes(j->sink, (tfp_span){ (const uint8_t *)&bracket, 1 });
    j->level++;
    j->closing[j->level] = bracket == '{' ? '}' : ']';
    j->has_items[j->level] = false;
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
    if (had_items)
        new_line(j);
    if (j->level < j->line_level)
        j->line_level = 0;
    tfp_sink_bytes(j->sink, (tfp_span){ (const uint8_t *)&closing, 1 });
    if (j->level == 0)
        tfp_sink_text(j->sink, "\n");
}

void tfp_json_int(tfp_json *j, const char *key, int64_t value)
{
    begin_item(j, key);
    tfp_sink_format(j->sink, "%lld", (long long)value);
}

void tfp_json_bool(tfp_json *j, const char *key, bool value)
{
    begin_item(j, key);
    tfp_sink_text(j->sink, value ? "true" : "false");
}

void tfp_json_null(tfp_json *j, const char *key)
{
    begin_item(j, key);
    tfp_sink_text(j->sink, "null");
}

void tfp_json_string(tfp_json *j, const char *key, tfp_span value)
{
    begin_item(j, key);
    put_string(j, value);
}

void tfp_json_text(tfp_json *j, const char *key, const char *value)
{
    tfp_json_string(j, key, tfp_span_of(value));
}
