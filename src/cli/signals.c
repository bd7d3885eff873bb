/*
 * signals.c - what comes from the keyboard and from other programs.
 *
 * Handlers only note what came, or end the program where it stands. A file
 * that is being written is not in its place yet, so that does no harm: what
 * was there stays, and the next run takes the unfinished one away. The flags
 * are the one place where this program needs variables of the whole file.
 */
#include "cli/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

#include "cli/cli.h"

typedef volatile sig_atomic_t flag;

static flag interrupted, ending, stopped, continued, resized;
static flag at_prompt, in_query, in_pager;

static struct termios terminal; /* as it was found */
static flag has_terminal;

/* ---- Handlers ----------------------------------------------------------- */

static void end_at_once(int signal)
{
    if (has_terminal)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
    _exit(EXIT_SIGNAL + signal);
}

/* Must the signal end the program at once? Yes, if neither a prompt nor a query
 * would ever look at the flag, or if the running query has not reacted to an
 * earlier signal of this sort. Ctrl-C in a pager belongs to the pager. */
static bool is_too_much(int signal)
{
    if (!at_prompt && !in_query)
        return true;
    if (signal == SIGINT && in_pager)
        return false;
    return in_query && (signal == SIGINT ? interrupted : ending) != 0;
}

static void note_end(int signal)
{
    if (is_too_much(signal))
        end_at_once(signal);
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

/* Signals that should end a wait or a write must interrupt the system call. */
static const struct {
    int signal;
    int flags;
    bool of_terminal;
} handled[] = {
    { SIGINT, 0, false },          { SIGHUP, 0, false },
    { SIGTERM, 0, false },         { SIGQUIT, 0, true },
    { SIGCONT, SA_RESTART, true }, { SIGWINCH, SA_RESTART, true },
};
enum { HANDLED = sizeof(handled) / sizeof(handled[0]) };

static struct sigaction pipe_before;

static void set_handler(int signal, void (*handler)(int), int flags,
                        struct sigaction *old)
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, old);
}

/* What was ignored from the start stays so: nohup, a shell's "&". */
static void handle(bool of_terminal)
{
    for (size_t i = 0; i < HANDLED; i++) {
        struct sigaction before;
        if (handled[i].of_terminal == of_terminal &&
            sigaction(handled[i].signal, NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            set_handler(handled[i].signal, note, handled[i].flags, NULL);
    }
}

void cli_signals_catch(void)
{
    handle(false);
}

void cli_signals_start(bool on_terminal)
{
    has_terminal = on_terminal && tcgetattr(STDIN_FILENO, &terminal) == 0;
    at_prompt = 1;
    set_handler(SIGPIPE, SIG_IGN, 0, &pipe_before);
    if (on_terminal)
        handle(true);
}

/* Handlers go when another program is started; what is ignored stays. */
void cli_signals_for_child(void)
{
    sigaction(SIGPIPE, &pipe_before, NULL);
}

/* ---- What came ---------------------------------------------------------- */

void cli_signals_query(bool is_running)
{
    in_query = is_running;
}

void cli_signals_pager(bool is_running)
{
    in_pager = is_running;
}

bool cli_interrupted(void)
{
    return interrupted || ending;
}

void cli_forget_interrupt(void)
{
    interrupted = 0;
}

int cli_ending_signal(void)
{
    return ending;
}

int cli_is_cancelled(void *context)
{
    (void)context;
    return cli_interrupted();
}

int cli_end_by_signal(void)
{
    int signal = interrupted ? SIGINT : ending;
    cli_complain(signal == SIGINT ? "interrupted" : "terminated by a signal");
    return EXIT_SIGNAL + signal;
}

static unsigned take(flag *came, unsigned bit)
{
    if (!*came)
        return 0;
    *came = 0;
    return bit;
}

static unsigned take_all(void)
{
    return (cli_interrupted() ? (unsigned)CLI_WAKE_INTERRUPT : 0) |
           take(&stopped, CLI_WAKE_STOP) | take(&continued, CLI_WAKE_CONTINUE) |
           take(&resized, CLI_WAKE_RESIZE);
}

/* Signals are held back but while waiting, so none can slip in between the
 * look at the flags and the wait. */
unsigned cli_wait_for_key(bool takes_stop)
{
    struct sigaction stop_before;
    sigset_t held, free_again;
    unsigned woken;
    sigfillset(&held);
    sigprocmask(SIG_BLOCK, &held, &free_again);
    if (takes_stop) {
        sigaction(SIGTSTP, NULL, &stop_before);
        takes_stop = stop_before.sa_handler != SIG_IGN;
    }
    if (takes_stop)
        set_handler(SIGTSTP, note, 0, NULL);
    while ((woken = take_all()) == 0) {
        fd_set in;
        FD_ZERO(&in);
        FD_SET(STDIN_FILENO, &in);
        if (pselect(STDIN_FILENO + 1, &in, NULL, NULL, NULL, &free_again) >=
                0 ||
            errno != EINTR) {
            woken = CLI_WAKE_INPUT; /* reading says what is wrong, if it is */
            break;
        }
    }
    if (takes_stop)
        sigaction(SIGTSTP, &stop_before, NULL);
    sigprocmask(SIG_SETMASK, &free_again, NULL);
    return woken | take_all();
}

void cli_stop(void)
{
    raise(SIGTSTP); /* the others of the job got it from the key */
    continued = 0;
}

void cli_die_of(int signal)
{
    struct sigaction action = { .sa_handler = SIG_DFL };
    sigset_t one;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
    sigemptyset(&one);
    sigaddset(&one, signal);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    raise(signal);
}
