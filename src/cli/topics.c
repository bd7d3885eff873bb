/*
 * topics.c - the help topics, and examples of options.
 *
 * Empty lines separate the paragraphs of a text. A line with a tab is an item:
 * a word and its explanation. An example has three parts separated by tabs:
 * command, inputs, options. An interactive session already has its inputs, so
 * it shows only the first and the last part. A line without tabs is only for
 * the shell.
 */
#include <string.h>

#include "cli/cli.h"

/* clang-format off */
const cli_topic cli_topics[] = {
    { "views", "The four views, and how to read a row.",
      "A view shows what the parts of a model cost. All views accept the same "
      "inputs and options.\n\n"
      "scope\tCosts by name scope. A row is a node or a scope. The row a/b/c "
      "is below a/b, and a/b is below a.\n"
      "graph\tCosts along the data flow. A row is a node; the nodes that "
      "produce its inputs are below it. Each node is shown once.\n"
      "op\tCosts by operation type. A row is a type. Rows are not nested.\n"
      "code\tCosts by source line. A row is a line of the program that built "
      "the model; the lines that it called are below it. This view requires "
      "the call stacks of an op log, a profile or a trace.\n\n"
      "A cost is printed as self/total: self is the cost of the row itself, "
      "and total includes the rows below it. Two dashes (--) in place of "
      "self mark a row that is not counted itself; it is shown as a parent. In "
      "the op view, a cost is printed as self (accumulated %, self %). The "
      "accumulated share includes the row and all rows after it. The first row "
      "therefore has 100 %, and the share decreases from row to row.\n\n"
      "Rows are selected in this order. First, --account_type_regexes selects "
      "the nodes to count, and totals are computed from these nodes. Then "
      "--start_name_regexes starts the tree at matching rows, and --max_depth "
      "and --trim_name_regexes remove the lower levels. Next, more rows are "
      "hidden by the minimums (such as --min_micros) and by "
      "--show_name_regexes, --hide_name_regexes and --device_regexes; the rows "
      "below a hidden row move up. Finally, --order_by or --sort sorts the "
      "rows that have the same parent, and --top keeps the largest of these "
      "rows.\n",
      "scope\tgraph.pb run_meta\t--select micros --max_depth 3\n"
      "graph\tgraph.pb run_meta\t--select micros --max_depth 5\n"
      "op\tgraph.pb run_meta\t--select micros,occurrence --order_by micros\n"
      "code\tgraph.pb run_meta tfprof_log\t--select micros --max_depth 20\n" },
    { "options", "How to write options, and the list of options.",
      "Options are written --name value, --name=value or -name value. In a "
      "name, - and _ are equivalent. A switch is an option whose value is true "
      "or false. A switch without a value is true. The next argument is used "
      "as its value only if that argument is true or false. After =, a switch "
      "also accepts t, yes, y and 1 for true, and f, no, n and 0 for false. A "
      "value that is itself the name of an option must be written with =. Any "
      "other argument is an input file, and so is every argument after --.\n\n"
      "If an option is given twice, the last value is used. Options for input "
      "files can be repeated: all files are read. Numbers are decimal digits, "
      "with a leading - if the option allows it. Sizes can end in K, M, G or "
      "T, which are powers of 1024 bytes.\n\n"
      "A PATTERN is a regular expression that must match the complete name. "
      "See help regex.\n",
      "scope\tgraph.pb\t--max-depth=3\n"
      "scope\tgraph.pb\t--max_depth 3 --account_displayed_op_only\n"
      "scope\tgraph.pb\t--hide_name_regexes=-select\n"
      "tfprof info --max-memory 2G -- graph.pb\n" },
    { "metrics", "The values of --select and --order_by.",
      "--select chooses the columns, separated by commas. The default, auto, "
      "means micros if the inputs contain run times, otherwise params. "
      "--order_by and --sort accept the metrics that are listed below "
      "under Counts, Time and Memory, and sort by total, largest first. They "
      "also accept name and depth (see help order_by). The word time means "
      "micros, memory means bytes, and flops means float_ops.\n\n"
      "Counts:\n"
      "params\tThe product of the dimensions of a variable or placeholder, or "
      "0 if a dimension is unknown.\n"
      "float_ops\tThe float operations of one run of the node, multiplied by "
      "the number of runs. A node that never ran is counted once.\n"
      "occurrence\tThe number of times the node ran, and the number of nodes "
      "in the row.\n\n"
      "Time (see help times):\n"
      "micros\tThe sum of accelerator_micros and cpu_micros.\n"
      "accelerator_micros\tTime on accelerators: how long kernels ran.\n"
      "cpu_micros\tTime on CPUs. For a node on a GPU, this is the time to "
      "schedule the node.\n"
      "queue_micros\tTime from scheduling to start. This time is not part of "
      "micros.\n\n"
      "Memory (see help bytes):\n"
      "bytes\tMemory requested, including memory that was freed.\n"
      "peak_bytes\tThe most memory in use at one time.\n"
      "residual_bytes\tMemory still in use when the node ended.\n"
      "output_bytes\tMemory of the node's outputs.\n\n"
      "Facts, which cannot be used for sorting:\n"
      "device\tThe device that the node ran on.\n"
      "op_types\tThe types of the node: its operation, its device, and the "
      "types that the op log adds.\n"
      "input_shapes\tThe shapes of the inputs, by input number.\n"
      "tensor_value\tThe contents of a variable, read from a checkpoint. Only "
      "the scope and graph views show them.\n"
      "num_hidden_ops\tThe number of nodes below the row that are not "
      "displayed.\n\n"
      "Counts are printed in k, m and b (thousands, millions, billions), bytes "
      "in B, KB and MB, and times in us, ms and sec. --format json prints the "
      "exact numbers.\n",
      "scope\tgraph.pb run_meta\t--select micros,bytes,params\n"
      "op\tgraph.pb run_meta\t--select micros,float_ops --order_by float_ops\n"
      "scope\tgraph.pb model.ckpt\t--select tensor_value --max_depth 3\n" },
    { "regex", "Patterns for names, types and devices.",
      "A PATTERN is a Perl-compatible regular expression. It must match the "
      "complete name. Use .* for any text before or after. For example, conv1 "
      "matches only conv1, and .*conv1.* matches every name that contains "
      "conv1. Patterns are case-sensitive unless they begin with (?i).\n\n"
      "Separate patterns with commas. A name matches a list if it matches one "
      "of the patterns. Empty patterns are ignored. Write \\, for a comma "
      "inside a pattern. A count such as {2,3} does not need the backslash. "
      "All other backslashes are part of the expression: \\d matches a digit.\n\n"
      "In a shell, put patterns in quotes, as in '.*'. In an interactive "
      "session, only patterns that contain blanks need quotes.\n\n"
      "--account_type_regexes\tSelects the nodes to count. The pattern must "
      "match one of the types of a node: its operation, its device, or a type "
      "in the op log, such as _trainable_variables.\n"
      "--start_name_regexes\tSelects the rows at which the tree starts.\n"
      "--trim_name_regexes\tHides the rows below matching rows.\n"
      "--show_name_regexes\tShows only matching rows. It applies to the rows "
      "that remain after the options above.\n"
      "--hide_name_regexes\tHides matching rows. The rows below them move up.\n"
      "--device_regexes\tShows only rows on matching devices. The pattern .* "
      "also matches rows without a device.\n\n"
      "If matching a pattern takes too long, tfprof exits with status 4.\n",
      "scope\tgraph.pb\t--account_type_regexes _trainable_variables --select "
      "params\n"
      "scope\tgraph.pb\t--show_name_regexes '.*conv\\d{1,2}.*,.*/bias(es)?'\n"
      "op\tgraph.pb run_meta\t--hide_name_regexes 'Const,Identity'\n"
      "graph\tgraph.pb run_meta\t--start_name_regexes '(?i).*LOSS.*' "
      "--max_depth 4\n" },
    { "inputs", "Input files, and what each type contains.",
      "File types are detected from content, which can be binary or text; file "
      "names do not matter. Inputs can be given in any order. The options "
      "below are needed only to require a file type or to number steps.\n\n"
      "graph\t--graph_path: a GraphDef, MetaGraphDef or SavedModel. It "
      "contains the names, types, edges and shapes of nodes. Parameters are "
      "counted from the shapes.\n"
      "run metadata\t--run_meta_path: RunMetadata or StepStats, one file for "
      "each step. Each file contains the times, memory, devices and shapes of "
      "a run. The files get the step numbers 0, 1, 2 and so on, unless they "
      "are given as STEP=FILE.\n"
      "op log\t--op_log_path: an OpLogProto. It contains types such as "
      "_trainable_variables, counts of float operations, and call stacks for "
      "the code view.\n"
      "checkpoint\t--checkpoint_path: a prefix, an index file or a directory. "
      "A checkpoint contains variables and their values.\n"
      "profile\t--profile_path: a ProfileProto. It contains all of the above "
      "data in one file, except the values of variables. To write a profile, "
      "see help outputs.\n"
      "trace\tAn XSpace (*.xplane.pb) from TensorFlow or JAX. There is no "
      "option for this type. A trace contains the times of operations, kernels "
      "and steps.\n\n"
      "An input can also be a directory, or - for standard input. All files of "
      "a directory are read. gzip files are decompressed. Each option above "
      "accepts several files, separated by commas. Write \\, for a comma in a "
      "file name.\n\n"
      "For a damaged file, tfprof reports the position of the damage and exits "
      "with status 1. With --salvage, tfprof keeps the records before the "
      "damage. The command tfprof info shows the type of a file. It also "
      "recognizes types that the other commands do not read.\n",
      "scope\tgraph.pb run_meta tfprof_log\t--max_depth 3\n"
      "op\t--graph_path=graph.pb --run_meta_path=7=run_meta_7,8=run_meta_8\t"
      "--step 8\n"
      "tfprof info graph.pb run_meta tfprof_log model.ckpt\n"
      "gzip -dc graph.pb.gz | tfprof scope - run_meta\n" },
    { "outputs", "Where answers are written, and in which format.",
      "Standard output contains only the answer; notes, progress and errors "
      "are written to standard error. --output chooses the destination of the "
      "answer:\n\n"
      "stdout\tStandard output, the default.\n"
      "none\tNo output. The exit status shows whether the command succeeded.\n"
      "file:outfile=F\tThe file F.\n"
      "timeline:outfile=F\tA timeline for a trace viewer, such as "
      "ui.perfetto.dev. A timeline requires run times. Only the scope, graph "
      "and code views can write a timeline. For several steps, the graph view "
      "writes one file for each step: F_0, F_1 and so on, or NAME_0.json, "
      "NAME_1.json if F is NAME.json.\n"
      "pprof:outfile=F\tA file for pprof. To add more data, append ,labels=all "
      "or ,samples=all or both. Pyroscope needs ,labels=groups. If you append "
      ",places=lines, the command pprof -list shows the source lines that have "
      "costs.\n"
      "folded:outfile=F\tA flame graph as folded stacks, for inferno and "
      "flamegraph.pl. Each line has a stack and its cost without the stacks below "
      "it. Only the scope and code views can write a flame graph.\n"
      "speedscope:outfile=F\tA flame graph for speedscope.app, with one profile "
      "for each selected cost.\n"
      "html:outfile=F\tAn HTML page for a browser, drawing each row as a "
      "box as wide as its cost. Without --top, it has all rows.\n"
      "parquet:outfile=F\tThe rows of CSV, for DuckDB, Spark and "
      "ClickHouse.\n"
      "profile:outfile=F\tAll loaded data as a ProfileProto, which can later "
      "be read in place of the inputs.\n\n"
      "A file is written completely or not at all. Timelines, flame graphs, "
      "pages and profiles are compressed if their file names end in .gz. For "
      "the outputs stdout and file, --format chooses the format:\n\n"
      "text\tThe format of TensorFlow's own tfprof. On a terminal, the text is "
      "colored and fitted to the terminal width (see --color and --width).\n"
      "table\tA table with the largest rows first. It is the default for views "
      "and advice on a terminal.\n"
      "json, csv\tFormats for programs, with exact numbers.\n"
      "proto\tThe binary message that TensorFlow's own profiler returns. It is "
      "not written to a terminal.\n",
      "scope\tgraph.pb run_meta\t--output file:outfile=scopes.txt\n"
      "graph\tgraph.pb run_meta\t--step 0 --max_depth 100000 --output "
      "timeline:outfile=step.json.gz\n"
      "code\tgraph.pb run_meta tfprof_log\t--select micros --output "
      "pprof:outfile=code.pb.gz\n"
      "op\tgraph.pb run_meta tfprof_log\t--output profile:outfile=all.profile\n"
      "tfprof op graph.pb run_meta --format json | jq .total\n" },
    { "times", "The meaning of micros, accelerator_micros and cpu_micros.",
      "Times come from run metadata. It contains one record for each run of a "
      "node on a device. The times are in whole microseconds.\n\n"
      "accelerator_micros\tHow long the kernels of a GPU ran. This is the sum "
      "of the times on devices whose names contain stream:all.\n"
      "cpu_micros\tThe sum of the times on plain devices, such as cpu:0 or "
      "gpu:0. On gpu:0, this is the time to schedule kernels, not the time to "
      "run them.\n"
      "micros\tThe sum of accelerator_micros and cpu_micros.\n"
      "queue_micros\tThe time from scheduling to start, summed over the same "
      "records as cpu_micros. It is 0 for a record without a scheduling time. "
      "It is also 0 in a profile, because a profile cannot store queue "
      "times.\n\n"
      "A record that is shorter than one microsecond counts as one "
      "microsecond, because the node did run. A record without a start time "
      "adds no time, but its step counts in the average. A node belongs to the "
      "first plain device that it ran on; its records on other plain devices "
      "are not counted.\n\n"
      "Without --step, the cost of a node is the average over the steps in "
      "which that node ran, rounded toward zero. Totals are sums of these "
      "averages, so a node that ran in only one of ten steps counts in full. "
      "--step N shows the costs of one step.\n\n"
      "The times of nodes are added even if the nodes ran in parallel, so a "
      "total can be longer than the step itself. A timeline shows when each "
      "node ran. If the kernels of a GPU were not traced, a note reports that "
      "their times are missing.\n",
      "scope\tgraph.pb run_meta\t--select micros --order_by micros\n"
      "op\tgraph.pb run_meta\t--select accelerator_micros,cpu_micros "
      "--order_by micros\n"
      "scope\tgraph.pb run_meta\t--step 0 --min_micros 100\n" },
    { "bytes",
      "The meaning of bytes, peak_bytes, residual_bytes and output_bytes.",
      "Memory sizes come from run metadata. TensorFlow's allocators record the "
      "sizes for each run of a node. All sizes are in bytes.\n\n"
      "bytes\tMemory requested during the run, including memory that was "
      "freed. It is the total of the allocators plus temporary and persistent "
      "memory.\n"
      "peak_bytes\tThe most memory in use at one time. It is the peak of the "
      "allocators plus temporary and persistent memory.\n"
      "residual_bytes\tMemory still in use after the run. It is the sum of the "
      "allocators' live bytes and persistent memory.\n"
      "output_bytes\tMemory of the outputs. For each output, the larger of the "
      "allocated and the requested size is counted.\n\n"
      "Averages over steps are computed as for times (see help times). Records "
      "of plain devices (cpu:0, gpu:0) are counted; records of streams are "
      "not.\n\n"
      "A total adds memory that nodes used at different times. It does not "
      "show how much memory the model needs at once. The memory command shows "
      "this peak. For GPUs, a timeline of the graph view also shows the "
      "peak.\n",
      "scope\tgraph.pb run_meta\t--select bytes,peak_bytes --order_by bytes\n"
      "scope\tgraph.pb run_meta\t--select residual_bytes,output_bytes "
      "--min_residual_bytes 1\n"
      "graph\tgraph.pb run_meta\t--step 0 --max_depth 100000 --output "
      "timeline:outfile=memory.json\n" },
    { 0 },
};

