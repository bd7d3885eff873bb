/*
 * table.c - every option, in the order that help lists them.
 */
#include "options/options.h"

#define AT(member) offsetof(tfp_options, member)
#define NOWHERE    SIZE_MAX

/* clang-format off */
const tfp_option tfp_option_table[] = {
    /* name, kind, default, values,
       help,
       where it goes, range */
    { { "graph_path", TFPROF_OPTION_PATHS, "", "FILE",
        "Read a GraphDef, MetaGraphDef or SavedModel." },
      NOWHERE, 0, 0 },
    { { "run_meta_path", TFPROF_OPTION_PATHS, "", "[STEP=]FILE,...",
        "Read RunMetadata or StepStats; STEP names the step, else 0, 1, 2, ..." },
      NOWHERE, 0, 0 },
    { { "op_log_path", TFPROF_OPTION_PATHS, "", "FILE",
        "Read an OpLogProto: types, float operations, code traces." },
      NOWHERE, 0, 0 },
    { { "profile_path", TFPROF_OPTION_PATHS, "", "FILE",
        "Read a ProfileProto, as tfprof itself writes it." },
      NOWHERE, 0, 0 },
    { { "format", TFPROF_OPTION_CHOICE, "text", "text|json",
        "Write the answer as text, or as JSON for programs." },
      AT(format), 0, 0 },
    { { "salvage", TFPROF_OPTION_BOOL, "false", "true|false",
        "Keep the whole records before the damage of a damaged file." },
      AT(salvage), 0, 0 },
    { { "max_memory", TFPROF_OPTION_SIZE, "0", "BYTES",
        "Stop when more memory is needed; 0: 64 MiB and 8 bytes a byte read." },
      AT(max_memory), 0, INT64_MAX },
    { { "max_input", TFPROF_OPTION_SIZE, "64G", "BYTES",
        "Stop when one input is longer, counted unpacked." },
      AT(max_input), 1, INT64_MAX },
    { { "max_depth_nesting", TFPROF_OPTION_INT, "100", "N",
        "Refuse messages nested deeper than N levels." },
      AT(max_depth_nesting), 1, 250 },
};
/* clang-format on */

const size_t tfp_option_table_count = sizeof(tfp_option_table) /
                                      sizeof(tfp_option_table[0]);
