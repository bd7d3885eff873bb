/*
 * hlo_read.c - reads a program compiled by XLA from the bytes of an HloProto.
 *
 * Instructions name their operands, computations and stack frames by numbers
 * that may stand before what they name. So all is collected first, and numbers
 * become indexes at the end.
 *
 * An instruction without a name or an opcode is left out: XLA writes none and
 * reads none, and in a file of nothing else they would take 60 times its size.
 */
#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"
#include "proto/hlo.h"
#include "proto/schema.h"
#include "proto/wire.h"
#include "trace/hlo.h"

/* How much more than one look at each operand all searches may take. */
enum { SEARCH_WORK = 64 };

typedef TFP_VEC(uint32_t) text_list;

typedef struct hlo_reader {
    tfp_hlo_program *program;
    tfp_record record;
    bool no_memory;

    /* Until the end: */
    TFP_VEC(int64_t) ids; /* what program->links will hold, in its order */
    text_list files, functions;
    TFP_VEC(tfp_hlo_location_proto) locations;
    TFP_VEC(tfp_hlo_frame_proto) frames;
} hlo_reader;

/* Pushes, or remembers that it could not. */
#define PUSH(r, vec, ...)                                                      \
    ((r)->no_memory |= !TFP_VEC_PUSH((r)->program->memory, vec, __VA_ARGS__))

static uint32_t text_of(hlo_reader *r, tfp_span bytes)
{
    uint32_t text = tfp_intern(&r->program->texts, bytes);
    r->no_memory |= text == TFP_NO_ID;
    return text;
}

static void add_text(hlo_reader *r, text_list *list, tfp_span bytes)
{
    uint32_t text = text_of(r, bytes);
    PUSH(r, list, text);
}

/* A cursor over the next one of a repeated message; false at the end, and as
 * soon as memory has run out. Leave it with tfp_wire_leave(). */
static bool enter_next(hlo_reader *r, tfp_wire *all, uint32_t tag,
                       tfp_wire *one)
{
    tfp_field f;
    if (r->no_memory || !tfp_repeated_next(all, tag, &f))
        return false;
    *one = tfp_wire_enter(all, &f);
    return true;
}

/* ---- Shapes ------------------------------------------------------------- */

static uint32_t add_numbers(hlo_reader *r, const tfp_repeated *numbers,
                            uint32_t tag)
{
    tfp_many many = tfp_many_of(numbers, &r->record, tag);
    size_t before = r->program->numbers.count;
    int64_t value;
    while (tfp_many_next(&many, &value))
        PUSH(r, &r->program->numbers, value);
    return (uint32_t)(r->program->numbers.count - before);
}

/* Once here, for many instructions may have the same operand. */
static int64_t elements_of(const tfp_hlo_program *p, const tfp_hlo_shape *shape)
{
    int64_t elements = 1;
    for (uint32_t k = 0; k < shape->rank; k++) {
        int64_t size = p->numbers.data[shape->dims + k];
        if (size < 0)
            return -1;
        elements = tfp_mul_sat(elements, size);
    }
    return elements;
}

static void add_array(hlo_reader *r, const tfp_hlo_shape_proto *proto)
{
    tfp_hlo_shape shape = { .type = proto->type,
                            .dims = (uint32_t)r->program->numbers.count };
    shape.rank = add_numbers(r, &proto->dimensions, ShapeProto_dimensions);
    shape.elements = elements_of(r->program, &shape);
    PUSH(r, &r->program->shapes, shape);
}

/* A tuple holds shapes, which may be tuples; those that are open stand on a
 * stack as deep as messages may nest. */
static void add_tuple(hlo_reader *r, const tfp_hlo_shape_proto *tuple)
{
    tfp_wire open[TFP_MOST_DEPTH], one;
    int depth = 0;
    open[depth++] = tfp_repeated_wire(&tuple->parts, &r->record);
    while (depth > 0) {
        tfp_hlo_shape_proto part;
        if (!enter_next(r, &open[depth - 1], ShapeProto_tuple_shapes, &one)) {
            depth--;
            if (depth > 0)
                tfp_wire_leave(&open[depth]);
            continue;
        }
        tfp_hlo_shape_read(&one, &part);
        if (part.parts.count > 0) { /* so it was not too deep to enter */
            open[depth++] = tfp_repeated_wire(&part.parts, &r->record);
        } else {
            if (part.type != TFP_XLA_TUPLE)
                add_array(r, &part);
            tfp_wire_leave(&one);
        }
    }
}

