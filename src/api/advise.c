/*
 * advise.c - the public functions that look for advice.
 */
#include "advise/advise.h"
#include "api/again.h"
#include "api/findings.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "base/error.h"
#include "model/census.h"
#include "options/options.h"
#include "output/advice/advice.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"

typedef struct advice_answer {
    const tfp_advice *advice;
    const tfp_options *options;
} advice_answer;

static int check_form(const tfprof_profile *p, tfprof_error *err)
{
    if (p->options.format == TFP_FORMAT_CSV)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "advise supports --format text, json and proto, not csv");
    return tfp_question_check_output(
        p, "--output: advise supports stdout, none and file:outfile=FILE", err);
}

static void remark_on_advice(const tfprof_profile *p, const tfp_advice *advice)
{
    if (advice->misses_runs)
        tfp_remark(
            p,
            "no run records, so times are unknown (give run metadata, a trace, "
            "or a profile of a run: --run_meta_path, --profile_path)");
    else if (advice->misses_traces)
        tfp_remark(p, "no code traces, so source lines are unknown (give an op "
                      "log: --op_log_path)");
}

static int write_as_asked(const void *subject, tfp_sink *sink,
                          tfprof_error *err)
{
    const advice_answer *answer = subject;
    tfp_style style;
    switch (answer->options->format) {
    case TFP_FORMAT_JSON:
        return tfp_advice_write_json(answer->advice, sink, err);
    case TFP_FORMAT_PROTO:
        return tfp_advice_write_proto(answer->advice, sink, err);
    case TFP_FORMAT_TABLE:
        return tfp_advice_write_table(answer->advice, answer->options, sink,
                                      err);
    default:
        style = tfp_style_of(answer->options);
        return tfp_advice_write_text(answer->advice, &style, sink, err);
    }
}

/* What a question is after: an answer that is sent, or findings to keep. */
typedef struct advice_request {
    tfprof_write_fn *write;
    void *context;
    tfprof_advice *kept; /* or NULL: it is sent */
} advice_request;

static int send_advice(const tfprof_profile *p, const tfp_advice *advice,
                       const advice_request *request, tfprof_error *err)
{
    advice_answer subject = { advice, &p->options };
    tfp_answer answer = { .write = write_as_asked,
                          .subject = &subject,
                          .memory = advice->memory,
                          .cancel = &p->cancel };
    return tfp_question_send(p, &answer, request->write, request->context, err);
}

/* What checkers of traces look at; NULL: there is nothing. Whoever asked for
 * none of them gets the others also where a trace cannot be read again. */
static int find_traces(tfprof_profile *p, const tfp_model **traces,
                       tfprof_error *err)
{
    tfprof_error why;
    uint32_t needs = tfp_checkers_gather(p->options.checkers);
    int status;
    *traces = NULL;
    if (needs == 0 || !tfp_profile_has_trace(p))
        return TFPROF_OK;
    status = tfp_profile_gather(p, needs, traces, &why);
    if (status == TFPROF_ERR_MISSING && p->options.checkers == TFP_CHECK_ALL) {
        tfp_remark(p, "%s; trace checkers are skipped", why.message);
        *traces = NULL;
        return TFPROF_OK;
    }
    if (status != TFPROF_OK && err)
        *err = why;
    return status;
}

static int advise(tfprof_profile *p, const advice_request *request,
                  tfprof_error *err)
{
    tfp_advice advice;
    const tfp_census *census;
    const tfp_model *traces;
    bool is_table = !request->kept && p->options.format == TFP_FORMAT_TABLE;
    int status = tfp_profile_census(p, &census, err);
    if (status == TFPROF_OK)
        status = find_traces(p, &traces, err);
    if (status != TFPROF_OK)
        return status;
    status = (is_table ? tfp_advise_briefly : tfp_advise)(
        &advice, census, traces, p->options.checkers, &p->cancel, err);
    if (status == TFPROF_OK) {
        tfp_remark_on_inputs(p, census);
        remark_on_advice(p, &advice);
        status = request->kept ? tfp_findings_fill(request->kept, &advice,
                                                   &p->cancel, err)
                               : send_advice(p, &advice, request, err);
    }
    tfp_advice_release(&advice);
    return status;
}

static int write_advice(tfprof_profile *p, const advice_request *request,
                        tfprof_error *err)
{
    int status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = tfp_question_check_write(p, request->write, err);
    if (status == TFPROF_OK)
        status = check_form(p, err);
    if (status == TFPROF_OK)
        status = advise(p, request, err);
    return tfp_question_end(p, status, err);
}

int tfprof_profile_write_advice(tfprof_profile *p, tfprof_write_fn *write,
                                void *context, tfprof_error *err)
{
    advice_request request = { .write = write, .context = context };
    int status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    return tfp_profile_leave(p, write_advice(p, &request, err));
}

static int keep_advice(tfprof_profile *p, advice_request *request,
                       tfprof_error *err)
{
    int status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = tfp_findings_new(p, &request->kept, err);
    if (status == TFPROF_OK)
        status = advise(p, request, err);
    return tfp_question_end(p, status, err);
}

int tfprof_profile_advise(tfprof_profile *p, tfprof_advice **advice,
                          tfprof_error *err)
{
    advice_request request = { 0 };
    int status = tfp_check_given(advice, "the advice pointer", err);
    if (status != TFPROF_OK)
        return status;
    *advice = NULL;
    status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = keep_advice(p, &request, err);
    if (status == TFPROF_OK)
        *advice = request.kept;
    else
        tfprof_advice_free(request.kept);
    return tfp_profile_leave(p, status);
}
