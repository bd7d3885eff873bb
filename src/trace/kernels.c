/*
 * kernels.c - the kernels of GPUs, by the form in which they were launched, and
 * their copies.
 *
 * The trace tells the form as text: "regs:32 static_shared:0 grid:8,1,1
 * block:256,1,1 occ_pct:100"; of a copy "kind_src:pinned kind_dst:device
 * size:4096 dest:0 async:1".
 */
#include "trace/kernels.h"

#include "base/sort.h"
#include "model/model.h"
#include "proto/numbers.h"
#include "trace/loading.h"

bool tfp_kernels_init(tfp_loading *l)
{
    tfp_trace_kernels *k = &l->kernels;
    k->is_on = l->request->model->gathers & TFP_GATHER_KERNELS;
    tfp_id_map_init(&k->correlations, l->memory, l->space->seed);
    tfp_id_map_init(&k->forms, l->memory, l->space->seed);
    tfp_id_map_init(&k->copy_details, l->memory, l->space->seed);
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
    TFP_VEC_RELEASE(l->memory, &k->details);
    TFP_VEC_RELEASE(l->memory, &k->nodes);
    TFP_VEC_RELEASE(l->memory, &k->copies);
    TFP_VEC_RELEASE(l->memory, &k->copy_nodes);
    TFP_VEC_RELEASE(l->memory, &k->copy_sizes);
    TFP_VEC_RELEASE(l->memory, &k->launches);
    TFP_VEC_RELEASE(l->memory, &k->rivals);
    tfp_id_map_release(&k->correlations);
    tfp_id_map_release(&k->forms);
    tfp_id_map_release(&k->copy_details);
}

/* ---- Launches ----------------------------------------------------------- */

/* Of several events with one number the longest has the others inside. */
bool tfp_kernels_add_launch(tfp_loading *l, const tfp_event *event)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_kernel_launch launch = { event->length, INT64_MAX, TFP_NO_ID };
    int64_t number;
    uint32_t at;
    if (!tfp_stats_number(&event->stats, TFP_KNOWN_CORRELATION, &number))
        return true;
    at = tfp_id_map_find(&k->correlations, number);
    if (at != TFP_NO_ID) {
        if (event->length > k->launches.data[at].time)
            k->launches.data[at].time = event->length;
        return true;
    }
    at = (uint32_t)k->launches.count;
    return at < TFP_NO_ID && TFP_VEC_PUSH(l->memory, &k->launches, launch) &&
           tfp_id_map_put(&k->correlations, number, at);
}

/* Notes that a kernel belongs to a launch. Kernels come in no order, and of
 * those that start at the same time, the names are compared at the end. */
static bool note_launch(tfp_loading *l, const tfp_event *event, uint32_t row)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_kernel_launch *launch;
    tfp_launch_rival rival = { .begin = event->begin, .row = row };
    int64_t number;
    if (!tfp_stats_number(&event->stats, TFP_KNOWN_CORRELATION, &number))
        return true;
    rival.launch = tfp_id_map_find(&k->correlations, number);
    if (rival.launch == TFP_NO_ID)
        return true;
    launch = &k->launches.data[rival.launch];
    k->rows.data[row].launch = 0; /* known; the times are added at the end */
    if (launch->row == TFP_NO_ID || event->begin < launch->begin) {
        launch->begin = event->begin;
        launch->row = row;
    }
    return event->begin > launch->begin || row == launch->row ||
           TFP_VEC_PUSH(l->memory, &k->rivals, rival);
}

/* Rows may differ in the node alone, or in a part of the form. */
static int by_name(const void *context, uint32_t a, uint32_t b)
{
    const tfp_loading *l = context;
    const tfp_kernel *x = &l->kernels.rows.data[a];
    const tfp_kernel *y = &l->kernels.rows.data[b];
    const tfp_trace_node *nodes = l->nodes.nodes.data;
    const tfp_string left[] = { x->name, x->grid, x->block,
                                nodes[l->kernels.nodes.data[a]].name };
    const tfp_string right[] = { y->name, y->grid, y->block,
                                 nodes[l->kernels.nodes.data[b]].name };
    const tfp_model *model = l->request->model;
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
        if (left[i] != right[i])
            return tfp_span_compare(tfp_model_text(model, left[i]),
                                    tfp_model_text(model, right[i]));
    }
    if (x->registers != y->registers)
        return x->registers < y->registers ? -1 : 1;
    return (x->shared_bytes > y->shared_bytes) -
           (x->shared_bytes < y->shared_bytes);
}

