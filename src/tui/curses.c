/*
 * curses.c - ncursesw, loaded when the tree is opened.
 */
#include "tui/curses.h"

#include <dlfcn.h>
#include <string.h>

/* dlsym() returns functions as data pointers. On systems with dlsym(), both
 * kinds of pointers have the same size. */
static bool find(void *library, const char *name, void *out)
{
    void *found = dlsym(library, name);
    memcpy(out, &found, sizeof(found));
    return found != NULL;
}

const tui_curses *tui_curses_load(void)
{
    static tui_curses calls;
    static bool is_loaded;
    void *library;
    bool ok = true;
    if (is_loaded)
        return &calls;
    library = dlopen(TFPROF_NCURSES_FILE, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
#define TUI_FIND(name) ok = ok && find(library, #name, &calls.name);
    TUI_CURSES_CALLS(TUI_FIND)
    TUI_FIND(tigetstr)
    TUI_FIND(setupterm)
    TUI_FIND(set_curterm)
    TUI_FIND(del_curterm)
#undef TUI_FIND
    is_loaded = ok;
    return ok ? &calls : NULL;
}
