/*
 * formula_file.c - a file of user formulas, in JSON.
 *
 * jansson refuses what is no JSON by the letter: invalid UTF-8, NUL, keys that
 * come twice, more than 2048 levels, bytes behind the end. What is left to do
 * here is to see that the tree has the form of a formula file.
 */
#include "flops/formula_file.h"

#include "base/memory.h"

#if defined(TFPROF_HAVE_JANSSON)

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/escape.h"
#include "flops/user_formula.h"

/* Bytes of a name that a message repeats, of a file and of a type. */
enum { SHOWN_NAME = 64, SHOWN_OP = 40 };

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

bool tfp_formula_file_is_there(void)
{
    return true;
}

/* ---- Failing ------------------------------------------------------------ */

/* The end of a path says most about it, the beginning of a type. */
static void show(const char *text, bool at_end, char *buffer, size_t size)
{
    tfp_span span = tfp_span_of(text);
    if (at_end && span.size >= size) {
        span.data += span.size - (size - 1);
        span.size = size - 1;
    }
    tfp_escape_short(span, buffer, size);
}

static int fail(const formula_file *f, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(const formula_file *f, int code, const char *format, ...)
{
    char name[SHOWN_NAME], op[SHOWN_OP], what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    show(f->name, true, name, sizeof(name));
    if (!f->op)
        return tfp_fail(f->err, (tfprof_code)code, -1, "%s: %s", name, what);
    show(f->op, false, op, sizeof(op));
    return tfp_fail(f->err, (tfprof_code)code, -1, "%s: \"%s\": %s", name, op,
                    what);
}

/* jansson repeats what stands near the mistake, as it is. */
static int fail_json(const formula_file *f, const json_error_t *mistake)
{
    char text[120];
    if (json_error_code(mistake) == json_error_out_of_memory)
        return tfp_fail_nomem(f->err);
    tfp_escape_short(tfp_span_of(mistake->text), text, sizeof(text));
    return fail(f,
                json_error_code(mistake) == json_error_stack_overflow
                    ? TFPROF_ERR_LIMIT
                    : TFPROF_ERR_MALFORMED,
                "line %d, column %d: %s", mistake->line, mistake->column, text);
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
    status = tfp_expression_compile(
        &formula->of[count], f->formulas->memory,
        (tfp_span){ (const uint8_t *)json_string_value(text),
                    json_string_length(text) },
        &why);
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
            show(key, false, shown, sizeof(shown));
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
    json_error_t mistake;
    json_t *tree;
    int status;
    if (json.size > TFP_FORMULA_FILE_MOST)
        return fail(&f, TFPROF_ERR_LIMIT, "larger than %d bytes",
                    TFP_FORMULA_FILE_MOST);
    if (json.size == 0)
        return fail(&f, TFPROF_ERR_MALFORMED, "is empty");
    tree = json_loadb((const char *)json.data, json.size,
                      JSON_REJECT_DUPLICATES, &mistake);
    if (!tree)
        return fail_json(&f, &mistake);
    status = read_tree(&f, tree);
    json_decref(tree);
    return status;
}

#else

bool tfp_formula_file_is_there(void)
{
    return false;
}

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
