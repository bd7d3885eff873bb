/*
 * manual.h - the parts of tfprof_manual, which makes man pages, completions for
 * shells and docs/options.md from the tables of the program while it is built.
 *
 * A program of a build: what fails ends it with a word on stderr.
 */
#ifndef TFP_MANUAL_MANUAL_H
#define TFP_MANUAL_MANUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/cli.h"

/* ---- Files -------------------------------------------------------------- */

/* Ends the program. */
_Noreturn void manual_fail(const char *what, const char *name);

/* `folder` may be NULL. */
FILE *manual_create(const char *folder, const char *name);
void manual_finish(FILE *out, const char *name);

/* All of a file, ended by NUL. Release it with free(). */
char *manual_read(const char *path);

/* ---- Tables ------------------------------------------------------------- */

/* The commands that read inputs and so have options: those of the table, and
 * behind them the prompt. NULL past the last one. */
const cli_command *manual_command(size_t index);
bool manual_is_prompt(const cli_command *command);

/* The words of an option, or the parts of any text that "|" divides. */
typedef struct manual_word {
    const char *text;
    size_t size;
} manual_word;

/* Steps to the next word of *text; false past the last one. */
bool manual_next(const char **text, char divider, manual_word *word);

/* Are the values of an option words, one or several of which it takes? */
bool manual_has_words(const tfprof_option *option);

/* How the value of an option is completed. */
typedef enum manual_value {
    MANUAL_SWITCH, /* true or false, or nothing */
    MANUAL_WORDS,
    MANUAL_SET,
    MANUAL_OUTPUT,
    MANUAL_FILES, /* divided by commas */
    MANUAL_TEXT   /* not at all */
} manual_value;

manual_value manual_value_of(const tfprof_option *option);

/* Writes the words that an option accepts for this command, each after a blank,
 * then their aliases. Words of an output end after "outfile=", where the file
 * name follows. The words of a set begin with its default. */
void manual_put_words(FILE *out, const cli_command *command,
                      const tfprof_option *option);

/* The bytes of the first sentence, without its full stop. */
size_t manual_first_sentence(const char *text);

/* ---- Pages -------------------------------------------------------------- */

/* What a page is made of. `date` is "November 15, 2026". */
typedef struct manual_source {
    const char *folder; /* to write to */
    const char *date;
    const char *include; /* folder of the public headers */
} manual_source;

void manual_write_pages(const manual_source *source);
void manual_write_library(const manual_source *source);

/* Sections of pages. */
void manual_put_prompt_commands(FILE *out);
void manual_put_keys(FILE *out);
void manual_put_variables(FILE *out, bool for_prompt);
void manual_put_files(FILE *out);

/* ---- Completions and docs ----------------------------------------------- */

/* A part of a template: what stands in the place of a line "@name what". */
typedef struct manual_part {
    const char *name;
    void (*write)(FILE *out, const char *what, const char *template_text);
} manual_part;

extern const manual_part manual_bash_parts[]; /* each ends with NULL */
extern const manual_part manual_zsh_parts[];
extern const manual_part manual_fish_parts[];
extern const manual_part manual_markdown_parts[];
extern const manual_part *const manual_parts[]; /* all of these, then NULL */

void manual_fill(FILE *out, const char *template_path);

#endif
