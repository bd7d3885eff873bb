/*
 * expression_test.c - the language of user formulas.
 */
#include "counting.h"

#include "base/memory.h"
#include "fake_world.h"
#include "ops/flops/expression_code.h"

enum { UNKNOWN = INT32_MIN }; /* in a table of values: not known */

#define MOST "9223372036854775807"

typedef struct compiled {
    counting counts;
    tfp_memory memory;
    tfp_expression expression;
    tfprof_error err;
    int status;
} compiled;

/* The text stands in a block of its own size, so that a sanitizer sees a step
 * past it, and is gone when the expression is evaluated. */
static void compile(compiled *c, const char *text, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    tfp_memory_init(&c->memory, counting_resize, &c->counts);
    c->err = (tfprof_error){ .offset = -2 };
    c->status = tfp_expression_compile(&c->expression, &c->memory,
                                       (tfp_span){ copy, size }, &c->err);
    memset(copy, 0xaa, size);
    free(copy);
    if (c->status == TFPROF_OK)
        assert_int_equal(c->err.offset, -2); /* not touched on success */
    else
        assert_int_equal(c->err.code, c->status);
}

static void finish(compiled *c)
{
    tfp_expression_release(&c->expression, &c->memory);
    assert_int_equal(c->memory.held, 0);
    counting_check(&c->counts);
}

static bool evaluate(const compiled *c, int64_t *value)
{
    tfp_expression_world world = fake_world();
    return tfp_expression_evaluate(&c->expression, &world, value) == TFP_KNOWN;
}

/* ---- Values ------------------------------------------------------------- */

typedef struct text_row {
    const char *text;
    int64_t value;
} text_row;

