/*
 * asking.h - every question that the public functions answer about a loaded
 * profile.
 *
 * A question sends all that it returns to `write`, so that two answers can be
 * compared. These functions assert nothing: they also run in threads, and
 * assertions of cmocka jump.
 */
#ifndef TFP_TESTS_ASKING_H
#define TFP_TESTS_ASKING_H

#include "testing.h"

/* Where an answer goes. */
typedef struct asking {
    tfprof_write_fn *write;
    void *context;
    const char *path; /* of an input */
} asking;

/* `type` is the view, table or tool. */
typedef int asking_fn(tfprof_profile *p, const char *type, const asking *a,
                      tfprof_error *err);

typedef struct asking_question {
    const char *name;
    asking_fn *ask;
    const char *(*type_at)(size_t index); /* NULL: there is one question */
} asking_question;

static inline void asking_send(const asking *a, const void *data, size_t size)
{
    if (size > 0)
        (void)a->write(a->context, data, size);
}

static inline void asking_send_text(const asking *a, tfprof_text text)
{
    asking_send(a, text.data, text.size);
}

/* ---- What is kept ------------------------------------------------------- */

static inline void asking_send_row(const asking *a, const tfprof_view *view,
                                   size_t index)
{
    tfprof_row row;
    if (tfprof_view_row(view, index, &row) != TFPROF_OK)
        return;
    asking_send_text(a, row.name);
    asking_send_text(a, tfprof_view_fact(view, index, TFPROF_FACT_DEVICES));
    for (int i = 0; i < 4; i++) {
        static const tfprof_metric metrics[] = { TFPROF_METRIC_MICROS,
                                                 TFPROF_METRIC_BYTES,
                                                 TFPROF_METRIC_PARAMS,
                                                 TFPROF_METRIC_FLOAT_OPS };
        int64_t costs[2] = { tfprof_view_self(view, index, metrics[i]),
                             tfprof_view_total(view, index, metrics[i]) };
        asking_send(a, costs, sizeof(costs));
    }
}

static inline int asking_view(tfprof_profile *p, const char *type,
                              const asking *a, tfprof_error *err)
{
    tfprof_view *view = NULL;
    int status = tfprof_profile_view(p, type, &view, err);
    for (size_t i = 0; view && i < tfprof_view_row_count(view); i++)
        asking_send_row(a, view, i);
    tfprof_view_free(view);
    return status;
}

static inline int asking_table(tfprof_profile *p, const char *type,
                               const asking *a, tfprof_error *err)
{
    tfprof_table *table = NULL;
    int status = tfprof_profile_table(p, type, &table, err);
    size_t rows = table ? tfprof_table_row_count(table) : 0;
    if (status == TFPROF_OK)
        asking_send(a, &rows, sizeof(rows));
    tfprof_table_free(table);
    return status;
}

static inline int asking_findings(tfprof_profile *p, const char *type,
                                  const asking *a, tfprof_error *err)
{
    tfprof_advice *advice = NULL;
    tfprof_finding f;
    int status = tfprof_profile_advise(p, &advice, err);
    (void)type;
    for (size_t i = 0; advice && tfprof_advice_at(advice, i, &f) == TFPROF_OK;
         i++) {
        asking_send_text(a, f.report);
        asking_send_text(a, f.name);
        asking_send_text(a, f.node);
    }
    tfprof_advice_free(advice);
    return status;
}

/* ---- What is written ---------------------------------------------------- */

static inline int asking_written_view(tfprof_profile *p, const char *type,
                                      const asking *a, tfprof_error *err)
{
    return tfprof_profile_write_view(p, type, a->write, a->context, err);
}

static inline int asking_page(tfprof_profile *p, const char *type,
                              const asking *a, tfprof_error *err)
{
    return tfprof_profile_write_page(p, type, a->write, a->context, err);
}

static inline int asking_written_table(tfprof_profile *p, const char *type,
                                       const asking *a, tfprof_error *err)
{
    return tfprof_profile_write_table(p, type, a->write, a->context, err);
}

static inline int asking_xprof(tfprof_profile *p, const char *type,
                               const asking *a, tfprof_error *err)
{
    return tfprof_profile_write_xprof(p, type, a->path, a->write, a->context,
                                      err);
}

