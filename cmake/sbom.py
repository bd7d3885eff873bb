"""sbom.py: what a program is made of, as SPDX 2.3 in JSON.

    sbom.py --program FILE --map FILE --version V --date SECONDS --output FILE
            [--inlined HEADER...] [--late PACKAGE...] [--notices DIR]

Asked are the linker (its map names every archive of which it took something),
the program (which shared libraries it wants) and dpkg (whose files these are).
HEADER is one whose functions the compiler puts into our own code, PACKAGE one
whose library the program loads when it needs it. DIR gets the notices of those
of whom the program has a part inside: most ask for that.
Where dpkg does not know a file, the file itself is named, without a licence;
a library whose path the map does not tell is a name and no more.
The same files and the same date give the same bytes.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import uuid

NAMESPACE = uuid.UUID("6b1bd7a5-6a5e-5a0e-8d6b-4f1f0b1f9a10")
UNKNOWN = "NOASSERTION"
OURS = "Apache-2.0"

# By source package, where `gcc-12` is `gcc`: what goes into programs of it, as
# its copyright file says.
LICENCES = {
    "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "glibc": "LGPL-2.1-or-later",
    "jansson": "MIT",
    "pcre2": "BSD-3-Clause",
    "snappy": "BSD-3-Clause",
    "xxhash": "BSD-2-Clause",
    "zlib": "Zlib",
}


def ask(*command):
    """What a command prints; nothing when it fails or is not there."""
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**os.environ, "LC_ALL": "C"})
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


# ---- What was linked ---------------------------------------------------------

def archives_taken(text):
    """Archives and objects of others of which the program has a part."""
    taken = set(re.findall(r"^(/\S+\.a)\(\S+\)(?=\s)", text, re.MULTILINE))
    # The start of every program: crt1.o and its like.
    taken |= set(re.findall(r"^LOAD (/\S+/\w?crt\w+\.o)$", text, re.MULTILINE))
    return taken


def libraries_wanted(program, text):
    """Files of the shared libraries that the program names."""
    wanted = re.findall(r"\(NEEDED\).*\[(.*)\]",
                        ask("readelf", "-d", "-W", program))
    loaded = {}
    for path in re.findall(r"^LOAD (/\S+\.so[\d.]*)$", text, re.MULTILINE):
        name = re.search(r"\(SONAME\).*\[(.*)\]",
                         ask("readelf", "-d", "-W", path))
        loaded[name[1] if name else os.path.basename(path)] = path
    return {loaded.get(name, name) for name in wanted}


def owner(path):
    """The package of a file, under any of the names that the file has."""
    real = os.path.realpath(path)
    for name in (real, re.sub(r"^/usr/lib/", "/lib/", real), path):
        found = re.match(r"([\w.+-]+)(?::\w+)?: ", ask("dpkg-query", "-S", name))
        if found:
            return found[1]
    return None


FACTS = ("source", "version", "maintainer", "home", "machine")


def package_facts(name):
    """What dpkg knows of a package: {} when nothing."""
    told = ask("dpkg-query", "-W", "-f",
               "${source:Package}\n${Version}\n${Maintainer}\n${Homepage}\n"
               "${Architecture}\n", name).split("\n")
    return {fact: word for fact, word in zip(FACTS, told) if word}


# ---- SPDX --------------------------------------------------------------------

def checksum(value):
    return [{"algorithm": "SHA256", "checksumValue": value}]


def spdx_id(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def file_entry(path):
    """A file that was linked. Its name is the one under which it is found."""
    path = os.path.realpath(path)
    # SPDX asks for SHA1 of files, whatever else there is.
    with open(path, "rb") as file:
        sha1 = hashlib.sha1(file.read()).hexdigest()
    return {
        "SPDXID": spdx_id("File", path.strip("/")),
        "fileName": f".{path}",
        "checksums": [{"algorithm": "SHA1", "checksumValue": sha1},
                      *checksum(sha256(path))],
        "licenseConcluded": UNKNOWN,
        "licenseInfoInFiles": [UNKNOWN],
        "copyrightText": UNKNOWN,
    }


def supplier(maintainer):
    found = re.fullmatch(r"(.*?) <(.*)>", maintainer)
    return f"Organization: {found[1]} ({found[2]})" if found else UNKNOWN


def package_entry(name, facts):
    """A package; by facts that are missing nothing is claimed."""
    source = facts.get("source", "")
    entry = {
        "SPDXID": spdx_id("Package", name),
        "name": name,
        "versionInfo": facts.get("version", UNKNOWN),
        "supplier": supplier(facts.get("maintainer", "")),
        "downloadLocation": UNKNOWN,
        "filesAnalyzed": False,
        "homepage": facts.get("home", UNKNOWN),
        "licenseConcluded": UNKNOWN,
        "licenseDeclared": LICENCES.get(re.sub(r"-\d+$", "", source), UNKNOWN),
        "copyrightText": UNKNOWN,
    }
    if source:
        entry["sourceInfo"] = f"source package {source}"
    if "version" in facts and "machine" in facts:
        purl = (f"pkg:deb/debian/{name}@{facts['version']}"
                f"?arch={facts['machine']}").replace("+", "%2B")
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER",
                                  "referenceType": "purl",
                                  "referenceLocator": purl}]
    return entry


def our_entry(version, program):
    return {
        "SPDXID": "SPDXRef-Package-tfprof",
        "name": "tfprof",
        "versionInfo": version,
        "supplier": "Organization: The tfprof maintainers",
        "downloadLocation": UNKNOWN,
        "filesAnalyzed": False,
        "primaryPackagePurpose": "APPLICATION",
        "checksums": checksum(sha256(program)),
        "licenseConcluded": OURS,
        "licenseDeclared": OURS,
        "copyrightText": "The tfprof authors",
    }


def relation(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind,
            "relatedSpdxElement": other}


class Document:
    """Packages, their files, and how they hang together."""

    def __init__(self, ours):
        self.packages = {ours["SPDXID"]: ours}
        self.files = {}
        self.inside = set()  # names of packages
        self.relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES",
                                   ours["SPDXID"])]

    def add(self, path, kind):
        if not (os.path.isabs(path) and os.path.isfile(path)):
            self.link("SPDXRef-Package-tfprof", kind, self.add_package(path, {}))
            return
        name = owner(path)
        entry = file_entry(path)
        self.files[entry["SPDXID"]] = entry
        part = entry["SPDXID"]
        if name:
            part = self.add_package(name, package_facts(name))
            self.link(entry["SPDXID"], "EXPANDED_FROM_ARCHIVE", part)
            if kind == "STATIC_LINK":
                self.inside.add(name)
        self.link("SPDXRef-Package-tfprof", kind, part)

    def add_late(self, name):
        self.link(self.add_package(name, package_facts(name)),
                  "OPTIONAL_DEPENDENCY_OF", "SPDXRef-Package-tfprof")

    def add_package(self, name, facts):
        entry = package_entry(name, facts)
        self.packages[entry["SPDXID"]] = entry
        return entry["SPDXID"]

    def link(self, *words):
        new = relation(*words)
        if new not in self.relations:
            self.relations.append(new)

    def json(self, version, date):
        body = {
            "packages": list(self.packages.values()),
            "files": list(self.files.values()),
            "relationships": self.relations,
        }
        name = uuid.uuid5(NAMESPACE, json.dumps(body, sort_keys=True))
        when = datetime.datetime.fromtimestamp(date, datetime.timezone.utc)
        return {
            "spdxVersion": "SPDX-2.3",
            "dataLicense": "CC0-1.0",
            "SPDXID": "SPDXRef-DOCUMENT",
            "name": f"tfprof-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/tfprof-{name}",
            "creationInfo": {
                "created": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "creators": [f"Tool: tfprof-sbom-{version}",
                             "Organization: The tfprof maintainers"],
            },
            **body,
        }


def write_notices(names, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in names:
        notice = f"/usr/share/doc/{name}/copyright"
        if os.path.exists(notice):
            shutil.copyfile(notice, os.path.join(folder, f"{name}.txt"))


def main():
    parser = argparse.ArgumentParser()
    for name in ("program", "map", "version", "output"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--date", required=True, type=int)
    parser.add_argument("--inlined", nargs="*", default=[])
    parser.add_argument("--late", nargs="*", default=[])
    parser.add_argument("--notices")
    told = parser.parse_args()
    with open(told.map, encoding="utf-8", errors="replace") as file:
        text = file.read()
    document = Document(our_entry(told.version, told.program))
    for path in sorted({*archives_taken(text), *told.inlined}):
        document.add(path, "STATIC_LINK")
    for path in sorted(libraries_wanted(told.program, text)):
        document.add(path, "DYNAMIC_LINK")
    for name in sorted(told.late):
        document.add_late(name)
    if told.notices:
        write_notices(document.inside, told.notices)
    with open(told.output, "w", encoding="utf-8") as file:
        json.dump(document.json(told.version, told.date), file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
