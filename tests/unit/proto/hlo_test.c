/*
 * hlo_test.c - programs compiled by XLA: what is read of them, and what of
 * damaged and contrived ones.
 */
#include <time.h>

#include "counting.h"
#include "hlo_build.h"

HLO_FIXTURE

static void assert_text(uint32_t text, const char *wanted)
{
    tfp_span found = tfp_hlo_text(&p, text);
    if (!tfp_span_is(found, wanted))
        fail_msg("\"%.*s\", not \"%s\"", (int)found.size,
                 (const char *)found.data, wanted);
}

/* ---- Building blocks ---------------------------------------------------- */

typedef struct metadata {
    const char *op_type, *op_name, *file;
    int line, frame;
} metadata;

static void put_metadata(metadata m)
{
    size_t start = wire_open(&b.bytes, INSTRUCTION_METADATA);
    wire_text(&b.bytes, 1, m.op_type);
    wire_text(&b.bytes, 2, m.op_name);
    wire_text(&b.bytes, 3, m.file);
    wire_int(&b.bytes, 4, m.line);
    wire_int(&b.bytes, 15, m.frame);
    wire_close(&b.bytes, start);
}

static void put_frame(int location, int parent)
{
    size_t start = wire_open(&b.bytes, 4);
    wire_int(&b.bytes, 1, location);
    wire_int(&b.bytes, 2, parent);
    wire_close(&b.bytes, start);
}

static void put_location(int file, int function, int line)
{
    size_t start = wire_open(&b.bytes, 3);
    wire_int(&b.bytes, 1, file);
    wire_int(&b.bytes, 2, function);
    wire_int(&b.bytes, 3, line);
    wire_int(&b.bytes, 4, 99); /* column */
    wire_close(&b.bytes, start);
}

/* Two lines of one file; the frames are the caller's. */
static size_t begin_index(void)
{
    size_t index;
    hlo_end_computation(&b);
    index = wire_open(&b.bytes, MODULE_FRAME_INDEX);
    wire_text(&b.bytes, 1, "train.py");
    wire_text(&b.bytes, 2, "loss");
    wire_text(&b.bytes, 2, "main");
    put_location(1, 1, 12);
    put_location(1, 2, 28);
    return index;
}

/* An instruction whose stack begins at that frame. */
static void put_framed(const char *name, int frame)
{
    hlo_instruction(&b, name, "add", 0);
    put_metadata((metadata){ "", "", "", 0, frame });
}

/* A program with a little of everything. */
static void write_program(void)
{
    size_t index, tuple;
    wire_free(&b.bytes);
    b = hlo_begin("jit_step");
    hlo_computation(&b, 40);
    hlo_instruction(&b, "p.1", "parameter", 1);
    hlo_shape(&b, TFP_XLA_F32, 1, 8);
    hlo_computation(&b, 41);
    hlo_instruction(&b, "x", "parameter", 2);
    hlo_shape(&b, TFP_XLA_F32, 1, 8);
    hlo_instruction(&b, "loop_fusion.3", "fusion", 3);
    wire_text(&b.bytes, INSTRUCTION_FUSION_KIND, "kLoop");
    hlo_shape(&b, TFP_XLA_F32, 1, 8);
    put_metadata((metadata){ "tanh", "jit(step)/tanh", "a.py", 17, 1 });
    hlo_operands(&b, 1, 2);
    hlo_called(&b, 1, 40);
    hlo_instruction(&b, "call.4", "custom-call", 4);
    wire_text(&b.bytes, INSTRUCTION_TARGET, "__cublas$gemm");
    wire_text(&b.bytes, INSTRUCTION_CONFIG, "{}");
    tuple = wire_open(&b.bytes, INSTRUCTION_SHAPE);
    wire_int(&b.bytes, SHAPE_TYPE, TFP_XLA_TUPLE);
    hlo_array(&b, SHAPE_PARTS, TFP_XLA_F32, 2, 4, 2);
    hlo_array(&b, SHAPE_PARTS, TFP_XLA_S8, 1, 0);
    wire_close(&b.bytes, tuple);
    hlo_operands(&b, 2, 3, 3);
    index = begin_index();
    put_frame(1, 2);
    put_frame(2, 0);
    wire_close(&b.bytes, index);
    hlo_end(&b);
}

/* ---- What is read ------------------------------------------------------- */

