/*
 * flops_sweep_test.c - every allocation of a count fails once.
 *
 * A model with a signature, wrappers, variables, a loop and a branch is loaded
 * with nothing failing; then each of its lists is asked for in each format
 * while the k-th allocation fails, alone or with all that follow.
 *
 * The ordinary run takes 25 random k of each scenario, the same in every
 * run, or others by TFPROF_SEED; TFPROF_SLOW=1 takes every k.
 */
#include "sweeping.h"
#include "wire_build.h"

/* ---- The model ---------------------------------------------------------- */

#define ATTR(key, value)    " attr { key: \"" key "\" value { " value " } }"
#define TYPE(key, type)     ATTR(key, "type: " type)
#define FUNCTION(key, name) ATTR(key, "func { name: \"" name "\" }")
#define NODE(name, op, rest)                                                   \
    " node { name: \"" name "\" op: \"" op "\"" rest " }"
#define BODY(name, op, rest)                                                   \
    " node_def { name: \"" name "\" op: \"" op "\"" rest " }"
#define SIGNATURE(name, takes, gives)                                          \
    " signature { name: \"" name "\"" takes gives " }"
#define TAKES(name, type)     " input_arg { name: \"" name "\" type: " type " }"
#define GIVES(name, type)     " output_arg { name: \"" name "\" type: " type " }"
#define RETURNS(name, source) " ret { key: \"" name "\" value: \"" source "\" }"
#define DIMS(a, b)            "{ dim { size: " a " } dim { size: " b " } }"
#define FLOATS(key)           ATTR(key, "list { type: DT_FLOAT type: DT_RESOURCE }")
#define ONE_FLOAT(key)        ATTR(key, "list { type: DT_FLOAT }")

static const char functions[] = " function {" SIGNATURE(
    "side", TAKES("a", "DT_FLOAT"), GIVES("y", "DT_FLOAT"))
    BODY("r", "Tanh", " input: \"a\"" TYPE("T", "DT_FLOAT")) RETURNS(
        "y",
        "r:y:0") " }"
                 " function {" SIGNATURE("other", TAKES("a", "DT_FLOAT"),
                                         GIVES("y", "DT_FLOAT"))
                     BODY("r", "Relu", " input: \"a\"" TYPE("T", "DT_FLOAT"))
                         RETURNS(
                             "y",
                             "r:activations:0") " }"
                                                " function {" SIGNATURE(
                                                    "again",
                                                    TAKES("a", "DT_FLOAT"),
                                                    GIVES("y", "DT_BOOL"))
                                                    BODY("m", "Unheard",
                                                         " input: \"a\"")
                                                        RETURNS(
                                                            "y",
                                                            "m:out:0") " }"
                                                                       " functi"
                                                                       "on "
                                                                       "{" SIGNATURE(
                                                                           "wor"
                                                                           "k",
                                                                           TAKES(
                                                                               "x",
                                                                               "DT_FLOAT")
                                                                               TAKES(
                                                                                   "w",
                                                                                   "DT_RESOURCE"),
                                                                           GIVES(
                                                                               "y",
                                                                               "DT_FLOAT"))
                                                                           BODY(
                                                                               "model/read", "ReadVariableOp", " input: \"w\"" TYPE("dtype", "DT_FLOAT")) BODY("model/dense/MatMul", "MatMul", " input: \"x\" input: \"model/read:value:0\"" TYPE("T", "DT_FLOAT")) BODY("model/loop", "While", " input: \"model/dense/MatMul:product:0\"" ONE_FLOAT("T") FUNCTION("cond", "again") FUNCTION("body", "side")) BODY("model/flag",
                                                                                                                                                                                                                                                                                                                                                                                                                   "Const",
                                                                                                                                                                                                                                                                                                                                                                                                                   TYPE(
                                                                                                                                                                                                                                                                                                                                                                                                                       "dtype",
                                                                                                                                                                                                                                                                                                                                                                                                                       "DT_BOOL")
                                                                                                                                                                                                                                                                                                                                                                                                                       ATTR(
                                                                                                                                                                                                                                                                                                                                                                                                                           "value", "tensor { dtype: DT_BOOL tensor_shape {} "
                                                                                                                                                                                                                                                                                                                                                                                                                                    "bool_val: true }")) BODY("model/choice",
                                                                                                                                                                                                                                                                                                                                                                                                                                                              "If",
                                                                                                                                                                                                                                                                                                                                                                                                                                                              " input: \"model/flag:output:0\" input: \"model/loop:output:0\"" TYPE("Tcond",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    "DT_BOOL") ONE_FLOAT("Tin") ONE_FLOAT("Tout") FUNCTION("then_branch",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "side")
                                                                                                                                                                                                                                                                                                                                                                                                                                                                  FUNCTION("else_branch", "other")) BODY("model/missing",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "PartitionedCall",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         " input: \"model/choice:output:0\"" ONE_FLOAT(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "Tin") ONE_FLOAT("Tout") FUNCTION("f", "nowhere")) BODY("model/odd", "Unheard", " input: \"model/missing:output:0\"") BODY("model/sum",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "AddV2", " input: \"model/choice:output:0\" input: \"model/odd:y:0\"" TYPE("T", "DT_FLOAT")) RETURNS("y", "model/sum:z:0") " }"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   " function {" SIGNATURE("wrapper", TAKES("x", "DT_FLOAT") TAKES("w", "DT_RESOURCE"),
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           GIVES(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               "y", "DT_FLOAT")) BODY("inner",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      "StatefulPartitionedCall",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      " input: \"x\" input: \"w\"" FLOATS(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          "Tin")
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          ONE_FLOAT(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              "Tout")
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                              FUNCTION(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  "f",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  "work"))
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       RETURNS(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           "y", "inner:output:0") " }";

