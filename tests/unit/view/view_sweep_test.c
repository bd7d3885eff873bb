/*
 * view_sweep_test.c - every allocation of a view, or of advice, fails once.
 *
 * All samples and the small files of tests/data are loaded with nothing
 * failing, then each view is asked for in each format and with each set of
 * options, while the k-th allocation fails, alone or with all that follow.
 *
 * The ordinary run takes 25 random k of each scenario, the same in every
 * run, or others by TFPROF_SEED; TFPROF_SLOW=1 takes every k.
 */
#include "samples.h"
#include "sweeping.h"

#include <unistd.h>

#include "view/view.h"

static char folder[] = "/tmp/tfprof-view-sweep-XXXXXX";
static char outfile[sizeof(folder) + 16];

static const char old_content[] = "what was there before\n";

/* ---- What is asked ------------------------------------------------------ */

#define EVERYTHING                                                             \
    "bytes,peak_bytes,residual_bytes,output_bytes,micros,accelerator_micros,"  \
    "cpu_micros,params,float_ops,occurrence,device,op_types,input_shapes,"     \
    "num_hidden_ops"

typedef struct option_set {
    const char *name;
    const char *pairs[7][2];
    const char *to_file; /* the output, with %s for the file, or NULL */
    bool has_target;     /* which is there already */
} option_set;

static const option_set option_sets[] = {
    { .name = "defaults" },
    { .name = "everything",
      .pairs = { { "select", EVERYTHING }, { "max_depth", "1000" } } },
    { .name = "patterns",
      .pairs = { { "select", "micros,op_types" },
                 { "account_type_regexes", ".*(Var|Mat|Const).*,NoOp" },
                 { "start_name_regexes", "(?!no).*" },
                 { "trim_name_regexes", "never,.*[$].*" },
                 { "show_name_regexes", ".*[a-z].*" },
                 { "hide_name_regexes", "x{2,3},hidden.*" } } },
    { .name = "order",
      .pairs = { { "order_by", "micros" }, { "min_micros", "1" } } },
    { .name = "devices",
      .pairs = { { "select", "device,num_hidden_ops" },
                 { "device_regexes", ".*cpu.*,.*GPU.*" } } },
    { .name = "displayed",
      .pairs = { { "select", EVERYTHING },
                 { "order_by", "occurrence" },
                 { "max_depth", "2" },
                 { "account_displayed_op_only", "true" } } },
    { .name = "top", .pairs = { { "select", EVERYTHING }, { "top", "1" } } },
    { .name = "window",
      .pairs = { { "select", EVERYTHING },
                 { "max_depth", "1000" },
                 { "color", "always" },
                 { "width", "80" },
                 { "charset", "utf8" } } },
    { .name = "step", .pairs = { { "step", "0" }, { "order_by", "bytes" } } },
    { .name = "file",
      .pairs = { { "select", EVERYTHING } },
      .to_file = "file:outfile=%s" },
    { .name = "old file", .to_file = "file:outfile=%s", .has_target = true },
    { .name = "pprof",
      .pairs = { { "select", "micros,bytes,params" }, { "max_depth", "3" } },
      .to_file = "pprof:outfile=%s,labels=all,samples=all" },
    { .name = "old pprof", .to_file = "pprof:outfile=%s", .has_target = true },
    { .name = "page",
      .pairs = { { "select", "micros,bytes,occurrence" }, { "top", "2" } },
      .to_file = "html:outfile=%s" },
    { .name = "old page", .to_file = "html:outfile=%s", .has_target = true },
    { .name = "timeline",
      .pairs = { { "select", EVERYTHING },
                 { "max_depth", "1000" },
                 { "step", "0" } },
      .to_file = "timeline:outfile=%s" },
    { .name = "old timeline",
      .pairs = { { "step", "0" } },
      .to_file = "timeline:outfile=%s",
      .has_target = true },
    { .name = "folded", .to_file = "folded:outfile=%s" },
    { .name = "old folded",
      .pairs = { { "select", "params" }, { "max_depth", "2" } },
      .to_file = "folded:outfile=%s",
      .has_target = true },
    { .name = "speedscope",
      .pairs = { { "select", "micros,bytes,params" } },
      .to_file = "speedscope:outfile=%s" },
    { .name = "old speedscope",
      .to_file = "speedscope:outfile=%s",
      .has_target = true },
    { .name = "parquet",
      .pairs = { { "select", "micros,bytes,params,device,op_types" },
                 { "label", "worker=w1,job=j" } },
      .to_file = "parquet:outfile=%s" },
    { .name = "old parquet",
      .to_file = "parquet:outfile=%s",
      .has_target = true },
    { .name = "profile", .to_file = "profile:outfile=%s" },
};

