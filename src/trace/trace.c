/*
 * trace.c - a trace into the model: the order of the work, steps and sums.
 *
 * Planes may stand in any order. Programs are noted first, since events name
 * their instructions; then come hosts, whose events form the steps; then
 * devices, whose kernels belong to the steps that launched them.
 */
#include "trace/trace.h"

#include "base/memory.h"

#include "base/intern.h"

#include "base/bytes.h"

#include "base/sort.h"
#include "trace/loading.h"
#include "trace/run_steps.h"
#include "trace/singles.h"
#include "trace/survey.h"

/* ---- Shared ------------------------------------------------------------- */

/* Lines that xprof derives from others have ids from 0xdeadbeef on, as a signed
 * number of 32 bits. Another id with the same low half is none of them. */
bool tfp_line_is_derived(const tfp_trace_line *line)
{
    /* From the first id on: lines of steps, scopes, operations and so on, then
     * lines of XLA regions of the host, then lines of devices. */
    enum {
        FIRST_REGION = 49,
        LAST_REGION = FIRST_REGION + 240,
        FIRST_OF_DEVICES = LAST_REGION + 1,
        LAST = FIRST_OF_DEVICES + 99
    };
    const int64_t first = (int32_t)0xdeadbeef;
    return line->id >= first && line->id <= first + LAST;
}

bool tfp_loading_put(tfp_loading *l, const char *text, tfp_span more)
{
    size_t size = strlen(text);
    if (!TFP_VEC_RESERVE(l->memory, &l->text, size + more.size))
        return false;
    memcpy(l->text.data + l->text.count, text, size);
    if (more.size > 0)
        memcpy(l->text.data + l->text.count + size, more.data, more.size);
    l->text.count += size + more.size;
    return true;
}

/* Adds the strings of a device whose name is in l->text: the place, and the
 * device from `at` on. */
static bool name_device(tfp_loading *l, tfp_trace_device *device, size_t at)
{
    tfp_model *model = l->request->model;
    const uint8_t *text = l->text.data;
    size_t size = l->text.count;
    device->name = tfp_model_string(model, (tfp_span){ text, size });
    device->parts.place = tfp_model_string(model, (tfp_span){ text, at });
    device->parts.device = tfp_model_string(model,
                                            (tfp_span){ text + at, size - at });
    return device->name != TFP_NO_ID && device->parts.place != TFP_NO_ID &&
           device->parts.device != TFP_NO_ID;
}

uint32_t tfp_loading_device(tfp_loading *l, const char *kind, tfp_span number,
                            bool is_accelerator)
{
    tfp_trace_device device = { .is_accelerator = is_accelerator };
    tfp_span host = { l->space->host.data, l->space->host.count };
    uint32_t item;
    size_t place;
    l->text.count = 0;
    if (host.size > 0 && !tfp_loading_put(l, "/host:", host))
        return TFP_NO_ID;
    place = l->text.count;
    if (!tfp_loading_put(l, "/device:", tfp_span_of(kind)) ||
        !tfp_loading_put(l, ":", number) ||
        !TFP_VEC_RESERVE(l->memory, &l->devices, 1))
        return TFP_NO_ID;
    item = tfp_intern(&l->device_keys,
                      (tfp_span){ l->text.data, l->text.count });
    if (item == TFP_NO_ID)
        return TFP_NO_ID;
    if (item > l->devices.count) {
        if (!name_device(l, &device, place))
            return TFP_NO_ID;
        l->devices.data[l->devices.count++] = device;
    }
    return item - 1;
}

uint32_t tfp_loading_step(tfp_loading *l, int64_t number)
{
    tfp_span key = { (const uint8_t *)&number, sizeof(number) };
    uint32_t item;
    if (!TFP_VEC_RESERVE(l->memory, &l->steps, 1))
        return TFP_NO_ID;
    item = tfp_intern(&l->step_keys, key);
    if (item == TFP_NO_ID)
        return TFP_NO_ID;
    if (item > l->steps.count)
        l->steps.data[l->steps.count++] = number;
    return item - 1;
}

