/*
 * answer.c - the commands that answer one question: a view, a table, advice,
 * the float operations of a model, a comparison, or what xprof answers.
 *
 * A figure from half of the inputs would look like an answer, so an input
 * that failed ends the command; --salvage is the way to ask for it anyway.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/signals.h"

typedef int question_fn(const cli_command *command, tfprof_profile *profile,
                        int *why, tfprof_error *err);

/* Words that are refused before anything is read. */
static bool is_refused(const cli_command *command, tfprof_profile *profile,
                       const cli_args *args)
{
    return cli_refuses_form(command, args) || cli_refuses_screen(profile);
}

/* Reads the inputs, and writes what `ask` answers to stdout. */
static int answer(const cli_command *command, tfprof_profile *profile,
                  const cli_args *args, question_fn *ask)
{
    tfprof_error err;
    int code, status, why = 0;
    if (is_refused(command, profile, args))
        return EXIT_USAGE;
    cli_listen(profile, args);
    if (cli_load(profile, args, &code) != CLI_LOADED_ALL)
        return code;
    cli_signals_query(true);
    cli_fit_terminal(profile);
    status = ask(command, profile, &why, &err);
    return cli_end_answer(status, why, &err, code);
}

/* The same of an answer that needs more of traces than the views do. */
static int answer_expected(const cli_command *command, tfprof_profile *profile,
                           const cli_args *args, question_fn *ask)
{
    tfprof_error err;
    int status = tfprof_profile_expect(profile, command->name, &err);
    if (status != TFPROF_OK) {
        cli_complain("%s", err.message);
        return cli_exit_code(status);
    }
    return answer(command, profile, args, ask);
}

/* Begins an answer whose inputs the library reads itself. */
static void begin_reading(cli_progress *progress, tfprof_profile *profile,
                          const cli_args *args)
{
    cli_listen(profile, args);
    cli_progress_start(progress, profile, args->quiet);
    cli_signals_query(true);
    cli_fit_terminal(profile);
}

/* ---- Views -------------------------------------------------------------- */

static int ask_view(const cli_command *command, tfprof_profile *profile,
                    int *why, tfprof_error *err)
{
    return tfprof_profile_write_view(profile, command->name, cli_write_stdout,
                                     why, err);
}

static int show(const cli_command *command, tfprof_profile *profile,
                const cli_args *args)
{
    if (cli_shows_table(profile)) /* which tells how long steps are */
        (void)tfprof_profile_expect(profile, "steps", NULL);
    return answer(command, profile, args, ask_view);
}

int cli_run_view(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, show);
}

/* ---- Advice ------------------------------------------------------------- */

static int ask_advice(const cli_command *command, tfprof_profile *profile,
                      int *why, tfprof_error *err)
{
    (void)command;
    return tfprof_profile_write_advice(profile, cli_write_stdout, why, err);
}

static int advise(const cli_command *command, tfprof_profile *profile,
                  const cli_args *args)
{
    return answer_expected(command, profile, args, ask_advice);
}

int cli_run_advise(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, advise);
}

/* ---- Float operations --------------------------------------------------- */

static int ask_flops(const cli_command *command, tfprof_profile *profile,
                     int *why, tfprof_error *err)
{
    (void)command;
    return tfprof_profile_write_flops(profile, cli_write_stdout, why, err);
}

static int count(const cli_command *command, tfprof_profile *profile,
                 const cli_args *args)
{
    return answer(command, profile, args, ask_flops);
}

int cli_run_flops(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, count);
}

/* ---- Tables ------------------------------------------------------------- */

static int ask_table(const cli_command *command, tfprof_profile *profile,
                     int *why, tfprof_error *err)
{
    return tfprof_profile_write_table(profile, command->name, cli_write_stdout,
                                      why, err);
}

static int tabulate(const cli_command *command, tfprof_profile *profile,
                    const cli_args *args)
{
    return answer_expected(command, profile, args, ask_table);
}

int cli_run_table(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, tabulate);
}

/* ---- Aggregates --------------------------------------------------------- */

/* Inputs with runs are read while they are aggregated. Damaged inputs are left
 * out and reported; the others are aggregated. */
