/*
 * talk.c - what is said on stderr, and the care that stdout needs.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/prompt.h"
#include "cli/signals.h"

int cli_exit_code(int status)
{
    switch (status) {
    case TFPROF_OK: return EXIT_ANSWERED;
    case TFPROF_ERR_NOMEM:
    case TFPROF_ERR_LIMIT: return EXIT_LIMIT;
    case TFPROF_ERR_OPTION:
    case TFPROF_ERR_MISSING: return EXIT_USAGE;
    case TFPROF_ERR_OUTPUT: return EXIT_OUTPUT;
    case TFPROF_ERR_CANCELLED: return EXIT_CANCELLED;
    default: return EXIT_INPUT;
    }
}

#define RED   "\033[31m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

static size_t line_number; /* of what is fed to the prompt, or 0 */

/* Makes a text that was cut to fill `buffer` end in "...". */
static void mark_cut(char *buffer, size_t size)
{
    static const char dots[] = "...";
    memcpy(buffer + (size - sizeof(dots)), dots, sizeof(dots));
}

/* A line may hold what the user typed or a file is called: it is escaped. */
static void print_safely(const char *line)
{
    char safe[8192];
    const char *color = strncmp(line, "note: ", 6) ? RED : DIM;
    bool is_colored = cli_talks_in_color();
    char where[40] = "";
    if (line_number > 0)
        snprintf(where, sizeof(where), "line %zu: ", line_number);
    if (tfprof_escape(line, strlen(line), safe, sizeof(safe)) >= sizeof(safe))
        mark_cut(safe, sizeof(safe));
    fprintf(stderr, "%stfprof:%s %s%s\n", is_colored ? color : "",
            is_colored ? PLAIN : "", where, safe);
}

void cli_talk_about_line(size_t number)
{
    line_number = number;
}

void cli_complain(const char *format, ...)
{
    char line[2048];
    va_list args;
    va_start(args, format);
    if (vsnprintf(line, sizeof(line), format, args) >= (int)sizeof(line))
        mark_cut(line, sizeof(line));
    va_end(args);
    print_safely(line);
}

void cli_complain_input(const tfprof_profile *profile, size_t index,
                        const char *prefix)
{
    char name[4400], line[5000];
    tfprof_error err;
    tfprof_profile_input_status(profile, index, NULL, &err);
    tfprof_profile_input_name(profile, index, name, sizeof(name));
    if (err.line > 0)
        snprintf(line, sizeof(line), "%s%s: line %lld, column %lld: %s", prefix,
                 name, (long long)err.line, (long long)err.column, err.message);
    else if (err.offset >= 0)
        snprintf(line, sizeof(line), "%s%s: offset %lld: %s", prefix, name,
                 (long long)err.offset, err.message);
    else
        snprintf(line, sizeof(line), "%s%s: %s", prefix, name, err.message);
    print_safely(line);
}

static void print_remark(void *context, const char *remark)
{
    (void)context;
    cli_complain("note: %s", remark);
}

/* How to open what an output writes. */
static const struct {
    const char *output, *how;
} openings[] = {
    { "timeline:", "; open it in ui.perfetto.dev or chrome://tracing" },
    { "pprof:", "; view it in a browser with pprof -http=:" },
    { "folded:", "; draw it with inferno-flamegraph or flamegraph.pl" },
    { "speedscope:", "; open it in speedscope.app" },
    { "html:", "; open it in a browser" },
    { "parquet:", "; query it with DuckDB, Spark or ClickHouse" },
    { "profile:", "; tfprof can read it instead of the inputs" },
};

