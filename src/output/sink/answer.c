/*
 * answer.c - an answer on its way: to a callback or into a file, packed or
 * as it is.
 */
#include "output/sink/answer.h"

#include "output/sink/file.h"
#include "output/sink/pack.h"

static int send_plain(tfp_answer *a, tfp_write_fn *write, void *context,
                      tfprof_error *err)
{
    tfp_sink sink;
    int status;
    tfp_sink_init(&sink, write, context);
    sink.cancel = a->cancel;
    status = a->write(a->subject, &sink, err);
    a->escaped |= sink.escaped;
    if (status != TFPROF_OK)
        return status;
    return tfp_sink_flush(&sink) ? TFPROF_OK : tfp_sink_fail(&sink, err);
}

static int send_packed(tfp_answer *a, tfp_write_fn *write, void *context,
                       tfprof_error *err)
{
    tfp_pack *pack = tfp_pack_new(a->memory, write, context);
    int status;
    if (!pack)
        return tfp_fail_nomem(err);
    status = send_plain(a, tfp_pack_write, pack, err);
    if (status == TFPROF_OK && !tfp_pack_end(pack))
        status = tfp_fail(err, TFPROF_ERR_OUTPUT, -1,
                          "the output was not written");
    tfp_pack_free(pack);
    return status;
}

int tfp_answer_send(tfp_answer *a, tfp_write_fn *write, void *context,
                    tfprof_error *err)
{
    return a->packed ? send_packed(a, write, context, err)
                     : send_plain(a, write, context, err);
}

int tfp_answer_save(tfp_answer *a, const char *path, tfprof_error *err)
{
    tfp_file file;
    int status = tfp_file_open(&file, path, a->memory, a->cancel, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_answer_send(a, tfp_file_write, &file, err);
    return tfp_file_close(&file, status, err);
}
