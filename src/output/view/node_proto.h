/*
 * node_proto.h - what a row says of itself in tfprof_output.proto.
 *
 * Puts the fields of one message and leaves out what nests in it: rows below
 * and nodes of a group are messages of their own (view_proto.c). Fields whose
 * value is 0 or nothing are left out, as upstream's are.
 */
#ifndef TFP_OUTPUT_NODE_PROTO_H
#define TFP_OUTPUT_NODE_PROTO_H

#include "base/utf8.h"
#include "output/view/row_facts.h"
#include "proto/put.h"
#include "view/view.h"

typedef struct tfp_node_proto {
    const tfp_view *view;
    tfp_put *put;
    tfp_row_facts facts;
    tfp_utf8 text; /* a name that had to be mended */
} tfp_node_proto;

/* All that is put goes to `put`. Cannot fail. */
void tfp_node_proto_init(tfp_node_proto *node, const tfp_view *view,
                         tfp_put *put);
void tfp_node_proto_release(tfp_node_proto *node);

/* Out of memory? */
static inline bool tfp_node_proto_failed(const tfp_node_proto *node)
{
    return node->facts.failed || node->put->failed;
}

/* The fields of a row: of a GraphNodeProto, or of a MultiGraphNodeProto where
 * rows are groups. */
void tfp_node_proto_row(tfp_node_proto *node, uint32_t row);

/* The fields of a GraphNodeProto of one member of a group. */
void tfp_node_proto_member(tfp_node_proto *node, uint32_t member);

#endif
