"""The runtime below the light messages: bytes, laziness, depth."""

import copy
import gc
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import tfprof
from tfprof import _wire
from tfprof._protos import (
    AdviceProto,
    CodeDef,
    GraphNodeProto,
    MultiGraphNodeProto,
    OpLogEntry,
    OpLogProto,
    TensorShapeProto,
    TFProfTensorProto,
)

DEEP = 100_000


# ---- Bytes that are not a message -------------------------------------------

@pytest.mark.parametrize("data, offset, what", [
    (b"\x10", 1, "truncated"),                      # a tag without a value
    (b"\x10\xff", 1, "truncated"),                  # a varint without an end
    (b"\x10" + b"\xff" * 10 + b"\x01", 1, "more than 10 bytes"),
    (b"\x80", 0, "truncated"),                      # a tag without an end
    (b"\x00\x00", 0, "bad field tag"),              # field 0
    (b"\x80\x80\x80\x80\x10\x00", 0, "bad field tag"),  # beyond 32 bits
    (b"\x80\x80\x80\x80\x80\x01\x00", 0, "more than 5 bytes"),
    (b"\x0a\x05abc", 1, "field of 5 bytes is truncated"),
    (b"\x0a\xff\xff\xff\xff\x0f", 1, "truncated"),
    (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1, "more than 5"),
    (b"\x0a\x02a\xff", 3, "not UTF-8"),
    (b"\x52\x01\xc3", 2, "not UTF-8"),              # in a repeated string
    (b"\x0e", 0, "wire type 6"),
    (b"\x0f", 0, "wire type 7"),
    (b"\xf9\x07abc", 0, "truncated"),               # eight bytes, three there
    (b"\xfd\x07abc", 0, "truncated"),               # four bytes, three there
    (b"\xfb\x07", 0, "group is truncated"),
    (b"\xfb\x07\xf4\x07", 2, "group ends without a start"),
    (b"\xfc\x07", 0, "group ends without a start"),
    (b"\x82\x01\x01\x08", 4, "truncated"),          # in an entry of a map
])
def test_damage_is_told_with_its_offset(data: bytes, offset: int,
                                        what: str) -> None:
    for cut in (data, memoryview(data), bytearray(data)):
        with pytest.raises(tfprof.CorruptInput, match=what) as raised:
            GraphNodeProto.FromString(cut)
        assert raised.value.offset == offset


def test_damage_inside_is_told_when_it_is_reached_from_the_first_byte() -> None:
    data = b"\x0a\x01n" + b"\x62\x03" + b"\x0a\x05a"
    node = GraphNodeProto.FromString(data)
    assert node.name == "n"
    assert node.SerializeToString() == data
    for use in (lambda: node.children[0].name, lambda: str(node),
                lambda: node == GraphNodeProto.FromString(data + b"\x10\x00"),
                node.children[0].ListFields):
        with pytest.raises(tfprof.CorruptInput) as raised:
            use()
        assert raised.value.offset == 6


def test_damage_leaves_a_message_as_it_was() -> None:
    node = GraphNodeProto(name="kept", devices=["a"])
    for read in (node.ParseFromString, node.MergeFromString):
        with pytest.raises(tfprof.CorruptInput):
            read(b"\x52\x01b\x0a\x05a")
        assert node == GraphNodeProto(name="kept", devices=["a"])


def test_what_is_not_bytes_is_a_type_error() -> None:
    for wrong in ("text", 1, None, [1]):
        with pytest.raises(TypeError):
            GraphNodeProto.FromString(wrong)


def test_every_cut_of_a_message_is_read_or_refused() -> None:
    node = GraphNodeProto(name="n", exec_micros=-1, devices=["a", "b"],
                          shapes=[TensorShapeProto(dim=[{"size": 3}])],
                          tensor_value={"value_double": [1.5]})
    node.input_shapes[2].unknown_rank = True
    whole = node.SerializeToString()
    for cut in range(len(whole)):
        try:
            str(GraphNodeProto.FromString(whole[:cut]))
        except tfprof.CorruptInput as error:
            assert error.offset is not None
            assert 0 <= error.offset <= cut


# ---- What is read -----------------------------------------------------------

