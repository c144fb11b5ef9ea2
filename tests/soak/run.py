#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Soaks the broker: many calls from many processes, while things go wrong on purpose.

    run.py BAILEY SOAKER [--long]

Each case starts SOAKER in the sandbox and looks from outside: nothing hangs, nothing gets out,
nothing succeeds that must not, nothing is left, and the broker holds no more than before. As root
the sandbox is nobody's, and the broker's descriptors are counted too.
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import pwd
import random
import resource
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

PIDS = 150
FD_SLACK = 4  # the broker keeps two files of the last caller open in each of its two receivers
RSS_SLACK_KIB = 1024
END_SECONDS = 1.0


class Failure(Exception):
    """A case did not go as it should."""


def expect(good: bool, what: str) -> None:
    if not good:
        raise Failure(what)


# ---- processes -----------------------------------------------------------------------------------


def read(path: str) -> str:
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def children(pid: int) -> list[int]:
    text = read(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in text.split()]


def broker_of(launcher: int) -> int:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for pid in children(launcher):
            if read(f"/proc/{pid}/comm").strip() == "bailey-broker":
                return pid
        time.sleep(0.001)
    return 0


def alive(token: str) -> list[int]:
    """All processes that have the token in their command line, but for the launcher."""
    found = []
    for name in os.listdir("/proc"):
        line = read(f"/proc/{name}/cmdline") if name.isdigit() else ""
        if token in line:
            found.append(int(name))
    return found


def memory_kib(pid: int) -> int:
    for line in read(f"/proc/{pid}/status").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def descriptors(pid: int) -> int | None:
    """None: the broker does not let anybody but root look."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return None


# ---- a run ---------------------------------------------------------------------------------------


class Place:
    """A workspace with protected names, a file beside it, and a server that is nobody's."""

    def __init__(self, directory: str):
        self.directory = pathlib.Path(directory)
        self.workspace = self.directory / "workspace"
        (self.workspace / ".git" / "hooks").mkdir(parents=True)
        (self.workspace / ".git" / "config").write_text("[core]\n")
        (self.directory / "outside").write_text("outside\n")
        (self.directory / "tmp").mkdir()
        self.user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        if self.user:
            for path in [self.directory, *self.directory.rglob("*")]:
                os.chown(path, self.user.pw_uid, self.user.pw_gid)
        self.server = socket.create_server(("127.0.0.1", 0))
        self.before = self.picture()

    def picture(self) -> str:
        """What must not change, to the last byte and second."""
        digest = hashlib.sha256()
        git = self.workspace / ".git"
        for path in [self.directory / "outside", git, *sorted(git.rglob("*"))]:
            status = path.lstat()
            digest.update(f"{path} {status.st_mode} {status.st_ino} {status.st_mtime_ns}".encode())
            digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()

    def become_user(self) -> None:
        if self.user:
            os.setgroups([])
            os.setgid(self.user.pw_gid)
            os.setuid(self.user.pw_uid)

    def reached(self) -> bool:
        return bool(select.select([self.server], [], [], 0)[0])


