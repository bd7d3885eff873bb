/*
 * hlo_flops_test.c - float operations of a compiled program's instructions.
 *
 * The figures are worked out by hand, by the conventions of
 * docs/float-operations.md.
 */
#include "counting.h"
#include "hlo_build.h"
#include "trace/hlo_flops.h"

HLO_FIXTURE

static void count(void)
{
    tfprof_error err;
    hlo_read(&b, &p, &memory);
    assert_ok(tfp_hlo_count_flops(&p, &err));
}

static void assert_flops(const char *name, int64_t wanted)
{
    int64_t flops = hlo_named(&p, name)->flops;
    if (flops != wanted)
        fail_msg("%s: %lld, not %lld", name, (long long)flops,
                 (long long)wanted);
}

/* An operand: `id` may be named by what follows. */
#define PARAMETER(id, ...)                                                     \
    do {                                                                       \
        hlo_instruction(&b, "p" #id, "parameter", id);                         \
        hlo_shape(&b, __VA_ARGS__);                                            \
    } while (0)

/* ---- Element by element -------------------------------------------------- */

TEST(elements_count_by_opcode_and_type)
{
    static const struct {
        const char *opcode;
        int type, result;
        int64_t flops;
    } cases[] = {
        { "add", TFP_XLA_F32, TFP_XLA_F32, 12 },
        { "add", TFP_XLA_BF16, TFP_XLA_BF16, 12 },
        { "add", TFP_XLA_F8E4M3FN, TFP_XLA_F8E4M3FN, 12 },
        { "add", TFP_XLA_C64, TFP_XLA_C64, 12 },
        { "add", TFP_XLA_S32, TFP_XLA_S32, 0 },
        { "add", TFP_XLA_PRED, TFP_XLA_PRED, 0 },
        { "compare", TFP_XLA_F32, TFP_XLA_PRED, 12 },
        { "compare", TFP_XLA_S64, TFP_XLA_PRED, 0 },
        { "tanh", TFP_XLA_F32, TFP_XLA_F32, 12 },
        { "power", TFP_XLA_F64, TFP_XLA_F64, 12 },
        { "abs", TFP_XLA_C64, TFP_XLA_F32, 12 },
        { "logistic", TFP_XLA_F32, TFP_XLA_F32, 48 },
        { "rsqrt", TFP_XLA_F32, TFP_XLA_F32, 24 },
        { "clamp", TFP_XLA_F32, TFP_XLA_F32, 24 },
        { "convert", TFP_XLA_F32, TFP_XLA_BF16, 0 },
        { "select", TFP_XLA_PRED, TFP_XLA_F32, 0 },
        { "broadcast", TFP_XLA_F32, TFP_XLA_F32, 0 },
        { "while", TFP_XLA_F32, TFP_XLA_F32, 0 },
        { "call", TFP_XLA_F32, TFP_XLA_F32, 0 },
        { "conditional", TFP_XLA_F32, TFP_XLA_F32, 0 },
        { "xor", TFP_XLA_S32, TFP_XLA_S32, 0 },
        { "fft", TFP_XLA_F32, TFP_XLA_C64, TFP_HLO_UNCOUNTED },
        { "sort", TFP_XLA_F32, TFP_XLA_F32, TFP_HLO_UNCOUNTED },
        { "zzz", TFP_XLA_F32, TFP_XLA_F32, TFP_HLO_UNCOUNTED },
    };
    EACH(row, cases) {
        restart();
        hlo_computation(&b, 1);
        PARAMETER(1, row->type, 2, 3, 4);
        hlo_instruction(&b, row->opcode, row->opcode, 2);
        hlo_shape(&b, row->result, 2, 3, 4);
        hlo_operands(&b, 1, 1);
        hlo_called(&b, 1, 1);
        count();
        assert_flops("p1", 0);
        assert_flops(row->opcode, row->flops);
    }
}

TEST(what_is_not_known_is_uncounted)
{
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_F32, 1, 4);
    hlo_instruction(&b, "no operand", "add", 2);
    hlo_shape(&b, TFP_XLA_F32, 1, 4);
    hlo_instruction(&b, "lost operand", "add", 3);
    hlo_shape(&b, TFP_XLA_F32, 1, 4);
    hlo_operands(&b, 1, 99);
    hlo_instruction(&b, "no shape", "add", 4);
    hlo_operands(&b, 1, 1);
    hlo_instruction(&b, "below 0", "add", 5);
    hlo_shape(&b, TFP_XLA_F32, 1, -4);
    hlo_operands(&b, 1, 1);
    hlo_instruction(&b, "no computation", "fusion", 6);
    hlo_shape(&b, TFP_XLA_F32, 1, 4);
    hlo_instruction(&b, "lost computation", "fusion", 7);
    hlo_called(&b, 1, 99);
    hlo_instruction(&b, "no dimensions", "convolution", 8);
    hlo_shape(&b, TFP_XLA_F32, 1, 4);
    hlo_operands(&b, 2, 1, 1);
    count();
    for (size_t k = 1; k < p.instructions.count; k++)
        assert_int_equal(p.instructions.data[k].flops, TFP_HLO_UNCOUNTED);
}

