/*
 * table.c - the commands of the program, the switches that all of them accept,
 * and the exit codes. Help, man pages and shell completions are made from these
 * tables.
 */
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"

#define GROUP(name) (1u << TFPROF_GROUP_##name)

enum {
    VIEW_GROUPS = GROUP(INPUTS) | GROUP(COUNTED) | GROUP(SHOWN) | GROUP(ORDER) |
                  GROUP(LARGEST) | GROUP(FLOAT_OPS) | GROUP(OUTPUT) |
                  GROUP(LIMITS),
    INFO_GROUPS = GROUP(INPUTS) | GROUP(OUTPUT) | GROUP(LIMITS),
    ADVISE_GROUPS = INFO_GROUPS | GROUP(ADVICE),
    TABLE_GROUPS = INFO_GROUPS | GROUP(LARGEST),
    TYPED = 1u << 31, /* accepts options such as --graph_path and also --base */
    DEPTH = 1u << 30, /* accepts --max_depth, but not its whole group */
    RUN = 1u << 29,   /* the same of --run */
    XPROF_GROUPS = GROUP(OUTPUT) | GROUP(LIMITS) | RUN,
    AGGREGATE_GROUPS = INFO_GROUPS | DEPTH,
    REPORT_GROUPS = INFO_GROUPS | GROUP(COMPARED) | GROUP(FLOAT_OPS) | TYPED,
    DIFF_GROUPS = INFO_GROUPS | GROUP(COMPARED) | GROUP(COUNTED) |
                  GROUP(SHOWN) | GROUP(LARGEST) | GROUP(FLOAT_OPS),
    CHECK_GROUPS = INFO_GROUPS | GROUP(COMPARED) | GROUP(BUDGETS) |
                   GROUP(FLOAT_OPS),
    FLOPS_GROUPS = INFO_GROUPS | GROUP(LARGEST) | GROUP(FLOAT_OPS) |
                   GROUP(MODEL)
};

#define DETECTED                                                               \
    ". gzip files are decompressed. File types are detected from content. "    \
    "Options such as --graph_path are needed only to require a file type or "  \
    "to number steps."
#define INPUT_IS                                                               \
    "An INPUT is a file, a directory, the prefix of a checkpoint, or - for "   \
    "standard input" DETECTED

