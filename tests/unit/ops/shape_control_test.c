/*
 * shape_control_test.c - loops are counted, and every allocation on the way
 * fails once.
 *
 * How often they go around is held against TensorFlow in
 * tests/cli/flops/test_shape_control.py; here are those that need no
 * TensorFlow, in text, and the sweeps as in flops_sweep_test.c.
 */
#include "sweeping.h"
#include "wire_build.h"

#define ATTR(key, value) " attr { key: \"" key "\" value { " value " } }"
#define IN(name)         " input: \"" name "\""
#define INT              ATTR("T", "type: DT_INT32")
#define NODE(name, op, rest)                                                   \
    " node { name: \"" name "\" op: \"" op "\"" rest " }"
#define BODY(name, op, rest)                                                   \
    " node_def { name: \"" name "\" op: \"" op "\"" rest " }"
#define NUMBER(value)                                                          \
    ATTR("dtype", "type: DT_INT32")                                            \
    ATTR("value",                                                              \
         "tensor { dtype: DT_INT32 tensor_shape { } int_val: " value " }")
#define INPUT(name)                                                            \
    NODE(name, "Placeholder",                                                  \
         ATTR("dtype", "type: DT_INT32") ATTR("shape", "shape { }"))
#define ENTER(name, from, rest)                                                \
    NODE(name, "Enter", IN(from) INT ATTR("frame_name", "s: \"f\"") rest)

/* i = 1; while (i < limit) i = 2 * i + 1 */
#define FRAME                                                                  \
    NODE("one", "Const", NUMBER("1"))                                          \
    NODE("two", "Const", NUMBER("2"))                                          \
    ENTER("w/e", "one", "")                                                    \
    ENTER("w/l", "limit", ATTR("is_constant", "b: true"))                      \
    ENTER("w/one", "one", ATTR("is_constant", "b: true"))                      \
    ENTER("w/two", "two", ATTR("is_constant", "b: true"))                      \
    NODE("w/m", "Merge", IN("w/e") IN("w/n") INT ATTR("N", "i: 2"))            \
    NODE("w/c", "Less", IN("w/m") IN("w/l") INT)                               \
    NODE("w/LoopCond", "LoopCond", IN("w/c"))                                  \
    NODE("w/s", "Switch", IN("w/m") IN("w/LoopCond") INT)                      \
    NODE("w/d", "Mul", IN("w/s:1") IN("w/two") INT)                            \
    NODE("w/a", "AddV2", IN("w/d") IN("w/one") INT)                            \
    NODE("w/n", "NextIteration", IN("w/a") INT)                                \
    NODE("w/x", "Exit", IN("w/s") INT)

#define ARGUMENTS                                                              \
    " input_arg { name: \"i\" type: DT_INT32 }"                                \
    " input_arg { name: \"n\" type: DT_INT32 }"
#define RESULT(name, type)  " output_arg { name: \"" name "\" type: " type " }"
#define RETURNS(name, from) " ret { key: \"" name "\" value: \"" from "\" }"
#define FUNCTION(name, rest)                                                   \
    " function { signature { name: \"" name "\"" rest " }"
#define CALLED(key, name) ATTR(key, "func { name: \"" name "\" }")

/* The same by functions, and a branch behind it. */
#define WHILE                                                                  \
    NODE("one", "Const", NUMBER("1"))                                          \
    NODE("w", "While",                                                         \
         IN("one") IN("limit")                                                 \
             ATTR("T", "list { type: DT_INT32 type: DT_INT32 }")               \
                 CALLED("cond", "c") CALLED("body", "b"))                      \
    " library {" FUNCTION("c", ARGUMENTS RESULT("y", "DT_BOOL"))               \
        BODY("l", "Less", IN("i") IN("n") INT) RETURNS(                        \
            "y", "l:z:0") " }" FUNCTION("b", ARGUMENTS RESULT("y", "DT_INT32") \
                                                 RESULT("z", "DT_INT32"))      \
            BODY("one", "Const", NUMBER("1"))                                  \
                BODY("two", "Const", NUMBER("2"))                              \
                    BODY("d", "Mul", IN("i") IN("two:output:0") INT)           \
                        BODY("a", "AddV2", IN("d:z:0") IN("one:output:0") INT) \
                            RETURNS("y", "a:z:0") RETURNS("z", "n") " } }"

#define RUN(name)                                                              \
    " node_stats { node_name: \"" name "\" all_start_micros: 5"                \
    "  op_end_rel_micros: 1 output { slot: 0 tensor_description {"             \
    "  dtype: DT_INT32 shape { } } } }"

static const char runs[] = "step_stats { dev_stats { device: \"/cpu:0\"" RUN(
    "w/LoopCond") RUN("w/LoopCond") RUN("w/LoopCond") RUN("w/LoopCond/_7")
    RUN("w/LoopCond/_7") RUN("w/a") RUN("w/a") RUN("_arg_limit_0_0") " } }";

