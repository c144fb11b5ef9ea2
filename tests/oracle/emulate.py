#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What emulation says is printed is what the tools print.

usage: emulate.py EMULATE_DUMP [--count N] [--seed S] [--list] [--only TOOL]

Emulates the commands of emulate.tsv and --count made-up ones with emulate_dump, and runs each of
them: by bash, with PATH=/usr/bin:/bin and nothing else in the environment, in an empty directory,
and when root starts this, as nobody. None of them writes files or runs programs. Known output has
to be what is printed, byte for byte. Unknown parts of arguments and input (the byte 1a) get some
text for the run, and the output has to fit.

Prints what differs and how many outputs are known; exits 1 when anything differs, or when the
output of a row of the table is not known that should be.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).with_suffix(".tsv")
FILLS = [b"", b"a", b"x y", b"-n", b"-e", b"q\nr", b"\\x41", b"*", b"7", b"--", b"c\n", b" "]
U = "\x1a"
BUILTINS = [":", "command", "echo", "printf", "pwd", "true", "type"]

# Commands are made up from these: a name in <> is one of its alternatives, which are separated by
# tabs, and <name*> is up to six of them. The words of a command are separated by newlines.
GRAMMAR = {
    "char": "a\tb\tc\tab\t \t\\n\tx\t1\t2\t:\t,\t-\t.\ta b\\n\tB\t\\t",
    "input": "<char*>",
    "escape": f"a\tb\t \t\\\\n\t\\\\t\t\\\\x41\t\\\\x4\t\\\\101\t\\\\0101\t\\\\0\t\\\\\\\\\t\\\\c"
              f"\t\\\\q\t\\\\e\t\\\\8\t1\t\\\\u0041\t\\\\\t{U}",
    "echo": "echo<e-words>",
    "e-words": "\t\n<e-word><e-words>\t\n<e-word><e-words>\t\n<e-word><e-words>",
    "e-word": "-n\t-e\t-E\t-ne\t-x\t--\t<escape*>\t<escape*>\t<escape*>",
    "printf": "printf\n<format><p-words>",
    "format": "<piece>\t<piece><piece>\t<piece><piece><piece>",
    "piece": "<spec>\t<spec>\t<escape*>\ta",
    "spec": "%<flags><width><precision><conversion>",
    "flags": "\t\t\t-\t+\t \t0\t#\t-0\t+-",
    "width": "\t\t\t5\t1\t*",
    "precision": "\t\t\t.2\t.*\t.0",
    "conversion": "s\ts\ts\td\td\tx\tX\to\tu\tc\tb\tb\ti\tq\t%",
    "p-words": "\t\n<p-word><p-words>\t\n<p-word><p-words>",
    "p-word": "a\t\t12\t-3\t0x1f\t007\tabc\t'a\t<escape*>\t2\t1",
    "tr": "tr<tr-option>\n<sets>\n<sets>\ttr<tr-option>\n<sets>",
    "tr-option": "\t\t\n-d\t\n-s\t\n-c\t\n-cd\t\n-ds\t\n-cs\t\n-t",
    "sets": "<set>\t<set>\t<set><set>\t<set><set><set>",
    "set": "a\tb-c\ta-z\t[:lower:]\t[:upper:]\t[:digit:]\t[:space:]\t\\\\n\tx\t-\t1\t\\\\055\t:\t["
           "\t]\t\\\\\\\\",
    "sed": "sed<quiet>\n<basic-script>\tsed<quiet>\n-E\n<extended-script>",
    "quiet": "\t\t\n-n",
    "basic-script": "<b-command>\t<b-command>;<b-command>\t:a;<b-command>;<b-command>;<branch>",
    "extended-script": "<x-command>\t<x-command>;<x-command>\t<x-command>;<x-command>;<x-command>",
    "branch": "ta\t$!ba\tTa;p\tt;p",
    "b-command": "<address><simple>\t<address>s/<basic>/<replacement>/<s-flags>\t/<basic>/<simple>",
    "x-command": "<address><simple>\t<address>s/<extended>/<replacement>/<s-flags>"
                 "\t/<extended>/<simple>",
    "address": "\t\t\t1\t2\t$\t1,2\t2,$\t2,1\t/a/\t/b/,/c/\t0,/a/\t1~2\t0~2\t/a/,+1\t1!\t$!\t/a/!"
               "\t2,/b/\t/a/,2\t1,~2",
    "simple": "p\td\th\tH\tg\tG\tx\tn\tN\tD\tP\t=\tq\ty/abc/xyz/\ts/a/b/\tz\t{p;p}\tb"
              "\ti foo\\n\ta bar\\n\tc baz\\n",
    "replacement": "\tX\t<&>\t\\\\n\tY\t\\\\1",
    "s-flags": "\tg\t2\tp\tgp\tI\t2g",
    "basic": "<b-atom>\t^<b-atom>\t<b-atom><b-atom>\t<b-atom><b-atom><b-atom>\t<b-atom>$",
    "b-atom": "<atom><b-repeat>\t<atom><b-repeat>\t\\\\(<atom><b-repeat>\\\\)",
    "b-repeat": "\t\t\t*\t\\\\+\t\\\\?\t\\\\{2\\\\}\t\\\\{1,\\\\}",
    "extended": "<x-atom>\t^<x-atom>\t<x-atom><x-atom>\t<x-atom><x-atom><x-atom>\t<x-atom>$",
    "x-atom": "<atom><x-repeat>\t<atom><x-repeat>\t(<atom><x-repeat>)",
    "x-repeat": "\t\t\t*\t+\t?\t{2}\t{1,}\t{1,2}",
    "atom": "a\tb\t.\t[ab]\t[^a]\t[0-9]\tx\t[[:alpha:]]\t\\\\.\t:\t \tc\t\\\\n",
    "awk": "awk<awk-option>\n<rule>\tawk<awk-option>\n<rule> <rule>\tawk<awk-option>\n1;<rule>",
    "awk-option": "\t\t\n-F:\t\n-F\n,\t\n-v\nx=q",
    "rule": "<when>{<statement>}\t<when>{<statement>; <statement>}",
    "when": "\t\tBEGIN\tEND\tNR==1\t1",
    "statement": "print <value>,<value>\tprint <value> <value>\tprint\tprint(<value>,<value>)"
                 "\tprintf \"%s|\",<value>\tprintf(\"%s %d\\\\n\",<value>,NR)\tx=<value> <value>"
                 "\ty=<value>\tprintf \"%c\",65\tprintf \"%c\",\"abc\"\tOFS=\"-\"",
    "value": "$1\t$2\t$0\t$NF\tNR\tNF\t\"a\"\t\" \"\t\"\\\\n\"\t3\t1+2\t2*3\tx\ty\tsubstr($0,2,2)"
             "\ttoupper($1)\tlength($0)\tsprintf(\"%c\",66)\t(1 2)\t$1+1\t7%3\t\"\\\\141\"",
    "cut": "cut\n<cut-how>",
    "cut-how": "-c\n<places>\t-b<places>\t-d:\n-f<places>\t-d,\n-f\n<places>\n-s\t-f<places>"
               "\t-d:\n-f<places>\n--complement\t-d:\n-f<places>\n--output-delimiter=+",
    "places": "1\t2\t1,3\t2-\t-2\t1-2,4\t3,1",
    "ends": "head\n<how-much>\ttail\n<how-much>",
    "how-much": "-n\n<number>\t-c\n<number>\t-1\t-2",
    "number": "0\t1\t2\t3\t-1\t-2\t+1\t+2\t+3",
    "lines": "tac\trev\tuniq\tuniq\n-c\tuniq\n-d\tsort\tsort\n-r\tsort\n-n\tsort\n-nr\tsort\n-u"
             "\tpaste\n-s\tpaste\n-sd,:\tpaste\n-sd\n\txargs\tcat\tfold\n-w3\tfold\n-w\n2"
             "\tfold\n-sw4\tfold\n-s\n-w\n3",
    "grep": "grep<grep-option>\n<basic>\tgrep\n-E<grep-option>\n<extended>",
    "grep-option": "\t\n-v\t\n-i\t\n-o\t\n-x\t\n-vi",
    "encode": "base64\tbase64\n-w0\tbase64\n-w\n5\tbase32\txxd\n-p\topenssl\nbase64"
              "\tbasenc\n--base16",
    "path": "basename\n<name*>\tbasename\n<name*>\n.c\tdirname\n<name*>\texpr\nlength\n<name*>"
            "\texpr\nsubstr\n<name*>\n2\n2\tseq\n2\n5",
    "name": "a\t/\tb.c\t..\t/usr\t.c",
    "command": "<echo>\t<printf>\t<printf>\t<tr>\t<sed>\t<sed>\t<sed>\t<awk>\t<awk>\t<cut>\t<ends>"
               "\t<grep>\t<lines>\t<encode>\t<path>",
    "decode": "base64\n-d\tbase64\n-di\tbase64\n--decode\topenssl\nbase64\n-d"
              "\topenssl\nenc\n-d\n-a\n-A",
}


