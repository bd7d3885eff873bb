/*
 * question_sweep_test.c - every allocation of a question fails once, and the
 * same profile answers afterwards.
 *
 * Profiles of a trace, of a graph with its run, of a checkpoint and of a saved
 * profile are loaded with nothing failing. Then the k-th allocation of each
 * question of asking.h fails, alone or with all that follow. The functions that
 * add inputs have new profiles each time. The ordinary run takes 25 random k of
 * each, the same in every run, or others by TFPROF_SEED; TFPROF_SLOW=1 takes
 * every k.
 */
#include "asking.h"
#include "samples.h"
#include "sweeping.h"

#include <unistd.h>

enum { MOST_INPUTS = 4 };

typedef struct scenario {
    const char *name;
    const char *inputs[MOST_INPUTS]; /* in tests/data; NULL ends the list */
} scenario;

static const scenario scenarios[] = {
    { "trace", { "traces/gen_jax-cpu.xplane.pb" } },
    { "trace of a GPU", { "traces/gen_tf-gpu.xplane.pb" } },
    { "run", { "graph.pb", "run_meta", "op_log" } },
    { "profile", { "profile" } },
    { "checkpoint", { NULL } }, /* is made here */
};

enum { SCENARIOS = COUNT(scenarios) };

static char folder[] = "/tmp/tfprof-question-sweep-XXXXXX";

/* ---- Inputs ------------------------------------------------------------- */

static void input_path(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", TFPROF_TEST_DATA, name);
}

static void put_file(const char *name, const wire_bytes *bytes)
{
    char path[128];
    FILE *file;
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
    assert_int_equal(fclose(file), 0);
}

HOOK(suite_begin)
{
    wire_bytes index = { 0 }, data = { 0 };
    if (!mkdtemp(folder))
        return -1;
    sample_bundle(&index);
    sample_bundle_data(&data);
    put_file("model.index", &index);
    put_file("model.data-00000-of-00001", &data);
    wire_free(&index);
    wire_free(&data);
    return 0;
}

