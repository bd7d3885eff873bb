/*
 * history.c - the lines of earlier sessions, in a file of the user's own.
 *
 * $XDG_STATE_HOME/tfprof/history, or ~/.local/state/tfprof/history: one line
 * each, appended as they are typed, so that sessions side by side and a crash
 * lose nothing. Only a regular file that belongs to the user is touched, never
 * through a symbolic link. A file that has become long is cut to its last
 * lines at the next start.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/prompt.h"

enum {
    LONGEST_ENTRY = 4 << 10, /* what is longer was pasted, not typed */
    READ_AT_MOST = 256 << 10,
    CUT_ABOVE = 1 << 20
};

struct cli_history {
    int fd; /* for appending */
};

/* ---- The file ----------------------------------------------------------- */

static bool make_folder(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Makes each folder of a path that is not there yet. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        bool made;
        *slash = '\0';
        made = make_folder(path);
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* The path of the file, its folder made; false when there is none. A relative
 * $XDG_STATE_HOME is to be ignored, says its specification. */
static bool find_path(char path[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int size;
    if (state && state[0] == '/')
        size = snprintf(path, PATH_MAX, "%s/tfprof/history", state);
    else if (home && home[0] == '/')
        size = snprintf(path, PATH_MAX, "%s/.local/state/tfprof/history", home);
    else
        return false;
    return size > 0 && size < PATH_MAX && make_folders(path);
}

/* Opening must not wait, as it would for a FIFO. */
static int open_own(const char *path, struct stat *about)
{
    int fd = open(path,
                  O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
                      O_NOCTTY | O_CLOEXEC,
                  0600);
    if (fd < 0)
        return -1;
    if (fstat(fd, about) != 0 || !S_ISREG(about->st_mode) ||
        about->st_uid != geteuid() ||
        ((about->st_mode & 077) != 0 && fchmod(fd, 0600) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- Reading ------------------------------------------------------------ */

/* The last bytes of the file, from the beginning of a line on. */
static char *read_tail(int fd, off_t size, size_t *read_size)
{
    off_t from = size > READ_AT_MOST ? size - READ_AT_MOST : 0;
    char *data = malloc(READ_AT_MOST + 1), *line;
    ssize_t n = data ? pread(fd, data, READ_AT_MOST, from) : -1;
    if (n < 0) {
        free(data);
        return NULL;
    }
    data[n] = '\0';
    *read_size = (size_t)n;
    line = from > 0 ? memchr(data, '\n', (size_t)n) : NULL;
    if (line) {
        *read_size -= (size_t)(line + 1 - data);
        memmove(data, line + 1, *read_size + 1);
    } else if (from > 0) {
        *read_size = 0; /* not a line among them */
    }
    return data;
}

static void tell_lines(char *data, size_t size,
                       void (*add)(void *context, const char *line),
                       void *context)
{
    char *end = data + size;
    while (data < end) {
        char *newline = memchr(data, '\n', (size_t)(end - data));
        if (!newline)
            break; /* cut short by a crash */
        *newline = '\0';
        if (strlen(data) == (size_t)(newline - data) && *data != '\0' &&
            newline - data <= LONGEST_ENTRY)
            add(context, data);
        *newline = '\n';
        data = newline + 1;
    }
}

/* Puts a new file with these bytes in the place of the old one. */
static int replace(const char *path, const char *data, size_t size)
{
    char other[PATH_MAX + 8];
    int fd;
    snprintf(other, sizeof(other), "%s.XXXXXX", path);
    fd = mkstemp(other);
    if (fd < 0)
        return -1;
    if (write(fd, data, size) != (ssize_t)size || rename(other, path) != 0) {
        unlink(other);
        close(fd);
        return -1;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_APPEND);
    return fd;
}

cli_history *cli_history_open(void (*add)(void *context, const char *line),
                              void *context)
{
    cli_history *history = malloc(sizeof(*history));
    char path[PATH_MAX], *tail = NULL;
    struct stat about;
    size_t size = 0;
    if (!history)
        return NULL;
    history->fd = find_path(path) ? open_own(path, &about) : -1;
    if (history->fd >= 0)
        tail = read_tail(history->fd, about.st_size, &size);
    if (tail)
        tell_lines(tail, size, add, context);
    if (tail && about.st_size > CUT_ABOVE) {
        close(history->fd);
        history->fd = replace(path, tail, size);
    }
    free(tail);
    return history;
}

/* ---- Writing ------------------------------------------------------------ */

void cli_history_add(cli_history *history, const char *line)
{
    size_t size = strlen(line);
    char entry[LONGEST_ENTRY + 1];
    if (!history || history->fd < 0 || size == 0 || size > LONGEST_ENTRY)
        return;
    memcpy(entry, line, size);
    entry[size] = '\n';
    if (write(history->fd, entry, size + 1) < 0) { /* a full disk: no matter */
        close(history->fd);
        history->fd = -1;
    }
}

void cli_history_close(cli_history *history)
{
    if (history && history->fd >= 0)
        close(history->fd);
    free(history);
}
