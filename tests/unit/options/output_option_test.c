/*
 * output_option_test.c - what --output takes: a type, a file, words for pprof.
 */
#include "counting.h"

#include "options/options.h"

typedef struct output_case {
    const char *text;
    tfp_output_kind kind;
    const char *outfile;
    tfp_sample_labels labels;
    tfp_samples samples;
} output_case;

TEST(OP_02_outputs_are_a_type_and_a_file)
{
    static const output_case table[] = {
        { "stdout", TFP_OUTPUT_STDOUT, NULL, 0, 0 },
        { "stdout:", TFP_OUTPUT_STDOUT, NULL, 0, 0 },
        { "none", TFP_OUTPUT_NONE, NULL, 0, 0 },
        { "none:", TFP_OUTPUT_NONE, NULL, 0, 0 },
        { "file:outfile=f", TFP_OUTPUT_FILE, "f", 0, 0 },
        { "file:output=f", TFP_OUTPUT_FILE, "f", 0, 0 },
        { "timeline:outfile=/tmp/t.json", TFP_OUTPUT_TIMELINE, "/tmp/t.json", 0,
          0 },
        { "pprof:outfile=p", TFP_OUTPUT_PPROF, "p", TFP_LABELS_NODE,
          TFP_SAMPLES_LEAVES },
        { "profile:outfile=p", TFP_OUTPUT_PROFILE, "p", 0, 0 },
        { "folded:outfile=f", TFP_OUTPUT_FOLDED, "f", 0, 0 },
        { "speedscope:output=s", TFP_OUTPUT_SPEEDSCOPE, "s", 0, 0 },
        { "html:outfile=p", TFP_OUTPUT_HTML, "p", 0, 0 },
        { "parquet:outfile=p", TFP_OUTPUT_PARQUET, "p", 0, 0 },
        { "file:outfile=a\\,b\\,", TFP_OUTPUT_FILE, "a,b,", 0, 0 },
        { "file:outfile=a\\b", TFP_OUTPUT_FILE, "a\\b", 0, 0 },
        { "file:outfile=a:b=c d", TFP_OUTPUT_FILE, "a:b=c d", 0, 0 },
        { "file:outfile==", TFP_OUTPUT_FILE, "=", 0, 0 },
        { "file:outfile=<filename>", TFP_OUTPUT_FILE, "<filename>", 0, 0 },
        { "pprof:outfile=p,labels=all", TFP_OUTPUT_PPROF, "p", TFP_LABELS_ALL,
          TFP_SAMPLES_LEAVES },
        { "pprof:labels=all,output=p", TFP_OUTPUT_PPROF, "p", TFP_LABELS_ALL,
          TFP_SAMPLES_LEAVES },
        { "pprof:outfile=p,labels=groups", TFP_OUTPUT_PPROF, "p",
          TFP_LABELS_GROUPS, TFP_SAMPLES_LEAVES },
        { "pprof:labels=node,outfile=a\\,b,samples=all", TFP_OUTPUT_PPROF,
          "a,b", TFP_LABELS_NODE, TFP_SAMPLES_ALL },
        { "pprof:outfile=labels=all,samples=leaves", TFP_OUTPUT_PPROF,
          "labels=all", TFP_LABELS_NODE, TFP_SAMPLES_LEAVES },
        { "pprof:places=lines,outfile=p", TFP_OUTPUT_PPROF, "p",
          TFP_LABELS_NODE, TFP_SAMPLES_LEAVES },
    };
    counting counts = { 0 };
    tfp_memory memory;
    tfp_options options;
    tfp_memory_init(&memory, counting_resize, &counts);
    assert_true(tfp_options_init(&options, &memory));
    EACH(row, table) {
        tfprof_error err = { 0 };
        if (tfp_options_set(&options, "output", row->text, &err) != TFPROF_OK)
            fail_msg("'%s': %s", row->text, err.message);
        assert_int_equal(options.output.kind, row->kind);
        if (row->outfile)
            assert_string_equal(options.output.outfile, row->outfile);
        else
            assert_null(options.output.outfile);
        assert_int_equal(options.output.labels, row->labels);
        assert_int_equal(options.output.samples, row->samples);
    }
    tfp_options_release(&options);
    assert_int_equal(memory.held, 0);
}

