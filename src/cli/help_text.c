/*
 * help_text.c - how help looks: text in lines of 80 columns, items in two
 * columns, options, examples.
 */
#include <string.h>

#include "cli/cli.h"

enum { WIDTH = 80, INDENT = 6, WIDEST_WORD = 20, VALUES = 1024 };

/* ---- Text --------------------------------------------------------------- */

static void start_line(FILE *out, size_t indent)
{
    fprintf(out, "\n%*s", (int)indent, "");
}

/* `size` bytes in lines of at most WIDTH columns, each but the first after
 * `indent` blanks. Starts in column `column`. */
static void print_wrapped(FILE *out, const char *text, size_t size,
                          size_t column, size_t indent)
{
    bool is_first = true;
    while (size > 0) {
        const char *blank = memchr(text, ' ', size);
        size_t word = blank ? (size_t)(blank - text) : size;
        if (!is_first && column + 1 + word > WIDTH) {
            start_line(out, indent);
            column = indent;
        } else if (!is_first) {
            putc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)word, text);
        column += word;
        is_first = false;
        word += blank != NULL;
        text += word;
        size -= word;
    }
    putc('\n', out);
}

/* The bytes before the tab of an item, or 0. */
static size_t item_word(const char *line)
{
    size_t size = strcspn(line, "\t\n");
    return line[size] == '\t' ? size : 0;
}

/* The second column of the items that start here. */
static size_t second_column(const char *line)
{
    size_t widest = 0, word;
    for (; (word = item_word(line)) > 0; line += strcspn(line, "\n") + 1) {
        if (word > widest && word <= WIDEST_WORD)
            widest = word;
        if (line[strcspn(line, "\n")] == '\0')
            break;
    }
    return widest + 4;
}

static void print_item(FILE *out, const char *line, size_t size, size_t column)
{
    size_t word = item_word(line);
    fprintf(out, "  %.*s", (int)word, line);
    if (word + 4 > column)
        start_line(out, column);
    else
        fprintf(out, "%*s", (int)(column - word - 2), "");
    print_wrapped(out, line + word + 1, size - word - 1, column, column);
}

void cli_print_text(FILE *out, const char *text)
{
    size_t column = 0;
    while (*text) {
        size_t size = strcspn(text, "\n");
        if (item_word(text) == 0)
            column = 0;
        else if (column == 0)
            column = second_column(text);
        if (column > 0)
            print_item(out, text, size, column);
        else
            print_wrapped(out, text, size, 0, 0);
        text += size + (text[size] == '\n');
    }
}

/* ---- Options ------------------------------------------------------------ */

/* A placeholder for values that do not fit in the line. */
static const char *short_values(const tfprof_option *option)
{
    switch (option->kind) {
    case TFPROF_OPTION_SET: return "WORD,...";
    case TFPROF_OPTION_OUTPUT: return "WHERE";
    default: return "WORD";
    }
}

/* Is the value one of some words? Then a command may refuse some of them. */
static bool has_words(const tfprof_option *option)
{
    return option->kind == TFPROF_OPTION_CHOICE ||
           option->kind == TFPROF_OPTION_SET ||
           option->kind == TFPROF_OPTION_OUTPUT;
}

/* The values that the command accepts, or all without a command. */
static void find_values(const cli_command *command, const tfprof_option *option,
                        char values[VALUES])
{
    size_t used = 0;
    if (!command || !has_words(option)) {
        snprintf(values, VALUES, "%s", option->values);
        return;
    }
    values[0] = '\0';
    for (const char *at = option->values; *at;) {
        size_t size = strcspn(at, "|");
        if (!cli_find_refusal(command, option->name, at, size) &&
            used + size + 2 < VALUES)
            used += (size_t)snprintf(values + used, VALUES - used, "%s%.*s",
                                     used > 0 ? "|" : "", (int)size, at);
        at += size + (at[size] == '|');
    }
}

/* "a|b|c" as "One of: a, b, c". */
static void print_words(FILE *out, const tfprof_option *option,
                        const char *values)
{
    char words[2 * VALUES] = "";
    size_t used = 0;
    for (const char *at = values; *at; at++) {
        words[used++] = *at == '|' ? ',' : *at;
        if (*at == '|')
            words[used++] = ' ';
    }
    words[used] = '\0';
    fprintf(out, "%*s%s: ", INDENT, "",
            option->kind == TFPROF_OPTION_SET ? "Any of" : "One of");
    print_wrapped(out, words, used, INDENT + strlen("One of: "), INDENT);
}

void cli_print_option(FILE *out, const cli_command *command,
                      const tfprof_option *option)
{
    const char *set = cli_default_of(command, option);
    const char *help = cli_help_of(command, option);
    char values[VALUES];
    size_t size;
    find_values(command, option, values);
    size = strlen("  -- (default: )") + strlen(option->name) + strlen(values) +
           strlen(set);
    fprintf(out, "  --%s %s", option->name,
            size <= WIDTH ? values : short_values(option));
    if (*set)
        fprintf(out, " (default: %s)", set);
    fprintf(out, "\n%*s", INDENT, "");
    print_wrapped(out, help, strlen(help), INDENT, INDENT);
    if (size > WIDTH)
        print_words(out, option, values);
}