static const char nodes[] = NODE("x", "Placeholder",
                                 TYPE("dtype", "DT_FLOAT")
                                     ATTR("shape", "shape " DIMS("-1", "8")))
    NODE("w_1", "VarHandleOp",
         TYPE("dtype", "DT_FLOAT") ATTR("shape", "shape " DIMS("8", "4"))
             ATTR("shared_name", "s: \"w_1\""))
        NODE("eight", "Const",
             TYPE("dtype", "DT_FLOAT")
                 ATTR("value", "tensor { dtype: DT_FLOAT tensor_shape " DIMS(
                                   "8", "9") " }"))
            NODE("call", "StatefulPartitionedCall",
                 " input: \"x\" input: \"w_1\"" FLOATS("Tin") ONE_FLOAT("Tout")
                     FUNCTION("f", "wrapper"));

static const char rest[] =
    " signature_def { key: \"serving_default\" value {"
    "  inputs { key: \"in\" value { name: \"x:0\" dtype: DT_FLOAT } }"
    "  outputs { key: \"out\" value { name: \"call:0\" dtype: DT_FLOAT } } } }"
    " object_graph_def { nodes { variable { dtype: DT_FLOAT"
    "  shape " DIMS("8", "4") " trainable: true name: \"w\" } } }";

static tfprof_profile *load(counting *memory, bool is_saved)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    wire_bytes text = { 0 };
    tfprof_error err;
    const char *const parts[] = { "saved_model_schema_version: 1 meta_graphs {",
                                  " graph_def {",
                                  nodes,
                                  " library {",
                                  functions,
                                  " } }",
                                  rest,
                                  " }" };
    assert_non_null(p);
    for (size_t i = 0; i < COUNT(parts); i++) {
        bool is_graph = i >= 2 && i <= 4;
        if (is_saved || is_graph)
            wire_raw(&text, parts[i], strlen(parts[i]));
    }
    if (!is_saved)
        wire_raw(&text, " }", 2);
    must(tfprof_profile_add_memory(p, "model", text.data, text.size,
                                   "graph_path", &err),
         &err);
    wire_free(&text);
    return p;
}

/* ---- Asking ------------------------------------------------------------- */

static const char *const lists[] = { "summary",  "types",   "layers",
                                     "nodes",    "tensors", "variables",
                                     "uncounted" };
static const char *const formats[] = { "text", "json", "csv" };
enum { LISTS = 7, FORMATS = 3 };

typedef struct scenario {
    const char *list, *format;
    bool is_saved, is_told; /* it is told shapes and trips */
} scenario;

static void set(tfprof_profile *p, const char *name, const char *value)
{
    tfprof_error err;
    must(tfprof_profile_set(p, name, value, &err), &err);
}

static void set_options(tfprof_profile *p, const scenario *s)
{
    set(p, "list", s->list);
    set(p, "format", s->format);
    set(p, "batch", s->is_told ? "-1" : "2");
    set(p, "depth", s->is_told ? "2" : "-1");
    set(p, "shape", s->is_told ? "x=3x8,call=3x4" : "");
    set(p, "trips", s->is_told ? "call=7,model/loop=7" : "");
}

static void begin(counting *memory, counting plan)
{
    memory->calls = memory->growths = memory->refused = 0;
    memory->fail_at = plan.fail_at;
    memory->from_then_on = plan.from_then_on;
    memory->growths_only = plan.growths_only;
}

