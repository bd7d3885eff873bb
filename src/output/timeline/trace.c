/*
 * trace.c - the events of a Chrome trace, written as they come.
 */
#include "output/timeline/trace.h"

#include "base/bytes.h"
#include "model/times.h"
#include "output/text/times.h"

void tfp_trace_open(tfp_trace *t, tfp_sink *sink, int64_t time_unit)
{
    t->time_unit = time_unit;
    tfp_json_init(&t->json, sink);
    t->json.compact = true;
    tfp_json_open(&t->json, NULL, '{');
    tfp_json_open(&t->json, "traceEvents", '[');
}

void tfp_trace_close_events(tfp_trace *t)
{
    tfp_json_close(&t->json);
}

/* The items are phase, category and name where they are known beforehand. */
static void open_event(tfp_trace *t, const char *items)
{
    tfp_json_open_line(&t->json, NULL, '{');
    tfp_json_constant(&t->json, items);
}

/* Times stay numbers however large they are: the format has no other form. */
static void put_place(tfp_trace *t, tfp_trace_place place)
{
    tfp_json_int(&t->json, "pid", place.process);
    tfp_json_int(&t->json, "tid", place.lane);
    tfp_json_time(&t->json, "ts", place.at, t->time_unit);
}

void tfp_trace_process(tfp_trace *t, int64_t process, const char *prefix,
                       tfp_span name, const char *suffix)
{
    open_event(t, "\"ph\":\"M\",\"name\":\"process_name\"");
    tfp_json_int(&t->json, "pid", process);
    tfp_json_open(&t->json, "args", '{');
    tfp_json_joined(&t->json, "name", prefix, name, suffix);
    tfp_trace_close_event(t);
}

void tfp_trace_order_process(tfp_trace *t, int64_t process)
{
    open_event(t, "\"ph\":\"M\",\"name\":\"process_sort_index\"");
    tfp_json_int(&t->json, "pid", process);
    tfp_json_open(&t->json, "args", '{');
    tfp_json_int(&t->json, "sort_index", process);
    tfp_trace_close_event(t);
}

void tfp_trace_lane(tfp_trace *t, tfp_trace_place place, tfp_span name,
                    const char *suffix)
{
    open_event(t, "\"ph\":\"M\",\"name\":\"thread_name\"");
    tfp_json_int(&t->json, "pid", place.process);
    tfp_json_int(&t->json, "tid", place.lane);
    tfp_json_open(&t->json, "args", '{');
    tfp_json_joined(&t->json, "name", "", name, suffix);
    tfp_trace_close_event(t);
    open_event(t, "\"ph\":\"M\",\"name\":\"thread_sort_index\"");
    tfp_json_int(&t->json, "pid", place.process);
    tfp_json_int(&t->json, "tid", place.lane);
    tfp_json_open(&t->json, "args", '{');
    tfp_json_int(&t->json, "sort_index", place.lane);
    tfp_trace_close_event(t);
}

void tfp_trace_begin_slice(tfp_trace *t, tfp_trace_place place, tfp_span name)
{
    open_event(t, "\"ph\":\"B\",\"cat\":\"Op\"");
    tfp_json_string(&t->json, "name", name);
    put_place(t, place);
    tfp_json_open(&t->json, "args", '{');
}

void tfp_trace_end_slice(tfp_trace *t, tfp_trace_place place)
{
    open_event(t, "\"ph\":\"E\"");
    put_place(t, place);
    tfp_json_close(&t->json);
}

/* Viewers round times to nanoseconds: the ends of slices stay in their order,
 * but a start and a length, each rounded, make some overlap, and those are
 * lost. */
static bool has_two_ends(const tfp_trace *t)
{
    return t->time_unit < TFP_NANOSECOND;
}

void tfp_trace_open_slice(tfp_trace *t, tfp_trace_place place, int64_t length,
                          tfp_span name)
{
    t->end = place;
    t->end.at = tfp_add_sat(place.at, length);
    if (has_two_ends(t)) {
        tfp_trace_begin_slice(t, place, name);
    } else {
        open_event(t, "\"ph\":\"X\",\"cat\":\"Op\"");
        tfp_json_string(&t->json, "name", name);
        put_place(t, place);
        tfp_json_time(&t->json, "dur", length, t->time_unit);
        tfp_json_open(&t->json, "args", '{');
    }
    tfp_json_string(&t->json, "name", name);
}

void tfp_trace_close_slice(tfp_trace *t)
{
    tfp_trace_close_event(t);
    if (has_two_ends(t))
        tfp_trace_end_slice(t, t->end);
}

void tfp_trace_open_instant(tfp_trace *t, tfp_trace_place place,
                            const char *name)
{
    /* It concerns the whole process. */
    open_event(t, "\"ph\":\"i\",\"s\":\"p\",\"cat\":\"Memory\"");
    tfp_json_text(&t->json, "name", name);
    put_place(t, place);
    tfp_json_open(&t->json, "args", '{');
}

void tfp_trace_close_event(tfp_trace *t)
{
    tfp_json_close(&t->json); /* the arguments */
    tfp_json_close(&t->json);
}

void tfp_trace_counter(tfp_trace *t, tfp_trace_place place, const char *name,
                       tfp_span more, const char *series, int64_t value)
{
    open_event(t, "\"ph\":\"C\",\"cat\":\"Memory\"");
    tfp_json_joined(&t->json, "name", name, more, "");
    put_place(t, place);
    tfp_json_open(&t->json, "args", '{');
    tfp_json_int(&t->json, series, value);
    tfp_trace_close_event(t);
}

void tfp_trace_flow(tfp_trace *t, tfp_trace_arrow arrow, int64_t id,
                    tfp_trace_place from, tfp_trace_place to)
{
    const char *what = arrow == TFP_FLOW_DATA
                           ? "\"cat\":\"DataFlow\",\"name\":\"data\""
                           : "\"cat\":\"Launch\",\"name\":\"launch\"";
    open_event(t, "\"ph\":\"s\"");
    tfp_json_constant(&t->json, what);
    tfp_json_int(&t->json, "id", id);
    put_place(t, from);
    tfp_json_close(&t->json);
    /* To the slice around it, not to the next one. */
    open_event(t, "\"ph\":\"f\",\"bp\":\"e\"");
    tfp_json_constant(&t->json, what);
    tfp_json_int(&t->json, "id", id);
    put_place(t, to);
    tfp_json_close(&t->json);
}
