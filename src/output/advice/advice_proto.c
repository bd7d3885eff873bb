/*
 * advice_proto.c - findings as an AdviceProto, as upstream returns them.
 *
 * What upstream has not (where to look, what to try) stays out.
 */
#include "advise/advise.h"
#include "base/error.h"
#include "base/utf8.h"
#include "output/advice/advice.h"
#include "output/advice/advice_lines.h"
#include "proto/put.h"
#include "proto/schema.h"

typedef struct writer {
    const tfp_advice *advice;
    tfp_put put;
    tfp_advice_line line;
    tfp_utf8 report;
} writer;

/* A report is one string: its lines, with ends of lines between them. */
static void put_report(writer *w, const tfp_checker_report *report)
{
    tfp_memory *memory = w->advice->memory;
    const tfp_finding *f = &w->advice->findings.data[report->first];
    w->report.count = 0;
    for (uint32_t i = 0; i < report->count; i++) {
        tfp_span line = tfp_advice_line_make(&w->line, &f[i]);
        w->line.failed |= (i > 0 && !tfp_utf8_add(memory, &w->report,
                                                  tfp_span_of("\n"))) ||
                          !tfp_utf8_add(memory, &w->report, line);
    }
    tfp_put_bytes(&w->put, AdviceProto_Checker_reports >> 3,
                  (tfp_span){ w->report.data, w->report.count });
}

static void put_checker(writer *w, uint32_t checker)
{
    size_t entry = tfp_put_open(&w->put, AdviceProto_checkers), value;
    const tfp_checker_report *report = NULL;
    tfp_put_bytes(&w->put, TFP_MAP_KEY,
                  tfp_span_of(tfp_checkers[checker]->name));
    value = tfp_put_begin(&w->put, TFP_MAP_VALUE);
    while ((report = tfp_advice_next(w->advice, checker, report)))
        put_report(w, report);
    tfp_put_end(&w->put, value);
    tfp_put_end(&w->put, entry);
}

int tfp_advice_write_proto(const tfp_advice *a, tfp_sink *sink,
                           tfprof_error *err)
{
    writer w = { .advice = a, .line = tfp_advice_line_for(a) };
    bool ok;
    tfp_put_init(&w.put, a->memory);
    for (uint32_t c = 0; c < TFP_CHECKERS; c++) {
        if (tfp_advice_has(a, c))
            put_checker(&w, c);
    }
    ok = !w.put.failed && !w.line.failed;
    if (ok)
        tfp_sink_bytes(sink, tfp_put_span(&w.put));
    tfp_put_release(&w.put);
    tfp_advice_line_release(&w.line);
    TFP_VEC_RELEASE(a->memory, &w.report);
    return ok ? TFPROF_OK : tfp_fail_nomem(err);
}