def test_packed_and_unpacked_numbers_are_the_same() -> None:
    packed = TFProfTensorProto.FromString(b"\x1a\x03\x01\x02\x03")
    single = TFProfTensorProto.FromString(b"\x18\x01\x18\x02\x18\x03")
    assert list(packed.value_int64) == [1, 2, 3]
    assert packed == single
    with pytest.raises(tfprof.CorruptInput):
        TFProfTensorProto.FromString(b"\x1a\x01\xff")
    with pytest.raises(tfprof.CorruptInput):
        TFProfTensorProto.FromString(b"\x12\x07" + b"\0" * 7)


def test_a_field_of_another_wire_type_is_one_nobody_knows() -> None:
    node = GraphNodeProto.FromString(b"\x08\x05\x10\x07")  # name as a number
    assert node.name == ""
    assert node.exec_micros == 7
    node.run_count = 1
    assert node.SerializeToString() == b"\x10\x07\xa8\x01\x01\x08\x05"


def test_unknown_fields_are_kept_and_compared() -> None:
    unknown = b"\xf8\x07\x05" + b"\xfb\x07\x08\x01\xfc\x07"
    node = GraphNodeProto.FromString(b"\x0a\x01a" + unknown)
    node.name = "b"
    assert node.SerializeToString() == b"\x0a\x01b" + unknown
    assert node != GraphNodeProto(name="b")
    assert node == GraphNodeProto.FromString(unknown + b"\x0a\x01b")
    node.MergeFromString(b"\xf8\x07\x06")
    assert node.SerializeToString() == b"\x0a\x01b" + unknown + b"\xf8\x07\x06"


def test_of_duplicates_the_last_counts_and_messages_are_merged() -> None:
    node = GraphNodeProto.FromString(
        b"\x0a\x01a\x0a\x01b" b"\x7a\x02\x08\x01" b"\x7a\x03\x1a\x01\x09")
    assert node.name == "b"
    assert node.tensor_value == TFProfTensorProto(dtype=1, value_int64=[9])
    entry = b"\x12\x04\x08\x05\x12\x00"
    log = OpLogProto.FromString(entry + b"\x12\x05\x08\x05\x12\x01z")
    assert dict(log.id_to_string) == {5: "z"}


def test_numbers_are_cut_to_their_width_as_protobuf_does() -> None:
    trace = CodeDef.Trace.FromString(
        b"\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"  # lineno -1
        b"\x28\xff\xff\xff\xff\x1f")  # beyond 32 bits
    assert (trace.lineno, trace.func_start_line) == (-1, -1)


# ---- Laziness ---------------------------------------------------------------

def test_bytes_of_an_untouched_message_come_back_as_they_are() -> None:
    odd = b"\x10\x80\x00" + b"\x62\x00" + b"\x0a\x01a"  # long form, no order
    node = GraphNodeProto.FromString(odd)
    assert node.SerializeToString() == odd
    assert node.children[0].name == ""
    assert node.SerializeToString() == odd


def test_a_change_deep_inside_is_written() -> None:
    top = MultiGraphNodeProto.FromString(MultiGraphNodeProto(
        name="a", children=[{"children": [{"name": "c"}]}]
    ).SerializeToString())
    top.children[0].children[0].graph_nodes.add(name="g")
    again = MultiGraphNodeProto.FromString(top.SerializeToString())
    assert again.children[0].children[0].graph_nodes[0].name == "g"
    assert again == top


def test_a_message_that_moved_within_its_own_bytes_is_written() -> None:
    node = GraphNodeProto.FromString(GraphNodeProto(
        children=[{"name": "a"}, {"name": "b"}]).SerializeToString())
    node.children[0].CopyFrom(node.children[1])
    again = GraphNodeProto.FromString(node.SerializeToString())
    assert [child.name for child in again.children] == ["b", "b"]


def test_asking_for_a_message_does_not_make_one() -> None:
    entry = OpLogEntry()
    assert entry.code_def.traces == []
    assert not entry.HasField("code_def")
    assert entry.SerializeToString() == b""
    entry.code_def.traces.add()
    assert entry.HasField("code_def")
    del entry.code_def.traces[:]
    assert entry.SerializeToString() == b"\x22\x00"
    entry.ClearField("code_def")
    assert entry == OpLogEntry()
    entry.code_def.SetInParent()
    assert entry.HasField("code_def")


def test_a_change_to_a_message_that_was_not_there_is_written() -> None:
    read = OpLogEntry.FromString(b"\x0a\x01a")
    assert not read.HasField("code_def")
    read.code_def.traces.add(lineno=3)
    assert OpLogEntry.FromString(
        read.SerializeToString()).code_def.traces[0].lineno == 3


