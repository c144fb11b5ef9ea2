#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The summary counts what programs print, and nothing slips through it as passed."""

import sys

import meta

sys.path.insert(0, str(meta.ROOT / "tests"))
import summary  # noqa: E402 - found only by the line above

CMOCKA = "[==========] Running 3 test(s).\n[ RUN      ] a\n[       OK ] a\n[ RUN      ] b\n"
CMOCKA_CRASH = CMOCKA
CMOCKA_ALL = CMOCKA + "[  FAILED  ] b\n[ RUN      ] c\n[  SKIPPED ] c\n"
TAP = "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP no kernel\n"
TAP_SHORT = "1..3\nok 1 - a\n"
LINE = "some talk\n12 passed, 1 failed, 2 skipped\n"
GAPS = "SKIP  kern.dev_mem   not here\n401 passed, 0 failed, 3 skipped, 1 known gaps (35 s)\n"
NAMED = "skipped: attack.tty: no terminal\n1 passed, 0 failed, 1 skipped\n"

# name, result of meson, standard output, in CI -> passed, failed, skipped
TABLE = [
    ("a plain program that succeeds is one case", "OK", "", False, (1, 0, 0)),
    ("a plain program that fails is one case", "FAIL", "", False, (0, 1, 0)),
    ("a plain program that skips is no success", "SKIP", "", False, (0, 0, 1)),
    ("a skip is a failure in CI", "SKIP", "", True, (0, 1, 0)),
    ("a time-out is a failure", "TIMEOUT", "", False, (0, 1, 0)),
    ("cases of cmocka are counted", "FAIL", CMOCKA_ALL, False, (1, 1, 1)),
    ("a crash after a case that passed is a failure", "FAIL", CMOCKA_CRASH, False, (1, 1, 0)),
    ("a case that cmocka skips is a failure in CI", "FAIL", CMOCKA_ALL, True, (1, 2, 0)),
    ("cases of TAP are counted", "FAIL", TAP, False, (1, 1, 1)),
    ("a TAP stream that ends early is a failure", "FAIL", TAP_SHORT, False, (1, 1, 0)),
    ("... even when the program says it is fine", "OK", TAP_SHORT, False, (1, 1, 0)),
    ("a closing line is believed", "FAIL", LINE, False, (12, 1, 2)),
    ("... with more behind it", "OK", GAPS, False, (401, 0, 3)),
    ("its skips are failures in CI", "FAIL", LINE, True, (12, 3, 0)),
    ("a status that contradicts the closing line counts", "FAIL", NAMED, False, (1, 1, 1)),
    ("a skip that is allowed is none in CI", "OK", NAMED, True, (1, 0, 1)),
]


def outcome(result, text, in_ci):
    record = {"name": "bailey:unit / t", "result": result, "stdout": text}
    suites, _ = summary.judge([record], {"t: attack.tty": "needs a terminal"}, in_ci)
    return tuple(suites["unit"])


def cases():
    for name, result, text, in_ci, want in TABLE:
        got = outcome(result, text, in_ci)
        yield name, [] if got == want else [f"wanted {want}, got {got}"]


if __name__ == "__main__":
    meta.report(cases())
