/*
 * hlo_flops.c - float operations of a compiled program's instructions, worked
 * out from their shapes.
 *
 * An instruction may need those of computations that it calls, so these come
 * first: computations are gone through depth first, with a stack on the heap.
 * One that calls itself, which no program does, stays uncounted.
 */
#include "trace/hlo_flops.h"

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "proto/hlo.h"
#include "trace/hlo_library.h"

typedef enum visit { NEW, OPEN, DONE } visit;

/* A computation whose instructions are being looked at. */
typedef struct open_computation {
    uint32_t computation;
    uint32_t instruction; /* the next one, in the program */
    uint32_t call;        /* the next one of its calls */
} open_computation;

typedef struct counter {
    tfp_hlo_program *program;
    int64_t *sums; /* by computation */
    uint8_t *visits;
    open_computation *open;
    size_t depth; /* of them */
} counter;

/* Sums and products of which one part may be uncounted. */
static int64_t plus(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? TFP_HLO_UNCOUNTED : tfp_add_sat(a, b);
}

static int64_t times(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? TFP_HLO_UNCOUNTED : tfp_mul_sat(a, b);
}

static int64_t called_flops(const counter *c, const tfp_hlo_instruction *i,
                            uint32_t which)
{
    uint32_t called = which < i->called_count
                          ? c->program->links.data[i->called + which]
                          : TFP_NO_ID;
    return called == TFP_NO_ID ? TFP_HLO_UNCOUNTED : c->sums[called];
}

static int64_t window_size(const tfp_hlo_program *p,
                           const tfp_hlo_instruction *i)
{
    int64_t size = 1;
    for (uint32_t k = 0; k < i->window_count; k++)
        size = times(size, p->windows.data[i->windows + k].size);
    return size;
}

/* ---- Kinds of instructions ---------------------------------------------- */

typedef int64_t count_fn(const counter *c, const tfp_hlo_instruction *i);

static int64_t none(const counter *c, const tfp_hlo_instruction *i)
{
    (void)c;
    (void)i;
    return 0;
}

/* So many for each element of the result. A comparison gives bools: what it
 * works on tells whether it is one of floats. */
static int64_t by_element(const counter *c, const tfp_hlo_instruction *i,
                          int64_t each)
{
    const tfp_hlo_shape *operand = tfp_hlo_operand(c->program, i, 0);
    if (!operand)
        return TFP_HLO_UNCOUNTED;
    if (!tfp_hlo_is_float(operand))
        return 0;
    return times(each, tfp_hlo_elements(tfp_hlo_result(c->program, i)));
}

static int64_t one(const counter *c, const tfp_hlo_instruction *i)
{
    return by_element(c, i, 1);
}

static int64_t two(const counter *c, const tfp_hlo_instruction *i)
{
    return by_element(c, i, 2);
}

static int64_t four(const counter *c, const tfp_hlo_instruction *i)
{
    return by_element(c, i, 4);
}

static int64_t dot(const counter *c, const tfp_hlo_instruction *i)
{
    return tfp_hlo_dot_flops(c->program, i);
}

static int64_t convolution(const counter *c, const tfp_hlo_instruction *i)
{
    return tfp_hlo_convolution_flops(c->program, i);
}

static int64_t library(const counter *c, const tfp_hlo_instruction *i)
{
    return tfp_hlo_library_flops(c->program, i);
}

/* All that it calls, once. */
static int64_t calls(const counter *c, const tfp_hlo_instruction *i)
{
    int64_t sum = i->called_count > 0 ? 0 : TFP_HLO_UNCOUNTED;
    for (uint32_t k = 0; k < i->called_count; k++)
        sum = plus(sum, called_flops(c, i, k));
    return sum;
}

/* What it calls for each element of the result. Between machines: as if two
 * took part, as XLA assumes. */
static int64_t each_result(const counter *c, const tfp_hlo_instruction *i)
{
    int64_t elements = i->shape_count > 0 ? 0 : -1;
    for (uint32_t k = 0; k < i->shape_count; k++)
        elements = plus(elements,
                        c->program->shapes.data[i->shapes + k].elements);
    return times(called_flops(c, i, 0), elements);
}