def unescape(text):
    """\\n, \\t, \\xHH and \\\\ done."""
    def one(match):
        if len(match[1]) > 1:
            return bytes([int(match[1][1:], 16)])
        return {b"n": b"\n", b"t": b"\t"}.get(match[1], match[1])
    return re.sub(rb"\\(x..|.)", one, text.encode())


class Maker:
    """Makes input and commands up."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def text(self, name):
        def one(match):
            if match[1].endswith("*"):
                return "".join(self.text(match[1][:-1]) for _ in range(self.r.randrange(7)))
            return self.text(match[1]) if match[1] in GRAMMAR else match[0]
        return re.sub("<([a-z][a-z-]*[*]?)>", one, self.r.choice(GRAMMAR[name].split("\t")))

    def words(self, name):
        return [unescape(w) for w in self.text(name).split("\n")]

    def make(self):
        given = self.text("input") + self.text("input")
        if self.r.random() < 0.1:
            return self.decoded(given)
        if self.r.random() < 0.2:
            given += U + self.text("input")
        return unescape(given), self.words("command")

    def decoded(self, given):
        coded = subprocess.run(["base64"], input=unescape(given), stdout=subprocess.PIPE,
                               check=True).stdout
        at = self.r.randrange(len(coded) + 1)
        odd = self.r.choice([b"=", b"\n", b"!", b" ", b"\x1a", b"A"])
        coded = self.r.choice([coded, coded, coded[:at], coded[:at] + odd + coded[at:],
                               coded.rstrip(b"=\n")])
        return coded, self.words("decode")


def table():
    """The rows of the table: is all known, input, words."""
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, given, *words = line.split("\t")
            yield kind == "known", unescape(given), [unescape(w) for w in words]


def emulated(dump, cases):
    lines = "".join("b " + " ".join(text.hex() or "-" for text in [given, *words]) + "\n"
                    for _, given, words in cases)
    done = subprocess.run([dump], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().split("\n")[:-1]


def is_there(name):
    return name in BUILTINS or shutil.which(name, path="/usr/bin:/bin") is not None


def drop_rights():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def run(given, words, directory, fill):
    argv = ["/bin/bash", "-c", '"$@"', "bash", *(w.replace(b"\x1a", fill) for w in words)]
    done = subprocess.run(argv, input=given.replace(b"\x1a", fill), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, cwd=directory, timeout=20, check=False,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
                          preexec_fn=drop_rights)
    return done.stdout


def pattern_of(line):
    parts = re.findall("..", line)
    return b"".join(b".*" if p == "??" else re.escape(bytes([int(p, 16)])) for p in parts)


def said(line):
    return b"".join(b"\xef\xbf\xbd" if p == "??" else bytes([int(p, 16)])
                    for p in re.findall("..", line))


def compare(case, line, directory):
    """What is wrong with the answer, or None."""
    whole, given, words = case
    dynamic = any(b"\x1a" in text for text in [given, *words])
    if line in ("no", "?"):
        return "is not known" if whole is not None else None
    if whole and "?" in line:
        return f"is not all known: {said(line)!r}"
    for fill in FILLS if dynamic else [b""]:
        output = run(given, words, directory, fill)
        if not re.fullmatch(pattern_of(line), output, re.S):
            return f"differs with {fill!r}\n  printed {output!r}\n  said    {said(line)!r}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="show what is not known")
    parser.add_argument("--only", help="commands of this name only")
    args = parser.parse_args()
    maker = Maker(args.seed)
    cases = [*table(), *((None, *maker.make()) for _ in range(args.count))]
    missing = {c[2][0] for c in cases if not is_there(c[2][0].decode())}
    cases = [c for c in cases if c[2][0] not in missing]
    if args.only:
        cases = [c for c in cases if c[2][0] == args.only.encode()]
    lines = emulated(args.dump, cases)
    wrong = known = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        for case, line in zip(cases, lines):
            trouble = compare(case, line, directory)
            known += line not in ("no", "?")
            wrong += trouble is not None
            if trouble is not None:
                print(f"--- {case[1]!r} {case[2]}\n  {trouble}")
            elif args.list and line in ("no", "?"):
                print(f"--- {line}: {case[1]!r} {case[2]}")
    print(f"{len(cases)} commands: {wrong} differ, {known} outputs known")
    for name in sorted(missing):
        print(f"not compared, since it is not there: {name.decode()}")
    return 1 if wrong or len(lines) != len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
