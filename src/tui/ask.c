/*
 * ask.c - lets the user type a line at the bottom of the window.
 */
#include <stdio.h>
#include <string.h>

#include "tui/session.h"

enum { ESCAPE = 27, RUBOUT = 127, BACKSPACE = 8, CLEAR = 21, CANCEL = 7 };

/* If the line is too long for the window, shows only its end, where the user
 * types. */
static void draw(const tui_session *s, const char *question, const char *answer)
{
    char line[2048];
    const char *shown = line;
    snprintf(line, sizeof(line), "%s%s_", question, answer);
    while (strlen(shown) > s->terminal.columns && strlen(shown) > 1) {
        shown++;
        while (((unsigned char)*shown & 0xc0) == 0x80)
            shown++;
    }
    tui_put_bottom(s, shown);
    s->terminal.curses->doupdate();
}

/* Removes the last character, which may have several bytes. */
static void remove_last(char *answer)
{
    size_t size = strlen(answer);
    while (size > 0 && ((unsigned char)answer[size - 1] & 0xc0) == 0x80)
        size--;
    answer[size > 0 ? size - 1 : 0] = '\0';
}

static void add(char *answer, size_t room, int key)
{
    size_t size = strlen(answer);
    if (key < ' ' || key > 0xff || size + 2 > room)
        return;
    answer[size] = (char)key;
    answer[size + 1] = '\0';
}

bool tui_ask(tui_session *s, const char *question, char *answer, size_t size)
{
    for (;;) {
        int key;
        draw(s, question, answer);
        key = tui_terminal_key(&s->terminal);
        switch (key) {
        case '\r':
        case '\n':
        case KEY_ENTER: return true;
        case ESCAPE:
        case CANCEL:
        case TUI_KEY_END: return false;
        case KEY_RESIZE: tui_draw(s); break;
        case CLEAR: answer[0] = '\0'; break;
        case BACKSPACE:
        case RUBOUT:
        case KEY_BACKSPACE: remove_last(answer); break;
        default: add(answer, size, key);
        }
    }
}

bool tui_confirm(tui_session *s, const char *question)
{
    int key;
    do {
        tui_draw(s);
        tui_put_bottom(s, question);
        s->terminal.curses->doupdate();
        key = tui_terminal_key(&s->terminal);
    } while (key == KEY_RESIZE);
    return key == 'y' || key == 'Y';
}