HOOK(suite_end)
{
    static const char *const files[] = { "model.index",
                                         "model.data-00000-of-00001" };
    for (int i = 0; i < 2; i++) {
        char path[128];
        snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* The path of an input; without inputs, that of the checkpoint. */
static bool scenario_path(const scenario *s, int index, char *path, size_t size)
{
    if (s->inputs[0])
        input_path(s->inputs[index] ? s->inputs[index] : "", path, size);
    else
        snprintf(path, size, "%s/model", folder);
    return s->inputs[index] || index == 0;
}

static tfprof_profile *load(const scenario *s, counting *memory)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    char path[1024];
    tfprof_error err;
    assert_non_null(p);
    for (int i = 0; i < MOST_INPUTS && scenario_path(s, i, path, sizeof(path));
         i++) {
        if (tfprof_profile_add_path(p, path, NULL, &err) != TFPROF_OK)
            fail_msg("%s: %s", s->name, err.message);
    }
    return p;
}

/* ---- Questions ---------------------------------------------------------- */

typedef struct sweep {
    const scenario *scenario;
    const asking_question *question;
    const char *type;
    bool from_then_on;
    tfprof_profile *profile;
    counting memory;
    char path[1024];
} sweep;

static int ask(sweep *s, counting plan, wire_bytes *answer, tfprof_error *err)
{
    asking a = { .write = wire_keep, .context = answer, .path = s->path };
    int status;
    s->memory.calls = s->memory.refused = 0;
    s->memory.fail_at = plan.fail_at;
    s->memory.from_then_on = plan.from_then_on;
    status = s->question->ask(s->profile, s->type, &a, err);
    s->memory.fail_at = 0;
    return status;
}

static void check_same(sweep *s, int expected, const wire_bytes *quiet)
{
    wire_bytes answer = { 0 };
    tfprof_error err;
    if (ask(s, (counting){ 0 }, &answer, &err) != expected)
        fail_msg("%s, %s %s: %s", s->scenario->name, s->question->name, s->type,
                 err.message);
    if (!tfp_span_equal(wire_span(&answer), wire_span(quiet)))
        fail_msg("%s, %s %s: another answer", s->scenario->name,
                 s->question->name, s->type);
    wire_free(&answer);
}

static void ask_in_vain(sweep *s, size_t k, int expected,
                        const wire_bytes *quiet)
{
    counting plan = { .fail_at = k, .from_then_on = s->from_then_on };
    wire_bytes answer = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    int status = ask(s, plan, &answer, &err);
    /* A refusal may need no more memory than it had. */
    if (s->memory.refused > 0 && status != TFPROF_ERR_NOMEM &&
        (status != expected || expected == TFPROF_OK))
        fail_msg("%s, %s %s, k = %zu: %d %s", s->scenario->name,
                 s->question->name, s->type, k, status, err.message);
    if ((int)err.code != status)
        fail_msg("%s, %s %s, k = %zu: %d, but the error has %d",
                 s->scenario->name, s->question->name, s->type, k, status,
                 (int)err.code);
    if (s->memory.refused == 0)
        assert_true(tfp_span_equal(wire_span(&answer), wire_span(quiet)));
    wire_free(&answer);
}

/* The number of k. In the first sweep, the profile has no census yet. */
static size_t sweep_question(sweep *s)
{
    wire_bytes quiet = { 0 };
    tfprof_error err;
    size_t k, most, taken = 0;
    int expected;
    s->profile = load(s->scenario, &s->memory);
    expected = ask(s, (counting){ 0 }, &quiet, &err);
    most = s->memory.calls;
    tfprof_profile_free(s->profile);
    counting_check(&s->memory);
    s->profile = load(s->scenario, &s->memory);
    while (most > 0 && (k = sweep_next(most, &taken)) > 0) {
        ask_in_vain(s, k, expected, &quiet);
        if (taken % 8 == 0)
            check_same(s, expected, &quiet);
    }
    check_same(s, expected, &quiet);
    wire_free(&quiet);
    tfprof_profile_free(s->profile);
    counting_check(&s->memory);
    return taken;
}

static void sweep_scenario(const scenario *of, bool from_then_on)
{
    size_t questions = 0, failures = 0;
    for (size_t i = 0; i < ASKING_KINDS; i++) {
        const asking_question *q = &asking_questions[i];
        const char *type;
        for (size_t t = 0; (type = asking_type(q, t)) != NULL; t++) {
            sweep s = { .scenario = of,
                        .question = q,
                        .type = type,
                        .from_then_on = from_then_on };
            scenario_path(of, 0, s.path, sizeof(s.path));
            failures += sweep_question(&s);
            questions++;
        }
    }
    print_message("%s: %zu questions, %zu failed allocations\n", of->name,
                  questions, failures);
}

TEST(ME_01_a_profile_answers_after_the_kth_allocation_failed)
{
    for (size_t i = 0; i < SCENARIOS; i++)
        sweep_scenario(&scenarios[i], false);
}

TEST(ME_02_a_profile_answers_after_all_later_ones_failed)
{
    for (size_t i = 0; i < SCENARIOS; i++)
        sweep_scenario(&scenarios[i], true);
}

/* ---- Adding ------------------------------------------------------------- */

typedef int add_fn(tfprof_profile *p, const wire_bytes *run, tfprof_error *err);

static int add_path(tfprof_profile *p, const wire_bytes *run, tfprof_error *err)
{
    char path[1024];
    (void)run;
    input_path("graph.pb", path, sizeof(path));
    return tfprof_profile_add_path(p, path, "graph_path", err);
}

static int add_step(tfprof_profile *p, const wire_bytes *run, tfprof_error *err)
{
    char path[1024];
    (void)run;
    input_path("run_meta", path, sizeof(path));
    return tfprof_profile_add_step(p, 7, path, err);
}

static int add_step_memory(tfprof_profile *p, const wire_bytes *run,
                           tfprof_error *err)
{
    return tfprof_profile_add_step_memory(p, 7, "run", run->data, run->size,
                                          err);
}

static int add_float_ops(tfprof_profile *p, const wire_bytes *run,
                         tfprof_error *err)
{
    int status = tfprof_profile_add_memory(p, "run", run->data, run->size,
                                           "run_meta_path", err);
    return status == TFPROF_OK ? tfprof_profile_add_float_ops(p, 0, err)
                               : status;
}

static int add_once(add_fn *add, const wire_bytes *run, counting *memory)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    tfprof_error err = { .code = TFPROF_OK };
    wire_bytes answer = { 0 };
    asking a = { .write = wire_keep, .context = &answer };
    int status = p ? add(p, run, &err) : TFPROF_ERR_NOMEM;
    memory->fail_at = 0;
    if (p)
        assert_int_equal(err.code, status);
    /* The profile still says what became of its input. */
    if (p)
        assert_ok(asking_info(p, "", &a, NULL));
    wire_free(&answer);
    tfprof_profile_free(p);
    counting_check(memory);
    return status;
}

TEST(ME_01_adding_fails_at_the_kth_allocation)
{
    static add_fn *const adds[] = { add_path, add_step, add_step_memory,
                                    add_float_ops };
    wire_bytes run = { 0 };
    sample_accelerated_run(&run);
    for (size_t i = 0; i < 2 * COUNT(adds); i++) {
        counting memory = { 0 };
        size_t k, most, taken = 0;
        int status;
        assert_ok(add_once(adds[i / 2], &run, &memory));
        most = memory.calls;
        while ((k = sweep_next(most, &taken)) > 0) {
            memory = (counting){ .fail_at = k, .from_then_on = i % 2 };
            status = add_once(adds[i / 2], &run, &memory);
            /* A larger window to detect a type is not required. */
            if (memory.refused > 0 && status != TFPROF_ERR_NOMEM &&
                (status != TFPROF_OK || i % 2 > 0))
                fail_msg("%zu, k = %zu: %d", i, k, status);
        }
    }
    wire_free(&run);
}