const cli_command cli_commands[] = {
    { "summary", "INPUT... [options]", "Show the main results on one screen.",
      "Shows the inputs; parameters and float operations; steps, devices and "
      "peak memory; the most expensive scopes, operation types and lines of "
      "your code (three of each); the first advice; and the commands that show "
      "more. Every number is also printed by another command.\n\n" INPUT_IS,
      "tfprof summary graph.pb run_meta tfprof_log\n"
      "tfprof summary logdir/\n"
      "tfprof summary saved_model/ --format json | jq .params\n",
      INFO_GROUPS, "label", cli_run_summary, NULL },
    { "scope", "INPUT... [options]", "Show costs by name scope, as a tree.",
      "Each row is a node or a scope. A row shows its own cost, and a total "
      "that includes the rows below it.\n\n" INPUT_IS,
      "tfprof scope graph.pb\n"
      "tfprof scope graph.pb run_meta tfprof_log --select micros,bytes\n"
      "tfprof scope --graph_path=graph.pb --max_depth=3\n"
      "tfprof scope graph.pb --account_type_regexes 'Variable.*' --order_by "
      "params\n"
      "tfprof scope graph.pb run_meta --select micros --min_micros 1\n"
      "tfprof scope graph.pb --show_name_regexes '.*/weights,.*/bias\\d{1,3}'\n"
      "tfprof scope graph.pb run_meta --format json | jq .\n"
      "tfprof scope graph.pb --output file:outfile=scopes.txt\n"
      "tfprof scope graph.pb run_meta --select micros,bytes --output "
      "pprof:labels=all,outfile=scopes.pb.gz\n"
      "tfprof scope graph.pb run_meta --output folded:outfile=scopes.folded\n"
      "tfprof scope graph.pb run_meta tfprof_log --output "
      "profile:outfile=all.profile\n",
      VIEW_GROUPS, NULL, cli_run_view, NULL },
    { "graph", "INPUT... [options]", "Show costs along the data flow.",
      "The tree starts at nodes whose outputs are not used. Below each node "
      "are the nodes that produce its inputs. Each node is shown once. To "
      "start at other nodes, use --start_name_regexes.\n\n" INPUT_IS,
      "tfprof graph graph.pb run_meta --select micros --max_depth 5\n"
      "tfprof graph graph.pb run_meta --start_name_regexes 'loss.*' "
      "--min_micros 1\n"
      "tfprof graph graph.pb --select params,input_shapes --trim_name_regexes "
      "'init/.*'\n",
      VIEW_GROUPS, NULL, cli_run_view, NULL },
    { "op", "INPUT... [options]", "Show costs by operation type.",
      "Each row is an operation type. A row shows two shares of the total "
      "cost. The first is the share of this row and all rows after it "
      "together. The second is the share of this row only.\n\n" INPUT_IS,
      "tfprof op graph.pb run_meta --select micros,occurrence "
      "--order_by micros\n"
      "tfprof op graph.pb --select params --order_by params\n"
      "tfprof op graph.pb tfprof_log --select float_ops --min_float_ops 1\n"
      "tfprof op graph.pb run_meta --format csv\n",
      VIEW_GROUPS, NULL, cli_run_view, NULL },
    { "code", "INPUT... [options]", "Show costs by source line.",
      "The tree follows the calls that created the nodes; each caller is above "
      "the lines that it called. This view requires the call stacks of an op "
      "log, a profile or a trace.\n\n" INPUT_IS,
      "tfprof code graph.pb run_meta tfprof_log --select micros\n"
      "tfprof code graph.pb tfprof_log --select params --max_depth 1000 "
      "--show_name_regexes '.*model.py.*'\n"
      "tfprof code graph.pb run_meta tfprof_log --select micros --output "
      "pprof:outfile=code.pb.gz\n"
      "tfprof code graph.pb run_meta tfprof_log --select micros,bytes --output "
      "speedscope:outfile=code.json\n",
      VIEW_GROUPS, NULL, cli_run_view, NULL },
    { "tui", "INPUT... [options]", "Browse a view as a tree in the terminal.",
      "Shows the scope view as a tree that can be folded, sorted and searched. "
      "Press ? for a list of keys, and q to quit. The columns and the order "
      "of rows are those of --format table. Other keys show the other views "
      "and the details of a row, or open the source line of a row in $EDITOR. "
      "This command needs a terminal and the library ncursesw.\n\n"
      "An INPUT is a file, a directory or the prefix of a checkpoint" DETECTED,
      "tfprof tui graph.pb run_meta tfprof_log\n"
      "tfprof tui logdir/\n"
      "tfprof tui graph.pb --select params,float_ops\n",
      VIEW_GROUPS, "output|label", cli_run_tui, NULL },
    { "steps", "INPUT... [options]", "Show how long each step took.",
      "Each row is one step on one device. A row shows the wall time of the "
      "step, the time of the step on the device, busy and idle time, the time "
      "spent waiting for input, and the number of operations. A second table "
      "shows the median, the 95th percentile and the maximum of each column "
      "over all steps. Traces contain the data for all columns; RunMetadata "
      "and profiles contain the data for most of them.\n\n" INPUT_IS,
      "tfprof steps logdir/\n"
      "tfprof steps host.xplane.pb --top 0\n"
      "tfprof steps logdir/ --format csv\n"
      "tfprof steps logdir/ --format json | jq .summary\n",
      TABLE_GROUPS, NULL, cli_run_table, NULL },
    { "kernels", "INPUT... [options]", "Show GPU kernels, longest first.",
      "Each row is a kernel of one operation, with one launch configuration. A "
      "row shows the number of launches and their time; the grid, block, "
      "registers and occupancy; and the source line of the operation. Only "
      "traces of GPUs contain kernels.\n\n" INPUT_IS,
      "tfprof kernels logdir/ --top 20\n"
      "tfprof kernels host.xplane.pb --format csv\n",
      TABLE_GROUPS, NULL, cli_run_table, NULL },
    { "memory", "INPUT... [options]", "Show peak memory and what used it.",
      "Each of the first rows is an allocator or a device, with its peak "
      "memory, the time of the peak, and a curve of the memory in use. The "
      "other rows show the live set: the memory in use at the peak, and the "
      "operations that allocated this memory. RunMetadata and TensorFlow "
      "traces record allocations. If RunMetadata has no records of "
      "allocations, memory is estimated from the sizes and lifetimes of "
      "outputs.\n\n" INPUT_IS,
      "tfprof memory run_meta graph.pb\n"
      "tfprof memory run_meta graph.pb --by scope\n"
      "tfprof memory host.xplane.pb --format json | jq .pools\n",
      TABLE_GROUPS | GROUP(MEMORY), NULL, cli_run_table, NULL },
    { "devices", "INPUT... [options]",
      "Show device utilization and throughput.",
      "Each row is one device. A row shows busy and idle time, float "
      "operations and bytes for each second of busy time, and the peak rates "
      "that the trace states. A rate includes only operations whose counts are "
      "known. The row also shows which share of the operation time was spent "
      "in these operations.\n\n" INPUT_IS,
      "tfprof devices logdir/\n"
      "tfprof devices host.xplane.pb --format json | jq .devices\n",
      TABLE_GROUPS, NULL, cli_run_table, NULL },
    { "aggregate", "INPUT... [options]", "Combine steps into small tables.",
      "Writes four Parquet files into a folder: rows.parquet (one row for each "
      "scope, operation type and source line, over all steps), "
      "histogram.parquet, steps.parquet and header.parquet. DuckDB, Spark and "
      "ClickHouse merge the tables of any number of workers with GROUP BY, "
      "SUM, MIN and MAX. All columns are integers or text; times are in "
      "nanoseconds.\n\n"
      "There are at most 10,000 rows. If there would be more, the time of the "
      "cheapest ones is added to the rows above them. Files are read one "
      "after the other, so memory does not grow with the number of files. A "
      "damaged file with runs is reported and left out. A damaged graph or op "
      "log is an error.\n\n" INPUT_IS,
      "tfprof aggregate graph.pb run_meta_* --output parquet:outfile=tables\n"
      "tfprof aggregate logdir/ --label worker=w17,job=j4 --output "
      "parquet:outfile=tables/w17\n"
      "tfprof aggregate graph.pb run_meta tfprof_log --max_depth 3 --output "
      "parquet:outfile=tables\n",
      AGGREGATE_GROUPS, "frames", cli_run_aggregate, NULL },
    { "advise", "INPUT... [options]", "Show what takes time and what to try.",
      "Checkers examine the model and its runs. They report the operation "
      "types, nodes and source lines that take longest, accelerators that are "
      "not busy, and operations with a known faster alternative. For a trace, "
      "they also report idle devices, small kernels, slow copies, and steps "
      "that wait for input or for the host. Below each finding, tfprof prints "
      "where to look and what to try. Findings about times require run "
      "metadata or a trace. Findings about source lines require an op log. A "
      "profile contains both times and source lines.\n\n" INPUT_IS,
      "tfprof advise graph.pb run_meta tfprof_log\n"
      "tfprof advise graph.pb run_meta --checkers ExpensiveOperationChecker\n"
      "tfprof advise graph.pb run_meta tfprof_log --format json | jq .\n"
      "tfprof advise graph.pb run_meta --output file:outfile=advice.txt\n"
      "tfprof advise host.xplane.pb --checkers IdleDeviceChecker\n",
      ADVISE_GROUPS, "label", cli_run_advise, NULL },
    { "flops", "MODEL [options]", "Count parameters and float operations.",
      "MODEL is a SavedModel directory, a GraphDef file (frozen or not), a "
      "MetaGraphDef file, or - for such a file on standard input. gzip files "
      "are decompressed. The model is not run: shapes are inferred, and "
      "operations are counted with formulas. A multiply-add counts as two "
      "float operations.",
      "tfprof flops saved_model/ --batch 1\n"
      "tfprof flops frozen.pb --shape input=1x224x224x3\n"
      "tfprof flops saved_model/ --batch 1 --uncounted\n"
      "tfprof flops saved_model/ --batch 1 --format json | jq .float_ops\n",
      FLOPS_GROUPS, NULL, cli_run_flops, NULL },
    { "report", "INPUT... [options]", "Write views and tables as an HTML page.",
      "Writes one HTML file with a tab for each result: the summary; the "
      "scope, op and code views, with each row drawn as a box whose width is "
      "its cost; the inputs and outputs of nodes; memory over time; steps, "
      "kernels and devices. If the inputs contain no data for a tab, the tab "
      "lists the inputs that it needs. With --base, another tab shows what "
      "changed since the base. The page needs no network. Its size is at most "
      "32 MB. If it would be larger, rows with low costs are left "
      "out.\n\n" INPUT_IS,
      "tfprof report graph.pb run_meta tfprof_log --output "
      "html:outfile=report.html\n"
      "tfprof report logdir/ --output html:outfile=report.html\n"
      "tfprof report new.pb --base old.pb --output html:outfile=changes.html\n"
      "tfprof report saved_model/ --output html:outfile=model.html\n",
      REPORT_GROUPS, "format|label", cli_run_report, NULL },
    { "diff", "[VIEW] --base BASE INPUT...", "List what changed since BASE.",
      "Compares INPUT with BASE. Both are models, run metadata, profiles or "
      "traces. VIEW is scope, graph, op or code. The default is code for "
      "traces in which at least half of the operation time of each side has "
      "source lines, and scope for all other inputs. The wall time of a step "
      "comes first, and what it consists of. Then come the rows with the "
      "largest time differences, and then the rows whose parameters, float "
      "operations, memory, shapes or operation types differ.\n\n"
      "Each side, BASE or INPUT, has one or more runs. A run is a folder "
      "plugins/profile/RUN, a folder in a directory that contains folders but "
      "no files, or any other file or directory with run records. Graphs and "
      "op logs belong to all runs of their side. The steps of a run become one "
      "value. If there are enough runs, usually four on each side, a rank test "
      "decides whether times changed. Otherwise times are only listed.",
      "tfprof diff --base old.pb new.pb\n"
      "tfprof diff op --base old/ new/ --top 0\n"
      "tfprof diff --base base_runs/ head_runs/ --skip_steps 2\n"
      "tfprof diff --base graph.pb --base run_meta_7 graph.pb run_meta_8\n"
      "tfprof diff --base old.pb new.pb --format json | jq .changes\n"
      "tfprof diff --base old.pb new.pb --format markdown\n",
      DIFF_GROUPS, "sort|label|run", cli_run_diff, NULL },
    { "check", "INPUT... [options]", "Check INPUT against its budgets.",
      "Compares INPUT with the limits in a JSON file. A budget limits a metric "
      "of the complete model, or of the scopes, operation types, source lines "
      "or devices that match a pattern. The limit is a value, or a change "
      "relative to a baseline. The verdict is ok, broken, or no verdict. "
      "No verdict means that INPUT does not show whether the budget holds, for "
      "example because there are too few runs.\n\n"
      "INPUT is a model, run metadata, profiles or traces of one or more runs. "
      "The help of diff explains what a run is. Limits of times need several "
      "runs; eight runs are usually enough. The exit status is 5 if a budget "
      "is broken. Otherwise, it is 6 if a budget has no verdict for another "
      "reason than noise, such as too few runs. With --require_verdict, it is "
      "6 "
      "if a budget has no verdict for any reason.\n\n"
      "With --baseline or --base and without --budgets, the budget is the wall "
      "time of a step, which may grow by 10 %.",
      "tfprof check graph.pb --init\n"
      "tfprof check graph.pb --budgets budgets.json\n"
      "tfprof check head_runs/ --budgets budgets.json --baseline base.json\n"
      "tfprof check head_runs/ --base base_runs/ --budgets budgets.json\n"
      "tfprof check graph.pb --budgets budgets.json --format github\n"
      "tfprof check graph.pb --budgets budgets.json --format junit\n",
      CHECK_GROUPS, "label|run", cli_run_check, NULL },
    { "baseline", "INPUT... [options]", "Write values for later checks.",
      "Writes JSON with the metrics of the complete model, the values that the "
      "budgets limit, and a description of the machine. To compare later runs "
      "with these values, use tfprof check --baseline FILE. Each metric has "
      "one value for each run: the median of its steps.",
      "tfprof baseline graph.pb --output file:outfile=values.json\n"
      "tfprof baseline base_runs/ --budgets budgets.json\n",
      CHECK_GROUPS,
      "base|baseline|require_verdict|allow_no_verdict|across_versions|init|"
      "label|run",
      cli_run_baseline, NULL },
    { "xprof", "TOOL INPUT [options]", "Convert a trace to the JSON of xprof.",
      "TOOL is framework_op_stats, hlo_stats, kernel_stats or memory_profile. "
      "The output is the JSON that xprof's own converter writes. It has the "
      "same columns, and tfprof computes them as xprof does. Use this output "
      "in programs that read the JSON of xprof, or to compare tfprof with "
      "xprof. Columns that tfprof does not compute are null.\n\n"
      "INPUT is a trace (*.xplane.pb), a log directory with the trace of one "
      "host, or - for standard input. gzip files are decompressed.",
      "tfprof xprof framework_op_stats host.xplane.pb\n"
      "tfprof xprof hlo_stats logdir/ --output file:outfile=hlo_stats.json\n"
      "tfprof xprof kernel_stats host.xplane.pb | jq -r "
      "'.rows[].c[1].v'\n"
      "tfprof xprof memory_profile host.xplane.pb | jq .memoryIds\n",
      XPROF_GROUPS, "label", cli_run_xprof, tfprof_xprof_tool },
    { "info", "INPUT... [options]", "Show the types and contents of files.",
      INPUT_IS,
      "tfprof info graph.pb run_meta tfprof_log\n"
      "tfprof info saved_model/\n"
      "tfprof info --run_meta_path 7=run_meta_7,8=run_meta_8\n"
      "gzip -dc graph.pb.gz | tfprof info -\n"
      "tfprof info --format json graph.pb | jq '.files[0].counts.nodes'\n"
      "tfprof info --salvage cut_short.pb\n",
      INFO_GROUPS, "output|label", cli_run_info, NULL },
    { "demo", "DIR", "Write sample models to try tfprof on.",
      "DIR is a new or empty directory. tfprof writes one folder for each "
      "model. The folders need at most 1 MB in total. They contain traces, "
      "graphs with op logs and run metadata, and a SavedModel. tfprof then "
      "prints three commands to start with.",
      "tfprof demo samples\n", 0, NULL, cli_run_demo, NULL },
    { "help", "[TOPIC|MESSAGE]", "Explain a command, option or message.",
      "MESSAGE is a message that tfprof printed, or any words of it, with the "
      "names and numbers that it contains. tfprof prints the cause and the "
      "remedy.",
      "tfprof help scope\n"
      "tfprof help times\n"
      "tfprof help order_by\n"
      "tfprof help micros\n"
      "tfprof help options\n"
      "tfprof help 'the file ends inside this NodeDef'\n",
      0, NULL, cli_run_help, NULL },
    { 0 },
};

