"""What the shell of whoever runs the tests says about them must not matter."""

import os

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
    for name in list(os.environ):
        if name in NAMES or name.startswith("LC_"):
            del os.environ[name]
