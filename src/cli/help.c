/*
 * help.c - finds the requested help: commands, options, topics, or a list of
 * them. All of it is made from tables; help_text.c prints it.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/prompt.h"

/* ---- Lists -------------------------------------------------------------- */

static void print_topics(FILE *out)
{
    fputs("\ntopics:\n", out);
    for (const cli_topic *t = cli_topics; t->name; t++)
        fprintf(out, "  %-8s %s\n", t->name, t->summary);
}

void cli_print_usage(FILE *out)
{
    cli_print_text(out, CLI_PURPOSE);
    fputs("\nusage:\n", out);
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, "  tfprof %-7s %-20s %s\n", c->name, c->usage, c->summary);
    fprintf(out, "  tfprof %-7s %-20s %s\n", "", cli_prompt_as_command.usage,
            cli_prompt_as_command.summary);
    fputs("  tfprof --version\n", out);
    print_topics(out);
    putc('\n', out);
    cli_print_text(out, "For details, run tfprof help with the name of a "
                        "command, option, metric or topic, or with a message "
                        "that tfprof printed. To read about the interactive "
                        "session, run tfprof help prompt.");
}

void cli_print_help(FILE *out)
{
    cli_print_usage(out);
    cli_print_option_list(out);
}

static void print_prompt_usage(FILE *out)
{
    for (const cli_prompt_command *c = cli_prompt_commands; c->shown.name; c++)
        fprintf(out, "  %-7s %-10s %s\n", c->shown.name, c->shown.usage,
                c->shown.summary);
    print_topics(out);
    putc('\n', out);
    cli_print_text(out, "An empty line lists the options and their values. "
                        "Options given to a command apply only to that line. "
                        "Tab completes commands, options, their values and "
                        "node names; Ctrl-R searches earlier lines; Ctrl-C "
                        "cancels the running command.\n\n"
                        "For details, type help with the name of a command, "
                        "option, metric or topic, or with a message.");
    cli_print_option_list(out);
}

/* ---- Commands ----------------------------------------------------------- */

/* The switches that `command` accepts, or all. */
static void print_general(FILE *out, const cli_command *command)
{
    fputs("\ngeneral:\n", out);
    for (const cli_switch *s = cli_switches; s->name; s++) {
        if (!command || cli_takes_switch(command, s))
            cli_print_switch(out, s);
    }
}

static void print_notation(FILE *out)
{
    putc('\n', out);
    cli_print_text(out, "Options are written --name value, --name=value or "
                        "-name value. In a name, - and _ are equivalent. A "
                        "switch (true|false) without a value is true.");
}

static void print_patterns(FILE *out)
{
    putc('\n', out);
    cli_print_text(out, "A PATTERN is a Perl-compatible regular expression "
                        "that must match the complete name. Separate patterns "
                        "with commas. Write \\, for a comma inside a pattern; "
                        "a count such as {2,3} does not need the backslash.");
}

static void print_endings(FILE *out)
{
    char line[512] = "exit status:";
    size_t used = strlen(line);
    for (const cli_ending *e = cli_endings; e->code && used < sizeof(line); e++)
        used += (size_t)snprintf(line + used, sizeof(line) - used, " %s %s%s",
                                 e->code, e->meaning, e[1].code ? ";" : ".");
    putc('\n', out);
    cli_print_text(out, line);
}

/* `before` is typed before the name. */
static void print_command(FILE *out, const cli_command *command,
                          const char *before)
{
    bool is_named = command != &cli_prompt_as_command;
    fprintf(out, "usage: %s%s%s%s\n\n%s\n", before,
            is_named ? command->name : "",
            is_named && *command->usage ? " " : "", command->usage,
            command->summary);
    if (*command->about) {
        putc('\n', out);
        cli_print_text(out, command->about);
    }
    if (command->groups == 0)
        return;
    print_notation(out);
    if (command->groups & 1u << TFPROF_GROUP_SHOWN)
        print_patterns(out);
    cli_print_options(out, command);
}

