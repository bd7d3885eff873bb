#!/usr/bin/env python3
"""Prints how fast tfprof reads, as ratios measured side by side.

usage: bench/ratios.py [--tfprof FILE] [--nodes N] [--runs R] [--dir DIR]
                       [--descriptors FILE] [--wheel PYTHON] [--check]
                       [--only-views | --only-files | --only-flops |
                        --only-tables]

Makes inputs of N and N/10 nodes with bench/gen_large.py (kept in DIR, about
590 bytes a node) and takes the median of R alternating runs of tfprof and of
the program it is held against. Files are in the page cache, output goes to
/dev/null, but for timelines and pprof files, which are written to DIR. Nothing
is a time in seconds that another machine would not repeat: each line is a
ratio, with the limit that docs/performance.md promises; but for the start of
the program on a small model.

The text row needs protoc and a descriptor set of TensorFlow's messages; with
--descriptors FILE it is read, else made if TensorFlow can be imported, else
the row says that it was not measured. --wheel names a Python that has
TensorFlow, whose own tfprof the views are then held against, at N/10 nodes.
--check exits with 1 when a limit is passed.
"""
import argparse
import gzip
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = ('graph.pb', 'run_meta', 'op_log')
FIXED_MEMORY = 8 << 20  # of the limit on memory, before the nodes


