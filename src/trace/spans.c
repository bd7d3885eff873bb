/*
 * spans.c - when things ran, for the times of steps and the use of devices.
 *
 * A device is busy while at least one of its runs goes on. Where a run of a CPU
 * goes on past the ends of its step, the rest of it is not of the step. As
 * xprof has it, a step of a GPU is the longest time in which kernels of that
 * step alone ran there, where a kernel that no link ties to a step counts with
 * the one before it.
 */
#include "trace/spans.h"

#include <stdlib.h>

#include "base/cover.h"
#include "base/intern.h"
#include "base/sort.h"
#include "model/model.h"
#include "trace/loading.h"

/* ---- What is noted while events are read -------------------------------- */

unsigned tfp_spans_marks(tfp_span name)
{
    static const char *const starts[] = { "train", "test", "TraceContext" };
    static const char *const implicit[] = { "FunctionRun", "SessionRun",
                                            "RunGraph",
                                            "ExecutorState::Process" };
    unsigned marks = 0;
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (tfp_span_starts(name, starts[i]) && !tfp_span_find(name, "/"))
            marks |= TFP_MARK_STEP;
    }
    for (size_t i = 0; i < sizeof(implicit) / sizeof(implicit[0]); i++) {
        if (tfp_span_is(name, implicit[i]))
            marks |= TFP_MARK_IMPLICIT;
    }
    return tfp_waits_for_input(name) ? marks | TFP_MARK_WAIT : marks;
}

bool tfp_spans_init(tfp_loading *l)
{
    l->spans.is_on = l->request->model->gathers & TFP_GATHER_STEPS;
    return true;
}

void tfp_spans_release(tfp_loading *l)
{
    TFP_VEC_RELEASE(l->memory, &l->spans.runs);
    TFP_VEC_RELEASE(l->memory, &l->spans.markers);
    TFP_VEC_RELEASE(l->memory, &l->spans.waits);
    TFP_VEC_RELEASE(l->memory, &l->spans.device_marks);
}

bool tfp_spans_add(tfp_loading *l, const tfp_trace_run *run)
{
    return TFP_VEC_PUSH(l->memory, &l->spans.runs,
                        (tfp_run_span){ .begin = run->begin,
                                        .length = run->length,
                                        .step = run->step,
                                        .node = run->node,
                                        .device = run->device & INT32_MAX,
                                        .is_copy = run->is_copy,
                                        .owner = run->owner });
}

bool tfp_spans_mark_host(tfp_loading *l, const tfp_event *event, unsigned marks,
                         uint32_t anchor)
{
    tfp_host_mark mark = { event->begin, event->length, anchor, TFP_NO_ID };
    int64_t number;
    if (l->states_groups) {
        if (tfp_stats_has(&event->stats, TFP_KNOWN_STEP_NAME))
            marks |= TFP_MARK_STEP;
        if (marks &&
            tfp_stats_number(&event->stats, TFP_KNOWN_GROUP, &number)) {
            mark.step = tfp_loading_step(l, number);
            if (mark.step == TFP_NO_ID)
                return false;
        }
    }
    if (!l->spans.is_on)
        return true;
    return (!(marks & TFP_MARK_STEP) ||
            TFP_VEC_PUSH(l->memory, &l->spans.markers, mark)) &&
           (!(marks & TFP_MARK_WAIT) ||
            TFP_VEC_PUSH(l->memory, &l->spans.waits, mark));
}

bool tfp_spans_mark_device(tfp_loading *l, const tfp_trace_run *step)
{
    return TFP_VEC_PUSH(
        l->memory, &l->spans.device_marks,
        (tfp_device_mark){ step->device, step->step, step->time });
}

/* ---- What it comes to --------------------------------------------------- */

/* What a device did in a step, while its runs are gone through. */
typedef struct use {
    uint32_t device; /* that this is about, plus 1 */
    tfp_step_device row;
} use;

typedef struct finish_state {
    tfp_loading *l;
    TFP_VEC(uint32_t)
    places;                    /* by step, the last for what is in none: where
                                * it is in gathered.steps, or TFP_NO_ID */
    TFP_VEC(use) uses;         /* by step, likewise */
    TFP_VEC(uint32_t) touched; /* steps that the device at hand has */
    int64_t *gaps;             /* by node: how long the device at hand idled
                                * before its runs in steps */
    TFP_VEC(uint32_t) late;    /* nodes that it did so for */
    tfp_sort_item *items;      /* runs, and as many again for sorting */
} finish_state;