class Run:
    def __init__(self, args: argparse.Namespace, place: Place, *options: str):
        self.token = f"soak{secrets.token_hex(6)}"
        self.place = place
        command = [args.bailey, "run", "--exact-pids", "--pids", str(PIDS), "--timeout", "0", "--",
                   args.soaker, "--token", self.token,
                   "--foreign", str(place.server.getsockname()[1]), *options]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(place.directory),
                       "TMPDIR": str(place.directory / "tmp")}
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, cwd=place.workspace, env=environment,
                                        preexec_fn=place.become_user, start_new_session=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.said)
        self.lines: list[str] = []
        self.rest = b""
        self.broker = 0

    def find_broker(self) -> int:
        self.broker = broker_of(self.process.pid)
        return self.broker

    def next_line(self, seconds: float) -> str | None:
        """What it says next; None: nothing within that time."""
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise Failure(f"it ended with {self.process.wait(5)}: {self.reason()}")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode()

    def reason(self) -> str:
        """Why it ended, as the launcher says it."""
        self.said.seek(0)
        said = [line.strip() for line in self.said if "refused:" not in line]
        return "; ".join(self.lines[-5:] + said)

    def wait_for(self, word: str, seconds: float) -> str:
        """The line that begins with it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            line = self.next_line(0.2)
            if line is not None:
                self.lines.append(line)
                if line.startswith(word):
                    return line
        raise Failure(f"no {word} within {seconds:.0f} s: {self.lines[-5:]}")

    def go(self) -> None:
        self.process.stdin.write(b"go\n")
        self.process.stdin.flush()

    def end(self) -> int:
        self.process.stdin.close()
        return self.process.wait(timeout=20)

    def is_gone(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while True:
            if self.process.poll() is not None and not alive(self.token):
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)

    def clean_up(self) -> None:
        for pid in alive(self.token):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                stream.close()


@contextlib.contextmanager
def running(args: argparse.Namespace, place: Place, *options: str) -> Iterator[Run]:
    run = Run(args, place, *options)
    try:
        yield run
    finally:
        run.clean_up()


def check_nothing_left(run: Run) -> None:
    place = run.place
    expect(run.is_gone(END_SECONDS), f"processes are left: {alive(run.token)}")
    left = [name for name in os.listdir("/dev/shm") if run.token in name]
    expect(not left, f"shared memory is left: {left}")
    expect(not list((place.directory / "tmp").rglob("bailey-*/*/*")), "a temp directory is left")
    expect(not place.reached(), "a server outside was reached")


def check_as_before(place: Place) -> None:
    for path in (place.directory / "tmp").iterdir():
        shutil.rmtree(path)
    for path in place.workspace.glob("w[0-9]*"):
        shutil.rmtree(path)
    expect({p.name for p in place.workspace.iterdir()} == {".git"}, "the workspace has more in it")


# ---- cases ---------------------------------------------------------------------------------------


def soak(args: argparse.Namespace, place: Place, *options: str,
         beside: Callable[[Run], contextlib.AbstractContextManager] = contextlib.nullcontext
         ) -> str:
    """A whole soak; what the broker holds is compared between its start and its end."""
    with running(args, place, *options) as run:
        expect(run.find_broker() != 0, "there is no broker")
        run.wait_for("READY", 60)
        before = (descriptors(run.broker), memory_kib(run.broker))
        run.go()
        with beside(run):
            result = run.wait_for("RESULT", args.seconds)
        after = (descriptors(run.broker), memory_kib(run.broker))
        expect(children(run.broker) != [] and len(children(run.broker)) == 1,
               f"the broker has not waited for what ended: {children(run.broker)}")
        wrong = [line for line in run.lines if line.startswith("WRONG")]
        expect(result.endswith("wrong=0"), f"{result}\n" + "\n".join(wrong))
        if before[0] is not None:
            expect(after[0] <= before[0] + FD_SLACK, f"descriptors of the broker: {before} {after}")
        expect(after[1] <= before[1] + RSS_SLACK_KIB, f"memory of the broker: {before} {after}")
        expect(run.end() == 0, "its status is not 0")
        check_nothing_left(run)
        return f"{result[7:]}; broker's descriptors, KiB: {before} then {after}"


def under_load(args: argparse.Namespace, place: Place) -> str:
    return soak(args, place, "--calls", str(args.calls))


def workers_killed(args: argparse.Namespace, place: Place) -> str:
    return soak(args, place, "--calls", str(args.calls), "--kill")


def starve(broker: int) -> None:
    """Takes descriptors and memory from it and gives them back, without end."""
    kinds = (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_DATA)
    usual = {kind: resource.prlimit(broker, kind) for kind in kinds}
    while True:
        kind = random.choice(kinds)
        little = random.randint(0, 24) if kind == resource.RLIMIT_NOFILE else 4096
        resource.prlimit(broker, kind, (little, usual[kind][1]))
        time.sleep(random.uniform(0, 0.01))
        resource.prlimit(broker, kind, usual[kind])
        time.sleep(random.uniform(0, 0.01))


@contextlib.contextmanager
def starving(run: Run) -> Iterator[None]:
    """By a process of the broker's user, who may set its limits."""
    starver = os.fork()
    if starver == 0:
        try:
            run.place.become_user()
            starve(run.broker)
        finally:
            os._exit(1)
    try:
        yield
        expect(os.waitpid(starver, os.WNOHANG) == (0, 0), "the broker's limits could not be set")
    finally:
        os.kill(starver, signal.SIGKILL)
        os.waitpid(starver, 0)


def broker_starved(args: argparse.Namespace, place: Place) -> str:
    return soak(args, place, "--calls", str(args.calls // 2), "--broker-faults", "--kill",
                beside=starving)


def broker_killed(args: argparse.Namespace, place: Place) -> str:
    """The tree ends within a second, whenever that happens, and the status says so."""
    statuses: dict[int, int] = {}
    for number in range(args.kills):
        with running(args, place, "--calls", "1000000000", "--workers", "16", "--kill") as run:
            expect(run.find_broker() != 0, "there is no broker")
            if number % 3 == 0:
                run.wait_for("READY", 60)
                run.go()
            time.sleep(random.uniform(0, 0.3 if number % 3 else 0.05))
            os.kill(run.broker, signal.SIGKILL)
            expect(run.is_gone(END_SECONDS), f"alive after {END_SECONDS} s: {alive(run.token)}")
            status = run.process.returncode
            statuses[status] = statuses.get(status, 0) + 1
            expect(status == 137, f"the status is {status}")
            check_nothing_left(run)
        check_as_before(place)
    return f"{args.kills} times; statuses {statuses}"


CASES = (under_load, workers_killed, broker_starved, broker_killed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bailey", type=os.path.abspath)
    parser.add_argument("soaker", type=os.path.abspath)
    parser.add_argument("--long", action="store_true", help="100,000 calls for each case")
    parser.add_argument("--case", action="append", help="only that one")
    args = parser.parse_args()
    args.calls = 100000 if args.long else 6000
    args.kills = 100 if args.long else 6
    args.seconds = 900 if args.long else 90
    failed = 0
    chosen = [case for case in CASES if not args.case or case.__name__ in args.case]
    for case in chosen:
        with tempfile.TemporaryDirectory(prefix="bailey-soak.", dir="/var/tmp") as directory:
            place = Place(directory)
            begin = time.monotonic()
            try:
                told = case(args, place)
                check_as_before(place)
                expect(place.picture() == place.before, "protected or outside files have changed")
                print(f"PASS {case.__name__} ({time.monotonic() - begin:.0f} s): {told}")
            except Failure as failure:
                failed += 1
                print(f"FAIL {case.__name__}: {failure}")
            place.server.close()
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
