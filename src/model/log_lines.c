/*
 * log_lines.c - which lines of an op log the operations of a trace have.
 */
#include "model/log_lines.h"

#include "base/cancel.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/costs.h"
#include "model/gradients.h"
#include "model/library.h"
#include "model/metrics.h"
#include "model/model.h"
#include "model/traces.h"

/* Each try reads the name once more, and a file may have names of any length.
 */
enum { MOST_CALLS = 16, MOST_PARTS = 2 };

typedef struct line_finder {
    tfp_model *model;
    tfp_stack *stacks; /* that logs have, by name; 0 for none */
    size_t name_count;
} line_finder;

/* ---- What logs have ----------------------------------------------------- */

static void note(line_finder *f, tfp_string name, tfp_stack stack)
{
    if (f->stacks[name] == 0) /* of two stacks the first one stands */
        f->stacks[name] = stack;
}

/* Entries wait unless a node has their name, and it has their stack then. */
static bool list_stacks(line_finder *f, tfp_watch *watch)
{
    const tfp_model *model = f->model;
    const tfp_nodes *nodes = &model->nodes;
    f->name_count = tfp_interner_count(&model->strings);
    f->stacks = tfp_memory_zarray(model->memory, f->name_count,
                                  sizeof(*f->stacks));
    if (!f->stacks)
        return false;
    for (size_t i = 0; i < model->waiting.count; i++) {
        const tfp_log_entry *entry = &model->waiting.data[i];
        if (tfp_watch_ends(watch))
            return false;
        note(f, entry->name, entry->trace);
    }
    for (size_t i = 0; i < nodes->count; i++) {
        if (tfp_watch_ends(watch))
            return false;
        if (tfp_bits_has(&model->logged, nodes->name[i]))
            note(f, nodes->name[i], nodes->trace[i]);
    }
    return true;
}

static tfp_stack stack_of(const line_finder *f, tfp_span name)
{
    tfp_string id = tfp_interner_find(&f->model->strings, name);
    return id < f->name_count ? f->stacks[id] : 0;
}

/* ---- Names -------------------------------------------------------------- */

static bool is_numbered(tfp_span part, const char *word)
{
    size_t at = strlen(word);
    if (!tfp_span_starts(part, word))
        return false;
    if (at == part.size)
        return at > 0;
    if (part.data[at++] != '_' || at == part.size)
        return false;
    while (at < part.size && part.data[at] >= '0' && part.data[at] <= '9')
        at++;
    return at == part.size;
}

/* "StatefulPartitionedCall_1", and the "_7" of "while/body/_7/while/add". */
static bool is_call(tfp_span part)
{
    return is_numbered(part, "StatefulPartitionedCall") ||
           is_numbered(part, "PartitionedCall") || is_numbered(part, "");
}

/* Cuts *name after its first part that names a call. False if no part does. */
static bool enter_call(tfp_span *name)
{
    size_t start = 0;
    for (size_t i = 0; i + 1 < name->size; i++) {
        if (name->data[i] != '/')
            continue;
        if (is_call((tfp_span){ name->data + start, i - start })) {
            name->data += i + 1;
            name->size -= i + 1;
            return true;
        }
        start = i + 1;
    }
    return false;
}

static bool drop_part(tfp_span *name)
{
    size_t at = name->size;
    while (at > 0 && name->data[at - 1] != '/')
        at--;
    if (at < 2)
        return false;
    name->size = at - 1;
    return true;
}

/* The stack of the operation that a name is the gradient of, or 0. */
static tfp_stack forward_line(const line_finder *f, tfp_span name)
{
    tfp_forward_names forwards = tfp_forward_names_of(name);
    tfp_stack stack = 0;
    tfp_span forward;
    while (stack == 0 && tfp_forward_names_next(&forwards, &forward))
        stack = stack_of(f, forward);
    return stack;
}

/* Looks up a name as it is, then without leading calls ("PartitionedCall/..."),
 * one more at a time, then also without trailing parts, which a compiler may
 * have appended. Calls are removed first: otherwise the line of the call itself
 * would be found. *inner is the name that was found, or else the name without
 * calls. */
static tfp_stack logged_line(const line_finder *f, tfp_span name,
                             tfp_span *inner)
{
    tfp_stack stack = stack_of(f, name);
    for (int calls = 0; stack == 0 && calls < MOST_CALLS && enter_call(&name);
         calls++)
        stack = stack_of(f, name);
    *inner = name;
    for (int parts = 0; stack == 0 && parts < MOST_PARTS && drop_part(&name);
         parts++) {
        stack = stack_of(f, name);
        if (stack != 0)
            *inner = name;
    }
    return stack;
}