/* clang-format off */
static const text_row rows[] = {
    /* numbers and operators */
    { "0", 0 }, { "007", 7 }, { MOST, INT64_MAX }, { " \t\r\n1 ", 1 },
    { "2+3*4", 14 }, { "(2+3)*4", 20 }, { "2*3+4", 10 }, { "10-4-3", 3 },
    { "100/10/5", 2 }, { "2-3*4+5", -5 }, { "1+2 < 3*4", 1 }, { "-2*-3", 6 },
    { "--5", 5 }, { "---5", -5 }, { "- (2)", -2 }, { "2--3", 5 },
    { "7/2", 3 }, { "-7/2", -3 }, { "7/-2", -3 }, { "-7/-2", 3 },
    { "7%3", 1 }, { "-7%3", -1 }, { "7%-3", 1 }, { "-7%-3", -1 },
    { "1==1", 1 }, { "1!=1", 0 }, { "1<2", 1 }, { "2<2", 0 }, { "2<=2", 1 },
    { "3<=2", 0 }, { "3>2", 1 }, { "2>2", 0 }, { "2>=2", 1 }, { "1>=2", 0 },
    { "(1<2)==1", 1 },
    /* choosing */
    { "1 ? 2 : 3", 2 }, { "0 ? 2 : 3", 3 }, { "-1 ? 2 : 3", 2 },
    { "0 ? 1 : 0 ? 2 : 3", 3 }, { "1 ? 0 ? 1 : 2 : 3", 2 },
    { "1 ? 2 : 3 + 4", 2 }, { "1 + 1 == 2 ? 5 : 6", 5 },
    { "(0 ? 2 : 3) * 2", 6 },
    { "1 ? 2 : 1/0", 2 }, { "0 ? 1/0 : 3", 3 }, { "1 ? 1/0 : 3", UNKNOWN },
    { "x2[0] ? 1 : 1", UNKNOWN },
    { "rank(x0) == 4 ? x0[3] : x0[2]", 5 },
    /* tensors */
    { "#x0", 30 }, { "#x3", 1 }, { "#y0", 24 }, { "# x0", 30 },
    { "#x1", UNKNOWN }, { "#x2", UNKNOWN }, { "#x9", UNKNOWN },
    { "#x65535", UNKNOWN }, { "#x4", 0 }, { "#y1", INT64_MAX },
    { "x0[0]", 2 }, { "x0[2]", 5 }, { "x0[-1]", 5 }, { "x0[-3]", 2 },
    { "x0[3]", UNKNOWN }, { "x0[-4]", UNKNOWN }, { "x3[0]", UNKNOWN },
    { "x3[-1]", UNKNOWN }, { "x2[0]", UNKNOWN }, { "x9[0]", UNKNOWN },
    { "x1[0]", 7 }, { "x1[1]", UNKNOWN }, { "x1[-2]", 7 },
    { "x0[1+1]", 5 }, { "x0[x0[0]]", 5 }, { "x0[1/0]", UNKNOWN },
    { "x0[" MOST "]", UNKNOWN }, { "x0[-" MOST "]", UNKNOWN },
    { "x0[@low]", UNKNOWN }, { "y0[1]", 6 },
    { "rank(x0)", 3 }, { "rank( x3 )", 0 }, { "rank(x2)", UNKNOWN },
    { "rank(x9)", UNKNOWN },
    { "prod(x0,0,3)", 30 }, { "prod(x0, 1, 3)", 15 }, { "prod(x0,1,2)", 3 },
    { "prod(x0,0)", 30 }, { "prod(x0,1)", 15 }, { "prod(x0,-2)", 15 },
    { "prod(x0,0,-1)", 6 }, { "prod(x0,3)", 1 }, { "prod(x0,2,1)", 1 },
    { "prod(x0,4)", UNKNOWN }, { "prod(x0,-4)", UNKNOWN },
    { "prod(x0,0,4)", UNKNOWN }, { "prod(x1,0,1)", 7 },
    { "prod(x1,0)", UNKNOWN }, { "prod(x1,1,1)", 1 }, { "prod(x3,0)", 1 },
    { "prod(x2,0,0)", UNKNOWN }, { "prod(x0,1/0)", UNKNOWN },
    { "prod(x0,0,1/0)", UNKNOWN }, { "prod(x0,@low," MOST ")", UNKNOWN },
    { "2 * #y0 * x0[0] * x0[1] * x0[2]", 1440 },
    /* attributes */
    { "@N", 3 }, { "@ N", 3 }, { "attr(N)", 3 }, { "@T == 1", 1 },
    { "@none", UNKNOWN }, { "attr(none)", UNKNOWN }, { "@odd", UNKNOWN },
    { "attr(none, 7)", 7 }, { "attr(N, 7)", 3 }, { "attr(odd, 7)", UNKNOWN },
    { "attr(none, 1/0)", UNKNOWN }, { "attr(N, 1/0)", 3 },
    { "@strides", UNKNOWN }, { "@strides[1]", 2 }, { "@strides[2]", -2 },
    { "@strides[3]", UNKNOWN }, { "@strides[-1]", -2 },
    { "@N[0]", UNKNOWN }, { "@none[0]", UNKNOWN },
    { "attr(strides[1])", 2 }, { "attr(none[1], 8)", 8 },
    { "@strides[1/0]", UNKNOWN }, { "attr(none[1/0], 8)", UNKNOWN },
    { "@strides[@keep]", 2 }, { "1 + @none", UNKNOWN },
    { "@none ? 1 : 2", UNKNOWN }, { "-@none", UNKNOWN },
    /* functions */
    { "min(2,1)", 1 }, { "max(2,1)", 2 }, { "min(4, 2, 3)", 2 },
    { "max(4, 2, 9, 3)", 9 }, { "min(1, 1/0)", UNKNOWN },
    { "ceil_div(7,2)", 4 }, { "ceil_div(6,2)", 3 }, { "ceil_div(-7,2)", -3 },
    { "ceil_div(7,-2)", -3 }, { "ceil_div(-7,-2)", 4 },
    { "ceil_div(0,5)", 0 }, { "ceil_div(1,0)", UNKNOWN },
    { "log2_ceil(1)", 0 }, { "log2_ceil(2)", 1 }, { "log2_ceil(3)", 2 },
    { "log2_ceil(1024)", 10 }, { "log2_ceil(1025)", 11 },
    { "log2_ceil(" MOST ")", 63 }, { "log2_ceil(0)", UNKNOWN },
    { "log2_ceil(-1)", UNKNOWN },
    /* the ends of the range, and what has no answer */
    { MOST "+1", INT64_MAX }, { "-" MOST "-2", INT64_MIN },
    { MOST "*2", INT64_MAX }, { MOST "*-2", INT64_MIN },
    { "@low", INT64_MIN }, { "-@low", INT64_MAX }, { "@low/-1", INT64_MAX },
    { "@low%-1", 0 }, { "ceil_div(@low,-1)", INT64_MAX },
    { "ceil_div(@low,2)", INT64_MIN / 2 }, { "0-@low", INT64_MAX },
    { "@low/1", INT64_MIN }, { "1/0", UNKNOWN }, { "1%0", UNKNOWN },
    { "0/0", UNKNOWN },
    /* on the way to the result 126 bits are exact */
    { MOST "*3/3", INT64_MAX }, { MOST "*" MOST "/" MOST, INT64_MAX },
    { MOST "*2-" MOST, INT64_MAX },
    { "3*(" MOST "+9)-2*(" MOST "+9)-9", INT64_MAX }, { "#y1/#y1", 1 }, { "#y1-#y1+1", 1 },
    { MOST "*" MOST "*" MOST "*" MOST "/" MOST, INT64_MAX },
    { "-" MOST "*" MOST "*" MOST, INT64_MIN }, { "#y1*#y1*0", 0 },
    { "log2_ceil(#y1)", 80 }, { "log2_ceil(#y1*2+1)", 82 },
    /* the node */
    { "inputs", 5 }, { "controls", 2 }, { "macs", 1000 }, { "2*macs+1", 2001 },
    { "attr(none, inputs)", 5 }, { "free", UNKNOWN }, { "free+1", UNKNOWN },
    /* texts */
    { "@mode == 'SAME'", 1 }, { "@mode != 'SAME'", 0 },
    { "@mode == 'VALID'", 0 }, { "'a' == 'a'", 1 }, { "'' == ''", 1 },
    { "'' != 'a'", 1 }, { "@mode == ''", 0 }, { "@names[1] == 'bc'", 1 },
    { "attr(none, 'x') == 'x'", 1 }, { "attr(mode, 'x') == 'x'", 0 },
    { "@mode", UNKNOWN }, { "'a'", UNKNOWN }, { "@mode + 1", UNKNOWN },
    { "@mode == 1", UNKNOWN }, { "'a' < 'b'", UNKNOWN },
    { "@none == 'a'", UNKNOWN }, { "-'a'", UNKNOWN },
    { "@half", 2 }, { "-@half", -2 },
    /* lists, and the elements of inputs */
    { "len(@strides)", 3 }, { "len(@names)", 2 }, { "len(@none)", 0 },
    { "len(@none_at_all)", 0 }, { "len(@N)", UNKNOWN },
    { "prod(@strides)", -4 }, { "prod(@none_at_all)", 1 },
    { "prod(@none)", UNKNOWN }, { "prod(@names)", UNKNOWN },
    { "prod(@N)", UNKNOWN }, { "len(value(x1))", 2 },
    { "len(value(x0))", UNKNOWN }, { "prod(value(x1))", -2 },
    { "prod( value ( x1 ) )", -2 }, { "prod(value(x9))", UNKNOWN },
    { "value(x3)", 9 }, { "value(x1)", UNKNOWN }, { "value(x0)", UNKNOWN },
    { "value(x1, 0)", 1 }, { "value(x1,-1)", -2 }, { "value(x1,2)", UNKNOWN },
    { "value(x3,0)", 9 }, { "value(x0,0)", UNKNOWN },
    { "value(x1,1/0)", UNKNOWN },
    { "prod_except(x0, value(x1))", 10 }, { "prod_except(x0,@strides)", 2 },
    { "prod_except(x0, value(x3))", 30 }, { "prod_except(x0,@none)", UNKNOWN },
    { "prod_except(x2, value(x1))", UNKNOWN },
    { "prod_except(x1, value(x1))", 1 },
    { "prod_except(x1, @none_at_all)", UNKNOWN }, { "prod_except(x0,@names)", UNKNOWN },
    { "prod_except(x3, @strides)", 1 },
    /* the first that is known, logarithms */
    { "first_known(1/0, 2)", 2 }, { "first_known(1, 2)", 1 },
    { "first_known(@none, 1/0, 3)", 3 }, { "first_known(1/0, @none)", UNKNOWN },
    { "mul_log2(3, 8)", 9 }, { "mul_log2(10, 3)", 15 },
    { "mul_log2(5, 1)", 0 }, { "mul_log2(5, 0)", 0 }, { "mul_log2(5, -3)", 0 },
    { "mul_log2(-10, 3)", -15 }, { "mul_log2(" MOST ", 4)", INT64_MAX },
    { "mul_log2(1/0, 1)", UNKNOWN }, { "0*(1/0)", UNKNOWN }, { "1/0 == 1/0", UNKNOWN },
};
/* clang-format on */

