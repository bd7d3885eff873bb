/*
 * coverage.c - how much of a graph ran, and how much memory a device gave away.
 */
#include "model/coverage.h"

bool tfp_coverage_init(tfp_coverage *c, const tfp_model *model)
{
    size_t strings = tfp_interner_count(&model->strings);
    *c = (tfp_coverage){
        .model = model,
        .rounds = tfp_memory_zarray(model->memory, strings, sizeof(*c->rounds)),
        .peaks = tfp_memory_zarray(model->memory, strings, sizeof(*c->peaks)),
    };
    for (size_t i = 0; i < model->nodes.by_name.count; i++)
        c->nodes += model->nodes.by_name.data[i] != TFP_NO_NODE;
    return c->rounds && c->peaks;
}

void tfp_coverage_release(tfp_coverage *c)
{
    tfp_memory_free(c->model->memory, c->rounds);
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

int64_t tfp_coverage_add(tfp_coverage *c, const tfp_input *input)
{
    const tfp_model *model = c->model;
    int64_t covered = 0;
    c->round++;
    for (size_t i = 0; i < input->devices.count; i++)
        c->peaks[input->devices.data[i]] = 0;
    for (size_t i = 0; i < input->steps.count; i++) {
        const tfp_step *step = tfp_model_find_step(model, input->steps.data[i]);
        for (size_t k = 0; step && k < step->execs.count; k++) {
            const tfp_exec *exec = &step->execs.data[k];
            uint32_t *round = &c->rounds[exec->name];
            note_peak(c, step, exec);
            if (*round == c->round ||
                tfp_model_find_node(model, exec->name) == TFP_NO_NODE)
                continue;
            c->covered += *round == 0;
            *round = c->round;
            covered++;
        }
    }
    return covered;
}

int64_t tfp_coverage_peak(const tfp_coverage *c, tfp_string device)
{
    return c->peaks[device];
}
