#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the expansion says is known is what bash makes of it.

usage: expand.py EXPAND_DUMP [--count N] [--seed S] [--list]

Makes small scripts up (assignments, and one `p WORDS...` or a case), expands them with expand_dump,
and lets bash run them with a p that writes its arguments down. A literal field has to be the very
argument, a glob one or several, a field with unknown parts an argument that fits, a field that is
`many` any number of arguments. There are no commands in the scripts but builtins without effect,
PATH is empty, the directory is empty, and when root starts this, bash runs as nobody.

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

VALUES = [
    "rm", "", "a", "a b", " a  b ", "x:y", ":x::y:", "a.b.c", "/usr/lib/x.so", "*", "a*", "\\*",
    "hello world", "A-b_C", "~", "~/x", "1", "07", "12", "-3", "a'b", "it's", "a=b", "[x]", "a\tb",
    "a\nb", "x\\y", "{a,b}", "aaa", "abab", "b", "name", "a,b", "0x1f", "1+2", "b+1", "?", "a?c",
    "!", "&", "x&y", "$a", "]", "-", "a b c d",
]
NAMES = ["a", "b", "c"]
PATTERNS = [
    "a", "*", "?", "a*", "*a", "*b*", "[ab]", "[!a]", "[a-c]*", ".*", "*.", "*/", "/*", "b", "x",
    "[[:upper:]]", "[]a]", "[a", "\\*", "'*'", '"$b"', "$b", "", "a?", "?b", "ab", "*.*", "[^a]",
    "' '", "\\ ", "[[:space:]]", "\\\\", "~", "[a'-'c]", "[a\\-c]", "*[[:digit:]]*", "$a$b", "*$c",
]
EXTENDED = [
    "@(a|b)", "!(a)", "*(a)", "+(ab)", "?(a)b", "*.@(b|c)", "!(*.c)", "+(a|b)*", "@(a|@(b|c))",
    "*(?)", "!(!(a))", "a@(|b)b", "+([a-c])", "@($b|x)", "?(~|a)",
]
PLAIN = ["foo", "-x", "a.b", "/p/q", "=", "a:b", "x,y", "%", "+", "@"]
NUMBERS = [
    "1", "2", "3", "0", "-1", "a", "b", "$a", "${#a}", "010", "0x10", "2#101", "36#z", "i", "j",
]
OPERATORS = "+ - * / % ** << >> < > <= >= == != & ^ | && || ,".split()
CHANGES = [
    "i++", "--j", "i--", "++i", "j = 4", "i += 2", "j *= 3", "k = i = 2", "r[1]", "r[i] = 7",
    "r[0]++",
]
PARAMETERS = NAMES + [
    "a", "u", "1", "2", "@", "*", "r[@]", "r[*]", "r[1]", "r[$i]", "r[i]", "m[k]", "#", "IFS",
    "HOME", "PWD", "0", "r", "r[-1]", "ref",
]
REPLACEMENTS = ["", "X", "$b", '"$b"', "[&]", "\\&", "a b", "'&'", "&&"]
RANGES = ["0", "1", " -1", "2:1", "0:2", " -2:1", "1:-1", "i", "9", "0:0", "i:j"]
IN_QUOTES = ["x", " ", "a b", "\\$", "\\\\", '\\"', "~", "'", "*", "{a,b}", ":", "\\z"]
UNQUOTED = PLAIN + [
    "x", "\\*", "\\ ", "\\'", "''", "'q r'", "$'t\\tu'", "*", "~", ":~", "a=~", "[a]", "?",
]
SEQUENCES = [
    "{1..3}", "{a..e..2}", "{3..1}", "{01..3}", "{-1..1}", "{1..2..0}", "{a..1}", "{x..z",
    "{1..4..3}", "{c..a}",
]
IN_BRACES = [
    "a", "b", "", "'x,y'", "$a", '"$b"', "{c,d}", "c}", "{e", "1..2", "~",
]
SEPARATORS = ["''", ":", "' '", "': '", "a", "b:", "$'\\n'", "1", ",", "'\\'"]


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, choices):
        return self.r.choice(choices)

    def chance(self, p):
        return self.r.random() < p

    def some(self, most, make):
        return [make() for _ in range(self.r.randrange(most))]

    def value(self):
        """A value as a literal word."""
        text = self.pick(VALUES)
        how = self.r.randrange(4)
        if how == 0 and "'" not in text:
            return f"'{text}'"
        if how == 1 and not re.search(r'["\\$`!]', text):
            return f'"{text}"'
        if how == 2 and re.fullmatch(r"[\w./:=+-]+", text):
            return text
        for raw, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t")):
            text = text.replace(raw, escaped)
        return f"$'{text}'"

    def arith(self, depth=2):
        if depth == 0 or self.chance(0.3):
            return self.pick(NUMBERS)
        d = depth - 1
        kind = self.r.randrange(9)
        if kind < 4:
            return f"{self.arith(d)} {self.pick(OPERATORS)} {self.arith(d)}"
        if kind == 4:
            return f"({self.arith(d)})"
        if kind == 5:
            return self.pick("-+!~") + " " + self.arith(d)
        if kind == 6:
            return f"{self.arith(d)} ? {self.arith(d)} : {self.arith(d)}"
        if kind == 7:
            return self.pick(CHANGES)
        return f"{self.arith(d)}{self.pick('+-*')}{self.arith(d)}"

    def pattern(self):
        return self.pick(EXTENDED) if self.chance(0.15) else self.pick(PATTERNS)

    def operated(self, name, kind, word):
        """${name...} with an operator."""
        if kind == 4:
            return "${#%s}" % name
        if kind < 8:
            op = self.pick(["-", ":-", "+", ":+", "-", ":-", "="])
            return "${%s%s%s}" % (name, "-" if op == "=" and name not in "uab" else op, word)
        if kind < 10:
            return "${%s%s%s}" % (name, self.pick(["#", "##", "%", "%%"]), self.pattern())
        if kind == 10:
            pattern = self.pattern().replace("/", "x")
            op = self.pick(["/", "//", "/#", "/%"])
            return "${%s%s%s/%s}" % (name, op, pattern, self.pick(REPLACEMENTS))
        if kind == 11:
            pattern = self.pick(["", "", "a", "[ab]", "?"])
            return "${%s%s%s}" % (name, self.pick(["^", "^^", ",", ",,"]), pattern)
        if kind == 12:
            return "${%s:%s}" % (name, self.pick(RANGES))
        if kind == 13:
            return "${%s@%s}" % (name, self.pick("QULuEK"))
        if kind == 14 and name.isalnum():
            return "${!%s}" % self.pick(["n", "n", "a", "one", "ref", "el", "al", "1"])
        return "${!%s}" % self.pick(["r[@]", "r[*]", "s[@]"])

    def param(self, depth, quoted):
        name = self.pick(PARAMETERS)
        kind = self.r.randrange(16)
        if name == "#":
            return "$#"
        if kind < 4:
            bare = len(name) == 1 and self.chance(0.5)
            return "$" + name if bare else "${%s}" % name
        return self.operated(name, kind, self.word(depth - 1, quoted, True) if depth > 0 else "w")

    def piece(self, depth, quoted, inner):
        kind = self.r.randrange(12)
        if 5 <= kind < 7 or (kind >= 7 and depth <= 0):
            return self.pick(IN_QUOTES if quoted else UNQUOTED)
        if kind == 7:
            return "$((%s))" % self.arith()
        if kind == 8:
            return "$(echo %s)" % self.word(depth - 1)
        if kind == 9 and not quoted:
            return '"' + "".join(self.some(3, lambda: self.piece(depth - 1, True, inner))) + '"'
        if kind == 10 and not quoted and not inner:
            return self.brace()
        return self.param(depth, quoted)

    def brace(self):
        if self.chance(0.3):
            return self.pick(SEQUENCES)
        parts = self.some(4, lambda: self.pick(IN_BRACES))
        return "{" + ",".join(parts) + self.pick(["}", "}", "}", "", "}}"])

    def word(self, depth=2, quoted=False, inner=False):
        count = self.r.randrange(1, 3 if inner else 4)
        return "".join(self.piece(depth, quoted, inner) for _ in range(count))

    def setting(self):
        """Assignments of all kinds."""
        lines = [f"{name}={self.value()}" for name in NAMES if self.chance(0.8)]
        lines.append(f"unset u; i={self.r.randrange(3)}; j={self.pick(['0', '1', '-1', 'i+1'])}")
        sometimes = [
            (0.4, lambda: f"r=({' '.join(self.some(4, self.value))})"),
            (0.2, lambda: f"r[{self.r.randrange(5)}]={self.value()}"),
            (0.2, lambda: f"s=([3]=x [1]={self.value()} y)"),
            (0.2, lambda: f"declare -A m; m[k]={self.value()}"),
            (0.3, lambda: f"n={self.pick(NAMES)}; one=1; el='r[1]'; al='r[@]'"),
            (0.2, lambda: f"declare -n ref={self.pick(NAMES)}"),
            (0.4, lambda: f"set -- {' '.join(self.some(4, self.value))}"),
            (0.25, lambda: f"IFS={self.pick(SEPARATORS)}"),
            (0.2, lambda: f"{self.pick(NAMES)}={self.word()}"),
            (0.1, lambda: f"{self.pick(NAMES)}+={self.word()}"),
            (0.1, lambda: f"(( {self.arith()} ))"),
            (0.1, lambda: f"export {self.pick(NAMES)}={self.word()}"),
        ]
        return lines + [make() for p, make in sometimes if self.chance(p)]

    def script(self):
        lines = self.setting()
        if self.chance(0.2):
            word, pattern = self.word(1), self.pattern()
            lines.append(f"case {word} in {pattern}) p yes;; *) p no;; esac")
        else:
            lines.append("p " + " ".join(self.word() for _ in range(self.r.randrange(1, 4))))
        return "\n".join(lines)


