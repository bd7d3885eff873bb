/*
 * markdown.c - the parts of options.md.in: each option has a heading, so that
 * other pages can link to it.
 */
#include <string.h>

#include "manual/manual.h"

/* What the template has between "@more NAME" and "@end", or NULL. */
static const char *find_more(const char *text, const char *name, size_t *size)
{
    char mark[96];
    const char *start, *end;
    snprintf(mark, sizeof(mark), "\n@more %s\n", name);
    start = strstr(text, mark);
    if (!start)
        return NULL;
    start += strlen(mark);
    end = strstr(start, "@end\n");
    *size = end ? (size_t)(end - start) : strlen(start);
    return start;
}

/* The commands that accept it (or do not), each once, divided by commas. */
static void put_commands(FILE *out, const tfprof_option *option, bool is_taker)
{
    const cli_command *c;
    bool is_first = true;
    for (size_t i = 0; (c = manual_command(i)) != NULL; i++) {
        if (c->groups == 0 || cli_takes(c, option) != is_taker)
            continue;
        fprintf(out, manual_is_prompt(c) ? "%sinteractive session" : "%s`%s`",
                is_first ? "" : ", ", c->name);
        is_first = false;
    }
}

/* The commands that accept it. Most options are for most commands, so the
 * shorter list is written: those that do, or "all except" those that do not. */
static void put_takers(FILE *out, const tfprof_option *option)
{
    const cli_command *c;
    size_t takers = 0, others = 0;
    for (size_t i = 0; (c = manual_command(i)) != NULL; i++) {
        if (c->groups == 0)
            continue;
        if (cli_takes(c, option))
            takers++;
        else
            others++;
    }
    if (others == 0)
        fputs("all", out);
    else if (others < takers)
        fputs("all except ", out);
    put_commands(out, option, others >= takers);
}

static void put_words(FILE *out, const tfprof_option *option)
{
    const char *text = option->values;
    bool is_first = true;
    manual_word word;
    while (manual_next(&text, '|', &word)) {
        fprintf(out, "%s`%.*s`", is_first ? "" : ", ", (int)word.size,
                word.text);
        is_first = false;
    }
}

static void put_row(FILE *out, const char *name)
{
    fprintf(out, "- %s: ", name);
}

/* How it is written. */
static void put_form(FILE *out, const tfprof_option *option)
{
    const char *value = option->values;
    if (option->kind == TFPROF_OPTION_BOOL)
        value = "[true|false]";
    else if (option->kind == TFPROF_OPTION_SET)
        value = "WORD,...";
    else if (manual_has_words(option))
        value = "WORD";
    fprintf(out, "`--%s %s`\n\n", option->name, value);
}

static void put_option(FILE *out, const tfprof_option *option,
                       const char *template_text)
{
    const char *example = cli_option_example(option);
    const char *more;
    size_t size;
    fprintf(out, "### %s\n\n", option->name);
    put_form(out, option);
    cli_print_text(out, option->help);
    putc('\n', out);
    more = find_more(template_text, option->name, &size);
    if (more)
        fprintf(out, "%.*s", (int)size, more);
    if (manual_has_words(option) && option->kind != TFPROF_OPTION_BOOL) {
        put_row(out, option->kind == TFPROF_OPTION_SET ? "any of" : "one of");
        put_words(out, option);
        putc('\n', out);
    }
    if (*option->default_value) {
        put_row(out, "default");
        fprintf(out, "`%s`\n", option->default_value);
    }
    put_row(out, "commands");
    put_takers(out, option);
    putc('\n', out);
    if (*example) {
        char command[CLI_LONGEST_EXAMPLE];
        cli_make_example(command, example, false);
        put_row(out, "example");
        fprintf(out, "`%s`\n", command);
    }
    putc('\n', out);
}

static tfprof_option_group group_called(const char *title)
{
    tfprof_option_group group;
    const char *found;
    for (size_t i = 0; (found = cli_group_at(i, &group)); i++) {
        if (!strcmp(found, title))
            return group;
    }
    manual_fail("no such group of options", title);
}

/* Every group must have a place, or a new one would be missing. */
static void check_groups(const char *template_text)
{
    tfprof_option_group group;
    const char *title;
    for (size_t i = 0; (title = cli_group_at(i, &group)); i++) {
        char mark[96];
        snprintf(mark, sizeof(mark), "\n@options %s\n", title);
        if (!strstr(template_text, mark))
            manual_fail("the template has no line @options for this group",
                        title);
    }
}

static void put_group(FILE *out, const char *title, const char *template_text)
{
    tfprof_option_group group = group_called(title);
    const tfprof_option *option;
    size_t index = 0;
    check_groups(template_text);
    while ((option = cli_next_option(NULL, group, &index)))
        put_option(out, option, template_text);
}

/* The switches of the program itself. */
static void put_switches(FILE *out, const char *what, const char *template_text)
{
    (void)what, (void)template_text;
    for (const cli_switch *s = cli_switches; s->name; s++) {
        fputs("- `", out);
        if (s->letter)
            fprintf(out, "%s` or `", s->letter);
        fprintf(out, "%s`: %s\n", s->name, s->help);
    }
}

const manual_part manual_markdown_parts[] = {
    { "options", put_group },
    { "switches", put_switches },
    { 0 },
};
