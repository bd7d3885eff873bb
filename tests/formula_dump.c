/*
 * formula_dump.c - prints the table of formulas, for the tests that hold it
 * against the documentation and against TensorFlow's registry.
 *
 * Lines of words with tabs between them: the operation, its formula, and that
 * of TensorFlow's profiler or nothing. Read by
 * tests/cli/flops/test_formulas.py.
 */
#include <stdio.h>
#include <string.h>

#include "flops/rule.h"

/* "1*#x" is "#x". */
static const char *text_of(const tfp_rule *rule)
{
    if (!rule->count)
        return "";
    return rule->text + (strncmp(rule->text, "1*", 2) == 0 ? 2 : 0);
}

int main(void)
{
    for (size_t i = 0; tfp_formula_families[i]; i++) {
        for (const tfp_formula *row = tfp_formula_families[i]; row->op; row++)
            printf("%s\t%s\t%s\n", row->op, text_of(&row->full),
                   text_of(&row->upstream));
    }
    for (size_t i = 0; tfp_ops_free[i]; i++)
        printf("%s\t0\t\n", tfp_ops_free[i]);
    return 0;
}
