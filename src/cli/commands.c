/*
 * commands.c - what can be typed at the prompt: one table, and how a line of
 * it is answered.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/prompt.h"
#include "cli/signals.h"

/* ---- Answers ------------------------------------------------------------ */

/* The exit code of a question, with a complaint if it failed. When nobody
 * can read answers any more, the session has ended. */
static int finish(cli_session *s, cli_pager *pager, int status,
                  const tfprof_error *err)
{
    bool is_written = cli_pager_end(pager);
    s->lacks_pager |= pager->is_unusable;
    if (pager->has_answer)
        s->gap = pager->on_types;
    cli_signals_query(false);
    if (!is_written) {
        s->ended = true;
        s->reader_gone = pager->why == EPIPE;
        return s->reader_gone ? EXIT_OUTPUT : cli_fail_stdout(pager->why);
    }
    if (status != TFPROF_OK && cli_interrupted()) {
        if (!pager->quit)
            cli_complain("canceled");
        return EXIT_CANCELLED;
    }
    if (status == TFPROF_OK || pager->quit)
        return EXIT_ANSWERED;
    cli_complain("%s", err->message);
    return cli_exit_code(status);
}

static void start(cli_session *s, cli_pager *pager)
{
    cli_pager_start(pager, s);
    cli_signals_query(true);
}

/* Of the library: the options are put back at the end of the line. */
static void start_question(cli_session *s, cli_pager *pager)
{
    bool drops_color = cli_fit_terminal(s->profile);
    start(s, pager);
    pager->drops_color = drops_color;
}

/* Answers stand one after the other at the prompt, so bytes among them could
 * not be told apart. */
static bool refuses_bytes(const cli_session *s)
{
    if (!cli_sends_bytes(s->profile))
        return false;
    cli_complain("--format proto needs a file in an interactive session (use "
                 "--output file:outfile=FILE)");
    return true;
}

static int run_view(cli_session *s, const cli_prompt_command *command,
                    char **args)
{
    cli_pager pager;
    tfprof_error err;
    int status;
    (void)args;
    if (refuses_bytes(s))
        return EXIT_USAGE;
    start_question(s, &pager);
    status = tfprof_profile_write_view(s->profile, command->shown.name,
                                       cli_pager_write, &pager, &err);
    return finish(s, &pager, status, &err);
}

static int run_table(cli_session *s, const cli_prompt_command *command,
                     char **args)
{
    cli_pager pager;
    tfprof_error err;
    int status;
    (void)args;
    start_question(s, &pager);
    status = tfprof_profile_write_table(s->profile, command->shown.name,
                                        cli_pager_write, &pager, &err);
    return finish(s, &pager, status, &err);
}

typedef int question_fn(tfprof_profile *profile, tfprof_write_fn *write,
                        void *context, tfprof_error *err);

static int answer(cli_session *s, question_fn *question)
{
    cli_pager pager;
    tfprof_error err;
    int status;
    start_question(s, &pager);
    status = question(s->profile, cli_pager_write, &pager, &err);
    return finish(s, &pager, status, &err);
}

static int run_info(cli_session *s, const cli_prompt_command *command,
                    char **args)
{
    (void)command, (void)args;
    return answer(s, tfprof_profile_write_info);
}

static int run_advise(cli_session *s, const cli_prompt_command *command,
                      char **args)
{
    (void)command, (void)args;
    return refuses_bytes(s) ? EXIT_USAGE
                            : answer(s, tfprof_profile_write_advice);
}

static int run_flops(cli_session *s, const cli_prompt_command *command,
                     char **args)
{
    (void)command, (void)args;
    return answer(s, tfprof_profile_write_flops);
}

static int write_summary(tfprof_profile *profile, tfprof_write_fn *write,
                         void *context, tfprof_error *err)
{
    return tfprof_profile_write_summary(profile, NULL, write, context, err);
}

static int run_summary(cli_session *s, const cli_prompt_command *command,
                       char **args)
{
    (void)command, (void)args;
    return answer(s, write_summary);
}

int cli_show_summary(cli_session *s)
{
    return run_summary(s, NULL, NULL);
}

