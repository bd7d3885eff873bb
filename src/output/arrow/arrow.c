/*
 * arrow.c - columns of an Arrow table.
 */
#include "output/arrow/arrow.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- Metadata ----------------------------------------------------------- */

static void put(tfp_arrow_metadata *m, const void *bytes, size_t size)
{
    assert(size <= sizeof(m->bytes) - m->size);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

tfp_arrow_metadata tfp_arrow_pair(const char *key, const char *value)
{
    const char *const texts[] = { key, value };
    tfp_arrow_metadata m = { .size = 0 };
    int32_t number = 1;
    put(&m, &number, sizeof(number));
    for (int i = 0; i < 2; i++) {
        number = (int32_t)strlen(texts[i]);
        put(&m, &number, sizeof(number));
        put(&m, texts[i], (size_t)number);
    }
    return m;
}

/* ---- Columns ------------------------------------------------------------ */

tfp_arrow_column *tfp_arrow_add(tfp_arrow_table *t, const char *prefix,
                                const char *name, const char *format,
                                const void *data)
{
    tfp_arrow_column *c = &t->columns[t->count++];
    assert(t->count <= TFP_ARROW_COLUMNS);
    *c = (tfp_arrow_column){ .format = format,
                             .buffers = { NULL, data },
                             .buffer_count = 2 };
    snprintf(c->name, sizeof(c->name), "%s%s", prefix, name);
    return c;
}

void tfp_arrow_add_labels(tfp_arrow_table *t, const tfp_labels *labels,
                          const int32_t *zeros)
{
    assert(labels->count + t->count <= TFP_ARROW_COLUMNS);
    memmove(t->columns + labels->count, t->columns,
            t->count * sizeof(t->columns[0]));
    t->count += labels->count;
    for (size_t i = 0; i < labels->count; i++) {
        const tfp_label_pair *label = &labels->at[i];
        tfp_arrow_column *c = &t->columns[i];
        *c = (tfp_arrow_column){ .format = TFP_ARROW_INT32,
                                 .buffers = { NULL, zeros },
                                 .buffer_count = 2,
                                 .text_count = 1,
                                 .texts = { NULL, label->bounds,
                                            label->value } };
        snprintf(c->name, sizeof(c->name), "%s", label->key);
    }
}
