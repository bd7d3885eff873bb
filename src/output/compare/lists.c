/*
 * lists.c - what differs, for people: times with one row for each thing, then
 * what is exact.
 */
#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "base/sort.h"
#include "base/width.h"
#include "compare/things.h"
#include "compare/totals.h"
#include "model/metrics.h"
#include "output/compare/parts.h"
#include "output/text/columns.h"
#include "output/text/figures.h"
#include "output/text/units.h"

typedef tfp_compare_writer writer;

enum {
    USUAL_COLUMNS = 80,
    MOST_EXTRA = 6,   /* exact metrics beside a time */
    SHORT_NAME = 24,  /* columns that they leave for a name */
    TIMES_TAKE = 47,  /* columns of all others, with gaps */
    FIXED_COLUMNS = 6 /* name, base, head, difference, percent, share */
};

/* Texts one behind the other. Their spans hold once all are complete. */
typedef struct text_list {
    tfp_snapshot_name bytes;
    TFP_VEC(tfp_span) all;
} text_list;

typedef struct lister {
    writer *w;
    tfp_things things;
    size_t *rows;          /* things of the list at hand */
    size_t count;          /* of them */
    text_list full, names; /* of the rows; without their prefix */
    text_list item;        /* of an exact row */
    tfp_span prefix;       /* what most of them begin with */
    int metric;            /* of the list: a time */
    int extra[MOST_EXTRA];
    size_t extra_count;
    uint32_t told_metrics; /* that have been such an extra metric... */
    uint8_t *told;         /* ...and by thing: it has been a row with them */
    uint64_t sum;          /* what shares are parts of */
} lister;

static tfp_memory *memory_of(const lister *l)
{
    return l->w->subject->memory;
}

/* ---- Names -------------------------------------------------------------- */

static bool is_total(const tfp_thing *thing)
{
    return thing->base == 0 && thing->head == 0;
}

/* Adds to the last text. */
static void put(lister *l, text_list *to, tfp_span text)
{
    if (!TFP_VEC_RESERVE(memory_of(l), &to->bytes, text.size + 1)) {
        l->w->failed = true;
        return;
    }
    if (text.size > 0)
        memcpy(to->bytes.data + to->bytes.count, text.data, text.size);
    to->bytes.count += text.size;
    to->all.data[to->all.count - 1].size += text.size;
}

static bool begin_text(lister *l, text_list *to)
{
    l->w->failed |= !TFP_VEC_PUSH(memory_of(l), &to->all, (tfp_span){ 0 });
    return !l->w->failed;
}

static void complete(text_list *to)
{
    size_t at = 0;
    for (size_t i = 0; i < to->all.count; i++) {
        if (to->all.data[i].size > 0)
            to->all.data[i].data = to->bytes.data + at;
        at += to->all.data[i].size;
    }
}

static void put_name(lister *l, const tfp_thing *thing)
{
    if (thing->is_unmatched) {
        put(l, &l->full, tfp_span_of("(unmatched operations)"));
    } else if (is_total(thing)) {
        put(l, &l->full, tfp_span_of("(total)"));
    } else {
        tfp_compare_names(l->w, thing->base, thing->head);
        put(l, &l->full, (tfp_span){ l->w->name.data, l->w->name.count });
    }
}

static const char *mark_of(const tfp_thing *thing)
{
    if (thing->is_unmatched)
        return "";
    return thing->kind == TFP_ADDED     ? "+ "
           : thing->kind == TFP_REMOVED ? "- "
                                        : "";
}

/* Stands for what names begin with. */
static const char *dots_of(const lister *l)
{
    return l->w->subject->style.is_utf8 ? "\xe2\x80\xa6/" : "../";
}

static bool has_prefix(const lister *l, tfp_span name)
{
    return l->prefix.size > 0 && name.size > l->prefix.size &&
           !memcmp(name.data, l->prefix.data, l->prefix.size);
}

