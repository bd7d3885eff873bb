/*
 * expression_parse.c - the text of an expression, compiled.
 *
 * By recursive descent, which nesting bounds: each level of it is one pair of
 * parentheses or brackets, or one "?:" inside another. An instruction takes at
 * least one byte of text, so the limit of the text is one of the code, too.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "ops/flops/expression.h"
#include "ops/flops/expression_code.h"

enum { SHOWN = 40 }; /* bytes of what a message repeats */

typedef struct parser {
    tfp_span text;
    size_t at;
    tfp_expression *out;
    tfp_memory *memory;
    tfprof_error *err;
    int status;
    int nesting;
    size_t values; /* on the stack at this place */
} parser;

static bool parse_choice(parser *p);

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_byte(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           is_digit(c);
}

/* ---- Failing ------------------------------------------------------------ */

static bool fail(parser *p, int status)
{
    p->status = status;
    return false;
}

/* What stands at `at`, as a message shows it: a word, or one character. */
static const char *show(const parser *p, size_t at, char shown[SHOWN])
{
    tfp_span rest = { p->text.data + at, p->text.size - at };
    size_t size = 0;
    uint32_t code;
    char safe[SHOWN - 2];
    if (rest.size == 0)
        return "the end";
    while (size < rest.size && size < 16 && is_name_byte(rest.data[size]))
        size++;
    if (size == 0)
        size = tfp_utf8_next(rest, &code);
    rest.size = size == 0 ? 1 : size;
    tfp_escape(rest, safe, sizeof(safe));
    snprintf(shown, SHOWN, "'%s'", safe);
    return shown;
}

static bool fail_expected(parser *p, size_t at, const char *what)
{
    char shown[SHOWN];
    return fail(p, tfp_fail(p->err, TFPROF_ERR_MALFORMED, -1,
                            "character %zu: expected %s, found %s", at + 1,
                            what, show(p, at, shown)));
}

static bool fail_limit(parser *p, size_t at, const char *what)
{
    return fail(p, tfp_fail(p->err, TFPROF_ERR_LIMIT, -1, "character %zu: %s",
                            at + 1, what));
}

/* ---- Reading ------------------------------------------------------------ */

