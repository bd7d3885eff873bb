/*
 * pages.c - tfprof(1), and a page for each command and for the prompt.
 */
#include <ctype.h>
#include <string.h>

#include "manual/manual.h"
#include "manual/roff.h"

/* Values that do not fit in a line are listed below the option. */
enum { MOST_IN_LINE = 60, LONGEST_NAME = 64 };

/* "tfprof-scope" */
static void page_name(const cli_command *command, char name[LONGEST_NAME])
{
    snprintf(name, LONGEST_NAME, "tfprof-%s", command->name);
}

/* ---- Options ------------------------------------------------------------ */

/* The values that the command accepts. */
static void put_words(FILE *out, const cli_command *command,
                      const tfprof_option *option, const char *between)
{
    const char *text = option->values;
    manual_word word;
    bool is_first = true;
    while (manual_next(&text, '|', &word)) {
        if (command &&
            cli_find_refusal(command, option->name, word.text, word.size))
            continue;
        if (!is_first)
            fputs(between, out);
        putc(' ', out);
        roff_put(out, word.text, word.size);
        is_first = false;
    }
}

static bool fits_line(const tfprof_option *option)
{
    return strlen(option->name) + strlen(option->values) <= MOST_IN_LINE;
}

/* ".It Fl -formulas Cm auto | none", or ".It Fl -step Ar N" */
static void put_heading(FILE *out, const cli_command *command,
                        const tfprof_option *option)
{
    fprintf(out, ".It Fl \\-%s ", option->name);
    if (manual_has_words(option) && fits_line(option)) {
        fputs("Cm", out);
        put_words(out, command, option, " |");
    } else {
        const char *short_form = option->kind == TFPROF_OPTION_SET ? "WORD,..."
                                                                   : "WORD";
        if (!manual_has_words(option))
            short_form = option->values;
        fputs("Ar ", out);
        roff_put(out, short_form, strlen(short_form));
    }
    putc('\n', out);
}

static void put_option(FILE *out, const cli_command *command,
                       const tfprof_option *option)
{
    const char *set = cli_default_of(command, option);
    put_heading(out, command, option);
    roff_said(out, cli_help_of(command, option));
    if (manual_has_words(option) && !fits_line(option)) {
        fputs("The values are\n", out);
        fputs(".Cm", out);
        put_words(out, command, option, " ,");
        fputs(" .\n", out);
    }
    if (*set) {
        fputs("The default is\n.Ql ", out);
        roff_put(out, set, strlen(set));
        fputs(" .\n", out);
    }
}

static void put_group(FILE *out, const cli_command *command,
                      tfprof_option_group group, const char *title)
{
    size_t index = 0;
    const tfprof_option *option = cli_next_option(command, group, &index);
    if (!option)
        return;
    fprintf(out, ".Ss %c%s\n.Bl -tag -width Ds\n",
            toupper((unsigned char)title[0]), title + 1);
    for (; option; option = cli_next_option(command, group, &index))
        put_option(out, command, option);
    fputs(".El\n", out);
}

static void put_switches(FILE *out, const cli_command *command)
{
    fputs(".Ss General\n.Bl -tag -width Ds\n", out);
    for (const cli_switch *s = cli_switches; s->name; s++) {
        if (command && !cli_takes_switch(command, s))
            continue;
        fputs(".It Fl ", out);
        if (s->letter)
            fprintf(out, "%s , Fl ", s->letter + 1);
        fprintf(out, "\\-%s\n", s->name + 2);
        roff_said(out, s->help);
    }
    fputs(".El\n", out);
}

/* The options that a command accepts, or all. */
static void put_options(FILE *out, const cli_command *command)
{
    tfprof_option_group group;
    const char *title;
    for (size_t i = 0; (title = cli_group_at(i, &group)); i++)
        put_group(out, command, group, title);
    put_switches(out, command);
}

/* ---- What pages end with ------------------------------------------------ */

static void put_endings(FILE *out)
{
    fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds\n", out);
    for (const cli_ending *e = cli_endings; e->code; e++) {
        fprintf(out, ".It %s\n", e->code);
        putc(toupper((unsigned char)e->meaning[0]), out);
        roff_put(out, e->meaning + 1, strlen(e->meaning + 1));
        fputs(".\n", out);
    }
    fputs(".El\n", out);
}

static void put_examples(FILE *out, const char *lines, bool at_prompt)
{
    fputs(".Bd -literal -offset indent\n", out);
    while (*lines) {
        char command[CLI_LONGEST_EXAMPLE];
        cli_make_example(command, lines, at_prompt);
        roff_line(out, command);
        lines += strcspn(lines, "\n");
        lines += *lines == '\n';
    }
    fputs(".Ed\n", out);
}

/* The next page in the order of the alphabet, or NULL. */
static const cli_command *next_page(const cli_command *after)
{
    const cli_command *found = NULL, *c;
    for (size_t i = 0; (c = manual_command(i)) != NULL; i++) {
        if ((!after || strcmp(c->name, after->name) > 0) &&
            (!found || strcmp(c->name, found->name) < 0))
            found = c;
    }
    return found;
}

