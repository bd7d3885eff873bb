/*
 * nesting_test.c - one counter of open messages, whatever they are.
 *
 * All of it runs on a stack of 256 KiB: what is deep in a file must not be
 * deep in the program.
 */
#include "loading.h"
#include "samples.h"
#include "walking.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WIDE_FRAMES
#endif
#endif

#if defined(WIDE_FRAMES) || defined(__SANITIZE_ADDRESS__)
enum {
    SUITE_STACK = 1 << 20
}; /* a sanitizer's frames are several times as wide */
#else
enum { SUITE_STACK = 256 << 10 };
#endif

/* ---- Chains of messages ------------------------------------------------- */

enum { MESSAGES_MOST = 512 };

static bool is_endless[MESSAGES_MOST]; /* can be nested without end */

static size_t index_of(const tfp_message *m)
{
    size_t i = 0;
    while (tfp_all_messages[i] != m)
        i++;
    return i;
}

/* The first field that leads on without end, or NULL. */
static const tfp_field_spec *onward(const tfp_message *m)
{
    for (size_t f = 0; f < m->count; f++) {
        const tfp_message *inner = m->fields[f].message;
        if (inner && is_endless[index_of(inner)])
            return &m->fields[f];
    }
    return NULL;
}

/* Takes away what has no way on, until nothing changes. */
static size_t find_endless(void)
{
    size_t left = tfp_all_message_count, before;
    assert_true(left <= MESSAGES_MOST);
    memset(is_endless, true, left);
    do {
        before = left;
        for (size_t i = 0; i < tfp_all_message_count; i++) {
            if (is_endless[i] && !onward(tfp_all_messages[i])) {
                is_endless[i] = false;
                left--;
            }
        }
    } while (left != before);
    return left;
}

/* Bytes that nest `levels` messages under `root`, the innermost empty. Made
 * from the inside out, so it is quick for any number. */
static wire_bytes nest(const tfp_message *root, int levels, tfp_span innermost)
{
    const tfp_field_spec **path = calloc((size_t)levels + 1, sizeof(*path));
    uint8_t *buffer = malloc((size_t)levels * 16 + innermost.size + 1);
    size_t room = (size_t)levels * 16 + innermost.size, at = room;
    wire_bytes out = { 0 };
    const tfp_message *m = root;
    assert_true(path && buffer);
    for (int i = 0; i < levels; i++) {
        path[i] = onward(m);
        assert_non_null(path[i]);
        m = path[i]->message;
    }
    at -= innermost.size;
    if (innermost.size > 0)
        memcpy(buffer + at, innermost.data, innermost.size);
    for (int i = levels; i-- > 0;) {
        wire_bytes head = { 0 };
        wire_tag(&head, path[i]->number, 2);
        wire_varint(&head, room - at);
        at -= head.size;
        memcpy(buffer + at, head.data, head.size);
        wire_free(&head);
    }
    wire_raw(&out, buffer + at, room - at);
    free(buffer);
    free(path);
    return out;
}

/* `0b` so many times, and as many `0c` when they are to be closed. */
static wire_bytes groups(int count, bool closed)
{
    wire_bytes b = { 0 };
    for (int i = 0; i < count; i++)
        wire_byte(&b, 0x0b);
    for (int i = 0; i < count && closed; i++)
        wire_byte(&b, 0x0c);
    return b;
}

static void check_depth(const tfp_message *root, const wire_bytes *b, int limit,
                        bool accepted)
{
    walking w = walking_of(root, wire_span(b), limit);
    char expected[64];
    snprintf(expected, sizeof(expected), "nesting deeper than %d ", limit);
    if (accepted && w.status != TFPROF_OK)
        fail_msg("%s: %s", root->name, w.err.message);
    if (accepted)
        return;
    assert_int_equal(w.status, TFPROF_ERR_MALFORMED);
    if (!strstr(w.err.message, expected) || w.err.offset < 0 ||
        w.err.offset > (int64_t)b->size)
        fail_msg("%s: %s", root->name, w.err.message);
}

FIXTURE(loading, l);

TEST(PB_09_messages_are_refused_past_the_limit)
{
    static const int limits[] = { 1, 2, 3, 17, 100, TFP_MOST_DEPTH };
    assert_true(find_endless() > 20);
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *root = tfp_all_messages[i];
        if (!is_endless[i])
            continue;
        EACH(row, limits) {
            for (int over = -1; over <= 1; over++) {
                wire_bytes b = nest(root, *row + over, (tfp_span){ 0 });
                check_depth(root, &b, *row, over <= 0);
                wire_free(&b);
            }
        }
    }
}

TEST(PB_09_ten_thousand_levels_are_refused)
{
    find_endless();
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        wire_bytes b;
        if (!is_endless[i])
            continue;
        b = nest(tfp_all_messages[i], 10000, (tfp_span){ 0 });
        check_depth(tfp_all_messages[i], &b, 100, false);
        check_depth(tfp_all_messages[i], &b, TFP_MOST_DEPTH, false);
        wire_free(&b);
    }
}

/* GraphDef, node, attr, value, then func, attr, value again and again. */
static wire_bytes nested_functions(int levels, const char *name)
{
    static const uint32_t path[] = { 1, 5, 2 }, again[] = { 10, 2, 2 };
    wire_bytes b = { 0 };
    for (int i = levels; i-- > 0;) {
        wire_bytes outer = { 0 };
        uint32_t number = i < 3 ? path[i] : again[i % 3];
        if (number == 10 && i + 1 < levels)
            wire_text(&b, 1, name); /* of this function */
        if (i == 0)
            wire_text(&b, 1, name);
        wire_field(&outer, number, b.data, b.size);
        wire_free(&b);
        b = outer;
    }
    return b;
}