/* The next byte that is not blank, or -1. */
static int peek(parser *p)
{
    while (p->at < p->text.size) {
        int c = p->text.data[p->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return c;
        p->at++;
    }
    return -1;
}

static bool accept(parser *p, int c)
{
    if (peek(p) != c)
        return false;
    p->at++;
    return true;
}

static bool expect(parser *p, int c, const char *what)
{
    return accept(p, c) || fail_expected(p, p->at, what);
}

/* The name that begins here; empty when none does. */
static tfp_span read_name(parser *p)
{
    tfp_span name = { NULL, 0 };
    if (is_digit(peek(p)))
        return name;
    name.data = p->text.data + p->at;
    while (p->at < p->text.size && is_name_byte(p->text.data[p->at])) {
        p->at++;
        name.size++;
    }
    return name;
}

/* The digits in `text` as a number, at most `most`. */
static bool number_of(tfp_span text, int64_t most, int64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < text.size; i++) {
        int digit = text.data[i] - '0';
        if (!is_digit(text.data[i]) || *number > (most - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return text.size > 0;
}

/* ---- Writing ------------------------------------------------------------ */

static bool emit_full(parser *p, tfp_instruction instruction)
{
    p->values = p->values + 1 - tfp_code_operands[instruction.code];
    if (p->values > TFP_EXPRESSION_MOST_VALUES)
        return fail_limit(p, p->at, "too many operands");
    if (!TFP_VEC_PUSH(p->memory, &p->out->code, instruction))
        return fail(p, tfp_fail_nomem(p->err));
    return true;
}

static bool emit(parser *p, tfp_code code)
{
    return emit_full(p, (tfp_instruction){ .code = (uint8_t)code });
}

static bool emit_tensor(parser *p, tfp_code code, tfp_instruction tensor)
{
    tensor.code = (uint8_t)code;
    return emit_full(p, tensor);
}

/* Takes back a small number that was emitted last. */
static bool take_number(parser *p, int8_t *number)
{
    size_t count = p->out->code.count;
    const tfp_instruction *last = p->out->code.data + count - 1;
    if (count == 0 || last->code != TFP_CODE_NUMBER || last->a < INT8_MIN ||
        last->a > INT8_MAX)
        return false;
    *number = (int8_t)last->a;
    p->out->code.count--;
    p->values--;
    return true;
}

/* A dimension, or a product of them; constant axes need no operands. */
static bool emit_dims(parser *p, tfp_code code, tfp_instruction tensor)
{
    tfp_instruction axis = { .code = TFP_CODE_NUMBER };
    int8_t to = 0;
    if (code == TFP_CODE_PROD && !take_number(p, &to))
        return emit_tensor(p, code, tensor);
    if (take_number(p, &tensor.from)) {
        tensor.to = to;
        return emit_tensor(
            p, code == TFP_CODE_DIM ? TFP_CODE_DIM_AT : TFP_CODE_PROD_AT,
            tensor);
    }
    axis.a = to;
    return (code == TFP_CODE_DIM || emit_full(p, axis)) &&
           emit_tensor(p, code, tensor);
}

/* ---- Values ------------------------------------------------------------- */

/* An expression inside another. */
static bool parse_nested(parser *p)
{
    bool ok;
    if (p->nesting == TFP_EXPRESSION_MOST_NESTING)
        return fail_limit(p, p->at, "nested too deeply");
    p->nesting++;
    ok = parse_choice(p);
    p->nesting--;
    return ok;
}

static bool parse_number(parser *p)
{
    tfp_span digits = { p->text.data + p->at, 0 };
    size_t start = p->at;
    tfp_instruction number = { .code = TFP_CODE_NUMBER };
    while (p->at < p->text.size && is_name_byte(p->text.data[p->at]))
        p->at++;
    digits.size = p->at - start;
    if (!number_of(digits, INT64_MAX, &number.a))
        return fail_expected(p, start, "an integer of at most 2^63 - 1");
    return emit_full(p, number);
}

/* "x0", "y12": all of it, into `tensor`. */
static bool is_tensor(tfp_span name, tfp_instruction *tensor)
{
    tfp_span digits;
    if (name.size < 2 || (name.data[0] != 'x' && name.data[0] != 'y'))
        return false;
    digits = (tfp_span){ name.data + 1, name.size - 1 };
    *tensor = (tfp_instruction){ .side = name.data[0] == 'x'
                                             ? TFP_SIDE_INPUT
                                             : TFP_SIDE_OUTPUT };
    return number_of(digits, TFP_EXPRESSION_MOST_TENSOR, &tensor->a);
}

static bool parse_tensor(parser *p, tfp_instruction *tensor)
{
    size_t start;
    (void)peek(p);
    start = p->at;
    return is_tensor(read_name(p), tensor) ||
           fail_expected(p, start, "a tensor, such as x0 or y0");
}

static bool parse_input(parser *p, tfp_instruction *input)
{
    size_t start;
    (void)peek(p);
    start = p->at;
    return (is_tensor(read_name(p), input) && input->side == TFP_SIDE_INPUT) ||
           fail_expected(p, start, "an input, such as x0");
}

static bool parse_attr_name(parser *p, tfp_instruction *attr)
{
    tfp_span name = read_name(p);
    if (name.size == 0)
        return fail_expected(p, p->at, "the name of an attribute");
    *attr = (tfp_instruction){ .a = name.data - p->text.data,
                               .size = (uint16_t)name.size };
    return true;
}

/* A name, and in brackets which item of the list. */
static bool parse_attr(parser *p)
{
    tfp_instruction attr;
    if (!parse_attr_name(p, &attr))
        return false;
    attr.code = TFP_CODE_ITEM_ONLY;
    if (accept(p, '[')) {
        attr.code = TFP_CODE_ITEM;
        if (!parse_nested(p) || !expect(p, ']', "']'"))
            return false;
    }
    return emit_full(p, attr);
}

/* Between quotes, of which the first was read. */
static bool parse_text(parser *p)
{
    tfp_instruction text = { .code = TFP_CODE_TEXT, .a = (int64_t)p->at };
    while (p->at < p->text.size && p->text.data[p->at] != '\'')
        p->at++;
    text.size = (uint16_t)(p->at - (size_t)text.a);
    return expect(p, '\'', "a closing '") && emit_full(p, text);
}

/* ---- Functions ---------------------------------------------------------- */

/* Behind the opening parenthesis, up to the closing one; NULL if it has no
 * parentheses. */
typedef struct function function;
struct function {
    const char *name;
    bool (*parse)(parser *p, const function *f);
    tfp_code code;
    int operands; /* of parse_values() */
};

/* So many values; two or more when the operator joins them one by one. */
static bool parse_values(parser *p, const function *f)
{
    for (int i = 0; i < f->operands; i++) {
        if ((i > 0 && !expect(p, ',', "','")) || !parse_nested(p))
            return false;
    }
    return emit(p, f->code);
}

static bool parse_joined(parser *p, const function *f)
{
    if (!parse_values(p, f))
        return false;
    while (accept(p, ',')) {
        if (!parse_nested(p) || !emit(p, f->code))
            return false;
    }
    return true;
}

static bool parse_rank(parser *p, const function *f)
{
    tfp_instruction tensor;
    return parse_tensor(p, &tensor) && emit_tensor(p, f->code, tensor);
}

/* "@name" or "value(x1)": the attribute or the input, into `list`. False also
 * if there is none; the status says whether that is a failure. */
static bool accept_list(parser *p, tfp_instruction *list)
{
    size_t start;
    if (accept(p, '@'))
        return parse_attr_name(p, list);
    start = p->at;
    if (tfp_span_is(read_name(p), "value"))
        return expect(p, '(', "'('") && parse_input(p, list) &&
               expect(p, ')', "')'");
    p->at = start;
    return false;
}

static bool parse_list(parser *p, tfp_instruction *list)
{
    return accept_list(p, list) ||
           (p->status == TFPROF_OK &&
            fail_expected(p, p->at, "a list, such as @strides or value(x1)"));
}

static bool parse_len(parser *p, const function *f)
{
    tfp_instruction list;
    return parse_list(p, &list) && emit_tensor(p, f->code, list);
}

static bool parse_prod_except(parser *p, const function *f)
{
    tfp_instruction tensor, list;
    if (!parse_tensor(p, &tensor) || !expect(p, ',', "','") ||
        !parse_list(p, &list))
        return false;
    list.side = tensor.side;
    list.tensor = (uint16_t)tensor.a;
    return emit_tensor(p, f->code, list);
}

static bool parse_element(parser *p, const function *f)
{
    tfp_instruction input;
    if (!parse_input(p, &input))
        return false;
    return accept(p, ',')
               ? parse_nested(p) && emit_tensor(p, TFP_CODE_ITEM, input)
               : emit_tensor(p, f->code, input);
}

/* Of a list, or of dims. The end of these may be left out: it is the rank
 * then. */
static bool parse_prod(parser *p, const function *f)
{
    tfp_instruction tensor;
    if (accept_list(p, &tensor))
        return emit_tensor(p, TFP_CODE_ITEM_PROD, tensor);
    if (p->status != TFPROF_OK || !parse_tensor(p, &tensor) ||
        !expect(p, ',', "','") || !parse_nested(p))
        return false;
    if (!(accept(p, ',') ? parse_nested(p)
                         : emit_tensor(p, TFP_CODE_RANK, tensor)))
        return false;
    return emit_dims(p, f->code, tensor);
}

static bool parse_attr_or_else(parser *p, const function *f)
{
    if (!parse_attr(p))
        return false;
    return !accept(p, ',') || (parse_nested(p) && emit(p, f->code));
}

/* clang-format off */
static const function functions[] = {
    /* name          arguments           code                  operands */
    { "attr",        parse_attr_or_else, TFP_CODE_OR_ELSE,     0 },
    { "ceil_div",    parse_values,       TFP_CODE_CEIL_DIV,    2 },
    { "controls",    NULL,               TFP_CODE_CONTROLS,    0 },
    { "first_known", parse_joined,       TFP_CODE_FIRST_KNOWN, 2 },
    { "free",        NULL,               TFP_CODE_FREE,        0 },
    { "inputs",      NULL,               TFP_CODE_INPUTS,      0 },
    { "len",         parse_len,          TFP_CODE_ITEM_COUNT,  0 },
    { "log2_ceil",   parse_values,       TFP_CODE_LOG2_CEIL,   1 },
    { "macs",        NULL,               TFP_CODE_MACS,        0 },
    { "max",         parse_joined,       TFP_CODE_MAX,         2 },
    { "min",         parse_joined,       TFP_CODE_MIN,         2 },
    { "mul_log2",    parse_values,       TFP_CODE_MUL_LOG2,    2 },
    { "prod",        parse_prod,         TFP_CODE_PROD,        0 },
    { "prod_except", parse_prod_except,  TFP_CODE_NO_AXES,     0 },
    { "rank",        parse_rank,         TFP_CODE_RANK,        0 },
    { "value",       parse_element,      TFP_CODE_ITEM_ONLY,   0 },
};
/* clang-format on */

static bool parse_function(parser *p, tfp_span name, size_t start)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        const function *f = &functions[i];
        if (!tfp_span_is(name, f->name))
            continue;
        return f->parse == NULL ? emit(p, f->code)
                                : expect(p, '(', "'('") && f->parse(p, f) &&
                                      expect(p, ')', "')' or ','");
    }
    return fail_expected(p, start,
                         "a tensor (x0, y0), a function (max, prod, ...) or a "
                         "word (inputs, macs, ...)");
}

/* ---- Operators ---------------------------------------------------------- */

static bool parse_value(parser *p)
{
    int c = peek(p);
    size_t start = p->at;
    tfp_instruction tensor;
    tfp_span name;
    if (is_digit(c))
        return parse_number(p);
    if (accept(p, '('))
        return parse_nested(p) && expect(p, ')', "')' or an operator");
    if (accept(p, '#'))
        return parse_tensor(p, &tensor) &&
               emit_tensor(p, TFP_CODE_ELEMENTS, tensor);
    if (accept(p, '@'))
        return parse_attr(p);
    if (accept(p, '\''))
        return parse_text(p);
    name = read_name(p);
    if (name.size == 0)
        return fail_expected(p, start, "a value");
    if (!is_tensor(name, &tensor))
        return parse_function(p, name, start);
    return expect(p, '[',
                  "'[' (write x0[0] for a dimension, #x0 for all elements)") &&
           parse_nested(p) && expect(p, ']', "']' or an operator") &&
           emit_dims(p, TFP_CODE_DIM, tensor);
}

static bool parse_signed(parser *p)
{
    tfp_instruction *last;
    bool is_negative = false;
    while (accept(p, '-'))
        is_negative = !is_negative;
    if (!parse_value(p))
        return false;
    last = p->out->code.data + p->out->code.count - 1;
    if (!is_negative)
        return true;
    if (last->code != TFP_CODE_NUMBER)
        return emit(p, TFP_CODE_NEGATE);
    last->a = -last->a;
    return true;
}

typedef struct operation {
    const char *text;
    int level; /* higher ones bind closer */
    tfp_code code;
} operation;

enum { COMPARISONS = 1 };

/* clang-format off */
static const operation operators[] = {
    { "==", COMPARISONS, TFP_CODE_EQ },
    { "!=", COMPARISONS, TFP_CODE_NE },
    { "<=", COMPARISONS, TFP_CODE_LE }, /* before "<" */
    { ">=", COMPARISONS, TFP_CODE_GE },
    { "<",  COMPARISONS, TFP_CODE_LT },
    { ">",  COMPARISONS, TFP_CODE_GT },
    { "+",  2,           TFP_CODE_ADD },
    { "-",  2,           TFP_CODE_SUB },
    { "*",  3,           TFP_CODE_MUL },
    { "/",  3,           TFP_CODE_DIV },
    { "%",  3,           TFP_CODE_MOD },
};
/* clang-format on */

/* The operator that stands here, if it is of that level or a higher one. */
static const operation *operator_here(parser *p, int level)
{
    tfp_span rest;
    (void)peek(p);
    rest = (tfp_span){ p->text.data + p->at, p->text.size - p->at };
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (tfp_span_starts(rest, operators[i].text))
            return operators[i].level >= level ? &operators[i] : NULL;
    }
    return NULL;
}

