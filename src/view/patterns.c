/*
 * patterns.c - the regular expressions of one option, compiled once.
 *
 * PCRE2 with its machine code where there is any. What keeps a pattern from
 * taking forever or all memory:
 *
 *   in the pattern   4 KiB, 200 parentheses deep, repeats up to 1000, 4 MiB
 *                    while compiling
 *   in a match       a number of steps that shrinks with the name, 1 MiB of
 *                    stack (machine code) or 4 MiB of frames (interpreter)
 *   in an answer     a number of steps for all names and lists together,
 *                    beyond a number that each name has free
 *
 * Each is TFPROF_ERR_LIMIT. PCRE2 takes its memory from the tfp_memory, except
 * for the machine code and its stack, which it must map.
 */
#include "view/patterns.h"

#include <stdint.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum {
    MOST_BYTES = 4 << 10,
    MOST_NESTING = 200,
    MOST_REPEATS = 1000,
    COMPILE_MEMORY = 4 << 20,
    MATCH_MEMORY_KIB = 4 << 10,
    MOST_STEPS = 1 << 20,
    MOST_DEPTH = 1 << 17,
    FREE_STEPS = 1 << 10, /* of one name, by all patterns of a list */
    LEAST_STEPS = 1 << 6, /* of one name, by one pattern */
    SLOW_STEPS = 4,       /* of the interpreter for one of the machine code */
    STEPS_GROWTH = 4,     /* from one try to the next */
    STEP_BYTES = 1 << 6,  /* a step takes as long as reading so many */
    FREE_NAME = 1 << 8,   /* bytes; a longer name has fewer steps free */
    STACK_FIRST = 32 << 10,
    STACK_MOST = 1 << 20,
    SHOWN = 60 /* bytes of a pattern that a message repeats */
};

/* One step may look through the whole name, so steps times bytes is what is
 * bounded: half a second at worst, two in the interpreter. A pattern that backs
 * up once through a whole name, such as ".*[ab]", has its answer for names of
 * up to 32 KiB. */
static const uint64_t most_work = (uint64_t)1 << 30;

/* The same for a whole answer, in steps times (bytes + STEP_BYTES): one
 * second, four in the interpreter. PCRE2 does not report its steps, so a name
 * is tried with a low limit first, and again with higher ones. The first try
 * is free: common patterns need fewer steps than it allows, for any number of
 * names. */
static const uint64_t most_answer_work = (uint64_t)1 << 32;

typedef struct machine {
    tfp_memory *memory;
    size_t room;                    /* that PCRE2 may still take */
    bool out_of_memory;             /* the tfp_memory refused */
    pcre2_general_context *general; /* this and the following on first use */
    pcre2_compile_context *compile;
    pcre2_match_context *match;
    pcre2_match_data *result;
    pcre2_jit_stack *stack; /* NULL without machine code */
} machine;

struct tfp_pattern {
    machine *machine; /* that all of an option share */
    tfp_span text;
    pcre2_code *code; /* NULL when the text stands for itself */
    bool is_slow;     /* there is no machine code */
};

/* ---- Memory ------------------------------------------------------------- */

static void *take(size_t size, void *context)
{
    machine *m = context;
    void *block;
    if (size > m->room)
        return NULL;
    block = tfp_memory_alloc(m->memory, size);
    if (block)
        m->room -= size;
    m->out_of_memory |= !block;
    return block;
}

static void give_back(void *block, void *context)
{
    machine *m = context;
    if (!block)
        return;
    m->room += tfp_memory_size_of(block);
    tfp_memory_free(m->memory, block);
}

/* ---- What the limits of PCRE2 do not cover ------------------------------ */

/* Returns what is behind an escape: "\." with its character, "\Q...\E" with all
 * that it quotes, "\x{1000}" with its braces. */
