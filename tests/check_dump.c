/*
 * check_dump.c - prints verdicts in a form, for the rules of
 * tests/lib/check_rules.py.
 *
 * Usage: check_dump junit|sarif
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "options/options.h"
#include "output/check/check.h"
#include "output/sink/sink.h"
#include "unit/check_samples.h"

static int print(void *context, const void *data, size_t size)
{
    return fwrite(data, 1, size, context) == size ? 0 : -1;
}

int main(int argc, char **argv)
{
    tfp_memory memory;
    tfp_check_answer answer = check_answer(&memory);
    static tfp_sink sink;
    if (argc != 2)
        return 2;
    answer.format = !strcmp(argv[1], "junit") ? TFP_FORMAT_JUNIT
                                              : TFP_FORMAT_SARIF;
    tfp_memory_init(&memory, NULL, NULL);
    tfp_sink_init(&sink, print, stdout);
    if (tfp_check_write(&answer, &sink, NULL) || !tfp_sink_flush(&sink))
        return 1;
    return fflush(stdout) == 0 ? 0 : 1;
}
