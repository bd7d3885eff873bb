/*
 * main.c - finds the command and runs it.
 */
#include <signal.h>
#include <string.h>

#include "cli/cli.h"

const cli_command cli_commands[] = {
    { "info", "FILE... [options]", "Say what files are and what they hold.",
      "tfprof info graph.pb run_meta tfprof_log\n"
      "tfprof info saved_model/\n"
      "tfprof info --run_meta_path 7=run_meta_7,8=run_meta_8\n"
      "gzip -dc graph.pb.gz | tfprof info -\n"
      "tfprof info --format json graph.pb | jq '.files[0].counts.nodes'\n"
      "tfprof info --salvage cut_short.pb\n",
      cli_run_info },
    { "help", "[COMMAND]", "Explain tfprof or one of its commands.",
      "tfprof help info\n", cli_run_help },
    { NULL, NULL, NULL, NULL, NULL },
};

const cli_command *cli_find_command(const char *name)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (!strcmp(c->name, name))
            return c;
    }
    return NULL;
}

static int print_version(void)
{
    printf("tfprof %s\n", tfprof_version());
    return cli_finish_stdout(EXIT_ANSWERED);
}

static int print_help(void)
{
    cli_print_usage(stdout);
    return cli_finish_stdout(EXIT_ANSWERED);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    const cli_command *command;
    /* A file size limit is told like a full disk, not by a signal. */
    signal(SIGXFSZ, SIG_IGN);
    if (!word) {
        cli_print_usage(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(word, "--version") || !strcmp(word, "-version"))
        return print_version();
    if (!strcmp(word, "--help") || !strcmp(word, "-help") ||
        !strcmp(word, "-h"))
        return print_help();
    command = cli_find_command(word);
    if (command)
        return command->run(command, argv + 2);
    cli_complain("unknown command '%s' (try: tfprof info FILE, tfprof help)",
                 word);
    return EXIT_USAGE;
}
