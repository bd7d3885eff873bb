/*
 * pager.c - an answer on its way to the screen.
 *
 * On a terminal the answer is held back until it is longer than the screen.
 * Only then $PAGER is started, by the shell, and gets all of it; what fits is
 * simply printed. Leaving the pager before the end ends the answer, and is no
 * error. A pager that cannot be run has read nothing: what it was given is
 * printed after all.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/prompt.h"
#include "cli/signals.h"

static const char *pager_command(void)
{
    const char *command = getenv("PAGER");
    return command && *command && strcmp(command, "cat") != 0 ? command : NULL;
}

void cli_pager_start(cli_pager *p, const cli_session *session)
{
    size_t rows;
    *p = (cli_pager){ .gap = session->gap && !session->on_terminal,
                      .pipe = -1 };
    if (!session->on_terminal || session->lacks_pager ||
        !isatty(STDOUT_FILENO) || !pager_command() ||
        !cli_window(STDOUT_FILENO, &rows, &p->columns) || rows < 2)
        return;
    p->may_page = true;
    p->rows_left = rows - 1; /* the prompt takes one */
}

/* Colors are sent only to less, and only if its options make it show them.
 * Other pagers may print the escape sequences as text. */
static bool takes_color(void)
{
    const char *command = pager_command(), *less = getenv("LESS");
    size_t size = strcspn(command, " \t");
    while (size > 0 && command[size - 1] != '/')
        size--; /* to the last part of its path */
    if (strncmp(command + size, "less", 4) != 0 ||
        strcspn(command + size, " \t") != 4)
        return false;
    return !less || strchr(less, 'R') || strstr(command, " -R");
}

/* ---- The pager itself --------------------------------------------------- */

/* Runs in the child. Without options less clears the screen when it exits, and
 * the answer is gone. */
static void run_pager(int input)
{
    dup2(input, STDIN_FILENO);
    cli_signals_for_child();
    setenv("LESS", "FRX", 0);
    execl("/bin/sh", "sh", "-c", pager_command(), (char *)NULL);
    _exit(127);
}

static bool start_pager(cli_pager *p)
{
    int ends[2];
    p->may_page = false;
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(stdout);
    cli_signals_pager(true);
    p->child = fork();
    if (p->child == 0)
        run_pager(ends[0]);
    close(ends[0]);
    if (p->child < 0) {
        close(ends[1]);
        cli_signals_pager(false);
        return false;
    }
    p->pipe = ends[1];
    p->running = p->keeps = true;
    p->drops_color &= !takes_color();
    return true;
}

/* The shell ends so when it finds no such program, or may not run it. */
static bool is_unusable(int status)
{
    return WIFEXITED(status) &&
           (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127);
}

static void end_pager(cli_pager *p)
{
    int status = 0;
    close(p->pipe);
    p->running = false;
    while (waitpid((pid_t)p->child, &status, 0) < 0 && errno == EINTR)
        ;
    cli_signals_pager(false);
    if (!is_unusable(status))
        return;
    cli_complain("cannot run the pager '%s' (see $PAGER)", pager_command());
    p->is_unusable = true;
}

/* ---- Writing ------------------------------------------------------------ */

static int write_to_pager(cli_pager *p, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(p->pipe, data, size);
        if (n < 0 && errno == EINTR && !cli_interrupted())
            continue;
        if (n < 0) {
            p->quit = errno == EPIPE;
            return -1;
        }
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

/* Is this byte part of a color's code? Nothing else begins with ESC, for
 * names are escaped. */
static bool is_color(bool *in_code, char byte)
{
    bool was_in = *in_code;
    *in_code = was_in ? byte != 'm' : byte == '\033';
    return was_in || *in_code;
}

static int write_colorless(cli_pager *p, const char *data, size_t size)
{
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        if (used == sizeof(text)) {
            if (write_to_pager(p, text, used) != 0)
                return -1;
            used = 0;
        }
        if (!is_color(&p->drops_code, data[i]))
            text[used++] = data[i];
    }
    return write_to_pager(p, text, used);
}

