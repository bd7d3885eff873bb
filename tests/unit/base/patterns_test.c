/*
 * patterns_test.c - regular expressions: what they match, their mistakes,
 * their limits, and a slow matcher that agrees with them.
 *
 * TFPROF_SLOW=1 compares a hundred million pairs; TFPROF_SEED gives others.
 */
#include "counting.h"

#include <time.h>

#include "view/patterns.h"

enum { MOST_WORDS = 8 };

typedef struct fixture {
    counting counts;
    tfp_memory memory;
    tfp_patterns patterns;
    tfprof_error err;
} fixture;

/* `list` ends in NULL. */
static int begin(fixture *f, const char *const *list)
{
    char data[MOST_WORDS * 5000];
    tfp_words words = { .data = data };
    int status;
    tfp_memory_init(&f->memory, counting_resize, &f->counts);
    for (; list[words.count]; words.count++) {
        size_t size = strlen(list[words.count]) + 1;
        assert_true(size <= sizeof(data) - words.size);
        memcpy(data + words.size, list[words.count], size);
        words.size += size;
    }
    status = tfp_patterns_init(&f->patterns, &f->memory, "show_name_regexes",
                               &words, &f->err);
    memset(data, '?', sizeof(data)); /* the words may go */
    return status;
}

static int begin_one(fixture *f, const char *pattern)
{
    const char *list[] = { pattern, NULL };
    *f = (fixture){ .counts = { 0 } };
    return begin(f, list);
}

static void end(fixture *f)
{
    tfp_patterns_release(&f->patterns);
    tfp_patterns_release(&f->patterns);
    assert_int_equal(f->memory.held, 0);
    counting_check(&f->counts);
}

static bool match(fixture *f, const char *name)
{
    return tfp_patterns_match(&f->patterns, tfp_span_of(name));
}

static bool one_matches(const char *pattern, const char *name)
{
    fixture f;
    bool found;
    assert_ok(begin_one(&f, pattern));
    found = match(&f, name);
    assert_ok(f.patterns.status);
    end(&f);
    return found;
}

/* ---- What matches ------------------------------------------------------- */

TEST(a_pattern_must_match_the_whole_name)
{
    assert_true(one_matches("conv.*", "conv1/kernel"));
    assert_false(one_matches("conv", "conv1"));
    assert_false(one_matches("onv1", "conv1"));
    assert_true(one_matches("conv1", "conv1"));
    assert_false(one_matches("a.c", "xa.c"));
    assert_true(one_matches("a|ab", "ab")); /* the first branch is too short */
    assert_true(one_matches("(a|ab)(c|bcd)", "abcd"));
    assert_true(one_matches("a*?", "aaa"));
    assert_false(one_matches("a$", "a\n"));
    assert_false(one_matches("a$\n", "a\n")); /* "$" is the very end */
    assert_false(one_matches(".*x", "a\nx")); /* "." is no newline */
    assert_true(one_matches("(?s).*x", "a\nx"));
    assert_false(one_matches("a(*ACCEPT)b", "ac"));
    assert_true(one_matches("a\\Kb", "ab"));
    assert_true(one_matches("", ""));
    assert_false(one_matches("", "a"));
}

TEST(text_that_stands_for_itself_is_compared)
{
    fixture f;
    assert_ok(begin_one(&f, "a]b}-/_:~&#!,<>=\"' "));
    assert_int_equal(f.counts.calls, 1); /* PCRE2 was not asked */
    assert_true(match(&f, "a]b}-/_:~&#!,<>=\"' "));
    assert_false(match(&f, "a]b}-/_:~&#!,<>=\"'"));
    assert_false(tfp_patterns_match(&f.patterns, (tfp_span){ NULL, 0 }));
    end(&f);
}

TEST(an_empty_list_matches_nothing)
{
    const char *none[] = { NULL };
    fixture f = { .counts = { 0 } };
    assert_ok(begin(&f, none));
    assert_false(f.patterns.any);
    assert_false(match(&f, "a"));
    assert_false(match(&f, ""));
    end(&f);
}