TEST(an_instruction_is_found_by_name_and_by_id)
{
    const tfp_hlo_instruction *i;
    write_program();
    hlo_read(&b, &p, &memory);
    assert_text(p.name, "jit_step");
    assert_int_equal(p.instructions.count, 4);
    i = hlo_named(&p, "loop_fusion.3");
    assert_ptr_equal(i, tfp_hlo_find_id(&p, 3));
    assert_text(i->opcode, "fusion");
    assert_text(i->fusion_kind, "kLoop");
    assert_text(i->op_type, "tanh");
    assert_text(i->op_name, "jit(step)/tanh");
    assert_text(i->source_file, "a.py");
    assert_int_equal(i->source_line, 17);
    assert_int_equal(i->computation, 1);
    assert_int_equal(i->node, TFP_NO_NODE);
    assert_int_equal(i->operand_count, 1);
    assert_ptr_equal(&p.instructions.data[p.links.data[i->operands]],
                     hlo_named(&p, "x"));
    assert_int_equal(i->called_count, 1);
    assert_int_equal(p.links.data[i->called], 0);
    i = hlo_named(&p, "call.4");
    assert_text(i->custom_call_target, "__cublas$gemm");
    assert_text(i->backend_config, "{}");
    assert_text(i->op_name, "");
    assert_null(tfp_hlo_find(&p, tfp_span_of("jit_step"))); /* a text */
    assert_null(tfp_hlo_find(&p, tfp_span_of("loop_fusion")));
    assert_null(tfp_hlo_find(&p, tfp_span_of("")));
    assert_null(tfp_hlo_find_id(&p, 40)); /* a computation */
    assert_null(tfp_hlo_find_id(&p, INT64_MIN));
}

TEST(of_equal_names_and_ids_the_first_stands)
{
    hlo_computation(&b, 1);
    hlo_instruction(&b, "a", "add", 7);
    hlo_instruction(&b, "a", "subtract", 8);
    hlo_instruction(&b, "b", "negate", 7);
    hlo_read(&b, &p, &memory);
    assert_text(hlo_named(&p, "a")->opcode, "add");
    assert_text(tfp_hlo_find_id(&p, 7)->opcode, "add");
    assert_text(tfp_hlo_find_id(&p, 8)->opcode, "subtract");
}

TEST(an_instruction_without_name_or_opcode_is_left_out)
{
    hlo_computation(&b, 1);
    hlo_instruction(&b, "", "add", 1);
    hlo_instruction(&b, "b", "", 2);
    hlo_instruction(&b, "c", "add", 3);
    hlo_read(&b, &p, &memory);
    assert_int_equal(p.instructions.count, 1);
    assert_null(tfp_hlo_find_id(&p, 1));
}

TEST(no_bytes_are_a_program_without_instructions)
{
    tfprof_error err;
    wire_free(&b.bytes);
    assert_ok(tfp_hlo_read(&p, &memory, wire_span(&b.bytes), 100, &err));
    assert_int_equal(p.instructions.count, 0);
    assert_null(tfp_hlo_find(&p, tfp_span_of("a")));
    assert_null(tfp_hlo_find_id(&p, 0));
    tfp_hlo_release(&p);
    tfp_hlo_release(&p); /* and again */
}

TEST(numbers_may_be_packed_or_not)
{
    static const uint32_t sources[] = { 0, 1, 1, 0, 1 };
    const tfp_hlo_instruction *i;
    hlo_computation(&b, 1);
    hlo_instruction(&b, "a", "parameter", 300);
    hlo_instruction(&b, "b", "parameter", 2);
    hlo_instruction(&b, "c", "tuple", 3);
    wire_int(&b.bytes, INSTRUCTION_OPERANDS, 300);
    hlo_operands(&b, 2, 2, 2);
    wire_int(&b.bytes, INSTRUCTION_CALLED, 1);
    wire_int(&b.bytes, INSTRUCTION_OPERANDS, 300);
    wire_int(&b.bytes, INSTRUCTION_OPERANDS, 2);
    hlo_read(&b, &p, &memory);
    i = hlo_named(&p, "c");
    assert_int_equal(i->operand_count, 5);
    assert_memory_equal(p.links.data + i->operands, sources, sizeof(sources));
    assert_int_equal(i->called_count, 1);
}

