/*
 * report.c - the public function that writes a report: one HTML page with the
 * summary, views and tables.
 *
 * Views are made, written and released one after the other, so that the report
 * needs little more memory than its largest view. Browsers open pages of up to
 * 32 MB well. The size of the data is known only when the data is complete, so
 * it is kept until then. If it is too large, it is made again with fewer rows.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/again.h"
#include "api/compared.h"
#include "api/counted.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "api/summary.h"
#include "api/variables.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/census.h"
#include "model/ids.h"
#include "model/inputs.h"
#include "model/model.h"
#include "model/pools.h"
#include "model/steps.h"
#include "options/options.h"
#include "output/page/chunks.h"
#include "output/page/html.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"
#include "output/sink/sink.h"
#include "sheet/sheets.h"
#include "view/columns.h"
#include "view/view.h"

enum {
    MOST_BYTES = 32 << 20,   /* of a page */
    MOST_STEPS = 20,         /* that a reader can select */
    SLOWEST_STEPS = 10,      /* of these */
    MOST_POOLS = 32,         /* curves of memory */
    MOST_ESTIMATED = 200000, /* runs that memory is estimated from */
    MOST_HELD = 1000,        /* rows of the live set of a pool */
    MOST_NOTES = 8,
    NOTE_SIZE = 160
};

/* The tables, each with the tab that it is on. */
static const struct {
    const char *type;
    size_t sheet;
    const char *id, *title;
} tables[] = {
    { "steps", 0, "steps", "Steps" },
    { "kernels", 0, "kernels", "Kernels" },
    { "devices", 0, "devices", "Devices" },
    { "memory", 1, "memory_pools", "Memory" },
    { "memory", 0, "memory_held", "Live set at the peak" },
};
enum { TABLES = sizeof(tables) / sizeof(tables[0]) };

typedef struct work {
    tfprof_profile *profile;
    const tfp_census *census;
    const tfp_model *traces;
    char notes[MOST_NOTES][NOTE_SIZE];
    size_t note_count;
    TFP_VEC(uint8_t) summary; /* JSON */
    bool summary_failed;
    int64_t steps[MOST_STEPS];
    size_t step_count;
    tfp_sheet sheets[TABLES][TFP_MOST_SHEETS]; /* all of the type of a table */
    tfp_memory_use uses[2];                    /* of the model, of traces */
    tfp_compared *compared;                    /* with the base, or NULL */
    const char *base;
    size_t most; /* rows of a tree; 0: all */
    size_t rows; /* of the largest tree */
    tfp_html_data *data;
} work;

__attribute__((format(printf, 2, 3))) static void add_note(work *w,
                                                           const char *format,
                                                           ...)
{
    va_list args;
    if (w->note_count == MOST_NOTES)
        return;
    va_start(args, format);
    vsnprintf(w->notes[w->note_count++], NOTE_SIZE, format, args);
    va_end(args);
}

/* Is the data of a part missing? Then the report has only the other parts. */
static bool is_absent(int status)
{
    return status == TFPROF_ERR_MISSING;
}

/* ---- The summary -------------------------------------------------------- */

/* A tfp_write_fn. */
static int keep_summary(void *context, const void *data, size_t size)
{
    work *w = context;
    if (!TFP_VEC_RESERVE(&w->profile->memory, &w->summary, size)) {
        w->summary_failed = true;
        return -1;
    }
    memcpy(w->summary.data + w->summary.count, data, size);
    w->summary.count += size;
    return 0;
}

static int add_summary(work *w, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    int64_t format = p->options.format;
    tfp_sink *sink = tfp_memory_alloc(&p->memory, sizeof(*sink));
    int status;
    if (!sink)
        return tfp_fail_nomem(err);
    tfp_sink_init(sink, keep_summary, w);
    p->options.format = TFP_FORMAT_JSON;
    status = tfp_profile_summarize(p, sink, err);
    p->options.format = format;
    tfp_sink_flush(sink);
    tfp_memory_free(&p->memory, sink);
    if (status == TFPROF_OK && w->summary_failed)
        status = tfp_fail_nomem(err);
    return status;
}

/* ---- Steps -------------------------------------------------------------- */

/* The sum of all times of a step, whatever their unit: it only ranks steps. */
static int64_t time_of(const tfp_step *step)
{
    int64_t sum = 0;
    for (size_t i = 0; i < step->execs.count; i++)
        sum = tfp_add_sat(sum, step->execs.data[i].length);
    return sum;
}