TEST(any_of_a_list_is_enough)
{
    const char *list[] = { "a.*", "literal", ".*\\.c", NULL };
    fixture f = { .counts = { 0 } };
    assert_ok(begin(&f, list));
    assert_true(match(&f, "abc"));
    assert_true(match(&f, "literal"));
    assert_true(match(&f, "file.c"));
    assert_false(match(&f, "file.h"));
    assert_false(tfp_patterns_match(&f.patterns, (tfp_span){ NULL, 0 }));
    end(&f);
}

/* Upstream looks for that one word and asks no further: newlines and bytes
 * that are not UTF-8 pass it, and nothing else of the same meaning. */
TEST(only_the_one_word_dot_star_is_any)
{
    const char *two[] = { ".*", ".*", NULL };
    fixture f;
    assert_ok(begin_one(&f, ".*"));
    assert_true(f.patterns.any);
    assert_int_equal(f.counts.calls, 0);
    assert_true(match(&f, "a\nb"));
    assert_true(match(&f, "\xff"));
    assert_true(match(&f, ""));
    end(&f);
    assert_ok(begin_one(&f, "(.*)"));
    assert_false(f.patterns.any);
    assert_true(match(&f, ""));
    assert_false(match(&f, "a\nb"));
    end(&f);
    assert_ok(begin(&f, two));
    assert_false(f.patterns.any);
    assert_false(match(&f, "\xff"));
    end(&f);
}

/* The same from PCRE2's machine code and from its interpreter. */
TEST(bytes_that_are_not_utf8_match_nothing)
{
    static const char *const patterns[] = { "a.*",  ".*a",  "[^b]*", "a",
                                            "\\X*", "(a)?", "a\\K",  "\\W*" };
    static const char *const names[] = { "a\xff",
                                         "\xff"
                                         "a",
                                         "\xff",
                                         "a\xff"
                                         "a",
                                         "\xc3",
                                         "a\xc3(",
                                         "\xed\xa0\x80",
                                         "\xf5\x80\x80\x80" };
    EACH(row, patterns) {
        EACH(c, names) {
            char interpreted[32];
            snprintf(interpreted, sizeof(interpreted), "(*NO_JIT)%s", *row);
            assert_false(one_matches(*row, *c));
            assert_false(one_matches(interpreted, *c));
        }
    }
    assert_true(one_matches(".", "\xc3\xa9")); /* one character */
    assert_true(one_matches("\xc3\xa9", "\xc3\xa9"));
    assert_false(one_matches("..", "\xc3\xa9"));
}

TEST(a_nul_in_a_name_is_a_byte_like_others)
{
    static const uint8_t name[] = { 'a', 0, 'b' };
    fixture f;
    assert_ok(begin_one(&f, "a.b"));
    assert_true(tfp_patterns_match(&f.patterns, (tfp_span){ name, 3 }));
    assert_false(tfp_patterns_match(&f.patterns, (tfp_span){ name, 2 }));
    end(&f);
    assert_ok(begin_one(&f, "a"));
    assert_false(tfp_patterns_match(&f.patterns, (tfp_span){ name, 2 }));
    end(&f);
}

/* ---- Mistakes ----------------------------------------------------------- */

