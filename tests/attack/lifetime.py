# SPDX-License-Identifier: MIT
"""Attacks on the end of a run: processes that outlive it, or are more than it may have."""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from fixture import Fixture
from judge import Attack, Observation
from launch import CONTROL, PIDS, Sandbox, end
from watch import read_bytes

START_SECONDS = 6.0
# How long a sandbox may take to end all of its processes, and how long a control is watched.
SANDBOX_SECONDS = 4.0
CONTROL_SECONDS = 0.4
# A storm: so many runs, killed that long after their start; some have not begun, some work.
ROUNDS = 12
SOON_SECONDS = 0.03
LATER_SECONDS = 0.2
GONE_SECONDS = 2.0


@dataclass
class Run:
    """One sandbox with a `sleeper` in it."""

    sandbox: Sandbox
    process: subprocess.Popen[bytes]
    token: str

    def survivors(self) -> list[int]:
        name = f"sleeper-{self.token}".encode()
        return [pid for pid in all_processes() if command_line(pid).startswith(name)]

    def processes(self) -> list[int]:
        """All of the run, the sandbox's own among them: the token is on their command line."""
        return [pid for pid in all_processes() if self.token.encode() in command_line(pid)]

    def between(self) -> list[int]:
        """Processes of the sandbox itself, below the launcher: those that are no sleeper."""
        return [pid for pid in descendants(self.process.pid) if not is_sleeper(pid)]

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def wait_for_start(self) -> bool:
        wait_until(lambda: bool(self.survivors()) or self.has_ended(), START_SECONDS)
        return bool(self.survivors())


def all_processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def command_line(pid: int) -> bytes:
    return read_bytes(f"/proc/{pid}/cmdline")


def is_sleeper(pid: int) -> bool:
    program = command_line(pid).partition(b"\0")[0]
    return program.rpartition(b"/")[2].startswith(b"sleeper")


def parent_of(pid: int) -> int:
    fields = read_bytes(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return int(fields[1]) if len(fields) > 1 else 0


def descendants(root: int) -> list[int]:
    parents = {pid: parent_of(pid) for pid in all_processes()}
    found = [root]
    for known in found:
        found.extend(pid for pid, parent in parents.items() if parent == known)
    return found[1:]


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.03)
    return True


# ---- what happens to a run -----------------------------------------------------------------------


def kill_launcher(run: Run) -> None:
    run.process.kill()


def terminate_launcher(run: Run) -> None:
    run.process.terminate()


def hang_up_launcher(run: Run) -> None:
    run.process.send_signal(signal.SIGHUP)


def kill_between(run: Run) -> None:
    for pid in run.between()[:1]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def do_nothing(run: Run) -> None:
    """The command ends by itself, or runs out of time."""


@dataclass(frozen=True)
class Life:
    """A way to outlive the sandbox: what the sleeper does, and how its run ends."""

    mode: str
    act: Callable[[Run], None]
    tries: str
    options: tuple[str, ...] = ()
    allowed: int = 0  # so many may live on
    may_wait: bool = False  # the launcher may stay as long as the sleeper does
    nested: bool = False  # the control has another shell between launcher and sleeper
    has_parent: bool = False  # a shell starts the launcher, and it is the shell that dies


LIVES = {
    "life.kill_plain": Life("plain", kill_launcher, "outlives the launcher's SIGKILL"),
    "life.kill_stubborn": Life("stubborn", kill_launcher, "does so ignoring signals"),
    "life.kill_closed": Life("closed", kill_launcher, "does so without descriptors"),
    "life.kill_daemon": Life("daemon", kill_launcher, "does so as a daemon"),
    "life.kill_parent": Life(
        "plain", kill_launcher, "outlives what started the launcher", nested=True, has_parent=True
    ),
    "life.term_plain": Life("plain", terminate_launcher, "outlives the launcher's SIGTERM"),
    "life.term_stubborn": Life(
        "stubborn", terminate_launcher, "does so ignoring signals", may_wait=True
    ),
    "life.term_daemon": Life("daemon", terminate_launcher, "does so as a daemon"),
    "life.hup_daemon": Life("daemon", hang_up_launcher, "outlives the launcher's SIGHUP"),
    "life.exit_daemon": Life("daemon-exit", do_nothing, "outlives the command as a daemon"),
    "life.timeout_stubborn": Life(
        "stubborn", do_nothing, "outlives its time ignoring signals", ("--timeout", "1")
    ),
    "life.timeout_daemon": Life(
        "daemon", do_nothing, "outlives its time as a daemon", ("--timeout", "1")
    ),
    "life.timeout_closed": Life(
        "closed", do_nothing, "outlives its time without descriptors", ("--timeout", "1")
    ),
    "life.reaper_plain": Life(
        "plain", kill_between, "outlives the SIGKILL of a process between", nested=True
    ),
    "life.reaper_daemon": Life("daemon", kill_between, "does so as a daemon", nested=True),
    "life.bomb": Life("bomb", do_nothing, "has many processes that execute", allowed=PIDS),
    "life.bomb_killed": Life("bomb", kill_launcher, "has so many that some outlive SIGKILL"),
}


