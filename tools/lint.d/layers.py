"""Each file includes only what its room may know.

A room is a folder of src/; a large one has parts, folders of its own. Headers
of the source tree are written "room/file.h" or "room/part/file.h", those of the
public interface <tfprof/file.h>. The drawing behind this table, with the
reasons, opens docs/architecture.md; change both together.
"""

import re

import csource

# The other rooms that a room may include, with <the public headers> beside
# error.h; and the parts of its room that a part may include. A room with parts
# has no files outside them.
ALLOWED = """
base:
stats proto model: base
options: base model <option.h>
input: base proto model trace
    input/table input/load:
    input/kind: table
    input/checkpoint: kind load table
    input/path: kind table load checkpoint
trace: base proto model
xprof: base proto model trace
ops: base proto model
    ops/fact:
    ops/fold: fact
    ops/table: fact fold
    ops/walk: fact fold table
    ops/flops: fact walk
view: base model options
advise: base model options view
sheet: base proto model
aggregate: base model options view sheet
compare: base stats model options view
budget: base stats model
output: base proto model options ops view advise sheet aggregate \
compare budget xprof <version.h>
    output/sink output/arrow:
    output/text output/profile: sink
    output/info output/advice output/xprof output/compare: sink text
    output/check: sink text
    output/parquet: sink arrow
    output/view output/sheet: sink text arrow parquet
    output/flops: sink text arrow parquet sheet
    output/aggregate: sink arrow parquet sheet
    output/timeline output/pprof output/flame output/page: sink text view
    output/summary: sink text view advice
api: base stats proto model options trace input ops view advise sheet \
aggregate compare budget xprof output <*>
cli: tui <*>
tui: <*>
manual: cli <*>
"""
ALLOWED = {place: {"<error.h>", *others.split()}
           for places, others in re.findall(r"(.+):(.*)", ALLOWED)
           for place in places.split()}
ROOMS = {place for place in ALLOWED if "/" not in place}
PLACES = ALLOWED.keys() - {place.split("/")[0] for place in ALLOWED
                           if "/" in place}


def objection(place, included):
    """Why files of a place, or of include/ if it is None, may not include this,
    or None."""
    named = re.fullmatch(r'"([^"]+)"|<([^>]+)>', included)
    if not named:
        return "the included name must be written out"
    room = place and place.split("/")[0]
    other, _, file = (named[1] or named[2]).rpartition("/")
    other_room, _, other_part = other.partition("/")
    if named[1]:
        if place is None:
            return "public headers include only <...>"
        if other_room not in ROOMS:
            return f"there is no room {other_room or file}"
        if other not in PLACES:
            return 'write it "room/file.h" or "room/part/file.h"'
        if other_room not in ALLOWED[room] | {room}:
            return f"{room} may not include {other_room}"
        if other_room == room and other != place and (
                other_part not in ALLOWED[place]):
            return f"{place} may not include {other}"
    elif ".." in named[2].split("/"):
        return 'write it "room/file.h" or <tfprof/file.h>'
    elif other_room in ROOMS:
        return 'headers of src/ are written "room/file.h"'
    elif other_room == "tfprof" and room and not ALLOWED[room] & {
            "<*>", f"<{named[2][len('tfprof/'):]}>"}:
        return f"{room} may not include the public {file}"
    return None


def check(tree):
    violations = []
    files = tree.c_files("src", "include")
    count = 0
    for path in files:
        top, _, place = path.rpartition("/")[0].partition("/")
        if top == "include":
            place = None
        elif place not in PLACES:
            violations.append(f"{path}:1: not in a room of src/, or not in a "
                              "part of it")
            continue
        for included, line in csource.included(tree.text(path)):
            count += 1
            why = objection(place, included)
            if why:
                violations.append(f"{path}:{line}: {why}: {included}")
    return f"{len(files)} files, {count} includes", violations


CASES = r"""
src/base/a.c: #include "model/model.h" => a.c:1: base may not include model
src/base/a.c: #include <tfprof/profile.h> => may not include the public profile.h
src/model/a.c: \n  #  include "input/path/open.h" => a.c:2: model may not
src/model/a.c: # /* a */ include "input/path/open.h" => model may not
src/stats/a.c: #include "model/model.h" => stats may not include model
src/model/a.c: #include <tfprof/profile.h> => model may not include the public
src/view/a.h: #include "output/text/json.h" => view may not include output
src/cli/a.c: #include "base/memory.h" => cli may not include base
src/cli/a.c: #include "../base/memory.h" => there is no room ..
src/cli/a.c: #include <../base/memory.h> => write it "room/file.h" or <tfprof/
src/cli/a.c: #include "manual/manual.h" => cli may not include manual
src/tui/a.c: #include "cli/cli.h" => tui may not include cli
src/tui/a.c: #include "base/width.h" => tui may not include base
src/manual/a.c: #include "options/options.h" => manual may not include options
src/input/load/a.c: #include "open.h" => there is no room open.h
src/input/load/a.c: #include <model/model.h> => headers of src/ are written
src/input/load/a.c: #include "nowhere/open.h" => there is no room nowhere
src/input/load/a.c: #define H <zlib.h>\n#include H => must be written out: H
src/input/load/a.c: #include "input/path/paths.h" => load may not include input/path
src/output/sink/a.c: #include "output/text/json.h" => sink may not include output/text
src/output/view/a.c: #include "output/sink.h" => "room/part/file.h"
src/ops/table/a.c: #include "ops/walk/walk.h" => table may not include ops/walk
src/ops/a.c: int a; => src/ops/a.c:1: not in a room
src/output/nowhere/a.c: int a; => not in a part
src/a.c: int a; => not in a room
src/nowhere/a.c: int a; => not in a room
src/base/deep/a.c: int a; => not in a room
include/tfprof/a.h: #include "base/error.h" => include only <...>
src/base/a.c: #include <tfprof/error.h>\n#include <zlib.h>
src/base/a.c: /* #include "model/a.h" */\n// \\n#include "model/a.h"
    \n#include "base/a.h"
src/input/load/a.c: #include "proto/wire.h"\n#include "model/model.h"
src/api/a.c: #include <tfprof/profile.h>\n#include "output/sink/a.h"
src/cli/a.c: #include <tfprof/profile.h>\n#include "cli/repl.h"\n#include "tui/tui.h"
    \n#include <sys/stat.h> /* size */
src/output/timeline/a.c: #include "output/view/rows.h"
src/ops/flops/a.c: #include "ops/walk/walk.h"
src/manual/a.c: #include "cli/cli.h"\n#include "manual/roff.h"
include/tfprof/a.h: #include <tfprof/error.h>\n#include <stdint.h>
"""
