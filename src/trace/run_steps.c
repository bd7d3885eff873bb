/*
 * run_steps.c - the steps of several runs of a host, one after the other.
 */
#include "trace/run_steps.h"

#include "base/intern.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "model/inputs.h"
#include "model/model.h"
#include "model/steps.h"
#include "trace/id_map.h"

static tfp_span without_end(tfp_span text, const char *end)
{
    if (tfp_span_ends(text, end))
        text.size -= strlen(end);
    return text;
}

tfp_span tfp_host_of_file(tfp_span path)
{
    return without_end(without_end(tfp_span_base_name(path), ".gz"),
                       ".xplane.pb");
}

/* Notes the folder of the file and the host that it is named after. A path may
 * have been given whole, or as a directory and a file in it. */
static bool note_place(tfp_loading *l, tfp_input *input)
{
    tfp_model *model = l->request->model;
    tfp_span path = tfp_model_text(model, input->path);
    tfp_span member = tfp_model_text(model, input->member);
    tfp_span file = member.size > 0 ? member : path;
    tfp_span name = tfp_span_base_name(file);
    tfp_span folder = { file.data, file.size - name.size };
    l->text.count = 0;
    if (!tfp_loading_put(l, ".", member.size > 0 ? path : folder) ||
        (member.size > 0 && !tfp_loading_put(l, "/", folder)))
        return false;
    input->trace.host = tfp_model_string(model, tfp_host_of_file(file));
    input->trace.folder = tfp_model_string(
        model, (tfp_span){ l->text.data, l->text.count });
    return input->trace.host != TFP_NO_ID && input->trace.folder != TFP_NO_ID;
}

/* The names that the traces state decide; where one states none, those of the
 * files. */
static bool is_same_host(const tfp_loading *l, const tfp_input *own,
                         const tfp_input *input)
{
    const tfp_model *model = l->request->model;
    tfp_span host = { l->space->host.data, l->space->host.count };
    if (host.size == 0 || input->trace.hosts.first.count == 0)
        return input->trace.host == own->trace.host;
    return tfp_span_equal(
        host, tfp_model_text(model, input->trace.hosts.first.data[0]));
}

static bool shares_step(const tfp_id_map *steps, const tfp_input *input)
{
    for (size_t i = 0; i < input->steps.count; i++) {
        if (tfp_id_map_find(steps, input->steps.data[i]) != TFP_NO_ID)
            return true;
    }
    return false;
}

/* What is added to the number of each step. */
static bool find_shift(const tfp_loading *l, int64_t *shift)
{
    const tfp_model *model = l->request->model;
    int64_t first = INT64_MAX, last = INT64_MIN, largest = INT64_MIN;
    for (size_t i = 0; i < l->steps.count; i++) {
        first = l->steps.data[i] < first ? l->steps.data[i] : first;
        last = l->steps.data[i] > last ? l->steps.data[i] : last;
    }
    for (size_t i = 0; i < model->steps.count; i++) {
        const tfp_step *step = &model->steps.data[i];
        if (!step->is_rest && step->id > largest)
            largest = step->id;
    }
    /* Other hosts of the run may have earlier steps, which must not get the
     * number of a step before. */
    if (l->request->has_other_hosts && first > 0)
        first = 0;
    *shift = tfp_sub_sat(tfp_add_sat(largest, 1), first);
    return largest < INT64_MAX && tfp_add_sat(last, *shift) < INT64_MAX;
}

/* The step numbers of the trace that an earlier trace has, too. False when out
 * of memory. */
static bool find_known_steps(const tfp_loading *l, tfp_id_map *steps)
{
    for (size_t i = 0; i < l->steps.count; i++) {
        if (tfp_model_has_step(l->request->model, l->steps.data[i]) &&
            !tfp_id_map_put(steps, l->steps.data[i], 0))
            return false;
    }
    return true;
}

/* Is it a run of a host of which another one was read? False when out of
 * memory. */
static bool find_another_run(const tfp_loading *l, const tfp_input *own,
                             bool *found)
{
    const tfp_model *model = l->request->model;
    tfp_id_map steps;
    bool ok;
    *found = false;
    tfp_id_map_init(&steps, l->memory, l->space->seed);
    ok = find_known_steps(l, &steps);
    for (size_t i = 0; ok && steps.count > 0 && i < l->request->input; i++) {
        const tfp_input *input = &model->inputs.data[i];
        if (input->trace.folder != 0 &&
            input->trace.folder != own->trace.folder &&
            is_same_host(l, own, input) && shares_step(&steps, input)) {
            *found = true;
            break;
        }
    }
    tfp_id_map_release(&steps);
    return ok;
}

/* The same of a host of its folder. */
static bool is_of_another_run(const tfp_loading *l)
{
    for (size_t i = 0; i < l->steps.count; i++) {
        if (l->request->has_known_hosts &&
            tfp_model_has_step(l->request->model, l->steps.data[i]))
            return true;
    }
    return false;
}

/* The last trace of the same folder, or NULL. *is_only: all traces before are
 * of this folder. */
static const tfp_input *find_neighbor(const tfp_loading *l,
                                      const tfp_input *own, bool *is_only)
{
    const tfp_model *model = l->request->model;
    *is_only = true;
    for (size_t i = l->request->input; i-- > 0;) {
        const tfp_input *input = &model->inputs.data[i];
        if (input->trace.folder == 0)
            continue;
        if (input->trace.folder == own->trace.folder) {
            *is_only &= input->trace.is_of_only_folder;
            return input;
        }
        *is_only = false;
    }
    return NULL;
}

static void renumber(tfp_loading *l, tfp_input *input, int64_t shift)
{
    input->trace.is_renumbered = true;
    input->trace.shift = shift;
    for (size_t i = 0; i < l->steps.count; i++)
        l->steps.data[i] = tfp_add_sat(l->steps.data[i], shift);
}

bool tfp_number_run(tfp_loading *l)
{
    tfp_input *input = &l->request->model->inputs.data[l->request->input];
    const tfp_input *neighbor;
    int64_t shift;
    bool is_another;
    if (l->request->is_again) {
        if (l->request->shift != 0)
            renumber(l, input, l->request->shift);
        return true;
    }
    if (!input->is_file)
        return true;
    if (!note_place(l, input))
        return false;
    neighbor = find_neighbor(l, input, &input->trace.is_of_only_folder);
    if (neighbor && neighbor->trace.is_renumbered) {
        renumber(l, input, neighbor->trace.shift);
        return true;
    }
    if (input->trace.is_of_only_folder)
        return true;
    is_another = is_of_another_run(l);
    if (!is_another && !find_another_run(l, input, &is_another))
        return false;
    if (is_another && find_shift(l, &shift))
        renumber(l, input, shift);
    return true;
}
