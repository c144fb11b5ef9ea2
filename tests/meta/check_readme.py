#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The minute's tour of README.md prints what README.md says.

usage: check_readme.py BAILEY

Runs each "$ command" of that section in a fresh home and workspace and compares what it prints,
standard error included, with the lines below it. Bailey's notes on what a run does not enforce are
left out, as the README says. A command without lines below it has to succeed.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import meta

NOTE = re.compile(r"^bailey: (?:not enforced|note).*\n", re.M)


def tour():
    """Yields (command, expected output) of the section."""
    text = meta.read("README.md").split("## A minute's tour")[1].split("\n## ")[0]
    text = text.split("More directories")[0]
    command, expected = None, []
    for line in text.splitlines():
        if not line.startswith("    "):
            continue
        if line.startswith("    $ "):
            if command:
                yield command, "\n".join(expected)
            command, expected = line[6:], []
        else:
            expected.append(line[4:])
    if command:
        yield command, "\n".join(expected)


def run(command, home, bailey):
    environment = {
        "HOME": str(home),
        "LC_ALL": "C",
        "PATH": f"{pathlib.Path(bailey).resolve().parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=home / "project",
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    printed = NOTE.sub("", done.stdout).replace(str(home), "/home/u")
    return done.returncode, "\n".join(line.rstrip() for line in printed.splitlines())


def cases(bailey, home):
    for command, expected in tour():
        status, printed = run(command, home, bailey)
        complaints = []
        if expected and printed != expected:
            complaints = ["expected:", *expected.splitlines(), "printed:", *printed.splitlines()]
        if not expected and status != 0:
            complaints = [f"status {status}", *printed.splitlines()]
        yield command, complaints


def main():
    # Resolved, because Bailey prints what links lead to.
    with tempfile.TemporaryDirectory(prefix="bailey-readme.") as name:
        home = pathlib.Path(name).resolve()
        (home / ".ssh").mkdir()
        (home / ".ssh" / "id_ed25519").write_text("a key\n")
        (home / "project").mkdir()
        meta.report(list(cases(sys.argv[1], home)))


if __name__ == "__main__":
    main()