const cli_command cli_prompt_as_command = {
    "prompt",
    "INPUT... [options]",
    "Start an interactive session.",
    "Without a command, tfprof reads its inputs once and starts an interactive "
    "session. Type help to list the commands of the session. Commands can also "
    "be read from a pipe or a file. In this case, only answers are printed to "
    "standard output. If a line fails, an error is printed and the next line "
    "is read. With --strict, the first line that fails ends the session, and "
    "tfprof exits with the status of that line. Options on the command line "
    "apply to the session until they are changed.\n\n"
    "An INPUT is a file, a directory or the prefix of a checkpoint" DETECTED,
    "tfprof graph.pb run_meta tfprof_log\n"
    "tfprof --graph_path=graph.pb --select params\n"
    "echo 'scope --max_depth 2' | tfprof graph.pb\n"
    "tfprof --strict graph.pb < questions.txt\n",
    VIEW_GROUPS,
    NULL,
    cli_run_prompt,
    NULL
};

const char *cli_title(const cli_command *command)
{
    return command == &cli_prompt_as_command ? "the interactive session"
                                             : command->name;
}

const cli_command *cli_find_command(const char *name)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (!strcmp(c->name, name))
            return c;
    }
    return NULL;
}

const char *cli_nearest_command(const char *name)
{
    const char *names[sizeof(cli_commands) / sizeof(cli_commands[0])];
    size_t count = 0;
    for (const cli_command *c = cli_commands; c->name; c++)
        names[count++] = c->name;
    return tfprof_nearest_word(name, names, count);
}

