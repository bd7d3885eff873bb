/*
 * library.c - libtfprof(3), from the comments and declarations of the public
 * headers.
 *
 * The synopsis has every function, in the order of the headers; below it stand
 * the comments, with the names of what they are about.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "manual/header.h"
#include "manual/manual.h"
#include "manual/roff.h"

static const struct {
    const char *file, *title;
} headers[] = {
    { "tfprof.h", "The profile" }, { "view.h", "Views" },
    { "table.h", "Tables" },       { "advice.h", "Advice" },
    { "option.h", "Options" },     { "error.h", "Errors" },
};
enum { HEADERS = sizeof(headers) / sizeof(headers[0]) };

/* ---- Functions ---------------------------------------------------------- */

/* A declaration in one line, every blank or newline being one blank. */
typedef struct function {
    char text[1024];
    size_t type_size; /* of what it returns */
    size_t name, name_size;
    size_t arguments, arguments_size; /* between the parentheses */
} function;

static void flatten(const char *code, char *flat, size_t size)
{
    size_t used = 0;
    for (; *code && used + 2 < size; code++) {
        bool is_blank = isspace((unsigned char)*code);
        if (!is_blank)
            flat[used++] = *code;
        else if (used > 0 && flat[used - 1] != ' ' && flat[used - 1] != '(')
            flat[used++] = ' ';
    }
    while (used > 0 && flat[used - 1] == ' ')
        used--;
    flat[used] = '\0';
}

static void drop_start(char *text, const char *start)
{
    if (!strncmp(text, start, strlen(start)))
        memmove(text, text + strlen(start), strlen(text + strlen(start)) + 1);
}

static bool find_function(const char *code, function *f)
{
    const char *open;
    flatten(code, f->text, sizeof(f->text));
    drop_start(f->text, "TFPROF_API ");
    open = strchr(f->text, '(');
    if (!open || strchr(f->text, '{') || f->text[0] == '#' ||
        strcmp(f->text + strlen(f->text) - 2, ");") != 0)
        return false;
    f->arguments = (size_t)(open + 1 - f->text);
    f->arguments_size = strlen(f->text) - f->arguments - 2;
    f->name = f->arguments - 1;
    while (f->name > 0 && f->text[f->name - 1] != ' ' &&
           f->text[f->name - 1] != '*')
        f->name--;
    f->name_size = f->arguments - 1 - f->name;
    f->type_size = f->name;
    while (f->type_size > 0 && f->text[f->type_size - 1] == ' ')
        f->type_size--;
    return true;
}

static void put_quoted(FILE *out, const char *text, size_t size)
{
    fputs(" \"", out);
    roff_put(out, text, size);
    putc('"', out);
}

static void put_prototype(FILE *out, const function *f)
{
    const char *at = f->text + f->arguments;
    const char *end = at + f->arguments_size;
    fputs(".Ft", out);
    put_quoted(out, f->text, f->type_size);
    fputs("\n.Fo ", out);
    roff_put(out, f->text + f->name, f->name_size);
    putc('\n', out);
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t size = comma ? (size_t)(comma - at) : (size_t)(end - at);
        fputs(".Fa", out);
        put_quoted(out, at, size);
        putc('\n', out);
        at += size + (comma != NULL);
        at += at < end && *at == ' ';
    }
    fputs(".Fc\n", out);
}

/* ---- Text --------------------------------------------------------------- */

static bool is_name(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    }
    return size > 0;
}

/* "tfprof_escape()", "`role`", NULL and the constants. */
static const char *mark_name(const char **word, size_t *size)
{
    const char *text = *word;
    if (*size > 2 && text[*size - 1] == ')' && is_name(text, *size - 2)) {
        *size -= 2;
        return "Fn";
    }
    if (*size > 2 && text[0] == '`' && text[*size - 1] == '`' &&
        is_name(text + 1, *size - 2)) {
        *word += 1;
        *size -= 2;
        return "Fa";
    }
    if (is_name(text, *size) && ((*size == 4 && !memcmp(text, "NULL", 4)) ||
                                 !strncmp(text, "TFPROF_", 7)))
        return "Dv";
    return NULL;
}

