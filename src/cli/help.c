/*
 * help.c - usage and help, made from the tables of commands and options.
 */
#include <string.h>

#include "cli/prompt.h"

enum { WIDTH = 80, INDENT = 6 };

void cli_print_usage(FILE *out)
{
    fputs("tfprof reads the files that TensorFlow writes and says which parts "
          "of a model\nhold the parameters, the time and the memory.\n\n"
          "usage:\n",
          out);
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, "  tfprof %-6s %-20s %s\n", c->name, c->usage, c->summary);
    fprintf(out, "  tfprof %-6s %-20s %s\n", "", cli_prompt_as_command.usage,
            cli_prompt_as_command.summary);
    fputs("  tfprof --version\n\n"
          "tfprof help COMMAND tells more, tfprof help options lists every "
          "option.\n",
          out);
}

/* Text in lines of at most WIDTH columns, each but the first after `indent`
 * blanks. Starts in column `column`; a newline in it begins a new line. */
static void print_wrapped(FILE *out, const char *text, size_t column,
                          size_t indent)
{
    bool is_first = true;
    while (*text) {
        size_t size = strcspn(text, " \n");
        if (!is_first && column + 1 + size > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (!is_first) {
            putc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)size, text);
        column += size;
        is_first = text[size] == '\n';
        if (is_first) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        text += size + (text[size] != '\0');
    }
    putc('\n', out);
}

/* ---- Options ------------------------------------------------------------ */

static const struct {
    tfprof_option_group group;
    const char *title;
} listed_groups[] = {
    { TFPROF_GROUP_INPUTS, "inputs" },
    { TFPROF_GROUP_COUNTED, "what is counted" },
    { TFPROF_GROUP_SHOWN, "what is shown" },
    { TFPROF_GROUP_ORDER, "order" },
    { TFPROF_GROUP_LARGEST, "largest first" },
    { TFPROF_GROUP_ADVICE, "advice" },
    { TFPROF_GROUP_FLOAT_OPS, "float operations" },
    { TFPROF_GROUP_MODEL, "model" },
    { TFPROF_GROUP_OUTPUT, "output" },
    { TFPROF_GROUP_LIMITS, "limits" },
};
enum { GROUPS = sizeof(listed_groups) / sizeof(listed_groups[0]) };

/* Stands for words that are too many for the line. */
static const char *short_values(const tfprof_option *option)
{
    switch (option->kind) {
    case TFPROF_OPTION_SET: return "WORD,...";
    case TFPROF_OPTION_OUTPUT: return "WHERE";
    default: return "WORD";
    }
}

/* "a|b|c" as "One of: a, b, c." */
static void print_words(FILE *out, const tfprof_option *option)
{
    char words[512] = "";
    size_t used = 0;
    for (const char *at = option->values; *at && used + 4 < sizeof(words);
         at++) {
        words[used++] = *at == '|' ? ',' : *at;
        if (*at == '|')
            words[used++] = ' ';
    }
    words[used] = '\0';
    fprintf(out, "%*s%s: ", INDENT, "",
            option->kind == TFPROF_OPTION_SET ? "Words" : "One of");
    print_wrapped(out, words, INDENT + strlen("One of: "), INDENT);
}

static void print_option(FILE *out, const tfprof_option *option)
{
    const char *set = option->default_value;
    size_t size = strlen("  -- (default: )") + strlen(option->name) +
                  strlen(option->values) + strlen(set);
    fprintf(out, "  --%s %s", option->name,
            size <= WIDTH ? option->values : short_values(option));
    if (*set)
        fprintf(out, " (default: %s)", set);
    fprintf(out, "\n%*s", INDENT, "");
    print_wrapped(out, option->help, INDENT, INDENT);
    if (size > WIDTH)
        print_words(out, option);
}

/* The options that `command` takes, or all. */
static void print_options(FILE *out, const cli_command *command)
{
    for (unsigned group = 0; group < GROUPS; group++) {
        bool is_begun = false;
        for (size_t i = 0; i < tfprof_option_count(); i++) {
            const tfprof_option *option = tfprof_option_at(i);
            if (option->group != listed_groups[group].group ||
                (command && !cli_takes(command, option)))
                continue;
            if (!is_begun)
                fprintf(out, "\n%s:\n", listed_groups[group].title);
            is_begun = true;
            print_option(out, option);
        }
    }
}

static void print_everywhere(FILE *out)
{
    fputs("\neverywhere:\n"
          "  -q, --quiet\n"
          "      No notes, and no progress on the terminal.\n"
          "  -h, --help\n"
          "      This help.\n",
          out);
}