TEST(figures_stop_at_the_largest)
{
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_F32, 3, INT32_MAX, INT32_MAX, INT32_MAX);
    hlo_instruction(&b, "a", "add", 2);
    hlo_shape(&b, TFP_XLA_F32, 3, INT32_MAX, INT32_MAX, INT32_MAX);
    hlo_operands(&b, 1, 1);
    hlo_instruction(&b, "b", "logistic", 3);
    hlo_shape(&b, TFP_XLA_F32, 2, INT32_MAX, INT32_MAX);
    hlo_operands(&b, 1, 1);
    hlo_computation(&b, 2);
    hlo_instruction(&b, "c", "fusion", 4);
    hlo_called(&b, 2, 1, 1);
    count();
    assert_flops("a", INT64_MAX);
    assert_flops("b", INT64_MAX);
    assert_flops("c", INT64_MAX);
}

/* ---- Products ----------------------------------------------------------- */

TEST(a_dot_is_two_for_each_product)
{
    size_t dot;
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_F32, 3, 5, 7, 11);
    PARAMETER(2, TFP_XLA_F32, 3, 5, 11, 13);
    PARAMETER(3, TFP_XLA_S8, 3, 5, 7, 11);
    for (int k = 1; k <= 3; k++) {
        hlo_instruction(&b,
                        k == 1   ? "batch"
                        : k == 2 ? "far"
                                 : "integers",
                        "dot", 10 + k);
        hlo_shape(&b, TFP_XLA_F32, 3, 5, 7, 13);
        hlo_operands(&b, 2, k == 3 ? 3 : 1, 2);
        dot = wire_open(&b.bytes, INSTRUCTION_DOT);
        hlo_numbers(&b, 1, 1, k == 2 ? 3 : 2);
        hlo_numbers(&b, 2, 1, 1);
        hlo_numbers(&b, 3, 1, 0);
        hlo_numbers(&b, 4, 1, 0);
        wire_close(&b.bytes, dot);
    }
    hlo_instruction(&b, "outer", "dot", 20);
    hlo_shape(&b, TFP_XLA_F32, 2, 3, 4);
    hlo_operands(&b, 2, 1, 2);
    count();
    assert_flops("batch", 2 * 5 * 7 * 11 * 13);
    assert_flops("far", TFP_HLO_UNCOUNTED);
    assert_flops("integers", 0);
    assert_flops("outer", 2 * 3 * 4); /* nothing is contracted */
}

/* A call of a library with two operands and a workspace beside its result. */
static void put_library(const char *name, const char *target,
                        const char *config, int lhs, int rhs)
{
    hlo_instruction(&b, name, "custom-call", 0);
    wire_text(&b.bytes, INSTRUCTION_TARGET, target);
    wire_text(&b.bytes, INSTRUCTION_CONFIG, config);
    hlo_operands(&b, 2, lhs, rhs);
}

static size_t begin_tuple(void)
{
    size_t tuple = wire_open(&b.bytes, INSTRUCTION_SHAPE);
    wire_int(&b.bytes, SHAPE_TYPE, TFP_XLA_TUPLE);
    return tuple;
}

