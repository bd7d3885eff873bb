/*
 * complete.c - what the word at the end of a line may become.
 *
 * What is completed follows from the table of commands, the table of options
 * and the model: the name of a command, of an option, a word that the option
 * before it takes, a file, the name of a node. Names that a terminal could not
 * show as they are, are left out.
 */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/prompt.h"

enum { MOST_CHOICES = 200 };

/* The word at hand: all of it as it will be read, and the part of it that is
 * completed now, which is its end. */
typedef struct place {
    tfprof_profile *profile;
    const cli_command *command; /* that the line begins with, or NULL */
    const char *part;
    cli_choices *out;
} place;

/* ---- Choices ------------------------------------------------------------ */

static bool is_plain(const char *text, size_t size)
{
    char safe[PATH_MAX];
    return tfprof_escape(text, size, safe, sizeof(safe)) == size &&
           !memchr(text, '\0', size);
}

static bool add(cli_choices *c, const char *text, size_t size)
{
    if (c->count == MOST_CHOICES) {
        c->more = true;
        return false;
    }
    c->data[c->count] = strndup(text, size);
    if (c->data[c->count])
        c->count++;
    return true;
}

static void add_matching(place *p, const char *text, size_t size)
{
    size_t typed = strlen(p->part);
    if (size >= typed && !memcmp(text, p->part, typed))
        add(p->out, text, size);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void drop_all(cli_choices *c)
{
    while (c->count > 0)
        free(c->data[--c->count]);
}

void cli_choices_release(cli_choices *c)
{
    drop_all(c);
    free(c->data);
    *c = (cli_choices){ 0 };
}

/* From here on only what follows these bytes of the part is completed. */
static void step_in(place *p, size_t size)
{
    p->part += size;
}

/* ---- Words of the tables ------------------------------------------------ */

static void complete_command(place *p)
{
    for (const cli_prompt_command *c = cli_prompt_commands; c->shown.name; c++)
        add_matching(p, c->shown.name, strlen(c->shown.name));
}

static void replace(char *text, char old, char new)
{
    for (; *text; text++) {
        if (*text == old)
            *text = new;
    }
}

/* With the dashes that were typed, in the name too. */
static void complete_option(place *p, const cli_prompt_command *command)
{
    const char *dashes = p->part[0] == '-' && p->part[1] == '-' ? "--" : "-";
    bool has_dash = strchr(p->part + strspn(p->part, "-"), '-') != NULL;
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i);
        char name[64];
        if (!cli_takes(&command->shown, option))
            continue;
        snprintf(name, sizeof(name), "%s%s", dashes, option->name);
        if (has_dash)
            replace(name, '_', '-');
        add_matching(p, name, strlen(name));
    }
}

/* Those that the command does not refuse; of one that a file belongs to what
 * stands before its name. */
static void complete_words(place *p, const tfprof_option *option)
{
    const char *alias;
    for (size_t i = 0; (alias = cli_next_alias(p->command, option, &i));)
        add_matching(p, alias, strlen(alias));
    for (const char *at = option->values; *at;) {
        size_t size = strcspn(at, "|"), shown = strcspn(at, "=|");
        if (!cli_find_refusal(p->command, option->name, at, size))
            add_matching(p, at, shown + (at[shown] == '='));
        at += size + (at[size] == '|');
    }
}

/* Behind the last comma that divides. */
static void step_behind_comma(place *p)
{
    size_t start = 0;
    for (size_t i = 0; p->part[i]; i++) {
        if (p->part[i] == '\\' && p->part[i + 1])
            i++;
        else if (p->part[i] == ',')
            start = i + 1;
    }
    step_in(p, start);
    p->out->part_of_it = true;
}

static void complete_topic(place *p)
{
    cli_metric metric;
    complete_command(p);
    for (const cli_topic *t = cli_topics; t->name; t++)
        add_matching(p, t->name, strlen(t->name));
    for (size_t i = 0; cli_metric_at(i, &metric); i++) {
        if (!cli_is_topic(metric.word))
            add_matching(p, metric.word, strlen(metric.word));
    }
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const char *name = tfprof_option_at(i)->name;
        add_matching(p, name, strlen(name));
    }
}

/* ---- Files -------------------------------------------------------------- */

static bool is_folder(const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat about;
    int size = snprintf(path, sizeof(path), "%s/%s", folder, name);
    return size > 0 && (size_t)size < sizeof(path) && stat(path, &about) == 0 &&
           S_ISDIR(about.st_mode);
}

/* The entries of a folder; a hidden one only when its dot was typed. */
static void complete_entries(place *p, const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries)) != NULL) {
        char name[NAME_MAX + 2];
        size_t size;
        if ((entry->d_name[0] == '.' && p->part[0] != '.') ||
            !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        size = (size_t)snprintf(name, sizeof(name), "%s%s", entry->d_name,
                                is_folder(folder, entry->d_name) ? "/" : "");
        if (is_plain(name, size))
            add_matching(p, name, size);
    }
    if (entries)
        closedir(entries);
}