/* The place of each row by name. NULL when out of memory. */
static uint32_t *rank_rows(tfp_loading *l)
{
    size_t count = l->kernels.rows.count;
    tfp_sort_item *items = tfp_memory_zarray(l->memory, 2 * count + 1,
                                             sizeof(*items));
    uint32_t *ranks = tfp_memory_array(l->memory, count + 1, sizeof(*ranks));
    for (size_t i = 0; items && i < count; i++)
        items[i].index = (uint32_t)i;
    if (items && ranks)
        tfp_sort(items, count, items + count, by_name, l);
    for (size_t i = 0; items && ranks && i < count; i++)
        ranks[items[i].index] = (uint32_t)i;
    tfp_memory_free(l->memory, items);
    return ranks;
}

/* Gives the time of each launch to its first kernel, of equal ones to the one
 * whose row is the first by name. */
static bool add_launches(tfp_loading *l)
{
    tfp_trace_kernels *k = &l->kernels;
    if (k->rivals.count > 0) {
        uint32_t *ranks = rank_rows(l);
        if (!ranks)
            return false;
        for (size_t i = 0; i < k->rivals.count; i++) {
            const tfp_launch_rival *rival = &k->rivals.data[i];
            tfp_kernel_launch *launch = &k->launches.data[rival->launch];
            if (rival->begin == launch->begin &&
                ranks[rival->row] < ranks[launch->row])
                launch->row = rival->row;
        }
        tfp_memory_free(l->memory, ranks);
    }
    for (size_t i = 0; i < k->launches.count; i++) {
        const tfp_kernel_launch *launch = &k->launches.data[i];
        if (launch->row != TFP_NO_ID) {
            tfp_kernel *row = &k->rows.data[launch->row];
            row->launch = tfp_add_sat(row->launch, launch->time);
        }
    }
    return true;
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

/* What the details say, as a row. Rows of other kernels have the same details:
 * they are parsed once. False when out of memory. */
static bool find_form(tfp_loading *l, tfp_string details, tfp_kernel *row)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_model *model = l->request->model;
    uint32_t known = tfp_id_map_find(&k->forms, details);
    form f;
    if (known != TFP_NO_ID) {
        *row = k->rows.data[known];
        return true;
    }
    f = read_form(tfp_model_text(model, details));
    *row = (tfp_kernel){ .grid = tfp_model_string(model, f.grid),
                         .block = tfp_model_string(model, f.block),
                         .registers = f.registers,
                         .shared_bytes = f.shared_bytes,
                         .occupancy = f.occupancy };
    return row->grid != TFP_NO_ID && row->block != TFP_NO_ID &&
           tfp_id_map_put(&k->forms, details, (uint32_t)k->rows.count);
}

static bool new_row(tfp_loading *l, tfp_string name, tfp_string details,
                    uint32_t node)
{
    tfp_kernel row;
    if (!find_form(l, details, &row))
        return false;
    row.name = name;
    row.count = row.total = row.most = 0;
    row.least = INT64_MAX;
    row.launch = -1;
    return TFP_VEC_PUSH(l->memory, &l->kernels.rows, row) &&
           TFP_VEC_PUSH(l->memory, &l->kernels.details, details) &&
           TFP_VEC_PUSH(l->memory, &l->kernels.nodes, node);
}

static bool add_kernel(tfp_loading *l, const tfp_event *event, uint32_t node)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_interner *strings = &l->request->model->strings;
    tfp_string details = tfp_stats_string(strings, &event->stats,
                                          TFP_KNOWN_KERNEL_DETAILS);
    tfp_string name = tfp_type_string(strings, event->type);
    uint32_t key[] = { name, details, node }, item;
    tfp_kernel *row;
    if (details == TFP_NO_ID || name == TFP_NO_ID)
        return false;
    item = tfp_intern(&k->keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID ||
        (item > k->rows.count && !new_row(l, name, details, node)))
        return false;
    row = &k->rows.data[item - 1];
    row->count = tfp_add_sat(row->count, event->count);
    row->total = tfp_add_sat(row->total, event->length);
    row->least = event->length < row->least ? event->length : row->least;
    row->most = event->length > row->most ? event->length : row->most;
    return note_launch(l, event, item - 1);
}

/* ---- Copies ------------------------------------------------------------- */

/* The size of a copy; -1 when it is not told. */
static int64_t read_size(tfp_span details)
{
    tfp_span word, value;
    while (next_word(&details, &word)) {
        if (has_key(word, "size", &value))
            return whole(value);
    }
    return -1;
}

/* The same of an event, whose details are parsed once if many events refer to
 * them. False when out of memory. */
