/*
 * again.c - traces read once more, for what the views do not need of them.
 */
#include "api/again.h"

#include <string.h>

#include "api/remarks.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/inputs.h"
#include "model/model.h"
#include "options/options.h"
#include "options/values.h"

bool tfp_profile_input_path(const tfprof_profile *p, const tfp_input *input,
                            tfp_memory *memory, char **path)
{
    tfp_span first = tfp_model_text(&p->model, input->path);
    tfp_span member = tfp_model_text(&p->model, input->member);
    char *text = tfp_memory_alloc(memory, first.size + member.size + 2);
    size_t size = first.size;
    if (!text)
        return false;
    if (size > 0)
        memcpy(text, first.data, size);
    if (member.size > 0) {
        text[size++] = '/';
        memcpy(text + size, member.data, member.size);
        size += member.size;
    }
    text[size] = '\0';
    *path = text;
    return true;
}

/* A pipe is empty by now, and so is standard input, be it a file. */
static bool is_there_twice(const tfprof_profile *p, const tfp_input *input)
{
    return input->is_file && input->size >= 0 &&
           !tfp_span_is(tfp_model_text(&p->model, input->path), "-");
}

/* With salvage, an input that was damaged before is so again. */
static bool is_as_before(const tfp_input *input, int status)
{
    return status == TFPROF_OK ||
           (status == input->status && !tfp_stops_all(status));
}

int tfp_profile_check_twice(const tfprof_profile *p, size_t index,
                            tfprof_error *err)
{
    char name[TFP_REMARK_PATH];
    if (is_there_twice(p, &p->model.inputs.data[index]))
        return TFPROF_OK;
    tfp_profile_input_name(p, index, name, sizeof(name));
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "%s: this output must read the input twice, but this "
                    "input can be read only once (give a file)",
                    name);
}

static int read_again(const tfprof_profile *p, size_t index,
                      tfprof_profile *again, tfprof_error *err)
{
    const tfp_input *input = &p->model.inputs.data[index];
    char *path;
    int status = tfp_profile_check_twice(p, index, err);
    if (status != TFPROF_OK)
        return status;
    if (!tfp_profile_input_path(p, input, &again->memory, &path))
        return tfp_fail_nomem(err);
    if (!input->trace.has_steps)
        again->context.next_step = input->trace.only_step;
    again->context.is_again = true;
    again->context.shift = input->trace.shift;
    status = tfprof_profile_add_path(again, path, NULL, err);
    tfp_memory_free(&again->memory, path);
    return is_as_before(input, status) ? TFPROF_OK : status;
}

/* Traces are read with what they were read with before. */
int tfp_profile_copy_settings(const tfprof_profile *p, tfprof_profile *again,
                              tfprof_error *err)
{
    int64_t held = (int64_t)p->memory.held;
    again->options.salvage = p->context.salvage;
    again->options.fold_transforms = p->context.fold_transforms;
    again->options.frames = p->context.reads_frames ? TFP_FRAMES_PYTHON
                                                    : TFP_FRAMES_MODEL;
    again->options.max_depth_nesting = p->context.max_depth;
    again->options.max_input = p->context.max_input;
    again->options.max_block = p->context.max_block;
    again->options.follow = p->context.follow;
    if (p->options.max_memory > 0) /* for both together */
        again->options.max_memory = p->options.max_memory > held
                                        ? p->options.max_memory - held
                                        : 1;
    again->context.progress = p->context.progress;
    again->context.progress_self = p->context.progress_self;
    again->cancel = p->cancel;
    tfp_words_release(&again->options.run, &again->memory);
    tfp_words_release(&again->options.step_event, &again->memory);
    return tfp_words_copy(&p->options.run, &again->memory,
                          &again->options.run) &&
                   tfp_words_copy(&p->options.step_event, &again->memory,
                                  &again->options.step_event)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

bool tfp_profile_has_trace(const tfprof_profile *p)
{
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        if (p->model.inputs.data[i].trace.is_one)
            return true;
    }
    return false;
}

/* Reads all traces into a new profile. */
static int read_traces(const tfprof_profile *p, uint32_t needs,
                       const tfp_event_taker *taker, tfprof_profile **again,
                       tfprof_error *err)
{
    int status = TFPROF_OK;
    *again = tfprof_profile_new_with(p->memory.resize, p->memory.context);
    if (!*again)
        return tfp_fail_nomem(err);
    (*again)->model.gathers = needs;
    (*again)->context.taker = taker;
    status = tfp_profile_copy_settings(p, *again, err);
    for (size_t i = 0; i < p->model.inputs.count && status == TFPROF_OK; i++) {
        if (p->model.inputs.data[i].trace.is_one &&
            p->model.inputs.data[i].is_read)
            status = read_again(p, i, *again, err);
    }
    if (status != TFPROF_OK) {
        tfprof_profile_free(*again);
        *again = NULL;
    }
    return status;
}

int tfp_profile_gather(tfprof_profile *p, uint32_t needs,
                       const tfp_model **found, tfprof_error *err)
{
    int status = TFPROF_OK;
    *found = &p->model;
    if (!tfp_model_number_names(&p->model))
        return tfp_fail_nomem(err);
    if ((p->model.gathers & needs) == needs || !tfp_profile_has_trace(p))
        return TFPROF_OK;
    if (p->again && (p->again->model.gathers & needs) != needs) {
        needs |= p->again->model.gathers;
        tfprof_profile_free(p->again);
        p->again = NULL;
    }
    if (!p->again)
        status = read_traces(p, needs, NULL, &p->again, err);
    if (status != TFPROF_OK)
        return status;
    *found = &p->again->model;
    return tfp_model_number_names(&p->again->model) ? TFPROF_OK
                                                    : tfp_fail_nomem(err);
}

int tfp_profile_take_events(const tfprof_profile *p, uint32_t needs,
                            const tfp_event_taker *taker, tfprof_error *err)
{
    tfprof_profile *again;
    int status = read_traces(p, needs, taker, &again, err);
    if (status == TFPROF_OK)
        tfprof_profile_free(again);
    return status;
}
