#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums up a run of `meson test` in real cases, and decides whether it was a success.

usage: summary.py BUILD-DIR [EXIT-STATUS-OF-MESON]

Reads BUILD-DIR/meson-logs/testlog.json. One program may hold many cases, so what it printed is
counted: the cases of cmocka, a TAP stream, or a last line "N passed, N failed[, N skipped]", behind
which more may stand ("2 known gaps (30 s)"). What prints none of these is one case. A program that
failed although all its cases passed (it crashed on the way out, a sanitizer spoke up, it ran out of
time) is a failed case more.

With CI=true in the environment a skip is a failure unless tests/allowed-skips has it. A run in
which nothing passed is a failure too. The last line printed is "N passed, N failed".
"""

import collections
import fnmatch
import json
import os
import pathlib
import re
import sys

CMOCKA = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+)$", re.M)
CMOCKA_RUN = re.compile(r"^\[=+\] Running \d+ test\(s\)", re.M)
TAP_PLAN = re.compile(r"^1\.\.(\d+)", re.M)
TAP_LINE = re.compile(
    r"^(not )?ok\b *\d* *-? *([^#\n]*?) *(?:# *(skip|todo)\b *(.*))?$", re.M | re.I
)
CLOSING = re.compile(
    r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?"
    r"(?:, \d+ known gaps)?(?: \(.*\))?\s*$",
    re.M,
)
SKIP_LINE = re.compile(r"^(?:skip|skipped)\b:? +([^\s:]+)", re.M | re.I)
SKIPS_SHOWN = 5


class Count:
    """Cases of one program: how many passed, and the names of those that did not."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.skipped = []


def count_cmocka(text):
    count = Count()
    for outcome, name in CMOCKA.findall(text):
        if outcome == "OK":
            count.passed += 1
        elif outcome == "FAILED":
            count.failed.append(name)
        else:
            count.skipped.append(name)
    return count


def count_tap(text):
    count = Count()
    planned = int(TAP_PLAN.search(text).group(1))
    seen = 0
    for bad, name, directive, _ in TAP_LINE.findall(text):
        seen += 1
        if directive.lower() == "skip":
            count.skipped.append(name)
        elif bad and directive.lower() != "todo":
            count.failed.append(name)
        else:
            count.passed += 1
    if seen < planned:
        count.failed.append(f"{planned - seen} of {planned} cases that never ran")
    return count


def count_closing(text):
    passed, failed, skipped = CLOSING.findall(text)[-1]
    count = Count()
    count.passed = int(passed)
    count.failed = ["a case"] * int(failed)
    names = SKIP_LINE.findall(text)[: int(skipped or 0)]
    count.skipped = names + ["a case"] * (int(skipped or 0) - len(names))
    return count


def count_cases(text):
    if CMOCKA_RUN.search(text):
        return count_cmocka(text)
    if TAP_PLAN.search(text) and TAP_LINE.search(text):
        return count_tap(text)
    if CLOSING.search(text):
        return count_closing(text)
    return None


def count_test(record):
    """The cases of one entry of testlog.json."""
    result = record["result"]
    count = count_cases(record.get("stdout") or "")
    if result == "SKIP":
        count = count or Count()
        if not count.skipped:
            count.skipped.append("")
        return count
    good = result in ("OK", "EXPECTEDFAIL")
    if count is None:
        count = Count()
        count.passed = 1 if good else 0
    if not good and not count.failed:
        count.failed.append(result.lower())
    return count


def read_log(path):
    with open(path, encoding="utf-8") as log:
        return [json.loads(line) for line in log if line.strip()]


def read_allowed(path):
    """Patterns of tests/allowed-skips with their reasons. A line without a reason is an error."""
    allowed = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = re.split(r"\s{2,}", line.strip(), maxsplit=1)
        if len(fields) != 2:
            sys.exit(f"{path}:{number}: no reason is given for '{line.strip()}'")
        allowed[fields[0]] = fields[1]
    return allowed


def reason_for(allowed, test, case):
    for name in (f"{test}: {case}", test):
        for pattern, reason in allowed.items():
            if fnmatch.fnmatchcase(name, pattern):
                return reason
    return None


def full_name(test, case):
    return f"{test}: {case}" if case else test


def judge(records, allowed, in_ci):
    """Sums per suite, and one line of text per case that did not pass."""
    suites = collections.OrderedDict()
    lines = []
    for record in records:
        # meson writes "project:suite / test", with a "+" between suites, or just the name
        suites_of, _, test = record["name"].rpartition(" / ")
        suite = suites_of.split(":")[-1].split("+")[0] or "tests"
        count = count_test(record)
        failed = len(count.failed)
        lines += [f"failed   {full_name(test, case)}" for case in count.failed]
        skips = []
        for case in count.skipped:
            reason = reason_for(allowed, test, case)
            if in_ci and reason is None:
                failed += 1
                lines.append(f"failed   {full_name(test, case)} (skipped, which CI does not take)")
            else:
                skips.append(f"skipped  {full_name(test, case)}{f' ({reason})' if reason else ''}")
        if len(skips) > SKIPS_SHOWN:
            skips = [f"skipped  {test}: {len(skips)} cases, which meson-logs/testlog.txt names"]
        lines += skips
        sums = suites.setdefault(suite, [0, 0, 0])
        sums[0] += count.passed
        sums[1] += failed
        sums[2] += len(count.skipped) - (failed - len(count.failed))
    return suites, lines


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    here = pathlib.Path(__file__).resolve().parent
    meson_status = int(sys.argv[2]) if len(sys.argv) == 3 else 0
    try:
        records = read_log(pathlib.Path(sys.argv[1]) / "meson-logs" / "testlog.json")
    except (OSError, ValueError) as error:
        print(f"summary: no result can be read: {error}")
        records = []
    allowed = read_allowed(here / "allowed-skips")
    suites, lines = judge(records, allowed, os.environ.get("CI") == "true")

    print()
    for line in lines:
        print(line)
    for suite, (passed, failed, skipped) in suites.items():
        print(f"{suite:<12} {passed:>6} passed {failed:>4} failed {skipped:>4} skipped")
    if not suites:
        suites["none"] = [0, 1, 0]
    passed, failed, skipped = (sum(column) for column in zip(*suites.values()))
    if meson_status != 0 and failed == 0:
        print(f"summary: meson test ended with {meson_status}, although no case failed")
        failed = 1
    if skipped:
        print(f"{passed} passed, {failed} failed, {skipped} skipped")
    else:
        print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
