/*
 * tui.c - `tfprof tui`: a view as a tree in the terminal (the room tui).
 *
 * What cannot work is refused before inputs are read.
 */
#include "tui/tui.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static bool is_refused(void)
{
    char why[TUI_LONGEST_REASON];
    const char *term = getenv("TERM");
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        cli_complain("tui needs a terminal, but standard %s is not one (to "
                     "print a tree, use: tfprof scope)",
                     isatty(STDIN_FILENO) ? "output" : "input");
        return true;
    }
    if (cli_is_dumb_terminal()) {
        cli_complain("tui cannot draw on this terminal, because TERM is %s "
                     "(set TERM to the type of your terminal, such as xterm, "
                     "or use: tfprof scope)",
                     term && *term ? term : "not set");
        return true;
    }
    if (tui_prepare(why))
        return false;
    cli_complain("%s", why);
    return true;
}

static bool is_at(const tfprof_profile *profile, const char *option,
                  const char *word)
{
    char value[16] = "";
    tfprof_profile_get(profile, option, value, sizeof(value));
    return !strcmp(value, word);
}

/* What fits the terminal holds for the screen, not for files that are
 * written. */
static void look_at_terminal(tui_request *request)
{
    tfprof_profile *profile = request->profile;
    bool is_kept = tfprof_profile_keep_options(profile, NULL) == TFPROF_OK;
    if (is_kept)
        cli_fit_terminal(profile);
    setlocale(LC_CTYPE, ""); /* curses asks which bytes are a character */
    request->is_utf8 = is_at(profile, "charset", "utf8") &&
                       !strcmp(nl_langinfo(CODESET), "UTF-8");
    request->has_color = is_at(profile, "color", "always");
    if (is_kept)
        tfprof_profile_restore_options(profile);
}

static int show(const cli_command *command, tfprof_profile *profile,
                const cli_args *args)
{
    tui_request request = { .profile = profile,
                            .selected = args->select,
                            .gives_own = args->own != NULL };
    tui_end end;
    int code;
    if (cli_refuses_form(command, args) || is_refused())
        return EXIT_USAGE;
    cli_listen(profile, args);
    (void)tfprof_profile_expect(profile, "steps", NULL);
    if (cli_load(profile, args, &code) != CLI_LOADED_ALL)
        return code;
    look_at_terminal(&request);
    tui_run(&request, &end);
    if (end.signal != 0)
        return EXIT_SIGNAL + end.signal;
    if (end.status == TFPROF_OK)
        return code;
    cli_complain("%s", end.why);
    return cli_exit_code(end.status);
}

int cli_run_tui(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, show);
}
