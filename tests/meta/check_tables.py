#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables that say they are sorted are, and hold nothing twice.

A table says so in the comment right above it, with the word "sorted". What is compared is the
first string of each row, byte by byte, as bsearch with strcmp would.
"""

import re

import meta

TABLE = re.compile(
    r"/\*(?P<comment>(?:(?!\*/).)*?)\*/\s*\n"
    r"(?P<head>(?:static )?const [^;{}=]*?(?P<name>\w+)\[[^\]]*\]) = \{\n(?P<body>.*?)\n\};",
    re.S,
)
SORTED = re.compile(r"\bsorted\b", re.I)
COMMENT = re.compile(r"/\*.*?\*/", re.S)


def rows(head, body):
    """The key of each row: the first string of a struct, or every string of a list of names."""
    body = COMMENT.sub("", body)
    if "struct" in head or re.search(r"^\s*\{", body):
        return re.findall(r'\{\s*(?:\.\w+ = )?"([^"]*)"', body)
    return re.findall(r'"([^"]*)"', body)


def complaints(keys):
    for before, after in zip(keys, keys[1:]):
        if before.encode() > after.encode():
            yield f"'{after}' comes after '{before}'"
        elif before == after:
            yield f"'{after}' is there twice"


def cases():
    for path in sorted((meta.ROOT / "src").rglob("*.[ch]")):
        for match in TABLE.finditer(path.read_text(encoding="utf-8")):
            if not SORTED.search(match["comment"]):
                continue
            keys = rows(match["head"], match["body"])
            found = list(complaints(keys)) if keys else ["no strings were found in it"]
            yield f"{path.relative_to(meta.ROOT)}: {match['name']}", found


if __name__ == "__main__":
    meta.report(cases())
