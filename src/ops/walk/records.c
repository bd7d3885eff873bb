/*
 * records.c - what run records tell of nodes: shapes, and how often they ran.
 */
#include "ops/walk/records.h"

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/model.h"
#include "model/steps.h"
#include "ops/walk/walk.h"

/* ---- Which records ------------------------------------------------------ */

static bool take_room(tfp_shapes *s, tfp_string name)
{
    struct tfp_records *records = s->records;
    size_t count = records->of.count, more;
    if (name < count)
        return true;
    more = (size_t)name + 1 - count;
    if (!TFP_VEC_RESERVE(s->memory, &records->of, more))
        return false;
    for (size_t i = 0; i < more; i++)
        records->of.data[count + i] = (tfp_record_run){ .first = TFP_NO_ID };
    records->of.count += more;
    return true;
}

/* The end of `text` cut by "_" and a number; its size when it has none. */
static size_t cut_number(tfp_span text)
{
    size_t size = text.size;
    while (size > 0 && text.data[size - 1] >= '0' && text.data[size - 1] <= '9')
        size--;
    return size > 1 && size < text.size && text.data[size - 1] == '_'
               ? size - 1
               : text.size;
}

/* The node that "_arg_NODE_0_1" was fed to (its output 0), or TFP_NO_ID. */
static tfp_string node_fed(const tfp_model *model, tfp_span text)
{
    static const char mark[] = "_arg_";
    size_t size = sizeof(mark) - 1;
    if (text.size <= size || memcmp(text.data, mark, size))
        return TFP_NO_ID;
    text.data += size;
    text.size -= size;
    text.size = cut_number(text);
    if (text.size < 2 || memcmp(text.data + text.size - 2, "_0", 2))
        return TFP_NO_ID;
    text.size -= 2;
    return tfp_interner_find(&model->strings, text);
}

/* The loop whose condition "LOOP/LoopCond/_12" is, or TFP_NO_ID. */
static tfp_string loop_of(const tfp_model *model, tfp_span text)
{
    static const char mark[] = "/LoopCond/";
    size_t size = sizeof(mark) - 1, end = cut_number(text);
    if (end == text.size || end < size ||
        memcmp(text.data + end - size, mark, size))
        return TFP_NO_ID;
    text.size = end - size;
    return tfp_interner_find(&model->strings, text);
}

static bool has_outputs(const tfp_step *step, const tfp_exec *exec)
{
    tfp_exec_figures figures;
    return exec->detail != 0 &&
           tfp_exec_read(step, exec, &figures).outputs_left;
}

/* A node may have records on several devices, of which a stream has no
 * outputs: those of the first with outputs count. */
static bool note_record(tfp_shapes *s, const tfp_step *step, uint32_t record,
                        tfp_string name, bool was_fed)
{
    const tfp_exec *exec = &step->execs.data[record];
    tfp_record_run *run;
    bool outputs;
    if (!take_room(s, name))
        return false;
    run = &s->records->of.data[name];
    outputs = has_outputs(step, exec);
    if (run->count > 0 && was_fed && !run->was_fed)
        return true;
    if (run->count == 0 || (outputs && run->first == TFP_NO_ID)) {
        run->device = exec->device;
        run->was_fed = was_fed;
        run->count = 0;
    }
    if (run->device != exec->device)
        return true;
    run->count++;
    if (!outputs)
        return true;
    if (run->first == TFP_NO_ID)
        run->first = record;
    else
        s->records->later.data[run->last] = record;
    run->last = record;
    return true;
}

enum { RECORDS_BETWEEN_ASKS = 4096 };

static bool note_records(tfp_shapes *s, const tfp_step *step)
{
    const tfp_model *model = s->model;
    for (size_t i = 0; i < step->execs.count; i++) {
        const tfp_exec *exec = &step->execs.data[i];
        tfp_span text = tfp_model_text(model, exec->name);
        tfp_string fed = node_fed(model, text), loop = loop_of(model, text);
        if (i % RECORDS_BETWEEN_ASKS == 0 && tfp_cancelled(s->cancel)) {
            s->cancelled = true;
            return false;
        }
        s->records->later.data[i] = TFP_NO_ID;
        if (model->devices.data[exec->device].kind != TFP_EXEC_RUN)
            continue;
        if (loop != TFP_NO_ID) {
            if (!take_room(s, loop))
                return false;
            s->records->of.data[loop].loops++;
        }
        if (!note_record(s, step, (uint32_t)i,
                         fed == TFP_NO_ID ? exec->name : fed, fed != TFP_NO_ID))
            return false;
    }
    return true;
}

static uint32_t first_step(const tfp_model *model)
{
    for (size_t i = 0; i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        if (step->execs.count > 0 && step->execs.count < UINT32_MAX)
            return (uint32_t)i;
    }
    return TFP_NO_ID;
}

bool tfp_records_init(tfp_shapes *s)
{
    uint32_t number = s->request.uses_runs ? first_step(s->model) : TFP_NO_ID;
    const tfp_step *step;
    if (number == TFP_NO_ID)
        return true;
    s->records = tfp_memory_alloc(s->memory, sizeof(*s->records));
    if (!s->records)
        return false;
    *s->records = (struct tfp_records){ .step = number };
    step = &s->model->steps.data[number];
    return TFP_VEC_RESERVE(s->memory, &s->records->later, step->execs.count) &&
           note_records(s, step);
}