static inline int asking_advice(tfprof_profile *p, const char *type,
                                const asking *a, tfprof_error *err)
{
    (void)type;
    return tfprof_profile_write_advice(p, a->write, a->context, err);
}

static inline int asking_flops(tfprof_profile *p, const char *type,
                               const asking *a, tfprof_error *err)
{
    (void)type;
    return tfprof_profile_write_flops(p, a->write, a->context, err);
}

static inline int asking_summary(tfprof_profile *p, const char *type,
                                 const asking *a, tfprof_error *err)
{
    (void)type;
    return tfprof_profile_write_summary(p, "x", a->write, a->context, err);
}

static inline int asking_report(tfprof_profile *p, const char *type,
                                const asking *a, tfprof_error *err)
{
    (void)type;
    return tfprof_profile_write_report(p, NULL, 0, a->write, a->context, err);
}

static inline int asking_info(tfprof_profile *p, const char *type,
                              const asking *a, tfprof_error *err)
{
    (void)type;
    return tfprof_profile_write_info(p, a->write, a->context, err);
}

static inline int asking_profile(tfprof_profile *p, const char *type,
                                 const asking *a, tfprof_error *err)
{
    (void)type;
    return tfprof_profile_write_profile(p, a->write, a->context, err);
}

static inline int asking_save(tfprof_profile *p, const char *type,
                              const asking *a, tfprof_error *err)
{
    (void)type;
    (void)a;
    return tfprof_profile_save(p, "/dev/null", err);
}

/* ---- The rest ----------------------------------------------------------- */

static inline int asking_name(void *context, const char *name, size_t size)
{
    asking_send(context, name, size);
    return 0;
}

static inline int asking_names(tfprof_profile *p, const char *type,
                               const asking *a, tfprof_error *err)
{
    asking copy = *a;
    (void)type;
    return tfprof_profile_complete_name(p, "", asking_name, &copy, err);
}

static inline int asking_check(tfprof_profile *p, const char *type,
                               const asking *a, tfprof_error *err)
{
    (void)type;
    (void)a;
    return tfprof_profile_check(p, err);
}

static inline int asking_expect(tfprof_profile *p, const char *type,
                                const asking *a, tfprof_error *err)
{
    (void)a;
    return tfprof_profile_expect(p, type, err);
}

/* Sets an option for a question and puts it back, also after a failure. */
static inline int asking_options(tfprof_profile *p, const char *type,
                                 const asking *a, tfprof_error *err)
{
    int status = tfprof_profile_keep_options(p, err);
    (void)type;
    if (status != TFPROF_OK)
        return status;
    status = tfprof_profile_set(p, "show_name_regexes", ".*a.*,.*b.*", err);
    if (status == TFPROF_OK)
        status = tfprof_profile_write_view(p, "scope", a->write, a->context,
                                           err);
    tfprof_profile_restore_options(p);
    return status;
}

static const asking_question asking_questions[] = {
    { "view", asking_view, tfprof_view_type },
    { "written view", asking_written_view, tfprof_view_type },
    { "page", asking_page, tfprof_view_type },
    { "table", asking_table, tfprof_table_type },
    { "written table", asking_written_table, tfprof_table_type },
    { "expect", asking_expect, tfprof_table_type },
    { "xprof", asking_xprof, tfprof_xprof_tool },
    { "findings", asking_findings, NULL },
    { "advice", asking_advice, NULL },
    { "flops", asking_flops, NULL },
    { "summary", asking_summary, NULL },
    { "report", asking_report, NULL },
    { "info", asking_info, NULL },
    { "profile", asking_profile, NULL },
    { "save", asking_save, NULL },
    { "names", asking_names, NULL },
    { "check", asking_check, NULL },
    { "options", asking_options, NULL },
};

enum { ASKING_KINDS = COUNT(asking_questions) };

/* The type of the question with this index; "" if it has none. NULL past the
 * last one. */
static inline const char *asking_type(const asking_question *q, size_t index)
{
    if (q->type_at)
        return q->type_at(index);
    return index == 0 ? "" : NULL;
}

#endif