/* Text that was printed into memory, as an answer. */
static int show_text(cli_session *s, const char *text, size_t size)
{
    cli_pager pager;
    start(s, &pager);
    cli_pager_write(&pager, text, size);
    return finish(s, &pager, TFPROF_OK, NULL);
}

static int fail_memory(void)
{
    cli_complain("out of memory");
    return EXIT_LIMIT;
}

static int show_help(cli_session *s, const char *topic)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int code;
    if (!out)
        return fail_memory();
    code = cli_print_prompt_help(out, topic);
    if (fclose(out) != 0)
        code = fail_memory();
    else if (code == EXIT_ANSWERED)
        code = show_text(s, text, size);
    free(text);
    return code;
}

static int run_help(cli_session *s, const cli_prompt_command *command,
                    char **args)
{
    char *topic = cli_join_words(args);
    int code;
    (void)command;
    if (!topic)
        return fail_memory();
    code = show_help(s, args[0] ? topic : NULL);
    free(topic);
    return code;
}

/* ---- Options ------------------------------------------------------------ */

/* What somebody set may be long and hold anything. */
static bool list_option(FILE *out, const tfprof_profile *profile,
                        const char *name)
{
    size_t size = tfprof_profile_get(profile, name, NULL, 0) + 1;
    size_t safe_size = 4 * size;
    char *value = malloc(size), *safe = malloc(safe_size);
    bool has_memory = value && safe;
    if (has_memory) {
        tfprof_profile_get(profile, name, value, size);
        tfprof_escape(value, size - 1, safe, safe_size);
        fprintf(out, "-%-26s %s\n", name, safe);
    }
    free(value);
    free(safe);
    return has_memory;
}

static bool is_default(const tfprof_profile *profile,
                       const tfprof_option *option)
{
    const char *set = option->default_value;
    char value[64];
    size_t size = tfprof_profile_get(profile, option->name, value,
                                     sizeof(value));
    return size == strlen(set) && size < sizeof(value) && !strcmp(value, set);
}

/* Upstream's options, which follow each other in the table, it lists all; of
 * the others, those that have been set. */
static bool print_options(FILE *out, const tfprof_profile *profile)
{
    static const char first[] = "max_depth", last[] = "output";
    const cli_command *set = &cli_find_prompt_command("set")->shown;
    bool is_upstreams = false;
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i);
        is_upstreams |= !strcmp(option->name, first);
        if ((is_upstreams ||
             (cli_takes(set, option) && !is_default(profile, option))) &&
            !list_option(out, profile, option->name))
            return false;
        is_upstreams &= strcmp(option->name, last) != 0;
    }
    return true;
}

static int list_options(cli_session *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool is_complete = out && print_options(out, s->profile);
    int code;
    if (out && fclose(out) != 0)
        is_complete = false;
    code = is_complete ? show_text(s, text, size) : fail_memory();
    free(text);
    return code;
}

/* What was set is set already; see run_command(). */
static int run_set(cli_session *s, const cli_prompt_command *command,
                   char **args)
{
    (void)s, (void)command, (void)args;
    return EXIT_ANSWERED;
}

static int run_reset(cli_session *s, const cli_prompt_command *command,
                     char **args)
{
    tfprof_error err;
    int status = tfprof_profile_reset(s->profile, &err);
    (void)command, (void)args;
    s->quiet = s->starts_quiet;
    if (status != TFPROF_OK)
        cli_complain("%s", err.message);
    return cli_exit_code(status);
}

/* ---- The rest ----------------------------------------------------------- */

static int run_write(cli_session *s, const cli_prompt_command *command,
                     char **args)
{
    cli_pager pager = { .pipe = -1 };
    tfprof_error err;
    int status;
    if (!args[0] || !args[0][0]) {
        cli_complain("%s needs a file name", command->shown.name);
        return EXIT_USAGE;
    }
    cli_signals_query(true);
    status = tfprof_profile_save(s->profile, args[0], &err);
    return finish(s, &pager, status, &err);
}

static int run_quit(cli_session *s, const cli_prompt_command *command,
                    char **args)
{
    (void)command, (void)args;
    s->ended = true;
    return EXIT_ANSWERED;
}