static size_t skip_escape(tfp_span p, size_t at)
{
    uint8_t c = at + 1 < p.size ? p.data[at + 1] : 0;
    at += 2;
    if (c == 'Q') {
        while (at < p.size && !(p.data[at] == '\\' && at + 1 < p.size &&
                                p.data[at + 1] == 'E'))
            at++;
        return at + 2;
    }
    if (c && strchr("xopPNgk", c) && at < p.size && p.data[at] == '{') {
        while (at < p.size && p.data[at] != '}')
            at++;
    }
    return at;
}

/* "[:alpha:]" inside a class: its "]" does not end the class. */
static size_t skip_posix_name(tfp_span p, size_t at)
{
    size_t end = at + 2;
    if (end >= p.size || !strchr(":.=", p.data[at + 1]))
        return at + 1;
    while (end < p.size && p.data[end] >= 'a' && p.data[end] <= 'z')
        end++;
    return end + 1 < p.size && p.data[end] == p.data[at + 1] &&
                   p.data[end + 1] == ']'
               ? end + 2
               : at + 1;
}

/* `at` is behind the "[". A "]" that comes first is one of the characters. */
static size_t skip_class(tfp_span p, size_t at)
{
    if (at < p.size && p.data[at] == '^')
        at++;
    if (at < p.size && p.data[at] == ']')
        at++;
    while (at < p.size && p.data[at] != ']') {
        if (p.data[at] == '\\')
            at = skip_escape(p, at);
        else if (p.data[at] == '[')
            at = skip_posix_name(p, at);
        else
            at++;
    }
    return at + 1;
}

/* Is that "{" followed by a repeat, with a number above the limit? What only
 * looks like one, "{1001", does no harm as text and is let through. */
static bool is_too_often(tfp_span p, size_t at)
{
    unsigned number = 0;
    bool above = false;
    for (at++; at < p.size && p.data[at] != '}'; at++) {
        if (p.data[at] == ',')
            number = 0;
        else if (p.data[at] >= '0' && p.data[at] <= '9')
            number = number > MOST_REPEATS ? number
                                           : number * 10 + p.data[at] - '0';
        else if (p.data[at] != ' ') /* newer PCRE2 allows blanks */
            return false;
        above = above || number > MOST_REPEATS;
    }
    return above && at < p.size;
}

/* The place of the first repeat above the limit, or the size of the pattern.
 * Comments under (?x) are not known here; PCRE2's own limit of 65535 and that
 * of memory stand behind this one. */
static size_t find_too_often(tfp_span p)
{
    size_t at = 0;
    while (at < p.size) {
        switch (p.data[at]) {
        case '\\': at = skip_escape(p, at); break;
        case '[': at = skip_class(p, at + 1); break;
        case '{':
            if (is_too_often(p, at))
                return at;
            at++;
            break;
        default: at++; break;
        }
    }
    return p.size;
}

/* ---- Messages ----------------------------------------------------------- */

/* How much of a pattern fits into a message, cut between two characters. */
static int shown_size(tfp_span text)
{
    size_t size = text.size;
    if (size > SHOWN) {
        size = SHOWN;
        while (size > SHOWN - 4 && (text.data[size] & 0xc0) == 0x80)
            size--;
    }
    return (int)size;
}

/* `at` counts from 0, the message from 1. */
static int fail_at(const tfp_patterns *patterns, const tfp_pattern *item,
                   tfprof_code code, size_t at, const char *what,
                   tfprof_error *err)
{
    return tfp_fail(err, code, -1, "--%s: %s at byte %zu of '%.*s%s'",
                    patterns->option, what, at + 1, shown_size(item->text),
                    (const char *)item->text.data,
                    item->text.size > SHOWN ? "..." : "");
}

