/*
 * tables.c - the public functions about plain tables.
 *
 * Steps, kernels and devices need more of a trace than the views do. Where that
 * was not known when the trace was read, it is read once more (api/again.h).
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "input/kind/input.h"
#include "model/gathered.h"
#include "model/model.h"
#include "sheet/order.h"
#include "sheet/sheets.h"

#include "advise/advise.h"
#include "api/again.h"
#include "api/kept.h"
#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "model/inputs.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/sheet/sheet.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"

struct tfprof_table {
    tfp_kept kept;
    size_t count;
    tfp_sheet sheets[TFP_MOST_SHEETS];
};

const char *tfprof_table_type(size_t index)
{
    for (size_t i = 0; tfp_sheet_types[i].name; i++) {
        if (i == index)
            return tfp_sheet_types[i].name;
    }
    return NULL;
}

static int find_type(const char *name, const tfp_sheet_type **type,
                     tfprof_error *err)
{
    int status = tfp_check_given(name != NULL, "the type", err);
    if (status != TFPROF_OK)
        return status;
    *type = tfp_sheet_type_find(name);
    return *type ? TFPROF_OK
                 : tfp_fail(err, TFPROF_ERR_OPTION, -1, "unknown table '%s'",
                            tfp_shorten(tfp_span_of(name), 60).text);
}

/* What traces have to be read for. Advice and the summary are announced like
 * tables. */
static int find_needs(const tfprof_profile *p, const char *name,
                      uint32_t *needs, tfprof_error *err)
{
    const tfp_sheet_type *type;
    int status;
    if (name && !strcmp(name, "summary")) {
        *needs = tfp_summary_gathers();
        return TFPROF_OK;
    }
    if (name && !strcmp(name, "report")) {
        *needs = tfp_report_gathers();
        return TFPROF_OK;
    }
    if (name && !strcmp(name, "advise")) {
        *needs = tfp_checkers_gather(p->options.checkers);
        return TFPROF_OK;
    }
    status = find_type(name, &type, err);
    if (status == TFPROF_OK)
        *needs = type->gathers;
    return status;
}

/* Begins a call about a table. */
static int enter(tfprof_profile *p, const char *name,
                 const tfp_sheet_type **type, tfprof_error *err)
{
    int status = find_type(name, type, err);
    return status == TFPROF_OK ? tfp_profile_enter(p, err) : status;
}

int tfprof_profile_expect(tfprof_profile *p, const char *name,
                          tfprof_error *err)
{
    uint32_t needs = 0;
    bool is_info = name && !strcmp(name, "info");
    bool is_aggregate = name && !strcmp(name, "aggregate");
    int status = tfp_profile_enter(p, err);
    if (status != TFPROF_OK)
        return status;
    if (is_info)
        p->expects_info = true;
    else if (is_aggregate && p->model.inputs.count == 0) {
        p->expects_aggregate = true;
        p->context.defers = TFP_DEFER_RUNS | TFP_DEFER_TRACES;
        needs = TFP_GATHER_STEPS | TFP_GATHER_TIMES_ONLY | TFP_GATHER_NO_REST;
    } else if (!is_aggregate)
        status = find_needs(p, name, &needs, err);
    if (status == TFPROF_OK && p->model.inputs.count == 0)
        p->model.gathers |= needs;
    return tfp_profile_leave(p, status);
}

/* ---- Answers ------------------------------------------------------------ */

static int fail_empty(const tfp_sheet_type *type, tfprof_error *err)
{
    const char *why = "no input contains run records (give a trace, "
                      "RunMetadata or a profile)";
    if (type->gathers & TFP_GATHER_KERNELS)
        why = "no input contains kernels (give a trace of a GPU)";
    else if (type->gathers & TFP_GATHER_MEMORY)
        why = "no input records memory over time (give RunMetadata, or a trace "
              "with allocations)";
    return tfp_fail(err, TFPROF_ERR_MISSING, -1, "%s", why);
}

/* ---- Order -------------------------------------------------------------- */

static int fail_sort(const tfprof_profile *p, const tfp_sheet *sheet,
                     tfprof_error *err)
{
    char word[40], words[256];
    size_t used = 0;
    tfp_options_print(&p->options, tfp_option_find("sort"), word, sizeof(word));
    for (size_t i = 0; i < sheet->count; i++) {
        const char *name = sheet->columns[i].name;
        if (tfp_sheet_number_column(sheet, name) == i &&
            used + strlen(name) + 3 < sizeof(words))
            used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s",
                                     used > 0 ? ", " : "", name);
    }
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--sort: %s cannot sort by %s (supported: %s)", sheet->name,
                    word, words);
}

