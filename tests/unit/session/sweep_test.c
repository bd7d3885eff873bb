/*
 * sweep_test.c - every allocation and every read fails once, in turn.
 *
 * Scenarios as a customer of the library has them: samples and the small
 * files of tests/data, alone, packed, damaged and all together, then what is
 * told about them as text and as JSON. Each is run once with nothing failing,
 * and then with the k-th call failing, alone or with all that follow.
 *
 * The ordinary run takes 25 random k of each scenario, the same in every
 * run, or others by TFPROF_SEED; TFPROF_SLOW=1 takes every k.
 */
#include "samples.h"
#include "sweeping.h"

/* ---- Scenarios ---------------------------------------------------------- */

typedef struct scenario {
    const sample *samples;
    size_t count;
    size_t cut; /* bytes taken off the end of each */
    bool salvage, json;
} scenario;

/* How the reads of a scenario go. */
typedef struct reads {
    size_t calls;
    size_t fail_at; /* from 1; 0 never */
    bool from_then_on;
    size_t piece; /* bytes a read gives at most */
    bool failed;
} reads;

typedef struct read_file {
    reads *reads;
    tfp_span rest;
} read_file;

static ptrdiff_t read_some(void *context, void *buffer, size_t size)
{
    read_file *f = context;
    reads *r = f->reads;
    size_t n = size < r->piece ? size : r->piece;
    r->calls++;
    if (r->fail_at > 0 &&
        (r->from_then_on ? r->calls >= r->fail_at : r->calls == r->fail_at)) {
        r->failed = true;
        return TFPROF_ERR_IO;
    }
    n = n < f->rest.size ? n : f->rest.size;
    if (n > 0)
        memcpy(buffer, f->rest.data, n);
    f->rest.data += n;
    f->rest.size -= n;
    return (ptrdiff_t)n;
}

typedef struct outcome {
    bool no_profile;       /* not even that could be made */
    int codes[9];          /* how many inputs had the code -i */
    int written;           /* status of write_info() */
    wire_bytes answer;     /* what it wrote */
    size_t calls, growths; /* of the allocator */
} outcome;

static void note_code(outcome *o, int code)
{
    assert_in_range(-code, 0, 8);
    o->codes[-code]++;
}

/* Runs a scenario to its end, whatever fails, and gives everything back. */
static outcome run(const scenario *s, counting *memory, reads *r)
{
    outcome o = { 0 };
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    o.no_profile = !p;
    for (size_t i = 0; p && i < s->count; i++) {
        const sample *one = &s->samples[i];
        size_t cut = s->cut < one->bytes.size ? s->cut : 0;
        read_file f = { r, { one->bytes.data, one->bytes.size - cut } };
        tfprof_error err = { .code = TFPROF_OK };
        int status;
        tfprof_profile_set(p, "salvage", s->salvage ? "true" : "false", NULL);
        tfprof_profile_set(p, "format", s->json ? "json" : "text", NULL);
        status = tfprof_profile_add_callback(p, one->name, read_some, &f,
                                             one->role, &err);
        assert_int_equal(err.code, status);
        assert_int_equal(err.message[0] == '\0', status == TFPROF_OK);
        note_code(&o, status);
    }
    if (p)
        o.written = tfprof_profile_write_info(p, wire_keep, &o.answer, NULL);
    for (size_t i = 0; p && i < tfprof_profile_input_count(p); i++) {
        char name[100];
        tfprof_profile_input_name(p, i, name, sizeof(name));
        tfprof_profile_input_status(p, i, NULL, NULL);
    }
    tfprof_profile_free(p);
    counting_check(memory);
    o.calls = memory->calls;
    o.growths = memory->growths;
    return o;
}

static outcome run_quietly(const scenario *s)
{
    counting memory = { 0 };
    reads r = { .piece = SIZE_MAX };
    return run(s, &memory, &r);
}

/* The answer without the line about memory, which differs from run to run. */
static bool same_answer(const outcome *a, const outcome *b)
{
    static const char line[] = "\"peak_memory_bytes\"";
    tfp_span x = wire_span(&a->answer), y = wire_span(&b->answer);
    for (size_t i = 0; i + sizeof(line) < x.size; i++) {
        if (!memcmp(x.data + i, line, sizeof(line) - 1))
            x.size = i;
    }
    for (size_t i = 0; i + sizeof(line) < y.size; i++) {
        if (!memcmp(y.data + i, line, sizeof(line) - 1))
            y.size = i;
    }
    return tfp_span_equal(x, y);
}

/* A run after a failed one goes as if nothing had been. */
static void check_usable(const scenario *s, const outcome *quiet)
{
    outcome again = run_quietly(s);
    assert_memory_equal(again.codes, quiet->codes, sizeof(quiet->codes));
    assert_true(same_answer(&again, quiet));
    wire_free(&again.answer);
}

/* ---- All of them --------------------------------------------------------- */

/* Calls `each` for every scenario. */
static size_t for_all_scenarios(size_t (*each)(const scenario *))
{
    sample all[SAMPLE_MOST];
    size_t count = samples_all(all), failures = 0, scenarios = 0;
    for (size_t i = 0; i <= count; i++) {
        for (int variant = 0; variant < 3; variant++) {
            scenario s = { .samples = i < count ? &all[i] : all,
                           .count = i < count ? 1 : count,
                           .cut = variant == 2 ? 9 : 0,
                           .salvage = variant == 2,
                           .json = variant == 1 };
            /* Single files: as text; those of the other forms are enough. */
            if (variant == 1 && i > 0 && i < count)
                continue;
            failures += each(&s);
            scenarios++;
        }
    }
    print_message("%zu scenarios, %zu failures\n", scenarios, failures);
    assert_true(failures > scenarios);
    samples_free(all, count);
    return failures;
}