#define CONTRACTS(list)                                                        \
    "{\"gemm_backend_config\":{\"alpha_real\":1,\"dot_dimension_numbers\":{"   \
    "\"lhs_contracting_dimensions\":[" list                                    \
    "],\"rhs_contracting_dimensions\":[\"0\"]}}}"

TEST(a_product_of_a_library_counts_as_a_dot)
{
    static const struct {
        const char *name, *target, *config;
        int64_t flops;
    } cases[] = {
        { "a", "__cublas$gemm", CONTRACTS("\"1\""), 2 * 7 * 13 * 11 },
        { "b", "__cublas$lt$matmul$f8", CONTRACTS("\"1\""), 2 * 7 * 13 * 11 },
        { "c", "__onednn$matmul", "{}", 2 * 7 * 13 * 11 },
        { "d", "__cublas$gemm", CONTRACTS("\"0\""), 2 * 7 * 13 * 7 },
        { "e", "__cublas$gemm", CONTRACTS("\"0\",\"1\""), 2 * 7 * 13 * 77 },
        { "f", "__cublas$gemm", CONTRACTS("\"9\""), 2 * 7 * 13 * 11 },
        { "g", "__cublas$gemm", CONTRACTS("\"10\""), 2 * 7 * 13 * 11 },
        { "h", "__cublas$gemm", CONTRACTS("null"), 2 * 7 * 13 * 11 },
        { "i", "__cublas$gemm", "\"lhs_contracting_dimensions\":[\"1\"",
          2 * 7 * 13 * 11 },
        { "j", "__cublas$triangularSolve", "", TFP_HLO_UNCOUNTED },
        { "k", "te_fused_attn_forward_ffi", "", TFP_HLO_UNCOUNTED },
        { "l", "Sharding", "", 0 },
    };
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_BF16, 2, 7, 11);
    PARAMETER(2, TFP_XLA_BF16, 2, 11, 13);
    EACH(row, cases) {
        size_t tuple;
        put_library(row->name, row->target, row->config, 1, 2);
        tuple = begin_tuple();
        hlo_array(&b, SHAPE_PARTS, TFP_XLA_BF16, 2, 7, 13);
        hlo_array(&b, SHAPE_PARTS, TFP_XLA_S8, 1, 4096);
        wire_close(&b.bytes, tuple);
    }
    count();
    EACH(row, cases)
        assert_flops(row->name, row->flops);
}

TEST(the_terms_of_a_product_follow_from_its_sizes)
{
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_F32, 4, 2, 3, 7, 11);
    PARAMETER(2, TFP_XLA_F32, 4, 2, 3, 11, 13);
    PARAMETER(3, TFP_XLA_F32, 2, 11, 13);
    PARAMETER(4, TFP_XLA_F32, 2, 11, 14);
    PARAMETER(5, TFP_XLA_F32, 1, 0);
    put_library("batch", "__onednn$matmul", "", 1, 2);
    hlo_shape(&b, TFP_XLA_F32, 4, 2, 3, 7, 13);
    put_library("weights", "__onednn$matmul", "", 1, 3);
    hlo_shape(&b, TFP_XLA_F32, 4, 2, 3, 7, 13);
    put_library("no fit", "__onednn$matmul", "", 1, 4);
    hlo_shape(&b, TFP_XLA_F32, 4, 2, 3, 7, 13);
    put_library("nothing", "__onednn$matmul", "", 5, 5);
    hlo_shape(&b, TFP_XLA_F32, 1, 0);
    count();
    assert_flops("batch", 2 * 2 * 3 * 7 * 13 * 11);
    assert_flops("weights", 2 * 2 * 3 * 7 * 13 * 11);
    assert_flops("no fit", TFP_HLO_UNCOUNTED);
    assert_flops("nothing", 0);
}

/* ---- Convolutions ------------------------------------------------------- */

typedef struct window {
    int size, stride, padding, window_dilation, base_dilation;
} window;

