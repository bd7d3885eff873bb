"""Debian's chromium, driven by Playwright."""

import contextlib
import shutil

from lacking import lacks

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""

# The pages are files of ours, and the sandbox does not work as root.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@contextlib.contextmanager
def started():
    """A browser. Without one the test is skipped, but fails with CI=true."""
    if not CHROMIUM:
        lacks("needs chromium (tools/setup installs it)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacks("needs playwright (tools/setup installs it)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM,
                                             args=FLAGS)
        yield browser
        browser.close()
