/*
 * info_text.c - `tfprof info` for people: one short block a file.
 */
#include "base/escape.h"
#include "model/coverage.h"
#include "model/file_kinds.h"
#include "model/ids.h"
#include "model/inputs.h"
#include "model/model.h"
#include "output/info/info.h"
#include "output/text/figures.h"

enum { LABEL_WIDTH = TFP_INFO_LABEL, MOST_NAMES = 12 };

static void put_number(tfp_sink *s, int64_t value)
{
    char figure[TFP_FIGURE_SIZE];
    tfp_figure_grouped(value, figure);
    tfp_sink_text(s, figure);
}

static void put_label(tfp_sink *s, const char *label)
{
    tfp_sink_format(s, "  %-*s", LABEL_WIDTH, label);
}

static void put_line(tfp_sink *s, const char *label, int64_t value)
{
    put_label(s, label);
    put_number(s, value);
    tfp_sink_text(s, "\n");
}

/* Where text goes that may be colored or shortened. */
typedef struct screen {
    tfp_sink *sink;
    tfp_style style;
} screen;

/* Names one after the other, the rest as a number. */
static void put_names(const screen *on, const tfp_model *model,
                      const char *label, const tfp_string *ids, size_t count)
{
    tfp_sink *s = on->sink;
    size_t shown = count > MOST_NAMES ? MOST_NAMES : count;
    if (count == 0)
        return;
    put_label(s, label);
    for (size_t i = 0; i < shown; i++) {
        if (i > 0) {
            tfp_sink_text(s, "\n");
            put_label(s, "");
        }
        tfp_style_name(&on->style, s, tfp_model_text(model, ids[i]),
                       tfp_style_room(&on->style, 2 + LABEL_WIDTH));
    }
    if (shown < count)
        tfp_sink_format(s, "\n  %-*sand %zu more", LABEL_WIDTH, "",
                        count - shown);
    tfp_sink_text(s, "\n");
}

static void put_heading(const screen *on, const tfp_model *model,
                        const tfp_input *input)
{
    tfp_sink *s = on->sink;
    tfp_style_begin(&on->style, s, TFP_INK_STRONG);
    tfp_sink_escaped(s, tfp_model_text(model, input->path));
    if (input->member != 0) {
        tfp_sink_text(s, "/");
        tfp_sink_escaped(s, tfp_model_text(model, input->member));
    }
    tfp_style_end(&on->style, s, TFP_INK_STRONG);
    tfp_sink_format(s, ": %s", tfp_file_kind_name(input->kind));
    if (input->is_read)
        tfp_sink_text(s, input->is_text ? ", text" : ", binary");
    if (input->is_gzip)
        tfp_sink_text(s, ", gzip");
    if (input->size >= 0 || input->bytes_read > 0) {
        tfp_sink_text(s, ", ");
        put_number(s, input->size >= 0 ? input->size : input->bytes_read);
        tfp_sink_text(s, " bytes");
    }
    if (input->is_gzip && input->bytes_read > 0) {
        tfp_sink_text(s, " (");
        put_number(s, input->bytes_read);
        tfp_sink_text(s, " decompressed)");
    }
    tfp_sink_text(s, "\n");
    if (input->remark && input->status == TFPROF_OK)
        tfp_sink_format(s, "  %s\n", input->remark);
}

static void put_versions(tfp_sink *s, const tfp_model *model,
                         const tfp_input *input)
{
    if (input->tensorflow_version != 0) {
        put_label(s, "TensorFlow");
        tfp_sink_escaped(s, tfp_model_text(model, input->tensorflow_version));
        tfp_sink_text(s, "\n");
    }
    if (input->producer != 0)
        put_line(s, "graph version", input->producer);
}

static void put_steps_taken(tfp_sink *s, const tfp_model *model,
                            const tfp_input *input)
{
    char words[TFP_STEPS_WORDS];
    if (!input->trace.is_one || !tfp_steps_words(model, &input->trace, words))
        return;
    put_label(s, "steps are");
    tfp_sink_text(s, words);
    tfp_sink_text(s, "\n");
}

static void put_steps(tfp_sink *s, const tfp_input *input)
{
    size_t shown = input->steps.count > MOST_NAMES ? MOST_NAMES
                                                   : input->steps.count;
    if (input->steps.count == 0)
        return;
    put_label(s, input->steps.count == 1 ? "step" : "steps");
    for (size_t i = 0; i < shown; i++)
        tfp_sink_format(s, "%s%lld", i ? ", " : "",
                        (long long)input->steps.data[i]);
    if (shown < input->steps.count)
        tfp_sink_format(s, " and %zu more", input->steps.count - shown);
    tfp_sink_text(s, "\n");
    if (input->first_start > 0) {
        put_label(s, "time range");
        put_number(s, tfp_sub_sat(input->last_end, input->first_start));
        tfp_sink_format(s, " us from %lld\n", (long long)input->first_start);
    }
}