static void put_window(int count, const window *windows)
{
    size_t all = wire_open(&b.bytes, INSTRUCTION_WINDOW);
    for (int k = 0; k < count; k++) {
        size_t one = wire_open(&b.bytes, 1);
        wire_int(&b.bytes, 1, windows[k].size);
        wire_int(&b.bytes, 2, windows[k].stride);
        wire_int(&b.bytes, 3, windows[k].padding);
        wire_int(&b.bytes, 4, windows[k].padding);
        wire_int(&b.bytes, 5, windows[k].window_dilation);
        wire_int(&b.bytes, 6, windows[k].base_dilation);
        wire_close(&b.bytes, one);
    }
    wire_close(&b.bytes, all);
}

/* Input NHWC, kernel HWIO, output NHWC. */
static void put_dimensions(void)
{
    size_t start = wire_open(&b.bytes, INSTRUCTION_CONVOLUTION);
    wire_int(&b.bytes, 3, 2);     /* kernel input feature */
    wire_int(&b.bytes, 4, 3);     /* kernel output feature */
    hlo_numbers(&b, 6, 2, 0, 1);  /* kernel spatial */
    wire_int(&b.bytes, 8, 3);     /* input feature */
    wire_int(&b.bytes, 10, 3);    /* output feature */
    hlo_numbers(&b, 11, 2, 1, 2); /* input spatial */
    hlo_numbers(&b, 12, 2, 1, 2); /* output spatial */
    wire_close(&b.bytes, start);
}

TEST(a_convolution_counts_every_tap)
{
    static const window windows[] = { { 3, 1, 1, 1, 1 }, { 5, 2, 2, 1, 1 } };
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_F32, 4, 8, 16, 16, 6);
    PARAMETER(2, TFP_XLA_F32, 4, 3, 5, 3, 10); /* two groups */
    hlo_instruction(&b, "a", "convolution", 3);
    hlo_shape(&b, TFP_XLA_F32, 4, 8, 16, 8, 10);
    hlo_operands(&b, 2, 1, 2);
    wire_int(&b.bytes, 50, 2);
    put_window(2, windows);
    put_dimensions();
    hlo_instruction(&b, "one window", "convolution", 4);
    hlo_shape(&b, TFP_XLA_F32, 4, 8, 16, 8, 10);
    hlo_operands(&b, 2, 1, 2);
    put_window(1, windows);
    put_dimensions();
    count();
    assert_flops("a", 2LL * 8 * 16 * 8 * 10 * 3 * 5 * 3);
    assert_flops("one window", TFP_HLO_UNCOUNTED);
}

/* Pairs of a result and a tap that is not in a hole, one by one. */
static int64_t slow_taps(window w, int results)
{
    int64_t sum = 0;
    for (int result = 0; result < results; result++) {
        for (int tap = 0; tap < w.size; tap++) {
            int at = result * w.stride + tap * w.window_dilation - w.padding;
            sum += at % w.base_dilation == 0;
        }
    }
    return sum;
}

TEST(taps_in_holes_do_not_count)
{
    for (int k = 0; k < 300; k++) {
        window windows[] = {
            { 1, 1, 0, 1, 1 }, { 1 + k % 5, 1, k % 7 - 2, 1 + k % 3, 2 + k % 4 }
        };
        int results = 1 + k % 11;
        restart();
        hlo_computation(&b, 1);
        PARAMETER(1, TFP_XLA_F32, 4, 2, 1, 9, 3);
        PARAMETER(2, TFP_XLA_F32, 4, 1, windows[1].size, 3, 4);
        hlo_instruction(&b, "a", "convolution", 3);
        hlo_shape(&b, TFP_XLA_F32, 4, 2, 1, results, 4);
        hlo_operands(&b, 2, 1, 2);
        put_window(2, windows);
        put_dimensions();
        count();
        assert_flops("a", 2 * 2 * 4 * 3 * slow_taps(windows[1], results));
    }
}

