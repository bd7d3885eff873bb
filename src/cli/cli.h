/*
 * cli.h - the parts of the program.
 *
 * Only this room prints and exits. It sees the library as any customer does:
 * through the public headers.
 */
#ifndef TFP_CLI_CLI_H
#define TFP_CLI_CLI_H

#include <stdbool.h>
#include <stdio.h>

#include <tfprof/tfprof.h>

enum {
    EXIT_ANSWERED = 0,
    EXIT_INPUT = 1,    /* an input is unreadable, damaged or empty */
    EXIT_USAGE = 2,    /* wrong usage, or asked for what the inputs lack */
    EXIT_OUTPUT = 3,   /* the answer was not written */
    EXIT_LIMIT = 4,    /* a limit, or memory, was exceeded */
    EXIT_BROKEN = 5,   /* a budget is broken */
    EXIT_OPEN = 6,     /* a budget has no verdict, and one is required */
    EXIT_SIGNAL = 128, /* and the number of the signal */
    EXIT_CANCELLED = 130
};

/* Of a question. An input that lacks something is another matter: load.c. */
int cli_exit_code(int status);

/* ---- Commands ----------------------------------------------------------- */

typedef struct cli_command {
    const char *name;
    const char *usage;    /* what follows the name */
    const char *summary;  /* one line */
    const char *about;    /* a paragraph for its help, or "" */
    const char *examples; /* lines, each a command that works */
    unsigned groups;      /* of options it takes: bits 1 << group */
    const char *without;  /* options of these groups that it refuses, as a|b */
    int (*run)(const struct cli_command *command, char **args);
    /* The words that may come first, up to NULL. Without this function the
     * first word is an input. */
    const char *(*word_at)(size_t index);
} cli_command;

enum { CLI_MOST_WORDS = 8 }; /* of word_at() */

extern const cli_command cli_commands[]; /* ends with a name of NULL */
const cli_command *cli_find_command(const char *name);

/* The most similar command's name, or NULL. */
const char *cli_nearest_command(const char *name);

/* Writes the command line to use instead of `word`, which is not a command but
 * is often typed as one. False if there is no suggestion for the word. */
enum { CLI_LONGEST_EXAMPLE = 256 };
bool cli_find_meant(const char *word, bool at_prompt,
                    char command[CLI_LONGEST_EXAMPLE]);

bool cli_takes(const cli_command *command, const tfprof_option *option);

/* The default of an option in a command, which can have its own default. "" if
 * the command refuses the default. `command` may be NULL. */
const char *cli_default_of(const cli_command *command,
                           const tfprof_option *option);

/* What an option does, in whole sentences. A command can have its own text.
 * `command` may be NULL. */
const char *cli_help_of(const cli_command *command,
                        const tfprof_option *option);

int cli_run_advise(const cli_command *command, char **args);
int cli_run_aggregate(const cli_command *command, char **args);
int cli_run_diff(const cli_command *command, char **args);
int cli_run_check(const cli_command *command, char **args);
int cli_run_baseline(const cli_command *command, char **args);
int cli_run_demo(const cli_command *command, char **args);
int cli_run_flops(const cli_command *command, char **args);
int cli_run_info(const cli_command *command, char **args);
int cli_run_report(const cli_command *command, char **args);
int cli_run_summary(const cli_command *command, char **args);
int cli_run_table(const cli_command *command, char **args);
int cli_run_tui(const cli_command *command, char **args);
int cli_run_view(const cli_command *command, char **args);
int cli_run_xprof(const cli_command *command, char **args);
int cli_run_help(const cli_command *command, char **args);
int cli_run_prompt(const cli_command *command, char **args);

/* Words of an option that a command refuses, though it takes the option. */
typedef struct cli_refusal {
    const char *command; /* NULL: each view */
    const char *option;
    const char *words;   /* "a|b"; of "!a|b" all others */
    const char *instead; /* what it takes, or NULL: the library tells it */
} cli_refusal;

/* Is this word of an option, of `size` bytes, refused? NULL: no. */
const cli_refusal *cli_find_refusal(const cli_command *command,
                                    const char *option, const char *word,
                                    size_t size);

/* Other words for the words of an option, unless the command refuses these,
 * one by one: the next from *index on, which is 0 at first; NULL past the last
 * one. */
const char *cli_next_alias(const cli_command *command,
                           const tfprof_option *option, size_t *index);

/* What the program is for, in help and in the manual. */
#define CLI_PURPOSE                                                            \
    "tfprof shows which parts of a machine-learning model use the "            \
    "parameters, the time and the memory. It reads files that TensorFlow and " \
    "JAX write."