/* For options whose values need an example, in the form of those above. */
static const struct {
    const char *option, *example;
} examples[] = {
    { "graph_path", "scope\t--graph_path=graph.pb\t" },
    { "run_meta_path",
      "op\t--graph_path=graph.pb --run_meta_path=7=run_meta_7,8=run_meta_8\t"
      "--step 8" },
    { "op_log_path", "code\tgraph.pb --op_log_path=tfprof_log\t"
      "--select params" },
    { "checkpoint_path", "scope\t--checkpoint_path=model.ckpt\t"
      "--select params" },
    { "profile_path", "op\t--profile_path=model.profile\t--select params" },
    { "base", "diff\tnew.pb --base old.pb\t" },
    { "budgets", "check\tgraph.pb --budgets budgets.json\t" },
    { "baseline", "check\thead_runs/ --budgets budgets.json "
      "--baseline base.json\t" },
    { "step", "op\tgraph.pb run_meta_7 run_meta_8\t--step 1" },
    { "max_depth", "scope\tgraph.pb\t--max_depth 3" },
    { "min_bytes", "scope\tgraph.pb run_meta\t"
      "--select bytes --min_bytes 1000" },
    { "order_by", "op\tgraph.pb run_meta\t--select micros --order_by micros" },
    { "sort", "op\tgraph.pb run_meta\t--select micros --sort micros" },
    { "top", "scope\tgraph.pb run_meta\t--sort micros --top 3 --max_depth 4" },
    { "color", "scope\tgraph.pb\t--color always" },
    { "width", "scope\tgraph.pb run_meta\t--width 60" },
    { "step_event", "steps\thost.xplane.pb\t"
                    "--step_event 'train'" },
    { "account_type_regexes", "scope\tgraph.pb\t"
      "--account_type_regexes 'Variable.*' --select params" },
    { "start_name_regexes", "graph\tgraph.pb\t"
      "--start_name_regexes '.*loss.*' --max_depth 4" },
    { "trim_name_regexes", "scope\tgraph.pb\t"
      "--trim_name_regexes 'gradients,save'" },
    { "show_name_regexes", "scope\tgraph.pb\t"
      "--show_name_regexes '.*conv1.*,.*conv2.*'" },
    { "hide_name_regexes", "op\tgraph.pb\t"
      "--hide_name_regexes 'Const,Identity' --select occurrence" },
    { "device_regexes", "scope\tgraph.pb run_meta\t"
      "--device_regexes '.*cpu:0' --select micros,device" },
    { "select", "scope\tgraph.pb run_meta\t--select micros,bytes" },
    { "output", "scope\tgraph.pb run_meta\t"
      "--output timeline:outfile=scopes.json" },
    { "label", "scope\tgraph.pb run_meta\t"
      "--format csv --label worker=w17,job=j4" },
    { "formulas", "op\tgraph.pb run_meta\t"
      "--select float_ops --formulas full" },
    { "shape", "flops\tfrozen.pb\t--shape input=1x224x224x3" },
    { "trips", "flops\tloop.pb\t--trips while/LoopCond=20" },
    { "formula_file", "flops\tsaved_model/\t"
      "--batch 1 --formula_file formulas.json" },
    { "signature", "flops\tsaved_model/\t"
      "--batch 1 --signature serving_default" },
    { "batch", "flops\tsaved_model/\t--batch 1" },
    { "list", "flops\tsaved_model/\t--batch 1 --list layers" },
    { "checkers", "advise\tgraph.pb run_meta\t"
      "--checkers ExpensiveOperationChecker" },
    { "own_regexes", "code\tgraph.pb run_meta tfprof_log\t"
      "--own --own_regexes '.*/my_library/.*'" },
    { "format", "op\tgraph.pb run_meta\t--format csv" },
    { "run", "op\tlogdir/ --run 2026_11_17_10_21_11\t" },
    { "max_memory", "tfprof scope graph.pb --max_memory 2G" },
    { "max_input", "tfprof scope graph.pb --max_input 500M" },
    { "max_block", "tfprof info model.ckpt --max_block 128M" },
};
/* clang-format on */

