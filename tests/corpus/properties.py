#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is added around a command never makes its verdict milder.

usage: properties.py BAILEY

Takes every labelled command, writes it in other ways that run the same thing (in quotes, behind
wrappers and assignments, in groups, loops, functions and substitutions, with comments and blanks),
and holds the verdict on each against that on the command itself. A line of TAP for each way.
Left out is what means something else inside of something: options of the shell that act from the
next line on, and a backslash at the end.
"""

import re
import shlex
import sys

import run

# Commands whose first word is one of these mean something else behind a wrapper.
SHELL_WORDS = set(
    "! [ [[ (( ( { . : alias bg bind builtin caller case cd command compgen complete compopt"
    " continue coproc declare dirs disown enable eval exec exit export fc fg for function getopts"
    " hash help history if jobs let local logout mapfile popd pushd read readarray readonly"
    " return select set shift shopt source suspend test time times trap type typeset ulimit umask"
    " unalias unset until wait while echo printf pwd true false kill".split()
)
NAME = re.compile(r"[a-z][a-z0-9_.-]+(?=[ \n]|$)")


def first_word(text):
    """The first word when it is the bare name of a program, else None."""
    found = NAME.match(text)
    if not found or found.group() in SHELL_WORDS or "()" in text or "alias" in text:
        return None
    return found.group()


def behind(prefix):
    """Puts a wrapper in front, where the text begins with a program."""
    return lambda text: prefix + text if first_word(text) else None


def quoted_name(text):
    word = first_word(text)
    return f"{word[0]}''{text[1:]}" if word else None


def escaped_name(text):
    return "\\" + text if first_word(text) else None


def split_name(text):
    word = first_word(text)
    return f'{word[0]}"{word[1:]}"{text[len(word):]}' if word else None


def ansi_name(text):
    word = first_word(text)
    if not word:
        return None
    hidden = "".join(f"\\x{ord(c):02x}" for c in word)
    return f"$'{hidden}'{text[len(word):]}"


def variable_name(text):
    word = first_word(text)
    return f"bailey_v={word}; $bailey_v{text[len(word):]}" if word else None


# name -> the text written in another way, or None where that way does not fit
WAYS = {
    "as it is, with blanks in front": lambda t: "  \t" + t,
    "behind an empty line": lambda t: "\n\n" + t,
    "a comment below": lambda t: t + "\n# nothing",
    "a comment above": lambda t: "# nothing 'at all\n" + t,
    "a harmless command in front": lambda t: "true; " + t,
    "a harmless command below": lambda t: t + "\ntrue",
    "behind &&": lambda t: "true && { " + t + "\n}",
    "behind ||": lambda t: "false || { " + t + "\n}",
    "in the background": lambda t: "{ " + t + "\n} &",
    "in a group": lambda t: "{ " + t + "\n}",
    "in a subshell": lambda t: "( " + t + "\n)",
    "in an if": lambda t: "if true; then\n" + t + "\nfi",
    "in an else": lambda t: "if false; then :; else\n" + t + "\nfi",
    "in a while": lambda t: "while false; do\n" + t + "\ndone",
    "in a for": lambda t: "for bailey_i in 1; do\n" + t + "\ndone",
    "in a case": lambda t: "case x in x)\n" + t + "\n;; esac",
    "in a function that is called": lambda t: "bailey_f() {\n" + t + "\n}\nbailey_f",
    "in a substitution": lambda t: 'echo "$(' + t + '\n)"',
    "in a process substitution": lambda t: "cat <(" + t + "\n)",
    "through a pipe": lambda t: "{ " + t + "\n} | cat",
    "negated": lambda t: "! { " + t + "\n}",
    "timed": lambda t: "time { " + t + "\n}",
    "by eval": lambda t: "eval " + shlex.quote(t),
    "by bash -c": lambda t: "bash -c " + shlex.quote(t),
    "by bash in a here-document": lambda t: (
        "bash <<'BAILEY_END'\n" + t + "\nBAILEY_END" if "<<" not in t and " - " not in t else None
    ),
    "by a variable": lambda t: "bailey_x=" + shlex.quote(t) + '; eval "$bailey_x"',
    "with its name in quotes": quoted_name,
    "with its name escaped": escaped_name,
    "with its name split": split_name,
    "with its name in escapes": ansi_name,
    "with its name in a variable": variable_name,
    "behind env": behind("env "),
    "behind env with a variable": behind("env BAILEY_Z=1 "),
    "behind an assignment": behind("BAILEY_Z=1 "),
    "behind nice": behind("nice -n 5 "),
    "behind timeout": behind("timeout -k 1 10 "),
    "behind nohup": behind("nohup "),
    "behind setsid": behind("setsid "),
    "behind stdbuf": behind("stdbuf -oL "),
    "behind command": behind("command "),
    "behind exec": behind("exec "),
    "behind sudo": behind("sudo -n -u root -- "),
    "behind three wrappers": behind("sudo -n env -i A=b nice timeout 3 "),
    "behind command -p": behind("command -p "),
}


def main():
    bailey = sys.argv[1]
    rows = [row for row in run.read_rows(run.HERE / "commands.tsv")
            if row.category != "malformed" and "shopt -s" not in row.command
            and not row.command.endswith("\\")]
    plain = run.judge(bailey, rows)
    readable = [(r, v) for r, v in zip(rows, plain) if v["readable"]]
    result = run.Result()
    for name, way in WAYS.items():
        written = [(row._replace(command=way(row.command)), row, verdict)
                   for row, verdict in readable if way(row.command) is not None]
        answers = run.judge(bailey, [row for row, _, _ in written])
        milder = [
            (row, was, now)
            for (row, _, was), now in zip(written, answers)
            if run.ORDER.index(now["decision"]) < run.ORDER.index(was["decision"])
        ]
        for row, was, now in milder[:12]:
            print(f"# {row.id}: {was['decision']} became {now['decision']}: {row.command!r}")
        result.demand(not milder, f"{name}: {len(milder)} of {len(written)} milder")
    print(f"1..{result.count}")
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.exit(main())
