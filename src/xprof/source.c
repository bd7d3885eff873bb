/*
 * source.c - the trace that a table is made from, as its readers see it.
 */
#include "xprof/source.h"

#include "proto/xspace.h"

#include <string.h>

#include "base/bytes.h"
#include "model/ids.h"
#include "trace/hlo.h"
#include "trace/loading.h"

int tfp_xprof_source_init(tfp_xprof_source *s, tfp_space *space,
                          tfp_memory *memory, tfp_xprof_texts *texts,
                          int max_depth, const tfp_cancel *cancel,
                          tfprof_error *err)
{
    int status = TFPROF_OK;
    *s = (tfp_xprof_source){ .space = space,
                             .memory = memory,
                             .texts = texts,
                             .watch = { .cancel = cancel },
                             .walk = { .epoch = space->epoch,
                                       .max_depth = max_depth } };
    /* Only its programs are used, so it needs no model. */
    if (!tfp_trace_nodes_init(&s->programs, NULL, memory, space->seed,
                              max_depth) ||
        !tfp_interner_init(&s->instruction_keys, memory, 8, space->seed))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < space->planes.count && status == TFPROF_OK; i++) {
        const tfp_plane *plane = space->planes.data[i];
        if (tfp_span_is(plane->name, "/host:metadata"))
            status = tfp_trace_add_programs(&s->programs.programs, plane, err);
    }
    return status;
}

void tfp_xprof_source_release(tfp_xprof_source *s)
{
    tfp_line_walk_release(&s->walk);
    tfp_trace_nodes_release(&s->programs);
    tfp_interner_release(&s->instruction_keys);
    TFP_VEC_RELEASE(s->memory, &s->op_names);
    TFP_VEC_RELEASE(s->memory, &s->instructions);
    TFP_VEC_RELEASE(s->memory, &s->scratch);
}

/* ---- Planes and lines --------------------------------------------------- */

bool tfp_xprof_is_gpu(const tfp_plane *plane)
{
    return tfp_span_starts(plane->name, "/device:GPU:");
}

bool tfp_xprof_is_tpu(const tfp_plane *plane)
{
    return tfp_span_starts(plane->name, "/device:TPU:");
}

bool tfp_xprof_has_tpu(const tfp_space *space)
{
    for (size_t i = 0; i < space->planes.count; i++) {
        if (tfp_xprof_is_tpu(space->planes.data[i]))
            return true;
    }
    return false;
}

bool tfp_xprof_line_is_derived(const tfp_trace_line *line)
{
    tfp_trace_line low = *line;
    low.id = (int32_t)(uint32_t)line->id;
    return tfp_line_is_derived(&low);
}

/* Between the walk and the reader of a table. */
typedef struct step {
    tfp_xprof_source *source;
    tfp_event_fn *event;
    void *self;
} step;

static int give(void *self, const tfp_event *event, tfprof_error *err)
{
    step *s = self;
    return tfp_watch_ends(&s->source->watch) ? tfp_fail_cancelled(err)
                                             : s->event(s->self, event, err);
}

int tfp_xprof_walk_line(tfp_xprof_source *s, tfp_plane *plane,
                        const tfp_trace_line *line, tfp_event_fn *event,
                        void *self, tfprof_error *err)
{
    step here = { s, event, self };
    /* A trace may have a great many lines without events. */
    if (tfp_watch_ends(&s->watch))
        return tfp_fail_cancelled(err);
    s->walk.event = give;
    s->walk.self = &here;
    return tfp_plane_walk_line(plane, line, &s->walk, err);
}

int64_t tfp_xprof_offset(const tfp_xprof_source *s, const tfp_trace_line *line,
                         const tfp_event *event)
{
    return tfp_sub_sat(event->begin, tfp_line_start(line, s->space->epoch));
}

/* ---- Texts -------------------------------------------------------------- */

bool tfp_xprof_is_text(const tfp_stats *stats, tfp_known_stat known)
{
    return tfp_stats_has(stats, known) &&
           (stats->at[known].kind == TFP_STAT_TEXT ||
            stats->at[known].kind == TFP_STAT_REF);
}

