/*
 * header.c - cuts a public header into pieces, line by line.
 *
 * Directives are passed over, with all that is for C++ alone; a macro with a
 * value is a declaration, unless it is about how functions are exported.
 */
#include "manual/header.h"

#include <ctype.h>
#include <string.h>

#include "manual/manual.h"

static size_t line_size(const char *line)
{
    return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
    line += line_size(line);
    return line + (*line == '\n');
}

static bool starts(const char *line, const char *word)
{
    return !strncmp(line, word, strlen(word));
}

static bool ends(const char *line, const char *end)
{
    size_t size = line_size(line), end_size = strlen(end);
    return size >= end_size && !memcmp(line + size - end_size, end, end_size);
}

static void add(header_piece *piece, const char *text, size_t size)
{
    size_t used = strlen(piece->text);
    if (used + size + 2 > sizeof(piece->text))
        manual_fail("a piece of a header is too long", "header.c");
    memcpy(piece->text + used, text, size);
    piece->text[used + size] = '\n';
    piece->text[used + size + 1] = '\0';
}

/* ---- Comments ----------------------------------------------------------- */

/* A line of a comment without the marks of one. */
static void add_said(header_piece *piece, const char *line)
{
    const char *end = line + line_size(line);
    line += strspn(line, " ");
    line += strspn(line, starts(line, "*/") ? "" : "/*");
    line += *line == ' ';
    if (end - line >= 2 && !memcmp(end - 2, "*/", 2))
        end -= 2;
    while (end > line && end[-1] == ' ')
        end--;
    if (end > line || *piece->text) /* none before the first words */
        add(piece, line, (size_t)(end - line));
}

static bool is_title(const char *line)
{
    return starts(line, "/* ---- ");
}

static const char *take_comment(const char *line, header_piece *piece)
{
    piece->kind = HEADER_COMMENT;
    for (;; line = next_line(line)) {
        add_said(piece, line);
        if (*line == '\0' || ends(line, "*/"))
            return next_line(line);
    }
}

static const char *take_title(const char *line, header_piece *piece)
{
    const char *title = line + strlen("/* ---- ");
    const char *end = strstr(title, " --");
    piece->kind = HEADER_SECTION;
    add(piece, title, end ? (size_t)(end - title) : line_size(title));
    piece->text[strlen(piece->text) - 1] = '\0';
    return next_line(line);
}

/* ---- Code --------------------------------------------------------------- */

/* Up to the line that closes all braces and ends in ";". */
static const char *take_code(const char *line, header_piece *piece)
{
    int depth = 0;
    piece->kind = HEADER_CODE;
    for (;; line = next_line(line)) {
        for (size_t i = 0; i < line_size(line); i++)
            depth += line[i] == '{' ? 1 : line[i] == '}' ? -1 : 0;
        add(piece, line, line_size(line));
        if (*line == '\0' || (depth == 0 && ends(line, ";")))
            return next_line(line);
    }
}

static bool is_constant(const char *line)
{
    const char *value;
    if (!starts(line, "#define ") || starts(line, "#define TFPROF_API"))
        return false;
    value = line + strlen("#define ");
    value += strcspn(value, " \n");
    return *value == ' ';
}

/* What is for C++ alone goes with its directives. */
static const char *skip_directive(const char *line)
{
    if (starts(line, "#ifdef __cplusplus")) {
        while (*line && !starts(line, "#endif"))
            line = next_line(line);
    }
    return next_line(line);
}

bool header_next(const char **at, header_piece *piece)
{
    const char *line = *at;
    piece->text[0] = '\0';
    while (*line == '\n' || (*line == '#' && !is_constant(line)))
        line = *line == '\n' ? line + 1 : skip_directive(line);
    if (*line == '\0')
        return false;
    if (*line == '#') {
        piece->kind = HEADER_CODE;
        add(piece, line, line_size(line));
        line = next_line(line);
    } else if (is_title(line)) {
        line = take_title(line, piece);
    } else if (starts(line, "/*")) {
        line = take_comment(line, piece);
    } else {
        line = take_code(line, piece);
    }
    *at = line;
    return true;
}