void tfp_records_release(tfp_shapes *s)
{
    if (!s->records)
        return;
    TFP_VEC_RELEASE(s->memory, &s->records->of);
    TFP_VEC_RELEASE(s->memory, &s->records->later);
    TFP_VEC_RELEASE(s->memory, &s->records->outputs);
    tfp_memory_free(s->memory, s->records);
    s->records = NULL;
}

/* ---- How often ---------------------------------------------------------- */

static const tfp_record_run *run_of(const tfp_shapes *s, tfp_string name)
{
    return s->records && name < s->records->of.count
               ? &s->records->of.data[name]
               : NULL;
}

int64_t tfp_records_of(const tfp_shapes *s, tfp_string name)
{
    const tfp_record_run *run = run_of(s, name);
    return run ? run->count : 0;
}

int64_t tfp_records_of_loop(const tfp_shapes *s, tfp_string name)
{
    const tfp_record_run *run = run_of(s, name);
    return run ? run->loops : 0;
}

/* ---- Shapes ------------------------------------------------------------- */

/* Room for what records have of each output of a node; NULL when out of
 * memory. */
static tfp_recorded *begin_outputs(tfp_shapes *s, size_t count)
{
    struct tfp_records *records = s->records;
    records->outputs.count = 0;
    if (!TFP_VEC_RESERVE(s->memory, &records->outputs, count))
        return NULL;
    for (size_t i = 0; i < count; i++)
        records->outputs.data[i] = (tfp_recorded){ TFP_SHAPE_NONE, TFP_NO_ID };
    return records->outputs.data;
}

/* Joins what one record has of the outputs. Of a Switch one output is made
 * each time; of an output that a record has twice the first counts. */
static bool join_record(tfp_shapes *s, uint32_t record, tfp_recorded *outputs,
                        size_t count)
{
    const tfp_step *step = &s->model->steps.data[s->records->step];
    tfp_exec_figures figures;
    tfp_exec_output output;
    tfp_detail_reader r = tfp_exec_read(step, &step->execs.data[record],
                                        &figures);
    tfp_walk_charge(s, (size_t)r.outputs_left);
    while (tfp_detail_next_output(&r, &output)) {
        tfp_recorded *at;
        tfp_shape shape;
        if (output.slot < 0 || (size_t)output.slot >= count ||
            outputs[output.slot].record == record)
            continue;
        at = &outputs[output.slot];
        at->record = record;
        shape = tfp_shape_made_safe(s, output.shape);
        if (shape == TFP_SHAPE_NONE)
            continue;
        if (shape != TFP_NO_ID && at->common != TFP_SHAPE_NONE)
            shape = tfp_shape_join(s->model, at->common, shape);
        if (shape == TFP_NO_ID)
            return false;
        at->common = shape;
    }
    return true;
}

static bool is_complete(const tfp_shapes *s, const tfp_known *output)
{
    return tfp_dims_known(
        tfp_dims_of(s->model, output->of[TFP_GRADE_FULL].shape));
}

void tfp_records_put(tfp_shapes *s, tfp_site *site)
{
    const tfp_record_run *run = run_of(s, site->nodes->name[site->node]);
    size_t complete = 0;
    tfp_recorded *outputs;
    if (!run || run->first == TFP_NO_ID)
        return;
    while (complete < site->output_count &&
           is_complete(s, &site->outputs[complete]))
        complete++;
    if (complete == site->output_count)
        return;
    outputs = begin_outputs(s, site->output_count);
    s->failed |= !outputs;
    for (uint32_t i = run->first; i != TFP_NO_ID && !s->failed;
         i = s->records->later.data[i])
        s->failed |= !join_record(s, i, outputs, site->output_count);
    for (size_t i = complete; i < site->output_count && !s->failed; i++) {
        if (!is_complete(s, &site->outputs[i]))
            tfp_fact_add_shape(s, &site->outputs[i].of[TFP_GRADE_FULL],
                               outputs[i].common);
    }
}

/* Of a node that ran with several shapes our grade keeps what these have in
 * common, and is less then. */
static void complete_node(tfp_shapes *s, const tfp_record_run *run,
                          tfp_known *outputs, size_t count)
{
    const tfp_step *step = &s->model->steps.data[s->records->step];
    tfp_exec_figures figures;
    tfp_exec_output output;
    tfp_detail_reader r = tfp_exec_read(step, &step->execs.data[run->first],
                                        &figures);
    if (r.outputs_left != count)
        return;
    for (size_t i = 0; tfp_detail_next_output(&r, &output); i++) {
        tfp_fact *fact = &outputs[i].of[TFP_GRADE_TENSORFLOW];
        if (tfp_dims_known(tfp_dims_of(s->model, fact->shape)))
            continue;
        tfp_fact_add_shape(s, fact, tfp_shape_made_safe(s, output.shape));
    }
}

void tfp_records_complete(tfp_shapes *s)
{
    const tfp_graph *graph = tfp_instance_graph(s, 0);
    const tfp_nodes *nodes = tfp_graph_nodes(s->model, graph);
    if (!s->records)
        return;
    for (uint32_t n = 0; n < graph->node_count && !s->failed; n++) {
        const tfp_record_run *run = run_of(s,
                                           nodes->name[graph->first_node + n]);
        size_t count;
        tfp_known *outputs = tfp_walk_outputs(s, 0, n, &count);
        if (run && run->first != TFP_NO_ID && !run->was_fed)
            complete_node(s, run, outputs, count);
    }
}