/* Columns of the character that a byte begins. Of those in three bytes the
 * wide ones begin with 0xe3 or more, near enough. */
static size_t columns_of(unsigned char byte)
{
    return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xe3 ? 2 : 1;
}

/* Does the answer still fit on the screen with these bytes? */
static bool fits(cli_pager *p, const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool is_newline = data[i] == '\n';
        size_t columns = is_color(&p->counts_code, data[i])
                             ? 0
                             : columns_of((unsigned char)data[i]);
        if (!is_newline && p->column + columns <= p->columns) {
            p->column += columns;
            continue;
        }
        if (p->rows_left == 0)
            return false;
        p->rows_left--;
        p->column = is_newline ? 0 : columns;
    }
    return true;
}

static bool hold(cli_pager *p, const char *data, size_t size)
{
    if (p->held_capacity - p->held_size < size) {
        size_t capacity = 2 * (p->held_size + size);
        char *grown = realloc(p->held, capacity);
        if (!grown)
            return false;
        p->held = grown;
        p->held_capacity = capacity;
    }
    memcpy(p->held + p->held_size, data, size);
    p->held_size += size;
    return true;
}

static int write_on(cli_pager *p, const char *data, size_t size);

static int let_go(cli_pager *p)
{
    char *text = p->held;
    size_t size = p->held_size;
    int failed;
    p->held = NULL;
    p->held_size = p->held_capacity = 0;
    failed = size > 0 ? write_on(p, text, size) : 0;
    free(text);
    return failed;
}

enum { MOST_KEPT = 1 << 20 }; /* bytes; no pipe holds more unread */

/* Ends the pager. If nobody has read what it got, that is printed. */
static int do_without_pager(cli_pager *p)
{
    end_pager(p);
    if (!p->is_unusable || !p->keeps || cli_interrupted())
        return -1;
    p->quit = false;
    return let_go(p);
}

static int write_on(cli_pager *p, const char *data, size_t size)
{
    int failed;
    if (!p->running)
        return cli_write_stdout(&p->why, data, size);
    failed = p->drops_color ? write_colorless(p, data, size)
                            : write_to_pager(p, data, size);
    if (!failed)
        p->keeps = p->keeps && p->held_size + size <= MOST_KEPT &&
                   hold(p, data, size);
    if (!failed || !p->quit)
        return failed;
    return do_without_pager(p) != 0 ? -1 : write_on(p, data, size);
}

/* Upstream ends a row that lists input types with an empty line. Behind the
 * last row of an answer only the next answer shows it. */
static void watch_lines(cli_pager *p, const char *data, size_t size)
{
    static const char types[] = "input_type: ";
    while (size > 0) {
        const char *newline = memchr(data, '\n', size);
        size_t part = newline ? (size_t)(newline - data) : size;
        size_t room = sizeof(p->line) - p->line_size;
        size_t n = part < room ? part : room;
        memcpy(p->line + p->line_size, data, n);
        p->line_size += n;
        if (!newline)
            return;
        p->on_types = p->line_size >= strlen(types) &&
                      !memcmp(p->line, types, strlen(types));
        p->line_size = 0;
        data += part + 1;
        size -= part + 1;
    }
}

int cli_pager_write(void *context, const void *data, size_t size)
{
    cli_pager *p = context;
    if (p->gap && !p->has_answer && write_on(p, "\n", 1) != 0)
        return -1;
    p->has_answer = true;
    watch_lines(p, data, size);
    if (p->may_page) {
        if (fits(p, data, size) && hold(p, data, size))
            return 0;
        start_pager(p); /* without it, the answer is printed as it is */
        if (let_go(p) != 0)
            return -1;
    }
    return write_on(p, data, size);
}

bool cli_pager_end(cli_pager *p)
{
    if (p->may_page && !cli_interrupted())
        let_go(p);
    if (p->running)
        do_without_pager(p);
    free(p->held);
    p->held = NULL;
    return p->why == 0 || p->why == EINTR;
}