static int fail_compile(const tfp_patterns *patterns, const tfp_pattern *item,
                        int why, size_t at, tfprof_error *err)
{
    char text[120];
    tfprof_code code = TFPROF_ERR_OPTION;
    if (item->machine->out_of_memory)
        return tfp_fail_nomem(err);
    switch (why) {
    case PCRE2_ERROR_HEAP_FAILED: /* there was memory, but no room */
        return fail_at(patterns, item, TFPROF_ERR_LIMIT, at,
                       "pattern needs more than 4 MiB to compile", err);
    case PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP:
    case PCRE2_ERROR_PATTERN_TOO_LARGE:
    case PCRE2_ERROR_PARENTHESES_STACK_CHECK:
    case PCRE2_ERROR_LOOKBEHIND_TOO_COMPLICATED:
    case PCRE2_ERROR_TOO_MANY_NAMED_SUBPATTERNS:
    case PCRE2_ERROR_INTERNAL_OVERRAN_WORKSPACE:
    case PCRE2_ERROR_PATTERN_TOO_COMPLICATED:
    case PCRE2_ERROR_LOOKBEHIND_TOO_LONG:
    case PCRE2_ERROR_TOO_MANY_CAPTURES: code = TFPROF_ERR_LIMIT; break;
    default: break;
    }
    pcre2_get_error_message(why, (PCRE2_UCHAR *)text, sizeof(text));
    return fail_at(patterns, item, code, at, text, err);
}

/* Remembers why a match failed. */
static void fail_match(tfp_patterns *patterns, const tfp_pattern *item, int why,
                       size_t name_size)
{
    char text[120];
    if (item->machine->out_of_memory) {
        patterns->status = tfp_fail_nomem(&patterns->why);
        return;
    }
    pcre2_get_error_message(why, (PCRE2_UCHAR *)text, sizeof(text));
    patterns->status = tfp_fail(
        &patterns->why, TFPROF_ERR_LIMIT, -1,
        "--%s: cannot match '%.*s%s': %s (name of %zu bytes)", patterns->option,
        shown_size(item->text), (const char *)item->text.data,
        item->text.size > SHOWN ? "..." : "", text, name_size);
}

/* ---- Compiling ---------------------------------------------------------- */

/* Only ASCII is taken for what it is: whether the rest is UTF-8 is left to
 * PCRE2 to find out. */
static bool is_literal(tfp_span text)
{
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] >= 0x80 || strchr("\\^$.[|()?*+{", text.data[i]))
            return false;
    }
    return true;
}

/* The contexts that all patterns share. False when out of memory; those that
 * were made are released with the machine. */
static bool start_machine(machine *m)
{
    if (m->general)
        return true;
    m->general = pcre2_general_context_create(take, give_back, m);
    if (!m->general)
        return false;
    m->compile = pcre2_compile_context_create(m->general);
    m->match = pcre2_match_context_create(m->general);
    m->result = pcre2_match_data_create(1, m->general);
    m->stack = pcre2_jit_stack_create(STACK_FIRST, STACK_MOST, m->general);
    if (!m->compile || !m->match || !m->result || m->out_of_memory)
        return false;
    pcre2_set_parens_nest_limit(m->compile, MOST_NESTING);
    pcre2_set_heap_limit(m->match, MATCH_MEMORY_KIB);
    pcre2_set_depth_limit(m->match, MOST_DEPTH);
    pcre2_jit_stack_assign(m->match, NULL, m->stack);
    return true;
}

static int compile(const tfp_patterns *patterns, tfp_pattern *item,
                   tfprof_error *err)
{
    /* "$" is the end, not before a last newline, as in RE2. "\C" would take
     * characters apart. */
    const uint32_t options = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_UTF |
                             PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY |
                             PCRE2_NEVER_BACKSLASH_C;
    machine *m = item->machine;
    int why;
    PCRE2_SIZE at;
    m->room = COMPILE_MEMORY;
    if (!start_machine(m))
        return tfp_fail_nomem(err);
    item->code = pcre2_compile(item->text.data, item->text.size, options, &why,
                               &at, m->compile);
    if (!item->code)
        return fail_compile(patterns, item, why, at, err);
    /* Without machine code the interpreter gives the same answers. */
    item->is_slow = pcre2_jit_compile(item->code, PCRE2_JIT_COMPLETE) != 0;
    return m->out_of_memory ? tfp_fail_nomem(err) : TFPROF_OK;
}

