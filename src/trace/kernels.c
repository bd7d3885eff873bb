/*
 * kernels.c - the kernels of GPUs, by the form in which they were launched, and
 * their copies.
 *
 * The trace tells the form as text: "regs:32 static_shared:0 grid:8,1,1
 * block:256,1,1 occ_pct:100"; of a copy "kind_src:pinned kind_dst:device
 * size:4096 dest:0 async:1".
 */
#include "trace/kernels.h"

#include "model/model.h"
#include "proto/numbers.h"
#include "trace/loading.h"

bool tfp_kernels_init(tfp_loading *l)
{
    tfp_trace_kernels *k = &l->kernels;
    k->is_on = l->request->model->gathers & TFP_GATHER_KERNELS;
    tfp_id_map_init(&k->launches, l->memory, l->space->seed);
    return !k->is_on ||
           (tfp_interner_init(&k->keys, l->memory, 8, l->space->seed) &&
            tfp_interner_init(&k->copy_keys, l->memory, 8, l->space->seed));
}

void tfp_kernels_release(tfp_loading *l)
{
    tfp_trace_kernels *k = &l->kernels;
    if (k->is_on) {
        tfp_interner_release(&k->keys);
        tfp_interner_release(&k->copy_keys);
    }
    TFP_VEC_RELEASE(l->memory, &k->rows);
    TFP_VEC_RELEASE(l->memory, &k->nodes);
    TFP_VEC_RELEASE(l->memory, &k->copies);
    TFP_VEC_RELEASE(l->memory, &k->copy_nodes);
    TFP_VEC_RELEASE(l->memory, &k->launch_times);
    tfp_id_map_release(&k->launches);
}

/* ---- Launches ----------------------------------------------------------- */

/* Of several events with one number the longest has the others inside. */
bool tfp_kernels_add_launch(tfp_loading *l, const tfp_event *event)
{
    tfp_trace_kernels *k = &l->kernels;
    int64_t number;
    uint32_t at;
    if (!tfp_stats_number(&event->stats, TFP_KNOWN_CORRELATION, &number))
        return true;
    at = tfp_id_map_find(&k->launches, number);
    if (at != TFP_NO_ID) {
        if (event->length > k->launch_times.data[at])
            k->launch_times.data[at] = event->length;
        return true;
    }
    at = (uint32_t)k->launch_times.count;
    return at < TFP_NO_ID &&
           TFP_VEC_PUSH(l->memory, &k->launch_times, event->length) &&
           tfp_id_map_put(&k->launches, number, at);
}

/* The time that launching this kernel took; -1 when it is not known. One launch
 * may start many kernels: it counts with the first. */
static int64_t take_launch(tfp_trace_kernels *k, const tfp_event *event)
{
    int64_t number, time;
    uint32_t at;
    if (!tfp_stats_number(&event->stats, TFP_KNOWN_CORRELATION, &number))
        return -1;
    at = tfp_id_map_find(&k->launches, number);
    if (at == TFP_NO_ID)
        return -1;
    time = k->launch_times.data[at];
    k->launch_times.data[at] = 0;
    return time;
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
                       .least = INT64_MAX,
                       .launch = -1 };
    return row.grid != TFP_NO_ID && row.block != TFP_NO_ID &&
           TFP_VEC_PUSH(l->memory, &l->kernels.rows, row) &&
           TFP_VEC_PUSH(l->memory, &l->kernels.nodes, node);
}

static bool add_kernel(tfp_loading *l, const tfp_event *event, tfp_span details,
                       uint32_t node)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_model *model = l->request->model;
    tfp_string form_id, name;
    uint32_t item;
    tfp_kernel *row;
    int64_t launch;
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
    launch = take_launch(k, event);
    if (launch >= 0)
        row->launch = tfp_add_sat(row->launch < 0 ? 0 : row->launch, launch);
    return true;
}

/* ---- Copies ------------------------------------------------------------- */

/* The size of a copy; -1 when it is not told. */
static int64_t size_of(tfp_span details)
{
    tfp_span word, value;
    while (next_word(&details, &word)) {
        if (has_key(word, "size", &value))
            return whole(value);
    }
    return -1;
}

static bool add_copy(tfp_loading *l, const tfp_event *event, tfp_span details,
                     uint32_t node)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_string kind = tfp_model_string(l->request->model, event->type->name);
    uint32_t key[] = { kind, node }, item;
    tfp_copy *row;
    int64_t size = size_of(details);
    if (kind == TFP_NO_ID)
        return false;
    item = tfp_intern(&k->copy_keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return false;
    if (item > k->copies.count &&
        !(TFP_VEC_PUSH(l->memory, &k->copies, (tfp_copy){ .kind = kind }) &&
          TFP_VEC_PUSH(l->memory, &k->copy_nodes, node)))
        return false;
    row = &k->copies.data[item - 1];
    row->count = tfp_add_sat(row->count, event->count);
    row->total = tfp_add_sat(row->total, event->length);
    if (size >= 0) {
        row->bytes = tfp_add_sat(row->bytes, tfp_mul_sat(size, event->count));
        row->timed = tfp_add_sat(row->timed, event->length);
    }
    return true;
}

bool tfp_kernels_add(tfp_loading *l, const tfp_event *event, uint32_t node)
{
    tfp_span details = tfp_stats_text(&event->stats, TFP_KNOWN_KERNEL_DETAILS);
    if (!event->type)
        return true;
    if (details.size > 0)
        return add_kernel(l, event, details, node);
    details = tfp_stats_text(&event->stats, TFP_KNOWN_MEMCPY_DETAILS);
    return details.size == 0 || add_copy(l, event, details, node);
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
    for (size_t i = 0; i < l->kernels.copies.count; i++) {
        tfp_copy row = l->kernels.copies.data[i];
        row.node = l->nodes.nodes.data[l->kernels.copy_nodes.data[i]].name;
        if (!TFP_VEC_PUSH(l->memory, &g->copies, row))
            return false;
    }
    return true;
}