static tfp_trace_sum *find_sum(tfp_loading *l, const tfp_trace_run *run)
{
    uint32_t key[] = { run->step, run->node, run->device };
    uint32_t item;
    if (!TFP_VEC_RESERVE(l->memory, &l->sums, 1))
        return NULL;
    item = tfp_intern(&l->sum_keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return NULL;
    if (item > l->sums.count)
        l->sums.data[l->sums.count++] = (tfp_trace_sum){
            run->step, run->node, run->device, run->begin, 0, 0
        };
    l->last_sums.data[run->node] = item;
    return &l->sums.data[item - 1];
}

bool tfp_loading_add(tfp_loading *l, const tfp_trace_run *run)
{
    tfp_trace_sum *sum = NULL;
    while (l->last_sums.count <= run->node) {
        if (!TFP_VEC_PUSH(l->memory, &l->last_sums, 0))
            return false;
    }
    /* Events of a step and a device mostly stand together. */
    if (l->last_sums.data[run->node] > 0)
        sum = &l->sums.data[l->last_sums.data[run->node] - 1];
    if (!sum || sum->step != run->step || sum->device != run->device)
        sum = find_sum(l, run);
    if (!sum)
        return false;
    if (run->begin < sum->first)
        sum->first = run->begin;
    /* Parts that overlap may take more than the whole: no less than none. */
    sum->time = tfp_add_sat(sum->time, run->time > 0 ? run->time : 0);
    sum->runs = tfp_add_sat(sum->runs, run->runs);
    return !l->spans.is_on || tfp_spans_add(l, run);
}

static uint32_t step_of(tfp_loading *l, uint32_t group, tfp_way way)
{
    l->ways[group == TFP_NO_ID ? TFP_WAY_NONE : way]++;
    return group == TFP_NO_ID ? TFP_NO_ID : l->step_of_group.data[group];
}

uint32_t tfp_loading_place(tfp_loading *l, uint32_t anchor, int64_t begin)
{
    uint32_t group = tfp_groups_of(&l->groups, anchor);
    return group == TFP_NO_ID
               ? step_of(l, tfp_groups_at(&l->groups, begin), TFP_WAY_TIME)
               : step_of(l, group, TFP_WAY_LINK);
}

/* If markers are only starts, links tell nothing: the time of a step is what
 * lies between two of them. Iterations of a loop keep what they enqueue. */
uint32_t tfp_loading_group(const tfp_loading *l, uint32_t anchor, int64_t begin,
                           tfp_way *way)
{
    bool links = !l->has_starts || l->groups.has_iterations;
    uint32_t group = links ? tfp_groups_of(&l->groups, anchor) : TFP_NO_ID;
    *way = group == TFP_NO_ID ? TFP_WAY_TIME : TFP_WAY_LINK;
    return group == TFP_NO_ID ? tfp_groups_at(&l->groups, begin) : group;
}

uint32_t tfp_loading_place_host(tfp_loading *l, uint32_t anchor, int64_t begin)
{
    tfp_way way;
    uint32_t group = tfp_loading_group(l, anchor, begin, &way);
    return step_of(l, group, way);
}

uint32_t tfp_loading_place_timeless(tfp_loading *l, uint32_t anchor)
{
    return step_of(l, tfp_groups_of(&l->groups, anchor), TFP_WAY_LINK);
}

/* ---- Steps -------------------------------------------------------------- */

/* The first number from `number` on that no step has; from 0 on when there is
 * none behind it. */
static int64_t free_number(const tfp_loading *l, int64_t number)
{
    for (;; number = number == INT64_MAX ? 0 : number + 1) {
        tfp_span key = { (const uint8_t *)&number, sizeof(number) };
        if (tfp_interner_find(&l->step_keys, key) == TFP_NO_ID &&
            tfp_interner_find(&l->device_steps, key) == TFP_NO_ID)
            return number;
    }
}

/* Executions that were given one number are one step. */
static bool joins_steps(const tfp_loading *l)
{
    return l->choice.by == TFP_STEPS_BY_PROGRAM;
}

/* Numbers that the trace gives go to the first that has them; any other group
 * gets one that nobody has. */
static bool number_groups(tfp_loading *l)
{
    int64_t next = 0;
    for (size_t i = 0; i < l->groups.groups.count; i++) {
        if (!TFP_VEC_PUSH(l->memory, &l->step_of_group, TFP_NO_ID))
            return false;
    }
    for (size_t i = 0; i < l->groups.groups.count; i++) {
        const tfp_group *group = &l->groups.groups.data[i];
        size_t known = l->steps.count;
        uint32_t step;
        if (!group->has_step)
            continue;
        step = tfp_loading_step(l, group->step);
        if (step == TFP_NO_ID)
            return false;
        if (l->steps.count > known || joins_steps(l))
            l->step_of_group.data[i] = step;
        else
            l->repeated_steps++;
        if (group->step >= next)
            next = tfp_add_sat(group->step, 1);
    }
    for (size_t i = 0; i < l->groups.groups.count; i++) {
        if (l->step_of_group.data[i] != TFP_NO_ID)
            continue;
        next = free_number(l, next);
        l->step_of_group.data[i] = tfp_loading_step(l, next);
        if (l->step_of_group.data[i] == TFP_NO_ID)
            return false;
    }
    return true;
}

/* The functions of an input pipeline are no steps, although they are run as
 * those of the model are. */
static void pass_over_data(tfp_loading *l)
{
    for (size_t i = 0; i < l->groups.anchors.count; i++) {
        tfp_anchor *anchor = &l->groups.anchors.data[i];
        if (anchor->has_id &&
            tfp_id_map_find(&l->data_graphs, anchor->id) != TFP_NO_ID)
            anchor->is_data = true;
    }
}

static bool index_launches(tfp_loading *l)
{
    tfp_id_map_expect(&l->launch_anchors, l->launches.count);
    for (size_t i = 0; i < l->launches.count; i++) {
        if (!tfp_id_map_put(&l->launch_anchors, l->launches.data[i].correlation,
                            l->launches.data[i].anchor))
            return false;
    }
    TFP_VEC_RELEASE(l->memory, &l->launches);
    return true;
}

static bool is_host(const tfp_plane *plane)
{
    return tfp_span_is(plane->name, "/host:CPU");
}

static bool is_gpu(const tfp_plane *plane)
{
    return tfp_span_starts(plane->name, "/device:GPU:");
}

static bool is_tpu(const tfp_plane *plane)
{
    return tfp_span_starts(plane->name, "/device:TPU:");
}

/* How much of [begin, end) lies outside of a root. */
static int64_t outside_of(const tfp_anchor *root, int64_t begin, int64_t end)
{
    int64_t from = begin > root->begin ? begin : root->begin;
    int64_t until = end < root->end ? end : root->end;
    int64_t inside = until > from ? tfp_sub_sat(until, from) : 0;
    return tfp_sub_sat(tfp_sub_sat(end, begin), inside);
}

/* Do operations only start outside of the roots, from the first one on? Then
 * roots do not enclose anything. Where there are devices, these may have run
 * the steps. */
static bool misses_all(const tfp_loading *l, int64_t *last)
{
    uint32_t first = l->groups.by_begin.data[0];
    int64_t begin = tfp_groups_root(&l->groups, first)->begin;
    bool any = false;
    for (size_t i = 0; i < l->space->planes.count; i++) {
        const tfp_plane *plane = l->space->planes.data[i];
        if (plane->events > 0 && (is_gpu(plane) || is_tpu(plane)))
            return false;
    }
    for (size_t i = 0; i < l->host_ops.count; i++) {
        const tfp_host_op *op = &l->host_ops.data[i];
        int64_t end = tfp_add_sat(op->begin, op->length);
        if (op->step != TFP_NO_ID || op->self <= 0 || op->begin < begin)
            continue;
        any = true;
        *last = end > *last ? end : *last;
    }
    return any;
}

/* Does more than half of the operation time that belongs to steps lie outside
 * of their roots? Then these do not enclose the steps. *last is the end of the
 * last operation of the last step. */
static bool find_starts(const tfp_loading *l, int64_t *last)
{
    double all = 0, outside = 0;
    uint32_t last_group = tfp_groups_last(&l->groups);
    *last = INT64_MIN;
    for (size_t i = 0; i < l->host_ops.count; i++) {
        const tfp_host_op *op = &l->host_ops.data[i];
        int64_t end = tfp_add_sat(op->begin, op->length), out;
        tfp_way way;
        uint32_t group;
        if (op->step != TFP_NO_ID || op->length <= 0 || op->self <= 0)
            continue;
        group = tfp_loading_group(l, op->anchor, op->begin, &way);
        if (group == TFP_NO_ID)
            continue;
        if (group == last_group && end > *last)
            *last = end;
        out = outside_of(tfp_groups_root(&l->groups, group), op->begin, end);
        all += (double)op->self;
        outside += (double)op->self * ((double)out / (double)op->length);
    }
    return outside > all / 2 || (all <= 0 && misses_all(l, last));
}

/* Are steps known by their time, and not by what happens in them? */
static bool has_spans(const tfp_loading *l)
{
    return l->choice.kind == TFP_CHOICE_SPANS ||
           l->choice.kind == TFP_CHOICE_RUNS;
}

/* Finds how long steps last. */
static void measure_steps(tfp_loading *l)
{
    int64_t last;
    if (l->groups.groups.count == 0 || has_spans(l) || !find_starts(l, &last))
        return;
    l->has_starts = true;
    tfp_groups_stretch(&l->groups, last);
}

/* The operations of hosts, now that the steps are known. */
static bool place_host_ops(tfp_loading *l)
{
    measure_steps(l);
    for (size_t i = 0; i < l->host_ops.count; i++) {
        const tfp_host_op *op = &l->host_ops.data[i];
        tfp_trace_run run = { .step = op->step,
                              .owner = TFP_NO_ID,
                              .node = op->node,
                              .device = op->device,
                              .begin = op->begin,
                              .time = op->self,
                              .length = op->length,
                              .runs = op->runs };
        if (op->step != TFP_NO_ID)
            l->ways[TFP_WAY_STATED]++;
        else if (op->is_aggregated)
            run.step = tfp_loading_place_timeless(l, op->anchor);
        else
            run.step = tfp_loading_place_host(l, op->anchor, op->begin);
        if (!tfp_loading_add(l, &run) || tfp_watch_ends(&l->watch))
            return false;
    }
    TFP_VEC_RELEASE(l->memory, &l->host_ops);
    return true;
}

/* ---- Into the model ----------------------------------------------------- */

int64_t tfp_loading_number(const tfp_loading *l, uint32_t step)
{
    if (step != TFP_NO_ID)
        return l->steps.data[step];
    return l->steps.count > 0 ? TFP_STEP_REST : l->only_step;
}

static int by_device(const void *context, uint32_t a, uint32_t b)
{
    const tfp_trace_sum *sums = context;
    return (sums[a].device > sums[b].device) -
           (sums[a].device < sums[b].device);
}

static bool add_sum(tfp_loading *l, const tfp_trace_sum *sum, uint32_t device)
{
    tfp_exec exec = { .name = l->nodes.nodes.data[sum->node].name,
                      .device = device,
                      .start = sum->first,
                      .length = sum->time };
    tfp_exec_detail detail = { .figures.run_count = sum->runs };
    return tfp_model_add_exec(l->request->model, exec, &detail);
}

/* Opens the step and the device of a sum. */
static uint32_t open_device(tfp_loading *l, const tfp_trace_sum *sum,
                            int64_t number)
{
    tfp_model *model = l->request->model;
    const tfp_trace_device *from = &l->devices.data[sum->device];
    tfp_input *input = &model->inputs.data[l->request->input];
    bool is_rest = number == TFP_STEP_REST && sum->step == TFP_NO_ID;
    uint32_t step = is_rest ? tfp_model_rest(model)
                            : tfp_model_step(model, number);
    uint32_t device;
    if (step == TFP_NO_ID)
        return TFP_NO_ID;
    if (!is_rest &&
        (input->steps.count == 0 ||
         input->steps.data[input->steps.count - 1] != number) &&
        !TFP_VEC_PUSH(l->memory, &input->steps, number))
        return TFP_NO_ID;
    device = tfp_model_add_device(
        model, step,
        from->is_accelerator ? TFP_EXEC_ACCELERATOR_TRACE : TFP_EXEC_TRACE);
    if (device != TFP_NO_ID) {
        model->devices.data[device].name = from->name;
        model->devices.data[device].parts = from->parts;
    }
    return device;
}

/* Adds the sums step by step, and in each device by device. */
static bool add_sums(tfp_loading *l, const tfp_sort_item *items, size_t count)
{
    uint32_t device = TFP_NO_ID;
    const tfp_trace_sum *last = NULL;
    for (size_t i = 0; i < count; i++) {
        const tfp_trace_sum *sum = &l->sums.data[items[i].index];
        if (!last || last->step != sum->step || last->device != sum->device)
            device = open_device(l, sum, tfp_loading_number(l, sum->step));
        if (device == TFP_NO_ID || !add_sum(l, sum, device))
            return false;
        last = sum;
    }
    return true;
}

static bool leaves_rest(const tfp_loading *l)
{
    return (l->request->model->gathers & TFP_GATHER_NO_REST) &&
           l->steps.count > 0;
}

static bool sort_and_add_sums(tfp_loading *l)
{
    size_t count = 0;
    tfp_sort_item *items = tfp_memory_array(l->memory, 2 * l->sums.count + 1,
                                            sizeof(*items));
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < l->sums.count; i++) {
        uint32_t step = l->sums.data[i].step;
        if (step == TFP_NO_ID && leaves_rest(l))
            continue;
        items[count].key = tfp_sort_key_rising(tfp_loading_number(l, step));
        items[count++].index = (uint32_t)i;
    }
    if (ok)
        tfp_sort(items, count, items + count, by_device, l->sums.data);
    ok = ok && add_sums(l, items, count);
    tfp_memory_free(l->memory, items);
    return ok;
}

