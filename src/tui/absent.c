/*
 * absent.c - replaces all other files in builds without ncursesw.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tui/tui.h"

bool tui_is_there(void)
{
    return false;
}

bool tui_prepare(char why[TUI_LONGEST_REASON])
{
#if defined(TFPROF_IS_STATIC)
    snprintf(why, TUI_LONGEST_REASON,
             "this static tfprof has no tui, because it cannot load ncursesw "
             "(install a package of tfprof, or use: tfprof scope)");
#else
    snprintf(why, TUI_LONGEST_REASON,
             "tfprof was built without ncursesw, which tui needs (install "
             "libncurses-dev and build tfprof again, or use: tfprof scope)");
#endif
    return false;
}

void tui_run(const tui_request *request, tui_end *end)
{
    (void)request;
    *end = (tui_end){ .status = TFPROF_ERR_UNSUPPORTED };
}
