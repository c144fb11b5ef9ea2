#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What bash really executes is among what the judge found.

usage: executed.py BAILEY [--count N] [--seed S] [--corpus] [--list]

Runs scripts with a PATH in which there is nothing, so that every program ends in
command_not_found_handle, which writes its arguments down. Each of these argument vectors has to
match one of the simple commands that `bailey check --json` lists for that script (an unknown part
of a word matches any text, a word that is `many` any number of words), or the verdict has to say
that the text is unreadable. So a command that the reader lost, split wrongly or expanded wrongly
comes to light.

The scripts come from grammar.py; with --corpus they are the labelled commands. They run under
`bailey run` in an empty directory, as nobody when root starts this, with a time limit; what
programs answer is made up: the first run of each script sees every program succeed, the second
fail.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "corpus")]

import run as corpus  # noqa: E402

# The one that every user may run.
PYTHON = shutil.which("python3", path="/usr/bin:/bin") or sys.executable

# Runs each script in a bash of its own, twice. What was executed is the number of its words and
# the words, each ended by a NUL. Each run has a file of its own for the record: what a script left
# running may still write.
DRIVER = r"""
import os, shutil, signal, subprocess, sys
scripts = open(sys.argv[1], "rb").read().split(b"\0")[:-1]
prelude = os.path.abspath("prelude")
out = open(sys.argv[2], "wb")
for number, script in enumerate(scripts):
    for answer in ("0", "1"):
        record = os.open("record", os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        os.unlink("record")
        os.makedirs("work", exist_ok=True)
        child = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-c", script], executable="/bin/bash", cwd="work",
            env={"PATH": "/nowhere", "HOME": os.environ["HOME"], "BASH_ENV": prelude,
                 "BAILEY_RECORD": str(record), "BAILEY_ANSWER": answer, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=[record], start_new_session=True)
        try:
            child.wait(1)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
        os.lseek(record, 0, 0)
        got = b""
        while piece := os.read(record, 1 << 20):
            got += piece
        os.close(record)
        out.write(b"%d\n%d\n" % (number, len(got)) + got)
        if os.listdir("work"):
            shutil.rmtree("work", ignore_errors=True)
"""

PRELUDE = r"""
command_not_found_handle() {
	printf '%s\0' "$#" "${@//$'\n'/$'\36'}" >&"$BAILEY_RECORD"
	return "$BAILEY_ANSWER"
}
"""


def records(body):
    # printf writes a line at a time, and a whole record only when there is no new line in it.
    body = body.replace(b"\x1e", b"\n")
    words = [w.decode("utf-8", "surrogateescape") for w in body.split(b"\0")[:-1]]
    while words:
        if not words[0].isdigit():
            return  # two processes wrote at once; what follows cannot be told apart
        count = int(words[0])
        yield words[1 : count + 1]
        words = words[count + 1 :]


def execute(bailey, scripts):
    """For each script the list of argument vectors that bash executed."""
    runs = [[] for _ in scripts]
    with tempfile.TemporaryDirectory(prefix="bailey-oracle.", dir="/tmp") as place:
        place = pathlib.Path(place)
        (place / "driver.py").write_text(DRIVER)
        (place / "prelude").write_text(PRELUDE)
        (place / "scripts").write_bytes(b"".join(s.encode() + b"\0" for s in scripts))
        command = [bailey, "run", "-q", "--no-protect", "--limits", "unlimited", "--env",
                   "HOME=/home/user", "--", PYTHON, "driver.py", "scripts", "out"]
        if os.getuid() == 0:
            os.chown(place, 65534, 65534)
            os.chmod(place, 0o755)
            command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups",
                       *command]
        subprocess.run(command, cwd=place, check=True)
        data = (place / "out").read_bytes()
    at = 0
    while at < len(data):
        number, length, rest = data[at : at + 64].split(b"\n", 2)
        at += len(number) + len(length) + 2
        body = data[at : at + int(length)]
        at += int(length)
        runs[int(number)] += records(body)
    return runs


