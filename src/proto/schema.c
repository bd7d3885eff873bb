/*
 * schema.c - the tables of schema.h, spelled out.
 */
#include "proto/schema.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Enums -------------------------------------------------------------- */

#define VALUE(name, number) { #name, number },
#define ENUM(E, full_name)                                                     \
    static const tfp_enum_value E##_values[] = { E##_VALUES(VALUE) };          \
    static const tfp_enum tfp_enum_##E = { full_name, E##_values,              \
                                           COUNT(E##_values) };
TFP_ENUMS(ENUM)
#undef ENUM
#undef VALUE

#define ENUM(E, full_name) &tfp_enum_##E,
const tfp_enum *const tfp_all_enums[] = { TFP_ENUMS(ENUM) };
#undef ENUM
const size_t tfp_all_enum_count = COUNT(tfp_all_enums);

/* ---- Messages ----------------------------------------------------------- */

/* The last column means something else for each type. */
#define OF_MESSAGE(of) &tfp_##of, NULL
#define OF_ENUM(of)    NULL, &tfp_enum_##of
#define OF_DOUBLE(of)  NULL, NULL
#define OF_FLOAT(of)   NULL, NULL
#define OF_INT64(of)   NULL, NULL
#define OF_UINT64(of)  NULL, NULL
#define OF_INT32(of)   NULL, NULL
#define OF_UINT32(of)  NULL, NULL
#define OF_SINT64(of)  NULL, NULL
#define OF_FIXED64(of) NULL, NULL
#define OF_FIXED32(of) NULL, NULL
#define OF_BOOL(of)    NULL, NULL
#define OF_STRING(of)  NULL, NULL
#define OF_BYTES(of)   NULL, NULL

#define FIELD(M, number, name, type, label, of)                                \
    { number, TFP_TYPE_##type,   TFP_LABEL_##label,                            \
      #name,  sizeof(#name) - 1, OF_##type(of) },
/* The row of zeros at the end gives a message without fields an array too. */
#define MESSAGE(M, full_name, kind)                                            \
    static const tfp_field_spec fields_of_##M[] = { M##_FIELDS(FIELD, M){      \
        0, TFP_TYPE_BOOL, TFP_LABEL_ONE, "", 0, NULL, NULL } };                \
    const tfp_message tfp_##M = { full_name, TFP_MESSAGE_##kind,               \
                                  fields_of_##M, COUNT(fields_of_##M) - 1 };
TFP_ALL_MESSAGES(MESSAGE)
#undef MESSAGE

#define MESSAGE(M, full_name, kind) &tfp_##M,
const tfp_message *const tfp_all_messages[] = { TFP_ALL_MESSAGES(MESSAGE) };
#undef MESSAGE
const size_t tfp_all_message_count = COUNT(tfp_all_messages);

/* ---- Looking up --------------------------------------------------------- */

const tfp_field_spec *tfp_message_field(const tfp_message *m, uint32_t number)
{
    for (size_t i = 0; i < m->count; i++) {
        if (m->fields[i].number == number)
            return &m->fields[i];
    }
    return NULL;
}

const tfp_field_spec *tfp_message_field_named(const tfp_message *m,
                                              tfp_span name)
{
    for (size_t i = 0; i < m->count; i++) {
        const tfp_field_spec *f = &m->fields[i];
        if (f->name_size == name.size && !memcmp(f->name, name.data, name.size))
            return f;
    }
    return NULL;
}

int tfp_type_wire(tfp_type type)
{
    switch (type) {
    case TFP_TYPE_DOUBLE:
    case TFP_TYPE_FIXED64: return TFP_WIRE_FIXED64;
    case TFP_TYPE_FLOAT:
    case TFP_TYPE_FIXED32: return TFP_WIRE_FIXED32;
    case TFP_TYPE_STRING:
    case TFP_TYPE_BYTES:
    case TFP_TYPE_MESSAGE: return TFP_WIRE_BYTES;
    default: return TFP_WIRE_VARINT;
    }
}

const char *tfp_message_short_name(const tfp_message *m)
{
    const char *dot = strrchr(m->name, '.');
    return dot ? dot + 1 : m->name;
}
