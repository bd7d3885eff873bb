"""`tfprof info` counts what TensorFlow's own classes count, in real files."""

# labels: tf

import collections

import program
import tf_messages
from files import needs_shared, needs_tensorflow, readable

pytestmark = [needs_shared, needs_tensorflow]


def test_each_readable_file_has_the_counts_of_the_wheel(say):
    wrong, compared = {}, collections.Counter()
    for file in readable():
        info = program.Info(file.path)
        form = "text" if file.is_text else "binary"
        message = tf_messages.parse(file.kind, file.read(), file.is_text)
        found = tf_messages.differences(
            tf_messages.Facts(file.kind, message), info.file)
        expected = (0, file.kind, form, file.is_gzip)
        answered = (info.exit, *(info.file[key] for key in
                                 ("kind", "encoding", "gzip")))
        if expected != answered:
            found["file"] = expected, answered, info.stderr
        if found:
            wrong[file.name] = found
        compared[f"{file.kind} {form}{' gzip' * file.is_gzip}"] += 1
    say(f"{compared.total()} files compared: " + ", ".join(
        f"{count} {what}" for what, count in sorted(compared.items())))
    assert not wrong
    assert compared.total() > 200
    kinds = {what.split()[0] for what in compared}
    assert kinds <= set(tf_messages.KINDS)
    assert len(kinds) >= 7
