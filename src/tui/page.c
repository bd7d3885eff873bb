/*
 * page.c - shows a text that can be scrolled in the complete window.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/session.h"

/* A text, split into lines for the width of the window. */
typedef struct page {
    const char *text;
    size_t size;
    size_t *starts; /* of lines; the last element is the size of the text */
    size_t count;
} page;

/* Returns the number of bytes of the first character. */
static size_t character(const char *text, size_t size)
{
    size_t n = 1;
    while (n < size && ((unsigned char)text[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* Ends the line after a word, unless that would leave half of it empty. */
size_t tui_take_line(const char *text, size_t size, size_t width)
{
    size_t at = 0, used = 0, blank = 0;
    while (at < size && text[at] != '\n') {
        size_t n = character(text + at, size - at), columns;
        tfprof_fit(text + at, n, SIZE_MAX, 1, NULL, 0, &columns);
        if (used + columns > width && at > 0)
            return blank > at / 2 ? blank : at;
        used += columns;
        at += n;
        if (text[at - 1] == ' ')
            blank = at;
    }
    return at + (at < size);
}

static bool lay_out(page *p, size_t width)
{
    size_t room = 0;
    p->count = 0;
    for (size_t at = 0;;
         at += tui_take_line(p->text + at, p->size - at, width)) {
        if (p->count == room) {
            size_t *grown;
            room = room * 2 + 64;
            grown = realloc(p->starts, room * sizeof(*grown));
            if (!grown)
                return false;
            p->starts = grown;
        }
        p->starts[p->count] = at;
        if (at >= p->size)
            return true;
        p->count++;
    }
}

static void draw(const tui_session *s, const page *p, const char *title,
                 size_t first)
{
    const tui_curses *c = s->terminal.curses;
    size_t rows = tui_body_rows(s);
    c->werase(s->terminal.window);
    tui_put(s, 0, 0, title, strlen(title), A_BOLD);
    for (size_t i = 0; i < rows && first + i < p->count; i++) {
        size_t start = p->starts[first + i], end = p->starts[first + i + 1];
        if (end > start && p->text[end - 1] == '\n')
            end--;
        tui_put(s, 2 + i, 0, p->text + start, end - start, A_NORMAL);
    }
    tui_put_bottom(s, first + rows < p->count ? "Down scrolls  q goes back"
                                              : "q goes back");
    c->doupdate();
}

/* Scrolls the page. Returns false if the key closes the page. */
static bool turn_page(int key, size_t rows, size_t count, size_t *first)
{
    size_t last = count > rows ? count - rows : 0;
    switch (key) {
    case KEY_DOWN:
    case 'j': *first += 1; break;
    case KEY_UP:
    case 'k': *first -= *first > 0; break;
    case KEY_NPAGE:
    case ' ': *first += rows; break;
    case KEY_PPAGE: *first -= *first < rows ? *first : rows; break;
    case KEY_HOME: *first = 0; break;
    case KEY_END: *first = last; break;
    case KEY_RESIZE: break;
    default: return false;
    }
    if (*first > last)
        *first = last;
    return true;
}

void tui_show_page(tui_session *s, const char *title, const char *text)
{
    page p = { .text = text, .size = strlen(text) };
    size_t first = 0;
    do {
        if (!lay_out(&p, s->terminal.columns)) {
            tui_say(s, "out of memory");
            break;
        }
        draw(s, &p, title, first);
    } while (turn_page(tui_terminal_key(&s->terminal), tui_body_rows(s),
                       p.count, &first));
    free(p.starts);
}