static bool note_devices(tfp_loading *l)
{
    tfp_input *input = &l->request->model->inputs.data[l->request->input];
    for (size_t i = 0; i < l->devices.count; i++) {
        if (!TFP_VEC_PUSH(l->memory, &input->devices, l->devices.data[i].name))
            return false;
    }
    return true;
}

/* ---- All of it ---------------------------------------------------------- */

typedef int read_plane_fn(tfp_loading *l, tfp_plane *plane, tfprof_error *err);

/* Does work go on after `status`, perhaps for what is whole? */
static bool goes_on(const tfp_loading *l, int status)
{
    return status == TFPROF_OK ||
           (l->request->keeps_damaged && !tfp_stops_all(status));
}

/* `status` is what happened before. Damage in a plane does not keep the next
 * from being read: the first failure stands, unless one that stops all comes
 * after it. */
static int read_planes(tfp_loading *l, bool (*is_one)(const tfp_plane *),
                       read_plane_fn *read, int status, tfprof_error *err)
{
    for (size_t i = 0; i < l->space->planes.count && goes_on(l, status); i++) {
        tfp_plane *plane = l->space->planes.data[i];
        tfprof_error why = { 0 };
        int now = is_one(plane) ? read(l, plane, &why) : TFPROF_OK;
        if (now == TFPROF_OK || (status != TFPROF_OK && !tfp_stops_all(now)))
            continue;
        status = now;
        if (err)
            *err = why;
    }
    return status;
}