/* Operators of that level and higher ones, which take turns from the left. */
static bool parse_operators(parser *p, int level)
{
    const operation *o;
    bool compared = false;
    if (!parse_signed(p))
        return false;
    while ((o = operator_here(p, level)) != NULL) {
        if (o->level == COMPARISONS && compared)
            return fail_expected(p, p->at,
                                 "parentheses around one of two comparisons");
        compared = o->level == COMPARISONS;
        p->at += strlen(o->text);
        if (!parse_operators(p, o->level + 1) || !emit(p, o->code))
            return false;
    }
    return true;
}

static bool parse_choice(parser *p)
{
    if (!parse_operators(p, COMPARISONS))
        return false;
    if (!accept(p, '?'))
        return true;
    return parse_nested(p) && expect(p, ':', "':' or an operator") &&
           parse_nested(p) && emit(p, TFP_CODE_CHOOSE);
}

int tfp_expression_compile(tfp_expression *expression, tfp_memory *memory,
                           tfp_span text, tfprof_error *err)
{
    parser p = { .out = expression, .memory = memory, .err = err };
    *expression = (tfp_expression){ 0 };
    if (text.size > TFP_EXPRESSION_MOST_BYTES)
        return tfp_fail(err, TFPROF_ERR_LIMIT, -1, "longer than %d bytes",
                        TFP_EXPRESSION_MOST_BYTES);
    if (!TFP_VEC_RESERVE(memory, &expression->text, text.size + 1))
        return tfp_fail_nomem(err);
    if (text.size > 0)
        memcpy(expression->text.data, text.data, text.size);
    expression->text.count = text.size;
    p.text = (tfp_span){ expression->text.data, text.size };
    if (parse_choice(&p) && peek(&p) >= 0)
        fail_expected(&p, p.at, "an operator or the end");
    return p.status;
}
