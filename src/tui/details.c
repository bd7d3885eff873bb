/*
 * details.c - the help, and the details of one row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/session.h"

/* ---- Help --------------------------------------------------------------- */

void tui_show_help(tui_session *s)
{
    char *text = NULL;
    size_t size = 0;
    const char *keys, *meaning;
    FILE *out = open_memstream(&text, &size);
    if (!out) {
        tui_say(s, "out of memory");
        return;
    }
    for (size_t i = 0; (keys = tui_key_help(i, &meaning)); i++)
        fprintf(out, "%-11s %s\n", keys, meaning);
    fputs("\n+ marks a folded row, and - marks an unfolded row.\n"
          "total includes the rows below a row; self does not.\n"
          "Rows with only zeros are not shown.\n",
          out);
    if (fclose(out) == 0)
        tui_show_page(s, "Keys", text);
    free(text);
}

enum { FULL_TABLE = 41 /* columns; narrower windows show only totals */ };

/* ---- Details ------------------------------------------------------------ */

static void put_escaped(FILE *out, const char *text, size_t size)
{
    size_t needed = tfprof_escape(text, size, NULL, 0);
    char *safe = malloc(needed + 1);
    if (!safe)
        return;
    tfprof_escape(text, size, safe, needed + 1);
    fputs(safe, out);
    free(safe);
}

static void put_figure(tfprof_metric metric, int64_t value,
                       char out[TUI_LONGEST_FIGURE])
{
    if (value == 0)
        memcpy(out, "-", 2);
    else
        tfprof_metric_figure(metric, value, out, TUI_LONGEST_FIGURE);
}

static void put_metrics(const tui_session *s, FILE *out, uint32_t row)
{
    const tui_tree *tree = &s->now->tree;
    bool is_narrow = s->terminal.columns < FULL_TABLE;
    fputc('\n', out);
    if (!is_narrow)
        fprintf(out, "%-12s %9s %9s %6s\n", "", "total", "self", "%");
    for (int m = 0; m < TUI_METRICS; m++) {
        tfprof_metric metric = (tfprof_metric)m;
        char total[TUI_LONGEST_FIGURE], self[TUI_LONGEST_FIGURE], share[16];
        int64_t value = tui_tree_value(tree, row, metric);
        int64_t own = tfprof_view_self(tree->view, row, metric);
        int64_t whole = tui_tree_whole(tree, metric);
        if (!tfprof_view_has(tree->view, metric) || whole == 0)
            continue;
        put_figure(metric, value, total);
        put_figure(metric, own, self);
        tfprof_share_figure(value, whole, share, sizeof(share));
        if (is_narrow)
            fprintf(out, "%-9s %9s\n", tfprof_metric_title(metric), total);
        else
            fprintf(out, "%-12s %9s %9s %6s\n", tfprof_metric_title(metric),
                    total, self, share);
    }
}

static void put_facts(const tui_session *s, FILE *out, uint32_t row)
{
    static const struct {
        tfprof_fact fact;
        const char *title;
    } facts[] = {
        { TFPROF_FACT_SHAPE, "shape" },
        { TFPROF_FACT_OP_TYPES, "types" },
        { TFPROF_FACT_DEVICES, "devices" },
        { TFPROF_FACT_INPUT_SHAPES, "inputs" },
        { TFPROF_FACT_VALUE_DTYPE, "value type" },
        { TFPROF_FACT_VALUE_SHAPE, "value shape" },
        { TFPROF_FACT_VALUE, "value" },
        { TFPROF_FACT_FILE, "file" },
        { TFPROF_FACT_FUNCTION, "function" },
        { TFPROF_FACT_SOURCE, "source" },
    };
    const tfprof_view *view = s->now->view;
    fputc('\n', out);
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        tfprof_text text = tfprof_view_fact(view, row, facts[i].fact);
        if (text.size == 0)
            continue;
        fprintf(out, "%-12s ", facts[i].title);
        put_escaped(out, text.data, text.size);
        if (facts[i].fact == TFPROF_FACT_FILE &&
            tfprof_view_line(view, row) > 0)
            fprintf(out, ":%lld", (long long)tfprof_view_line(view, row));
        fputc('\n', out);
    }
}

static void put_row(const tui_session *s, FILE *out, uint32_t row)
{
    tfprof_row about = { 0 };
    bool is_root = row == 0 && !s->now->tree.is_flat;
    tfprof_view_row(s->now->view, row, &about);
    if (is_root)
        fputs("(total)", out);
    else
        put_escaped(out, about.name.data, about.name.size);
    fputc('\n', out);
    if (about.nodes > 1)
        fprintf(out, "%lld nodes\n", (long long)about.nodes);
    if (!about.is_accounted && !is_root)
        fputs("its own costs are not counted\n", out);
    put_metrics(s, out, row);
    put_facts(s, out, row);
    if (is_root && s->notes)
        fprintf(out, "\nnotes:\n%s", s->notes);
}

void tui_show_details(tui_session *s)
{
    const tui_line *line = &s->now->tree.lines[s->now->cursor];
    char *text = NULL;
    size_t size = 0;
    FILE *out;
    if (line->more > 0) {
        tui_say(s, "this line stands for %u rows; Enter shows them",
                (unsigned)line->more);
        return;
    }
    out = open_memstream(&text, &size);
    if (!out) {
        tui_say(s, "out of memory");
        return;
    }
    put_row(s, out, line->row);
    if (fclose(out) == 0)
        tui_show_page(s, "Details", text);
    free(text);
}