static int64_t map(const counter *c, const tfp_hlo_instruction *i)
{
    return times(called_flops(c, i, 0),
                 tfp_hlo_elements(tfp_hlo_result(c->program, i)));
}

/* Several arrays may be reduced at once, by one computation for all. */
static int64_t reduce(const counter *c, const tfp_hlo_instruction *i)
{
    int64_t from = tfp_hlo_elements(tfp_hlo_operand(c->program, i, 0));
    int64_t to = tfp_hlo_elements(tfp_hlo_result(c->program, i));
    if (from < 0 || to < 0)
        return TFP_HLO_UNCOUNTED;
    return times(called_flops(c, i, 0), from > to ? from - to : 0);
}

static int64_t reduce_window(const counter *c, const tfp_hlo_instruction *i)
{
    return times(times(called_flops(c, i, 0), window_size(c->program, i)),
                 tfp_hlo_elements(tfp_hlo_result(c->program, i)));
}

/* Operands: arrays, indexes, then an update for each array. */
static int64_t scatter(const counter *c, const tfp_hlo_instruction *i)
{
    uint32_t arrays = i->operand_count / 2;
    return times(called_flops(c, i, 0),
                 tfp_hlo_elements(tfp_hlo_operand(c->program, i, arrays + 1)));
}

/* Finds one element in each window, then adds a value of the source to it. */
static int64_t select_and_scatter(const counter *c,
                                  const tfp_hlo_instruction *i)
{
    int64_t each = times(window_size(c->program, i), called_flops(c, i, 0));
    return times(plus(each, called_flops(c, i, 1)),
                 tfp_hlo_elements(tfp_hlo_operand(c->program, i, 1)));
}

/* By the bytes of the opcode. What is not here is uncounted. */
/* clang-format off */
static const struct {
    const char *opcode;
    count_fn *count;
} kinds[] = {
    { "abs", one },
    { "add", one },
    { "add-dependency", none },
    { "after-all", none },
    { "all-gather", none },
    { "all-gather-done", none },
    { "all-gather-start", none },
    { "all-reduce", each_result },
    { "all-reduce-done", none },
    { "all-reduce-start", each_result },
    { "all-to-all", none },
    { "and", none },
    { "async-done", none },
    { "async-start", calls },
    { "async-update", none },
    { "atan2", one },
    { "bitcast", none },
    { "bitcast-convert", none },
    { "broadcast", none },
    { "call", none },
    { "cbrt", one },
    { "ceil", one },
    { "clamp", two },
    { "collective-broadcast", none },
    { "collective-permute", none },
    { "collective-permute-done", none },
    { "collective-permute-start", none },
    { "compare", one },
    { "complex", none },
    { "concatenate", none },
    { "conditional", none },
    { "constant", none },
    { "convert", none },
    { "convolution", convolution },
    { "copy", none },
    { "copy-done", none },
    { "copy-start", none },
    { "cosine", one },
    { "count-leading-zeros", none },
    { "custom-call", library },
    { "divide", one },
    { "domain", none },
    { "dot", dot },
    { "dynamic-reshape", none },
    { "dynamic-slice", none },
    { "dynamic-update-slice", none },
    { "erf", one },
    { "exponential", one },
    { "exponential-minus-one", one },
    { "floor", one },
    { "fusion", calls },
    { "gather", none },
    { "get-dimension-size", none },
    { "get-tuple-element", none },
    { "imag", none },
    { "infeed", none },
    { "iota", none },
    { "is-finite", one },
    { "log", one },
    { "log-plus-one", one },
    { "logistic", four },
    { "map", map },
    { "maximum", one },
    { "minimum", one },
    { "multiply", one },
    { "negate", one },
    { "not", none },
    { "opt-barrier", none },
    { "or", none },
    { "outfeed", none },
    { "pad", none },
    { "parameter", none },
    { "partition-id", none },
    { "popcnt", none },
    { "power", one },
    { "ragged-all-to-all", none },
    { "real", none },
    { "recv", none },
    { "recv-done", none },
    { "reduce", reduce },
    { "reduce-precision", none },
    { "reduce-scatter", each_result },
    { "reduce-window", reduce_window },
    { "remainder", one },
    { "replica-id", none },
    { "reshape", none },
    { "reverse", none },
    { "rng-bit-generator", none },
    { "rng-get-and-update-state", none },
    { "round-nearest-afz", one },
    { "round-nearest-even", one },
    { "rsqrt", two },
    { "scatter", scatter },
    { "select", none },
    { "select-and-scatter", select_and_scatter },
    { "send", none },
    { "send-done", none },
    { "set-dimension-size", none },
    { "shift-left", none },
    { "shift-right-arithmetic", none },
    { "shift-right-logical", none },
    { "sign", one },
    { "sine", one },
    { "slice", none },
    { "sqrt", one },
    { "stochastic-convert", none },
    { "subtract", one },
    { "tan", one },
    { "tanh", one },
    { "transpose", none },
    { "tuple", none },
    { "while", none },
    { "xor", none },
};
/* clang-format on */

