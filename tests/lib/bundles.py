"""Checkpoints of both versions, made byte by byte: sound ones, and whatever a
test wants to be wrong with them. Checksums are right unless a test spoils
them.
"""

import struct

from wirebytes import field, integer, varint

MAGIC = 0xdb4775248b80fb57

# dtype -> number and bytes of an element.
FLOAT, DOUBLE, INT32, STRING, INT64 = 1, 2, 3, 7, 9
SIZES = {FLOAT: 4, DOUBLE: 8, INT32: 4, INT64: 8}


# ---- Checksums --------------------------------------------------------------

def _table():
    out = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82f63b78 if byte & 1 else 0)
        out.append(byte)
    return out


_TABLE = _table()


def crc32c(data, crc=0):
    crc ^= 0xffffffff
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xff]
    return crc ^ 0xffffffff


def mask(crc):
    return ((crc >> 15 | crc << 17) + 0xa282ead8) & 0xffffffff


def masked_crc32c(data):
    """As tables and records have it behind their bytes."""
    return struct.pack("<I", mask(crc32c(data)))


# ---- Tables -----------------------------------------------------------------

def entry(key, value, shared=0):
    return (varint(shared) + varint(len(key) - shared) + varint(len(value))
            + key[shared:] + value)


def block(pairs, every=16):
    """Entries and restarts, every so many of them."""
    out, restarts = b"", []
    for i, (key, value) in enumerate(pairs):
        if i % every == 0:
            restarts.append(len(out))
        out += entry(key, value)
    restarts = restarts or [0]
    return out + struct.pack(f"<{len(restarts) + 1}I", *restarts, len(restarts))


def stored(data, compression=0):
    """A block with what stands behind it."""
    data += bytes([compression])
    return data + masked_crc32c(data)


def place(offset, size):
    return varint(offset) + varint(size)


def footer(meta, index):
    return (meta + index).ljust(40, b"\0") + struct.pack("<Q", MAGIC)


def packed(data):
    """The same, as Snappy could have packed it: one literal after another."""
    out = varint(len(data))
    for at in range(0, len(data), 60):
        piece = data[at:at + 60]
        out += bytes([(len(piece) - 1) << 2]) + piece
    return out


def table(pairs, per_block=64, pack=False):
    """A table of sorted pairs."""
    pairs = sorted(pairs)
    out, index = b"", []
    for at in range(0, max(len(pairs), 1), per_block):
        some = pairs[at:at + per_block]
        data = block(some)
        data = packed(data) if pack else data
        index.append((some[-1][0] if some else b"", place(len(out), len(data))))
        out += stored(data, int(pack))
    empty, index = block([]), block(index, 1)
    meta = place(len(out), len(empty))
    out += stored(empty)
    where = place(len(out), len(index))
    return out + stored(index) + footer(meta, where)


# ---- Messages ---------------------------------------------------------------

def shape(dims):
    """A TensorShapeProto; None for an unknown rank."""
    if dims is None:
        return integer(3, 1)
    return b"".join(field(2, integer(1, size)) for size in dims)


def slice_proto(extents):
    """A TensorSliceProto of (start, length); a length of None is left out."""
    out = b""
    for start, length in extents:
        out += field(1, (integer(1, start) if start else b"")
                     + (b"" if length is None else integer(2, length)))
    return out


def header(shards=1, endianness=0, producer=1, min_consumer=0):
    version = integer(1, producer) if producer else b""
    version += integer(2, min_consumer) if min_consumer else b""
    return (integer(1, shards) + (integer(2, endianness) if endianness else b"")
            + field(3, version))


def bundle_entry(dtype, dims, size, offset=0, shard=0, crc=0, slices=()):
    return (integer(1, dtype) + field(2, shape(dims)) + integer(3, shard)
            + integer(4, offset) + integer(5, size)
            + b"\x35" + struct.pack("<I", crc)
            + b"".join(field(7, slice_proto(s)) for s in slices))


# ---- Keys of slices ---------------------------------------------------------

