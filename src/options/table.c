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
#define WORD_OR(id, word, ...) #word "|"
#define MINIMUM(id, word, name, field, unit, whole, traits, legend, suffix,    \
                op_suffix, title, help)                                        \
    { { "min_" #word, TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "0", "N", help }, \
      AT(minima[TFP_COST_##id]), INT64_MIN, INT64_MAX, TFP_FILTER_MINIMUM },
#define SELF_MINIMUM(id, word, ...)                                            \
    { { "min_self_" #word, TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "0", "N",    \
        "Like min_" #word ", of the row itself." },                            \
      AT(self_minima[TFP_COST_##id]), INT64_MIN, INT64_MAX,                    \
      TFP_FILTER_SELF_MINIMUM },
#define ALIAS_MEANS(alias, word) " " #alias " means " #word "."
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
        "Read RunMetadata or StepStats; STEP names the step, else 0, 1, 2, "
        "..." },
      NOWHERE, 0, 0, NONE },
    { { "op_log_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "FILE",
        "Read an OpLogProto: types, float operations, code traces." },
      NOWHERE, 0, 0, NONE },
    { { "checkpoint_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "PREFIX",
        "Read a checkpoint: variables and their values. Its prefix, its "
        "index, a directory, or the file that names the latest one." },
      NOWHERE, 0, 0, NONE },
    { { "profile_path", TFPROF_OPTION_PATHS, TFPROF_GROUP_INPUTS, "",
        "FILE",
        "Read a ProfileProto, as tfprof itself writes it." },
      NOWHERE, 0, 0, NONE },
    { { "max_depth", TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "10",
        "N",
        "Show N levels of the tree, the root being the first; in the op view "
        "N + 1 rows. If it is not given, a table has 4 levels, and what is for "
        "programs all of them." },
      AT(max_depth), INT32_MIN, INT32_MAX, TFP_FILTER_DEPTH },
    TFP_UPSTREAM_METRICS(MINIMUM)
    { { "step", TFPROF_OPTION_INT, TFPROF_GROUP_COUNTED, "-1",
        "N",
        "Take the costs of step N; if negative, the average of all steps." },
      AT(step), INT64_MIN, INT64_MAX, NONE },
    { { "order_by", TFPROF_OPTION_CHOICE, TFPROF_GROUP_ORDER, "name",
        "name|depth" TFP_ALL_METRICS(OR_WORD),
        "Sort rows by name, or by a cost with the largest first; depth keeps "
        "the order that the view has by itself."
        TFP_METRIC_ALIASES(ALIAS_MEANS) },
      AT(order_by), 0, 0, NONE },
    { { "account_type_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_COUNTED, ".*",
        "PATTERN,...",
        "Count only nodes of a matching type: their operation, their device, "
        "or a type that the op log gives them." },
      AT(account_type_regexes), 0, 0, TFP_FILTER_COUNTED },
    { { "start_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, ".*",
        "PATTERN,...",
        "Show only nodes with a matching name and what lies below them." },
      AT(start_name_regexes), 0, 0, TFP_FILTER_ROWS },
    { { "trim_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, "",
        "PATTERN,...",
        "Hide what lies below nodes with a matching name." },
      AT(trim_name_regexes), 0, 0, TFP_FILTER_BELOW },
    { { "show_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, ".*",
        "PATTERN,...",
        "Show only nodes with a matching name." },
      AT(show_name_regexes), 0, 0, TFP_FILTER_ROWS },
    { { "hide_name_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, "",
        "PATTERN,...",
        "Hide nodes with a matching name; what lies below them stays." },
      AT(hide_name_regexes), 0, 0, TFP_FILTER_ROWS },
    { { "account_displayed_op_only",
        TFPROF_OPTION_BOOL, TFPROF_GROUP_COUNTED, "false",
        "true|false",
        "Add up only what is displayed. Otherwise totals hold hidden nodes "
        "too." },
      AT(account_displayed_op_only), 0, 0, NONE },
    { { "select", TFPROF_OPTION_SET, TFPROF_GROUP_SHOWN, "auto",
        TFP_ALL_METRICS(WORD_OR)
        "device|op_types|input_shapes|tensor_value|num_hidden_ops",
        "The costs and facts to show. auto: micros when there are run times, "
        "else params." TFP_METRIC_ALIASES(ALIAS_MEANS) },
      AT(select), 0, 0, NONE },
    { { "output", TFPROF_OPTION_OUTPUT, TFPROF_GROUP_OUTPUT, "stdout",
        "stdout|none|file:outfile=F|timeline:outfile=F|pprof:outfile=F|"
        "profile:outfile=F",
        "Where the answer goes: to stdout, nowhere, or into the file F." },
      AT(output), 0, 0, NONE },
    { { "device_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, ".*",
        "PATTERN,...",
        "Show only nodes on a matching device; .* shows those without one, "
        "too." },
      AT(device_regexes), 0, 0, TFP_FILTER_ROWS },
    TFP_OWN_METRICS(MINIMUM)
    TFP_ALL_METRICS(SELF_MINIMUM)
    { { "formulas", TFPROF_OPTION_CHOICE, TFPROF_GROUP_FLOAT_OPS, "auto",
        "auto|tensorflow|full|none",
        "How to find float operations that no file gives: by the formulas of "
        "TensorFlow's own profiler, by complete ones, or not at all. auto: "
        "tensorflow in views, full in flops." },
      AT(formulas), 0, 0, NONE },
    { { "functions", TFPROF_OPTION_CHOICE, TFPROF_GROUP_FLOAT_OPS, "auto",
        "auto|walk|none",
        "Walk into the functions that a graph calls, or leave them out. auto: "
        "walk in flops with complete formulas, else none." },
      AT(functions), 0, 0, NONE },
    { { "batch", TFPROF_OPTION_INT, TFPROF_GROUP_FLOAT_OPS, "auto",
        "N",
        "Take N for unknown first dimensions of inputs; -1 leaves them "
        "unknown. auto: 1 in flops without run records, else -1." },
      AT(batch), -1, INT64_MAX, NONE },
    { { "shape", TFPROF_OPTION_LIST, TFPROF_GROUP_FLOAT_OPS, "",
        "NAME=DIMxDIM...,...",
        "The shape of a node, as in input=1x224x224x3; ? is an unknown "
        "dimension." },
      AT(shape), 0, 0, NONE },
    { { "trips", TFPROF_OPTION_LIST, TFPROF_GROUP_FLOAT_OPS, "",
        "NAME=N,...",
        "How often a loop goes round whose bounds are not constant." },
      AT(trips), 0, 0, NONE },
    { { "formula_file", TFPROF_OPTION_LIST, TFPROF_GROUP_FLOAT_OPS, "",
        "FILE,...",
        "Formulas of your own, in JSON: type of operation to expression." },
      AT(formula_file), 0, 0, NONE },
    { { "signature", TFPROF_OPTION_LIST, TFPROF_GROUP_MODEL, "",
        "NAME",
        "Which signature of a SavedModel is counted: serving_default, or the "
        "only one." },
      AT(signature), 0, 0, NONE },
    { { "list", TFPROF_OPTION_CHOICE, TFPROF_GROUP_MODEL, "summary",
        "summary|types|layers|nodes|tensors|variables|uncounted",
        "What to tell: a summary, or all of one list." },
      AT(list), 0, 0, NONE },
    { { "uncounted", TFPROF_OPTION_BOOL, TFPROF_GROUP_MODEL, "false",
        "true|false",
        "List what was not counted and why, as --list uncounted does." },
      AT(uncounted), 0, 0, NONE },
    { { "depth", TFPROF_OPTION_INT, TFPROF_GROUP_MODEL, "-1",
        "N",
        "A layer is the first N parts of a name; -1 finds a number that tells "
        "layers apart." },
      AT(depth), -1, INT32_MAX, NONE },
    { { "by", TFPROF_OPTION_CHOICE, TFPROF_GROUP_MEMORY, "node",
        "node|scope|op|line",
        "Group the live set by node, scope, operation type or source line." },
      AT(by), 0, 0, NONE },
    { { "sort", TFPROF_OPTION_CHOICE, TFPROF_GROUP_LARGEST, "auto",
        "auto|name|depth" TFP_ALL_METRICS(OR_WORD) "|int_ops|macs|nodes",
        "Sort by this, the largest first. auto: float_ops in flops, in views "
        "as order_by says. int_ops, macs and nodes are of flops alone, which "
        "has params, float_ops and name besides."
        TFP_METRIC_ALIASES(ALIAS_MEANS) },
      AT(sort), 0, 0, NONE },
    { { "top", TFPROF_OPTION_INT, TFPROF_GROUP_LARGEST, "-1",
        "N",
        "Show the N largest rows at each level of a view, and the rest as one "
        "row; in flops the N largest types and layers of the summary. 0 shows "
        "all; -1 all, but 15 in flops, and in op as many as -max_depth says." },
      AT(top), -1, INT32_MAX, NONE },
    { { "max_arrows", TFPROF_OPTION_INT, TFPROF_GROUP_SHOWN, "1000000",
        "N",
        "Draw at most N arrows in a timeline of the graph view, those to the "
        "longest runs first." },
      AT(max_arrows), 0, INT64_MAX, NONE },
    { { "code_text", TFPROF_OPTION_BOOL, TFPROF_GROUP_SHOWN, "false",
        "true|false",
        "Add the text of the source line to the rows of the code view. JSON "
        "and CSV always have it." },
      AT(code_text), 0, 0, NONE },
    { { "own", TFPROF_OPTION_BOOL, TFPROF_GROUP_SHOWN, "false",
        "true|false",
        "In the code view, show lines of installed packages, of the standard "
        "library and of the frameworks as the line of your own code that "
        "called them. If it is not given, a table does so." },
      AT(own), 0, 0, NONE },
    { { "own_regexes", TFPROF_OPTION_LIST, TFPROF_GROUP_SHOWN, "",
        "PATTERN,...",
        "Which files are your own, for --own; all others are libraries." },
      AT(own_regexes), 0, 0, NONE },
    { { "checkers", TFPROF_OPTION_SET, TFPROF_GROUP_ADVICE, "all",
        "AcceleratorUtilizationChecker|ExpensiveOperationChecker|"
        "HostBoundChecker|IdleDeviceChecker|InputBoundChecker|JobChecker|"
        "OperationChecker|SlowCopyChecker|SmallKernelChecker",
        "Which checkers look at the model. all: every one." },
      AT(checkers), 0, 0, NONE },
    { { "format", TFPROF_OPTION_CHOICE, TFPROF_GROUP_OUTPUT, "auto",
        "text|json|csv|proto|table|auto",
        "Write the answer as text in the form of TensorFlow's own profiler; as "
        "a table with the largest rows first; for programs as JSON or CSV; or "
        "as the message that TensorFlow's own profiler returns, in bytes. "
        "auto: views and advice are tables on a terminal, else text; "
        "TFPROF_FORMAT may name another. info and advise have no CSV, info and flops no "
        "message." },
      AT(format), 0, 0, NONE },
    { { "color", TFPROF_OPTION_CHOICE, TFPROF_GROUP_OUTPUT, "auto",
        "auto|always|never",
        "Colours in text that is not written into a file. auto: on a terminal, "
        "unless NO_COLOR is set or TERM is dumb; in the library none." },
      AT(color), 0, 0, NONE },
    { { "width", TFPROF_OPTION_INT, TFPROF_GROUP_OUTPUT, "-1",
        "N",
        "Lay text out for N columns: long names are shortened in the middle, "
        "shares drawn as bars. 0: as it is; -1: the columns of the terminal, "
        "or as it is." },
      AT(width), -1, 1000000, NONE },
    { { "charset", TFPROF_OPTION_CHOICE, TFPROF_GROUP_OUTPUT, "auto",
        "auto|ascii|utf8",
        "Which characters --width may add: bars need utf8. auto: what LC_ALL, "
        "LC_CTYPE or LANG says; in the library ascii." },
      AT(charset), 0, 0, NONE },
    { { "verbose", TFPROF_OPTION_BOOL, TFPROF_GROUP_OUTPUT, "false",
        "true|false",
        "Note more: fields that tfprof does not know, as newer versions of "
        "TensorFlow may write. info reads the events of large traces too." },
      AT(verbose), 0, 0, NONE },
    { { "salvage", TFPROF_OPTION_BOOL, TFPROF_GROUP_INPUTS, "false",
        "true|false",
        "Keep the whole records before the damage of a damaged file." },
      AT(salvage), 0, 0, NONE },
    { { "follow", TFPROF_OPTION_BOOL, TFPROF_GROUP_INPUTS, "false",
        "true|false",
        "Read the latest checkpoint also where its directory's file names one "
        "elsewhere." },
      AT(follow), 0, 0, NONE },
    { { "fold_transforms", TFPROF_OPTION_BOOL, TFPROF_GROUP_INPUTS, "false",
        "true|false",
        "In traces of JAX, show the scopes jvp(X) and transpose(jvp(X)) as "
        "X/forward and X/backward." },
      AT(fold_transforms), 0, 0, NONE },
    { { "frames", TFPROF_OPTION_CHOICE, TFPROF_GROUP_INPUTS, "model",
        "model|python",
        "Whose frames the code view of a trace shows: the lines of the model "
        "with the times of operations, or the calls that the tracer of Python "
        "recorded, by thread, with the times of these calls." },
      AT(frames), 0, 0, NONE },
    { { "max_memory", TFPROF_OPTION_SIZE, TFPROF_GROUP_LIMITS, "0",
        "BYTES",
        "Stop when more memory is needed; 0: 64 MiB and 8 bytes a byte read." },
      AT(max_memory), 0, INT64_MAX, NONE },
    { { "max_input", TFPROF_OPTION_SIZE, TFPROF_GROUP_LIMITS, "64G",
        "BYTES",
        "Stop when one input is longer, counted unpacked." },
      AT(max_input), 1, INT64_MAX, NONE },
    { { "max_block", TFPROF_OPTION_SIZE, TFPROF_GROUP_LIMITS, "64M",
        "BYTES",
        "Refuse a checkpoint with a larger block in its table." },
      AT(max_block), 1, INT64_MAX, NONE },
    { { "max_depth_nesting", TFPROF_OPTION_INT, TFPROF_GROUP_LIMITS, "100",
        "N",
        "Refuse messages nested deeper than N levels." },
      AT(max_depth_nesting), 1, 250, NONE },
};

const tfp_option tfp_older_options[] = {
    { { "dump_to_file", TFPROF_OPTION_OUTPUT, TFPROF_GROUP_OLDER, "",
        "FILE",
        "Write the answer to FILE, as --output file:outfile=FILE does." },
      AT(output), 0, 0, NONE },
    { { "viz", TFPROF_OPTION_BOOL, TFPROF_GROUP_NO_EFFECT, "false",
        "true|false",
        "Has no effect, and never had one." },
      NOWHERE, 0, 0, NONE },
};
/* clang-format on */

const size_t tfp_metric_alias_count = sizeof(tfp_metric_aliases) /
                                      sizeof(tfp_metric_aliases[0]);
const size_t tfp_option_table_count = sizeof(tfp_option_table) /
                                      sizeof(tfp_option_table[0]);
const size_t tfp_older_option_count = sizeof(tfp_older_options) /
                                      sizeof(tfp_older_options[0]);
