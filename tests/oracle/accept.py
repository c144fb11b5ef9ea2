#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The reader accepts what bash accepts, and rejects what bash rejects.

usage: accept.py READER_DUMP [--count N] [--seed S] [--corpus FILE] [--peers NODE_MODULES] [--list]

Makes N scripts up (grammar.py: half of them damaged), adds the commands of FILE (tab separated,
with columns `command` and `escapes`), and compares what the reader says with `bash -n`. That the
reader accepts what bash rejects is always an error. That it rejects what bash accepts must be
explained by a row of disagreements.tsv; so must what bash would only find out when it runs the
script, which `bash -n` cannot tell.

With --peers, a directory where npm has put sh-syntax, web-tree-sitter and tree-sitter-bash, it
also counts how often those two agree with the reader, and what is not explained.

Nothing is run. Exits 0 when all is explained, 1 when not, 77 when there is no bash.
"""

import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys

import grammar

HERE = pathlib.Path(__file__).resolve().parent
ENV = {"LC_ALL": "C.UTF-8", "PATH": "/nonexistent"}
SHOWN = 10


def bash_accepts(bash, text):
    done = subprocess.run([bash, "-n", "-c", "--", text], stdin=subprocess.DEVNULL,
                          capture_output=True, env=ENV, check=False)
    return done.returncode == 0 and not done.stderr


def reader_says(dump, texts):
    """(accepts, when, message) for each text; `when` is early or late."""
    data = b"".join(text.encode() + b"\0" for text in texts)
    done = subprocess.run([dump], input=data, stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode(errors="replace").splitlines()
    if len(lines) != len(texts):
        sys.exit(f"{len(lines)} answers for {len(texts)} scripts")
    answers = []
    for line in lines:
        words = line.split(" ", 4)
        answers.append((True, "", "") if line == "ok" else (False, words[3], words[4]))
    return answers


def corpus(path):
    escape = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
    with open(path, encoding="utf-8", newline="\n") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            text = row["command"]
            if row["escapes"] == "yes":
                text = re.sub(r"\\([ntr\\])", lambda match: escape[match[1]], text)
            yield text


def generated(seed, count):
    for n in range(seed, seed + count):
        yield (grammar.mutant if n % 2 else grammar.script)(n).replace("\0", "")


class Explained:
    """The rows of disagreements.tsv, and how often each was needed."""

    def __init__(self):
        with open(HERE / "disagreements.tsv", encoding="utf-8", newline="\n") as file:
            rows = csv.DictReader((line for line in file if not line.startswith("#")),
                                  delimiter="\t", quoting=csv.QUOTE_NONE)
            self.rows = [(row["who"], row["what"], re.compile(row["pattern"], re.S),
                          row["reason"]) for row in rows]
        self.used = collections.Counter()

    def covers(self, who, what, *subjects):
        """Is there a row for this one, whose pattern is found in one of the subjects?"""
        for number, (row_who, row_what, pattern, _) in enumerate(self.rows):
            if (row_who, row_what) == (who, what) and any(map(pattern.search, subjects)):
                self.used[number] += 1
                return True
        return False

    def show(self):
        for number, (who, what, pattern, reason) in enumerate(self.rows):
            print(f"{self.used[number]:6} {who} {what} {pattern.pattern}: {reason}")


def show(title, cases):
    print(f"{title}: {len(cases)}")
    for text, message in sorted(cases, key=lambda case: len(case[0]))[:SHOWN]:
        print(f"  {text!r} {message}")


def compare_with_bash(bash, texts, answers, explained):
    """The number of scripts that are not explained."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        accepted = list(pool.map(lambda text: bash_accepts(bash, text), texts))
    holes, odd = [], []
    late = 0
    for text, ours, theirs in zip(texts, answers, accepted):
        fine, when, message = ours
        if fine and not theirs and not explained.covers("bash", "rejects", text):
            holes.append((text, ""))
        elif not fine and theirs and when == "late":
            late += 1
        elif not fine and theirs and not explained.covers("bash", "accepts", message):
            odd.append((text, message))
    print(f"{len(texts)} scripts, of which bash accepts {sum(accepted)}; {late} of these have "
          "what only shows when they run")
    show("the reader accepts and bash rejects", holes)
    show("the reader rejects and bash accepts, without a reason", odd)
    return len(holes) + len(odd)


def compare_with_peers(modules, texts, answers, explained):
    data = b"".join(text.encode() + b"\0" for text in texts)
    done = subprocess.run(["node", HERE / "peers.mjs", modules], input=data,
                          stdout=subprocess.PIPE, check=True)
    odd = collections.defaultdict(list)
    agree = collections.Counter()
    for text, ours, line in zip(texts, answers, done.stdout.decode().splitlines()):
        fine, _, message = ours
        for who, theirs in zip(("mvdan", "tree-sitter"), line.rsplit("\t", 1)):
            if (theirs == "ok") == fine:
                agree[who] += 1
                continue
            what = "rejects" if fine else "accepts"
            if not explained.covers(who, what, text, message, theirs):
                odd[f"{who} {what}"].append((text, message or theirs))
    for who in ("mvdan", "tree-sitter"):
        print(f"{who} agrees on {agree[who]} of {len(texts)}")
    for title, cases in odd.items():
        show(f"{title}, without a reason", cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus")
    parser.add_argument("--peers")
    parser.add_argument("--list", action="store_true", help="say how often each reason was needed")
    args = parser.parse_args()
    bash = shutil.which("bash")
    if bash is None:
        print("there is no bash")
        sys.exit(77)
    explained = Explained()
    texts = list(generated(args.seed, args.count))
    if args.corpus:
        texts += corpus(args.corpus)
    answers = reader_says(args.dump, texts)
    bad = compare_with_bash(bash, texts, answers, explained)
    if args.peers and shutil.which("node"):
        compare_with_peers(args.peers, texts, answers, explained)
    if args.list:
        explained.show()
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