static const char *const formats[] = { "text", "json", "csv", "proto",
                                       "table" };

enum { SETS = COUNT(option_sets), FORMATS = 5 };

typedef struct scenario {
    const char *view, *format;
    const option_set *options;
} scenario;

static void set(tfprof_profile *p, const char *name, const char *value)
{
    tfprof_error err;
    must(tfprof_profile_set(p, name, value, &err), &err);
}

static void set_options(tfprof_profile *p, const scenario *s)
{
    char output[sizeof(outfile) + 64];
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i);
        if (option->kind != TFPROF_OPTION_PATHS)
            set(p, option->name, option->default_value);
    }
    set(p, "format", s->format);
    for (size_t i = 0; s->options->pairs[i][0]; i++)
        set(p, s->options->pairs[i][0], s->options->pairs[i][1]);
    if (s->options->to_file) {
        const char *form = s->options->to_file, *mark = strstr(form, "%s");
        snprintf(output, sizeof(output), "%.*s%s%s", (int)(mark - form), form,
                 outfile, mark + 2);
        set(p, "output", output);
    }
}

/* ---- Files -------------------------------------------------------------- */

static void prepare_target(const option_set *options)
{
    FILE *file;
    unlink(outfile);
    if (!options->has_target)
        return;
    file = fopen(outfile, "w");
    assert_true(file && fputs(old_content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The content of the target, none when it is not there. */
static void read_target(wire_bytes *to)
{
    FILE *file = fopen(outfile, "r");
    char part[4096];
    size_t n;
    while (file && (n = fread(part, 1, sizeof(part), file)) > 0)
        wire_raw(to, part, n);
    if (file)
        fclose(file);
}

/* Nothing stands in the folder but, perhaps, the target. */
static void check_folder(bool has_target)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    size_t files = 0;
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, "answer") != 0)
            fail_msg("%s was left behind", entry->d_name);
        files += entry->d_name[0] != '.';
    }
    closedir(dir);
    assert_int_equal(files, has_target);
}

/* ---- Asking ------------------------------------------------------------- */

static void begin(counting *memory, counting plan)
{
    memory->calls = memory->growths = memory->refused = 0;
    memory->fail_at = plan.fail_at;
    memory->from_then_on = plan.from_then_on;
    memory->growths_only = plan.growths_only;
}

/* The views, advice, advice that is kept, the summary and the report; NULL past
 * the last one. */
static const char *subject_name(size_t index)
{
    static const char *const others[] = { "advise", "findings", "summary",
                                          "report" };
    size_t views = 0;
    while (tfprof_view_type(views))
        views++;
    if (index < views)
        return tfprof_view_type(index);
    return index - views < 4 ? others[index - views] : NULL;
}

/* All that findings say, one behind the other. */
static int keep_findings(tfprof_profile *p, wire_bytes *answer,
                         tfprof_error *err)
{
    tfprof_advice *advice;
    tfprof_finding f;
    int status = tfprof_profile_advise(p, &advice, err);
    assert_true((status == TFPROF_OK) == (advice != NULL));
    for (size_t i = 0; advice && tfprof_advice_at(advice, i, &f) == TFPROF_OK;
         i++) {
        wire_raw(answer, f.report.data, f.report.size);
        wire_raw(answer, f.name.data, f.name.size);
        wire_raw(answer, f.node.data, f.node.size);
        wire_raw(answer, f.file.data, f.file.size);
        wire_raw(answer, f.hint.data, f.hint.size);
        wire_text(answer, 1, f.checker);
        wire_text(answer, 2, f.kind);
    }
    tfprof_advice_free(advice);
    return status;
}

