/*
 * args.c - from argv to options and inputs.
 *
 * Options come as -name value, --name value, -name=value or --name=value; "-"
 * and "_" in a name are the same. A boolean without a value is true and takes
 * the next word only if that is "true" or "false" (see next_bool()). Any other
 * argument is an input file; "--" ends the options. If an option is repeated,
 * the last value is used; inputs accumulate. Names, kinds and defaults come
 * from the library's table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cli/cli.h"

typedef struct parser {
    const cli_command *command;
    char **next;
    tfprof_profile *profile;
    cli_args *out;
} parser;

static int fail_memory(void)
{
    cli_complain("out of memory");
    return EXIT_LIMIT;
}

static int add_input(parser *p, cli_input input)
{
    cli_args *out = p->out;
    if (out->input_count == out->input_capacity) {
        size_t capacity = out->input_capacity * 2 + 16;
        cli_input *grown = realloc(out->inputs, capacity * sizeof(*grown));
        if (!grown)
            return fail_memory();
        out->inputs = grown;
        out->input_capacity = capacity;
    }
    out->inputs[out->input_count++] = input;
    return EXIT_ANSWERED;
}

/* "7=file": the file as step 7. A file that is really called so is given as
 * "./7=file". */
static void take_step(cli_input *input)
{
    const char *at = input->path;
    char *end;
    if (*at < '0' || *at > '9')
        return;
    errno = 0;
    input->step = strtoll(at, &end, 10);
    if (end == at || *end != '=' || errno != 0)
        return;
    input->has_step = true;
    input->path = end + 1;
}

/* Cuts "a,b\,c" into "a" and "b,c", in place. */
static int add_paths(parser *p, const tfprof_option *option, char *value)
{
    char *from = value, *to = value, *start = value;
    for (;; from++) {
        if (*from == '\\' && from[1] == ',') {
            *to++ = *++from;
        } else if (*from == ',' || *from == '\0') {
            bool last = *from == '\0';
            cli_input input = { .path = start, .role = option->name };
            int code;
            *to++ = '\0';
            if (!strcmp(option->name, "run_meta_path"))
                take_step(&input);
            if (*input.path == '\0') {
                cli_complain("--%s: empty file name in the list", option->name);
                return EXIT_USAGE;
            }
            code = add_input(p, input);
            if (code != EXIT_ANSWERED || last)
                return code;
            to = start = from + 1;
        } else {
            *to++ = *from;
        }
    }
}

/* The words to type before "help": "tfprof " in a shell, nothing at the prompt.
 * Commands of the prompt have no run(). */
static const char *before_help(const parser *p)
{
    return p->command->run ? "tfprof " : "";
}

static int fail_unknown(const parser *p, const char *name, size_t size)
{
    const char *nearest;
    char copy[64];
    snprintf(copy, sizeof(copy), "%.*s", (int)size, name);
    nearest = cli_nearest_option(p->command, copy);
    if (nearest)
        cli_complain("unknown option --%s (did you mean --%s?)", copy, nearest);
    else
        cli_complain("unknown option --%.*s%s (see %shelp options)",
                     (int)(size < 60 ? size : 60), name, size > 60 ? "..." : "",
                     before_help(p));
    return EXIT_USAGE;
}

/* The option that a word names, which may end in "=value". */
static const tfprof_option *find_option(const char *name, size_t size)
{
    char copy[64];
    if (size >= sizeof(copy))
        return NULL;
    memcpy(copy, name, size);
    copy[size] = '\0';
    return tfprof_option_find(copy, NULL);
}

static int set_option(parser *p, const tfprof_option *option, const char *value)
{
    tfprof_error err;
    int status = tfprof_profile_set(p->profile, option->name, value, &err);
    if (status != TFPROF_OK) {
        cli_complain("%s", err.message);
        return cli_exit_code(status);
    }
    if (!strcmp(option->name, "format"))
        p->out->format = value;
    if (!strcmp(option->name, "select"))
        p->out->select = value;
    if (!strcmp(option->name, "own"))
        p->out->own = value;
    if (option->group == TFPROF_GROUP_NO_EFFECT)
        p->out->no_effect = option;
    return EXIT_ANSWERED;
}

static const char bools[] = "true|false";

static bool is_bool(const char *word)
{
    return word && (!strcasecmp(word, "true") || !strcasecmp(word, "false"));
}

