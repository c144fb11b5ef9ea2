#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files of the repository: licences, versions, lengths, and no trace of one machine."""

import re

import meta

# A directory of somebody's, where a path in a file would work on one machine only. Examples that
# are nobody's are fine: /home/u, /home/user, /home/me.
MACHINE_PATH = re.compile(
    r"/(?:home/(?!(?:u|user|me|alice|dev)\b)[a-z_][\w-]*|root/\.\w+|work/(?:main|shared)\b)"
)
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
    return [
        f"{path}:{text.count(chr(10), 0, match.start()) + 1} has {match.group()}"
        for path, text in texts()
        for match in MACHINE_PATH.finditer(text)
        if path.name != "check_files.py"
    ]


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


def cases():
    yield "no file names a directory of one machine", machine_paths()
    yield "the version is the same everywhere", list(versions())
    yield "every source has its licence", list(licences())
    yield "the documents keep to their length", list(lengths())
    yield "links between documents lead somewhere", list(dead_links())


if __name__ == "__main__":
    meta.report(cases())