def test_a_container_of_an_empty_message_sees_what_is_merged() -> None:
    log = OpLogProto()
    entries = log.log_entries
    log.MergeFromString(b"\x0a\x00")
    assert len(entries) == 1
    entries.add(name="x")
    assert len(log.log_entries) == 2


# ---- Lists and maps ---------------------------------------------------------

def test_lists_of_messages_keep_copies() -> None:
    node: Any = GraphNodeProto()
    child = GraphNodeProto(name="a")
    node.children.append(child)
    child.name = "b"
    node.children.extend([child, child])
    node.children.insert(0, child)
    assert [one.name for one in node.children] == ["b", "a", "b", "b"]
    del node.children[1:3]
    assert node.children.pop().name == "b"
    assert node.children == [GraphNodeProto(name="b")]
    assert node.children[-1:] == [GraphNodeProto(name="b")]
    node.children.add(name="a")
    node.children.sort(key=lambda one: one.name)
    assert [one.name for one in node.children] == ["a", "b"]
    node.children.extend(node.children)
    assert len(node.children) == 4
    with pytest.raises(TypeError, match="assignment"):
        node.children[0] = child
    with pytest.raises(TypeError):
        node.children.append(MultiGraphNodeProto())


def test_lists_check_what_they_are_given() -> None:
    tensor: Any = TFProfTensorProto(value_int64=range(4))
    tensor.value_int64[1:3] = [7]
    tensor.value_int64.remove(7)
    assert tensor.value_int64 == [0, 3]
    for wrong, error in (("1", TypeError), (1.0, TypeError), (True, TypeError),
                         (1 << 63, ValueError)):
        with pytest.raises(error):
            tensor.value_int64.append(wrong)
        with pytest.raises(error):
            tensor.value_int64[0] = wrong
    assert tensor.value_int64 == [0, 3]


def test_every_change_of_a_list_or_map_is_written() -> None:
    tensor: Any = TFProfTensorProto(value_int64=[3, 1, 2])
    numbers = tensor.value_int64
    for change, expected in (
            (numbers.sort, [1, 2, 3]), (numbers.reverse, [3, 2, 1]),
            (numbers.pop, [3, 2]), (lambda: numbers.remove(3), [2]),
            (lambda: numbers.__iadd__([5]), [2, 5]),
            (lambda: numbers.insert(0, 9), [9, 2, 5]),
            (lambda: numbers.__delitem__(0), [2, 5]), (numbers.clear, [])):
        read = TFProfTensorProto.FromString(tensor.SerializeToString())
        assert read == tensor
        change()
        assert numbers == expected
        assert read != tensor
        assert list(TFProfTensorProto.FromString(
            tensor.SerializeToString()).value_int64) == expected
    with pytest.raises(TypeError):
        numbers *= 2
    log: Any = OpLogProto.FromString(OpLogProto(
        id_to_string={1: "a", 2: "b"}).SerializeToString())
    texts = log.id_to_string
    texts.popitem()
    texts |= {3: "c"}
    assert OpLogProto.FromString(log.SerializeToString()) == OpLogProto(
        id_to_string={1: "a", 3: "c"})
    with pytest.raises(TypeError):
        texts |= {4: 4}


def test_maps_of_messages_make_what_is_looked_up() -> None:
    advice: Any = AdviceProto()
    assert "a" not in advice.checkers
    assert advice.checkers.get("a") is None
    advice.checkers["a"].reports.append("r")
    assert list(advice.checkers) == ["a"]
    with pytest.raises(ValueError, match="assigned"):
        advice.checkers["b"] = AdviceProto.Checker()
    read = AdviceProto.FromString(advice.SerializeToString())
    read.checkers["a"].reports[0] = "s"
    assert AdviceProto.FromString(
        read.SerializeToString()).checkers["a"].reports == ["s"]
    del read.checkers["a"]
    assert read == AdviceProto()
    read.checkers.MergeFrom(advice.checkers)
    assert read == advice
    with pytest.raises(TypeError):
        advice.checkers[1]


def test_maps_of_strings_behave_like_dicts() -> None:
    log: Any = OpLogProto(id_to_string={1: "a"})
    log.id_to_string.update({2: "b"})
    assert log.id_to_string == {1: "a", 2: "b"}
    assert log.id_to_string.pop(1) == "a"
    assert log.id_to_string.pop(9, None) is None
    assert log.id_to_string.setdefault(3, "c") == "c"
    with pytest.raises(TypeError):
        log.id_to_string[4] = 4
    log.id_to_string.clear()
    assert log == OpLogProto()


