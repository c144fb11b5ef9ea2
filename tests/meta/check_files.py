#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files of the repository: licences, versions, lengths, and no trace of one machine."""

import pathlib
import re

import meta

# A directory of somebody's, where a path in a file would work on one machine only. Homes that are
# nobody's are fine: /home/u, /home/user, and whatever tests make up.
MACHINE_PATH = re.compile(r"/root/\.\w+|/work/(?:main|shared)\b")
SOMEBODYS_HOME = re.compile(r"/home/(?!(?:u|user|me|alice)\b)[a-z_][\w-]*")
# What others wrote is kept as it came.
OTHERS = ("tests/corpus/", "tests/toml/", "tests/fuzz/corpus/")
LENGTHS = {"ARCHITECTURE.md": 200, "HACKING.md": 150}
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def texts():
    for path in meta.tracked_files():
        if str(path).startswith(OTHERS):
            continue
        try:
            yield path, meta.read(path)
        except UnicodeDecodeError:
            continue


def machine_paths():
    for path, text in texts():
        if path.name == "check_files.py":
            continue
        found = list(MACHINE_PATH.finditer(text))
        if path.parts[0] != "tests":
            found += SOMEBODYS_HOME.finditer(text)
        for match in found:
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1} has {match.group()}"


def versions():
    version = re.search(r"version : '([^']+)'", meta.read("meson.build")).group(1)
    if f"## {version}" not in meta.read("CHANGELOG.md"):
        yield f"CHANGELOG.md has no section '## {version}'"
    if f'"{version}"' not in meta.read("include/bailey/version.h"):
        yield f"include/bailey/version.h is not {version}"


def licences():
    for path, text in texts():
        source = path.suffix in (".c", ".h", ".py", ".sh")
        if source and "SPDX-License-Identifier" not in text[:200]:
            yield f"{path} has no SPDX line"


def lengths():
    for name, limit in LENGTHS.items():
        count = len(meta.read(name).splitlines())
        if count > limit:
            yield f"{name} has {count} lines, and at most {limit} are read"


def dead_links():
    for path, text in texts():
        if path.suffix != ".md":
            continue
        for target in LINK.findall(text):
            if not (meta.ROOT / path.parent / target).exists():
                yield f"{path} points to {target}, which is not there"


def dead_names():
    """Files that a document names in backticks: with a path, or sources by their bare name."""
    here = {str(path) for path in meta.tracked_files()}
    folders = {str(parent) for path in here for parent in pathlib.PurePath(path).parents}
    names = {pathlib.PurePath(path).name for path in here}
    for document in ("ARCHITECTURE.md", "HACKING.md", "README.md", "SECURITY.md"):
        for name in re.findall(r"`([\w./-]+)`", meta.read(document)):
            inside = name.split("/")[0] in {"src", "include", "tests", "doc", "data", "scripts"}
            if inside and name.rstrip("/") not in here | folders:
                yield f"{document} names {name}, which is not there"
            bare = "/" not in name and name.endswith((".c", ".h", ".py", ".sh"))
            if bare and name not in names:
                yield f"{document} names {name}, which is not there"


def cases():
    yield "no file names a directory of one machine", list(machine_paths())
    yield "the version is the same everywhere", list(versions())
    yield "every source has its licence", list(licences())
    yield "the documents keep to their length", list(lengths())
    yield "links between documents lead somewhere", list(dead_links())
    yield "the files that documents name are there", list(dead_names())


if __name__ == "__main__":
    meta.report(cases())
