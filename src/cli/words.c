/*
 * words.c - cuts a line into words.
 *
 * Upstream cuts at blanks and takes quotes off the ends of a word, so a word
 * cannot hold a blank there. Here quotes hold it together. A backslash is
 * part of a pattern and means nothing else, but for \" between "...".
 */
#include <stdlib.h>
#include <string.h>

#include "cli/prompt.h"

typedef struct cutter {
    const char *line;
    size_t size, at;
    char *out;
    cli_words *words;
} cutter;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The inside of quotes; ends behind the closing one. */
static void copy_quoted(cutter *c, char quote)
{
    for (; c->at < c->size && c->line[c->at] != quote; c->at++) {
        const char *at = c->line + c->at;
        bool has_next = c->at + 1 < c->size;
        if (quote == '"' && *at == '\\' && has_next) {
            if (at[1] != '"')
                *c->out++ = '\\'; /* and what follows ends nothing */
            c->at++;
        }
        *c->out++ = c->line[c->at];
    }
    if (c->at == c->size)
        c->words->quote = quote;
    else
        c->at++;
}

static void copy_word(cutter *c)
{
    while (c->at < c->size && !is_blank(c->line[c->at])) {
        char one = c->line[c->at++];
        if (one == '"' || one == '\'')
            copy_quoted(c, one);
        else
            *c->out++ = one;
    }
    *c->out++ = '\0';
}

bool cli_words_cut(cli_words *words, const char *line, size_t size)
{
    cutter c = { line, size, 0, NULL, words };
    *words = (cli_words){ .last_ended = true, .last_start = size };
    /* A word takes a byte at least, and a blank before the next one. */
    words->text = malloc(size + 2);
    words->data = malloc((size / 2 + 2) * sizeof(*words->data));
    if (!words->text || !words->data) {
        cli_words_release(words);
        return false;
    }
    c.out = words->text;
    for (;;) {
        while (c.at < size && is_blank(line[c.at]))
            c.at++;
        if (c.at == size)
            break;
        words->last_start = c.at;
        words->data[words->count++] = c.out;
        copy_word(&c);
        words->last_ended = c.at < size;
    }
    words->data[words->count] = NULL;
    return true;
}

void cli_words_release(cli_words *words)
{
    free(words->text);
    free(words->data);
    *words = (cli_words){ 0 };
}
