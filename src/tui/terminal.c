/*
 * terminal.c - the terminal while the tree is shown.
 *
 * The terminal is reset in three places: by curses at the end, by
 * tui_terminal_leave() before an editor starts, and by a signal handler if a
 * signal ends the program. The handler must not call curses. It writes bytes
 * that were prepared at the start: the control codes that curses would send. It
 * also restores the terminal settings. Handlers need these data in global
 * variables.
 */
#include "tui/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

typedef volatile sig_atomic_t flag;

static flag interrupted, ending, stopped, continued, resized, busy;
static flag is_ours; /* curses controls the terminal */

static struct termios found; /* the settings before curses changed them */
static char codes[256];      /* control codes that reset the terminal */
static size_t codes_size;

/* ---- Handlers ----------------------------------------------------------- */

static void restore(void)
{
    ssize_t written;
    if (!is_ours)
        return;
    is_ours = 0;
    written = write(STDOUT_FILENO, codes, codes_size);
    (void)written;
    tcsetattr(STDIN_FILENO, TCSANOW, &found);
}

enum { EXIT_SIGNAL = 128 };

/* The first Ctrl-C cancels a computation. The second one ends the program, in
 * case the computation does not react to the first. */
static void note_end(int signal)
{
    if (busy && (signal == SIGINT ? interrupted : ending)) {
        restore();
        _exit(EXIT_SIGNAL + signal);
    }
    if (signal == SIGINT)
        interrupted = 1;
    else
        ending = signal;
}

static void note(int signal)
{
    int kept = errno;
    switch (signal) {
    case SIGTSTP: stopped = 1; break;
    case SIGCONT: continued = 1; break;
    case SIGWINCH: resized = 1; break;
    default: note_end(signal);
    }
    errno = kept;
}

/* SA_RESTART: signals that do not end the program must not interrupt reads of
 * the library. */
static const struct {
    int signal;
    bool is_crash;
    int flags;
} handled[] = {
    { SIGINT, false, 0 },
    { SIGTERM, false, 0 },
    { SIGHUP, false, 0 },
    { SIGQUIT, false, 0 },
    { SIGTSTP, false, SA_RESTART },
    { SIGCONT, false, SA_RESTART },
    { SIGWINCH, false, SA_RESTART },
    { SIGSEGV, true, SA_ONSTACK },
    { SIGBUS, true, SA_ONSTACK },
    { SIGFPE, true, SA_ONSTACK },
    { SIGILL, true, SA_ONSTACK },
    { SIGABRT, true, SA_ONSTACK },
    { SIGSYS, true, SA_ONSTACK },
    { SIGTRAP, true, SA_ONSTACK },
};
enum { HANDLED = sizeof(handled) / sizeof(handled[0]) };

static struct sigaction before[HANDLED];

/* Resets the terminal and restores the previous action of the signal, which
 * then ends the program as it would without the tree. */
static void crash(int signal)
{
    restore();
    for (size_t i = 0; i < HANDLED; i++) {
        if (handled[i].signal == signal)
            sigaction(signal, &before[i], NULL);
    }
    raise(signal);
}

/* After a stack overflow, the handler needs another stack. */
static char crash_stack[1 << 16];

/* Signals that are ignored at the start stay ignored, for example under nohup
 * or after "&" in a shell. */
static void catch_signals(void)
{
    stack_t stack = { .ss_sp = crash_stack, .ss_size = sizeof(crash_stack) };
    sigaltstack(&stack, NULL);
    interrupted = ending = stopped = continued = resized = 0;
    for (size_t i = 0; i < HANDLED; i++) {
        struct sigaction action = {
            .sa_handler = handled[i].is_crash ? crash : note,
            .sa_flags = handled[i].flags,
        };
        sigemptyset(&action.sa_mask);
        sigaction(handled[i].signal, NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(handled[i].signal, &action, NULL);
    }
}

static void release_signals(void)
{
    stack_t stack = { .ss_flags = SS_DISABLE };
    for (size_t i = 0; i < HANDLED; i++)
        sigaction(handled[i].signal, &before[i], NULL);
    sigaltstack(&stack, NULL);
}

/* ---- Signals that arrived ----------------------------------------------- */

int tui_is_cancelled(void *context)
{
    (void)context;
    return interrupted || ending;
}

void tui_signals_busy(bool is_busy)
{
    busy = is_busy;
}

bool tui_forget_interrupt(void)
{
    interrupted = 0;
    return !ending;
}

int tui_ending_signal(void)
{
    return interrupted ? SIGINT : ending;
}

/* ---- Codes that reset the terminal -------------------------------------- */

/* Omits delays, which only old terminals need. */
static void add_code(const char *code)
{
    while (*code && codes_size < sizeof(codes)) {
        if (code[0] == '$' && code[1] == '<') {
            code += strcspn(code, ">");
            code += *code == '>';
        } else {
            codes[codes_size++] = *code++;
        }
    }
}

static void prepare_codes(const tui_curses *curses)
{
    /* These codes reset colors, keys, cursor and screen, in this order. */
    static const char *const names[] = { "sgr0", "op", "rmkx", "cnorm",
                                         "rmcup" };
    codes_size = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *code = curses->tigetstr(names[i]);
        if (code && code != (const char *)-1)
            add_code(code);
    }
}

/* ---- Opening and closing ------------------------------------------------ */

/* Milliseconds to wait for the rest of a key code after Esc. */
enum { ESCAPE_WAIT = 25 };

/* These limits bound the memory of curses, which stores a cell for each
 * character of the window. */
enum { MOST_ROWS = 1000, MOST_COLUMNS = 2000 };

