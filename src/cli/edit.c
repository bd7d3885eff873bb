/*
 * edit.c - lines typed into a terminal, with the keys of Emacs.
 *
 * Keys only change the line. The screen is brought up to date when there are no
 * more keys to read, so that a paste is fast; that is also the only place where
 * signals are looked at, so a resized window never meets a half drawn line.
 */
#include "cli/edit.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wctype.h>

#include "cli/signals.h"

enum { KEPT_LINES = 2000, ESCAPE = 0x1b, RUBOUT = 0x7f };
#define CONTROL(letter) ((letter) & 0x1f)

struct cli_editor {
    cli_session *session;
    cli_screen screen;
    cli_text text;
    struct termios cooked; /* the terminal as it was found */
    bool is_done;          /* the line is, with `status` */
    cli_line_status status;
    cli_history *file;
    char *lines[KEPT_LINES]; /* the oldest first */
    size_t line_count;
    size_t recalled; /* the line that is shown, or line_count: the new one */
    char *draft;     /* the new line while another one is shown */
    wchar_t *killed; /* what Ctrl-Y inserts */
    size_t killed_size;
    char *kept;       /* the last line */
    mbstate_t state;  /* of a character whose bytes are coming */
    char *next, *end; /* of the bytes that were read and not taken */
    char bytes[4096];
};

static void finish(cli_editor *e, cli_line_status status)
{
    e->is_done = true;
    e->status = status;
}

static void beep(cli_editor *e)
{
    fputc('\a', e->screen.out);
}

/* ---- The terminal ------------------------------------------------------- */

static void set_terminal(const struct termios *settings)
{
    while (tcsetattr(STDIN_FILENO, TCSADRAIN, settings) != 0) {
        if (errno != EINTR)
            break; /* it went away: reading says so */
    }
}

/* Keys come one by one and are not echoed. Ctrl-C and Ctrl-Z are signals. */
static void take_terminal(const cli_editor *e)
{
    struct termios raw = e->cooked;
    raw.c_iflag &= ~(tcflag_t)(INLCR | IGNCR | ISTRIP | IXON);
    raw.c_iflag |= ICRNL;
    raw.c_oflag |= OPOST | ONLCR;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
    raw.c_lflag |= ISIG;
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    set_terminal(&raw);
}

static void give_back_terminal(const cli_editor *e)
{
    set_terminal(&e->cooked);
}

/* Whoever had the terminal may have left it with other settings. */
static void go_on(cli_editor *e)
{
    take_terminal(e);
    fputs("\r\033[J", e->screen.out);
    cli_screen_measure(&e->screen);
    cli_screen_begin(&e->screen);
    cli_screen_show(&e->screen, &e->text);
}

/* The terminal is given back while the program is stopped. */
static void stop(cli_editor *e)
{
    size_t cursor = e->text.cursor;
    cli_screen_show_end(&e->screen, &e->text);
    e->text.cursor = cursor;
    fputc('\n', e->screen.out);
    fflush(e->screen.out);
    give_back_terminal(e);
    cli_stop();
    go_on(e);
}

/* ---- Keys --------------------------------------------------------------- */

/* Waits for bytes; false when a Ctrl-C or the end of all came first. */
static bool wait_for_bytes(cli_editor *e)
{
    cli_screen_show(&e->screen, &e->text);
    for (;;) {
        unsigned woken = cli_wait_for_key(true);
        if (woken & CLI_WAKE_INTERRUPT)
            return false;
        if (woken & CLI_WAKE_STOP)
            stop(e);
        if (woken & CLI_WAKE_CONTINUE)
            go_on(e);
        if ((woken & CLI_WAKE_RESIZE) && cli_screen_measure(&e->screen))
            cli_screen_resize(&e->screen, &e->text);
        if (woken & CLI_WAKE_INPUT)
            return true;
    }
}

