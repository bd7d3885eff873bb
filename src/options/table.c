/*
 * table.c - every option, in the order that help lists them: the inputs, then
 * upstream's in upstream's order, then what only this program has.
 */
#include "model/metrics.h"
#include "options/options.h"

#define AT(member) offsetof(tfp_options, member)
#define NOWHERE    TFP_OPTION_NOWHERE
#define NONE       TFP_FILTER_NONE

/* clang-format off */

/* Of each metric. */
#define OR_WORD(id, word, ...) "|" #word
#define OR_COLUMN(word)        "|" #word
#define WORD_OR(id, word, ...) #word "|"
#define MINIMUM(id, word, name, field, unit, whole, traits, legend, suffix,    \
                op_suffix, title, help)                                        \
    { { "min_" #word, TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "0", "N", help }, \
      AT(minima[TFP_COST_##id]), INT64_MIN, INT64_MAX, TFP_FILTER_MINIMUM },
#define SELF_MINIMUM(id, word, ...)                                            \
    { { "min_self_" #word, TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "0", "N",    \
        "Like --min_" #word ", for self costs." },                             \
      AT(self_minima[TFP_COST_##id]), INT64_MIN, INT64_MAX,                    \
      TFP_FILTER_SELF_MINIMUM },
#define ALIAS_MEANS(alias, word) " The value " #alias " means " #word "."
#define ALIAS(alias, word) { #alias, #word },

const tfp_alias tfp_metric_aliases[] = { TFP_METRIC_ALIASES(ALIAS) };

const tfp_option tfp_option_table[] = {
    /* name, kind, group, default,
       values,
       help,
       where it goes, range, what it hides */
    { { "graph_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "FILE",
        "Read a GraphDef, MetaGraphDef or SavedModel." },
      NOWHERE, 0, 0, NONE },
    { { "run_meta_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "[STEP=]FILE,...",
        "Read RunMetadata or StepStats. STEP sets the step number of a file. "
        "By default, the files get the step numbers 0, 1, 2 and so on." },
      NOWHERE, 0, 0, NONE },
    { { "op_log_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "FILE",
        "Read an OpLogProto. An OpLogProto contains node types, counts of "
        "float operations, and call stacks." },
      NOWHERE, 0, 0, NONE },
    { { "checkpoint_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "PREFIX",
        "Read a checkpoint. PREFIX is the common start of the checkpoint's "
        "file names. In place of a prefix, you can give the index file, a "
        "directory, or the file that names the latest checkpoint. A checkpoint "
        "contains variables and their values." },
      NOWHERE, 0, 0, NONE },
    { { "profile_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "FILE",
        "Read a ProfileProto, as written by tfprof." },
      NOWHERE, 0, 0, NONE },
    { { "max_depth", TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "10",
        "N",
        "Show at most N levels of the tree. The root is the first level. The "
        "op view shows at most N + 1 rows. If this option is not given, "
        "--format table shows 4 levels, and --format json and --format csv "
        "show all levels." },
      AT(max_depth), INT32_MIN, INT32_MAX, TFP_FILTER_DEPTH },
    TFP_UPSTREAM_METRICS(MINIMUM)
    { { "step", TFPROF_OPTION_INT, TFPROF_GROUP_COUNTED, "-1",
        "N|rest",
        "Use the costs of step N. If N is negative, use the average of all "
        "steps. With rest, use what a trace ran outside of all steps." },
      AT(step), INT64_MIN + 1, INT64_MAX, NONE },
    { { "order_by", TFPROF_OPTION_CHOICE, TFPROF_GROUP_ORDER, "name",
        "name|depth" TFP_ALL_METRICS(OR_WORD),
        "Sort rows by name or by a cost. Costs are sorted from largest to "
        "smallest. With depth, the scope and op views are ordered by name, the "
        "graph view by input, and the code view by first appearance."
        TFP_METRIC_ALIASES(ALIAS_MEANS) },
      AT(order_by), 0, 0, NONE },
    { { "account_type_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_COUNTED, ".*",
        "PATTERN,...",
        "Count only nodes with a matching type. The types of a node are its "
        "operation, its device, and the types that the op log adds." },
      AT(account_type_regexes), 0, 0, TFP_FILTER_COUNTED },
    { { "start_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, ".*",
        "PATTERN,...",
        "Start the tree at nodes with matching names. Only these nodes and the "
        "nodes below them are shown." },
      AT(start_name_regexes), 0, 0, TFP_FILTER_ROWS },
    { { "trim_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, "",
        "PATTERN,...",
        "Hide the rows below nodes with matching names." },
      AT(trim_name_regexes), 0, 0, TFP_FILTER_BELOW },
    { { "show_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, ".*",
        "PATTERN,...",
        "Show only nodes with matching names." },
      AT(show_name_regexes), 0, 0, TFP_FILTER_ROWS },
    { { "hide_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, "",
        "PATTERN,...",
        "Hide nodes with matching names. The nodes below them are still "
        "shown." },
      AT(hide_name_regexes), 0, 0, TFP_FILTER_ROWS },
    { { "account_displayed_op_only",
        TFPROF_OPTION_BOOL, TFPROF_GROUP_COUNTED, "false",
        "true|false",
        "Include only displayed nodes in totals. By default, totals also "
        "include hidden nodes." },
      AT(account_displayed_op_only), 0, 0, NONE },
    { { "select", TFPROF_OPTION_SET, TFPROF_GROUP_SHOWN, "auto",
        TFP_ALL_METRICS(WORD_OR)
        "device|op_types|input_shapes|tensor_value|num_hidden_ops",
        "Choose the costs and facts to show. The value auto means micros if "
        "the inputs contain run times, otherwise params."
        TFP_METRIC_ALIASES(ALIAS_MEANS) },
      AT(select), 0, 0, NONE },
    { { "output", TFPROF_OPTION_OUTPUT, TFPROF_GROUP_OUTPUT, "stdout",
        "stdout|none|file:outfile=F|timeline:outfile=F|pprof:outfile=F|"
        "profile:outfile=F|folded:outfile=F|speedscope:outfile=F|"
        "html:outfile=F|parquet:outfile=F",
        "Write the answer to standard output or file F. F is the path of the "
        "file. If the value is none, the answer is not written." },
      AT(output), 0, 0, NONE },
    { { "device_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, ".*",
        "PATTERN,...",
        "Show only nodes on matching devices. The pattern .* also matches "
        "nodes without a device." },
      AT(device_regexes), 0, 0, TFP_FILTER_ROWS },
    TFP_OWN_METRICS(MINIMUM)
    TFP_ALL_METRICS(SELF_MINIMUM)
    { { "formulas", TFPROF_OPTION_CHOICE, TFPROF_GROUP_FLOAT_OPS, "auto",
        "auto|tensorflow|full|none",
        "Choose how to count float operations. Formulas are used only for "
        "nodes whose counts are not in an input file. The value tensorflow "
        "selects the formulas of TensorFlow's own profiler. The value full "
        "selects tfprof's more complete formulas. The value none disables all "
        "formulas. In views, auto means tensorflow. In the flops command, auto "
        "means full." },
      AT(formulas), 0, 0, NONE },
    { { "functions", TFPROF_OPTION_CHOICE, TFPROF_GROUP_FLOAT_OPS, "auto",
        "auto|walk|none",
        "Include the functions that a graph calls. The value walk includes "
        "these functions, and the value none excludes them. In the flops "
        "command with --formulas full, auto means walk. In all other cases, "
        "auto means none." },
      AT(functions), 0, 0, NONE },
    { { "batch", TFPROF_OPTION_INT, TFPROF_GROUP_FLOAT_OPS, "auto",
        "N",
        "Set unknown first dimensions of inputs to N. -1 leaves them unknown. "
        "In the flops command, auto means 1 if there are no run records. In "
        "all other cases, auto means -1." },
      AT(batch), -1, INT64_MAX, NONE },
    { { "shape", TFPROF_OPTION_LIST, TFPROF_GROUP_FLOAT_OPS, "",
        "NAME=DIMxDIM...,...",
        "Set the shape of a node or of a signature input. An example is "
        "input=1x224x224x3. Write ? for an unknown dimension, and NAME=scalar "
        "for a shape without dimensions." },
      AT(shape), 0, 0, NONE },
    { { "trips", TFPROF_OPTION_LIST, TFPROF_GROUP_FLOAT_OPS, "",
        "NAME=N,...",
        "Set the iteration count of a loop. Use this option for loops without "
        "constant bounds." },
      AT(trips), 0, 0, NONE },
    { { "formula_file", TFPROF_OPTION_LIST, TFPROF_GROUP_FLOAT_OPS, "",
        "FILE,...",
        "Read your own formulas from JSON files. The files map operation types "
        "to expressions." },
      AT(formula_file), 0, 0, NONE },
    { { "signature", TFPROF_OPTION_LIST, TFPROF_GROUP_MODEL, "",
        "NAME",
        "Choose the SavedModel signature to count. The default is "
        "serving_default, or the only signature if there is just one." },
      AT(signature), 0, 0, NONE },
    { { "list", TFPROF_OPTION_CHOICE, TFPROF_GROUP_MODEL, "summary",
        "summary|types|layers|nodes|tensors|variables|uncounted",
        "Print a summary or one complete list." },
      AT(list), 0, 0, NONE },
    { { "uncounted", TFPROF_OPTION_BOOL, TFPROF_GROUP_MODEL, "false",
        "true|false",
        "List the nodes that were not counted, and why. This is the same as "
        "--list uncounted." },
      AT(uncounted), 0, 0, NONE },
    { { "depth", TFPROF_OPTION_INT, TFPROF_GROUP_MODEL, "-1",
        "N",
        "Use the first N parts of a name as the layer. With -1, tfprof removes "
        "the scopes that all nodes have in common, and uses the next part of "
        "the name." },
      AT(depth), -1, INT32_MAX, NONE },
    { { "by", TFPROF_OPTION_CHOICE, TFPROF_GROUP_MEMORY, "node",
        "node|scope|op|line",
        "Group the live set by this property. The live set is the memory in "
        "use at the peak. The value op means the operation type, and line "
        "means the source line." },
      AT(by), 0, 0, NONE },
    { { "sort", TFPROF_OPTION_CHOICE, TFPROF_GROUP_LARGEST, "auto",
        "auto|name|depth" TFP_ALL_METRICS(OR_WORD) "|int_ops|macs|nodes"
            TFP_TABLE_COLUMNS(OR_COLUMN),
        "Sort by this value, largest first. In the flops command, auto means "
        "float_ops. In views, auto means the value of --order_by. The flops "
        "command supports only name, params, float_ops, int_ops, macs and "
        "nodes. Views support name, depth and metrics. The commands steps, "
        "kernels, memory and devices support their columns with numbers; the "
        "ending _micros can be omitted."
        TFP_METRIC_ALIASES(ALIAS_MEANS) },
      AT(sort), 0, 0, NONE },
    { { "top", TFPROF_OPTION_INT, TFPROF_GROUP_LARGEST, "-1",
        "N",
        "Show only the N largest rows at each level. In views, one more row "
        "sums up the rest. In the flops command, N applies to the types and "
        "layers of the summary. 0 shows all rows. The default, -1, shows 15 "
        "rows in the flops command, 20 rows in the diff command, and 50 rows "
        "in the commands steps, kernels, memory and devices, or an overview of "
        "more than 8 hosts. In views with --format table, -1 shows "
        "10 rows at each level. In views with another format, -1 shows all "
        "rows, but the op view shows only as many rows as --max_depth "
        "allows." },
      AT(top), -1, INT32_MAX, NONE },
    { { "max_arrows", TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "1000000",
        "N",
        "Draw at most N arrows in a graph timeline. If there are more arrows, "
        "only the arrows to the longest runs are drawn." },
      AT(max_arrows), 0, INT64_MAX, NONE },
    { { "code_text", TFPROF_OPTION_BOOL, TFPROF_GROUP_SHOWN, "false",
        "true|false",
        "Add source text to the rows of the code view. JSON and CSV always "
        "contain the source text." },
      AT(code_text), 0, 0, NONE },
    { { "own", TFPROF_OPTION_BOOL, TFPROF_GROUP_SHOWN, "false",
        "true|false",
        "Show your own lines in place of library lines. In the code view, each "
        "line of an installed package, the standard library or a framework is "
        "replaced by the line of your own code that called it. If this option "
        "is not given, only --format table replaces lines." },
      AT(own), 0, 0, NONE },
    { { "own_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, "",
        "PATTERN,...",
        "Choose the files that --own treats as your own. All other files are "
        "treated as libraries." },
      AT(own_regexes), 0, 0, NONE },
    { { "checkers", TFPROF_OPTION_SET, TFPROF_GROUP_ADVICE, "all",
        "AcceleratorUtilizationChecker|ExpensiveOperationChecker|"
        "HostBoundChecker|IdleDeviceChecker|InputBoundChecker|JobChecker|"
        "OperationChecker|SlowCopyChecker|SmallKernelChecker",
        "Run only these checkers. With the value all, every checker runs." },
      AT(checkers), 0, 0, NONE },
    { { "base", TFPROF_OPTION_PATHS, TFPROF_GROUP_COMPARED, "",
        "FILE,...",
        "Compare the inputs with these files or directories. This option can "
        "be repeated." },
      NOWHERE, 0, 0, NONE },
    { { "of", TFPROF_OPTION_CHOICE, TFPROF_GROUP_COMPARED, "median",
        "median|min",
        "Choose the value of a run: the median of its steps, or their minimum." },
      AT(of), 0, 0, NONE },
    { { "skip_steps", TFPROF_OPTION_INT, TFPROF_GROUP_COMPARED, "0",
        "N",
        "Leave out the first N steps of each run." },
      AT(skip_steps), 0, INT32_MAX, NONE },
    { { "budgets", TFPROF_OPTION_LIST, TFPROF_GROUP_BUDGETS, "",
        "FILE",
        "Read the limits to check from this JSON file. With a baseline and "
        "without this option, the wall time of a step is checked: it may grow "
        "by 10 %." },
      AT(budgets), 0, 0, NONE },
    { { "baseline", TFPROF_OPTION_LIST, TFPROF_GROUP_BUDGETS, "",
        "FILE,...",
        "Compare the inputs with the values in this file, which the baseline "
        "command writes, or with the runs in these directories." },
      AT(baseline), 0, 0, NONE },
    { { "require_verdict", TFPROF_OPTION_BOOL, TFPROF_GROUP_BUDGETS, "false",
        "true|false",
        "Exit with status 6 also if the runs differ too much for a verdict." },
      AT(require_verdict), 0, 0, NONE },
    { { "allow_no_verdict", TFPROF_OPTION_BOOL, TFPROF_GROUP_BUDGETS, "false",
        "true|false",
        "Exit with status 0 in place of 6 if a budget has no verdict." },
      AT(allow_no_verdict), 0, 0, NONE },
    { { "across_versions", TFPROF_OPTION_BOOL, TFPROF_GROUP_BUDGETS, "false",
        "true|false",
        "Compare times with a baseline from another machine or from other "
        "versions of the libraries." },
      AT(across_versions), 0, 0, NONE },
    { { "runs", TFPROF_OPTION_INT, TFPROF_GROUP_BUDGETS, "0",
        "N",
        "Fail unless the inputs are N runs. The value 0 accepts any number." },
      AT(runs), 0, INT32_MAX, NONE },
    { { "init", TFPROF_OPTION_BOOL, TFPROF_GROUP_BUDGETS, "false",
        "true|false",
        "Write a budgets file instead of a check. Each limit is 2 % above the "
        "value of the inputs." },
      AT(init), 0, 0, NONE },
    { { "format", TFPROF_OPTION_CHOICE, TFPROF_GROUP_OUTPUT, "auto",
        "text|json|csv|proto|table|auto|markdown|github|junit|sarif",
        "Choose the format of the answer. The value text means the format of "
        "TensorFlow's own profiler. The value table means a table with the "
        "largest rows first. The values json and csv are for programs. The "
        "value proto means the binary message that TensorFlow's own profiler "
        "returns. On a terminal, auto means table for views and advice. In all "
        "other cases, auto means text. If the environment variable "
        "TFPROF_FORMAT is text or table, auto means that format for views and "
        "advice. The commands summary, advise and info do not support csv. "
        "Only the views and the advise command support proto. Only the diff "
        "and check commands support markdown. Only the check command supports "
        "github, junit and sarif." },
      AT(format), 0, 0, NONE },
    { { "label", TFPROF_OPTION_PAIRS, TFPROF_GROUP_OUTPUT, "",
        "KEY=VALUE,...",
        "Add a column with the same value in every row. In CSV, JSON, Arrow "
        "and Parquet, these columns come first. In pprof files, every sample "
        "has the labels. Text output has no labels. Write a comma in a value "
        "as \\,. An example is worker=w17,job=j4." },
      AT(label), 0, 0, NONE },
    { { "color", TFPROF_OPTION_CHOICE, TFPROF_GROUP_OUTPUT, "auto",
        "auto|always|never",
        "Color text that is not written to a file. With auto, text on a "
        "terminal is colored, unless NO_COLOR is set or TERM is dumb. In the "
        "library, auto means never." },
      AT(color), 0, 0, NONE },
    { { "width", TFPROF_OPTION_INT, TFPROF_GROUP_OUTPUT, "-1",
        "N",
        "Lay out text for N columns. Long names are shortened in the middle, "
        "and shares are drawn as bars. 0 means an unlimited width. -1 means "
        "the terminal width, or an unlimited width if there is no terminal." },
      AT(width), -1, 1000000, NONE },
    { { "charset", TFPROF_OPTION_CHOICE, TFPROF_GROUP_OUTPUT, "auto",
        "auto|ascii|utf8",
        "Choose the characters that --width may add. Bars require utf8. The "
        "value auto chooses the character set that LC_ALL, LC_CTYPE or LANG "
        "specifies. In the library, auto means ascii." },
      AT(charset), 0, 0, NONE },
    { { "verbose", TFPROF_OPTION_BOOL, TFPROF_GROUP_OUTPUT, "false",
        "true|false",
        "Print more notes. The additional notes report fields that tfprof does "
        "not recognize. Newer versions of TensorFlow may write such fields. "
        "With this option, the info command also reads the events of large "
        "traces." },
      AT(verbose), 0, 0, NONE },
    { { "salvage", TFPROF_OPTION_BOOL, TFPROF_GROUP_INPUTS, "false",
        "true|false",
        "Keep complete records before the first error. Use this option to "
        "read damaged files." },
      AT(salvage), 0, 0, NONE },
    { { "follow", TFPROF_OPTION_BOOL, TFPROF_GROUP_INPUTS, "false",
        "true|false",
        "Follow checkpoint paths to other directories. By default, the file "
        "that names the latest checkpoint may refer only to checkpoints in its "
        "own directory." },
      AT(follow), 0, 0, NONE },
    { { "fold_transforms", TFPROF_OPTION_BOOL, TFPROF_GROUP_INPUTS, "false",
        "true|false",
        "Show JAX transforms as forward and backward. In JAX traces, the "
        "scopes jvp(X) and transpose(jvp(X)) become X/forward and "
        "X/backward." },
      AT(fold_transforms), 0, 0, NONE },
    { { "frames", TFPROF_OPTION_CHOICE, TFPROF_GROUP_INPUTS, "model",
        "model|python",
        "Choose what the code view of a trace shows. With model, the view "
        "shows the lines of the model, with the times of operations. With "
        "python, the view shows the calls that the Python tracer recorded, by "
        "thread, with the times of these calls." },
      AT(frames), 0, 0, NONE },
    { { "run", TFPROF_OPTION_LIST, TFPROF_GROUP_INPUTS, "",
        "NAME",
        "Read the run with this name. A run is a folder plugins/profile/NAME "
        "of a log directory. By default, the newest run is read, which is the "
        "last one by name." },
      AT(run), 0, 0, NONE },
    { { "step_event", TFPROF_OPTION_LIST, TFPROF_GROUP_INPUTS, "",
        "REGEX,...",
        "Take the events of a trace's host whose complete name matches one of "
        "these regular expressions as the steps. By default, the steps are "
        "those that the program marked. If it marked none, they are the "
        "executions of the program with the most time, or the event with the "
        "most time that a thread repeats." },
      AT(step_event), 0, 0, NONE },
    { { "max_memory", TFPROF_OPTION_SIZE, TFPROF_GROUP_LIMITS, "0",
        "BYTES",
        "Limit the memory that tfprof may use. 0 means 64 MiB plus 8 bytes for "
        "each byte read." },
      AT(max_memory), 0, INT64_MAX, NONE },
    { { "max_input", TFPROF_OPTION_SIZE, TFPROF_GROUP_LIMITS, "64G",
        "BYTES",
        "Refuse input files larger than this size. The size is measured after "
        "decompression." },
      AT(max_input), 1, INT64_MAX, NONE },
    { { "max_block", TFPROF_OPTION_SIZE, TFPROF_GROUP_LIMITS, "64M",
        "BYTES",
        "Refuse checkpoint blocks larger than this size. The tables of a "
        "checkpoint consist of blocks." },
      AT(max_block), 1, INT64_MAX, NONE },
    { { "max_depth_nesting", TFPROF_OPTION_INT, TFPROF_GROUP_LIMITS, "100",
        "N",
        "Refuse messages nested deeper than N levels. The limit applies to "
        "protobuf messages in input files." },
      AT(max_depth_nesting), 1, 250, NONE },
};

const tfp_option tfp_older_options[] = {
    { { "dump_to_file", TFPROF_OPTION_OUTPUT, TFPROF_GROUP_OLDER, "",
        "FILE",
        "Write the answer to FILE. This is the same as --output "
        "file:outfile=FILE." },
      AT(output), 0, 0, NONE },
    { { "viz", TFPROF_OPTION_BOOL, TFPROF_GROUP_NO_EFFECT, "false",
        "true|false",
        "Has no effect." },
      NOWHERE, 0, 0, NONE },
};
/* clang-format on */

const size_t tfp_metric_alias_count = sizeof(tfp_metric_aliases) /
                                      sizeof(tfp_metric_aliases[0]);
const size_t tfp_option_table_count = sizeof(tfp_option_table) /
                                      sizeof(tfp_option_table[0]);
const size_t tfp_older_option_count = sizeof(tfp_older_options) /
                                      sizeof(tfp_older_options[0]);