TEST(OP_02_what_is_no_output_is_refused)
{
    static const char *const table[][2] = {
        { ":", "accepts stdout|" },
        { "out.txt", "accepts stdout|" },
        { "file=out.txt", "accepts stdout|" },
        { "timelin:outfile=f", "(did you mean timeline?)" },
        { "foldet:outfile=f", "(did you mean folded?)" },
        { "speedscope", "needs a file (write speedscope:outfile=FILE)" },
        { "stdou", "(did you mean stdout?)" },
        { "File:outfile=f", "(did you mean file?)" },
        { " stdout", "(did you mean stdout?)" },
        { "file", "needs a file (write file:outfile=FILE)" },
        { "timeline:", "needs a file (write timeline:outfile=FILE)" },
        { "timeline:outfile=", "empty file name" },
        { "pprof:output=", "empty file name" },
        { "file:outfile", "accepts outfile=FILE, not 'outfile'" },
        { "file:f", "accepts outfile=FILE, not 'f'" },
        { "file:=f", "accepts outfile=FILE, not '=f'" },
        { "file:outfil=f", "accepts outfile=FILE, not 'outfil=f'" },
        { "file:outfile =f", "accepts outfile=FILE" },
        { "file:f,outfile=g", "accepts outfile=FILE" },
        { "file:outfile=a,outfile=b", "accepts only one outfile" },
        { "file:outfile=a,b", "write a comma in a file name as \\," },
        { "file:outfile=a,", "accepts only one outfile" },
        { "file:outfile=,", "accepts only one outfile" },
        { "stdout:outfile=f",
          "stdout accepts no parameters; unexpected 'outfile=f'" },
        { "none:x", "none accepts no parameters" },
        { "pprof:labels=all", "needs a file (write pprof:outfile=FILE)" },
        { "pprof:outfile=p,labels=al",
          "does not accept labels=al (did you mean labels=all?)" },
        { "pprof:outfile=p,labels=nodes", "(did you mean labels=node?)" },
        { "pprof:outfile=p,labels=",
          "does not accept labels= (labels=node|all|groups)" },
        { "pprof:outfile=p,labels=everything", "(labels=node|all|groups)" },
        { "pprof:outfile=p,samples=leafs", "(did you mean samples=leaves?)" },
        { "pprof:label=all,outfile=p",
          "accepts outfile=FILE, labels=all|groups, samples=all and "
          "places=lines, not 'label=all" },
        { "pprof:outfile=p,labels=group", "(did you mean labels=groups?)" },
        { "pprof:outfile=p,places=line", "(did you mean places=lines?)" },
        { "pprof:outfile=p,places=x", "(places=calls|lines)" },
        { "pprof:outfile=p,label=all", "accepts only one outfile" },
        { "pprof:outfile=a,b", "write a comma in a file name as \\," },
        { "pprof:outfile=a,outfile=b", "accepts only one outfile" },
        { "pprof:outfile=p,", "accepts only one outfile" },
        { "pprof:outfile=,labels=all", "empty file name" },
        { "pprof:,outfile=p", "accepts outfile=FILE" },
        { "file:outfile=f,labels=all", "accepts only one outfile" },
        { "file:labels=all,outfile=f", "accepts outfile=FILE, not" },
    };
    counting counts = { 0 };
    tfp_memory memory;
    tfp_options options;
    tfp_memory_init(&memory, counting_resize, &counts);
    assert_true(tfp_options_init(&options, &memory));
    assert_ok(tfp_options_set(&options, "output", "file:outfile=kept", NULL));
    EACH(row, table) {
        tfprof_error err = { 0 };
        assert_int_equal(tfp_options_set(&options, "output", (*row)[0], &err),
                         TFPROF_ERR_OPTION);
        if (strncmp(err.message, "--output", 8) != 0 ||
            !strstr(err.message, (*row)[1]))
            fail_msg("'%s': %s", (*row)[0], err.message);
        assert_int_equal(options.output.kind, TFP_OUTPUT_FILE);
        assert_string_equal(options.output.outfile, "kept");
    }
    tfp_options_release(&options);
    assert_int_equal(memory.held, 0);
}
