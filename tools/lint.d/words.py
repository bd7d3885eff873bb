"""No phrase that a reader has to read twice.

What is read: tools/texts.py. Options are written with two dashes, also in the
commands of the documentation.
"""

import bisect
import re

import csource
import texts

# For each phrase a sentence that has it, what to write instead, and the pattern
# in lines that begin with spaces. BEGIN is where a sentence begins, REST the end
# of one that is not a question.
RULES = r"""
The file is no trace. => write "is not a"
    (?<!there )\b(?:is|are|was|were|be) no
     (?!(?:longer|more|less|later|larger|smaller|earlier|X)\b)[a-z]
What is not given is ignored. => name the subject instead of a clause
    BEGIN(?:What|Who|Whoever|Whatever|That which)REST
Of the rows, two are hidden. => start with the subject
    BEGINOf (?:the|these|those|all|each|what|an?|several|two|such)\b[^.?\n]*?,
Where a loop is found it is counted. => start with the subject, or write "if"
    BEGINWhere (?:an?|the|no|it|they|there|nothing|one|two|several|both|this|
    that)\bREST
No node is called so. => name the thing
    \b(?:is|are|was|were|be) (?:called|named|given|written) so\b
Rows there are none. => write "has no X"
    (?<!if )(?<!when )\bthere (?:is|are) none\b|
    \bthan there (?:is|are)(?=[.,;:)]|$)|\bwhat (?:it|there) is\b,? is\b
The op log is told. => report, show, print or explain
    \b(?:is|are|was|were|be) told\b|
    \btells? (?:of|more|what|which|how|where|whether|that|you)\b
The option has no say. => write "is ignored"
    \b(?:has|have|had) (?:any|no|a) say\b
The loop goes round. => a loop has iterations
    \bgo(?:es)? a?round\b|\btrips? around\b
The write went wrong. => fail
    \bgo(?:es)? wrong\b|\bwent wrong\b|\bgone wrong\b
Totals go by the step. => use, or depend on
    \bgo(?:es)? by\b
The dearest branch counts. => expensive
    \bdear(?:er|est)?\b|\bmost costly\b|\bcostliest\b
The step stands behind the name. => is, appears, or comes
    \bstands? (?:in|at|behind|before|beside|below|above|on|there|alone|first|last|
    next)\b
The trace brings its lines. => contain, or include
    \bbrings? (?:its|their|with|along)\b
It is read anew. => again
    \banew\b
Ask again and again. => repeatedly
    \bagain and again\b
Besides, it is slow. => also, or in addition to
    \bbesides\b
Likewise for rows. => use a plain word
    \b(?:likewise|thereof|therein|wherein|whereof|hereby|wherefore)\b|
    \bas it were\b|\bby no means\b|\bto speak of\b
The value is written as it is. => unchanged, or unlimited
    \bas (?:it is|they are)(?=[.,;:)]|$)
It stays for the sake of those below. => because of, or for
    \bfor the sake of\b
The option puts it right. => fix, or correct
    \bputs? (?:\w+ )?right\b
It fails with a word. => explain, or report
    \bin words\b|\ba word (?:about|on)\b|\bwith a word\b
Names are to be found there. => available, or shown
    \bto be (?:had|seen|found)\b
It does without a graph. => omit, or does not need
    \b(?:do|does|doing) without\b
It counts the one before. => the previous, or the next
    \bthe one (?:before|after)\b(?! it)
The file was packed by gzip. => compressed, or decompressed
    \b(?:un)?packed (?:by|with|files?|data|inputs?|blocks?)\b
The colour of a row. => use American spelling
    \b(?:colour|behaviour|neighbour|favour|honour|labour|flavour)\w*|
    \bcentres?\b|\bgrey\b|\blicences?\b|\bartefacts?\b|
    \b(?:cancell|modell|labell|travell|signall)(?:ed|ing)\b|
    \b(?:un)?(?:recogni|optimi|organi|initiali|seriali|normali|summari|vectori|
    quanti|locali|minimi|maximi|generali|speciali|reali|emphasi|synchroni|
    paralleli|finali|customi|visuali|prioriti)s(?:es?|ed|ing|ers?|ations?)\b
"""


def compiled():
    """(pattern, advice, sentence) of each rule."""
    for rule in re.split(r"\n(?! )", RULES.strip()):
        sentence, advice, pattern = re.split(" => |\n    ", rule, maxsplit=2)
        pattern = pattern.replace("\n    ", "")
        flags = 0 if pattern.startswith("BEGIN") else re.IGNORECASE
        pattern = pattern.replace("BEGIN", r"(?:^|(?<=[.:;!?] ))")
        pattern = pattern.replace("REST", r" [^?.\n]*\.")
        yield re.compile(pattern, flags | re.MULTILINE), advice, sentence


