/*
 * help.c - usage and help, made from the tables of commands and options.
 */
#include <string.h>

#include "cli/cli.h"

enum { WIDTH = 80, INDENT = 6 };

void cli_print_usage(FILE *out)
{
    fputs("tfprof reads the files that TensorFlow writes and says which parts "
          "of a model\nhold the parameters, the time and the memory.\n\n"
          "usage:\n",
          out);
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, "  tfprof %-6s %-20s %s\n", c->name, c->usage, c->summary);
    fputs("  tfprof --version\n\n"
          "tfprof help COMMAND tells more, tfprof help options lists every "
          "option.\n",
          out);
}

/* Text in lines of at most WIDTH columns, each but the first after `indent`
 * blanks. Starts in column `column`; a newline in it begins a new line. */
static void print_wrapped(const char *text, size_t column, size_t indent)
{
    bool is_first = true;
    while (*text) {
        size_t size = strcspn(text, " \n");
        if (!is_first && column + 1 + size > WIDTH) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        } else if (!is_first) {
            putchar(' ');
            column++;
        }
        printf("%.*s", (int)size, text);
        column += size;
        is_first = text[size] == '\n';
        if (is_first) {
            printf("\n%*s", (int)indent, "");
            column = indent;
        }
        text += size + (text[size] != '\0');
    }
    putchar('\n');
}

/* ---- Options ------------------------------------------------------------ */

static const char *const titles[] = {
    [TFPROF_GROUP_INPUTS] = "inputs",
    [TFPROF_GROUP_COUNTED] = "what is counted",
    [TFPROF_GROUP_SHOWN] = "what is shown",
    [TFPROF_GROUP_ORDER] = "order",
    [TFPROF_GROUP_ADVICE] = "advice",
    [TFPROF_GROUP_OUTPUT] = "output",
    [TFPROF_GROUP_LIMITS] = "limits",
};
enum { GROUPS = sizeof(titles) / sizeof(titles[0]) };

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
static void print_words(const tfprof_option *option)
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
    printf("%*s%s: ", INDENT, "",
           option->kind == TFPROF_OPTION_SET ? "Words" : "One of");
    print_wrapped(words, INDENT + strlen("One of: "), INDENT);
}

static void print_option(const tfprof_option *option)
{
    const char *set = option->default_value;
    size_t size = strlen("  -- (default: )") + strlen(option->name) +
                  strlen(option->values) + strlen(set);
    printf("  --%s %s", option->name,
           size <= WIDTH ? option->values : short_values(option));
    if (*set)
        printf(" (default: %s)", set);
    printf("\n%*s", INDENT, "");
    print_wrapped(option->help, INDENT, INDENT);
    if (size > WIDTH)
        print_words(option);
}

/* The options that `command` takes, or all. */
static void print_options(const cli_command *command)
{
    for (unsigned group = 0; group < GROUPS; group++) {
        bool is_begun = false;
        for (size_t i = 0; i < tfprof_option_count(); i++) {
            const tfprof_option *option = tfprof_option_at(i);
            if (option->group != group ||
                (command && !cli_takes(command, option)))
                continue;
            if (!is_begun)
                printf("\n%s:\n", titles[group]);
            is_begun = true;
            print_option(option);
        }
    }
    puts("\neverywhere:\n"
         "  -q, --quiet\n"
         "      No notes, and no progress on the terminal.\n"
         "  -h, --help\n"
         "      This help.");
}

static void print_notation(void)
{
    puts("\nOptions are written --name value, --name=value or -name value; - "
         "and _ in a\nname are the same. A switch may stand alone, which "
         "means true.");
}

static void print_patterns(void)
{
    puts("\nA PATTERN is a Perl-compatible regular expression that must match "
         "the whole\nname. Commas divide patterns; a comma that belongs to "
         "one is written \\, except\nin a count such as {2,3}.");
}

/* ---- Topics ------------------------------------------------------------- */

void cli_print_command_help(const cli_command *command)
{
    printf("usage: tfprof %s %s\n\n%s\n", command->name, command->usage,
           command->summary);
    if (*command->about) {
        putchar('\n');
        print_wrapped(command->about, 0, 0);
    }
    if (command->groups != 0) {
        print_notation();
        if (command->groups & 1u << TFPROF_GROUP_SHOWN)
            print_patterns();
        print_options(command);
        puts("\nexit status: 0 answered; 1 an input is unreadable, damaged or "
             "empty; 2 wrong\nusage, or a question that the inputs cannot "
             "answer; 3 the answer could not be\nwritten; 4 a limit or memory "
             "was exceeded.");
    }
    printf("\nexamples:\n");
    for (const char *line = command->examples; *line;) {
        size_t size = strcspn(line, "\n");
        printf("  %.*s\n", (int)size, line);
        line += size + (line[size] == '\n');
    }
}

static void print_all_options(void)
{
    puts("Every option, with its default. tfprof help COMMAND lists those "
         "that a command\ntakes.");
    print_notation();
    print_patterns();
    print_options(NULL);
}

static int fail_topic(const char *topic)
{
    const char *nearest = cli_nearest_command(topic);
    if (nearest)
        cli_complain("no help on '%s' (did you mean %s?)", topic, nearest);
    else
        cli_complain("no help on '%s' (try: tfprof help)", topic);
    return EXIT_USAGE;
}

int cli_run_help(const cli_command *command, char **args)
{
    const char *topic = args[0];
    (void)command;
    if (!topic) {
        cli_print_usage(stdout);
    } else if (!strcmp(topic, "options")) {
        print_all_options();
    } else {
        const cli_command *about = cli_find_command(topic);
        if (!about)
            return fail_topic(topic);
        cli_print_command_help(about);
    }
    return cli_finish_stdout(EXIT_ANSWERED);
}