def _signed(number):
    size = 1
    while not -(1 << 7 * size - 1) <= number < 1 << 7 * size - 1:
        size += 1
    bits = number & (1 << 8 * size) - 1
    bits ^= ((1 << size) - 1) << 7 * size  # its first bits tell the size
    return bits.to_bytes(size, "big")


def _number(number):
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes([len(data)]) + data


def slice_key(name, extents):
    escaped = b"".join({0: b"\0\xff", 255: b"\xff\0"}.get(c, bytes([c]))
                       for c in name)
    return (_number(0) + escaped + b"\0\1" + _number(len(extents))
            + b"".join(_signed(start) + _signed(-1 if length is None
                                                else length)
                       for start, length in extents))


# ---- Values -----------------------------------------------------------------

def string_bytes(strings, big_endian=False):
    """A tensor of strings, and the checksum of its entry, masked."""
    order = ">" if big_endian else "<"
    fixed = b"".join(struct.pack(order + ("I" if len(s) < 1 << 32 else "Q"),
                                 len(s)) for s in strings)
    middle = struct.pack(order + "I", mask(crc32c(fixed)))
    data = (b"".join(varint(len(s)) for s in strings) + middle
            + b"".join(strings))
    return data, mask(crc32c(fixed + middle + b"".join(strings)))


class Bundle:
    """A checkpoint of version 2 in the making."""

    def __init__(self, shards=1, **header_fields):
        self.header = header(shards, **header_fields)
        self.pairs = {}
        self.data = [b""] * shards

    def put(self, data, shard=0):
        """Appends to a shard; where it is."""
        offset = len(self.data[shard])
        self.data[shard] += data
        return offset

    def add(self, name, dtype, dims, data, shard=0, wrong=(), **also):
        """A tensor; `wrong` and the rest replace what its entry would say."""
        fields = dict(dtype=dtype, dims=dims, size=len(data), shard=shard,
                      offset=self.put(data, shard), crc=mask(crc32c(data)))
        self.pairs[name] = bundle_entry(**{**fields, **dict(wrong), **also})

    def add_strings(self, name, dims, strings):
        data, crc = string_bytes(strings)
        self.add(name, STRING, dims, data, crc=crc)

    def add_slices(self, name, dtype, dims, parts, listed=None):
        """Parts are (extents, data); `listed` are the extents that the entry
        of the whole tensor names."""
        for extents, data in parts:
            self.pairs[slice_key(name, extents)] = bundle_entry(
                dtype, [length if length is not None else dim
                        for (_, length), dim in zip(extents, dims)],
                len(data), self.put(data), crc=mask(crc32c(data)))
        self.pairs[name] = bundle_entry(
            dtype, dims, 0, slices=listed if listed is not None
            else [extents for extents, _ in parts])

    def write(self, prefix, **options):
        """The files, prefix.index and its shards."""
        pairs = [(b"", self.header), *self.pairs.items()]
        with open(f"{prefix}.index", "wb") as file:
            file.write(table([(key, value) for key, value in pairs
                              if value is not None], **options))
        for i, data in enumerate(self.data):
            with open(f"{prefix}.data-{i:05}-of-{len(self.data):05}",
                      "wb") as file:
                file.write(data)
        return prefix


# ---- Version 1 --------------------------------------------------------------

def slice_meta(name, dtype, dims, slices):
    return (field(1, name) + field(2, shape(dims)) + integer(3, dtype)
            + b"".join(field(4, slice_proto(s)) for s in slices))


def table_v1(metas, values, min_consumer=0, **options):
    """A file of version 1; values are {(name, extents): TensorProto}."""
    versions = integer(1, 1) + integer(2, min_consumer)
    meta = b"".join(field(1, m) for m in metas) + field(2, versions)
    pairs = [(b"", field(1, meta))]
    for (name, extents), tensor in values.items():
        pairs.append((slice_key(name, extents), field(2, (
            field(1, name) + field(2, slice_proto(extents))
            + field(3, tensor)))))
    return table(pairs, **options)


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def float_val(*values):
    """The TensorProto of a slice of floats."""
    return field(5, floats(*values))