TEST(a_tuple_is_the_list_of_its_arrays_at_any_depth)
{
    static const struct {
        int32_t type;
        uint32_t rank;
        int64_t elements;
    } wanted[] = { { TFP_XLA_F32, 2, 12 },
                   { TFP_XLA_S32, 0, 1 },
                   { TFP_XLA_BF16, 1, 5 },
                   { TFP_XLA_PRED, 2, 0 } };
    const tfp_hlo_instruction *i;
    size_t outer, inner;
    hlo_computation(&b, 1);
    hlo_instruction(&b, "a", "tuple", 1);
    outer = wire_open(&b.bytes, INSTRUCTION_SHAPE);
    wire_int(&b.bytes, SHAPE_TYPE, TFP_XLA_TUPLE);
    hlo_array(&b, SHAPE_PARTS, TFP_XLA_F32, 2, 3, 4);
    inner = wire_open(&b.bytes, SHAPE_PARTS);
    wire_int(&b.bytes, SHAPE_TYPE, TFP_XLA_TUPLE);
    hlo_array(&b, SHAPE_PARTS, TFP_XLA_S32, 0);
    hlo_array(&b, SHAPE_PARTS, TFP_XLA_BF16, 1, 5);
    wire_close(&b.bytes, inner);
    inner = wire_open(&b.bytes, SHAPE_PARTS); /* () */
    wire_int(&b.bytes, SHAPE_TYPE, TFP_XLA_TUPLE);
    wire_close(&b.bytes, inner);
    hlo_array(&b, SHAPE_PARTS, TFP_XLA_PRED, 2, 9, 0);
    wire_close(&b.bytes, outer);
    hlo_instruction(&b, "b", "parameter", 2);
    hlo_array(&b, INSTRUCTION_SHAPE, TFP_XLA_F64, 1, -1);
    hlo_read(&b, &p, &memory);
    i = hlo_named(&p, "a");
    assert_true(i->is_tuple);
    assert_int_equal(i->shape_count, 4);
    for (uint32_t k = 0; k < 4; k++) {
        const tfp_hlo_shape *shape = &p.shapes.data[i->shapes + k];
        assert_int_equal(shape->type, wanted[k].type);
        assert_int_equal(shape->rank, wanted[k].rank);
        assert_int_equal(shape->elements, wanted[k].elements);
    }
    assert_int_equal(p.numbers.data[p.shapes.data[i->shapes].dims + 1], 4);
    i = hlo_named(&p, "b");
    assert_false(i->is_tuple);
    assert_int_equal(i->shape_count, 1);
    assert_int_equal(p.shapes.data[i->shapes].elements, -1);
}

TEST(categories_are_those_of_xprof)
{
    static const struct {
        const char *opcode, *kind, *category;
    } cases[] = {
        { "fusion", "kLoop", "loop fusion" },
        { "fusion", "kInput", "input fusion" },
        { "fusion", "kOutput", "output fusion" },
        { "fusion", "kCustom", "custom fusion" },
        { "fusion", "", "fusion" },
        { "fusion", "kLoopy", "fusion" },
        { "copy", "", "data formatting" },
        { "transpose", "", "data formatting" },
        { "reshape", "", "data formatting" },
        { "dynamic-reshape", "", "data formatting" },
        { "abs", "", "non-fusion elementwise" },
        { "xor", "", "non-fusion elementwise" },
        { "log-plus-one", "", "non-fusion elementwise" },
        { "log-plus", "", "log-plus" },
        { "dot", "", "dot" },
        { "custom-call", "", "custom-call" },
        { "while", "kLoop", "while" },
    };
    EACH(row, cases) {
        tfp_span category;
        restart();
        hlo_computation(&b, 1);
        hlo_instruction(&b, "a", row->opcode, 1);
        wire_text(&b.bytes, INSTRUCTION_FUSION_KIND, row->kind);
        hlo_read(&b, &p, &memory);
        category = tfp_hlo_category(&p, hlo_named(&p, "a"));
        if (!tfp_span_is(category, row->category))
            fail_msg("%s %s: %.*s", row->opcode, row->kind, (int)category.size,
                     (const char *)category.data);
    }
}

/* ---- Stacks ------------------------------------------------------------- */

/* The stack as "function:line function:line". */
static const char *stack_text(const char *name)
{
    static char text[512];
    tfp_hlo_stack stack = tfp_hlo_stack_of(hlo_named(&p, name));
    const tfp_hlo_frame *frame;
    size_t at = 0;
    text[0] = '\0';
    while ((frame = tfp_hlo_stack_next(&p, &stack))) {
        tfp_span function = tfp_hlo_text(&p, frame->function);
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%.*s:%d",
                               at > 0 ? " " : "", (int)function.size,
                               (const char *)function.data, (int)frame->line);
        assert_true(at < sizeof(text));
    }
    return text;
}

