# SPDX-License-Identifier: MIT
"""Where a case runs: a home that is made anew for every run, and what a run left in it."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
TIME_LIMIT = 100  # seconds for one run of one case, and a tenth for each round
SHELL = ["bash", "-eu", "-o", "pipefail", "-c"]
GITCONFIG = """[user]
	name = Somebody
	email = somebody@example.com
[init]
	defaultBranch = main
[protocol "file"]
	allow = always
"""
# What people have in their homes. None of it can be read in the sandbox, and no program that is
# tried here may mind.
CREDENTIALS = (
    ".bash_history",
    ".cargo/credentials.toml",
    ".config/gh/hosts.yml",
    ".git-credentials",
    ".netrc",
    ".node_repl_history",
    ".npmrc",
    ".pypirc",
    ".python_history",
    ".ssh/config",
)


@dataclass(frozen=True)
class Ending:
    """How one run ended. `status` is None when it had to be ended."""

    status: int | None
    out: str
    err: str
    seconds: float
    files: dict[str, str]


class Place:
    """The same paths for the run outside of the sandbox and the one inside."""

    def __init__(self, top: Path, inputs: Path, path: str, rounds: int) -> None:
        self.top = top
        self.inputs = inputs
        self.home = top / "home"
        self.workspace = self.home / "ws"
        self.temp = top / "tmp"
        self.time_limit = TIME_LIMIT + rounds / 10
        self.environment = {
            "PATH": path,
            "HOME": str(self.home),
            "TMPDIR": str(self.temp),
            "TMUX_TMPDIR": str(self.temp),
            "LANG": "C.UTF-8",
            "TERM": "xterm",
            "SHELL": "/bin/sh",
            "ROUNDS": str(rounds),
            "GIT_AUTHOR_DATE": "2020-02-02T02:02:02Z",
            "GIT_COMMITTER_DATE": "2020-02-02T02:02:02Z",
        }
        rustup = os.environ.get("RUSTUP_HOME", os.path.expanduser("~/.rustup"))
        if os.path.isdir(rustup):
            self.environment["RUSTUP_HOME"] = rustup

    def make(self, inputs: str, setup: str) -> None:
        """Makes everything anew."""
        self.remove()
        for directory in (self.workspace, self.temp, self.home / ".cache"):
            directory.mkdir(parents=True)
        (self.home / ".gitconfig").write_text(GITCONFIG, encoding="utf-8")
        for name in CREDENTIALS:
            (self.home / name).parent.mkdir(parents=True, exist_ok=True)
            (self.home / name).touch(mode=0o600)
        for name in inputs.split():
            shutil.copytree(self.inputs / name, self.workspace, dirs_exist_ok=True)
        if setup:
            subprocess.run(
                [*SHELL, textwrap.dedent(setup)],
                cwd=self.workspace,
                env=self.environment,
                check=True,
                capture_output=True,
                timeout=TIME_LIMIT,
            )

    def run(self, launcher: list[str], script: str) -> Ending:
        """Runs the script in the workspace, behind the words of `launcher`."""
        started = time.monotonic()
        process = subprocess.Popen(
            [*launcher, *SHELL, textwrap.dedent(script)],
            cwd=self.workspace,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            texts = process.communicate(timeout=self.time_limit)
            status: int | None = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            texts = process.communicate()
            status = None
        seconds = time.monotonic() - started
        out_text, err_text = (text.decode(errors="replace") for text in texts)
        return Ending(status, out_text, err_text, seconds, describe_tree(self.workspace))

    def remove(self) -> None:
        """A case may leave directories without permissions behind."""
        for directory, _, _ in os.walk(self.top):
            os.chmod(directory, 0o700)
        for directory in (self.home, self.temp):
            shutil.rmtree(directory, ignore_errors=True)


def describe(path: Path) -> str:
    """Type, mode, and what is in it: enough to tell two files apart, times and owners left out."""
    status = path.lstat()
    text = stat.filemode(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        return f"{text} -> {os.readlink(path)}"
    if stat.S_ISREG(status.st_mode):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        return f"{text} {status.st_nlink} {status.st_size} {digest}"
    return text


def describe_tree(top: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for directory, directories, files in os.walk(top):
        for name in directories + files:
            path = Path(directory, name)
            found[str(path.relative_to(top))] = describe(path)
    return found
