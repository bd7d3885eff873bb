/*
 * surroundings.c - facts for man pages that are in no table of the program: how
 * to use the interactive session, environment variables and files.
 */
#include <string.h>

#include "cli/prompt.h"
#include "manual/manual.h"
#include "manual/roff.h"

/* ---- Interactive session ------------------------------------------------ */

void manual_put_prompt_commands(FILE *out)
{
    fputs(".Sh COMMANDS\n.Bl -tag -width Ds\n", out);
    for (const cli_prompt_command *c = cli_prompt_commands; c->shown.name;
         c++) {
        const char *usage = c->shown.usage;
        fprintf(out, ".It Ic %s", c->shown.name);
        if (usage[0] == '[')
            fprintf(out, " Op Ar %.*s", (int)strlen(usage) - 2, usage + 1);
        else if (*usage)
            fprintf(out, " Ar %s", usage);
        putc('\n', out);
        roff_said(out, c->shown.summary);
    }
    fputs(".El\n.Pp\n", out);
    roff_said(out,
              "An empty line lists the options and their values. Options "
              "given to a command apply only to that line. Blanks separate "
              "words; put a word that contains blanks in quotes. In double "
              "quotes, a backslash can precede a quotation mark. All other "
              "backslashes belong to patterns.");
}

void manual_put_keys(FILE *out)
{
    static const char keys[] =
        "Tab\tCompletes commands, options, their values, files and node names. "
        "If pressed again, it lists the possible completions.\n"
        "Up, Down\tShow earlier lines, including those of earlier sessions.\n"
        "Ctrl-R\tSearches earlier lines.\n"
        "Ctrl-C\tStarts a new line, or cancels the running command. If pressed "
        "twice in quick succession, it ends tfprof.\n"
        "Ctrl-Z\tSuspends tfprof. To continue, type fg in the shell.\n"
        "Ctrl-D\tOn an empty line, ends the session.\n";
    fputs(".Sh KEYS\n", out);
    roff_said(out, "Lines are edited with Emacs keys.");
    roff_paragraphs(out, keys, NULL);
}

/* ---- Variables and files ------------------------------------------------ */

static const struct {
    const char *name, *meaning;
    bool is_of_prompt;
} variables[] = {
    { "COLUMNS", "The terminal width, if the terminal does not report it.",
      false },
    { "HOME",
      "The history is stored in .local/state in this directory, unless "
      "XDG_STATE_HOME is set.",
      true },
    { "LC_ALL, LC_CTYPE, LANG",
      "The first of these that is set specifies the character set. Bars are "
      "drawn only if this character set is UTF-8.",
      false },
    { "LESS",
      "The options for the pager less. If LESS is not set, tfprof sets it. The "
      "pager then shows colors and leaves the answer on the screen.",
      true },
    { "NO_COLOR",
      "If this variable is set and not empty, colors are off unless --color is "
      "always.",
      false },
    { "PAGER", "The program that shows answers longer than the screen.", true },
    { "TERM",
      "If this variable is dumb or not set, there are no colors, bars or line "
      "editing.",
      false },
    { "TFPROF_FORMAT",
      "The format that --format auto chooses for views and advice: text or "
      "table.",
      false },
    { "XDG_STATE_HOME",
      "If this variable is set, the history is stored in this directory "
      "instead of $HOME/.local/state.",
      true },
};

void manual_put_variables(FILE *out, bool for_prompt)
{
    fputs(".Sh ENVIRONMENT\n.Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *names = variables[i].name;
        manual_word name;
        if (variables[i].is_of_prompt && !for_prompt)
            continue;
        fputs(".It", out);
        while (manual_next(&names, ' ', &name)) {
            bool goes_on = name.text[name.size - 1] == ',';
            fprintf(out, " Ev %.*s%s", (int)(name.size - goes_on), name.text,
                    goes_on ? " ," : "");
        }
        putc('\n', out);
        roff_said(out, variables[i].meaning);
    }
    fputs(".El\n", out);
}

void manual_put_files(FILE *out)
{
    fputs(".Sh FILES\n.Bl -tag -width Ds\n"
          ".It Pa $XDG_STATE_HOME/tfprof/history\n"
          ".It Pa \\(ti/.local/state/tfprof/history\n",
          out);
    roff_said(out, "The history, which contains the lines that were typed. "
                   "Only you can read this file.");
    fputs(".El\n", out);
}
