/*
 * roff.c - text in the language of man pages.
 *
 * Words are put into lines of at most WIDTH bytes, and a sentence ends its
 * line, as mdoc(7) wants it. What a mark knows becomes a macro, with the marks
 * of punctuation around it as its own arguments.
 */
#include "manual/roff.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "manual/manual.h"

enum { WIDTH = 76 };

/* ---- Bytes -------------------------------------------------------------- */

/* What roff would take for a letter of its own, or typeset as another. */
static const char *escaped(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    case '"': return "\\(dq";
    default: return NULL;
    }
}

void roff_put(FILE *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char *other = escaped(text[i]);
        if (other)
            fputs(other, out);
        else
            putc(text[i], out);
    }
}

void roff_line(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    roff_put(out, text, strlen(text));
    putc('\n', out);
}

/* ---- Running text ------------------------------------------------------- */

typedef struct writer {
    FILE *out;
    roff_mark_fn *mark; /* or NULL */
    size_t column;
} writer;

static void end_line(writer *w)
{
    if (w->column > 0)
        putc('\n', w->out);
    w->column = 0;
}

/* A word without the punctuation around it. */
typedef struct core {
    size_t start, end;
} core;

/* "f()" keeps its parentheses. */
static core find_core(const char *word, size_t size)
{
    core c = { 0, size };
    while (c.start < c.end && strchr("([", word[c.start]))
        c.start++;
    while (c.end > c.start && strchr(".,;:)]", word[c.end - 1]) &&
           !(c.end > 1 && word[c.end - 1] == ')' && word[c.end - 2] == '('))
        c.end--;
    return c;
}

/* As a macro, if it is one. */
static bool add_marked(writer *w, const char *word, size_t size)
{
    core c = find_core(word, size);
    const char *text = word + c.start;
    size_t text_size = c.end - c.start;
    const char *macro = NULL;
    if (w->mark && text_size > 0)
        macro = w->mark(&text, &text_size);
    if (!macro)
        return false;
    end_line(w);
    fprintf(w->out, ".%s", macro);
    for (size_t i = 0; i < c.start; i++)
        fprintf(w->out, " %c", word[i]);
    putc(' ', w->out);
    roff_put(w->out, text, text_size);
    for (size_t i = c.end; i < size; i++)
        fprintf(w->out, " %c", word[i]);
    putc('\n', w->out);
    return true;
}

/* A hyphen inside a word stays one. */
static void put_word(FILE *out, const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (word[i] == '-' && i > 0 && isalpha((unsigned char)word[i - 1]))
            putc('-', out);
        else
            roff_put(out, word + i, 1);
    }
}

static bool ends_sentence(const char *word, size_t size)
{
    while (size > 0 && strchr(")\"", word[size - 1]))
        size--;
    return size > 1 && strchr(".?!", word[size - 1]) && word[size - 2] != '.';
}

static void add_word(writer *w, const char *word, size_t size)
{
    if (w->column + 1 + size > WIDTH)
        end_line(w);
    if (w->column > 0)
        putc(' ', w->out);
    else if (*word == '.' || *word == '\'')
        fputs("\\&", w->out);
    put_word(w->out, word, size);
    w->column += size + 1;
    if (ends_sentence(word, size))
        end_line(w);
}

void roff_text(FILE *out, const char *text, size_t size, roff_mark_fn *mark)
{
    writer w = { out, mark, 0 };
    const char *end = text + size;
    while (text < end) {
        const char *word = text;
        while (text < end && !isspace((unsigned char)*text))
            text++;
        if (text > word && !add_marked(&w, word, (size_t)(text - word)))
            add_word(&w, word, (size_t)(text - word));
        while (text < end && isspace((unsigned char)*text))
            text++;
    }
    end_line(&w);
}

/* ---- Options ------------------------------------------------------------ */

/* "-select", "--max-depth": as .Fl wants it, without the first dash. */
const char *roff_mark_option(const char **word, size_t *size)
{
    char name[64];
    size_t dashes = 0;
    while (dashes < *size && (*word)[dashes] == '-')
        dashes++;
    if (dashes == 0 || dashes > 2 || *size >= sizeof(name))
        return NULL;
    snprintf(name, sizeof(name), "%.*s", (int)*size, *word);
    if (!tfprof_option_find(name + dashes, NULL) && !cli_find_switch(name))
        return NULL;
    *word += 1;
    *size -= 1;
    return "Fl";
}

void roff_said(FILE *out, const char *text)
{
    roff_text(out, text, strlen(text), roff_mark_option);
}

/* ---- Paragraphs and items ----------------------------------------------- */

static void put_item(FILE *out, const char *line, size_t word, size_t size,
                     roff_mark_fn *mark)
{
    bool is_option = line[0] == '-';
    fprintf(out, ".It %s ", is_option ? "Fl" : "Cm");
    roff_put(out, line + is_option, word - is_option);
    putc('\n', out);
    roff_text(out, line + word + 1, size - word - 1, mark);
}

void roff_paragraphs(FILE *out, const char *text, roff_mark_fn *mark)
{
    bool is_listing = false, is_apart = false;
    while (*text) {
        size_t size = strcspn(text, "\n"), word = strcspn(text, "\t\n");
        bool is_item = text[word] == '\t';
        if (is_item && !is_listing)
            fputs(".Bl -tag -width Ds\n", out);
        else if (!is_item && is_listing && size > 0)
            fputs(".El\n", out);
        if (!is_item && is_apart && size > 0)
            fputs(".Pp\n", out);
        if (is_item)
            put_item(out, text, word, size, mark);
        else if (size > 0)
            roff_text(out, text, size, mark);
        if (size > 0) {
            is_listing = is_item;
            is_apart = true;
        }
        text += size + (text[size] == '\n');
    }
    if (is_listing)
        fputs(".El\n", out);
}

/* ---- Pages -------------------------------------------------------------- */

void roff_head(FILE *out, const char *name, int section, const char *date,
               const char *summary)
{
    fprintf(out,
            ".\\\" Made by tfprof_manual from the tables of tfprof.\n"
            ".Dd %s\n.Dt ",
            date);
    for (const char *at = name; *at; at++)
        putc(toupper((unsigned char)*at), out);
    fprintf(out, " %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd ", section, name);
    for (size_t i = 0; summary[i] && !(summary[i] == '.' && !summary[i + 1]);
         i++)
        putc(i == 0 ? tolower((unsigned char)summary[0]) : summary[i], out);
    putc('\n', out);
}