/* The names of the rows, without what most of them begin with. */
static void make_names(lister *l)
{
    l->full.all.count = l->full.bytes.count = 0;
    l->names.all.count = l->names.bytes.count = 0;
    for (size_t i = 0; i < l->count && begin_text(l, &l->full); i++)
        put_name(l, &l->things.all.data[l->rows[i]]);
    complete(&l->full); /* a window is narrow, other places have room */
    l->prefix = (tfp_span){ 0 };
    if (l->w->subject->style.columns > 0)
        l->prefix = tfp_compare_prefix(l->full.all.data, l->full.all.count);
    for (size_t i = 0; i < l->full.all.count && begin_text(l, &l->names); i++) {
        tfp_span name = l->full.all.data[i];
        put(l, &l->names,
            tfp_span_of(mark_of(&l->things.all.data[l->rows[i]])));
        if (has_prefix(l, name)) {
            name.data += l->prefix.size;
            name.size -= l->prefix.size;
            put(l, &l->names, tfp_span_of(dots_of(l)));
        }
        put(l, &l->names, name);
    }
    complete(&l->names);
}

/* Says once what the names begin with. */
static void put_prefix(lister *l)
{
    writer *w = l->w;
    if (l->prefix.size == 0)
        return;
    tfp_compare_begin_line(w);
    tfp_compare_put(w, tfp_span_of(dots_of(l)));
    tfp_sink_text(w->sink, " stands for ");
    tfp_compare_put(w, l->prefix);
    tfp_sink_char(w->sink, '\n');
    if (tfp_compare_is_markdown(w))
        tfp_sink_char(w->sink, '\n');
}

static tfp_span last_part(tfp_span path)
{
    size_t size = path.size;
    while (size > 0 && path.data[size - 1] != '/')
        size--;
    return size == 0 ? path : (tfp_span){ path.data + size, path.size - size };
}

/* A source file can have another name in the head. Its lines do not repeat
 * that. */
static void put_renamed_files(lister *l)
{
    enum { MOST = 3 };
    const tfp_comparison *s = l->w->subject;
    tfp_span was[MOST], is[MOST];
    size_t count = 0, known;
    for (size_t i = 0; i < l->things.all.count && count < MOST; i++) {
        const tfp_thing *t = &l->things.all.data[i];
        if (!t->is_place || t->base == TFP_NO_ID || t->head == TFP_NO_ID)
            continue;
        was[count] = tfp_snapshot_file(&s->base->rows, t->base);
        is[count] = tfp_snapshot_file(&s->head->rows, t->head);
        if (!tfp_span_equal(last_part(was[count]), last_part(is[count]))) {
            was[count] = last_part(was[count]);
            is[count] = last_part(is[count]);
        }
        for (known = 0; known < count; known++) {
            if (tfp_span_equal(was[known], was[count]) &&
                tfp_span_equal(is[known], is[count]))
                break;
        }
        if (known < count || tfp_span_equal(was[count], is[count]))
            continue;
        tfp_compare_begin_line(l->w);
        tfp_compare_put(l->w, is[count]);
        tfp_sink_text(l->w->sink, " was ");
        tfp_compare_put(l->w, was[count++]);
        tfp_sink_text(l->w->sink, " in the base\n");
    }
    if (count > 0)
        tfp_sink_char(l->w->sink, '\n');
}

/* ---- Order -------------------------------------------------------------- */

static uint64_t distance(const tfp_thing *thing, int metric)
{
    int64_t was = thing->was[metric], is = thing->is[metric];
    return is > was ? (uint64_t)is - (uint64_t)was
                    : (uint64_t)was - (uint64_t)is;
}

static bool has_both(const tfp_thing *thing)
{
    return thing->base != TFP_NO_ID && thing->head != TFP_NO_ID &&
           !thing->is_unmatched;
}

/* Exact metrics that no list of times has told. */
static uint32_t untold(const lister *l, size_t i)
{
    const tfp_thing *thing = &l->things.all.data[i];
    uint32_t metrics = thing->metrics & ~(uint32_t)TFP_COMPARED_TIMES;
    if (l->told[i] && has_both(thing))
        metrics &= ~l->told_metrics;
    return metrics;
}

static void add_row(lister *l, size_t thing)
{
    l->rows[l->count++] = thing;
}

/* What shares are parts of: all differences of the list or, if that is more,
 * the difference of the wall time, to which waiting belongs. */
static void widen_sum(lister *l)
{
    for (size_t i = 0; i < l->w->subject->total_count; i++) {
        const tfp_judged_total *total = &l->w->subject->totals[i];
        double far = total->judgement.head - total->judgement.base;
        int64_t wall = tfp_measured_value(TFP_UNIT_MICROS, far);
        uint64_t size = wall < 0 ? 0 - (uint64_t)wall : (uint64_t)wall;
        if (total->is_of_steps && total->metric == TFP_STEP_WALL &&
            size > l->sum)
            l->sum = size;
    }
}