# What may be live in a word with unknown parts: names of files stand for all from there on.
LIVE = re.compile(r"[*?\[]|[@+!]\(")


def word_pattern(word):
    """A pattern for one word, which ends in \\x02; for several where the word is `many`."""
    text = word["text"]
    if word["kind"] == "literal":
        pattern = re.escape(text)
    elif word["kind"] == "glob":
        pattern = "(?:" + re.escape(text) + "|[^\x02]*)"
    else:
        live = LIVE.search(text) if word["many"] else None
        if live:
            text = text[: live.start()] + "\x1a"
        pattern = "[^\x02]*".join(re.escape(piece) for piece in text.split("\x1a"))
    if word["many"]:
        if word["kind"] == "dynamic":
            any_word = pattern.replace("[^\x02]*", "(?:[^\x02]*\x02)*[^\x02]*")
            return f"(?:{any_word}\x02)?"
        return f"(?:[^\x02]*\x02)*"
    if word["kind"] == "glob":
        return f"(?:{pattern}\x02)+"
    return pattern + "\x02"


# Which descriptor a process substitution gets is bash's affair. With a `case` in it that has
# another one in a pattern's commands, bash 5.2 takes the end of its own printed text for part of
# the word.
FILE = re.compile(r"/dev/fd/[0-9]+(?:\n[^\x02]*esac\))?")


def matches(argv, command):
    words = [dict(word, text=FILE.sub("/dev/fd/N", word["text"])) for word in command["words"]]
    text = FILE.sub("/dev/fd/N", "".join(word + "\x02" for word in argv))
    return re.fullmatch("".join(map(word_pattern, words)), text, re.S) is not None


def is_found(argv, commands):
    # Inside $( ) and <( ) bash 5.2 prints the script and reads that again, where `coproc cmd` has
    # become `coproc COPROC cmd`, so that it looks for a program COPROC; once more for each level.
    while argv[:1] == ["COPROC"] and not any(matches(argv, command) for command in commands):
        argv = argv[1:]
    return any(matches(argv, command) for command in commands)


def complaints(verdict, runs):
    """The argument vectors that no command of the verdict explains."""
    rules = {reason["rule"] for reason in verdict["reasons"]}
    if not verdict["readable"] or "code.unknown-part" in rules:
        return []  # it says so itself: not all of the text that runs is known
    return [argv for argv in runs if not is_found(argv, verdict["commands"])]


def scripts_of(args):
    if args.corpus:
        rows = list(corpus.read_rows(corpus.HERE / "commands.tsv"))
        return [row.command for row in rows if "\0" not in row.command]
    import grammar

    return [grammar.script(args.seed * 1_000_000 + i) for i in range(args.count)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bailey", type=os.path.abspath)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", action="store_true")
    args = parser.parse_args()
    if not shutil.which("setpriv"):
        sys.exit("setpriv is missing (util-linux)")
    scripts = scripts_of(args)
    rows = [corpus.Row(str(i), "", "", s) for i, s in enumerate(scripts)]
    verdicts = corpus.judge(args.bailey, rows)
    runs = execute(args.bailey, scripts)
    executed = sum(map(len, runs))
    bad = 0
    for script, verdict, run in zip(scripts, verdicts, runs):
        for argv in complaints(verdict, run):
            bad += 1
            if bad <= 40:
                print(f"# not found: {argv!r} executed by {script!r}")
    unreadable = sum(not v["readable"] for v in verdicts)
    print(f"# {len(scripts)} scripts, {unreadable} unreadable, {executed} commands executed")
    print(f"{'not ok' if bad else 'ok'} 1 - {bad} executed commands were not found")
    print(f"{'ok' if executed > len(scripts) // 4 else 'not ok'} 2 - scripts execute commands")
    print("1..2")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
