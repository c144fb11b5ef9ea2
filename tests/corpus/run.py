#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges every labelled command and holds the answers against the labels.

usage: run.py BAILEY [--list] [--category NAME] [FILE...]

Prints one line of TAP for each demand, and with --list every row that came out otherwise. The
demands are on the whole: a single row may be arguable, a class of rows may not. A row whose answer
differs is written down in differs.tsv with the reason, so that a change of mind is seen.
Without FILE, the rows of commands.tsv are judged, and those of more.tsv, which must all be exact.

Rows of a file: id, expected, category, command, escapes, why, source; tab separated.
"""

import collections
import csv
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ORDER = ("allow", "prompt", "forbidden")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}

Row = collections.namedtuple("Row", "id expected category command")


def unescape(text):
    out, i = [], 0
    while i < len(text):
        if text[i] == "\\" and i + 1 < len(text) and text[i + 1] in ESCAPES:
            out.append(ESCAPES[text[i + 1]])
            i += 2
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


def read_rows(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n")
        next(rows)
        for row in rows:
            command = unescape(row[3]) if row[4] == "yes" else row[3]
            yield Row(row[0], row[1], row[2], command)


def workspace():
    """A directory that is neither a temporary one nor part of the system, wherever this stands."""
    for path in ("/mnt", "/media"):
        if os.path.isdir(path) and os.path.realpath(path) == path:
            return path
    sys.exit("neither /mnt nor /media is there to stand for a workspace")


def judge(bailey, rows):
    """The verdicts of all rows, as JSON objects, in one process."""
    text = "".join(row.command + "\0" for row in rows).encode()
    env = dict(os.environ, HOME="/home/user")
    env.pop("TMPDIR", None)
    done = subprocess.run(
        [bailey, "check", "--cwd", workspace(), "--stdin0", "--json"],
        input=text,
        env=env,
        stdout=subprocess.PIPE,
        check=False,
    )
    lines = done.stdout.splitlines()
    if done.returncode not in (0, 3, 4) or len(lines) != len(rows):
        sys.exit(f"check gave {len(lines)} answers to {len(rows)} commands,"
                 f" status {done.returncode}")
    return [json.loads(line) for line in lines]


class Result:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def demand(self, good, text):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {text}")


def show(row, verdict):
    reasons = ", ".join(sorted({r["rule"] for r in verdict["reasons"]})[:4])
    print(f"# {row.id} {row.category}: {row.expected} came out {verdict['decision']}"
          f" [{reasons}] {row.command!r}")


def rows_of(files, category):
    rows = [row for path in files for row in read_rows(path)]
    return [row for row in rows if category in (None, row.category)]


def demand_exact(result, bailey, category):
    """Rows that were written for this judge: nothing about them is arguable."""
    rows = rows_of([HERE / "more.tsv"], category)
    wrong = 0
    for row, verdict in zip(rows, judge(bailey, rows)):
        if row.expected != verdict["decision"]:
            wrong += 1
            show(row, verdict)
    exact = len(rows) - wrong
    result.demand(wrong == 0, f"every row of more.tsv is exact ({exact} of {len(rows)})")


def main():
    args = sys.argv[1:]
    listing = "--list" in args
    args = [a for a in args if a != "--list"]
    category = None
    if "--category" in args:
        at = args.index("--category")
        category = args[at + 1]
        del args[at : at + 2]
    rows = rows_of(args[1:] or [HERE / "commands.tsv"], category)
    verdicts = judge(args[0], rows)
    table = collections.Counter()
    for row, verdict in zip(rows, verdicts):
        table[row.expected, verdict["decision"]] += 1
        if listing and row.expected != verdict["decision"]:
            show(row, verdict)
    total = {name: sum(table[name, d] for d in ORDER) for name in ORDER}
    exact = sum(table[name, name] for name in ORDER)
    result = Result()
    result.demand(table["forbidden", "allow"] == 0, "no forbidden command is allowed")
    result.demand(
        table["forbidden", "prompt"] <= total["forbidden"] / 100,
        f"at most 1 % of forbidden commands are prompt ({table['forbidden', 'prompt']}"
        f" of {total['forbidden']})",
    )
    result.demand(
        table["prompt", "allow"] == 0, f"no prompt command is allowed ({table['prompt', 'allow']})"
    )
    result.demand(table["allow", "forbidden"] == 0, "no harmless command is forbidden")
    result.demand(exact >= 0.97 * len(rows), f"97 % are exact ({exact} of {len(rows)})")
    if len(args) == 1:
        demand_exact(result, args[0], category)
    print(f"1..{result.count}")
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.exit(main())