TEST(values_are_what_the_table_says)
{
    EACH(row, rows) {
        compiled c = { .status = 0 };
        int64_t value = 0;
        bool known;
        compile(&c, row->text, strlen(row->text));
        if (c.status != TFPROF_OK)
            fail_msg("%s: %s", row->text, c.err.message);
        known = evaluate(&c, &value);
        if (known != (row->value != UNKNOWN) || (known && value != row->value))
            fail_msg("%s: %s %lld", row->text, known ? "is" : "not known",
                     (long long)value);
        finish(&c);
    }
}

/* ---- Mistakes ----------------------------------------------------------- */

typedef struct mistake {
    const char *text, *message;
} mistake;

static const mistake mistakes[] = {
    { "", "character 1: expected a value, found the end" },
    { "  ", "character 3: expected a value, found the end" },
    { "1 +", "character 4: expected a value, found the end" },
    { "1 + * 2", "character 5: expected a value, found '*'" },
    { "1 2", "character 3: expected an operator or the end, found '2'" },
    { "(1", "character 3: expected ')' or an operator, found the end" },
    { "(1]", "character 3: expected ')' or an operator, found ']'" },
    { "1)", "character 2: expected an operator or the end, found ')'" },
    { "x0", "character 3: expected '[' (write x0[0] for a dimension, #x0 "
            "for all elements), found the end" },
    { "x0[1", "character 5: expected ']' or an operator, found the end" },
    { "x0[]", "character 4: expected a value, found ']'" },
    { "#", "character 2: expected a tensor, such as x0 or y0, found the end" },
    { "#z0", "character 2: expected a tensor, such as x0 or y0, found 'z0'" },
    { "#x", "character 2: expected a tensor, such as x0 or y0, found 'x'" },
    { "#x65536", "character 2: expected a tensor, such as x0 or y0, found "
                 "'x65536'" },
    { "#x0a", "character 2: expected a tensor, such as x0 or y0, found "
              "'x0a'" },
    { "#3", "character 2: expected a tensor, such as x0 or y0, found '3'" },
    { "@", "character 2: expected the name of an attribute, found the end" },
    { "@3", "character 2: expected the name of an attribute, found '3'" },
    { "@a[1", "character 5: expected ']', found the end" },
    { "foo(1)", "character 1: expected a tensor (x0, y0), a function (max, "
                "prod, ...) or a word (inputs, macs, ...), found 'foo'" },
    { "inputs(1)", "character 7: expected an operator or the end, found '('" },
    { "'abc", "character 5: expected a closing ', found the end" },
    { "len(3)", "character 5: expected a list, such as @strides or value(x1), "
                "found '3'" },
    { "len(x0)", "character 5: expected a list, such as @strides or "
                 "value(x1), found 'x0'" },
    { "len(value)", "character 10: expected '(', found ')'" },
    { "len(@)", "character 6: expected the name of an attribute, found ')'" },
    { "value(y0)", "character 7: expected an input, such as x0, found 'y0'" },
    { "prod(value(1))", "character 12: expected an input, such as x0, found "
                        "'1'" },
    { "prod(@a, 1)", "character 8: expected ')' or ',', found ','" },
    { "prod_except(@a, @b)", "character 13: expected a tensor, such as x0 or "
                             "y0, found '@'" },
    { "min", "character 4: expected '(', found the end" },
    { "min(1)", "character 6: expected ',', found ')'" },
    { "min(1,", "character 7: expected a value, found the end" },
    { "ceil_div(1,2,3)", "character 13: expected ')' or ',', found ','" },
    { "rank(1)", "character 6: expected a tensor, such as x0 or y0, found "
                 "'1'" },
    { "rank(x0", "character 8: expected ')' or ',', found the end" },
    { "prod(x0)", "character 8: expected ',', found ')'" },
    { "prod(x0,0,1,2)", "character 12: expected ')' or ',', found ','" },
    { "attr(1)", "character 6: expected the name of an attribute, found '1'" },
    { "attr(a,)", "character 8: expected a value, found ')'" },
    { "1 ? 2", "character 6: expected ':' or an operator, found the end" },
    { "1 ? : 2", "character 5: expected a value, found ':'" },
    { "1 < 2 < 3", "character 7: expected parentheses around one of two "
                   "comparisons, found '<'" },
    { "1 = 2", "character 3: expected an operator or the end, found '='" },
    { "1.5", "character 2: expected an operator or the end, found '.'" },
    { "1e3",
      "character 1: expected an integer of at most 2^63 - 1, found '1e3'" },
    { "0x10",
      "character 1: expected an integer of at most 2^63 - 1, found '0x10'" },
    { "9223372036854775808", "character 1: expected an integer of at most 2^63 "
                             "- 1, found '9223372036854775'" },
    { "+1", "character 1: expected a value, found '+'" },
    { "\xc3\xa4", "character 1: expected a value, found '\xc3\xa4'" },
    { "\xff", "character 1: expected a value, found '\\xff'" },
    { "1 \x01", "character 3: expected an operator or the end, found "
                "'\\x01'" },
};

