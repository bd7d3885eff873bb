/*
 * flops.c - `tfprof flops`: parameters and float operations of a model file.
 */
#include "cli/cli.h"
#include "cli/signals.h"

static int count(const cli_command *command, tfprof_profile *profile,
                 const cli_args *args)
{
    tfprof_error err;
    int code, status, why = 0;
    if (cli_refuses_form(command, args))
        return EXIT_USAGE;
    cli_listen(profile, args);
    if (cli_load(profile, args, &code) != CLI_LOADED_ALL)
        return code;
    cli_signals_query(true);
    cli_fit_terminal(profile);
    status = tfprof_profile_write_flops(profile, cli_write_stdout, &why, &err);
    return cli_end_answer(status, why, &err, code);
}

int cli_run_flops(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, count);
}
