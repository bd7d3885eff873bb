/*
 * zsh.c - the parts of tfprof.zsh.in.
 */
#include <string.h>

#include "manual/manual.h"

/* Text between '...', where zsh takes what is escaped as it is: a colon divides
 * and a bracket ends. */
static void put_quoted(FILE *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'')
            fputs("'\\'", out);
        else if (strchr(":[]\\", text[i]))
            putc('\\', out);
        putc(text[i], out);
    }
}

/* 'name:what it is' */
static void put_described(FILE *out, const char *name, const char *text)
{
    fprintf(out, "        '%s:", name);
    put_quoted(out, text, manual_first_sentence(text));
    fputs("'\n", out);
}

static void put_commands(FILE *out, const char *what, const char *text)
{
    (void)what, (void)text;
    for (const cli_command *c = cli_commands; c->name; c++)
        put_described(out, c->name, c->summary);
}

static void put_topics(FILE *out, const char *what, const char *text)
{
    cli_metric metric;
    (void)what, (void)text;
    put_described(out, cli_prompt_as_command.name,
                  cli_prompt_as_command.summary);
    for (const cli_topic *t = cli_topics; t->name; t++)
        put_described(out, t->name, t->summary);
    for (size_t i = 0; cli_metric_at(i, &metric); i++) {
        if (!cli_is_topic(metric.word))
            put_described(out, metric.word, metric.about);
    }
}

static void put_option_names(FILE *out, const char *what, const char *text)
{
    (void)what, (void)text;
    for (size_t i = 0; i < tfprof_option_count(); i++)
        put_described(out, tfprof_option_at(i)->name,
                      tfprof_option_at(i)->help);
}

/* Which commands are the program's own. */
static void put_cases(FILE *out, const char *what, const char *text)
{
    (void)what, (void)text;
    fputs("    ", out);
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, "%s%s", c == cli_commands ? "" : "|", c->name);
    fputs(") command=$words[2] ;;\n", out);
}

/* ---- Options ------------------------------------------------------------ */

/* ":message:action" */
static void put_action(FILE *out, const cli_command *command,
                       const tfprof_option *option)
{
    switch (manual_value_of(option)) {
    case MANUAL_SWITCH: fputs("::value:(true false)", out); break;
    case MANUAL_WORDS:
        fputs(":word:(", out);
        manual_put_words(out, command, option);
        putc(')', out);
        break;
    case MANUAL_SET:
        fputs(":words: _tfprof_set", out);
        manual_put_words(out, command, option);
        break;
    case MANUAL_OUTPUT:
        fputs(":output: _tfprof_output", out);
        for (const char *at = option->values; *at;) {
            manual_word word;
            manual_next(&at, '|', &word);
            if (cli_find_refusal(command, option->name, word.text, word.size))
                continue;
            /* a colon would end the action */
            fprintf(out, " %.*s", (int)strcspn(word.text, ":|"), word.text);
        }
        break;
    case MANUAL_FILES: fputs(":file: _tfprof_files", out); break;
    case MANUAL_TEXT:
        putc(':', out);
        put_quoted(out, option->values, strlen(option->values));
        fputs(": ", out);
        break;
    }
}

/* Both spellings; inputs may be given again. */
static void put_spec(FILE *out, const cli_command *command,
                     const tfprof_option *option)
{
    const char *help = cli_help_of(command, option);
    const char *sign = manual_value_of(option) == MANUAL_SWITCH ? "=-" : "=";
    for (int dashes = 1; dashes <= 2; dashes++) {
        fputs("            '", out);
        if (option->kind == TFPROF_OPTION_PATHS)
            putc('*', out);
        else
            fprintf(out, "(-%s --%s)", option->name, option->name);
        fprintf(out, "%s%s%s[", dashes == 1 ? "-" : "--", option->name, sign);
        put_quoted(out, help, manual_first_sentence(help));
        putc(']', out);
        put_action(out, command, option);
        fputs("'\n", out);
    }
}

static void put_switch(FILE *out, const cli_switch *s)
{
    const char *const names[] = { s->letter, s->name };
    for (size_t i = 0; i < 2; i++) {
        if (!names[i])
            continue;
        fprintf(out, "            '(%s %s)%s[", s->letter ? s->letter : "",
                s->name, names[i]);
        put_quoted(out, s->help, manual_first_sentence(s->help));
        fputs("]'\n", out);
    }
}

static void put_specs(FILE *out, const char *what, const char *text)
{
    const cli_command *c;
    (void)what, (void)text;
    fputs("    case $command in\n", out);
    for (size_t i = 0; (c = manual_command(i)) != NULL; i++) {
        fprintf(out, "    %s)\n        specs=(\n", c->name);
        for (size_t k = 0; k < tfprof_option_count(); k++) {
            if (cli_takes(c, tfprof_option_at(k)))
                put_spec(out, c, tfprof_option_at(k));
        }
        for (const cli_switch *s = cli_switches; s->name; s++) {
            if (cli_takes_switch(c, s))
                put_switch(out, s);
        }
        if (manual_is_prompt(c))
            fputs("            '--version[Print the version]'\n", out);
        fputs("        )\n        ;;\n", out);
    }
    fputs("    esac\n", out);
}

/* Of commands whose first word is none of the files. */
static void put_first_words(FILE *out, const char *what, const char *text)
{
    const char *word;
    (void)what, (void)text;
    fputs("    case $command in\n", out);
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (!c->word_at)
            continue;
        fprintf(out, "    %s) specs+=('1:word:(", c->name);
        for (size_t i = 0; (word = c->word_at(i)) != NULL; i++)
            fprintf(out, "%s%s", i > 0 ? " " : "", word);
        fputs(")') ;;\n", out);
    }
    fputs("    esac\n", out);
}

const manual_part manual_zsh_parts[] = {
    { "zsh-commands", put_commands },
    { "zsh-topics", put_topics },
    { "zsh-option-names", put_option_names },
    { "zsh-cases", put_cases },
    { "zsh-specs", put_specs },
    { "zsh-first-words", put_first_words },
    { 0 },
};
