#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The limits of style that a machine can check and the formatter does not.

usage: style.py ROOT

 - a function has at most 60 lines, from its name to its closing brace
 - nesting inside a function is at most 3 deep (a switch does not count: its cases are a table)
 - a file has at most 700 lines
 - an SPDX line comes first
 - no `else` after a return, no trailing blank
 - scripts have at most 100 columns, tabs being 8 (clang-format sees to that in C)

Prints path:line: what, and exits 1 when there is anything to say. It relies on the layout that
clang-format gives: a function's name, opening and closing brace stand in column 1.
"""

import pathlib
import re
import sys

FUNCTION_LINES = 60
FILE_LINES = 700
NESTING = 3
COLUMNS = 100
SPDX = "SPDX-License-Identifier: MIT"
SOURCES = ("src", "include", "tests", "examples")
BLOCK = re.compile(r"^\t+(?:(?:\} else )?(?:if|for|while)\b.*|\} else |do )?\{$")
NAME = re.compile(r"^([A-Za-z_]\w*)\(")


def functions(lines):
    """Yields (name, first line, last line), counted from 1, of every function definition."""
    name = start = None
    for number, line in enumerate(lines, 1):
        match = NAME.match(line)
        if match:
            name, start = match.group(1), number
        elif line == "}" and name:
            yield name, start, number
            name = None
        elif line.startswith("}") or line.rstrip().endswith(";") and not line.startswith("\t"):
            name = None


def nesting(lines):
    """The deepest nesting of control blocks inside a function's lines, and where it is."""
    stack = []
    deepest, where = 0, 0
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip("\t"))
        while stack and line.strip() and indent <= stack[-1]:
            stack.pop()
        if BLOCK.match(line):
            stack.append(indent)
            if len(stack) > deepest:
                deepest, where = len(stack), number
    return deepest, where


def check_c(path, lines):
    for name, first, last in functions(lines):
        if last - first + 1 > FUNCTION_LINES:
            yield first, f"function '{name}' has {last - first + 1} lines (limit {FUNCTION_LINES})"
        deepest, where = nesting(lines[first - 1 : last])
        if deepest > NESTING:
            yield first + where, f"'{name}' nests {deepest} deep (limit {NESTING})"
    for number, line in enumerate(lines, 1):
        if re.match(r"^\t+\} else\b", line) and re.match(r"^\t+return\b", lines[number - 2]):
            yield number, "else after return"


def check(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    head = "\n".join(lines[:3])
    if SPDX not in head:
        yield 1, "no SPDX line at the top"
    if len(lines) > FILE_LINES:
        yield FILE_LINES, f"the file has {len(lines)} lines (limit {FILE_LINES})"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "blanks at the end of the line"
        if path.suffix not in (".c", ".h") and len(line.expandtabs(8)) > COLUMNS:
            yield number, f"{len(line.expandtabs(8))} columns (limit {COLUMNS})"
    if path.suffix in (".c", ".h"):
        yield from check_c(path, lines)


def main():
    root = pathlib.Path(sys.argv[1])
    bad = 0
    paths = [p for top in SOURCES for p in sorted((root / top).rglob("*"))]
    paths = [p for p in paths if p.suffix in (".c", ".h", ".py", ".sh") and p.is_file()]
    paths += sorted((root / "scripts").glob("*.sh"))
    for path in paths:
        for line, what in check(path):
            print(f"{path.relative_to(root)}:{line}: {what}")
            bad += 1
    print(f"{len(paths)} files, {bad} findings")
    sys.exit(1 if bad or not paths else 0)


if __name__ == "__main__":
    main()