static tfp_stack line_of(const line_finder *f, tfp_span name)
{
    tfp_span inner;
    tfp_stack own = logged_line(f, name, &inner);
    tfp_stack forward = forward_line(f, inner);
    return forward != 0 ? forward : own;
}

/* ---- Nodes of traces ---------------------------------------------------- */

static bool find_of_graph(const line_finder *f, const tfp_graph *graph,
                          tfp_watch *watch)
{
    tfp_nodes *nodes = &f->model->nodes;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        tfp_node node = graph->first_node + i;
        tfp_stack stack = line_of(f,
                                  tfp_model_text(f->model, nodes->name[node]));
        if (tfp_watch_ends(watch))
            return false;
        if (stack != 0)
            nodes->trace[node] = stack;
    }
    return true;
}

tfp_stack *tfp_model_log_stacks(tfp_model *model, size_t *count, bool *ok,
                                tfp_watch *watch)
{
    line_finder f = { .model = model };
    *ok = model->logged.count == 0 || list_stacks(&f, watch);
    *count = f.name_count;
    if (*ok)
        return f.stacks;
    tfp_memory_free(model->memory, f.stacks);
    return NULL;
}

bool tfp_model_find_lines_of(tfp_model *model, size_t first, tfp_stack *stacks,
                             size_t count, tfp_watch *watch)
{
    line_finder f = { model, stacks, count };
    for (size_t i = first; stacks && i < model->graphs.count; i++) {
        const tfp_graph *graph = &model->graphs.data[i];
        if (graph->kind == TFP_GRAPH_TRACE && !find_of_graph(&f, graph, watch))
            return false;
    }
    return true;
}

bool tfp_model_find_lines(tfp_model *model, tfp_watch *watch)
{
    line_finder f = { .model = model };
    bool ok = true;
    if (model->logged.count == 0)
        return true;
    for (size_t i = 0; i < model->graphs.count && ok; i++) {
        const tfp_graph *graph = &model->graphs.data[i];
        if (graph->kind == TFP_GRAPH_TRACE)
            ok = (f.stacks || list_stacks(&f, watch)) &&
                 find_of_graph(&f, graph, watch);
    }
    tfp_memory_free(model->memory, f.stacks);
    return ok;
}

/* ---- How much of the time ----------------------------------------------- */

enum { IS_OWN = 1, IN_LIBRARY = 2, CALLS_BACK = 4 };

/* Collects the flags of each stack, from its outermost frame on. The stack of
 * its caller was made earlier and has a smaller number. */
static void classify_stacks(const tfp_census *census, uint8_t *of_stack,
                            uint8_t *of_frame)
{
    const tfp_model *model = census->model;
    uint32_t count = tfp_interner_count(&model->stacks);
    for (size_t i = 0; i < model->frames.count; i++)
        of_frame[i] = tfp_is_library(
            tfp_model_text(model, model->frames.data[i].file));
    for (tfp_stack stack = 1; stack < count; stack++) {
        tfp_stack below;
        const tfp_frame *frame = tfp_stack_top(model, stack, &below);
        uint8_t had = below != 0 ? of_stack[below] : 0;
        of_stack[stack] = had;
        if (!of_frame[frame - model->frames.data])
            of_stack[stack] |= IS_OWN | (had & IN_LIBRARY ? CALLS_BACK : 0);
        else if (had & IS_OWN)
            of_stack[stack] |= IN_LIBRARY;
    }
}

bool tfp_census_share_lines(const tfp_census *census, const tfp_costs *costs,
                            tfp_line_share *share)
{
    const tfp_model *model = census->model;
    uint8_t *of_stack = tfp_memory_zarray(
        census->memory, tfp_interner_count(&model->stacks), 1);
    uint8_t *of_frame = tfp_memory_zarray(census->memory, model->frames.count,
                                          1);
    bool ok = of_stack && of_frame;
    *share = (tfp_line_share){ 0 };
    if (ok)
        classify_stacks(census, of_stack, of_frame);
    for (size_t i = 0; ok && i < census->members.count; i++) {
        int64_t time = *tfp_costs_at(costs, i, TFP_COST_MICROS);
        tfp_stack stack = tfp_member_trace(model, &census->members.data[i]);
        share->time = tfp_add_sat(share->time, time);
        if (stack == 0 || time <= 0)
            continue;
        share->with_line = tfp_add_sat(share->with_line, time);
        share->calls_back |= (of_stack[stack] & CALLS_BACK) != 0;
    }
    tfp_memory_free(census->memory, of_stack);
    tfp_memory_free(census->memory, of_frame);
    return ok;
}