static bool find_size(tfp_loading *l, const tfp_stats *stats, int64_t *size)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_string details;
    uint32_t at;
    if (!tfp_stats_ref(stats, TFP_KNOWN_MEMCPY_DETAILS)) {
        *size = read_size(tfp_stats_text(stats, TFP_KNOWN_MEMCPY_DETAILS));
        return true;
    }
    details = tfp_stats_string(&l->request->model->strings, stats,
                               TFP_KNOWN_MEMCPY_DETAILS);
    if (details == TFP_NO_ID)
        return false;
    at = tfp_id_map_find(&k->copy_details, details);
    if (at == TFP_NO_ID) {
        at = (uint32_t)k->copy_sizes.count;
        *size = read_size(tfp_model_text(l->request->model, details));
        return at < TFP_NO_ID &&
               TFP_VEC_PUSH(l->memory, &k->copy_sizes, *size) &&
               tfp_id_map_put(&k->copy_details, details, at);
    }
    *size = k->copy_sizes.data[at];
    return true;
}

static bool add_copy(tfp_loading *l, const tfp_event *event, uint32_t node)
{
    tfp_trace_kernels *k = &l->kernels;
    tfp_string kind = tfp_type_string(&l->request->model->strings, event->type);
    uint32_t key[] = { kind, node }, item;
    tfp_copy *row;
    int64_t size;
    if (kind == TFP_NO_ID || !find_size(l, &event->stats, &size))
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
    const tfp_stats *stats = &event->stats;
    if (!event->type)
        return true;
    if (tfp_stats_text(stats, TFP_KNOWN_KERNEL_DETAILS).size > 0)
        return add_kernel(l, event, node);
    return tfp_stats_text(stats, TFP_KNOWN_MEMCPY_DETAILS).size == 0 ||
           add_copy(l, event, node);
}

/* The node of a row, by name: several nodes have one if their programs compute
 * the same. */
static const tfp_trace_node *first_node(const tfp_loading *l, uint32_t node)
{
    const tfp_trace_node *nodes = l->nodes.nodes.data;
    return &nodes[nodes[node].first];
}

/* Adds up rows that differ only by nodes of one name. */
static void merge_kernel(tfp_kernel *into, const tfp_kernel *row)
{
    into->count = tfp_add_sat(into->count, row->count);
    into->total = tfp_add_sat(into->total, row->total);
    into->least = row->least < into->least ? row->least : into->least;
    into->most = row->most > into->most ? row->most : into->most;
    if (row->launch >= 0)
        into->launch = tfp_add_sat(into->launch < 0 ? 0 : into->launch,
                                   row->launch);
}

static void merge_copy(tfp_copy *into, const tfp_copy *row)
{
    into->count = tfp_add_sat(into->count, row->count);
    into->total = tfp_add_sat(into->total, row->total);
    into->bytes = tfp_add_sat(into->bytes, row->bytes);
    into->timed = tfp_add_sat(into->timed, row->timed);
}

static bool finish_kernels(tfp_loading *l)
{
    tfp_gathered *g = &l->request->model->gathered;
    size_t before = g->kernels.count;
    tfp_interner keys; /* item k + 1 is kernel `before` + k */
    bool ok = tfp_interner_init(&keys, l->memory, 4, l->space->seed);
    for (size_t i = 0; ok && i < l->kernels.rows.count; i++) {
        const tfp_trace_node *node = first_node(l, l->kernels.nodes.data[i]);
        tfp_kernel row = l->kernels.rows.data[i];
        uint32_t key[] = { row.name, l->kernels.details.data[i], node->name };
        uint32_t item = tfp_intern(
            &keys, (tfp_span){ (const uint8_t *)key, sizeof(key) });
        row.node = node->name;
        row.trace = node->trace;
        if (item != TFP_NO_ID && item <= g->kernels.count - before)
            merge_kernel(&g->kernels.data[before + item - 1], &row);
        else
            ok = item != TFP_NO_ID && TFP_VEC_PUSH(l->memory, &g->kernels, row);
    }
    tfp_interner_release(&keys);
    return ok;
}

static bool finish_copies(tfp_loading *l)
{
    tfp_gathered *g = &l->request->model->gathered;
    size_t before = g->copies.count;
    tfp_interner keys; /* likewise */
    bool ok = tfp_interner_init(&keys, l->memory, 4, l->space->seed);
    for (size_t i = 0; ok && i < l->kernels.copies.count; i++) {
        tfp_copy row = l->kernels.copies.data[i];
        uint32_t key[2] = { row.kind }, item;
        row.node = first_node(l, l->kernels.copy_nodes.data[i])->name;
        key[1] = row.node;
        item = tfp_intern(&keys,
                          (tfp_span){ (const uint8_t *)key, sizeof(key) });
        if (item != TFP_NO_ID && item <= g->copies.count - before)
            merge_copy(&g->copies.data[before + item - 1], &row);
        else
            ok = item != TFP_NO_ID && TFP_VEC_PUSH(l->memory, &g->copies, row);
    }
    tfp_interner_release(&keys);
    return ok;
}

bool tfp_kernels_finish(tfp_loading *l)
{
    return !l->kernels.is_on ||
           (add_launches(l) && finish_kernels(l) && finish_copies(l));
}