/* For a command whose name is also an alias of a metric. */
static void print_other_meaning(FILE *out, const char *name)
{
    cli_metric metric;
    char text[256];
    if (!cli_find_metric(name, &metric))
        return;
    snprintf(text, sizeof(text),
             "As a value of --select, --order_by and --sort, %s means %s (see "
             "help %s).",
             name, metric.means, metric.means);
    putc('\n', out);
    cli_print_text(out, text);
}

void cli_print_command_help(FILE *out, const cli_command *command)
{
    print_command(out, command, "tfprof ");
    if (command->groups != 0) {
        print_general(out, command);
        print_endings(out);
    }
    print_other_meaning(out, command->name);
    cli_print_examples(out, command->examples, false);
}

/* ---- Topics and options ------------------------------------------------- */

/* The topic about options ends with a list of all options. */
static void print_topic(FILE *out, const cli_topic *topic, bool at_prompt)
{
    cli_print_text(out, topic->text);
    if (!strcmp(topic->name, "options")) {
        cli_print_options(out, NULL);
        if (!at_prompt)
            print_general(out, NULL);
    }
    cli_print_examples(out, topic->examples, at_prompt);
}

static bool is_typed_at_prompt(const tfprof_option *option)
{
    for (const cli_prompt_command *c = cli_prompt_commands; c->shown.name;
         c++) {
        if (cli_takes(&c->shown, option))
            return true;
    }
    return false;
}

static void print_option(FILE *out, const tfprof_option *option, bool at_prompt)
{
    cli_print_option(out, NULL, option);
    cli_print_examples(out, cli_option_example(option),
                       at_prompt && is_typed_at_prompt(option));
}

/* The aliases of a metric, as "The word time means the same. ". */
static void list_aliases(const cli_metric *metric, char *text, size_t size)
{
    const char *alias, *meaning;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; (alias = tfprof_metric_alias(i, &meaning)); i++) {
        if (!strcmp(meaning, metric->means) && used < size)
            used += (size_t)snprintf(text + used, size - used,
                                     "The word %s means the same. ", alias);
    }
}

/* Facts cannot be used for sorting and have no minimum. */
static void print_metric(FILE *out, const cli_metric *metric, bool at_prompt)
{
    const char *word = metric->means;
    char item[512], minimum[64], aliases[128], text[512], example[256];
    bool is_fact;
    snprintf(minimum, sizeof(minimum), "min_%s", word);
    is_fact = !tfprof_option_find(minimum, NULL);
    snprintf(item, sizeof(item), "%s\t%s\n", word, metric->about);
    cli_print_text(out, item);
    list_aliases(metric, aliases, sizeof(aliases));
    if (is_fact)
        snprintf(
            text, sizeof(text),
            "This is a value of --select. See help metrics for all values.");
    else
        snprintf(text, sizeof(text),
                 "This is a value of --select, --order_by and --sort. %s--%s N "
                 "and --min_self_%s N hide rows whose value is less than N. "
                 "See help metrics for all values.",
                 aliases, minimum, word);
    putc('\n', out);
    cli_print_text(out, text);
    snprintf(example, sizeof(example),
             "op\tgraph.pb run_meta\t--select %s --order_by %s\n", word, word);
    if (!is_fact)
        cli_print_examples(out, example, at_prompt);
}

/* "max_depth", "-max_depth" or "--max-depth". */
static const tfprof_option *find_option(const char *topic)
{
    return tfprof_option_find(topic + strspn(topic, "-"), NULL);
}

/* ---- Requests ----------------------------------------------------------- */