static void measure(tui_terminal *t)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
        size.ws_col > 0) {
        t->rows = size.ws_row < MOST_ROWS ? size.ws_row : MOST_ROWS;
        t->columns = size.ws_col < MOST_COLUMNS ? size.ws_col : MOST_COLUMNS;
    }
}

/* Sets the limited size in the variables that curses reads before it asks the
 * terminal. */
static void tell_size(const tui_terminal *t)
{
    char text[32];
    if (t->rows < MOST_ROWS && t->columns < MOST_COLUMNS)
        return;
    snprintf(text, sizeof(text), "%zu", t->rows);
    setenv("LINES", text, 1);
    snprintf(text, sizeof(text), "%zu", t->columns);
    setenv("COLUMNS", text, 1);
}

static void resize(tui_terminal *t)
{
    measure(t);
    t->curses->resizeterm((int)t->rows, (int)t->columns);
    t->curses->wresize(t->window, (int)t->rows, (int)t->columns);
    t->curses->clearok(t->window, TRUE);
}

/* Some terminals send these codes in every keypad mode, even if terminfo lists
 * others. */
static void define_keys(const tui_curses *c)
{
    static const struct {
        const char *sent;
        int key;
    } keys[] = {
        { "\033[A", KEY_UP },   { "\033[B", KEY_DOWN }, { "\033[C", KEY_RIGHT },
        { "\033[D", KEY_LEFT }, { "\033[H", KEY_HOME }, { "\033[F", KEY_END },
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        c->define_key(keys[i].sent, keys[i].key);
}

static void set_up(tui_terminal *t, bool wants_color)
{
    const tui_curses *c = t->curses;
    c->cbreak();
    c->noecho();
    c->set_escdelay(ESCAPE_WAIT);
    c->keypad(t->window, TRUE);
    c->nodelay(t->window, TRUE);
    define_keys(c);
    c->curs_set(0);
    t->has_color = wants_color && c->has_colors() && c->start_color() == OK &&
                   c->use_default_colors() == OK &&
                   c->init_pair(1, COLOR_CYAN, -1) == OK;
}

bool tui_terminal_open(tui_terminal *t, bool wants_color, bool is_utf8)
{
    const tui_curses *c = t->curses;
    t->rows = 24;
    t->columns = 80;
    t->is_utf8 = is_utf8;
    if (tcgetattr(STDIN_FILENO, &found) != 0)
        return false;
    measure(t);
    tell_size(t);
    catch_signals();
    t->screen = c->newterm(NULL, stdout, stdin);
    if (!t->screen) {
        release_signals();
        return false;
    }
    prepare_codes(c);
    is_ours = 1;
    t->window = c->newwin(0, 0, 0, 0);
    if (!t->window) {
        tui_terminal_close(t);
        return false;
    }
    set_up(t, wants_color);
    resize(t);
    return true;
}

void tui_terminal_close(tui_terminal *t)
{
    if (!t->screen)
        return;
    if (t->window)
        t->curses->delwin(t->window);
    t->curses->endwin();
    is_ours = 0;
    t->curses->delscreen(t->screen);
    t->screen = NULL;
    tcsetattr(STDIN_FILENO, TCSANOW, &found);
    release_signals();
}

void tui_terminal_leave(tui_terminal *t)
{
    t->curses->endwin();
    is_ours = 0;
}

/* wrefresh() continues after endwin(). */
void tui_terminal_enter(tui_terminal *t)
{
    is_ours = 1;
    resize(t);
    t->curses->wrefresh(t->window);
    t->curses->curs_set(0);
}

/* ---- Keys --------------------------------------------------------------- */

/* Stops the program, as Ctrl-Z does without the tree. */
static void stop(tui_terminal *t)
{
    struct sigaction ours, usual = { .sa_handler = SIG_DFL };
    sigemptyset(&usual.sa_mask);
    stopped = 0;
    tui_terminal_leave(t);
    sigaction(SIGTSTP, &usual, &ours);
    raise(SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
    continued = 0;
    tui_terminal_enter(t);
}

/* The program was stopped by a signal of another process, and a shell used the
 * terminal in the meantime. */
static void take_again(tui_terminal *t)
{
    continued = 0;
    tui_terminal_leave(t);
    tui_terminal_enter(t);
}

/* Waits until there is a key or a signal. Signals are blocked except while
 * pselect() waits, so none can arrive unnoticed between the check of the flags
 * and pselect(). Returns false if the terminal cannot be read. */
static bool wait_for_input(void)
{
    sigset_t held, before_it;
    fd_set in;
    bool ok = true;
    sigfillset(&held);
    sigprocmask(SIG_BLOCK, &held, &before_it);
    if (!interrupted && !ending && !stopped && !continued && !resized) {
        FD_ZERO(&in);
        FD_SET(STDIN_FILENO, &in);
        ok = pselect(STDIN_FILENO + 1, &in, NULL, NULL, NULL, &before_it) >=
                 0 ||
             errno == EINTR;
    }
    sigprocmask(SIG_SETMASK, &before_it, NULL);
    return ok;
}

/* If a terminal is closed, pselect() always reports input, but there is never a
 * key. */
enum { MOST_EMPTY = 100 };

int tui_terminal_key(tui_terminal *t)
{
    for (int empty = 0; empty < MOST_EMPTY; empty++) {
        int key;
        if (interrupted || ending)
            return TUI_KEY_END;
        if (stopped) {
            stop(t);
            return KEY_RESIZE;
        }
        if (continued) {
            take_again(t);
            return KEY_RESIZE;
        }
        if (resized) {
            resized = 0;
            resize(t);
            return KEY_RESIZE;
        }
        key = t->curses->wgetch(t->window);
        if (key != ERR)
            return key;
        if (!wait_for_input())
            break;
    }
    ending = SIGHUP;
    return TUI_KEY_END;
}
