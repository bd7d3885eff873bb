/*
 * flops_text.c - what a model costs, on one screen: about 50 lines unless more
 * is asked for.
 *
 * Most of it is lines with a label: a name, perhaps, and some words. What does
 * not fit the window goes on in the next line.
 */
#include <stdio.h>

#include "base/escape.h"
#include "base/intern.h"
#include "model/model.h"
#include "ops/fact/fact.h"
#include "ops/fact/shapes.h"
#include "ops/flops/names.h"
#include "ops/flops/params.h"
#include "ops/flops/report.h"
#include "output/flops/flops.h"
#include "output/text/figures.h"
#include "output/text/page.h"

enum {
    LABEL = 13, /* columns */
    MOST_INPUTS = 6,
    MOST_LOOPS = 3,
    MOST_DIMS = 8
};

typedef struct writer {
    const tfp_flops_answer *answer;
    const tfp_report *report;
    const tfp_model *model;
    tfp_sink *out;
    tfp_page page;
    tfp_sink *sink; /* words of the line at hand */
    tfp_span name;  /* that stands before them */
    tfp_flops_scratch *scratch;
} writer;

/* ---- Lines -------------------------------------------------------------- */

static void begin_line(writer *w, const char *label)
{
    tfp_sink_format(w->out, "%-*s", LABEL, label);
    w->sink = tfp_page_cells(&w->page);
    w->name = (tfp_span){ 0 };
}

/* What may be shortened in a window; it comes first. */
static void put_name(writer *w, tfp_span name)
{
    w->name = name;
}

static void end_line(writer *w)
{
    tfp_page_row row = { .name = w->name, .before = LABEL };
    tfp_page_break_blanks(&w->page);
    tfp_sink_char(tfp_page_put(&w->page, &row), '\n');
}

/* ---- Words and numbers -------------------------------------------------- */

static void put(writer *w, const char *text)
{
    tfp_sink_text(w->sink, text);
}

static void put_number(writer *w, int64_t value)
{
    char figure[TFP_FIGURE_SIZE];
    put(w, value == INT64_MAX ? ">=" : "");
    tfp_figure_grouped(value, figure);
    put(w, figure);
}

/* "1 node", "2 nodes" */
static void put_count(writer *w, int64_t count, const char *one,
                      const char *many)
{
    put_number(w, count);
    put(w, " ");
    put(w, count == 1 ? one : many);
}

static void put_shape(writer *w, tfp_shape shape)
{
    char text[TFP_SHAPE_TEXT_SIZE];
    tfp_sink_bytes(w->sink, tfp_shape_text(w->model, shape, text));
}

/* ---- What was asked about ----------------------------------------------- */

static void put_model(writer *w)
{
    const tfp_graph *graph =
        &w->model->graphs.data[w->report->shapes->request.graph];
    const tfp_input *input = &w->model->inputs.data[graph->input];
    begin_line(w, "model");
    put_name(w, tfp_model_text(w->model, input->path));
    tfp_sink_format(w->sink, " (%s)", tfp_file_kind_name(input->kind));
    end_line(w);
}

/* The one that is counted first, then the others as far as there is room. */
static void put_signature(writer *w)
{
    const tfp_shape_request *request = &w->report->shapes->request;
    size_t room = 0, left = 0;
    if (request->signature == TFP_NO_ID)
        return;
    begin_line(w, "signature");
    put_name(w,
             tfp_model_text(w->model,
                            w->model->signatures.data[request->signature].key));
    for (size_t i = 0; i < w->model->signatures.count; i++) {
        const tfp_signature *other = &w->model->signatures.data[i];
        tfp_span key = tfp_model_text(w->model, other->key);
        size_t size = tfp_escape(key, NULL, 0) + 2;
        if (other->graph != request->graph || i == request->signature ||
            tfp_span_is(key, "__saved_model_init_op"))
            continue;
        if (left > 0 || room + size > 20) {
            left++;
            continue;
        }
        put(w, room == 0 ? "; others: " : ", ");
        tfp_sink_escaped(w->sink, key);
        room += size;
    }
    if (left > 0)
        tfp_sink_format(w->sink, "%s%zu more", room == 0 ? "; " : " and ",
                        left);
    end_line(w);
}