static tfp_gathered *gathered(const finish_state *f)
{
    return &f->l->request->model->gathered;
}

static size_t place(const finish_state *f, uint32_t step)
{
    return step == TFP_NO_ID ? f->l->steps.count : step;
}

static tfp_step_time *time_of(const finish_state *f, uint32_t step)
{
    uint32_t at = f->places.data[place(f, step)];
    return at == TFP_NO_ID ? NULL : &gathered(f)->steps.data[at];
}

/* Adds the steps by number; behind them what is in none, if there is any. */
static bool add_steps(finish_state *f)
{
    tfp_loading *l = f->l;
    size_t count = l->steps.count;
    tfp_sort_item *items = tfp_memory_array(l->memory, 2 * count + 1,
                                            sizeof(*items));
    bool ok = items && TFP_VEC_RESERVE(l->memory, &f->places, count + 1) &&
              TFP_VEC_RESERVE(l->memory, &f->uses, count + 1) &&
              TFP_VEC_RESERVE(l->memory, &gathered(f)->steps, count + 1);
    for (size_t i = 0; ok && i < count; i++)
        items[i] = (tfp_sort_item){ tfp_sort_key_rising(l->steps.data[i]),
                                    (uint32_t)i };
    if (ok) {
        tfp_sort(items, count, items + count, NULL, NULL);
        f->places.count = f->uses.count = count + 1;
        for (size_t i = 0; i <= count; i++) {
            f->places.data[i] = TFP_NO_ID;
            f->uses.data[i] = (use){ 0 };
        }
    }
    for (size_t i = 0; ok && i <= count; i++) {
        tfp_step_time step = { .input = (uint32_t)l->request->input,
                               .begin = -1,
                               .wall = -1,
                               .waited = -1,
                               .accelerated = -1 };
        uint32_t index = i < count ? items[i].index : (uint32_t)count;
        if (i == count && l->ways[TFP_WAY_NONE] == 0 && count > 0)
            break;
        step.is_rest = i == count && count > 0;
        if (i < count)
            step.number = l->steps.data[index];
        else if (!step.is_rest)
            step.number = l->only_step;
        f->places.data[index] = (uint32_t)gathered(f)->steps.count;
        gathered(f)->steps.data[gathered(f)->steps.count++] = step;
    }
    tfp_memory_free(l->memory, items);
    return ok;
}

/* ---- Hosts -------------------------------------------------------------- */

static uint32_t step_of_mark(const finish_state *f, const tfp_host_mark *mark)
{
    bool links = !f->l->has_starts || f->l->groups.has_iterations;
    uint32_t group = links ? tfp_groups_of(&f->l->groups, mark->anchor)
                           : TFP_NO_ID;
    if (mark->step != TFP_NO_ID || group == TFP_NO_ID)
        return mark->step;
    return f->l->step_of_group.data[group];
}

static void lengthen(const finish_state *f, uint32_t step, int64_t begin,
                     int64_t length)
{
    tfp_step_time *time = time_of(f, step);
    if (time && (length > time->wall ||
                 (length == time->wall && begin < time->begin))) {
        time->begin = begin;
        time->wall = length;
    }
}

/* The longest marker of each step; where there is none, its root. Where other
 * events are the steps or markers only tell when steps start, roots last as
 * long as the steps. */
static void find_walls(finish_state *f)
{
    const tfp_loading *l = f->l;
    bool tells = !l->has_starts && l->choice.kind == TFP_CHOICE_NONE;
    for (size_t i = 0; tells && i < l->spans.markers.count; i++) {
        const tfp_host_mark *mark = &l->spans.markers.data[i];
        uint32_t step = step_of_mark(f, mark);
        if (step != TFP_NO_ID)
            lengthen(f, step, mark->begin, mark->length);
    }
    for (int named = 1; named >= 0; named--) {
        for (size_t i = 0; i < l->groups.groups.count; i++) {
            const tfp_group *group = &l->groups.groups.data[i];
            const tfp_anchor *root = &l->groups.anchors.data[group->root];
            const tfp_step_time *time = time_of(f, l->step_of_group.data[i]);
            if (root->is_named == named && time && (named || time->wall < 0))
                lengthen(f, l->step_of_group.data[i], root->begin,
                         tfp_sub_sat(root->end, root->begin));
        }
    }
}