static void complete_file(place *p)
{
    const char *slash = strrchr(p->part, '/');
    char folder[PATH_MAX] = ".";
    if (slash) {
        size_t size = (size_t)(slash + 1 - p->part);
        if (size >= sizeof(folder))
            return;
        memcpy(folder, p->part, size);
        folder[size] = '\0';
        step_in(p, size);
    }
    complete_entries(p, folder);
}

/* ---- Names of nodes ----------------------------------------------------- */

static int add_name(void *context, const char *name, size_t size)
{
    place *p = context;
    return is_plain(name, size) && !add(p->out, name, size);
}

/* A pattern that is no beginning of a name finds nothing. */
static void complete_name(place *p)
{
    step_behind_comma(p);
    tfprof_profile_complete_name(p->profile, p->part, add_name, p, NULL);
}

/* ---- The value of an option --------------------------------------------- */

static void complete_output(place *p, const tfprof_option *option)
{
    const char *file = strstr(p->part, "outfile=");
    if (option->group == TFPROF_GROUP_OLDER) {
        complete_file(p);
    } else if (file) {
        step_in(p, (size_t)(file - p->part) + strlen("outfile="));
        complete_file(p);
    } else {
        complete_words(p, option);
    }
}

static bool ends_in(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);
    return size >= end_size && !strcmp(text + size - end_size, end);
}

static void complete_value(place *p, const tfprof_option *option)
{
    switch (option->kind) {
    case TFPROF_OPTION_BOOL:
    case TFPROF_OPTION_CHOICE: complete_words(p, option); break;
    case TFPROF_OPTION_SET:
        if (!strchr(p->part, ',')) /* auto and all stand alone */
            add_matching(p, option->default_value,
                         strlen(option->default_value));
        step_behind_comma(p);
        complete_words(p, option);
        break;
    case TFPROF_OPTION_LIST:
        if (ends_in(option->name, "_name_regexes"))
            complete_name(p);
        break;
    case TFPROF_OPTION_OUTPUT: complete_output(p, option); break;
    default: break;
    }
}

/* ---- Which of these ----------------------------------------------------- */

/* The option that a word names, up to "=" if there is one. */
static const tfprof_option *option_of(const char *word, size_t size)
{
    char name[64];
    size_t dashes = word[0] != '-' ? 0 : word[1] == '-' ? 2 : 1;
    if (dashes == 0 || size >= sizeof(name))
        return NULL;
    snprintf(name, sizeof(name), "%.*s", (int)(size - dashes), word + dashes);
    return tfprof_option_find(name, NULL);
}

static void complete_argument(place *p, const cli_prompt_command *command,
                              const char *before)
{
    const tfprof_option *option = option_of(before, strlen(before));
    size_t name = strcspn(p->part, "=");
    if (option && cli_takes(&command->shown, option))
        complete_value(p, option);
    if (option && option->kind != TFPROF_OPTION_BOOL)
        return;
    option = p->part[name] == '=' ? option_of(p->part, name) : NULL;
    if (option) {
        step_in(p, name + 1);
        complete_value(p, option);
    } else {
        complete_option(p, command);
    }
}

/* `words` are those before the one at hand. */
static void complete(place *p, const cli_words *words, size_t count)
{
    const cli_prompt_command *command;
    if (count == 0) {
        complete_command(p);
        return;
    }
    command = cli_find_prompt_command(words->data[0]);
    if (!command)
        return;
    p->command = &command->shown;
    if (command->shown.groups != 0)
        complete_argument(p, command, words->data[count - 1]);
    else if (count == 1 && !strcmp(command->shown.name, "help"))
        complete_topic(p);
    else if (count == 1 && !strcmp(command->shown.usage, "FILE"))
        complete_file(p);
}

void cli_complete(const cli_session *session, const char *line, size_t size,
                  cli_choices *out)
{
    cli_words words;
    place p = { .profile = session->profile, .part = "", .out = out };
    size_t before;
    *out = (cli_choices){ .start = size };
    out->data = malloc(MOST_CHOICES * sizeof(*out->data));
    if (!out->data || !cli_words_cut(&words, line, size))
        return;
    before = words.count - !words.last_ended;
    if (!words.last_ended)
        p.part = words.data[before];
    out->quote = words.quote;
    complete(&p, &words, before);
    out->start = size - strlen(p.part);
    if (memcmp(line + out->start, p.part, size - out->start) != 0)
        drop_all(out); /* quotes stand inside of it */
    qsort(out->data, out->count, sizeof(*out->data), compare);
    cli_words_release(&words);
}
