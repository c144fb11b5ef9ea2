#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Benchmarks: what a run under Bailey costs, as a ratio to the bare command, in one run.

    run.py BAILEY DIRECTORY [--rounds N] [--quick]

DIRECTORY holds bench_spawn and bench_landlock, built from the sources beside this file. The latter
is the least that any Landlock launcher costs: what is above it is Bailey's own share.

Every figure is taken in turns with the bare command (spawn.c), so that a slow moment of the
machine meets both. Ratios compare medians; the ratio of minima stands beside it, since it is the
steadier of the two on a machine that does other work. Peers that are not installed are left out
and named.
"""

import argparse
import io
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

READ_ONLY = ["run", "-q", "--read-only", "--"]
WORKSPACE = ["run", "-q", "--"]
IN_PLACE = ["run", "-q", "--read-only", "--limits", "unlimited", "--in-place", "--"]
BWRAP = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all",
         "--die-with-parent", "--new-session"]
FIREJAIL = ["firejail", "--quiet", "--noprofile", "--net=none", "--read-only=/"]

Rows = list[tuple[str, list[str]]]


def measure(spawn: str, rows: Rows, rounds: int, cwd: str, env: dict[str, str]) -> bool:
    """Prints a table for rows of (name, argv); the first is the base of the ratios."""
    with tempfile.NamedTemporaryFile("w", suffix=".commands") as file:
        for _, argv in rows:
            file.write("\t".join(argv) + "\n")
        file.flush()
        done = subprocess.run([spawn, str(rounds), file.name], cwd=cwd, env=env, text=True,
                              capture_output=True, check=True)
    lines = [list(map(float, line.split())) for line in done.stdout.splitlines()]
    base = lines[0]
    good = len(lines) == len(rows)
    print(f"  {'':34}{'min us':>9}{'median':>9}{'p90':>9}{'ratio':>8}{'of minima':>11}")
    for (name, _), (_, low, median, high, bad) in zip(rows, lines):
        note = f"  {bad:.0f} of {rounds} FAILED" if bad else ""
        good = good and not bad
        print(f"  {name:34}{low:9.0f}{median:9.0f}{high:9.0f}"
              f"{median / base[2]:8.2f}{low / base[1]:11.2f}{note}")
    return good


def peers(command: list[str]) -> Rows:
    rows = []
    for name, argv in (("bubblewrap, read-only root", BWRAP + ["--"]),
                       ("firejail, read-only root", FIREJAIL + ["--"])):
        if shutil.which(argv[0]):
            rows.append((name, argv + command))
        else:
            print(f"  ({argv[0]} is not installed: left out)")
    return rows


def start_up(args: argparse.Namespace, cwd: str, env: dict[str, str]) -> bool:
    true = ["/bin/true"]
    rows: Rows = [
        ("bare", true),
        ("Landlock alone, in place", [args.landlock, *true]),
        ("bailey, no sandbox (in place)", [args.bailey, "run", "--full-access", "--", *true]),
        ("bailey, read-only, in place", [args.bailey, *IN_PLACE, *true]),
        ("bailey, read-only", [args.bailey, *READ_ONLY, *true]),
        ("bailey, workspace-write", [args.bailey, *WORKSPACE, *true]),
    ]
    print(f"\nStarting /bin/true, {args.rounds} rounds:")
    return measure(args.spawn, rows + peers(true), args.rounds, cwd, env)


def prepare_source(path: pathlib.Path) -> None:
    """A C file that takes a compiler about a second."""
    body = "".join(f"int f{i}(int *a, int n) {{ int s = {i}; for (int k = 0; k < n; k++) "
                   f"{{ s += a[k] * (k ^ {i}); if (s & 1) {{ s ^= a[n - k - 1]; }} }} "
                   f"return s; }}\n" for i in range(300))
    path.write_text("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + body)


def work(args: argparse.Namespace, cwd: str, env: dict[str, str]) -> bool:
    rounds = max(5, args.rounds // 25)
    prepare_source(pathlib.Path(cwd, "big.c"))
    good = True
    for title, command in (
            ("Compiling", ["cc", "-O2", "-c", "big.c", "-o", "big.o"]),
            ("grep -r in /usr/include", ["grep", "-rc", "struct", "/usr/include", "-m", "1"]),
            ("300 times /bin/true in a shell",
             ["/bin/sh", "-c", "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done"])):
        print(f"\n{title}, {rounds} rounds:")
        alone = [args.landlock, *command]
        rows: Rows = [
            ("bare", command),
            ("Landlock alone, in place", alone),
            ("bailey, workspace-write", [args.bailey, *WORKSPACE, *command]),
            ("the same with all limits", [args.bailey, "run", "-q", "--limits", "moderate", "--",
                                          *command]),
        ]
        good = measure(args.spawn, rows, rounds, cwd, env) and good
    return good


# ---- files: what the broker performs -----------------------------------------------------------


def make_archive(path: pathlib.Path, count: int) -> None:
    with tarfile.open(path, "w") as archive:
        for number in range(count):
            entry = tarfile.TarInfo(f"d{number % 50}/f{number}")
            entry.size = 100
            archive.addfile(entry, io.BytesIO(b"x" * 100))


def time_once(argv: list[str], cwd: pathlib.Path, env: dict[str, str]) -> float:
    begin = time.monotonic()
    subprocess.run(argv, cwd=cwd, env=env, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def in_turns(title: str, rows: Rows, rounds: int, cwd: pathlib.Path, env: dict[str, str],
             prepare: str, command: str) -> None:
    """Each run works in a directory of its own: what was removed a moment ago slows a file system
    down. `prepare` and `command` are shell, and find its name in $1."""
    times: dict[str, list[float]] = {name: [] for name, _ in rows}
    for number in range(rounds):
        for index, (name, prefix) in enumerate(rows):
            place = f"{number}-{index}"
            subprocess.run(["sh", "-ec", prepare, "sh", place], cwd=cwd, env=env, check=True)
            times[name].append(time_once([*prefix, "sh", "-ec", command, "sh", place], cwd, env))
            subprocess.run(f"rm -rf {place}*", shell=True, cwd=cwd, check=True)
    base = times[rows[0][0]]
    print(f"\n{title}, {rounds} rounds:")
    print(f"  {'':34}{'min ms':>9}{'median':>9}{'ratio':>8}{'of minima':>11}")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"  {name:34}{min(taken) * 1e3:9.0f}{median * 1e3:9.0f}"
              f"{median / statistics.median(base):8.2f}{min(taken) / min(base):11.2f}")


def files(args: argparse.Namespace, cwd: str, env: dict[str, str]) -> None:
    """In a workspace with a protected name, so that entries are made by the broker."""
    workspace = pathlib.Path(cwd, "repository")
    (workspace / ".git").mkdir(parents=True)
    count = 300 if args.quick else 10000
    rounds = 1 if args.quick else 7
    make_archive(workspace / "t.tar", count)
    env = {**env, "TAR_OPTIONS": "--no-same-owner"}  # as it is set for root in the sandbox
    rows: Rows = [
        ("bare", []),
        ("bailey, workspace-write", [args.bailey, *WORKSPACE]),
        ("bailey, nothing protected", [args.bailey, "run", "-q", "--no-protect", "--"]),
    ]
    if shutil.which("bwrap"):
        rows.append(("bubblewrap, workspace bound",
                     [*BWRAP, "--bind", str(workspace), str(workspace), "--"]))
    unpack = 'tar -xf t.tar -C "$1"'
    cases = (
        (f"Unpacking {count} files into a directory", 'mkdir "$1"', unpack),
        (f"Unpacking {count} files into a new directory", ":", f'mkdir "$1"; {unpack}'),
        ("The same four times at once", ":",
         'for n in 1 2 3 4; do (mkdir "$1.$n"; tar -xf t.tar -C "$1.$n") & done; wait'),
        (f"Removing {count} files", f'mkdir "$1"; {unpack}', 'rm -r "$1"'),
        ("Writing 300 lines to a file each", 'mkdir "$1"',
         'i=0; while [ $i -lt 300 ]; do echo x >"$1/f$i"; i=$((i+1)); done'),
    )
    for title, prepare, command in cases:
        in_turns(title, rows, rounds, workspace, env, prepare, command)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bailey", type=os.path.abspath)
    parser.add_argument("directory", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--quick", action="store_true", help="a few rounds, to see that it works")
    args = parser.parse_args()
    args.spawn = os.path.join(args.directory, "bench_spawn")
    args.landlock = os.path.join(args.directory, "bench_landlock")
    if args.quick:
        args.rounds = 10
    # The home directory is the user's own: how much there is to grant around credentials is part
    # of what a start costs.
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with tempfile.TemporaryDirectory(prefix="bailey-bench.", dir="/var/tmp") as workspace:
        good = start_up(args, workspace, {**env, "LANG": "C.UTF-8"})
        good = work(args, workspace, {**env, "LANG": "C.UTF-8"}) and good
        files(args, workspace, {**env, "LANG": "C.UTF-8"})
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
