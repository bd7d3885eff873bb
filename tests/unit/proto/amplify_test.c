/*
 * amplify_test.c - small things in large numbers, and large things of which
 * nothing is kept.
 *
 * Memory follows the rule of FAULTS section 0: 64 MiB and 8 bytes a byte read.
 */
#include "loading.h"
#include "samples.h"
#include "sanitized.h"
#include "walking.h"

/* Bytes of small things. The other build holds the memory against the rule; a
 * sanitizer, which takes ten times as long, sees the same in fewer. */
#if defined(TFP_SANITIZED)
enum { FILE_FLOOD = 2000000, RECORD_FLOOD = 400000 };
#else
enum { FILE_FLOOD = 10000000, RECORD_FLOOD = 2000000 };
#endif

/* A sound beginning, a pattern again and again, and an end. Nothing of it is
 * held, so it may be as long as it likes. */
typedef struct flood {
    tfp_span head, pattern, tail;
    int64_t patterns; /* bytes of them, a multiple of the pattern's size */
    int64_t at;
} flood;

static ptrdiff_t read_flood(void *self, void *buffer, size_t size,
                            tfprof_error *err)
{
    flood *f = self;
    int64_t head = (int64_t)f->head.size, middle = head + f->patterns;
    uint8_t *out = buffer;
    tfp_span rest;
    size_t n;
    (void)err;
    if (f->at >= head && f->at < middle) {
        size_t phase = (size_t)((f->at - head) % (int64_t)f->pattern.size);
        n = (int64_t)size < middle - f->at ? size : (size_t)(middle - f->at);
        if (f->pattern.size == 1) {
            memset(out, f->pattern.data[0], n);
        } else {
            for (size_t i = 0; i < n; i++) {
                out[i] = f->pattern.data[phase++];
                phase = phase < f->pattern.size ? phase : 0;
            }
        }
        f->at += (int64_t)n;
        return (ptrdiff_t)n;
    }
    if (f->at - middle == (int64_t)f->tail.size)
        return 0;
    rest = f->at < head
               ? (tfp_span){ f->head.data + f->at, (size_t)(head - f->at) }
               : (tfp_span){ f->tail.data + (f->at - middle),
                             f->tail.size - (size_t)(f->at - middle) };
    n = size < rest.size ? size : rest.size;
    memcpy(out, rest.data, n);
    f->at += (int64_t)n;
    return (ptrdiff_t)n;
}

/* Loads the flood and holds the memory against the rule. */
static void check_flood(const sample *s, flood *f, const char *what)
{
    loading l;
    size_t size = f->head.size + (size_t)f->patterns + f->tail.size;
    size_t allowed = ((size_t)64 << 20) + 8 * size;
    loading_init(&l);
    loading_add_source(&l, s->role, (tfp_source){ read_flood, f }, -1);
    if (l.status != TFPROF_OK && l.status != TFPROF_ERR_LIMIT)
        fail_msg("%s, %s: %s", s->name, what, l.err.message);
    if (l.status == TFPROF_ERR_LIMIT)
        assert_non_null(strstr(l.err.message, "--max_memory"));
    else
        assert_int_equal(f->at, size); /* all of it was read */
    if (l.counts.peak > allowed)
        fail_msg("%s, %s: %zu bytes are held, %zu allowed", s->name, what,
                 l.counts.peak, allowed);
    loading_release(&l);
}

TEST(PB_16_ten_megabytes_of_empty_messages)
{
    static const char *const patterns[] = { "0a 00", "12 00" };
    sample all[SAMPLE_MOST];
    size_t count = samples_binary(all);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t p = 0; p < 2; p++) {
            const tfp_field_spec *field = tfp_message_field(all[i].root, p + 1);
            wire_bytes pattern = { 0 };
            flood f;
            if (!field || !field->message)
                continue; /* not a file of that kind any more */
            f = (flood){ .head = wire_span(&all[i].bytes),
                         .patterns = FILE_FLOOD };
            wire_hex(&pattern, patterns[p]);
            f.pattern = wire_span(&pattern);
            check_flood(&all[i], &f, patterns[p]);
            wire_free(&pattern);
        }
    }
    samples_free(all, count);
}

/* Records inside one leaf: the fields that lead there, and the pattern. */
typedef struct inner_flood {
    int sample; /* as samples_binary() has them */
    uint32_t path[6];
    const char *pattern;
} inner_flood;