def test_a_message_merged_with_itself_stays_as_it_is() -> None:
    node = GraphNodeProto(name="a", devices=["d"])
    node.MergeFrom(node)
    node.CopyFrom(node)
    assert node == GraphNodeProto(name="a", devices=["d"])
    others: list[Any] = [MultiGraphNodeProto(), None, {}]
    for other in others:
        for merge in (node.MergeFrom, node.CopyFrom):
            with pytest.raises(TypeError, match="same class"):
                merge(other)


def test_threads_may_read_the_same_message() -> None:
    top = GraphNodeProto.FromString(GraphNodeProto(children=[
        {"name": str(at), "float_ops": at} for at in range(2000)
    ]).SerializeToString())
    with ThreadPoolExecutor(8) as pool:
        sums = list(pool.map(
            lambda _: sum(child.float_ops for child in top.children),
            range(16)))
    assert set(sums) == {sum(range(2000))}


def test_misspelt_names_are_errors() -> None:
    node: Any = GraphNodeProto()
    with pytest.raises(AttributeError):
        node.childern = 1
    for wrong in (lambda: GraphNodeProto(childern=[]),
                  lambda: node.HasField("childern"),
                  lambda: node.ClearField("childern"),
                  lambda: node.WhichOneof("childern")):
        with pytest.raises(ValueError, match='no "childern" field'):
            wrong()
    with pytest.raises(AttributeError, match="not allowed"):
        node.children = []
    with pytest.raises(AttributeError, match="not allowed"):
        node.tensor_value = TFProfTensorProto()
    with pytest.raises(TypeError):
        hash(node)


def test_messages_are_copied_and_pickled() -> None:
    node = GraphNodeProto(name="a", children=[{"name": "b"}])
    for made in (copy.copy(node), copy.deepcopy(node),
                 pickle.loads(pickle.dumps(node))):
        assert made == node
        made.children[0].name = "c"
        assert node.children[0].name == "b"


# ---- Depth ------------------------------------------------------------------

def _chain(depth: int) -> bytes:
    """As the op view writes it: each row holds the next."""
    parts, size = [], 0
    for at in range(depth):
        name = MultiGraphNodeProto(name=f"op{depth - at}", exec_micros=at)
        own = name.SerializeToString()
        if size:
            parts.append(b"\x5a" + _wire.number(size))
            size += len(parts[-1])
        parts.append(own)
        size += len(own)
    return b"".join(reversed(parts))


def test_a_message_that_nests_100000_times_is_read_and_written() -> None:
    data = _chain(DEEP)
    start = time.perf_counter()
    top = MultiGraphNodeProto.FromString(data)
    node, count = top, 1
    while node.children:
        node = node.children[0]
        count += 1
    assert count == DEEP
    assert top.SerializeToString() == data
    node.name = "last"
    written = top.SerializeToString()
    assert len(written) == len(data) + len("last") - len(f"op{DEEP}")
    other = MultiGraphNodeProto.FromString(written)
    assert other == top
    assert other != MultiGraphNodeProto.FromString(data)
    merged = MultiGraphNodeProto(name="merged")
    merged.MergeFrom(top)
    assert len(merged.children) == 1
    assert copy.deepcopy(top) == top
    assert pickle.loads(pickle.dumps(top)) == top
    text = str(top)
    assert text.count("children {") == DEEP - 1
    assert text.count('name: "last"') == 1
    del node, top, other, merged
    gc.collect()
    # A quadratic step would take hours; the bound only has to tell that.
    assert time.perf_counter() - start < 120


def test_a_message_built_100000_deep_is_written_and_freed() -> None:
    top = node = MultiGraphNodeProto(name="0")
    for _ in range(DEEP):
        node = node.children.add(name="n")
    assert MultiGraphNodeProto.FromString(top.SerializeToString()) == top
    del node, top
    gc.collect()


def test_groups_that_nest_100000_times_are_passed_over() -> None:
    unknown = b"\xfb\x07" * DEEP + b"\xfc\x07" * DEEP
    node = GraphNodeProto.FromString(unknown + b"\x0a\x01a")
    assert node.name == "a"
    with pytest.raises(tfprof.CorruptInput, match="truncated"):
        GraphNodeProto.FromString(unknown[:-2])
