/*
 * messages.c - `help MESSAGE`: finds the rows of the table of messages that a
 * text matches, and prints what they mean.
 *
 * A text has values where the message of a row has "…". A row is complete if
 * all of its fixed text is in the text, in order. Any row has a score: the
 * letters of the words that it shares with the text in the same order. They
 * count twice in a complete row, so that it precedes the longer messages that
 * begin as it does.
 */
#define ZLIB_CONST
#include "cli/messages.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cli/cli.h"

#define HOLE "\xe2\x80\xa6" /* "…" */

enum {
    HOLE_SIZE = sizeof(HOLE) - 1,
    MOST_WORDS = 512, /* of a text: more are ignored */
    MOST_ROWS = 2048,
    MOST_SHOWN = 3,
    LEAST_GLUED = 3,  /* letters of a word that a value may continue */
    LEAST_LETTERS = 4 /* of a text */
};

typedef struct word {
    const char *text;
    size_t size;
    bool has_value_before, has_value_after; /* as "tensor…" */
} word;

typedef struct words {
    word data[MOST_WORDS];
    size_t count, letters;
} words;

typedef struct row {
    char *message;
    const char *cause, *remedy;
    size_t score, missing; /* letters */
    size_t fixed;          /* bytes of the fixed text of a complete row */
} row;

typedef struct table {
    char *text; /* each line and column ends in NUL */
    row rows[MOST_ROWS];
    size_t count;
    words asked, of_row;
} table;

/* ---- The table ---------------------------------------------------------- */

static bool unpack(char *text)
{
    z_stream zlib = { .next_in = cli_messages_packed,
                      .avail_in = (uInt)cli_messages_packed_size,
                      .next_out = (Bytef *)text,
                      .avail_out = (uInt)cli_messages_size };
    bool is_complete;
    if (inflateInit2(&zlib, -MAX_WBITS) != Z_OK)
        return false;
    is_complete = inflate(&zlib, Z_FINISH) == Z_STREAM_END;
    inflateEnd(&zlib);
    text[zlib.total_out] = '\0';
    return is_complete;
}

/* Ends the text at the next `separator` and returns what follows. */
static char *cut(char *text, char separator)
{
    char *at = strchr(text, separator);
    if (!at)
        return text + strlen(text);
    *at = '\0';
    return at + 1;
}

/* A row without a cause has the cause and the remedy of the row before it. */
static void split(table *t)
{
    char *line = cut(t->text, '\n'); /* past the heading */
    while (*line && t->count < MOST_ROWS) {
        row *r = &t->rows[t->count++];
        char *next = cut(line, '\n'), *cause = cut(line, '\t');
        *r = (row){ .message = line,
                    .cause = cause,
                    .remedy = cut(cause, '\t') };
        if (!*cause && t->count > 1) {
            r->cause = r[-1].cause;
            r->remedy = r[-1].remedy;
        }
        line = next;
    }
}

static table *load(void)
{
    table *t = calloc(1, sizeof(*t));
    if (!t)
        return NULL;
    t->text = malloc(cli_messages_size + 1);
    if (!t->text || !unpack(t->text)) {
        free(t->text);
        free(t);
        return NULL;
    }
    split(t);
    return t;
}

/* ---- Words -------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_letter(char c)
{
    c = lower(c);
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_same(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (lower(a[i]) != lower(b[i]))
            return false;
    }
    return true;
}

static void find_words(const char *text, words *out)
{
    bool has_value_before = false;
    out->count = out->letters = 0;
    while (*text && out->count < MOST_WORDS) {
        size_t size = 0;
        while (is_letter(text[size]))
            size++;
        if (size > 0) {
            word *w = &out->data[out->count++];
            *w = (word){ text, size, has_value_before,
                         !strncmp(text + size, HOLE, HOLE_SIZE) };
            out->letters += size;
            text += size;
            has_value_before = false;
        } else {
            has_value_before = !strncmp(text, HOLE, HOLE_SIZE);
            text += has_value_before ? HOLE_SIZE : 1;
        }
    }
}

static bool matches(const word *of_row, const word *asked)
{
    size_t size = of_row->size;
    if (asked->size == size)
        return is_same(of_row->text, asked->text, size);
    if (asked->size < size || size < LEAST_GLUED)
        return false;
    return (of_row->has_value_after &&
            is_same(of_row->text, asked->text, size)) ||
           (of_row->has_value_before &&
            is_same(of_row->text, asked->text + asked->size - size, size));
}

/* The letters of the words that are in both, in the same order. *count is the
 * number of these words. */
static size_t count_shared(const words *of_row, const words *asked,
                           size_t *count)
{
    /* What the first words of `asked` share with the words of the row so far:
     * letters times MOST_WORDS + 1, and words. */
    size_t shared[MOST_WORDS + 1] = { 0 };
    for (size_t i = 0; i < of_row->count; i++) {
        const word *w = &of_row->data[i];
        size_t before = 0;
        for (size_t j = 0; j < asked->count; j++) {
            size_t all = shared[j + 1];
            if (matches(w, &asked->data[j]) &&
                before + w->size * (MOST_WORDS + 1) + 1 > all)
                shared[j + 1] = before + w->size * (MOST_WORDS + 1) + 1;
            if (shared[j] > shared[j + 1])
                shared[j + 1] = shared[j];
            before = all;
        }
    }
    *count = shared[asked->count] % (MOST_WORDS + 1);
    return shared[asked->count] / (MOST_WORDS + 1);
}

