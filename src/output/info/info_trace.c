/*
 * info_trace.c - what `tfprof info` says of a trace: planes, devices with the
 * rates that they state, versions, and what the profiler complained of.
 */
#include "model/ids.h"
#include "model/inputs.h"
#include "model/model.h"
#include "output/info/info.h"
#include "output/text/figures.h"
#include "output/text/json.h"

/* ---- Text --------------------------------------------------------------- */

enum { MOST_PLANES = 24 };

static void put_number(tfp_sink *s, int64_t value)
{
    char figure[TFP_FIGURE_SIZE];
    tfp_figure_grouped(value, figure);
    tfp_sink_text(s, figure);
}

static void put_label(tfp_sink *s, const char *label)
{
    tfp_sink_format(s, "  %-*s", TFP_INFO_LABEL, label);
}

static void put_count(tfp_sink *s, int64_t count, const char *one,
                      const char *many)
{
    put_number(s, count);
    tfp_sink_text(s, count == 1 ? one : many);
}

static void put_plane(tfp_sink *s, const tfp_model *model,
                      const tfp_input_plane *plane)
{
    tfp_sink_escaped(s, tfp_model_text(model, plane->name));
    tfp_sink_text(s, ": ");
    put_count(s, plane->lines, " line, ", " lines, ");
    put_count(s, plane->events, " event\n", " events\n");
}

static void put_planes(tfp_sink *s, const tfp_model *model,
                       const tfp_input_trace *trace, bool is_read)
{
    const char *label = is_read ? "planes" : "planes not read";
    size_t count = 0;
    for (size_t i = 0; i < trace->planes.count; i++) {
        const tfp_input_plane *plane = &trace->planes.data[i];
        if (plane->is_read != is_read || count++ >= MOST_PLANES)
            continue;
        put_label(s, label);
        put_plane(s, model, plane);
        label = "";
    }
    if (count > MOST_PLANES) {
        put_label(s, "");
        tfp_sink_format(s, "and %zu more\n", count - MOST_PLANES);
    }
}

static void put_stated(tfp_sink *s, int64_t value, const char *unit)
{
    if (value == 0)
        return;
    tfp_sink_text(s, ", ");
    put_number(s, value);
    tfp_sink_text(s, unit);
}

static bool states_something(const tfp_input_plane *plane)
{
    return plane->device != 0 || plane->clock_khz > 0 || plane->cores > 0 ||
           plane->memory_size > 0 || plane->peak_flops > 0 ||
           plane->peak_bytes > 0;
}

static bool are_equal(const tfp_input_plane *a, const tfp_input_plane *b)
{
    return a->device == b->device && a->clock_khz == b->clock_khz &&
           a->cores == b->cores && a->memory_size == b->memory_size &&
           a->peak_flops == b->peak_flops && a->peak_bytes == b->peak_bytes;
}

/* Neighbors that state the same stand on one line. */
static void put_devices(tfp_sink *s, const tfp_model *model,
                        const tfp_input_trace *trace)
{
    size_t shown = 0;
    for (size_t i = 0, next; i < trace->planes.count && shown < MOST_PLANES;
         i = next) {
        const tfp_input_plane *plane = &trace->planes.data[i];
        next = i + 1;
        if (!states_something(plane))
            continue;
        while (next < trace->planes.count &&
               are_equal(plane, &trace->planes.data[next]))
            next++;
        put_label(s, shown++ == 0 ? "device properties" : "");
        tfp_sink_escaped(s, tfp_model_text(model, plane->name));
        if (next > i + 1)
            tfp_sink_format(s, " and %zu more", next - i - 1);
        tfp_sink_text(s, ": ");
        if (plane->device != 0)
            tfp_sink_escaped(s, tfp_model_text(model, plane->device));
        else
            tfp_sink_text(s, "no name");
        put_stated(s, plane->cores, " cores");
        put_stated(s, plane->clock_khz, " kHz");
        put_stated(s, plane->peak_flops, " float operations/s");
        put_stated(s, plane->peak_bytes, " bytes/s");
        put_stated(s, plane->memory_size, " bytes of memory");
        tfp_sink_text(s, "\n");
    }
}

