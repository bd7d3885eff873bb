"""A file cut short: where the damage is said to be, and what is salvaged."""

# labels: tf, long

import collections

import program
import records
import tf_messages
from faults import SLOW
from files import needs_shared, needs_tensorflow, readable, samples

pytestmark = needs_tensorflow

CUTS = 10 if SLOW else 3
MOST_TEXT = 20 << 20  # the larger ones would take minutes in Python
# Python is slow with text: not each byte of a sample.
SAMPLE_TEXT_STEP = 3 if SLOW else 11


# ---- Where to cut ----------------------------------------------------------

def leaves_of(file, data):
    """The leaf records in which any cut is damage. Right in the outermost
    message of a text, what is left of a number is a number too."""
    descriptor = tf_messages.message_class(file.kind).DESCRIPTOR
    if not file.is_text:
        leaves = records.spans(data, descriptor)[1]
    else:
        leaves = [leaf for leaf in records.text_leaves(data, descriptor)
                  if leaf.parents or not leaf.is_open]
    return [leaf for leaf in leaves if leaf.end - leaf.start >= 2]


def places(file, data, leaf):
    """The lengths to cut the file to, so that its end is inside the leaf. Of
    a text more than its first word must be left, or it is none."""
    first = records.token(data, 0).end() if file.is_text else 0
    return range(max(leaf.start, first) + 1, leaf.end)


def some_cuts(file, data):
    """(leaf, length of what is left)"""
    choose = program.chooser(file.name)
    leaves = leaves_of(file, data)
    leaves = [choose.choice(leaves) for _ in range(CUTS if leaves else 0)]
    return [(leaf, choose.choice(places(file, data, leaf))) for leaf in leaves]


def all_cuts(file, data):
    step = SAMPLE_TEXT_STEP if file.is_text else 1
    return [(leaf, size) for leaf in leaves_of(file, data)
            for size in places(file, data, leaf)[::step]]


# ---- What must come of it --------------------------------------------------

def misplaced(file, data, leaf, error):
    """What is wrong with an error that should lie in this leaf."""
    if error is None or error["code"] != "malformed":
        return "not found damaged"
    if error["offset"] is None or not (leaf.start <= error["offset"]
                                       < leaf.end):
        return f"offset {error['offset']} not in [{leaf.start}, {leaf.end})"
    place = error["line"], error["column"]
    if file.is_text:
        expected = records.line_and_column(data, error["offset"])
    else:
        expected = None, None
    return place != expected and f"line, column {place}, not {expected}"


def facts_before(file, data, leaf):
    """The counts of all whole leaf records before this one."""
    before = records.text_before if file.is_text else records.before
    message = tf_messages.parse(file.kind, before(data, leaf), file.is_text)
    return tf_messages.Facts(file.kind, message)


def check_plain(file, data, cuts, info):
    wrong = []
    for (leaf, size), entry in zip(cuts, info.files, strict=True):
        fault = misplaced(file, data, leaf, entry["error"])
        if fault or entry["error"]["partial"]:
            wrong.append((file.name, f"cut to {size}", fault, entry["error"]))
    return wrong


def check_salvage(file, data, cuts, info):
    wrong = []
    steps = 0
    known = {}
    for (leaf, size), entry in zip(cuts, info.files, strict=True):
        if leaf.start not in known:
            known[leaf.start] = facts_before(file, data, leaf)
        expected = known[leaf.start]
        if expected.steps and file.option == "run_meta_path":
            expected.steps = [steps]  # steps are numbered as files come
            steps += 1
        found = tf_messages.differences(expected, entry)
        error = entry["error"]
        if found or not (error and error["partial"]):
            wrong.append((file.name, f"cut to {size}, salvage", found, error))
    return wrong


def check(file, data, cuts, folder):
    """What went wrong with these cuts of a file."""
    wrong = []
    for part in program.batches(cuts):
        paths = [folder / f"{i}.cut" for i in range(len(part))]
        for path, (_, size) in zip(paths, part):
            path.write_bytes(data[:size])
        plain = program.info_as(file.option, paths)
        salvage = program.info_as(file.option, paths, "--salvage")
        wrong += check_plain(file, data, part, plain)
        wrong += check_salvage(file, data, part, salvage)
        partial = [info.stderr.count("partial: ") for info in (plain, salvage)]
        if (plain.exit, salvage.exit, partial) != (1, 1, [0, len(part)]):
            wrong.append((file.name, plain.exit, salvage.exit, partial))
    return wrong


def test_each_cut_of_a_sample_is_found_and_the_rest_salvaged(tmp_path, say):
    wrong, count = [], 0
    for file in samples():
        data = file.read()
        cuts = all_cuts(file, data)
        wrong += check(file, data, cuts, tmp_path)
        count += len(cuts)
    say(f"{count} cuts of {len(samples())} files")
    assert not wrong, "\n".join(map(str, wrong[:40]))
    assert count > 3000


@needs_shared
def test_cuts_of_real_files_are_found_and_the_rest_salvaged(tmp_path, say):
    wrong, passed_over = [], []
    seen = collections.Counter()
    for file in readable():
        data = file.read()
        too_long = file.is_text and len(data) > MOST_TEXT
        cuts = [] if too_long else some_cuts(file, data)
        if not cuts:
            passed_over.append(file.name)
            continue
        wrong += check(file, data, cuts, tmp_path)
        seen["text" if file.is_text else "binary"] += 1
        seen["cuts"] += len(cuts)
    say(f"{seen['cuts']} cuts of {seen['binary']} binary and {seen['text']} "
        f"text files; without a record to cut, or text of more than "
        f"{MOST_TEXT >> 20} MiB: {', '.join(passed_over)}")
    assert not wrong, "\n".join(map(str, wrong[:40]))
    assert seen["cuts"] > 200 * CUTS
