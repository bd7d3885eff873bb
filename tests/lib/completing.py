"""Real shells, in which Tab is pressed."""

import os
import re
import shutil
import subprocess

import pexpect

from program import SOURCE_DIR
from surroundings import PATIENCE

BUILD = os.environ.get("TFPROF_BUILD_DIR", str(SOURCE_DIR / "build/dev"))
MANUAL = os.path.join(BUILD, "manual")
PACKAGE = "/usr/share/bash-completion/bash_completion"


class Shell:
    """A shell at a terminal of many columns, with `tfprof` to be completed."""

    def __init__(self, command, folder, environment=None):
        # While a shell runs the command of a key, the terminal edits lines; a
        # Ctrl-U that comes then must wait for the shell.
        self.child = pexpect.spawn(
            "sh", ["-c", 'stty kill undef; exec "$@"', "sh", *command],
            cwd=folder, encoding="utf-8",
            timeout=PATIENCE, dimensions=(200, 160), echo=False,
            env={"PATH": os.environ["PATH"], "HOME": str(folder),
                 "TERM": "dumb", "LC_ALL": "C.UTF-8", **(environment or {})})
        self.child.delaybeforesend = None  # a shell reads what waits

    def close(self):
        self.child.close(force=True)

    def say(self, line):
        self.child.send(line + "\r")

    def after(self, typed, keys="\t"):
        """What stands on the screen after these keys, and the line then."""
        self.child.send(typed)
        self.child.send(keys)
        self.child.send("\x18d")  # the key that shows the line
        self.child.expect(r"LINE<(.*?)>ENIL")
        line, screen = self.child.match[1], self.child.before
        self.child.send("\x15")
        return line, screen

    def line(self, typed):
        """The line that Tab makes of this one."""
        return self.after(typed)[0]

    def choices(self, typed):
        """The words that Tab lists."""
        self.after("", "")  # takes what is left of the line before
        screen = self.after(typed, "\t\t")[1]
        return set(re.sub(r"\x1b\[[\d;]*m", "", screen).split())


class Bash(Shell):
    def __init__(self, folder, with_package):
        super().__init__(["bash", "--norc", "--noprofile", "-i"], folder,
                         {"BASH_COMPLETION_USER_DIR": str(folder / "user"),
                          "XDG_DATA_DIRS": str(folder / "none")})
        self.say("PS1='> '; bind 'set show-all-if-ambiguous on'")
        self.say("bind 'set completion-query-items 0'")
        self.say("bind 'set page-completions off'; bind 'set bell-style none'")
        self.say("bind 'set enable-bracketed-paste off'")
        self.say("show() { printf 'LINE<%s>ENIL\\n' \"$READLINE_LINE\"; }")
        self.say("bind -x '\"\\C-xd\": show'")
        if with_package:
            where = folder / "user" / "completions"
            where.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.join(MANUAL, "tfprof.bash"), where / "tfprof")
            self.say(f"source {PACKAGE}")
        else:
            self.say(f"source {MANUAL}/tfprof.bash")
        self.say("echo REA''DY")
        self.child.expect("READY")


class Zsh(Shell):
    def __init__(self, folder):
        functions = folder / "functions"
        functions.mkdir(exist_ok=True)
        shutil.copy(os.path.join(MANUAL, "tfprof.zsh"), functions / "_tfprof")
        super().__init__(["zsh", "-f", "-i"], folder)
        self.say("PS1='> '; PROMPT_EOL_MARK=; LISTMAX=0; unsetopt prompt_sp")
        self.say(f"fpath=({functions} $fpath); autoload -Uz compinit")
        self.say(f"compinit -u -d {folder}/compdump; setopt no_beep list_packed")
        self.say("zstyle ':completion:*' list-colors ''")
        self.say("show() { zle -I; print -r -- \"LINE<$BUFFER>ENIL\" }")
        self.say("zle -N show; bindkey '^Xd' show; bindkey '^U' kill-whole-line")
        self.say("echo REA''DY")
        self.child.expect("READY")


class Fish:
    """Asked without a terminal: fish tells its completions itself."""

    def __init__(self, folder):
        self.folder = folder

    def close(self):
        pass

    def described(self, typed):
        """{what the word may become: description}"""
        done = subprocess.run(
            ["fish", "--no-config", "-c",
             f"source {MANUAL}/tfprof.fish; complete -C $argv[1]", typed],
            cwd=self.folder, capture_output=True, text=True, check=True,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder),
                 "LC_ALL": "C.UTF-8"})
        assert done.stderr == ""
        return dict((line.split("\t") + [""])[:2]
                    for line in done.stdout.splitlines())

    def choices(self, typed):
        return set(self.described(typed))
