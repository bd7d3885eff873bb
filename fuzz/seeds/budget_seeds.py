"""Seeds of the target `budgets`."""

import json

LIMITS = [3600000, 0, 7.5, "4K", "1.5 GiB", "250ms", "2 s", "+5%", "-3%", "+0%",
          "+100us", "-1MB", "+12", "0", "100B"]

MISTAKES = [-1, 1e20, True, None, [], "", "5%", "5 %", "+", ".5", "5.", "1e3",
            "nan", "5,5", "1234567890123456", "999999999T", "\u202e5", "+5%%"]

MACHINE = {"cpu": "A", "cores": 8, "accelerators": "G x4", "versions": "jax 1"}


def budget(**members):
    return {"metric": "params", "max": 1, **members}


def budgets(*all_of_them, **members):
    return json.dumps({"budgets": all_of_them, **members}).encode()


def baseline(**members):
    return json.dumps({"tfprof_baseline": 1, "rows": [], **members}).encode()


def rows(*all_of_them):
    return baseline(rows=all_of_them)


def samples():
    yield "limits", budgets(*(
        budget(metric=metric, max=limit, and_at_least=least)
        for metric in ("micros", "bytes", "params") for limit in LIMITS
        for least in (0, 30) if not isinstance(limit, str)
        or limit[-1] in "0123456789%"))
    yield "units", budgets(
        budget(metric="micros", max="+1ms", min="-1us", and_at_least="1us"),
        budget(metric="bytes", max="1.5 GiB", min="+1KB"),
        budget(metric="runs", max="1T", min="-1K"))
    yield "rows", budgets(
        budget(name="tower", scope="tower/.*"), budget(op="Conv.*"),
        budget(code="a.py:3"), budget(device="gpu"), budget(metric="macs"),
        budget(metric="nodes"), budget(metric="occurrence"), tfprof_budgets=1)
    yield "baseline", baseline(
        version="0.9.0", of="median", skip_steps=1, runs=8, machine=MACHINE,
        rows=[{"metric": "params", "values": [3538984]},
              {"metric": "micros", "scope": "tower/.*", "values": [1.5, 2]},
              {"metric": "float_ops", "values": [], "partial": True}])


def seeds():
    for name, data in samples():
        yield f"sample_{name}", data
    for i, limit in enumerate(MISTAKES):
        yield f"mistake_limit_{i}", budgets(budget(max=limit))
    for i, data in enumerate((
            b"", b"{", b"[]", b"{}", budgets(), budgets(3), budgets({}),
            budgets(budget(), tfprof_budgets=2), budgets(budget(), news=1),
            budgets(budget(metric="time")), budgets(budget(maxi=1)),
            budgets(budget(metric=3)), budgets(budget(name="")),
            budgets(budget(scope="a", op="b")), budgets({"metric": "params"}),
            budgets(budget(metric="macs", op="a")),
            budgets(budget(and_at_least="+5%")), b'{"tfprof_baseline": 2}',
            b'{"tfprof_baseline": 1}', baseline(of="mean"), baseline(runs=-1),
            baseline(machine=[]), baseline(machine={"cpu": "A" * 128}),
            baseline(machine={"cores": 1.5}), rows(3), rows({}),
            rows({"metric": "params"}), rows({"metric": "params",
                                              "values": [None]}),
            rows({"metric": "params", "values": [1e20]}),
            rows({"metric": "params", "values": [1], "partial": 1}))):
        yield f"mistake_{i}", data


def dictionary():
    words = [b'"budgets"', b'"metric"', b'"micros"', b'"params"', b'"max"',
             b'"min"', b'"and_at_least"', b'"scope"', b'"+5%"', b'"-3%"',
             b'"100us"', b'"1.5 GiB"', b'"tfprof_budgets"',
             b'"tfprof_baseline"', b'"rows"', b'"values"', b'"machine"',
             b'"partial"', b'"cores"', b'"of"']
    return [(f"word_{i}", word) for i, word in enumerate(words)]