/* Of several shapes the last stands. */
static void add_shape(hlo_reader *r, const tfp_repeated *shapes,
                      tfp_hlo_instruction *out)
{
    tfp_wire all = tfp_repeated_wire(shapes, &r->record), one;
    out->shapes = (uint32_t)r->program->shapes.count;
    while (enter_next(r, &all, HloInstructionProto_shape, &one)) {
        tfp_hlo_shape_proto shape;
        tfp_hlo_shape_read(&one, &shape);
        out->shapes = (uint32_t)r->program->shapes.count;
        out->is_tuple = shape.type == TFP_XLA_TUPLE;
        if (out->is_tuple)
            add_tuple(r, &shape);
        else
            add_array(r, &shape);
        tfp_wire_leave(&one);
    }
    out->shape_count = (uint32_t)(r->program->shapes.count - out->shapes);
}

/* ---- Instructions ------------------------------------------------------- */

static void add_dot(hlo_reader *r, const tfp_repeated *dots,
                    tfp_hlo_instruction *out)
{
    tfp_wire all = tfp_repeated_wire(dots, &r->record), one;
    out->contracted = (uint32_t)r->program->numbers.count;
    while (
        enter_next(r, &all, HloInstructionProto_dot_dimension_numbers, &one)) {
        tfp_repeated lhs;
        tfp_hlo_dot_read(&one, &lhs);
        out->contracted_count += add_numbers(
            r, &lhs, DotDimensionNumbers_lhs_contracting_dimensions);
        tfp_wire_leave(&one);
    }
}

static void add_window(hlo_reader *r, tfp_wire *w)
{
    tfp_repeated dimensions;
    tfp_wire all, one;
    tfp_hlo_window_read(w, &dimensions);
    all = tfp_repeated_wire(&dimensions, &r->record);
    while (enter_next(r, &all, Window_dimensions, &one)) {
        tfp_hlo_window_dimension dimension;
        tfp_hlo_window_dimension_read(&one, &dimension);
        PUSH(r, &r->program->windows, dimension);
        tfp_wire_leave(&one);
    }
}

static void add_windows(hlo_reader *r, const tfp_repeated *windows,
                        tfp_hlo_instruction *out)
{
    tfp_wire all = tfp_repeated_wire(windows, &r->record), one;
    out->windows = (uint32_t)r->program->windows.count;
    while (enter_next(r, &all, HloInstructionProto_window, &one)) {
        add_window(r, &one);
        tfp_wire_leave(&one);
    }
    out->window_count = (uint32_t)(r->program->windows.count - out->windows);
}

/* Without a window for each spatial dimension there is no convolution. */
static void add_convolution(hlo_reader *r, const tfp_repeated *convolutions,
                            tfp_hlo_instruction *out)
{
    tfp_hlo_program *p = r->program;
    tfp_hlo_convolution c = { .output_spatial = (uint32_t)p->numbers.count };
    tfp_wire all = tfp_repeated_wire(convolutions, &r->record), one;
    while (enter_next(
        r, &all, HloInstructionProto_convolution_dimension_numbers, &one)) {
        tfp_hlo_convolution_proto part;
        tfp_hlo_convolution_read(&one, &part);
        c.kernel_input_feature = part.kernel_input_feature;
        c.spatial_count += add_numbers(
            r, &part.output_spatial,
            ConvolutionDimensionNumbers_output_spatial_dimensions);
        tfp_wire_leave(&one);
    }
    if (convolutions->count == 0 || c.spatial_count != out->window_count)
        return;
    out->convolution = (uint32_t)p->convolutions.count;
    PUSH(r, &p->convolutions, c);
}