/* The name and the first sentence of the help, in one line. A sentence that is
 * too long is cut after a word and ends in "...". */
static void print_option_line(FILE *out, const tfprof_option *option,
                              size_t column)
{
    const char *help = option->help;
    const char *end = strstr(help, ". ");
    size_t room = WIDTH - column,
           size = end ? (size_t)(end - help) : strlen(help) - 1, cut = 0;
    fprintf(out, "  --%-*s", (int)column - 4, option->name);
    if (size <= room) {
        fprintf(out, "%.*s\n", (int)size, help);
        return;
    }
    for (size_t i = 0; i + strlen(" ...") <= room; i++) {
        if (help[i] == ' ')
            cut = i;
    }
    fprintf(out, "%.*s ...\n", (int)cut, help);
}

void cli_print_option_list(FILE *out)
{
    enum { GAP = 2 };
    tfprof_option_group group;
    const char *title;
    size_t widest = 0;
    for (size_t i = 0; (title = cli_group_at(i, &group)); i++) {
        const tfprof_option *option;
        for (size_t k = 0; (option = cli_next_option(NULL, group, &k));)
            widest = strlen(option->name) > widest ? strlen(option->name)
                                                   : widest;
    }
    for (size_t i = 0; (title = cli_group_at(i, &group)); i++) {
        size_t k = 0;
        const tfprof_option *option = cli_next_option(NULL, group, &k);
        if (option)
            fprintf(out, "\n%s:\n", title);
        for (; option; option = cli_next_option(NULL, group, &k))
            print_option_line(out, option, strlen("  --") + widest + GAP);
    }
}

void cli_print_switch(FILE *out, const cli_switch *s)
{
    fprintf(out, "  %s%s%s\n%*s", s->letter ? s->letter : "",
            s->letter ? ", " : "", s->name, INDENT, "");
    print_wrapped(out, s->help, strlen(s->help), INDENT, INDENT);
}

static void print_group(FILE *out, const cli_command *command,
                        tfprof_option_group group, const char *title)
{
    size_t index = 0;
    const tfprof_option *option = cli_next_option(command, group, &index);
    if (option)
        fprintf(out, "\n%s:\n", title);
    for (; option; option = cli_next_option(command, group, &index))
        cli_print_option(out, command, option);
}

void cli_print_options(FILE *out, const cli_command *command)
{
    tfprof_option_group group;
    const char *title;
    for (size_t i = 0; (title = cli_group_at(i, &group)); i++)
        print_group(out, command, group, title);
}

/* ---- Examples ----------------------------------------------------------- */

/* Appends one part of an example, after a blank. */
static void add_part(char *command, const char *part, size_t size)
{
    size_t used = strlen(command);
    if (size > 0)
        snprintf(command + used, CLI_LONGEST_EXAMPLE - used, "%s%.*s",
                 used > 0 ? " " : "", (int)size, part);
}

void cli_make_example(char command[CLI_LONGEST_EXAMPLE], const char *line,
                      bool at_prompt)
{
    size_t size = strcspn(line, "\n"), name = item_word(line), inputs;
    command[0] = '\0';
    if (name == 0) {
        add_part(command, line, size);
        return;
    }
    inputs = item_word(line + name + 1);
    if (!at_prompt)
        add_part(command, "tfprof", strlen("tfprof"));
    add_part(command, line, name);
    if (!at_prompt)
        add_part(command, line + name + 1, inputs);
    add_part(command, line + name + inputs + 2, size - name - inputs - 2);
}

/* Where to break a command that is too long: at the last blank outside of
 * quotes that leaves room for a backslash. 0 if it fits. */
static size_t break_of(const char *command, size_t room)
{
    size_t at = 0;
    bool is_quoted = false;
    if (strlen(command) <= room)
        return 0;
    for (size_t i = 0; command[i] && i + 2 <= room; i++) {
        is_quoted ^= command[i] == '\'';
        if (command[i] == ' ' && !is_quoted)
            at = i;
    }
    return at;
}

static void print_example(FILE *out, const char *line, bool at_prompt)
{
    char command[CLI_LONGEST_EXAMPLE];
    const char *at = command;
    size_t indent = 2, size;
    cli_make_example(command, line, at_prompt);
    while (!at_prompt && (size = break_of(at, WIDTH - indent)) > 0) {
        fprintf(out, "%*s%.*s \\\n", (int)indent, "", (int)size, at);
        at += size + 1;
        indent = INDENT;
    }
    fprintf(out, "%*s%s\n", (int)indent, "", at);
}

/* Does this line start tfprof, so it cannot be typed in a session? */
static bool is_for_shell(const char *line, size_t size)
{
    const char *program = strstr(line, "tfprof ");
    return program && (size_t)(program - line) < size;
}

void cli_print_examples(FILE *out, const char *lines, bool at_prompt)
{
    if (*lines)
        fputs("\nexamples:\n", out);
    while (*lines) {
        size_t size = strcspn(lines, "\n");
        if (!at_prompt || !is_for_shell(lines, size))
            print_example(out, lines, at_prompt);
        lines += size + (lines[size] == '\n');
    }
}
