#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The arrows between the rooms of src/: who may include whose headers, and where code may reach.

The table below is the one in ARCHITECTURE.md. A room's headers are its answers; no arrow points
back up, and only the program prints, exits and reads the environment.
"""

import re

import meta

# room -> the rooms whose headers it may include, beside its own
MAY_INCLUDE = {
    "base": set(),
    "command": {"base"},
    "policy": {"base"},
    "plan": {"base", "policy"},
    "broker": {"base", "policy", "plan"},
    "export": {"base", "policy", "plan"},
    "sandbox": {"base", "policy", "plan", "broker", "export"},
    "cli": {"base", "command", "policy", "plan", "sandbox", "export"},
}

# room -> the public headers it may include
MAY_INCLUDE_PUBLIC = {
    "base": {"error", "version"},
    "command": {"command", "error", "scene", "version"},
    "policy": {"error", "policy", "scene", "version"},
    "plan": {"error", "policy", "scene", "version"},
    "broker": {"error", "policy", "scene", "version"},
    "export": {"error", "export", "policy", "scene", "version"},
    "sandbox": {
        "environment",
        "error",
        "export",
        "manager",
        "policy",
        "sandbox",
        "scene",
        "version",
    },
    "cli": None,  # all of them
}

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(bailey/[^>]+)>)', re.M)

# What the library leaves to the program that uses it.
PROGRAM_ONLY = re.compile(
    r"(?<![\w.>])(printf|puts|putchar|vprintf|perror|exit|abort|getenv|secure_getenv|setenv"
    r"|unsetenv|putenv|system|popen|fprintf|fputs)\s*\("
)
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)

# Programs that run while Bailey is built, and are no part of it.
BUILD_PROGRAMS = {"filter_gen.c", "model_index_gen.c"}

# Calls that read more than they are given, or that nobody can use safely.
BANNED = re.compile(
    r"(?<![\w.>])(strcpy|strcat|sprintf|vsprintf|gets|strtok|atoi|atol|tmpnam|mktemp)\("
)


def room_files(room):
    return sorted((meta.ROOT / "src" / room).rglob("*.[ch]"))


def include_complaints(room, path):
    text = path.read_text(encoding="utf-8")
    for quoted, public in INCLUDE.findall(text):
        where = f"{path.relative_to(meta.ROOT)} includes {quoted or public}"
        if public:
            allowed = MAY_INCLUDE_PUBLIC[room]
            name = public.removeprefix("bailey/").removesuffix(".h")
            if allowed is not None and name not in allowed:
                yield where
            continue
        target = quoted.split("/")[0]
        if "/" not in quoted or target not in MAY_INCLUDE:
            yield f"{where}, which does not name its room"
        elif target != room and target not in MAY_INCLUDE[room]:
            yield where


def call_complaints(pattern, path):
    text = COMMENT_OR_STRING.sub(
        lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text(encoding="utf-8")
    )
    for match in pattern.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield f"{path.relative_to(meta.ROOT)}:{line} calls {match.group(1)}"


def cases():
    unknown = {p.name for p in (meta.ROOT / "src").iterdir() if p.is_dir()} - set(MAY_INCLUDE)
    yield "every room is in the table", [f"src/{name} is not" for name in sorted(unknown)]
    for room in MAY_INCLUDE:
        files = room_files(room)
        yield f"{room} includes only what it may", [
            c for path in files for c in include_complaints(room, path)
        ]
        yield f"{room} calls nothing that is banned", [
            c for path in files for c in call_complaints(BANNED, path)
        ]
        if room != "cli":
            yield f"{room} leaves printing, exiting and the environment to the program", [
                c
                for path in files
                if path.name not in BUILD_PROGRAMS
                for c in call_complaints(PROGRAM_ONLY, path)
            ]


if __name__ == "__main__":
    meta.report(cases())
