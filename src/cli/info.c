/*
 * info.c - `tfprof info`: what files are and what they hold.
 *
 * Every input is read as the views read it, so the time and the memory are
 * those of loading. One that fails does not keep the others from being told.
 */
#include "cli/cli.h"

static int add(tfprof_profile *profile, const cli_input *input,
               tfprof_error *err)
{
    if (input->has_step)
        return tfprof_profile_add_step(profile, input->step, input->path, err);
    return tfprof_profile_add_path(profile, input->path, input->role, err);
}

/* Complains of every input that failed; the exit code is the worst one. */
static int judge(const tfprof_profile *profile)
{
    int worst = EXIT_ANSWERED;
    for (size_t i = 0; i < tfprof_profile_input_count(profile); i++) {
        int is_partial;
        int code = cli_exit_code(
            tfprof_profile_input_status(profile, i, &is_partial, NULL));
        if (code == EXIT_ANSWERED)
            continue;
        cli_complain_input(profile, i, is_partial ? "partial: " : "");
        if (is_partial && code == EXIT_LIMIT)
            code = EXIT_INPUT;
        if (code > worst)
            worst = code;
    }
    return worst;
}

static int inform(tfprof_profile *profile, const cli_args *args)
{
    cli_progress progress;
    tfprof_error err;
    int code;
    cli_progress_start(&progress, profile, args->quiet);
    for (size_t i = 0; i < args->input_count; i++) {
        size_t before = tfprof_profile_input_count(profile);
        int status = add(profile, &args->inputs[i], &err);
        if (status == TFPROF_OK || tfprof_profile_input_count(profile) > before)
            continue;
        cli_progress_stop(&progress); /* not even an entry could be made */
        cli_complain("%s: %s", args->inputs[i].path, err.message);
        return cli_exit_code(status);
    }
    cli_progress_stop(&progress);
    code = judge(profile);
    if (tfprof_profile_write_info(profile, cli_write_stdout, NULL, &err) !=
        TFPROF_OK)
        return cli_finish_stdout(EXIT_OUTPUT);
    return cli_finish_stdout(code);
}

int cli_run_info(const cli_command *command, char **args)
{
    tfprof_profile *profile = tfprof_profile_new();
    cli_args parsed = { 0 };
    int code;
    if (!profile) {
        cli_complain("out of memory");
        return EXIT_LIMIT;
    }
    code = cli_parse(args, profile, &parsed);
    if (code == EXIT_ANSWERED && parsed.help) {
        cli_print_command_help(command);
        code = cli_finish_stdout(EXIT_ANSWERED);
    } else if (code == EXIT_ANSWERED && parsed.input_count == 0) {
        cli_complain("info needs a file (see tfprof help info)");
        code = EXIT_USAGE;
    } else if (code == EXIT_ANSWERED) {
        code = inform(profile, &parsed);
    }
    cli_args_release(&parsed);
    tfprof_profile_free(profile);
    return code;
}
