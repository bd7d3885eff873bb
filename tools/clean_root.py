"""Clean roots: Debian as it is before anyone installs anything.

Made by debootstrap of the release that this machine runs, from the mirrors that
its apt is set up with, and kept as an archive in build/roots for a day. Every
mount happens in a mount namespace of its own and ends with the command that
needed it, whatever ends that.
"""

import os
import pathlib
import shutil
import subprocess
import time

KEPT_SECONDS = 24 * 3600
ATTEMPTS = 3  # to download a root

# A person would answer yes, and try again; and nobody needs these files after
# a crash.
SETTINGS = {
    "etc/apt/apt.conf.d/90check": """\
APT::Get::Assume-Yes "true";
APT::Install-Recommends "false";
Acquire::Retries "3";
DPkg::Use-Pty "false";
Dpkg::Progress-Fancy "0";
""",
    "etc/dpkg/dpkg.cfg.d/90check": "force-unsafe-io\n",
}
# What is different in every root that was used, whatever was done in it.
VOLATILE = ("proc/", "dev/", "tmp/", "root/", "run/", "var/cache/", "var/log/",
            "var/lib/apt/", "var/lib/dpkg/")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class CheckError(Exception):
    """What does not hold, in words for a person."""


def run(*command, **how):
    """What the command prints; raises with all that it says, if it fails."""
    done = subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="backslashreplace", **how)
    if done.returncode != 0:
        raise CheckError(f"exit {done.returncode} of "
                         f"{' '.join(map(str, command))}:\n{done.stdout}")
    return done.stdout


def the_only(folder, pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise CheckError(f"{len(found)} files {pattern} in {folder}: "
                         f"{sorted(file.name for file in folder.glob('*'))}")
    return found[0]


def release():
    with open("/etc/os-release", encoding="utf-8") as file:
        told = dict(line.rstrip("\n").split("=", 1) for line in file
                    if "=" in line)
    return told["VERSION_CODENAME"].strip('"')


def sources(codename):
    """Lines for sources.list: those of this machine for its release."""
    told = run("apt-get", "indextargets", "--format",
               "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Identifier: Packages")
    found = []
    for line in told.splitlines():
        _, suite, _ = line.split(" ")
        if suite == codename or suite.startswith(f"{codename}-"):
            found.append(line)
    # The release itself comes first: debootstrap takes its mirror.
    found = sorted(set(found), key=lambda line: line.split(" ")[1])
    if not found or found[0].split(" ")[1] != codename:
        raise CheckError(f"apt knows no mirror of {codename}")
    return found


class Root:
    """A root in a folder; of the machine that this one is."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def write(self, path, text):
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def command(self, *words, cwd="/root"):
        """The words that run words inside, with /proc mounted."""
        inside = ["chroot", str(self.folder), "/usr/bin/env", "-i",
                  f"--chdir={cwd}", f"PATH={PATH}", "HOME=/root",
                  "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
                  *map(str, words)]
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child",
                "sh", "-c", 'mount -t proc proc "$0/proc" && exec "$@"',
                str(self.folder), *inside]

    def run(self, *words, cwd="/root", **how):
        return run(*self.command(*words, cwd=cwd),
                   stdin=subprocess.DEVNULL, **how)

    def paths(self):
        """Everything in it that is not volatile."""
        found = set()
        for folder, _, names in os.walk(self.folder):
            here = os.path.relpath(folder, self.folder)
            found.add(f"{here}/")
            found.update(os.path.normpath(f"{here}/{name}") for name in names)
        return {path for path in found if not path.startswith(VOLATILE)}

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def bootstrap(root, codename, mirror):
    for attempt in range(ATTEMPTS):
        root.remove()
        try:
            run("unshare", "--mount", "debootstrap", "--variant=minbase",
                codename, root.folder, mirror)
            return
        except CheckError:
            if attempt == ATTEMPTS - 1:
                raise
            time.sleep(10)


def make_archive(archive, codename):
    """A root with the lists of packages loaded, as a tar file."""
    listed = sources(codename)
    root = Root(archive.with_suffix(".making"))
    archive.parent.mkdir(parents=True, exist_ok=True)
    bootstrap(root, codename, listed[0].split(" ")[0])
    root.write("etc/apt/sources.list",
               "".join(f"deb {line}\n" for line in listed))
    for path, text in SETTINGS.items():
        root.write(path, text)
    root.run("apt-get", "update", "-q")
    root.run("apt-get", "upgrade", "-q")
    root.run("apt-get", "clean")
    making = archive.with_suffix(".part")
    run("tar", "-C", root.folder, "-cf", making, ".")
    making.rename(archive)
    root.remove()


def new(folder, kept):
    """A clean root in `folder`; `kept` is the folder of archives."""
    if os.geteuid() != 0:
        raise CheckError("clean roots need root: chroot, mount")
    codename = release()
    machine = os.uname().machine
    archive = pathlib.Path(kept) / f"{codename}-{machine}.tar"
    if not archive.exists() or \
            time.time() - archive.stat().st_mtime > KEPT_SECONDS:
        make_archive(archive, codename)
    root = Root(folder)
    root.remove()
    root.folder.mkdir(parents=True)
    root.folder.chmod(0o755)
    run("tar", "-C", root.folder, "-xf", archive)
    return root
