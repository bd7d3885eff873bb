/*
 * signals.c - SIGINT, SIGTERM and SIGHUP: to end in order, and soon.
 */
#include <signal.h>
#include <unistd.h>

#include "cli/cli.h"

static volatile sig_atomic_t deferred; /* someone looks at `caught` */
static volatile sig_atomic_t caught;

/* A file that is being written is not in its place yet, so ending at once
 * does no harm: what was there stays, and the next run takes the unfinished
 * one away. */
static void on_signal(int number)
{
    if (!deferred || caught)
        _exit(EXIT_SIGNAL + number);
    caught = number;
}

void cli_signals_catch(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = on_signal }, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        /* nohup and shells that start jobs in the background mean it. */
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

void cli_signals_defer(bool on)
{
    deferred = on;
}

int cli_signal(void)
{
    return caught;
}

int cli_end_by_signal(void)
{
    cli_complain(caught == SIGINT ? "interrupted" : "ended by a signal");
    return EXIT_SIGNAL + caught;
}
