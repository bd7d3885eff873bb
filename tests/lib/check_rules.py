"""Rules for the JUnit and SARIF output of `tfprof check`.

They are written from JUnit.xsd of windyroad/JUnit-Schema and from
sarif-schema-2.1.0.json and the text of the standard of OASIS. They are stricter where
tfprof writes less than these allow: a property of SARIF that is not in _OBJECTS has no
rule yet, so it is a problem.

A problem is a text that begins with the name of its rule.
"""

import datetime
import json
import re
from xml.etree import ElementTree

# ---- JUnit -------------------------------------------------------------------

JUNIT_RULES = {
    "xml": "well-formed XML in UTF-8, with its declaration",
    "root": "the root is <testsuites>, without attributes",
    "element": "an element that the schema does not have at this place",
    "order": "properties, testcase*, system-out, system-err",
    "choice": "a testcase has at most one of skipped, error and failure",
    "required": "an attribute is missing",
    "attribute": "an attribute that the schema does not have",
    "text": "text where only elements may be",
    "int": "not a number of 32 bits",
    "decimal": "not a decimal number",
    "token": "an empty name",
    "timestamp": "not a date and a time without a zone",
    "id": "suites are numbered from 0",
    "count": "an attribute that does not agree with the cases",
}

# element: (required attributes, optional ones, children, may it have text?)
_ELEMENTS = {
    "testsuites": ((), (), ("testsuite",), False),
    "testsuite": (
        ("id", "package", "name", "timestamp", "hostname", "tests", "failures",
         "errors", "time"),
        ("skipped",),
        ("properties", "testcase", "system-out", "system-err"), False),
    "properties": ((), (), ("property",), False),
    "property": (("name", "value"), (), (), False),
    "testcase": (("name", "classname", "time"), (),
                 ("skipped", "error", "failure"), False),
    "skipped": ((), ("message",), (), True),
    "error": (("type",), ("message",), (), True),
    "failure": (("type",), ("message",), (), True),
    "system-out": ((), (), (), True),
    "system-err": ((), (), (), True),
}

# (element, attribute): the rule of its value
_VALUES = {
    ("testsuite", "id"): "int",
    ("testsuite", "tests"): "int",
    ("testsuite", "failures"): "int",
    ("testsuite", "errors"): "int",
    ("testsuite", "skipped"): "int",
    ("testsuite", "time"): "decimal",
    ("testsuite", "name"): "token",
    ("testsuite", "hostname"): "token",
    ("testsuite", "timestamp"): "timestamp",
    ("property", "name"): "token",
    ("testcase", "time"): "decimal",
}


def _is_int(value):
    return (re.fullmatch(r"[+-]?[0-9]+", value) is not None
            and -2**31 <= int(value) < 2**31)


def _is_decimal(value):
    return re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", value) is not None


def _is_timestamp(value):
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}",
                        value):
        return False
    try:
        datetime.datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


_FITS = {"int": _is_int, "decimal": _is_decimal, "timestamp": _is_timestamp,
         "token": lambda value: value.strip() != ""}


def _attribute_problems(element):
    required, optional, _, _ = _ELEMENTS[element.tag]
    for name in required:
        if name not in element.attrib:
            yield f"required: <{element.tag}> has no {name}"
    for name, value in element.attrib.items():
        if name not in required + optional:
            yield f"attribute: <{element.tag}> has {name}"
        rule = _VALUES.get((element.tag, name))
        if rule and not _FITS[rule](value):
            yield f"{rule}: {name}={value!r} of <{element.tag}>"


def _element_problems(element):
    """Of an element that is known, and of all below it."""
    yield from _attribute_problems(element)
    _, _, children, has_text = _ELEMENTS[element.tag]
    texts = [element.text] + [child.tail for child in element]
    if not has_text and any(text and text.strip() for text in texts):
        yield f"text: in <{element.tag}>"
    for child in element:
        if child.tag not in children:
            yield f"element: <{child.tag}> in <{element.tag}>"
        else:
            yield from _element_problems(child)


