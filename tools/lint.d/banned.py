"""No call of a function that this project does without.

Comments, strings and #include lines are not looked at; a member of a struct
may have any name. The compiler rejects variable-length arrays (-Wvla).
"""

import re

import csource

OURS = ["src", "include", "fuzz", "tests", "bench", "examples"]
LIBRARY = ["src", "include"]

# (names, folders where a call is refused, folders inside them where it is
# not, why)
RULES = [
    ("strcpy strcat sprintf vsprintf gets", OURS, [],
     "writes without knowing how much room there is"),
    ("strtok", OURS, [], "keeps hidden state"),
    ("atoi atol atoll atof", OURS, [], "cannot report a bad number"),
    ("strtod strtof", OURS, [], "depends on the locale"),
    ("system popen", OURS, [], "runs a shell"),
    ("mktemp tmpnam", OURS, [], "names a file that someone else may make"),
    ("alloca", OURS, [], "cannot fail, only overflow the stack"),
    ("time rand random", ["tests", "fuzz"], [],
     "the same commit must not pass and then fail; see tests/unit/counting.h"),
    ("setlocale", LIBRARY, ["src/cli"], "a library leaves the locale alone"),
    ("mmap mmap64", LIBRARY, [],
     "a file cut short while mapped is a signal; use base/reader.h"),
    ("malloc calloc realloc reallocarray free aligned_alloc posix_memalign "
     "strdup strndup", LIBRARY,
     ["src/base", "src/api", "src/cli", "src/manual", "src/tui"],
     "memory is counted; use base/memory.h"),
]
BANNED = {name: rule for rule in RULES for name in rule[0].split()}
CALL = re.compile(rf"\b(?<!\.)(?<!->)({'|'.join(BANNED)})\s*\(")


def check(tree):
    violations = []
    files = tree.c_files(*OURS)
    for path in files:
        text = csource.code_only(tree.text(path))
        for match in CALL.finditer(text):
            _, folders, allowed, why = BANNED[match[1]]
            if csource.inside(path, folders) and (
                    not csource.inside(path, allowed)):
                line = csource.line_of(text, match.start())
                violations.append(f"{path}:{line}: {match[1]}(): {why}")
    return f"{len(files)} files, {len(BANNED)} names", violations


CASES = "\n".join(
    f"{folders[0]}/model/a.c: int f(void) {{ {name}(1); }} => {name}(): {why}"
    for name, (_, folders, _, why) in BANNED.items()) + r"""
src/base/a.c: void f(char *s) { strcpy (s, t); } => strcpy(): writes
include/a.h: #define COPY(s, t) strcat(s, t) => strcat(): writes
src/cli/a.c: int f(void) { return x ? atoi\n(s) : 0; } => cannot report
tests/unit/a_test.c: int f(void) { return system("ls"); } => runs a shell
tests/unit/a_test.c: void f(void) { seed = time(NULL); } => see tests/unit
src/api/a.c: void f(void) {\n setlocale(LC_ALL, ""); } => a.c:2: setlocale()
src/cli/a.c: void f(void) { mmap(0, 1, 2, 3, 4, 5); } => use base/reader.h
src/model/a.c: void f(void) { /* no */ free(p); } => use base/memory.h
src/input/a.c: char *f(void) { return g("\"", malloc(1)); } => malloc()
src/input/a.c: void f(void) { c = '"'; p = malloc(1); } => malloc()
fuzz/fuzz_a.c: void f(void) { (void)strtod(s, 0); } => the locale
bench/a.c: char *f(void) { return strtok(s, t); } => hidden state
src/tui/a.c: void *f(void) { return alloca(1); } => alloca(): cannot fail
examples/a.c: char *f(void) { return mktemp(s); } => someone else
src/base/a.c: void *f(void) { return malloc(1); }
src/api/a.c: void f(void *p) { free(p); }
src/cli/a.c: void f(void) { setlocale(LC_CTYPE, ""); }
src/model/a.c: /* free(p) */ // strcpy(a, b)\nint malloc_count;
src/model/a.c: const char *s = "atoi(x) /*"; int y;
src/model/a.c: void f(void) { m->free(p); m.free(p); tfp_memory_free(m, p, n); }
tests/unit/a_test.c: void f(void) { setlocale(LC_ALL, ""); counting_random(&s); }
fuzz/fuzz_a.c: void f(void *p) { free(p); }
"""