static void put_ignored(tfp_sink *s, const tfp_input *input)
{
    bool any = false;
    for (size_t i = 0; i < tfp_ignored_fact_count; i++) {
        int64_t value = tfp_info_fact_value(&input->ignored,
                                            &tfp_ignored_facts[i]);
        if (value == 0)
            continue;
        if (!any)
            put_label(s, "not used");
        else
            tfp_sink_text(s, ", ");
        tfp_sink_format(s, "%s: ", tfp_ignored_facts[i].words);
        put_number(s, value);
        any = true;
    }
    if (any)
        tfp_sink_text(s, "\n");
}

static void put_odd_label(const screen *on, const char *label)
{
    tfp_style_begin(&on->style, on->sink, TFP_INK_WARNING);
    put_label(on->sink, label);
    tfp_style_end(&on->style, on->sink, TFP_INK_WARNING);
}

static void put_warning(void *context, const char *line)
{
    const screen *on = context;
    put_odd_label(on, "warning");
    tfp_sink_text(on->sink, line);
    tfp_sink_text(on->sink, "\n");
}

static const char *error_label(const tfp_input *input)
{
    if (input->partial)
        return "partial";
    if (input->status == TFPROF_ERR_LIMIT)
        return "stopped";
    return input->is_read ? "damaged" : "not read";
}

static void put_error(const screen *on, const tfp_input *input)
{
    tfp_sink *s = on->sink;
    if (input->status == TFPROF_OK)
        return;
    put_odd_label(on, error_label(input));
    if (input->why.line > 0)
        tfp_sink_format(s,
                        "line %lld, column %lld: ", (long long)input->why.line,
                        (long long)input->why.column);
    else if (input->why.offset >= 0)
        tfp_sink_format(s, "offset %lld: ", (long long)input->why.offset);
    tfp_sink_escaped(s, tfp_span_of(input->why.message));
    tfp_sink_text(s, "\n");
}

/* How much of the graph this input and those before it ran, and the most memory
 * in use. */
static void put_coverage(const screen *on, tfp_coverage *coverage,
                         const tfp_input *input)
{
    const tfp_model *model = coverage->model;
    tfp_sink *s = on->sink;
    int64_t share;
    tfp_coverage_add(coverage, input);
    if (model->nodes.count > 0) {
        put_label(s, "graph coverage");
        share = coverage->covered * 10000 / coverage->nodes;
        tfp_sink_format(s, "%lld.%02lld%%: ", (long long)share / 100,
                        (long long)share % 100);
        put_number(s, coverage->covered);
        tfp_sink_text(s, " of ");
        put_number(s, coverage->nodes);
        tfp_sink_text(s, " nodes ran\n");
    }
    for (size_t i = 0; i < input->devices.count; i++) {
        int64_t peak = tfp_coverage_peak(coverage, input->devices.data[i]);
        if (peak == 0)
            continue;
        put_label(s, "most bytes in use");
        put_number(s, peak);
        tfp_sink_text(s, " on ");
        tfp_style_name(&on->style, s,
                       tfp_model_text(model, input->devices.data[i]),
                       tfp_style_room(&on->style, 2 + LABEL_WIDTH));
        tfp_sink_text(s, "\n");
    }
}

static void put_input(screen *on, tfp_coverage *coverage,
                      const tfp_input *input)
{
    const tfp_model *model = coverage->model;
    tfp_sink *s = on->sink;
    put_heading(on, model, input);
    for (size_t f = 0; f < tfp_count_fact_count; f++) {
        int64_t value = tfp_info_fact_value(&input->counts,
                                            &tfp_count_facts[f]);
        if (value > 0 && !tfp_count_facts[f].is_odd)
            put_line(s, tfp_count_facts[f].words, value);
    }
    put_versions(s, model, input);
    if (input->version != 0)
        put_line(s, "checkpoint version", input->version);
    put_names(on, model, "types", input->dtypes.data, input->dtypes.count);
    put_names(on, model, "tags", input->tags.data, input->tags.count);
    put_names(on, model, "signature keys", input->signatures.data,
              input->signatures.count);
    put_names(on, model, "devices", input->devices.data, input->devices.count);
    put_steps(s, input);
    put_steps_taken(s, model, input);
    if (tfp_coverage_takes(coverage, input))
        put_coverage(on, coverage, input);
    tfp_info_trace_text(s, model, &input->trace);
    put_ignored(s, input);
    tfp_info_warnings(model, input, put_warning, on);
    put_error(on, input);
}

void tfp_info_write_text(tfp_coverage *coverage, tfp_style style, tfp_sink *s)
{
    const tfp_model *model = coverage->model;
    screen on = { s, style };
    for (size_t i = 0; i < model->inputs.count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        /* Of what could not even be opened there is nothing to tell. */
        if (input->bytes_read > 0 || (input->status != TFPROF_ERR_IO &&
                                      input->status != TFPROF_ERR_MISSING))
            put_input(&on, coverage, input);
    }
}