static int answer_aggregate(const cli_command *command, tfprof_profile *profile,
                            const cli_args *args)
{
    cli_progress progress;
    tfprof_error err;
    int code, status, why = 0;
    if (is_refused(command, profile, args))
        return EXIT_USAGE;
    status = tfprof_profile_expect(profile, command->name, &err);
    if (status != TFPROF_OK) {
        cli_complain("%s", err.message);
        return cli_exit_code(status);
    }
    cli_listen(profile, args);
    if (!cli_add_inputs(profile, args, &code))
        return code;
    begin_reading(&progress, profile, args);
    status = tfprof_profile_write_aggregate(profile, cli_write_stdout, &why,
                                            &err);
    cli_progress_stop(&progress, profile);
    if (!cli_interrupted()) /* else an input was not read to its end */
        (void)cli_judge_inputs(profile, args, &code);
    return cli_end_answer(status, why, &err, code);
}

int cli_run_aggregate(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, answer_aggregate);
}

/* ---- The summary -------------------------------------------------------- */

static void put_input(FILE *out, const cli_input *input, bool is_first)
{
    fputs(is_first ? "" : " ", out);
    if (input->role)
        fprintf(out, "--%s=", input->role);
    if (input->has_step)
        fprintf(out, "%lld=", input->step);
    cli_print_quoted(out, input->path);
}

/* The inputs as they were given; NULL when out of memory. */
static char *inputs_text(const cli_args *args)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < args->input_count; i++)
        put_input(out, &args->inputs[i], i == 0);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static char *summary_inputs; /* of the command that runs */

static int ask_summary(const cli_command *command, tfprof_profile *profile,
                       int *why, tfprof_error *err)
{
    (void)command;
    return tfprof_profile_write_summary(profile, summary_inputs,
                                        cli_write_stdout, why, err);
}

static int summarize(const cli_command *command, tfprof_profile *profile,
                     const cli_args *args)
{
    int code;
    summary_inputs = inputs_text(args);
    if (!summary_inputs) {
        cli_complain("out of memory");
        return EXIT_LIMIT;
    }
    code = answer_expected(command, profile, args, ask_summary);
    free(summary_inputs);
    summary_inputs = NULL;
    return code;
}

int cli_run_summary(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, summarize);
}

/* ---- Comparisons -------------------------------------------------------- */

static bool is_view(const char *word)
{
    const char *view;
    for (size_t i = 0; (view = tfprof_view_type(i)); i++) {
        if (!strcmp(view, word))
            return true;
    }
    return false;
}

/* The inputs of a comparison: those of --base, and the others. */
typedef struct sides {
    const char *view;   /* or NULL */
    const char **paths; /* of the base from the front, of the head behind */
    const char **head;
    size_t base_count, head_count;
} sides;

/* Lists the inputs of --base. EXIT_ANSWERED, or why it cannot. */
static int list_base(const cli_args *args, sides *out)
{
    out->paths = calloc(args->input_count, sizeof(*out->paths));
    if (!out->paths) {
        cli_complain("out of memory");
        return EXIT_LIMIT;
    }
    for (size_t i = 0; i < args->input_count; i++) {
        const char *role = args->inputs[i].role;
        if (role && !strcmp(role, "base"))
            out->paths[out->base_count++] = args->inputs[i].path;
    }
    return EXIT_ANSWERED;
}

/* Lists the other inputs, which have no roles. */
static void list_inputs(const cli_args *args, sides *out)
{
    size_t head = args->input_count;
    for (size_t i = args->input_count; i-- > 0;) {
        if (!args->inputs[i].role)
            out->paths[--head] = args->inputs[i].path;
    }
    out->head = out->paths + head;
    out->head_count = args->input_count - head;
}

/* The same of a comparison, which may begin with a view. */
static void list_head(const cli_args *args, sides *out)
{
    list_inputs(args, out);
    if (out->head_count > 0 && !args->inputs[0].role &&
        is_view(args->inputs[0].path)) {
        out->view = args->inputs[0].path;
        out->head++;
        out->head_count--;
    }
}

