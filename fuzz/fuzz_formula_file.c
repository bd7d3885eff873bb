/*
 * fuzz_formula_file.c - any bytes as a file of formulas.
 *
 * Holds that a file is taken or a message says why not, in one line of text
 * that names the file; and that whatever was taken can be evaluated.
 */
#include <string.h>

#include "../tests/unit/fake_world.h"
#include "base/escape.h"
#include "fuzz.h"
#include "ops/flops/formula_file.h"
#include "target.h"

static void evaluate_all(const tfp_user_formulas *formulas)
{
    tfp_expression_world world = fake_world();
    for (size_t i = 0; i < formulas->formulas.count; i++) {
        const tfp_formula *f = &formulas->formulas.data[i];
        tfp_span op = tfp_interned(&formulas->ops, (uint32_t)i + 1);
        FUZZ_CHECK(tfp_user_formulas_find(formulas, op) == f);
        for (int k = 0; k < TFP_COUNTS; k++) {
            int64_t value;
            if (f->of[k].code.count > 0)
                (void)tfp_expression_evaluate(&f->of[k], &world, &value);
        }
    }
}

int fuzz_formula_file(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = fuzz_copy(bytes, size);
    tfp_memory memory;
    tfp_user_formulas formulas;
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    tfp_memory_init(&memory, NULL, NULL);
    FUZZ_CHECK(tfp_user_formulas_init(&formulas, &memory));
    status = tfp_formula_file_read(&formulas, (tfp_span){ copy, size }, "f",
                                   &err);
    free(copy);
    if (status != TFPROF_OK) {
        tfp_span message = tfp_span_of(err.message);
        FUZZ_CHECK(status == (int)err.code);
        FUZZ_CHECK(!tfp_formula_file_is_there() ||
                   tfp_span_starts(message, "f: "));
        FUZZ_CHECK(tfp_escape_plain(message) == message.size);
    }
    evaluate_all(&formulas);
    tfp_user_formulas_release(&formulas);
    FUZZ_CHECK(memory.held == 0);
    return 0;
}
