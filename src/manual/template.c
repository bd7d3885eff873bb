/*
 * template.c - files that are written by hand but for lines that begin with @:
 * there stands what the tables say.
 */
#include <stdlib.h>
#include <string.h>

#include "manual/manual.h"

static const manual_part *find_part(const char *name, size_t size)
{
    for (const manual_part *const *list = manual_parts; *list; list++) {
        for (const manual_part *p = *list; p->name; p++) {
            if (strlen(p->name) == size && !memcmp(p->name, name, size))
                return p;
        }
    }
    return NULL;
}

/* Replaces "@name what" up to the end of the line, or "@name@" inside a line,
 * with the text of that part. Other lines are copied. */
static void fill_line(FILE *out, const char *line, size_t size,
                      const char *template_text)
{
    const char *mark = memchr(line, '@', size);
    const char *name = mark ? mark + 1 : NULL;
    const char *name_end = name ? name + strcspn(name, "@ \n") : NULL;
    const manual_part *part = NULL;
    char what[64] = "";
    if (mark)
        part = find_part(name, (size_t)(name_end - name));
    if (!part) {
        fprintf(out, "%.*s\n", (int)size, line);
        return;
    }
    if (*name_end == ' ')
        snprintf(what, sizeof(what), "%.*s", (int)(line + size - name_end - 1),
                 name_end + 1);
    fprintf(out, "%.*s", (int)(mark - line), line);
    part->write(out, what, template_text);
    if (*name_end == '@')
        fprintf(out, "%.*s\n", (int)(line + size - name_end - 1), name_end + 1);
}

void manual_fill(FILE *out, const char *template_path)
{
    char *text = manual_read(template_path);
    const char *at = text;
    bool is_kept = true; /* false from "@more" to "@end", which parts copy */
    while (*at) {
        size_t size = strcspn(at, "\n");
        if (!strncmp(at, "@more ", strlen("@more ")))
            is_kept = false;
        if (is_kept)
            fill_line(out, at, size, text);
        if (!strncmp(at, "@end\n", strlen("@end\n")))
            is_kept = true;
        at += size + (at[size] == '\n');
    }
    free(text);
}
