/*
 * save.c - writes the view to a file, with the options of the command line.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "tui/session.h"

enum { LONGEST_NAME = 1024 };

/* Returns the format that the end of the file name selects, or NULL. A text
 * file looks like the screen. */
static const char *format_of(const char *name)
{
    static const struct {
        const char *ending, *format;
    } formats[] = {
        { ".csv", "csv" },
        { ".json", "json" },
        { ".txt", "table" },
    };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        size_t size = strlen(formats[i].ending), length = strlen(name);
        if (length > size &&
            !strcasecmp(name + length - size, formats[i].ending))
            return formats[i].format;
    }
    return NULL;
}

/* Writes the value of the option `output`. Commas in the file name are escaped,
 * because a comma would end the name. */
static void make_output(const char *name, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "file:outfile=");
    for (; *name && used + 3 < size; name++) {
        if (*name == ',')
            out[used++] = '\\';
        out[used++] = *name;
    }
    out[used] = '\0';
}

static int set_options(tui_session *s, const char *name, tfprof_error *err)
{
    char output[2 * LONGEST_NAME + 32], given[512], select[640];
    const char *const values[][2] = {
        { "output", output },
        { "select", select }, /* its first metric is the first column */
        { "format", format_of(name) },
        { "sort", "auto" },
        { "order_by", tfprof_metric_word(s->metric) },
    };
    make_output(name, output, sizeof(output));
    tfprof_profile_get(s->profile, "select", given, sizeof(given));
    snprintf(select, sizeof(select), "%s,%s", tfprof_metric_word(s->metric),
             given);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        int status = tfprof_profile_set(s->profile, values[i][0], values[i][1],
                                        err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

static int write_file(tui_session *s, const char *name, tfprof_error *err)
{
    int status = tfprof_profile_keep_options(s->profile, err);
    if (status != TFPROF_OK)
        return status;
    tui_put_bottom(s, "writing; Ctrl-C cancels");
    s->terminal.curses->doupdate();
    tui_signals_busy(true);
    status = set_options(s, name, err);
    if (status == TFPROF_OK)
        status = tfprof_profile_write_view(s->profile, s->now->type, NULL, NULL,
                                           err);
    tui_signals_busy(false);
    tfprof_profile_restore_options(s->profile);
    return status;
}

void tui_save(tui_session *s)
{
    char name[LONGEST_NAME] = "", question[LONGEST_NAME + 64];
    tfprof_error err;
    int status;
    if (!tui_ask(s, "write to (.csv, .json or .txt): ", name, sizeof(name)) ||
        !*name)
        return;
    if (!format_of(name)) {
        tui_say(s, "not written: the file name must end in .csv, .json or "
                   ".txt");
        return;
    }
    snprintf(question, sizeof(question), "%s exists; overwrite it? (y/n)",
             name);
    if (access(name, F_OK) == 0 && !tui_confirm(s, question))
        return;
    status = write_file(s, name, &err);
    if (status == TFPROF_OK)
        tui_say(s, "wrote %s", name);
    tui_say_failure(s, status, &err);
}