/* Lists the steps that --step can select, sorted by step number. Returns how
 * many there are. */
static size_t list_steps(const tfp_model *model, tfp_sort_item *items)
{
    size_t count = 0;
    for (size_t i = 0; i < model->steps.count; i++) {
        if (!model->steps.data[i].is_rest && model->steps.data[i].id >= 0)
            items[count++] = (tfp_sort_item){
                tfp_sort_key_rising(model->steps.data[i].id), (uint32_t)i
            };
    }
    tfp_sort(items, count, items + count, NULL, NULL);
    return count;
}

/* Marks the slowest steps. `items` are all steps and stay unchanged; the space
 * after them is used for sorting. */
static void mark_slowest(const tfp_model *model, tfp_sort_item *items,
                         size_t count, uint8_t *marks)
{
    tfp_sort_item *by_time = items + 2 * count;
    for (size_t i = 0; i < count; i++)
        by_time[i] = (tfp_sort_item){ tfp_sort_key_falling(time_of(
                                          &model->steps.data[items[i].index])),
                                      (uint32_t)i };
    tfp_sort(by_time, count, items + count, NULL, NULL);
    for (size_t i = 0; i < SLOWEST_STEPS && i < count; i++)
        marks[by_time[i].index] = 1;
}

/* Marks steps at equal distances until there are enough. */
static void mark_evenly(size_t count, uint8_t *marks)
{
    size_t marked = SLOWEST_STEPS, wanted = MOST_STEPS - SLOWEST_STEPS;
    for (size_t i = 0; i < wanted; i++) {
        size_t at = i * (count - 1) / (wanted - 1);
        while (at < count && marks[at])
            at++;
        if (at < count && marked < MOST_STEPS) {
            marks[at] = 1;
            marked++;
        }
    }
}

/* A single step is the same as the average, so it is not offered. The rest is
 * not a step. */
static int choose_steps(work *w, tfprof_error *err)
{
    const tfp_model *model = &w->profile->model;
    tfp_memory *memory = &w->profile->memory;
    size_t all = model->steps.count, count = 0;
    tfp_sort_item *items = tfp_memory_array(memory, 3 * all + 1,
                                            sizeof(*items));
    uint8_t *marks = tfp_memory_zarray(memory, all + 1, 1);
    int status = items && marks ? TFPROF_OK : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        count = list_steps(model, items);
    if (count > MOST_STEPS) {
        mark_slowest(model, items, count, marks);
        mark_evenly(count, marks);
    }
    for (size_t i = 0; i < count && count > 1; i++) {
        if ((count <= MOST_STEPS || marks[i]) && w->step_count < MOST_STEPS)
            w->steps[w->step_count++] = model->steps.data[items[i].index].id;
    }
    if (count > MOST_STEPS)
        add_note(w,
                 "%lld of %lld steps can be selected: the slowest, and others "
                 "at equal distances.",
                 (long long)w->step_count, (long long)count);
    tfp_memory_free(memory, items);
    tfp_memory_free(memory, marks);
    return status;
}

/* ---- Tables and memory -------------------------------------------------- */

uint32_t tfp_report_gathers(void)
{
    uint32_t gathers = tfp_summary_gathers() | TFP_GATHER_PEAKS;
    for (size_t i = 0; i < TABLES; i++)
        gathers |= tfp_sheet_type_find(tables[i].type)->gathers;
    return gathers;
}

static int fill_tables(work *w, const tfp_sheet_request *request,
                       tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < TABLES && status == TFPROF_OK; i++) {
        if (tables[i].sheet == 0)
            status = tfp_sheet_type_find(tables[i].type)
                         ->fill(request, w->sheets[i], err);
    }
    return status;
}

static int find_pools(work *w, const tfp_sheet_request *request,
                      tfprof_error *err)
{
    enum { LARGEST_STEP = -1 };
    tfprof_profile *p = w->profile;
    int status = TFPROF_OK;
    if (!tfp_memory_is_left_out(request))
        status = tfp_memory_use_init(&w->uses[0], &p->model, &p->memory,
                                     LARGEST_STEP, &p->cancel, err);
    else
        add_note(w,
                 "Memory over time is not shown, because it would have to be "
                 "estimated from more than %d runs of nodes.",
                 MOST_ESTIMATED);
    if (status == TFPROF_OK && w->traces != &p->model)
        status = tfp_memory_use_init(&w->uses[1], w->traces, &p->memory,
                                     LARGEST_STEP, &p->cancel, err);
    return status;
}