enum { GRAPH, META, SAVED, RUN, STEPS, LOG, PROFILE };

static const inner_flood inner_floods[] = {
    { GRAPH, { 1 }, "1a 00" },          /* inputs of a node */
    { GRAPH, { 1 }, "2a 00" },          /* attributes */
    { GRAPH, { 1, 5, 2, 1, 3 }, "01" }, /* a list of integers */
    { GRAPH, { 1, 5, 2, 1 }, "12 00" }, /* of strings */
    { GRAPH, { 1, 5, 2, 1 }, "3a 00" }, /* of shapes */
    { GRAPH, { 1, 5, 2, 1 }, "42 00" }, /* of tensors */
    { GRAPH, { 1, 5, 2, 1 }, "4a 00" }, /* of functions */
    { GRAPH, { 1, 5, 2, 7 }, "12 00" }, /* the dims of a shape */
    { GRAPH, { 1, 5, 2, 8, 7 }, "01" }, /* a constant's values */
    { GRAPH, { 2 }, "0a 00" },          /* functions */
    { GRAPH, { 2, 1 }, "1a 00" },       /* nodes of a function */
    { GRAPH, { 2, 1 }, "22 00" },       /* its results */
    { GRAPH, { 2, 1, 1 }, "12 00" },    /* its arguments */
    { META, { 1 }, "22 00" },           /* tags */
    { META, { 5, 2 }, "0a 00" },        /* inputs of a signature */
    { META, { 4, 2, 2 }, "0a 00" },     /* a collection */
    { META, { 7 }, "0a 00" },           /* objects */
    { META, { 7 }, "0a 02 3a 00" },     /* variables */
    { SAVED, { 2 }, "2a 00" },          /* signatures */
    { SAVED, { 0 }, "12 02 12 00" },    /* meta graphs */
    { RUN, { 1 }, "0a 00" },            /* devices */
    { RUN, { 1, 1 }, "12 00" },         /* records */
    { RUN, { 1, 1, 2 }, "32 00" },      /* allocators of a record */
    { RUN,
      { 1, 1, 2, 6 }, /* allocations of one, on a GPU */
      "32 00 32 00 32 00 32 00 32 00 32 00 32 00 32 00 0a 03 47 50 55" },
    { RUN, { 1, 1, 2 }, "3a 02 1a 00" },  /* outputs */
    { LOG, { 1 }, "1a 00" },              /* types */
    { LOG, { 1, 4 }, "0a 00" },           /* frames */
    { PROFILE, { 1, 2 }, "12 00" },       /* inputs */
    { PROFILE, { 1, 2 }, "72 00" },       /* their output numbers */
    { PROFILE, { 1, 2 }, "7a 00" },       /* shapes of outputs */
    { PROFILE, { 1, 2, 4 }, "01" },       /* a shape */
    { PROFILE, { 1, 2 }, "62 02 12 00" }, /* runs */
    { PROFILE, { 1, 2, 12, 2 }, "2a 04 12 02 0a 00" }, /* times */
    { PROFILE, { 1, 2, 12, 2 }, "3a 00" },             /* memory */
    { PROFILE, { 1, 2, 12, 2, 7 }, "5a 00" },          /* blocks */
    { PROFILE, { 1, 2, 12, 2 }, "5a 00" },             /* allocations */
    { PROFILE, { 3 }, "00" },                          /* steps, all the same */
};

TEST(PB_16_two_megabytes_inside_one_record)
{
    sample all[SAMPLE_MOST];
    size_t count = samples_binary(all);
    for (size_t i = 0; i < COUNT(inner_floods); i++) {
        const inner_flood *inner = &inner_floods[i];
        const sample *s = &all[inner->sample];
        wire_bytes pattern = { 0 }, head = { 0 }, whole = { 0 };
        flood f = { 0 };
        char what[64];
        size_t depth = 0;
        wire_hex(&pattern, inner->pattern);
        f.patterns = RECORD_FLOOD / (int64_t)pattern.size *
                     (int64_t)pattern.size;
        while (depth < 6 && inner->path[depth] != 0)
            depth++;
        for (size_t d = depth; d-- > 0;) { /* from the inside out */
            wire_bytes outer = { 0 };
            wire_tag(&outer, inner->path[d], 2);
            wire_varint(&outer, head.size + (size_t)f.patterns);
            wire_raw(&outer, head.data, head.size);
            wire_free(&head);
            head = outer;
        }
        wire_raw(&whole, s->bytes.data, s->bytes.size);
        wire_raw(&whole, head.data, head.size);
        f.head = wire_span(&whole);
        f.pattern = wire_span(&pattern);
        snprintf(what, sizeof(what), "case %zu, %s", i, inner->pattern);
        check_flood(s, &f, what);
        wire_free(&head);
        wire_free(&whole);
        wire_free(&pattern);
    }
    samples_free(all, count);
}

