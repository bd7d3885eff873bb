/*
 * views.c - gets views and steps from the library.
 *
 * Each view is computed with all metrics and facts, so another metric and the
 * details of a row do not need a new view. Options are changed for one call
 * only.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/session.h"

enum { LONGEST_OPTION = 1024 };

void tui_say(tui_session *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->message, sizeof(s->message), format, args);
    va_end(args);
}

void tui_say_failure(tui_session *s, int status, const tfprof_error *err)
{
    if (status == TFPROF_ERR_CANCELLED && tui_forget_interrupt())
        tui_say(s, "canceled");
    else if (status != TFPROF_OK)
        tui_say(s, "%s", err->message);
}

/* ---- Options ------------------------------------------------------------ */

/* Returns whether a list such as "a,b,c" contains the word. */
static bool has_word(const char *list, const char *word)
{
    size_t size = strlen(word);
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n == size && !memcmp(list, word, n))
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

/* Returns the metric that a word of --select names, or TUI_METRICS if it does
 * not name a metric. The word has `size` bytes. */
static int find_metric(const char *word, size_t size)
{
    const char *alias, *meaning;
    for (size_t i = 0; (alias = tfprof_metric_alias(i, &meaning)); i++) {
        if (strlen(alias) == size && !memcmp(alias, word, size)) {
            word = meaning;
            size = strlen(meaning);
            break;
        }
    }
    for (int m = 0; m < TUI_METRICS; m++) {
        const char *name = tfprof_metric_word((tfprof_metric)m);
        if (strlen(name) == size && !memcmp(name, word, size))
            return m;
    }
    return TUI_METRICS;
}

/* The parts of the time are shown together with the time, as in a table. */
static uint32_t metrics_of(const char *select)
{
    uint32_t bits = 0, parts = 1u << TFPROF_METRIC_ACCELERATOR_MICROS |
                               1u << TFPROF_METRIC_CPU_MICROS;
    for (int m = 0; m < TUI_METRICS; m++) {
        if (m != TFPROF_METRIC_DEFINED &&
            has_word(select, tfprof_metric_word((tfprof_metric)m)))
            bits |= 1u << m;
    }
    return bits >> TFPROF_METRIC_MICROS & 1 ? bits | parts : bits;
}

/* Returns the first metric that an option names, or TUI_METRICS if there is
 * none. */
static int named_metric(const tui_session *s)
{
    static const char *const orders[] = { "sort", "order_by" };
    const char *at = s->request->selected;
    char word[64];
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        tfprof_profile_get(s->profile, orders[i], word, sizeof(word));
        if (find_metric(word, strlen(word)) < TUI_METRICS)
            return find_metric(word, strlen(word));
    }
    while (at && *at) {
        size_t n = strcspn(at, ",");
        if (find_metric(at, n) < TUI_METRICS)
            return find_metric(at, n);
        at += n + (at[n] == ',');
    }
    return TUI_METRICS;
}

static void choose_metric(tui_session *s, const char *select)
{
    int metric = named_metric(s);
    for (int m = 0; m < TUI_METRICS && metric == TUI_METRICS; m++) {
        if (has_word(select, tfprof_metric_word((tfprof_metric)m)))
            metric = m;
    }
    s->metric = metric < TUI_METRICS ? (tfprof_metric)metric
                                     : TFPROF_METRIC_MICROS;
    s->selected = metrics_of(select) | 1u << s->metric;
}

/* Sets the options that request all metrics and facts. Times are requested only
 * if there are run records; else the library would report that they are
 * missing. */
static int set_options(tui_session *s, tfprof_error *err)
{
    static const char runs[] =
        "bytes,peak_bytes,residual_bytes,output_bytes,micros,"
        "accelerator_micros,cpu_micros,queue_micros,";
    static const char always[] = "params,float_ops,occurrence,device,op_types,"
                                 "input_shapes";
    char given[LONGEST_OPTION], automatic[LONGEST_OPTION];
    char all[LONGEST_OPTION + sizeof(runs) + sizeof(always)];
    int status;
    tfprof_profile_get(s->profile, "select", given, sizeof(given));
    status = tfprof_profile_set(s->profile, "select", "auto", err);
    if (status != TFPROF_OK)
        return status;
    tfprof_profile_get(s->profile, "select", automatic, sizeof(automatic));
    snprintf(all, sizeof(all), "%s%s,%s",
             has_word(automatic, "micros") ? runs : "", always, given);
    status = tfprof_profile_set(s->profile, "select", all, err);
    if (status == TFPROF_OK && !s->request->gives_own) /* as in a table */
        status = tfprof_profile_set(s->profile, "own", "true", err);
    /* Keeps the order of the view, because the tree sorts the rows itself.
     * Equal rows then keep this order. */
    return status == TFPROF_OK
               ? tfprof_profile_set(s->profile, "order_by", "depth", err)
               : status;
}