static int compare(const cli_command *command, tfprof_profile *profile,
                   const cli_args *args, const sides *s)
{
    cli_progress progress;
    tfprof_error err;
    int status, why = 0;
    if (is_refused(command, profile, args))
        return EXIT_USAGE;
    if (s->base_count == 0 || s->head_count == 0) {
        cli_complain(s->base_count == 0
                         ? "diff needs --base BASE (see tfprof help diff)"
                         : "diff needs an input file to compare with the base "
                           "(see tfprof help diff)");
        return EXIT_USAGE;
    }
    begin_reading(&progress, profile, args);
    status = tfprof_profile_write_diff(profile, s->view, s->paths,
                                       s->base_count, s->head, s->head_count,
                                       cli_write_stdout, &why, &err);
    cli_progress_stop(&progress, profile);
    return cli_end_answer(status, why, &err, EXIT_ANSWERED);
}

static int answer_diff(const cli_command *command, tfprof_profile *profile,
                       const cli_args *args)
{
    sides s = { .view = NULL };
    int code = list_base(args, &s);
    if (code == EXIT_ANSWERED) {
        list_head(args, &s);
        code = compare(command, profile, args, &s);
    }
    free(s.paths);
    return code;
}

int cli_run_diff(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, answer_diff);
}

/* ---- Reports ------------------------------------------------------------ */

static const sides *report_sides; /* of the command that runs */

static int ask_report(const cli_command *command, tfprof_profile *profile,
                      int *why, tfprof_error *err)
{
    (void)command;
    return tfprof_profile_write_report(profile, report_sides->paths,
                                       report_sides->base_count,
                                       cli_write_stdout, why, err);
}

/* The inputs without those of the base, in their order. */
static void drop_base(cli_args *args)
{
    size_t kept = 0;
    for (size_t i = 0; i < args->input_count; i++) {
        const char *role = args->inputs[i].role;
        if (!role || strcmp(role, "base") != 0)
            args->inputs[kept++] = args->inputs[i];
    }
    args->input_count = kept;
}

static int report_with(const cli_command *command, tfprof_profile *profile,
                       const cli_args *args, const sides *s)
{
    cli_args heads = *args;
    int code;
    if (cli_writes_stdout(profile) && isatty(STDOUT_FILENO)) {
        cli_complain("a report is an HTML page: name a file with --output "
                     "html:outfile=FILE, or redirect standard output");
        return EXIT_USAGE;
    }
    if (s->base_count == args->input_count) {
        cli_complain("report needs an input file to compare with the base "
                     "(see tfprof help report)");
        return EXIT_USAGE;
    }
    drop_base(&heads);
    report_sides = s;
    code = answer_expected(command, profile, &heads, ask_report);
    report_sides = NULL;
    return code;
}

static int write_report(const cli_command *command, tfprof_profile *profile,
                        const cli_args *args)
{
    sides s = { .view = NULL };
    int code = list_base(args, &s);
    if (code == EXIT_ANSWERED)
        code = report_with(command, profile, args, &s);
    free(s.paths);
    return code;
}

int cli_run_report(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, write_report);
}

/* ---- Checks ------------------------------------------------------------- */

typedef int check_fn(tfprof_profile *profile, const char *const *paths,
                     size_t count, void *context, tfprof_verdict *verdict,
                     tfprof_error *err);

static int write_check(tfprof_profile *profile, const char *const *paths,
                       size_t count, void *context, tfprof_verdict *verdict,
                       tfprof_error *err)
{
    return tfprof_profile_write_check(profile, paths, count, cli_write_stdout,
                                      context, verdict, err);
}

static int write_baseline(tfprof_profile *profile, const char *const *paths,
                          size_t count, void *context, tfprof_verdict *verdict,
                          tfprof_error *err)
{
    *verdict = TFPROF_VERDICT_OK;
    return tfprof_profile_write_baseline(profile, paths, count,
                                         cli_write_stdout, context, err);
}

static bool is_set(const tfprof_profile *profile, const char *option)
{
    char value[8];
    tfprof_profile_get(profile, option, value, sizeof(value));
    return tfprof_truth(value) == 1;
}

static int exit_code(const tfprof_profile *profile, tfprof_verdict verdict)
{
    switch (verdict) {
    case TFPROF_VERDICT_BROKEN: return EXIT_BROKEN;
    case TFPROF_VERDICT_NONE:
        return is_set(profile, "allow_no_verdict") ? EXIT_ANSWERED : EXIT_OPEN;
    case TFPROF_VERDICT_NOISE:
        return is_set(profile, "require_verdict") ? EXIT_OPEN : EXIT_ANSWERED;
    default: return EXIT_ANSWERED;
    }
}