/* What [begin, end) has past *until, cut to the step, which may be NULL. */
static int64_t cover_in(const tfp_step_time *step, int64_t begin, int64_t end,
                        int64_t *until)
{
    if (step && step->wall >= 0) {
        int64_t last = tfp_add_sat(step->begin, step->wall);
        begin = begin < step->begin ? step->begin : begin;
        end = end > last ? last : end;
    }
    return tfp_cover(begin, end, until);
}

/* The time in which at least one thread waited for input. */
static bool find_waits(finish_state *f)
{
    tfp_loading *l = f->l;
    size_t count = l->spans.waits.count;
    tfp_sort_item *items = tfp_memory_array(l->memory, 2 * count + 1,
                                            sizeof(*items));
    int64_t *until = tfp_memory_array(l->memory, f->places.count,
                                      sizeof(*until));
    bool ok = items && until;
    for (size_t i = 0; ok && i < count; i++)
        items[i] = (tfp_sort_item){
            tfp_sort_key_rising(l->spans.waits.data[i].begin), (uint32_t)i
        };
    if (ok)
        tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; ok && i < f->places.count; i++) {
        tfp_step_time *time = time_of(f, (uint32_t)i);
        until[i] = INT64_MIN;
        if (time && count > 0) /* in a trace that tells of waiting */
            time->waited = 0;
    }
    for (size_t i = 0; ok && i < count; i++) {
        const tfp_host_mark *mark = &l->spans.waits.data[items[i].index];
        uint32_t step = step_of_mark(f, mark), group;
        tfp_step_time *time;
        if (step == TFP_NO_ID) {
            group = tfp_groups_at(&l->groups, mark->begin);
            step = group == TFP_NO_ID ? TFP_NO_ID
                                      : l->step_of_group.data[group];
        }
        time = time_of(f, step);
        if (time)
            time->waited = tfp_add_sat(
                time->waited, cover_in(time, mark->begin,
                                       tfp_add_sat(mark->begin, mark->length),
                                       &until[place(f, step)]));
    }
    tfp_memory_free(l->memory, items);
    tfp_memory_free(l->memory, until);
    return ok;
}

/* ---- Steps of accelerators ---------------------------------------------- */

/* Do kernels run for more than half of their time outside of the markers of the
 * steps that launched them? */
static bool outlast_markers(const finish_state *f)
{
    const tfp_run_span *runs = f->l->spans.runs.data;
    double all = 0, outside = 0;
    for (size_t i = 0; i < f->l->spans.runs.count; i++) {
        const tfp_step_time *step;
        int64_t end = tfp_add_sat(runs[i].begin, runs[i].length);
        int64_t until = INT64_MIN;
        if (runs[i].owner == TFP_NO_ID ||
            !f->l->devices.data[runs[i].device].is_accelerator)
            continue;
        step = time_of(f, runs[i].owner);
        if (!step || step->wall < 0)
            continue;
        all += (double)runs[i].length;
        outside += (double)runs[i].length;
        outside -= (double)cover_in(step, runs[i].begin, end, &until);
    }
    return outside > all / 2;
}

/* A host that only launches kernels may be done before they run. Then a step
 * lasts until the next one starts. */
static void stretch_walls(finish_state *f)
{
    const tfp_groups *groups = &f->l->groups;
    if (!outlast_markers(f))
        return;
    for (size_t i = 0; i + 1 < groups->by_begin.count; i++) {
        uint32_t group = groups->by_begin.data[i];
        uint32_t next = groups->by_begin.data[i + 1];
        tfp_step_time *step = time_of(f, f->l->step_of_group.data[group]);
        int64_t wall = tfp_sub_sat(tfp_groups_root(groups, next)->begin,
                                   step->begin);
        if (step->wall >= 0 && wall > step->wall)
            step->wall = wall;
    }
}

