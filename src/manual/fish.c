/*
 * fish.c - the parts of tfprof.fish.in.
 */
#include <string.h>

#include "manual/manual.h"

static void put_quoted(FILE *out, const char *text, size_t size)
{
    putc('\'', out);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\'' || text[i] == '\\')
            putc('\\', out);
        putc(text[i], out);
    }
    putc('\'', out);
}

static void put_description(FILE *out, const char *text)
{
    fputs(" -d ", out);
    put_quoted(out, text, manual_first_sentence(text));
    putc('\n', out);
}

static void put_commands(FILE *out, const char *what, const char *text)
{
    (void)what, (void)text;
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, "%s%s", c == cli_commands ? "" : " ", c->name);
}

static void put_word(FILE *out, const char *condition, const char *word,
                     const char *description)
{
    fprintf(out, "complete -c tfprof -n %s -a %s", condition, word);
    put_description(out, description);
}

static void put_topics(FILE *out)
{
    static const char condition[] = "__tfprof_wants_topic";
    cli_metric metric;
    fputs("complete -c tfprof -n '__tfprof_is help' -f\n", out);
    for (const cli_command *c = cli_commands; c->name; c++)
        put_word(out, condition, c->name, c->summary);
    put_word(out, condition, cli_prompt_as_command.name,
             cli_prompt_as_command.summary);
    for (const cli_topic *t = cli_topics; t->name; t++)
        put_word(out, condition, t->name, t->summary);
    for (size_t i = 0; cli_metric_at(i, &metric); i++) {
        if (!cli_is_topic(metric.word))
            put_word(out, condition, metric.word, metric.about);
    }
    for (size_t i = 0; i < tfprof_option_count(); i++)
        put_word(out, condition, tfprof_option_at(i)->name,
                 tfprof_option_at(i)->help);
}

static void put_value(FILE *out, const cli_command *command,
                      const tfprof_option *option)
{
    switch (manual_value_of(option)) {
    case MANUAL_SWITCH:
    case MANUAL_WORDS:
        if (manual_value_of(option) == MANUAL_WORDS)
            fputs(" -x", out);
        fputs(" -a '", out);
        manual_put_words(out, command, option);
        putc('\'', out);
        break;
    case MANUAL_SET:
        fputs(" -x -a '(__tfprof_set", out);
        manual_put_words(out, command, option);
        fputs(")'", out);
        break;
    case MANUAL_OUTPUT:
        fputs(" -x -a '(__tfprof_output", out);
        manual_put_words(out, command, option);
        fputs(")'", out);
        break;
    case MANUAL_FILES: fputs(" -x -a '(__tfprof_files)'", out); break;
    case MANUAL_TEXT: fputs(" -x", out); break;
    }
}

/* One for each command, since not all take the same words. */
static void put_options(FILE *out, const cli_command *command)
{
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i);
        if (!cli_takes(command, option))
            continue;
        fprintf(out, "complete -c tfprof -n '__tfprof_is %s' -l %s -o %s",
                command->name, option->name, option->name);
        put_value(out, command, option);
        put_description(out, cli_help_of(command, option));
    }
    for (const cli_switch *s = cli_switches; s->name; s++) {
        if (!cli_takes_switch(command, s))
            continue;
        fprintf(out, "complete -c tfprof -n '__tfprof_is %s'", command->name);
        if (s->letter)
            fprintf(out, " -s %s", s->letter + 1);
        fprintf(out, " -l %s", s->name + 2);
        put_description(out, s->help);
    }
}

/* The words of a command that stand in place of its first file. */
static void put_first_words(FILE *out, const cli_command *command)
{
    const char *word;
    if (!command->word_at)
        return;
    fprintf(out, "complete -c tfprof -n '__tfprof_wants_word %s' -f -a '",
            command->name);
    for (size_t i = 0; (word = command->word_at(i)) != NULL; i++)
        fprintf(out, "%s%s", i > 0 ? " " : "", word);
    fputs("'\n", out);
}

static void put_all(FILE *out, const char *what, const char *text)
{
    const cli_command *c;
    (void)what, (void)text;
    for (c = cli_commands; c->name; c++)
        put_word(out, "__tfprof_is_bare", c->name, c->summary);
    fputs("complete -c tfprof -n __tfprof_is_bare -l version -d 'Print the "
          "version'\n",
          out);
    put_topics(out);
    for (c = cli_commands; c->name; c++)
        put_first_words(out, c);
    for (size_t i = 0; (c = manual_command(i)) != NULL; i++)
        put_options(out, c);
}

const manual_part manual_fish_parts[] = {
    { "fish-commands", put_commands },
    { "fish-completions", put_all },
    { 0 },
};