static int add_pattern(const tfp_patterns *patterns, tfp_pattern *item,
                       tfprof_error *err)
{
    size_t at;
    if (item->text.size > MOST_BYTES)
        return fail_at(patterns, item, TFPROF_ERR_LIMIT, MOST_BYTES,
                       "pattern is longer than 4096 bytes", err);
    if (is_literal(item->text))
        return TFPROF_OK;
    at = find_too_often(item->text);
    if (at < item->text.size)
        return fail_at(patterns, item, TFPROF_ERR_LIMIT, at,
                       "pattern repeats more than 1000 times", err);
    return compile(patterns, item, err);
}

/* One block for the machine, the patterns and a copy of their texts. */
static bool allocate(tfp_patterns *patterns, const tfp_words *words)
{
    size_t items_size, size;
    machine *m;
    char *text;
    if (!tfp_mul_size(words->count, sizeof(tfp_pattern), &items_size) ||
        !tfp_add_size(items_size, sizeof(*m), &size) ||
        !tfp_add_size(size, words->size, &size))
        return false;
    m = tfp_memory_alloc(patterns->memory, size);
    if (!m)
        return false;
    *m = (machine){ .memory = patterns->memory };
    patterns->items = (tfp_pattern *)(void *)(m + 1);
    patterns->count = words->count;
    text = (char *)patterns->items + items_size;
    memcpy(text, words->data, words->size);
    for (size_t i = 0; i < words->count; i++) {
        patterns->items[i] = (tfp_pattern){ .machine = m,
                                            .text = tfp_span_of(text) };
        text += patterns->items[i].text.size + 1;
    }
    return true;
}

int tfp_patterns_init(tfp_patterns *patterns, tfp_memory *memory,
                      const char *option, const tfp_words *words,
                      tfprof_error *err)
{
    int status = TFPROF_OK;
    *patterns = (tfp_patterns){ .memory = memory, .option = option };
    patterns->any = words->count == 1 && !strcmp(words->data, ".*");
    if (patterns->any || words->count == 0)
        return TFPROF_OK;
    if (!allocate(patterns, words))
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < patterns->count && !status; i++)
        status = add_pattern(patterns, &patterns->items[i], err);
    if (status)
        tfp_patterns_release(patterns);
    else
        patterns->items->machine->room = SIZE_MAX / 2; /* limits hold it now */
    return status;
}

void tfp_patterns_release(tfp_patterns *patterns)
{
    if (patterns->items) {
        machine *m = patterns->items->machine;
        for (size_t i = 0; i < patterns->count; i++)
            pcre2_code_free(patterns->items[i].code);
        pcre2_jit_stack_free(m->stack);
        pcre2_match_data_free(m->result);
        pcre2_match_context_free(m->match);
        pcre2_compile_context_free(m->compile);
        pcre2_general_context_free(m->general);
        tfp_memory_free(m->memory, m);
    }
    *patterns = (tfp_patterns){ 0 };
}

/* ---- Matching ----------------------------------------------------------- */

static uint32_t steps_for(size_t name_size)
{
    uint64_t steps = most_work / (name_size + 1);
    return steps < MOST_STEPS ? (uint32_t)steps : MOST_STEPS;
}

/* How many steps one pattern may take free of charge. */
static uint32_t free_steps(const tfp_patterns *patterns,
                           const tfp_pattern *item, size_t name_size)
{
    uint64_t steps = FREE_STEPS / patterns->count;
    if (steps < LEAST_STEPS)
        steps = LEAST_STEPS;
    if (item->is_slow)
        steps *= SLOW_STEPS;
    if (name_size > FREE_NAME)
        steps = steps * (FREE_NAME + STEP_BYTES) / (name_size + STEP_BYTES);
    return steps > 0 ? (uint32_t)steps : 1;
}