/* Nor is a step shorter than the time in which an accelerator ran for it alone.
 * What an accelerator ran for several steps at a time counts for none of them
 * above its length. */
static void fit_rows(finish_state *f, size_t first_row)
{
    tfp_gathered *g = gathered(f);
    for (size_t i = first_row; i < g->step_devices.count; i++) {
        const tfp_step_device *row = &g->step_devices.data[i];
        tfp_step_time *step = &g->steps.data[row->step];
        if (step->wall >= 0 && row->marker > step->wall)
            step->wall = row->marker;
    }
    for (size_t i = first_row; i < g->step_devices.count; i++) {
        tfp_step_device *row = &g->step_devices.data[i];
        const tfp_step_time *step = &g->steps.data[row->step];
        int64_t whole = tfp_step_whole(step, row);
        if (!step->is_rest && row->busy > whole)
            row->busy = whole > 0 ? whole : 0; /* runs may have no length */
    }
}

/* How long all steps of the trace last together, the same for all its devices:
 * as long as their walls. Steps without one last as long as on the device where
 * they do so longest together. Rows of a device stand together. */
static int64_t find_window(finish_state *f, size_t first_step, size_t first_row,
                           int64_t *count)
{
    tfp_gathered *g = gathered(f);
    int64_t marked = 0, unmarked = 0, longest = 0;
    for (size_t i = first_row; i < g->step_devices.count; i++) {
        const tfp_step_device *row = &g->step_devices.data[i];
        tfp_step_time *step = &g->steps.data[row->step];
        step->has_runs = true;
        if (i == first_row || row->device != row[-1].device)
            unmarked = 0;
        if (step->wall < 0 && !step->is_rest)
            unmarked = tfp_add_sat(unmarked, tfp_step_whole(step, row));
        longest = unmarked > longest ? unmarked : longest;
    }
    *count = 0;
    for (size_t i = first_step; i < g->steps.count; i++) {
        const tfp_step_time *step = &g->steps.data[i];
        if (step->is_rest || !step->has_runs)
            continue;
        ++*count;
        if (step->wall >= 0)
            marked = tfp_add_sat(marked, step->wall);
    }
    return tfp_add_sat(marked, longest);
}

static void add_up_steps(finish_state *f, size_t first_step, size_t first_row,
                         size_t first_device)
{
    tfp_gathered *g = gathered(f);
    size_t device = first_device;
    int64_t steps, window = find_window(f, first_step, first_row, &steps);
    for (size_t i = first_row; i < g->step_devices.count; i++) {
        const tfp_step_device *row = &g->step_devices.data[i];
        tfp_device_use *all;
        while (g->devices.data[device].device != row->device)
            device++; /* rows stand by device */
        all = &g->devices.data[device];
        if (!g->steps.data[row->step].is_rest)
            all->busy_in_steps = tfp_add_sat(all->busy_in_steps, row->busy);
    }
    for (size_t i = first_device; i < g->devices.count; i++) {
        tfp_device_use *all = &g->devices.data[i];
        all->steps = steps;
        all->idle_in_steps = tfp_sub_sat(window, all->busy_in_steps);
    }
}

/* ---- Devices ------------------------------------------------------------ */

static int by_length(const void *context, uint32_t a, uint32_t b)
{
    const tfp_run_span *runs = context;
    return (runs[a].length > runs[b].length) -
           (runs[a].length < runs[b].length);
}

/* The row of a step on the device at hand. NULL when out of memory. */
static tfp_step_device *row_of(finish_state *f, uint32_t step, uint32_t device)
{
    use *u = &f->uses.data[place(f, step)];
    if (u->device != device + 1) {
        const tfp_trace_device *from = &f->l->devices.data[device];
        if (!TFP_VEC_PUSH(f->l->memory, &f->touched, step))
            return NULL;
        u->device = device + 1;
        u->row = (tfp_step_device){ .step = f->places.data[place(f, step)],
                                    .device = from->name,
                                    .parts = from->parts,
                                    .is_accelerator = from->is_accelerator,
                                    .first = INT64_MAX,
                                    .last = INT64_MIN,
                                    .marker = -1 };
    }
    return &u->row;
}

/* A time in which one step alone had the device. */
typedef struct turn {
    uint32_t step;
    int64_t begin, end;
} turn;