const cli_topic *cli_find_topic(const char *name)
{
    for (const cli_topic *t = cli_topics; t->name; t++) {
        if (!strcmp(t->name, name))
            return t;
    }
    return NULL;
}

bool cli_is_topic(const char *word)
{
    return cli_find_command(word) || cli_find_topic(word);
}

/* The item in place `index` of the topic of metrics, or, if `index` is NULL,
 * the one of a word. */
static bool find_item(const size_t *index, const char *word, cli_metric *out)
{
    const char *line = cli_find_topic("metrics")->text;
    size_t seen = 0;
    while (*line) {
        size_t size = strcspn(line, "\n"), name = strcspn(line, "\t\n");
        if (line[name] == '\t' &&
            (index ? seen++ == *index
                   : strlen(word) == name && !memcmp(word, line, name))) {
            snprintf(out->word, sizeof(out->word), "%.*s", (int)name, line);
            memcpy(out->means, out->word, sizeof(out->means));
            snprintf(out->about, sizeof(out->about), "%.*s",
                     (int)(size - name - 1), line + name + 1);
            return true;
        }
        line += size + (line[size] == '\n');
    }
    return false;
}

static size_t count_items(void)
{
    cli_metric item;
    size_t count = 0;
    while (find_item(&count, NULL, &item))
        count++;
    return count;
}

bool cli_metric_at(size_t index, cli_metric *out)
{
    const char *alias, *meaning;
    if (find_item(&index, NULL, out))
        return true;
    alias = tfprof_metric_alias(index - count_items(), &meaning);
    if (!alias || !find_item(NULL, meaning, out))
        return false;
    snprintf(out->word, sizeof(out->word), "%s", alias);
    return true;
}

bool cli_find_metric(const char *word, cli_metric *out)
{
    for (size_t i = 0; cli_metric_at(i, out); i++) {
        if (!strcmp(out->word, word))
            return true;
    }
    return false;
}

const char *cli_option_example(const tfprof_option *option)
{
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        if (!strcmp(examples[i].option, option->name))
            return examples[i].example;
    }
    return "";
}