/* ---- The table ---------------------------------------------------------- */

#define GROUP(name) (1u << TFPROF_GROUP_##name)

enum {
    /* limits are about inputs, and these are given at the start */
    VIEW_GROUPS = GROUP(COUNTED) | GROUP(SHOWN) | GROUP(ORDER) |
                  GROUP(LARGEST) | GROUP(FLOAT_OPS) | GROUP(OUTPUT),
    FLOPS_GROUPS = GROUP(LARGEST) | GROUP(FLOAT_OPS) | GROUP(MODEL) |
                   GROUP(OUTPUT),
    MOST_WORDS = 1 /* that a command without options takes */
};

#define A_VIEW(name, summary, examples)                                        \
    { { name, "[options]", summary, "", examples, VIEW_GROUPS, NULL, NULL,     \
        NULL },                                                                \
      run_view }
#define A_TABLE(name, summary, examples)                                       \
    { { name, "[options]", summary, "", examples,                              \
        GROUP(LARGEST) | GROUP(OUTPUT), NULL, NULL, NULL },                    \
      run_table }
#define A_COMMAND(name, usage, summary, run)                                   \
    { { name, usage, summary, "", "", 0, NULL, NULL, NULL }, run }

const cli_prompt_command cli_prompt_commands[] = {
    { { "summary", "[options]", "Show the main results on one screen.", "",
        "summary\n", GROUP(OUTPUT), NULL, NULL, NULL },
      run_summary },
    A_VIEW("scope", "Show costs by name scope, as a tree.",
           "scope --select micros,bytes --order_by micros\n"
           "scope --account_type_regexes Variable.* --select params "
           "--max_depth 4\n"
           "scope --show_name_regexes unit_1.*,unit_2.* --output "
           "file:outfile=units.txt\n"),
    A_VIEW("graph", "Show costs along the data flow.",
           "graph --start_name_regexes loss.* --select micros --max_depth 5\n"),
    A_VIEW("op", "Show costs by operation type.",
           "op --select micros,occurrence --order_by micros\n"),
    A_VIEW("code", "Show costs by source line.",
           "code --select micros --show_name_regexes .*model.py.*\n"),
    A_TABLE("steps", "Show how long each step took.", "steps --top 0\n"),
    A_TABLE("kernels", "Show GPU kernels, longest first.",
            "kernels --top 20\n"),
    { { "memory", "[options]", "Show peak memory and what used it.", "",
        "memory --by scope\n", GROUP(LARGEST) | GROUP(MEMORY) | GROUP(OUTPUT),
        NULL, NULL, NULL },
      run_table },
    A_TABLE("devices", "Show device utilization and throughput.", "devices\n"),
    { { "advise", "[options]", "Show what takes time and what to try.", "",
        "advise --checkers ExpensiveOperationChecker\n",
        GROUP(ADVICE) | GROUP(OUTPUT), NULL, NULL, NULL },
      run_advise },
    { { "flops", "[options]", "Count parameters and float operations.", "",
        "flops --batch 1\n"
        "flops --shape input=1x224x224x3 --list layers\n",
        FLOPS_GROUPS, NULL, NULL, NULL },
      run_flops },
    { { "info", "[options]", "Show the types and contents of inputs.", "", "",
        GROUP(OUTPUT), "output", NULL, NULL },
      run_info },
    { { "set", "options", "Set options for all following lines.", "",
        "set --select micros,bytes --max_depth 4\n"
        "set --output file:outfile=answers.txt\n",
        VIEW_GROUPS | FLOPS_GROUPS | GROUP(MEMORY), NULL, NULL, NULL },
      run_set },
    A_COMMAND("reset", "", "Reset all options to their defaults.", run_reset),
    A_COMMAND("write", "FILE", "Save all loaded data as a ProfileProto.",
              run_write),
    A_COMMAND("help", "[TOPIC]", "Explain a command, option or message.",
              run_help),
    A_COMMAND("quit", "", "End the session, as Ctrl-D does.", run_quit),
    A_COMMAND("exit", "", "The same as quit.", run_quit),
    { { 0 }, NULL },
};

