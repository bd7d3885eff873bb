/*
 * edit.c - lines typed into a terminal, with libedit.
 *
 * Keys are those of Emacs, or what ~/.editrc says. libedit could handle
 * signals itself, but then a Ctrl-C would not end the line that is being
 * typed; so keys are read here, and what comes instead of one is dealt with
 * at once.
 */
#include "cli/prompt.h"
#include "cli/signals.h"

#ifndef TFPROF_WITH_LIBEDIT

bool cli_editor_is_built_in(void)
{
    return false;
}

cli_editor *cli_editor_new(cli_session *session)
{
    (void)session;
    return NULL;
}

void cli_editor_free(cli_editor *editor)
{
    (void)editor;
}

cli_line_status cli_editor_next(cli_editor *editor, cli_line *line)
{
    (void)editor, (void)line;
    return CLI_LINE_END;
}

#else

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "cli/libedit.h"

enum { KEPT_LINES = 2000 };

struct cli_editor {
    cli_session *session;
    EditLine *edit;
    History *lines;
    HistEvent event; /* what libedit's history says */
    cli_history *file;
    char *kept;      /* the last line */
    mbstate_t state; /* of a character whose bytes are coming */
    bool interrupted;
    char *next, *end; /* of the bytes that were read and not taken */
    char bytes[4096];
};

bool cli_editor_is_built_in(void)
{
    return true;
}

static cli_editor *editor_of(EditLine *edit)
{
    void *editor = NULL;
    cli_libedit.el_get(edit, EL_CLIENTDATA, &editor);
    return editor;
}

static char *show_prompt(EditLine *edit)
{
    static char text[] = CLI_PROMPT; /* libedit does not write to it */
    (void)edit;
    return text;
}

/* ---- Keys --------------------------------------------------------------- */

/* Whoever had the terminal may have changed it, without libedit's knowing. */
static void take_terminal(cli_editor *e)
{
    cli_libedit.el_set(e->edit, EL_PREP_TERM, 0);
    cli_libedit.el_set(e->edit, EL_PREP_TERM, 1);
    cli_libedit.el_set(e->edit, EL_REFRESH);
}

/* The terminal is given back while the program is stopped. */
static void stop(cli_editor *e)
{
    cli_libedit.el_set(e->edit, EL_PREP_TERM, 0);
    fputc('\n', e->session->screen);
    fflush(e->session->screen);
    cli_stop();
    take_terminal(e);
}

/* Waits for bytes; false when a Ctrl-C or the end of all came first. */
static bool wait_for_bytes(cli_editor *e)
{
    for (;;) {
        unsigned woken = cli_wait_for_key(true);
        if (woken & CLI_WAKE_INTERRUPT)
            return false;
        if (woken & CLI_WAKE_STOP)
            stop(e);
        if (woken & CLI_WAKE_CONTINUE)
            take_terminal(e);
        if (woken & CLI_WAKE_RESIZE)
            cli_libedit.el_resize(e->edit);
        if (woken & CLI_WAKE_INPUT)
            return true;
    }
}

