/*
 * schema.h - what TensorFlow's messages look like.
 *
 * One table per message says number, name and type of each field. The decoder
 * takes its case labels from it, the text scanner the names, the checker what
 * may nest in what. A row reads
 *
 *     F(M, 5, attr, MESSAGE, MANY, NodeDef_AttrEntry)
 *
 * field 5 of M, written `attr` in text, a message, repeated, of that type ("_"
 * where the type needs no second word). It makes the enumerator NodeDef_attr,
 * the field's tag on the wire, number and wire type in one:
 *
 *     switch (f.tag) {
 *     case NodeDef_name: ...
 *
 * so that a field with an unexpected wire type falls to `default`, as an
 * unknown field does in every protobuf library.
 */
#ifndef TFP_PROTO_SCHEMA_H
#define TFP_PROTO_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "proto/enums.h"
#include "proto/fields_checkpoint.h"
#include "proto/fields_graph.h"
#include "proto/fields_hlo.h"
#include "proto/fields_known.h"
#include "proto/fields_options.h"
#include "proto/fields_output.h"
#include "proto/fields_run.h"
#include "proto/fields_saved.h"
#include "proto/fields_tfprof.h"
#include "proto/fields_xprof.h"
#include "proto/fields_xspace.h"

/* How a value stands on the wire. */
enum {
    TFP_WIRE_VARINT = 0,
    TFP_WIRE_FIXED64 = 1,
    TFP_WIRE_BYTES = 2,
    TFP_WIRE_GROUP = 3,
    TFP_WIRE_GROUP_END = 4,
    TFP_WIRE_FIXED32 = 5
};

/* What a value means. */
typedef enum tfp_type {
    TFP_TYPE_DOUBLE,
    TFP_TYPE_FLOAT,
    TFP_TYPE_INT64,
    TFP_TYPE_UINT64,
    TFP_TYPE_INT32,
    TFP_TYPE_UINT32,
    TFP_TYPE_SINT64,
    TFP_TYPE_FIXED64,
    TFP_TYPE_FIXED32,
    TFP_TYPE_BOOL,
    TFP_TYPE_ENUM,
    TFP_TYPE_STRING,
    TFP_TYPE_BYTES,
    TFP_TYPE_MESSAGE
} tfp_type;

enum {
    TFP_WIRE_OF_DOUBLE = TFP_WIRE_FIXED64,
    TFP_WIRE_OF_FLOAT = TFP_WIRE_FIXED32,
    TFP_WIRE_OF_INT64 = TFP_WIRE_VARINT,
    TFP_WIRE_OF_UINT64 = TFP_WIRE_VARINT,
    TFP_WIRE_OF_INT32 = TFP_WIRE_VARINT,
    TFP_WIRE_OF_UINT32 = TFP_WIRE_VARINT,
    TFP_WIRE_OF_SINT64 = TFP_WIRE_VARINT,
    TFP_WIRE_OF_FIXED64 = TFP_WIRE_FIXED64,
    TFP_WIRE_OF_FIXED32 = TFP_WIRE_FIXED32,
    TFP_WIRE_OF_BOOL = TFP_WIRE_VARINT,
    TFP_WIRE_OF_ENUM = TFP_WIRE_VARINT,
    TFP_WIRE_OF_STRING = TFP_WIRE_BYTES,
    TFP_WIRE_OF_BYTES = TFP_WIRE_BYTES,
    TFP_WIRE_OF_MESSAGE = TFP_WIRE_BYTES
};

typedef enum tfp_label {
    TFP_LABEL_ONE,
    TFP_LABEL_ONEOF, /* at most one of these in its message */
    TFP_LABEL_MANY,
    TFP_LABEL_RETIRED /* of older TensorFlow; read as ONE */
} tfp_label;

typedef struct tfp_enum_value {
    const char *name;
    int32_t number;
} tfp_enum_value;

typedef struct tfp_enum {
    const char *name; /* with its package, as in descriptors */
    const tfp_enum_value *values;
    size_t count;
} tfp_enum;

typedef struct tfp_message tfp_message;

typedef struct tfp_field_spec {
    uint32_t number;
    tfp_type type;
    tfp_label label;
    const char *name;
    size_t name_size;
    const tfp_message *message; /* of TFP_TYPE_MESSAGE, else NULL */
    const tfp_enum *values;     /* of TFP_TYPE_ENUM, else NULL */
} tfp_field_spec;

/* A streamed message is entered while the file is read and may be as long as
 * the file; any other is held in one piece. */
typedef enum tfp_message_kind {
    TFP_MESSAGE_PLAIN,
    TFP_MESSAGE_MAP_ENTRY,
    TFP_MESSAGE_STREAMED
} tfp_message_kind;

struct tfp_message {
    const char *name; /* with its package, as in descriptors */
    tfp_message_kind kind;
    const tfp_field_spec *fields; /* by number */
    size_t count;
};

#define TFP_TAG(number, wire) ((uint32_t)(number) << 3 | (uint32_t)(wire))

/* The tag of a repeated number written in packed form. */
#define TFP_PACKED(tag) (((tag) & ~7u) | TFP_WIRE_BYTES)

#define TFP_ALL_MESSAGES(D)                                                    \
    TFP_GRAPH_MESSAGES(D)                                                      \
    TFP_RUN_MESSAGES(D)                                                        \
    TFP_SAVED_MESSAGES(D)                                                      \
    TFP_TFPROF_MESSAGES(D)                                                     \
    TFP_CHECKPOINT_MESSAGES(D)                                                 \
    TFP_OUTPUT_MESSAGES(D)                                                     \
    TFP_OPTIONS_MESSAGES(D)                                                    \
    TFP_XSPACE_MESSAGES(D)                                                     \
    TFP_XPROF_MESSAGES(D)                                                      \
    TFP_HLO_MESSAGES(D)                                                        \
    TFP_KNOWN_MESSAGES(D)

/* A retired name may share its number with the field that took its place, so
 * its enumerator is made from the name like any other. */
#define TFP_DECLARE_TAG(M, number, name, type, label, of)                      \
    M##_##name = TFP_TAG(number, TFP_WIRE_OF_##type),
#define TFP_DECLARE_MESSAGE(M, full_name, kind)                                \
    enum { M##_FIELDS(TFP_DECLARE_TAG, M) M##_none = 0 };                      \
    extern const tfp_message tfp_##M;
TFP_ALL_MESSAGES(TFP_DECLARE_MESSAGE)
#undef TFP_DECLARE_MESSAGE
#undef TFP_DECLARE_TAG

/* Every message and enum above, for the test that compares them. */
extern const tfp_message *const tfp_all_messages[];
extern const size_t tfp_all_message_count;
extern const tfp_enum *const tfp_all_enums[];
extern const size_t tfp_all_enum_count;

/* The field or NULL. By number, a retired field is found only where no
 * present one has its number. */
const tfp_field_spec *tfp_message_field(const tfp_message *message,
                                        uint32_t number);
const tfp_field_spec *tfp_message_field_named(const tfp_message *message,
                                              tfp_span name);

/* The wire type of one value, not packed. */
int tfp_type_wire(tfp_type type);

/* "NodeDef" of "tensorflow.NodeDef": how error messages call it. */
const char *tfp_message_short_name(const tfp_message *message);

#endif