static int add_tables(work *w, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfp_watch watch = { .cancel = &p->cancel };
    tfp_sheet_request request = { .model = &p->model,
                                  .memory = &p->memory,
                                  .watch = &watch,
                                  .most_held = MOST_HELD,
                                  .most_runs = MOST_ESTIMATED };
    tfprof_error why;
    int status = tfp_profile_gather(p, tfp_report_gathers(), &request.traces,
                                    &why);
    if (is_absent(status))
        return TFPROF_OK; /* the summary has reported it */
    if (status != TFPROF_OK) {
        if (err)
            *err = why;
        return status;
    }
    w->traces = request.traces;
    status = fill_tables(w, &request, err);
    return status == TFPROF_OK ? find_pools(w, &request, err) : status;
}

/* The sheet of a table; types with two sheets are filled once. */
static const tfp_sheet *sheet_of(const work *w, size_t table)
{
    for (size_t i = 0; i < TABLES; i++) {
        if (!strcmp(tables[i].type, tables[table].type) &&
            w->sheets[i][0].memory)
            return &w->sheets[i][tables[table].sheet];
    }
    return NULL;
}

static int put_tables(work *w, tfp_chunks *c, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < TABLES && status == TFPROF_OK; i++) {
        const tfp_sheet *sheet = sheet_of(w, i);
        if (sheet && sheet->rows > 0)
            status = tfp_html_table(c, sheet, tables[i].id, tables[i].title,
                                    err);
    }
    return status;
}

/* Traces that were read again have their pools in that model, the second. */
static bool has_curve(const work *w, size_t model, const tfp_pool *pool)
{
    bool is_trace = pool->source == TFP_POOL_TRACE;
    return pool->peak > 0 &&
           (model == 1 ? is_trace
                       : w->traces == &w->profile->model || !is_trace);
}

static void note_curves(work *w)
{
    size_t count = 0;
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < w->uses[m].pools.count; i++)
            count += has_curve(w, m, w->uses[m].pools.data[i]);
    }
    if (count > MOST_POOLS)
        add_note(w, "Memory over time is shown for %d of %lld allocators.",
                 MOST_POOLS, (long long)count);
}

static int put_curves(work *w, tfp_chunks *c, tfprof_error *err)
{
    const tfp_model *models[] = { &w->profile->model, w->traces };
    size_t curves = 0;
    int status = TFPROF_OK;
    for (size_t m = 0; m < 2; m++) {
        for (size_t i = 0; i < w->uses[m].pools.count && curves < MOST_POOLS &&
                           status == TFPROF_OK;
             i++) {
            const tfp_pool *pool = w->uses[m].pools.data[i];
            if (!has_curve(w, m, pool))
                continue;
            status = tfp_html_curve(c, models[m], pool, err);
            curves++;
        }
    }
    return status;
}

/* ---- Trees -------------------------------------------------------------- */

static int put_changes(work *w, tfp_chunks *c, const tfp_view *view,
                       tfprof_error *err)
{
    tfp_html_sides sides = { .base = tfp_span_base_name(tfp_span_of(w->base)),
                             .model = &w->profile->model,
                             .most = w->most > 0 ? w->most : SIZE_MAX };
    tfp_compared_sides found;
    int status = tfp_compared_align(w->compared, view, w->traces, &found, err);
    sides.alignment = found.alignment;
    sides.costs = found.costs;
    sides.totals = found.totals;
    sides.total_count = found.total_count;
    return status == TFPROF_OK ? tfp_html_diff(c, &sides, err) : status;
}

/* Writes the parts that need the rows of the scope view: the connections of
 * nodes, and the changes. */
static int put_more(work *w, tfp_chunks *c, const tfp_html_rows *rows,
                    tfprof_error *err)
{
    int status = TFPROF_OK;
    if (rows->view->type != &tfp_scope_view)
        return TFPROF_OK;
    if (w->census->members.count <= TFP_HTML_MOST_NODES)
        status = tfp_html_edges(c, rows, err);
    if (status == TFPROF_OK && w->compared)
        status = put_changes(w, c, rows->view, err);
    return status;
}

