/*
 * main.c - tfprof_manual: what is made of the tables while tfprof is built.
 *
 *   tfprof_manual pages FOLDER DATE INCLUDE      man pages of section 1 and 3
 *   tfprof_manual fill FILE TEMPLATE             what has a template: the
 *                                                completions, docs/options.md
 *
 * DATE is that of the release, or of the sources, as 2026-11-15;
 * "release:" before it means the former. Otherwise SOURCE_DATE_EPOCH goes
 * before it. The same tables and dates make the same bytes.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "manual/manual.h"

/* ---- Files -------------------------------------------------------------- */

_Noreturn void manual_fail(const char *what, const char *name)
{
    fprintf(stderr, "tfprof_manual: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

FILE *manual_create(const char *folder, const char *name)
{
    char path[4096];
    FILE *out;
    int size = snprintf(path, sizeof(path), "%s%s%s", folder ? folder : "",
                        folder ? "/" : "", name);
    if (size < 0 || (size_t)size >= sizeof(path))
        manual_fail("the path is too long", name);
    out = fopen(path, "w");
    if (!out)
        manual_fail("cannot be written", path);
    return out;
}

void manual_finish(FILE *out, const char *name)
{
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed)
        manual_fail("could not be written", name);
}

char *manual_read(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    size_t size = 0, got;
    if (!in)
        manual_fail("cannot be read", path);
    do {
        char *grown = realloc(text, size + 65536 + 1);
        if (!grown)
            manual_fail("out of memory", path);
        text = grown;
        got = fread(text + size, 1, 65536, in);
        size += got;
    } while (got > 0);
    if (ferror(in))
        manual_fail("cannot be read", path);
    fclose(in);
    text[size] = '\0';
    return text;
}

/* ---- The date of a page ------------------------------------------------- */

static const char *const months[] = { "January", "February", "March",
                                      "April",   "May",      "June",
                                      "July",    "August",   "September",
                                      "October", "November", "December" };

static void write_date(char *date, size_t size, long year, long month, long day)
{
    if (month < 1 || month > 12 || day < 1 || day > 31)
        manual_fail("not a valid date", "DATE");
    snprintf(date, size, "%s %ld, %ld", months[month - 1], day, year);
}

static void find_date(const char *given, char *date, size_t size)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    bool is_release = !strncmp(given, "release:", strlen("release:"));
    char *end;
    long year, month;
    if (epoch && *epoch && !is_release) {
        time_t seconds = (time_t)strtoll(epoch, &end, 10);
        struct tm day;
        if (*end != '\0' || !gmtime_r(&seconds, &day))
            manual_fail("not a number of seconds", "SOURCE_DATE_EPOCH");
        write_date(date, size, day.tm_year + 1900L, day.tm_mon + 1L,
                   day.tm_mday);
        return;
    }
    given += is_release ? strlen("release:") : 0;
    year = strtol(given, &end, 10);
    month = *end == '-' ? strtol(end + 1, &end, 10) : 0;
    write_date(date, size, year, month,
               *end == '-' ? strtol(end + 1, &end, 10) : 0);
}

/* ---- What is asked for -------------------------------------------------- */

static int make_pages(char **args)
{
    char date[64];
    manual_source source = { args[0], date, args[2] };
    find_date(args[1], date, sizeof(date));
    manual_write_pages(&source);
    manual_write_library(&source);
    return EXIT_SUCCESS;
}

const manual_part *const manual_parts[] = { manual_bash_parts, manual_zsh_parts,
                                            manual_fish_parts,
                                            manual_markdown_parts, NULL };

static int fill(const char *path, const char *template_path)
{
    FILE *out = manual_create(NULL, path);
    manual_fill(out, template_path);
    manual_finish(out, path);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 5 && !strcmp(argv[1], "pages"))
        return make_pages(argv + 2);
    if (argc == 4 && !strcmp(argv[1], "fill"))
        return fill(argv[2], argv[3]);
    fputs("usage: tfprof_manual pages FOLDER DATE INCLUDE\n"
          "       tfprof_manual fill FILE TEMPLATE\n",
          stderr);
    return EXIT_FAILURE;
}