/* The rows whose time differs, the largest difference first. */
static void sort_times(lister *l)
{
    size_t count = l->things.all.count;
    tfp_sort_item *items = tfp_memory_array(memory_of(l), 2 * count + 1,
                                            sizeof(*items));
    l->count = 0;
    l->sum = 0;
    l->w->failed |= !items;
    count = 0;
    for (size_t i = 0; items && i < l->things.all.count; i++) {
        const tfp_thing *thing = &l->things.all.data[i];
        uint64_t far = distance(thing, l->metric);
        if (!tfp_thing_has(thing, l->metric) || is_total(thing) || far == 0)
            continue;
        l->sum = l->sum + far < far ? UINT64_MAX : l->sum + far;
        items[count++] = (tfp_sort_item){ ~far, (uint32_t)i };
    }
    if (items)
        tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; items && i < count; i++)
        add_row(l, items[i].index);
    widen_sum(l);
    tfp_memory_free(memory_of(l), items);
}

/* How many rows of a list are shown; the others are not needed. */
static size_t limit_rows(lister *l)
{
    uint64_t top = (uint64_t)l->w->subject->top;
    size_t count = l->count;
    if (l->w->subject->top > 0 && count > top)
        l->count = (size_t)top;
    return count - l->count;
}

static void put_more(writer *w, size_t left, const char *what)
{
    if (left == 0)
        return;
    if (tfp_compare_is_markdown(w))
        tfp_sink_char(w->sink, '\n');
    tfp_sink_format(w->sink, "... and %zu more %s (--top 0 shows all)\n", left,
                    what);
}

/* ---- Times -------------------------------------------------------------- */

/* Metrics of which a difference stands beside a time, in this order. */
static const int beside[] = {
    TFP_COST_FLOAT_OPS,      TFP_COST_PARAMS,       TFP_COST_PEAK_BYTES,
    TFP_COST_RESIDUAL_BYTES, TFP_COST_OUTPUT_BYTES, TFP_COST_BYTES,
    TFP_COST_RUNS,           TFP_COMPARED_NODES,
};

static const char *title_of(int metric)
{
    if (metric == TFP_COST_FLOAT_OPS)
        return "FLOPs";
    return metric < TFP_COST_COUNT ? tfp_metrics[metric].title
                                   : tfp_compare_metric_name(metric);
}

