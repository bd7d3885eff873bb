/*
 * coverage.c - how much of a graph ran, and how much memory a device gave away.
 */
#include "model/coverage.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/bytes.h"

enum { KNOWN = 1, COVERED = 2 };

bool tfp_coverage_init(tfp_coverage *c, const tfp_model *model)
{
    size_t strings = tfp_interner_count(&model->strings);
    *c = (tfp_coverage){
        .model = model,
        .states = tfp_memory_zarray(model->memory, strings, 1),
        .peaks = tfp_memory_zarray(model->memory, strings, sizeof(*c->peaks)),
    };
    if (!c->states || !c->peaks)
        return false;
    for (size_t i = 0; i < model->nodes.by_name.count; i++) {
        if (model->nodes.by_name.data[i] == TFP_NO_NODE)
            continue;
        c->states[i] = KNOWN;
        c->nodes++;
    }
    return true;
}

void tfp_coverage_release(tfp_coverage *c)
{
    tfp_memory_free(c->model->memory, c->states);
    tfp_memory_free(c->model->memory, c->peaks);
}

static void note_peak(tfp_coverage *c, const tfp_step *step,
                      const tfp_exec *exec)
{
    tfp_exec_figures figures;
    int64_t *peak = &c->peaks[c->model->devices.data[exec->device].name];
    if (exec->detail == 0)
        return;
    tfp_exec_read(step, exec, &figures);
    if (figures.bytes_in_use > *peak)
        *peak = figures.bytes_in_use;
}

/* What TensorFlow's runtime records beside nodes. */
static bool is_machinery(tfp_span name)
{
    return tfp_span_is(name, "RecvTensor") || tfp_span_is(name, "_SOURCE") ||
           tfp_span_find(name, "MEMCPY");
}

/* A node that only records name is known from the first of them on, and
 * covered from the second on. */
static void note_node(tfp_coverage *c, tfp_string name)
{
    uint8_t *state = &c->states[name];
    if (*state == KNOWN) {
        *state = COVERED;
        c->covered++;
    } else if (*state == 0 && !is_machinery(tfp_model_text(c->model, name))) {
        *state = KNOWN;
        c->nodes++;
    }
}

bool tfp_coverage_takes(const tfp_coverage *c, const tfp_input *input)
{
    return c->states && c->peaks && input->counts.run_records > 0 &&
           (input->kind == TFP_FILE_RUN_METADATA ||
            input->kind == TFP_FILE_STEP_STATS);
}

void tfp_coverage_add(tfp_coverage *c, const tfp_input *input)
{
    const tfp_model *model = c->model;
    for (size_t i = 0; i < input->devices.count; i++)
        c->peaks[input->devices.data[i]] = 0;
    for (size_t i = 0; i < input->steps.count; i++) {
        const tfp_step *step = tfp_model_find_step(model, input->steps.data[i]);
        for (size_t k = 0; step && k < step->execs.count; k++) {
            const tfp_exec *exec = &step->execs.data[k];
            if (tfp_exec_is_trace(model->devices.data[exec->device].kind))
                continue; /* of another input with a step of this number */
            note_peak(c, step, exec);
            note_node(c, exec->name);
        }
    }
}

int64_t tfp_coverage_peak(const tfp_coverage *c, tfp_string device)
{
    return c->peaks[device];
}
