/*
 * surroundings.c - what man pages say that no table of the program has: how the
 * prompt is used, and which variables and files tfprof looks at.
 */
#include <string.h>

#include "cli/prompt.h"
#include "manual/manual.h"
#include "manual/roff.h"

/* ---- The prompt --------------------------------------------------------- */

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
              "An empty line lists the options as they are set. Options given "
              "to a command hold for that line only. Words end at blanks; "
              "quotes hold them together. Backslashes belong to patterns.");
}

void manual_put_keys(FILE *out)
{
    static const char keys[] =
        "Tab\tCompletes commands, options, their values, files and the names "
        "of nodes; pressed again it lists what is possible.\n"
        "Up, Down\tBring earlier lines back, of earlier sessions too.\n"
        "Ctrl-R\tFinds an earlier line by a part of it.\n"
        "Ctrl-C\tBegins a new line, or cancels the question that is being "
        "answered; twice at once it ends tfprof.\n"
        "Ctrl-Z\tStops tfprof; fg in the shell continues it.\n"
        "Ctrl-D\tLeaves, at an empty line.\n";
    fputs(".Sh KEYS\n", out);
    roff_said(out, "Lines are edited with the keys of Emacs.");
    roff_paragraphs(out, keys, NULL);
}

/* ---- Variables and files ------------------------------------------------ */

static const struct {
    const char *name, *meaning;
    bool is_of_prompt;
} variables[] = {
    { "COLUMNS", "How wide a terminal is that does not say so itself.", false },
    { "HOME", "Where the history is kept, in .local/state.", true },
    { "LC_ALL, LC_CTYPE, LANG",
      "The first of these that is set says whether "
      "bars may be drawn: if it names UTF-8.",
      false },
    { "LESS",
      "The options of less. tfprof sets it where it is not set, so that "
      "colours are shown and the answer stays on the screen.",
      true },
    { "NO_COLOR",
      "If it is set to something, there are no colours, unless -color says "
      "otherwise.",
      false },
    { "PAGER", "Shows answers that are longer than the screen.", true },
    { "TERM",
      "If it is dumb or not set, there are neither colours nor bars, "
      "and the prompt reads lines as the terminal gives them.",
      false },
    { "XDG_STATE_HOME", "Where the history is kept instead.", true },
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
    roff_said(out, "The lines that were typed, readable for you alone.");
    fputs(".El\n", out);
}