/* Does a word name an option? A value is then missing before it: no pattern
 * or file is likely to be called so, and "=" can still say that it is. */
static bool is_option(const char *word)
{
    const char *name;
    if (word[0] != '-')
        return false;
    name = word + (word[1] == '-' ? 2 : 1);
    return find_option(name, strcspn(name, "=")) != NULL;
}

static int fail_no_value(const tfprof_option *option)
{
    cli_complain("--%s needs a value: %s", option->name, option->values);
    return EXIT_USAGE;
}

static int fail_not_taken(const parser *p, const char *name)
{
    cli_complain("%s does not support --%s (see %shelp %s)",
                 cli_title(p->command), name, before_help(p), p->command->name);
    return EXIT_USAGE;
}

/* Is the word probably meant as the value of the boolean before it, although
 * only "--name=word" sets it? True for "0", "yes" and the like, if no file has
 * that name. */
static bool is_stray_bool(const char *word)
{
    return tfprof_truth(word) >= 0 && access(word, F_OK) != 0;
}

/* The value of a boolean without "=". The next word is its value only if it is
 * "true" or "false", since `1` or `t` may be input files; upstream's only
 * boolean takes every spelling. Otherwise the value is "true" and the next word
 * is a new argument. NULL, with a message, if that word looks like a value
 * and is not a file. */
static const char *next_bool(parser *p, const char *name)
{
    bool is_upstream = !strcmp(name, "account_displayed_op_only");
    if (is_bool(*p->next) || (is_upstream && tfprof_truth(*p->next) >= 0))
        return *p->next++;
    if (!is_stray_bool(*p->next))
        return "true";
    cli_complain(
        "--%s accepts only true or false as the next word, not '%s' (to set "
        "the option, use --%s=%s; for a file with this name, use ./%s)",
        name, *p->next, name, *p->next, *p->next);
    return NULL;
}

static int take_switch(parser *p, const cli_switch *s, const char *word)
{
    const char *name = s->name + 2, *value = strchr(word, '=');
    int truth;
    if (!cli_takes_switch(p->command, s))
        return fail_not_taken(p, name);
    value = value ? value + 1 : next_bool(p, name);
    if (!value)
        return EXIT_USAGE;
    truth = tfprof_truth(value);
    if (truth < 0) {
        cli_complain("--%s accepts %s, not '%s'", name, bools, value);
        return EXIT_USAGE;
    }
    *(bool *)((char *)p->out + s->place) = truth;
    return EXIT_ANSWERED;
}

static int parse_option(parser *p, char *word)
{
    char *name = word + (word[1] == '-' ? 2 : 1);
    const char *alone;
    char *value;
    size_t size = strcspn(name, "=");
    const tfprof_option *option = find_option(name, size);
    if (!option)
        return fail_unknown(p, name, size);
    if (!cli_takes(p->command, option))
        return fail_not_taken(p, option->name);
    value = name[size] == '=' ? name + size + 1 : NULL;
    if (!value && option->kind == TFPROF_OPTION_BOOL) {
        alone = next_bool(p, option->name);
        return alone ? set_option(p, option, alone) : EXIT_USAGE;
    }
    if (!value) {
        if (!*p->next || is_option(*p->next))
            return fail_no_value(option);
        value = *p->next++;
    }
    return option->kind == TFPROF_OPTION_PATHS ? add_paths(p, option, value)
                                               : set_option(p, option, value);
}

int cli_parse(const cli_command *command, char **args, tfprof_profile *profile,
              cli_args *out)
{
    parser p = { command, args, profile, out };
    bool options_ended = false;
    out->command = command;
    while (*p.next) {
        char *word = *p.next++;
        int code;
        if (options_ended || word[0] != '-' || word[1] == '\0')
            code = add_input(&p, (cli_input){ .path = word });
        else if (!strcmp(word, "--"))
            code = EXIT_ANSWERED, options_ended = true;
        else if (cli_find_switch(word))
            code = take_switch(&p, cli_find_switch(word), word);
        else
            code = parse_option(&p, word);
        if (code != EXIT_ANSWERED)
            return code;
    }
    return EXIT_ANSWERED;
}

void cli_args_release(cli_args *args)
{
    free(args->inputs);
    *args = (cli_args){ 0 };
}