/* In the form of the examples of topics. */
static const struct {
    const char *word, *meant;
} taken_for_commands[] = {
    { "top", "op\tINPUT\t--select micros --order_by micros" },
    { "layers", "flops\tMODEL\t--list layers" },
    { "params", "scope\tINPUT\t--select params --order_by params" },
    { "compare", "diff\tINPUT\t--base BASE" },
    { "mem", "memory\tINPUT\t" },
    { "lines", "code\tINPUT\t" },
    { "time", "scope\tINPUT\t--select micros --order_by micros" },
    { "gpu", "devices\tINPUT\t" },
    { "version", "tfprof --version" },
    { "fleet", "python -m tfprof.fleet FOLDER" },
};

bool cli_find_meant(const char *word, bool at_prompt,
                    char command[CLI_LONGEST_EXAMPLE])
{
    size_t count = sizeof(taken_for_commands) / sizeof(taken_for_commands[0]);
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(taken_for_commands[i].word, word)) {
            cli_make_example(command, taken_for_commands[i].meant, at_prompt);
            return true;
        }
    }
    return false;
}

/* Is the word in the list? Of a word such as file:outfile=F, only the part
 * before the colon is compared. */
static bool has_word(const char *words, const char *word, size_t size)
{
    while (*words) {
        size_t n = strcspn(words, "|");
        if (n <= size && !memcmp(words, word, n) &&
            (n == size || word[n] == ':'))
            return true;
        words += n + (words[n] == '|');
    }
    return false;
}

