"""Seeds in text: every field, and rows TX-01 to TX-06 of FAULTS."""

from . import schema
from .encode import text, wire, wrap_text
from .samples import SAMPLES

STRINGS = {
    "plain": '"abc"',
    "empty": '""',
    "single_quotes": "'a\"b'",
    "adjacent": '"a" \'b\'  "c"\n"d"',
    "adjacent_comment": '"a" # b\n "c"',
    "adjacent_cut": '"a" "b',
    "unterminated": '"abc',
    "unterminated_escape": '"abc\\',
    "raw_newline": '"a\nb"',
    "raw_tab": '"a\tb"',
    "raw_carriage_return": '"a\rb"',
    "raw_NUL": '"a\0b"',
    "escapes": r'"\a\b\f\n\r\t\v\\\'\""',
    "question_mark": r'"\?"',
    "bad_escape": r'"\q"',
    "escaped_newline": '"a\\\nb"',
    "octal": r'"\0\17\101\377"',
    "octal_400": r'"\400"',
    "octal_777": r'"\777"',
    "octal_8": r'"\8"',
    "hex": r'"\x41\x4a\xA"',
    "hex_one_digit": r'"\x1"',
    "hex_none": r'"\x"',
    "hex_none_then_letter": r'"\xg"',
    "hex_three_digits": r'"\x414"',
    "hex_capital": r'"\X41"',
    "hex_after_backslashes": r'"\\x4\\\x4"',
    "u": r'"\u0041\u00e9\u20ac"',
    "u_cut": r'"\u004"',
    "u_surrogate": r'"\ud800"',
    "u_surrogate_pair": r'"\ud83d\ude00"',
    "U": r'"\U0001f600"',
    "U_too_large": r'"\U00110000"',
    "U_cut": r'"\U0001f60"',
    "U_of_backslash": r'"\u005cn"',
    "N": r'"\N{BULLET}"',
    "N_not_a_name": r'"\N{x}"',
    "utf8": '"\u00e9\u20ac\U0001f600"',
    "bad_utf8": b'"\xff\xfe"',
    "bad_utf8_by_escape": r'"\377\376"',
    "utf8_in_two_pieces": r'"\303" "\251"',
    "number": "5",
    "word": "abc",
    "list": '["a", "b"]',
    "message": '{ }',
}

INTEGERS = {
    "plain": "12",
    "negative": "-12",
    "negative_space": "- 12",
    "plus": "+12",
    "zero": "0",
    "zeros": "00",
    "octal": "0755",
    "octal_bad_digit": "089",
    "octal_o": "0o17",
    "hex": "0x1F",
    "hex_capital": "0X1f",
    "hex_empty": "0x",
    "binary": "0b101",
    "underscore": "1_000",
    "underscores": "1__0",
    "underscore_last": "1_",
    "suffix": "12u",
    "int32_most": "2147483647",
    "int32_past": "2147483648",
    "int64_most": "9223372036854775807",
    "int64_past": "9223372036854775808",
    "int64_least": "-9223372036854775808",
    "int64_past_least": "-9223372036854775809",
    "int64_past_least_hex": "-0x8000000000000001",
    "uint64_most": "18446744073709551615",
    "uint64_past": "18446744073709551616",
    "10_to_the_400": "1" + "0" * 400,
    "digits_4000": "1" * 4000,
    "zeros_4000": "0" * 4000,
    "float": "1.0",
    "exponent": "1e3",
    "word": "abc",
    "string": '"1"',
    "true": "true",
    "list": "[1, 2]",
    "beyond_ASCII": "\u0663",
}