void cli_tell_file(void *context, const char *path)
{
    static const char units[] = " KMGT";
    const tfprof_profile *profile = context;
    const char *unit = units, *how = "";
    char output[16] = "";
    struct stat about;
    long long size, rest = 0;
    if (!isatty(STDERR_FILENO) || stat(path, &about) != 0 ||
        !S_ISREG(about.st_mode))
        return;
    tfprof_profile_get(profile, "output", output, sizeof(output));
    for (size_t i = 0; i < sizeof(openings) / sizeof(openings[0]); i++) {
        if (!strncmp(output, openings[i].output, strlen(openings[i].output)))
            how = openings[i].how;
    }
    for (size = about.st_size; size >= 1000 && unit[1]; unit++) {
        rest = size % 1000 / 100;
        size /= 1000;
    }
    if (unit == units)
        cli_complain("note: wrote %s (%lld bytes)%s", path, size, how);
    else
        cli_complain("note: wrote %s (%lld.%lld %cB)%s", path, size, rest,
                     *unit, how);
}

void cli_listen(tfprof_profile *profile, const cli_args *args)
{
    tfprof_profile_on_cancel(profile, cli_is_cancelled, NULL);
    if (args->quiet)
        return;
    tfprof_profile_on_remark(profile, print_remark, NULL);
    tfprof_profile_on_file(profile, cli_tell_file, profile);
}

/* ---- stdout ------------------------------------------------------------- */

/* The library hands over large blocks: they need no buffer of stdio's. */
int cli_write_stdout(void *context, const void *data, size_t size)
{
    const char *at = data;
    int *why = context;
    while (size > 0) {
        ssize_t n = write(STDOUT_FILENO, at, size);
        if (n >= 0) {
            at += n;
            size -= (size_t)n;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            /* Another program may have made the pipe non-blocking. */
            struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
            poll(&out, 1, -1);
        } else if (errno != EINTR) {
            *why = errno;
            return -1;
        }
        if (n < 0 && cli_interrupted()) {
            *why = EINTR;
            return -1;
        }
    }
    return 0;
}

int cli_fail_stdout(int why)
{
    cli_complain("cannot write to standard output: %s", strerror(why));
    return EXIT_OUTPUT;
}

int cli_finish_stdout(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_fail_stdout(errno);
    return code;
}

int cli_end_answer(int status, int why, const tfprof_error *err, int code)
{
    cli_signals_query(false);
    if (cli_interrupted())
        return cli_end_by_signal();
    if (status == TFPROF_OK)
        return code;
    if (why != 0)
        return cli_fail_stdout(why);
    cli_complain("%s", err->message);
    return cli_exit_code(status);
}

/* ---- Progress ----------------------------------------------------------- */

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The end of a path, which tells more than its beginning. */
static const char *last_part(const char *path)
{
    size_t size = strlen(path);
    return size > 30 ? path + (size - 30) : path;
}

static int show_progress(void *context, const char *path, int64_t bytes_read,
                         int64_t size)
{
    cli_progress *progress = context;
    double now;
    char name[128];
    if (cli_interrupted())
        return 1;
    if (!progress->on)
        return 0;
    now = cli_seconds();
    if (now - progress->started < 1.0 || now - progress->last < 0.1)
        return 0;
    progress->last = now;
    progress->shown = true;
    tfprof_escape(last_part(path), strlen(last_part(path)), name, sizeof(name));
    if (size > 0)
        fprintf(stderr, "\r\033[K%-30.30s %3d%% of %lld MB", name,
                (int)(100 * bytes_read / size), (long long)(size / 1000000));
    else
        fprintf(stderr, "\r\033[K%-30.30s %lld MB", name,
                (long long)(bytes_read / 1000000));
    fflush(stderr);
    return 0;
}

void cli_progress_start(cli_progress *progress, tfprof_profile *profile,
                        bool quiet)
{
    bool can_show = isatty(STDERR_FILENO) && !cli_is_dumb_terminal();
    *progress = (cli_progress){ .on = !quiet && can_show,
                                .started = cli_seconds() };
    cli_signals_query(true);
    tfprof_profile_on_progress(profile, show_progress, progress);
}

void cli_progress_stop(cli_progress *progress, tfprof_profile *profile)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
    tfprof_profile_on_progress(profile, NULL, NULL);
    cli_signals_query(false);
}

/* ---- Words for a shell -------------------------------------------------- */

void cli_print_quoted(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=@%+,-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}
