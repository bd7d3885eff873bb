/*
 * keys.c - what each key does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/session.h"

/* ---- Moving ------------------------------------------------------------- */

static void move_down(tui_session *s, size_t count)
{
    s->now->cursor += count; /* tui_draw() limits it to the lines of the tree */
}

static void move_up(tui_session *s, size_t count)
{
    s->now->cursor -= s->now->cursor < count ? s->now->cursor : count;
}

static void go_down(tui_session *s)
{
    move_down(s, 1);
}

static void go_up(tui_session *s)
{
    move_up(s, 1);
}

/* The window scrolls together with the cursor, so the cursor stays at the same
 * height. */
static void page_down(tui_session *s)
{
    move_down(s, tui_body_rows(s));
    s->now->first += tui_body_rows(s);
}

static void page_up(tui_session *s)
{
    size_t rows = tui_body_rows(s);
    move_up(s, rows);
    s->now->first -= s->now->first < rows ? s->now->first : rows;
}

static void go_first(tui_session *s)
{
    s->now->cursor = 0;
}

static void go_last(tui_session *s)
{
    s->now->cursor = s->now->tree.line_count;
}

static const tui_line *line_at_cursor(const tui_session *s)
{
    return &s->now->tree.lines[s->now->cursor];
}

static void go_to_parent(tui_session *s)
{
    size_t level = line_at_cursor(s)->level;
    while (s->now->cursor > 0 && line_at_cursor(s)->level >= level && level > 0)
        s->now->cursor--;
}

/* ---- Folding ------------------------------------------------------------ */

/* Rows without children count as folded, whatever their state is. */
static bool is_open(const tui_session *s)
{
    const tui_line *line = line_at_cursor(s);
    return line->more == 0 && tui_tree_is_open(&s->now->tree, line->row) &&
           tui_tree_has_children(&s->now->tree, line->row);
}

static void toggle(tui_session *s)
{
    if (!tui_tree_toggle(&s->now->tree, s->now->cursor))
        tui_say(s, "out of memory");
}

/* As in file managers: the first key press unfolds the row, and the next one
 * goes to the first row below it. */
static void go_in(tui_session *s)
{
    if (is_open(s))
        move_down(s, 1);
    else
        toggle(s);
}

static void go_out(tui_session *s)
{
    if (is_open(s))
        toggle(s);
    else
        go_to_parent(s);
}

/* ---- Searching ---------------------------------------------------------- */

/* Scrolls the row at the cursor to the middle if it is not in the window. */
static void show_around(tui_session *s)
{
    size_t rows = tui_body_rows(s), cursor = s->now->cursor;
    if (cursor < s->now->first || cursor >= s->now->first + rows)
        s->now->first = cursor > rows / 2 ? cursor - rows / 2 : 0;
}

static void go_to_match(tui_session *s, bool is_forward)
{
    tui_tree *tree = &s->now->tree;
    uint32_t count, row;
    if (!tree->pattern) {
        tui_say(s, "nothing to search for (press / first)");
        return;
    }
    if (!tui_tree_is_searched(tree) && !tui_tree_search(tree, tree->pattern)) {
        tui_say(s, "out of memory");
        return;
    }
    count = tui_tree_match_count(tree);
    if (count == 0) {
        if (tree->hidden_matches > 0)
            tui_say(s,
                    "no match for %s (not shown: %u matching row%s with only "
                    "zeros)",
                    tree->pattern, (unsigned)tree->hidden_matches,
                    tree->hidden_matches == 1 ? "" : "s");
        else
            tui_say(s, "no match for %s", tree->pattern);
        return;
    }
    row = tui_tree_next_match(tree, line_at_cursor(s)->row, is_forward);
    if (!tui_tree_reveal(tree, row, &s->now->cursor)) {
        tui_say(s, "out of memory");
        return;
    }
    show_around(s);
    tui_say(s, "match %u of %u for %s",
            (unsigned)tui_tree_match_rank(tree, row) + 1, (unsigned)count,
            tree->pattern);
}

static void search(tui_session *s)
{
    char pattern[256] = "";
    if (!tui_ask(s, "/", pattern, sizeof(pattern)))
        return;
    if (*pattern && !tui_tree_search(&s->now->tree, pattern)) {
        tui_say(s, "out of memory");
        return;
    }
    go_to_match(s, true);
}

static void find_next(tui_session *s)
{
    go_to_match(s, true);
}

static void find_previous(tui_session *s)
{
    go_to_match(s, false);
}

/* ---- Views -------------------------------------------------------------- */

static void show_view(tui_session *s, const char *type)
{
    tfprof_error err;
    tui_say_failure(s, tui_show_view(s, type, &err), &err);
}

static void show_scope(tui_session *s)
{
    show_view(s, "scope");
}

static void show_graph(tui_session *s)
{
    show_view(s, "graph");
}

static void show_op(tui_session *s)
{
    show_view(s, "op");
}

static void show_code(tui_session *s)
{
    show_view(s, "code");
}

static void next_metric(tui_session *s)
{
    tfprof_metric next = tui_next_metric(s);
    if (next == s->metric)
        tui_say(s, "there is no other metric");
    else
        tui_set_metric(s, next);
}

