/*
 * code.c - call stacks of op logs and profiles into the model.
 *
 * Both kinds of file give a frame's strings by number and list the strings at
 * their end. So frames are told apart by what the file says of them, stacks
 * are built at once, and the strings are filled in when the file has ended.
 * Files of 2017 and before hold the strings themselves.
 */
#include <stdio.h>

#include "base/bytes.h"
#include "base/cache.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "input/load/load.h"
#include "model/ids.h"
#include "model/model.h"
#include "model/traces.h"
#include "proto/graph.h"
#include "proto/tfprof.h"

/* A frame as the file has it. A string of its own goes before its number. */
typedef struct raw_frame {
    int64_t file_id, function_id, text_id;
    tfp_string file, function, text; /* 0 when given by number */
    int32_t line, function_line;
    int32_t zero; /* up to the end: equal frames must be equal bytes */
} raw_frame;
_Static_assert(sizeof(raw_frame) == 3 * 8 + 6 * 4, "no padding");

/* The place in model->frames of a frame; its strings come later. */
static uint32_t place_frame(tfp_load *load, const tfp_code_trace *trace)
{
    tfp_code_table *code = &load->code;
    raw_frame raw = { .file_id = trace->file_id,
                      .function_id = trace->function_id,
                      .text_id = trace->text_id,
                      .file = tfp_model_string(load->model, trace->file),
                      .function = tfp_model_string(load->model,
                                                   trace->function),
                      .text = tfp_model_string(load->model, trace->text),
                      .line = trace->line,
                      .function_line = trace->function_line };
    uint32_t id, place;
    if (raw.file == TFP_NO_ID || raw.function == TFP_NO_ID ||
        raw.text == TFP_NO_ID)
        return TFP_NO_ID;
    id = tfp_intern(&code->frames,
                    (tfp_span){ (const uint8_t *)&raw, sizeof(raw) });
    if (id == TFP_NO_ID)
        return TFP_NO_ID;
    if (id <= code->places.count) /* ids begin at 1: 0 is the empty item */
        return code->places.data[id - 1];
    place = tfp_model_add_frame(
        load->model,
        (tfp_frame){ .line = raw.line, .function_line = raw.function_line });
    if (place == TFP_NO_ID || !TFP_VEC_PUSH(load->memory, &code->places, place))
        return TFP_NO_ID;
    return place;
}

static int push_frames(tfp_load *load, tfp_wire *w, tfp_stack *stack,
                       tfprof_error *err)
{
    tfp_field f;
    while (tfp_repeated_next(w, CodeDef_traces, &f)) {
        tfp_wire inner = tfp_wire_enter(w, &f);
        tfp_code_trace trace;
        uint32_t frame;
        tfp_code_trace_read(&inner, &trace);
        tfp_wire_leave(&inner);
        frame = place_frame(load, &trace);
        if (frame != TFP_NO_ID)
            *stack = tfp_model_stack(load->model, *stack, frame);
        if (frame == TFP_NO_ID || *stack == TFP_NO_ID)
            return tfp_fail_nomem(err);
    }
    return TFPROF_OK;
}

int tfp_read_code(tfp_load *load, const tfp_repeated *code_def, uint32_t tag,
                  tfp_record *record, tfp_stack *stack, tfprof_error *err)
{
    tfp_span bytes = { code_def->first,
                       (size_t)(code_def->end - code_def->first) };
    tfp_wire w = tfp_repeated_wire(code_def, record);
    const tfp_cached *known;
    tfp_field f;
    *stack = 0;
    if (code_def->count == 0)
        return TFPROF_OK;
    known = tfp_cache_find(&load->code.stacks, bytes);
    if (known && known->depth >= record->depth) {
        *stack = known->value[0];
        return TFPROF_OK;
    }
    while (tfp_repeated_next(&w, tag, &f)) {
        tfp_wire inner = tfp_wire_enter(&w, &f);
        int status = push_frames(load, &inner, stack, err);
        tfp_wire_leave(&inner);
        if (status != TFPROF_OK)
            return status;
    }
    if (tfp_record_ok(record) &&
        !tfp_cache_put(&load->code.stacks, bytes,
                       (tfp_cached){ { *stack }, record->depth }))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

/* ---- Strings by number -------------------------------------------------- */

int tfp_read_string_id(tfp_load *load, const tfp_message *entry,
                       tfp_record *record, tfprof_error *err)
{
    tfp_code_table *code = &load->code;
    tfp_wire w = tfp_wire_over(record);
    tfp_map_entry pair;
    tfp_string text;
    uint32_t id;
    tfp_map_entry_read(&w, entry, &pair);
    if (!tfp_record_ok(record))
        return TFPROF_OK;
    text = tfp_model_string(load->model, pair.value.tag ? pair.value.bytes
                                                        : (tfp_span){ 0 });
    id = tfp_intern(&code->string_ids,
                    (tfp_span){ (uint8_t *)&pair.number, sizeof(pair.number) });
    if (text == TFP_NO_ID || id == TFP_NO_ID)
        return tfp_fail_nomem(err);
    /* Interned ids begin at 1 here, since 0 is the empty key. */
    if (id > code->strings.count) {
        tfp_load_input(load)->counts.string_ids++;
        if (!TFP_VEC_PUSH(load->memory, &code->strings, text))
            return tfp_fail_nomem(err);
    }
    code->strings.data[id - 1] = text; /* in a map the last entry stands */
    return TFPROF_OK;
}

/* `own` is the string that the file gave directly, if any. */
static int resolve(tfp_load *load, int64_t number, tfp_string own,
                   const char *what, tfp_string *out, tfprof_error *err)
{
    tfp_code_table *code = &load->code;
    char text[64];
    uint32_t id;
    *out = own;
    if (own != 0 || (number == 0 && code->strings.count == 0))
        return TFPROF_OK;
    id = tfp_interner_find(
        &code->string_ids,
        (tfp_span){ (const uint8_t *)&number, sizeof(number) });
    if (id != TFP_NO_ID && id > 0) {
        *out = code->strings.data[id - 1];
        return TFPROF_OK;
    }
    tfp_load_input(load)->counts.missing_string_ids++;
    snprintf(text, sizeof(text), "<unknown %s #%lld>", what, (long long)number);
    *out = tfp_model_string(load->model, tfp_span_of(text));
    return *out == TFP_NO_ID ? tfp_fail_nomem(err) : TFPROF_OK;
}

int tfp_finish_code(tfp_load *load, tfprof_error *err)
{
    tfp_code_table *code = &load->code;
    for (size_t i = 0; i < code->places.count; i++) {
        raw_frame raw;
        tfp_frame *frame = &load->model->frames.data[code->places.data[i]];
        int status;
        memcpy(&raw, tfp_interned(&code->frames, (uint32_t)i + 1).data,
               sizeof(raw));
        status = resolve(load, raw.file_id, raw.file, "file", &frame->file,
                         err);
        if (status == TFPROF_OK)
            status = resolve(load, raw.function_id, raw.function, "function",
                             &frame->function, err);
        if (status == TFPROF_OK)
            status = resolve(load, raw.text_id, raw.text, "line", &frame->text,
                             err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}