static bool is_metadata(const tfp_plane *plane)
{
    return tfp_span_is(plane->name, "/host:metadata");
}

static int note_programs(tfp_loading *l, tfp_plane *plane, tfprof_error *err)
{
    return tfp_trace_add_programs(&l->nodes.programs, plane, err);
}

/* Names that stand for loops of which xprof forms no groups. */
static bool has_loops(const tfp_plane *plane)
{
    static const char *const names[] = { "WhileOp-EvalCond",
                                         "WhileOp-StartBody", "ForOp",
                                         "ParallelForOp", "ForeverOp" };
    for (size_t i = 0; i < plane->event_types.count; i++) {
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            if (tfp_span_is(plane->event_types.data[i].name, names[k]))
                return true;
        }
    }
    return false;
}

/* Whether groups are in the file already, as older writers left them. */
static void look_for_groups(tfp_loading *l)
{
    bool any = false;
    l->states_groups = !l->space->has_bare_device; /* which states none */
    for (size_t i = 0; i < l->space->planes.count; i++) {
        const tfp_plane *plane = l->space->planes.data[i];
        l->has_no_groups |= has_loops(plane);
        if (plane->lines.count == 0 || /* which has nothing to state */
            (!is_host(plane) && !tfp_span_starts(plane->name, "/device:")))
            continue;
        any = true;
        l->states_groups &= tfp_plane_has_stat(plane, TFP_KNOWN_GROUP);
    }
    l->states_groups &= any;
}

