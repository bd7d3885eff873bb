/*
 * readers.c - which message goes to which reader.
 *
 * A message that is not in the table, and everything below a level that is
 * not used, is checked for damage by the walker and otherwise passed over.
 */
#include "input/load/load.h"
#include "model/inputs.h"
#include "proto/schema.h"
#include "proto/walk.h"
#include "proto/wire.h"

typedef struct reader {
    const tfp_message *message;
    tfp_leaf_fn *leaf;   /* a field of the message */
    tfp_level_fn *open;  /* the message itself begins, */
    tfp_level_fn *close; /* and ends */
} reader;

static const reader readers[] = {
    { &tfp_DeviceStepStats, tfp_read_device_leaf, tfp_open_device,
      tfp_close_device },
    { &tfp_GraphDef, tfp_read_graph_leaf, tfp_open_graph, tfp_close_graph },
    { &tfp_OpLogProto, tfp_read_log_leaf, NULL, NULL },
    { &tfp_FunctionDef, tfp_read_function_leaf, tfp_open_function,
      tfp_close_function },
    { &tfp_ProfileProto, tfp_read_profile_leaf, NULL, NULL },
    { &tfp_SavedObjectGraph, tfp_read_object_graph_leaf, NULL, NULL },
    { &tfp_FunctionDefLibrary, tfp_read_library_leaf, NULL, NULL },
    { &tfp_MetaGraphDef, tfp_read_meta_graph_leaf, tfp_open_meta_graph,
      tfp_close_meta_graph },
    { &tfp_StepStats, NULL, tfp_open_step, NULL },
    { &tfp_GraphDebugInfo, tfp_read_debug_info_leaf, NULL, NULL },
    { &tfp_CostGraphDef, tfp_read_cost_graph_leaf, NULL, NULL },
    { &tfp_CheckpointState, tfp_read_state_leaf, NULL, NULL },
};

static const reader *reader_of(const tfp_message *message)
{
    for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
        if (readers[i].message == message)
            return &readers[i];
    }
    return NULL;
}

/* RunMetadata may carry the graphs as they were placed. They are not the
 * user's graph: they are counted and passed over. */
static bool is_ignored(tfp_load *load, const tfp_message *parent,
                       const tfp_field_spec *field)
{
    tfp_input_ignored *ignored = &tfp_load_input(load)->ignored;
    if (parent == &tfp_RunMetadata && field->message == &tfp_GraphDef)
        ignored->partition_graphs++;
    else if (field->message == &tfp_RunMetadata_FunctionGraphs)
        ignored->function_graphs++;
    else
        return false;
    return true;
}

static int enter(void *self, const tfp_message *parent,
                 const tfp_field_spec *field, tfprof_error *err)
{
    tfp_load *load = self;
    const reader *r = reader_of(field->message);
    if (load->ignoring > 0 || is_ignored(load, parent, field)) {
        load->ignoring++;
        return TFPROF_OK;
    }
    return r && r->open ? r->open(load, field, err) : TFPROF_OK;
}

static int leave(void *self, const tfp_message *parent,
                 const tfp_field_spec *field, tfprof_error *err)
{
    tfp_load *load = self;
    const reader *r = reader_of(field->message);
    (void)parent;
    if (load->ignoring > 0) {
        load->ignoring--;
        return TFPROF_OK;
    }
    return r && r->close ? r->close(load, field, err) : TFPROF_OK;
}

static int leaf(void *self, const tfp_message *parent, const tfp_field *f,
                tfp_record *record, tfprof_error *err)
{
    tfp_load *load = self;
    const reader *r = reader_of(parent);
    if (load->ignoring > 0 || !r || !r->leaf)
        return TFP_LEAF_UNREAD;
    return r->leaf(load, f, record, err);
}

tfp_visitor tfp_load_visitor(tfp_load *load)
{
    return (tfp_visitor){ enter, leave, leaf, load };
}

int tfp_load_finish(tfp_load *load, tfprof_error *err)
{
    int status = tfp_finish_code(load, err);
    if (status == TFPROF_OK)
        status = tfp_finish_profile(load, err);
    if (status == TFPROF_OK)
        status = tfp_close_graph(load, NULL, err); /* a GraphDef alone */
    return status;
}