const cli_prompt_command *cli_find_prompt_command(const char *name)
{
    for (const cli_prompt_command *c = cli_prompt_commands; c->shown.name;
         c++) {
        if (!strcmp(c->shown.name, name))
            return c;
    }
    return NULL;
}

const char *cli_nearest_prompt_command(const char *name)
{
    const char
        *names[sizeof(cli_prompt_commands) / sizeof(cli_prompt_commands[0])];
    size_t count = 0;
    for (const cli_prompt_command *c = cli_prompt_commands; c->shown.name; c++)
        names[count++] = c->shown.name;
    return tfprof_nearest_word(name, names, count);
}

/* ---- A line ------------------------------------------------------------- */

static int fail_command(const char *word)
{
    const char *nearest = cli_nearest_prompt_command(word);
    char meant[CLI_LONGEST_EXAMPLE];
    if (word[0] == '-')
        cli_complain(
            "expected a command before %s (to set an option, type: set %s ...)",
            word, word);
    else if (cli_find_meant(word, true, meant))
        cli_complain("there is no command '%s'; try: %s", word, meant);
    else if (nearest)
        cli_complain("unknown command '%s' (did you mean %s?)", word, nearest);
    else
        cli_complain("unknown command '%s' (try: help)", word);
    return EXIT_USAGE;
}

static int fail_word(const cli_prompt_command *command, const char *word)
{
    if (command->shown.groups == 0)
        cli_complain("%s does not accept '%s' (see: help %s)",
                     command->shown.name, word, command->shown.name);
    else
        cli_complain("%s accepts only options here, not '%s'; give input files "
                     "when you start tfprof",
                     command->shown.name, word);
    return EXIT_USAGE;
}

/* A command without options: at most one word follows, or the words of a
 * message. */
static int run_plain(cli_session *s, const cli_prompt_command *command,
                     char **args)
{
    size_t most = *command->shown.usage ? MOST_WORDS : 0;
    if (command->run == run_help)
        return run_help(s, command, args);
    for (size_t i = 0; args[i]; i++) {
        if (i >= most)
            return fail_word(command, args[i]);
    }
    return command->run(s, command, args);
}

static int run_parsed(cli_session *s, const cli_prompt_command *command,
                      const cli_args *args)
{
    if (args->help)
        return show_help(s, command->shown.name);
    if (args->input_count > 0)
        return fail_word(command, args->inputs[0].path);
    if (args->no_effect)
        cli_remark(s, "--%s has no effect", args->no_effect->name);
    return command->run(s, command, NULL);
}

/* Options hold for the line only, unless they are set; of a line with a
 * mistake nothing holds. */
static int run_command(cli_session *s, const cli_prompt_command *command,
                       char **args)
{
    bool was_quiet = s->quiet;
    cli_args parsed = { .quiet = was_quiet };
    tfprof_error err;
    int code, status = tfprof_profile_keep_options(s->profile, &err);
    if (status != TFPROF_OK)
        return fail_memory();
    code = cli_parse(&command->shown, args, s->profile, &parsed);
    s->quiet = parsed.quiet;
    if (code == EXIT_ANSWERED)
        code = run_parsed(s, command, &parsed);
    if (command->run != run_set || code != EXIT_ANSWERED) {
        tfprof_profile_restore_options(s->profile);
        s->quiet = was_quiet;
    }
    cli_args_release(&parsed);
    return code;
}

static int run_words(cli_session *s, const cli_words *words)
{
    const cli_prompt_command *command;
    if (words->quote) {
        cli_complain("unterminated quote (%c)", words->quote);
        return EXIT_USAGE;
    }
    if (words->count == 0)
        return list_options(s);
    command = cli_find_prompt_command(words->data[0]);
    if (!command)
        return fail_command(words->data[0]);
    return command->shown.groups == 0
               ? run_plain(s, command, words->data + 1)
               : run_command(s, command, words->data + 1);
}

int cli_run_line(cli_session *s, const cli_line *line)
{
    cli_words words;
    int code;
    if (!cli_words_cut(&words, line->text, line->size))
        return fail_memory();
    code = run_words(s, &words);
    cli_words_release(&words);
    return code;
}