/* The baseline as a list: a comma in a path belongs to it. */
static char *join_base(const sides *s)
{
    size_t size = 1, at = 0;
    char *list;
    for (size_t i = 0; i < s->base_count; i++)
        size += 2 * strlen(s->paths[i]) + 1;
    list = malloc(size);
    for (size_t i = 0; list && i < s->base_count; i++) {
        if (i > 0)
            list[at++] = ',';
        for (const char *c = s->paths[i]; *c; c++) {
            if (*c == ',' || *c == '\\')
                list[at++] = '\\';
            list[at++] = *c;
        }
    }
    if (list)
        list[at] = '\0';
    return list;
}

/* --base names the baseline too, as it does in diff. */
static int set_base(tfprof_profile *profile, const sides *s)
{
    char given[2], *list;
    tfprof_error err;
    int code = EXIT_ANSWERED;
    if (s->base_count == 0)
        return code;
    tfprof_profile_get(profile, "baseline", given, sizeof(given));
    if (given[0]) {
        cli_complain("check accepts --base or --baseline, not both");
        return EXIT_USAGE;
    }
    list = join_base(s);
    if (!list) {
        cli_complain("out of memory");
        return EXIT_LIMIT;
    }
    if (tfprof_profile_set(profile, "baseline", list, &err) != TFPROF_OK) {
        cli_complain("%s", err.message);
        code = EXIT_USAGE;
    }
    free(list);
    return code;
}

static int check_sides(const cli_command *command, tfprof_profile *profile,
                       const cli_args *args, const sides *s, check_fn *write)
{
    cli_progress progress;
    tfprof_error err;
    tfprof_verdict verdict = TFPROF_VERDICT_OK;
    int status, why = 0, code;
    if (is_refused(command, profile, args))
        return EXIT_USAGE;
    if (s->head_count == 0) {
        cli_complain("%s needs an input file (see tfprof help %s)",
                     command->name, command->name);
        return EXIT_USAGE;
    }
    code = set_base(profile, s);
    if (code != EXIT_ANSWERED)
        return code;
    begin_reading(&progress, profile, args);
    status = write(profile, s->head, s->head_count, &why, &verdict, &err);
    cli_progress_stop(&progress, profile);
    return cli_end_answer(status, why, &err, exit_code(profile, verdict));
}

static int answer_check(const cli_command *command, tfprof_profile *profile,
                        const cli_args *args, check_fn *write)
{
    sides s = { .view = NULL };
    int code = list_base(args, &s);
    if (code == EXIT_ANSWERED) {
        list_inputs(args, &s);
        code = check_sides(command, profile, args, &s, write);
    }
    free(s.paths);
    return code;
}

static int answer_budgets(const cli_command *command, tfprof_profile *profile,
                          const cli_args *args)
{
    return answer_check(command, profile, args, write_check);
}

static int answer_baseline(const cli_command *command, tfprof_profile *profile,
                           const cli_args *args)
{
    return answer_check(command, profile, args, write_baseline);
}

int cli_run_check(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, answer_budgets);
}

int cli_run_baseline(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, answer_baseline);
}

/* ---- Answers of xprof --------------------------------------------------- */

/* The first word is the tool, and the other one the trace. */
static int answer_as_xprof(const cli_command *command, tfprof_profile *profile,
                           const cli_args *args)
{
    cli_progress progress;
    tfprof_error err;
    int status, code, why = 0;
    if (is_refused(command, profile, args))
        return EXIT_USAGE;
    if (args->input_count > 2) {
        cli_complain("%s reads only one trace; run it once for each trace",
                     command->name);
        return EXIT_USAGE;
    }
    begin_reading(&progress, profile, args);
    status = tfprof_profile_write_xprof(profile, args->inputs[0].path,
                                        args->inputs[1].path, cli_write_stdout,
                                        &why, &err);
    cli_progress_stop(&progress, profile);
    code = cli_end_answer(status, why, &err, EXIT_ANSWERED);
    /* Perhaps there are several traces: the entry of the input tells. */
    if (status == TFPROF_ERR_OPTION &&
        tfprof_profile_add_path(profile, args->inputs[1].path, NULL, NULL) ==
            status)
        cli_suggest_logs(profile, args, 0);
    return code;
}

int cli_run_xprof(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, answer_as_xprof);
}
