/*
 * tables.c - what pages and completions ask the tables of the program.
 */
#include <string.h>

#include "manual/manual.h"

const cli_command *manual_command(size_t index)
{
    const cli_command *c = cli_commands;
    for (; c->name; c++) {
        if (c->run != cli_run_help && index-- == 0)
            return c;
    }
    return index == 0 ? &cli_prompt_as_command : NULL;
}

bool manual_is_prompt(const cli_command *command)
{
    return command == &cli_prompt_as_command;
}

bool manual_next(const char **text, char divider, manual_word *word)
{
    const char divider_text[2] = { divider, '\0' };
    if (**text == '\0')
        return false;
    word->text = *text;
    word->size = strcspn(*text, divider_text);
    *text += word->size + ((*text)[word->size] == divider);
    return true;
}

bool manual_has_words(const tfprof_option *option)
{
    return strchr(option->values, '|') != NULL;
}

size_t manual_first_sentence(const char *text)
{
    const char *end = strstr(text, ". ");
    size_t size = end ? (size_t)(end - text) : strlen(text);
    return size > 0 && text[size - 1] == '.' ? size - 1 : size;
}

manual_value manual_value_of(const tfprof_option *option)
{
    switch (option->kind) {
    case TFPROF_OPTION_BOOL: return MANUAL_SWITCH;
    case TFPROF_OPTION_CHOICE: return MANUAL_WORDS;
    case TFPROF_OPTION_SET: return MANUAL_SET;
    case TFPROF_OPTION_OUTPUT: return MANUAL_OUTPUT;
    case TFPROF_OPTION_PATHS: return MANUAL_FILES;
    default:
        return !strncmp(option->values, "FILE", strlen("FILE")) ? MANUAL_FILES
                                                                : MANUAL_TEXT;
    }
}

void manual_put_words(FILE *out, const cli_command *command,
                      const tfprof_option *option)
{
    const char *text = option->values, *alias;
    manual_word word;
    if (option->kind == TFPROF_OPTION_SET)
        fprintf(out, " %s", option->default_value);
    while (manual_next(&text, '|', &word)) {
        const char *file = memchr(word.text, '=', word.size);
        int size = file ? (int)(file + 1 - word.text) : (int)word.size;
        if (!cli_find_refusal(command, option->name, word.text, word.size))
            fprintf(out, " %.*s", size, word.text);
    }
    for (size_t i = 0; (alias = cli_next_alias(command, option, &i));)
        fprintf(out, " %s", alias);
}
