#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs real programs in a sandbox and compares them with themselves outside of it.

projects.py, tools.py, served.py and refusals.py have the cases, place.py what a run finds and
leaves. A case passes when the program succeeds outside, succeeds inside, prints the same and leaves
the same files; or, for what a sandbox has to refuse, when it fails inside soon and says why.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import pwd
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import projects
import refusals
import served
import tools
from case import Case
from place import HERE, SYSTEM_PATH, Ending, Place

CASES = (*projects.CASES, *tools.CASES, *served.CASES, *refusals.CASES)
SKIPPED = 77  # exit status, as meson knows it
DENIED = re.compile(r"permission denied|not permitted|EACCES|EPERM|read-only file system", re.I)
SHOWN = 6  # differences


@dataclass(frozen=True)
class Verdict:
    status: str  # "ok", "FAILED" or "skip"
    name: str
    text: str = ""

    def __str__(self) -> str:
        return f"{self.status:<6} {self.name}{': ' if self.text else ''}{self.text}"


@dataclass(frozen=True)
class Bench:
    """What all cases share."""

    base: Path
    path: str
    in_ci: bool
    rounds: int

    def place(self, name: str) -> Place:
        top = self.base / "at" / name
        top.mkdir(parents=True, exist_ok=True)
        return Place(top, self.base / "inputs", self.path, self.rounds)

    def launcher(self, case: Case) -> list[str]:
        return [str(self.base / "bailey"), "run", "--quiet", *case.options, "--"]


# ---- judging -------------------------------------------------------------------------------------


def difference(what: str, outside: str, inside: str) -> list[str]:
    if outside == inside:
        return []
    lines = [f"{what} differs:"]
    theirs, ours = outside.splitlines(), inside.splitlines()
    lines += [f"  outside: {line}" for line in theirs if line not in ours][:SHOWN]
    lines += [f"  inside:  {line}" for line in ours if line not in theirs][:SHOWN]
    return lines


def listing(case: Case, files: dict[str, str]) -> str:
    lines = []
    for name, text in sorted(files.items()):
        varies = "names" in case.same or any(fnmatch.fnmatch(name, item) for item in case.ignore)
        lines.append(f"{name} {text.split()[0] if varies else text}")
    return "\n".join(lines)


def new_denials(outside: Ending, inside: Ending) -> list[str]:
    """A program that goes on after a refusal may have done less than it should."""
    known = set(outside.err.splitlines())
    lines = [line for line in inside.err.splitlines() if DENIED.search(line) and line not in known]
    return [f"was refused something: {line}" for line in lines[:SHOWN]]


def ended(where: str, ending: Ending) -> list[str]:
    if ending.status == 0:
        return []
    how = "did not end" if ending.status is None else f"ended with {ending.status}"
    tail = (ending.out + ending.err).splitlines()[-2 * SHOWN :]
    return [f"{where}: {how} after {ending.seconds:.1f} s", *(f"  {line}" for line in tail)]


def compare(case: Case, outside: Ending, inside: Ending) -> list[str]:
    wrong = ended("inside", inside) + new_denials(outside, inside)
    if "out" in case.same:
        wrong += difference("standard output", outside.out, inside.out)
    if "files" in case.same or "names" in case.same:
        wrong += difference("tree", listing(case, outside.files), listing(case, inside.files))
    return wrong


def judge_refusal(case: Case, inside: Ending) -> list[str]:
    text = inside.out + inside.err
    if inside.status == 0:
        return ["was not refused"]
    if inside.status is None or inside.seconds > case.seconds:
        return [f"took {inside.seconds:.1f} s to be refused (at most {case.seconds:.0f})"]
    if not re.search(case.refused, text, re.M):
        return [f"does not say '{case.refused}' but:", *text.splitlines()[-SHOWN:]]
    return []


# ---- running -------------------------------------------------------------------------------------


def missing(case: Case, path: str) -> str:
    for need in case.needs.split():
        module = need.removeprefix("py:")
        if module != need:
            python = shutil.which("python3", path=path) or "python3"
            done = subprocess.run([python, "-c", f"import {module}"], capture_output=True)
            if done.returncode != 0:
                return f"Python's module '{module}' is not installed"
        elif shutil.which(need, path=path) is None:
            return f"'{need}' is not installed"
    return ""


def run_once(bench: Bench, case: Case, place: Place, inside: bool) -> Ending:
    place.make(case.inputs, case.setup)
    return place.run(bench.launcher(case) if inside else [], case.run)


def verdict(case: Case, wrong: list[str], text: str) -> Verdict:
    if wrong:
        return Verdict("FAILED", case.name, "\n    ".join(wrong))
    return Verdict("ok", case.name, text)