bool cli_takes(const cli_command *command, const tfprof_option *option)
{
    unsigned groups = command->groups;
    /* A comparison detects file types; its files belong to one of two sides. */
    if (groups & GROUP(COMPARED) && !(groups & TYPED) &&
        option->kind == TFPROF_OPTION_PATHS &&
        option->group != TFPROF_GROUP_COMPARED)
        return false;
    if (groups & DEPTH && !strcmp(option->name, "max_depth"))
        return true;
    if (groups & RUN && !strcmp(option->name, "run"))
        return true;
    if (groups & GROUP(SHOWN)) /* what a view knows in older spellings */
        groups |= GROUP(OLDER) | GROUP(NO_EFFECT);
    return (groups >> option->group & 1) &&
           !(command->without &&
             has_word(command->without, option->name, strlen(option->name)));
}

/* Defaults and texts of a command that differ from those of the option. */
typedef struct own_words {
    const char *command, *option;
    const char *set;  /* NULL: the default of the option */
    const char *help; /* whole sentences */
} own_words;

static const own_words own[] = {
    { "aggregate", "max_depth", "5",
      "Make rows for at most N levels of the tree; N is at most 100. The root "
      "is not in the tables, so the first level is below it." },
    { "aggregate", "output", NULL,
      "Write the tables into the folder F. The folder is created if it does "
      "not exist. This option is required." },
    { "aggregate", "format", NULL,
      "Choose the format of the summary on standard output. It states the "
      "number of steps and rows, and the size of the tables. The value auto "
      "means text." },
    { "aggregate", "label", NULL,
      "Add a column with the same value in every row of all tables. Reports "
      "on many workers use the columns job and worker. By default, worker is "
      "the host name, and job is empty. An example is worker=w17,job=j4." },
};

