# SPDX-License-Identifier: MIT
"""Starting a command in a sandbox, or without one, and seeing what comes of it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import shlex
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# What `bailey run` is told in workspace-write; the attacks on limits know these numbers.
PIDS = 64
DISK_MB = 256
MEMORY_MB = 1024
FILES = 1024
PATIENCE = 25  # seconds for one attack


@dataclass(frozen=True)
class Sandbox:
    """How a command line becomes one that runs in the sandbox."""

    name: str
    prefix: tuple[str, ...]
    has_options: bool = False  # those of `bailey run` may be put before the "--"

    def wrap(self, command: Sequence[str], options: Sequence[str] = ()) -> list[str]:
        if self.has_options:
            return [*self.prefix, *options, "--", *command]
        return [*self.prefix, *command]


# Without a sandbox a shell stands where a sandbox's launcher would, as somebody to be attacked.
CONTROL = Sandbox("control", ("/bin/sh", "-c", '"$@"; exit $?', "control"))


def bailey(program: Path, policy: str) -> Sandbox:
    options = {
        "read-only": ("--read-only",),
        "workspace-write": (
            *("--pids", str(PIDS)),
            *("--disk", str(DISK_MB)),
            *("--memory", str(MEMORY_MB)),
            *("--files", str(FILES)),
        ),
    }[policy]
    return Sandbox("bailey", (str(program), "run", *options), has_options=True)


def other_sandbox(command_line: str) -> Sandbox:
    return Sandbox("other", tuple(shlex.split(command_line)))


@dataclass
class Setting:
    """Where and how a command is started."""

    directory: Path
    environment: Mapping[str, str]
    options: Sequence[str] = ()
    on_terminal: bool = False
    stdin: int = subprocess.DEVNULL
    descriptors: Sequence[int] = ()  # left open in the command, above those of stdio
    closed: Sequence[int] = ()  # of 0 and 2
    patience: float = PATIENCE


@dataclass
class Ending:
    """What a command left behind."""

    output: str
    status: int  # as subprocess has it: negative for a signal
    in_time: bool = field(default=True)


def run(sandbox: Sandbox, command: Sequence[str], setting: Setting) -> Ending:
    wrapped = sandbox.wrap(command, setting.options)
    return (run_on_terminal if setting.on_terminal else run_on_pipe)(wrapped, setting)


def closer(descriptors: Sequence[int]) -> Callable[[], None] | None:
    def close_all() -> None:
        for descriptor in descriptors:
            os.close(descriptor)

    return close_all if descriptors else None


def run_on_pipe(command: Sequence[str], setting: Setting) -> Ending:
    process = subprocess.Popen(
        command,
        cwd=setting.directory,
        env=setting.environment,
        stdin=setting.stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        pass_fds=setting.descriptors,
        preexec_fn=closer(setting.closed),
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=setting.patience)
        return Ending(output.decode(errors="replace"), process.returncode)
    except subprocess.TimeoutExpired as expired:
        end(process)
        return Ending((expired.stdout or b"").decode(errors="replace"), process.returncode, False)


def run_on_terminal(command: Sequence[str], setting: Setting) -> Ending:
    """On a new pseudo-terminal, which is the controlling one of the command's session."""
    master, terminal = pty.openpty()

    def take_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        command,
        cwd=setting.directory,
        env=setting.environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        preexec_fn=take_terminal,
        start_new_session=True,
    )
    os.close(terminal)
    output = b"".join(chunks(master, process, time.monotonic() + setting.patience))
    os.close(master)
    in_time = process.poll() is not None
    if not in_time:
        end(process)
    return Ending(output.decode(errors="replace"), process.wait(), in_time)


def chunks(master: int, process: subprocess.Popen[bytes], deadline: float) -> Iterator[bytes]:
    while time.monotonic() < deadline:
        readable, _, _ = select.select([master], [], [], 0.1)
        if not readable:
            if process.poll() is not None:
                return
            continue
        try:
            data = os.read(master, 4096)
        except OSError:  # the other side is closed
            data = b""
        if not data:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
            return
        yield data


def end(process: subprocess.Popen[Any]) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=3)
