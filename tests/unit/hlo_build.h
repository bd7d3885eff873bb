/*
 * hlo_build.h - makes small programs as XLA writes them, for the tests to read.
 *
 *     hlo_build b = hlo_begin("jit_f");
 *     hlo_computation(&b, 1);
 *     hlo_instruction(&b, "add.1", "add", 7);
 *     hlo_shape(&b, TFP_XLA_F32, 2, 3, 4);
 *     hlo_operands(&b, 2, 5, 6);
 *     ...
 *     hlo_read(&b, &program, &memory);
 *
 * A computation ends where the next begins, and so does an instruction.
 */
#ifndef TFP_TESTS_HLO_BUILD_H
#define TFP_TESTS_HLO_BUILD_H

#include "trace/hlo.h"
#include "wire_build.h"

/* Numbers of fields, written anew: a wrong one in the table is noticed. */
enum {
    HLO_MODULE = 1,
    MODULE_NAME = 1,
    MODULE_COMPUTATIONS = 3,
    MODULE_FRAME_INDEX = 17,
    COMPUTATION_INSTRUCTIONS = 2,
    COMPUTATION_ID = 5,
    INSTRUCTION_NAME = 1,
    INSTRUCTION_OPCODE = 2,
    INSTRUCTION_SHAPE = 3,
    INSTRUCTION_METADATA = 7,
    INSTRUCTION_FUSION_KIND = 11,
    INSTRUCTION_WINDOW = 15,
    INSTRUCTION_CONVOLUTION = 16,
    INSTRUCTION_TARGET = 28,
    INSTRUCTION_DOT = 30,
    INSTRUCTION_ID = 35,
    INSTRUCTION_OPERANDS = 36,
    INSTRUCTION_CALLED = 38,
    INSTRUCTION_CONFIG = 43,
    SHAPE_TYPE = 2,
    SHAPE_DIMENSIONS = 3,
    SHAPE_PARTS = 4
};

typedef struct hlo_build {
    wire_bytes bytes;
    size_t module, computation, instruction; /* open ones; 0: none */
} hlo_build;

static inline hlo_build hlo_begin(const char *name)
{
    hlo_build b = { 0 };
    b.module = wire_open(&b.bytes, HLO_MODULE);
    wire_text(&b.bytes, MODULE_NAME, name);
    return b;
}

static inline void hlo_end_instruction(hlo_build *b)
{
    if (b->instruction)
        wire_close(&b->bytes, b->instruction);
    b->instruction = 0;
}

static inline void hlo_end_computation(hlo_build *b)
{
    hlo_end_instruction(b);
    if (b->computation)
        wire_close(&b->bytes, b->computation);
    b->computation = 0;
}

static inline void hlo_end(hlo_build *b)
{
    hlo_end_computation(b);
    if (b->module)
        wire_close(&b->bytes, b->module);
    b->module = 0;
}

static inline void hlo_computation(hlo_build *b, int64_t id)
{
    hlo_end_computation(b);
    b->computation = wire_open(&b->bytes, MODULE_COMPUTATIONS);
    wire_int(&b->bytes, COMPUTATION_ID, id);
}

static inline void hlo_instruction(hlo_build *b, const char *name,
                                   const char *opcode, int64_t id)
{
    hlo_end_instruction(b);
    b->instruction = wire_open(&b->bytes, COMPUTATION_INSTRUCTIONS);
    wire_text(&b->bytes, INSTRUCTION_NAME, name);
    wire_text(&b->bytes, INSTRUCTION_OPCODE, opcode);
    wire_int(&b->bytes, INSTRUCTION_ID, id);
}

/* A field of so many numbers, packed; they follow as ints. */
static inline void hlo_numbers(hlo_build *b, uint32_t field, int count, ...)
{
    size_t start = wire_open(&b->bytes, field);
    va_list numbers;
    va_start(numbers, count);
    for (int i = 0; i < count; i++)
        wire_varint(&b->bytes, (uint64_t)(int64_t)va_arg(numbers, int));
    va_end(numbers);
    wire_close(&b->bytes, start);
}

#define hlo_operands(b, ...) hlo_numbers(b, INSTRUCTION_OPERANDS, __VA_ARGS__)
#define hlo_called(b, ...)   hlo_numbers(b, INSTRUCTION_CALLED, __VA_ARGS__)

/* An array in that field of what is open: its type, rank and dimensions. */
#define hlo_array(b, field, type, ...)                                         \
    do {                                                                       \
        size_t array = wire_open(&(b)->bytes, field);                          \
        wire_int(&(b)->bytes, SHAPE_TYPE, type);                               \
        hlo_numbers(b, SHAPE_DIMENSIONS, __VA_ARGS__);                         \
        wire_close(&(b)->bytes, array);                                        \
    } while (0)

#define hlo_shape(b, type, ...)                                                \
    hlo_array(b, INSTRUCTION_SHAPE, type, __VA_ARGS__)

/* Ends the program and reads it; the bytes are spoilt afterwards, so that
 * nothing can borrow from them. */
static inline void hlo_read(hlo_build *b, tfp_hlo_program *program,
                            tfp_memory *memory)
{
    tfprof_error err;
    hlo_end(b);
    assert_ok(tfp_hlo_read(program, memory, wire_span(&b->bytes), 100, &err));
    memset(b->bytes.data, 0xee, b->bytes.size);
    wire_free(&b->bytes);
}

/* For each test of a suite a program "f" to be written, and what is read of it.
 * restart() begins another one, for the next row of a table. */
#define HLO_FIXTURE                                                            \
    static hlo_build b;                                                        \
    static tfp_hlo_program p;                                                  \
    static tfp_memory memory;                                                  \
    static void drop(void)                                                     \
    {                                                                          \
        tfp_hlo_release(&p);                                                   \
        p = (tfp_hlo_program){ 0 };                                            \
        wire_free(&b.bytes);                                                   \
        assert_int_equal(memory.held, 0);                                      \
    }                                                                          \
    static void restart(void)                                                  \
    {                                                                          \
        drop();                                                                \
        b = hlo_begin("f");                                                    \
    }                                                                          \
    HOOK(test_begin)                                                           \
    {                                                                          \
        tfp_memory_init(&memory, NULL, NULL);                                  \
        p = (tfp_hlo_program){ 0 }; /* a test that failed may have left it */  \
        b = hlo_begin("f");                                                    \
        return 0;                                                              \
    }                                                                          \
    HOOK(test_end)                                                             \
    {                                                                          \
        drop();                                                                \
        return 0;                                                              \
    }

static inline tfp_hlo_instruction *hlo_named(const tfp_hlo_program *program,
                                             const char *name)
{
    tfp_hlo_instruction *found = tfp_hlo_find(program, tfp_span_of(name));
    assert_non_null(found);
    return found;
}

#endif
