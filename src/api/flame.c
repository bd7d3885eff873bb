/*
 * flame.c - writes the file of --output folded:outfile=F or
 * speedscope:outfile=F.
 */
#include "api/flame.h"

#include "api/profile.h"
#include "api/question.h"
#include "api/remarks.h"
#include "options/options.h"
#include "output/flame/flame.h"
#include "output/sink/answer.h"
#include "output/sink/file.h"

typedef struct flame_answer {
    const tfp_view *view;
    tfp_flame_notes *notes;
} flame_answer;

static int write_file(const void *subject, tfp_sink *sink, tfprof_error *err)
{
    const flame_answer *flame = subject;
    return flame->view->options->output.kind == TFP_OUTPUT_FOLDED
               ? tfp_folded_write(flame->view, flame->notes, sink, err)
               : tfp_speedscope_write(flame->view, flame->notes, sink, err);
}

static void remark_on_notes(const tfprof_profile *p,
                            const tfp_flame_notes *notes)
{
    if (notes->cut_boxes > 0)
        tfp_remark(p,
                   "the flame graph shortens %lld box%s that would extend past "
                   "the box of the parent row",
                   (long long)notes->cut_boxes,
                   notes->cut_boxes == 1 ? "" : "es");
    if (notes->short_names > 0)
        tfp_remark(p,
                   "the flame graph shortens %lld name%s longer than %d bytes",
                   (long long)notes->short_names,
                   notes->short_names == 1 ? "" : "s", TFP_FOLDED_NAME);
}

int tfp_profile_write_flame(tfprof_profile *p, const tfp_view *view,
                            tfprof_error *err)
{
    tfp_flame_notes notes = { 0 };
    flame_answer flame = { view, &notes };
    tfp_answer answer = { .write = write_file,
                          .subject = &flame,
                          .memory = &p->memory,
                          .cancel = &p->cancel,
                          .packed = tfp_file_is_packed_name(
                              p->options.output.outfile) };
    int status = tfp_question_send(p, &answer, NULL, NULL, err);
    if (status == TFPROF_OK)
        remark_on_notes(p, &notes);
    return status;
}
