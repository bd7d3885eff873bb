/*
 * formula_file.c - a file of user formulas, in JSON.
 */
#include "flops/formula_file.h"

#include "base/json_tree.h"
#include "base/memory.h"

bool tfp_formula_file_is_there(void)
{
    return tfp_json_tree_is_there();
}

#if defined(TFPROF_HAVE_JANSSON)

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"
#include "flops/user_formula.h"

enum { SHOWN_OP = 40 /* bytes of a type that a message repeats */ };

typedef struct formula_file {
    tfp_user_formulas *formulas;
    const char *name;
    const char *op; /* that is looked at, or NULL */
    tfprof_error *err;
} formula_file;

/* clang-format off */
static const char *const count_names[TFP_USER_COUNTS] = {
    [TFP_USER_FLOAT_OPS] = "float_ops",
    [TFP_USER_INT_OPS] = "int_ops",
    [TFP_USER_MACS] = "macs",
};
/* clang-format on */

/* ---- Failing ------------------------------------------------------------ */

static int fail(const formula_file *f, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(const formula_file *f, int code, const char *format, ...)
{
    char op[SHOWN_OP], what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    if (!f->op)
        return tfp_json_tree_fail(f->err, code, f->name, "%s", what);
    tfp_escape_short(tfp_span_of(f->op), op, sizeof(op));
    return tfp_json_tree_fail(f->err, code, f->name, "\"%s\": %s", op, what);
}

/* ---- Formulas ----------------------------------------------------------- */

static int read_text(const formula_file *f, const json_t *text, int count,
                     tfp_user_formula *formula)
{
    tfprof_error why;
    int status;
    if (!json_is_string(text))
        return fail(f, TFPROF_ERR_MALFORMED,
                    "%s must be a string, such as \"2 * #y0\"",
                    count_names[count]);
    status = tfp_expression_compile(&formula->of[count], f->formulas->memory,
                                    tfp_json_tree_text(text), &why);
    if (status == TFPROF_ERR_NOMEM)
        return tfp_fail_nomem(f->err);
    return status == TFPROF_OK
               ? TFPROF_OK
               : fail(f, status, "%s: %s", count_names[count], why.message);
}

static int read_counts(const formula_file *f, json_t *object,
                       tfp_user_formula *formula)
{
    const char *key;
    json_t *value;
    if (json_object_size(object) == 0)
        return fail(f, TFPROF_ERR_MALFORMED,
                    "has no formula (expected float_ops, int_ops or macs)");
    json_object_foreach(object, key, value)
    {
        int count = 0, status;
        while (count < TFP_USER_COUNTS && strcmp(key, count_names[count]) != 0)
            count++;
        if (count == TFP_USER_COUNTS) {
            char shown[SHOWN_OP];
            tfp_escape_short(tfp_span_of(key), shown, sizeof(shown));
            return fail(f, TFPROF_ERR_MALFORMED,
                        "expected float_ops, int_ops or macs, found \"%s\"",
                        shown);
        }
        status = read_text(f, value, count, formula);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

static int read_formula(const formula_file *f, json_t *value)
{
    tfp_memory *memory = f->formulas->memory;
    tfp_user_formula formula = { 0 };
    int status;
    if (!*f->op)
        return fail(f, TFPROF_ERR_MALFORMED, "the operation type is empty");
    if (json_is_object(value))
        status = read_counts(f, value, &formula);
    else if (json_is_string(value))
        status = read_text(f, value, TFP_USER_FLOAT_OPS, &formula);
    else
        status = fail(
            f, TFPROF_ERR_MALFORMED,
            "must be a string, such as \"2 * #y0\", or an object of strings");
    if (status == TFPROF_OK &&
        !tfp_user_formulas_add(f->formulas, tfp_span_of(f->op), &formula))
        status = tfp_fail_nomem(f->err);
    if (status != TFPROF_OK)
        tfp_user_formula_release(&formula, memory);
    return status;
}

static int read_tree(formula_file *f, json_t *tree)
{
    json_t *value;
    int status = TFPROF_OK;
    if (!json_is_object(tree))
        return fail(f, TFPROF_ERR_MALFORMED,
                    "must be an object, such as {\"MyOp\": \"2 * #y0\"}");
    json_object_foreach(tree, f->op, value)
    {
        status = read_formula(f, value);
        if (status != TFPROF_OK)
            break;
    }
    return status;
}

int tfp_formula_file_read(tfp_user_formulas *formulas, tfp_span json,
                          const char *name, tfprof_error *err)
{
    formula_file f = { .formulas = formulas, .name = name, .err = err };
    json_t *tree;
    int status = tfp_json_tree_load(json, TFP_FORMULA_FILE_MOST, name, &tree,
                                    err);
    if (status != TFPROF_OK)
        return status;
    status = read_tree(&f, tree);
    json_decref(tree);
    return status;
}

#else

int tfp_formula_file_read(tfp_user_formulas *formulas, tfp_span json,
                          const char *name, tfprof_error *err)
{
    (void)formulas;
    (void)json;
    (void)name;
    return tfp_fail(
        err, TFPROF_ERR_OPTION, -1,
        "cannot read formula files: this tfprof was built without jansson");
}

#endif
