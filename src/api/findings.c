/*
 * findings.c - the public functions about advice that a caller keeps.
 */
#include "api/findings.h"

#include "base/error.h"

#include "base/cancel.h"

#include "api/question.h"
#include "base/utf8.h"
#include "model/model.h"
#include "model/times.h"
#include "output/advice/advice_lines.h"

struct tfprof_advice {
    uint32_t handle;   /* TFP_HANDLE_ADVICE */
    tfp_memory memory; /* the profile's allocator, counted apart */
    TFP_VEC(tfprof_finding) findings;
    tfp_utf8 texts; /* of all of them, one behind the other */
};

static bool is_advice(const tfprof_advice *kept)
{
    return tfp_handle_is(kept, TFP_HANDLE_ADVICE);
}

/* ---- Life --------------------------------------------------------------- */

int tfp_findings_new(const tfprof_profile *p, tfprof_advice **kept,
                     tfprof_error *err)
{
    tfp_memory memory;
    tfp_question_memory(p, &memory);
    *kept = tfp_memory_alloc(&memory, sizeof(**kept));
    if (!*kept)
        return tfp_question_end_kept(&memory, "findings", tfp_fail_nomem(err),
                                     err);
    **kept = (tfprof_advice){ .handle = TFP_HANDLE_ADVICE, .memory = memory };
    return TFPROF_OK;
}

void tfprof_advice_free(tfprof_advice *kept)
{
    tfp_memory memory;
    if (!is_advice(kept))
        return;
    TFP_VEC_RELEASE(&kept->memory, &kept->findings);
    TFP_VEC_RELEASE(&kept->memory, &kept->texts);
    kept->handle = 0;
    memory = kept->memory; /* it must outlive the block it stands in */
    tfp_memory_free(&memory, kept);
}

/* ---- Copying ------------------------------------------------------------ */

typedef struct copier {
    tfprof_advice *kept;
    const tfp_advice *from;
    tfp_advice_line line;
    bool failed;
} copier;

/* Where a text stands is only known when all of them are there. */
static tfprof_text add_text(copier *c, tfp_span text)
{
    size_t before = c->kept->texts.count;
    c->failed |= !tfp_utf8_add(&c->kept->memory, &c->kept->texts, text);
    return (tfprof_text){ NULL, c->kept->texts.count - before };
}

static tfprof_text constant_text(const char *text)
{
    text = text ? text : "";
    return (tfprof_text){ text, strlen(text) };
}

static void add_finding(copier *c, const char *checker, const tfp_finding *f)
{
    const tfp_model *model = c->from->model;
    int64_t unit = tfp_model_time_unit(model);
    tfprof_finding copy = {
        .checker = checker,
        .kind = tfp_finding_kinds[f->kind],
        .line = f->line,
        .nodes = f->node_count,
        .rank = f->rank,
        .micros = tfp_time_to_micros(f->micros, unit),
        .cpu_micros = tfp_time_to_micros(f->cpu_micros, unit),
        .accelerator_micros = tfp_time_to_micros(f->accelerator_micros, unit),
        .whole_micros = tfp_time_to_micros(f->whole_micros, unit),
        .hint = constant_text(f->hint),
        .count = f->count,
        .whole_count = f->whole_count,
        .bytes = f->kind == TFP_FINDING_COPY ? f->bytes : -1,
        .launch_micros = -1,
    };
    if (f->kind == TFP_FINDING_SMALL && f->launch_micros >= 0)
        copy.launch_micros = tfp_time_to_micros(f->launch_micros, unit);
    copy.report = add_text(c, tfp_advice_line_make(&c->line, f));
    copy.name = add_text(c, f->name);
    copy.node = add_text(c, tfp_model_text(model, f->node));
    copy.file = add_text(c, tfp_model_text(model, f->file));
    c->failed |= !TFP_VEC_PUSH(&c->kept->memory, &c->kept->findings, copy);
}

static void add_all(copier *c)
{
    const tfp_checker_report *report;
    for (uint32_t checker = 0; checker < TFP_CHECKERS; checker++) {
        for (report = NULL;
             (report = tfp_advice_next(c->from, checker, report));) {
            for (uint32_t i = 0; i < report->count && !c->failed; i++)
                add_finding(c, tfp_checkers[checker]->name,
                            &c->from->findings.data[report->first + i]);
        }
    }
}

/* In the order in which add_finding() added them. */
static void place_texts(tfprof_advice *kept)
{
    const char *at = kept->texts.data ? (const char *)kept->texts.data : "";
    for (size_t i = 0; i < kept->findings.count; i++) {
        tfprof_finding *f = &kept->findings.data[i];
        tfprof_text *texts[] = { &f->report, &f->name, &f->node, &f->file };
        for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
            texts[k]->data = at;
            at += texts[k]->size;
        }
    }
}

int tfp_findings_fill(tfprof_advice *kept, const tfp_advice *from,
                      const tfp_cancel *cancel, tfprof_error *err)
{
    copier c = { .kept = kept,
                 .from = from,
                 .line = tfp_advice_line_for(from) };
    if (tfp_cancelled(cancel))
        return tfp_fail_cancelled(err);
    add_all(&c);
    c.failed |= c.line.failed;
    tfp_advice_line_release(&c.line);
    if (c.failed)
        return tfp_question_end_kept(&kept->memory, "findings",
                                     tfp_fail_nomem(err), err);
    place_texts(kept);
    return TFPROF_OK;
}

/* ---- Findings ----------------------------------------------------------- */

size_t tfprof_advice_count(const tfprof_advice *kept)
{
    return is_advice(kept) ? kept->findings.count : 0;
}

int tfprof_advice_at(const tfprof_advice *kept, size_t index,
                     tfprof_finding *finding)
{
    if (!is_advice(kept) || !finding)
        return TFPROF_ERR_OPTION;
    if (index >= kept->findings.count)
        return TFPROF_ERR_MISSING;
    *finding = kept->findings.data[index];
    return TFPROF_OK;
}
