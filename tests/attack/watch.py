# SPDX-License-Identifier: MIT
"""What can be seen from outside: files as they are at a moment, and the process `victim`."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import stat
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

# git writes the first when it looks at the workspace, a sandbox makes the second for its own use.
UNIMPORTANT = re.compile(r"/\.git/index$|/\.cache/bailey/project-")
FS_IOC_GETFLAGS = 0x80086601

Snapshot = dict[str, tuple[object, ...]]

# ---- looking at files ----------------------------------------------------------------------------


def content_of(path: str, mode: int) -> str:
    try:
        if stat.S_ISREG(mode):
            with open(path, "rb") as file:
                return hashlib.sha1(file.read()).hexdigest()
        return os.readlink(path) if stat.S_ISLNK(mode) else ""
    except OSError as error:
        return f"error {error.errno}"


def attributes_of(path: str, mode: int) -> tuple[list[str], int]:
    """Extended attributes and, of regular files, the inode's flags."""
    flags = 0
    attributes: list[str] = []
    with contextlib.suppress(OSError):
        attributes = sorted(os.listxattr(path, follow_symlinks=False))
    if stat.S_ISREG(mode):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            (flags,) = struct.unpack("l", fcntl.ioctl(file, FS_IOC_GETFLAGS, struct.pack("l", 0)))
    return (attributes, flags)


def add_tree(path: str, into: Snapshot) -> None:
    """Records what an attack could change about `path` and all that is below it."""
    try:
        info = os.lstat(path)
    except OSError:
        return
    mode = info.st_mode
    is_dir = stat.S_ISDIR(mode)
    if not UNIMPORTANT.search(path):
        into[path] = (
            oct(mode),
            info.st_uid,
            info.st_gid,
            0 if is_dir else (info.st_nlink, info.st_mtime_ns),
            content_of(path, mode),
            attributes_of(path, mode),
        )
    if is_dir:
        with contextlib.suppress(OSError):
            for name in os.listdir(path):
                add_tree(f"{path}/{name}", into)


def read_bytes(path: str | Path, offset: int = 0, size: int = -1) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            file.seek(offset)
            return file.read(size) or b""
    except OSError:
        return b""


def differences(before: Snapshot, after: Snapshot) -> list[str]:
    removed = [f"-{path}" for path in before if path not in after]
    added = [f"+{path}" for path in after if path not in before]
    changed = [f"~{path}" for path in before if path in after and before[path] != after[path]]
    return sorted(removed + added + changed)


# ---- looking at the victim -----------------------------------------------------------------------


@dataclass(frozen=True)
class VictimState:
    """What an attack could change about the process `victim`."""

    alive: bool
    scheduling: tuple[object, ...]
    limits: str
    scores: tuple[bytes, bytes]
    mark: bytes
    signals: int


class Victim:
    """The process that attacks try to reach, and another in namespaces of its own."""

    MARK_OFFSET = 128

    def __init__(self, program: Path, directory: Path, nonce: str) -> None:
        self.facts: dict[str, str] = {}
        self.log = directory / "signals.log"
        self.processes = [
            self.start([str(program), str(directory), f"SECRET-{nonce}-memory"], nonce, lines=4),
            self.start([str(program), "--namespaces"], nonce, lines=1),
        ]
        self.pid = int(self.facts["victim"])
        self.before = self.state()

    def start(self, command: list[str], nonce: str, lines: int) -> subprocess.Popen[str]:
        environment = {"VICTIM_SECRET": f"SECRET-{nonce}-environ"}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(lines):
            key, _, value = process.stdout.readline().strip().partition("=")
            self.facts[key] = value
        return process

    def state(self) -> VictimState:
        fields = read_bytes(f"/proc/{self.pid}/stat").rpartition(b")")[2].split()
        address = int(self.facts["victim_secret"]) + self.MARK_OFFSET
        affinity: set[int] = set()
        with contextlib.suppress(OSError):
            affinity = os.sched_getaffinity(self.pid)
        return VictimState(
            alive=bool(fields) and fields[0] not in (b"Z", b"X", b"T", b"t"),
            # nice, rt_priority and policy; proc(5) counts from 1 and the name is cut off
            scheduling=(fields[16:17], fields[37:39], sorted(affinity)),
            limits=read_bytes(f"/proc/{self.pid}/limits").decode(),
            scores=(
                read_bytes(f"/proc/{self.pid}/oom_score_adj"),
                read_bytes(f"/proc/{self.pid}/coredump_filter"),
            ),
            mark=read_bytes(f"/proc/{self.pid}/mem", address, 16),
            signals=self.log.stat().st_size,
        )

    def changes(self) -> list[str]:
        now = self.state()
        return [
            f"victim {name}: {old!r} to {getattr(now, name)!r}"
            for name, old in vars(self.before).items()
            if getattr(now, name) != old
        ]

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
