/*
 * tui_absent_test.c - what a static program says about the tree.
 */
#include "testing.h"

#include "tui/tui.h"

TEST(a_static_program_says_that_it_has_no_tree)
{
    char why[TUI_LONGEST_REASON] = "";
    assert_false(tui_is_there());
    assert_false(tui_prepare(why));
    assert_string_equal(why,
                        "this static tfprof has no tui, because it cannot load "
                        "ncursesw (install a package of tfprof, or use: tfprof "
                        "scope)");
}

TEST(it_shows_nothing)
{
    tui_request request = { 0 };
    tui_end end;
    tui_run(&request, &end);
    assert_int_equal(end.status, TFPROF_ERR_UNSUPPORTED);
    assert_int_equal(end.signal, 0);
}