static tfp_span name_of(const writer *w, const tfp_model_input *input)
{
    return tfp_model_text(w->model, input->key ? input->key : input->name);
}

static void put_input(writer *w, const tfp_model_input *input)
{
    put_name(w, name_of(w, input));
    tfp_sink_format(w->sink, " %s ", tfp_dtype_word(input->dtype));
    put_shape(w, input->used);
    if (input->is_one) {
        put(w, ", batch 1 (unknown in the file)");
    } else if (input->used != input->stored) {
        put(w, ", in the file ");
        put_shape(w, input->stored);
    }
}

static void put_inputs(writer *w)
{
    size_t count = w->report->inputs.count;
    for (size_t i = 0; i < count && i < MOST_INPUTS; i++) {
        begin_line(w, i > 0 ? "" : count == 1 ? "input" : "inputs");
        if (i + 1 == MOST_INPUTS && count > MOST_INPUTS)
            tfp_sink_format(w->sink, "and %zu more", count - i);
        else
            put_input(w, &w->report->inputs.data[i]);
        end_line(w);
    }
    if (count == 0) {
        begin_line(w, "inputs");
        put(w, "none");
        end_line(w);
    }
}

/* ---- Parameters --------------------------------------------------------- */

static void put_trainable(writer *w, const tfp_params *p)
{
    const tfp_param_sum *of = p->by_trainable;
    if (of[TFP_TRAINABLE_YES].count + of[TFP_TRAINABLE_NO].count == 0)
        return;
    put(w, ": ");
    put_number(w, of[TFP_TRAINABLE_YES].elements);
    put(w, " trainable, ");
    put_number(w, of[TFP_TRAINABLE_NO].elements);
    put(w, " not");
    if (of[TFP_TRAINABLE_UNKNOWN].count > 0) {
        put(w, ", ");
        put_number(w, of[TFP_TRAINABLE_UNKNOWN].elements);
        put(w, " unknown");
    }
}

/* The type of all of them, or NULL when they differ. */
static const char *common_type(const tfp_params *p)
{
    int32_t common = 0;
    for (size_t i = 0; i < p->list.count; i++) {
        const tfp_param *param = &p->list.data[i];
        if (!param->counts || param->elements < 0)
            continue;
        if (common != 0 && common != param->dtype)
            return NULL;
        common = param->dtype;
    }
    return tfp_dtype_word(common);
}

static void put_rule(writer *w, const tfp_params *p)
{
    bool estimate = tfp_params_is_estimate(p->rule);
    const char *type = common_type(p);
    if (p->all.count == 0)
        return;
    begin_line(w, "");
    put_count(w, p->all.count, estimate ? "constant" : "variable",
              estimate ? "constants" : "variables");
    put(w, " ");
    put(w, tfp_rule_phrases[p->rule]);
    put(w, ", ");
    put_count(w, p->all.bytes, "byte", "bytes");
    tfp_sink_format(w->sink, " of %s", type ? type : "several types");
    end_line(w);
}

static void put_other_variables(writer *w, const tfp_params *p)
{
    if (p->state.count > 0) {
        begin_line(w, "");
        put(w, "and ");
        put_count(w, p->state.count, "state variable", "state variables");
        put(w, ", ");
        put_count(w, p->state.elements, "element that is not a parameter",
                  "elements that are not parameters");
        end_line(w);
    }
    if (p->unknown > 0) {
        begin_line(w, "");
        put_count(w, p->unknown, "variable", "variables");
        put(w, " not counted: unknown shape or type");
        end_line(w);
    }
}

static void put_params(writer *w)
{
    const tfp_params *p = w->report->params;
    begin_line(w, "parameters");
    if (tfp_params_is_unknown(p)) {
        put(w, "unknown: ");
        put_count(w, (int64_t)p->list.count, "variable is an input",
                  "variables are inputs");
        put(w, " of the graph");
        end_line(w);
        begin_line(w, "");
        put(w, "give the SavedModel or a frozen graph");
        end_line(w);
        return;
    }
    put(w, tfp_params_is_estimate(p->rule) && p->all.count > 0 ? "about " : "");
    put_number(w, p->all.elements);
    put_trainable(w, p);
    end_line(w);
    put_rule(w, p);
    put_other_variables(w, p);
}