/* ---- Memory ------------------------------------------------------------- */

/* An input that found no memory says so, and no other code is new. (What may
 * fail without harm, the table of recent finds, is not made for files as small
 * as these.) */
static void check_nomem(const outcome *o, const outcome *quiet, size_t k)
{
    if (o->no_profile)
        return;
    if (o->codes[-TFPROF_ERR_NOMEM] == 0 && o->written != TFPROF_ERR_NOMEM)
        fail_msg("k = %zu: memory ran out and nobody says so", k);
    for (int c = 0; c < 9; c++) {
        if (c != -TFPROF_ERR_NOMEM && o->codes[c] > quiet->codes[c])
            fail_msg("k = %zu: %d instead of NOMEM", k, -c);
    }
    /* What the files are is told all the same. */
    assert_true(o->written == TFPROF_OK || o->written == TFPROF_ERR_NOMEM);
}

static size_t sweep_memory(const scenario *s, bool from_then_on,
                           bool growths_only)
{
    outcome quiet = run_quietly(s);
    size_t most = growths_only ? quiet.growths : quiet.calls;
    size_t k, taken = 0, failures = 0;
    while ((k = sweep_next(most, &taken)) > 0) {
        counting memory = { .fail_at = k,
                            .from_then_on = from_then_on,
                            .growths_only = growths_only };
        reads r = { .piece = SIZE_MAX };
        outcome o = run(s, &memory, &r);
        assert_true(memory.refused > 0);
        assert_true(from_then_on || memory.refused == 1);
        check_nomem(&o, &quiet, k);
        wire_free(&o.answer);
        failures++;
    }
    check_usable(s, &quiet);
    wire_free(&quiet.answer);
    return failures;
}

static size_t once(const scenario *s)
{
    return sweep_memory(s, false, false);
}

static size_t from_then_on(const scenario *s)
{
    return sweep_memory(s, true, false);
}

static size_t growth_once(const scenario *s)
{
    return sweep_memory(s, false, true);
}

TEST(ME_01_the_kth_allocation_fails)
{
    for_all_scenarios(once);
}

TEST(ME_02_the_kth_and_all_later_allocations_fail)
{
    for_all_scenarios(from_then_on);
}

TEST(ME_03_the_kth_growth_fails)
{
    for_all_scenarios(growth_once);
}

static size_t one_in_32(const scenario *s)
{
    outcome quiet = run_quietly(s);
    size_t failures = 0;
    for (int i = 0; i < (sweep_is_full() ? 1000 : 20); i++) {
        counting memory = { .one_in = 32, .state = sweep_random() | 1 };
        reads r = { .piece = SIZE_MAX };
        outcome o = run(s, &memory, &r);
        if (memory.refused > 0)
            check_nomem(&o, &quiet, 0);
        wire_free(&o.answer);
        failures += memory.refused > 0;
    }
    check_usable(s, &quiet);
    wire_free(&quiet.answer);
    return failures;
}

TEST(ME_04_one_allocation_in_32_fails)
{
    for_all_scenarios(one_in_32);
}

/* ---- Reads -------------------------------------------------------------- */

static size_t sweep_reads(const scenario *s, bool all_later, size_t piece)
{
    outcome quiet = run_quietly(s), o;
    counting memory = { 0 };
    reads r = { .piece = piece };
    size_t k, most, taken = 0, failures = 0;
    o = run(s, &memory, &r); /* short reads alone change nothing */
    assert_memory_equal(o.codes, quiet.codes, sizeof(o.codes));
    assert_true(same_answer(&o, &quiet));
    wire_free(&o.answer);
    most = r.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        memory = (counting){ 0 };
        r = (reads){ .fail_at = k, .from_then_on = all_later, .piece = piece };
        o = run(s, &memory, &r);
        assert_true(r.failed);
        assert_ok(o.written);
        if (o.codes[-TFPROF_ERR_IO] == 0)
            fail_msg("%s: read %zu failed and nobody says so",
                     s->samples[0].name, k);
        if (!all_later)
            assert_int_equal(o.codes[-TFPROF_ERR_IO], 1);
        wire_free(&o.answer);
        failures++;
    }
    check_usable(s, &quiet);
    wire_free(&quiet.answer);
    return failures;
}

static size_t reads_once(const scenario *s)
{
    return sweep_reads(s, false, 97);
}

static size_t reads_from_then_on(const scenario *s)
{
    return sweep_reads(s, true, 97);
}

/* Each file alone: together they would only be read one after the other. */
static size_t reads_of_one_byte(const scenario *s)
{
    return s->count == 1 ? sweep_reads(s, false, 1) : 0;
}

TEST(IN_05_the_kth_read_fails)
{
    for_all_scenarios(reads_once);
}

TEST(IN_05_the_kth_and_all_later_reads_fail)
{
    for_all_scenarios(reads_from_then_on);
}

TEST(IN_05_the_kth_read_of_one_byte_fails)
{
    for_all_scenarios(reads_of_one_byte);
}
