# SPDX-License-Identifier: MIT
"""What the checks of the repository share: finding files, reading C, and TAP output."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def report(cases):
    """Prints the cases, (name, list of complaints), as TAP and exits: 1 when anything is wrong."""
    cases = list(cases)
    print(f"1..{len(cases)}")
    failed = 0
    for number, (name, complaints) in enumerate(cases, 1):
        failed += bool(complaints)
        print(f"{'not ok' if complaints else 'ok'} {number} - {name}")
        for complaint in complaints:
            print(f"#   {complaint}")
    if not cases:
        print("# nothing was found to check")
    sys.exit(1 if failed or not cases else 0)


def tracked_files():
    """Every file of the repository, or of an unpacked archive of it, as paths below ROOT."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"]
    try:
        listing = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        paths = [p for p in ROOT.rglob("*") if not p.relative_to(ROOT).parts[0].startswith("build")]
        return sorted(p.relative_to(ROOT) for p in paths if p.is_file())
    paths = (pathlib.Path(name) for name in listing.split("\0") if name)
    return sorted(path for path in paths if (ROOT / path).is_file())


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def public_headers():
    return sorted((ROOT / "include" / "bailey").glob("*.h"))


def api_functions(text):
    """Yields (name, documented) for each prototype marked BAILEY_API in a header's text. One that
    follows another without a blank line shares its comment."""
    end, shared = -1, False
    for match in re.finditer(r"^BAILEY_API\b([^;]*);", text, re.M):
        # the name is the first word before a parenthesis that is no attribute
        words = re.findall(r"([A-Za-z_]\w*)\s*\(", match.group(1))
        names = [w for w in words if w != "__attribute__" and not w.isupper()]
        before = text[: match.start()]
        follows = end >= 0 and before[end:] == "\n"
        shared = before.endswith("*/\n") or (follows and shared)
        end = match.end()
        yield names[0], shared
