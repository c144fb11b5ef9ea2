# SPDX-License-Identifier: MIT
"""What an attack did, seen from outside, and whether that was expected."""

from __future__ import annotations

import fnmatch
import re
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fixture import Fixture
from launch import Ending

STARTED = "ATTACK-START"
REPORT = re.compile(r"ATTACK-END (\d) ([^\r\n]*)")
SUCCEEDED, BLOCKED, NOT_APPLICABLE = range(3)  # enum outcome in attack.h

EFFECT_SECONDS = 0.3

# What may be expected of an attack, in expect.tsv.
EXPECTED = ("blocked", "allowed", "gap", "refused", "skip", "n/a")


@dataclass(frozen=True)
class Attack:
    name: str  # with its class: "fswrite.create"
    proof: str
    tries: str

    @property
    def group(self) -> str:
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Observation:
    """What one run of an attack came to: "succeeded", "blocked", "n/a" or "error"."""

    result: str
    text: str


@dataclass(frozen=True)
class Expectation:
    name: str  # as a pattern of a shell
    policy: str
    user: str
    expected: str
    reason: str

    def matches(self, name: str, policy: str, user: str) -> bool:
        return (
            fnmatch.fnmatchcase(name, self.name)
            and self.policy in ("*", policy)
            and self.user in ("*", user)
        )


def load_expectations(path: Path) -> list[Expectation]:
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        row = Expectation(*line.split("\t"))
        if row.expected not in EXPECTED or not row.reason:
            raise ValueError(f"{path}:{number}: expected one of {EXPECTED} and a reason")
        rows.append(row)
    return rows


# ---- evidence ------------------------------------------------------------------------------------


def shown_secrets(fixture: Fixture, report: str) -> list[str]:
    """What the report can only have from a file, a process or a listener."""
    secrets = [fixture.nonce, f"size={fixture.key_size}"]
    return [f"shows {secret}" for secret in secrets if secret in report]


def changed_files(fixture: Fixture, policy: str, changes: list[str]) -> list[str]:
    return [change for change in changes if fixture.is_off_limits(change[1:], policy)]


@dataclass
class Scene:
    """All that can be seen after a run."""

    fixture: Fixture
    attack: Attack
    policy: str
    ending: Ending
    changes: list[str]
    received: int  # so much was received outside before

    def evidence(self) -> list[str]:
        """Signs that the attack succeeded. Some are as bad in an attack of another kind."""
        reports = REPORT.findall(self.ending.output)
        outcome, report = reports[-1] if reports else ("", "")
        claimed = outcome == str(SUCCEEDED)
        look: dict[str, Callable[[], list[str]]] = {
            "call": lambda: ["the call succeeded"] if claimed else [],
            "files": lambda: [],
            "secret": lambda: [],
            "victim": lambda: self.soon(self.fixture.victim.changes) if claimed else [],
            "received": lambda: self.soon(self.received_signs) if claimed else [],
            "terminal": self.terminal_signs,
            "launcher": self.launcher_signs,
            "left": lambda: self.left_signs(report),
        }
        signs = look[self.attack.proof]()
        if self.attack.group in ("benign", "info"):
            return signs
        return (
            signs
            or shown_secrets(self.fixture, report)
            or changed_files(self.fixture, self.policy, self.changes)
            or self.fixture.victim.changes()
        )

    def soon(self, look: Callable[[], list[str]]) -> list[str]:
        """What others do because of an attack takes them a moment."""
        deadline = time.monotonic() + EFFECT_SECONDS
        while not (signs := look()) and time.monotonic() < deadline:
            time.sleep(0.01)
        return signs

    def received_signs(self) -> list[str]:
        tag = self.fixture.tag.encode()
        secrets = shown_secrets(self.fixture, self.ending.output)
        heard = tag in self.fixture.received_since(self.received)
        return ["received outside"] if heard else secrets

    def terminal_signs(self) -> list[str]:
        return ["typed on the terminal"] if self.fixture.keys in self.ending.output else []

    def launcher_signs(self) -> list[str]:
        return [f"the launcher ended with {self.ending.status}"] if self.ending.status else []

    @staticmethod
    def left_signs(report: str) -> list[str]:
        left = re.match(r"left=(.*)", report)
        return [f"{left[1]} is still there"] if left and Path(left[1]).exists() else []


def observe(scene: Scene) -> Observation:
    output = scene.ending.output
    reports = REPORT.findall(output)
    text = reports[-1][1].strip() if reports else "no report: " + " ".join(output.split())[-160:]
    evidence = scene.evidence()
    if evidence:
        return Observation("succeeded", f"{text} [{'; '.join(evidence)}]")
    if STARTED not in output:
        return Observation("error", "it did not start: " + " ".join(output.split())[-200:])
    if reports and int(reports[-1][0]) == NOT_APPLICABLE:
        return Observation("n/a", text)
    if not reports and scene.ending.status == -signal.SIGSYS:
        text = "killed by the filter"
    if not scene.ending.in_time:
        return Observation("error", f"it did not end: {text}")
    if reports and int(reports[-1][0]) == SUCCEEDED:
        text = f"without effect: {text}"
    return Observation("blocked", text)


# ---- verdicts ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """One line of output: PASS, FAIL, SKIP, GAP or INFO, the attack and why."""

    status: str
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.status:4}  {self.name:30}  {self.text}"


def find_expectation(
    rows: list[Expectation], attack: Attack, policy: str, user: str
) -> Expectation:
    for row in rows:
        if row.matches(attack.name, policy, user):
            return row
    return Expectation(attack.name, policy, user, "blocked", "")


def judge_control(expected: Expectation, name: str, control: Observation) -> Verdict | None:
    """A verdict when the control shows that the attack proves nothing here, else None."""
    if control.result == "succeeded":
        return None
    if control.result == "n/a":
        return Verdict("SKIP", name, f"not applicable: {control.text}")
    if expected.expected == "n/a":
        return Verdict("SKIP", name, f"not applicable: {expected.reason}")
    return Verdict("FAIL", name, f"does not succeed without a sandbox: {control.text}")


def judge(expected: Expectation, attack: Attack, seen: Observation) -> Verdict:
    succeeded = seen.result == "succeeded"
    if attack.group == "info":
        return Verdict("INFO", attack.name, f"{'allowed' if succeeded else 'denied'}: {seen.text}")
    if seen.result == "error":
        return Verdict("FAIL", attack.name, seen.text)
    if attack.group == "benign":
        return judge_benign(expected, attack.name, seen)
    if expected.expected in ("allowed", "gap"):
        if not succeeded:
            text = f"expected {expected.expected}, and it is blocked: take it out of expect.tsv"
            return Verdict("FAIL", attack.name, f"{text} ({seen.text})")
        status = "GAP" if expected.expected == "gap" else "PASS"
        return Verdict(status, attack.name, f"{expected.expected}: {expected.reason}")
    if succeeded:
        return Verdict("FAIL", attack.name, f"ESCAPED: {attack.tries}: {seen.text}")
    return Verdict("PASS", attack.name, f"blocked: {seen.text}")


def judge_benign(expected: Expectation, name: str, seen: Observation) -> Verdict:
    works = seen.result == "succeeded"
    if expected.expected == "refused":
        if works:
            return Verdict("FAIL", name, f"expected to be refused ({expected.reason}), it works")
        return Verdict("PASS", name, f"refused: {expected.reason}")
    if works:
        return Verdict("PASS", name, "works")
    return Verdict("FAIL", name, f"does not work: {seen.text}")
