#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Manual pages and completions know every option, key and list that the program has, and no other.

usage: check_man.py BAILEY
"""

import re
import subprocess
import sys

import meta

# command -> the page that describes its options
PAGES = {
    "check": "bailey-check.1.scd",
    "run": "bailey-run.1.scd",
    "why": "bailey-why.1.scd",
    "policy": "bailey.1.scd",
    "debug": "bailey-debug.1.scd",
    "sandbox-exec": "bailey-sandbox-exec.1.scd",
}
# These share the options that choose a policy with run, and point to its page for them.
SHARE_WITH_RUN = ("why", "policy", "debug")
FISH = re.compile(r"^(?:complete|__bailey_policy)\b.*? -l ([a-z-]+)", re.M)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def help_of(bailey, *command):
    done = subprocess.run([bailey, *command, "--help"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def page(name):
    """The source of a page, without the examples: those have options of other programs."""
    text = meta.read(f"doc/man/{name}").replace("\\", "")
    return re.sub(r"^```$.*?^```$", "", text, flags=re.M | re.S)


def options_of(text):
    """The options that a help text lists: those that begin a line."""
    return set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]+)", text, re.M))


def options_agree(bailey):
    run = options_of(help_of(bailey, "run"))
    yield "bailey run --help lists options", [] if len(run) > 10 else ["it does not"]
    for command, name in PAGES.items():
        options = options_of(help_of(bailey, command))
        described = set(OPTION.findall(page(name)))
        wanted = options - run if command in SHARE_WITH_RUN else options
        complaints = [f"{name} does not have {o}" for o in sorted(wanted - described)]
        known = options | run
        complaints += [f"{name} has {o}, which is no option" for o in sorted(described - known)
                       if o not in ("--help", "--version")]
        yield f"{name} and bailey {command} --help agree", complaints


def commands_of(bailey):
    text = subprocess.run([bailey, "help"], capture_output=True, text=True).stdout
    return re.findall(r"^ {2}([a-z-]+) {2,}", text, re.M)


def completions_agree(bailey):
    run = options_of(help_of(bailey, "run"))
    for path in sorted((meta.ROOT / "data" / "completions").iterdir()):
        text = path.read_text(encoding="utf-8")
        # fish writes options without their dashes: -l name
        words = set(OPTION.findall(text)) | {"--" + w for w in FISH.findall(text)}
        complaints = [f"{o} is missing" for o in sorted(run - words)]
        complaints += [f"{o} is no option" for o in sorted(words - run - all_options(bailey))]
        complaints += [f"command {c} is missing" for c in commands_of(bailey) if c not in text]
        yield f"{path.name} completes every option of run and every command", complaints


def all_options(bailey):
    options = {"--help", "--version"}
    for command in commands_of(bailey):
        options |= options_of(help_of(bailey, command))
    return options


def keys_agree():
    keys = re.findall(r'\.name = "(\w+)"', meta.read("src/policy/keys.c"))
    text = page("bailey-policy.5.scd")
    yield "bailey-policy.5.scd has every key", [k for k in keys if f"*{k}*" not in text]


def list_agrees(name, pattern, source, text):
    wanted = re.findall(pattern, source)
    complaints = [f"{w} is missing" for w in wanted if w not in text]
    return name, complaints if wanted else ["the list was not found in the source"]


def lists_agree():
    text = page("bailey-policy.5.scd")
    defaults = meta.read("src/policy/defaults.c")
    calls = re.search(r"policy_blocked_syscalls\[\] = \{(.*?)\};", defaults, re.S).group(1)
    names = re.search(r"policy_protected_names\[\] = \{(.*?)\};", defaults, re.S).group(1)
    sections = dict(re.findall(r"^# ([A-Z ]+)\n(.*?)(?=^# |\Z)", text, re.M | re.S))
    yield list_agrees(
        "the manual has every sensitive path", r'X\("([^"]+)"\)', defaults,
        sections["SENSITIVE PATHS"],
    )
    yield list_agrees(
        "the manual has every blocked system call", r'"(\w+)"', calls, sections["SYSTEM CALLS"]
    )
    yield list_agrees(
        "the manual has every protected name", r'"([.\w]+)"', names, sections["KEYS OF BAILEY"]
    )


def main():
    bailey = sys.argv[1]
    meta.report(
        [*options_agree(bailey), *completions_agree(bailey), *keys_agree(), *lists_agree()]
    )


if __name__ == "__main__":
    main()