FLOATS = {
    "plain": "1.5",
    "integer": "7",
    "dot_first": ".5",
    "dot_last": "5.",
    "dot": ".",
    "two_dots": "1.2.3",
    "f": "1.5f",
    "F": "1.5F",
    "ff": "1ff",
    "exponent": "1e-3",
    "exponent_cut": "1e",
    "exponent_sign": "1e+",
    "exponent_f": "1e5f",
    "1e400": "1e400",
    "1e-400": "1e-400",
    "10_to_the_400": "1" + "0" * 400,
    "digits_4000": "0." + "3" * 4000,
    "inf": "inf",
    "minus_inf": "-inf",
    "infinity": "Infinity",
    "inff": "inff",
    "infinityf": "-infinityf",
    "nan": "nan",
    "minus_nan": "-nan",
    "nanf": "NANf",
    "hex": "0x10",
    "octal": "010",
    "octal_bad_digit": "09.5",
    "underscore": "1_0.5",
    "underscore_bad": "1_.5",
    "halfway": "1.00000005960464477539062500000000001",
    "denormal": "4.9406564584124654e-324",
    "half_denormal": "2.4703282292062327e-324",
    "largest": "1.7976931348623157e308",
    "past_largest": "1.7976931348623159e308",
    "word": "abc",
    "minus": "-",
    "string": '"1.5"',
}

BOOLS = {"true": "true", "True": "True", "t": "t", "1": "1", "TRUE": "TRUE",
         "false": "false", "f": "f", "0": "0", "2": "2", "01": "01",
         "yes": "yes"}

ENUM_WORDS = {"name": None, "number": "3", "unknown_number": "9999",
              "negative": "-1", "hex": "0x1", "octal": "07",
              "unknown_name": "DT_NOTHING", "past_int32": "2147483648",
              "string": '"DT_FLOAT"'}

LITERALS = (("TX-02_string", ("STRING",), STRINGS),
            ("TX-03_int", ("INT64", "INT32"), INTEGERS),
            ("TX-03_uint", ("UINT64", "UINT32"), INTEGERS),
            ("TX-03_float", ("FLOAT", "DOUBLE"), FLOATS),
            ("TX-03_bool", ("BOOL",), BOOLS),
            ("TX-03_enum", ("ENUM",), ENUM_WORDS))

# Forms of fields that no table knows; any message may hold them.
UNKNOWN = {
    "number": "unknown: 5",
    "negative": "unknown: -5",
    "float": "unknown: 1.5e3",
    "word": "unknown: DT_X",
    "string": 'unknown: "a" "b"',
    "bad_string": r'unknown: "\xg"',
    "message": 'unknown { a: 1 b { c: "d" } }',
    "message_colon": "unknown: < a: 1, b: 2; >",
    "message_other_brace": "unknown { a: 1 >",
    "list": "unknown: [1, 2.5, a, 'b']",
    "list_of_messages": "unknown: [{ a: 1 }, < b: 2 >]",
    "list_without_colon": "unknown [1]",
    "list_empty": "unknown: []",
    "list_comma_last": "unknown: [1,]",
    "list_cut": "unknown: [1",
    "list_nested": "unknown: [[1]]",
    "field_by_number": "17: 3",
    "field_by_hex": "0x11 { }",
    "name_with_sign": "a-b+c: 1",
    "nothing": "unknown:",
    "no_colon": "unknown 5",
    "huge_number": "unknown: 99999999999999999999999",
    "number_with_letters": "unknown: 12abc",
    "inside_extension": "unknown { [a.b] { x: 1 } [a.b.c/d.e]: 5 }",
    "inside_extension_bad": "unknown { [a.b/c] { } }",
    "extension": "[a.b.c]: 5",
    "type_url": "[type.googleapis.com/tensorflow.NodeDef] { name: \"x\" }",
    "beyond_ASCII": "\u00e9: 1",
}

SEPARATORS = {
    "comma": ",",
    "semicolon": ";",
    "two_commas": ",,",
    "comma_semicolon": ",;",
    "comma_blank_semicolon": ", ;",
    "nothing": "",
    "comment": "# }\n",
    "wide_blanks": "\u00a0\u2003\u3000",
    "form_feed": "\f\v\r",
    "separators": "\x1c\x1d\x1e\x1f",
    "NUL": "\0",
    "zero_width": "\u200b",
}

SIZE = 4000


def literals(root):
    for prefix, types, table in LITERALS:
        found = schema.find_field(root, lambda f: f.type in types)
        if not found:
            continue
        path, f = found
        for name, literal in table.items():
            if literal is None:
                literal = schema.ENUMS[f.of][-1]
            yield (f"{prefix}_{name}",
                   around(path, f.name + ": ", literal))