TEST(gradients_cost_what_their_convolution_costs)
{
    static const window windows[] = { { 3, 2, 1, 1, 1 }, { 3, 2, 1, 1, 1 } };
    static const char *const targets[] = { "__cudnn$convForward",
                                           "__cudnn$convBackwardInput",
                                           "__cudnn$convBackwardFilter" };
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_F16, 4, 8, 16, 16, 6); /* input */
    PARAMETER(2, TFP_XLA_F16, 4, 3, 3, 6, 10);  /* kernel */
    PARAMETER(3, TFP_XLA_F16, 4, 8, 8, 8, 10);  /* output */
    for (int k = 0; k < 3; k++) {
        size_t tuple;
        put_library(targets[k], targets[k], "{}", k == 1 ? 3 : 1,
                    k == 2 ? 3 : 2);
        tuple = begin_tuple();
        if (k == 0)
            hlo_array(&b, SHAPE_PARTS, TFP_XLA_F16, 4, 8, 8, 8, 10);
        else if (k == 1)
            hlo_array(&b, SHAPE_PARTS, TFP_XLA_F16, 4, 8, 16, 16, 6);
        else
            hlo_array(&b, SHAPE_PARTS, TFP_XLA_F16, 4, 3, 3, 6, 10);
        hlo_array(&b, SHAPE_PARTS, TFP_XLA_U8, 1, 99);
        wire_close(&b.bytes, tuple);
        put_window(2, windows);
        put_dimensions();
    }
    count();
    for (int k = 0; k < 3; k++)
        assert_flops(targets[k], 2LL * 8 * 8 * 8 * 10 * 3 * 3 * 6);
}

/* ---- Computations ------------------------------------------------------- */

/* Computation `id`: two float operations on scalars. */
static void put_reducer(int id)
{
    hlo_computation(&b, id);
    hlo_instruction(&b, "x", "parameter", 100 * id);
    hlo_shape(&b, TFP_XLA_F32, 0);
    for (int k = 1; k <= 2; k++) {
        hlo_instruction(&b, k == 1 ? "square" : "sum",
                        k == 1 ? "multiply" : "add", 100 * id + k);
        hlo_shape(&b, TFP_XLA_F32, 0);
        hlo_operands(&b, 2, 100 * id, 100 * id);
    }
}

TEST(a_computation_counts_as_often_as_it_is_called)
{
    static const window windows[] = { { 2, 2, 0, 1, 1 }, { 3, 3, 0, 1, 1 } };
    put_reducer(9);
    hlo_computation(&b, 1);
    PARAMETER(1, TFP_XLA_F32, 2, 20, 30);
    PARAMETER(2, TFP_XLA_F32, 0);
    PARAMETER(3, TFP_XLA_F32, 2, 10, 10);
    PARAMETER(4, TFP_XLA_S32, 2, 10, 1);
    hlo_instruction(&b, "reduce", "reduce", 11);
    hlo_shape(&b, TFP_XLA_F32, 1, 30);
    hlo_operands(&b, 2, 1, 2);
    hlo_called(&b, 1, 9);
    hlo_instruction(&b, "window", "reduce-window", 12);
    hlo_shape(&b, TFP_XLA_F32, 2, 10, 10);
    hlo_operands(&b, 2, 1, 2);
    hlo_called(&b, 1, 9);
    put_window(2, windows);
    hlo_instruction(&b, "scatter", "scatter", 13);
    hlo_shape(&b, TFP_XLA_F32, 2, 20, 30);
    hlo_operands(&b, 3, 1, 4, 3);
    hlo_called(&b, 1, 9);
    hlo_instruction(&b, "select", "select-and-scatter", 14);
    hlo_shape(&b, TFP_XLA_F32, 2, 20, 30);
    hlo_operands(&b, 3, 1, 3, 2);
    hlo_called(&b, 2, 9, 9);
    put_window(2, windows);
    hlo_instruction(&b, "map", "map", 15);
    hlo_shape(&b, TFP_XLA_F32, 2, 20, 30);
    hlo_operands(&b, 1, 1);
    hlo_called(&b, 1, 9);
    hlo_instruction(&b, "all", "all-reduce", 16);
    hlo_shape(&b, TFP_XLA_F32, 2, 20, 30);
    hlo_operands(&b, 1, 1);
    hlo_called(&b, 1, 9);
    count();
    assert_flops("reduce", (600 - 30) * 2);
    assert_flops("window", 100 * 6 * 2);
    assert_flops("scatter", 100 * 2);
    assert_flops("select", 100 * (6 * 2 + 2));
    assert_flops("map", 600 * 2);
    assert_flops("all", 600 * 2);
}

