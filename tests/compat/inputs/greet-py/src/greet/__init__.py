# SPDX-License-Identifier: MIT
"""A package to install."""


def main() -> None:
    print("hello, pip")