def examine(bench: Bench, case: Case, place: Place) -> Verdict:
    if case.refused:
        inside = run_once(bench, case, place, True)
        return verdict(case, judge_refusal(case, inside), f"refused in {inside.seconds:.2f} s")
    outside = run_once(bench, case, place, False)
    if outside.status != 0:
        return Verdict("skip", case.name, "; ".join(ended("outside of the sandbox too", outside)))
    inside = run_once(bench, case, place, True)
    times = f"{inside.seconds:.2f} s, outside {outside.seconds:.2f} s"
    return verdict(case, compare(case, outside, inside), times)


def strict(bench: Bench, case: Case, result: Verdict) -> Verdict:
    """In CI all programs are there and work, but for a few that are listed."""
    if result.status == "skip" and bench.in_ci and not case.optional:
        return Verdict("FAILED", case.name, f"{result.text} (CI takes no skips)")
    return result


def try_case(bench: Bench, case: Case) -> Verdict:
    place = bench.place(case.name)
    try:
        lack = missing(case, bench.path)
        result = Verdict("skip", case.name, lack) if lack else examine(bench, case, place)
    except subprocess.CalledProcessError as error:
        result = Verdict("FAILED", case.name, f"its setup: {error.stderr.decode()}")
    except Exception:  # one case must not hide the results of the others
        result = Verdict("FAILED", case.name, traceback.format_exc())
    finally:
        place.remove()
    result = strict(bench, case, result)
    print(result, flush=True)
    return result


def measure(bench: Bench, case: Case, times: int) -> None:
    """The program outside and inside by turns, and what the sandbox costs as a ratio."""
    place = bench.place(case.name)
    seconds: dict[bool, list[float]] = {False: [], True: []}
    for number in range(2 * times):
        inside = number % 2 == 1
        seconds[inside].append(run_once(bench, case, place, inside).seconds)
    outside, within = (statistics.median(seconds[inside]) for inside in (False, True))
    place.remove()
    text = f"{case.name:<28} {outside:7.3f} s outside, {within / outside:5.2f} times that inside"
    print(text, flush=True)


# ---- the program ---------------------------------------------------------------------------------


def become(user: str) -> None:
    entry = pwd.getpwnam(user)
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def make_base(bailey: Path, user: str | None) -> Path:
    """Holds all that is needed where the user may read and run it. Not below /tmp, which a policy
    may grant; and short, since the path of a unix socket has at most 107 bytes."""
    base = Path(tempfile.mkdtemp(prefix="bailey.", dir="/var/tmp"))
    base.chmod(0o755)
    shutil.copy(bailey, base / "bailey")
    shutil.copytree(HERE / "inputs", base / "inputs")
    places = base / "at"
    places.mkdir()
    if user is not None:
        os.chown(places, pwd.getpwnam(user).pw_uid, -1)
    return base


def search_path() -> str:
    """The system's programs first, so that a wrapper in somebody's home is not what is tested."""
    directories = SYSTEM_PATH.split(":")
    directories += [item for item in os.environ.get("PATH", "").split(":") if item.startswith("/")]
    usable = [item for item in dict.fromkeys(directories) if os.access(item, os.X_OK)]
    return ":".join(usable)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--bailey", type=Path, required=True, help="the program under test")
    add("--user", metavar="NAME", help="run everything as this user (needs root)")
    add("--filter", metavar="REGEX", default="", help="only cases whose names match")
    add("--jobs", type=int, default=2, metavar="N", help="cases at a time (2)")
    add("--times", type=int, metavar="N", help="measure N runs of each, compare nothing")
    add("--rounds", type=int, default=250, metavar="N", help="of shells' pipelines (250)")
    return parser.parse_args()


def run_all(bench: Bench, cases: list[Case], jobs: int) -> int:
    started = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda case: try_case(bench, case), cases))
    count = Counter(result.status for result in results)
    counts = f"{count['ok']} passed, {count['FAILED']} failed, {count['skip']} skipped"
    print(f"{counts} ({time.monotonic() - started:.0f} s)", flush=True)
    return 1 if count["FAILED"] else 0


def do_work(options: argparse.Namespace, base: Path) -> int:
    bench = Bench(base, search_path(), os.environ.get("CI") == "true", options.rounds)
    cases = [case for case in CASES if re.search(options.filter, case.name)]
    if not options.times:
        return run_all(bench, cases, options.jobs)
    for case in cases:
        measure(bench, case, options.times)
    return 0


def run_as(options: argparse.Namespace, base: Path) -> int:
    """In a process of its own, so that the one that started may clean up."""
    pid = os.fork()
    if pid != 0:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    status = 1
    try:
        if options.user is not None:
            become(options.user)
        status = do_work(options, base)
    except Exception:
        traceback.print_exc()
    os._exit(status)


def main() -> int:
    options = parse_arguments()
    if options.user is not None and os.geteuid() != 0:
        print(f"skip   all: only root can run programs as another user ('{options.user}')")
        return SKIPPED
    base = make_base(options.bailey, options.user)
    try:
        return run_as(options, base)
    finally:
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
