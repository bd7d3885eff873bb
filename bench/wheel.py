#!/usr/bin/env python3
"""How long TensorFlow's own tfprof takes for a view of files made by
gen_large.py, in seconds, without the import of TensorFlow. The answer goes to
stdout, the time to stderr.

usage: bench/wheel.py DIR VIEW
"""
import os
import sys
import time

os.environ.setdefault('TF_CPP_MIN_LOG_LEVEL', '3')
from tensorflow.core.profiler import tfprof_options_pb2
from tensorflow.python.util import _pywrap_tfprof


def options():
    """-select micros,bytes -order_by micros -max_depth 4"""
    chosen = tfprof_options_pb2.OptionsProto(
        max_depth=4, step=-1, order_by='micros', output='stdout')
    chosen.account_type_regexes.append('.*')
    chosen.start_name_regexes.append('.*')
    chosen.show_name_regexes.append('.*')
    chosen.select.extend(['micros', 'bytes'])
    return chosen.SerializeToString()


def main():
    folder, view = sys.argv[1:]
    start = time.perf_counter()
    files = []
    for name in ('graph.pb', 'run_meta', 'op_log'):
        with open(os.path.join(folder, name), 'rb') as f:
            files.append(f.read())
    _pywrap_tfprof.PrintModelAnalysis(*files, view.encode(), options())
    print(time.perf_counter() - start, file=sys.stderr)


if __name__ == '__main__':
    main()
