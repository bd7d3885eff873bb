"""The rules for the JUnit and SARIF output: each finds a document that breaks it.

The documents are the output of tests/check_dump.c with one change.
"""

import json
import os
import pathlib
import subprocess

import pytest

from check_rules import JUNIT_RULES, SARIF_RULES, junit_problems, sarif_problems


def _dump(form):
    program = os.environ.get("TFPROF_CHECK_DUMP") or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / "check_dump")
    return subprocess.run([program, form], check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def junit():
    return _dump("junit").decode()


@pytest.fixture(scope="module")
def sarif():
    return _dump("sarif").decode()


def _rules_of(problems):
    return {problem.split(":")[0] for problem in problems}


# ---- JUnit -------------------------------------------------------------------

# (the rule, what is replaced, by what)
JUNIT_CHANGES = [
    ("xml", "</testsuites>", ""),
    ("xml", "<properties>", "<properties>\x01"),
    ("xml", '<?xml version="1.0" encoding="UTF-8"?>\n', ""),
    ("root", "testsuites>", "results>"),
    ("root", "<testsuites>", '<testsuites name="x">'),
    ("element", "<system-err></system-err>",
     "<system-err></system-err><log></log>"),
    ("element", 'value="8"/>', 'value="8"><b></b></property>'),
    ("order", "<system-err></system-err>", ""),
    ("order", "<system-err></system-err>",
     "<system-err></system-err><system-err></system-err>"),
    ("order", "<system-err></system-err>",
     "<system-err></system-err><testcase name='n' classname='c' time='0'/>"),
    ("choice", "</failure>", "</failure><skipped/>"),
    ("required", ' hostname="localhost"', ""),
    ("required", ' package="tfprof"', ""),
    ("required", ' type="broken"', ""),
    ("required", ' classname="tfprof.check.params"', ""),
    ("required", '<property name="runs"', "<property"),
    ("attribute", '<property name="runs"', '<property type="int" name="runs"'),
    ("attribute", ' hostname="localhost"', ' hostname="localhost" assertions="1"'),
    ("text", "<properties>", "<properties>x"),
    ("text", "</properties>", "</properties>x"),
    ("int", ' errors="0"', ' errors="0.0"'),
    ("int", ' id="0"', ' id="2147483648"'),
    ("int", ' skipped="1"', ' skipped=""'),
    ("decimal", ' time="0"', ' time="1e3"'),
    ("decimal", ' time="0"', ' time="-"'),
    ("token", ' hostname="localhost"', ' hostname=" "'),
    ("token", ' name="tfprof check"', ' name=""'),
    ("timestamp", "22:13:20", "22:13:20Z"),
    ("timestamp", "2023-11-14", "2023-02-30"),
    ("timestamp", "T22", " 22"),
    ("id", ' id="0"', ' id="1"'),
    ("count", ' tests="4"', ' tests="5"'),
    ("count", ' failures="2"', ' failures="1"'),
    ("count", ' errors="0"', ' errors="1"'),
    ("count", ' skipped="1"', ' skipped="0"'),
]


def test_junit_output_keeps_all_rules(junit):
    assert junit_problems(junit) == []
    assert junit_problems(junit.encode()) == []


@pytest.mark.parametrize("rule, old, new", JUNIT_CHANGES)
def test_junit_rule_finds_its_problem(junit, rule, old, new):
    assert old in junit
    assert rule in _rules_of(junit_problems(junit.replace(old, new)))


def test_junit_bytes_that_are_not_utf8_are_a_problem(junit):
    broken = junit.replace("<properties>", "<properties>\udcff").encode(
        errors="surrogateescape")
    assert _rules_of(junit_problems(broken)) == {"xml"}


def test_each_junit_rule_has_a_document_that_breaks_it():
    assert {change[0] for change in JUNIT_CHANGES} == set(JUNIT_RULES)


# ---- SARIF -------------------------------------------------------------------

LOCATION = ("runs", 0, "results", 1, "locations", 0)
REMOVED = object()

# (the rule, where the value stands, the new value)
SARIF_CHANGES = [
    ("type", ("runs",), {}),
    ("type", ("runs", 0), "run"),
    ("type", ("runs", 0, "tool", "driver", "version"), 1),
    ("type", ("runs", 0, "results", 0, "ruleIndex"), True),
    ("type", (*LOCATION, "physicalLocation", "region", "startLine"), 37.0),
    ("required", ("version",), REMOVED),
    ("required", ("runs",), REMOVED),
    ("required", ("runs", 0, "tool"), REMOVED),
    ("required", ("runs", 0, "tool", "driver", "name"), REMOVED),
    ("required", ("runs", 0, "tool", "driver", "rules", 1, "id"), REMOVED),
    ("required", ("runs", 0, "results", 0, "message"), REMOVED),
    ("required", ("runs", 0, "results", 0, "message", "text"), REMOVED),
    ("required", (*LOCATION, "physicalLocation", "artifactLocation"), REMOVED),
    ("property", ("schema",), "x"),
    ("property", ("runs", 0, "results", 0, "severity"), "error"),
    ("property", (*LOCATION, "physicalLocation", "region", "line"), 1),
    ("enum", ("version",), "2.0.0"),
    ("enum", ("runs", 0, "results", 0, "level"), "fatal"),
    ("enum", ("runs", 0, "results", 0, "kind"), "failure"),
    ("minimum", (*LOCATION, "physicalLocation", "region", "startLine"), 0),
    ("minimum", ("runs", 0, "results", 0, "ruleIndex"), -2),
    ("uri", ("$schema",), "sarif-schema-2.1.0.json"),
    ("uri", (*LOCATION, "physicalLocation", "artifactLocation", "uri"),
     "src/my model.py"),
    ("uri", (*LOCATION, "physicalLocation", "artifactLocation", "uri"), "a%2"),
    ("uri", (*LOCATION, "physicalLocation", "artifactLocation", "uri"), "a<b"),
    ("uri", (*LOCATION, "physicalLocation", "artifactLocation", "uri"), "\xe9.py"),
    ("uri", (*LOCATION, "physicalLocation", "artifactLocation", "uri"), "1:b"),
    ("rule-id", ("runs", 0, "tool", "driver", "rules", 1, "id"), "broken-budget"),
    ("rule-id", ("runs", 0, "results", 0, "ruleId"), "other"),
    ("rule-index", ("runs", 0, "results", 0, "ruleIndex"), 1),
    ("rule-index", ("runs", 0, "results", 0, "ruleIndex"), 2),
    ("level", ("runs", 0, "results", 2, "level"), "note"),
    ("level", ("runs", 0, "results", 2, "level"), REMOVED),
    ("empty", ("runs", 0, "results", 0, "message", "text"), ""),
    ("empty", (*LOCATION, "logicalLocations", 0, "fullyQualifiedName"), ""),
    ("braces", ("runs", 0, "results", 0, "message", "text"), "a {0}"),
    ("braces", ("runs", 0, "results", 0, "message", "text"), "a }"),
    ("link", ("runs", 0, "results", 0, "message", "text"), "[a](https://b)"),
    ("link", ("runs", 0, "results", 0, "message", "text"), r"[a\\](https://b)"),
]

SARIF_TEXTS = [
    ("json", '"version": "2.1.0",', '"version": "2.1.0"'),
    ("json", '"version": "2.1.0",', '"version": "2.1.0", "version": "2.1.0",'),
    ("json", '"startLine": 37', '"startLine": NaN'),
]


def _changed(text, place, value):
    log = json.loads(text)
    at = log
    for step in place[:-1]:
        at = at[step]
    if value is REMOVED:
        del at[place[-1]]
    else:
        at[place[-1]] = value
    return json.dumps(log)


def test_sarif_output_keeps_all_rules(sarif):
    assert sarif_problems(sarif) == []
    assert sarif_problems(sarif.encode()) == []


@pytest.mark.parametrize("rule, place, value", SARIF_CHANGES)
def test_sarif_rule_finds_its_problem(sarif, rule, place, value):
    assert rule in _rules_of(sarif_problems(_changed(sarif, place, value)))


@pytest.mark.parametrize("rule, old, new", SARIF_TEXTS)
def test_sarif_text_that_is_not_json_is_a_problem(sarif, rule, old, new):
    assert old in sarif
    assert _rules_of(sarif_problems(sarif.replace(old, new))) == {rule}


def test_sarif_bytes_that_are_not_utf8_are_a_problem(sarif):
    broken = sarif.encode().replace(b"tfprof", b"tfprof\xff")
    assert _rules_of(sarif_problems(broken)) == {"json"}


def test_each_sarif_rule_has_a_document_that_breaks_it():
    assert {change[0] for change in SARIF_CHANGES + SARIF_TEXTS} == set(SARIF_RULES)
