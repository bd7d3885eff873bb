#!/usr/bin/env python3
"""Writes RunMetadata files of many steps of one model, whose times vary.

usage: gen_runs.py RUN_META COUNT OUTDIR [--noise PERCENT] [--seed N]
                   [--scale FACTOR]

Reads the RunMetadata of one step, as gen_large.py writes it, and writes
OUTDIR/run_meta_0000 and so on. The time of each run record is that in RUN_META,
times FACTOR, times a random number around 1. The same arguments always give the
same files.
"""
import argparse
import os
import random

WIDTH = 4  # bytes of a time: a varint, padded


def varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def put_varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def wide(value):
    """A varint, padded to WIDTH bytes."""
    value = min(value, (1 << 7 * WIDTH) - 1)
    return bytes((value >> 7 * i & 127) | (128 if i < WIDTH - 1 else 0)
                 for i in range(WIDTH))


def fields(data):
    """Yields (tag, offset of the tag, offset of the body, end) for each
    field."""
    at = 0
    while at < len(data):
        begin = at
        tag, at = varint(data, at)
        body = at
        if tag & 7 == 0:
            _, at = varint(data, at)
        else:
            size, body = varint(data, at)
            at = body + size
        yield tag, begin, body, at


def field(tag, body):
    return put_varint(tag) + put_varint(len(body)) + body


def template(data):
    """Returns the file with times of WIDTH bytes, the offsets of these times,
    and their values."""
    times = []

    def record(body):
        out, place = bytearray(), None
        for tag, begin, at, end in fields(body):
            if tag == 4 << 3:
                out += put_varint(tag)
                place = len(out)
                times.append(varint(body, at)[0])
                out += wide(0)
            else:
                out += body[begin:end]
        return bytes(out), place

    devices = []
    for tag, _, at, end in fields(data):
        assert tag == 1 << 3 | 2, 'expected a RunMetadata with only step_stats'
        for device_tag, _, device_at, device_end in fields(data[at:end]):
            device = data[at:end][device_at:device_end]
            parts, places, used = [], [], 0
            for part_tag, begin, part_at, part_end in fields(device):
                if part_tag == 2 << 3 | 2:
                    body, place = record(device[part_at:part_end])
                    part = field(part_tag, body)
                    if place is not None:
                        places.append(used + len(part) - len(body) + place)
                else:
                    part = device[begin:part_end]
                parts.append(part)
                used += len(part)
            devices.append((device_tag, b''.join(parts), places))
    out, found = bytearray(), []
    for tag, body, places in devices:
        whole = field(tag, body)
        start = len(out) + len(whole) - len(body)
        found += [start + place for place in places]
        out += whole
    head = put_varint(1 << 3 | 2) + put_varint(len(out))
    return bytearray(head + out), [len(head) + p for p in found], times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('run_meta')
    parser.add_argument('count', type=int)
    parser.add_argument('outdir')
    parser.add_argument('--noise', type=float, default=8)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--scale', type=float, default=1)
    options = parser.parse_args()
    with open(options.run_meta, 'rb') as f:
        data, places, times = template(f.read())
    os.makedirs(options.outdir, exist_ok=True)
    # All files use the same random factors, from a different start.
    source = random.Random(options.seed)
    factors = [options.scale * max(0.1, source.gauss(1, options.noise / 100))
               for _ in range(65521)]
    for number in range(options.count):
        at = source.randrange(len(factors))
        for place, time in zip(places, times):
            data[place:place + WIDTH] = wide(round(time * factors[at]))
            at = (at + 1) % len(factors)
        name = os.path.join(options.outdir, 'run_meta_%04d' % number)
        with open(name, 'wb') as f:
            f.write(data)


if __name__ == '__main__':
    main()