/* ---- Work --------------------------------------------------------------- */

/* Which dims of an input are open: the first, or others too. */
typedef enum openness { OPEN_NONE, OPEN_BATCH, OPEN_MORE } openness;

static openness openness_of(const writer *w, const tfp_model_input *input)
{
    tfp_dims dims = tfp_dims_of(w->model, input->used);
    openness found = dims.rank < 0 ? OPEN_MORE : OPEN_NONE;
    for (int i = 0; i < dims.rank; i++) {
        if (dims.at[i] < 0 && found < OPEN_MORE)
            found = i == 0 ? OPEN_BATCH : OPEN_MORE;
    }
    return found;
}

/* "x=1x128x3": an example for what is not known. */
static void put_example(writer *w, const tfp_model_input *input)
{
    enum { LENGTH = 128, SIDE = 224 };
    tfp_dims dims = tfp_dims_of(w->model, input->used);
    bool is_image = dims.rank == 4 && dims.at[1] < 0 && dims.at[2] < 0;
    tfp_sink_escaped(w->sink, name_of(w, input));
    put(w, "=");
    for (int i = 0; i < dims.rank && i < MOST_DIMS; i++) {
        int64_t dim = dims.at[i] >= 0 ? dims.at[i]
                      : i == 0        ? 1
                      : is_image      ? SIDE
                                      : LENGTH;
        tfp_sink_format(w->sink, "%s%lld", i > 0 ? "x" : "", (long long)dim);
    }
    put(w, dims.rank < 0 || dims.rank > MOST_DIMS ? "DIMxDIM..." : "");
}

static void put_examples(writer *w)
{
    const tfp_report *r = w->report;
    size_t shown = 0;
    put(w, ": add --shape ");
    for (size_t i = 0; i < r->inputs.count && shown < MOST_INPUTS; i++) {
        if (openness_of(w, &r->inputs.data[i]) == OPEN_NONE)
            continue;
        put(w, shown++ > 0 ? "," : "");
        put_example(w, &r->inputs.data[i]);
    }
    put(w, ", with your sizes");
}

static bool put_loop_to_add(writer *w)
{
    const tfp_report *r = w->report;
    for (size_t i = 0; i < r->loops.count; i++) {
        const tfp_report_loop *loop = &r->loops.data[i];
        if (loop->rule != TFP_TIMES_ASSUMED)
            continue;
        put(w, ": add --trips ");
        tfp_sink_escaped(w->sink, tfp_node_name(&w->scratch->names,
                                                loop->instance, loop->node));
        put(w, "=N");
        return true;
    }
    return false;
}

/* The option that makes more known, or most of it. False without one. Loops
 * go around as often as an input is long, most often. */
static bool put_option_to_add(writer *w)
{
    const tfp_report *r = w->report;
    bool has_all_shapes = r->by_why[TFP_WHY_UNKNOWN_SHAPE] == 0;
    openness open = OPEN_NONE;
    if (!tfp_report_is_partial(r) ||
        (has_all_shapes && r->counted < r->compute))
        return false;
    for (size_t i = 0; i < r->inputs.count; i++) {
        openness one = openness_of(w, &r->inputs.data[i]);
        open = one > open ? one : open;
    }
    if (open == OPEN_BATCH)
        put(w, ": add --batch 1");
    else if (open == OPEN_MORE)
        put_examples(w);
    return open != OPEN_NONE || put_loop_to_add(w);
}

/* A figure that may be less than what there is never stands alone. */
static bool is_unknown(const writer *w, int64_t value)
{
    return value == 0 && tfp_report_is_partial(w->report);
}

static void put_figure(writer *w, int64_t value)
{
    if (is_unknown(w, value)) {
        put(w, "unknown");
        return;
    }
    if (tfp_report_is_partial(w->report) && value < INT64_MAX)
        put(w, "at least ");
    put_number(w, value);
}

static void put_float_ops(writer *w)
{
    const tfp_report *r = w->report;
    begin_line(w, "FLOPs");
    put_figure(w, r->work.float_ops);
    if (!put_option_to_add(w) && !is_unknown(w, r->work.float_ops))
        put(w, r->request.set == TFP_SET_TENSORFLOW
                   ? ", by TensorFlow's formulas"
                   : ", where 1 MAC = 2 FLOPs");
    end_line(w);
}

