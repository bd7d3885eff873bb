/*
 * tui.c - opens the terminal, shows the tree, and closes the terminal.
 */
#include "tui/tui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/session.h"

bool tui_is_there(void)
{
    return true;
}

static bool explain_terminal(char why[TUI_LONGEST_REASON])
{
    const char *term = getenv("TERM");
    snprintf(why, TUI_LONGEST_REASON,
             "tui cannot use a terminal of type '%s' (set TERM to the type of "
             "your terminal, such as xterm)",
             term ? term : "");
    return false;
}

/* newterm() also detects unknown terminals, but it is called only after the
 * inputs were read. */
static bool knows_terminal(const tui_curses *curses)
{
    int status;
    if (curses->setupterm(NULL, STDOUT_FILENO, &status) != OK)
        return false;
    curses->del_curterm(curses->set_curterm(NULL));
    return true;
}

bool tui_prepare(char why[TUI_LONGEST_REASON])
{
    const tui_curses *curses = tui_curses_load();
    if (curses)
        return knows_terminal(curses) || explain_terminal(why);
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

/* Shows the first view, and then handles keys until the end. */
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
    tui_terminal terminal = { .curses = tui_curses_load() };
    *end = (tui_end){ .status = TFPROF_OK };
    if (!terminal.curses ||
        !tui_terminal_open(&terminal, request->has_color, request->is_utf8)) {
        end->status = TFPROF_ERR_OPTION;
        explain_terminal(end->why);
        return;
    }
    tui_session_init(&session, request);
    session.terminal = terminal;
    show(&session, end);
    tui_terminal_close(&session.terminal);
    end->signal = tui_ending_signal();
    tui_session_release(&session);
}
