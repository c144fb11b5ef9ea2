#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The threat model names only attacks that exist, and every gap that the attacks find is in it."""

import re

import meta

TABLE = re.compile(r"const struct attack (\w+)_attacks\[\] = \{(.*?)\n\};", re.S)
ROW = re.compile(r'^\t\{\s*"(\w+)"', re.M)
UNIT = re.compile(r"unit test (\w+)")


def attacks():
    for path in sorted((meta.ROOT / "tests" / "attack").glob("*.c")):
        for group, body in TABLE.findall(path.read_text(encoding="utf-8")):
            yield from (f"{group}.{name}" for name in ROW.findall(body))


def matrix():
    """The rows of the table: number, and the text of the column with the tests."""
    for line in meta.read("doc/threat-model.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].isdigit():
            yield int(cells[0]), cells[3]


def named(cell):
    return [name.strip() for name in UNIT.sub("", cell).split(",") if name.strip()]


def gap_classes():
    for line in meta.read("tests/attack/expect.tsv").splitlines():
        fields = line.split("\t")
        if len(fields) >= 4 and fields[3] == "gap":
            yield fields[0].split(".")[0]


def cases():
    known = set(attacks())
    rows = list(matrix())
    yield "there are attacks", [] if len(known) > 100 else [f"only {len(known)} were found"]
    yield "the table has its rows in order", (
        [] if [n for n, _ in rows] == list(range(1, 46)) else ["1 to 45 are expected"]
    )
    yield "every row names a test", [f"row {n} does not" for n, cell in rows if not cell]
    yield "every attack that is named exists", [
        f"row {n}: {name}" for n, cell in rows for name in named(cell) if name not in known
    ]
    yield "every unit test that is named exists", [
        f"row {n}: test_{name}.c"
        for n, cell in rows
        for name in UNIT.findall(cell)
        if not (meta.ROOT / "tests" / "unit" / f"test_{name}.c").exists()
    ]
    text = meta.read("doc/threat-model.md")
    yield "every class with a known gap is in the threat model", [
        group for group in sorted(set(gap_classes())) if f"{group}." not in text
    ]


if __name__ == "__main__":
    meta.report(cases())
