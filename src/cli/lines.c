/*
 * lines.c - lines from stdin as they are: fed from a pipe or a file, or typed
 * into a terminal that cannot do more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/prompt.h"
#include "cli/signals.h"

struct cli_reader {
    FILE *screen; /* for the prompt; NULL if nobody types */
    bool at_end;  /* of the input */
    char *data;   /* the line, and what was read behind it */
    size_t capacity;
    size_t start, end; /* of what was read and not handed out */
};

cli_reader *cli_reader_new(const cli_session *session)
{
    cli_reader *r = calloc(1, sizeof(*r));
    if (r)
        r->screen = session->on_terminal ? session->screen : NULL;
    return r;
}

void cli_reader_free(cli_reader *r)
{
    if (r)
        free(r->data);
    free(r);
}

bool cli_check_line(const cli_line *line, bool too_long)
{
    if (too_long)
        cli_complain("input line exceeds %d MiB", CLI_LONGEST_LINE >> 20);
    else if (strlen(line->text) != line->size)
        cli_complain("input line contains a NUL byte");
    else
        return true;
    return false;
}

/* ---- Reading ------------------------------------------------------------ */

/* Room for more behind what is there, and for a NUL. */
static bool make_room(cli_reader *r)
{
    char *grown;
    size_t capacity;
    if (r->start > 0) {
        memmove(r->data, r->data + r->start, r->end - r->start);
        r->end -= r->start;
        r->start = 0;
    }
    if (r->capacity - r->end > 1)
        return true;
    capacity = r->capacity ? 2 * r->capacity : 64 << 10;
    grown = realloc(r->data, capacity);
    if (!grown)
        return false;
    r->data = grown;
    r->capacity = capacity;
    return true;
}

/* What cannot be read ends the input, as a terminal that went away does. */
static cli_line_status read_more(cli_reader *r)
{
    ssize_t n;
    if (!make_room(r))
        return CLI_LINE_NO_MEMORY;
    do {
        while (!(cli_wait_for_key(false) & CLI_WAKE_INPUT)) {
            if (cli_interrupted())
                return CLI_LINE_INTERRUPTED;
        }
        n = read(STDIN_FILENO, r->data + r->end, r->capacity - r->end - 1);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    r->at_end = n <= 0;
    r->end += n > 0 ? (size_t)n : 0;
    return CLI_LINE_READ;
}

/* Drops what belongs to a line that is too long. */
static cli_line_status skip_line(cli_reader *r)
{
    char *newline = NULL;
    for (;;) {
        cli_line_status status;
        newline = memchr(r->data + r->start, '\n', r->end - r->start);
        if (newline || r->at_end)
            break;
        r->start = r->end = 0;
        status = read_more(r);
        if (status != CLI_LINE_READ)
            return status;
    }
    r->start = newline ? (size_t)(newline + 1 - r->data) : r->end;
    return CLI_LINE_REFUSED;
}

static cli_line_status hand_out(cli_reader *r, size_t size, cli_line *line)
{
    line->text = r->data + r->start;
    r->start += size + (r->start + size < r->end);
    if (size > 0 && line->text[size - 1] == '\r')
        size--;
    line->text[size] = '\0';
    line->size = size;
    return cli_check_line(line, false) ? CLI_LINE_READ : CLI_LINE_REFUSED;
}

cli_line_status cli_reader_next(cli_reader *r, cli_line *line)
{
    size_t looked = 0; /* at so many bytes, without finding a newline */
    if (r->screen) {
        fputs(CLI_PROMPT, r->screen);
        fflush(r->screen);
    }
    for (;;) {
        const char *from = r->data ? r->data + r->start : NULL;
        size_t size = r->end - r->start;
        const char *newline = size > looked
                                  ? memchr(from + looked, '\n', size - looked)
                                  : NULL;
        cli_line_status status;
        if (newline)
            return hand_out(r, (size_t)(newline - from), line);
        if (size > CLI_LONGEST_LINE) {
            cli_check_line(line, true);
            return skip_line(r);
        }
        if (r->at_end)
            return size > 0 ? hand_out(r, size, line) : CLI_LINE_END;
        looked = size;
        status = read_more(r);
        if (status != CLI_LINE_READ)
            return status;
    }
}