TEST(mistakes_are_told_with_their_place)
{
    EACH(row, mistakes) {
        compiled c = { .status = 0 };
        compile(&c, row->text, strlen(row->text));
        assert_int_equal(c.status, TFPROF_ERR_MALFORMED);
        assert_string_equal(c.err.message, row->message);
        finish(&c);
    }
}

TEST(rejects_nul_after_the_expression)
{
    compiled c = { .status = 0 };
    compile(&c, "1\0", 2);
    assert_int_equal(c.status, TFPROF_ERR_MALFORMED);
    assert_string_equal(c.err.message, "character 2: expected an operator or "
                                       "the end, found '\\x00'");
    finish(&c);
}

/* ---- Limits ------------------------------------------------------------- */

/* `open` so many times, `middle`, `close` as often. */
static void compile_nested(compiled *c, int times, const char *open,
                           const char *middle, const char *close)
{
    char text[2 * TFP_EXPRESSION_MOST_BYTES] = "";
    size_t at = 0;
    for (int i = 0; i < times; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s", open);
    at += (size_t)snprintf(text + at, sizeof(text) - at, "%s", middle);
    for (int i = 0; i < times; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s", close);
    *c = (compiled){ .status = 0 };
    compile(c, text, at);
}

TEST(nesting_has_a_limit)
{
    static const char *const pairs[][2] = {
        { "(", ")" },          { "x0[", "]" },     { "@a[", "]" },
        { "1?1:", "" },        { "1?", ":1" },     { "min(1,", ")" },
        { "rank(x0)-(", ")" }, { "attr(a,", ")" }, { "prod(x0,", ")" },
        { "value(x1,", ")" }
    };
    EACH(row, pairs) {
        for (int over = 0; over < 2; over++) {
            compiled c;
            int64_t value;
            compile_nested(&c, TFP_EXPRESSION_MOST_NESTING + over, (*row)[0],
                           "1", (*row)[1]);
            assert_int_equal(c.status, over ? TFPROF_ERR_LIMIT : TFPROF_OK);
            if (over)
                assert_non_null(strstr(c.err.message, "nested too deeply"));
            else
                (void)evaluate(&c, &value);
            finish(&c);
        }
    }
}

TEST(values_that_wait_have_a_limit)
{
    compiled c;
    int64_t value;
    /* Each level leaves four values waiting: of "<", "+", "*" and "min". */
    compile_nested(&c, 64, "1<1+1*min(1,", "1", ")");
    assert_int_equal(c.status, TFPROF_ERR_LIMIT);
    assert_non_null(strstr(c.err.message, "too many operands"));
    finish(&c);
    compile_nested(&c, 63, "1<1+1*min(1,", "1+1*1", ")");
    assert_ok(c.status);
    assert_true(evaluate(&c, &value));
    finish(&c);
}

TEST(the_text_has_a_limit)
{
    for (int over = 0; over < 2; over++) {
        char text[TFP_EXPRESSION_MOST_BYTES + 1];
        size_t size = TFP_EXPRESSION_MOST_BYTES - 1;
        compiled c = { .status = 0 };
        int64_t value;
        for (size_t i = 0; i < sizeof(text); i++)
            text[i] = i % 2 ? '+' : '1';
        compile(&c, text, over ? sizeof(text) : size);
        assert_int_equal(c.status, over ? TFPROF_ERR_LIMIT : TFPROF_OK);
        if (!over) {
            assert_true(evaluate(&c, &value));
            assert_int_equal(value, TFP_EXPRESSION_MOST_BYTES / 2);
            assert_int_equal(c.expression.code.count, size);
        }
        finish(&c);
    }
}

TEST(many_signs_take_no_nesting)
{
    char text[1002];
    compiled c = { .status = 0 };
    int64_t value;
    memset(text, '-', sizeof(text));
    text[1001] = '3';
    compile(&c, text, sizeof(text));
    assert_ok(c.status);
    assert_true(evaluate(&c, &value));
    assert_int_equal(value, -3);
    finish(&c);
}

TEST(each_allocation_may_fail)
{
    static const char text[] = "x0[1] * (2 + @N) ? min(1,2) : prod(x0, 1)";
    size_t k, refused;
    for (k = 1, refused = 1; refused > 0; k++) {
        compiled c = { .counts = { .fail_at = k } };
        compile(&c, text, strlen(text));
        refused = c.counts.refused;
        assert_int_equal(c.status, refused ? TFPROF_ERR_NOMEM : TFPROF_OK);
        finish(&c);
    }
    assert_true(k > 3);
}