TEST(RX_01_a_mistake_is_told_with_its_place)
{
    static const struct {
        const char *pattern, *message;
    } table[] = {
        { "(", "missing closing parenthesis at byte 2 of '('" },
        { "(abc", "missing closing parenthesis at byte 5 of '(abc'" },
        { "a)b", "unmatched closing parenthesis at byte 2 of 'a)b'" },
        { "[", "missing terminating ] for character class at byte 2 of '['" },
        { "a{2,1}",
          "numbers out of order in {} quantifier at byte 6 of 'a{2,1}'" },
        { "*", "quantifier does not follow a repeatable item at byte 1 of "
               "'*'" },
        { "ab**", "quantifier does not follow a repeatable item at byte 4 of "
                  "'ab**'" },
        { "\\", "\\ at end of pattern at byte 2 of '\\'" },
        { "(?P<", "subpattern name expected at byte 5 of '(?P<'" },
        { "\xff", "UTF-8 error: illegal byte (0xfe or 0xff) at byte 1 of "
                  "'\xff'" },
        { "ab\xc3(", "UTF-8 error: byte 2 top bits not 0x80 at byte 3 of "
                     "'ab\xc3('" },
        { "a\\C", "using \\C is disabled by the application at byte 4 of "
                  "'a\\C'" },
    };
    EACH(row, table) {
        char wanted[256];
        fixture f;
        assert_int_equal(begin_one(&f, row->pattern), TFPROF_ERR_OPTION);
        snprintf(wanted, sizeof(wanted), "--show_name_regexes: %s",
                 row->message);
        assert_string_equal(f.err.message, wanted);
        assert_int_equal(f.err.code, TFPROF_ERR_OPTION);
        assert_int_equal(f.err.offset, -1);
        assert_null(f.patterns.items);
        assert_false(match(&f, "a"));
        end(&f);
    }
}

TEST(RX_01_a_mistake_behind_good_patterns_releases_them)
{
    const char *list[] = { "a.*", "b", "c+", "(?P<", NULL };
    fixture f = { .counts = { 0 } };
    assert_int_equal(begin(&f, list), TFPROF_ERR_OPTION);
    end(&f);
}

TEST(RX_01_look_around_and_back_references_are_allowed)
{
    assert_true(one_matches("(?!.*gradients).*conv.*", "net/conv1"));
    assert_false(one_matches("(?!.*gradients).*conv.*", "gradients/conv1"));
    assert_true(one_matches(".*(?<=conv)1", "conv1"));
    assert_true(one_matches("(\\w+)/\\1", "conv/conv"));
    assert_false(one_matches("(\\w+)/\\1", "conv/relu"));
    assert_true(one_matches("(?P<n>a+)b(?P=n)", "aabaa"));
}

/* A long pattern is cut in the message, between two characters. */
TEST(RX_01_a_message_holds_the_beginning_of_a_long_pattern)
{
    char pattern[1000], wanted[256];
    fixture f;
    memset(pattern, 'x', sizeof(pattern));
    memcpy(pattern + 59, "\xc3\xa9", 2);
    memcpy(pattern + 996, "(aa", 4);
    assert_int_equal(begin_one(&f, pattern), TFPROF_ERR_OPTION);
    snprintf(wanted, sizeof(wanted),
             "--show_name_regexes: missing closing parenthesis at byte 1000 "
             "of '%.59s...'",
             pattern);
    assert_string_equal(f.err.message, wanted);
    end(&f);
}

/* ---- Limits ------------------------------------------------------------- */

/* Behaves like `low` up to the limit, and is refused one past it. */
static void check_limit(char *(*make)(char *out, size_t size), size_t limit,
                        const char *message)
{
    static char pattern[25000];
    for (size_t size = limit - 1; size <= limit + 1; size++) {
        fixture f;
        int status = begin_one(&f, make(pattern, size));
        assert_int_equal(status, size > limit ? TFPROF_ERR_LIMIT : TFPROF_OK);
        if (status)
            assert_non_null(strstr(f.err.message, message));
        end(&f);
    }
}

static char *make_text(char *out, size_t size)
{
    memset(out, 'x', size);
    out[size] = '\0';
    return out;
}

static char *make_class(char *out, size_t size)
{
    make_text(out, size);
    out[0] = '[';
    out[size - 1] = ']';
    return out;
}

static char *make_nest(char *out, size_t size)
{
    memset(out, '(', size);
    memset(out + size, ')', size);
    out[2 * size] = '\0';
    return out;
}

static char *make_repeat(char *out, size_t size)
{
    snprintf(out, 40, "a{%zu}", size);
    return out;
}

static char *make_repeat_most(char *out, size_t size)
{
    snprintf(out, 40, "[[:]{0,%zu}?[:]", size);
    return out;
}

static char *make_repeat_least(char *out, size_t size)
{
    snprintf(out, 40, "(?:a|\\])\\\\{%zu,}+", size);
    return out;
}