/* Every other page; `self` is NULL on tfprof(1). */
static void put_see_also(FILE *out, const cli_command *self)
{
    const cli_command *c = NULL;
    fputs(".Sh SEE ALSO\n", out);
    if (self)
        fputs(".Xr tfprof 1 ,\n", out);
    while ((c = next_page(c)) != NULL) {
        if (c != self)
            fprintf(out, ".Xr tfprof-%s 1 ,\n", c->name);
    }
    fputs(".Xr libtfprof 3\n", out);
}

/* ---- Usage -------------------------------------------------------------- */

/* "INPUT... [options]" */
static void put_usage(FILE *out, const char *usage)
{
    const char *text = usage;
    manual_word word;
    while (manual_next(&text, ' ', &word)) {
        bool is_optional = word.text[0] == '[';
        if (is_optional) {
            word.text++;
            word.size -= 2;
        }
        fprintf(out, ".%s ", is_optional ? "Op Ar" : "Ar");
        if (word.size > 3 && !memcmp(word.text + word.size - 3, "...", 3))
            fprintf(out, "%.*s ...\n", (int)word.size - 3, word.text);
        else
            fprintf(out, "%.*s\n", (int)word.size, word.text);
    }
}

/* ---- Pages of commands -------------------------------------------------- */

static void write_command(const manual_source *source,
                          const cli_command *command)
{
    bool is_prompt = manual_is_prompt(command);
    char name[LONGEST_NAME], file[LONGEST_NAME + 16];
    FILE *out;
    page_name(command, name);
    snprintf(file, sizeof(file), "man1/%s.1", name);
    out = manual_create(source->folder, file);
    roff_head(out, name, 1, source->date, command->summary);
    fputs(".Sh SYNOPSIS\n.Nm tfprof\n", out);
    if (!is_prompt)
        fprintf(out, ".Cm %s\n", command->name);
    put_usage(out, command->usage);
    fputs(".Sh DESCRIPTION\n", out);
    roff_paragraphs(out, command->about, roff_mark_option);
    if (is_prompt) {
        manual_put_prompt_commands(out);
        manual_put_keys(out);
    }
    fputs(".Sh OPTIONS\n", out);
    roff_paragraphs(out, cli_find_topic("options")->text, roff_mark_option);
    put_options(out, command);
    manual_put_variables(out, is_prompt);
    if (is_prompt)
        manual_put_files(out);
    put_endings(out);
    fputs(".Sh EXAMPLES\n", out);
    put_examples(out, command->examples, false);
    put_see_also(out, command);
    manual_finish(out, file);
}

/* ---- tfprof(1) ---------------------------------------------------------- */

static void put_synopsis(FILE *out)
{
    const cli_command *command;
    fputs(".Sh SYNOPSIS\n", out);
    for (size_t i = 0; (command = manual_command(i)) != NULL; i++) {
        fputs(".Nm\n", out);
        if (!manual_is_prompt(command))
            fprintf(out, ".Cm %s\n", command->name);
        put_usage(out, command->usage);
    }
    fputs(".Nm\n.Cm help\n.Op Ar TOPIC\n.Nm\n.Fl \\-version\n", out);
}

static void put_commands(FILE *out)
{
    const cli_command *command;
    fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; (command = manual_command(i)) != NULL; i++) {
        fprintf(out, ".It Xr tfprof-%s 1\n", command->name);
        roff_said(out, command->summary);
    }
    fputs(".It Cm help Op Ar TOPIC\n", out);
    roff_said(out, "Explain a command, an option, a metric or one of the "
                   "topics below.");
    fputs(".It Fl \\-version\n", out);
    roff_said(out,
              "Print the version, and the features that this build lacks.");
    fputs(".El\n", out);
}

static void put_topics(FILE *out)
{
    for (const cli_topic *t = cli_topics; t->name; t++) {
        fputs(".Sh ", out);
        for (const char *at = t->name; *at; at++)
            putc(toupper((unsigned char)*at), out);
        putc('\n', out);
        roff_paragraphs(out, t->text, roff_mark_option);
        if (!strcmp(t->name, "options"))
            put_options(out, NULL);
    }
}

static void put_topic_examples(FILE *out)
{
    fputs(".Sh EXAMPLES\n", out);
    for (const cli_topic *t = cli_topics; t->name; t++) {
        roff_said(out, t->summary);
        put_examples(out, t->examples, false);
        if (t[1].name)
            fputs(".Pp\n", out);
    }
}

static void write_program(const manual_source *source)
{
    FILE *out = manual_create(source->folder, "man1/tfprof.1");
    roff_head(out, "tfprof", 1, source->date,
              "profile TensorFlow and JAX models without TensorFlow");
    put_synopsis(out);
    fputs(".Sh DESCRIPTION\n.Nm\n", out);
    roff_said(out, &CLI_PURPOSE[strlen("tfprof ")]);
    put_commands(out);
    put_topics(out);
    manual_put_variables(out, true);
    put_endings(out);
    put_topic_examples(out);
    put_see_also(out, NULL);
    manual_finish(out, "man1/tfprof.1");
}

void manual_write_pages(const manual_source *source)
{
    const cli_command *command;
    write_program(source);
    for (size_t i = 0; (command = manual_command(i)) != NULL; i++)
        write_command(source, command);
}