static void put_texts(tfp_sink *s, const tfp_model *model, const char *label,
                      const tfp_input_texts *texts)
{
    for (size_t i = 0; i < texts->first.count; i++) {
        put_label(s, i == 0 ? label : "");
        tfp_sink_escaped(s, tfp_model_text(model, texts->first.data[i]));
        tfp_sink_text(s, "\n");
    }
    if (texts->count > (int64_t)texts->first.count) {
        put_label(s, "");
        tfp_sink_text(s, "and ");
        put_number(s, texts->count - (int64_t)texts->first.count);
        tfp_sink_text(s, " more\n");
    }
}

static void put_version(tfp_sink *s, const tfp_model *model, const char *label,
                        tfp_string version)
{
    if (version == 0)
        return;
    put_label(s, label);
    tfp_sink_escaped(s, tfp_model_text(model, version));
    tfp_sink_text(s, "\n");
}

/* How operations came to the step that they are counted in. */
static void put_ways(tfp_sink *s, const tfp_input_trace *trace)
{
    if (!trace->has_steps || trace->leaves_events)
        return;
    put_label(s, "assigned to steps");
    put_number(s, trace->by_number);
    tfp_sink_text(s, " operations by step number, ");
    put_number(s, trace->by_link);
    tfp_sink_text(s, " by links, ");
    put_number(s, trace->by_time);
    tfp_sink_text(s, " by time; ");
    put_number(s, trace->in_none);
    tfp_sink_text(s, " in no step\n");
}

void tfp_info_trace_text(tfp_sink *s, const tfp_model *model,
                         const tfp_input_trace *trace)
{
    if (!trace->is_one)
        return;
    put_version(s, model, "JAX", trace->jax);
    put_version(s, model, "jaxlib", trace->jaxlib);
    put_texts(s, model, "hosts", &trace->hosts);
    put_planes(s, model, trace, true);
    put_planes(s, model, trace, false);
    put_devices(s, model, trace);
    if (trace->programs > 0) {
        put_label(s, "compiled programs");
        put_count(s, trace->programs, "\n", "\n");
    }
    if (trace->start > 0) {
        put_label(s, "profile start");
        tfp_sink_format(s, "%lld us", (long long)trace->start / 1000);
        if (trace->stop > trace->start) {
            tfp_sink_text(s, ", for ");
            put_number(s, (trace->stop - trace->start) / 1000);
            tfp_sink_text(s, " us");
        }
        tfp_sink_text(s, "\n");
    }
    if (trace->is_cut) {
        put_label(s, "left out");
        tfp_sink_escaped(s, tfp_model_text(model, trace->cut_plane));
        tfp_sink_text(s, ": ");
        put_count(s, trace->cut_events, " event without its name\n",
                  " events without their names\n");
    }
    put_ways(s, trace);
    if (trace->leaves_events) {
        put_label(s, "events");
        tfp_sink_text(s, "not read because there are many (--verbose reads "
                         "them and shows nodes, runs and steps)\n");
    }
    put_texts(s, model, "recorded errors", &trace->errors);
    put_texts(s, model, "recorded warnings", &trace->warnings);
}

/* ---- JSON --------------------------------------------------------------- */

static void json_string(tfp_json *j, const char *key, const tfp_model *model,
                        tfp_string id)
{
    if (id == 0)
        tfp_json_null(j, key);
    else
        tfp_json_string(j, key, tfp_model_text(model, id));
}

static void json_stated(tfp_json *j, const char *key, int64_t value)
{
    if (value == 0)
        tfp_json_null(j, key);
    else
        tfp_json_int(j, key, value);
}