@dataclass(frozen=True)
class Storm:
    """Whom of a run somebody kills, at any moment, and what status comes of it."""

    victim: str  # name of a process, or what find_victim() knows
    tries: str
    statuses: tuple[int, ...]
    options: tuple[str, ...] = ()


KEEP = ("--keep-background",)
KILLED = 128 + signal.SIGKILL
STORMS = {
    "life.storm_launcher": Storm("top", "outlives the launcher, killed at any moment", (-9,)),
    "life.storm_group": Storm("group", "outlives the group of the launcher", (-9,)),
    "life.storm_guard": Storm("bailey-guard", "outlives the guard", (KILLED,)),
    "life.storm_broker": Storm("bailey-broker", "outlives the broker", (KILLED,)),
    "life.storm_worker": Storm("worker", "outlives the command that was killed", (KILLED,)),
    "life.storm_front": Storm("top", "outlives the process in front", (-9,), KEEP),
    "life.storm_behind": Storm("bailey", "outlives the launcher behind", (KILLED,), KEEP),
    "life.storm_keeper": Storm("bailey-broker", "outlives the broker behind", (KILLED,), KEEP),
}
LEFT_TEMP = "tmp.left_after_kill"
LIFE_ATTACKS = [Attack(name, "processes", life.tries) for name, life in LIVES.items()]
LIFE_ATTACKS.extend(Attack(name, "processes", storm.tries) for name, storm in STORMS.items())
LIFE_ATTACKS.append(Attack(LEFT_TEMP, "left", "leaves its temp directory after SIGKILL"))


def wrap(sandbox: Sandbox, life: Life, command: list[str]) -> list[str]:
    if sandbox is not CONTROL:
        wrapped = sandbox.wrap(command, life.options)
        return CONTROL.wrap(wrapped) if life.has_parent else wrapped
    if life.options:  # coreutils' timeout(1) signals its child and group only
        command = ["timeout", "1", *command]
    return CONTROL.wrap(CONTROL.wrap(command)) if life.nested else CONTROL.wrap(command)