def _count_problems(suite):
    found = {
        "tests": len(suite.findall("testcase")),
        "failures": len(suite.findall("testcase/failure")),
        "errors": len(suite.findall("testcase/error")),
        "skipped": len(suite.findall("testcase/skipped")),
    }
    for name, count in found.items():
        value = suite.get(name, str(count))
        if _is_int(value) and int(value) != count:
            yield f"count: {name} is {value} and not {count}"


def _suite_problems(suite, index):
    tags = [child.tag for child in suite]
    cases = tags.count("testcase")
    if tags != ["properties"] + ["testcase"] * cases + ["system-out", "system-err"]:
        yield f"order: {' '.join(tags)}"
    if suite.get("id", str(index)) != str(index):
        yield f"id: {suite.get('id')} of suite {index}"
    for case in suite.findall("testcase"):
        if len(case) > 1:
            yield f"choice: testcase {case.get('name')!r} has {len(case)} results"
    yield from _count_problems(suite)


def junit_problems(text):
    """All problems of a document, given as bytes or as a text."""
    data = text.encode() if isinstance(text, str) else text
    try:
        data.decode("utf-8")
        root = ElementTree.fromstring(data)
    except (UnicodeDecodeError, ElementTree.ParseError) as error:
        return [f"xml: {error}"]
    found = []
    if not data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n'):
        found.append("xml: no declaration")
    if root.tag != "testsuites":
        return found + [f"root: <{root.tag}>"]
    if root.attrib:
        found.append("root: attributes")
    found += _element_problems(root)
    for index, suite in enumerate(root.findall("testsuite")):
        found += _suite_problems(suite, index)
    return found


# ---- SARIF -------------------------------------------------------------------

SARIF_RULES = {
    "json": "JSON in UTF-8, without NaN and without repeated names",
    "type": "a value of another type",
    "required": "a property is missing",
    "property": "a property without a rule",
    "enum": "not one of the words of the standard",
    "minimum": "a number that is too small",
    "uri": "not a URI, or not one of the kind that is needed",
    "rule-id": "two rules of the same name, or a result of an unknown rule",
    "rule-index": "the index and the name of a rule do not agree",
    "level": "only failures have a level",
    "empty": "an empty text",
    "braces": "a single brace in a message, which is the mark of an argument",
    "link": "a link in a message",
}

_TEXT = (str,)
_LEVELS = ("none", "note", "warning", "error")
_KINDS = ("notApplicable", "pass", "fail", "review", "open", "informational")

# object: {property: (its type, is it required?)}. A type is a word for an object of
# this table, a list of one, a tuple of Python's types, or a number that is the least
# that an integer may be.
_OBJECTS = {
    "log": {"$schema": (_TEXT, False), "version": (_TEXT, True),
            "runs": (["run"], True)},
    "run": {"tool": ("tool", True), "results": (["result"], False)},
    "tool": {"driver": ("driver", True)},
    "driver": {"name": (_TEXT, True), "version": (_TEXT, False),
               "informationUri": (_TEXT, False), "rules": (["rule"], False)},
    "rule": {"id": (_TEXT, True), "shortDescription": ("message", False)},
    "result": {"ruleId": (_TEXT, False), "ruleIndex": (-1, False),
               "kind": (_TEXT, False), "level": (_TEXT, False),
               "message": ("message", True), "locations": (["location"], False)},
    "message": {"text": (_TEXT, True)},
    "location": {"physicalLocation": ("physicalLocation", False),
                 "logicalLocations": (["logicalLocation"], False)},
    "physicalLocation": {"artifactLocation": ("artifactLocation", True),
                         "region": ("region", False)},
    "artifactLocation": {"uri": (_TEXT, True)},
    "region": {"startLine": (1, True)},
    "logicalLocation": {"fullyQualifiedName": (_TEXT, True), "kind": (_TEXT, False)},
}

