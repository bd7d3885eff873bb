"""Seeds of the targets `expression` and `formula_file`."""

import json

SAMPLES = {
    "conv": b"2 * #y0 * x1[0] * x1[1] * x1[2]",
    "sort": b"#x0 * log2_ceil(x0[-1])",
    "groups": b"2 * #y0 * ceil_div(prod(x1, 0, -1), attr(groups, 1))",
    "strides": b"#y0 * @strides[1] * attr(strides[2])",
    "layout": b"rank(x0) == 4 ? x0[3] : rank(x0) == 5 ? x0[4] : x0[1]",
    "signs": b"- -x0[ -1 ] - -(3 % 2) / 1",
    "most": b"min(9223372036854775807, max(1, 2, 3) * #y1) <= @low",
    "unknown": b"(x2[0] + #x1 + @odd + @none) ? 1/0 : 1%0",
    "compare": b"(1 < 2) == (2 >= 1) != (3 > 4)",
    "texts": b"@mode == 'SAME' ? free : attr(none, 'a') != @names[0]",
    "lists": b"len(@names) * prod(@strides) + len(value(x3))",
    "elements": b"value(x3) + value(x1, -1) + prod(value(x1))",
    "axes": b"prod_except(x0, value(x1)) * prod_except(y1, @strides)",
    "words": b"first_known(@odd, inputs) + controls + macs",
    "logarithm": b"mul_log2(5 * #y1, x0[-1]) / 2",
}

MISTAKES = (b"", b" ", b"(", b"x0", b"x0[", b"#x", b"@", b"foo(1)", b"min(1)",
            b"1 < 2 < 3", b"1 ? 2", b"1.5", b"9223372036854775808", b"1)+(1",
            b"\xff", b"\0", b"prod(x0)", b"x65536[0]", b"'a", b"len(3)",
            b"value(y0)", b"'a' + 1", b"free * 2", b"prod(value(1))")


def expression_seeds():
    for name, text in SAMPLES.items():
        yield f"sample_{name}", text
    for i, text in enumerate(MISTAKES):
        yield f"mistake_{i}", text
    for name, opens, closes in (("parentheses", b"(", b")"),
                                ("brackets", b"x0[", b"]"),
                                ("choices", b"1?1:", b""),
                                ("values", b"1<1+1*min(1,", b")")):
        for times in (63, 64, 65):
            yield (f"nested_{name}_{times}",
                   opens * times + b"1" + closes * times)
    yield "long", b"+".join([b"1"] * 2048)
    yield "signs", b"-" * 4000 + b"1"


def expression_dictionary():
    words = [b"x0", b"x1", b"x2", b"x3", b"x4", b"y0", b"y1", b"#x0", b"x0[",
             b"rank(", b"prod(", b"min(", b"max(", b"ceil_div(", b"log2_ceil(",
             b"attr(", b"@N", b"@low", b"@strides[", b"@odd", b"@none", b"==",
             b"!=", b"<=", b">=", b"9223372036854775807", b"value(", b"len(",
             b"prod_except(", b"first_known(", b"mul_log2(", b"inputs",
             b"controls", b"macs", b"free", b"'SAME'", b"@mode", b"@names"]
    return [(f"word_{i}", word) for i, word in enumerate(words)]


def file_seeds():
    texts = {name: text.decode() for name, text in SAMPLES.items()}
    yield "sample_texts", json.dumps(texts).encode()
    yield "sample_objects", json.dumps(
        {name: {"float_ops": text, "int_ops": "1", "macs": "#y0"}
         for name, text in texts.items()}, indent=1).encode()
    for i, data in enumerate((
            b"", b"{", b"[]", b"{} {}", b'{"A": 1}', b'{"A": {}}', b"null",
            b'{"A": {"flops": "1"}}', b'{"A": {"macs": null}}', b'{"": "1"}',
            b'{"A": "1", "A": "2"}', b'{"A": "1 +"}', b'{"A": "\xff"}',
            b'{"A\\u0000": "1"}', b'{"A": "\\ud800"}', b'{"A": 1e999}',
            b'{"A": "1"}\0', b"\xef\xbb\xbf{}", b'{"\\n\\u202e": "$"}',
            b'{"A": [{}, {}, [0, -1.5e3, true, false]]}')):
        yield f"mistake_{i}", data
    yield "nested_arrays", b"[" * 4096
    yield "nested_objects", b'{"":' * 1024


def file_dictionary():
    words = [b'"float_ops"', b'"int_ops"', b'"macs"', b'"ops"', b'{"A":', b'"2 * #y0"',
             b"\\u0000", b"\\ud800", b"null", b"true", b"1e999"]
    return [(f"word_{i}", word) for i, word in enumerate(words)]