def around(path, before, literal):
    if isinstance(literal, str):
        literal = literal.encode()
    head, tail = wrap_text(path, before + "@").encode().split(b"@")
    return head + literal + tail


def nesting(root):
    for depth in (99, 100, 101, 1500):
        opened, closed = "a{" * depth, "}" * depth
        if depth < 1000:
            yield f"TX-01_unknown_{depth}", opened + closed
        else:
            yield "TX-01_unknown_not_closed", opened
        path = schema.nested(root, depth)
        if path and depth < 1000:
            yield f"TX-01_known_{depth}", wrap_text(path, "")
    yield "TX-01_lists", "a: [" * 100
    path = schema.nested(root, 50)
    if path:
        yield "TX-01_known_50_unknown_51", wrap_text(
            path, "a<" * 51 + ">" * 51)


def encodings(kind, root):
    shown = text(root, next(iter(SAMPLES[kind].values())))[:1200]
    shown = shown[:shown.rindex("\n")]
    yield "TX-04_byte_order_mark", "\ufeff" + shown
    yield "TX-04_byte_order_mark_alone", "\ufeff"
    yield "TX-04_byte_order_mark_twice", "\ufeff\ufeff"
    yield "TX-04_CRLF", shown.replace("\n", "\r\n")
    yield "TX-04_UTF-16_LE", b"\xff\xfe" + shown.encode("utf-16-le")
    yield "TX-04_UTF-16_BE", b"\xfe\xff" + shown.encode("utf-16-be")
    yield "TX-04_form_feed", shown.replace(" ", "\f")
    yield "TX-04_binary", wire(root, next(iter(SAMPLES[kind].values())))
    yield "TX-04_bad_UTF-8_in_comment", b"# \xff\n" + shown.encode()


def fields(root):
    for name, literal in UNKNOWN.items():
        yield f"TX-05_{name}", literal
    for label in ("ONE", "MANY"):
        found = schema.find_field(
            root, lambda f: f.type == "MESSAGE" and f.label == label)
        if not found:
            continue
        path, f = found
        name = f.name
        for form, shown in {
                "twice": f"{name} {{ }} {name} {{ }}",
                "list": f"{name}: [{{ }}, < >]",
                "list_no_colon": f"{name} [{{ }}]",
                "list_empty": f"{name} []",
                "as_number": f"{name}: 5",
                "other_brace": f"{name} {{ >",
                "not_closed": f"{name} {{",
                "closed_twice": f"{name} {{ }} }}",
                "unknown_inside": f"{name} {{ unknown: 1 }}",
        }.items():
            yield f"TX-05_{label}_message_{form}", wrap_text(path, shown)
    for type_ in ("STRING", "INT64", "BOOL"):
        found = schema.find_field(
            root, lambda f: f.type == type_ and f.label == "ONE")
        if not found:
            continue
        path, f = found
        value, zero = {"STRING": ('"a"', '""'), "INT64": ("5", "0"),
                       "BOOL": ("true", "false")}[type_]
        for form, shown in {
                "twice": f"{f.name}: {value} {f.name}: {value}",
                "after_default": f"{f.name}: {zero} {f.name}: {value}",
                "default_after": f"{f.name}: {value} {f.name}: {zero}",
                "missing_colon": f"{f.name} {value}",
                "missing_value": f"{f.name}:",
                "list_of_one": f"{f.name}: [{value}]",
                "glued": f"{f.name}:{value}{f.name}:{zero}",
        }.items():
            yield f"TX-05_{type_}_{form}", wrap_text(path, shown)


def oneofs(root):
    for message, path in schema.paths(root).items():
        choices = [f for f in schema.MESSAGES[message] if f.label == "ONEOF"]
        if choices:
            both = [p for f in choices[:2] for p in
                    schema.fill(message, f.name, levels=0)
                    if schema.field(message, p[0]).label == "ONEOF"]
            for name, pairs in (("two", both), ("same", both[:1] * 2)):
                yield (f"PB-12_oneof_{message}_{name}",
                       wrap_text(path, text(message, pairs, style=2)))