static int write_answer(tfprof_profile *p, const scenario *s,
                        wire_bytes *answer, tfprof_error *err)
{
    if (!strcmp(s->view, "findings"))
        return keep_findings(p, answer, err);
    if (!strcmp(s->view, "advise"))
        return tfprof_profile_write_advice(p, wire_keep, answer, err);
    if (!strcmp(s->view, "summary"))
        return tfprof_profile_write_summary(p, "x", wire_keep, answer, err);
    if (!strcmp(s->view, "report"))
        return tfprof_profile_write_report(p, NULL, 0, wire_keep, answer, err);
    return tfprof_profile_write_view(p, s->view, wire_keep, answer, err);
}

static bool writes(const scenario *s, const char *kind)
{
    return s->options->to_file &&
           !strncmp(s->options->to_file, kind, strlen(kind));
}

/* A summary is text or JSON. Advice has no CSV, and no options but those of
 * where it goes: as it is. A timeline has no formats, and not every view has
 * one; the same holds for flame graphs; nor has a profile formats. */
static bool makes_sense(const scenario *s)
{
    if (!strcmp(s->view, "findings"))
        return s->options == option_sets && s->format == formats[0];
    if (!strcmp(s->view, "report"))
        return s->format == formats[0] &&
               (s->options == option_sets || writes(s, "html:"));
    if (!strcmp(s->view, "summary"))
        return (!strcmp(s->format, "text") || !strcmp(s->format, "json")) &&
               (s->options == option_sets || writes(s, "file:"));
    if (!strcmp(s->view, "advise"))
        return strcmp(s->format, "csv") != 0 &&
               (s->options == option_sets || writes(s, "file:"));
    if (writes(s, "timeline:") &&
        tfp_view_find(s->view)->timeline == TFP_TIMELINE_NONE)
        return false;
    if (writes(s, "folded:") || writes(s, "speedscope:"))
        return s->format == formats[0] &&
               tfp_view_find(s->view)->timeline == TFP_TIMELINE_SHARES;
    return (!writes(s, "timeline:") && !writes(s, "profile:") &&
            !writes(s, "parquet:")) ||
           s->format == formats[0];
}

/* Asks with nothing failing. The answer, wherever it went. */
static wire_bytes ask(tfprof_profile *p, counting *memory, const scenario *s)
{
    wire_bytes answer = { 0 };
    tfprof_error err;
    prepare_target(s->options);
    begin(memory, (counting){ 0 });
    if (write_answer(p, s, &answer, &err) != TFPROF_OK)
        fail_msg("%s %s %s: %s", s->view, s->format, s->options->name,
                 err.message);
    if (s->options->to_file) {
        assert_int_equal(answer.size, 0);
        read_target(&answer);
        check_folder(true);
    }
    assert_true(answer.size > 0);
    return answer;
}

static void ask_again(tfprof_profile *p, counting *memory, const scenario *s,
                      const wire_bytes *expected)
{
    wire_bytes answer = ask(p, memory, s);
    assert_true(tfp_span_equal(wire_span(&answer), wire_span(expected)));
    wire_free(&answer);
}

/* Asks while memory fails as planned. */
static void ask_in_vain(tfprof_profile *p, counting *memory, const scenario *s,
                        counting plan)
{
    wire_bytes answer = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    prepare_target(s->options);
    begin(memory, plan);
    status = write_answer(p, s, &answer, &err);
    if (memory->refused == 0 || status != TFPROF_ERR_NOMEM)
        fail_msg("%s %s %s, k = %zu: %d, %zu refused", s->view, s->format,
                 s->options->name, plan.fail_at, status, memory->refused);
    assert_int_equal(err.code, status);
    assert_true(err.message[0] && !strchr(err.message, '\n'));
    begin(memory, (counting){ 0 });
    if (s->options->to_file) {
        check_folder(s->options->has_target);
        assert_int_equal(answer.size, 0);
        read_target(&answer);
        assert_true(tfp_span_is(wire_span(&answer),
                                s->options->has_target ? old_content : ""));
    }
    wire_free(&answer);
}

/* ---- Inputs ------------------------------------------------------------- */

/* Files that are no input at all are not for views. */
static bool is_input(const sample *s)
{
    tfprof_profile *p = tfprof_profile_new();
    int status = tfprof_profile_add_memory(p, s->name, s->bytes.data,
                                           s->bytes.size, s->role, NULL);
    tfprof_profile_free(p);
    return status == TFPROF_OK;
}

