/*
 * stacks.c - the lines of source that operations were made by, as stacks.
 */
#include "trace/stacks.h"

#include <stdint.h>
#include <string.h>

#include "base/intern.h"
#include "model/model.h"
#include "model/traces.h"

/* ---- Frames ------------------------------------------------------------- */

static int add_frame(tfp_trace_nodes *t, tfp_frame frame, tfp_stack *stack,
                     tfprof_error *err)
{
    uint32_t item, index;
    if (frame.file == TFP_NO_ID || frame.function == TFP_NO_ID ||
        !TFP_VEC_RESERVE(t->memory, &t->frame_ids, 1))
        return tfp_fail_nomem(err);
    item = tfp_intern(&t->frames,
                      (tfp_span){ (const uint8_t *)&frame, sizeof(frame) });
    if (item == TFP_NO_ID)
        return tfp_fail_nomem(err);
    if (item > t->frame_ids.count) {
        index = tfp_model_add_frame(t->model, frame);
        if (index == TFP_NO_ID)
            return tfp_fail_nomem(err);
        t->frame_ids.data[t->frame_ids.count++] = index;
    }
    *stack = tfp_model_stack(t->model, *stack, t->frame_ids.data[item - 1]);
    return *stack == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_trace_add_frame(tfp_trace_nodes *t, const tfp_source_place *place,
                        tfp_stack *stack, tfprof_error *err)
{
    tfp_frame frame = { .file = tfp_model_string(t->model, place->file),
                        .function = tfp_model_string(t->model, place->function),
                        .line = place->line,
                        .is_bare = place->is_bare };
    return add_frame(t, frame, stack, err);
}

/* A text of a program, which all its frames may have, is interned once. */
static tfp_string string_of(tfp_trace_nodes *t, tfp_hlo_program *hlo,
                            uint32_t text)
{
    while (hlo->strings.count <= text) {
        if (!TFP_VEC_PUSH(hlo->memory, &hlo->strings, TFP_NO_ID))
            return TFP_NO_ID;
    }
    return tfp_intern_once(&t->model->strings, tfp_hlo_text(hlo, text),
                           &hlo->strings.data[text]);
}

static int add_hlo_frame(tfp_trace_nodes *t, tfp_hlo_program *hlo,
                         const tfp_hlo_frame *from, tfp_stack *stack,
                         tfprof_error *err)
{
    tfp_frame frame = { .file = string_of(t, hlo, from->file),
                        .function = string_of(t, hlo, from->function),
                        .line = from->line };
    return add_frame(t, frame, stack, err);
}

/* ---- Of an instruction -------------------------------------------------- */

static bool has_source(const tfp_hlo_instruction *instruction)
{
    return instruction->frame > 0 || instruction->source_file != 0;
}

/* The instruction that gives the source line of `instruction`. A fusion of code
 * from several lines has no line of its own. It uses that of the first inner
 * instruction that has one, among the first MOST_SEARCHED. */
static const tfp_hlo_instruction *source_of(
    const tfp_hlo_program *hlo, const tfp_hlo_instruction *instruction)
{
    enum { MOST_SEARCHED = 256 };
    uint32_t called = instruction->called_count > 0
                          ? hlo->links.data[instruction->called]
                          : TFP_NO_ID;
    if (has_source(instruction) || called == TFP_NO_ID ||
        !tfp_span_is(tfp_hlo_text(hlo, instruction->opcode), "fusion"))
        return instruction;
    for (uint32_t i = 0;
         i < hlo->computations.data[called].count && i < MOST_SEARCHED; i++) {
        const tfp_hlo_instruction *inner =
            &hlo->instructions.data[hlo->computations.data[called].first + i];
        if (has_source(inner))
            return inner;
    }
    return instruction;
}

/* Frames come innermost first, stacks are built from the outermost. */
static int stack_of(tfp_trace_nodes *t, tfp_hlo_program *hlo,
                    const tfp_hlo_instruction *instruction, tfp_stack *stack,
                    tfprof_error *err)
{
    const tfp_hlo_frame *frames[TFP_HLO_MOST_FRAMES];
    tfp_hlo_stack walk = tfp_hlo_stack_of(instruction);
    size_t count = 0;
    int status = TFPROF_OK;
    *stack = 0;
    while (count < TFP_HLO_MOST_FRAMES &&
           (frames[count] = tfp_hlo_stack_next(hlo, &walk)) != NULL)
        count++;
    if (count == 0 && instruction->source_file != 0) {
        tfp_hlo_frame line = { .file = instruction->source_file,
                               .line = instruction->source_line };
        return add_hlo_frame(t, hlo, &line, stack, err);
    }
    while (count > 0 && status == TFPROF_OK)
        status = add_hlo_frame(t, hlo, frames[--count], stack, err);
    return status;
}

int tfp_trace_stack_of(tfp_trace_nodes *t, tfp_hlo_program *hlo,
                       const tfp_hlo_instruction *instruction, tfp_stack *stack,
                       tfprof_error *err)
{
    return stack_of(t, hlo, source_of(hlo, instruction), stack, err);
}

/* ---- Of text ------------------------------------------------------------ */

/* "file.py:12:5" or "file.py:12": cut at the last colons, since a path may
 * have one, too. A line that is no line is unknown. */
static bool split_place(tfp_span text, tfp_span *file, int32_t *line)
{
    int64_t numbers[2] = { 0, 0 };
    int found = 0;
    while (found < 2) {
        size_t at = text.size;
        int64_t value = 0, scale = 1;
        while (at > 0 && text.data[at - 1] >= '0' && text.data[at - 1] <= '9') {
            value = tfp_add_sat(value,
                                tfp_mul_sat(scale, text.data[at - 1] - '0'));
            scale = tfp_mul_sat(scale, 10);
            at--;
        }
        if (at == text.size || at < 2 || text.data[at - 1] != ':')
            break;
        numbers[found++] = value;
        text.size = at - 1;
    }
    *file = text;
    *line = 0;
    if (found > 0 && numbers[found - 1] <= INT32_MAX)
        *line = (int32_t)numbers[found - 1];
    return found > 0 && text.size > 0;
}

/* Lines of a source stack, outermost first. */
static int stack_of_text(tfp_trace_nodes *t, tfp_span text, tfp_stack *stack,
                         tfprof_error *err)
{
    int status = TFPROF_OK;
    size_t frames = 0;
    while (text.size > 0 && status == TFPROF_OK &&
           frames < TFP_HLO_MOST_FRAMES) {
        const uint8_t *end = memchr(text.data, '\n', text.size);
        tfp_span one = { text.data,
                         end ? (size_t)(end - text.data) : text.size };
        tfp_span file;
        int32_t line;
        if (split_place(one, &file, &line)) {
            tfp_source_place place = { .file = file, .line = line };
            status = tfp_trace_add_frame(t, &place, stack, err);
            frames++;
        }
        text.data += one.size + (end != NULL);
        text.size -= one.size + (end != NULL);
    }
    return status;
}

int tfp_trace_stack_of_stats(tfp_trace_nodes *t, const tfp_stats *stats,
                             tfp_stack *stack, tfprof_error *err)
{
    tfp_known_stat known = tfp_stats_text(stats, TFP_KNOWN_SOURCE_STACK).size >
                                   0
                               ? TFP_KNOWN_SOURCE_STACK
                               : TFP_KNOWN_SOURCE;
    tfp_stat_type *ref = tfp_stats_ref(stats, known);
    int status;
    if (ref && ref->is_stack_known) {
        *stack = ref->stack;
        return TFPROF_OK;
    }
    status = stack_of_text(t, tfp_stats_text(stats, known), stack, err);
    if (ref && status == TFPROF_OK) {
        ref->stack = *stack;
        ref->is_stack_known = true;
    }
    return status;
}