/* Writes "0 or 1" or "0 to 9". */
static void list_steps(const tui_session *s, char *out, size_t size)
{
    if (s->step_count == 2)
        snprintf(out, size, "%lld or %lld", (long long)s->steps[0],
                 (long long)s->steps[1]);
    else
        snprintf(out, size, "%lld to %lld", (long long)s->steps[0],
                 (long long)s->steps[s->step_count - 1]);
}

static bool read_step(const char *text, int64_t *step)
{
    char *end;
    *step = -1;
    if (!*text)
        return true;
    if (strcmp(text, "rest") == 0) {
        *step = TUI_REST;
        return true;
    }
    *step = strtoll(text, &end, 10);
    return *end == '\0' && *step >= 0;
}

static bool has_step(const tui_session *s, int64_t step)
{
    for (size_t i = 0; i < s->step_count; i++) {
        if (s->steps[i] == step)
            return true;
    }
    return step < 0;
}

static void choose_step(tui_session *s)
{
    char question[128], steps[64], answer[32] = "";
    tfprof_error err;
    int64_t step;
    if (s->step_count < 2) {
        tui_say(s, s->step_count == 0 ? "the inputs have no steps"
                                      : "the inputs have only one step");
        return;
    }
    list_steps(s, steps, sizeof(steps));
    snprintf(question, sizeof(question), "step (%s; empty: average): ", steps);
    if (!tui_ask(s, question, answer, sizeof(answer)))
        return;
    if (!read_step(answer, &step) || !has_step(s, step)) {
        tui_say(s, "there is no step %s (steps: %s)", answer, steps);
        return;
    }
    tui_say_failure(s, tui_set_step(s, step, &err), &err);
}

static void quit(tui_session *s)
{
    s->is_done = true;
}

static void draw_again(tui_session *s)
{
    s->terminal.curses->clearok(s->terminal.window, TRUE);
}

/* ---- The table ---------------------------------------------------------- */

/* A table row without a name is not in the help, because the row before it
 * describes this key, too. */
static const struct {
    const char *name;
    int key;
    void (*act)(tui_session *s);
    const char *meaning;
} keys[] = {
    { "Up Down", KEY_UP, go_up, "move by one row; k and j do the same" },
    { NULL, KEY_DOWN, go_down, NULL },
    { NULL, 'k', go_up, NULL },
    { NULL, 'j', go_down, NULL },
    { "PgUp PgDn", KEY_PPAGE, page_up, "move by one page" },
    { NULL, KEY_NPAGE, page_down, NULL },
    { NULL, ' ', page_down, NULL },
    { "Home End", KEY_HOME, go_first, "move to the first or last row" },
    { NULL, KEY_END, go_last, NULL },
    { "Enter", '\n', toggle, "fold or unfold a row" },
    { NULL, '\r', toggle, NULL },
    { NULL, KEY_ENTER, toggle, NULL },
    { "Right Left", KEY_RIGHT, go_in,
      "Right: unfold or go in; Left: fold or go to the parent" },
    { NULL, KEY_LEFT, go_out, NULL },
    { "u", 'u', go_to_parent, "go up to the parent row" },
    { "s", 's', next_metric, "sort by the next metric" },
    { "/", '/', search,
      "search in all names; Enter without text: search again" },
    { "n N", 'n', find_next, "go to the next or previous match" },
    { NULL, 'N', find_previous, NULL },
    { "p", 'p', show_scope, "scope view: name scopes (shown first)" },
    { "g", 'g', show_graph, "graph view: data flow" },
    { "o", 'o', show_op, "op view: operation types" },
    { "c", 'c', show_code, "code view: source lines" },
    { "t", 't', choose_step, "choose a step, or the average of all steps" },
    { "i", 'i', tui_show_details, "details of the row" },
    { "O", 'O', tui_open_editor, "open the source line in $EDITOR" },
    { "w", 'w', tui_save, "write the view to a file" },
    { "Ctrl-L", 'L' - '@', draw_again, "draw the screen again" },
    { "?", '?', tui_show_help, "this help" },
    { "q", 'q', quit, "quit; Ctrl-C also quits" },
};
enum { KEYS = sizeof(keys) / sizeof(keys[0]) };

const char *tui_key_help(size_t index, const char **meaning)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].name && index-- == 0) {
            *meaning = keys[i].meaning;
            return keys[i].name;
        }
    }
    return NULL;
}

/* Some keys also work if the tree has no rows. */
static bool needs_row(int key)
{
    return !strchr("pgoctq?w", key) || key == 0;
}

static void run_key(tui_session *s, int key)
{
    if (key == KEY_RESIZE) /* keep the message; curses can also send this key */
        return;
    s->message[0] = '\0';
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].key != key)
            continue;
        if (s->now->tree.line_count > 0 || (key < 128 && !needs_row(key)))
            keys[i].act(s);
        return;
    }
    tui_say(s, "this key has no meaning (? shows all keys)");
}

void tui_run_keys(tui_session *s)
{
    while (!s->is_done) {
        int key;
        tui_draw(s);
        key = tui_terminal_key(&s->terminal);
        if (key == TUI_KEY_END)
            return;
        run_key(s, key);
    }
}
