/*
 * prompt.c - `tfprof INPUT...`: loads once, then answers line after line.
 *
 * Somebody types, or lines come from a pipe; these get no prompt, and answers
 * are all that stands on stdout. A line that fails says why, and the next one
 * is read; the session ends with 0 all the same, unless --strict is given.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/prompt.h"
#include "cli/signals.h"

/* ---- Remarks ------------------------------------------------------------ */

/* Was this remark printed before in this session? Each remark is printed once,
 * except those that explain an empty answer (make_remark()). */
static bool was_said(cli_session *s, const char *remark)
{
    enum { MOST = sizeof(s->remarks) / sizeof(s->remarks[0]) };
    for (size_t i = 0; i < s->remark_count; i++) {
        if (!strcmp(s->remarks[i], remark))
            return true;
    }
    if (s->remark_count < MOST &&
        (s->remarks[s->remark_count] = strdup(remark)) != NULL)
        s->remark_count++;
    return false;
}

static void make_remark(void *context, const char *remark)
{
    static const char empty[] = TFPROF_REMARK_EMPTY;
    cli_session *s = context;
    bool is_empty = !strncmp(remark, empty, sizeof(empty) - 1);
    if (!s->quiet && (is_empty || !was_said(s, remark)))
        cli_complain("note: %s", remark);
}

static void tell_file(void *context, const char *path)
{
    cli_session *s = context;
    if (!s->quiet)
        cli_tell_file(s->profile, path);
}

void cli_remark(cli_session *s, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    make_remark(s, line);
}

/* ---- Lines -------------------------------------------------------------- */

/* Where lines come from: one of the two. */
typedef struct source {
    cli_editor *editor;
    cli_reader *reader;
} source;

static cli_line_status next_line(const source *from, cli_line *line)
{
    return from->editor ? cli_editor_next(from->editor, line)
                        : cli_reader_next(from->reader, line);
}

/* ---- Ctrl-C ------------------------------------------------------------- */

#define LONG_AGO (-1e9) /* in seconds */

/* At the prompt: a new line. Twice within a second, with no other key:
 * somebody wants to get out. */
static bool wants_out(const cli_session *s, double *last)
{
    double now = cli_seconds(), before = *last;
    cli_forget_interrupt();
    *last = s->key_came ? LONG_AGO : now;
    fputc('\n', s->screen);
    fflush(s->screen);
    return !s->key_came && now - before < 1.0;
}

/* ---- The session -------------------------------------------------------- */

/* The exit code at the end of the session, or -1: it goes on. */
static int judge_line(cli_session *s, int code)
{
    if (cli_ending_signal())
        return EXIT_CANCELLED;
    if (cli_interrupted()) {
        if (!s->on_terminal)
            return EXIT_CANCELLED;
        cli_forget_interrupt();
        s->drop_typed = true;
    }
    if (s->ended)
        return code;
    return s->strict && code != EXIT_ANSWERED ? code : -1;
}

static int converse(cli_session *s, const source *from)
{
    double interrupted_at = LONG_AGO;
    cli_line line;
    for (size_t number = 1;; number++) {
        int code = EXIT_USAGE;
        if (!s->on_terminal)
            cli_talk_about_line(number);
        switch (next_line(from, &line)) {
        case CLI_LINE_END: return EXIT_ANSWERED;
        case CLI_LINE_NO_MEMORY:
            cli_complain("out of memory");
            return EXIT_LIMIT;
        case CLI_LINE_INTERRUPTED:
            if (cli_ending_signal() || !s->on_terminal ||
                wants_out(s, &interrupted_at))
                return EXIT_CANCELLED;
            continue;
        case CLI_LINE_REFUSED: break;
        case CLI_LINE_READ: code = cli_run_line(s, &line); break;
        }
        interrupted_at = LONG_AGO;
        code = judge_line(s, code);
        if (code >= 0)
            return code;
    }
}

/* An interactive session starts with a summary, unless upstream's text is
 * selected: a program may be parsing that. */