static void place_loose(tfp_groups *groups)
{
    for (size_t i = 0; i < groups->anchors.count; i++) {
        tfp_anchor *anchor = &groups->anchors.data[i];
        if (anchor->is_loose)
            anchor->group = tfp_groups_at(groups, anchor->begin);
    }
}

/* The groups of events, or the spans that were chosen in their place. */
static bool form_groups(tfp_loading *l)
{
    l->groups.has_marked_steps |= l->choice.kind != TFP_CHOICE_NONE;
    if (!has_spans(l)) {
        if (!tfp_groups_form(&l->groups))
            return false;
        place_loose(&l->groups);
        return true;
    }
    for (size_t i = 0; i < l->choice.runs.count; i++) {
        const tfp_choice_run *run = &l->choice.runs.data[i];
        if (!tfp_groups_put(&l->groups, run->number, run->begin, run->end))
            return false;
    }
    return tfp_groups_order(&l->groups);
}

/* Does nothing mark steps? */
static bool is_unmarked(const tfp_loading *l)
{
    return l->choice.kind == TFP_CHOICE_NONE && !l->states_groups &&
           l->steps.count == 0 && tfp_interner_count(&l->device_steps) <= 1;
}

/* Makes steps of what hosts ran, unless `status` tells of damage that lost some
 * of it. */