/* What runs without a command's name. */
extern const cli_command cli_prompt_as_command;

/* What a complaint calls a command: "scope", but "the prompt". */
const char *cli_title(const cli_command *command);

/* A switch of the program itself, which is no option of the library. */
typedef struct cli_switch {
    const char *letter; /* "-q", or NULL */
    const char *name;   /* "--quiet" */
    const char *help;
    size_t place;      /* of a bool in cli_args */
    bool is_of_prompt; /* no command takes it */
} cli_switch;

extern const cli_switch cli_switches[]; /* ends with a name of NULL */

/* The one that a word names, which may end in "=value"; or NULL. */
const cli_switch *cli_find_switch(const char *word);
bool cli_takes_switch(const cli_command *command, const cli_switch *s);

/* The most similar name of an option, or of a switch that the command takes;
 * without dashes, or NULL. */
const char *cli_nearest_option(const cli_command *command, const char *name);

typedef struct cli_ending {
    const char *code;
    const char *meaning;
} cli_ending;

extern const cli_ending cli_endings[]; /* ends with a code of NULL */

/* Groups of options as help lists them: what the one in place `index` is about,
 * and which it is; NULL past the last one. */
const char *cli_group_at(size_t index, tfprof_option_group *group);

/* The options of a group that `command` takes, or all if it is NULL, one by
 * one: the next from *index on, which is 0 at first; NULL past the last one. */
const tfprof_option *cli_next_option(const cli_command *command,
                                     tfprof_option_group group, size_t *index);

/* ---- Topics ------------------------------------------------------------- */

typedef struct cli_topic {
    const char *name;
    const char *summary;  /* one line */
    const char *text;     /* paragraphs and items: topics.c has its form */
    const char *examples; /* lines, see topics.c */
} cli_topic;

extern const cli_topic cli_topics[]; /* ends with a name of NULL */
const cli_topic *cli_find_topic(const char *name);

/* A word of -select: a metric, a fact, or another word for a metric. */
typedef struct cli_metric {
    char word[32];   /* "time" */
    char means[32];  /* "micros"; the word itself unless it is an alias */
    char about[256]; /* what the topic of metrics says of its meaning */
} cli_metric;

/* The words in the order of that topic, aliases last. False past the last. */
bool cli_metric_at(size_t index, cli_metric *out);
bool cli_find_metric(const char *word, cli_metric *out);

/* Is help on this word help on a command or a topic? */
bool cli_is_topic(const char *word);

/* One line in the form of those of a topic, or "". */
const char *cli_option_example(const tfprof_option *option);

/* Puts the first of some lines together, as it is typed. */
void cli_make_example(char command[CLI_LONGEST_EXAMPLE], const char *line,
                      bool at_prompt);

/* ---- Arguments ---------------------------------------------------------- */

/* One input as it was asked for. */
typedef struct cli_input {
    const char *path; /* points into the arguments */
    const char *role; /* name of the option, or NULL */
    bool has_step;
    long long step;
} cli_input;

typedef struct cli_args {
    const cli_command *command; /* that they were given to */
    cli_input *inputs;
    size_t input_count, input_capacity;
    const char *format;             /* as it was given, or NULL */
    const char *select, *own;       /* the same */
    const tfprof_option *no_effect; /* one that was given, or NULL */
    bool quiet;
    bool strict;
    bool help;
} cli_args;

/* Reads the arguments of a command: options are set on `profile`, inputs
 * listed. Prints what is wrong and returns EXIT_USAGE, or EXIT_LIMIT. Paths
 * are cut apart in place. `out` has the switches as they are without these. */
int cli_parse(const cli_command *command, char **args, tfprof_profile *profile,
              cli_args *out);
void cli_args_release(cli_args *args);

/* ---- Loading ------------------------------------------------------------ */

typedef int cli_answer_fn(const cli_command *command, tfprof_profile *profile,
                          const cli_args *args);

/* The way of every command that reads inputs: takes its arguments, prints its
 * help if that is asked for, else calls `answer` on a profile of its own. */
int cli_run_on_inputs(const cli_command *command, char **args,
                      cli_answer_fn *answer);

/* Has a form been asked for that the command does not have? Then it is said.
 * The library says so too, but only after everything was read. */
bool cli_refuses_form(const cli_command *command, const cli_args *args);

/* Does an answer go to stdout, not into a file? */
bool cli_writes_stdout(const tfprof_profile *profile);

/* Do the options ask for bytes, not for text, on stdout? And if so, is that a
 * terminal? Then it is said. */
bool cli_sends_bytes(const tfprof_profile *profile);
bool cli_refuses_screen(const tfprof_profile *profile);

