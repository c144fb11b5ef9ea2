#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attacks a sandbox and says what got through.

Each attack runs twice in a home directory that was made for it: first without a sandbox, where it
has to succeed, then in the sandbox, where it must not. Whether it did is seen from outside: in
files, in what a secret's reader alone can print, in what listeners received, in the state of a
process. README.md beside this file says more; expect.tsv lists what is expected otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import multiprocessing
import os
import pwd
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, replace
from multiprocessing.queues import Queue
from pathlib import Path

import launch
import lifetime
from fixture import Fixture, remove
from judge import (
    Attack,
    Expectation,
    Observation,
    Scene,
    Verdict,
    find_expectation,
    judge,
    judge_control,
    load_expectations,
    observe,
)
from launch import CONTROL, Sandbox
from needs import NEEDS_ANOTHER_RUN, another_run, environment_for, setting_for, variant_for

HERE = Path(__file__).resolve().parent
PROGRAMS = ("attacker", "outside", "victim", "sleeper", "setuid_probe")
POLICIES = ("read-only", "workspace-write")
ALL_CONTROLLERS = Path("/sys/fs/cgroup")
PATIENCE_FOR_TRIES = 600  # seconds
SKIPPED = 77  # exit status, as meson knows it


@dataclass(frozen=True)
class Plan:
    """What the command line asked for, the same for all workers."""

    sandbox: Sandbox
    policy: str
    become: str | None  # the user to attack as
    user: str  # "root" or "other", as in expect.tsv
    expectations: list[Expectation]
    base: Path
    cgroup: Path | None
    tries: int  # of a race; 0: for a second


# ---- one attack ----------------------------------------------------------------------------------


def attack_once(
    plan: Plan, fixture: Fixture, sandbox: Sandbox, attack: Attack, facts: list[str]
) -> Observation:
    command = [str(fixture.programs / "attacker"), attack.name, *fixture.arguments(), *facts]
    received = fixture.received()
    with setting_for(fixture, sandbox, attack) as setting:
        if plan.tries > 0:
            setting = replace(setting, patience=PATIENCE_FOR_TRIES)
        ending = launch.run(sandbox, command, setting)
    changes = fixture.changes()
    seen = observe(Scene(fixture, attack, plan.policy, ending, changes, received))
    fixture.tidy(changes)
    if plan.cgroup is not None:
        remove_group(plan.cgroup / "new")
    return replace(seen, text=seen.text.replace(str(fixture.directory), "$FIXTURE")[:300])


def attack_in(plan: Plan, fixture: Fixture, sandbox: Sandbox, attack: Attack) -> Observation:
    if attack in lifetime.LIFE_ATTACKS:
        environment = environment_for(fixture, attack.name)
        return lifetime.observe_life(fixture, sandbox, attack.name, environment)
    facts = [
        f"disk_mb={launch.DISK_MB}",
        f"memory_mb={launch.MEMORY_MB}",
        f"pids={launch.PIDS}",
        f"cgroup={plan.cgroup or ''}",
        f"tries={plan.tries}",
    ]
    fixture.require(variant_for(attack))
    if attack.name not in NEEDS_ANOTHER_RUN:
        return attack_once(plan, fixture, sandbox, attack, facts)
    with another_run(fixture, sandbox) as directory:
        if not directory:
            return Observation("blocked", "there is no temp directory to attack")
        return attack_once(plan, fixture, sandbox, attack, [*facts, f"other_tmp={directory}"])


def verdict_on(plan: Plan, fixture: Fixture, attack: Attack) -> Verdict:
    expected = find_expectation(plan.expectations, attack, plan.policy, plan.user)
    if expected.expected == "skip":
        return Verdict("SKIP", attack.name, expected.reason)
    if attack.group != "info":
        control = attack_in(plan, fixture, CONTROL, attack)
        early = judge_control(expected, attack.name, control)
        if early is not None:
            return early
    return judge(expected, attack, attack_in(plan, fixture, plan.sandbox, attack))


# ---- all attacks ---------------------------------------------------------------------------------


def work(
    plan: Plan, number: int, todo: Queue[Attack | None], done: Queue[Verdict]
) -> None:
    """A worker with a fixture of its own. It takes attacks until there are none."""
    if plan.become is not None:
        become(plan.become)
    fixture = Fixture(plan.base / "bin", plan.base / f"fixture{number}", another_group())
    try:
        while True:
            attack = todo.get()
            if attack is None:
                break
            try:
                done.put(verdict_on(plan, fixture, attack))
            except Exception:  # one attack must not hide the results of the others
                done.put(Verdict("FAIL", attack.name, traceback.format_exc()))
    finally:
        fixture.close()


def run_all(plan: Plan, attacks: list[Attack], jobs: int) -> list[Verdict]:
    context = multiprocessing.get_context("fork")
    todo: Queue[Attack | None] = context.Queue()
    done: Queue[Verdict] = context.Queue()
    for attack in attacks:
        todo.put(attack)
    workers = [
        context.Process(target=work, args=(plan, number, todo, done)) for number in range(jobs)
    ]
    for worker in workers:
        todo.put(None)
        worker.start()
    verdicts: list[Verdict] = []
    while len(verdicts) < len(attacks):
        try:
            verdicts.append(done.get(timeout=1))
            print(verdicts[-1], flush=True)
        except queue.Empty:
            if not any(worker.is_alive() for worker in workers):
                missing = len(attacks) - len(verdicts)
                verdicts.append(Verdict("FAIL", "run.py", f"{missing} attacks have no result"))
                print(verdicts[-1], flush=True)
                break
    for worker in workers:
        worker.join()
    return verdicts