static bool begins_with_summary(const cli_session *s)
{
    return s->on_terminal && !s->quiet && isatty(STDOUT_FILENO) &&
           cli_shows_table(s->profile);
}

/* Options that fit the terminal hold for one answer. */
static void summarize(cli_session *s)
{
    if (tfprof_profile_keep_options(s->profile, NULL) != TFPROF_OK)
        return;
    cli_show_summary(s);
    tfprof_profile_restore_options(s->profile);
}

static void greet(cli_session *s)
{
    if (begins_with_summary(s))
        summarize(s);
    if (s->on_terminal && !s->quiet)
        fputs("Type help for a list of commands, an empty line to show the "
              "options, or quit to exit.\n",
              stderr);
}

/* A signal that was to end the program ends it, once all is put right. So
 * does a pipe that nobody reads any more. */
static int leave(const cli_session *s, int code)
{
    int signal = s->reader_gone ? SIGPIPE : cli_ending_signal();
    fflush(stdout);
    if (signal)
        cli_die_of(signal);
    return code;
}

static int open_session(cli_session *s)
{
    source from = { 0 };
    int code;
    cli_signals_start(s->on_terminal);
    tfprof_profile_on_cancel(s->profile, cli_is_cancelled, NULL);
    greet(s);
    if (s->on_terminal)
        from.editor = cli_editor_new(s);
    if (!from.editor)
        from.reader = cli_reader_new(s);
    if (from.editor || from.reader) {
        code = converse(s, &from);
    } else {
        cli_complain("out of memory");
        code = EXIT_LIMIT;
    }
    cli_editor_free(from.editor);
    cli_reader_free(from.reader);
    return leave(s, code);
}

/* ---- The command -------------------------------------------------------- */

/* Standard input is where lines come from, and a word that is a command was
 * meant to be the first. */
static int check_inputs(const cli_args *args)
{
    for (size_t i = 0; i < args->input_count; i++) {
        const cli_input *input = &args->inputs[i];
        if (!strcmp(input->path, "-")) {
            cli_complain("- cannot be an input here: the interactive session "
                         "reads commands from standard input (use a command, "
                         "such as: tfprof scope -)");
            return EXIT_USAGE;
        }
        if (!input->role && cli_find_command(input->path)) {
            cli_complain("the command must come first: tfprof %s ... (use ./%s "
                         "for a file with this name)",
                         input->path, input->path);
            return EXIT_USAGE;
        }
    }
    return EXIT_ANSWERED;
}

/* Inputs that no question can be asked about open no prompt. */
static int check_answers(tfprof_profile *profile)
{
    tfprof_error err;
    int status = tfprof_profile_check(profile, &err);
    if (status != TFPROF_OK)
        cli_complain("%s", err.message);
    return cli_exit_code(status);
}

static int prompt(const cli_command *command, tfprof_profile *profile,
                  const cli_args *args)
{
    cli_session session = { .profile = profile,
                            .screen = isatty(STDOUT_FILENO) ? stdout : stderr,
                            .on_terminal = isatty(STDIN_FILENO),
                            .quiet = args->quiet,
                            .starts_quiet = args->quiet,
                            .strict = args->strict };
    int loaded, code = check_inputs(args);
    (void)command;
    if (code != EXIT_ANSWERED)
        return code;
    tfprof_profile_on_remark(profile, make_remark, &session);
    tfprof_profile_on_file(profile, tell_file, &session);
    if (begins_with_summary(&session))
        (void)tfprof_profile_expect(profile, "summary", NULL);
    else if (cli_shows_table(profile)) /* which tells how long steps are */
        (void)tfprof_profile_expect(profile, "steps", NULL);
    if (cli_load(profile, args, &loaded) != CLI_LOADED_ALL)
        return loaded;
    code = check_answers(profile);
    if (code == EXIT_ANSWERED)
        code = open_session(&session);
    for (size_t i = 0; i < session.remark_count; i++)
        free(session.remarks[i]);
    return code != EXIT_ANSWERED ? code : loaded;
}

int cli_run_prompt(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, prompt);
}
