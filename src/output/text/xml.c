/*
 * xml.c - text in a document of XML 1.0.
 */
#include "output/text/xml.h"

#include <string.h>

static const char *entity_of(uint8_t byte)
{
    switch (byte) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return NULL;
    }
}

/* U+FFFE and U+FFFF: valid UTF-8 and not hidden, but not characters of XML. */
static bool is_forbidden(tfp_span text)
{
    return text.size >= 3 && text.data[0] == 0xef && text.data[1] == 0xbf &&
           text.data[2] >= 0xbe;
}

void tfp_xml_text(tfp_sink *sink, tfp_span text)
{
    size_t from = 0;
    for (size_t i = 0; i < text.size; i++) {
        tfp_span rest = { text.data + i, text.size - i };
        const char *entity = entity_of(text.data[i]);
        bool forbidden = !entity && is_forbidden(rest);
        if (!entity && !forbidden)
            continue;
        tfp_sink_escaped(sink, (tfp_span){ text.data + from, i - from });
        if (entity) {
            tfp_sink_text(sink, entity);
        } else {
            sink->escaped = true;
            tfp_sink_format(sink, "\\xef\\xbf\\x%02x", rest.data[2]);
            i += 2;
        }
        from = i + 1;
    }
    if (text.size > from)
        tfp_sink_escaped(sink,
                         (tfp_span){ text.data + from, text.size - from });
}