static bool end_turn(finish_state *f, const turn *t, uint32_t device)
{
    tfp_step_device *row;
    int64_t length = tfp_sub_sat(t->end, t->begin);
    if (t->step == TFP_NO_ID)
        return true;
    row = row_of(f, t->step, device);
    if (row && length > row->marker)
        row->marker = length;
    return row != NULL;
}

static bool take_turn(finish_state *f, turn *t, const tfp_run_span *run)
{
    int64_t end = tfp_add_sat(run->begin, run->length);
    bool ok = true;
    if (run->owner != TFP_NO_ID && run->owner != t->step) {
        ok = end_turn(f, t, run->device);
        *t = (turn){ run->owner, run->begin, end };
    }
    if (end > t->end)
        t->end = end;
    return ok;
}

/* Adds the idle time of the device before a run to the node of the run. `until`
 * is the end of all earlier runs, or INT64_MIN if there are none. Time before
 * the start of the run's step is not idle time of that step. */
static bool note_gap(finish_state *f, const tfp_run_span *run, int64_t until)
{
    const tfp_step_time *step = time_of(f, run->step);
    int64_t from = until;
    uint32_t node;
    if (!step || step->is_rest)
        return true;
    if (step->wall >= 0 && step->begin > from)
        from = step->begin;
    if (from == INT64_MIN || run->begin <= from)
        return true;
    node = f->l->nodes.nodes.data[run->node].first;
    if (f->gaps[node] == 0 && !TFP_VEC_PUSH(f->l->memory, &f->late, node))
        return false;
    f->gaps[node] = tfp_add_sat(f->gaps[node], tfp_sub_sat(run->begin, from));
    return true;
}

static tfp_span node_name(const finish_state *f, uint32_t node)
{
    return tfp_model_text(f->l->request->model,
                          f->l->nodes.nodes.data[node].name);
}

/* The node that the device idled for longest, of equal ones the first by name.
 * Ready for the next device. */
static tfp_string take_latest(finish_state *f)
{
    uint32_t latest = TFP_NO_ID;
    int64_t longest = 0;
    for (size_t i = 0; i < f->late.count; i++) {
        uint32_t node = f->late.data[i];
        if (f->gaps[node] > longest ||
            (f->gaps[node] == longest && latest != TFP_NO_ID &&
             tfp_span_compare(node_name(f, node), node_name(f, latest)) < 0)) {
            longest = f->gaps[node];
            latest = node;
        }
        f->gaps[node] = 0;
    }
    f->late.count = 0;
    return latest == TFP_NO_ID ? 0 : f->l->nodes.nodes.data[latest].name;
}

/* The runs of one device, by time. */
static bool go_through(finish_state *f, const tfp_sort_item *items,
                       size_t count, uint32_t device)
{
    const tfp_run_span *runs = f->l->spans.runs.data;
    tfp_device_use *all =
        &gathered(f)->devices.data[gathered(f)->devices.count - 1];
    turn t = { .step = TFP_NO_ID };
    int64_t until = INT64_MIN, computed_until = INT64_MIN, computed = 0;
    for (size_t i = 0; i < count; i++) {
        const tfp_run_span *run = &runs[items[i].index];
        int64_t end = tfp_add_sat(run->begin, run->length);
        tfp_step_device *row = row_of(f, run->step, device);
        if (!row || (all->is_accelerator && !note_gap(f, run, until)))
            return false;
        if (!run->is_copy)
            computed = tfp_add_sat(computed,
                                   tfp_cover(run->begin, end, &computed_until));
        all->first = run->begin < all->first ? run->begin : all->first;
        all->last = end > all->last ? end : all->last;
        all->busy = tfp_add_sat(all->busy, tfp_cover(run->begin, end, &until));
        row->first = run->begin < row->first ? run->begin : row->first;
        row->busy = tfp_add_sat(
            row->busy,
            all->is_accelerator
                ? tfp_cover(run->begin, end, &row->last)
                : cover_in(time_of(f, run->step), run->begin, end, &row->last));
        if (all->is_accelerator && !take_turn(f, &t, run))
            return false;
        if (tfp_watch_ends(&f->l->watch))
            return false;
    }
    all->copied = tfp_sub_sat(all->busy, computed);
    all->late = take_latest(f);
    return !all->is_accelerator || end_turn(f, &t, device);
}