/* ---- Fixed text --------------------------------------------------------- */

/* Past the next place of `piece` in `text`, or NULL. If the message begins or
 * ends with the piece, so does a word. */
static const char *find_piece(const char *text, const char *at,
                              const char *piece, size_t size, bool is_first,
                              bool is_last)
{
    size_t left = strlen(at);
    is_first = is_first && is_letter(piece[0]);
    is_last = is_last && is_letter(piece[size - 1]);
    for (; left >= size; at++, left--) {
        if (is_same(at, piece, size) &&
            !(is_first && at > text && is_letter(at[-1])) &&
            !(is_last && is_letter(at[size])))
            return at + size;
    }
    return NULL;
}

/* Without what separates a path or a reason from a message: "cannot open" and
 * "…: cannot open: …" are equally specific, and the first row is the better. */
static size_t count_specific(const char *piece, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += strchr(" :/", piece[i]) == NULL;
    return count;
}

/* The bytes of the fixed text of a message, or 0 if `text` lacks some. */
static size_t count_fixed(const char *message, const char *text)
{
    const char *at = text, *piece = message;
    size_t fixed = 0;
    while (*piece && at) {
        const char *hole = strstr(piece, HOLE);
        size_t size = hole ? (size_t)(hole - piece) : strlen(piece);
        if (size > 0)
            at = find_piece(text, at, piece, size, piece == message, !hole);
        fixed += count_specific(piece, size);
        piece += size + (hole ? HOLE_SIZE : 0);
    }
    return at ? fixed : 0;
}

/* ---- Ranks -------------------------------------------------------------- */

/* Most of the text is in the row, or most of the row in the text. */
static bool is_near(const words *asked, const words *of_row, size_t shared,
                    size_t count)
{
    return (shared * 5 >= asked->letters * 3 &&
            (count > 1 || asked->count == 1)) ||
           (shared * 5 >= of_row->letters * 3 && count > 2);
}

static void judge(table *t, row *r, const char *text)
{
    size_t count, shared;
    find_words(r->message, &t->of_row);
    shared = count_shared(&t->of_row, &t->asked, &count);
    r->missing = t->of_row.letters - shared;
    r->fixed = count_fixed(r->message, text);
    if (r->fixed > 0)
        r->score = 2 * t->of_row.letters;
    else if (is_near(&t->asked, &t->of_row, shared, count))
        r->score = shared;
}

static int compare(const void *a, const void *b)
{
    const row *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    if (x->fixed != y->fixed)
        return x->fixed < y->fixed ? 1 : -1;
    if (x->missing != y->missing)
        return x->missing < y->missing ? -1 : 1;
    return x->message < y->message ? -1 : x->message > y->message;
}

/* ---- Output ------------------------------------------------------------- */

/* ASCII, as a terminal without UTF-8 shows it. */
static void print_message(FILE *out, char *message)
{
    for (char *hole; (hole = strstr(message, HOLE)) != NULL;)
        memcpy(hole, "...", HOLE_SIZE);
    cli_print_text(out, message);
}

static bool print_meaning(FILE *out, const row *r)
{
    size_t size = strlen(r->cause) + strlen(r->remedy) + 32;
    char *text = malloc(size);
    if (!text)
        return false;
    snprintf(text, size, "cause\t%s\nremedy\t%s\n", r->cause, r->remedy);
    cli_print_text(out, text);
    free(text);
    return true;
}

/* Rows with the same meaning that follow each other share its text. */
static bool print_rows(FILE *out, const table *t, size_t shown)
{
    for (size_t i = 0; i < shown; i++) {
        const row *r = &t->rows[i];
        if (i > 0 && r[-1].cause != r->cause)
            putc('\n', out);
        print_message(out, r->message);
        if ((i + 1 == shown || r[1].cause != r->cause) &&
            !print_meaning(out, r))
            return false;
    }
    return true;
}

bool cli_explain_message(FILE *out, const char *text, size_t *found)
{
    table *t = load();
    size_t shown = 0;
    bool is_printed;
    *found = 0;
    if (!t)
        return false;
    find_words(text, &t->asked);
    for (size_t i = 0; i < t->count && t->asked.letters >= LEAST_LETTERS; i++)
        judge(t, &t->rows[i], text);
    qsort(t->rows, t->count, sizeof(t->rows[0]), compare);
    while (*found < t->count && t->rows[*found].score > 0)
        ++*found;
    while (shown < *found && shown < MOST_SHOWN &&
           3 * t->rows[shown].score >= 2 * t->rows[0].score)
        shown++;
    is_printed = print_rows(out, t, shown);
    if (is_printed && shown < *found)
        fprintf(out, "\n%zu more message%s (give more words of the message)\n",
                *found - shown, *found - shown == 1 ? "" : "s");
    free(t->text);
    free(t);
    return is_printed;
}