static int set_step(tui_session *s, int64_t step, tfprof_error *err)
{
    char text[32];
    snprintf(text, sizeof(text), "%lld", (long long)step);
    return tfprof_profile_set(s->profile, "step",
                              step == TUI_REST ? "rest" : text, err);
}

/* ---- Views -------------------------------------------------------------- */

/* Computes a view with the options of set_options(). */
static int make_view(tui_session *s, const char *type, tfprof_view **view,
                     tfprof_error *err)
{
    int status = tfprof_profile_keep_options(s->profile, err);
    if (status != TFPROF_OK)
        return status;
    tui_put_bottom(s, "computing the view; Ctrl-C cancels");
    s->terminal.curses->doupdate();
    tui_signals_busy(true);
    status = set_options(s, err);
    if (status == TFPROF_OK)
        status = tfprof_profile_view(s->profile, type, view, err);
    tui_signals_busy(false);
    tfprof_profile_restore_options(s->profile);
    return status;
}

/* Returns a metric that the view has: the current metric if possible. */
static tfprof_metric usable_metric(const tui_session *s,
                                   const tfprof_view *view)
{
    if (tfprof_view_has(view, s->metric))
        return s->metric;
    for (int m = 0; m < TUI_METRICS; m++) {
        if (tfprof_view_has(view, (tfprof_metric)m))
            return (tfprof_metric)m;
    }
    return s->metric;
}

static int fill_sight(tui_session *s, tui_sight *sight, tfprof_error *err)
{
    tfprof_view *view = NULL;
    tui_tree tree;
    int status = make_view(s, sight->type, &view, err);
    if (status != TFPROF_OK)
        return status;
    s->metric = usable_metric(s, view);
    if (!tui_tree_init(&tree, view, s->metric, s->selected | 1u << s->metric)) {
        tui_tree_release(&tree);
        tfprof_view_free(view);
        snprintf(err->message, sizeof(err->message), "out of memory");
        return TFPROF_ERR_NOMEM;
    }
    *sight = (tui_sight){ .type = sight->type, .view = view, .tree = tree };
    return TFPROF_OK;
}

static void empty_sight(tui_sight *sight)
{
    if (!sight->view)
        return;
    tui_tree_release(&sight->tree);
    tfprof_view_free(sight->view);
    sight->view = NULL;
}

int tui_show_view(tui_session *s, const char *type, tfprof_error *err)
{
    tui_sight *sight = s->sights;
    int status = TFPROF_OK;
    while (strcmp(sight->type, type) != 0)
        sight++;
    if (!sight->view)
        status = fill_sight(s, sight, err);
    if (status != TFPROF_OK)
        return status;
    s->now = sight;
    tui_set_metric(s, s->metric);
    return TFPROF_OK;
}

void tui_set_metric(tui_session *s, tfprof_metric metric)
{
    tui_sight *now = s->now;
    uint32_t row = now->cursor < now->tree.line_count
                       ? now->tree.lines[now->cursor].row
                       : 0;
    if (!tfprof_view_has(now->view, metric))
        metric = usable_metric(s, now->view);
    if (now->tree.metric != metric) {
        if (!tui_tree_sort(&now->tree, metric, s->selected | 1u << metric)) {
            tui_say(s, "out of memory");
            return;
        }
        now->cursor = tui_tree_find_line(&now->tree, row);
    }
    s->metric = metric;
    tui_columns_init(&s->columns, &now->tree, s->selected);
}

tfprof_metric tui_next_metric(const tui_session *s)
{
    const tui_tree *tree = &s->now->tree;
    int metric = (int)s->metric;
    for (int i = 0; i < TUI_METRICS; i++) {
        metric = (metric + 1) % TUI_METRICS;
        tfprof_metric next = (tfprof_metric)metric;
        if (tfprof_view_has(tree->view, next) &&
            tui_tree_whole(tree, next) != 0 &&
            !tui_columns_equal(tree, next, s->metric))
            return next;
    }
    return s->metric;
}

/* Frees the views of the previous step. They are computed again when they are
 * shown. */
int tui_set_step(tui_session *s, int64_t step, tfprof_error *err)
{
    tui_sight fresh = { .type = s->now->type };
    int status = set_step(s, step, err);
    if (status == TFPROF_OK)
        status = fill_sight(s, &fresh, err);
    if (status != TFPROF_OK) {
        set_step(s, s->step, NULL);
        return status;
    }
    for (size_t i = 0; i < TUI_VIEWS; i++)
        empty_sight(&s->sights[i]);
    *s->now = fresh;
    s->step = step;
    tui_set_metric(s, s->metric);
    return TFPROF_OK;
}

/* ---- Steps -------------------------------------------------------------- */