typedef struct scenario {
    const char *graph, *runs, *trips, *want;
} scenario;

static const scenario scenarios[] = {
    { NODE("limit", "Const", NUMBER("1000")) FRAME, NULL, "",
      "\"trips\": 9, \"rule\": \"evaluated\"" },
    { NODE("limit", "Const", NUMBER("1000")) WHILE, NULL, "",
      "\"trips\": 9, \"rule\": \"evaluated\"" },
    { INPUT("limit") FRAME, NULL, "", "\"trips\": 1, \"rule\": \"assumed\"" },
    { INPUT("limit") WHILE, NULL, "", "\"trips\": 1, \"rule\": \"assumed\"" },
    { INPUT("limit") FRAME, NULL, "w=5", "\"trips\": 5, \"rule\": \"given\"" },
    { INPUT("limit") WHILE, NULL, "w=5", "\"trips\": 5, \"rule\": \"given\"" },
    { INPUT("limit") FRAME, runs, "", "\"trips\": 2, \"rule\": \"recorded\"" },
    { INPUT("limit") WHILE, runs, "", "\"trips\": 1, \"rule\": \"recorded\"" },
};
enum { SCENARIOS = COUNT(scenarios) };

/* ---- Asking ------------------------------------------------------------- */

static void set(tfprof_profile *p, const char *name, const char *value)
{
    tfprof_error err;
    must(tfprof_profile_set(p, name, value, &err), &err);
}

static void add(tfprof_profile *p, const char *text, const char *role)
{
    tfprof_error err;
    must(tfprof_profile_add_memory(p, role, text, strlen(text), role, &err),
         &err);
}

static tfprof_profile *load(counting *memory, const scenario *s)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    assert_non_null(p);
    add(p, s->graph, "graph_path");
    if (s->runs)
        add(p, s->runs, "run_meta_path");
    set(p, "format", "json");
    set(p, "trips", s->trips);
    return p;
}

static void begin(counting *memory, counting plan)
{
    memory->calls = memory->growths = memory->refused = 0;
    memory->fail_at = plan.fail_at;
    memory->from_then_on = plan.from_then_on;
}

static wire_bytes ask(tfprof_profile *p, counting *memory)
{
    wire_bytes answer = { 0 };
    tfprof_error err;
    begin(memory, (counting){ 0 });
    must(tfprof_profile_write_flops(p, wire_keep, &answer, &err), &err);
    return answer;
}

static void ask_in_vain(tfprof_profile *p, counting *memory, counting plan)
{
    wire_bytes answer = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    begin(memory, plan);
    status = tfprof_profile_write_flops(p, wire_keep, &answer, &err);
    if (memory->refused == 0 || status != TFPROF_ERR_NOMEM)
        fail_msg("k = %zu: %d, %zu refused", plan.fail_at, status,
                 memory->refused);
    begin(memory, (counting){ 0 });
    wire_free(&answer);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(loops_are_counted)
{
    for (size_t i = 0; i < SCENARIOS; i++) {
        counting memory = { 0 };
        tfprof_profile *p = load(&memory, &scenarios[i]);
        wire_bytes answer = ask(p, &memory);
        wire_raw(&answer, "", 1);
        if (!strstr((const char *)answer.data, scenarios[i].want))
            fail_msg("%s is not in\n%s", scenarios[i].want,
                     (const char *)answer.data);
        wire_free(&answer);
        tfprof_profile_free(p);
        counting_check(&memory);
    }
}

static void sweep_all(bool from_then_on)
{
    size_t failures = 0;
    for (size_t i = 0; i < SCENARIOS; i++) {
        counting memory = { 0 };
        tfprof_profile *p = load(&memory, &scenarios[i]);
        wire_bytes quiet = ask(p, &memory), again;
        size_t most = memory.calls, k, taken = 0;
        tfprof_profile_free(p);
        while ((k = sweep_next(most, &taken)) > 0) {
            memory = (counting){ 0 };
            p = load(&memory, &scenarios[i]);
            ask_in_vain(
                p, &memory,
                (counting){ .fail_at = k, .from_then_on = from_then_on });
            again = ask(p, &memory);
            assert_true(tfp_span_equal(wire_span(&again), wire_span(&quiet)));
            wire_free(&again);
            tfprof_profile_free(p);
            counting_check(&memory);
        }
        failures += taken;
        wire_free(&quiet);
    }
    print_message("%zu failures\n", failures);
}

TEST(ME_01_the_kth_allocation_for_a_loop_fails)
{
    sweep_all(false);
}

TEST(ME_02_the_kth_and_all_later_allocations_for_a_loop_fail)
{
    sweep_all(true);
}
