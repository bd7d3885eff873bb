/*
 * header.h - a public header, cut into what is said and what is declared.
 *
 * The headers have one form: a comment over the whole file, then sections
 * ("---- Title ----"), comments, and below each comment the declarations that
 * it is about.
 */
#ifndef TFP_MANUAL_HEADER_H
#define TFP_MANUAL_HEADER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum header_kind {
    HEADER_SECTION, /* text: its title */
    HEADER_COMMENT, /* text: paragraphs, divided by empty lines */
    HEADER_CODE     /* text: one declaration, as it is written */
} header_kind;

typedef struct header_piece {
    header_kind kind;
    char text[8192];
} header_piece;

/* Steps to the next piece; false at the end. *at begins as the whole text. */
bool header_next(const char **at, header_piece *piece);

#endif
