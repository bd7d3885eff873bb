/*
 * parts.c - what all forms of a comparison need: names and texts of a change.
 */
#include "output/compare/parts.h"

#include <string.h>

#include "base/intern.h"
#include "options/options.h"
#include "output/text/figures.h"

typedef tfp_compare_writer writer;

const char *tfp_compare_metric_name(int metric)
{
    switch (metric) {
    case TFP_COMPARED_NODES: return "nodes";
    case TFP_CHANGE_MACS: return "macs";
    case TFP_CHANGE_TYPE: return "op_type";
    case TFP_CHANGE_SHAPE: return "shape";
    case TFP_CHANGE_GRAPH: return "graph";
    case TFP_CHANGE_PLACE: return "place";
    default: return tfp_metrics[metric].name;
    }
}

tfp_unit tfp_compare_unit(int metric)
{
    return metric < TFP_COST_COUNT ? tfp_metrics[metric].unit : TFP_UNIT_COUNT;
}

void tfp_compare_names(writer *w, uint32_t base, uint32_t head)
{
    const tfp_comparison *c = w->subject;
    bool ok = true;
    w->was.count = w->name.count = 0;
    if (base != TFP_NO_ID)
        ok = tfp_snapshot_full_name(&c->base->rows, base, c->memory, &w->was);
    if (head != TFP_NO_ID)
        ok = ok &&
             tfp_snapshot_full_name(&c->head->rows, head, c->memory, &w->name);
    w->failed |= !ok;
    if (head == TFP_NO_ID) {
        tfp_snapshot_name swap = w->name;
        w->name = w->was;
        w->was = swap;
    } else if (tfp_span_equal((tfp_span){ w->was.data, w->was.count },
                              (tfp_span){ w->name.data, w->name.count })) {
        w->was.count = 0;
    }
}

static void put(writer *w, const void *text, size_t size)
{
    if (!TFP_VEC_RESERVE(w->subject->memory, &w->text, size + 1)) {
        w->failed = true;
        return;
    }
    if (size > 0)
        memcpy(w->text.data + w->text.count, text, size);
    w->text.count += size;
}

tfp_span tfp_compare_graph(writer *w, size_t from, size_t end)
{
    enum { MOST = 10 };
    const tfp_changes *changes = w->subject->changes;
    bool is_cut = w->subject->format != TFP_FORMAT_JSON &&
                  w->subject->format != TFP_FORMAT_CSV && end - from > MOST;
    char figure[TFP_FIGURE_SIZE + 2];
    w->text.count = 0;
    for (size_t i = from; i < end && (!is_cut || i < from + MOST); i++) {
        const tfp_graph_change *g = &changes->graph.data[i];
        tfp_span type = tfp_snapshot_text(&w->subject->base->rows, g->type);
        size_t size = g->nodes > 0;
        figure[0] = '+';
        size += tfp_figure_integer(g->nodes, figure + size);
        if (i > from)
            put(w, " ", 1);
        put(w, figure, size);
        put(w, " ", 1);
        put(w, type.data, type.size);
    }
    if (is_cut) {
        put(w, " and ", 5);
        put(w, figure,
            tfp_figure_integer((int64_t)(end - from - MOST), figure));
        put(w, " more types ...", 15);
    }
    return (tfp_span){ (const uint8_t *)w->text.data, w->text.count };
}

tfp_span tfp_compare_text(writer *w, const tfp_change *change, bool is_head)
{
    int64_t value = is_head ? change->is : change->was;
    if (change->metric == TFP_CHANGE_TYPE || change->metric == TFP_CHANGE_SHAPE)
        return tfp_snapshot_text(&w->subject->base->rows, (uint32_t)value);
    if (change->metric == TFP_CHANGE_GRAPH && is_head)
        return tfp_compare_graph(w, (size_t)change->was, (size_t)change->is);
    return (tfp_span){ 0 };
}
