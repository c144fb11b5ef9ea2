#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the expansion says is known is what bash makes of it.

usage: expand.py EXPAND_DUMP [--count N] [--seed S] [--list]

Makes small scripts up (assignments and one `p WORDS...`), expands them with expand_dump, and lets
bash run them with a p that writes its arguments down. A literal field has to be the very argument,
a glob one argument, a field with unknown parts an argument that fits, a field that is `many` any
number of arguments. There are no commands in the scripts but builtins without effect, PATH is
empty, the directory is empty, and when root starts this, bash runs as nobody.

Prints what differs and the share of fields that are known; exits 1 when anything differs.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

DRIVER = r"""
p() { printf '%s\0' "$#" "$@"; }
while IFS= read -r -d '' __text; do
	( eval "$__text" ) 2>&3
	printf '\1\2\1'
	printf '\1\2\1' >&3
done
"""
END = b"\1\2\1"

VALUES = ["rm", "", "a", "a b", " a  b ", "x:y", ":x::y:", "a.b.c", "/usr/lib/x.so", "*", "a*", "\\*", "hello world",
          "A-b_C", "~", "~/x", "1", "07", "12", "-3", "a'b", "it's", "a=b", "[x]", "a\tb", "a\nb", "x\\y", "{a,b}",
          "aaa", "abab", "b", "name", "a,b", "0x1f", "1+2", "b+1", "?", "a?c", "!", "&", "x&y", "$a", "]", "-", "a b c d"]
NAMES = ["a", "b", "c"]
PATTERNS = ["a", "*", "?", "a*", "*a", "*b*", "[ab]", "[!a]", "[a-c]*", ".*", "*.", "*/", "/*", "b", "x", "[[:upper:]]",
            "[]a]", "[a", "\\*", "'*'", '"$b"', "$b", "", "a?", "?b", "ab", "*.*", "[^a]", "' '", "\\ ", "[[:space:]]", "\\\\", "~"]
