/*
 * fit.c - how well bytes fit a message.
 *
 * A known field with the wire type of the message is a hit, and one with
 * another wire type is a miss. A string that contains control bytes is a miss,
 * too: it is probably a message of another kind, which distinguishes most
 * kinds. A field number that the message does not define is neither, because
 * newer versions add fields; such fields are counted apart. In text, an unknown
 * name is a miss: nothing else distinguishes a message from prose. A node with
 * inputs always has an operation; the entry of an op log with types, which
 * otherwise looks the same, does not.
 */
#include <string.h>

#include "base/bytes.h"
#include "input/kind/kinds.h"
#include "proto/wire.h"

/* So many fields at one level, so many levels: enough to tell, and quick. */
enum { MOST_FIELDS = 40, MOST_LEVELS = 6, STRING_HEAD = 64 };

static bool is_plain_string(tfp_span bytes)
{
    size_t end = bytes.size < STRING_HEAD ? bytes.size : STRING_HEAD;
    for (size_t i = 0; i < end; i++) {
        if (bytes.data[i] < 0x20 && bytes.data[i] != '\n' &&
            bytes.data[i] != '\t' && bytes.data[i] != '\r')
            return false;
    }
    return true;
}

typedef struct level_fit {
    tfp_fit fit;
    bool broken; /* the bytes are no message at all */
} level_fit;

static level_fit fit_level(const tfp_message *message, tfp_span bytes,
                           bool is_cut, int level);

static void fit_field(level_fit *sum, const tfp_message *message, uint32_t tag,
                      tfp_span bytes, bool is_cut, int level)
{
    const tfp_field_spec *spec = tfp_message_field(message,
                                                   tfp_tag_number(tag));
    bool packed = spec && spec->label >= TFP_LABEL_MANY &&
                  tfp_tag_wire(tag) == TFP_WIRE_BYTES;
    level_fit inner;
    if (!spec) {
        sum->fit.unknown++;
        return;
    }
    if (tfp_type_wire(spec->type) != tfp_tag_wire(tag) && !packed) {
        sum->fit.misses++;
        return;
    }
    if (spec->type == TFP_TYPE_STRING && !is_plain_string(bytes)) {
        sum->fit.misses++;
        sum->fit.odd++;
        return;
    }
    sum->fit.hits++;
    if (spec->type != TFP_TYPE_MESSAGE || level >= MOST_LEVELS)
        return;
    inner = fit_level(spec->message, bytes, is_cut, level + 1);
    sum->fit.hits += inner.fit.hits;
    sum->fit.misses += inner.fit.misses + inner.broken;
    sum->fit.odd += inner.fit.odd;
    sum->fit.unknown += inner.fit.unknown;
    sum->fit.doubts += inner.fit.doubts;
}

/* A length that runs past the end is damage, unless the end is only where
 * the probe stopped reading. */
static level_fit fit_level(const tfp_message *message, tfp_span bytes,
                           bool is_cut, int level)
{
    level_fit sum = { 0 };
    bool has_input = false, has_op = false; /* of a node */
    const uint8_t *at = bytes.data, *end = at + bytes.size;
    for (int i = 0; i < MOST_FIELDS && at < end; i++) {
        uint64_t tag, size = 0;
        tfp_record record = { 0 };
        tfp_field f = { .at = at };
        tfp_wire w;
        at = tfp_varint(at, end, TFP_TAG_BYTES, &tag);
        if (!at || tag < 8 || tag > UINT32_MAX) {
            sum.broken = !is_cut || at;
            break;
        }
        f.tag = (uint32_t)tag;
        has_input |= f.tag == NodeDef_input;
        has_op |= f.tag == NodeDef_op;
        if (tfp_tag_wire(f.tag) == TFP_WIRE_BYTES) {
            at = tfp_varint(at, end, TFP_LENGTH_BYTES, &size);
            if (!at) {
                sum.broken = !is_cut;
                break;
            }
            if (size > (uint64_t)(end - at)) {
                sum.broken = !is_cut;
                fit_field(&sum, message, f.tag,
                          (tfp_span){ at, (size_t)(end - at) }, true, level);
                break;
            }
            fit_field(&sum, message, f.tag, (tfp_span){ at, (size_t)size },
                      false, level);
            at += size;
            continue;
        }
        record.bytes = (tfp_span){ at, (size_t)(end - at) };
        record.max_depth = TFP_MOST_DEPTH;
        w = tfp_wire_over(&record);
        if (!tfp_wire_value(&w, &f)) {
            /* More bytes would mend a number, but not a wire type. */
            sum.broken = !is_cut || tfp_tag_wire(f.tag) > TFP_WIRE_FIXED32 ||
                         end - at >= TFP_VARINT_BYTES;
            break;
        }
        fit_field(&sum, message, f.tag, (tfp_span){ 0 }, false, level);
        at = w.at;
    }
    sum.fit.doubts += message == &tfp_NodeDef && has_input && !has_op;
    return sum;
}

tfp_fit tfp_fit_wire(const tfp_message *message, tfp_span bytes, bool is_cut)
{
    level_fit fit = fit_level(message, bytes, is_cut, 0);
    fit.fit.misses += fit.broken;
    return fit.fit;
}

/* ---- Text --------------------------------------------------------------- */

static bool is_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_';
}

/* Passes over a string or a comment that begins at `at`. */
static const uint8_t *skip_quoted(const uint8_t *at, const uint8_t *end)
{
    uint8_t quote = *at++;
    uint8_t stop = quote == '#' ? '\n' : quote;
    while (at < end && *at != stop) {
        if (*at == '\\' && quote != '#' && at + 1 < end)
            at++;
        at++;
    }
    return at < end ? at + 1 : end;
}

tfp_fit tfp_fit_text(const tfp_message *message, tfp_span text)
{
    const tfp_message *stack[MOST_LEVELS + 1] = { message };
    const tfp_field_spec *field = NULL;
    const uint8_t *at = text.data, *end = at + text.size;
    tfp_fit fit = { 0 };
    int level = 0, words = 0;
    bool wants_value = false; /* the word that comes is a value */
    while (at < end && words < MOST_FIELDS * 8) {
        uint8_t c = *at;
        if (c == '"' || c == '\'' || c == '#') {
            wants_value = wants_value && c == '#';
            at = skip_quoted(at, end);
        } else if (is_word(c)) {
            tfp_span word = { at, 0 };
            const tfp_message *here = level <= MOST_LEVELS ? stack[level]
                                                           : NULL;
            while (at < end && (is_word(*at) || *at == '.'))
                at++;
            word.size = (size_t)(at - word.data);
            if (wants_value || at == end || c <= '9') {
                wants_value = false;
                continue;
            }
            words++;
            field = here ? tfp_message_field_named(here, word) : NULL;
            fit.hits += field != NULL;
            fit.misses += here && !field;
        } else {
            if (c == '{' || c == '<') {
                level++;
                if (level <= MOST_LEVELS)
                    stack[level] = field ? field->message : NULL;
                field = NULL;
            } else if ((c == '}' || c == '>') && level > 0) {
                level--;
            }
            wants_value = c == ':' || (wants_value && (c == ' ' || c == '-'));
            at++;
        }
    }
    return fit;
}
