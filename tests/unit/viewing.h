/*
 * viewing.h - models made by chance, and views of them.
 */
#ifndef TFP_TESTS_VIEWING_H
#define TFP_TESTS_VIEWING_H

#include "loading.h"
#include "sample_messages.h"

#include "options/options.h"
#include "view/view.h"

static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(counting_random(state) >> 33) % limit;
}

/* ---- Models ------------------------------------------------------------- */

enum { NAME_MOST = 96 };

/* Many parts are the same and some are empty; there are more of them than a
 * scope looks through one by one. */
static inline size_t random_part(uint64_t *state, char *part, size_t size)
{
    static const char *const parts[] = { "",  "a",  "b",    "ab",   "conv",
                                         "A", "a1", "a.b",  "a-b",  "layer_10",
                                         "c", "~",  "long", "layer" };
    if (random_below(state, 4) == 0)
        return (size_t)snprintf(part, size, "s%u",
                                (unsigned)random_below(state, 60));
    return (size_t)snprintf(part, size, "%s",
                            parts[random_below(state, COUNT(parts))]);
}

/* A name in up to five scopes. */
static inline void random_name(uint64_t *state, uint32_t number, char *name)
{
    size_t used = 0;
    for (uint32_t i = random_below(state, 6); i > 0; i--) {
        used += random_part(state, name + used, NAME_MOST - used);
        name[used++] = '/';
    }
    if (random_below(state, 8) == 0) /* perhaps a scope, perhaps twice */
        random_part(state, name + used, NAME_MOST - used);
    else
        snprintf(name + used, NAME_MOST - used, "n%u", (unsigned)number);
}

static inline void put_trace(wire_bytes *b, uint64_t *state)
{
    size_t code = wire_open(b, 4);
    for (uint32_t i = random_below(state, 4); i > 0; i--) {
        wire_put(b, "1{1'/src/model.py' 2:%u 3'function'}",
                 random_below(state, 6));
    }
    wire_close(b, code);
}

static inline void put_random_run(wire_bytes *b, uint64_t *state,
                                  const char *name)
{
    size_t exec = wire_open(b, 2), memory;
    wire_text(b, 1, name);
    wire_int(b, 2, 1000);
    wire_int(b, 4, random_below(state, 50));
    wire_int(b, 9, 1000 - random_below(state, 40)); /* scheduled */
    memory = wire_open(b, 6);
    for (uint32_t field = 2; field <= 4; field++)
        wire_int(b, field, random_below(state, 1000));
    wire_close(b, memory);
    wire_close(b, exec);
}

/* Its inputs are some of the nodes before it. */
static inline void put_random_node(wire_bytes *b, uint64_t *state,
                                   char (*names)[NAME_MOST], uint32_t number)
{
    char op[32];
    size_t node = wire_open(b, 1), at[2];
    snprintf(op, sizeof(op), "Op%u", (unsigned)random_below(state, 10));
    wire_text(b, 1, names[number]);
    wire_text(b, 2, op);
    for (uint32_t i = random_below(state, 3); i > 0 && number > 0; i--)
        wire_text(b, 3, names[random_below(state, number)]);
    sample_entry(b, 5, "shape", at);
    sample_shape(b, 7, random_below(state, 4), random_below(state, 9));
    sample_entry_end(b, at);
    wire_close(b, node);
}

static inline void loading_bytes(loading *l, const char *role, wire_bytes *b)
{
    must(loading_add(l, role, wire_span(b)), &l->err);
    wire_free(b);
}

/* Nodes with runs on two devices and, some of them, in an op log. */
static inline void load_random(loading *l, uint64_t *state, uint32_t count)
{
    wire_bytes graph = { 0 }, runs[2] = { { 0 }, { 0 } }, log = { 0 };
    wire_bytes step = { 0 };
    char(*names)[NAME_MOST] = malloc(count * sizeof(*names));
    size_t at, part;
    assert_non_null(names);
    for (uint32_t i = 0; i < count; i++) {
        random_name(state, i, names[i]);
        put_random_node(&graph, state, names, i);
        put_random_run(&runs[random_below(state, 2)], state, names[i]);
        at = wire_open(&log, 1);
        wire_text(&log, 1, names[i]);
        wire_int(&log, 2, random_below(state, 100));
        put_trace(&log, state);
        wire_close(&log, at);
    }
    free(names);
    at = wire_open(&step, 1);
    for (int i = 0; i < 2; i++) {
        part = wire_open(&step, 1);
        wire_text(&step, 1, i ? "/device:GPU:0" : "/device:CPU:0");
        wire_raw(&step, runs[i].data, runs[i].size);
        wire_close(&step, part);
        wire_free(&runs[i]);
    }
    wire_close(&step, at);
    loading_bytes(l, "graph_path", &graph);
    loading_bytes(l, "run_meta_path", &step);
    loading_bytes(l, "op_log_path", &log);
}

/* ---- Views -------------------------------------------------------------- */

/* All costs, so that every sum can be looked at. */
#define SELECT_WORD(id, word, ...) #word ","
#define ALL_SELECTS                TFP_ALL_METRICS(SELECT_WORD) "num_hidden_ops"

typedef struct viewing {
    tfp_options options;
    tfp_census census;
    tfp_view view;
} viewing;

/* `pairs` are names and values of options, ended by NULL. */
static inline void viewing_init(viewing *v, loading *l, const char *type,
                                const char *const *pairs)
{
    tfprof_error err;
    assert_true(tfp_options_init(&v->options, &l->memory));
    assert_int_equal(
        tfp_options_set(&v->options, "max_depth", "2147483647", NULL), 0);
    assert_int_equal(tfp_options_set(&v->options, "select", ALL_SELECTS, NULL),
                     0);
    for (; pairs && pairs[0]; pairs += 2) {
        must(tfp_options_set(&v->options, pairs[0], pairs[1], &err), &err);
    }
    must(tfp_census_init(&v->census, &l->model, &l->memory, NULL, &err), &err);
    must(tfp_view_init(&v->view, tfp_view_find(type), &v->census, &v->options,
                       NULL, &err),
         &err);
}

static inline void viewing_release(viewing *v)
{
    tfp_view_release(&v->view);
    tfp_census_release(&v->census);
    tfp_options_release(&v->options);
}

#endif