/* The nearest command, topic or option; NULL for several words. */
static const char *nearest_topic(const char *topic, const char *command)
{
    enum { MOST = 32 };
    const char *words[MOST];
    const tfprof_option *option = NULL;
    const char *metric;
    size_t count = 0;
    if (strchr(topic, ' '))
        return NULL;
    tfprof_option_find(topic, &option);
    if (command)
        words[count++] = command;
    for (const cli_topic *t = cli_topics; t->name && count < MOST - 1; t++)
        words[count++] = t->name;
    for (size_t i = 0;
         (metric = tfprof_metric_word((tfprof_metric)i)) && count < MOST - 1;
         i++)
        words[count++] = metric;
    if (option)
        words[count++] = option->name;
    return tfprof_nearest_word(topic, words, count);
}

/* `text` is not a topic: it is a typing error, or a message. `command` is the
 * nearest command. */
static int print_message(FILE *out, const char *text, const char *command,
                         const char *before)
{
    const char *nearest = nearest_topic(text, command);
    size_t found = 0;
    if (nearest) {
        cli_complain("no help for '%s' (did you mean %s?)", text, nearest);
    } else if (!cli_explain_message(out, text, &found)) {
        cli_complain("out of memory");
        return EXIT_LIMIT;
    } else if (found == 0) {
        cli_complain("no help for '%s' (try: %shelp)", text, before);
    }
    return found > 0 ? EXIT_ANSWERED : EXIT_USAGE;
}

/* Help that the command line and the interactive session share. */
static bool print_other(FILE *out, const char *topic, bool at_prompt)
{
    const cli_topic *found = cli_find_topic(topic);
    const tfprof_option *option = find_option(topic);
    const cli_switch *program_switch = cli_find_switch(topic);
    cli_metric metric;
    bool is_metric = !found && cli_find_metric(topic, &metric);
    if (found)
        print_topic(out, found, at_prompt);
    else if (is_metric)
        print_metric(out, &metric, at_prompt);
    else if (option)
        print_option(out, option, at_prompt);
    else if (program_switch)
        cli_print_switch(out, program_switch);
    return found || is_metric || option || program_switch;
}

/* Line ends and tabs come from a message that was copied from a screen. */
static void make_blanks(char *text)
{
    char *end = text;
    for (const char *at = text; *at; at++) {
        if (!strchr(" \t\r\n", *at))
            *end++ = *at;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    }
    *end = '\0';
}

char *cli_join_words(char **words)
{
    size_t size = 1, used = 0;
    char *text;
    for (size_t i = 0; words[i]; i++)
        size += strlen(words[i]) + 1;
    text = malloc(size);
    if (!text)
        return NULL;
    text[0] = '\0';
    for (size_t i = 0; words[i]; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i > 0 ? " " : "", words[i]);
    make_blanks(text);
    return text;
}

static int print_help(FILE *out, const char *topic)
{
    const cli_command *about = cli_find_command(topic);
    if (!strcmp(topic, cli_prompt_as_command.name))
        about = &cli_prompt_as_command;
    if (about)
        cli_print_command_help(out, about);
    else if (!print_other(out, topic, false))
        return print_message(out, topic, cli_nearest_command(topic), "tfprof ");
    return EXIT_ANSWERED;
}

int cli_run_help(const cli_command *command, char **args)
{
    char *topic = cli_join_words(args);
    int code = EXIT_ANSWERED;
    (void)command;
    if (!topic) {
        cli_complain("out of memory");
        return EXIT_LIMIT;
    }
    if (args[0])
        code = print_help(stdout, topic);
    else
        cli_print_help(stdout);
    free(topic);
    return cli_finish_stdout(code);
}

int cli_print_prompt_help(FILE *out, const char *topic)
{
    const cli_prompt_command *command;
    command = topic ? cli_find_prompt_command(topic) : NULL;
    if (!topic || !strcmp(topic, cli_prompt_as_command.name)) {
        print_prompt_usage(out);
    } else if (command) {
        print_command(out, &command->shown, "");
        print_other_meaning(out, command->shown.name);
        cli_print_examples(out, command->shown.examples, true);
    } else if (!print_other(out, topic, true)) {
        return print_message(out, topic, cli_nearest_prompt_command(topic), "");
    }
    return EXIT_ANSWERED;
}
