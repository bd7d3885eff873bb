"""A trace as a tree of fields, read without tfprof, and rewrites of it that
keep its meaning: whoever reads the trace must say the same about both."""

import collections
import gzip

# The messages among the fields of a message; all other fields are leaves.
KINDS = {
    "space": {1: "plane"},
    "plane": {3: "line", 4: "event_entry", 5: "stat_entry", 6: "stat"},
    "line": {4: "event"},
    "event": {4: "stat"},
    "event_entry": {2: "event_type"},
    "event_type": {5: "stat"},
    "stat_entry": {2: "stat_type"},
    "stat_type": {},
    "stat": {},
    # Of models: GraphDef, RunMetadata, OpLogProto, ProfileProto.
    "graph": {1: "node"},
    "node": {5: "attribute"},
    "attribute": {},
    "runs": {1: "step_stats"},
    "step_stats": {1: "device"},
    "device": {2: "record"},
    "record": {},
    "op_log": {1: "log_entry", 2: "string"},
    "log_entry": {4: "code"},
    "code": {1: "code_line"},
    "code_line": {},
    "string": {},
    "profile": {1: "profile_node"},
    "profile_node": {},
}
PLANE, LINE, EVENT_TYPES, STAT_TYPES, PLANE_STATS = 1, 3, 4, 5, 6
KEY, NAME, VALUE = 1, 2, 2
START, EVENT, OFFSET, LENGTH, STATS, COUNT = 3, 4, 2, 3, 4, 5
TOP = 1 << 64
LONGEST_SIZE = 5  # bytes of a length; parsers reject a longer one


# ---- Fields -----------------------------------------------------------------

def read_number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value & (TOP - 1), at


def number_bytes(value, padding=0, longest=10):
    value &= TOP - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    for _ in range(min(padding, longest - len(out))):
        out[-1] |= 128
        out.append(0)
    return bytes(out)


def signed(value):
    return value - TOP if value >> 63 else value


class Message:
    """`fields` are lists of number, wire type and value."""

    __slots__ = ("kind", "fields")

    def __init__(self, kind, fields=()):
        self.kind, self.fields = kind, [list(field) for field in fields]

    def get(self, number, missing=0):
        """The last one counts."""
        for found, _, value in reversed(self.fields):
            if found == number:
                return value
        return missing

    def put(self, number, wire, value):
        self.fields = [f for f in self.fields if f[0] != number]
        self.fields.append([number, wire, value])

    def all(self, number):
        return [value for found, _, value in self.fields if found == number]