static void json_plane(tfp_json *j, const tfp_model *model,
                       const tfp_input_plane *plane)
{
    tfp_json_open_line(j, NULL, '{');
    tfp_json_string(j, "name", tfp_model_text(model, plane->name));
    tfp_json_bool(j, "read", plane->is_read);
    tfp_json_int(j, "lines", plane->lines);
    tfp_json_int(j, "events", plane->events);
    json_string(j, "device", model, plane->device);
    json_stated(j, "clock_khz", plane->clock_khz);
    json_stated(j, "cores", plane->cores);
    json_stated(j, "memory_bytes", plane->memory_size);
    json_stated(j, "peak_float_ops_per_second", plane->peak_flops);
    json_stated(j, "peak_bytes_per_second", plane->peak_bytes);
    tfp_json_close(j);
}

static void json_texts(tfp_json *j, const char *key, const char *count_key,
                       const tfp_model *model, const tfp_input_texts *texts)
{
    tfp_json_open(j, key, '[');
    for (size_t i = 0; i < texts->first.count; i++)
        tfp_json_string(j, NULL, tfp_model_text(model, texts->first.data[i]));
    tfp_json_close(j);
    tfp_json_int(j, count_key, texts->count);
}

/* A figure that comes from events. */
static void json_known(tfp_json *j, const char *key,
                       const tfp_input_trace *trace, int64_t value)
{
    if (trace->leaves_events)
        tfp_json_null(j, key);
    else
        tfp_json_int(j, key, value);
}

static void json_steps(tfp_json *j, const tfp_model *model,
                       const tfp_input_trace *trace)
{
    static const char *const names[] = { [TFP_STEPS_MARKED] = "markers",
                                         [TFP_STEPS_BY_PROGRAM] = "executions",
                                         [TFP_STEPS_BY_EVENT] = "events",
                                         [TFP_STEPS_ASKED] = "step_event" };
    if (trace->has_steps)
        tfp_json_text(j, "steps_are", names[trace->steps_by]);
    else
        tfp_json_null(j, "steps_are");
    json_string(j, "steps_of", model, trace->steps_of);
    tfp_json_bool(j, "steps_last_until_next", trace->has_starts);
}

void tfp_info_trace_json(tfp_json *j, const tfp_model *model,
                         const tfp_input_trace *trace)
{
    tfp_json_open(j, "trace", '{');
    tfp_json_open(j, "planes", '[');
    for (size_t i = 0; i < trace->planes.count; i++)
        json_plane(j, model, &trace->planes.data[i]);
    tfp_json_close(j);
    json_string(j, "jax_version", model, trace->jax);
    json_string(j, "jaxlib_version", model, trace->jaxlib);
    json_stated(j, "profile_start_micros", trace->start / 1000);
    json_stated(j, "profile_stop_micros", trace->stop / 1000);
    json_texts(j, "hosts", "host_count", model, &trace->hosts);
    json_texts(j, "errors", "error_count", model, &trace->errors);
    json_texts(j, "warnings", "warning_count", model, &trace->warnings);
    tfp_json_int(j, "programs", trace->programs);
    tfp_json_bool(j, "events_read", !trace->leaves_events);
    json_known(j, "damaged_programs", trace, trace->damaged_programs);
    json_known(j, "unknown_instructions", trace, trace->unknown_instructions);
    json_known(j, "unnamed_events", trace, trace->unnamed_events);
    json_known(j, "odd_events", trace, trace->odd_events);
    json_known(j, "repeated_steps", trace, trace->repeated_steps);
    if (trace->leaves_events) {
        tfp_json_null(j, "steps_are");
        tfp_json_null(j, "steps_of");
        tfp_json_null(j, "steps_last_until_next");
        tfp_json_null(j, "steps_found_by");
        tfp_json_close(j);
        return;
    }
    json_steps(j, model, trace);
    tfp_json_open_line(j, "steps_found_by", '{');
    tfp_json_int(j, "number", trace->by_number);
    tfp_json_int(j, "link", trace->by_link);
    tfp_json_int(j, "time", trace->by_time);
    tfp_json_int(j, "none", trace->in_none);
    tfp_json_close(j);
    tfp_json_close(j);
}