/* With --top, a text has the largest rows. */
static bool wants_largest(const tfp_options *o)
{
    return o->format != TFP_FORMAT_JSON && o->format != TFP_FORMAT_CSV &&
           o->output.kind != TFP_OUTPUT_PARQUET && tfp_options_give(o, "top") &&
           o->top > 0;
}

/* Sorts the rows as --sort demands, which is about the first sheet. */
static int sort_rows(const tfprof_profile *p, tfp_sheet *sheet, bool is_first,
                     tfprof_error *err)
{
    const tfp_options *o = &p->options;
    size_t column = TFP_SHEET_NO_COLUMN;
    char word[40];
    if (o->sort != TFP_SORT_AUTO && is_first) {
        tfp_options_print(o, tfp_option_find("sort"), word, sizeof(word));
        column = tfp_sheet_number_column(sheet, word);
        if (column == TFP_SHEET_NO_COLUMN)
            return fail_sort(p, sheet, err);
    } else if (wants_largest(o)) {
        column = tfp_sheet_lead(sheet);
    }
    if (column == TFP_SHEET_NO_COLUMN ||
        tfp_sheet_sort(sheet, column, &p->cancel))
        return TFPROF_OK;
    return tfp_cancelled(&p->cancel) ? tfp_fail_cancelled(err)
                                     : tfp_fail_nomem(err);
}

/* Is there one trace for each of many hosts, and no demand for rows? */
static bool is_overview(const tfprof_profile *p)
{
    enum { MOST_HOSTS = 8 };
    const tfp_options *o = &p->options;
    size_t hosts = 0;
    for (size_t i = 0; i < p->model.inputs.count; i++)
        hosts += p->model.inputs.data[i].kind == TFP_FILE_XSPACE &&
                 p->model.inputs.data[i].is_read;
    return hosts > MOST_HOSTS && o->sort == TFP_SORT_AUTO &&
           !tfp_options_give(o, "top");
}

/* The first `labeled` sheets are written with labels. */
static int fill(tfprof_profile *p, const tfp_sheet_type *type,
                tfp_memory *memory, tfp_sheet *sheets, size_t labeled,
                tfprof_error *err)
{
    tfp_watch watch = { .cancel = &p->cancel };
    tfp_labels labels;
    tfp_sheet_request request = { .model = &p->model,
                                  .memory = memory,
                                  .watch = &watch,
                                  .by = p->options.by };
    int status = tfp_profile_gather(p, type->gathers, &request.traces, err);
    if (status == TFPROF_OK)
        status = type->fill(&request, sheets, err);
    if (status == TFPROF_OK && sheets[0].rows == 0)
        status = fail_empty(type, err);
    for (size_t i = 0; status == TFPROF_OK && i < type->count; i++)
        if (tfp_sheet_is_list(sheets, i))
            status = sort_rows(p, &sheets[i], i == 0, err);
    tfp_labels_read(&p->options.label, &labels);
    for (size_t i = 0; status == TFPROF_OK && i < labeled; i++)
        status = tfp_sheet_check_labels(&sheets[i], &labels, err);
    return status;
}

static int check_form(const tfprof_profile *p, tfprof_error *err)
{
    if (p->options.format == TFP_FORMAT_PROTO)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "tables support --format text, json and csv, not proto");
    if (p->options.output.kind == TFP_OUTPUT_PARQUET)
        return tfp_file_check_target(p->options.output.outfile, &p->model,
                                     &p->options.formula_file, err);
    return tfp_question_check_output(
        p,
        "--output: tables support stdout, none, file:outfile=FILE and "
        "parquet:outfile=FILE",
        err);
}

static int write_answer(const void *answer, tfp_sink *sink, tfprof_error *err)
{
    return tfp_sheet_write(answer, sink, err);
}

static int write_parquet(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const tfp_sheet_answer *answer = subject;
    return tfp_sheet_write_parquet(&answer->sheets[0], answer->labels,
                                   answer->memory, sink, err);
}

/* Only JSON has all sheets. */
static size_t labeled_sheets(const tfprof_profile *p,
                             const tfp_sheet_type *type)
{
    if (!tfp_question_has_labels(p))
        return 0;
    return p->options.format == TFP_FORMAT_JSON &&
                   p->options.output.kind != TFP_OUTPUT_PARQUET
               ? type->count
               : 1;
}

static int64_t top_of(const tfp_options *options)
{
    enum { USUALLY = 50 };
    return options->top < 0 ? USUALLY : options->top;
}

static void remark(const tfprof_profile *p, const tfp_sheet_type *type)
{
    tfp_remark_on_files(p);
    if (type->gathers & TFP_GATHER_STEPS)
        tfp_remark_on_steps(p);
}

