/*
 * advise.c - `tfprof advise`: what takes time, and what to try.
 *
 * As with views, an input that failed ends the command: advice from half of
 * the inputs would look as good as any.
 */
#include "cli/cli.h"
#include "cli/signals.h"

static int advise(const cli_command *command, tfprof_profile *profile,
                  const cli_args *args)
{
    tfprof_error err;
    int code, status, why = 0;
    if (cli_refuses_form(command, args) || cli_refuses_screen(profile))
        return EXIT_USAGE;
    cli_listen(profile, args);
    if (cli_load(profile, args, &code) != CLI_LOADED_ALL)
        return code;
    cli_signals_query(true);
    cli_fit_terminal(profile);
    status = tfprof_profile_write_advice(profile, cli_write_stdout, &why, &err);
    return cli_end_answer(status, why, &err, code);
}

int cli_run_advise(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, advise);
}