static int put_rows(work *w, tfp_chunks *c, const tfp_view *view,
                    tfprof_error *err)
{
    tfp_html_rows rows;
    int status = tfp_html_rows_init(&rows, view, w->most, err);
    rows.steps = w->steps;
    rows.step_count = w->step_count;
    if (view->shown_count > w->rows)
        w->rows = view->shown_count;
    if (status == TFPROF_OK)
        status = tfp_html_tree(c, &rows, err);
    if (status == TFPROF_OK)
        status = put_more(w, c, &rows, err);
    tfp_html_rows_release(&rows);
    return status;
}

/* Writes a view of all steps. Options that would make its totals depend on the
 * shown rows are ignored. */
static int put_tree(work *w, tfp_chunks *c, const tfp_view_type *type,
                    tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfp_options options = p->options; /* borrows its texts */
    tfp_view view;
    int status;
    options.select = TFP_SELECT_AUTO;
    options.step = -1;
    options.top = 0;
    options.account_displayed_op_only = 0;
    status = tfp_view_init(&view, type, w->census, &options, &p->cancel, err);
    if (status == TFPROF_OK && type == &tfp_scope_view && w->most == 0)
        tfp_remark_on_view(p, &view);
    if (status == TFPROF_OK)
        status = put_rows(w, c, &view, err);
    tfp_view_release(&view);
    return status;
}

static int put_trees(work *w, tfp_chunks *c, tfprof_error *err)
{
    int status = put_tree(w, c, &tfp_scope_view, err);
    if (status == TFPROF_OK)
        status = put_tree(w, c, &tfp_op_view, err);
    if (status == TFPROF_OK && tfp_census_has_traces(w->census))
        status = put_tree(w, c, &tfp_code_view, err);
    return status;
}

/* ---- The page ----------------------------------------------------------- */

static int put_chunks(work *w, tfp_chunks *c, tfprof_error *err)
{
    const char *notes[MOST_NOTES];
    int status;
    for (size_t i = 0; i < w->note_count; i++)
        notes[i] = w->notes[i];
    tfp_html_page(c, &w->profile->model, "summary", notes, w->note_count);
    tfp_html_summary(c, (tfp_span){ w->summary.data, w->summary.count },
                     tfp_view_lacks_lines(w->census));
    status = put_trees(w, c, err);
    if (status == TFPROF_OK)
        status = put_tables(w, c, err);
    if (status == TFPROF_OK)
        status = put_curves(w, c, err);
    if (status == TFPROF_OK && !tfp_chunks_end(c))
        status = tfp_fail_nomem(err);
    return status;
}

/* Makes the data. If it is too large, w->data->is_full is set. */
static int collect(work *w, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfp_chunks *c;
    int status;
    w->data = tfp_html_data_new(&p->memory, MOST_BYTES - (256 << 10),
                                &p->cancel);
    c = w->data ? tfp_chunks_new(&p->memory, &w->data->sink) : NULL;
    if (!c)
        return tfp_fail_nomem(err);
    status = put_chunks(w, c, err);
    tfp_chunks_free(c);
    if (status != TFPROF_OK)
        return status;
    tfp_sink_flush(&w->data->sink);
    if (w->data->failed)
        return tfp_fail_nomem(err);
    return w->data->sink.cancelled ? tfp_fail_cancelled(err) : TFPROF_OK;
}

/* Makes the data. While it is too large, makes it again with a third of the
 * rows. */
static int make_data(work *w, tfprof_error *err)
{
    size_t notes = w->note_count;
    int status = collect(w, err);
    while (status == TFPROF_OK && w->data->is_full && w->most != 1) {
        w->most = (w->most > 0 ? w->most : w->rows) / 3 + 1;
        w->note_count = notes;
        add_note(w,
                 "A report has at most %d MB, so each view has at most %lld "
                 "rows. The totals include the rows that are not shown.",
                 MOST_BYTES >> 20, (long long)w->most);
        tfp_html_data_free(w->data);
        w->data = NULL;
        status = collect(w, err);
    }
    if (status == TFPROF_OK && w->data->is_full)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "the report does not fit into %d MB", MOST_BYTES >> 20);
    if (status == TFPROF_OK && w->most > 0)
        tfp_remark(w->profile,
                   "the report shows at most %lld rows of each view, because "
                   "with all rows it would exceed %d MB",
                   (long long)w->most, MOST_BYTES >> 20);
    return status;
}

