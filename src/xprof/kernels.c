/*
 * kernels.c - kernel_stats: what ran on GPUs.
 *
 * Times are whole nanoseconds, cut off for each run: one that is shorter counts
 * as a run that took none. A launch is told as text:
 * "regs:32 static_shared:0 dynamic_shared:0 grid:8,1,1 block:128,1,1
 * occ_pct:100".
 */
#include "xprof/kernels.h"

#include "trace/space.h"

#include "trace/plane.h"

#include "base/memory.h"

#include "base/intern.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/sort.h"
#include "proto/numbers.h"
#include "trace/id_map.h"

enum { MOST_ROWS = 1000, DIMENSIONS = 3 };

typedef struct launch {
    uint32_t grid[DIMENSIONS], block[DIMENSIONS];
    uint32_t registers, static_bytes, dynamic_bytes;
} launch;

/* What tells one row from another; has no padding, and is compared as bytes. */
typedef struct row_key {
    tfp_xprof_text name, op;
    launch launch;
} row_key;

typedef struct kernel {
    row_key key;
    float occupancy; /* of the first */
    uint64_t runs, total, shortest, longest;
} kernel;

typedef struct kernel_state {
    tfp_xprof_source *source;
    tfp_interner keys; /* row_key; item k + 1 is rows[k] */
    TFP_VEC(kernel) rows;
    tfp_interner seen; /* source_key; item k + 1 is of the row row_of[k] */
    TFP_VEC(uint32_t) row_of;
    tfp_id_map details;       /* a text -> launches */
    TFP_VEC(kernel) launches; /* launch and occupancy alone */
} kernel_state;

/* What an event says, by which it is parsed once. */
typedef struct source_key {
    tfp_xprof_text name, details;
    tfp_xprof_text tf_op, tf_name; /* the stat, and the operation it names */
    tfp_xprof_text hlo_name; /* that of the instruction, if there is one */
    uint32_t is_hlo;
} source_key;

/* ---- The text of a launch ----------------------------------------------- */

/* The part of a text up to one of two characters, which is taken off it. */
static tfp_span next_part(tfp_span *rest, char a, char b)
{
    tfp_span part = { rest->data, 0 };
    while (part.size < rest->size && rest->data[part.size] != a &&
           rest->data[part.size] != b)
        part.size++;
    rest->data += part.size;
    rest->size -= part.size;
    if (rest->size > 0) {
        rest->data++;
        rest->size--;
    }
    return part;
}