static void put_work(writer *w)
{
    const tfp_report *r = w->report;
    put_float_ops(w);
    if (r->request.set == TFP_SET_FULL) {
        begin_line(w, "MACs");
        put_figure(w, r->work.macs);
        end_line(w);
        begin_line(w, "int ops");
        put_number(w, r->work.int_ops);
        end_line(w);
    }
    begin_line(w, "TensorFlow");
    put(w, "tf.profiler reports ");
    put_number(w, r->tensorflow);
    end_line(w);
}

/* ---- Coverage ----------------------------------------------------------- */

/* The type that most nodes of a reason are of, after the `last` one. */
static size_t next_type(const tfp_report *r, tfp_why why, size_t last)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < r->whys.count; i++) {
        int64_t count = r->whys.data[i].of[why];
        bool later = last == SIZE_MAX || count < r->whys.data[last].of[why] ||
                     (count == r->whys.data[last].of[why] && i > last);
        if (count > 0 && later &&
            (best == SIZE_MAX || count > r->whys.data[best].of[why]))
            best = i;
    }
    return best;
}

/* A name among words: it is shortened if a line of its own is too short. */
static void put_word(writer *w, tfp_span name)
{
    enum { AROUND = LABEL + 5 /* its indent and "," */ };
    tfp_style_name(&w->page.style, w->sink, name,
                   tfp_style_room(&w->page.style, AROUND));
}

/* The types that a reason is about, the most frequent first, as far as the
 * line goes. */
static void put_types(writer *w, tfp_why why, size_t room)
{
    const tfp_report *r = w->report;
    size_t type = SIZE_MAX;
    int64_t left = r->by_why[why];
    bool any = false;
    while (left > 0 && (type = next_type(r, why, type)) != SIZE_MAX) {
        tfp_span name = tfp_model_text(w->model, r->types.all.data[type].name);
        int64_t count = r->whys.data[type].of[why];
        size_t size = tfp_escape(name, NULL, 0) + 6;
        if (any && size > room)
            break;
        put(w, any ? ", " : " (");
        put_word(w, name);
        if (count > 1)
            tfp_sink_format(w->sink, " %lld", (long long)count);
        left -= count;
        room -= size < room ? size : room;
        any = true;
    }
    if (any && left > 0)
        tfp_sink_format(w->sink, ", others %lld", (long long)left);
    put(w, any ? ")" : "");
}

/* Does the graph list no shapes, though nothing that it is fed with is open? */
static bool lacks_shapes(const writer *w)
{
    const tfp_report *r = w->report;
    const tfp_graph *graph = &w->model->graphs.data[r->shapes->request.graph];
    const tfp_nodes *nodes = tfp_graph_nodes(r->shapes->model, graph);
    if (r->by_why[TFP_WHY_UNKNOWN_SHAPE] == 0 ||
        w->model->inputs.data[graph->input].kind != TFP_FILE_GRAPH)
        return false;
    for (size_t i = 0; i < r->inputs.count; i++) {
        if (openness_of(w, &r->inputs.data[i]) != OPEN_NONE &&
            tfp_dims_of(w->model, r->inputs.data[i].used).rank >= 0)
            return false;
    }
    for (uint32_t n = 0; n < graph->node_count; n++) {
        size_t count;
        tfp_list_items(w->model, nodes->outputs[graph->first_node + n], &count);
        if (count > 0)
            return false;
    }
    return true;
}

static void put_hint(writer *w)
{
    const tfp_report *r = w->report;
    if (lacks_shapes(w)) {
        begin_line(w, "");
        put(w,
            "write the graph with as_graph_def(add_shapes=True) to count all");
        end_line(w);
    }
    begin_line(w, "");
    if (r->by_why[TFP_WHY_NOT_ASKED] > 0)
        put(w, "--functions walk counts called functions; ");
    put(w, "--uncounted lists them");
    end_line(w);
}

