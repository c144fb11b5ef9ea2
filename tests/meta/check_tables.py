#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables that say they are sorted are, and hold nothing twice.

A table says so in the comment right above it, with the word "sorted"; or the comment at the top of
its file does for every table that the file exports. What is compared is the first string of each
row, byte by byte, as bsearch with strcmp would.
"""

import re

import meta

TABLE = re.compile(
    r"(?:/\*(?P<comment>(?:(?!\*/).)*?)\*/\s*\n|^)"
    r"(?P<head>(?:static )?const [^;{}=]*?(?P<name>\w+)\[[^\]]*\]) = \{\n(?P<body>.*?)\n\};",
    re.S | re.M,
)
TOP = re.compile(r"\A/\* SPDX.*?\*/\s*/\*(.*?)\*/", re.S)
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
        text = path.read_text(encoding="utf-8")
        top = TOP.match(text)
        file_says_so = top is not None and SORTED.search(top.group(1))
        for match in TABLE.finditer(text):
            says_so = SORTED.search(match["comment"] or "")
            exported = not match["head"].startswith("static")
            if not says_so and not (file_says_so and exported):
                continue
            keys = rows(match["head"], match["body"])
            found = list(complaints(keys)) if keys else ["no strings were found in it"]
            yield f"{path.relative_to(meta.ROOT)}: {match['name']}", found


if __name__ == "__main__":
    meta.report(cases())