static int write_table(tfprof_profile *p, const tfp_sheet_type *type,
                       tfprof_write_fn *write, void *context, tfprof_error *err)
{
    tfp_sheet sheets[TFP_MOST_SHEETS] = { 0 };
    tfp_labels labels;
    tfp_sheet_answer subject = { .sheets = sheets,
                                 .count = type->count,
                                 .format = p->options.format,
                                 .top = top_of(&p->options),
                                 .is_overview = is_overview(p),
                                 .style = tfp_style_of(&p->options),
                                 .labels = &labels,
                                 .memory = &p->memory };
    bool is_parquet = p->options.output.kind == TFP_OUTPUT_PARQUET;
    tfp_answer answer = { .write = is_parquet ? write_parquet : write_answer,
                          .subject = &subject,
                          .memory = &p->memory,
                          .cancel = &p->cancel };
    int status = fill(p, type, &p->memory, sheets, labeled_sheets(p, type),
                      err);
    tfp_labels_read(&p->options.label, &labels);
    if (status == TFPROF_OK) {
        remark(p, type);
        status = tfp_question_send(p, &answer, write, context, err);
    }
    for (size_t i = 0; i < TFP_MOST_SHEETS; i++)
        tfp_sheet_release(&sheets[i]);
    return status;
}

int tfprof_profile_write_table(tfprof_profile *p, const char *name,
                               tfprof_write_fn *write, void *context,
                               tfprof_error *err)
{
    const tfp_sheet_type *type;
    int status = enter(p, name, &type, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_question_begin_any(p, err);
    if (status == TFPROF_OK)
        status = tfp_question_check_write(p, write, err);
    if (status == TFPROF_OK)
        status = check_form(p, err);
    if (status == TFPROF_OK)
        status = write_table(p, type, write, context, err);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}

/* ---- Kept --------------------------------------------------------------- */

static bool is_table(const tfprof_table *table)
{
    return tfp_handle_is(table, TFP_HANDLE_TABLE);
}

static void describe(const tfp_kept *kept, tfp_arrow_table *table)
{
    tfp_sheet_describe(&((const tfprof_table *)kept)->sheets[0], table);
}

static void empty(tfp_kept *kept)
{
    tfprof_table *table = (tfprof_table *)kept;
    for (size_t i = 0; i < TFP_MOST_SHEETS; i++)
        tfp_sheet_release(&table->sheets[i]);
}

static int keep(tfprof_profile *p, const tfp_sheet_type *type,
                tfprof_table **table, tfprof_error *err)
{
    tfp_memory memory;
    int status;
    tfp_question_memory(p, &memory);
    *table = tfp_memory_zalloc(&memory, sizeof(**table));
    if (!*table)
        return tfp_question_end_kept(&memory, "rows", tfp_fail_nomem(err), err);
    (*table)->kept = (tfp_kept){ .handle = TFP_HANDLE_TABLE,
                                 .holders = 1,
                                 .memory = memory,
                                 .describe = describe,
                                 .empty = empty };
    status = fill(p, type, &(*table)->kept.memory, (*table)->sheets, 1, err);
    if (status == TFPROF_OK)
        status = tfp_kept_label(&(*table)->kept, &p->options.label,
                                (*table)->sheets[0].rows, err);
    status = tfp_question_end_kept(&(*table)->kept.memory, "rows", status, err);
    if (status != TFPROF_OK) {
        tfprof_table_free(*table);
        *table = NULL;
    }
    return status;
}

int tfprof_profile_table(tfprof_profile *p, const char *name,
                         tfprof_table **table, tfprof_error *err)
{
    const tfp_sheet_type *type;
    int status = tfp_check_given(table != NULL, "table", err);
    if (status != TFPROF_OK)
        return status;
    *table = NULL;
    status = enter(p, name, &type, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_question_begin_any(p, err);
    if (status == TFPROF_OK)
        status = keep(p, type, table, err);
    if (status == TFPROF_OK)
        remark(p, type);
    return tfp_profile_leave(p, tfp_question_end(p, status, err));
}

void tfprof_table_free(tfprof_table *table)
{
    if (is_table(table))
        tfp_kept_drop(&table->kept);
}

const char *tfprof_table_name(const tfprof_table *table)
{
    return is_table(table) ? table->sheets[0].name : NULL;
}

size_t tfprof_table_row_count(const tfprof_table *table)
{
    return is_table(table) ? table->sheets[0].rows : 0;
}

int tfprof_table_export_arrow(const tfprof_table *table,
                              struct ArrowArrayStream *stream,
                              tfprof_error *err)
{
    int status = tfp_check_given(is_table(table), "table", err);
    return status == TFPROF_OK ? tfp_kept_export(&table->kept, stream, err)
                               : status;
}