static void put_coverage(writer *w)
{
    const tfp_report *r = w->report;
    begin_line(w, "coverage");
    put_number(w, r->counted);
    put(w, " of ");
    put_count(w, r->compute, "compute node", "compute nodes");
    put(w, " counted");
    end_line(w);
    for (int why = 0; why < TFP_WHY_COUNT; why++) {
        if (r->by_why[why] == 0)
            continue;
        begin_line(w, "");
        tfp_sink_format(w->sink, "%s: ", tfp_why_phrases[why]);
        put_number(w, r->by_why[why]);
        put_types(w, (tfp_why)why, 52 - strlen(tfp_why_phrases[why]));
        end_line(w);
    }
    if (r->counted < r->compute)
        put_hint(w);
}

/* ---- Remarks ------------------------------------------------------------ */

/* Those that nobody knows the trips of. */
static void put_loops(writer *w)
{
    const tfp_report *r = w->report;
    size_t shown = 0, more = 0;
    for (size_t i = 0; i < r->loops.count; i++) {
        const tfp_report_loop *loop = &r->loops.data[i];
        if (loop->rule != TFP_TIMES_ASSUMED)
            continue;
        if (shown == MOST_LOOPS) {
            more++;
            continue;
        }
        begin_line(w, shown++ == 0 ? "loops" : "");
        put_name(w,
                 tfp_node_name(&w->scratch->names, loop->instance, loop->node));
        put(w, " is counted once (--trips NAME=N)");
        end_line(w);
    }
    if (more > 0) {
        begin_line(w, "");
        tfp_sink_format(w->sink, "and %zu more", more);
        end_line(w);
    }
}

static void put_remarks(writer *w)
{
    const tfp_report *r = w->report;
    put_loops(w);
    if (r->branches > 0) {
        begin_line(w, "branches");
        put_number(w, r->branches);
        put(w, r->branches == 1 ? " counted at its most expensive branch"
                                : " counted at their most expensive branch");
        end_line(w);
    }
    if (r->dead_nodes > 0 && r->dead.float_ops > 0) {
        begin_line(w, "dead");
        put_count(w, r->dead_nodes, "node", "nodes");
        put(w, " that no output needs would add ");
        put_number(w, r->dead.float_ops);
        put(w, " float operations");
        end_line(w);
    }
    if (tfp_report_is_saturated(r)) {
        begin_line(w, ">=");
        put(w, "the total overflowed and was clamped");
        end_line(w);
    }
}

/* ---- Tables ------------------------------------------------------------- */

static void put_table(writer *w, const tfp_flops_list *list,
                      const tfp_report_rows *rows, const char *word)
{
    tfp_list_column columns[TFP_MOST_COLUMNS];
    int64_t top = w->answer->top;
    size_t count = tfp_flops_brief_rows(rows);
    size_t most = top == 0 ? count : (size_t)top;
    tfp_columns c;
    if (count == 0)
        return;
    memcpy(columns, list->columns, list->count * sizeof(*columns));
    if (w->report->counted == w->report->compute)
        columns[list->count - 1].kind = TFP_CELL_DETAIL;
    tfp_sink_char(w->out, '\n');
    tfp_columns_init(&c, w->out, NULL, TFP_COLUMNS_TEXT, columns, list->count);
    c.brief = true;
    c.style = w->answer->style;
    tfp_flops_put_list(w->answer, list, &c, w->scratch, most);
    if (count > most)
        tfp_sink_format(w->out, "and %zu more (--top, --list %s)\n",
                        count - most, word);
}

void tfp_flops_write_text(const tfp_flops_answer *a, tfp_sink *sink,
                          tfp_flops_scratch *scratch)
{
    writer w = { .answer = a,
                 .report = a->report,
                 .model = a->report->shapes->model,
                 .out = sink,
                 .scratch = scratch };
    tfp_page_init(&w.page, &a->style, sink, a->memory);
    w.page.has_bars = false; /* those of the tables are enough */
    put_model(&w);
    put_signature(&w);
    put_inputs(&w);
    put_params(&w);
    put_work(&w);
    put_coverage(&w);
    put_remarks(&w);
    put_table(&w, &tfp_flops_brief_types, &a->report->types, "types");
    put_table(&w, &tfp_flops_brief_layers, &a->report->layers, "layers");
    scratch->names.failed |= w.page.failed;
    tfp_page_release(&w.page);
}