static int find_steps(tfp_loading *l, int status, tfprof_error *err)
{
    pass_over_data(l);
    if (!form_groups(l) || !number_groups(l))
        return tfp_fail_nomem(err);
    if (status == TFPROF_OK && !l->is_searched && is_unmarked(l)) {
        status = tfp_choice_search(l, err);
        l->has_to_restart = l->choice.kind != TFP_CHOICE_NONE;
        if (status != TFPROF_OK || l->has_to_restart)
            return status;
    }
    if (place_host_ops(l) && index_launches(l))
        return status;
    return l->watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
}

static int read_all(tfp_loading *l, tfprof_error *err)
{
    int status;
    if (l->request->reads_frames) {
        status = read_planes(l, is_host, tfp_read_frames, TFPROF_OK, err);
        return goes_on(l, status) && !tfp_frames_finish(l) ? tfp_fail_nomem(err)
                                                           : status;
    }
    status = read_planes(l, is_metadata, note_programs, TFPROF_OK, err);
    if (l->request->leaves_events)
        return status;
    look_for_groups(l);
    if (l->choice.kind == TFP_CHOICE_NONE && status == TFPROF_OK &&
        !tfp_choice_may_be_marked(l))
        status = tfp_choice_search(l, err);
    if (l->choice.kind != TFP_CHOICE_NONE) /* which goes before */
        l->states_groups = l->has_no_groups = false;
    status = read_planes(l, is_host, tfp_read_host, status, err);
    status = read_planes(l, is_tpu, tfp_note_tpu_steps, status, err);
    if (goes_on(l, status))
        status = find_steps(l, status, err);
    if (l->has_to_restart)
        return status;
    status = read_planes(l, is_gpu, tfp_read_gpu, status, err);
    return read_planes(l, is_tpu, tfp_read_tpu, status, err);
}

static bool is_other(const tfp_plane *plane)
{
    return !is_host(plane) && !is_gpu(plane) && !is_tpu(plane) &&
           plane->events > 0;
}

/* Reads all planes once more, for the taker. Sums are done. */
static int give_all(tfp_loading *l, tfprof_error *err)
{
    int status;
    l->is_giving = true;
    l->spans.is_on = false;
    tfp_spans_release(l);
    status = read_planes(l, is_host, tfp_read_host, TFPROF_OK, err);
    status = read_planes(l, is_gpu, tfp_read_gpu, status, err);
    status = read_planes(l, is_tpu, tfp_read_tpu, status, err);
    return read_planes(l, is_other, tfp_read_other, status, err);
}

static bool begin(tfp_loading *l, const tfp_trace_request *request)
{
    tfp_memory *memory = request->model->memory;
    uint64_t seed = request->space->seed;
    *l = (tfp_loading){ .request = request,
                        .memory = memory,
                        .space = request->space,
                        .only_step = request->next_step,
                        .watch = { .cancel = request->cancel } };
    tfp_id_map_init(&l->launch_anchors, memory, seed);
    tfp_id_map_init(&l->data_graphs, memory, seed);
    if (!tfp_trace_nodes_init(&l->nodes, request->model, memory, seed,
                              request->max_depth))
        return false;
    l->nodes.folds_transforms = request->folds_transforms;
    return tfp_groups_init(&l->groups, memory, seed) &&
           tfp_trace_memory_init(&l->allocations, request->model, seed) &&
           tfp_interner_init(&l->device_keys, memory, 1, seed) &&
           tfp_interner_init(&l->sum_keys, memory, 4, seed) &&
           tfp_interner_init(&l->step_keys, memory, 8, seed) &&
           tfp_interner_init(&l->device_steps, memory, 8, seed) &&
           tfp_spans_init(l) && tfp_kernels_init(l) && tfp_frames_init(l);
}