TEST(PB_09_functions_in_attributes_are_refused_at_101)
{
    for (int levels = 98; levels <= 103; levels++) {
        wire_bytes b = nested_functions(levels, "f");
        restart();
        loading_add(&l, "graph_path", wire_span(&b));
        assert_int_equal(l.status,
                         levels > 100 ? TFPROF_ERR_MALFORMED : TFPROF_OK);
        if (levels > 100)
            assert_non_null(strstr(l.err.message, "nesting deeper than 100"));
        assert_int_equal(l.model.nodes.count, levels > 100 ? 0 : 1);
        wire_free(&b);
    }
}

TEST(PB_09_the_limit_can_be_raised_to_its_most)
{
    for (int over = 0; over <= 1; over++) {
        wire_bytes b = nested_functions(TFP_MOST_DEPTH + over, "f");
        restart();
        l.context.max_depth = TFP_MOST_DEPTH;
        assert_int_equal(loading_add(&l, "graph_path", wire_span(&b)),
                         over ? TFPROF_ERR_MALFORMED : TFPROF_OK);
        wire_free(&b);
    }
}

TEST(PB_10_unknown_groups_are_counted_alike)
{
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        for (int count = 99; count <= 101; count++) {
            wire_bytes b = groups(count, true);
            check_depth(m, &b, 100, count <= 100);
            wire_free(&b);
        }
    }
}

TEST(PB_10_a_hundred_thousand_groups_are_refused)
{
    for (int closed = 0; closed <= 1; closed++) {
        wire_bytes b = groups(100000, closed);
        for (size_t i = 0; i < tfp_all_message_count; i++) {
            check_depth(tfp_all_messages[i], &b, 100, false);
            check_depth(tfp_all_messages[i], &b, TFP_MOST_DEPTH, false);
        }
        wire_free(&b);
    }
}

TEST(PB_10_messages_and_groups_share_one_counter)
{
    static const int known[] = { 1, 2, 5, 50, 99, 100 };
    find_endless();
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *root = tfp_all_messages[i];
        for (size_t k = 0; is_endless[i] && k < 6; k++) {
            for (int over = 0; over <= 100; over += over ? 99 : 1) {
                wire_bytes inside = groups(100 - known[k] + over, true);
                wire_bytes b = nest(root, known[k], wire_span(&inside));
                check_depth(root, &b, 100, over == 0);
                wire_free(&b);
                wire_free(&inside);
            }
        }
    }
}

/* The same bytes again, one level deeper: what the caches of the reader know
 * to be sound up here is too deep down there. */
TEST(PB_10_bytes_seen_before_are_counted_again)
{
    wire_bytes shallow = nested_functions(100, "f"), b = { 0 };
    size_t library = wire_open(&b, 2), function = wire_open(&b, 1);
    wire_tag(&b, 3, 2); /* node_def, two levels below the graph */
    wire_raw(&b, shallow.data + 1, shallow.size - 1);
    wire_close(&b, function);
    wire_close(&b, library);
    assert_ok(loading_add(&l, "graph_path", wire_span(&shallow)));
    restart();
    assert_int_equal(loading_add(&l, "graph_path", wire_span(&b)),
                     TFPROF_ERR_MALFORMED);
    wire_raw(&shallow, b.data, b.size);
    restart();
    assert_int_equal(loading_add(&l, "graph_path", wire_span(&shallow)),
                     TFPROF_ERR_MALFORMED);
    assert_non_null(strstr(l.err.message, "nesting deeper than 100"));
    wire_free(&shallow);
    wire_free(&b);
}

/* ---- PB-11 -------------------------------------------------------------- */

TEST(PB_11_a_million_nested_values_are_freed)
{
    enum { NODES = 10000, LEVELS = 100 };
    wire_bytes all = { 0 };
    for (int i = 0; i < NODES; i++) {
        char name[16];
        wire_bytes b;
        snprintf(name, sizeof(name), "%x", i); /* so that none is shared */
        b = nested_functions(LEVELS, name);
        wire_raw(&all, b.data, b.size);
        wire_free(&b);
    }
    l.context.max_memory = (int64_t)4 << 30;
    assert_ok(loading_add(&l, "graph_path", wire_span(&all)));
    assert_int_equal(l.model.nodes.count, NODES);
    assert_true(tfp_interner_count(&l.model.functions) > NODES * 30);
    wire_free(&all);
}

TEST(PB_11_a_call_stack_of_a_million_frames_is_freed)
{
    enum { FRAMES = 1000000 };
    wire_bytes b = { 0 };
    size_t entry = wire_open(&b, 1), code, depth = 0;
    tfp_stack stack;
    wire_text(&b, 1, "n");
    code = wire_open(&b, 4);
    for (int64_t i = 0; i < FRAMES; i++) {
        size_t frame = wire_open(&b, 1);
        wire_int(&b, 2, i);
        wire_close(&b, frame);
    }
    wire_close(&b, code);
    wire_close(&b, entry);
    l.context.max_memory = (int64_t)4 << 30;
    assert_ok(loading_add(&l, "op_log_path", wire_span(&b)));
    stack = l.model.waiting.data[0].trace;
    for (; stack != 0; depth++)
        (void)tfp_stack_top(&l.model, stack, &stack);
    assert_int_equal(depth, FRAMES);
    wire_free(&b);
}