static wire_bytes ask(tfprof_profile *p, counting *memory)
{
    wire_bytes answer = { 0 };
    tfprof_error err;
    begin(memory, (counting){ 0 });
    must(tfprof_profile_write_flops(p, wire_keep, &answer, &err), &err);
    assert_true(answer.size > 0);
    return answer;
}

static void ask_again(tfprof_profile *p, counting *memory,
                      const wire_bytes *expected)
{
    wire_bytes answer = ask(p, memory);
    assert_true(tfp_span_equal(wire_span(&answer), wire_span(expected)));
    wire_free(&answer);
}

static void ask_in_vain(tfprof_profile *p, counting *memory, const scenario *s,
                        counting plan)
{
    wire_bytes answer = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    begin(memory, plan);
    status = tfprof_profile_write_flops(p, wire_keep, &answer, &err);
    if (memory->refused == 0 || status != TFPROF_ERR_NOMEM)
        fail_msg("%s %s, k = %zu: %d, %zu refused", s->list, s->format,
                 plan.fail_at, status, memory->refused);
    assert_int_equal(err.code, status);
    assert_true(err.message[0] && !strchr(err.message, '\n'));
    begin(memory, (counting){ 0 });
    wire_free(&answer);
}

/* ---- The sweep ---------------------------------------------------------- */

/* A profile that was asked before has the names and shapes that a question
 * adds to it. */
static size_t sweep(const scenario *s, counting plan)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, s->is_saved);
    size_t held, most, k, taken = 0;
    wire_bytes quiet;
    set_options(p, s);
    quiet = ask(p, &memory);
    held = memory.held;
    ask_again(p, &memory, &quiet);
    assert_int_equal(memory.held, held);
    most = plan.growths_only ? memory.growths : memory.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        plan.fail_at = k;
        ask_in_vain(p, &memory, s, plan);
        assert_int_equal(memory.held, held);
    }
    ask_again(p, &memory, &quiet);
    wire_free(&quiet);
    tfprof_profile_free(p);
    counting_check(&memory);
    return taken;
}

static void sweep_first_time(const scenario *s)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, s->is_saved);
    size_t most, k, taken = 0;
    wire_bytes quiet;
    set_options(p, s);
    quiet = ask(p, &memory);
    most = memory.calls;
    tfprof_profile_free(p);
    while ((k = sweep_next(most, &taken)) > 0) {
        memory = (counting){ 0 };
        p = load(&memory, s->is_saved);
        set_options(p, s);
        ask_in_vain(p, &memory, s,
                    (counting){ .fail_at = k, .from_then_on = taken % 2 });
        ask_again(p, &memory, &quiet);
        tfprof_profile_free(p);
        counting_check(&memory);
    }
    wire_free(&quiet);
}

static void sweep_all(counting plan)
{
    size_t failures = 0;
    for (size_t i = 0; i < LISTS * FORMATS * 4; i++) {
        scenario s = { lists[i % LISTS], formats[i / LISTS % FORMATS],
                       i / LISTS / FORMATS % 2, i / LISTS / FORMATS / 2 };
        failures += sweep(&s, plan);
    }
    print_message("%zu failures\n", failures);
}

TEST(ME_01_the_kth_allocation_of_a_count_fails)
{
    sweep_all((counting){ 0 });
}

TEST(ME_02_the_kth_and_all_later_allocations_of_a_count_fail)
{
    sweep_all((counting){ .from_then_on = true });
}

TEST(ME_03_the_kth_growth_of_a_count_fails)
{
    sweep_all((counting){ .growths_only = true });
}

TEST(ME_01_the_kth_allocation_of_the_first_count_fails)
{
    for (size_t i = 0; i < 4; i++) {
        scenario s = { "summary", "json", i % 2, i / 2 };
        sweep_first_time(&s);
    }
}

/* What the sweeps go through is there. */
TEST(the_model_has_all_that_can_fail)
{
    static const char *const wanted[] = { "\"params\": 32",   "model/loop",
                                          "missing_function", "no_formula",
                                          "\"branches\": 1",  "\"assumed\"" };
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, true);
    scenario s = { "summary", "json", true, false };
    wire_bytes answer;
    set_options(p, &s);
    answer = ask(p, &memory);
    EACH(row, wanted) {
        if (!tfp_span_find(wire_span(&answer), *row))
            fail_msg("no %s in %.*s", *row, (int)answer.size,
                     (const char *)answer.data);
    }
    wire_free(&answer);
    tfprof_profile_free(p);
}