TEST(a_stack_begins_with_the_innermost_frame)
{
    size_t index;
    hlo_computation(&b, 1);
    put_framed("a", 1);
    put_framed("b", 2);
    put_framed("c", 0);
    index = begin_index();
    put_frame(1, 2);
    put_frame(2, 0);
    wire_close(&b.bytes, index);
    hlo_read(&b, &p, &memory);
    assert_string_equal(stack_text("a"), "loss:12 main:28");
    assert_string_equal(stack_text("b"), "main:28");
    assert_string_equal(stack_text("c"), "");
    assert_text(p.frames.data[0].file, "train.py");
    assert_int_equal(p.odd.frames + p.odd.loops, 0);
}

TEST(XS_13_frames_in_a_loop_come_once)
{
    size_t index;
    hlo_computation(&b, 1);
    put_framed("itself", 1);
    put_framed("two", 2);
    put_framed("leads", 4);
    index = begin_index();
    put_frame(1, 1);
    put_frame(1, 3);
    put_frame(2, 2);
    put_frame(2, 3);
    wire_close(&b.bytes, index);
    hlo_read(&b, &p, &memory);
    assert_string_equal(stack_text("itself"), "loss:12");
    assert_string_equal(stack_text("two"), "loss:12 main:28");
    assert_string_equal(stack_text("leads"), "main:28 main:28");
    assert_int_equal(p.odd.loops, 2);
}

TEST(XS_13_frames_out_of_range_end_a_stack)
{
    size_t index;
    hlo_computation(&b, 1);
    put_framed("parent", 1);
    put_framed("location", 2);
    put_framed("file", 3);
    put_framed("far", 5);
    put_framed("below", -1);
    index = begin_index();
    put_location(9, -9, 7);
    put_frame(1, 99);
    put_frame(4, 1);
    put_frame(3, 0);
    put_frame(0, -2);
    wire_close(&b.bytes, index);
    hlo_read(&b, &p, &memory);
    assert_string_equal(stack_text("parent"), "loss:12");
    assert_string_equal(stack_text("location"), "loss:12");
    assert_string_equal(stack_text("file"), ":7");
    assert_string_equal(stack_text("far"), "");
    assert_string_equal(stack_text("below"), "");
    assert_int_equal(p.odd.frames, 7);
}

TEST(a_stack_without_end_is_cut)
{
    enum { FRAMES = 100000 };
    wire_bytes frames = { 0 };
    tfp_hlo_stack stack;
    int count = 0;
    hlo_computation(&b, 1);
    put_framed("a", 1);
    hlo_end_computation(&b);
    for (int i = 1; i <= FRAMES; i++) {
        wire_bytes frame = { 0 };
        wire_int(&frame, 1, 1);
        wire_int(&frame, 2, i % FRAMES + 1);
        wire_field(&frames, 4, frame.data, frame.size);
        wire_free(&frame);
    }
    wire_hex(&frames, "1a 02 1807"); /* a location: line 7 */
    wire_field(&b.bytes, MODULE_FRAME_INDEX, frames.data, frames.size);
    wire_free(&frames);
    hlo_read(&b, &p, &memory);
    assert_int_equal(p.odd.loops, 1);
    stack = tfp_hlo_stack_of(hlo_named(&p, "a"));
    while (tfp_hlo_stack_next(&p, &stack))
        count++;
    assert_int_equal(count, TFP_HLO_MOST_FRAMES);
}

/* ---- Sources ------------------------------------------------------------ */

typedef struct found_sources {
    const tfp_hlo_program *program;
    char text[256]; /* "a b c" */
    int count, stop_at;
} found_sources;

static int add_source(void *self, const tfp_hlo_instruction *i,
                      tfprof_error *err)
{
    found_sources *found = self;
    size_t at = strlen(found->text);
    tfp_span name = tfp_hlo_text(found->program, i->name);
    if (++found->count == found->stop_at)
        return tfp_fail(err, TFPROF_ERR_CANCELLED, -1, "enough");
    if (at + name.size + 2 < sizeof(found->text))
        snprintf(found->text + at, sizeof(found->text) - at, "%s%.*s",
                 at > 0 ? " " : "", (int)name.size, (const char *)name.data);
    return TFPROF_OK;
}

