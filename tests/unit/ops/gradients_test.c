/*
 * gradients_test.c - which operations a name may be the gradient of.
 */
#include "testing.h"

#include "model/gradients.h"

/* The names, each followed by a blank. */
static void check(const char *name, const char *expected)
{
    tfp_forward_names names = tfp_forward_names_of(tfp_span_of(name));
    tfp_span forward;
    while (tfp_forward_names_next(&names, &forward)) {
        assert_true(strlen(expected) > forward.size);
        assert_memory_equal(expected, forward.data, forward.size);
        assert_int_equal(expected[forward.size], ' ');
        expected += forward.size + 1;
    }
    assert_string_equal(expected, "");
    assert_false(tfp_forward_names_next(&names, &forward));
}

TEST(a_tape_names_the_operation_or_its_scope)
{
    check("gradient_tape/a/MatMul/MatMul_1", "a/MatMul a ");
    check("gradient_tape/MatMul/x", "MatMul ");
    check("gradient_tape/a/Sum", "a ");
    check("gradient_tape/Sum", "");
    check("gradient_tape/", "");
    check("gradient_tape//x", "");
    check("a/gradient_tape/b/c", "b ");
    check("gradient_tape/gradient_tape/a/b/c", "gradient_tape/a/b "
                                               "gradient_tape/a "
                                               "gradient_tape ");
}

TEST(other_names_are_those_of_graphs)
{
    check("gradients/conv/Conv2D_grad/Shape", "conv/Conv2D ");
    check("a/gradients/conv_grad/Shape", "conv ");
    check("a_gradient_tape/b/c", "");
    check("gradient_tape", "");
    check("conv/Conv2D", "");
    check("", "");
}

TEST(only_so_many_names_are_tried)
{
    check("gradient_tape/a/a/a/a/a/a/a/a/a/x",
          "a/a/a/a/a/a/a/a/a a/a/a/a/a/a/a/a a/a/a/a/a/a/a a/a/a/a/a/a "
          "a/a/a/a/a a/a/a/a a/a/a a/a ");
}