static int write_page(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const work *w = subject;
    (void)err;
    tfp_html_write_page(&w->profile->model, w->data, sink);
    return TFPROF_OK;
}

/* All views share one census of the profile. Float operations and parameters
 * are counted as for JSON and CSV. */
static int make_pages(work *w, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfp_counting counting = { .profile = p };
    tfp_once once;
    int status = tfp_once_begin(&once, p, &tfp_scope_view, true, err);
    if (status == TFPROF_OK)
        status = tfp_counting_begin(&counting, p, &w->census, err);
    tfp_once_hold(&once);
    if (status == TFPROF_OK && w->census->members.count > TFP_HTML_MOST_NODES)
        add_note(w,
                 "The graph tab is empty, because the model has more than "
                 "%d nodes.",
                 TFP_HTML_MOST_NODES);
    else if (p->model.nodes.edges.count > TFP_HTML_MOST_EDGES)
        add_note(w, "The graph tab shows at most %d connections.",
                 TFP_HTML_MOST_EDGES);
    if (status == TFPROF_OK)
        status = make_data(w, err);
    tfp_counting_end(&counting);
    tfp_once_end(&once);
    return status;
}

/* Applies the options of a page, even if it is written to standard output. */
static int make(work *w, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    int64_t select = p->options.select, kind = p->options.output.kind;
    int status;
    p->options.select = TFP_PAGE_COSTS;
    p->options.output.kind = TFP_OUTPUT_HTML;
    status = make_pages(w, err);
    p->options.select = select;
    p->options.output.kind = kind;
    return status;
}

static void release(work *w)
{
    tfp_memory *memory = &w->profile->memory;
    TFP_VEC_RELEASE(memory, &w->summary);
    for (size_t i = 0; i < TABLES; i++) {
        for (size_t k = 0; k < TFP_MOST_SHEETS; k++)
            tfp_sheet_release(&w->sheets[i][k]);
    }
    for (int i = 0; i < 2; i++) {
        if (w->uses[i].memory)
            tfp_memory_use_release(&w->uses[i]);
    }
    tfp_compared_free(w->compared);
    tfp_html_data_free(w->data);
}

static int prepare(work *w, const char *const *base, size_t count,
                   tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    int status = add_summary(w, err);
    if (status == TFPROF_OK)
        status = choose_steps(w, err);
    if (status == TFPROF_OK && tfp_model_has_runs(&p->model))
        status = add_tables(w, err);
    if (status == TFPROF_OK)
        note_curves(w);
    if (status == TFPROF_OK && count > 0) {
        w->base = base[0];
        status = tfp_compared_new(&w->compared, p, base, count, TFP_PAGE_COSTS,
                                  err);
    }
    return status;
}

static int send(work *w, tfprof_write_fn *write, void *context,
                tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfp_answer answer = { .write = write_page,
                          .subject = w,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    return tfp_question_send(p, &answer, write, context, err);
}

static int check_output(const tfprof_profile *p, tfprof_error *err)
{
    const tfp_output *output = &p->options.output;
    switch (output->kind) {
    case TFP_OUTPUT_STDOUT:
    case TFP_OUTPUT_NONE: return TFPROF_OK;
    case TFP_OUTPUT_HTML:
        return tfp_file_check_target(output->outfile, &p->model,
                                     &p->options.formula_file, err);
    default:
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "--output: report supports stdout, none and html:outfile=FILE");
    }
}

int tfprof_profile_write_report(tfprof_profile *p, const char *const *base,
                                size_t base_count, tfprof_write_fn *write,
                                void *context, tfprof_error *err)
{
    work w = { .profile = p };
    int status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    w.traces = &p->model;
    status = tfp_question_begin(p, err);
    if (status == TFPROF_OK)
        status = tfp_question_check_write(p, write, err);
    if (status == TFPROF_OK)
        status = check_output(p, err);
    if (status == TFPROF_OK)
        status = prepare(&w, base, base_count, err);
    if (status == TFPROF_OK)
        status = make(&w, err);
    if (status == TFPROF_OK)
        status = send(&w, write, context, err);
    release(&w);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}