def parse(data, kind="space"):
    fields, at = [], 0
    while at < len(data):
        key, at = read_number(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = read_number(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            value, at = data[at:at + size], at + size
        elif wire == 2:
            size, at = read_number(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError("is cut")
            if number in KINDS[kind]:
                value = parse(value, KINDS[kind][number])
        else:
            raise ValueError("is no message")
        fields.append([number, wire, value])
    return Message(kind, fields)


def read(path):
    data = path.read_bytes()
    return parse(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)


def write(message, padding=0):
    out = bytearray()
    for number, wire, value in message.fields:
        out += number_bytes(number << 3 | wire)
        if wire == 0:
            out += number_bytes(value, padding)
        elif wire == 2:
            if isinstance(value, Message):
                value = write(value, padding)
            out += number_bytes(len(value), min(padding, 2), LONGEST_SIZE)
            out += value
        else:
            out += value
    return bytes(out)


def walk(message):
    yield message
    for _, _, value in message.fields:
        if isinstance(value, Message):
            yield from walk(value)


def of(message, *kinds):
    return [found for found in walk(message) if found.kind in kinds]


# ---- Reading a plane --------------------------------------------------------

def names_of(plane, number):
    """Of stats or events, by id."""
    found = {}
    for entry in plane.all(number):
        value = entry.get(VALUE, None)
        found[entry.get(KEY)] = value.get(NAME, b"").decode(
            errors="replace") if isinstance(value, Message) else ""
    return found


def stats_of(names, message, number=STATS):
    """The stats of an event: {name: value}."""
    found = {}
    for stat in message.all(number):
        for field, _, value in stat.fields:
            if field == 7:
                value = names.get(value, "")
            elif field == 5:
                value = value.decode(errors="replace")
            elif field == 4:
                value = signed(value)
            if field in (3, 4, 5, 7):
                found[names.get(stat.get(1), "")] = value
    return found


def is_about(plane, *words):
    return any(word in plane.get(NAME, b"") for word in words)


# ---- Rewrites ---------------------------------------------------------------

REWRITES = {}


def rewrite(change):
    """Registers a function of a space and a source of random choices."""
    REWRITES[change.__name__] = change
    return change


def shuffle(message, number, chance):
    """The values of one field among their places."""
    at = [i for i, field in enumerate(message.fields) if field[0] == number]
    values = [message.fields[i] for i in at]
    chance.shuffle(values)
    for i, value in zip(at, values):
        message.fields[i] = value


@rewrite
def planes(space, chance):
    shuffle(space, PLANE, chance)


@rewrite
def lines(space, chance):
    for plane in of(space, "plane"):
        shuffle(plane, LINE, chance)


@rewrite
def events(space, chance):
    """Those of one start and length keep their order: the first is outside."""
    for line in of(space, "line"):
        found = [field for field in line.fields if field[0] == EVENT]
        keys, places = [chance.random() for _ in found], {}
        for i, (_, _, event) in enumerate(found):
            places.setdefault((event.get(OFFSET), event.get(LENGTH)),
                              []).append(i)
        for same in places.values():
            for i, key in zip(same, sorted(keys[i] for i in same)):
                keys[i] = key
        order = sorted(range(len(found)), key=lambda i: keys[i])
        line.fields = [field for field in line.fields if field[0] != EVENT]
        line.fields += [found[i] for i in order]


@rewrite
def maps(space, chance):
    for plane in of(space, "plane"):
        shuffle(plane, EVENT_TYPES, chance)
        shuffle(plane, STAT_TYPES, chance)


@rewrite
def stats(space, chance):
    for message in walk(space):
        for kind, number in (("event", STATS), ("plane", PLANE_STATS),
                             ("event_type", 5)):
            if message.kind == kind:
                shuffle(message, number, chance)


@rewrite
def fields(space, chance):
    """The order of different fields; those of one number keep theirs."""
    for message in walk(space):
        groups = collections.OrderedDict()
        for field in message.fields:
            groups.setdefault(field[0], []).append(field)
        numbers = list(groups)
        chance.shuffle(numbers)
        message.fields = [field for n in numbers for field in groups[n]]


@rewrite
def unknown(space, chance):
    """Fields of versions to come."""
    for message in walk(space):
        if message.kind != "space" and chance.random() < 0.3:
            message.fields.insert(
                chance.randrange(1, len(message.fields) + 2),
                list(chance.choice(([50, 0, 7], [51, 2, b"zz"],
                                    [52, 1, b"\1" * 8], [53, 5, b"\2" * 4],
                                    [5000, 0, 1 << 63]))))


def new_numbers(numbers, chance):
    new = list(numbers)
    if chance.random() >= 0.5:
        new = [i * 1000003 + 5 for i in range(len(new))]
    chance.shuffle(new)
    return dict(zip(numbers, new)), max([0, *new]) + 77


@rewrite
def ids(space, chance):
    """New ids of events and stats. Those of programs have a meaning."""
    for plane in of(space, "plane"):
        for number in EVENT_TYPES, STAT_TYPES:
            if number == EVENT_TYPES and is_about(plane, b"metadata"):
                continue
            new, free = new_numbers(
                sorted({entry.get(KEY) for entry in plane.all(number)}),
                chance)
            for entry in plane.all(number):
                value = entry.get(VALUE, None)
                entry.put(KEY, 0, new[entry.get(KEY)])
                if isinstance(value, Message):
                    value.put(KEY, 0, new.get(value.get(KEY), free))
            if number == EVENT_TYPES:
                for event in of(plane, "event"):
                    event.put(1, 0, new.get(event.get(1), free))
                for kind in of(plane, "event_type"):
                    for field in kind.fields:
                        if field[:2] == [6, 0]:
                            field[2] = new.get(field[2], free)
                continue
            for stat in of(plane, "stat"):
                stat.put(1, 0, new.get(stat.get(1), free))
                for field in stat.fields:
                    if field[0] == 7:
                        field[2] = new.get(field[2], free)


@rewrite
def split(space, chance):
    """A plane in two. The lines of a TPU belong together: that of the steps
    says which step the others are in."""
    out = []
    for field in space.fields:
        plane = field[2]
        if field[0] != PLANE or len(plane.all(LINE)) < 2 or \
                is_about(plane, b"TPU"):
            out.append(field)
            continue
        parts = Message("plane"), Message("plane")
        for inner in plane.fields:
            for part in (chance.choice(parts),) if inner[0] == LINE else parts:
                part.fields.append(inner)
        out += [[PLANE, 2, part] for part in parts]
    space.fields = out


@rewrite
def negative_offsets(space, chance):
    """A later start, and events before it."""
    for line in of(space, "line"):
        later = chance.choice((10**6, 10**3, 1))
        line.put(START, 0, line.get(START) + later)
        for event in line.all(EVENT):
            if not event.all(COUNT):
                event.put(OFFSET, 0,
                          signed(event.get(OFFSET)) - 1000 * later)


@rewrite
def moved_start(space, chance):
    """All offsets from 0 or from half of the start."""
    for line in of(space, "line"):
        start = signed(line.get(START))
        earlier = start if chance.random() < 0.5 else start // 2
        if start <= 0:
            continue
        line.put(START, 0, start - earlier)
        for event in line.all(EVENT):
            if not event.all(COUNT):
                event.put(OFFSET, 0,
                          signed(event.get(OFFSET)) + 1000 * earlier)


@rewrite
def shifted(space, _):
    """Everything a second later."""
    for plane in of(space, "plane"):
        names = names_of(plane, STAT_TYPES)
        for stat in of(plane, "stat"):
            if names.get(stat.get(1)) == "device_offset_ps":
                for field in stat.fields:
                    if field[0] in (3, 4):
                        field[2] += 10**12
    for line in of(space, "line"):
        line.put(START, 0, line.get(START) + 10**9)


@rewrite
def written_zeros(space, _):
    for event in of(space, "event"):
        if not event.all(COUNT) and not event.all(OFFSET):
            event.fields.append([OFFSET, 0, 0])
        if not event.all(LENGTH):
            event.fields.append([LENGTH, 0, 0])


@rewrite
def omitted_zeros(space, _):
    for event in of(space, "event"):
        event.fields = [f for f in event.fields if (f[0], f[2]) != (LENGTH, 0)]
    for stat in of(space, "stat"):
        stat.fields = [f for f in stat.fields if (f[0], f[2]) != (1, 0)]


@rewrite
def repeated_entries(space, chance):
    for plane in of(space, "plane"):
        plane.fields += [f for f in plane.fields
                         if f[0] in (EVENT_TYPES, STAT_TYPES)
                         and chance.random() < 0.5]


@rewrite
def wrong_entries(space, chance):
    """Before the right ones: the last one counts."""
    for plane in of(space, "plane"):
        entries = plane.all(EVENT_TYPES)
        if is_about(plane, b"metadata") or len(entries) < 2:
            continue
        wrong = []
        for entry in entries:
            if chance.random() < 0.4:
                key = entry.get(KEY)
                kind = Message("event_type", [(KEY, 0, key),
                                              (NAME, 2, b"wrong:Wrong")])
                wrong.append([EVENT_TYPES, 2, Message(
                    "event_entry", [(KEY, 0, key), (VALUE, 2, kind)])])
        plane.fields = wrong + plane.fields


@rewrite
def wrong_fields(space, _):
    """A wrong singular field before the right one."""
    wrong = {"line": [[NAME, 2, b"wrong"], [START, 0, 12345], [1, 0, 4]],
             "event": [[OFFSET, 0, 99], [LENGTH, 0, 98]],
             "plane": [[NAME, 2, b"/device:GPU:7"]]}
    for message in of(space, *wrong):
        if message.kind == "event" and message.all(COUNT):
            continue
        before = [list(field) for field in wrong[message.kind]]
        after = [[number, wire, b"" if wire == 2 else 0]
                 for number, wire, _ in before if not message.all(number)]
        message.fields = before + message.fields + after


@rewrite
def texts_for_references(space, _):
    for plane in of(space, "plane"):
        names = {entry.get(KEY): entry.get(VALUE).get(NAME, b"")
                 for entry in plane.all(STAT_TYPES)
                 if isinstance(entry.get(VALUE, None), Message)}
        for stat in of(plane, "stat"):
            for field in stat.fields:
                if field[0] == 7:
                    field[:] = [5, 2, names.get(field[2], b"")]


@rewrite
def references_for_texts(space, _):
    for plane in of(space, "plane"):
        free = max([0, *(e.get(KEY) for e in plane.all(STAT_TYPES))]) + 1
        numbers = {}
        for stat in of(plane, "stat"):
            for field in stat.fields:
                if field[0] == 5:
                    number = numbers.setdefault(field[2], free + len(numbers))
                    field[:] = [7, 0, number]
        for text, number in numbers.items():
            kind = Message("stat_type", [(KEY, 0, number), (NAME, 2, text)])
            plane.fields.append([STAT_TYPES, 2, Message(
                "stat_entry", [(KEY, 0, number), (VALUE, 2, kind)])])


@rewrite
def other_integers(space, _):
    """Signed for unsigned."""
    for stat in of(space, "stat"):
        for field in stat.fields:
            if field[0] in (3, 4) and not field[2] >> 63:
                field[0] = 7 - field[0]


@rewrite
def empty_parts(space, chance):
    """Planes and lines without events."""
    for _ in range(3):
        name = chance.choice((b"/device:CUSTOM:x", b"/host:other", b""))
        space.fields.insert(
            chance.randrange(len(space.fields) + 1),
            [PLANE, 2, Message("plane", [(NAME, 2, name)])])
    for plane in of(space, "plane"):
        if plane.all(LINE) and chance.random() < 0.5:
            plane.fields.append([LINE, 2, Message(
                "line", [(1, 0, 999999), (NAME, 2, b"empty")])])


@rewrite
def maps_first(space, _):
    for plane in of(space, "plane"):
        plane.fields.sort(key=lambda f: f[0] not in (EVENT_TYPES, STAT_TYPES))


@rewrite
def long_numbers(_, __):
    """rewritten() pads them."""


@rewrite
def two_members(_, __):
    """rewritten() packs the file as two members of gzip."""


def rewritten(space, name, chance):
    """The bytes; the space is changed."""
    REWRITES[name](space, chance)
    data = write(space, 7 if name == "long_numbers" else 0)
    if name != "two_members":
        return data
    cut = len(data) // 3
    return gzip.compress(data[:cut]) + gzip.compress(data[cut:], 0)
