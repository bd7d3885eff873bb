/*
 * load.c - from the arguments of a command to a profile that can be asked.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/signals.h"

/* What an input lacks is the input's fault: a directory without files. */
static int input_exit_code(int status)
{
    return status == TFPROF_ERR_MISSING ? EXIT_INPUT : cli_exit_code(status);
}

static int add(tfprof_profile *profile, const cli_input *input,
               tfprof_error *err)
{
    if (input->has_step)
        return tfprof_profile_add_step(profile, input->step, input->path, err);
    return tfprof_profile_add_path(profile, input->path, input->role, err);
}

void cli_suggest_logs(const tfprof_profile *profile, const cli_args *args,
                      size_t index)
{
    enum { SHOWN = 3 };
    char path[4400];
    size_t count = 0;
    while (tfprof_profile_input_log(profile, index, count, path, sizeof(path)) >
           0) {
        if (count++ >= SHOWN)
            continue;
        fprintf(stderr, "  tfprof ");
        if (args->command != &cli_prompt_as_command)
            fprintf(stderr, "%s ", args->command->name);
        if (args->command->word_at && args->input_count > 0)
            fprintf(stderr, "%s ", args->inputs[0].path);
        cli_print_quoted(stderr, path);
        fputc('\n', stderr);
    }
    if (count > SHOWN)
        fprintf(stderr, "  ... and %zu more\n", count - SHOWN);
}

cli_loaded cli_judge_inputs(const tfprof_profile *profile, const cli_args *args,
                            int *worst)
{
    static const char *const marks[] = { "", "partial: ", "left out: " };
    cli_loaded loaded = CLI_LOADED_ALL;
    for (size_t i = 0; i < tfprof_profile_input_count(profile); i++) {
        int is_partial;
        int code = input_exit_code(
            tfprof_profile_input_status(profile, i, &is_partial, NULL));
        if (code == EXIT_ANSWERED)
            continue;
        cli_complain_input(profile, i, marks[is_partial]);
        cli_suggest_logs(profile, args, i);
        if (!is_partial)
            loaded = CLI_LOADED_SOME;
        else if (code == EXIT_LIMIT)
            code = EXIT_INPUT;
        if (code > *worst)
            *worst = code;
    }
    return loaded;
}

/* Adds every input. The one that has not even left an entry, with its status,
 * or NULL. */
static const cli_input *add_all(tfprof_profile *profile, const cli_args *args,
                                int *status, tfprof_error *err)
{
    for (size_t i = 0; i < args->input_count && !cli_interrupted(); i++) {
        size_t before = tfprof_profile_input_count(profile);
        *status = add(profile, &args->inputs[i], err);
        if (*status != TFPROF_OK &&
            tfprof_profile_input_count(profile) == before)
            return &args->inputs[i];
    }
    return NULL;
}

bool cli_add_inputs(tfprof_profile *profile, const cli_args *args, int *code)
{
    cli_progress progress;
    const cli_input *failed;
    tfprof_error err;
    int status;
    *code = EXIT_ANSWERED;
    cli_progress_start(&progress, profile, args->quiet);
    failed = add_all(profile, args, &status, &err);
    cli_progress_stop(&progress, profile);
    if (cli_interrupted()) {
        *code = cli_end_by_signal();
        return false;
    }
    if (!failed)
        return true;
    cli_complain("%s: %s", failed->path, err.message);
    *code = input_exit_code(status);
    return false;
}

cli_loaded cli_load(tfprof_profile *profile, const cli_args *args, int *code)
{
    return cli_add_inputs(profile, args, code)
               ? cli_judge_inputs(profile, args, code)
               : CLI_LOADED_NOT;
}

bool cli_refuses_form(const cli_command *command, const cli_args *args)
{
    const cli_refusal *refusal = args->format
                                     ? cli_find_refusal(command, "format",
                                                        args->format,
                                                        strlen(args->format))
                                     : NULL;
    if (refusal)
        cli_complain("%s supports --format %s, not %s", command->name,
                     refusal->instead, args->format);
    return refusal != NULL;
}

static bool is_set_to(const tfprof_profile *profile, const char *option,
                      const char *start)
{
    char value[16] = "";
    tfprof_profile_get(profile, option, value, sizeof(value));
    return !strncmp(value, start, strlen(start));
}

bool cli_writes_stdout(const tfprof_profile *profile)
{
    return is_set_to(profile, "output", "stdout");
}

bool cli_sends_bytes(const tfprof_profile *profile)
{
    return is_set_to(profile, "format", "proto") && cli_writes_stdout(profile);
}

bool cli_refuses_screen(const tfprof_profile *profile)
{
    if (!cli_sends_bytes(profile) || !isatty(STDOUT_FILENO))
        return false;
    cli_complain(
        "--format proto cannot be written to a terminal: redirect it to a file "
        "(> FILE or --output file:outfile=FILE) or pipe it to a program");
    return true;
}

/* ---- The way of a command ----------------------------------------------- */

/* The first word of a command that has words of its own. */
static bool misses_word(const cli_command *command, const cli_args *args)
{
    const char *given = args->input_count > 0 ? args->inputs[0].path : NULL;
    const char *words[CLI_MOST_WORDS], *nearest;
    char list[256] = "";
    size_t count = 0, used = 0;
    while (count < CLI_MOST_WORDS && (words[count] = command->word_at(count))) {
        if (given && !strcmp(words[count], given))
            return false;
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
                                 count > 0 ? ", " : "", words[count]);
        count++;
    }
    nearest = given ? tfprof_nearest_word(given, words, count) : NULL;
    if (!given)
        cli_complain("%s needs a tool and an input file (tools: %s)",
                     command->name, list);
    else if (nearest)
        cli_complain(
            "%s does not accept '%s' (did you mean %s?); use one of %s",
            command->name, given, nearest, list);
    else
        cli_complain("%s does not accept '%s'; use one of %s", command->name,
                     given, list);
    return true;
}

static int take(const cli_command *command, tfprof_profile *profile,
                const cli_args *args, cli_answer_fn *answer)
{
    if (args->help) {
        cli_print_command_help(stdout, command);
        return cli_finish_stdout(EXIT_ANSWERED);
    }
    if (command->word_at && misses_word(command, args))
        return EXIT_USAGE;
    /* What takes no options reads no inputs. */
    if (command->groups != 0 &&
        args->input_count == (command->word_at ? 1 : 0)) {
        cli_complain("%s needs an input file (see tfprof help %s)",
                     cli_title(command), command->name);
        return EXIT_USAGE;
    }
    if (args->no_effect && !args->quiet)
        cli_complain("note: --%s has no effect", args->no_effect->name);
    return answer(command, profile, args);
}

int cli_run_on_inputs(const cli_command *command, char **args,
                      cli_answer_fn *answer)
{
    tfprof_profile *profile = tfprof_profile_new();
    cli_args parsed = { 0 };
    int code;
    if (!profile) {
        cli_complain("out of memory");
        return EXIT_LIMIT;
    }
    cli_talk_in_color(profile);
    code = cli_parse(command, args, profile, &parsed);
    if (code == EXIT_ANSWERED)
        code = take(command, profile, &parsed, answer);
    cli_args_release(&parsed);
    cli_talk_in_color(NULL);
    tfprof_profile_free(profile);
    return code;
}