/* What was typed, or pasted: 1, or 0 at the end of the input, or -1. */
static int read_bytes(cli_editor *e)
{
    ssize_t n;
    do {
        if (!wait_for_bytes(e)) {
            e->interrupted = true;
            errno = EINTR;
            return -1;
        }
        n = read(STDIN_FILENO, e->bytes, sizeof(e->bytes));
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    e->next = e->bytes;
    e->end = e->bytes + (n > 0 ? n : 0);
    return n > 0;
}

/* A key, as libedit wants it. Bytes that are no character of the locale are
 * dropped. */
static int read_key(EditLine *edit, wchar_t *out)
{
    cli_editor *e = editor_of(edit);
    for (;;) {
        int status = e->next < e->end ? 1 : read_bytes(e);
        size_t taken;
        bool is_first;
        if (status <= 0)
            return status;
        e->session->key_came = true;
        is_first = mbsinit(&e->state);
        taken = mbrtowc(out, e->next, 1, &e->state);
        if (taken == (size_t)-1) {
            memset(&e->state, 0, sizeof(e->state));
            e->next += is_first; /* else it may begin another one */
            continue;
        }
        e->next++;
        if (taken != (size_t)-2)
            return 1;
    }
}

/* ---- Completion --------------------------------------------------------- */

/* How many bytes all choices begin with. */
static size_t common_size(const cli_choices *choices)
{
    size_t size = strlen(choices->data[0]);
    for (size_t i = 1; i < choices->count; i++) {
        size_t same = 0;
        while (same < size && choices->data[i][same] == choices->data[0][same])
            same++;
        size = same;
    }
    while (size > 0 && (choices->data[0][size] & 0xc0) == 0x80)
        size--; /* not in the middle of a character */
    return size;
}

/* In columns, as wide as the longest. */
static void list_choices(const cli_editor *e, const cli_choices *choices)
{
    size_t rows, width = 80, longest = 0, columns;
    cli_window(fileno(e->session->screen), &rows, &width);
    for (size_t i = 0; i < choices->count; i++) {
        size_t size = strlen(choices->data[i]);
        if (size > longest)
            longest = size;
    }
    columns = width / (longest + 2) > 0 ? width / (longest + 2) : 1;
    for (size_t i = 0; i < choices->count; i++) {
        bool is_last = (i + 1) % columns == 0 || i + 1 == choices->count;
        fprintf(e->session->screen, "%s%-*s%s", i == 0 ? "\n" : "",
                is_last ? 0 : (int)longest + 2, choices->data[i],
                is_last ? "\n" : "");
    }
    if (choices->more)
        fputs("...\n", e->session->screen);
}

/* Puts the beginning that all choices have into the line, in quotes if it
 * needs them. True if that changed it. */
static bool insert(EditLine *edit, const cli_choices *choices, size_t typed)
{
    size_t size = common_size(choices);
    const char *text = choices->data[0];
    bool is_whole = choices->count == 1 && !choices->more;
    bool quote = !choices->quote && memchr(text, ' ', size);
    char end[3] = "", closing = choices->quote ? choices->quote : '"';
    char *copy;
    if (is_whole && strchr("/=:", text[size - 1]) == NULL &&
        !choices->part_of_it) {
        end[0] = quote || choices->quote ? closing : ' ';
        end[1] = end[0] == ' ' ? '\0' : ' ';
    }
    if (size <= typed && !*end)
        return false;
    copy = malloc(size + 4);
    if (!copy)
        return false;
    snprintf(copy, size + 4, "%s%.*s%s", quote ? "\"" : "", (int)size, text,
             end);
    cli_libedit.el_deletestr(edit, (int)typed);
    cli_libedit.el_insertstr(edit, copy);
    free(copy);
    return true;
}

static unsigned char complete(EditLine *edit, int key)
{
    cli_editor *e = editor_of(edit);
    const LineInfo *info = cli_libedit.el_line(edit);
    size_t size = (size_t)(info->cursor - info->buffer), typed;
    cli_choices choices;
    unsigned char what = CC_REFRESH;
    (void)key;
    cli_complete(e->session, info->buffer, size, &choices);
    typed = size - choices.start;
    if (choices.count == 0) {
        what = CC_REFRESH_BEEP;
    } else if (!insert(edit, &choices, typed) && choices.count > 1) {
        list_choices(e, &choices);
        what = CC_REDISPLAY;
    }
    cli_choices_release(&choices);
    return what;
}

/* ---- Life --------------------------------------------------------------- */

static void remember(void *context, const char *line)
{
    cli_editor *e = context;
    cli_libedit.history(e->lines, &e->event, H_ENTER, line);
}

/* A line for the history; not one of blanks, and not the last one again. */
static void keep(cli_editor *e, const char *line)
{
    bool is_again = cli_libedit.history(e->lines, &e->event, H_FIRST) == 0 &&
                    !strcmp(e->event.str, line);
    if (line[strspn(line, " \t")] == '\0' || is_again)
        return;
    remember(e, line);
    cli_history_add(e->file, line);
}

static bool prepare(cli_editor *e)
{
    e->lines = cli_libedit.history_init();
    e->edit = cli_libedit.el_init("tfprof", stdin, e->session->screen, stderr);
    if (!e->lines || !e->edit)
        return false;
    cli_libedit.history(e->lines, &e->event, H_SETSIZE, KEPT_LINES);
    cli_libedit.history(e->lines, &e->event, H_SETUNIQUE, 1);
    cli_libedit.el_set(e->edit, EL_CLIENTDATA, e);
    cli_libedit.el_set(e->edit, EL_PROMPT, show_prompt);
    cli_libedit.el_set(e->edit, EL_SIGNAL, 0);
    cli_libedit.el_set(e->edit, EL_GETCFN, read_key);
    cli_libedit.el_set(e->edit, EL_EDITOR, "emacs");
    cli_libedit.el_set(e->edit, EL_HIST, cli_libedit.history, e->lines);
    /* Of narrow strings libedit would make copies and never free them. */
    cli_libedit.el_wset(e->edit, EL_ADDFN, L"tfprof-complete",
                        L"Complete the word", complete);
    cli_libedit.el_set(e->edit, EL_BIND, "^I", "tfprof-complete", NULL);
    cli_libedit.el_set(e->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
    cli_libedit.el_source(e->edit, NULL); /* ~/.editrc may say otherwise */
    e->file = cli_history_open(remember, e);
    return true;
}

cli_editor *cli_editor_new(cli_session *session)
{
    cli_editor *e;
    if (cli_is_dumb_terminal() || !isatty(fileno(session->screen)) ||
        !cli_libedit_load())
        return NULL;
    setlocale(LC_CTYPE, ""); /* what is a character, and how wide */
    e = calloc(1, sizeof(*e));
    if (!e)
        return NULL;
    e->session = session;
    if (prepare(e))
        return e;
    cli_editor_free(e);
    return NULL;
}

void cli_editor_free(cli_editor *e)
{
    if (!e)
        return;
    cli_history_close(e->file);
    if (e->edit)
        cli_libedit.el_end(e->edit);
    if (e->lines)
        cli_libedit.history_end(e->lines);
    free(e->kept);
    free(e);
}

cli_line_status cli_editor_next(cli_editor *e, cli_line *line)
{
    int size = 0;
    const char *text;
    e->interrupted = false;
    if (e->session->drop_typed)
        e->next = e->end;
    e->session->drop_typed = e->session->key_came = false;
    /* Before the prompt is there, or what follows it would be shown twice. */
    cli_libedit.el_set(e->edit, EL_PREP_TERM, 1);
    text = cli_libedit.el_gets(e->edit, &size);
    if (e->interrupted)
        return CLI_LINE_INTERRUPTED;
    if (!text || size <= 0) {
        fputc('\n', e->session->screen);
        return CLI_LINE_END;
    }
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    free(e->kept);
    e->kept = strndup(text, (size_t)size);
    if (!e->kept)
        return CLI_LINE_NO_MEMORY;
    *line = (cli_line){ e->kept, (size_t)size };
    if (!cli_check_line(line, size > CLI_LONGEST_LINE))
        return CLI_LINE_REFUSED;
    keep(e, line->text);
    return CLI_LINE_READ;
}

#endif