static void put_comment(FILE *out, const char *text)
{
    bool is_first = true;
    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t size = end ? (size_t)(end - text) : strlen(text);
        if (!is_first)
            fputs(".Pp\n", out);
        is_first = false;
        roff_text(out, text, size, mark_name);
        text += size;
        text += strspn(text, "\n");
    }
}

static void put_code(FILE *out, const char *code)
{
    fputs(".Bd -literal\n", out);
    while (*code) {
        char line[256];
        size_t size = strcspn(code, "\n");
        snprintf(line, sizeof(line), "%.*s", (int)size, code);
        roff_line(out, line);
        code += size + (code[size] == '\n');
    }
    fputs(".Ed\n", out);
}

/* ---- The page ----------------------------------------------------------- */

static char *read_header(const manual_source *source, size_t index)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", source->include, headers[index].file);
    return manual_read(path);
}

static void put_synopsis(FILE *out, const manual_source *source)
{
    fputs(".Sh SYNOPSIS\n.In tfprof/tfprof.h\n", out);
    for (size_t i = 0; i < HEADERS; i++) {
        char *text = read_header(source, i);
        const char *at = text;
        header_piece piece;
        function f;
        while (header_next(&at, &piece)) {
            if (piece.kind == HEADER_CODE && find_function(piece.text, &f))
                put_prototype(out, &f);
        }
        free(text);
    }
}

/* A comment with what it is about: functions as items, code as it is. */
static void put_group(FILE *out, const char *comment, const char *first,
                      const char *end)
{
    bool is_item = false;
    header_piece piece;
    function f;
    for (const char *at = first; at < end && header_next(&at, &piece);) {
        if (find_function(piece.text, &f)) {
            if (!is_item)
                fputs(".Bl -tag -width Ds\n", out);
            fprintf(out, ".It Fn %.*s\n", (int)f.name_size, f.text + f.name);
            is_item = true;
        }
    }
    if (!is_item && *comment)
        fputs(".Pp\n", out);
    put_comment(out, comment);
    for (const char *at = first; at < end && header_next(&at, &piece);) {
        if (!find_function(piece.text, &f))
            put_code(out, piece.text);
    }
    if (is_item)
        fputs(".El\n", out);
}

/* Where the declarations end that begin at `at`. */
static const char *end_of_group(const char *at)
{
    const char *end = at;
    header_piece piece;
    while (header_next(&at, &piece) && piece.kind == HEADER_CODE)
        end = at;
    return end;
}

/* The name of the file before the words that its comment begins with. */
static const char *behind_name(const char *comment)
{
    const char *dash = strstr(comment, " - ");
    return dash ? dash + strlen(" - ") : comment;
}

static void put_header(FILE *out, const char *text, const char *title)
{
    char comment[sizeof(((header_piece *)0)->text)] = "";
    const char *at = text;
    header_piece piece;
    bool is_first = true;
    fprintf(out, ".Ss %s\n", title);
    for (const char *start = at; header_next(&at, &piece); start = at) {
        if (piece.kind == HEADER_SECTION) {
            fprintf(out, ".Ss %s\n", piece.text);
        } else if (piece.kind == HEADER_CODE) {
            at = end_of_group(start);
            put_group(out, comment, start, at);
            comment[0] = '\0';
        } else if (is_first) {
            put_comment(out, behind_name(piece.text));
            is_first = false;
        } else {
            memcpy(comment, piece.text, sizeof(comment));
        }
    }
}

void manual_write_library(const manual_source *source)
{
    FILE *out = manual_create(source->folder, "man3/libtfprof.3");
    roff_head(out, "libtfprof", 3, source->date,
              "profile TensorFlow and JAX models without TensorFlow");
    fputs(".Sh LIBRARY\nModel profiler (libtfprof, \\-ltfprof)\n", out);
    put_synopsis(out, source);
    fputs(".Sh DESCRIPTION\n", out);
    for (size_t i = 0; i < HEADERS; i++) {
        char *text = read_header(source, i);
        put_header(out, text, headers[i].title);
        free(text);
    }
    fputs(".Sh SEE ALSO\n.Xr tfprof 1\n", out);
    manual_finish(out, "man3/libtfprof.3");
}