def list_attacks(attacker: Path) -> list[Attack]:
    listing = subprocess.run([attacker, "--list"], check=True, capture_output=True, text=True)
    return [Attack(*line.split("\t")) for line in listing.stdout.splitlines()]


def choose(attacks: list[Attack], pattern: str) -> list[Attack]:
    """Those that match, the slow ones first, so that all workers end at about the same time."""
    slow = ("life", "limit", "tmp")
    chosen = [attack for attack in attacks if re.search(pattern, attack.name)]
    return sorted(chosen, key=lambda attack: attack.group not in slow)


def check_expectations(rows: list[Expectation], attacks: list[Attack]) -> None:
    for row in rows:
        if not any(fnmatch.fnmatchcase(attack.name, row.name) for attack in attacks):
            raise ValueError(f"expect.tsv: no attack is called '{row.name}'")


def summary(verdicts: list[Verdict]) -> str:
    count = Counter(verdict.status for verdict in verdicts)
    text = f"{count['PASS']} passed, {count['FAIL']} failed, {count['SKIP']} skipped"
    return f"{text}, {count['GAP']} known gaps" if count["GAP"] else text


# ---- privileges and places -----------------------------------------------------------------------


def install_programs(build: Path, base: Path, bailey: Path | None) -> None:
    """Where every user may run them, and the probe setuid root when root is here to do it."""
    directory = base / "bin"
    directory.mkdir()
    for name in PROGRAMS:
        shutil.copy(build / name, directory / name)
    if bailey is not None:
        shutil.copy(bailey, directory / "bailey")
    if os.geteuid() == 0:
        (directory / "setuid_probe").chmod(0o4755)


def make_cgroup(name: str, uid: int) -> Path | None:
    """A control group that the user may write to, where root can make one."""
    for parent in (ALL_CONTROLLERS / "pids", ALL_CONTROLLERS):
        if os.geteuid() == 0 and (parent / "cgroup.procs").exists():
            with contextlib.suppress(OSError):
                group = parent / name
                group.mkdir()
                for path in (group, group / "cgroup.procs"):
                    os.chown(path, uid, -1)
                return group
    return None


def remove_group(group: Path) -> None:
    with contextlib.suppress(OSError):
        group.rmdir()


def become(user: str) -> None:
    """Drops all privileges but a second group, so that changing a file's group can be tried."""
    entry = pwd.getpwnam(user)
    os.setgroups([entry.pw_gid, entry.pw_gid - 1])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)


def another_group() -> int:
    """A group that files may be given to."""
    if os.geteuid() == 0:
        return 1
    return next((group for group in os.getgroups() if group != os.getgid()), os.getgid())


def make_base(parent: Path | None, user: str | None) -> Path:
    """Not below /tmp, which a policy may grant."""
    base = Path(tempfile.mkdtemp(prefix="bailey-attack.", dir=parent or "/var/tmp"))
    base.chmod(0o755)
    if user is not None:
        os.chown(base, pwd.getpwnam(user).pw_uid, -1)
    return base


def choose_sandbox(options: argparse.Namespace, base: Path) -> Sandbox:
    if options.sandbox is not None:
        return launch.other_sandbox(options.sandbox)
    return launch.bailey(base / "bin" / "bailey", options.policy)


# ---- the program ---------------------------------------------------------------------------------


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--programs", type=Path, required=True, help="directory of the built test programs")
    add("--bailey", type=Path, help="the program under test")
    add("--sandbox", metavar="COMMAND", help="another sandbox, as the start of a command line")
    add("--policy", choices=POLICIES, default="workspace-write")
    add("--user", metavar="NAME", help="attack as this user (needs root)")
    add("--filter", metavar="REGEX", default="", help="only attacks whose names match")
    add("--jobs", type=int, default=2, metavar="N", help="attacks at a time (2)")
    add("--tries", type=int, default=0, metavar="N", help="of each race (a second of them)")
    add("--base", type=Path, metavar="DIR", help="where to make directories (/var/tmp)")
    add("--expect", type=Path, default=HERE / "expect.tsv", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if (options.bailey is None) == (options.sandbox is None):
        parser.error("one of --bailey and --sandbox is needed")
    return options


def attack_all(options: argparse.Namespace, base: Path, cgroup: Path | None) -> list[Verdict]:
    attacks = list_attacks(base / "bin" / "attacker") + lifetime.LIFE_ATTACKS
    expectations = load_expectations(options.expect)
    check_expectations(expectations, attacks)
    plan = Plan(
        sandbox=choose_sandbox(options, base),
        policy=options.policy,
        become=options.user,
        user="root" if base.stat().st_uid == 0 else "other",
        expectations=expectations,
        base=base,
        cgroup=cgroup,
        tries=options.tries,
    )
    return run_all(plan, choose(attacks, options.filter), options.jobs)


def main() -> int:
    options = parse_arguments()
    if options.user is not None and os.geteuid() != 0:
        print(f"only root can attack as another user ('{options.user}')")
        return SKIPPED
    started = time.monotonic()
    base = make_base(options.base, options.user)
    cgroup = make_cgroup(base.name, base.stat().st_uid)
    try:
        install_programs(options.programs, base, options.bailey)
        verdicts = attack_all(options, base, cgroup)
    finally:
        remove(base)
        if cgroup is not None:
            remove_group(cgroup)
    print(f"{summary(verdicts)} ({time.monotonic() - started:.0f} s)")
    return 1 if any(verdict.status == "FAIL" for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
