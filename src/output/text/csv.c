/*
 * csv.c - texts in a table of comma-separated values.
 */
#include "output/text/csv.h"

#include "base/escape.h"

void tfp_csv_part(tfp_sink *sink, tfp_span text)
{
    while (text.size > 0) {
        const uint8_t *quote = memchr(text.data, '"', text.size);
        size_t size = quote ? (size_t)(quote - text.data) + 1 : text.size;
        tfp_sink_escaped(sink, (tfp_span){ text.data, size });
        if (quote)
            tfp_sink_text(sink, "\"");
        text.data += size;
        text.size -= size;
    }
}

bool tfp_csv_looks_like_formula(tfp_span text)
{
    return text.size > 0 && memchr("=+-@", text.data[0], 4) != NULL;
}

void tfp_csv_text(tfp_sink *sink, tfp_span text)
{
    tfp_sink_text(sink, tfp_csv_looks_like_formula(text) ? "\"'" : "\"");
    tfp_csv_part(sink, text);
    tfp_sink_text(sink, "\"");
}
