"""What `tfprof xprof` and xprof answer about one trace, held against each other.

Only what docs/tables.md promises is compared. Numbers must be the same doubles:
there is no tolerance. A column that tfprof leaves null must be in LEFT_OUT.
"""

import collections

TOOLS = ("framework_op_stats", "hlo_stats", "kernel_stats", "memory_profile")

FRAMEWORK = (
    "rank", "host_or_device", "type", "operation", "occurrences", "total_time",
    "avg_time", "total_self_time", "avg_self_time",
    "device_total_self_time_percent",
    "device_cumulative_total_self_time_percent",
    "host_total_self_time_percent", "Host_cumulative_total_self_time_percent",
)
HLO = (
    "rank", "program_id", "category", "hlo_op_name", "tf_op_name",
    "occurrences", "total_time", "avg_time", "total_self_time",
    "avg_self_time", "total_self_time_percent",
    "cumulative_total_self_time_percent", "core_type",
)
# Of a TPU, which tells them itself.
HLO_TPU = (
    "hlo_op_expression", "model_flop_rate", "normalized_flop_rate",
    "measured_memory_bw", "hbm_bw", "cmem_read_bw", "cmem_write_bw",
    "operational_intensity",
)
KERNEL = (
    "rank", "kernel_name", "registers_per_thread", "shmem_bytes", "block_dim",
    "grid_dim", "occupancy_pct", "op_name", "occurrences",
    "total_duration_us", "avg_duration_us", "min_duration_us",
    "max_duration_us",
)


def _rows(table):
    names = [column["id"] for column in table["cols"]]
    return [dict(zip(names, (cell["v"] for cell in row["c"])))
            for row in table["rows"]]


def _compare_tables(ours, theirs, columns, where):
    """The differences of two tables. `columns` gives those of a row of xprof."""
    if ours["cols"] != theirs["cols"]:
        yield f"{where}: other columns"
    ours, theirs = _rows(ours), _rows(theirs)
    if len(ours) != len(theirs):
        yield f"{where}: {len(ours)} rows, xprof has {len(theirs)}"
    for number, (mine, its) in enumerate(zip(ours, theirs), 1):
        for name in columns(its):
            if mine.get(name) != its[name] or (
                    type(mine[name]) is str) != (type(its[name]) is str):
                yield (f"{where}: row {number}: {name} is {mine.get(name)!r}, "
                       f"xprof has {its[name]!r}")


def _framework(ours, theirs):
    counts = collections.Counter()
    differences = []
    for index, name in enumerate(("framework rows", "rows without idle")):
        counts[name] = len(theirs[index]["rows"])
        differences += _compare_tables(ours[index], theirs[index],
                                       lambda row: FRAMEWORK, name)
    return counts, differences


def _hlo(ours, theirs):
    def columns(row):
        return HLO + HLO_TPU if row["core_type"] else HLO

    return (collections.Counter({"HLO rows": len(theirs["rows"])}),
            list(_compare_tables(ours, theirs, columns, "hlo_stats")))


def _in_our_order(table):
    """Rows that are equal but for the operation and what it took each time, by
    operation: xprof puts a guess before it, whether that suits tensor cores."""
    rows = _rows(table)
    order = sorted(range(len(rows)), key=lambda i: (
        -rows[i]["total_duration_us"], *(str(rows[i][name]) for name in (
            "kernel_name", "block_dim", "grid_dim", "registers_per_thread",
            "shmem_bytes", "op_name"))))
    ranks = [row["c"][0] for row in table["rows"]]
    return {**table, "rows": [{"c": [rank, *table["rows"][i]["c"][1:]]}
                              for rank, i in zip(ranks, order)]}


def _kernel(ours, theirs):
    ours, theirs = _in_our_order(ours), _in_our_order(theirs)
    return (collections.Counter({"kernel rows": len(theirs["rows"])}),
            list(_compare_tables(ours, theirs, lambda row: KERNEL,
                                 "kernel_stats")))


def live_blocks(allocator):
    """What is held at the peak, as a multiset."""
    live = collections.Counter()
    for held in allocator.get("activeAllocations", []):
        special = int(held["specialIndex"])
        block = (allocator["specialAllocations"][special] if special >= 0 else
                 allocator["memoryProfileSnapshots"][
                     int(held["snapshotIndex"])]["activityMetadata"])
        live[int(block["allocationBytes"]), int(block["requestedBytes"]),
             block["tfOpName"], block["regionType"],
             block["tensorShape"]] += int(held["numOccurrences"])
    return live


def _memory(ours, theirs):
    differences = []
    if ours["memoryIds"] != theirs.get("memoryIds", []):
        differences.append(f"memory_profile: memoryIds {ours['memoryIds']}, "
                           f"xprof has {theirs.get('memoryIds')}")
    theirs = theirs.get("memoryProfilePerAllocator", {})
    ours = ours["memoryProfilePerAllocator"]
    for name in sorted(set(ours) & set(theirs)):
        mine, its = ours[name], theirs[name]
        figures = [(one["profileSummary"]["peakStats"]["peakBytesInUse"],
                    one["profileSummary"]["peakStatsTimePs"])
                   for one in (mine, its)]
        if figures[0] != figures[1]:
            differences.append(f"memory_profile: {name}: peak {figures[0]}, "
                               f"xprof has {figures[1]}")
        live = [live_blocks(mine), live_blocks(its)]
        if live[0] != live[1]:
            differences.append(
                f"memory_profile: {name}: only ours "
                f"{list((live[0] - live[1]).items())[:2]}, only xprof's "
                f"{list((live[1] - live[0]).items())[:2]}")
    if set(ours) != set(theirs):
        differences.append(f"memory_profile: allocators {sorted(ours)}, "
                           f"xprof has {sorted(theirs)}")
    return collections.Counter({"allocators": len(theirs)}), differences


_COMPARE = dict(zip(TOOLS, (_framework, _hlo, _kernel, _memory)))


def compare(tool, ours, theirs):
    """(what was compared, as a Counter; the differences, as texts) of two answers
    that were parsed from JSON."""
    return _COMPARE[tool](ours, theirs)
