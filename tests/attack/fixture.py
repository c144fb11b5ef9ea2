# SPDX-License-Identifier: MIT
"""The surroundings of an attack: a home directory with secrets and a workspace in it, a directory
and processes outside, and what can be seen of a change to any of them."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import secrets
import shutil
import signal
import stat
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Names in the workspace that nobody may change. Those below sub/ are a repository of its own, one
# whose .git is a file, and the directory that this file names.
PROTECTED = (".git", ".vtcode", ".codex", ".agents", ".claude", ".bailey", "planted-link")
PROTECTED_BELOW = (
    "sub/nested/.git",
    "sub/moved",
    "work/sub-moved",
    "sub/linked/.git",
    "sub/gitdirs",
    "sub/real-git",
    "sub/.git",
)
SETTINGS = {
    ".vtcode/vtcode.toml": "# settings\n",
    ".codex/config.toml": "# settings\n",
    ".agents/skill.md": "# a skill\n",
    ".claude/settings.json": "{}\n",
    ".bailey/policy.toml": "# policy\n",
}
CREDENTIALS = (
    ".aws/credentials",
    ".config/gh/hosts.yml",
    ".docker/config.json",
    ".git-credentials",
    ".gnupg/private-keys-v1.d/1.key",
    ".kube/config",
    ".netrc",
    ".npmrc",
)
# git writes this when it looks at the workspace; nothing follows from it.
UNIMPORTANT = "/.git/index"
FS_IOC_GETFLAGS = 0x80086601

Snapshot = dict[str, tuple]


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")
    path.chmod(mode)


def remove(path: Path) -> None:
    """Removes a file or a tree, whatever its modes are by now."""

    def open_up(function, name, _error) -> None:
        with contextlib.suppress(OSError):
            os.chmod(os.path.dirname(name), 0o700)
            os.chmod(name, 0o700)
            function(name)

    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path, onerror=open_up)


# ---- looking at files ----------------------------------------------------------------------------


def content_of(path: str, mode: int) -> str:
    try:
        if stat.S_ISREG(mode):
            with open(path, "rb") as file:
                return hashlib.sha1(file.read()).hexdigest()
        return os.readlink(path) if stat.S_ISLNK(mode) else ""
    except OSError as error:
        return f"error {error.errno}"


def attributes_of(path: str, mode: int) -> tuple:
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
    if not path.endswith(UNIMPORTANT):
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
    scheduling: tuple
    limits: str
    scores: tuple
    mark: bytes
    signals: int


def read_bytes(path: str | Path, offset: int = 0, size: int = -1) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            file.seek(offset)
            return file.read(size)
    except OSError:
        return b""


class Victim:
    """The process that attacks try to reach, and another in namespaces of its own."""

    MARK_OFFSET = 128

    def __init__(self, program: Path, directory: Path, nonce: str) -> None:
        self.facts: dict[str, str] = {}
        self.log = directory / "signals.log"
        self.processes = [
            self.start([program, directory, f"SECRET-{nonce}-memory"], nonce, lines=4),
            self.start([program, "--namespaces"], nonce, lines=1),
        ]
        self.pid = int(self.facts["victim"])
        self.before = self.state()

    def start(self, command: list, nonce: str, lines: int) -> subprocess.Popen:
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


# ---- all of it -----------------------------------------------------------------------------------


class Fixture:
    """A directory with everything in it; attacks of one fixture run one after the other."""

    def __init__(self, programs: Path, directory: Path, group: int) -> None:
        self.programs = programs
        self.directory = directory
        self.tag = secrets.token_hex(6)
        self.nonce = secrets.token_hex(8)
        self.keys = f"typed{secrets.token_hex(4)}"
        self.key_size = 1000 + secrets.randbelow(1000)
        self.home = directory / "home"
        self.workspace = self.home / "project"
        self.work = self.workspace / "work"
        self.outside = directory / "outside"
        self.group = group
        self.variant = ""
        self.extra: list[Path] = []  # more trees to watch
        self.before: Snapshot = {}
        self.template = directory / "template"
        self.make_template()
        self.restore("plain")
        self.listeners = self.start_listeners()
        self.victim = Victim(programs / "victim", directory, self.nonce)

    # -- making ------------------------------------------------------------------------------------

    def secret(self, name: str) -> str:
        return f"SECRET-{self.nonce}-{name}\n"

    def make_template(self) -> None:
        self.directory.mkdir(mode=0o755)
        self.make_home(self.template / "home")
        self.make_workspace(self.template / "home" / "project")
        outside = self.template / "outside"
        write(outside / "secret.txt", self.secret("elsewhere"), 0o600)
        write(outside / "victim.txt", "nobody's business\n")
        with contextlib.suppress(OSError):
            os.setxattr(outside / "victim.txt", "user.fixture", b"1")
        (outside / "empty").mkdir()
        write(self.template / "victim" / "read.txt", self.secret("descriptor"), 0o600)
        write(self.template / "victim" / "write.txt", "append only\n")

    def make_home(self, home: Path) -> None:
        key = self.secret("ssh")
        write(home / ".ssh" / "id_rsa", key + "x" * (self.key_size - len(key)), 0o600)
        write(home / ".ssh" / f"known_{self.nonce}", "", 0o600)
        (home / ".ssh").chmod(0o700)
        for name in CREDENTIALS:
            write(home / name, self.secret(name.replace("/", "-")), 0o600)
        write(home / ".bashrc", "# nothing\n")

    def make_workspace(self, workspace: Path) -> None:
        for repository in (workspace, workspace / "sub" / "nested"):
            self.make_repository(repository)
        for name, text in SETTINGS.items():
            write(workspace / name, text)
        write(workspace / "README.md", "hello\n")
        write(workspace / "sub" / "a.txt", "a\n")
        write(workspace / "sub" / "linked" / ".git", "gitdir: ../gitdirs/linked\n")
        write(workspace / "sub" / "gitdirs" / "linked" / "config", "[core]\n")
        write(workspace / "sub" / "gitdirs" / "linked" / "HEAD", "ref: refs/heads/main\n")
        (workspace / "work").mkdir()
        (workspace / "planted-link").symlink_to(self.outside)

    @staticmethod
    def make_repository(directory: Path) -> None:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TEMPLATE_DIR": ""}
        subprocess.run(["git", "init", "-q", str(directory)], env=environment, check=True)
        (directory / ".git" / "hooks").mkdir()

    # -- variants: workspaces that were prepared in some way before the sandbox starts -------------

    def remove_protected(self) -> None:
        for name in PROTECTED:
            remove(self.workspace / name)
        remove(self.workspace / "sub" / "nested")

    def move_git(self) -> None:
        (self.workspace / ".git").rename(self.workspace / "sub" / "real-git")

    def link_git(self) -> None:
        self.move_git()
        (self.workspace / ".git").symlink_to("sub/real-git")

    def name_git_in_file(self) -> None:
        self.move_git()
        write(self.workspace / ".git", "gitdir: sub/real-git\n")

    def link_root(self) -> None:
        (self.workspace / "granted").symlink_to(self.outside)

    def link_directory(self) -> None:
        remove(self.workspace / "sub")
        (self.workspace / "sub").symlink_to(self.outside)

    def prepare(self, variant: str) -> None:
        {
            "plain": lambda: None,
            "missing": self.remove_protected,
            "linked_git": self.link_git,
            "git_file": self.name_git_in_file,
            "linked_root": self.link_root,
            "linked_directory": self.link_directory,
        }[variant]()

    def restore(self, variant: str) -> None:
        """Puts everything back as it was and takes the picture that later ones are compared to."""
        for path in self.shared_names():
            remove(path)
        for name in ("home", "outside"):
            remove(self.directory / name)
        # The victim sits in the third directory and holds descriptors of its files.
        victim = self.directory / "victim"
        for path in victim.iterdir() if victim.exists() else ():
            if not (self.template / "victim" / path.name).exists():
                remove(path)
        subprocess.run(
            ["cp", "-a", *map(str, self.template.iterdir()), str(self.directory)], check=True
        )
        self.prepare(variant)
        self.variant = variant
        self.before = self.snapshot()

    def require(self, variant: str) -> None:
        if variant != self.variant:
            self.restore(variant)

    def start_listeners(self) -> subprocess.Popen:
        command = [self.programs / "outside", self.directory, self.nonce, self.tag]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.facts: dict[str, str] = {}
        assert process.stdout is not None
        for line in process.stdout:
            if line == "READY\n":
                break
            key, _, value = line.strip().partition("=")
            self.facts[key] = value
        # The shared memory object that it made belongs to the picture.
        self.before = self.snapshot()
        return process

    # -- looking -----------------------------------------------------------------------------------

    def shared_names(self) -> list[Path]:
        """What an attack may leave in places that all users share."""
        return [
            Path(f"/var/tmp/attack-{self.tag}"),
            Path(f"/tmp/attack-{self.tag}"),
            Path(f"/dev/shm/attack-{self.tag}-new"),
            Path(f"{self.workspace}-moved"),
        ]

    def snapshot(self) -> Snapshot:
        picture: Snapshot = {}
        trees = [self.home, self.outside, self.directory / "victim"]
        trees.append(Path(f"/dev/shm/attack-{self.tag}"))
        for path in trees + self.shared_names() + self.extra:
            add_tree(str(path), picture)
        return picture

    def is_off_limits(self, path: str, policy: str) -> bool:
        """May the command not touch this? All of it under read-only, else but for the workspace."""
        if policy == "read-only":
            return True
        if path == f"/tmp/attack-{self.tag}":
            return False  # whether /tmp is shared is a choice of the policy
        if not path.startswith(f"{self.workspace}/"):
            return True
        inside = path[len(str(self.workspace)) + 1 :]
        return inside.split("/")[0] in PROTECTED or any(
            inside == name or inside.startswith(f"{name}/") for name in PROTECTED_BELOW
        )

    def received(self) -> int:
        return (self.directory / "received.log").stat().st_size

    def received_since(self, offset: int) -> bytes:
        return read_bytes(self.directory / "received.log", offset)

    # -- between attacks ---------------------------------------------------------------------------

    def arguments(self) -> list[str]:
        """The key=value arguments of the program `attacker`."""
        facts: dict[str, object] = {
            "home": self.home,
            "workspace": self.workspace,
            "work": self.work,
            "outside": self.outside,
            "tag": self.tag,
            "keys": self.keys,
            "probe": self.programs / "setuid_probe",
            "runner": os.getpid(),
            "group": self.group,
        }
        facts.update(self.facts)
        facts.update(self.victim.facts)
        return [f"{key}={value}" for key, value in facts.items()]

    def changes(self) -> list[str]:
        return differences(self.before, self.snapshot())

    def tidy(self, changes: list[str]) -> None:
        """Repairs what the last attack changed, and nothing if it changed nothing."""
        if self.victim.changes():
            self.victim.stop()
            self.victim = Victim(self.programs / "victim", self.directory, self.nonce)
        if any(path.endswith(f"/dev/shm/attack-{self.tag}") for path in changes):
            self.stop_listeners()
            self.listeners = self.start_listeners()
        if changes:
            self.restore(self.variant)

    @contextlib.contextmanager
    def watching(self, path: Path) -> Iterator[None]:
        """Counts one more tree among those that nobody may change."""
        self.extra = [path]
        self.before = self.snapshot()
        yield
        self.extra = []
        self.before = self.snapshot()

    def stop_listeners(self) -> None:
        self.listeners.send_signal(signal.SIGTERM)
        self.listeners.wait()
        assert self.listeners.stdout is not None
        self.listeners.stdout.close()

    def close(self) -> None:
        self.victim.stop()
        self.stop_listeners()
        for path in self.shared_names():
            remove(path)
        remove(self.directory)
