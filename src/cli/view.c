/*
 * view.c - `tfprof scope`, `graph`, `op` and `code`: one view, once.
 *
 * A figure from half of the inputs would look like an answer, so an input
 * that failed ends the command; --salvage is the way to ask for it anyway.
 */
#include "cli/cli.h"
#include "cli/signals.h"

static int show(const cli_command *command, tfprof_profile *profile,
                const cli_args *args)
{
    tfprof_error err;
    int code, status, why = 0;
    if (cli_refuses_screen(profile))
        return EXIT_USAGE;
    cli_listen(profile, args);
    if (cli_load(profile, args, &code) != CLI_LOADED_ALL)
        return code;
    cli_signals_query(true);
    cli_fit_terminal(profile);
    status = tfprof_profile_write_view(profile, command->name, cli_write_stdout,
                                       &why, &err);
    return cli_end_answer(status, why, &err, code);
}

int cli_run_view(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, show);
}
