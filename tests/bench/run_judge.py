#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What judging costs: per command, beside parsing alone with tree-sitter-bash, and by length.

    run_judge.py DIRECTORY [--quick]

DIRECTORY holds bench_judge. tree-sitter's library comes from the system, its grammar of bash as
source from npm, into DIRECTORY, once; without them the comparison is left out.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))
import run as corpus  # noqa: E402


def grammar(directory: pathlib.Path) -> pathlib.Path | None:
    """The shared object with the parser and the grammar, made when it can be."""
    library = directory / "tree-sitter-bash.so"
    source = directory / "node_modules" / "tree-sitter-bash" / "src"
    if library.exists():
        return library
    if not source.is_dir():
        if not shutil.which("npm"):
            return None
        subprocess.run(["npm", "install", "--silent", "--ignore-scripts", "--no-save",
                        "--prefix", str(directory), "tree-sitter-bash@0.23"], check=False)
    files = [str(f) for f in (source / "parser.c", source / "scanner.c") if f.exists()]
    done = subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-w", f"-I{source}", "-o",
                           str(library), *files, "-Wl,--no-as-needed", "-ltree-sitter"],
                          check=False, capture_output=True)
    return library if len(files) == 2 and done.returncode == 0 else None


def print_one(lines: list[list[str]]) -> None:
    print(f"\n{'Judging, microseconds':64}{'judge':>9}{'parse':>9}{'ratio':>8}")
    for kind, name, ours, theirs in lines:
        ratio = f"{float(theirs) / float(ours):8.1f}" if float(theirs) > 0 else "       -"
        print(f"  {name[:60]:62}{float(ours):9.2f}{float(theirs):9.2f}{ratio}")


def print_growth(lines: list[list[str]]) -> None:
    print(f"\n{'Judging long texts, ns per byte':44}" + "".join(
        f"{int(size) // 1024:>7}K" for size in dict.fromkeys(line[2] for line in lines)))
    for shape in dict.fromkeys(line[1] for line in lines):
        costs = [float(us) * 1000 / int(size) for _, s, size, us in lines if s == shape]
        total = [float(us) / 1000 for _, s, _, us in lines if s == shape][-1]
        print(f"  {shape:42}" + "".join(f"{c:8.1f}" for c in costs) + f"   {total:6.1f} ms")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=os.path.abspath)
    parser.add_argument("--quick", action="store_true", help="only to see that it works")
    args = parser.parse_args()
    directory = pathlib.Path(args.directory)
    command = [str(directory / "bench_judge")]
    library = None if args.quick else grammar(directory)
    if library:
        command += ["--tree-sitter", str(library)]
    elif not args.quick:
        print("  (tree-sitter-bash is not to be had: left out)")
    rows = corpus.read_rows(corpus.HERE / "commands.tsv")
    commands = directory / "bench_commands"
    commands.write_bytes(b"".join(row.command.encode() + b"\0" for row in rows))
    command += ["--quick"] if args.quick else []
    done = subprocess.run([*command, str(commands)], stdout=subprocess.PIPE, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    lines = [line for line in lines if line[0] in ("one", "corpus", "grow") and len(line) == 4]
    print_one([line for line in lines if line[0] != "grow"])
    print_growth([line for line in lines if line[0] == "grow"])
    return 0 if lines else 1


if __name__ == "__main__":
    sys.exit(main())
