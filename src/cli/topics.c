/*
 * topics.c - what help explains besides commands and options.
 *
 * A text has paragraphs, divided by empty lines. A line with a tab is an item:
 * a word, and what is said of it. Examples are lines of three parts divided by
 * tabs: command, inputs, options; at the prompt, where inputs are known, only
 * the first and the last are typed. A line without tabs is for the shell alone.
 */
#include <string.h>

#include "cli/cli.h"

/* clang-format off */
const cli_topic cli_topics[] = {
    { "views", "The four views, and how to read a row.",
      "A view answers one question about a model. All of them take the same "
      "inputs and the same options.\n\n"
      "scope\tWhich scopes of names? A row is a node or a scope; a/b/c stands "
      "below a/b, and that below a.\n"
      "graph\tWhich ways through the graph? A row is a node; below it stand "
      "the nodes that it takes its inputs from. Each node is shown once.\n"
      "op\tWhich types of operation? A row is a type. Rows do not nest.\n"
      "code\tWhich lines of source? A row is a line of the program that made "
      "the model; below it stand the lines that it called. Needs the call "
      "stacks of an op log or a profile.\n\n"
      "A cost reads self/total: what the row costs itself, and with all that "
      "is below it. -- is the self of a row that does not count and is there "
      "for the sake of those below it. In op a cost reads self (accumulated "
      "%, self %); the first share is that of the row and all rows behind it, "
      "so it falls from 100 % downwards.\n\n"
      "Rows are chosen in this order. -account_type_regexes says which nodes "
      "count, and totals are summed over these. -start_name_regexes moves rows "
      "to the top; -max_depth and -trim_name_regexes cut off from below. Minima "
      "and the patterns for names and devices decide about each row that is "
      "left; what is below a hidden row moves up. -order_by or -sort sorts "
      "siblings, and -top keeps the largest of them.\n",
      "scope\tgraph.pb run_meta\t-select micros -max_depth 3\n"
      "graph\tgraph.pb run_meta\t-select micros -max_depth 5\n"
      "op\tgraph.pb run_meta\t-select micros,occurrence -order_by micros\n"
      "code\tgraph.pb run_meta tfprof_log\t-select micros -max_depth 20\n" },
    { "options", "How options are written, and all of them.",
      "Options are written --name value, --name=value or -name value; - and _ "
      "in a name are the same. A switch may stand alone, which means true; it "
      "takes the next word only if that is true or false. After = it also takes "
      "t, yes, y, 1 and f, no, n, 0. A value that names an option itself is "
      "written with =. What is no option is an input, and -- "
      "ends the options.\n\n"
      "Given twice, the last value of an option holds; inputs add up. Numbers "
      "are digits, with a - before them where the option allows it. Sizes may "
      "end in K, M, G or T: 1024 bytes and so on.\n\n"
      "A PATTERN is a regular expression that must match the whole name: see "
      "help regex.\n",
      "scope\tgraph.pb\t--max-depth=3\n"
      "scope\tgraph.pb\t-max_depth 3 -account_displayed_op_only\n"
      "scope\tgraph.pb\t--hide_name_regexes=-select\n"
      "tfprof info --max-memory 2G -- graph.pb\n" },
    { "metrics", "The words of -select and -order_by.",
      "-select says which of these are columns; commas divide them. auto, its "
      "default, stands for micros when there are run times, else for params. "
      "-order_by (or -sort) takes those of the first three lists, sorts by the "
      "total and has the largest first; it also takes name, the default, and "
      "depth, which keeps the order that the view has by itself. time, memory "
      "and flops mean micros, bytes and float_ops.\n\n"
      "Counts:\n"
      "params\tParameters: the product of the dimensions of a variable. 0 when "
      "one of them is not known. A placeholder with a shape counts, too.\n"
      "float_ops\tFloat operations of the node, times its runs; just those of "
      "the node when it never ran.\n"
      "occurrence\tHow often it ran, and how many nodes it stands for.\n\n"
      "Time (help times):\n"
      "micros\tThe sum of accelerator_micros and cpu_micros.\n"
      "accelerator_micros\tOn accelerators: how long kernels took.\n"
      "cpu_micros\tOn CPUs; of a node on a GPU, how long it took to schedule.\n"
      "queue_micros\tFrom scheduled to started; micros does not contain it.\n"
      "\n"
      "Memory (help bytes):\n"
      "bytes\tRequested, whether given back or not.\n"
      "peak_bytes\tThe most that was held at a time.\n"
      "residual_bytes\tStill held when the node had ended.\n"
      "output_bytes\tOf its outputs.\n\n"
      "Facts, which cannot be sorted by:\n"
      "device\tThe device that it ran on.\n"
      "op_types\tIts operation, its device, and the types that the op log "
      "gives it.\n"
      "input_shapes\tThe shapes of its inputs, by number.\n"
      "tensor_value\tValues, which only a checkpoint has; in scope and graph.\n"
      "num_hidden_ops\tHow many nodes below the row are not displayed.\n\n"
      "Numbers go k, m, b by thousands; bytes B, KB, MB; time us, ms, sec. "
      "--format json has them in full.\n",
      "scope\tgraph.pb run_meta\t-select micros,bytes,params\n"
      "op\tgraph.pb run_meta\t-select micros,float_ops -order_by float_ops\n"
      "scope\tgraph.pb model.ckpt\t-select tensor_value -max_depth 3\n" },
    { "regex", "Patterns for names, types and devices.",
      "A PATTERN is a Perl-compatible regular expression. It must match the "
      "whole name, so what may come before and after is written .*: conv1 is "
      "only conv1, and .*conv1.* whatever has conv1 in it. Case matters, "
      "unless the pattern begins with (?i).\n\n"
      "Commas divide patterns; a name matches a list if it matches one of "
      "them. Empty patterns are left out. A comma that belongs to a pattern is "
      "written \\, except in a count such as {2,3}, which divides nothing. All "
      "other backslashes are the expression's: \\d is a digit.\n\n"
      "In a shell, patterns stand in quotes: '.*'. At the prompt they need "
      "none, unless there is a blank in them.\n\n"
      "-account_type_regexes\tWhich nodes count. Matches types: the operation, "
      "the device, or what the op log calls the node, such as "
      "_trainable_variables.\n"
      "-start_name_regexes\tWhere the tree begins.\n"
      "-trim_name_regexes\tBelow what it ends.\n"
      "-show_name_regexes\tWhich rows are shown, of those that are left.\n"
      "-hide_name_regexes\tWhich are not; what is below them moves up.\n"
      "-device_regexes\tOn which devices. .* is any, and none at all.\n\n"
      "A pattern that takes too long ends with exit status 4.\n",
      "scope\tgraph.pb\t-account_type_regexes _trainable_variables -select "
      "params\n"
      "scope\tgraph.pb\t-show_name_regexes '.*conv\\d{1,2}.*,.*/bias(es)?'\n"
      "op\tgraph.pb run_meta\t-hide_name_regexes 'Const,Identity'\n"
      "graph\tgraph.pb run_meta\t-start_name_regexes '(?i).*LOSS.*' -max_depth "
      "4\n" },
    { "inputs", "Which files are read, and what each one knows.",
      "What a file is, is found from its bytes, in binary or in text, whatever "
      "it is called. Inputs may come in any order. The options are only needed "
      "to be sure, or to number steps.\n\n"
      "graph\t--graph_path: a GraphDef, MetaGraphDef or SavedModel. Names, "
      "types, edges, shapes: parameters.\n"
      "run metadata\t--run_meta_path: RunMetadata or StepStats, one file for "
      "each step. Times, memory, devices, and the shapes of a run. The files "
      "are steps 0, 1, 2 and so on, unless they are given as STEP=FILE.\n"
      "op log\t--op_log_path: OpLogProto. Types such as _trainable_variables, "
      "float operations, and call stacks for the code view.\n"
      "checkpoint\t--checkpoint_path: its prefix, its index, or its directory. "
      "Variables and their values.\n"
      "profile\t--profile_path: ProfileProto, all of the above but a "
      "checkpoint's values in one file; see help outputs.\n\n"
      "An input may also be a directory, whose files are all read, or - for "
      "standard input. gzip is unpacked. A comma in the name of a file is "
      "written \\, behind these options, where commas divide files.\n\n"
      "A damaged file ends with exit status 1 and the place of the damage; "
      "--salvage keeps what stands before it. tfprof info says what a file "
      "is, also of kinds that are not read.\n",
      "scope\tgraph.pb run_meta tfprof_log\t-max_depth 3\n"
      "op\t--graph_path=graph.pb --run_meta_path=7=run_meta_7,8=run_meta_8\t"
      "-step 8\n"
      "tfprof info graph.pb run_meta tfprof_log model.ckpt\n"
      "gzip -dc graph.pb.gz | tfprof scope - run_meta\n" },
    { "outputs", "Where answers go, and in which form.",
      "Standard output has the answer and nothing else; notes, progress and "
      "errors go to standard error. -output sends it elsewhere:\n\n"
      "stdout\tTo standard output, the default.\n"
      "none\tNowhere: whether it can be answered is all that is told.\n"
      "file:outfile=F\tInto the file F.\n"
      "timeline:outfile=F\tDrawn for a trace viewer, such as ui.perfetto.dev: "
      "of scope, graph and code, and only with run times. Of several steps the "
      "graph view makes a file each, F_0, F_1 and so on; of NAME.json "
      "NAME_0.json, NAME_1.json.\n"
      "pprof:outfile=F\tFor pprof. labels=all and samples=all, behind a comma, "
      "put more into it; places=lines lets pprof -list show the lines of code "
      "that cost.\n"
      "profile:outfile=F\tAll that was loaded as a ProfileProto, to be read "
      "again in place of the inputs.\n\n"
      "A file is written whole or not at all; timelines and profiles whose "
      "names end in .gz are packed. --format says how stdout and file are "
      "written:\n\n"
      "text\tAs TensorFlow's own tfprof prints it; on a terminal in colour, and "
      "cut to its width: -color, -width.\n"
      "json, csv\tFor programs, with whole numbers.\n"
      "proto\tThe message that TensorFlow's profiler returns, in bytes; not to "
      "a terminal.\n",
      "scope\tgraph.pb run_meta\t-output file:outfile=scopes.txt\n"
      "graph\tgraph.pb run_meta\t-step 0 -max_depth 100000 -output "
      "timeline:outfile=step.json.gz\n"
      "code\tgraph.pb run_meta tfprof_log\t-select micros -output "
      "pprof:outfile=code.pb.gz\n"
      "op\tgraph.pb run_meta tfprof_log\t-output profile:outfile=all.profile\n"
      "tfprof op graph.pb run_meta --format json | jq .total\n" },
    { "times", "What micros, accelerator_micros and cpu_micros are.",
      "Times come from run metadata, one record for each run of a node on a "
      "device, in whole microseconds.\n\n"
      "accelerator_micros\tThe sum over records of devices whose name has "
      "stream:all: how long the kernels of a GPU took.\n"
      "cpu_micros\tThe sum over records of plain devices, such as cpu:0; for a "
      "plain gpu:0 that is the time to schedule, not to compute.\n"
      "micros\tBoth together.\n"
      "queue_micros\tThe sum over the same records as cpu_micros: how long each "
      "waited from being scheduled until it started. A record that does not "
      "tell when it was scheduled counts 0, and so does a profile, which "
      "cannot hold it.\n\n"
      "A record that took no whole microsecond counts as one: it did run. A "
      "record without a start adds nothing, though its step counts in the "
      "average. A node belongs to the first plain device that it ran on; "
      "records of other plain devices are not counted for it.\n\n"
      "Without -step a cost is the average over the steps in which that node "
      "ran, rounded towards zero, for each node by itself. Totals are sums of "
      "these: a node that ran in one step of ten counts in full. -step N takes "
      "one step as it was.\n\n"
      "Times of nodes add up though nodes run side by side, so a total may be "
      "longer than the step took on the clock. A timeline shows when each ran. "
      "If a GPU's kernels were not traced, a note says that its times are "
      "missing.\n",
      "scope\tgraph.pb run_meta\t-select micros -order_by micros\n"
      "op\tgraph.pb run_meta\t-select accelerator_micros,cpu_micros -order_by "
      "micros\n"
      "scope\tgraph.pb run_meta\t-step 0 -min_micros 100\n" },
    { "bytes", "What bytes, peak, residual and output bytes are.",
      "Memory comes from run metadata: what TensorFlow's allocators wrote down "
      "for each run of a node. All sizes are in bytes.\n\n"
      "bytes\tRequested while it ran, whether given back or not: the total of "
      "the allocators, temporary and persistent memory.\n"
      "peak_bytes\tThe most that was held at a time: the allocators' peak, "
      "temporary and persistent memory.\n"
      "residual_bytes\tStill held when it had ended: the allocators' live "
      "bytes and persistent memory.\n"
      "output_bytes\tOf its outputs: for each the larger of what was allocated "
      "and requested.\n\n"
      "They are averages over steps as times are: see help times. Records of "
      "plain devices count (cpu:0, gpu:0), those of streams do not.\n\n"
      "A total adds up what nodes held at different times. It is no measure of "
      "how much memory the model needs at once: a timeline of the graph view "
      "draws that, for GPUs.\n",
      "scope\tgraph.pb run_meta\t-select bytes,peak_bytes -order_by bytes\n"
      "scope\tgraph.pb run_meta\t-select residual_bytes,output_bytes "
      "-min_residual_bytes 1\n"
      "graph\tgraph.pb run_meta\t-step 0 -max_depth 100000 -output "
      "timeline:outfile=memory.json\n" },
    { 0 },
};