static const own_words *find_own_words(const cli_command *command,
                                       const tfprof_option *option)
{
    for (size_t i = 0; command && i < sizeof(own) / sizeof(own[0]); i++) {
        if (!strcmp(own[i].command, command->name) &&
            !strcmp(own[i].option, option->name))
            return &own[i];
    }
    return NULL;
}

const char *cli_help_of(const cli_command *command, const tfprof_option *option)
{
    const own_words *found = find_own_words(command, option);
    return found ? found->help : option->help;
}

const char *cli_default_of(const cli_command *command,
                           const tfprof_option *option)
{
    const own_words *found = find_own_words(command, option);
    if (found && found->set)
        return found->set;
    return command && cli_find_refusal(command, option->name,
                                       option->default_value,
                                       strlen(option->default_value))
               ? ""
               : option->default_value;
}

/* The library refuses these too, in api/ and view/order.c. Completions do not
 * offer them. */
#define COLUMNS_OF_STEPS                                                       \
    "step|wall_micros|device_micros|busy_micros|idle_micros|"                  \
    "input_wait_micros|ops"
#define COLUMNS_OF_KERNELS                                                     \
    "total_micros|count|min_micros|max_micros|launch_micros|registers|"        \
    "shared_bytes|occupancy_percent"
#define RATES_OF_DEVICES                                                       \
    "gflops_per_second|peak_gflops_per_second|percent_of_peak_flops|"          \
    "percent_of_time_counted|gigabytes_per_second|"                            \
    "peak_gigabytes_per_second|percent_of_peak_bytes|"                         \
    "percent_of_time_with_bytes"
