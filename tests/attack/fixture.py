# SPDX-License-Identifier: MIT
"""The surroundings of an attack: a home directory with secrets and a workspace in it, a directory
and processes outside, and what can be seen of a change to any of them."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from watch import Snapshot, Victim, add_tree, differences, read_bytes

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
# Below ~/.cache/bailey, where a sandbox keeps caches of its own: this one belongs to another.
OTHER_CACHE = ".cache/bailey/other-0123456789abcdef/pip/wheel"
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


def write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def remove(path: Path) -> None:
    """Removes a file or a tree, whatever its modes are by now."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        try:
            shutil.rmtree(path)
        except PermissionError:
            subprocess.run(["chmod", "-R", "u+rwX", path], check=True)
            shutil.rmtree(path)


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
        write(home / OTHER_CACHE, "a wheel\n")
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
        for name in ("nested", "linked", "gitdirs"):
            remove(self.workspace / "sub" / name)

    def remove_all_but_git(self) -> None:
        self.remove_protected()
        self.make_repository(self.workspace)

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
            "only_git": self.remove_all_but_git,
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

    def start_listeners(self) -> subprocess.Popen[str]:
        command = [str(self.programs / "outside"), str(self.directory), self.nonce, self.tag]
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
        return any(name.lower() in PROTECTED for name in inside.split("/")) or any(
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