/* What was typed or pasted. False when the line ends here. */
static bool read_bytes(cli_editor *e)
{
    ssize_t n;
    do {
        if (!wait_for_bytes(e)) {
            finish(e, CLI_LINE_INTERRUPTED);
            return false;
        }
        n = read(STDIN_FILENO, e->bytes, sizeof(e->bytes));
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    e->next = e->bytes;
    e->end = e->bytes + (n > 0 ? n : 0);
    if (n <= 0)
        finish(e, CLI_LINE_END);
    return n > 0;
}

/* Bytes that are not a character of the locale are dropped. */
static bool read_key(cli_editor *e, wchar_t *out)
{
    while (e->next < e->end || read_bytes(e)) {
        bool is_first = mbsinit(&e->state);
        size_t taken = mbrtowc(out, e->next, 1, &e->state);
        e->session->key_came = true;
        if (taken == (size_t)-1) {
            memset(&e->state, 0, sizeof(e->state));
            e->next += is_first; /* else it may begin another one */
            continue;
        }
        e->next++;
        if (taken != (size_t)-2)
            return true;
    }
    return false;
}

/* The last key is read again: a control character, so it is one byte. */
static void unread_key(cli_editor *e)
{
    e->next--;
}

/* ---- Moving ------------------------------------------------------------- */

static void to_start(cli_editor *e)
{
    e->text.cursor = 0;
}

static void to_end(cli_editor *e)
{
    e->text.cursor = e->text.size;
}

static void to_left(cli_editor *e)
{
    if (e->text.cursor > 0)
        e->text.cursor--;
    else
        beep(e);
}

static void to_right(cli_editor *e)
{
    if (e->text.cursor < e->text.size)
        e->text.cursor++;
    else
        beep(e);
}

static void word_left(cli_editor *e)
{
    e->text.cursor = cli_text_word_start(&e->text);
}

static void word_right(cli_editor *e)
{
    e->text.cursor = cli_text_word_end(&e->text);
}

/* ---- Changing ----------------------------------------------------------- */

static void accept(cli_editor *e)
{
    finish(e, CLI_LINE_READ);
}

static void delete_left(cli_editor *e)
{
    if (e->text.cursor == 0)
        beep(e);
    else
        cli_text_remove(&e->text, e->text.cursor - 1, e->text.cursor);
}

static void delete_right(cli_editor *e)
{
    if (e->text.cursor == e->text.size)
        beep(e);
    else
        cli_text_remove(&e->text, e->text.cursor, e->text.cursor + 1);
}

static void delete_or_leave(cli_editor *e)
{
    if (e->text.size == 0)
        finish(e, CLI_LINE_END);
    else
        delete_right(e);
}

/* Removes characters and keeps them for Ctrl-Y. */
static void kill_range(cli_editor *e, size_t from, size_t to)
{
    wchar_t *copy;
    if (from >= to) {
        beep(e);
        return;
    }
    copy = malloc((to - from) * sizeof(*copy));
    if (!copy) {
        e->text.no_memory = true;
        return;
    }
    wmemcpy(copy, e->text.data + from, to - from);
    free(e->killed);
    e->killed = copy;
    e->killed_size = to - from;
    cli_text_remove(&e->text, from, to);
}

static void kill_rest(cli_editor *e)
{
    kill_range(e, e->text.cursor, e->text.size);
}

static void kill_line(cli_editor *e)
{
    kill_range(e, 0, e->text.size);
}

static void kill_word_left(cli_editor *e)
{
    kill_range(e, cli_text_word_start(&e->text), e->text.cursor);
}

static void kill_word_right(cli_editor *e)
{
    kill_range(e, e->text.cursor, cli_text_word_end(&e->text));
}

/* As terminals do it themselves: back to a blank. */
static void kill_blank_word(cli_editor *e)
{
    size_t from = e->text.cursor;
    while (from > 0 && iswspace((wint_t)e->text.data[from - 1]))
        from--;
    while (from > 0 && !iswspace((wint_t)e->text.data[from - 1]))
        from--;
    kill_range(e, from, e->text.cursor);
}

static void yank(cli_editor *e)
{
    if (e->killed_size == 0)
        beep(e);
    else
        cli_text_insert(&e->text, e->killed, e->killed_size);
}

/* Swaps the two characters around the cursor, or the last two. */
static void swap(cli_editor *e)
{
    cli_text *t = &e->text;
    wchar_t left;
    if (t->size < 2 || t->cursor == 0) {
        beep(e);
        return;
    }
    if (t->cursor == t->size)
        t->cursor--;
    left = t->data[t->cursor - 1];
    t->data[t->cursor - 1] = t->data[t->cursor];
    t->data[t->cursor] = left;
    cli_text_touch(t, t->cursor - 1);
    t->cursor++;
}

static void change_case(cli_editor *e, wint_t (*first)(wint_t),
                        wint_t (*rest)(wint_t))
{
    cli_text *t = &e->text;
    size_t end = cli_text_word_end(t);
    cli_text_touch(t, t->cursor);
    while (t->cursor < end && !iswalnum((wint_t)t->data[t->cursor]))
        t->cursor++;
    for (; t->cursor < end; t->cursor++, first = rest)
        t->data[t->cursor] = (wchar_t)first((wint_t)t->data[t->cursor]);
}

static void to_upper(cli_editor *e)
{
    change_case(e, towupper, towupper);
}

static void to_lower(cli_editor *e)
{
    change_case(e, towlower, towlower);
}

static void capitalize(cli_editor *e)
{
    change_case(e, towupper, towlower);
}

static void insert_next(cli_editor *e)
{
    wchar_t c;
    if (read_key(e, &c))
        cli_text_insert(&e->text, &c, 1);
}

static void clear_screen(cli_editor *e)
{
    cli_screen_clear(&e->screen);
}

static void complete(cli_editor *e)
{
    cli_edit_complete(e->session, &e->screen, &e->text);
}

/* ---- Earlier lines ------------------------------------------------------ */

static void remember(void *context, const char *line)
{
    cli_editor *e = context;
    char *copy = strdup(line);
    if (!copy)
        return;
    if (e->line_count == KEPT_LINES) {
        free(e->lines[0]);
        memmove(e->lines, e->lines + 1, (KEPT_LINES - 1) * sizeof(e->lines[0]));
        e->line_count--;
    }
    e->lines[e->line_count++] = copy;
}

/* A line for the history; not one of blanks, and not the last one again. */
static void keep(cli_editor *e, const char *line)
{
    bool is_again = e->line_count > 0 &&
                    !strcmp(e->lines[e->line_count - 1], line);
    if (line[strspn(line, " \t")] == '\0' || is_again)
        return;
    remember(e, line);
    cli_history_add(e->file, line);
}

/* Shows an earlier line, or the new one again. */
static void recall(cli_editor *e, size_t index)
{
    size_t size;
    if (e->recalled == e->line_count) {
        free(e->draft);
        e->draft = cli_text_bytes(&e->text, e->text.size, &size);
    }
    e->recalled = index;
    if (index < e->line_count)
        cli_text_set(&e->text, e->lines[index]);
    else
        cli_text_set(&e->text, e->draft ? e->draft : "");
}

static void older(cli_editor *e)
{
    if (e->recalled > 0)
        recall(e, e->recalled - 1);
    else
        beep(e);
}

static void newer(cli_editor *e)
{
    if (e->recalled < e->line_count)
        recall(e, e->recalled + 1);
    else
        beep(e);
}

/* ---- Search ------------------------------------------------------------- */

typedef struct search {
    char text[256]; /* bytes of the locale; ends in NUL */
    size_t size;
    bool fails; /* no further line has it */
} search;

/* Shows the next line that has the text, from `index` on towards older ones
 * (-1) or newer ones (1). */
static void find(cli_editor *e, search *s, size_t index, int direction)
{
    for (; index < e->line_count; index += (size_t)direction) {
        if (strstr(e->lines[index], s->text)) {
            recall(e, index);
            s->fails = false;
            return;
        }
    }
    s->fails = true;
    beep(e);
}

static void show_search(cli_editor *e, const search *s)
{
    enum { MOST = sizeof(e->screen.status) / sizeof(wchar_t) };
    char status[MOST];
    const char *from = status;
    mbstate_t state = { 0 };
    size_t size;
    snprintf(status, sizeof(status), "  (%s: %s)",
             s->fails ? "not found" : "search", s->text);
    size = mbsrtowcs(e->screen.status, &from, MOST - 1, &state);
    e->screen.status[size == (size_t)-1 ? 0 : size] = L'\0';
    cli_text_touch(&e->text, e->text.size);
}

static void add_to_search(cli_editor *e, search *s, wchar_t c)
{
    mbstate_t state = { 0 };
    char bytes[MB_LEN_MAX];
    size_t size = wcrtomb(bytes, c, &state);
    if (size == (size_t)-1 || s->size + size >= sizeof(s->text)) {
        beep(e);
        return;
    }
    memcpy(s->text + s->size, bytes, size);
    s->text[s->size += size] = '\0';
    find(e, s, e->recalled < e->line_count ? e->recalled : e->line_count - 1,
         -1);
}

/* Without its last character: the search begins anew. */
static void shorten_search(cli_editor *e, search *s)
{
    mbstate_t state = { 0 };
    size_t at = 0, last = 0;
    while (at < s->size) {
        size_t taken = mbrlen(s->text + at, s->size - at, &state);
        last = at;
        at += taken == 0 || taken > s->size - at ? 1 : taken;
    }
    s->size = last;
    s->text[last] = '\0';
    find(e, s, e->line_count - 1, -1);
}

/* Ctrl-R: finds an earlier line by a part of it, as that is typed. Ctrl-G gives
 * the search up, any other control character ends it and does what it does. */
static void search_older(cli_editor *e)
{
    search s = { 0 };
    wchar_t c;
    size_t size, before = e->recalled, cursor = e->text.cursor;
    char *line = cli_text_bytes(&e->text, e->text.size, &size);
    for (show_search(e, &s); read_key(e, &c); show_search(e, &s)) {
        if (c == CONTROL('R'))
            find(e, &s, e->recalled - 1, -1);
        else if (c == CONTROL('S'))
            find(e, &s, e->recalled + 1, 1);
        else if ((c == CONTROL('H') || c == RUBOUT) && s.size > 0)
            shorten_search(e, &s);
        else if (c >= 0x20 && c != RUBOUT)
            add_to_search(e, &s, c);
        else
            break;
    }
    if (!e->is_done && c == CONTROL('G') && line) {
        cli_text_set(&e->text, line);
        e->recalled = before;
        e->text.cursor = cursor;
    } else if (!e->is_done) {
        unread_key(e);
    }
    free(line);
    e->screen.status[0] = L'\0';
    cli_text_touch(&e->text, e->text.size);
}

/* ---- Bindings ----------------------------------------------------------- */

typedef struct binding {
    wchar_t key;
    void (*run)(cli_editor *e);
} binding;

static const binding control_keys[] = {
    { CONTROL('A'), to_start },
    { CONTROL('B'), to_left },
    { CONTROL('D'), delete_or_leave },
    { CONTROL('E'), to_end },
    { CONTROL('F'), to_right },
    { CONTROL('H'), delete_left },
    { CONTROL('I'), complete },
    { CONTROL('J'), accept },
    { CONTROL('K'), kill_rest },
    { CONTROL('L'), clear_screen },
    { CONTROL('M'), accept },
    { CONTROL('N'), newer },
    { CONTROL('P'), older },
    { CONTROL('R'), search_older },
    { CONTROL('T'), swap },
    { CONTROL('U'), kill_line },
    { CONTROL('V'), insert_next },
    { CONTROL('W'), kill_blank_word },
    { CONTROL('Y'), yank },
    { RUBOUT, delete_left },
    { 0, NULL },
};

/* After Escape, or with Alt. */
static const binding meta_keys[] = {
    { L'b', word_left },
    { L'c', capitalize },
    { L'd', kill_word_right },
    { L'f', word_right },
    { L'l', to_lower },
    { L'u', to_upper },
    { CONTROL('H'), kill_word_left },
    { CONTROL('J'), accept },
    { CONTROL('M'), accept },
    { RUBOUT, kill_word_left },
    { 0, NULL },
};

/* How the sequences of other keys end; those with a number end in ~. */
static const binding named_keys[] = {
    { L'A', older },  { L'B', newer },    { L'C', to_right }, { L'D', to_left },
    { L'F', to_end }, { L'H', to_start }, { 0, NULL },
};
static const binding numbered_keys[] = {
    { 1, to_start }, { 3, delete_right }, { 4, to_end },
    { 7, to_start }, { 8, to_end },       { 0, NULL },
};
static const binding named_with_control[] = {
    { L'C', word_right },
    { L'D', word_left },
    { 0, NULL },
};

/* False when there is no such key. */
static bool run_key(cli_editor *e, const binding *table, wchar_t key)
{
    while (table->run && table->key != key)
        table++;
    if (table->run)
        table->run(e);
    return table->run != NULL;
}

/* What follows Escape and [ or O: numbers, then the byte that ends it. Keys
 * that are not known do nothing. */
static void run_sequence(cli_editor *e)
{
    wchar_t numbers[2] = { 0 }, c;
    size_t at = 0;
    for (;;) {
        if (!read_key(e, &c))
            return;
        if (c < 0x20) { /* not a part of any sequence */
            unread_key(e);
            return;
        }
        if (c == L';')
            at = 1;
        else if (c >= L'0' && c <= L'9')
            numbers[at] = (numbers[at] % 1000) * 10 + (c - L'0');
        else if (c >= 0x40)
            break;
    }
    if (c == L'~')
        run_key(e, numbered_keys, numbers[0]);
    else if (numbers[1] < 2 || !run_key(e, named_with_control, c))
        run_key(e, named_keys, c);
}

static void run_meta(cli_editor *e)
{
    wchar_t c;
    if (!read_key(e, &c))
        return;
    if (c == L'[' || c == L'O')
        run_sequence(e);
    else if (!run_key(e, meta_keys, c) && c < 0x20)
        unread_key(e);
}

static void run_next(cli_editor *e)
{
    wchar_t c;
    if (!read_key(e, &c))
        return;
    if (c == ESCAPE)
        run_meta(e);
    else if (c >= 0x20 && c != RUBOUT)
        cli_text_insert(&e->text, &c, 1);
    else if (!run_key(e, control_keys, c))
        beep(e);
    if (e->text.no_memory)
        finish(e, CLI_LINE_NO_MEMORY);
}

/* ---- Life --------------------------------------------------------------- */

cli_editor *cli_editor_new(cli_session *session)
{
    cli_editor *e;
    struct termios terminal;
    if (cli_is_dumb_terminal() || !isatty(fileno(session->screen)) ||
        tcgetattr(STDIN_FILENO, &terminal) != 0)
        return NULL;
    setlocale(LC_CTYPE, ""); /* which bytes are a character, and its width */
    e = calloc(1, sizeof(*e));
    if (!e)
        return NULL;
    e->session = session;
    e->screen.out = session->screen;
    e->file = cli_history_open(remember, e);
    return e;
}

void cli_editor_free(cli_editor *e)
{
    if (!e)
        return;
    cli_history_close(e->file);
    while (e->line_count > 0)
        free(e->lines[--e->line_count]);
    cli_text_release(&e->text);
    free(e->draft);
    free(e->killed);
    free(e->kept);
    free(e);
}

/* Reads keys until the line is complete, or something else ends it. */
static cli_line_status type_line(cli_editor *e)
{
    e->is_done = false;
    e->recalled = e->line_count;
    cli_text_clear(&e->text);
    if (tcgetattr(STDIN_FILENO, &e->cooked) != 0)
        return CLI_LINE_END; /* the terminal went away */
    take_terminal(e);
    cli_screen_measure(&e->screen);
    cli_screen_begin(&e->screen);
    while (!e->is_done)
        run_next(e);
    cli_screen_show_end(&e->screen, &e->text);
    if (e->status == CLI_LINE_READ || e->status == CLI_LINE_END)
        fputc('\n', e->screen.out);
    fflush(e->screen.out);
    give_back_terminal(e);
    return e->status;
}

cli_line_status cli_editor_next(cli_editor *e, cli_line *line)
{
    size_t size;
    cli_line_status status;
    if (e->session->drop_typed)
        e->next = e->end;
    e->session->drop_typed = e->session->key_came = false;
    status = type_line(e);
    if (status != CLI_LINE_READ)
        return status;
    free(e->kept);
    e->kept = cli_text_bytes(&e->text, e->text.size, &size);
    if (!e->kept)
        return CLI_LINE_NO_MEMORY;
    *line = (cli_line){ e->kept, size };
    if (!cli_check_line(line, e->text.too_long || size > CLI_LONGEST_LINE))
        return CLI_LINE_REFUSED;
    keep(e, line->text);
    return CLI_LINE_READ;
}
