/*
 * choice.c - what is taken as steps in place of what marks them.
 */
#include "trace/choice.h"

#include "base/cancel.h"
#include "base/intern.h"
#include "base/sort.h"
#include "model/model.h"
#include "model/trace_events.h"
#include "trace/loading.h"

/* An event that fewer times stands on a thread repeats nothing. */
enum { LEAST_REPEATS = 3 };

/* What all events of one name on one thread come to. */
typedef struct repeated {
    int64_t count, time;
} repeated;

typedef struct scan {
    tfp_loading *l;
    tfp_plane *plane;
    const tfp_trace_line *line;
    tfp_line_walk walk;
    tfp_choice_runs runs;     /* of instructions of hosts, by program and run */
    tfp_interner run_keys;    /* item k + 1 is runs.data[k] */
    tfp_choice_runs launches; /* events of hosts that launch a named program */
    tfp_choice_runs modules;  /* executions as devices list them */
    bool has_tpu_modules;
    tfp_id_map kernels; /* by module: index into kernel_times */
    TFP_VEC(tfp_choice_run) kernel_times; /* `name` and `time` */
    TFP_VEC(repeated) repeats; /* by event type, of the line at hand */
    TFP_VEC(uint32_t) touched; /* of these */
    int64_t until;             /* end of the last outermost event */
    int64_t launched_until;    /* of the last that launches */
    const tfp_trace_line *best_line;
    const tfp_event_type *best_type;
    repeated best;
    tfp_id_map launched; /* names in `launches` */
    bool failed;         /* out of memory */
} scan;

void tfp_choice_release(tfp_step_choice *c, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &c->runs);
    if (c->kind == TFP_CHOICE_RUNS)
        tfp_id_map_release(&c->numbers);
    *c = (tfp_step_choice){ 0 };
}

static tfp_interner *strings_of(const scan *s)
{
    return &s->l->request->model->strings;
}

/* ---- Hosts -------------------------------------------------------------- */