typedef enum cli_loaded {
    CLI_LOADED_NOT,  /* there is nothing to tell about */
    CLI_LOADED_SOME, /* of some inputs nothing could be kept */
    CLI_LOADED_ALL   /* though perhaps only the part before the damage */
} cli_loaded;

/* Adds every input, and complains of each that failed. *code is the worst
 * exit code. */
cli_loaded cli_load(tfprof_profile *profile, const cli_args *args, int *code);

/* cli_load() in two steps, for inputs that are read later. Adds every input. If
 * that fails, reports the error, sets the exit code and returns false. */
bool cli_add_inputs(tfprof_profile *profile, const cli_args *args, int *code);

/* Prints the commands to type in place of one with a directory that has several
 * log directories. */
void cli_suggest_logs(const tfprof_profile *profile, const cli_args *args,
                      size_t index);

/* Reports every input that failed; *worst is the most severe exit code. */
cli_loaded cli_judge_inputs(const tfprof_profile *profile, const cli_args *args,
                            int *worst);

/* ---- Terminal ----------------------------------------------------------- */

/* One that shows what it gets byte for byte, and cannot move its cursor. */
bool cli_is_dumb_terminal(void);

/* Puts in place of `auto` and -1 what the terminal at hand can show: before
 * each question. True when there are colors that nobody asked for. */
bool cli_fit_terminal(tfprof_profile *profile);

/* Is a view a table? Where no option says so, TFPROF_FORMAT does, and then
 * whether a person reads it. */
bool cli_shows_table(const tfprof_profile *profile);

/* The size of the window that is open there. False when it is not known, or
 * there is none. */
bool cli_window(int fd, size_t *rows, size_t *columns);

/* Are complaints colored? By the terminal that stderr is, and by the options
 * of a profile as long as there is one; NULL: no more. */
void cli_talk_in_color(const tfprof_profile *profile);
bool cli_talks_in_color(void);

/* ---- Talk --------------------------------------------------------------- */

/* "tfprof: what went wrong", on stderr. */
void cli_complain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* From now on complaints say that they are about line `number` of what is
 * fed to the prompt; 0: about no line. */
void cli_talk_about_line(size_t number);

/* The same about an input of the profile, with the place in it. */
void cli_complain_input(const tfprof_profile *profile, size_t index,
                        const char *prefix);

/* On a terminal: which file was written, its size, and how to open it. The
 * context is the profile. */
void cli_tell_file(void *profile, const char *path);

/* A word as a shell reads it. */
void cli_print_quoted(FILE *out, const char *word);

/* Prints the library's remarks, unless -q forbids it. */
void cli_listen(tfprof_profile *profile, const cli_args *args);

/* Text of help: paragraphs and items, in 80 columns. */
void cli_print_text(FILE *out, const char *text);
void cli_print_examples(FILE *out, const char *lines, bool at_prompt);

/* An option with its values, its default and what it does. */
void cli_print_option(FILE *out, const cli_command *command,
                      const tfprof_option *option);
void cli_print_switch(FILE *out, const cli_switch *s);

/* The options that `command` takes, or all; by group. */
void cli_print_options(FILE *out, const cli_command *command);

/* All options by group, a line each. */
void cli_print_option_list(FILE *out);

/* What there is; help has all options behind it. */
void cli_print_usage(FILE *out);
void cli_print_help(FILE *out);

/* A topic or a message of several words as one text, with single blanks. NULL:
 * out of memory. */
char *cli_join_words(char **words);

void cli_print_command_help(FILE *out, const cli_command *command);

/* Of a clock that only goes forward. */
double cli_seconds(void);

/* Shows on a terminal how far reading has come, after the first second, and
 * cancels it after a signal. */
typedef struct cli_progress {
    bool on;
    bool shown;
    double started, last;
} cli_progress;

void cli_progress_start(cli_progress *progress, tfprof_profile *profile,
                        bool quiet);
void cli_progress_stop(cli_progress *progress, tfprof_profile *profile);

/* A tfprof_write_fn over stdout; `context` is an int that is 0 until it
 * fails, and then what errno was: EINTR when Ctrl-C ended it. */
int cli_write_stdout(void *context, const void *data, size_t size);

/* Says that stdout could not be written because of `why`; EXIT_OUTPUT. */
int cli_fail_stdout(int why);

/* Flushes stdout; EXIT_OUTPUT with a complaint when it could not be written,
 * else `code`. */
int cli_finish_stdout(int code);

/* The exit code of a question: `code` when it was answered, else that of the
 * failure or the signal, with a complaint. `why` is that of
 * cli_write_stdout(). */
int cli_end_answer(int status, int why, const tfprof_error *err, int code);

#endif