/* An output's number says how long the list of shapes is to be. */
TEST(PB_16_a_number_alone_makes_no_list)
{
    wire_bytes b = { 0 };
    loading l;
    for (int key = 0; key < 2000; key++)
        wire_put(&b, "1{1:%d 2{9'Op' 15{1:%d} 15{1:1}}}", key, 65535 - key % 2);
    loading_init(&l);
    assert_ok(loading_add(&l, "profile_path", wire_span(&b)));
    assert_int_equal(loading_counts(&l)->nodes, 2000);
    assert_true(tfp_arena_held(&l.model.lists.arena) < 10000);
    loading_release(&l);
    wire_free(&b);
}

/* ---- PB-20 -------------------------------------------------------------- */

static const int64_t past_4_gib = ((int64_t)1 << 32) + ((int64_t)1 << 29);

TEST(PB_20_offsets_past_4_GiB_are_right)
{
    static const uint8_t zero[1] = { 0 };
    wire_bytes head = { 0 }, tail = { 0 };
    flood f = { .pattern = { zero, 1 }, .patterns = past_4_gib };
    loading l;
    size_t step;
    wire_tag(&head, 77, 2); /* nobody knows this field */
    wire_varint(&head, (uint64_t)past_4_gib);
    step = wire_open(&tail, 1);
    sample_step_stats(&tail);
    wire_close(&tail, step);
    for (int damaged = 0; damaged < 2; damaged++) {
        f.head = wire_span(&head);
        f.tail = wire_span(&tail);
        f.at = 0;
        loading_init(&l);
        loading_add_source(&l, "run_meta_path", (tfp_source){ read_flood, &f },
                           -1);
        assert_int_equal(l.status, damaged ? TFPROF_ERR_MALFORMED : TFPROF_OK);
        assert_int_equal(loading_counts(&l)->run_records, 3);
        assert_int_equal(l.model.inputs.data[0].bytes_read,
                         (int64_t)(head.size + tail.size) + past_4_gib);
        if (damaged)
            assert_int_equal(l.err.offset,
                             (int64_t)(head.size + tail.size) + past_4_gib - 1);
        assert_true(l.counts.peak < 8 << 20);
        loading_release(&l);
        wire_byte(&tail, 0); /* field number 0 as the last byte */
    }
    wire_free(&head);
    wire_free(&tail);
}

/* Levels that are longer than 4 GiB end where they should. */
TEST(PB_20_a_container_of_more_than_4_GiB_is_entered)
{
    static const uint8_t zero[1] = { 0 };
    wire_bytes head = { 0 }, tail = { 0 }, inside = { 0 };
    flood f = { .pattern = { zero, 1 }, .patterns = past_4_gib };
    walking w;
    wire_tag(&inside, 77, 2);
    wire_varint(&inside, (uint64_t)past_4_gib);
    wire_tag(&head, 1, 2); /* step_stats */
    wire_varint(&head, inside.size + (uint64_t)past_4_gib);
    wire_raw(&head, inside.data, inside.size);
    wire_int(&tail, 99, 1); /* again outside */
    wire_free(&inside);
    f.head = wire_span(&head);
    f.tail = wire_span(&tail);
    w = walking_over(&tfp_RunMetadata, (tfp_source){ read_flood, &f }, -1, 100);
    assert_ok(w.status);
    assert_int_equal(w.enters, 1);
    assert_int_equal(w.unknown_fields, 2);
    f.patterns--; /* a byte less: the file ends inside */
    f.tail.size = 0;
    f.at = 0;
    w = walking_over(&tfp_RunMetadata, (tfp_source){ read_flood, &f }, -1, 100);
    assert_int_equal(w.status, TFPROF_ERR_MALFORMED);
    wire_free(&head);
    wire_free(&tail);
}