/* Reads the first column of a CSV table, whose first line contains titles. */
typedef struct step_reader {
    tui_session *session;
    bool is_behind; /* after the first column of this line */
    bool is_title, has_digits, failed;
    int64_t number;
} step_reader;

static void take_step(step_reader *r)
{
    tui_session *s = r->session;
    int64_t *grown;
    if (!r->has_digits || r->failed ||
        (s->step_count > 0 && s->steps[s->step_count - 1] == r->number))
        return;
    grown = realloc(s->steps, (s->step_count + 1) * sizeof(*grown));
    if (!grown) {
        r->failed = true;
        return;
    }
    s->steps = grown;
    s->steps[s->step_count++] = r->number;
}

static int read_steps(void *context, const void *data, size_t size)
{
    step_reader *r = context;
    for (const char *at = data; size > 0; at++, size--) {
        if (*at == '\n') {
            r->is_behind = r->is_title = r->has_digits = false;
            r->number = 0;
        } else if (r->is_behind || r->is_title) {
            continue;
        } else if (*at == ',') {
            r->is_behind = true;
            take_step(r);
        } else if (*at >= '0' && *at <= '9' && r->number < INT64_MAX / 20) {
            r->has_digits = true;
            r->number = r->number * 10 + (*at - '0');
        } else {
            r->is_title = true; /* not a number, so not a step */
        }
    }
    return 0;
}

/* Inputs without steps are not an error. */
static void find_steps(tui_session *s)
{
    step_reader reader = { .session = s, .is_title = true };
    if (tfprof_profile_keep_options(s->profile, NULL) != TFPROF_OK)
        return;
    tui_signals_busy(true);
    if (tfprof_profile_set(s->profile, "format", "csv", NULL) == TFPROF_OK &&
        tfprof_profile_set(s->profile, "top", "0", NULL) == TFPROF_OK)
        (void)tfprof_profile_write_table(s->profile, "steps", read_steps,
                                         &reader, NULL);
    tui_signals_busy(false);
    tfprof_profile_restore_options(s->profile);
}

/* ---- Notes -------------------------------------------------------------- */

static void keep_note(void *context, const char *remark)
{
    tui_session *s = context;
    size_t used = s->notes ? strlen(s->notes) : 0, size = strlen(remark);
    char *grown;
    if (s->notes && strstr(s->notes, remark))
        return;
    grown = realloc(s->notes, used + size + 2);
    if (!grown)
        return;
    memcpy(grown + used, remark, size);
    memcpy(grown + used + size, "\n", 2);
    s->notes = grown;
    if (!strncmp(remark, TFPROF_REMARK_EMPTY, strlen(TFPROF_REMARK_EMPTY)))
        tui_say(s, "%s", remark);
}

/* ---- Session ------------------------------------------------------------ */

/* Writes the inputs as "bert/graph.pb and 2 more". Of the path, only the last
 * two parts are shown. */
static void name_model(tui_session *s)
{
    char path[sizeof(s->model)];
    size_t count = tfprof_profile_input_count(s->profile);
    size_t at = tfprof_profile_input_name(s->profile, 0, path, sizeof(path));
    int slashes = 0, used;
    at = at < sizeof(path) ? at : sizeof(path) - 1;
    while (at > 0 && (path[at - 1] != '/' || ++slashes < 2))
        at--;
    used = snprintf(s->model, sizeof(s->model) - 32, "%s", path + at);
    if (count > 1 && used > 0)
        snprintf(s->model + strlen(s->model), 32, " and %zu more", count - 1);
}

void tui_session_init(tui_session *s, const tui_request *request)
{
    char select[LONGEST_OPTION], step[32];
    *s = (tui_session){ .request = request,
                        .profile = request->profile,
                        .step = -1 };
    for (size_t i = 0; i < TUI_VIEWS; i++)
        s->sights[i].type = tfprof_view_type(i);
    tfprof_profile_on_cancel(s->profile, tui_is_cancelled, NULL);
    tfprof_profile_on_remark(s->profile, NULL, NULL);
    tfprof_profile_on_file(s->profile, NULL, NULL);
    tfprof_profile_get(s->profile, "select", select, sizeof(select));
    choose_metric(s, select);
    tfprof_profile_get(s->profile, "step", step, sizeof(step));
    s->step = strcmp(step, "rest") == 0 ? TUI_REST : strtoll(step, NULL, 10);
    name_model(s);
    find_steps(s);
    tfprof_profile_on_remark(s->profile, keep_note, s);
}

void tui_session_release(tui_session *s)
{
    tfprof_profile_on_cancel(s->profile, NULL, NULL);
    tfprof_profile_on_remark(s->profile, NULL, NULL);
    for (size_t i = 0; i < TUI_VIEWS; i++)
        empty_sight(&s->sights[i]);
    free(s->steps);
    free(s->notes);
}