_WORDS = {
    ("log", "version"): ("2.1.0",),
    ("result", "kind"): _KINDS,
    ("result", "level"): _LEVELS,
}

# RFC 3986, without the forms of a host that tfprof does not write.
_URI_REFERENCE = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*:)?"
    r"(?P<rest>(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#-]|%[0-9A-Fa-f]{2})*)")

_URIS = {("log", "$schema"): True, ("driver", "informationUri"): True,
         ("artifactLocation", "uri"): False}


def _is_uri(value, is_absolute):
    match = _URI_REFERENCE.fullmatch(value)
    if not match or value == "" or value.count("#") > 1:
        return False
    if match["scheme"]:
        return match["rest"] != ""
    first = value.split("/")[0]
    return not is_absolute and ":" not in first


def _text_problems(kind, name, value, path):
    words = _WORDS.get((kind, name))
    if words and value not in words:
        yield f"enum: {path} is {value!r}"
    if value == "":
        yield f"empty: {path}"
    if (kind, name) in _URIS and not _is_uri(value, _URIS[kind, name]):
        yield f"uri: {path} is {value!r}"
    if kind == "message":
        if re.search(r"[{}]", value.replace("{{", "").replace("}}", "")):
            yield f"braces: {path}"
        if re.search(r"(?<!\\)(\\\\)*\]\(", value):
            yield f"link: {path}"


def _value_problems(wanted, kind, name, value, path):
    if isinstance(wanted, list):
        if not isinstance(value, list):
            yield f"type: {path} is not an array"
            return
        for index, item in enumerate(value):
            yield from _object_problems(wanted[0], item, f"{path}[{index}]")
    elif isinstance(wanted, str):
        yield from _object_problems(wanted, value, path)
    elif isinstance(wanted, int):
        if not isinstance(value, int) or isinstance(value, bool):
            yield f"type: {path} is not an integer"
        elif value < wanted:
            yield f"minimum: {path} is {value}"
    elif not isinstance(value, wanted):
        yield f"type: {path} is not a string"
    else:
        yield from _text_problems(kind, name, value, path)


def _object_problems(kind, value, path):
    if not isinstance(value, dict):
        yield f"type: {path} is not an object"
        return
    table = _OBJECTS[kind]
    for name, (_, is_required) in table.items():
        if is_required and name not in value:
            yield f"required: {path} has no {name}"
    for name, item in value.items():
        if name not in table:
            yield f"property: {path}.{name}"
        else:
            yield from _value_problems(table[name][0], kind, name, item,
                                       f"{path}.{name}")


def _run_problems(run):
    """What the schema cannot say. The run has the right types."""
    ids = [rule["id"] for rule in run["tool"]["driver"].get("rules", [])]
    if len(set(ids)) < len(ids):
        yield f"rule-id: {' '.join(ids)}"
    for number, result in enumerate(run.get("results", [])):
        rule, index = result.get("ruleId"), result.get("ruleIndex", -1)
        if rule is not None and rule not in ids:
            yield f"rule-id: results[{number}] has {rule}"
        if index >= len(ids) or (index >= 0 and rule not in (None, ids[index])):
            yield f"rule-index: results[{number}] has {index}"
        if result.get("kind", "fail") != "fail" and result.get("level") != "none":
            yield f"level: results[{number}]"


def _no_repeats(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"repeated names among {names}")
    return dict(pairs)


def _no_constant(word):
    raise ValueError(f"{word} is not JSON")


def sarif_problems(text):
    """All problems of a document, given as bytes or as a text."""
    try:
        data = text.decode("utf-8") if isinstance(text, bytes) else text
        log = json.loads(data, object_pairs_hook=_no_repeats,
                         parse_constant=_no_constant)
    except ValueError as error:
        return [f"json: {error}"]
    found = list(_object_problems("log", log, "$"))
    if not any(problem.startswith(("type:", "required:")) for problem in found):
        for run in log["runs"]:
            found += _run_problems(run)
    return found
