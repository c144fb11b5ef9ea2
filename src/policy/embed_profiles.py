# SPDX-License-Identifier: MIT
"""Writes a C table of the built-in profiles: embed_profiles.py OUTPUT PROFILE.toml..."""
import pathlib
import re
import sys


def quote(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def main(output, inputs):
    rows = []
    for path in sorted(map(pathlib.Path, inputs), key=lambda p: p.stem):
        text = path.read_text(encoding="utf-8")
        about = re.search(r'^about = "([^"\\\\]*)"$', text, re.MULTILINE)
        if about is None or not text.isascii() or "??" in text:
            sys.exit(f"{path}: expected plain ASCII and a plain 'about'")
        body = "\n".join("\t  " + quote(line) for line in text.splitlines())
        rows.append(f'\t{{ "{path.stem}", {quote(about[1])[:-3]}",\n{body} }},\n')
    pathlib.Path(output).write_text(
        "/* SPDX-License-Identifier: MIT */\n"
        "/* Generated from data/profiles by embed_profiles.py. */\n"
        '#include "policy/parts.h"\n\n'
        "const struct bailey_profile policy_profiles[] = {\n" + "".join(rows) + "};\n"
        f"const size_t policy_profile_count = {len(rows)};\n\n"
        f'_Static_assert({len(rows)} <= POLICY_PROFILES_MAX, "room for all profiles");\n')


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