/* Charges a try with this many steps. False when the answer has no more. */
static bool charge(tfp_patterns *patterns, const tfp_pattern *item,
                   uint32_t steps, size_t name_size)
{
    if (!patterns->work)
        return true;
    *patterns->work += (uint64_t)steps * (name_size + STEP_BYTES);
    if (*patterns->work <= most_answer_work)
        return true;
    patterns->status = tfp_fail(
        &patterns->why, TFPROF_ERR_LIMIT, -1,
        "--%s: matching all names with '%.*s%s' takes too many steps (use a "
        "simpler pattern, without nested repeats such as (a+)+)",
        patterns->option, shown_size(item->text), (const char *)item->text.data,
        item->text.size > SHOWN ? "..." : "");
    return false;
}

/* What pcre2_match() returns, or PCRE2_ERROR_NOMATCH after a failure that is
 * remembered already. */
static int run_match(tfp_patterns *patterns, const tfp_pattern *item,
                     tfp_span name)
{
    machine *m = item->machine;
    uint32_t most = steps_for(name.size);
    uint32_t steps = free_steps(patterns, item, name.size);
    for (;;) {
        int found;
        bool is_last = steps >= most;
        pcre2_set_match_limit(m->match, is_last ? most : steps);
        found = pcre2_match(item->code,
                            name.size ? name.data : (const uint8_t *)"",
                            name.size, 0, 0, m->result, m->match);
        if (found != PCRE2_ERROR_MATCHLIMIT || is_last)
            return found;
        steps *= STEPS_GROWTH;
        if (!charge(patterns, item, steps < most ? steps : most, name.size))
            return PCRE2_ERROR_NOMATCH;
    }
}

/* Bytes that are not UTF-8 match nothing, so no name that has any is matched
 * as a whole. The interpreter tries each piece between them by itself and
 * calls that a match; the places tell. */
static bool matches(tfp_patterns *patterns, const tfp_pattern *item,
                    tfp_span name)
{
    machine *m = item->machine;
    int found;
    if (!item->code)
        return tfp_span_equal(item->text, name);
    found = run_match(patterns, item, name);
    if (found >= 0)
        return pcre2_get_startchar(m->result) == 0 &&
               pcre2_get_ovector_pointer(m->result)[1] == name.size;
    if (found != PCRE2_ERROR_NOMATCH)
        fail_match(patterns, item, found, name.size);
    return false;
}

/* All names of the largest model are a few GiB. The prefixes of one name with
 * half a million slashes are far more, and no one waits for them. A pattern
 * may also take long for each name, so this is where a cancel is heard. */
static bool is_spent(tfp_patterns *patterns, size_t name_size)
{
    enum { ROUNDS = 256 };
    const uint64_t most = (uint64_t)16 << 30;
    if (patterns->status != TFPROF_OK)
        return true;
    patterns->spent += name_size;
    if (++patterns->rounds % ROUNDS == 0 && tfp_cancelled(patterns->cancel))
        patterns->status = tfp_fail_cancelled(&patterns->why);
    else if (patterns->spent > most)
        patterns->status = tfp_fail(
            &patterns->why, TFPROF_ERR_LIMIT, -1,
            "--%s: the names to match exceed 16 GiB in total",
            patterns->option);
    return patterns->status != TFPROF_OK;
}

bool tfp_patterns_match(tfp_patterns *patterns, tfp_span name)
{
    bool found = false;
    if (patterns->any)
        return true;
    if (patterns->count == 0 || is_spent(patterns, name.size))
        return false;
    for (size_t i = 0; i < patterns->count && !found && !patterns->status; i++)
        found = matches(patterns, &patterns->items[i], name);
    return found;
}