static uint32_t add_links(hlo_reader *r, const tfp_repeated *numbers,
                          uint32_t tag)
{
    tfp_many many = tfp_many_of(numbers, &r->record, tag);
    size_t before = r->ids.count;
    int64_t value;
    while (tfp_many_next(&many, &value))
        PUSH(r, &r->ids, value);
    return (uint32_t)(r->ids.count - before);
}

static void add_instruction(hlo_reader *r, tfp_wire *w)
{
    tfp_hlo_program *p = r->program;
    tfp_hlo_instruction_proto proto;
    tfp_hlo_instruction i = { .convolution = TFP_NO_ID,
                              .node = TFP_NO_NODE,
                              .flops = TFP_HLO_UNCOUNTED };
    tfp_hlo_instruction_read(w, &proto);
    if (proto.name.size == 0 || proto.opcode.size == 0)
        return;
    i.name = text_of(r, proto.name);
    i.opcode = text_of(r, proto.opcode);
    i.fusion_kind = text_of(r, proto.fusion_kind);
    i.op_name = text_of(r, proto.op_name);
    i.op_type = text_of(r, proto.op_type);
    i.source_file = text_of(r, proto.source_file);
    i.source_line = proto.source_line;
    i.frame = proto.stack_frame;
    i.id = proto.id;
    i.computation = (uint32_t)p->computations.count;
    if (tfp_span_is(proto.opcode, "custom-call")) {
        i.custom_call_target = text_of(r, proto.custom_call_target);
        i.backend_config = text_of(r, proto.backend_config);
    }
    i.operands = (uint32_t)r->ids.count;
    i.operand_count = add_links(r, &proto.operands,
                                HloInstructionProto_operand_ids);
    i.called = (uint32_t)r->ids.count;
    i.called_count = add_links(r, &proto.called,
                               HloInstructionProto_called_computation_ids);
    add_shape(r, &proto.shapes, &i);
    add_dot(r, &proto.dots, &i);
    add_windows(r, &proto.windows, &i);
    add_convolution(r, &proto.convolutions, &i);
    PUSH(r, &p->instructions, i);
}

static void add_computation(hlo_reader *r, tfp_wire *w)
{
    tfp_hlo_program *p = r->program;
    tfp_hlo_computation_proto proto;
    tfp_hlo_computation c = { .first = (uint32_t)p->instructions.count };
    tfp_wire all, one;
    tfp_hlo_computation_read(w, &proto);
    all = tfp_repeated_wire(&proto.instructions, &r->record);
    while (enter_next(r, &all, HloComputationProto_instructions, &one)) {
        add_instruction(r, &one);
        tfp_wire_leave(&one);
    }
    c.id = proto.id;
    c.count = (uint32_t)(p->instructions.count - c.first);
    PUSH(r, &p->computations, c);
}

/* ---- Stack frames ------------------------------------------------------- */

static void add_frame_index(hlo_reader *r, tfp_wire *w)
{
    tfp_hlo_frame_index_proto proto;
    tfp_wire all, one;
    tfp_field f;
    tfp_hlo_frame_index_read(w, &proto);
    all = tfp_repeated_wire(&proto.files, &r->record);
    while (tfp_repeated_next(&all, StackFrameIndexProto_file_names, &f))
        add_text(r, &r->files, f.bytes);
    all = tfp_repeated_wire(&proto.functions, &r->record);
    while (tfp_repeated_next(&all, StackFrameIndexProto_function_names, &f))
        add_text(r, &r->functions, f.bytes);
    all = tfp_repeated_wire(&proto.locations, &r->record);
    while (enter_next(r, &all, StackFrameIndexProto_file_locations, &one)) {
        tfp_hlo_location_proto location;
        tfp_hlo_location_read(&one, &location);
        PUSH(r, &r->locations, location);
        tfp_wire_leave(&one);
    }
    all = tfp_repeated_wire(&proto.frames, &r->record);
    while (enter_next(r, &all, StackFrameIndexProto_stack_frames, &one)) {
        tfp_hlo_frame_proto frame;
        tfp_hlo_frame_read(&one, &frame);
        PUSH(r, &r->frames, frame);
        tfp_wire_leave(&one);
    }
}

/* Is `number` one of so many, counted from 1? Counts it if it is neither that
 * nor 0. */