COMPILED = list(compiled())

# What has options of the same names: pprof, and the macros of man pages.
FOREIGN = re.compile(r"\bpprof\b(?!:)|\.Bl ")
OPTION = re.compile(r'\{ "([a-z][a-z_]+)", TFPROF_OPTION')


def single_dashes(tree):
    """A pattern for options with one dash; those of a metric have its name."""
    table = "src/options/table.c"
    names = ["select"]
    if table in tree.names:
        names = OPTION.findall(tree.text(table))
    return re.compile(rf"(?<![\w\-\[./=])-(?:{'|'.join(names)}|"
                      r"min_(?:self_)?\w+)\b(?![-\w])")


def in_page(text, option):
    """(line, option) with one dash, in the prose and the commands of a page."""
    fences = [match.span() for match in texts.FENCE.finditer(text)]
    for match in option.finditer(text):
        before = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
        in_block = any(a < match.start() < b for a, b in fences)
        if not FOREIGN.search(before) and (
                not in_block or re.match(r"\s*(?:\$|tfprof>) ", before)):
            yield csource.line_of(text, match.start()), match[0]


def check(tree):
    # Every passage is a line, but names, such as a value in JSON.
    passages = [passage for passage in texts.passages(tree)
                if " " in passage.text]
    whole = "\n".join(passage.text for passage in passages)
    starts = [0, *(match.end() for match in re.finditer("\n", whole))]
    option, dashes = single_dashes(tree), "write it with two dashes"
    found = []
    for pattern, advice, _ in [*COMPILED, (option, dashes, "")]:
        for match in pattern.finditer(whole):
            index = bisect.bisect(starts, match.start()) - 1
            passage, at = passages[index], match.start() - starts[index]
            if pattern != option or passage.kind != "docs" and (
                    not FOREIGN.search(passage.text[:at])):
                found.append((passage.path, passage.line(at), match[0], advice))
    kinds = {name: texts.kind_of(name)[0] for name in tree.names
             if texts.kind_of(name)}
    for name in kinds:
        if kinds[name] == "docs":
            found += [(name, line, words, dashes)
                      for line, words in in_page(tree.text(name), option)]
    return f"{len(kinds)} files, {len(COMPILED)} rules", [
        f'{path}:{line}: "{words[:60]}": {advice}'
        for path, line, words, advice in sorted(found)]


CASES = "\n".join(rf"docs/a.md: # Title\n\n{sentence} => docs/a.md:3: "
                for _, _, sentence in COMPILED) + r"""
docs/a.md: One ` mark.\n\nIt is no\ntrace, ` is it? => docs/a.md:3: "is no t"
README.md: A list:\n- one\n- What is not\n  given is ignored. => README.md:3: "What
docs/a.md: | a | reason |\n| --- | --- |\n| a | It is told | => :3: "is told"
docs/messages.tsv: message\tcause\tremedy\na b\tIt is told\tnothing => :2: "is told"
docs/a.md: | a | b |\n| --- | --- |\n| a | What it has is ignored. | => :3: "What it
docs/a.md: Give `-select params`. => docs/a.md:1: "-select": write it with two
docs/a.md: ```console\n$ tfprof scope a -select params\n``` => docs/a.md:2: "-select"
src/a/a.c: tfp_fail(e, "%s is "\n         "no trace", path); => a.c:1: "is no t"
src/cli/topics.c: "Give -select." => topics.c:1: "-select"
src/options/table.c: { "units", TFPROF_OPTION_A, "a" },
    && docs/a.md: `-units a` and `-select`. => docs/a.md:1: "-units"
src/manual/options.md.in: The op log is told. => is told
include/tfprof/a.h: /* The caller is\n * told. */\nint a(void); => a.h:1: "is told"
python/tfprof/a.py: def f():\n    """ + '"""A row is\\n    no node."""' + r""" => a.py:2:
python/pytest_tfprof/a.py: raise ValueError(f"{a} is no {b} file")
    \nraise ValueError(f"{a} is no file") => a.py:2: "is no f"
docs/a.md: There is no trace. It is no longer read. Is it no? What is a row?
    \n\n## What rows cost\n\nIt runs.
docs/a.md: ```\nit is no trace,\n\nit is no trace, -select\n```\nAs `is no trace`.
docs/a.md: - anew\n\n<!-- It is no trace. -->
docs/a.md: ```console\n$ tfprof a --select b\n-select b\n```
docs/a.md: Write it with pprof -select.
docs/a.md: See [the page](a.md "it is no page").
src/a/a.c: /* It is no trace. */\nf("is", "no trace");
include/tfprof/a.h: const char *a = "is no trace";
python/tfprof/a.py: # It is no trace.
tests/a.c: f("it is no trace");
tests/golden/a.md: It is no trace.
"""