/* A run of a program is what its instructions say to be one. */
static bool note_instruction(scan *s, const tfp_event *event)
{
    const tfp_stats *stats = &event->stats;
    int64_t key[2], end = tfp_event_end(event);
    tfp_choice_run run = { .begin = event->begin, .end = end };
    tfp_choice_run *known;
    uint32_t item;
    if (!tfp_stats_has(stats, TFP_KNOWN_HLO_OP) ||
        tfp_stats_has(stats, TFP_KNOWN_CORRELATION) ||
        !tfp_stats_number(stats, TFP_KNOWN_PROGRAM, &run.program) ||
        !tfp_stats_number(stats, TFP_KNOWN_RUN, &run.run))
        return true;
    key[0] = run.program;
    key[1] = run.run;
    if (!TFP_VEC_RESERVE(s->l->memory, &s->runs, 1))
        return false;
    item = tfp_intern(&s->run_keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return false;
    if (item > s->runs.count) {
        run.name = tfp_stats_string(strings_of(s), stats, TFP_KNOWN_HLO_MODULE);
        if (run.name == TFP_NO_ID)
            return false;
        s->runs.data[s->runs.count++] = run;
    }
    known = &s->runs.data[item - 1];
    known->begin = run.begin < known->begin ? run.begin : known->begin;
    known->end = end > known->end ? end : known->end;
    known->time = tfp_add_sat(known->time, event->length);
    return true;
}

/* An event that names the program it launches, and no instruction of it. */
static bool note_launch(scan *s, const tfp_event *event)
{
    const tfp_stats *stats = &event->stats;
    tfp_choice_run run = { .line = s->line,
                           .metadata = event->metadata,
                           .begin = event->begin,
                           .end = tfp_event_end(event),
                           .time = event->length };
    tfp_known_stat stat = TFP_KNOWN_MODULE_NAME;
    if (!tfp_stats_has(stats, stat)) {
        if (!tfp_stats_has(stats, TFP_KNOWN_PROGRAM) ||
            tfp_stats_has(stats, TFP_KNOWN_HLO_OP))
            return true;
        stat = TFP_KNOWN_HLO_MODULE;
    }
    if (event->begin < s->launched_until ||
        tfp_stats_text(stats, stat).size == 0)
        return true;
    s->launched_until = run.end;
    run.name = tfp_stats_string(strings_of(s), stats, stat);
    return run.name != TFP_NO_ID && tfp_id_map_put(&s->launched, run.name, 0) &&
           TFP_VEC_PUSH(s->l->memory, &s->launches, run);
}

/* Functions of Python are around everything if they are recorded, so whether
 * they are must not matter. */
static bool is_outermost(scan *s, const tfp_event *event)
{
    if (event->length <= 0 || event->begin < s->until ||
        tfp_span_starts(event->type->name, "$"))
        return false;
    s->until = tfp_event_end(event);
    return true;
}

static bool note_repeat(scan *s, const tfp_event *event)
{
    uint32_t at = (uint32_t)(event->type - s->plane->event_types.data);
    repeated *r = &s->repeats.data[at];
    if (!is_outermost(s, event))
        return true;
    if (r->count++ == 0 && !TFP_VEC_PUSH(s->l->memory, &s->touched, at))
        return false;
    r->time = tfp_add_sat(r->time, event->length);
    return true;
}

static int look_at_host(void *self, const tfp_event *event, tfprof_error *err)
{
    scan *s = self;
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    if (event->is_aggregated || !event->type)
        return TFPROF_OK;
    return note_instruction(s, event) && note_launch(s, event) &&
                   note_repeat(s, event)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

/* The event that the line at hand repeats for longest. */
static void take_repeats(scan *s)
{
    for (size_t i = 0; i < s->touched.count; i++) {
        repeated *r = &s->repeats.data[s->touched.data[i]];
        const tfp_event_type *type =
            &s->plane->event_types.data[s->touched.data[i]];
        if (r->count >= LEAST_REPEATS && r->time > s->best.time) {
            s->best = *r;
            s->best_line = s->line;
            s->best_type = type;
        }
        *r = (repeated){ 0 };
    }
    s->touched.count = 0;
}

static int walk_line(scan *s, const tfp_trace_line *line, tfprof_error *err)
{
    s->line = line;
    s->until = s->launched_until = INT64_MIN;
    return tfp_plane_walk_line(s->plane, line, &s->walk, err);
}

static int look_at_hosts(scan *s, tfp_event_fn *event, tfprof_error *err)
{
    int status = TFPROF_OK;
    s->walk.event = event;
    for (size_t i = 0; i < s->l->space->planes.count; i++) {
        tfp_plane *plane = s->plane = s->l->space->planes.data[i];
        if (!tfp_span_is(plane->name, "/host:CPU"))
            continue;
        s->repeats.count = 0;
        while (s->repeats.count < plane->event_types.count) {
            if (!TFP_VEC_PUSH(s->l->memory, &s->repeats, (repeated){ 0 }))
                return tfp_fail_nomem(err);
        }
        for (size_t k = 0; k < plane->lines.count && status == TFPROF_OK; k++) {
            if (!tfp_line_is_derived(&plane->lines.data[k]))
                status = walk_line(s, &plane->lines.data[k], err);
            take_repeats(s);
        }
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

/* ---- Devices ------------------------------------------------------------ */

static int look_at_module(void *self, const tfp_event *event, tfprof_error *err)
{
    scan *s = self;
    tfp_choice_run run = { .line = s->line,
                           .begin = event->begin,
                           .end = tfp_event_end(event),
                           .time = event->length };
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    if (event->is_aggregated || !event->type)
        return TFPROF_OK;
    run.name = tfp_type_string(strings_of(s), event->type);
    return run.name != TFP_NO_ID && TFP_VEC_PUSH(s->l->memory, &s->modules, run)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

static int look_at_kernel(void *self, const tfp_event *event, tfprof_error *err)
{
    scan *s = self;
    tfp_choice_run sum = { 0 };
    uint32_t at;
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    if (tfp_stats_text(&event->stats, TFP_KNOWN_HLO_MODULE).size == 0)
        return TFPROF_OK;
    sum.name = tfp_stats_string(strings_of(s), &event->stats,
                                TFP_KNOWN_HLO_MODULE);
    if (sum.name == TFP_NO_ID)
        return tfp_fail_nomem(err);
    at = tfp_id_map_find(&s->kernels, sum.name);
    if (at == TFP_NO_ID) {
        at = (uint32_t)s->kernel_times.count;
        if (!TFP_VEC_PUSH(s->l->memory, &s->kernel_times, sum) ||
            !tfp_id_map_put(&s->kernels, sum.name, at))
            return tfp_fail_nomem(err);
    }
    s->kernel_times.data[at].time = tfp_add_sat(s->kernel_times.data[at].time,
                                                event->length);
    return TFPROF_OK;
}

static int look_at_device(scan *s, bool is_tpu, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < s->plane->lines.count && status == TFPROF_OK; i++) {
        const tfp_trace_line *line = &s->plane->lines.data[i];
        bool has_modules = tfp_span_is(line->name, "XLA Modules");
        if (!has_modules && (is_tpu || !tfp_line_is_stream(line)))
            continue;
        s->has_tpu_modules |= has_modules && is_tpu;
        s->walk.event = has_modules ? look_at_module : look_at_kernel;
        status = walk_line(s, line, err);
    }
    return status;
}

static int look_at_devices(scan *s, tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < s->l->space->planes.count && status == TFPROF_OK;
         i++) {
        s->plane = s->l->space->planes.data[i];
        if (tfp_span_starts(s->plane->name, "/device:TPU:"))
            status = look_at_device(s, true, err);
        else if (tfp_span_starts(s->plane->name, "/device:GPU:"))
            status = look_at_device(s, false, err);
    }
    return status;
}

/* ---- The program with the most time ------------------------------------- */

static int by_program(const void *context, uint32_t a, uint32_t b)
{
    const tfp_choice_run *runs = context;
    return (runs[a].program > runs[b].program) -
           (runs[a].program < runs[b].program);
}

/* Adds the times of runs of one program, which have one `name` and `program`,
 * and takes the program if it has more time than *best. */
static bool find_longest(scan *s, const tfp_choice_runs *runs,
                         tfp_choice_run *best)
{
    size_t count = runs->count;
    tfp_sort_item *items = tfp_memory_array(s->l->memory, 2 * count + 1,
                                            sizeof(*items));
    bool found = false;
    tfp_choice_run sum = { 0 };
    if (!items) {
        s->failed = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ runs->data[i].name, (uint32_t)i };
    tfp_sort(items, count, items + count, by_program, runs->data);
    for (size_t i = 0; i < count; i++) {
        const tfp_choice_run *run = &runs->data[items[i].index];
        if (i == 0 || run->name != sum.name || run->program != sum.program)
            sum = (tfp_choice_run){ .name = run->name,
                                    .program = run->program };
        sum.time = tfp_add_sat(sum.time, run->time);
        if (sum.time > best->time) {
            *best = sum;
            found = true;
        }
    }
    tfp_memory_free(s->l->memory, items);
    return found;
}

static bool take(scan *s, const tfp_choice_runs *from, tfp_string name,
                 int64_t program)
{
    tfp_step_choice *c = &s->l->choice;
    for (size_t i = 0; i < from->count; i++) {
        if (from->data[i].name == name && from->data[i].program == program &&
            !TFP_VEC_PUSH(s->l->memory, &c->runs, from->data[i]))
            return false;
    }
    return true;
}

/* Times of kernels whose launches are known. */
static bool find_launched(scan *s, tfp_choice_run *best)
{
    bool found = false;
    for (size_t i = 0; i < s->kernel_times.count; i++) {
        const tfp_choice_run *sum = &s->kernel_times.data[i];
        if (sum->time > best->time &&
            tfp_id_map_find(&s->launched, sum->name) != TFP_NO_ID) {
            *best = *sum;
            found = true;
        }
    }
    return found;
}

/* Who executes a program together with others. */
typedef enum company {
    ALONE,    /* nobody: each execution is a step */
    MEETING,  /* those on other lines that overlap in time */
    IN_ROUNDS /* on each line, the next one: each line is of a device */
} company;

static company company_of(const tfp_loading *l)
{
    size_t lines = 0, devices = 0;
    const tfp_trace_line *last = NULL;
    for (size_t i = 0; i < l->choice.runs.count; i++) {
        lines += l->choice.runs.data[i].line != last;
        last = l->choice.runs.data[i].line;
    }
    for (size_t i = 0; i < l->space->planes.count; i++)
        devices += l->space->planes.data[i]->events > 0 &&
                   tfp_span_starts(l->space->planes.data[i]->name, "/device:");
    return lines == devices ? IN_ROUNDS : MEETING;
}

/* Numbers executions by begin; those in company have one number. False when out
 * of memory. */
static bool number_runs(tfp_loading *l, company with)
{
    tfp_step_choice *c = &l->choice;
    size_t count = c->runs.count;
    tfp_sort_item *items = tfp_memory_array(l->memory, 2 * count + 1,
                                            sizeof(*items));
    tfp_id_map lines; /* the step that each was in last */
    int64_t number = -1, until = INT64_MIN;
    bool ok = items != NULL;
    tfp_id_map_init(&lines, l->memory, l->space->seed);
    for (size_t i = 0; ok && i < count; i++)
        items[i] = (tfp_sort_item){ tfp_sort_key_rising(c->runs.data[i].begin),
                                    (uint32_t)i };
    if (ok)
        tfp_sort(items, count, items + count, NULL, NULL);
    for (size_t i = 0; ok && i < count; i++) {
        tfp_choice_run *run = &c->runs.data[items[i].index];
        int64_t line = (int64_t)(uintptr_t)run->line;
        uint32_t last = tfp_id_map_find(&lines, line);
        if (i == 0 || with == ALONE || last == (uint32_t)number ||
            (with == MEETING && run->begin >= until)) {
            number++;
            until = run->end;
        }
        until = run->end > until ? run->end : until;
        run->number = number;
        ok = with == ALONE || tfp_id_map_put(&lines, line, (uint32_t)number);
    }
    tfp_id_map_release(&lines);
    tfp_memory_free(l->memory, items);
    return ok;
}

/* Steps as spans of time: of executions that are one step, the whole. */
static bool join_spans(tfp_loading *l)
{
    tfp_step_choice *c = &l->choice;
    tfp_choice_runs joined = { 0 };
    for (size_t i = 0; i < c->runs.count; i++) {
        const tfp_choice_run *run = &c->runs.data[i];
        tfp_choice_run *into;
        while (joined.count <= (size_t)run->number) {
            if (!TFP_VEC_PUSH(
                    l->memory, &joined,
                    ((tfp_choice_run){ .begin = INT64_MAX, .end = INT64_MIN })))
                return false;
        }
        into = &joined.data[run->number];
        into->number = run->number;
        into->run = run->run;
        into->begin = run->begin < into->begin ? run->begin : into->begin;
        into->end = run->end > into->end ? run->end : into->end;
    }
    TFP_VEC_RELEASE(l->memory, &c->runs);
    c->runs = joined;
    return true;
}

static bool number_by_run(tfp_loading *l)
{
    tfp_step_choice *c = &l->choice;
    for (size_t i = 0; i < c->runs.count; i++) {
        if (!tfp_id_map_put(&c->numbers, c->runs.data[i].run,
                            (uint32_t)c->runs.data[i].number))
            return false;
    }
    return true;
}

/* False when out of memory. */
static bool choose_program(scan *s)
{
    tfp_step_choice *c = &s->l->choice;
    tfp_choice_run best = { 0 };
    const tfp_choice_runs *from = NULL;
    if (find_longest(s, &s->modules, &best)) {
        c->kind = s->has_tpu_modules ? TFP_CHOICE_MODULES : TFP_CHOICE_SPANS;
        from = &s->modules;
    }
    if (find_longest(s, &s->runs, &best)) {
        c->kind = TFP_CHOICE_RUNS;
        from = &s->runs;
    }
    if (find_launched(s, &best)) {
        c->kind = TFP_CHOICE_EVENTS;
        from = &s->launches;
    }
    if (!from && find_longest(s, &s->launches, &best)) {
        c->kind = TFP_CHOICE_EVENTS;
        from = &s->launches;
    }
    if (!from)
        return !s->failed;
    c->by = TFP_STEPS_BY_PROGRAM;
    c->name = best.name;
    c->program = best.program;
    if (c->kind == TFP_CHOICE_RUNS)
        tfp_id_map_init(&c->numbers, s->l->memory, s->l->space->seed);
    return take(s, from, best.name, best.program) &&
           number_runs(s->l,
                       c->kind == TFP_CHOICE_RUNS ? ALONE : company_of(s->l)) &&
           (c->kind == TFP_CHOICE_EVENTS || join_spans(s->l)) &&
           (c->kind != TFP_CHOICE_RUNS || number_by_run(s->l));
}

/* ---- Events ------------------------------------------------------------- */

/* Of the line at hand: those of the best name. */
static int take_event(void *self, const tfp_event *event, tfprof_error *err)
{
    scan *s = self;
    tfp_choice_run run = { .line = s->line,
                           .metadata = event->metadata,
                           .begin = event->begin,
                           .end = tfp_event_end(event) };
    if (event->is_aggregated || !event->type || !is_outermost(s, event) ||
        event->type != s->best_type)
        return TFPROF_OK;
    return TFP_VEC_PUSH(s->l->memory, &s->l->choice.runs, run)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

static int choose_event(scan *s, tfprof_error *err)
{
    tfp_step_choice *c = &s->l->choice;
    tfp_event_type *type = NULL;
    int status = TFPROF_OK;
    for (size_t i = 0; i < s->l->space->planes.count && !type; i++) {
        tfp_plane *plane = s->l->space->planes.data[i];
        for (size_t k = 0; k < plane->lines.count; k++) {
            if (&plane->lines.data[k] != s->best_line)
                continue;
            s->plane = plane;
            type = &plane->event_types
                        .data[s->best_type - plane->event_types.data];
        }
    }
    if (!type)
        return TFPROF_OK;
    s->walk.event = take_event;
    status = walk_line(s, s->best_line, err);
    c->kind = TFP_CHOICE_EVENTS;
    c->by = TFP_STEPS_BY_EVENT;
    c->name = tfp_type_string(strings_of(s), type);
    if (status == TFPROF_OK &&
        (c->name == TFP_NO_ID || !number_runs(s->l, ALONE)))
        return tfp_fail_nomem(err);
    return status;
}

/* ---- All of it ---------------------------------------------------------- */

static bool begin(scan *s, tfp_loading *l)
{
    *s = (scan){ .l = l,
                 .walk = { .self = s,
                           .epoch = l->space->epoch,
                           .max_depth = l->request->max_depth } };
    tfp_id_map_init(&s->kernels, l->memory, l->space->seed);
    tfp_id_map_init(&s->launched, l->memory, l->space->seed);
    return tfp_interner_init(&s->run_keys, l->memory, 8, l->space->seed);
}

static void end(scan *s)
{
    tfp_memory *memory = s->l->memory;
    tfp_line_walk_release(&s->walk);
    tfp_interner_release(&s->run_keys);
    tfp_id_map_release(&s->kernels);
    tfp_id_map_release(&s->launched);
    TFP_VEC_RELEASE(memory, &s->runs);
    TFP_VEC_RELEASE(memory, &s->launches);
    TFP_VEC_RELEASE(memory, &s->modules);
    TFP_VEC_RELEASE(memory, &s->kernel_times);
    TFP_VEC_RELEASE(memory, &s->repeats);
    TFP_VEC_RELEASE(memory, &s->touched);
}

static int find(tfp_loading *l, tfprof_error *err)
{
    scan s;
    int status = begin(&s, l) ? TFPROF_OK : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = look_at_hosts(&s, look_at_host, err);
    if (status == TFPROF_OK)
        status = look_at_devices(&s, err);
    if (status == TFPROF_OK && !choose_program(&s))
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK && l->choice.kind == TFP_CHOICE_NONE)
        status = choose_event(&s, err);
    end(&s);
    return status;
}

int tfp_choice_search(tfp_loading *l, tfprof_error *err)
{
    tfprof_error why = { 0 };
    int status = find(l, &why);
    l->is_searched = true;
    if (status == TFPROF_OK)
        return status;
    tfp_choice_release(&l->choice, l->memory);
    if (!tfp_stops_all(status))
        return TFPROF_OK;
    if (err)
        *err = why;
    return status;
}

static bool may_mark_host(const tfp_plane *plane)
{
    static const char *const names[] = { "TraceContext", "Profiled batch" };
    if (tfp_plane_has_stat(plane, TFP_KNOWN_ROOT) ||
        tfp_plane_has_stat(plane, TFP_KNOWN_GROUP) ||
        tfp_plane_has_stat(plane, TFP_KNOWN_ITER_NUM))
        return true;
    for (size_t i = 0; i < plane->event_types.count; i++) {
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            if (tfp_span_is(plane->event_types.data[i].name, names[k]))
                return true;
        }
    }
    return false;
}

bool tfp_choice_may_be_marked(const tfp_loading *l)
{
    for (size_t i = 0; i < l->space->planes.count; i++) {
        const tfp_plane *plane = l->space->planes.data[i];
        bool is_tpu = tfp_span_starts(plane->name, "/device:TPU:");
        if ((tfp_span_is(plane->name, "/host:CPU") && may_mark_host(plane)) ||
            (tfp_span_starts(plane->name, "/device:GPU:") &&
             tfp_plane_has_stat(plane, TFP_KNOWN_GROUP)))
            return true;
        for (size_t k = 0; is_tpu && k < plane->lines.count; k++) {
            if (tfp_span_is(plane->lines.data[k].name, "Steps"))
                return true;
        }
    }
    return false;
}

/* Outermost events whose names match. Verdicts on event types are kept. */
static int ask_event(void *self, const tfp_event *event, tfprof_error *err)
{
    enum { MATCHES = 1, DOES_NOT };
    scan *s = self;
    const tfp_step_names *names = s->l->request->step_names;
    tfp_choice_run run = { .line = s->line,
                           .metadata = event->metadata,
                           .begin = event->begin,
                           .end = tfp_event_end(event) };
    int64_t *verdict;
    int status = TFPROF_OK;
    bool does;
    if (tfp_watch_ends(&s->l->watch))
        return tfp_fail_cancelled(err);
    if (event->is_aggregated || !event->type)
        return TFPROF_OK;
    verdict = &s->repeats.data[event->type - s->plane->event_types.data].count;
    if (*verdict == 0) {
        status = names->matches(names->self, event->type->name, &does, err);
        *verdict = does ? MATCHES : DOES_NOT;
    }
    if (status != TFPROF_OK)
        return status;
    if (*verdict != MATCHES || event->begin < s->until)
        return TFPROF_OK;
    s->until = run.end;
    return TFP_VEC_PUSH(s->l->memory, &s->l->choice.runs, run)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

int tfp_choice_ask(tfp_loading *l, tfprof_error *err)
{
    scan s;
    int status = begin(&s, l) ? TFPROF_OK : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = look_at_hosts(&s, ask_event, err);
    if (status == TFPROF_OK && l->choice.runs.count == 0)
        status = tfp_fail(err, TFPROF_ERR_OPTION, -1,
                          "--step_event matches no event of a host");
    if (status == TFPROF_OK && !number_runs(l, ALONE))
        status = tfp_fail_nomem(err);
    l->choice.kind = TFP_CHOICE_EVENTS;
    l->choice.by = TFP_STEPS_ASKED;
    end(&s);
    return status;
}

bool tfp_choice_takes(const tfp_step_choice *c, const tfp_trace_line *line,
                      const tfp_event *event, size_t *at, int64_t *number)
{
    const tfp_choice_run *run;
    if (*at >= c->runs.count)
        return false;
    run = &c->runs.data[*at];
    if (run->line != line || run->begin != event->begin ||
        run->metadata != event->metadata || run->end != tfp_event_end(event))
        return false;
    *number = run->number;
    ++*at;
    return true;
}
