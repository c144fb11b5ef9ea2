# SPDX-License-Identifier: MIT
"""What the command line tests share: a fixture directory, running bailey, counting."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from typing import Callable, NamedTuple, Optional

Test = Callable[["Fixture"], None]


class Result(NamedTuple):
    status: int
    out: str
    err: str


class Fixture:
    """A home with a workspace in it, made anew for every test."""

    def __init__(self, bailey: str) -> None:
        self.bailey = bailey
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="bailey-cli."))
        self.home = self.top / "home"
        self.ws = self.home / "ws"
        self.tmp = self.top / "tmp"
        self.out = self.top / "out"
        for path in (self.ws, self.tmp, self.out, self.home / ".ssh"):
            path.mkdir(parents=True)
        (self.home / ".ssh" / "id").write_text("SECRET\n")
        self.env = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "LANG": "C.UTF-8",
            "TERM": "xterm",
        }

    def argv(self, *args: str) -> list[str]:
        return [self.bailey, *args]

    def run(self, *args: str, timeout: float = 30, **more) -> Result:
        options = {"cwd": self.ws, "env": self.env, "stdin": subprocess.DEVNULL, **more}
        done = subprocess.run(
            self.argv(*args), capture_output=True, text=True, timeout=timeout, **options
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def start(self, *args: str, **more) -> subprocess.Popen:
        options = {
            "cwd": self.ws,
            "env": self.env,
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            **more,
        }
        return subprocess.Popen(self.argv(*args), **options)

    def finish(self) -> None:
        shutil.rmtree(self.top, ignore_errors=True)


SHELL = ["bash", "--norc", "--noprofile", "-i"]


class Terminal:
    """A process on a pseudo-terminal, and what it has printed."""

    def __init__(self, fx: Fixture, argv: list[str]) -> None:
        self.text = ""
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(fx.ws)
            os.execvpe(argv[0], argv, {**fx.env, "PS1": "ready> ", "ENV": "", "HISTFILE": ""})

    def read(self, seconds: float) -> None:
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if ready:
            try:
                self.text += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                pass

    def expect(self, pattern: str, seconds: float = 8) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end():]
                return
            self.read(0.1)
        raise AssertionError(f"no {pattern!r} in {self.text!r}")

    def send(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def wait(self, seconds: float = 8) -> int:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            self.read(0.05)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError(f"did not end: {self.text!r}")


def alive(token: str) -> list[int]:
    """Processes that call themselves `token` (bash's `exec -a`), zombies left out."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                command = file.read()
        except OSError:
            continue
        if command.startswith(token.encode()):
            found.append(int(entry))
    return found


def wait_for(condition: Callable[[], object], seconds: float = 5) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


def children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def name_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def guard_of(pid: int) -> Optional[int]:
    for child in children(pid):
        if name_of(child) == "bailey-guard":
            return child
    return None


def main(tests: list[Test]) -> None:
    bailey = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    passed = failed = 0
    for test in tests:
        if wanted not in test.__name__:
            continue
        fixture = Fixture(bailey)
        try:
            test(fixture)
            passed += 1
        except Exception:  # a test that breaks is a test that failed
            failed += 1
            print(f"FAILED {test.__name__}")
            traceback.print_exc(file=sys.stdout)
        finally:
            fixture.finish()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