static bool is_there(hlo_reader *r, int32_t number, size_t count)
{
    if (number > 0 && (size_t)number <= count)
        return true;
    r->program->odd.frames += number != 0;
    return false;
}

static tfp_hlo_frame resolved_frame(hlo_reader *r,
                                    const tfp_hlo_frame_proto *proto)
{
    tfp_hlo_frame frame = { 0 };
    const tfp_hlo_location_proto *location;
    if (is_there(r, proto->parent, r->frames.count))
        frame.parent = (uint32_t)proto->parent;
    if (!is_there(r, proto->location, r->locations.count))
        return frame;
    location = &r->locations.data[proto->location - 1];
    frame.has_location = true;
    frame.line = location->line;
    if (is_there(r, location->file, r->files.count))
        frame.file = r->files.data[location->file - 1];
    if (is_there(r, location->function, r->functions.count))
        frame.function = r->functions.data[location->function - 1];
    return frame;
}

/* Walks up from each frame until one that has been passed. If that was in the
 * same walk, it is a loop, which ends there from now on. */
static bool cut_loops(tfp_hlo_program *p)
{
    uint32_t *walks = tfp_memory_zarray(p->memory, p->frames.count + 1,
                                        sizeof(*walks));
    if (!walks)
        return false;
    for (uint32_t start = 1; start <= p->frames.count; start++) {
        uint32_t at = start, parent;
        while (at != 0 && walks[at] == 0) {
            walks[at] = start;
            parent = p->frames.data[at - 1].parent;
            if (parent != 0 && walks[parent] == start) {
                p->frames.data[at - 1].parent = parent = 0;
                p->odd.loops++;
            }
            at = parent;
        }
    }
    tfp_memory_free(p->memory, walks);
    return true;
}

static void finish_frames(hlo_reader *r)
{
    tfp_hlo_program *p = r->program;
    for (size_t i = 0; i < r->frames.count; i++)
        PUSH(r, &p->frames, resolved_frame(r, &r->frames.data[i]));
    if (r->no_memory)
        return;
    for (size_t i = 0; i < p->instructions.count; i++) {
        if (!is_there(r, p->instructions.data[i].frame, p->frames.count))
            p->instructions.data[i].frame = 0;
    }
    r->no_memory |= !cut_loops(p);
}

/* ---- All of it ---------------------------------------------------------- */

static void read_module(hlo_reader *r, tfp_wire *w)
{
    tfp_hlo_module_proto proto;
    tfp_wire all, one;
    tfp_hlo_module_read(w, &proto);
    r->program->name = text_of(r, proto.name);
    all = tfp_repeated_wire(&proto.computations, &r->record);
    while (enter_next(r, &all, HloModuleProto_computations, &one)) {
        add_computation(r, &one);
        tfp_wire_leave(&one);
    }
    all = tfp_repeated_wire(&proto.frame_indexes, &r->record);
    while (enter_next(r, &all, HloModuleProto_stack_frame_index, &one)) {
        add_frame_index(r, &one);
        tfp_wire_leave(&one);
    }
}

static void read_modules(hlo_reader *r)
{
    tfp_wire w = tfp_wire_over(&r->record), one;
    tfp_repeated modules;
    tfp_hlo_proto_read(&w, &modules);
    w = tfp_repeated_wire(&modules, &r->record);
    while (enter_next(r, &w, HloProto_hlo_module, &one)) {
        read_module(r, &one);
        tfp_wire_leave(&one);
    }
}

/* Turns ids into indexes; *missing counts those that are not there. */
static void resolve(hlo_reader *r, const tfp_id_map *ids, uint32_t first,
                    uint32_t count, uint32_t *missing)
{
    for (uint32_t k = first; k < first + count; k++) {
        uint32_t index = tfp_id_map_find(ids, r->ids.data[k]);
        r->program->links.data[k] = index;
        *missing += index == TFP_NO_ID;
    }
}

