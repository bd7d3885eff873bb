/*
 * prompt.h - the parts of the prompt.
 *
 * prompt.c has the loop, commands.c what can be typed. A line comes from
 * edit.c (a terminal) or lines.c (all else), is cut by words.c
 * and answered through pager.c. signals.c knows what happens meanwhile.
 */
#ifndef TFP_CLI_PROMPT_H
#define TFP_CLI_PROMPT_H

#include "cli/cli.h"

#define CLI_PROMPT "tfprof> "

typedef struct cli_session {
    tfprof_profile *profile;
    FILE *screen;      /* of who types: stdout, or stderr if answers go
                        * elsewhere */
    bool on_terminal;  /* somebody types */
    bool quiet;        /* always, or for this line */
    bool starts_quiet; /* as the command line has it */
    bool strict;       /* the first error ends it */
    bool ended;        /* by quit, or because answers cannot be written */
    bool key_came;     /* at this prompt, before a Ctrl-C */
    bool drop_typed;   /* what was typed ahead of a Ctrl-C is void */
    bool gap;          /* an empty line belongs before the next answer */
    bool reader_gone;  /* whoever read the answers */
    bool lacks_pager;  /* $PAGER was tried, and cannot be run */
    char *remarks[64]; /* those that were made; most are made once */
    size_t remark_count;
} cli_session;

/* "note: ..." on stderr, once a session. */
void cli_remark(cli_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- Lines -------------------------------------------------------------- */

typedef enum cli_line_status {
    CLI_LINE_READ,
    CLI_LINE_END,
    CLI_LINE_INTERRUPTED, /* by Ctrl-C, or by a signal that ends all */
    CLI_LINE_REFUSED,     /* complained of: too long, or a NUL byte in it */
    CLI_LINE_NO_MEMORY
} cli_line_status;

/* A line without its newline. It lives until the next one is read. */
typedef struct cli_line {
    char *text; /* ends in NUL */
    size_t size;
} cli_line;

enum { CLI_LONGEST_LINE = 16 << 20 };

/* Is this a line that can be worked with? Complains if not. */
bool cli_check_line(const cli_line *line, bool too_long);

/* Reads lines from stdin as they are, with a prompt on a terminal. */
typedef struct cli_reader cli_reader;
cli_reader *cli_reader_new(const cli_session *session);
void cli_reader_free(cli_reader *reader);
cli_line_status cli_reader_next(cli_reader *reader, cli_line *line);

/* Reads lines from a terminal in which they can be edited. NULL when the
 * terminal cannot do that: use a cli_reader then. */
typedef struct cli_editor cli_editor;
cli_editor *cli_editor_new(cli_session *session);
void cli_editor_free(cli_editor *editor);
cli_line_status cli_editor_next(cli_editor *editor, cli_line *line);

/* ---- History ------------------------------------------------------------ */

/* A file of lines in the user's state directory. Whatever is wrong with it
 * only means that lines are not remembered. */
typedef struct cli_history cli_history;

/* Calls `add` with each line that is there, the oldest first. */
cli_history *cli_history_open(void (*add)(void *context, const char *line),
                              void *context);
void cli_history_add(cli_history *history, const char *line);
void cli_history_close(cli_history *history);

/* ---- Words -------------------------------------------------------------- */

/* The words of a line. */
typedef struct cli_words {
    char **data; /* ends with NULL */
    size_t count;
    char *text;        /* where the words stand */
    char quote;        /* the one that was not closed, or 0 */
    size_t last_start; /* where the last word begins in the line */
    bool last_ended;   /* a blank follows it */
} cli_words;

/* Cuts a line at blanks. "..." and '...' hold blanks together; in "..." \"
 * is a quote. Every other backslash stays, for patterns need it. False when
 * out of memory. */
bool cli_words_cut(cli_words *words, const char *line, size_t size);
void cli_words_release(cli_words *words);

/* ---- Commands ----------------------------------------------------------- */

typedef struct cli_prompt_command {
    cli_command shown; /* described as those of the command line are */
    int (*run)(cli_session *session, const struct cli_prompt_command *command,
               char **args);
} cli_prompt_command;

extern const cli_prompt_command cli_prompt_commands[]; /* ends with NULL */
const cli_prompt_command *cli_find_prompt_command(const char *name);
const char *cli_nearest_prompt_command(const char *name); /* or NULL */

/* What a session begins with where somebody reads it. */
int cli_show_summary(cli_session *session);

/* Answers a line; the exit code that it would have alone. */
int cli_run_line(cli_session *session, const cli_line *line);

/* `topic` can be a message; NULL: what there is. Returns the exit code, after a
 * complaint if there is no help on it. */
int cli_print_prompt_help(FILE *out, const char *topic);

/* ---- Completion --------------------------------------------------------- */

/* What the word at the end of a line may become. */
typedef struct cli_choices {
    char **data; /* sorted */
    size_t count;
    size_t start;    /* where in the line the part begins that they replace */
    bool more;       /* there were too many */
    char quote;      /* that the part stands in, or 0 */
    bool part_of_it; /* of a longer word: more may follow */
} cli_choices;

void cli_complete(const cli_session *session, const char *line, size_t size,
                  cli_choices *out);
void cli_choices_release(cli_choices *choices);

/* ---- Answers ------------------------------------------------------------ */

/* An answer on its way to stdout, through $PAGER once it is longer than the
 * screen. */
typedef struct cli_pager {
    bool gap;        /* begins with an empty line */
    bool has_answer; /* something was written */
    bool on_types;   /* its last line is about input types */
    char line[16];   /* how the line begins that is being written */
    size_t line_size;
    bool may_page;
    bool running;
    bool is_unusable; /* it cannot be run */
    bool keeps;       /* `held` is all that the pager got */
    bool quit;        /* by the user, before the end: no error */
    int why;          /* errno of a write to stdout that failed, or 0 */
    char *held;       /* what came before the pager is needed */
    size_t held_size, held_capacity;
    size_t rows_left, columns, column; /* of the screen */
    bool drops_color;                  /* unless the pager takes it */
    bool drops_code, counts_code;      /* inside the code of a color */
    int pipe;
    long child;
} cli_pager;

void cli_pager_start(cli_pager *pager, const cli_session *session);

/* A tfprof_write_fn; `context` is the cli_pager. */
int cli_pager_write(void *context, const void *data, size_t size);

/* Writes what is held and waits for the pager. False when stdout could not
 * be written; `why` says why. */
bool cli_pager_end(cli_pager *pager);

#endif
