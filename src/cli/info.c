/*
 * info.c - `tfprof info`: what files are and what they hold.
 *
 * Every input is read as the views read it, so the time and the memory are
 * those of loading, except that events of large traces stay unread. One that
 * fails does not keep the others from being told.
 */
#include "cli/cli.h"

static int inform(const cli_command *command, tfprof_profile *profile,
                  const cli_args *args)
{
    tfprof_error err;
    int code, status, why = 0;
    if (cli_refuses_form(command, args))
        return EXIT_USAGE;
    (void)tfprof_profile_expect(profile, "info", NULL);
    if (cli_load(profile, args, &code) == CLI_LOADED_NOT)
        return code;
    cli_fit_terminal(profile);
    status = tfprof_profile_write_info(profile, cli_write_stdout, &why, &err);
    return cli_end_answer(status, why, &err, code);
}

int cli_run_info(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, inform);
}