static tfprof_profile *load(const sample *all, size_t count, counting *memory)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    tfprof_error err;
    wire_bytes run = { 0 };
    assert_non_null(p);
    sample_accelerated_run(&run); /* first: it is step 0 */
    assert_ok(tfprof_profile_add_memory(p, "accelerated", run.data, run.size,
                                        "run_meta_path", &err));
    wire_free(&run);
    for (size_t i = 0; i < count; i++) {
        if (tfprof_profile_add_memory(p, all[i].name, all[i].bytes.data,
                                      all[i].bytes.size, all[i].role,
                                      &err) != TFPROF_OK)
            fail_msg("%s: %s", all[i].name, err.message);
    }
    return p;
}

static size_t good_samples(sample *all)
{
    size_t count = samples_all(all), good = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_input(&all[i]))
            all[good++] = all[i];
        else
            wire_free(&all[i].bytes);
    }
    assert_true(good > 9);
    return good;
}

/* ---- Memory ------------------------------------------------------------- */

static size_t sweep(tfprof_profile *p, counting *memory, const scenario *s,
                    counting plan)
{
    wire_bytes quiet;
    size_t held, most, k, taken = 0;
    set_options(p, s);
    quiet = ask(p, memory, s); /* the model gains a few names */
    held = memory->held;
    ask_again(p, memory, s, &quiet);
    assert_int_equal(memory->held, held);
    most = plan.growths_only ? memory->growths : memory->calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        plan.fail_at = k;
        ask_in_vain(p, memory, s, plan);
        assert_int_equal(memory->held, held);
        if (taken % 8 == 0)
            ask_again(p, memory, s, &quiet);
    }
    ask_again(p, memory, s, &quiet);
    wire_free(&quiet);
    unlink(outfile);
    return taken;
}

static void sweep_all(counting plan)
{
    sample all[SAMPLE_MOST];
    size_t count = good_samples(all), failures = 0;
    counting memory = { 0 };
    tfprof_profile *p = load(all, count, &memory);
    for (size_t v = 0; subject_name(v); v++) {
        for (size_t i = 0; i < SETS * FORMATS; i++) {
            scenario s = { subject_name(v), formats[i % FORMATS],
                           &option_sets[i / FORMATS] };
            if (makes_sense(&s))
                failures += sweep(p, &memory, &s, plan);
        }
    }
    print_message("%zu files, %zu failures\n", count, failures);
    tfprof_profile_free(p);
    counting_check(&memory);
    samples_free(all, count);
}

TEST(ME_01_the_kth_allocation_of_a_view_fails)
{
    sweep_all((counting){ 0 });
}

TEST(ME_02_the_kth_and_all_later_allocations_of_a_view_fail)
{
    sweep_all((counting){ .from_then_on = true });
}

TEST(ME_03_the_kth_growth_of_a_view_fails)
{
    sweep_all((counting){ .growths_only = true });
}

/* Of a profile that was asked before, the model has the new names already. */
static void sweep_first_time(const sample *all, size_t count, const scenario *s)
{
    counting memory = { 0 };
    tfprof_profile *p = load(all, count, &memory);
    wire_bytes quiet;
    size_t most, k, taken = 0;
    set_options(p, s);
    quiet = ask(p, &memory, s);
    most = memory.calls;
    tfprof_profile_free(p);
    counting_check(&memory);
    while ((k = sweep_next(most, &taken)) > 0) {
        memory = (counting){ 0 };
        p = load(all, count, &memory);
        set_options(p, s);
        ask_in_vain(p, &memory, s,
                    (counting){ .fail_at = k, .from_then_on = taken % 2 });
        ask_again(p, &memory, s, &quiet);
        tfprof_profile_free(p);
        counting_check(&memory);
    }
    wire_free(&quiet);
}

TEST(ME_01_the_kth_allocation_of_the_first_view_fails)
{
    sample all[SAMPLE_MOST];
    size_t count = good_samples(all);
    for (size_t v = 0; subject_name(v); v++) {
        scenario s = { subject_name(v), "text", &option_sets[1] };
        sweep_first_time(all, count, &s);
    }
    samples_free(all, count);
}

/* ---- All of it ---------------------------------------------------------- */

HOOK(suite_begin)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(outfile, sizeof(outfile), "%s/answer", folder);
    return 0;
}

HOOK(suite_end)
{
    unlink(outfile);
    return rmdir(folder);
}
