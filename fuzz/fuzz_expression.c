/*
 * fuzz_expression.c - any text as an expression.
 *
 * Holds that a mistake is told; that blanks and parentheses around the whole
 * change nothing; and that in a world where nothing is known the rest of the
 * rules still hold.
 */
#include <stdlib.h>
#include <string.h>

#include "../tests/unit/fake_world.h"
#include "fuzz.h"
#include "ops/flops/expression_code.h"
#include "target.h"

static const int64_t *know_no_dims(const void *context, tfp_side side,
                                   uint32_t index, int *rank)
{
    (void)context;
    (void)side;
    (void)index;
    *rank = -1;
    return NULL;
}

static bool know_no_attr(const void *context, tfp_span name, tfp_items *items)
{
    (void)context;
    (void)name;
    *items = (tfp_items){ 0 };
    return true;
}

static bool know_no_value(const void *context, uint32_t index, tfp_items *items)
{
    (void)context;
    (void)index;
    (void)items;
    return false;
}

/* With less knowledge first_known() chooses another value. */
static bool chooses(const tfp_expression *e)
{
    for (size_t i = 0; i < e->code.count; i++) {
        if (e->code.data[i].code == TFP_CODE_FIRST_KNOWN)
            return true;
    }
    return false;
}

typedef struct outcome {
    int status;
    bool known;
    int64_t value;
} outcome;

static outcome run(const char *before, tfp_span text, const char *after)
{
    size_t lead = strlen(before), size = lead + text.size + strlen(after);
    uint8_t *copy = malloc(size ? size : 1);
    tfp_memory memory;
    tfp_expression expression;
    tfprof_error err = { .code = TFPROF_OK };
    tfp_expression_world world = fake_world();
    outcome o = { 0 };
    FUZZ_CHECK(copy);
    memcpy(copy, before, lead);
    if (text.size > 0)
        memcpy(copy + lead, text.data, text.size);
    memcpy(copy + lead + text.size, after, strlen(after));
    tfp_memory_init(&memory, NULL, NULL);
    o.status = tfp_expression_compile(&expression, &memory,
                                      (tfp_span){ copy, size }, &err);
    free(copy);
    if (o.status == TFPROF_OK) {
        int64_t other;
        o.known = tfp_expression_evaluate(&expression, &world, &o.value) ==
                  TFP_KNOWN;
        world.dims = know_no_dims;
        world.attr = know_no_attr;
        world.value = know_no_value;
        if (tfp_expression_evaluate(&expression, &world, &other) == TFP_KNOWN &&
            !chooses(&expression))
            FUZZ_CHECK(o.known && other == o.value);
    } else {
        FUZZ_CHECK(o.status == (int)err.code && err.message[0]);
        FUZZ_CHECK(o.status == TFPROF_ERR_MALFORMED ||
                   o.status == TFPROF_ERR_LIMIT);
    }
    tfp_expression_release(&expression, &memory);
    FUZZ_CHECK(memory.held == 0);
    return o;
}

int fuzz_expression(const uint8_t *bytes, size_t size)
{
    static const char *const around[][2] = {
        { " \n", "\t " }, { "(", ")" }, { "0+(", ")" }, { "1?(", "):1" }
    };
    tfp_span text = { bytes, size };
    outcome plain = run("", text, "");
    for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++) {
        outcome o = run(around[i][0], text, around[i][1]);
        if (o.status == TFPROF_ERR_LIMIT) /* a little more was too much */
            continue;
        /* Parentheses can make sense of what was none: "1)+(1". */
        if (plain.status != TFPROF_OK && i > 0)
            continue;
        FUZZ_CHECK(o.status == plain.status);
        FUZZ_CHECK(o.known == plain.known &&
                   (!o.known || o.value == plain.value));
    }
    return 0;
}