def start(fixture: Fixture, sandbox: Sandbox, life: Life, environment: dict[str, str]) -> Run:
    token = secrets.token_hex(6)
    process = subprocess.Popen(
        wrap(sandbox, life, [str(fixture.programs / "sleeper"), token, life.mode]),
        cwd=fixture.workspace,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return Run(sandbox, process, token)


def clean_up(run: Run) -> None:
    for pid in run.survivors():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(run.process.pid, signal.SIGKILL)
    run.process.wait()


def attempt(run: Run, life: Life) -> Observation:
    if not run.wait_for_start():
        if life.mode == "bomb" and run.has_ended():
            return Observation("blocked", "all were ended at once")
        return Observation("error", "the sleeper never appeared")
    time.sleep(0.2)
    if life.act is kill_between and not run.between():
        return Observation("n/a", "there is no process between")
    life.act(run)
    if life.options or life.allowed:
        time.sleep(1.5)
    seconds = CONTROL_SECONDS if run.sandbox is CONTROL else SANDBOX_SECONDS
    wait_until(lambda: len(run.survivors()) <= life.allowed, seconds)
    alive = len(run.survivors())
    if alive and life.may_wait and not run.has_ended():
        return Observation("blocked", "the launcher passed the signal on and waits")
    if alive > life.allowed:
        return Observation("succeeded", f"{alive} processes are alive")
    if life.allowed == 0 and not wait_until(run.has_ended, seconds):
        return Observation("error", "the launcher does not end")
    return Observation("blocked", f"{alive} processes are alive")


def observe_left_temp(
    fixture: Fixture, sandbox: Sandbox, environment: dict[str, str]
) -> Observation:
    """The launcher cannot clean up when it is killed; the next run has to."""
    if sandbox is CONTROL:
        environment["TMPDIR"] = tempfile.mkdtemp(dir=fixture.directory)
    process = subprocess.Popen(
        sandbox.wrap(["/bin/sh", "-c", 'echo "$TMPDIR"; exec sleep 20']),
        cwd=fixture.workspace,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    )
    assert process.stdout is not None
    directory = process.stdout.readline().strip()
    end(process)
    if not directory:
        return Observation("blocked", "there is no temp directory")
    subprocess.run(
        sandbox.wrap(["true"]),
        cwd=fixture.workspace,
        env=environment,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if wait_until(lambda: not os.path.exists(directory), SANDBOX_SECONDS / 4):
        return Observation("blocked", "it is gone after the next run")
    return Observation("succeeded", f"{directory} is still there")


def name_of(pid: int) -> str:
    return read_bytes(f"/proc/{pid}/comm").decode(errors="replace").strip()


def find_victim(run: Run, victim: str) -> int:
    """Or 0, if there is none at the moment."""
    if victim in ("top", "group"):
        return run.process.pid
    below = descendants(run.process.pid)
    if victim != "worker":
        return next((pid for pid in below if name_of(pid) == victim), 0)
    return next((pid for pid in below if is_sleeper(pid)), 0)


def kill_victim(run: Run, storm: Storm) -> bool:
    victim = 0
    deadline = time.monotonic() + GONE_SECONDS
    while not victim and not run.has_ended() and time.monotonic() < deadline:
        victim = find_victim(run, storm.victim)
    if not victim:
        return False
    with contextlib.suppress(ProcessLookupError):
        (os.killpg if storm.victim == "group" else os.kill)(victim, signal.SIGKILL)
    return True


def one_round(run: Run, storm: Storm, delay: float) -> Observation | None:
    """None: nothing was left, and the status was right."""
    time.sleep(delay)
    if not kill_victim(run, storm):
        return Observation("n/a", "there is no such process")
    if not wait_until(run.has_ended, SANDBOX_SECONDS):
        return Observation("error", f"the launcher does not end, {delay * 1000:.1f} ms")
    if not wait_until(lambda: not run.processes(), GONE_SECONDS):
        left = [name_of(pid) for pid in run.processes()]
        return Observation("succeeded", f"{left} are alive, {delay * 1000:.1f} ms")
    if run.process.returncode not in storm.statuses:
        return Observation("error", f"status {run.process.returncode}, {delay * 1000:.1f} ms")
    return None


def observe_storm(
    fixture: Fixture, sandbox: Sandbox, storm: Storm, environment: dict[str, str]
) -> Observation:
    if sandbox is CONTROL:
        life = LIVES["life.reaper_daemon"]
        run = start(fixture, sandbox, life, environment)
        try:
            return attempt(run, life)
        finally:
            clean_up(run)
    life = Life("daemon", do_nothing, storm.tries, storm.options)
    for number in range(ROUNDS):
        run = start(fixture, sandbox, life, environment)
        try:
            longest = LATER_SECONDS if number % 4 == 0 else SOON_SECONDS
            seen = one_round(run, storm, random.random() * longest)
        finally:
            clean_up(run)
        if seen is not None:
            return seen
    return Observation("blocked", f"nothing was left of {ROUNDS} runs")


def observe_life(
    fixture: Fixture, sandbox: Sandbox, name: str, environment: dict[str, str]
) -> Observation:
    if name == LEFT_TEMP:
        return observe_left_temp(fixture, sandbox, environment)
    if name in STORMS:
        return observe_storm(fixture, sandbox, STORMS[name], environment)
    run = start(fixture, sandbox, LIVES[name], environment)
    try:
        return attempt(run, LIVES[name])
    finally:
        clean_up(run)