/* Digits, perhaps behind a plus, and no more than fit. */
static bool read_number(tfp_span text, uint32_t *out)
{
    uint64_t value = 0;
    if (text.size > 0 && text.data[0] == '+') {
        text.data++;
        text.size--;
    }
    if (text.size == 0)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        value = 10 * value + (uint64_t)(text.data[i] - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* "8,1,1"; anything else leaves it as it is. */
static void read_sizes(tfp_span text, uint32_t sizes[DIMENSIONS])
{
    uint32_t read[DIMENSIONS];
    size_t commas = 0;
    for (size_t i = 0; i < text.size; i++)
        commas += text.data[i] == ',';
    if (commas != DIMENSIONS - 1)
        return;
    for (int i = 0; i < DIMENSIONS; i++) {
        if (!read_number(next_part(&text, ',', ','), &read[i]))
            return;
    }
    memcpy(sizes, read, sizeof(read));
}

static void read_pair(tfp_span name, tfp_span value, kernel *out)
{
    launch *l = &out->key.launch;
    double percent;
    if (tfp_span_is(name, "regs"))
        (void)read_number(value, &l->registers);
    else if (tfp_span_is(name, "static_shared"))
        (void)read_number(value, &l->static_bytes);
    else if (tfp_span_is(name, "dynamic_shared"))
        (void)read_number(value, &l->dynamic_bytes);
    else if (tfp_span_is(name, "grid"))
        read_sizes(value, l->grid);
    else if (tfp_span_is(name, "block"))
        read_sizes(value, l->block);
    else if (tfp_span_is(name, "occ_pct") && tfp_double_read(value, &percent))
        out->occupancy = (float)percent;
}

static void read_launch(tfp_span text, kernel *out)
{
    for (int i = 0; i < DIMENSIONS; i++)
        out->key.launch.grid[i] = out->key.launch.block[i] = 1;
    while (text.size > 0) {
        tfp_span pair = next_part(&text, ' ', '\n');
        const uint8_t *colon = pair.size ? memchr(pair.data, ':', pair.size)
                                         : NULL;
        tfp_span name = next_part(&pair, ':', ':');
        if (colon && !(pair.size && memchr(pair.data, ':', pair.size)))
            read_pair(name, pair, out);
    }
}

/* ---- Events ------------------------------------------------------------- */

/* The operations that `tf_op` and the instruction name. */
static int find_ops(kernel_state *s, const tfp_stats *stats, source_key *key,
                    tfprof_error *err)
{
    tfp_xprof_source *source = s->source;
    tfp_xprof_text hlo_op = tfp_xprof_text_of(source, stats, TFP_KNOWN_HLO_OP);
    tfp_xprof_op_name parsed = { 0 };
    tfp_xprof_instruction found;
    int64_t program;
    int status;
    key->tf_op = tfp_xprof_text_of(source, stats, TFP_KNOWN_TF_OP);
    if (key->tf_op == TFP_NO_ID || hlo_op == TFP_NO_ID ||
        (key->tf_op != 0 && !tfp_xprof_parse(source, key->tf_op, &parsed)))
        return tfp_fail_nomem(err);
    key->tf_name = parsed.name;
    if (!tfp_xprof_is_text(stats, TFP_KNOWN_HLO_OP) ||
        !tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &program))
        return TFPROF_OK;
    status = tfp_xprof_find(source, (uint64_t)program, hlo_op, &found, err);
    key->is_hlo = found.is_found;
    key->hlo_name = found.op_name;
    return status;
}

/* The launch that a text tells. The text is parsed once, as many kernels may
 * have it. False when out of memory. */
static bool find_launch(kernel_state *s, tfp_xprof_text details, kernel *row)
{
    uint32_t at = tfp_id_map_find(&s->details, details);
    if (at == TFP_NO_ID) {
        at = (uint32_t)s->launches.count;
        read_launch(tfp_interned(s->source->texts, details), row);
        return at < TFP_NO_ID &&
               TFP_VEC_PUSH(s->source->memory, &s->launches, *row) &&
               tfp_id_map_put(&s->details, details, at);
    }
    row->key.launch = s->launches.data[at].key.launch;
    row->occupancy = s->launches.data[at].occupancy;
    return true;
}

/* The row of a launch. TFP_NO_ID when out of memory. */
static uint32_t make_row(kernel_state *s, const source_key *from)
{
    kernel row = { .key = { .name = from->name,
                            .op = from->is_hlo ? from->hlo_name
                                               : from->tf_name } };
    uint32_t item;
    if (!find_launch(s, from->details, &row) ||
        !TFP_VEC_RESERVE(s->source->memory, &s->rows, 1))
        return TFP_NO_ID;
    item = tfp_intern(&s->keys,
                      (tfp_span){ (const uint8_t *)&row.key, sizeof(row.key) });
    if (item == TFP_NO_ID)
        return TFP_NO_ID;
    row.shortest = UINT64_MAX;
    if (item > s->rows.count)
        s->rows.data[s->rows.count++] = row;
    return item - 1;
}

static uint32_t find_row(kernel_state *s, const source_key *key)
{
    uint32_t item, row;
    if (!TFP_VEC_RESERVE(s->source->memory, &s->row_of, 1))
        return TFP_NO_ID;
    item = tfp_intern(&s->seen,
                      (tfp_span){ (const uint8_t *)key, sizeof(*key) });
    if (item == TFP_NO_ID)
        return TFP_NO_ID;
    if (item <= s->row_of.count)
        return s->row_of.data[item - 1];
    row = make_row(s, key);
    if (row != TFP_NO_ID)
        s->row_of.data[s->row_of.count++] = row;
    return row;
}

static int read_event(void *self, const tfp_event *event, tfprof_error *err)
{
    kernel_state *s = self;
    uint64_t time = (uint64_t)event->length / 1000;
    source_key key = { 0 };
    kernel *row;
    uint32_t at;
    int status;
    if (event->length == 0)
        return TFPROF_OK;
    key.details = tfp_xprof_text_of(s->source, &event->stats,
                                    TFP_KNOWN_KERNEL_DETAILS);
    if (key.details == 0)
        return TFPROF_OK;
    key.name = tfp_xprof_event_name(s->source, event->type);
    if (key.details == TFP_NO_ID || key.name == TFP_NO_ID)
        return tfp_fail_nomem(err);
    status = find_ops(s, &event->stats, &key, err);
    if (status != TFPROF_OK)
        return status;
    at = find_row(s, &key);
    if (at == TFP_NO_ID)
        return tfp_fail_nomem(err);
    row = &s->rows.data[at];
    row->runs++;
    row->total += time;
    row->shortest = time < row->shortest ? time : row->shortest;
    row->longest = time > row->longest ? time : row->longest;
    return TFPROF_OK;
}

static int read_planes(kernel_state *s, tfprof_error *err)
{
    const tfp_space *space = s->source->space;
    bool has_tpu = tfp_xprof_has_tpu(space);
    int status = TFPROF_OK;
    for (size_t i = 0; i < space->planes.count; i++) {
        tfp_plane *plane = space->planes.data[i];
        if (has_tpu || !tfp_xprof_is_gpu(plane))
            continue;
        for (size_t k = 0; k < plane->lines.count && status == TFPROF_OK; k++) {
            const tfp_trace_line *line = &plane->lines.data[k];
            if (!tfp_xprof_line_is_derived(line))
                status = tfp_xprof_walk_line(s->source, plane, line, read_event,
                                             s, err);
        }
    }
    return status;
}

/* ---- The table ---------------------------------------------------------- */

static const tfp_xprof_column columns[] = {
    { "rank", "Rank", TFP_HOLDS_NUMBER },
    { "kernel_name", "Kernel Name", TFP_HOLDS_STRING },
    { "registers_per_thread", "Registers per thread", TFP_HOLDS_NUMBER },
    { "shmem_bytes", "Shared Mem bytes", TFP_HOLDS_NUMBER },
    { "block_dim", "Block dim", TFP_HOLDS_STRING },
    { "grid_dim", "Grid dim", TFP_HOLDS_STRING },
    { "occupancy_pct", "Theoretical Occupancy %", TFP_HOLDS_NUMBER },
    { "is_op_tensor_core_eligible", "Op is TensorCore eligible",
      TFP_HOLDS_BOOLEAN },
    { "is_kernel_using_tensor_core", "Kernel uses TensorCore",
      TFP_HOLDS_BOOLEAN },
    { "op_name", "Op Name", TFP_HOLDS_STRING },
    { "occurrences", "Occurrences", TFP_HOLDS_NUMBER },
    { "total_duration_us", "Total Duration (\u03bcs)", TFP_HOLDS_NUMBER },
    { "avg_duration_us", "Avg Duration (\u03bcs)", TFP_HOLDS_NUMBER },
    { "min_duration_us", "Min Duration (\u03bcs)", TFP_HOLDS_NUMBER },
    { "max_duration_us", "Max Duration (\u03bcs)", TFP_HOLDS_NUMBER },
};

static int compare_texts(const kernel_state *s, tfp_xprof_text a,
                         tfp_xprof_text b)
{
    return tfp_span_compare(tfp_interned(s->source->texts, a),
                            tfp_interned(s->source->texts, b));
}

/* Of kernels that took the same time. */
static int by_key(const void *context, uint32_t a, uint32_t b)
{
    const kernel_state *s = context;
    const row_key *left = &s->rows.data[a].key, *right = &s->rows.data[b].key;
    enum { NUMBERS = sizeof(launch) / sizeof(uint32_t) };
    uint32_t l[NUMBERS], r[NUMBERS];
    int order = compare_texts(s, left->name, right->name);
    memcpy(l, &left->launch, sizeof(l));
    memcpy(r, &right->launch, sizeof(r));
    for (size_t i = 0; order == 0 && i < NUMBERS; i++)
        order = (l[i] > r[i]) - (l[i] < r[i]);
    return order != 0 ? order : compare_texts(s, left->op, right->op);
}

static void put_sizes(const kernel_state *s, tfp_xprof_table *table,
                      const uint32_t sizes[DIMENSIONS])
{
    char text[40];
    snprintf(text, sizeof(text), "%lu,%lu,%lu", (unsigned long)sizes[0],
             (unsigned long)sizes[1], (unsigned long)sizes[2]);
    tfp_xprof_put_text(table, tfp_intern(s->source->texts, tfp_span_of(text)));
}

static double micros(uint64_t nanos)
{
    return (double)nanos / 1e3;
}

static void put_row(const kernel_state *s, tfp_xprof_table *table,
                    const kernel *row)
{
    const launch *l = &row->key.launch;
    tfp_xprof_put_number(table, (double)(tfp_xprof_table_rows(table) + 1));
    tfp_xprof_put_text(table, row->key.name);
    tfp_xprof_put_number(table, l->registers);
    tfp_xprof_put_number(table, (double)(l->static_bytes + l->dynamic_bytes));
    put_sizes(s, table, l->block);
    put_sizes(s, table, l->grid);
    tfp_xprof_put_number(table, (double)row->occupancy);
    tfp_xprof_put_null(table); /* is_op_tensor_core_eligible */
    tfp_xprof_put_null(table); /* is_kernel_using_tensor_core */
    tfp_xprof_put_text(table, row->key.op);
    tfp_xprof_put_number(table, (double)row->runs);
    tfp_xprof_put_number(table, micros(row->total));
    tfp_xprof_put_number(table, micros(row->total / row->runs));
    tfp_xprof_put_number(table, micros(row->shortest));
    tfp_xprof_put_number(table, micros(row->longest));
}

static bool put_rows(const kernel_state *s, tfp_xprof_table *table)
{
    size_t count = s->rows.count;
    tfp_sort_item *items = tfp_memory_array(s->source->memory, 2 * count + 1,
                                            sizeof(*items));
    if (!items)
        return false;
    for (size_t i = 0; i < count; i++) {
        items[i].key = ~s->rows.data[i].total;
        items[i].index = (uint32_t)i;
    }
    tfp_sort(items, count, items + count, by_key, s);
    for (size_t i = 0; i < count && i < MOST_ROWS; i++)
        put_row(s, table, &s->rows.data[items[i].index]);
    tfp_memory_free(s->source->memory, items);
    return !table->failed;
}

int tfp_xprof_kernel_table(tfp_xprof_source *source, tfp_xprof_table *table,
                           tfprof_error *err)
{
    kernel_state s = { .source = source };
    int status = TFPROF_OK;
    tfp_xprof_table_columns(table, columns,
                            sizeof(columns) / sizeof(columns[0]));
    tfp_id_map_init(&s.details, source->memory, source->space->seed);
    if (!tfp_interner_init(&s.keys, source->memory, 4, source->space->seed) ||
        !tfp_interner_init(&s.seen, source->memory, 4, source->space->seed))
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = read_planes(&s, err);
    if (status == TFPROF_OK && !put_rows(&s, table))
        status = tfp_fail_nomem(err);
    tfp_id_map_release(&s.details);
    tfp_interner_release(&s.seen);
    tfp_interner_release(&s.keys);
    TFP_VEC_RELEASE(source->memory, &s.launches);
    TFP_VEC_RELEASE(source->memory, &s.rows);
    TFP_VEC_RELEASE(source->memory, &s.row_of);
    return status;
}