static void print_notation(FILE *out)
{
    fputs("\nOptions are written --name value, --name=value or -name value; - "
          "and _ in a\nname are the same. A switch may stand alone, which "
          "means true.\n",
          out);
}

static void print_patterns(FILE *out)
{
    fputs("\nA PATTERN is a Perl-compatible regular expression that must match "
          "the whole\nname. Commas divide patterns; a comma that belongs to "
          "one is written \\, except\nin a count such as {2,3}.\n",
          out);
}

/* ---- Topics ------------------------------------------------------------- */

static void print_examples(FILE *out, const char *lines)
{
    if (*lines)
        fputs("\nexamples:\n", out);
    while (*lines) {
        size_t size = strcspn(lines, "\n");
        fprintf(out, "  %.*s\n", (int)size, lines);
        lines += size + (lines[size] == '\n');
    }
}

/* `before` is what its name follows when it is typed. */
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
        print_wrapped(out, command->about, 0, 0);
    }
    if (command->groups == 0)
        return;
    print_notation(out);
    if (command->groups & 1u << TFPROF_GROUP_SHOWN)
        print_patterns(out);
    print_options(out, command);
}

void cli_print_command_help(FILE *out, const cli_command *command)
{
    print_command(out, command, "tfprof ");
    if (command->groups != 0) {
        print_everywhere(out);
        fputs("\nexit status: 0 answered; 1 an input is unreadable, damaged or "
              "empty; 2 wrong\nusage, or a question that the inputs cannot "
              "answer; 3 the answer could not be\nwritten; 4 a limit or memory "
              "was exceeded.\n",
              out);
    }
    print_examples(out, command->examples);
}

static void print_all_options(FILE *out, const char *before)
{
    fprintf(out,
            "Every option, with its default. %shelp COMMAND lists those that "
            "a command\ntakes.\n",
            before);
    print_notation(out);
    print_patterns(out);
    print_options(out, NULL);
}

static void fail_topic(const char *topic, const char *command,
                       const char *before)
{
    const tfprof_option *option = NULL;
    tfprof_option_find(topic, &option);
    if (command || option)
        cli_complain("no help on '%s' (did you mean %s?)", topic,
                     command ? command : option->name);
    else
        cli_complain("no help on '%s' (try: %shelp)", topic, before);
}

/* "max_depth", "-max_depth" or "--max-depth". */
static const tfprof_option *find_option(const char *topic)
{
    return tfprof_option_find(topic + strspn(topic, "-"), NULL);
}

int cli_run_help(const cli_command *command, char **args)
{
    const char *topic = args[0];
    const cli_command *about = topic ? cli_find_command(topic) : NULL;
    (void)command;
    if (topic && !strcmp(topic, cli_prompt_as_command.name))
        about = &cli_prompt_as_command;
    if (!topic) {
        cli_print_usage(stdout);
    } else if (!strcmp(topic, "options")) {
        print_all_options(stdout, "tfprof ");
        print_everywhere(stdout);
    } else if (about) {
        cli_print_command_help(stdout, about);
    } else if (find_option(topic)) {
        print_option(stdout, find_option(topic));
    } else {
        fail_topic(topic, cli_nearest_command(topic), "tfprof ");
        return EXIT_USAGE;
    }
    return cli_finish_stdout(EXIT_ANSWERED);
}

/* ---- At the prompt ------------------------------------------------------ */

static void print_prompt_usage(FILE *out)
{
    for (const cli_prompt_command *c = cli_prompt_commands; c->shown.name; c++)
        fprintf(out, "  %-6s %-10s %s\n", c->shown.name, c->shown.usage,
                c->shown.summary);
    fputs("\nAn empty line lists the options as they are set. Options given "
          "to a command hold\nfor that line only. Tab completes commands, "
          "options, their values and the names\nof nodes; Ctrl-R finds an "
          "earlier line; Ctrl-C cancels.\n\n"
          "help COMMAND tells more, help OPTION explains an option, help "
          "options lists all.\n",
          out);
}

bool cli_print_prompt_help(FILE *out, const char *topic)
{
    const cli_prompt_command *command;
    command = topic ? cli_find_prompt_command(topic) : NULL;
    if (!topic) {
        print_prompt_usage(out);
    } else if (!strcmp(topic, "options")) {
        print_all_options(out, "");
    } else if (command) {
        print_command(out, &command->shown, "");
        print_examples(out, command->shown.examples);
    } else if (find_option(topic)) {
        print_option(out, find_option(topic));
    } else {
        fail_topic(topic, cli_nearest_prompt_command(topic), "");
        return false;
    }
    return true;
}
