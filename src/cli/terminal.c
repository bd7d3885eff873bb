/*
 * terminal.c - what the terminal at hand can show.
 *
 * The library knows nothing of terminals: there `auto` and -1 mean plain. Here
 * they become what the window, the environment and the locale say, anew for
 * each question, for a window may have changed meanwhile.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

static bool is_set(const char *value)
{
    return value && *value;
}

bool cli_is_dumb_terminal(void)
{
    const char *term = getenv("TERM");
    return !is_set(term) || !strcmp(term, "dumb");
}

/* https://no-color.org */
static bool wants_color(void)
{
    return !cli_is_dumb_terminal() && !is_set(getenv("NO_COLOR"));
}

/* The first of these that is set decides, as in every program; its part behind
 * the dot is the encoding. */
static bool is_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]), *dot;
        size_t size;
        if (!is_set(value))
            continue;
        dot = strchr(value, '.');
        size = dot ? strcspn(++dot, "@") : 0;
        return (size == 5 && !strncasecmp(dot, "utf-8", size)) ||
               (size == 4 && !strncasecmp(dot, "utf8", size));
    }
    return false;
}

bool cli_window(int fd, size_t *rows, size_t *columns)
{
    struct winsize window;
    if (ioctl(fd, TIOCGWINSZ, &window) != 0 || window.ws_col == 0)
        return false;
    *rows = window.ws_row;
    *columns = window.ws_col;
    return true;
}

/* Of the window that stdout is, or 0. */
static int window_columns(void)
{
    size_t rows, known;
    const char *columns = getenv("COLUMNS");
    long value;
    char *end;
    if (!isatty(STDOUT_FILENO))
        return 0;
    if (cli_window(STDOUT_FILENO, &rows, &known))
        return (int)known;
    value = is_set(columns) ? strtol(columns, &end, 10) : 0;
    return value > 0 && value <= 10000 && *end == '\0' ? (int)value : 0;
}

static bool is_at(const tfprof_profile *profile, const char *option,
                  const char *word)
{
    char value[16] = "";
    tfprof_profile_get(profile, option, value, sizeof(value));
    return !strcmp(value, word);
}

bool cli_shows_table(const tfprof_profile *profile)
{
    const char *wanted = getenv("TFPROF_FORMAT");
    if (!is_at(profile, "format", "auto"))
        return is_at(profile, "format", "table");
    if (is_set(wanted) && !strcmp(wanted, "table"))
        return true;
    if (is_set(wanted) && !strcmp(wanted, "text"))
        return false;
    return isatty(STDOUT_FILENO) && cli_writes_stdout(profile);
}

bool cli_fit_terminal(tfprof_profile *profile)
{
    char columns[16];
    int known = window_columns();
    bool has_color = is_at(profile, "color", "auto") && isatty(STDOUT_FILENO) &&
                     wants_color();
    if (has_color)
        tfprof_profile_set(profile, "color", "always", NULL);
    if (is_at(profile, "width", "-1") && known > 0) {
        snprintf(columns, sizeof(columns), "%d", known);
        tfprof_profile_set(profile, "width", columns, NULL);
    }
    if (is_at(profile, "format", "auto") && cli_shows_table(profile))
        tfprof_profile_set(profile, "format", "table", NULL);
    if (is_at(profile, "charset", "auto") && is_utf8() &&
        !cli_is_dumb_terminal())
        tfprof_profile_set(profile, "charset", "utf8", NULL);
    return has_color;
}

/* ---- stderr ------------------------------------------------------------- */

static const tfprof_profile *asked; /* anew each time: -color may be set */

void cli_talk_in_color(const tfprof_profile *profile)
{
    asked = profile;
}

bool cli_talks_in_color(void)
{
    if (!isatty(STDERR_FILENO) || (asked && is_at(asked, "color", "never")))
        return false;
    return (asked && is_at(asked, "color", "always")) || wants_color();
}
