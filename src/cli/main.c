/*
 * main.c - finds the command and runs it.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/prompt.h"
#include "cli/signals.h"
#include "tui/tui.h"

/* ---- Without a command -------------------------------------------------- */

static int print_version(void)
{
    const char *lacks = tfprof_version_lacks();
    bool has_tui = tui_is_there();
    printf("tfprof %s\n", tfprof_version());
    if (*lacks || !has_tui)
        printf("built without: %s%s%s\n", lacks, *lacks && !has_tui ? ", " : "",
               has_tui ? "" : "ncursesw");
    return cli_finish_stdout(EXIT_ANSWERED);
}

static int print_help(void)
{
    cli_print_help(stdout);
    return cli_finish_stdout(EXIT_ANSWERED);
}

/* A file, be it there or not, or the prefix of a checkpoint. */
static bool is_path(const char *word)
{
    char index[4096];
    if (strpbrk(word, "./") || access(word, F_OK) == 0)
        return true;
    return snprintf(index, sizeof(index), "%s.index", word) <
               (int)sizeof(index) &&
           access(index, F_OK) == 0;
}

/* An option, or a file: what opens the prompt. */
static bool is_input(const char *word)
{
    char name[64];
    if (word[0] != '-')
        return is_path(word);
    if (!strcmp(word, "-") || !strcmp(word, "--") || cli_find_switch(word))
        return true;
    word += word[1] == '-' ? 2 : 1;
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
    return tfprof_option_find(name, NULL) != NULL;
}

/* --version stands alone, so only here it is among what may be meant. */
static int fail_option(const char *word)
{
    const char *names[3] = { "version", "help" }, *nearest;
    char name[64];
    const char *start = word + (word[1] == '-' ? 2 : 1);
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(start, "="), start);
    names[2] = cli_nearest_option(&cli_prompt_as_command, name);
    nearest = tfprof_nearest_word(name, names, names[2] ? 3 : 2);
    if (nearest)
        cli_complain("unknown option --%s (did you mean --%s?)", name, nearest);
    else
        cli_complain("unknown option %s (see tfprof help options)", word);
    return EXIT_USAGE;
}

static int fail_command(const char *word)
{
    const char *nearest = cli_nearest_command(word);
    char meant[CLI_LONGEST_EXAMPLE];
    if (cli_find_meant(word, false, meant))
        cli_complain("there is no command '%s'; try: %s", word, meant);
    else if (nearest)
        cli_complain("'%s' is neither a command nor a file (did you mean %s?)",
                     word, nearest);
    else
        cli_complain("'%s' is neither a command nor a file (try: tfprof help)",
                     word);
    return EXIT_USAGE;
}

/* A file must not get the number of a standard stream that was closed: what
 * is meant for the user would be written into it. Opened for reading only,
 * the stream stays as unusable as it was. */
static void keep_stream(int stream)
{
    int fd;
    if (fcntl(stream, F_GETFD) >= 0)
        return;
    fd = open("/dev/null", O_RDONLY);
    if (fd < 0 || fd == stream)
        return;
    dup2(fd, stream);
    close(fd);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    const cli_command *command;
    /* A file size limit is told like a full disk, not by a signal. */
    signal(SIGXFSZ, SIG_IGN);
    cli_signals_catch();
    keep_stream(STDOUT_FILENO);
    keep_stream(STDERR_FILENO);
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
    if (is_input(word))
        return cli_run_prompt(&cli_prompt_as_command, argv + 1);
    return word[0] == '-' ? fail_option(word) : fail_command(word);
}