static void assert_sources(const char *name, const char *wanted)
{
    found_sources found = { .program = &p };
    bool cut = false;
    tfprof_error err;
    assert_ok(tfp_hlo_sources(&p, hlo_named(&p, name), add_source, &found, &cut,
                              &err));
    assert_string_equal(found.text, wanted);
    assert_false(cut);
}

/* Those whose names begin with a capital ran. */
static void mark_runs(void)
{
    for (uint32_t k = 0; k < p.instructions.count; k++) {
        tfp_span name = tfp_hlo_text(&p, p.instructions.data[k].name);
        if (name.data[0] <= 'Z')
            p.instructions.data[k].node = k;
    }
}

TEST(sources_are_found_through_what_did_not_run)
{
    found_sources found = { .stop_at = 2 };
    tfprof_error err;
    hlo_computation(&b, 1);
    hlo_instruction(&b, "A", "parameter", 1);
    hlo_instruction(&b, "B", "parameter", 2);
    hlo_instruction(&b, "C", "parameter", 3);
    hlo_instruction(&b, "c1", "bitcast", 4);
    hlo_operands(&b, 2, 1, 2);
    hlo_instruction(&b, "c2", "bitcast", 5);
    hlo_operands(&b, 2, 4, 3);
    hlo_instruction(&b, "D", "add", 6);
    hlo_operands(&b, 3, 5, 3, 1000); /* nearest first: C, then A and B */
    hlo_instruction(&b, "E", "add", 7);
    hlo_operands(&b, 4, 6, 4, 6, 4); /* each once */
    hlo_instruction(&b, "f", "tuple", 8);
    hlo_operands(&b, 1, 6);
    hlo_read(&b, &p, &memory);
    mark_runs();
    assert_sources("D", "C A B");
    assert_sources("E", "D A B");
    assert_sources("f", "D");
    assert_sources("A", "");
    assert_int_equal(p.odd.operands, 1);
    found.program = &p;
    assert_int_equal(
        tfp_hlo_sources(&p, hlo_named(&p, "D"), add_source, &found, NULL, &err),
        TFPROF_ERR_CANCELLED);
    assert_int_equal(found.count, 2);
}

TEST(XS_13_an_instruction_is_no_source_of_itself)
{
    hlo_computation(&b, 1);
    hlo_instruction(&b, "A", "add", 1);
    hlo_operands(&b, 2, 1, 2);
    hlo_called(&b, 1, 1);
    hlo_instruction(&b, "b", "add", 2);
    hlo_operands(&b, 3, 2, 1, 3);
    hlo_instruction(&b, "C", "add", 3);
    hlo_operands(&b, 1, 2);
    hlo_read(&b, &p, &memory);
    mark_runs();
    assert_sources("A", "C");
    assert_sources("C", "A");
}

/* Each of many that ran looks through the same long chain. Without a limit
 * that would be 4e9 steps. */
TEST(searches_together_stay_linear)
{
    enum { MANY = 65536 };
    wire_bytes all = { 0 };
    tfprof_error err;
    int cuts = 0;
    clock_t start;
    wire_int(&all, COMPUTATION_ID, 1);
    for (int i = 0; i < 2 * MANY; i++) {
        wire_bytes one = { 0 };
        char name[16];
        snprintf(name, sizeof(name), "%c%d", i < MANY ? 'c' : 'R', i);
        wire_text(&one, INSTRUCTION_NAME, name);
        wire_text(&one, INSTRUCTION_OPCODE, "add");
        wire_int(&one, INSTRUCTION_ID, i);
        wire_int(&one, INSTRUCTION_OPERANDS, i < MANY ? i - 1 : MANY - 1);
        if (i > MANY)
            wire_int(&one, INSTRUCTION_OPERANDS, i - 1);
        wire_field(&all, COMPUTATION_INSTRUCTIONS, one.data, one.size);
        wire_free(&one);
    }
    wire_field(&b.bytes, MODULE_COMPUTATIONS, all.data, all.size);
    wire_free(&all);
    hlo_read(&b, &p, &memory);
    mark_runs();
    start = clock();
    for (int i = MANY + 1; i < 2 * MANY; i++) {
        found_sources found = { .program = &p };
        bool cut = false;
        assert_ok(tfp_hlo_sources(&p, &p.instructions.data[i], add_source,
                                  &found, &cut, &err));
        assert_int_equal(found.count, 1); /* the one before it, always */
        cuts += cut;
    }
    assert_true(cuts > MANY / 2 && cuts < MANY - 100);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5);
}

/* ---- Damage ------------------------------------------------------------- */

