# SPDX-License-Identifier: MIT
"""What a case is: a program, used as people use it, in a sandbox."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """The script runs in bash -e -u -o pipefail, in an empty workspace into which the contents of
    inputs/NAME were copied for each name in `inputs`, and where `setup` ran before."""

    name: str
    run: str
    needs: str = ""  # programs, and Python modules as "py:NAME"
    inputs: str = ""
    setup: str = ""  # a script too, always outside of the sandbox
    options: tuple[str, ...] = ()  # of bailey run
    # What must be the same inside and outside: "out" (standard output), "files" (with what is in
    # them) or "names" (of files, with types and modes).
    same: str = "out files"
    ignore: tuple[str, ...] = ()  # patterns of paths whose contents may differ
    # Where this is given, the script runs inside only, has to fail there within so many seconds,
    # and to print something that matches.
    refused: str = ""
    seconds: float = 6  # pip tries again for 8, npm for 70
    optional: bool = False  # CI may lack the program: tests/allowed-skips has it too
