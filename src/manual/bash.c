/*
 * bash.c - the parts of tfprof.bash.in.
 */
#include <string.h>

#include "manual/manual.h"

static void put_options(FILE *out, const char *what, const char *text)
{
    const cli_command *c;
    (void)what, (void)text;
    for (size_t i = 0; (c = manual_command(i)) != NULL; i++) {
        fprintf(out, "    %s) _tfprof_options='", c->name);
        for (size_t k = 0; k < tfprof_option_count(); k++) {
            const tfprof_option *option = tfprof_option_at(k);
            if (cli_takes(c, option))
                fprintf(out, "%s ", option->name);
        }
        fputs("' _tfprof_switches='", out);
        for (const cli_switch *s = cli_switches; s->name; s++) {
            if (cli_takes_switch(c, s))
                fprintf(out, "%s %s ", s->letter ? s->letter : "", s->name);
        }
        fputs("' ;;\n", out);
    }
}

static const char *const kinds[] = {
    [MANUAL_SWITCH] = "switch", [MANUAL_WORDS] = "words",
    [MANUAL_SET] = "set",       [MANUAL_OUTPUT] = "output",
    [MANUAL_FILES] = "files",   [MANUAL_TEXT] = "text",
};

static void put_value(FILE *out, const cli_command *command,
                      const tfprof_option *option)
{
    fprintf(out, "    %s.%s) _tfprof_kind=%s", command->name, option->name,
            kinds[manual_value_of(option)]);
    if (manual_has_words(option)) {
        fputs(" _tfprof_words='", out);
        manual_put_words(out, command, option);
        putc('\'', out);
    }
    fputs(" ;;\n", out);
}

static void put_values(FILE *out, const char *what, const char *text)
{
    const cli_command *c;
    (void)what, (void)text;
    for (size_t i = 0; (c = manual_command(i)) != NULL; i++) {
        for (size_t k = 0; k < tfprof_option_count(); k++) {
            if (cli_takes(c, tfprof_option_at(k)))
                put_value(out, c, tfprof_option_at(k));
        }
    }
}

/* "scope | graph", and what follows. */
static void put_names(FILE *out, const char *divider, const char *end)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(out, "%s%s", c == cli_commands ? "" : divider, c->name);
    fputs(end, out);
}

static void put_commands(FILE *out, const char *what, const char *text)
{
    (void)what, (void)text;
    fputs("    ", out);
    put_names(out, " | ", ") command=${words[1]} ;;\n");
}

static void put_first(FILE *out, const char *what, const char *text)
{
    (void)what, (void)text;
    fputs("            _tfprof_add '' \"$cur\" ", out);
    put_names(out, " ", "\n");
}

static void put_topics(FILE *out, const char *what, const char *text)
{
    cli_metric metric;
    (void)what, (void)text;
    fputs("            _tfprof_add '' \"$cur\" ", out);
    put_names(out, " ", "");
    fprintf(out, " %s \\\n               ", cli_prompt_as_command.name);
    for (const cli_topic *t = cli_topics; t->name; t++)
        fprintf(out, " %s", t->name);
    fputs(" \\\n               ", out);
    for (size_t i = 0; cli_metric_at(i, &metric); i++) {
        if (!cli_is_topic(metric.word))
            fprintf(out, " %s", metric.word);
    }
    fputs(" \\\n               ", out);
    for (size_t i = 0; i < tfprof_option_count(); i++)
        fprintf(out, " %s", tfprof_option_at(i)->name);
    putc('\n', out);
}

/* Of commands whose first word is none of the files. */
static void put_words(FILE *out, const char *what, const char *text)
{
    const char *word;
    (void)what, (void)text;
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (!c->word_at)
            continue;
        fprintf(out, "    %s) _tfprof_words='", c->name);
        for (size_t i = 0; (word = c->word_at(i)) != NULL; i++)
            fprintf(out, " %s", word);
        fputs("' ;;\n", out);
    }
}

const manual_part manual_bash_parts[] = {
    { "bash-options", put_options },
    { "bash-values", put_values },
    { "bash-commands", put_commands },
    { "bash-topics", put_topics },
    { "bash-names", put_first },
    { "bash-first-words", put_words },
    { 0 },
};
