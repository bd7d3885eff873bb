"""What the shell of whoever runs the tests says about them must not matter."""

import os
import signal

# Seconds until a program that a test has started counts as hung. Nothing that
# is tested takes a tenth of it, but a machine may be busy.
PATIENCE = 600

# How text looks and is shown, where and when. A test sets those it is about.
NAMES = {"TERM", "COLORTERM", "CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR",
         "FORCE_COLOR", "COLUMNS", "LINES", "PAGER", "LESS", "MANPAGER",
         "MANWIDTH", "INPUTRC", "LANG", "LANGUAGE", "TZ", "XDG_STATE_HOME",
         "SOURCE_DATE_EPOCH"}


def forget():
    """Called before any test, by conftest.py."""
    take_signals()
    for name in list(os.environ):
        if name in NAMES or name.startswith("LC_"):
            del os.environ[name]


def take_signals():
    """A shell has its background jobs ignore SIGINT and SIGQUIT, nohup has
    them ignore SIGHUP. A program inherits what is ignored, so the tests of
    signals would wait forever."""
    for number, handler in ((signal.SIGINT, signal.default_int_handler),
                            (signal.SIGQUIT, signal.SIG_DFL),
                            (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)