def timed(command):
    """Runs a shell command; its wall time in seconds."""
    start = time.perf_counter()
    subprocess.run(['bash', '-c', command], check=True,
                   stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def side_by_side(runs, ours, theirs):
    """Median times of two commands that take turns."""
    a, b = [], []
    timed(ours), timed(theirs)  # once unmeasured: page cache, CPU clock
    for _ in range(runs):
        a.append(timed(ours))
        b.append(timed(theirs))
    return statistics.median(a), statistics.median(b)


# Between a fork and an exec a child counts as large as its parent, and Linux
# keeps that: who asks has to be small, and this program is not.
ASK_PEAK = """import os, sys
child = os.posix_spawn('/bin/sh', ['sh', '-c', sys.argv[1]], os.environ)
_, status, usage = os.wait4(child, 0)
print(-1 if status else usage.ru_maxrss * 1024)
"""


def peak_memory(command):
    """Peak resident bytes of a command, as wait4 tells."""
    done = subprocess.run(
        [sys.executable, '-S', '-E', '-c', ASK_PEAK,
         'exec %s >/dev/null' % command], check=True, stdout=subprocess.PIPE)
    peak = int(done.stdout)
    if peak < 0:
        sys.exit('failed: ' + command)
    return peak


def inputs(directory, nodes, text=False):
    """The folder with inputs of that many nodes, made if it is not there."""
    folder = os.path.join(directory, str(nodes))
    wanted = FILES + (('graph.pbtxt',) if text else ())
    if not all(os.path.exists(os.path.join(folder, f)) for f in wanted):
        subprocess.run([sys.executable, os.path.join(HERE, 'gen_large.py'),
                        str(nodes), folder] + ([] if text else ['--no-pbtxt']),
                       check=True)
    return folder


def descriptors(path, directory):
    """A FileDescriptorSet with GraphDef, or None."""
    if path:
        return path
    try:
        os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
        from google.protobuf import descriptor_pb2
        from tensorflow.core.framework import graph_pb2
    except ImportError:
        return None
    seen, found = set(), descriptor_pb2.FileDescriptorSet()

    def add(file):
        if file.name in seen:
            return
        seen.add(file.name)
        for needed in file.dependencies:
            add(needed)
        file.CopyToProto(found.file.add())

    add(graph_pb2.DESCRIPTOR)
    path = os.path.join(directory, 'graph.desc')
    with open(path, 'wb') as f:
        f.write(found.SerializeToString())
    return path


VIEWS = ('scope', 'graph', 'op', 'code')


def view_command(tfprof, view, folder, depth):
    """As docs/performance.md says what a view is measured by."""
    names = ('--graph_path', '--run_meta_path', '--op_log_path')
    return ' '.join([tfprof, view] + [
        '%s=%s' % (option, os.path.join(folder, file))
        for option, file in zip(names, FILES)] + [
        '-select micros,bytes -order_by micros -max_depth %d' % depth])


def views(table, tfprof, nodes, folder, runs):
    """Each view, with few rows and with every row."""
    cat = 'cat ' + ' '.join(os.path.join(folder, f) for f in FILES)
    for view in VIEWS:
        command = view_command(tfprof, view, folder, 4)
        ours, theirs = side_by_side(runs, command, cat)
        table.row('%s of %d nodes / cat' % (view, nodes), ours / theirs, 22)
        table.row('%s: peak memory, bytes a node past 8 MB' % view,
                  (peak_memory(command) - FIXED_MEMORY) / nodes, 400)
    for view in VIEWS:
        # Ten levels are every row of the scope view. Of the graph view they
        # are not: its thousands of levels would be gigabytes of indentation.
        ours, theirs = side_by_side(
            runs, view_command(tfprof, view, folder, 10), cat)
        table.row('%s, 10 levels / cat' % view, ours / theirs, 30)
    given = ' '.join(os.path.join(folder, f) for f in FILES)
    ours, theirs = side_by_side(runs, '%s summary %s' % (tfprof, given),
                                '%s scope %s' % (tfprof, given))
    table.row('summary / scope', ours / theirs, 1.8)
    scope = '%s scope %s' % (tfprof, folder)
    diff = '%s diff --base %s %s' % (tfprof, folder, folder)
    ours, theirs = side_by_side(runs, diff, scope)
    table.row('diff of two sides / scope of one', ours / theirs, 2.3)
    table.row('the same, peak memory', peak_memory(diff) / peak_memory(scope),
              2.1)


def packing_time(path, runs):
    """Median time that zlib takes to pack what is in a file, as gzip -1."""
    with gzip.open(path) as f:
        content = f.read()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        packer = zlib.compressobj(1, wbits=31)
        packer.compress(content)
        packer.flush()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def files(table, tfprof, folder, directory, runs):
    """Views written as files, against their rows as text: every row, but
    for the graph view as pprof, of which each has ten levels."""
    kinds = [('timeline', view, 2**31 - 1) for view in VIEWS if view != 'op']
    kinds += [('pprof', view, 10) for view in VIEWS]
    path = os.path.join(directory, 'written')
    for kind, view, depth in kinds:
        text = view_command(tfprof, view, folder, depth) + ' -step 0'
        command = '%s -q -output %s:outfile=%s' % (text, kind, path)
        if kind == 'timeline':
            ours, theirs = side_by_side(runs, command, text)
            table.row('%s as timeline / as text' % view, ours / theirs, 2)
        packed = '%s.gz' % command
        ours, theirs = side_by_side(runs, packed, text)
        table.row('%s as packed %s, less packing / as text' % (view, kind),
                  (ours - packing_time(path + '.gz', runs)) / theirs, 2)
        table.row('%s as %s: peak memory / as text' % (view, kind),
                  peak_memory(command) / peak_memory(text), 1.2)
    for name in (path, path + '.gz'):
        os.unlink(name)


def tables(table, tfprof, folder, directory, runs):
    """Views as Parquet, compared with CSV, and `tfprof aggregate` of 1,000
    steps, compared with `tfprof info`."""
    path = os.path.join(directory, 'written')
    for view in ('scope', 'graph'):
        command = view_command(tfprof, view, folder, 2**31 - 1) + ' -q'
        ours, theirs = side_by_side(
            runs, '%s -output parquet:outfile=%s' % (command, path),
            '%s -format csv -output file:outfile=%s.csv' % (command, path))
        table.row('%s as Parquet / as CSV' % view, ours / theirs, 1.5)
    for name in (path, path + '.csv'):
        os.unlink(name)

    model = inputs(directory, 10000)
    steps = os.path.join(model, 'steps')
    if not os.path.exists(steps):
        subprocess.run([sys.executable, os.path.join(HERE, 'gen_runs.py'),
                        os.path.join(model, 'run_meta'), '1000', steps],
                       check=True)
    once = ' '.join(os.path.join(model, f) for f in ('graph.pb', 'op_log'))
    write = '%s aggregate %s %s/run_meta_%s -q -output parquet:outfile=%s'
    every = write % (tfprof, once, steps, '*', path)
    ours, theirs = side_by_side(
        runs, every, '%s info %s %s/run_meta_*' % (tfprof, once, steps))
    table.row('aggregate of 1,000 steps / info', ours / theirs, 1.3)
    table.row('the same, peak memory / of one step', peak_memory(every)
              / peak_memory(write % (tfprof, once, steps, '0000', path)), 2)
    shutil.rmtree(path)


def sessions(table, tfprof, folder, runs):
    """Loading is done once: what a further view costs at the prompt."""
    more = 4
    for view in VIEWS:
        # The same words, without the view: it is typed.
        words = view_command(tfprof, view, folder, 4).split()
        load, line = words[:1] + words[2:5], [view] + words[5:]
        def lines(count):
            return "yes '%s' | head -n %d | %s" % (
                ' '.join(line), count, ' '.join(load))
        many, one = side_by_side(runs, lines(1 + more), lines(1))
        table.row('%s at the prompt: second / load and first' % view,
                  (many - one) / more / one, 0.35)


def unpack_model(directory, name):
    """A SavedModel of the tests."""
    sys.path.insert(0, os.path.join(HERE, os.pardir, 'tests', 'flops'))
    sys.dont_write_bytecode = True
    import pack
    pack.unpack('models.tar.xz', pathlib.Path(directory))
    return os.path.join(directory, 'models', name)


def flops(table, tfprof, folder, directory, runs):
    """What shapes and float operations cost beside loading."""
    graph = os.path.join(folder, 'graph.pb')
    ours, load = side_by_side(runs, '%s flops %s' % (tfprof, graph),
                              '%s info %s' % (tfprof, graph))
    table.row('flops, with its report / load', ours / load, 2)
    view = '%s scope %s -max_depth 4 -select ' % (tfprof, graph)
    more, less = side_by_side(runs, view + 'float_ops', view + 'params')
    table.row('shapes and float operations / load', (more - less) / load, 0.5)
    model = unpack_model(directory, 'ResNet50')
    ours, start = side_by_side(runs, '%s flops %s --batch 1' % (tfprof, model),
                               '%s --version' % tfprof)
    table.row('flops of ResNet50: ms more than --version',
              (ours - start) * 1000, 50)


def wheel_time(python, folder, view):
    done = subprocess.run(
        [python, os.path.join(HERE, 'wheel.py'), folder, view], check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return float(done.stderr.split()[-1])


def against_wheel(table, tfprof, nodes, folder, python):
    """The wheel takes ten seconds, so three runs in turn have to do."""
    for view in VIEWS:
        command = view_command(tfprof, view, folder, 4)
        ours, theirs = [timed(command)], []
        for _ in range(3):
            theirs.append(wheel_time(python, folder, view))
            ours.append(timed(command))
        table.row('%s of %d nodes: wheel / ours' % (view, nodes),
                  statistics.median(theirs) / statistics.median(ours), 60, True)


class Table:
    """Rows of what, measured, limit."""

    def __init__(self):
        self.passed = True
        print('%-44s %10s %10s' % ('', 'measured', 'limit'))

    def row(self, what, value, limit, at_least=False):
        good = value >= limit if at_least else value <= limit
        self.passed &= good
        print('%-44s %10.2f %10s%s' % (
            what, value, ('>= ' if at_least else '<= ') + '%g' % limit,
            '' if good else '   MISSED'), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--tfprof', default='build/release/tfprof')
    parser.add_argument('--nodes', type=int, default=1000000)
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--dir', default='build/bench')
    parser.add_argument('--descriptors')
    parser.add_argument('--wheel', metavar='PYTHON')
    parser.add_argument('--only-views', action='store_true')
    parser.add_argument('--only-files', action='store_true')
    parser.add_argument('--only-flops', action='store_true')
    parser.add_argument('--only-tables', action='store_true')
    parser.add_argument('--check', action='store_true')
    args = parser.parse_args()
    tfprof = os.path.abspath(args.tfprof)
    directory = os.path.abspath(args.dir)
    os.makedirs(directory, exist_ok=True)

    large = inputs(directory, args.nodes)
    table = Table()

    if not (args.only_files or args.only_flops or args.only_views):
        tables(table, tfprof, large, directory, args.runs)
    if args.only_tables:
        return 0 if table.passed or not args.check else 1
    small = inputs(directory, args.nodes // 10, text=True)
    if not args.only_files:
        flops(table, tfprof, large, directory, args.runs)
    if args.only_flops:
        return 0 if table.passed or not args.check else 1
    if not args.only_files:
        views(table, tfprof, args.nodes, large, args.runs)
        sessions(table, tfprof, large, args.runs)
    files(table, tfprof, large, directory, args.runs)
    if args.only_files:
        return 0 if table.passed or not args.check else 1
    if args.wheel:
        against_wheel(table, tfprof, args.nodes // 10, small, args.wheel)
    if args.only_views:
        return 0 if table.passed or not args.check else 1

    def paths(folder, form='%s'):
        return ' '.join(form % os.path.join(folder, f) for f in FILES)

    info = '%s info %s' % (tfprof, paths(large))
    ours, cat = side_by_side(args.runs, info, 'cat ' + paths(large))
    table.row('info of %d nodes / cat' % args.nodes, ours / cat, 18)

    tenth, _ = side_by_side(args.runs, '%s info %s' % (tfprof, paths(small)),
                            'true')
    table.row('time a node / at a tenth of the nodes',
              ours / args.nodes / (tenth / (args.nodes // 10)), 1.5)

    memory = peak_memory(info)
    table.row('peak memory, bytes a node past 8 MB',
              (memory - FIXED_MEMORY) / args.nodes, 400)

    ours, pipe = side_by_side(
        args.runs, '%s info %s' % (tfprof, paths(large, '<(cat %s)')),
        'cat %s | cat > /dev/null' % paths(large))
    table.row('info from pipes / cat | cat', ours / pipe, 7)

    found = descriptors(args.descriptors, directory)
    if not found or not shutil.which('protoc'):
        print('text: not measured, no %s' % (
            'protoc' if found else 'descriptors of TensorFlow'))
    else:
        text = os.path.join(small, 'graph.pbtxt')
        ours, protoc = side_by_side(
            args.runs, '%s info %s' % (tfprof, text),
            'protoc --descriptor_set_in=%s --encode=tensorflow.GraphDef < %s'
            % (found, text))
        table.row('text: protoc --encode / info', protoc / ours, 8, True)
        print('text: %.0f MB/s' % (os.path.getsize(text) / 1e6 / ours))
    return 0 if table.passed or not args.check else 1


if __name__ == '__main__':
    sys.exit(main())