tfp_xprof_text tfp_xprof_text_of(tfp_xprof_source *s, const tfp_stats *stats,
                                 tfp_known_stat known)
{
    return tfp_stats_string(s->texts, stats, known);
}

tfp_xprof_text tfp_xprof_event_name(tfp_xprof_source *s, tfp_event_type *type)
{
    return type ? tfp_type_string(s->texts, type) : 0;
}

static bool put(tfp_xprof_source *s, tfp_span part)
{
    if (!TFP_VEC_RESERVE(s->memory, &s->scratch, part.size))
        return false;
    if (part.size > 0)
        memcpy(s->scratch.data + s->scratch.count, part.data, part.size);
    s->scratch.count += part.size;
    return true;
}

tfp_xprof_text tfp_xprof_join(tfp_xprof_source *s, tfp_span left,
                              const char *between, tfp_span right)
{
    s->scratch.count = 0;
    if (!put(s, left) || !put(s, tfp_span_of(between)) || !put(s, right))
        return TFP_NO_ID;
    return tfp_intern(s->texts,
                      (tfp_span){ s->scratch.data, s->scratch.count });
}

bool tfp_xprof_parse(tfp_xprof_source *s, tfp_xprof_text text,
                     tfp_xprof_op_name *op)
{
    tfp_op_name parsed;
    while (s->op_names.count <= text) {
        if (!TFP_VEC_PUSH(s->memory, &s->op_names, (tfp_xprof_op_name){ 0 }))
            return false;
    }
    *op = s->op_names.data[text];
    if (op->is_read)
        return true;
    parsed = tfp_op_name_parse(tfp_interned(s->texts, text));
    *op = (tfp_xprof_op_name){ .is_read = true, .sort = parsed.sort };
    op->name = tfp_intern(s->texts, parsed.name);
    op->type = tfp_intern(s->texts, parsed.type);
    if (op->name == TFP_NO_ID || op->type == TFP_NO_ID)
        return false;
    s->op_names.data[text] = *op;
    return true;
}

/* ---- Instructions ------------------------------------------------------- */

static bool describe(tfp_xprof_source *s, const tfp_hlo_program *hlo,
                     const tfp_hlo_instruction *from,
                     tfp_xprof_instruction *out)
{
    tfp_span op_name = tfp_hlo_text(hlo, from->op_name);
    tfp_span op_type = tfp_hlo_text(hlo, from->op_type);
    out->is_found = true;
    out->name = tfp_intern(s->texts, tfp_hlo_text(hlo, from->name));
    out->category = tfp_intern(s->texts, tfp_hlo_category(hlo, from));
    out->op_name = tfp_intern(s->texts, op_name);
    if (op_name.size > 0 || op_type.size > 0)
        out->origin = tfp_xprof_join(s, op_name, ":", op_type);
    return out->name != TFP_NO_ID && out->category != TFP_NO_ID &&
           out->op_name != TFP_NO_ID && out->origin != TFP_NO_ID;
}

static int look_up(tfp_xprof_source *s, uint64_t program, tfp_xprof_text hlo_op,
                   tfp_xprof_instruction *out, tfprof_error *err)
{
    tfp_hlo_instruction *found;
    uint32_t index;
    int status = tfp_trace_find_instruction(&s->programs, program,
                                            tfp_interned(s->texts, hlo_op),
                                            &index, &found, err);
    if (status != TFPROF_OK || !found)
        return status;
    return describe(s, &s->programs.programs.all.data[index]->hlo, found, out)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

int tfp_xprof_find(tfp_xprof_source *s, uint64_t program, tfp_xprof_text hlo_op,
                   tfp_xprof_instruction *out, tfprof_error *err)
{
    uint64_t key[] = { program, hlo_op };
    uint32_t item;
    int status;
    *out = (tfp_xprof_instruction){ 0 };
    if (!TFP_VEC_RESERVE(s->memory, &s->instructions, 1))
        return tfp_fail_nomem(err);
    item = tfp_intern(&s->instruction_keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (item <= s->instructions.count) { /* item 0 is the empty key */
        *out = s->instructions.data[item - 1];
        return TFPROF_OK;
    }
    status = look_up(s, program, hlo_op, out, err);
    if (status == TFPROF_OK)
        s->instructions.data[s->instructions.count++] = *out;
    return status;
}