def any_messages(root):
    path = schema.paths(root).get("Any")
    if not path:
        return
    for name, shown in {
            "known_type": "[type.googleapis.com/tensorflow.NodeDef] "
                          "{ name: 'x' }",
            "colon": "[type.googleapis.com/tensorflow.NodeDef]: < >",
            "twice": "[a.b.c/tensorflow.NodeDef] { } type_url: 'x'",
            "separator": "[a.b.c/tensorflow.NodeDef] { },",
            "blanks": "[ type.googleapis.com / tensorflow.NodeDef ] { }",
            "percent": "[a%20b/tensorflow.NodeDef] { }",
            "percent_bad": "[a%2/tensorflow.NodeDef] { }",
            "no_slash": "[tensorflow.NodeDef] { }",
            "slash_first": "[/tensorflow.NodeDef] { }",
            "two_slashes": "[a//tensorflow.NodeDef] { }",
            "bad_name": "[a/tensorflow..NodeDef] { }",
            "unknown_type": "[type.googleapis.com/not.Here] { }",
            "not_closed": "[a/tensorflow.NodeDef { }",
            "number": "[a/tensorflow.NodeDef]: 5",
            "plain": "type_url: 'a/b' value: '\\x08\\x01'",
    }.items():
        yield f"TX-05_any_{name}", wrap_text(path, shown)


def loops():
    for name, piece in {"hashes": "#", "commas": ",", "blanks": " ",
                        "newlines": "\n", "comments": "#\n", "quotes": '""',
                        "braces": "{}", "wide_blanks": "\u3000",
                        "backslashes": "\\", "brackets": "["}.items():
        yield f"TX-06_{name}", piece * (SIZE // len(piece.encode()))
    yield "TX-06_comment_without_end", "# " + "x" * SIZE
    yield "TX-06_long_name", "x" * SIZE
    yield "TX-06_long_string", 'x: "' + "y" * SIZE + '"'
    yield "TX-06_long_string_of_escapes", 'x: "' + "\\" * SIZE + '"'


def separators(root):
    found = schema.find_field(
        root, lambda f: f.type == "STRING" and f.label == "ONE")
    path, f = found
    for name, between in SEPARATORS.items():
        yield f"TX-06_between_{name}", wrap_text(
            path, f"{f.name}: 'a'{between} other: 'b'{between}")


def cuts(kind, root):
    whole = text(root, next(iter(SAMPLES[kind].values()))).encode()[:SIZE]
    for i in range(1, 6):
        yield f"IN-01_cut_{i}_of_6", whole[:len(whole) * i // 6]


def faults(kind, root):
    yield from literals(root)
    yield from nesting(root)
    yield from encodings(kind, root)
    yield from fields(root)
    yield from oneofs(root)
    yield from any_messages(root)
    yield from loops()
    yield from separators(root)
    yield from cuts(kind, root)


def seeds(kind):
    """(name, bytes) of every seed of a kind."""
    root = schema.ROOTS[kind]
    made = [("empty", "")]
    for name, pairs in SAMPLES[kind].items():
        printed = text(root, pairs)
        if len(printed) <= SIZE:
            made += [(f"sample_{name}", printed)]
        made += [(f"sample_{name}_short", text(root, pairs, style=2))]
    # Only where the root may hold the same thing twice can they be joined.
    groups = schema.joined(schema.all_fields(root),
                           2 if kind == "saved_model" else 1)
    for i, (name, pairs) in enumerate(groups):
        made += [(f"all_{name}", text(root, pairs, style=i % 4))]
    made += schema.turns(kind, faults(kind, root))
    for name, data in made:
        yield name, data.encode() if isinstance(data, str) else data


def dictionary():
    """Names of fields and enum values, and what stands between them."""
    words = {f.name for message in schema.read_messages()
             for f in schema.MESSAGES[message]}
    words |= {name for names in schema.ENUMS.values() for name in names[:40]}
    marks = ["{", "}", "<", ">", "[", "]", ":", ",", ";", "#", '"', "'", "\\",
             "\\x", "\\u", "\\U0010ffff", "\\377", "-", "inf", "nan", "true",
             "0x", "1e400", "\ufeff", "\u00a0", "[a.b.c/d]",
             "18446744073709551615", "-9223372036854775808"]
    return ([(name, name.encode()) for name in sorted(words)] +
            [(f"mark_{i}", mark.encode()) for i, mark in enumerate(marks)])