def run_bash(scripts):
    as_nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    with tempfile.TemporaryDirectory() as directory, tempfile.TemporaryFile() as errors:
        os.chmod(directory, 0o755)
        driver = f"exec 3>&{errors.fileno()}\n{DRIVER}"
        done = subprocess.run(
            ["/bin/bash", "--norc", "--noprofile", "-O", "extglob", "-c", driver, "bash"],
            cwd=directory,
            input=b"".join(s.encode() + b"\0" for s in scripts),
            stdout=subprocess.PIPE,
            env={"PATH": "/nowhere", "HOME": "/home/u", "LC_ALL": "C.UTF-8"},
            timeout=600,
            check=False,
            pass_fds=[errors.fileno()],
            **as_nobody,
        )
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
        return rb"(?:[^\0]*\x00)+"  # names, or the pattern with the backslashes that were in it
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
    args.add_argument("--list", action="store_true", help="show unknown ones")
    args = args.parse_args()

    scripts = [Maker(args.seed * 1000003 + i).script() for i in range(args.count)]
    directory, outputs = run_bash(scripts)
    lines = run_dump(args.dump, directory, scripts)
    if len(outputs) != len(scripts) or len(lines) != len(scripts):
        print(f"{len(scripts)} scripts, {len(outputs)} and {len(lines)} answers")
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
        shown = [show(f) for f in said]
        if not re.fullmatch(pattern, b"".join(a + b"\0" for a in got), re.S):
            wrong += 1
            print(f"--- differs\n{script}\n  bash {got}\n  said {shown}")
        elif args.list and not all(f.startswith("L:") for f in said):
            print(f"--- unknown\n{script}\n  bash {got}\n  said {shown}")
    print(
        f"{len(scripts)} scripts: {wrong} differ; bash refuses {failed}, {unread} not read; "
        f"{known} of {fields} fields known"
    )
    return 1 if wrong else 0


def show(field):
    kind, _, text = field.partition(":")
    parts = re.findall("..", text)
    shown = "".join("\N{REPLACEMENT CHARACTER}" if p == "??" else chr(int(p, 16)) for p in parts)
    return f"{kind}:{shown!r}"


if __name__ == "__main__":
    sys.exit(main())