TEST(RX_02_each_limit_is_met_exactly)
{
    check_limit(make_text, 4096,
                "pattern is longer than 4096 bytes at byte 4097 of 'xxx");
    check_limit(make_class, 4096,
                "pattern is longer than 4096 bytes at byte 4097 of '[x");
    check_limit(make_nest, 200, "parentheses are too deeply nested at byte 2");
    check_limit(make_repeat, 1000,
                "pattern repeats more than 1000 times at byte 2 of 'a{1001}'");
    check_limit(make_repeat_most, 1000,
                "pattern repeats more than 1000 times at byte 5 of");
    check_limit(make_repeat_least, 1000,
                "pattern repeats more than 1000 times");
}

TEST(RX_02_braces_that_are_no_repeat_are_not_counted)
{
    assert_true(one_matches("[{1001}]*", "{1001}"));
    assert_true(one_matches("[]{1001}]*", "]{1001}"));
    assert_true(one_matches("[^]{1001}]*", "abc"));
    assert_true(one_matches("[[:alpha:]{1001}]*", "a{1001}"));
    assert_true(one_matches("[\\]{1001}]*", "]{1001}"));
    assert_true(one_matches("[\\Q]\\E{1001}]*", "]{1001}"));
    assert_true(one_matches("a\\{1001}", "a{1001}"));
    assert_true(one_matches("\\Qa{1001}\\E.", "a{1001}b"));
    assert_true(one_matches("\\Qa{1001}.", "a{1001}."));
    assert_true(one_matches("\\x{1001}", "\xe1\x80\x81"));
    assert_true(one_matches("a{1001", "a{1001"));
    assert_true(one_matches("a{1001,x}", "a{1001,x}"));
    assert_true(one_matches("a{}b{,}", "a{}b{,}"));
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* An answer or a limit, in 100 ms and 8 MiB. Ten times the time is allowed:
 * the machine may have other things to do. */
static void check_blow_up(const char *pattern, tfp_span name)
{
    double start = milliseconds(), spent;
    fixture f;
    int status = begin_one(&f, pattern);
    assert_true(status == TFPROF_OK || status == TFPROF_ERR_LIMIT);
    if (status == TFPROF_OK) {
        assert_false(tfp_patterns_match(&f.patterns, name));
        status = f.patterns.status;
        assert_true(status == TFPROF_OK || status == TFPROF_ERR_LIMIT);
        f.err = f.patterns.why;
    }
    spent = milliseconds() - start;
    print_message("%5.1f ms, %4zu KiB: %.40s on %zu bytes: %.60s\n", spent,
                  f.memory.peak >> 10, pattern, name.size,
                  status ? f.err.message + 21 : "no match");
    assert_true(spent < 1000);
    assert_in_range(f.memory.peak, 0, (8 << 20) - 1);
    end(&f);
}

TEST(RX_02_no_pattern_takes_long_or_much)
{
    static const char *const patterns[] = {
        "(((a{1,100}){1,100}){1,100}){1,2}",
        "(x+x+)+y",
        "(*NO_JIT)(x+x+)+y",
        "(x+x+)+[yz]",
        "(*NO_JIT)(x+x+)+[yz]",
        "(?:x?){20}x{20}[yz]",
        "(*NO_JIT)(?:x?){20}x{20}[yz]",
        "(x|x)*[yz]",
        "(*NO_JIT)(x|x)*[yz]",
        "((?:(\\X*?|\\p{Lu}+)){0,40}?z){1,28}",
        "(?:(?R)|x)*[yz]",
        "(*NO_JIT)(?:(?R)|x)*[yz]",
        "(?1)*(x|(?1)(?1)x)[yz]",
    };
    static char parentheses[20001], name[64 << 10];
    static const size_t sizes[] = { 30, 1000, 10000, sizeof(name) };
    memset(parentheses, '(', sizeof(parentheses) - 1);
    memset(name, 'x', sizeof(name));
    check_blow_up(parentheses, tfp_span_of("x"));
    check_blow_up(parentheses + 20000 - 4096, tfp_span_of("x"));
    EACH(row, patterns) {
        EACH(c, sizes)
            check_blow_up(*row, (tfp_span){ (const uint8_t *)name, *c });
    }
}

/* A name out of all proportion: a step through all of it is many steps. */
TEST(RX_02_a_name_of_a_megabyte_ends_too)
{
    static char name[1 << 20];
    memset(name, 'x', sizeof(name));
    check_blow_up(".*x[^/]*/x",
                  (tfp_span){ (const uint8_t *)name, sizeof(name) });
    check_blow_up("(*NO_JIT).*x[^/]*/x",
                  (tfp_span){ (const uint8_t *)name, sizeof(name) });
}

/* Two hundred captures make each step of the way back large; a pattern that
 * begins with itself goes ever deeper. */
TEST(RX_02_what_a_match_remembers_is_bounded)
{
    static char name[20001];
    char pattern[500], *out = pattern;
    fixture f;
    make_text(name, 20000);
    out += snprintf(out, 10, "(*NO_JIT)");
    for (int i = 0; i < 200; i++)
        out += snprintf(out, 3, "()");
    snprintf(out, 20, "(x|y|z)*[abc]");
    assert_ok(begin_one(&f, pattern));
    assert_false(match(&f, name));
    assert_int_equal(f.patterns.status, TFPROF_ERR_LIMIT);
    assert_non_null(strstr(f.patterns.why.message, "heap limit exceeded"));
    assert_in_range(f.memory.peak, 0, 8 << 20);
    end(&f);
    assert_ok(begin_one(&f, "(?:(?R)|x)*[yz]"));
    assert_false(match(&f, name));
    assert_int_equal(f.patterns.status, TFPROF_ERR_LIMIT);
    end(&f);
}

TEST(RX_02_the_limit_of_a_match_stands_to_the_end)
{
    const char *list[] = { "lit", "(x+x+)+[yz]", NULL };
    char name[2001];
    fixture f = { .counts = { 0 } };
    make_text(name, 2000);
    assert_ok(begin(&f, list));
    assert_true(match(&f, "lit"));
    assert_true(match(&f, "xxxy"));
    assert_false(match(&f, name));
    assert_int_equal(f.patterns.status, TFPROF_ERR_LIMIT);
    assert_int_equal(f.patterns.why.code, TFPROF_ERR_LIMIT);
    assert_string_equal(f.patterns.why.message,
                        "--show_name_regexes: cannot match '(x+x+)+[yz]': "
                        "match limit exceeded (name of 2000 bytes)");
    assert_false(match(&f, "lit"));
    assert_int_equal(f.patterns.status, TFPROF_ERR_LIMIT);
    end(&f);
}

/* What PCRE2 may take while compiling is bounded; a caller's own limit is
 * out of memory, whoever asked. */
TEST(RX_02_a_limit_of_memory_is_out_of_memory)
{
    const char *list[] = { "(a|b){1,900}", NULL };
    fixture f = { .counts = { 0 } };
    assert_ok(begin(&f, list));
    end(&f);
    for (size_t limit = 0; limit < 30000; limit += 1000) {
        char text[] = "(a|b){1,900}";
        tfp_words words = { text, sizeof(text), 1 };
        tfp_memory_init(&f.memory, counting_resize, &f.counts);
        f.memory.limit = limit;
        assert_int_equal(
            tfp_patterns_init(&f.patterns, &f.memory, "o", &words, &f.err),
            TFPROF_ERR_NOMEM);
        assert_true(f.memory.limit_reached);
        end(&f);
    }
}

/* ---- Every allocation fails --------------------------------------------- */

/* The whole of a life with the plan in `counts`; what it came to. */
static int live(fixture *f)
{
    const char *list[] = { "literal", "a(b|c)*d\\1", "(*NO_JIT)(?:a|b)*[xy]",
                           NULL };
    char name[3001];
    bool found;
    int status = begin(f, list);
    if (status == TFPROF_OK) {
        for (size_t i = 0; i < 3000; i++)
            name[i] = "ab"[i % 2];
        name[2999] = 'x';
        name[3000] = '\0';
        found = match(f, name);
        status = f->patterns.status;
        assert_int_equal(found, status == TFPROF_OK);
        if (status)
            f->err = f->patterns.why;
    }
    end(f);
    return status;
}

static void check_failures(bool from_then_on)
{
    for (size_t k = 1;; k++) {
        fixture f = { .counts = { .fail_at = k,
                                  .from_then_on = from_then_on } };
        int status = live(&f);
        if (f.counts.refused == 0) {
            assert_ok(status);
            print_message("%zu allocations\n", k - 1);
            assert_in_range(k, 10, 1000);
            return;
        }
        assert_int_equal(status, TFPROF_ERR_NOMEM);
        assert_string_equal(f.err.message, "out of memory");
    }
}

TEST(ME_01_the_kth_allocation_of_patterns_fails)
{
    check_failures(false);
}

TEST(ME_02_the_kth_and_all_later_allocations_fail)
{
    check_failures(true);
}

/* ---- A slow matcher ----------------------------------------------------- */

/* An expression as a tree. Places in a name are bits of a word: where an
 * expression can end, given all the places where it may begin. No order of
 * trying, no backing up; nothing in common with PCRE2. */
typedef enum kind { EMPTY, CHAR, DOT, CLASS, REPEAT, THEN, EITHER } kind;

typedef struct tree {
    kind kind;
    unsigned set; /* of `letters`, for CHAR and CLASS */
    bool negated, captures;
    int least, most; /* of a REPEAT; most < 0 for no end */
    const char *quantifier;
    struct tree *a, *b;
} tree;

/* The last is not UTF-8: it is in no class and matches nothing. */
static const char *const letters[] = {
    "a", "b", "c", "\n", "\xc3\xa9", "\xff"
};
enum { LETTERS = 6, NEWLINE = 3, INVALID = 5, MOST_LETTERS = 12 };

static tree nodes[64];
static size_t node_count;
static uint64_t random_state;

static unsigned below(unsigned n)
{
    return (unsigned)((counting_random(&random_state) >> 33) % n);
}

static tree *grow(int depth)
{
    static const struct {
        const char *text;
        int least, most;
    } quantifiers[] = { { "*", 0, -1 },    { "+", 1, -1 },    { "?", 0, 1 },
                        { "*?", 0, -1 },   { "+?", 1, -1 },   { "??", 0, 1 },
                        { "{2}", 2, 2 },   { "{1,3}", 1, 3 }, { "{2,}", 2, -1 },
                        { "{0,2}?", 0, 2 } };
    tree *t = &nodes[node_count++];
    unsigned choice = below(depth > 0 ? 12 : 4);
    *t = (tree){ .kind = CHAR };
    if (choice < 2) {
        t->set = 1u << below(3 + 2 * (below(4) == 0));
    } else if (choice == 2) {
        t->kind = DOT;
    } else if (choice == 3) {
        t->kind = below(8) == 0 ? EMPTY : CLASS;
        t->set = 1 + below((1u << INVALID) - 1);
        t->negated = below(2);
    } else if (choice < 7) {
        unsigned q = below(COUNT(quantifiers));
        t->kind = REPEAT;
        t->quantifier = quantifiers[q].text;
        t->least = quantifiers[q].least;
        t->most = quantifiers[q].most;
        t->a = grow(depth - 1);
    } else {
        t->kind = choice < 10 ? THEN : EITHER;
        t->captures = below(2);
        t->a = grow(depth - 1);
        t->b = grow(depth - 1);
    }
    return t;
}

static char *put(char *out, const char *text)
{
    size_t size = strlen(text);
    memcpy(out, text, size + 1);
    return out + size;
}

static char *print_tree(const tree *t, char *out)
{
    switch (t->kind) {
    case EMPTY: return put(out, "()");
    case DOT: return put(out, ".");
    case CHAR:
    case CLASS:
        out = put(out, t->kind == CHAR ? "" : t->negated ? "[^" : "[");
        for (size_t i = 0; i < LETTERS; i++)
            out = put(out, t->set >> i & 1 ? letters[i] : "");
        return put(out, t->kind == CHAR ? "" : "]");
    case REPEAT:
        out = print_tree(t->a, put(out, t->a->kind == REPEAT ? "(" : ""));
        return put(put(out, t->a->kind == REPEAT ? ")" : ""), t->quantifier);
    default:
        out = print_tree(t->a, put(out, t->captures ? "(" : "(?:"));
        out = print_tree(t->b, put(out, t->kind == EITHER ? "|" : ""));
        return put(out, ")");
    }
}

static unsigned ends(const tree *t, const int *name, int size, unsigned begins)
{
    unsigned reached = 0, now;
    switch (t->kind) {
    case EMPTY: return begins;
    case THEN: return ends(t->b, name, size, ends(t->a, name, size, begins));
    case EITHER:
        return ends(t->a, name, size, begins) | ends(t->b, name, size, begins);
    case REPEAT:
        now = begins;
        for (int i = 0; i < t->least; i++)
            now = ends(t->a, name, size, now);
        reached = now;
        /* More rounds than places cannot reach new ones. */
        for (int i = t->least; i != t->most && i <= size + t->least; i++) {
            now = ends(t->a, name, size, now);
            reached |= now;
        }
        return reached;
    default:
        for (int i = 0; i < size; i++) {
            bool in = t->set >> name[i] & 1;
            bool fits = t->kind == DOT ? name[i] != NEWLINE : in != t->negated;
            if (begins >> i & 1 && fits && name[i] != INVALID)
                reached |= 2u << i;
        }
        return reached;
    }
}

/* False when a limit was reached: that is no verdict. */
static bool check_list(fixture *f, const tree *const *trees, size_t count,
                       const char *shown)
{
    int name[MOST_LETTERS], size = (int)below(MOST_LETTERS + 1);
    char bytes[2 * MOST_LETTERS + 1], *out = bytes;
    bool wanted = false, got;
    *out = '\0';
    for (int i = 0; i < size; i++) {
        name[i] = (int)(below(8) ? below(3) : below(LETTERS));
        out = put(out, letters[name[i]]);
    }
    for (size_t i = 0; i < count; i++)
        wanted = wanted || ends(trees[i], name, size, 1) >> size & 1;
    wanted = wanted || f->patterns.any;
    got = match(f, bytes);
    if (f->patterns.status == TFPROF_ERR_LIMIT)
        return false;
    if (f->patterns.status || got != wanted)
        fail_msg("%s on '%s': %d and not %d", shown, bytes, got, wanted);
    return true;
}

/* One list of patterns with many names; how many pairs had a verdict. */
static size_t check_random_list(size_t most_names)
{
    char texts[2][600];
    const char *list[3] = { NULL };
    const tree *trees[2];
    size_t count = 1 + (below(4) == 0), names = 0;
    fixture f = { .counts = { 0 } };
    node_count = 0;
    for (size_t t = 0; t < count; t++) {
        trees[t] = grow(4);
        print_tree(trees[t], put(texts[t], below(3) == 0 ? "(*NO_JIT)" : ""));
        list[t] = texts[t];
    }
    assert_ok(begin(&f, list));
    while (names < most_names && check_list(&f, trees, count, texts[0]))
        names++;
    end(&f);
    return names;
}

TEST(RX_03_a_slow_matcher_agrees)
{
    const char *slow = getenv("TFPROF_SLOW");
    bool all = slow && *slow && strcmp(slow, "0") != 0;
    size_t wanted = all ? 100000000 : 200000, names = all ? 2000 : 40;
    size_t pairs = 0, lists = 0, cut = 0;
    random_state = counting_seed();
    for (; pairs < wanted; lists++) {
        size_t done = check_random_list(names);
        pairs += done;
        cut += done < names;
    }
    print_message("%zu pairs of %zu lists; %zu lists reached a limit\n", pairs,
                  lists, cut);
    assert_true(cut * 20 < lists);
}
