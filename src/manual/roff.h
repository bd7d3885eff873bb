/*
 * roff.h - text in the language of man pages, with the macros of mdoc(7).
 */
#ifndef TFP_MANUAL_ROFF_H
#define TFP_MANUAL_ROFF_H

#include <stddef.h>
#include <stdio.h>

/* Writes bytes as they are to be shown, in the middle of a line. */
void roff_put(FILE *out, const char *text, size_t size);

/* A line of a literal display. */
void roff_line(FILE *out, const char *text);

/* The macro that a word of a text is marked with, "Fl" for one, or NULL. *word
 * and *size may be changed to what is written behind the macro. */
typedef const char *roff_mark_fn(const char **word, size_t *size);

/* Marks what is an option of tfprof. */
const char *roff_mark_option(const char **word, size_t *size);

/* `size` bytes of running text, without an empty line in it. */
void roff_text(FILE *out, const char *text, size_t size, roff_mark_fn *mark);

/* Running text in which options are marked. */
void roff_said(FILE *out, const char *text);

/* Paragraphs and items, in the form of cli/topics.c. */
void roff_paragraphs(FILE *out, const char *text, roff_mark_fn *mark);

/* The head of a page. `section` is 1 or 3. */
void roff_head(FILE *out, const char *name, int section, const char *date,
               const char *summary);

#endif
