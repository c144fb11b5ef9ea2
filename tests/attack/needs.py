# SPDX-License-Identifier: MIT
"""What single attacks need around them: variables, descriptors, options, another sandbox."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fixture import Fixture, remove
from judge import Attack
from launch import CONTROL, Sandbox, Setting, end

# Secrets in the environment of every run, and what is set for one attack only because it would
# disturb the others.
ENVIRONMENT = (
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "ACME_TOKEN",
    "my_custom_token",
    "Db_Password",
    "SSH_AUTH_SOCK",
)
ENVIRONMENT_OF = {
    "env.ld_preload": "LD_PRELOAD",
    "env.ld_library_path": "LD_LIBRARY_PATH",
    "env.bash_env": "BASH_ENV",
    "env.env": "ENV",
    "env.ps4": "PS4",
    "env.git_ssh": "GIT_SSH_COMMAND",
    "env.git_askpass": "GIT_ASKPASS",
    "env.node_options": "NODE_OPTIONS",
    "env.python_startup": "PYTHONSTARTUP",
    "env.perl5opt": "PERL5OPT",
}
NEEDS_ANOTHER_RUN = ("tmp.read_other", "tmp.list_other", "tmp.write_other", "tmp.create_in_other")
ON_STANDARD_INPUT = ("fd.stdin_directory", "fd.stdin_chmod", "fd.closed_stdio")
LEFT_OPEN_AT = 17  # the lowest number of a descriptor that is left open


def environment_for(fixture: Fixture, name: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "TERM") if key in os.environ}
    only_here = [ENVIRONMENT_OF[name]] if name in ENVIRONMENT_OF else []
    secrets = {
        key: f"SECRET-{fixture.nonce}-{key.lower()}" for key in (*ENVIRONMENT, *only_here)
    }
    return {"TERM": "dumb", **kept, **secrets, "HOME": str(fixture.home)}


def options_for(fixture: Fixture, name: str) -> list[str]:
    """More options of `bailey run`, for attacks on what they promise."""
    if name.startswith(("broker.home_", "race.home_")):
        return ["--write", str(fixture.home)]
    return {
        "start.linked_root": ["--write", str(fixture.workspace / "granted")],
        "read.hidden_names": ["--hide-names"],
        "readmeta.hidden_processes": ["--proc", "none"],
    }.get(name, [])


def variant_for(attack: Attack) -> str:
    if attack.group == "missing":
        return "only_git" if attack.name == "missing.codex_beside_git" else "missing"
    return attack.name.partition(".")[2] if attack.group == "start" else "plain"


def open_for(fixture: Fixture, name: str) -> int | socket.socket | None:
    """What is left open for an attack on descriptors."""
    secret, victim = fixture.outside / "secret.txt", fixture.outside / "victim.txt"
    if name in ("fd.tcp", "fd.unix"):
        family = socket.AF_INET if name == "fd.tcp" else socket.AF_UNIX
        peer = socket.socket(family, socket.SOCK_STREAM)
        tcp = ("127.0.0.1", int(fixture.facts["tcp4"]))
        peer.connect(tcp if name == "fd.tcp" else fixture.facts["unix_stream"])
        return peer
    if name == "fd.datagram":
        return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    what = {
        "fd.read": (secret, os.O_RDONLY),
        "fd.write": (victim, os.O_WRONLY | os.O_APPEND),
        "fd.directory": (fixture.outside, os.O_RDONLY | os.O_DIRECTORY),
        "fd.stdin_directory": (fixture.outside, os.O_RDONLY | os.O_DIRECTORY),
        "fd.stdin_chmod": (victim, os.O_RDONLY),
        # The control of this one finds a descriptor as a careless sandbox would leave it.
        "fd.closed_stdio": (secret, os.O_RDONLY),
        "fd.any": (Path("/dev/null"), os.O_RDONLY),
    }
    return os.open(*what[name]) if name in what else None


@contextlib.contextmanager
def setting_for(fixture: Fixture, sandbox: Sandbox, attack: Attack) -> Iterator[Setting]:
    closes = attack.name == "fd.closed_stdio" and sandbox is not CONTROL
    setting = Setting(
        directory=fixture.workspace,
        environment=environment_for(fixture, attack.name),
        options=options_for(fixture, attack.name),
        on_terminal=attack.group == "tty",
        closed=(0, 2) if closes else (),
    )
    opened = None if closes else open_for(fixture, attack.name)
    if opened is None:
        yield setting
        return
    low = opened if isinstance(opened, int) else opened.fileno()
    high = fcntl.fcntl(low, fcntl.F_DUPFD, LEFT_OPEN_AT)
    if attack.name in ON_STANDARD_INPUT:
        setting = replace(setting, stdin=high)
    else:
        setting = replace(setting, descriptors=[high])
    yield setting
    os.close(high)
    if isinstance(opened, int):
        os.close(opened)
    else:
        opened.close()


@contextlib.contextmanager
def another_run(fixture: Fixture, sandbox: Sandbox) -> Iterator[str]:
    """Another sandbox with a secret in its temp directory, which is yielded; "" if it has none."""
    script = f'echo SECRET-{fixture.nonce}-tmp >"$TMPDIR/secret" && echo "$TMPDIR" && exec sleep 20'
    environment = environment_for(fixture, "")
    if sandbox is CONTROL:
        environment["TMPDIR"] = tempfile.mkdtemp(dir=fixture.directory)
    process = subprocess.Popen(
        sandbox.wrap(["/bin/sh", "-c", script]),
        cwd=fixture.workspace,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
    )
    assert process.stdout is not None
    directory = process.stdout.readline().strip()
    try:
        if directory:
            with fixture.watching(Path(directory)):
                yield directory
        else:
            yield ""
    finally:
        process.terminate()
        end(process)
        if sandbox is CONTROL:
            remove(Path(environment["TMPDIR"]))
