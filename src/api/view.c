/*
 * view.c - the public functions about views.
 */
#include "output/view/view.h"
#include "base/cancel.h"
#include "sheet/digest.h"
#include "sheet/sheets.h"

#include <stdio.h>

#include "api/counted.h"
#include "api/empty.h"
#include "api/flame.h"
#include "api/kept_view.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "api/timeline.h"
#include "api/values.h"
#include "api/variables.h"
#include "api/view.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/times.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/flame/flame.h"
#include "output/page/html.h"
#include "output/pprof/pprof.h"
#include "output/profile/profile.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"
#include "output/view/rows_arrow.h"
#include "view/view.h"

/* What a question is after: an answer that is sent, rows to keep, or a view
 * for another part of the library. */
typedef struct view_request {
    const tfp_view_type *type;
    tfprof_write_fn *write;
    void *context;
    tfprof_view *rows;    /* to be filled, or NULL */
    tfp_view_taker *take; /* or NULL; with neither it is sent */
    void *taker;
} view_request;

static bool is_data(const view_request *request)
{
    return request->rows || request->take;
}

const char *tfprof_view_type(size_t index)
{
    for (size_t i = 0; tfp_view_types[i]; i++) {
        if (i == index)
            return tfp_view_types[i]->name;
    }
    return NULL;
}

/* ---- Where it goes ------------------------------------------------------ */

static int check_output(const tfprof_profile *p, const tfp_view_type *type,
                        tfprof_error *err)
{
    const tfp_output *output = &p->options.output;
    if (output->kind == TFP_OUTPUT_STDOUT || output->kind == TFP_OUTPUT_NONE)
        return TFPROF_OK;
    if (output->kind == TFP_OUTPUT_TIMELINE &&
        type->timeline == TFP_TIMELINE_NONE)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "--output: the %s view has no timeline (use scope, graph or code)",
            type->name);
    if (output->kind == TFP_OUTPUT_PPROF) {
        int status = tfp_pprof_check(&p->options, err);
        if (status != TFPROF_OK)
            return status;
    }
    if (tfp_output_is_flame(output->kind)) {
        int status = tfp_flame_check(type, &p->options, err);
        if (status != TFPROF_OK)
            return status;
    }
    if (output->kind == TFP_OUTPUT_TIMELINE)
        return TFPROF_OK; /* each of its files is checked when it is named */
    return tfp_file_check_target(output->outfile, &p->model,
                                 &p->options.formula_file, err);
}

typedef struct rows_answer {
    const tfp_view *view;
    const tfp_digest *head; /* of a table, or NULL */
} rows_answer;

static int write_rows(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const rows_answer *answer = subject;
    return tfp_view_write(answer->view, answer->head, sink, err);
}

typedef struct pprof_answer {
    const tfp_view *view;
    int64_t *left_out;
} pprof_answer;

static int write_pprof(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const pprof_answer *answer = subject;
    return tfp_pprof_write(answer->view, sink, answer->left_out, err);
}

static int send_pprof(tfprof_profile *p, const tfp_view *view,
                      tfprof_error *err)
{
    int64_t left_out = 0;
    pprof_answer pprof = { view, &left_out };
    tfp_answer answer = { .write = write_pprof,
                          .subject = &pprof,
                          .memory = &p->memory,
                          .cancel = &p->cancel,
                          .packed = true };
    int status = tfp_question_send(p, &answer, NULL, NULL, err);
    if (status == TFPROF_OK && left_out > 0)
        tfp_remark(p,
                   "the pprof file omits %lld nodes, as in TensorFlow's own "
                   "tfprof, because their source line calls other lines or "
                   "is hidden (samples=all includes them)",
                   (long long)left_out);
    return status;
}

/* What stands above a table. A trace is not read again for that. */
static int make_head(tfprof_profile *p, tfp_watch *watch, tfp_digest *head,
                     tfprof_error *err)
{
    tfp_sheet_request request = { .model = &p->model,
                                  .traces = &p->model,
                                  .memory = &p->memory,
                                  .watch = watch };
    return tfp_digest_init(head, &request, err);
}

