/*
 * survey.c - what `tfprof info` and the notes tell of a trace.
 */
#include "trace/survey.h"

#include "proto/xspace.h"

#include "base/memory.h"

#include "base/intern.h"

#include <string.h>

#include "base/bytes.h"
#include "model/inputs.h"
#include "model/model.h"
#include "trace/plane.h"
#include "trace/space.h"

typedef struct survey_state {
    const tfp_loading *l;
    tfp_input_trace *trace;
    bool ok; /* false once memory ran out */
} survey_state;

static tfp_string keep(survey_state *s, tfp_span text)
{
    tfp_string id = tfp_model_string(s->l->request->model, text);
    s->ok &= id != TFP_NO_ID;
    return id == TFP_NO_ID ? 0 : id;
}

/* ---- Planes ------------------------------------------------------------- */

/* The planes that tfprof knows what to do with. */
static bool is_known(tfp_span name)
{
    return tfp_span_is(name, "/host:CPU") ||
           tfp_span_is(name, "/host:metadata") ||
           tfp_span_is(name, "Task Environment") ||
           tfp_span_starts(name, "/device:GPU:") ||
           tfp_span_starts(name, "/device:TPU:");
}

/* A number that must be above 0 to say something. */
static int64_t number(const tfp_stats *stats, tfp_known_stat known)
{
    int64_t value;
    return tfp_stats_number(stats, known, &value) && value > 0 ? value : 0;
}

/* A rate that is stated in thousands of thousands, mostly with a fraction. */
static int64_t scaled(const tfp_stats *stats, tfp_known_stat known,
                      double scale)
{
    const tfp_xstat *stat = &stats->at[known];
    double value;
    if (!tfp_stats_has(stats, known) || stat->kind != TFP_STAT_DOUBLE)
        return tfp_mul_sat(number(stats, known), (int64_t)scale);
    memcpy(&value, &stat->value, sizeof(value));
    value *= scale;
    return value > 0 && value < 9e18 ? (int64_t)(value + 0.5) : 0;
}

static tfp_string device_name(survey_state *s, const tfp_stats *stats)
{
    static const tfp_known_stat names[] = { TFP_KNOWN_GPU_NAME,
                                            TFP_KNOWN_TPU_NAME,
                                            TFP_KNOWN_DEVICE_VENDOR };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        tfp_span text = tfp_stats_text(stats, names[i]);
        if (text.size > 0)
            return keep(s, text);
    }
    return 0;
}

static void add_plane(survey_state *s, const tfp_plane *from)
{
    tfp_input_plane plane = { .name = keep(s, from->name),
                              .lines = (int64_t)from->lines.count,
                              .events = from->events,
                              .is_read = is_known(from->name) };
    tfp_stats stats;
    tfp_stats_of_plane(&stats, from);
    if (tfp_span_starts(from->name, "/device:")) {
        plane.device = device_name(s, &stats);
        plane.clock_khz = number(&stats, TFP_KNOWN_CLOCK_RATE);
        plane.cores = number(&stats, TFP_KNOWN_CORE_COUNT);
        plane.memory_size = number(&stats, TFP_KNOWN_MEMORY_SIZE);
        plane.peak_bytes = number(&stats, TFP_KNOWN_MEMORY_BANDWIDTH);
        if (plane.peak_bytes == 0)
            plane.peak_bytes = scaled(&stats, TFP_KNOWN_PEAK_HBM, 1e9);
        plane.peak_flops = scaled(&stats, TFP_KNOWN_PEAK_TERAFLOPS, 1e12);
    }
    s->ok &= TFP_VEC_PUSH(s->l->memory, &s->trace->planes, plane);
    s->trace->has_environment |= tfp_span_is(from->name, "Task Environment");
    if (tfp_stats_has(&stats, TFP_KNOWN_JAX_VERSION))
        s->trace->jax = keep(s, tfp_stats_text(&stats, TFP_KNOWN_JAX_VERSION));
    if (tfp_stats_has(&stats, TFP_KNOWN_JAXLIB_VERSION))
        s->trace->jaxlib = keep(
            s, tfp_stats_text(&stats, TFP_KNOWN_JAXLIB_VERSION));
    if (tfp_stats_has(&stats, TFP_KNOWN_START_TIME))
        s->trace->start = number(&stats, TFP_KNOWN_START_TIME);
    if (tfp_stats_has(&stats, TFP_KNOWN_STOP_TIME))
        s->trace->stop = number(&stats, TFP_KNOWN_STOP_TIME);
}

/* ---- Texts and figures -------------------------------------------------- */

static void add_texts(survey_state *s, const tfp_space_texts *from,
                      tfp_input_texts *to)
{
    size_t kept = from->count < TFP_SPACE_TEXTS ? (size_t)from->count
                                                : TFP_SPACE_TEXTS;
    to->count = from->count;
    for (size_t i = 0; i < kept && s->ok; i++) {
        tfp_string text = keep(s, from->first[i]);
        s->ok &= TFP_VEC_PUSH(s->l->memory, &to->first, text);
    }
}

static void add_figures(survey_state *s)
{
    const tfp_loading *l = s->l;
    tfp_input_trace *trace = s->trace;
    trace->is_one = true;
    trace->leaves_events = l->request->leaves_events;
    trace->programs = (int64_t)l->nodes.programs.with_hlo;
    trace->damaged_programs = l->nodes.programs.damaged;
    if (trace->damaged_programs > 0) {
        trace->damaged_name = keep(s, l->nodes.programs.damaged_name);
        trace->damage = keep(s, tfp_span_of(l->nodes.programs.damage.message));
    }
    trace->unknown_instructions = l->nodes.unknown_instructions;
    trace->unnamed_events = l->unnamed_events;
    trace->odd_events = l->odd_events;
    trace->repeated_steps = l->repeated_steps;
    trace->by_number = l->ways[TFP_WAY_STATED];
    trace->by_link = l->ways[TFP_WAY_LINK];
    trace->by_time = l->ways[TFP_WAY_TIME];
    trace->in_none = l->ways[TFP_WAY_NONE];
    trace->has_steps = l->steps.count > 0;
    trace->only_step = l->only_step;
    if (l->space->plane) {
        trace->is_cut = true;
        trace->cut_plane = keep(s, l->space->plane->name);
        trace->cut_events = l->space->plane->events;
    }
    trace->steps_by = l->choice.by;
    trace->steps_of = l->choice.name;
    trace->step_count = (int64_t)l->steps.count;
    trace->has_starts = l->has_starts;
    trace->is_of_frames = l->request->reads_frames;
    trace->python_calls = l->frames.events;
}

bool tfp_survey(const tfp_loading *l)
{
    tfp_model *model = l->request->model;
    survey_state s = { .l = l,
                       .trace = &model->inputs.data[l->request->input].trace,
                       .ok = true };
    for (size_t i = 0; i < l->space->planes.count && s.ok; i++)
        add_plane(&s, l->space->planes.data[i]);
    add_texts(&s, &l->space->host_names, &s.trace->hosts);
    add_texts(&s, &l->space->errors, &s.trace->errors);
    add_texts(&s, &l->space->warnings, &s.trace->warnings);
    if (s.ok)
        add_figures(&s);
    return s.ok;
}
