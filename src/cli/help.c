/*
 * help.c - usage and help, made from the tables of commands and options.
 */
#include <string.h>

#include "cli/cli.h"

void cli_print_usage(FILE *out)
{
    fputs("tfprof reads the files that TensorFlow writes and says what they "
          "hold.\n\nusage:\n",
          out);
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, "  tfprof %-5s %-20s %s\n", c->name, c->usage, c->summary);
    fputs("  tfprof --version\n\n"
          "tfprof help COMMAND tells more.\n",
          out);
}

static void print_option(const tfprof_option *option)
{
    printf("  --%s %s", option->name, option->values);
    if (option->default_value[0] != '\0')
        printf(" (default: %s)", option->default_value);
    printf("\n      %s\n", option->help);
}

void cli_print_command_help(const cli_command *command)
{
    printf("usage: tfprof %s %s\n\n%s\n", command->name, command->usage,
           command->summary);
    if (command->run == cli_run_info) {
        puts("\nA FILE is a file, a directory, or - for standard input; gzip "
             "is unpacked.\nWhat it is, is found from its bytes.\n\noptions:");
        for (size_t i = 0; i < tfprof_option_count(); i++)
            print_option(tfprof_option_at(i));
        puts("  -q\n      No progress on the terminal.");
        puts("\nexit status: 0 answered; 1 an input is unreadable, damaged or "
             "empty;\n2 wrong usage; 3 the answer could not be written; "
             "4 a limit or memory.");
    }
    printf("\nexamples:\n");
    for (const char *line = command->examples; *line;) {
        size_t size = strcspn(line, "\n");
        printf("  %.*s\n", (int)size, line);
        line += size + (line[size] == '\n');
    }
}

int cli_run_help(const cli_command *command, char **args)
{
    const cli_command *about = command;
    if (!args[0]) {
        cli_print_usage(stdout);
        return cli_finish_stdout(EXIT_ANSWERED);
    }
    about = cli_find_command(args[0]);
    if (!about) {
        cli_complain("no help on '%s' (try: tfprof help)", args[0]);
        return EXIT_USAGE;
    }
    cli_print_command_help(about);
    return cli_finish_stdout(EXIT_ANSWERED);
}