static int send_rows(tfprof_profile *p, const tfp_view *view,
                     tfprof_write_fn *write, void *context, tfprof_error *err)
{
    tfp_digest head = { 0 };
    rows_answer rows = { .view = view };
    tfp_watch watch = { .cancel = &p->cancel };
    tfp_answer answer = { .write = write_rows,
                          .subject = &rows,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    int status = TFPROF_OK;
    if (tfp_view_is_table(view->options)) {
        rows.head = &head;
        status = make_head(p, &watch, &head, err);
    }
    if (status == TFPROF_OK)
        status = tfp_question_send(p, &answer, write, context, err);
    if (rows.head)
        tfp_digest_release(&head);
    return status;
}

static int write_page(const void *view, tfp_sink *sink, tfprof_error *err)
{
    return tfp_html_write_view(view, sink, err);
}

static int send_page(tfprof_profile *p, const tfp_view *view,
                     tfprof_write_fn *write, void *context, tfprof_error *err)
{
    tfp_answer answer = { .write = write_page,
                          .subject = view,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    return tfp_question_send(p, &answer, write, context, err);
}

typedef struct parquet_answer {
    const tfp_view *view;
    tfp_memory *memory;
} parquet_answer;

static int write_parquet(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const parquet_answer *answer = subject;
    return tfp_view_write_parquet(answer->view, answer->memory, sink, err);
}

static int send_parquet(tfprof_profile *p, const tfp_view *view,
                        tfprof_error *err)
{
    parquet_answer parquet = { view, &p->memory };
    tfp_answer answer = { .write = write_parquet,
                          .subject = &parquet,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    return tfp_question_send(p, &answer, NULL, NULL, err);
}

static int send_view(tfprof_profile *p, const tfp_view *view,
                     tfprof_write_fn *write, void *context, tfprof_error *err)
{
    switch (p->options.output.kind) {
    case TFP_OUTPUT_PPROF: return send_pprof(p, view, err);
    case TFP_OUTPUT_FOLDED:
    case TFP_OUTPUT_SPEEDSCOPE: return tfp_profile_write_flame(p, view, err);
    case TFP_OUTPUT_HTML: return send_page(p, view, write, context, err);
    case TFP_OUTPUT_PARQUET: return send_parquet(p, view, err);
    default: return send_rows(p, view, write, context, err);
    }
}

/* ---- Saving what was loaded --------------------------------------------- */

static int write_model(const void *census, tfp_sink *sink, tfprof_error *err)
{
    return tfp_profile_write(census, sink, err);
}

static int answer_with_model(tfprof_profile *p, tfp_answer *answer,
                             tfprof_error *err)
{
    const tfp_census *census;
    int status = tfp_profile_census(p, &census, err);
    if (status == TFPROF_OK && tfp_model_has_picos(&p->model))
        tfp_remark(p, "a ProfileProto stores times in microseconds, so the "
                      "times of traces are rounded");
    if (status == TFPROF_OK && tfp_model_find_step(&p->model, TFP_STEP_REST))
        tfp_remark(p, "a ProfileProto has numbered steps only, so operations "
                      "without a step are left out");
    *answer = (tfp_answer){ .write = write_model,
                            .subject = census,
                            .memory = &p->memory,
                            .cancel = &p->cancel };
    return status;
}

static int send_model(tfprof_profile *p, const char *path, tfprof_error *err)
{
    tfp_answer answer;
    int status = answer_with_model(p, &answer, err);
    answer.packed = tfp_file_is_packed_name(path);
    return status == TFPROF_OK ? tfp_question_save(p, &answer, path, err)
                               : status;
}

static int save(tfprof_profile *p, const char *path, tfprof_error *err)
{
    int status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = tfp_file_check_target(path, &p->model,
                                       &p->options.formula_file, err);
    if (status == TFPROF_OK)
        status = send_model(p, path, err);
    return tfp_question_end(p, status, err);
}

int tfprof_profile_save(tfprof_profile *p, const char *path, tfprof_error *err)
{
    int status = tfp_check_given(path, "the path", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    return status == TFPROF_OK ? tfp_profile_leave(p, save(p, path, err))
                               : status;
}

static int write_profile(tfprof_profile *p, tfprof_write_fn *write,
                         void *context, tfprof_error *err)
{
    tfp_answer answer;
    int status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = answer_with_model(p, &answer, err);
    if (status == TFPROF_OK)
        status = tfp_answer_send(&answer, write, context, err);
    return tfp_question_end(p, status, err);
}

int tfprof_profile_write_profile(tfprof_profile *p, tfprof_write_fn *write,
                                 void *context, tfprof_error *err)
{
    int status = tfp_check_given(write, "the callback", err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    return status == TFPROF_OK
               ? tfp_profile_leave(p, write_profile(p, write, context, err))
               : status;
}

/* ---- Which step --------------------------------------------------------- */

/* Does the name of a file end in _STEP, but for what follows a dot? */
static bool is_named_after(const tfp_model *model, const tfp_input *input,
                           int64_t step)
{
    tfp_span name = tfp_model_text(model,
                                   input->member ? input->member : input->path);
    char end[32];
    for (size_t i = name.size; i-- > 0 && name.data[i] != '/';) {
        if (name.data[i] == '.')
            name.size = i;
    }
    snprintf(end, sizeof(end), "_%lld", (long long)step);
    return tfp_span_ends(name, end);
}

/* The only run record without a number of its own whose file is named after
 * the step. The count of the inputs when there is none, or more than one. */
static size_t find_named(const tfp_model *model, int64_t step)
{
    size_t none = model->inputs.count, found = none;
    for (size_t i = 0; i < model->inputs.count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        if ((input->kind != TFP_FILE_RUN_METADATA &&
             input->kind != TFP_FILE_STEP_STATS) ||
            input->is_numbered || input->steps.count != 1 ||
            !is_named_after(model, input, step))
            continue;
        if (found != none)
            return none;
        found = i;
    }
    return found;
}

/* Files are numbered by position, but a user who has run_meta_5 and no other
 * step 5 means that file. */
static int64_t step_meant(const tfprof_profile *p)
{
    int64_t asked = p->options.step, meant;
    char name[TFP_REMARK_PATH];
    size_t input;
    if (asked < 0 || tfp_model_has_step(&p->model, asked))
        return asked;
    input = find_named(&p->model, asked);
    if (input == p->model.inputs.count)
        return asked;
    meant = p->model.inputs.data[input].steps.data[0];
    tfp_profile_input_name(p, input, name, sizeof(name));
    tfp_remark(p,
               "there is no step %lld; step %lld is used, because the name of "
               "its file contains %lld: %s (to number a file, use "
               "--run_meta_path %lld=FILE)",
               (long long)asked, (long long)meant, (long long)asked, name,
               (long long)asked);
    return meant;
}

/* ---- Making a view ------------------------------------------------------ */

static int send_with_values(tfprof_profile *p, tfp_view *view,
                            const view_request *request, tfprof_error *err)
{
    tfp_view_values values;
    int status;
    tfp_view_values_init(&values, p, view);
    status = request->rows
                 ? tfp_kept_view_fill(request->rows, view, &p->cancel, err)
                 : send_view(p, view, request->write, request->context, err);
    if (status == TFPROF_OK && request->rows && !values.values.stopped) {
        tfp_view_values_finish(&values, status, NULL); /* rows tell of damage */
        return TFPROF_OK;
    }
    return tfp_view_values_finish(&values, status, err);
}

static int make_view(tfprof_profile *p, const view_request *request,
                     const tfp_census *census, tfprof_error *err)
{
    tfp_view view;
    tfp_options options = p->options; /* borrows its texts */
    int status;
    if (is_data(request)) {
        options.format = TFP_FORMAT_JSON; /* they are data, too */
        options.output.kind = TFP_OUTPUT_STDOUT;
    }
    status = tfp_view_init(&view, request->type, census, &options, &p->cancel,
                           err);
    if (status == TFPROF_OK) {
        tfp_remark_on_view(p, &view);
        status = request->take ? request->take(request->taker, &view, err)
                               : send_with_values(p, &view, request, err);
    }
    if (status == TFPROF_OK) /* it takes longer than the answer */
        status = tfp_remark_on_empty(p, &view, err);
    tfp_view_release(&view);
    return status;
}

static int answer(tfprof_profile *p, const view_request *request,
                  tfprof_error *err)
{
    const tfp_census *census;
    tfp_counting counting;
    tfp_once once;
    int64_t asked = p->options.step;
    int status = tfp_once_begin(&once, p, request->type, is_data(request), err);
    counting = (tfp_counting){ .profile = p };
    if (status == TFPROF_OK)
        status = tfp_counting_begin(&counting, p, &census, err);
    tfp_once_hold(&once);
    if (status == TFPROF_OK)
        p->options.step = step_meant(p);
    p->uncounted = tfp_counting_gaps(&counting);
    p->macs = counting.float_ops ? counting.macs : -1;
    if (status == TFPROF_OK && p->options.select != TFP_SELECT_AUTO &&
        p->options.select & TFP_SELECT_FLOAT_OPS)
        tfp_remark_on_counting(&counting);
    if (status == TFPROF_OK)
        status = tfp_remark_on_coverage(p, err);
    if (status == TFPROF_OK)
        status = !is_data(request) &&
                         p->options.output.kind == TFP_OUTPUT_TIMELINE
                     ? tfp_profile_write_timelines(p, request->type, census,
                                                   err)
                     : make_view(p, request, census, err);
    tfp_counting_end(&counting);
    tfp_once_end(&once);
    p->options.step = asked;
    return status;
}

static int fail_unknown(const char *name, tfprof_error *err)
{
    char list[96] = "";
    size_t used = 0;
    for (size_t i = 0; tfp_view_types[i] && used < sizeof(list); i++)
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 i ? ", " : "", tfp_view_types[i]->name);
    return tfp_fail(err, TFPROF_ERR_OPTION, -1, "unknown view '%s' (views: %s)",
                    tfp_shorten(tfp_span_of(name), 60).text, list);
}

int tfp_profile_find_view(const char *name, const tfp_view_type **type,
                          tfprof_error *err)
{
    int status = tfp_check_given(name, "the name of the view", err);
    if (status != TFPROF_OK)
        return status;
    *type = tfp_view_find(name);
    return *type ? TFPROF_OK : fail_unknown(name, err);
}

static int begin_view(tfprof_profile *p, const tfp_view_type *type,
                      bool has_labels, tfprof_error *err)
{
    tfp_labels labels;
    int status = TFPROF_OK;
    tfp_labels_read(&p->options.label, &labels);
    if (has_labels)
        status = tfp_rows_check_labels(&labels, err);
    if (status != TFPROF_OK)
        return status;
    return type->has_lines ? tfp_question_begin_lines(p, err)
                           : tfp_question_begin(p, err);
}

/* A Parquet file has the rows and columns of CSV. */
static int write_view(tfprof_profile *p, const view_request *request,
                      tfprof_error *err)
{
    int64_t format = p->options.format;
    int status = begin_view(p, request->type, tfp_question_has_labels(p), err);
    if (p->options.output.kind == TFP_OUTPUT_PARQUET)
        p->options.format = TFP_FORMAT_CSV;
    if (status == TFPROF_OK)
        status = tfp_question_check_write(p, request->write, err);
    if (status == TFPROF_OK)
        status = check_output(p, request->type, err);
    if (status == TFPROF_OK)
        status = answer(p, request, err);
    p->options.format = format;
    return tfp_question_end(p, status, err);
}

int tfprof_profile_write_view(tfprof_profile *p, const char *name,
                              tfprof_write_fn *write, void *context,
                              tfprof_error *err)
{
    view_request request = { .write = write, .context = context };
    int status = tfp_profile_find_view(name, &request.type, err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = p->options.output.kind == TFP_OUTPUT_PROFILE
                 ? save(p, p->options.output.outfile, err)
                 : write_view(p, &request, err);
    return tfp_profile_leave(p, status);
}

/* As if --output were html, without a file. */
static int write_view_page(tfprof_profile *p, const view_request *request,
                           tfprof_error *err)
{
    tfp_output output = p->options.output;
    int status = begin_view(p, request->type, false, err);
    p->options.output = (tfp_output){ .kind = TFP_OUTPUT_HTML };
    if (status == TFPROF_OK)
        status = answer(p, request, err);
    p->options.output = output;
    return tfp_question_end(p, status, err);
}

int tfprof_profile_write_page(tfprof_profile *p, const char *name,
                              tfprof_write_fn *write, void *context,
                              tfprof_error *err)
{
    view_request request = { .write = write, .context = context };
    int status = tfp_check_given(write, "the callback", err);
    if (status == TFPROF_OK)
        status = tfp_profile_find_view(name, &request.type, err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    return status == TFPROF_OK
               ? tfp_profile_leave(p, write_view_page(p, &request, err))
               : status;
}

static int keep_view(tfprof_profile *p, view_request *request,
                     tfprof_error *err)
{
    int status = begin_view(p, request->type, true, err);
    if (status == TFPROF_OK)
        status = tfp_kept_view_new(p, &request->rows, err);
    if (status == TFPROF_OK)
        status = answer(p, request, err);
    return tfp_question_end(p, status, err);
}

int tfprof_profile_view(tfprof_profile *p, const char *name, tfprof_view **view,
                        tfprof_error *err)
{
    view_request request = { 0 };
    int status = tfp_check_given(view, "the view pointer", err);
    if (status != TFPROF_OK)
        return status;
    *view = NULL;
    status = tfp_profile_find_view(name, &request.type, err);
    if (status == TFPROF_OK)
        status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = keep_view(p, &request, err);
    if (status == TFPROF_OK)
        *view = request.rows;
    else
        tfprof_view_free(request.rows);
    return tfp_profile_leave(p, status);
}

int tfp_profile_take_view(tfprof_profile *p, const tfp_view_type *type,
                          tfp_view_taker *take, void *context,
                          tfprof_error *err)
{
    view_request request = { .type = type, .take = take, .taker = context };
    int status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    status = begin_view(p, type, false, err);
    if (status == TFPROF_OK)
        status = answer(p, &request, err);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}
