"""Each file includes what it uses.

A file of src/ that uses a name of ours (tfp_..., TFP_...) includes the header
that declares it, itself or through the header of its own name. A header stands
for those that it includes from its own room: model/model.h for all of model.
"""

import re

import csource

USED = re.compile(r"(?<!struct )\b(?:tfp|TFP)_\w+") # not "struct tfp_a *"


def reach(header, includes):
    """A header with those of its room that it includes, however deep."""
    room = header.split("/")[1]
    found, waiting = {header}, [header]
    while waiting:
        new = {other for other in includes.get(waiting.pop(), ())
               if other.split("/")[1] == room} - found
        found |= new
        waiting += new
    return found


def missing(tree):
    """(file, position, name, header) of what is used and not included."""
    files = tree.c_files("src")
    includes = {file: ["src/" + target[1:-1]
                       for target, _ in csource.included(tree.text(file))
                       if target.startswith('"')] for file in files}
    places = csource.declared(tree, "src")
    for file in files:
        own = file[:-2] + ".h"
        given = {file, *includes[file], own, *includes.get(own, ())}
        known = set().union(*(reach(one, includes) for one in given))
        for use in USED.finditer(csource.code_only(tree.text(file))):
            headers = {header for header, _ in places.get(use[0], ())}
            if len(headers) == 1 and not headers <= known:
                known |= headers
                yield file, use.start(), use[0], *headers


def check(tree):
    return f"{len(tree.c_files('src'))} files", [
        f"{file}:{csource.line_of(tree.text(file), position)}: uses {name} and "
        f"does not include {header[len('src/'):]}"
        for file, position, name, header in missing(tree)]


def fix(tree):
    """Adds lines before the first of the kind; tools/format sorts them."""
    found = list(missing(tree))
    for file, _, _, header in found:
        text = tree.text(file)
        at = (re.search(r'^#include "', text, re.MULTILINE) or
              re.search(r"^#include", text, re.MULTILINE) or
              re.search(r"(?<=\*/\n)|\A(?!/\*)", text))
        place, line = at.start(), f'#include "{header[4:]}"\n'
        own = f'#include "{file[4:-2]}.h"\n'
        if text.startswith(own, place): # which stands apart from the others
            place += len(own)
            line = "\n" + line
        tree.write(file, text[:place] + line + text[place:])
    return f"{len(found)} lines added" + ("; run tools/format" if found else "")


CASES = r"""
src/base/a.h: int tfp_a(void);
    && src/b/b.c: int b(void)\n{\n    return tfp_a() + tfp_a();\n}
    => src/b/b.c:3: uses tfp_a and does not include base/a.h
src/base/a.h: int tfp_a(void); && src/b/b.h: #include "base/a.h"
    && src/c/c.c: /* C. */\n\n#include "b/b.h"\nint (*f)(void) = tfp_a; => base/a.h
src/base/a.h: #define TFP_A 1 && src/b/b.h: /* B. */\n#include <a.h>\nint b[TFP_A];
    => src/b/b.h:3: uses TFP_A
src/base/a.h: int tfp_a(void); && src/b/b.h: int b;
    && src/b/b.c: /* B. */\n\n#include "b/b.h"\nint (*f)(void) = tfp_a; => base/a.h
src/base/a.h: int tfp_a(void);
    && src/b/b.c: #include "base/a.h"\nint (*f)(void) = tfp_a;
src/base/a.h: int tfp_a(void); && src/b/b.h: #include "base/a.h"
    && src/b/b.c: #include "b/b.h"\nint (*f)(void) = tfp_a;
src/base/a.h: int tfp_a(void); && src/base/all.h: #include "base/a.h"
    && src/b/b.c: #include "base/all.h"\nint (*f)(void) = tfp_a;
src/base/b.h: typedef struct tfp_b {\n} tfp_b; && src/b/b.c: struct tfp_b *b;
src/base/a.h: int tfp_a(void); && src/b/b.c: /* tfp_a() */\nint b;
"""