TEST(a_fusion_is_the_sum_of_what_is_in_it)
{
    hlo_computation(&b, 1); /* stands before what it calls */
    hlo_instruction(&b, "outer", "fusion", 1);
    hlo_called(&b, 1, 2);
    hlo_instruction(&b, "unknown", "fusion", 2);
    hlo_called(&b, 1, 4);
    hlo_instruction(&b, "async", "async-start", 3);
    hlo_called(&b, 1, 3);
    hlo_instruction(&b, "later", "fusion", 9);
    hlo_called(&b, 1, 5);
    hlo_computation(&b, 2);
    PARAMETER(4, TFP_XLA_F32, 1, 100);
    hlo_instruction(&b, "tanh", "tanh", 5);
    hlo_shape(&b, TFP_XLA_F32, 1, 100);
    hlo_operands(&b, 1, 4);
    hlo_instruction(&b, "inner", "fusion", 6);
    hlo_called(&b, 1, 3);
    put_reducer(3);
    hlo_computation(&b, 4);
    hlo_instruction(&b, "fft", "fft", 8);
    put_reducer(5);
    count();
    assert_flops("inner", 2);
    assert_flops("outer", 102);
    assert_flops("async", 2);
    assert_flops("later", 2);
    assert_flops("unknown", TFP_HLO_UNCOUNTED);
}

TEST(XS_13_computations_that_call_each_other_are_uncounted)
{
    hlo_computation(&b, 1);
    hlo_instruction(&b, "itself", "fusion", 1);
    hlo_called(&b, 1, 1);
    hlo_computation(&b, 2);
    hlo_instruction(&b, "there", "fusion", 2);
    hlo_called(&b, 1, 3);
    hlo_computation(&b, 3);
    hlo_instruction(&b, "back", "fusion", 3);
    hlo_called(&b, 1, 2);
    hlo_computation(&b, 4);
    hlo_instruction(&b, "p", "parameter", 4);
    hlo_instruction(&b, "sound", "fusion", 5);
    hlo_called(&b, 1, 5);
    put_reducer(5);
    count();
    assert_flops("itself", TFP_HLO_UNCOUNTED);
    assert_flops("there", TFP_HLO_UNCOUNTED);
    assert_flops("back", TFP_HLO_UNCOUNTED);
    assert_flops("sound", 2);
}

/* Each computation calls the one after it: nothing may use the stack. */
TEST(calls_may_nest_as_deep_as_they_like)
{
    enum { DEPTH = 200000 };
    for (int k = 1; k <= DEPTH; k++) {
        wire_bytes one = { 0 }, computation = { 0 };
        wire_text(&one, INSTRUCTION_NAME, k == 1 ? "first" : "x");
        wire_text(&one, INSTRUCTION_OPCODE, k < DEPTH ? "fusion" : "iota");
        wire_int(&one, INSTRUCTION_CALLED, k + 1);
        wire_int(&computation, COMPUTATION_ID, k);
        wire_field(&computation, COMPUTATION_INSTRUCTIONS, one.data, one.size);
        wire_field(&b.bytes, MODULE_COMPUTATIONS, computation.data,
                   computation.size);
        wire_free(&one);
        wire_free(&computation);
    }
    count();
    assert_int_equal(p.computations.count, DEPTH);
    assert_flops("first", 0);
}

TEST(every_allocation_may_fail)
{
    size_t failed = 0;
    counting counted = { 0 };
    tfp_memory small;
    int status = TFPROF_ERR_NOMEM;
    put_reducer(1);
    tfp_memory_init(&small, counting_resize, &counted);
    hlo_read(&b, &p, &small);
    for (size_t k = 1; status != TFPROF_OK; k++) {
        tfprof_error err = { 0 };
        size_t held = small.held;
        counted.fail_at = counted.calls + k;
        status = tfp_hlo_count_flops(&p, &err);
        assert_int_equal(small.held, held);
        if (status != TFPROF_OK) {
            assert_int_equal(status, TFPROF_ERR_NOMEM);
            assert_flops("sum", TFP_HLO_UNCOUNTED);
            failed++;
        }
    }
    assert_int_equal(failed, 3);
    assert_flops("sum", 1);
    tfp_hlo_release(&p);
    assert_int_equal(counted.blocks, 0);
}