/* The rows of the device at hand, by step. */
static bool keep_rows(finish_state *f)
{
    for (size_t i = 0; i < f->touched.count; i++) {
        const use *u = &f->uses.data[place(f, f->touched.data[i])];
        if (u->row.step != TFP_NO_ID &&
            !TFP_VEC_PUSH(f->l->memory, &gathered(f)->step_devices, u->row))
            return false;
    }
    f->touched.count = 0;
    return true;
}

static int compare_marks(const void *a, const void *b)
{
    const tfp_device_mark *x = a, *y = b;
    return (x->device > y->device) - (x->device < y->device);
}

/* A device may have several planes, with planes of others between them. */
static void sort_device_marks(tfp_trace_spans *spans)
{
    if (spans->device_marks.count > 1)
        qsort(spans->device_marks.data, spans->device_marks.count,
              sizeof(*spans->device_marks.data), compare_marks);
}

/* Steps that the device marks itself go before what its runs show. */
static void apply_device_marks(finish_state *f, size_t *mark, uint32_t device)
{
    const tfp_trace_spans *spans = &f->l->spans;
    for (; *mark < spans->device_marks.count &&
           spans->device_marks.data[*mark].device == device;
         ++*mark) {
        const tfp_device_mark *m = &spans->device_marks.data[*mark];
        use *u = &f->uses.data[place(f, m->step)];
        if (u->device == device + 1 && m->length > u->row.marker)
            u->row.marker = m->length;
    }
}

static bool add_devices(finish_state *f)
{
    tfp_loading *l = f->l;
    const tfp_run_span *runs = l->spans.runs.data;
    size_t count = l->spans.runs.count, at = 0, mark = 0;
    tfp_sort_item *scratch = f->items + count;
    for (size_t i = 0; i < count; i++)
        f->items[i] = (tfp_sort_item){ runs[i].device, (uint32_t)i };
    tfp_sort(f->items, count, scratch, NULL, NULL);
    sort_device_marks(&l->spans);
    for (uint32_t device = 0; device < l->devices.count; device++) {
        tfp_sort_item *items = f->items + at;
        size_t own = 0;
        tfp_device_use all = {
            .input = (uint32_t)l->request->input,
            .device = l->devices.data[device].name,
            .parts = l->devices.data[device].parts,
            .is_accelerator = l->devices.data[device].is_accelerator,
            .first = INT64_MAX,
            .last = INT64_MIN
        };
        for (; at < count && f->items[at].key == device; at++, own++)
            ;
        for (size_t i = 0; i < own; i++)
            items[i].key = tfp_sort_key_rising(runs[items[i].index].begin);
        if (!tfp_sort_until(items, own, scratch, by_length, runs,
                            l->watch.cancel) ||
            !TFP_VEC_PUSH(l->memory, &gathered(f)->devices, all) ||
            !go_through(f, items, own, device))
            return false;
        apply_device_marks(f, &mark, device);
        if (!keep_rows(f))
            return false;
    }
    return true;
}

/* The time in which at least one accelerator ran for each step. */
static bool find_accelerated(finish_state *f)
{
    tfp_loading *l = f->l;
    const tfp_run_span *runs = l->spans.runs.data;
    size_t count = 0;
    int64_t *until = tfp_memory_array(l->memory, f->places.count,
                                      sizeof(*until));
    bool ok = until != NULL;
    for (size_t i = 0; ok && i < f->places.count; i++)
        until[i] = INT64_MIN;
    for (size_t i = 0; ok && i < l->spans.runs.count; i++) {
        if (l->devices.data[runs[i].device].is_accelerator)
            f->items[count++] = (tfp_sort_item){
                tfp_sort_key_rising(runs[i].begin), (uint32_t)i
            };
    }
    ok = ok && tfp_sort_until(f->items, count, f->items + count, NULL, NULL,
                              l->watch.cancel);
    for (size_t i = 0; ok && i < count; i++) {
        const tfp_run_span *run = &runs[f->items[i].index];
        tfp_step_time *step = time_of(f, run->step);
        if (step)
            step->accelerated = tfp_add_sat(
                step->accelerated < 0 ? 0 : step->accelerated,
                tfp_cover(run->begin, tfp_add_sat(run->begin, run->length),
                          &until[place(f, run->step)]));
    }
    tfp_memory_free(l->memory, until);
    return ok;
}

