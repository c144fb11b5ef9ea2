#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The interface of the library: what it exports, what its headers promise, and that they agree.

usage: check_api.py LIBBAILEY.SO [CC [CXX]]
"""

import re
import subprocess
import sys
import tempfile

import meta

STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"]


def exported(library):
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True
    ).stdout
    return {line.split()[2] for line in listing.splitlines() if len(line.split()) == 3}


def declared():
    return {
        name
        for header in meta.public_headers()
        for name, _ in meta.api_functions(header.read_text(encoding="utf-8"))
    }


def exports_agree(library):
    have, want = exported(library), declared()
    yield "every function of the headers is exported", [
        f"{name} is declared BAILEY_API, and {library} does not have it"
        for name in sorted(want - have)
    ]
    yield "nothing else is exported", [
        f"{name} is exported, and no header declares it" for name in sorted(have - want)
    ]
    yield "every exported name starts with bailey_", [
        name for name in sorted(have) if not name.startswith("bailey_")
    ]


def prototypes_are_documented():
    for header in meta.public_headers():
        functions = list(meta.api_functions(header.read_text(encoding="utf-8")))
        yield f"{header.name}: every prototype has a comment", [
            f"{name} has none" for name, documented in functions if not documented
        ]


def prototypes_are_marked():
    """A function that is declared without BAILEY_API would be hidden from every user."""
    for header in meta.public_headers():
        text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
        bare = re.findall(r"^(?!BAILEY_API|static|typedef|#)\w[\w *]*?\b(bailey_\w+)\(", text, re.M)
        yield f"{header.name}: every prototype is marked BAILEY_API", bare


def compiles(compiler, language, header):
    with tempfile.NamedTemporaryFile("w", suffix="." + language) as source:
        source.write(f"#include <bailey/{header.name}>\n#include <bailey/{header.name}>\n")
        source.flush()
        command = [*compiler.split(), *STRICT, f"-I{meta.ROOT / 'include'}", source.name]
        done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr.splitlines() if done.returncode else []


def headers_stand_alone(cc, cxx):
    for header in meta.public_headers():
        yield f"{header.name} compiles alone as C11", compiles(f"{cc} -std=c11", "c", header)
        yield f"{header.name} compiles alone as C++", compiles(f"{cxx} -std=c++11", "cc", header)


def main():
    library = sys.argv[1]
    cc, cxx = (sys.argv[2:] + ["cc", "c++"][len(sys.argv) - 2 :])[:2]
    meta.report(
        [
            *exports_agree(library),
            *prototypes_are_documented(),
            *prototypes_are_marked(),
            *headers_stand_alone(cc, cxx),
        ]
    )


if __name__ == "__main__":
    main()
