/*
 * tui.c - shows the tree from the beginning to the end.
 */
#include "tui/tui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/session.h"

bool tui_is_there(void)
{
    return true;
}

bool tui_prepare(char why[TUI_LONGEST_REASON])
{
    if (tui_curses_load())
        return true;
    snprintf(why, TUI_LONGEST_REASON,
             "tui needs " TFPROF_NCURSES_FILE
             ", which cannot be loaded (install " TFPROF_NCURSES_PACKAGE ")");
    return false;
}

static void fail(tui_end *end, int status, const char *why)
{
    end->status = status;
    snprintf(end->why, sizeof(end->why), "%s", why);
}

/* The first view, and then keys until the end. */
static void show(tui_session *s, tui_end *end)
{
    tfprof_error err;
    int status = tui_show_view(s, "scope", &err);
    if (status == TFPROF_OK)
        tui_run_keys(s);
    else if (!tui_ending_signal())
        fail(end, status, err.message);
}

void tui_run(const tui_request *request, tui_end *end)
{
    tui_session session;
    const char *term = getenv("TERM");
    tui_terminal terminal = { .curses = tui_curses_load() };
    *end = (tui_end){ .status = TFPROF_OK };
    if (!terminal.curses ||
        !tui_terminal_open(&terminal, request->has_color, request->is_utf8)) {
        end->status = TFPROF_ERR_OPTION;
        snprintf(end->why, sizeof(end->why),
                 "tui cannot use a terminal of type '%s' (set TERM to the type "
                 "of your terminal, such as xterm)",
                 term ? term : "");
        return;
    }
    tui_session_init(&session, request);
    session.terminal = terminal;
    show(&session, end);
    tui_terminal_close(&session.terminal);
    end->signal = tui_ending_signal();
    tui_session_release(&session);
}