/* Of equal ids the first stands, which is put last. */
static bool index_instructions(tfp_hlo_program *p)
{
    tfp_id_map_expect(&p->by_id, p->instructions.count);
    for (size_t i = p->instructions.count; i-- > 0;) {
        if (!tfp_id_map_put(&p->by_id, p->instructions.data[i].id, (uint32_t)i))
            return false;
    }
    return true;
}

static bool index_computations(const tfp_hlo_program *p, tfp_id_map *ids)
{
    tfp_id_map_expect(ids, p->computations.count);
    for (size_t i = p->computations.count; i-- > 0;) {
        if (!tfp_id_map_put(ids, p->computations.data[i].id, (uint32_t)i))
            return false;
    }
    return true;
}

static bool finish_links(hlo_reader *r)
{
    tfp_hlo_program *p = r->program;
    tfp_id_map computations;
    tfp_id_map_init(&p->by_id, p->memory, tfp_random_seed());
    tfp_id_map_init(&computations, p->memory, tfp_random_seed());
    if (!TFP_VEC_RESERVE(p->memory, &p->links, r->ids.count) ||
        !index_instructions(p) || !index_computations(p, &computations)) {
        tfp_id_map_release(&computations);
        return false;
    }
    p->links.count = r->ids.count;
    for (size_t k = 0; k < p->instructions.count; k++) {
        const tfp_hlo_instruction *i = &p->instructions.data[k];
        resolve(r, &p->by_id, i->operands, i->operand_count, &p->odd.operands);
        resolve(r, &computations, i->called, i->called_count, &p->odd.calls);
    }
    tfp_id_map_release(&computations);
    return true;
}

static bool finish_names(tfp_hlo_program *p)
{
    size_t texts = tfp_interner_count(&p->texts);
    if (!TFP_VEC_RESERVE(p->memory, &p->by_name, texts))
        return false;
    p->by_name.count = texts;
    memset(p->by_name.data, 0xff, texts * sizeof(*p->by_name.data));
    for (size_t k = p->instructions.count; k-- > 0;) /* the first stands */
        p->by_name.data[p->instructions.data[k].name] = (uint32_t)k;
    return true;
}

static bool finish_search(tfp_hlo_program *p)
{
    size_t count = p->instructions.count;
    p->seen = tfp_memory_zarray(p->memory, count, sizeof(*p->seen));
    p->todo = tfp_memory_array(p->memory, count, sizeof(*p->todo));
    p->work_left = SEARCH_WORK * (int64_t)(count + p->links.count);
    return p->seen && p->todo;
}

static int finish(hlo_reader *r, tfprof_error *err)
{
    tfp_hlo_program *p = r->program;
    if (!r->no_memory && !tfp_record_ok(&r->record))
        return tfp_record_fail(&r->record, &tfp_HloProto, err);
    if (!r->no_memory)
        finish_frames(r);
    if (r->no_memory || !finish_links(r) || !finish_names(p) ||
        !finish_search(p))
        return tfp_fail_nomem(err);
    return TFPROF_OK;
}

int tfp_hlo_read(tfp_hlo_program *p, tfp_memory *memory, tfp_span bytes,
                 int max_depth, tfprof_error *err)
{
    hlo_reader r = { .program = p,
                     .record = { .bytes = bytes, .max_depth = max_depth } };
    int status;
    assert(max_depth <= TFP_MOST_DEPTH);
    *p = (tfp_hlo_program){ .memory = memory };
    if (bytes.size > INT32_MAX) /* protobuf's own limit; counts are 32 bits */
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                        "HloProto is longer than 2 GiB");
    if (bytes.size == 0) /* NULL plus 0 is undefined */
        r.record.bytes.data = (const uint8_t *)"";
    r.no_memory = !tfp_interner_init(&p->texts, memory, 1, tfp_random_seed());
    if (!r.no_memory)
        read_modules(&r);
    status = finish(&r, err);
    TFP_VEC_RELEASE(memory, &r.ids);
    TFP_VEC_RELEASE(memory, &r.files);
    TFP_VEC_RELEASE(memory, &r.functions);
    TFP_VEC_RELEASE(memory, &r.locations);
    TFP_VEC_RELEASE(memory, &r.frames);
    if (status != TFPROF_OK)
        tfp_hlo_release(p);
    return status;
}