#define NO_VIEW_SORTS_BY                                                       \
    "int_ops|macs|nodes|" COLUMNS_OF_STEPS "|" COLUMNS_OF_KERNELS              \
    "|requested_bytes|percent_of_peak|" RATES_OF_DEVICES
#define ALL_VIEWS       NULL
#define OF_CHECKS_ALONE "github|junit|sarif"
#define OF_CHECKS       "markdown|" OF_CHECKS_ALONE
#define FLAME_GRAPHS    "folded|speedscope"
#define FILES_OF_VIEWS  "timeline|pprof|profile|html|" FLAME_GRAPHS
#define FILES           "parquet|" FILES_OF_VIEWS
static const cli_refusal refusals[] = {
    { ALL_VIEWS, "sort", NO_VIEW_SORTS_BY, NULL },
    { ALL_VIEWS, "format", OF_CHECKS, "text, table, json, csv or proto" },
    { "graph", "output", FLAME_GRAPHS, NULL },
    { "op", "output", "timeline|" FLAME_GRAPHS, NULL },
    { "tui", "sort", NO_VIEW_SORTS_BY, NULL },
    { "tui", "format", "!auto|table", "table" },
    { "advise", "format", "csv|" OF_CHECKS, "text, json or proto" },
    { "advise", "output", FILES, NULL },
    { "flops", "format", "proto|" OF_CHECKS, "text, json or csv" },
    { "flops", "output", FILES_OF_VIEWS, NULL },
    { "flops", "sort", "!auto|name|params|float_ops|int_ops|macs|nodes", NULL },
    { "summary", "format", "csv|proto|" OF_CHECKS, "text or json" },
    { "summary", "output", FILES, NULL },
    { "report", "output", "file|timeline|pprof|profile|parquet|" FLAME_GRAPHS,
      NULL },
    { "aggregate", "format", "!text|json|auto", "text or json" },
    { "aggregate", "output", "!parquet", NULL },
    { "steps", "format", "proto|" OF_CHECKS, "text, json or csv" },
    { "steps", "sort", "!auto|" COLUMNS_OF_STEPS, NULL },
    { "steps", "output", FILES_OF_VIEWS, NULL },
    { "kernels", "format", "proto|" OF_CHECKS, "text, json or csv" },
    { "kernels", "sort", "!auto|" COLUMNS_OF_KERNELS, NULL },
    { "kernels", "output", FILES_OF_VIEWS, NULL },
    { "memory", "format", "proto|" OF_CHECKS, "text, json or csv" },
    { "memory", "sort", "!auto|bytes|requested_bytes|percent_of_peak|count",
      NULL },
    { "memory", "output", FILES_OF_VIEWS, NULL },
    { "devices", "format", "proto|" OF_CHECKS, "text, json or csv" },
    { "devices", "sort",
      "!auto|ops|busy_micros|idle_micros|float_ops|bytes|" RATES_OF_DEVICES,
      NULL },
    { "devices", "output", FILES_OF_VIEWS, NULL },
    { "diff", "format", "proto|" OF_CHECKS_ALONE,
      "text, json, csv or markdown" },
    { "diff", "output", FILES, NULL },
    { "check", "format", "csv|proto",
      "text, json, markdown, github, junit or sarif" },
    { "check", "output", FILES, NULL },
    { "baseline", "format", "!json|auto", "json" },
    { "baseline", "output", FILES, NULL },
    { "info", "format", "csv|proto|" OF_CHECKS, "text or json" },
    { "xprof", "format", "!json", "json" },
    { "xprof", "output", FILES, NULL },
};

static bool refuses(const cli_refusal *r, const char *word, size_t size)
{
    bool but_these = r->words[0] == '!';
    return has_word(r->words + but_these, word, size) != but_these;
}

static bool is_view(const char *command)
{
    const char *view;
    for (size_t i = 0; (view = tfprof_view_type(i)); i++) {
        if (!strcmp(view, command))
            return true;
    }
    return false;
}

static bool is_about(const cli_refusal *r, const char *command)
{
    return r->command ? !strcmp(r->command, command) : is_view(command);
}