TEST(XS_13_every_cut_is_refused)
{
    write_program();
    for (size_t size = 1; size < b.bytes.size; size++) {
        uint8_t *copy = malloc(size); /* reading past it is seen */
        tfprof_error err = { 0 };
        assert_non_null(copy);
        memcpy(copy, b.bytes.data, size);
        assert_int_equal(
            tfp_hlo_read(&p, &memory, (tfp_span){ copy, size }, 100, &err),
            TFPROF_ERR_MALFORMED);
        assert_true(strlen(err.message) > 10);
        assert_true(err.offset >= 0 && err.offset <= (int64_t)size);
        assert_int_equal(memory.held, 0);
        tfp_hlo_release(&p); /* is allowed */
        free(copy);
    }
}

/* Asks all that can be asked. */
static void ask(void)
{
    for (uint32_t k = 0; k < p.instructions.count; k += 2)
        p.instructions.data[k].node = k;
    for (uint32_t k = 0; k < p.instructions.count; k++) {
        const tfp_hlo_instruction *i = &p.instructions.data[k];
        found_sources found = { .program = &p };
        tfp_hlo_stack stack = tfp_hlo_stack_of(i);
        tfprof_error err;
        assert_non_null(tfp_hlo_find(&p, tfp_hlo_text(&p, i->name)));
        assert_non_null(tfp_hlo_find_id(&p, i->id));
        assert_non_null(tfp_hlo_category(&p, i).data);
        while (tfp_hlo_stack_next(&p, &stack))
            assert_true(stack.taken <= p.frames.count);
        assert_ok(tfp_hlo_sources(&p, i, add_source, &found, NULL, &err));
    }
}

TEST(XS_13_every_changed_byte_is_survived)
{
    static const uint8_t changes[] = { 0x01, 0x02, 0x07, 0x08, 0x80, 0xff };
    int read = 0;
    write_program();
    for (size_t at = 0; at < b.bytes.size; at++) {
        for (size_t c = 0; c < sizeof(changes); c++) {
            tfprof_error err = { 0 };
            b.bytes.data[at] ^= changes[c];
            if (tfp_hlo_read(&p, &memory, wire_span(&b.bytes), 100, &err) ==
                TFPROF_OK) {
                read++;
                ask();
                tfp_hlo_release(&p);
            } else {
                assert_int_equal(err.code, TFPROF_ERR_MALFORMED);
            }
            assert_int_equal(memory.held, 0);
            b.bytes.data[at] ^= changes[c];
        }
    }
    assert_true(read > 100); /* changed names do no harm */
}

TEST(a_tuple_nested_too_deep_is_refused)
{
    for (int levels = 90; levels < 110; levels++) {
        wire_bytes shape = { 0 };
        tfprof_error err;
        int status;
        restart();
        for (int i = 0; i < levels; i++) {
            wire_bytes outer = { 0 };
            wire_int(&outer, SHAPE_TYPE, TFP_XLA_TUPLE);
            wire_field(&outer, SHAPE_PARTS, shape.data, shape.size);
            wire_free(&shape);
            shape = outer;
        }
        hlo_computation(&b, 1);
        hlo_instruction(&b, "a", "tuple", 1);
        wire_field(&b.bytes, INSTRUCTION_SHAPE, shape.data, shape.size);
        wire_free(&shape);
        hlo_end(&b);
        status = tfp_hlo_read(&p, &memory, wire_span(&b.bytes), 100, &err);
        /* module, computation, instruction and the shape itself */
        assert_int_equal(status,
                         levels + 4 <= 100 ? TFPROF_OK : TFPROF_ERR_MALFORMED);
        if (status != TFPROF_OK)
            assert_non_null(strstr(err.message, "nesting"));
    }
}

TEST(every_allocation_may_fail)
{
    size_t failed = 0;
    int status = TFPROF_ERR_NOMEM;
    write_program();
    for (size_t k = 1; status != TFPROF_OK; k++) {
        counting count = { .fail_at = k };
        tfp_memory small;
        tfprof_error err = { 0 };
        tfp_memory_init(&small, counting_resize, &count);
        status = tfp_hlo_read(&p, &small, wire_span(&b.bytes), 100, &err);
        if (status != TFPROF_OK) {
            assert_int_equal(status, TFPROF_ERR_NOMEM);
            failed++;
        }
        tfp_hlo_release(&p);
        assert_int_equal(count.blocks, 0);
        assert_int_equal(small.held, 0);
    }
    assert_true(failed > 10);
}
