/*
 * edit_tab.c - what the Tab key does: completes a word or lists the choices.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/edit.h"

/* How many bytes all choices begin with. */
static size_t common_size(const cli_choices *choices)
{
    size_t size = strlen(choices->data[0]);
    for (size_t i = 1; i < choices->count; i++) {
        size_t same = 0;
        while (same < size && choices->data[i][same] == choices->data[0][same])
            same++;
        size = same;
    }
    while (size > 0 && (choices->data[0][size] & 0xc0) == 0x80)
        size--; /* not in the middle of a character */
    return size;
}

/* In columns, as wide as the longest. */
static void list_choices(const cli_screen *screen, const cli_choices *choices)
{
    size_t longest = 0, columns;
    for (size_t i = 0; i < choices->count; i++) {
        size_t size = strlen(choices->data[i]);
        if (size > longest)
            longest = size;
    }
    columns = screen->columns / (longest + 2);
    if (columns == 0)
        columns = 1;
    for (size_t i = 0; i < choices->count; i++) {
        bool is_last = (i + 1) % columns == 0 || i + 1 == choices->count;
        fprintf(screen->out, "%s%-*s%s", i == 0 ? "\n" : "",
                is_last ? 0 : (int)longest + 2, choices->data[i],
                is_last ? "\n" : "");
    }
    if (choices->more)
        fputs("...\n", screen->out);
}

/* Puts the beginning that all choices have into the line, in quotes if it
 * needs them. True if that changed it. */
static bool insert(cli_text *text, const cli_choices *choices, size_t typed)
{
    size_t size = common_size(choices);
    const char *word = choices->data[0];
    bool is_whole = choices->count == 1 && !choices->more;
    bool quote = !choices->quote && memchr(word, ' ', size);
    char end[3] = "", closing = choices->quote ? choices->quote : '"';
    if (size == 0 || mbstowcs(NULL, word, 0) == (size_t)-1)
        return false; /* nothing to insert, or not in this locale */
    if (is_whole && strchr("/=:", word[size - 1]) == NULL &&
        !choices->part_of_it) {
        end[0] = quote || choices->quote ? closing : ' ';
        end[1] = end[0] == ' ' ? '\0' : ' ';
    }
    if (size <= typed && !*end)
        return false;
    cli_text_remove_bytes(text, typed);
    cli_text_insert_bytes(text, "\"", quote);
    cli_text_insert_bytes(text, word, size);
    cli_text_insert_bytes(text, end, strlen(end));
    return true;
}

void cli_edit_complete(const cli_session *session, cli_screen *screen,
                       cli_text *text)
{
    size_t size;
    char *line = cli_text_bytes(text, text->cursor, &size);
    cli_choices choices;
    if (!line) {
        text->no_memory = true;
        return;
    }
    cli_complete(session, line, size, &choices);
    free(line);
    if (choices.count == 0) {
        fputc('\a', screen->out);
    } else if (!insert(text, &choices, size - choices.start) &&
               choices.count > 1) {
        size_t cursor = text->cursor;
        cli_screen_show_end(screen, text);
        list_choices(screen, &choices);
        cli_screen_begin(screen);
        text->cursor = cursor;
    }
    cli_choices_release(&choices);
}