static count_fn *kind_of(tfp_span opcode)
{
    size_t low = 0, high = sizeof(kinds) / sizeof(kinds[0]);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = tfp_span_compare(opcode, tfp_span_of(kinds[middle].opcode));
        if (order == 0)
            return kinds[middle].count;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* ---- Computations ------------------------------------------------------- */

/* All that it calls has been counted, or calls it. */
static void count_computation(counter *c, uint32_t computation)
{
    tfp_hlo_program *p = c->program;
    const tfp_hlo_computation *all = &p->computations.data[computation];
    int64_t sum = 0;
    for (uint32_t k = all->first; k < all->first + all->count; k++) {
        tfp_hlo_instruction *i = &p->instructions.data[k];
        count_fn *count = kind_of(tfp_hlo_text(p, i->opcode));
        i->flops = count ? count(c, i) : TFP_HLO_UNCOUNTED;
        sum = plus(sum, i->flops);
    }
    c->sums[computation] = sum;
    c->visits[computation] = DONE;
}

static void enter(counter *c, uint32_t computation)
{
    c->visits[computation] = OPEN;
    c->open[c->depth++] = (open_computation){
        .computation = computation,
        .instruction = c->program->computations.data[computation].first
    };
}

/* Enters the next computation that the innermost open one calls and that is
 * new; false when there is none. */
static bool enter_called(counter *c)
{
    const tfp_hlo_program *p = c->program;
    open_computation *at = &c->open[c->depth - 1];
    const tfp_hlo_computation *all = &p->computations.data[at->computation];
    for (; at->instruction < all->first + all->count; at->instruction++) {
        const tfp_hlo_instruction *i = &p->instructions.data[at->instruction];
        while (at->call < i->called_count) {
            uint32_t called = p->links.data[i->called + at->call++];
            if (called != TFP_NO_ID && c->visits[called] == NEW) {
                enter(c, called);
                return true;
            }
        }
        at->call = 0;
    }
    return false;
}

int tfp_hlo_count_flops(tfp_hlo_program *p, tfprof_error *err)
{
    size_t count = p->computations.count;
    counter c = { .program = p,
                  .sums = tfp_memory_array(p->memory, count, sizeof(*c.sums)),
                  .visits = tfp_memory_zarray(p->memory, count, 1),
                  .open = tfp_memory_array(p->memory, count, sizeof(*c.open)) };
    int status = TFPROF_OK;
    if (!c.sums || !c.visits || !c.open) {
        status = tfp_fail_nomem(err);
        goto out;
    }
    for (size_t k = 0; k < count; k++)
        c.sums[k] = TFP_HLO_UNCOUNTED;
    for (size_t k = 0; k < count; k++) {
        if (c.visits[k] == NEW)
            enter(&c, (uint32_t)k);
        while (c.depth > 0) {
            if (!enter_called(&c))
                count_computation(&c, c.open[--c.depth].computation);
        }
    }
out:
    tfp_memory_free(p->memory, c.sums);
    tfp_memory_free(p->memory, c.visits);
    tfp_memory_free(p->memory, c.open);
    return status;
}
