/*
 * formula_file.c - formulas of a user, and the JSON files that hold them.
 */
#include "ops/flops/formula_file.h"

#include "base/bytes.h"
#include "base/intern.h"
#include "base/json_tree.h"
#include "base/memory.h"

bool tfp_user_formulas_init(tfp_user_formulas *formulas, tfp_memory *memory)
{
    *formulas = (tfp_user_formulas){ .memory = memory };
    return tfp_interner_init(&formulas->ops, memory, 1, tfp_random_seed());
}

void tfp_user_formulas_release(tfp_user_formulas *formulas)
{
    for (size_t i = 0; i < formulas->formulas.count; i++)
        tfp_formula_release(&formulas->formulas.data[i], formulas->memory);
    TFP_VEC_RELEASE(formulas->memory, &formulas->formulas);
    tfp_interner_release(&formulas->ops);
}

const tfp_formula *tfp_user_formulas_find(const tfp_user_formulas *formulas,
                                          tfp_span op)
{
    uint32_t id = tfp_interner_find(&formulas->ops, op);
    return id == TFP_NO_ID || id == 0 ? NULL : &formulas->formulas.data[id - 1];
}

bool tfp_formula_file_is_there(void)
{
    return tfp_json_tree_is_there();
}

#if defined(TFPROF_HAVE_JANSSON)

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/escape.h"

enum { SHOWN_OP = 40 /* bytes of a type that a message repeats */ };

typedef struct formula_file {
    tfp_user_formulas *formulas;
    const char *name;
    const char *op; /* that is looked at, or NULL */
    tfprof_error *err;
} formula_file;

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

/* Takes over what `formula` holds, in the place of an earlier one for that
 * type. False when out of memory; `formula` is the caller's then. */
static bool add(tfp_user_formulas *formulas, tfp_span op,
                const tfp_formula *formula)
{
    uint32_t id;
    if (!TFP_VEC_RESERVE(formulas->memory, &formulas->formulas, 1))
        return false;
    id = tfp_intern(&formulas->ops, op);
    if (id == TFP_NO_ID)
        return false;
    if (id <= formulas->formulas.count) {
        tfp_formula_release(&formulas->formulas.data[id - 1], formulas->memory);
        formulas->formulas.data[id - 1] = *formula;
    } else {
        formulas->formulas.data[formulas->formulas.count++] = *formula;
    }
    return true;
}

static int read_text(const formula_file *f, const json_t *text, int count,
                     tfp_formula *formula)
{
    tfprof_error why;
    int status;
    if (!json_is_string(text))
        return fail(f, TFPROF_ERR_MALFORMED,
                    "%s must be a string, such as \"2 * #y0\"",
                    tfp_count_names[count]);
    status = tfp_expression_compile(&formula->of[count], f->formulas->memory,
                                    tfp_json_tree_text(text), &why);
    if (status == TFPROF_ERR_NOMEM)
        return tfp_fail_nomem(f->err);
    return status == TFPROF_OK
               ? TFPROF_OK
               : fail(f, status, "%s: %s", tfp_count_names[count], why.message);
}

static int read_counts(const formula_file *f, json_t *object,
                       tfp_formula *formula)
{
    const char *key;
    json_t *value;
    if (json_object_size(object) == 0)
        return fail(
            f, TFPROF_ERR_MALFORMED,
            "has no formula (expected float_ops, int_ops, macs or ops)");
    json_object_foreach(object, key, value)
    {
        int count = 0, status;
        while (count < TFP_COUNTS && strcmp(key, tfp_count_names[count]) != 0)
            count++;
        if (count == TFP_COUNTS) {
            char shown[SHOWN_OP];
            tfp_escape_short(tfp_span_of(key), shown, sizeof(shown));
            return fail(
                f, TFPROF_ERR_MALFORMED,
                "expected float_ops, int_ops, macs or ops, found \"%s\"",
                shown);
        }
        status = read_text(f, value, count, formula);
        if (status != TFPROF_OK)
            return status;
    }
    if (formula->of[TFP_COUNT_FLOAT_OPS].code.count == 0 &&
        formula->of[TFP_COUNT_OPS].code.count == 0)
        formula->doubled = TFP_COUNT_FLOAT_OPS;
    return TFPROF_OK;
}

static int read_formula(const formula_file *f, json_t *value)
{
    tfp_memory *memory = f->formulas->memory;
    tfp_formula formula = { 0 };
    int status;
    if (!*f->op)
        return fail(f, TFPROF_ERR_MALFORMED, "the operation type is empty");
    if (json_is_object(value))
        status = read_counts(f, value, &formula);
    else if (json_is_string(value))
        status = read_text(f, value, TFP_COUNT_FLOAT_OPS, &formula);
    else
        status = fail(
            f, TFPROF_ERR_MALFORMED,
            "must be a string, such as \"2 * #y0\", or an object of strings");
    if (status == TFPROF_OK && !add(f->formulas, tfp_span_of(f->op), &formula))
        status = tfp_fail_nomem(f->err);
    if (status != TFPROF_OK)
        tfp_formula_release(&formula, memory);
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
