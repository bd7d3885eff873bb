/*
 * question.c - what every question to a profile begins and ends with.
 */
#include "api/question.h"

#include "api/remarks.h"

static int fail_input(const tfprof_profile *p, size_t index, tfprof_code code,
                      const char *what, const char *why, tfprof_error *err)
{
    char name[160];
    tfprof_profile_input_name(p, index, name, sizeof(name));
    return tfp_fail(err, code, -1, "%s: %s%.80s", name, what, why);
}

/* A profile that lacks what was given must not answer as if it were complete.
 * What --salvage kept is asked for, and what merely lies in a directory was
 * not given. */
static int check_inputs(const tfprof_profile *p, tfprof_error *err)
{
    static const char strange[] = "views are not made of this kind of file: ";
    bool is_read = false, has_nodes = false;
    for (size_t i = 0; i < p->model.inputs.count; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        if (input->status != TFPROF_OK && !input->partial)
            return fail_input(p, i, (tfprof_code)input->status,
                              "not read: ", input->why.message, err);
        if (!input->is_read && !input->member)
            return fail_input(p, i, TFPROF_ERR_MALFORMED, strange, input->kind,
                              err);
        is_read |= input->is_read;
        has_nodes |= input->is_read && strcmp(input->kind, "OpLogProto") != 0;
    }
    if (!is_read && p->model.inputs.count > 0)
        return fail_input(p, 0, TFPROF_ERR_MALFORMED, strange,
                          p->model.inputs.data[0].kind, err);
    return has_nodes ? TFPROF_OK
                     : tfp_fail(err, TFPROF_ERR_MISSING, -1,
                                "there is no graph, run metadata or profile "
                                "among the inputs");
}

void tfp_question_limit(tfprof_profile *p)
{
    p->context.max_memory = p->options.max_memory;
    tfp_input_set_limit(&p->context);
    p->memory.limit_reached = false;
}

int tfp_question_begin(tfprof_profile *p, tfprof_error *err)
{
    tfp_question_limit(p);
    return check_inputs(p, err);
}

int tfp_question_send(const tfprof_profile *p, tfp_answer *answer,
                      tfprof_write_fn *write, void *context, tfprof_error *err)
{
    const tfp_output *output = &p->options.output;
    int status = TFPROF_OK;
    if (output->kind == TFP_OUTPUT_STDOUT)
        status = tfp_answer_send(answer, write, context, err);
    else if (output->kind != TFP_OUTPUT_NONE)
        status = tfp_answer_save(answer, output->outfile, err);
    if (answer->escaped)
        tfp_remark(p, "names with control or invalid bytes are shown as \\xHH");
    return status;
}

int tfp_question_end(const tfprof_profile *p, int status, tfprof_error *err)
{
    if (status != TFPROF_ERR_NOMEM || !p->memory.limit_reached)
        return status;
    return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                    "the answer needs more memory than allowed (see "
                    "--max_memory)");
}
