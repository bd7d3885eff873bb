/*
 * model.h - everything that is known about one model and its runs.
 *
 * Sized for ten million nodes with one step, or a hundred steps of a hundred
 * thousand: columns instead of objects, names as 32-bit ids, and nothing kept
 * twice. All of it hangs on one tfp_memory and goes with tfp_model_release().
 *
 * Inputs may come in any order. Run records and log entries are kept by name,
 * so they may be read before the graph they speak of.
 *
 * The parts: graph.h (nodes, edges, functions), attrs.h (shapes, attributes,
 * constants), steps.h (runs), times.h (their unit), pools.h (memory over time),
 * gathered.h (what traces are read for if it is asked), programs.h (compiled
 * programs of traces), traces.h (call stacks),
 * saved.h (signatures and variables), stored.h (checkpoints), inputs.h (what
 * was read from where).
 */
#ifndef TFP_MODEL_MODEL_H
#define TFP_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/gathered.h"
#include "model/graph.h"
#include "model/inputs.h"
#include "model/pools.h"
#include "model/programs.h"
#include "model/saved.h"
#include "model/steps.h"
#include "model/stored.h"
#include "model/traces.h"

struct tfp_model {
    tfp_memory *memory;
    tfp_interner strings; /* names of all sorts; see tfp_model_string() */

    tfp_interner shapes;     /* int64_t dims; ids 0 and 1 are special */
    tfp_interner lists;      /* arrays of int64_t */
    tfp_interner tensors;    /* tfp_tensor */
    tfp_interner functions;  /* tfp_function_ref */
    tfp_interner attr_lists; /* arrays of tfp_attr, sorted by key */

    tfp_nodes nodes;  /* of the graphs that files hold */
    tfp_nodes bodies; /* of the functions in their libraries */
    TFP_VEC(tfp_graph) graphs;
    TFP_VEC(tfp_log_entry) waiting; /* log entries whose node is not known */
    tfp_bits logged;                /* names that a log has a stack for */

    TFP_VEC(tfp_step) steps; /* in the order they were first named */
    tfp_interner step_ids;   /* int64_t, or the key of the rest; item k + 1 is
                              * steps.data[k] */
    TFP_VEC(tfp_device) devices;
    size_t trace_devices; /* of these, whose times are picoseconds */
    TFP_VEC(tfp_allocation) allocations; /* of RunMetadata, when gathered */
    TFP_VEC(tfp_pool) pools;             /* of traces, likewise */

    tfp_programs programs; /* of traces, and their instructions */

    TFP_VEC(tfp_frame) frames;
    tfp_interner stacks; /* tfp_stack_item: a frame on top of another stack */

    TFP_VEC(tfp_signature) signatures;
    tfp_interner signature_keys; /* {graph, key}, as step_ids */
    TFP_VEC(tfp_variable) variables;
    tfp_stored_tensors stored; /* in checkpoints */
    TFP_VEC(tfp_input) inputs;

    uint32_t gathers; /* TFP_GATHER_STEPS and others; set before inputs come */
    tfp_gathered gathered;
};

/* False when out of memory; tfp_model_release() is allowed all the same. */
bool tfp_model_init(tfp_model *model, tfp_memory *memory);
void tfp_model_release(tfp_model *model);

/* The id of a name. TFP_NO_ID when out of memory. */
static inline tfp_string tfp_model_string(tfp_model *model, tfp_span name)
{
    return tfp_intern(&model->strings, name);
}

/* The bytes of a name; they stay until the model is released. */
static inline tfp_span tfp_model_text(const tfp_model *model, tfp_string id)
{
    return tfp_interned(&model->strings, id);
}

#endif