const cli_refusal *cli_find_refusal(const cli_command *command,
                                    const char *option, const char *word,
                                    size_t size)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        const cli_refusal *r = &refusals[i];
        if (is_about(r, command->name) && !strcmp(r->option, option) &&
            refuses(r, word, size))
            return r;
    }
    return NULL;
}

const char *cli_next_alias(const cli_command *command,
                           const tfprof_option *option, size_t *index)
{
    const char *alias, *meaning;
    if (option->kind != TFPROF_OPTION_CHOICE &&
        option->kind != TFPROF_OPTION_SET)
        return NULL;
    while ((alias = tfprof_metric_alias((*index)++, &meaning))) {
        size_t size = strlen(meaning);
        if (has_word(option->values, meaning, size) &&
            !cli_find_refusal(command, option->name, meaning, size))
            return alias;
    }
    return NULL;
}

/* ---- Everywhere --------------------------------------------------------- */

#define AT(member) offsetof(cli_args, member)

const cli_switch cli_switches[] = {
    { "-q", "--quiet", "Do not print notes or progress.", AT(quiet), false },
    { "-h", "--help", "Print this help.", AT(help), false },
    { NULL, "--strict",
      "End the interactive session at the first line that fails, and exit with "
      "the status of that line.",
      AT(strict), true },
    { 0 },
};

static bool is_word(const char *name, const char *word, size_t size)
{
    return strlen(name) == size && !memcmp(name, word, size);
}

const cli_switch *cli_find_switch(const char *word)
{
    size_t dashes = strspn(word, "-"), size = strcspn(word, "=");
    for (const cli_switch *s = cli_switches; s->name; s++) {
        if ((s->letter && is_word(s->letter, word, size)) ||
            (dashes <= 2 && is_word(s->name + 2, word + dashes, size - dashes)))
            return s;
    }
    return NULL;
}

bool cli_takes_switch(const cli_command *command, const cli_switch *s)
{
    return !s->is_of_prompt || command == &cli_prompt_as_command;
}

const char *cli_nearest_option(const cli_command *command, const char *name)
{
    const char *names[1 + sizeof(cli_switches) / sizeof(cli_switches[0])];
    const tfprof_option *option = NULL;
    size_t count = 0;
    tfprof_option_find(name, &option);
    if (option)
        names[count++] = option->name;
    for (const cli_switch *s = cli_switches; s->name; s++) {
        if (cli_takes_switch(command, s))
            names[count++] = s->name + 2;
    }
    return tfprof_nearest_word(name, names, count);
}

const cli_ending cli_endings[] = {
    { "0", "success" },
    { "1", "an input is unreadable, damaged or empty" },
    { "2", "wrong usage, or the inputs lack the requested data" },
    { "3", "the answer could not be written" },
    { "4", "a limit was exceeded, or there was not enough memory" },
    { "5", "tfprof check found a broken budget" },
    { "6", "tfprof check found no verdict about a budget" },
    { 0 },
};

/* In the order of the options' help. */
static const struct {
    tfprof_option_group group;
    const char *title;
} groups[] = {
    { TFPROF_GROUP_INPUTS, "inputs" },
    { TFPROF_GROUP_COMPARED, "comparison" },
    { TFPROF_GROUP_BUDGETS, "budgets" },
    { TFPROF_GROUP_COUNTED, "counting" },
    { TFPROF_GROUP_SHOWN, "rows and columns" },
    { TFPROF_GROUP_ORDER, "order" },
    { TFPROF_GROUP_LARGEST, "largest first" },
    { TFPROF_GROUP_MEMORY, "memory" },
    { TFPROF_GROUP_ADVICE, "advice" },
    { TFPROF_GROUP_FLOAT_OPS, "float operations" },
    { TFPROF_GROUP_MODEL, "flops report" },
    { TFPROF_GROUP_OUTPUT, "output" },
    { TFPROF_GROUP_LIMITS, "limits" },
};

const char *cli_group_at(size_t index, tfprof_option_group *group)
{
    if (index >= sizeof(groups) / sizeof(groups[0]))
        return NULL;
    *group = groups[index].group;
    return groups[index].title;
}

const tfprof_option *cli_next_option(const cli_command *command,
                                     tfprof_option_group group, size_t *index)
{
    while (*index < tfprof_option_count()) {
        const tfprof_option *option = tfprof_option_at((*index)++);
        if (option->group == group && (!command || cli_takes(command, option)))
            return option;
    }
    return NULL;
}