static size_t longest_name(const lister *l)
{
    size_t longest = 0;
    for (size_t i = 0; i < l->names.all.count; i++) {
        size_t columns = tfp_text_columns(l->names.all.data[i]);
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

static bool differs(const lister *l, int metric)
{
    for (size_t i = 0; i < l->count; i++) {
        const tfp_thing *thing = &l->things.all.data[l->rows[i]];
        if (tfp_thing_has(thing, metric) && has_both(thing))
            return true;
    }
    return false;
}

/* How often something ran says less than its name. */
static bool is_minor(int metric)
{
    return metric == TFP_COST_RUNS || metric == TFP_COMPARED_NODES;
}

/* Chooses the exact metrics that stand in columns of their own: as many as
 * leave room for names. */
static void choose_extra(lister *l)
{
    size_t line = l->w->subject->style.columns, longest = longest_name(l);
    size_t used = TIMES_TAKE;
    line = tfp_compare_is_markdown(l->w) ? SIZE_MAX
           : line > 0                    ? line
                                         : USUAL_COLUMNS;
    l->extra_count = 0;
    for (size_t k = 0; k < sizeof(beside) / sizeof(beside[0]); k++) {
        size_t columns = strlen(title_of(beside[k])) + sizeof(" %") + 1;
        size_t name = longest < SHORT_NAME || is_minor(beside[k]) ? longest
                                                                  : SHORT_NAME;
        if (!differs(l, beside[k]) || l->extra_count == MOST_EXTRA ||
            used + name + columns > line)
            continue;
        used += columns;
        l->extra[l->extra_count++] = beside[k];
        l->told_metrics |= 1u << beside[k];
    }
    for (size_t i = 0; i < l->count; i++)
        l->told[l->rows[i]] = 1;
}

static void put_figure(tfp_columns *c, const char *figure, size_t size)
{
    tfp_columns_text(c, (tfp_span){ (const uint8_t *)figure, size });
}

static void put_percent(tfp_columns *c, const tfp_thing *thing, int metric)
{
    char figure[TFP_FIGURE_SIZE];
    int64_t was = thing->was[metric], is = thing->is[metric];
    if (!tfp_thing_has(thing, metric) || thing->is_unmatched || was == is)
        put_figure(c, "", 0);
    else if (was == 0)
        put_figure(c, "new", has_both(thing) ? 3 : 0);
    else
        put_figure(c, figure,
                   tfp_compare_percent((double)was, (double)is, figure));
}

static void put_time_row(lister *l, tfp_columns *c, size_t row, tfp_span name)
{
    const tfp_thing *thing = &l->things.all.data[l->rows[row]];
    int64_t was = thing->was[l->metric], is = thing->is[l->metric];
    char figure[TFP_FIGURE_SIZE + 2];
    int64_t far = (int64_t)(distance(thing, l->metric) >> 1);
    tfp_columns_begin_row(c);
    tfp_columns_text(c, name);
    tfp_columns_picos(c, was);
    tfp_columns_picos(c, is);
    put_figure(
        c, figure,
        tfp_figure_signed(TFP_UNIT_MICROS, tfp_sub_sat(is, was), figure));
    put_percent(c, thing, l->metric);
    put_figure(c, figure, tfp_table_share(far, (int64_t)(l->sum >> 1), figure));
    for (size_t k = 0; k < l->extra_count; k++) {
        if (has_both(thing))
            put_percent(c, thing, l->extra[k]);
        else
            put_figure(c, "", 0);
    }
    tfp_columns_end_row(c);
}

/* Names that fit into their column, when its width is known. */
static void fit_names(lister *l, size_t room, tfp_short_name *out)
{
    tfp_snapshot_name texts = { 0 };
    if (!tfp_compare_shorten(l->names.all.data, l->count, room,
                             &l->w->subject->style, memory_of(l), &texts,
                             out)) {
        l->w->failed = true;
    } else {
        TFP_VEC_RELEASE(memory_of(l), &l->names.bytes);
        l->names.bytes.data = texts.data;
        l->names.bytes.count = texts.count;
        l->names.bytes.capacity = texts.capacity;
        for (size_t i = 0; i < l->count; i++)
            l->names.all.data[i] = tfp_short_text(&texts, out[i]);
        return;
    }
    TFP_VEC_RELEASE(memory_of(l), &texts);
}

static void put_time_rows(lister *l, tfp_columns *c, tfp_short_name *room)
{
    do {
        if (!c->measuring && l->w->subject->style.columns > 0)
            fit_names(l, c->width[0], room);
        for (size_t i = 0; i < l->count && !l->w->failed; i++) {
            if (tfp_sink_is_done(l->w->sink, i))
                return;
            put_time_row(l, c, i, l->names.all.data[i]);
        }
    } while (tfp_columns_again(c));
}

static void put_times(lister *l)
{
    enum { TITLE = 32 };
    tfp_list_column columns[FIXED_COLUMNS + MOST_EXTRA] = {
        { "name", "name", TFP_CELL_TEXT },
        { "base", "base", TFP_CELL_NUMBER },
        { "head", "head", TFP_CELL_NUMBER },
        { "difference", "difference", TFP_CELL_NUMBER },
        { "percent", "%", TFP_CELL_NUMBER },
        { "share", "share", TFP_CELL_NUMBER },
    };
    char titles[MOST_EXTRA][TITLE];
    tfp_short_name *room = tfp_memory_array(memory_of(l), l->count + 1,
                                            sizeof(*room));
    tfp_columns c;
    columns[0].title = l->w->subject->base->rows.places ? "line" : "name";
    for (size_t k = 0; k < l->extra_count; k++) {
        snprintf(titles[k], TITLE, "%s %%", title_of(l->extra[k]));
        columns[FIXED_COLUMNS + k] = (tfp_list_column){ titles[k], titles[k],
                                                        TFP_CELL_NUMBER };
    }
    l->w->failed |= !room;
    tfp_columns_init(&c, l->w->sink, NULL,
                     tfp_compare_is_markdown(l->w) ? TFP_COLUMNS_MARKDOWN
                                                   : TFP_COLUMNS_TEXT,
                     columns, FIXED_COLUMNS + l->extra_count);
    c.style = l->w->subject->style;
    c.brief = true;
    if (room)
        put_time_rows(l, &c, room);
    tfp_memory_free(memory_of(l), room);
}

/* The instructions that stand in one row. */
static void put_unmatched(lister *l)
{
    for (size_t i = 0; i < l->things.all.count; i++) {
        const tfp_thing *thing = &l->things.all.data[i];
        if (!thing->is_unmatched)
            continue;
        if (tfp_compare_is_markdown(l->w))
            tfp_sink_char(l->w->sink, '\n');
        tfp_sink_format(l->w->sink,
                        "unmatched: %lld operations that only the base has, "
                        "%lld that only the head has\n",
                        (long long)thing->was[TFP_COMPARED_NODES],
                        (long long)thing->is[TFP_COMPARED_NODES]);
    }
}

static bool write_times(lister *l, int metric, bool is_first)
{
    size_t left;
    l->metric = metric;
    sort_times(l);
    if (l->count == 0)
        return false;
    left = limit_rows(l);
    make_names(l);
    choose_extra(l);
    if (!is_first)
        tfp_sink_char(l->w->sink, '\n');
    put_prefix(l);
    put_times(l);
    put_more(l->w, left, "times");
    return true;
}

/* ---- Exact metrics ------------------------------------------------------ */

/* A line that goes on in the next one where it has no room. */
typedef struct flow {
    lister *l;
    size_t at, line; /* columns; SIZE_MAX: no limit */
    size_t items;
} flow;

enum { INDENT = 4 };

static void put_item(flow *f, tfp_span item)
{
    writer *w = f->l->w;
    size_t columns = tfp_text_columns(item);
    bool is_first = f->items++ == 0;
    if (!is_first)
        tfp_sink_char(w->sink, ',');
    if (f->at + 2 + columns + 1 > f->line) {
        tfp_sink_char(w->sink, '\n');
        tfp_sink_blanks(w->sink, INDENT);
        f->at = INDENT;
    } else {
        tfp_sink_char(w->sink, ' ');
        f->at += 2;
    }
    if (f->line != SIZE_MAX && columns > f->line - INDENT - 1)
        columns = tfp_style_name(&w->subject->style, w->sink, item,
                                 f->line - INDENT - 1);
    else
        tfp_compare_put(w, item);
    f->at += columns;
}

/* "runs 60 -> 72 (+20 %)", or of a row that one side has "runs 72". */
static void put_metric(flow *f, const tfp_thing *thing, int metric)
{
    char item[4 * TFP_FIGURE_SIZE + 64], was[TFP_FIGURE_SIZE + 2];
    char is[TFP_FIGURE_SIZE + 2], percent[TFP_FIGURE_SIZE];
    tfp_unit unit = tfp_compare_unit(metric);
    const char *name = title_of(metric);
    bool is_factor;
    (void)tfp_figure_in_unit(unit, thing->was[metric], was);
    (void)tfp_figure_in_unit(unit, thing->is[metric], is);
    (void)tfp_compare_percent((double)thing->was[metric],
                              (double)thing->is[metric], percent);
    is_factor = percent[0] == 'x';
    if (thing->kind == TFP_ADDED || thing->kind == TFP_REMOVED)
        snprintf(item, sizeof(item), "%s %s", name,
                 thing->kind == TFP_ADDED ? is : was);
    else if (percent[0] == '\0' || thing->is_unmatched)
        snprintf(item, sizeof(item), "%s %s -> %s", name, was, is);
    else
        snprintf(item, sizeof(item), "%s %s -> %s (%s%s)", name, was, is,
                 percent, is_factor ? "" : " %");
    put_item(f, tfp_span_of(item));
}

/* "shape 3x3 -> 3x4", "graph +1 Dataset", "was a/b". */
static void put_text_change(flow *f, const tfp_thing *thing,
                            const tfp_change *change)
{
    lister *l = f->l;
    tfp_span is;
    l->item.all.count = l->item.bytes.count = 0;
    if (!begin_text(l, &l->item))
        return;
    if (change->metric == TFP_CHANGE_PLACE) {
        tfp_compare_names(l->w, thing->base, thing->head);
        put(l, &l->item, tfp_span_of("was "));
        put(l, &l->item, (tfp_span){ l->w->was.data, l->w->was.count });
    } else {
        put(l, &l->item, tfp_span_of(tfp_compare_metric_name(change->metric)));
        put(l, &l->item, tfp_span_of(" "));
        if (change->metric != TFP_CHANGE_GRAPH) {
            tfp_span was = tfp_compare_text(l->w, change, false);
            put(l, &l->item, was.size > 0 ? was : tfp_span_of("unknown"));
            put(l, &l->item, tfp_span_of(" -> "));
        }
        is = tfp_compare_text(l->w, change, true);
        put(l, &l->item, is.size > 0 ? is : tfp_span_of("unknown"));
    }
    complete(&l->item);
    if (l->w->failed)
        return;
    if (change->metric == TFP_CHANGE_GRAPH) {
        tfp_sink_text(l->w->sink, f->items++ > 0 ? "," : "");
        f->at = tfp_compare_put_words(l->w, l->item.all.data[0], f->at + 1);
    } else {
        put_item(f, l->item.all.data[0]);
    }
}

static void put_exact_row(lister *l, size_t row, size_t line)
{
    const tfp_changes *changes = l->w->subject->changes;
    size_t i = l->rows[row];
    const tfp_thing *thing = &l->things.all.data[i];
    tfp_span name = l->names.all.data[row];
    uint32_t metrics = untold(l, i);
    flow f = { .l = l, .line = line, .at = tfp_text_columns(name) };
    tfp_compare_begin_line(l->w);
    if (f.at > line - 1)
        f.at = tfp_style_name(&l->w->subject->style, l->w->sink, name,
                              line - 1);
    else
        tfp_compare_put(l->w, name);
    tfp_sink_char(l->w->sink, ':');
    for (size_t t = thing->text; t != SIZE_MAX; t = l->things.next_text[t])
        put_text_change(&f, thing, &changes->exact.data[t]);
    for (int m = 0; m <= TFP_CHANGE_MACS; m++) {
        if (metrics >> m & 1)
            put_metric(&f, thing, m);
    }
    tfp_sink_char(l->w->sink, '\n');
}

/* Returns whether there is something. */
static bool write_exact(lister *l, bool is_first)
{
    size_t line = l->w->subject->style.columns, left;
    line = line > 2 * INDENT ? line : SIZE_MAX;
    l->count = 0;
    for (size_t i = 0; i < l->things.all.count; i++) {
        if (untold(l, i) != 0 || l->things.all.data[i].text != SIZE_MAX)
            add_row(l, i);
    }
    if (l->count == 0)
        return false;
    left = limit_rows(l);
    make_names(l);
    if (!is_first)
        tfp_sink_char(l->w->sink, '\n');
    put_prefix(l);
    for (size_t i = 0; i < l->count && !l->w->failed; i++) {
        if (tfp_sink_is_done(l->w->sink, i))
            break;
        put_exact_row(l, i, line);
    }
    put_more(l->w, left, "changes");
    return true;
}

/* ---- All of it ---------------------------------------------------------- */

static void release(lister *l)
{
    text_list *lists[] = { &l->full, &l->names, &l->item };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        TFP_VEC_RELEASE(memory_of(l), &lists[i]->bytes);
        TFP_VEC_RELEASE(memory_of(l), &lists[i]->all);
    }
    tfp_memory_free(memory_of(l), l->rows);
    tfp_memory_free(memory_of(l), l->told);
    tfp_things_release(&l->things);
}

bool tfp_compare_write_things(writer *w)
{
    const tfp_comparison *s = w->subject;
    lister l = { .w = w };
    tfprof_error err;
    bool is_first = true;
    if (tfp_things_find(&l.things, s->base, s->head, s->alignment, s->changes,
                        s->memory, &err) != TFPROF_OK)
        w->failed = true;
    l.rows = tfp_memory_array(s->memory, l.things.all.count + 1,
                              sizeof(*l.rows));
    l.told = tfp_memory_zarray(s->memory, l.things.all.count + 1, 1);
    w->failed |= !l.rows || !l.told;
    if (!w->failed)
        put_renamed_files(&l);
    for (int m = 0; m < TFP_COST_COUNT && !w->failed; m++) {
        if (!(TFP_COMPARED_TIMES >> m & 1))
            continue;
        if (write_times(&l, m, is_first))
            is_first = false;
    }
    if (!w->failed)
        put_unmatched(&l);
    if (!w->failed && write_exact(&l, is_first))
        is_first = false;
    release(&l);
    return !is_first;
}