static void end(tfp_loading *l)
{
    tfp_choice_release(&l->choice, l->memory);
    tfp_groups_release(&l->groups);
    tfp_trace_memory_release(&l->allocations);
    tfp_trace_nodes_release(&l->nodes);
    tfp_id_map_release(&l->launch_anchors);
    tfp_id_map_release(&l->data_graphs);
    tfp_interner_release(&l->device_keys);
    tfp_interner_release(&l->sum_keys);
    tfp_interner_release(&l->step_keys);
    tfp_interner_release(&l->device_steps);
    TFP_VEC_RELEASE(l->memory, &l->host_ops);
    TFP_VEC_RELEASE(l->memory, &l->launches);
    TFP_VEC_RELEASE(l->memory, &l->devices);
    TFP_VEC_RELEASE(l->memory, &l->sums);
    TFP_VEC_RELEASE(l->memory, &l->last_sums);
    TFP_VEC_RELEASE(l->memory, &l->steps);
    TFP_VEC_RELEASE(l->memory, &l->step_of_group);
    TFP_VEC_RELEASE(l->memory, &l->text);
    TFP_VEC_RELEASE(l->memory, &l->event_anchors);
    tfp_spans_release(l);
    tfp_kernels_release(l);
    tfp_frames_release(l);
}

/* What the input entry tells of it. */
static void note_figures(const tfp_loading *l)
{
    tfp_input *input = &l->request->model->inputs.data[l->request->input];
    tfp_input_counts *counts = &input->counts;
    if (l->request->leaves_events) {
        counts->nodes = counts->run_records = TFP_NOT_COUNTED;
        return;
    }
    counts->nodes = (int64_t)l->nodes.nodes.count;
    for (size_t i = 0; i < l->sums.count; i++)
        counts->run_records = tfp_add_sat(counts->run_records,
                                          l->sums.data[i].runs);
}

/* Reads everything again, now that it is known what the steps are. */
static int restart(tfp_loading *l, tfprof_error *err)
{
    tfp_step_choice choice = l->choice;
    bool ok;
    l->choice = (tfp_step_choice){ 0 };
    end(l);
    for (size_t i = 0; i < l->space->planes.count; i++)
        tfp_plane_forget_nodes(l->space->planes.data[i]);
    ok = begin(l, l->request);
    l->choice = choice;
    return ok ? read_all(l, err) : tfp_fail_nomem(err);
}

int tfp_trace_load(const tfp_trace_request *request, tfprof_error *err)
{
    tfp_loading loading;
    int status = begin(&loading, request) ? TFPROF_OK : tfp_fail_nomem(err);
    if (status == TFPROF_OK && request->step_names && !request->reads_frames &&
        !request->leaves_events)
        status = tfp_choice_ask(&loading, err);
    if (status == TFPROF_OK)
        status = read_all(&loading, err);
    if (loading.has_to_restart)
        status = restart(&loading, err);
    if (goes_on(&loading, status)) {
        int added = tfp_trace_name_nodes(&loading.nodes, err);
        if (added == TFPROF_OK)
            added = tfp_trace_add_graph(&loading.nodes, err);
        if (added == TFPROF_OK &&
            !(tfp_number_run(&loading) && sort_and_add_sums(&loading) &&
              note_devices(&loading) && tfp_survey(&loading) &&
              tfp_spans_finish(&loading) && tfp_kernels_finish(&loading)))
            added = tfp_fail_nomem(err);
        if (added == TFPROF_OK && tfp_singles_are_wanted(&loading))
            added = tfp_singles_begin(&loading, err);
        if (added == TFPROF_OK)
            added = tfp_loading_add_pools(&loading, err);
        if (added == TFPROF_OK && tfp_singles_are_wanted(&loading))
            added = give_all(&loading, err);
        if (added != TFPROF_OK)
            status = added;
        note_figures(&loading);
    }
    end(&loading);
    return status;
}