PLAIN = ["foo", "-x", "a.b", "/p/q", "=", "a:b", "x,y", "%", "+", "@"]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, choices):
        return self.r.choice(choices)

    def chance(self, p):
        return self.r.random() < p

    def quote(self, text):
        """A value as a literal word."""
        how = self.r.randrange(4)
        if how == 0 and "'" not in text:
            return f"'{text}'"
        if how == 1 and not re.search(r'["\\$`!]', text):
            return f'"{text}"'
        if how == 2 and re.fullmatch(r"[\w./:=+-]+", text):
            return text
        out = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
        return f"$'{out}'"

    def arith(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.pick(["1", "2", "3", "0", "-1", "a", "b", "$a", "${#a}", "010", "0x10", "2#101", "36#z", "i", "j"])
        d = depth - 1
        kind = self.r.randrange(9)
        if kind < 4:
            op = self.pick("+ - * / % ** << >> < > <= >= == != & ^ | && || ,".split())
            return f"{self.arith(d)} {op} {self.arith(d)}"
        if kind == 4:
            return f"({self.arith(d)})"
        if kind == 5:
            return self.pick("-+!~") + " " + self.arith(d)
        if kind == 6:
            return f"{self.arith(d)} ? {self.arith(d)} : {self.arith(d)}"
        if kind == 7:
            return self.pick(["i++", "--j", "i--", "++i", "j = 4", "i += 2", "j *= 3", "k = i = 2", "r[1]", "r[i] = 7", "r[0]++"])
        return f"{self.arith(d)}{self.pick('+-*')}{self.arith(d)}"

    def param(self, depth, quoted):
        name = self.pick(NAMES + ["a", "u", "1", "2", "@", "*", "r[@]", "r[*]", "r[1]", "r[$i]", "r[i]", "m[k]", "#", "IFS",
                                  "HOME", "PWD", "0", "r", "r[-1]", "ref"])
        simple = re.fullmatch(r"\w+", name) is not None
        kind = self.r.randrange(16)
        if kind < 4:
            if self.chance(0.5) and (name in "@*#" or (simple and not name[1:])):
                return "$" + name
            return "${%s}" % name
        if name == "#":
            return "$#"
        word = self.word(depth - 1, quoted, True) if depth > 0 else "w"
        if kind == 4:
            return "${#%s}" % name
        if kind < 8:
            op = self.pick(["-", ":-", "+", ":+", "-", ":-", "="])
            if op == "=" and name not in ("u", "a", "b"):
                op = "-"
            return "${%s%s%s}" % (name, op, word)
        if kind == 8:
            return "${%s%s%s}" % (name, self.pick(["#", "##", "%", "%%"]), self.pick(PATTERNS))
        if kind == 9:
            return "${%s%s%s}" % (name, self.pick(["#", "##", "%", "%%"]), self.pick(PATTERNS))
        if kind == 10:
            return "${%s%s%s/%s}" % (name, self.pick(["/", "//", "/#", "/%"]), self.pick(PATTERNS).replace("/", "x"),
                                     self.pick(["", "X", "$b", '"$b"', "[&]", "\\&", "a b", "'&'", "&&"]))
        if kind == 11:
            return "${%s%s%s}" % (name, self.pick(["^", "^^", ",", ",,"]), self.pick(["", "", "a", "[ab]", "?"]))
        if kind == 12:
            return "${%s:%s}" % (name, self.pick(["0", "1", " -1", "2:1", "0:2", " -2:1", "1:-1", "i", "9", "0:0", "i:j"]))
        if kind == 13:
            return "${%s@%s}" % (name, self.pick("QULuEK"))
        if kind == 14 and simple:
            return "${!%s}" % self.pick(["n", "n", "a", "one", "ref", "el", "al", "1"])
        return "${!%s}" % self.pick(["r[@]", "r[*]", "s[@]"])

    def piece(self, depth, quoted, inner):
        kind = self.r.randrange(12)
        if kind < 5:
            return self.param(depth, quoted)
        if kind < 7 or depth <= 0:
            if quoted:
                return self.pick(["x", " ", "a b", "\\$", "\\\\", "\\\"", "~", "'", "*", "{a,b}", ":", "\\z"])
            return self.pick(PLAIN + ["x", "\\*", "\\ ", "\\'", "''", "'q r'", "$'t\\tu'", "*", "~", ":~", "a=~", "[a]", "?"])
        if kind == 7:
            return "$((%s))" % self.arith()
        if kind == 8:
            return "$(echo %s)" % self.word(depth - 1, False, False)
        if kind == 9 and not quoted:
            return '"' + "".join(self.piece(depth - 1, True, inner) for _ in range(self.r.randrange(3))) + '"'
        if kind == 10 and not quoted and not inner:
            return self.brace(depth)
        return self.param(depth, quoted)

    def brace(self, depth):
        if self.chance(0.3):
            return self.pick(["{1..3}", "{a..e..2}", "{3..1}", "{01..3}", "{-1..1}", "{1..2..0}", "{a..1}", "{x..z", "{1..4..3}", "{c..a}"])
        parts = [self.pick(["a", "b", "", "'x,y'", "$a", '"$b"', "{c,d}", "c}", "{e", "1..2", "~"]) for _ in range(self.r.randrange(1, 4))]
        return "{" + ",".join(parts) + self.pick(["}", "}", "}", "", "}}"])

    def word(self, depth=2, quoted=False, inner=False):
        return "".join(self.piece(depth, quoted, inner) for _ in range(self.r.randrange(1, 3 if inner else 4)))

    def script(self):
        lines = []
        for name in NAMES:
            if self.chance(0.8):
                lines.append(f"{name}={self.quote(self.pick(VALUES))}")
        lines.append(f"unset u; i={self.r.randrange(3)}; j={self.pick(['0', '1', '-1', 'i+1'])}")
        if self.chance(0.4):
            elements = " ".join(self.quote(self.pick(VALUES)) for _ in range(self.r.randrange(4)))
            lines.append(f"r=({elements})")
        if self.chance(0.2):
            lines.append(f"r[{self.r.randrange(5)}]={self.quote(self.pick(VALUES))}")
        if self.chance(0.2):
            lines.append(f"s=([3]=x [1]={self.quote(self.pick(VALUES))} y)")
        if self.chance(0.2):
            lines.append(f"declare -A m; m[k]={self.quote(self.pick(VALUES))}")
        if self.chance(0.3):
            lines.append(f"n={self.pick(NAMES)}; one=1; el='r[1]'; al='r[@]'")
        if self.chance(0.2):
            lines.append(f"declare -n ref={self.pick(NAMES)}")
        if self.chance(0.4):
            args = " ".join(self.quote(self.pick(VALUES)) for _ in range(self.r.randrange(4)))
            lines.append(f"set -- {args}")
        if self.chance(0.25):
            lines.append("IFS=" + self.pick(["''", ":", "' '", "': '", "a", "b:", "$'\\n'", "1", ",", "'\\'"]))
        if self.chance(0.2):
            lines.append(f"{self.pick(NAMES)}={self.word()}")
        if self.chance(0.1):
            lines.append(f"{self.pick(NAMES)}+={self.word()}")
        if self.chance(0.1):
            lines.append(f"(( {self.arith()} ))")
        words = " ".join(self.word() for _ in range(self.r.randrange(1, 4)))
        lines.append(f"p {words}")
        return "\n".join(lines)


def run_bash(scripts):
    as_nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryFile() as errors:
        os.chmod(directory, 0o755)
        done = subprocess.run(
            ["/bin/bash", "--norc", "--noprofile", "-c", f"exec 3>&{errors.fileno()}\n{DRIVER}", "bash"],
            cwd=directory, input=b"".join(s.encode() + b"\0" for s in scripts), stdout=subprocess.PIPE,
            env={"PATH": "/nowhere", "HOME": "/home/u", "LC_ALL": "C.UTF-8"}, timeout=600, check=False,
            pass_fds=[errors.fileno()], **as_nobody)
        errors.seek(0)
        return directory, list(zip(done.stdout.split(END)[:-1], errors.read().split(END)[:-1]))


def run_dump(dump, directory, scripts):
    done = subprocess.run([dump, directory], input=b"".join(s.encode() + b"\0" for s in scripts),
                          stdout=subprocess.PIPE, timeout=600, check=True)
    return done.stdout.decode().split("\n")[:-1]


def arguments(output):
    """What p got: None when it did not run."""
    parts = output.split(b"\0")[:-1]
    if not parts:
        return None
    count = int(parts[0])
    return parts[1 : 1 + count] if len(parts) == count + 1 else None


def field_pattern(field):
    """A pattern for one field; each argument ends in a NUL."""
    many = field.startswith("*")
    kind, _, text = field.lstrip("*").partition(":")
    if many:
        return rb"(?:[^\0]*\x00)*"
    if kind == "G":
        return rb"[^\0]*\x00"  # as it stands, or with the backslashes that were in the pattern
    out = b""
    for i in range(0, len(text), 2):
        pair = text[i : i + 2]
        out += rb"[^\0]*" if pair == "??" else re.escape(bytes.fromhex(pair))
    return out + rb"\x00"


def main():
    args = argparse.ArgumentParser()
    args.add_argument("dump")
    args.add_argument("--count", type=int, default=3000)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--list", action="store_true", help="show every script with unknown parts too")
    args = args.parse_args()

    scripts = [Maker(args.seed * 1000003 + i).script() for i in range(args.count)]
    directory, outputs = run_bash(scripts)
    lines = run_dump(args.dump, directory, scripts)
    if len(outputs) != len(scripts) or len(lines) != len(scripts):
        print(f"{len(scripts)} scripts, {len(outputs)} answers of bash, {len(lines)} of expand_dump")
        return 1
    wrong = known = fields = failed = unread = 0
    for script, (output, errors), line in zip(scripts, outputs, lines):
        got = arguments(output)
        if line in ("!", "-"):
            unread += 1
            continue
        said = line.split()
        fields += len(said)
        known += sum(f.startswith("L:") for f in said)
        if got is None or errors:
            failed += 1  # what bash refuses ends the script, or a part of it
            continue
        pattern = b"".join(field_pattern(f) for f in said)
        whole = b"".join(a + b"\0" for a in got)
        if not re.fullmatch(pattern, whole, re.S):
            wrong += 1
            print(f"--- differs\n{script}\n  bash {got}\n  said {[show(f) for f in said]}")
        elif args.list and not all(f.startswith("L:") for f in said):
            print(f"--- unknown\n{script}\n  bash {got}\n  said {[show(f) for f in said]}")
    print(f"{len(scripts)} scripts: {wrong} differ; bash refuses {failed}, {unread} not read; "
          f"{known} of {fields} fields known")
    return 1 if wrong else 0


def show(field):
    kind, _, text = field.partition(":")
    parts = re.findall("..", text)
    shown = "".join("\N{REPLACEMENT CHARACTER}" if p == "??" else chr(int(p, 16)) for p in parts)
    return f"{kind}:{shown!r}"


if __name__ == "__main__":
    sys.exit(main())
