/*
 * tui_absent_test.c - what a static program says about the tree.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tfprof/tfprof.h>

#include "tui/tui.h"

static void a_static_program_says_that_it_has_no_tree(void **state)
{
    char why[TUI_LONGEST_REASON] = "";
    (void)state;
    assert_false(tui_is_there());
    assert_false(tui_prepare(why));
    assert_string_equal(why,
                        "this static tfprof has no tui, because it cannot load "
                        "ncursesw (install a package of tfprof, or use: tfprof "
                        "scope)");
}

static void it_shows_nothing(void **state)
{
    tui_request request = { 0 };
    tui_end end;
    (void)state;
    tui_run(&request, &end);
    assert_int_equal(end.status, TFPROF_ERR_UNSUPPORTED);
    assert_int_equal(end.signal, 0);
}