/* Runs in steps, and what they did. */
static void add_work(finish_state *f, size_t first_device)
{
    const tfp_loading *l = f->l;
    tfp_gathered *g = gathered(f);
    for (size_t i = 0; i < l->sums.count; i++) {
        const tfp_trace_sum *sum = &l->sums.data[i];
        const tfp_trace_node *node = &l->nodes.nodes.data[sum->node];
        tfp_device_use *into = &g->devices.data[first_device + sum->device];
        if (sum->step == TFP_NO_ID && l->steps.count > 0)
            continue;
        into->runs = tfp_add_sat(into->runs, sum->runs);
        into->time = tfp_add_sat(into->time, sum->time);
        if (node->is_counted) {
            into->counted_time = tfp_add_sat(into->counted_time, sum->time);
            into->float_ops = tfp_add_sat(
                into->float_ops, tfp_mul_sat(node->float_ops, sum->runs));
        }
        if (node->bytes > 0) {
            into->bytes_time = tfp_add_sat(into->bytes_time, sum->time);
            into->bytes = tfp_add_sat(into->bytes,
                                      tfp_mul_sat(node->bytes, sum->runs));
        }
    }
}

/* How many runs each row has: of the sums, which count aggregated ones. */
static bool add_runs(finish_state *f, size_t first_row)
{
    tfp_loading *l = f->l;
    tfp_gathered *g = gathered(f);
    tfp_interner keys; /* {step, device}; item k + 1 is row first_row + k */
    bool ok = tfp_interner_init(&keys, l->memory, 8, l->space->seed);
    for (size_t i = first_row; ok && i < g->step_devices.count; i++) {
        uint32_t key[] = { g->step_devices.data[i].step,
                           g->step_devices.data[i].device };
        ok = tfp_intern(&keys, (tfp_span){ (const uint8_t *)key,
                                           sizeof(key) }) != TFP_NO_ID;
    }
    for (size_t i = 0; ok && i < l->sums.count; i++) {
        const tfp_trace_sum *sum = &l->sums.data[i];
        uint32_t key[] = { f->places.data[place(f, sum->step)],
                           l->devices.data[sum->device].name };
        uint32_t item = tfp_interner_find(
            &keys, (tfp_span){ (const uint8_t *)key, sizeof(key) });
        if (item != TFP_NO_ID && item > 0) {
            tfp_step_device *row = &g->step_devices.data[first_row + item - 1];
            row->runs = tfp_add_sat(row->runs, sum->runs);
        }
    }
    tfp_interner_release(&keys);
    return ok;
}

bool tfp_spans_finish(tfp_loading *l)
{
    finish_state f = { .l = l };
    size_t count = l->spans.runs.count, first_device, first_row, first_step;
    bool ok;
    if (!l->spans.is_on)
        return true;
    first_device = gathered(&f)->devices.count;
    first_row = gathered(&f)->step_devices.count;
    first_step = gathered(&f)->steps.count;
    f.items = tfp_memory_array(l->memory, 2 * count + 1, sizeof(*f.items));
    f.gaps = tfp_memory_zarray(l->memory, l->nodes.nodes.count + 1,
                               sizeof(*f.gaps));
    ok = f.items && f.gaps && add_steps(&f);
    if (ok)
        find_walls(&f);
    ok = ok && find_waits(&f);
    if (ok)
        stretch_walls(&f);
    ok = ok && add_devices(&f) && find_accelerated(&f) &&
         add_runs(&f, first_row);
    if (ok) {
        fit_rows(&f, first_row);
        add_up_steps(&f, first_step, first_row, first_device);
        add_work(&f, first_device);
    }
    tfp_memory_free(l->memory, f.items);
    tfp_memory_free(l->memory, f.gaps);
    TFP_VEC_RELEASE(l->memory, &f.late);
    TFP_VEC_RELEASE(l->memory, &f.places);
    TFP_VEC_RELEASE(l->memory, &f.uses);
    TFP_VEC_RELEASE(l->memory, &f.touched);
    return ok;
}
