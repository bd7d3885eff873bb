/*
 * timeline_tree.c - scopes or lines of code as slices, each within that of its
 * parent.
 *
 * These views have no times of day, only sums: siblings are drawn one after
 * the other from the start of their parent on, and what is left at its end is
 * the parent's own.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/ids.h"
#include "output/text/figures.h"
#include "output/timeline/timeline_parts.h"
#include "view/view.h"

/* The latest slice of a level. */
typedef struct level {
    int64_t next; /* where its next child begins */
    int64_t end;
} level;

typedef struct tree {
    tfp_timeline *timeline;
    TFP_VEC(level) levels;
    uint32_t skipped; /* rows deeper than this stand below one left out */
} tree;

/* A process for each level, named when the first slice of it comes. The root
 * is its own process 1 in lane 1, and so on. */
static bool enter_level(tree *w, uint32_t depth)
{
    tfp_timeline *t = w->timeline;
    char number[TFP_FIGURE_SIZE];
    if (depth < w->levels.count)
        return true;
    if (!TFP_VEC_PUSH(t->view->memory, &w->levels, (level){ 0 }))
        return false;
    tfp_figure_integer(depth, number);
    tfp_trace_process(&t->trace, (int64_t)depth + 1,
                      "Scope:", tfp_span_of(number), "");
    return true;
}

/* The part of its parent that a row gets. Children that have more in sum than
 * their parent, because some cost is below 0 or too large to be summed up,
 * are cut. */
static level take_share(tree *w, uint32_t depth, int64_t total)
{
    level share = { 0, total > 0 ? total : 0 };
    if (depth > 0) {
        level *parent = &w->levels.data[depth - 1];
        int64_t left = parent->end - parent->next;
        if (total > left) {
            w->timeline->notes->cut_slices++;
            total = left;
        }
        share = (level){ parent->next, parent->next + total };
        parent->next = share.end;
    }
    w->levels.data[depth] = share;
    return share;
}

static void put_source(tfp_timeline *t, uint32_t row)
{
    tfp_code_place source;
    if (!tfp_row_source(t->view, row, &source))
        return;
    tfp_timeline_put_text(t, "file", source.file);
    tfp_json_int(&t->trace.json, "line", source.line);
    tfp_timeline_put_text(t, "function", source.function);
    tfp_timeline_put_text(t, "source", source.text);
}

static void put_slice(tfp_timeline *t, uint32_t row, uint32_t depth,
                      level share)
{
    const tfp_view *v = t->view;
    tfp_trace_place place = { (int64_t)depth + 1, (int64_t)depth + 1,
                              share.next };
    size_t members;
    tfp_timeline_count(t, row);
    tfp_trace_open_slice(&t->trace, place, share.end - share.next,
                         tfp_row_name(&v->rows.data[row]));
    if (v->type->groups) {
        tfp_row_members(v, row, &members);
        tfp_json_int(&t->trace.json, "nodes", (int64_t)members);
        put_source(t, row);
    } else {
        tfp_timeline_put_op(t, row);
        tfp_timeline_put_shapes(t, "input_shapes",
                                tfp_row_inputs(&t->facts, row, ", "));
        tfp_timeline_put_shapes(t, "output_shapes",
                                tfp_row_outputs(&t->facts, row, ", "));
    }
    tfp_timeline_put_costs(t, row);
    tfp_trace_close_slice(&t->trace);
}

/* A row that took no time has no slice, nor has what is below it. The root
 * always has one. */
static bool put_row(tree *w, const tfp_shown *shown)
{
    tfp_timeline *t = w->timeline;
    int64_t total = tfp_row_total(t->view, shown->row, TFP_COST_MICROS);
    if (shown->level > w->skipped)
        return true;
    w->skipped = UINT32_MAX;
    if (total <= 0 && shown->level > 0) {
        w->skipped = shown->level;
        return true;
    }
    if (!enter_level(w, shown->level))
        return false;
    put_slice(t, shown->row, shown->level, take_share(w, shown->level, total));
    return true;
}

int tfp_timeline_tree(tfp_timeline *t, tfprof_error *err)
{
    tree w = { .timeline = t, .skipped = UINT32_MAX };
    bool ok = true;
    for (size_t i = 0; ok && i < t->view->shown_count &&
                       !tfp_sink_is_done(t->trace.json.sink, i);
         i++)
        ok = put_row(&w, &t->view->shown[i]);
    TFP_VEC_RELEASE(t->view->memory, &w.levels);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
