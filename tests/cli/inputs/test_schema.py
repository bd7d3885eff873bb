"""The field tables of src/proto against the descriptors of the wheel."""

# labels: tf

import pytest

import schema
import tf_messages
from lacking import needs

pytestmark = needs(tf_messages.HAVE, tf_messages.NEEDED)

# Where the descriptors of messages in the tables are, besides the kinds' own.
MODULES = (
    "core.framework.variable",
    "core.profiler.profile",
    "core.profiler.tfprof_log",
    "core.profiler.tfprof_options",
    "core.profiler.tfprof_output",
    "core.protobuf.config",
    "core.protobuf.saved_model",
    "core.protobuf.tensor_bundle",
    "core.util.saved_tensor_slice",
    "compiler.xla.service.hlo",
    "compiler.xla.xla_data",
    "python.keras.protobuf.saved_metadata",
    "python.training.checkpoint_state",
    "tsl.profiler.protobuf.xplane",
)


@pytest.fixture(scope="module")
def pool():
    for name in MODULES:
        tf_messages.module(name)
    for kind in tf_messages.KINDS:
        tf_messages.message_class(kind)
    from google.protobuf import descriptor_pool

    return descriptor_pool.Default()


def messages(*tables):
    return [m for m in schema.tables().messages.values() if m.table in tables]


# Tables that have all of their messages: those that are read, and answers.
WHOLE = ("graph", "run", "saved", "tfprof", "checkpoint", "output",
         "options", "xspace")


# Tables whose chain of messages ends early: what nobody reads is bytes there,
# and an enum that nobody prints a number.
ENDING = ("hlo", "known")
ENDS = {"MESSAGE": "BYTES", "ENUM": "INT32"}


def is_in_wheel(message):
    return not message.name.startswith("onnx.")


def rows_of(descriptor):
    """The fields of a descriptor by number, as the tables would have them."""
    from google.protobuf import descriptor_pb2

    proto = descriptor_pb2.DescriptorProto()
    descriptor.CopyToProto(proto)
    rows = {}
    for f in proto.field:
        if f.label == f.LABEL_REPEATED:
            label = "MANY"
        elif f.HasField("oneof_index") and not f.proto3_optional:
            label = "ONEOF"
        else:
            label = "ONE"
        rows[f.number] = schema.Field(
            f.number, f.name, f.Type.Name(f.type).removeprefix("TYPE_"), label,
            f.type_name.removeprefix(".") or "-")
    return rows


def test_each_field_is_that_of_the_descriptor(pool, say):
    wrong, compared, retired = [], 0, 0
    for message in filter(is_in_wheel, messages(*WHOLE, *ENDING)):
        rows = rows_of(pool.FindMessageTypeByName(message.name))
        for row in message.fields:
            if row.label == "RETIRED":
                retired += 1
                if row.name in {theirs.name for theirs in rows.values()}:
                    wrong.append((message.name, row, "is not retired"))
                continue
            compared += 1
            theirs = rows.get(row.number)
            ends_chain = (message.table in ENDING and theirs and
                          ENDS.get(theirs.type) == row.type)
            if ends_chain:
                theirs = theirs._replace(type=row.type, of="-")
            if row != theirs:
                wrong.append((message.name, row, theirs))
    assert not wrong
    skipped = [m for m in messages("known") if not is_in_wheel(m)]
    say(f"{compared} fields of {len(schema.tables().messages) - len(skipped)} "
        f"messages are the same, {retired} are retired; not compared, since "
        f"the wheel has none of it: {len(skipped)} messages of ONNX")
    assert compared > 500


def test_no_field_of_a_whole_message_is_missing(pool):
    missing = [
        f"{message.name}.{field.name} = {field.number}"
        for message in messages(*WHOLE, "hlo")
        for field in pool.FindMessageTypeByName(message.name).fields
        if field.number not in {row.number for row in message.fields
                                if row.label != "RETIRED"}
    ]
    assert not missing, "a newer TensorFlow?"


def test_map_entries_are_map_entries(pool, say):
    count = 0
    for message in messages(*WHOLE):
        descriptor = pool.FindMessageTypeByName(message.name)
        is_entry = descriptor.GetOptions().map_entry
        assert is_entry == (message.kind == "MAP_ENTRY"), message.name
        count += is_entry
    say(f"{count} map entries")


def test_each_whole_message_has_tables_down_to_its_numbers(pool):
    """A descriptor reached from a table has one itself, so that damage is
    found and text is read at any depth."""
    known = schema.tables().messages
    for message in messages(*WHOLE):
        for field in pool.FindMessageTypeByName(message.name).fields:
            if field.message_type:
                assert field.message_type.full_name in known


def test_enums_have_the_same_names_and_numbers(pool, say):
    values = 0
    for name, ours in schema.tables().enums.items():
        theirs = {value.name: value.number
                  for value in pool.FindEnumTypeByName(name).values}
        assert ours == theirs, name
        values += len(ours)
    say(f"{values} values of {len(schema.tables().enums)} enums are the same")
    assert values > 100


def test_rows_stand_by_number():
    for message in schema.tables().messages.values():
        numbers = [row.number for row in message.fields]
        assert numbers == sorted(numbers), message.name
