"""Subjects of commits are `area: verb object`, the verb an imperative, at most
60 characters.

Commits that are older than the file BEGUN are not checked. If VERBS lacks a verb
that says what a commit does, add it.
"""

import re
import subprocess

import csource

BEGUN = "tools/check-commits"
LIMIT = 60
SUBJECT = re.compile(r"[a-z0-9][\w.,/ +-]*: (?P<verb>[a-z]+) \S.*")
VERBS = set("""
accept account add adjust align allow amend answer apply ask assert assume
attribute average avoid begin benchmark bound build bump cache call cancel catch
change check choose clamp clarify clean clear close collect color combine
compare complete compress compute configure connect convert copy correct count
cover create cut decode decompress define delete deny deprecate derive describe
detect disable discard document double draw drop edit embed emit enable encode
end enforce escape estimate exclude exit expand expect explain export expose
extend extract fail fall fetch fill filter find fix flag flatten fold follow
format free freeze gather generate give group guard guess handle harden hash
hide hint ignore implement import improve include increase index infer inline
insert inspect install intern interpret interrupt introduce invert judge keep
label leave limit link lint list load lock log lower make map mark match measure
mend mention merge migrate model move name narrow nest note number offer omit
open optimize order override pack parallelize parse pass pin point poll prefer
prepare preserve prevent print probe profile promise propagate protect prove
prune put quote raise randomize rank read rebuild recognize record redraw reduce
refactor refresh refuse regenerate register reject release rely remember remove
rename render renew reorder repair repeat replace replay report require rerun
reserve reset resolve respect restore restrict return reuse revert revise
rewrite round run sample save scan search select send separate serve set share
shorten show shrink silence simplify skip sort specify split start state stop
store stream strip suggest sum summarize support swap sweep switch take teach
terminate test tighten time total trace track translate treat trim truncate try
tune turn understand unify unlock unpack update upgrade use validate vendor
verify visit wait walk warn weaken widen wrap write yield zero
""".split())


def fault(subject):
    """Why a subject is refused, or None."""
    if subject.startswith('Revert "'): # as git writes it
        return None
    if len(subject) > LIMIT:
        return f"{len(subject)} characters, at most {LIMIT}"
    match = SUBJECT.fullmatch(subject)
    if not match:
        return "write it as `area: verb object`"
    if match["verb"] not in VERBS:
        return (f'"{match["verb"]}" is not a verb of this project in the '
                f"imperative (tools/lint.d/{__name__}.py)")
    return None


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=csource.ROOT, text=True,
                          check=True, capture_output=True).stdout


def subjects():
    """Commit: subject, of what was committed after BEGUN."""
    added = git("log", "--format=%H", "--diff-filter=A", "--", BEGUN).split()
    lines = git("log", "--no-merges", "--format=%h %s", f"{added[-1]}..HEAD")
    return dict(line.split(" ", 1) for line in lines.splitlines())


def check(tree):
    if not tree.planted and not (csource.ROOT / ".git").exists():
        return "no history here, so nothing was checked", []
    found = tree.texts if tree.planted else subjects()
    found = {commit: subject.strip() for commit, subject in found.items()}
    return f"{len(found)} commits", [
        f"{commit}: {fault(subject)}: {subject}"
        for commit, subject in found.items() if fault(subject)]


CASES = """
1: fuzz: what is not given is nothing => "what" is not a verb
2: api: an op log of another model is told => "an" is not a verb
3: api: Warn about op logs of another model => write it as
4: api: warned about op logs => "warned" is not a verb
5: api: warning about op logs => "warning" is not a verb
6: api: warn => write it as
7: warn about op logs of another model => write it as
8: api warn about op logs => write it as
9: api: warn about op logs that belong to another model than the graph
    => 67 characters, at most 60
1: fuzz: treat missing inputs as empty
2: api: warn about op logs of another model
3: input/path: read gzip members after the first
4: docs, tests: rename the timeline page
5: Revert "api: warn about op logs of another model"
6: api: warn about op logs that another model and graph brought
"""