/* Of options whose values need one, in the form of the examples above. */
static const struct {
    const char *option, *example;
} examples[] = {
    { "graph_path", "scope\t--graph_path=graph.pb\t" },
    { "run_meta_path",
      "op\t--graph_path=graph.pb --run_meta_path=7=run_meta_7,8=run_meta_8\t"
      "-step 8" },
    { "op_log_path", "code\tgraph.pb --op_log_path=tfprof_log\t"
      "-select params" },
    { "checkpoint_path", "scope\t--checkpoint_path=model.ckpt\t"
      "-select params" },
    { "profile_path", "op\t--profile_path=model.profile\t-select params" },
    { "step", "op\tgraph.pb run_meta_7 run_meta_8\t-step 1" },
    { "max_depth", "scope\tgraph.pb\t-max_depth 3" },
    { "min_bytes", "scope\tgraph.pb run_meta\t"
      "-select bytes -min_bytes 1000" },
    { "order_by", "op\tgraph.pb run_meta\t-select micros -order_by micros" },
    { "sort", "op\tgraph.pb run_meta\t-select micros -sort micros" },
    { "top", "scope\tgraph.pb run_meta\t-sort micros -top 3 -max_depth 4" },
    { "color", "scope\tgraph.pb\t-color always" },
    { "width", "scope\tgraph.pb run_meta\t-width 60" },
    { "account_type_regexes", "scope\tgraph.pb\t"
      "-account_type_regexes 'Variable.*' -select params" },
    { "start_name_regexes", "graph\tgraph.pb\t"
      "-start_name_regexes '.*loss.*' -max_depth 4" },
    { "trim_name_regexes", "scope\tgraph.pb\t"
      "-trim_name_regexes 'gradients,save'" },
    { "show_name_regexes", "scope\tgraph.pb\t"
      "-show_name_regexes '.*conv1.*,.*conv2.*'" },
    { "hide_name_regexes", "op\tgraph.pb\t"
      "-hide_name_regexes 'Const,Identity' -select occurrence" },
    { "device_regexes", "scope\tgraph.pb run_meta\t"
      "-device_regexes '.*cpu:0' -select micros,device" },
    { "select", "scope\tgraph.pb run_meta\t-select micros,bytes" },
    { "output", "scope\tgraph.pb run_meta\t"
      "-output timeline:outfile=scopes.json" },
    { "formulas", "op\tgraph.pb run_meta\t"
      "-select float_ops -formulas full" },
    { "shape", "flops\tfrozen.pb\t-shape input=1x224x224x3" },
    { "trips", "flops\tloop.pb\t-trips while/LoopCond=20" },
    { "formula_file", "flops\tsaved_model/\t"
      "-batch 1 -formula_file formulas.json" },
    { "signature", "flops\tsaved_model/\t"
      "-batch 1 -signature serving_default" },
    { "batch", "flops\tsaved_model/\t-batch 1" },
    { "list", "flops\tsaved_model/\t-batch 1 -list layers" },
    { "checkers", "advise\tgraph.pb run_meta\t"
      "-checkers ExpensiveOperationChecker" },
    { "own_regexes", "code\tgraph.pb run_meta tfprof_log\t"
      "-own -own_regexes '.*/my_library/.*'" },
    { "format", "op\tgraph.pb run_meta\t-format csv" },
    { "max_memory", "tfprof scope graph.pb -max_memory 2G" },
    { "max_input", "tfprof scope graph.pb -max_input 500M" },
    { "max_block", "tfprof info model.ckpt -max_block 128M" },
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
