/*
 * kernels.c - the kernels of GPUs, by the form in which they were launched.
 *
 * The trace tells the form as text: "regs:32 static_shared:0 grid:8,1,1
 * block:256,1,1 occ_pct:100".
 */
#include "trace/kernels.h"

#include "model/model.h"
#include "proto/numbers.h"
#include "trace/loading.h"

bool tfp_kernels_init(tfp_loading *l)
{
    l->kernels.is_on = l->request->model->gathers & TFP_GATHER_KERNELS;
    return !l->kernels.is_on ||
           tfp_interner_init(&l->kernels.keys, l->memory, 8, l->space->seed);
}

void tfp_kernels_release(tfp_loading *l)
{
    if (l->kernels.is_on)
        tfp_interner_release(&l->kernels.keys);
    TFP_VEC_RELEASE(l->memory, &l->kernels.rows);
    TFP_VEC_RELEASE(l->memory, &l->kernels.nodes);
}

/* ---- The form ----------------------------------------------------------- */

/* The next of words that blanks or newlines part. False past the last. */
static bool next_word(tfp_span *rest, tfp_span *word)
{
    size_t size = 0;
    while (rest->size > 0 && (*rest->data == ' ' || *rest->data == '\n')) {
        rest->data++;
        rest->size--;
    }
    while (size < rest->size && rest->data[size] != ' ' &&
           rest->data[size] != '\n')
        size++;
    *word = (tfp_span){ rest->data, size };
    rest->data += size;
    rest->size -= size;
    return size > 0;
}

/* Is `word` "key:value"? */
static bool has_key(tfp_span word, const char *key, tfp_span *value)
{
    size_t size = strlen(key);
    if (word.size <= size || !tfp_span_starts(word, key) ||
        word.data[size] != ':')
        return false;
    *value = (tfp_span){ word.data + size + 1, word.size - size - 1 };
    return true;
}

static int64_t whole(tfp_span value)
{
    tfp_integer number;
    return tfp_integer_read(value, false, &number) && !number.negative &&
                   !number.too_large && number.magnitude <= INT64_MAX
               ? (int64_t)number.magnitude
               : 0;
}

typedef struct form {
    tfp_span grid, block;
    int64_t registers, shared_bytes;
    double occupancy;
} form;

static form read_form(tfp_span details)
{
    form f = { .registers = -1, .occupancy = -1 };
    tfp_span word, value;
    while (next_word(&details, &word)) {
        if (has_key(word, "regs", &value))
            f.registers = whole(value);
        else if (has_key(word, "static_shared", &value) ||
                 has_key(word, "dynamic_shared", &value) ||
                 has_key(word, "group_mem", &value)) /* as AMD calls it */
            f.shared_bytes = tfp_add_sat(f.shared_bytes, whole(value));
        else if (has_key(word, "grid", &value))
            f.grid = value;
        else if (has_key(word, "block", &value))
            f.block = value;
        else if (has_key(word, "occ_pct", &value) &&
                 (!tfp_double_read(value, &f.occupancy) ||
                  !(f.occupancy >= 0 && f.occupancy < 1e6)))
            f.occupancy = -1;
    }
    return f;
}

/* ---- Rows --------------------------------------------------------------- */

static bool new_row(tfp_loading *l, const form *f, tfp_string name,
                    uint32_t node)
{
    tfp_model *model = l->request->model;
    tfp_kernel row = { .name = name,
                       .grid = tfp_model_string(model, f->grid),
                       .block = tfp_model_string(model, f->block),
                       .registers = f->registers,
                       .shared_bytes = f->shared_bytes,
                       .occupancy = f->occupancy,
                       .least = INT64_MAX };
    return row.grid != TFP_NO_ID && row.block != TFP_NO_ID &&
           TFP_VEC_PUSH(l->memory, &l->kernels.rows, row) &&
           TFP_VEC_PUSH(l->memory, &l->kernels.nodes, node);
}

bool tfp_kernels_add(tfp_loading *l, const tfp_event *event, uint32_t node)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_span details = tfp_stats_text(&event->stats, TFP_KNOWN_KERNEL_DETAILS);
    tfp_model *model = l->request->model;
    tfp_string form_id, name;
    uint32_t item;
    tfp_kernel *row;
    if (details.size == 0 || !event->type)
        return true;
    form_id = tfp_model_string(model, details);
    name = tfp_model_string(model, event->type->name);
    if (form_id == TFP_NO_ID || name == TFP_NO_ID)
        return false;
    item = tfp_intern(&k->keys, (tfp_span){ (const uint8_t *)(uint32_t[]){
                                                name, form_id, node },
                                            3 * sizeof(uint32_t) });
    if (item == TFP_NO_ID)
        return false;
    if (item > k->rows.count) {
        form f = read_form(details);
        if (!new_row(l, &f, name, node))
            return false;
    }
    row = &k->rows.data[item - 1];
    row->count = tfp_add_sat(row->count, event->count);
    row->total = tfp_add_sat(row->total, event->length);
    row->least = event->length < row->least ? event->length : row->least;
    row->most = event->length > row->most ? event->length : row->most;
    return true;
}

bool tfp_kernels_finish(tfp_loading *l)
{
    tfp_gathered *g = &l->request->model->gathered;
    for (size_t i = 0; i < l->kernels.rows.count; i++) {
        const tfp_trace_node *node =
            &l->nodes.nodes.data[l->kernels.nodes.data[i]];
        tfp_kernel row = l->kernels.rows.data[i];
        row.node = node->name;
        row.trace = node->trace;
        if (!TFP_VEC_PUSH(l->memory, &g->kernels, row))
            return false;
    }
    return true;
}
