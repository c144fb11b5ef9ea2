#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What emulation says is printed is what the tools print.

usage: emulate.py EMULATE_DUMP [--count N] [--seed S] [--list] [--only TOOL]

Emulates a table of commands and --count made-up ones with emulate_dump, and runs each of them: by
bash, with PATH=/usr/bin:/bin and nothing else in the environment, in an empty directory, and when
root starts this, as nobody. None of them writes files or runs programs. Known output has to be what
is printed, byte for byte. Unknown parts of arguments and input ("\\x1a" here) get some text for the
run, and the output has to fit.

Prints what differs and how many outputs are known; exits 1 when anything differs, or when an output
of the table is not known that should be.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

U = "\x1a"
FILLS = ["", "a", "x y", "-n", "-e", "q\nr", "\\x41", "*", "7", "--", "c\n", " "]

# Input, command. All of it has to be known.
KNOWN = [
    ("", ["echo"]), ("", ["echo", "rm", "-rf", "/"]), ("", ["echo", "-n", "a"]), ("", ["echo", "-ne", "a\\n"]),
    ("", ["echo", "-e", "\\x72\\x6d\\0101\\t\\\\"]), ("", ["echo", "-e", "a\\cb", "c"]), ("", ["echo", "-eE", "\\n"]),
    ("", ["echo", "-Ee", "\\n"]), ("", ["echo", "-nx"]), ("", ["echo", "-"]), ("", ["echo", "--", "a"]),
    ("", ["echo", "-e", "\\u0041\\U00000042\\q\\8"]), ("", ["echo", "-n", "-e", "-x"]), ("", ["echo", "a", "-n"]),
    ("", ["echo", "-e", "\\e[0m\\a\\b\\f\\r\\v"]), ("", ["/bin/echo", "-e", "\\x41\\0102"]),
    ("", ["printf", "%s\n", "a", "b"]), ("", ["printf", "r%s", "m -rf /"]), ("", ["printf", "\\162\\155 \\x7e"]),
    ("", ["printf", "%b", "\\162\\155\\0101"]), ("", ["printf", "%c%c", "rx", "my"]), ("", ["printf", "%d %i", "0x10", "010"]),
    ("", ["printf", "%5s|%-5s|%.2s|%5.1s|", "ab", "ab", "abc", "abc"]), ("", ["printf", "%05d|%+d|% d|%x|%X|%o|%#x|%#o", "42", "42", "42", "255", "255", "8", "255", "8"]),
    ("", ["printf", "%*s|%-*s|%.*s", "4", "a", "4", "b", "1", "cd"]), ("", ["printf", "%%"]), ("", ["printf", "x", "a", "b"]),
    ("", ["printf", "%s"]), ("", ["printf", "%d"]), ("", ["printf", "--", "%s-", "a"]), ("", ["printf", "%s %s\n", "a", "b", "c"]),
    ("", ["printf", "%q", "a b$c'd\"~#"]), ("", ["printf", "%q", "~#x=~:~"]), ("", ["printf", "%q", ""]), ("", ["printf", "%b|%b", "a\\cb", "x"]),
    ("", ["printf", "%d", "'a"]), ("", ["printf", "%x", "-1"]), ("", ["printf", "%.3d|%6.3d|%-6.3d|", "5", "5", "5"]),
    ("", ["printf", "\\q\\\"\\'\\?\\c"]), ("", ["printf", "-"]), ("", ["printf", "%b", "\\\"\\'"]), ("", ["printf", "%05s|", "a"]), ("", ["printf", "%-05d|", "3"]),
    ("", ["printf", "a\\0b"]), ("", ["printf", "%c", ""]), ("", ["/usr/bin/printf", "%s\\x41\\101%b", "a", "\\0102"]),
    ("a\nb\n", ["cat"]), ("a\nb", ["cat", "-"]), ("ab", ["cat", "-", "/dev/null", "-u"]), ("a\nb\n", ["tee"]), ("x", ["tee", "/dev/null"]),
    ("a\nb\nc", ["tac"]), ("a\nb\nc\n", ["tac"]), ("", ["tac"]), ("~ fr- mr\nab", ["rev"]), ("a\n\nb", ["rev"]),
    ("ez -es ~", ["tr", "a-z", "n-za-m"]), ("sz -sg /", ["tr", "sg", "rf"]), ("rm:-rf", ["tr", ":", " "]), ("aAbB", ["tr", "-d", "[:upper:]"]),
    ("abc", ["tr", "[:lower:]", "[:upper:]"]), ("aabbcc", ["tr", "-s", "a-b"]), ("hello", ["tr", "-cd", "l"]), ("a-b", ["tr", "-", "_"]),
    ("abc\n", ["tr", "-c", "a\\n", "x"]), ("abcd", ["tr", "abc", "x"]), ("abcd", ["tr", "-t", "abc", "x"]), ("a\\b", ["tr", "\\\\", "/"]),
    ("a\tb\n", ["tr", "\\t\\n", "  "]), ("a b", ["tr", "\\040", "\\055"]), ("aabb", ["tr", "-ds", "a", "b"]), ("[a]", ["tr", "[a-c]", "<A-C>"]),
    ("aabb", ["tr", "-s", "ab", "xx"]), ("a\0b", ["tr", "-d", "\\000"]),
    ("cm0gLXJmIH4=\n", ["base64", "-d"]), ("cm0gLXJmIH4=", ["base64", "--decode"]), ("cm0gL\nXJmIH4=", ["base64", "-d"]), ("cm0g LXJmIH4=", ["base64", "-di"]),
    ("cm0gLXJmIH4", ["base64", "-d"]), ("cm0gLXJmIA==cm0g", ["base64", "-d"]), ("rm -rf ~", ["base64"]), ("a" * 100, ["base64"]), ("a" * 100, ["base64", "-w0"]),
    ("a" * 100, ["base64", "-w", "10"]), ("", ["base64"]), ("ab", ["base32"]), ("MFRA====", ["base32", "-d"]), ("726D", ["basenc", "--base16", "-d"]),
    ("rm", ["basenc", "--base16"]), ("cm0g_-8=", ["basenc", "--base64url", "-d"]), ("a", ["basenc", "--base32hex"]),
    ("726d202d7266207e", ["xxd", "-r", "-p"]), ("72 6D 20\n2d", ["xxd", "-r", "-p"]), ("726d", ["xxd", "-ps", "-r"]), ("hello world this is a longer text of more than thirty", ["xxd", "-p"]),
    ("hello", ["xxd", "-p", "-c", "2"]), ("hello", ["xxd", "-u", "-p"]), ("00000000: 726d 202d 7266 207e  rm -rf ~\n", ["xxd", "-r"]),
    ("cm0gLXJmIH4=\n", ["openssl", "base64", "-d"]), ("cm0gLXJmIH4=", ["openssl", "base64", "-d", "-A"]), ("cm0gLXJmIH4=\n", ["openssl", "enc", "-base64", "-d"]),
    ("rm -rf ~", ["openssl", "base64"]), ("a" * 100, ["openssl", "base64"]), ("a" * 100, ["openssl", "enc", "-a", "-A"]),
    (bytes.fromhex("1f8b08000000000002032bca55d02d4a53a803003e2d9ef008000000"), ["gunzip"]), (bytes.fromhex("1f8b08000000000002032bca55d02d4a53a803003e2d9ef008000000"), ["gzip", "-dc"]),
    (bytes.fromhex("1f8b08000000000002032bca55d02d4a53a803003e2d9ef008000000"), ["zcat"]),
    ("a:b:c\nd\n:e", ["cut", "-d:", "-f2"]), ("a:b:c\nd\n:e", ["cut", "-d", ":", "-f1,3"]), ("a:b:c\nd\n", ["cut", "-d:", "-f2-", "-s"]), ("abcdef\n", ["cut", "-c2-4"]),
    ("abcdef", ["cut", "-c", "-2,5-"]), ("a:b:c\n", ["cut", "-d:", "-f1,2", "--output-delimiter=__"]), ("a:b:c\n", ["cut", "-d:", "--complement", "-f2"]), ("a\tb\n", ["cut", "-f2"]),
    ("a\nb\nc\n", ["head", "-n", "1"]), ("a\nb\nc\n", ["head", "-1"]), ("a\nb\nc\n", ["head", "-c3"]), ("a\nb\nc", ["head", "-n-1"]), ("a\nb\nc", ["head", "-c-2"]),
    ("a\nb\nc\n", ["tail", "-n1"]), ("a\nb\nc", ["tail", "-1"]), ("a\nb\nc\n", ["tail", "-n+2"]), ("abc", ["tail", "-c2"]), ("abc", ["tail", "-c+2"]), ("a\nb", ["tail", "-n0"]), ("a\nb", ["tail", "-n+0"]),
    ("b\na\n", ["sort"]), ("b\na\nb\n", ["sort", "-u"]), ("b\na\nb", ["sort", "-r"]), ("3 x y\n1 Z\n20 w\n", ["sort", "-n"]), ("3 x\n1 y\n20 w\n", ["sort", "-rn"]), ("3 x\n3 y\n", ["sort", "-nu"]), ("", ["sort"]),
    ("a\na\nb\na", ["uniq"]), ("a\na\nb\na", ["uniq", "-c"]), ("a\na\nb\na", ["uniq", "-d"]), ("a\na\nb\na", ["uniq", "-u"]),
    ("a\nb\nc", ["paste", "-s"]), ("a\nb\nc\n", ["paste", "-sd,"]), ("a\nb\nc\n", ["paste", "-sd", ""]), ("a\nb\nc\n", ["paste", "-s", "-d", " "]), ("a\nb\nc\n", ["paste", "-sd", ",\\n"]), ("", ["paste", "-s"]), ("r\nm\n", ["paste", "-sd", "\\0"]),
    ("abcdefg\n", ["fold", "-w", "3"]), ("ab cd efgh", ["fold", "-sw4"]), ("abc", ["fold", "-w1"]),
    ("", ["seq", "3"]), ("", ["seq", "2", "4"]), ("", ["seq", "5", "-2", "0"]), ("", ["seq", "-s,", "3"]), ("", ["seq", "-s", " ", "1", "3"]), ("", ["seq", "3", "1"]), ("", ["seq", "-1", "1"]),
    ("", ["basename", "/usr/bin/rm"]), ("", ["basename", "/usr/bin/"]), ("", ["basename", "a.c", ".c"]), ("", ["basename", ".c", ".c"]), ("", ["basename", "/"]), ("", ["basename", "a"]), ("", ["basename", "///"]),
    ("", ["dirname", "/usr/bin/rm"]), ("", ["dirname", "a"]), ("", ["dirname", "/"]), ("", ["dirname", "a/b/"]), ("", ["dirname", "/a"]), ("", ["dirname", "a//b"]),
    ("", ["expr", "1", "+", "2"]), ("", ["expr", "7", "/", "2"]), ("", ["expr", "7", "%", "2"]), ("", ["expr", "substr", "hello", "2", "3"]), ("", ["expr", "length", "abc"]), ("", ["expr", "substr", "abc", "0", "2"]), ("", ["expr", "substr", "abc", "3", "9"]),
    ("a b\n c", ["xargs"]), ("", ["xargs"]), ("", [":"]), ("", ["true"]), ("", ["command", "-v", "echo"]),
    ("XY -rf ~", ["sed", "s/X/r/;s/Y/m/"]), ("aaa\n", ["sed", "s/a/b/2"]), ("aaa\n", ["sed", "s/a/b/g"]), ("aaa\n", ["sed", "s/a/b/2g"]), ("abc", ["sed", "y/abc/xyz/"]), ("a\nb\nc\n", ["sed", "-n", "2p"]),
    ("a\nb\nc", ["sed", "2d"]), ("a\nb\nc", ["sed", "$d"]), ("a\nb\nc", ["sed", "-n", "$p"]), ("a\nb\nc\n", ["sed", "2q"]), ("foo bar\n", ["sed", "s/\\(foo\\) \\(bar\\)/\\2 \\1/"]), ("foo bar\n", ["sed", "-E", "s/(o+) (b)/<&|\\1\\2>/"]),
    ("a1b22\n", ["sed", "s/[0-9][0-9]*/N/g"]), ("a1b22\n", ["sed", "-E", "s/[0-9]+/N/g"]), ("a\nb\nc\n", ["sed", ":a;N;$!ba;s/\\n/ /g"]), ("a\nb\n", ["sed", "G"]), ("a\nb\nc\n", ["sed", "1!G;h;$!d"]), ("a\nb", ["sed", "-e", "1d", "-e", "s/b/c/"]),
    ("a\nb\nc\n", ["sed", "/b/,$d"]), ("a\nb\nc\nd\n", ["sed", "-n", "2,3p"]), ("a\nb\n", ["sed", "="]), ("a\nb\n", ["sed", "1i x"]), ("a\nb", ["sed", "$a x"]), ("a\nb\n", ["sed", "1c x"]), ("Abc\n", ["sed", "s/a/x/I"]),
    ("a.b\n", ["sed", "s/\\./-/"]), ("/a/b\n", ["sed", "s#/#:#g"]), ("abc\n", ["sed", "s/b*/x/g"]), ("baaac\n", ["sed", "s/a*/x/g"]), ("abc\n", ["sed", "s/\\x62/X/"]), ("abc\n", ["sed", "s/b/\\x41\\n/"]), ("a\nb\nc\nd\n", ["sed", "n;d"]), ("a b\n", ["sed", "s/^/> /;s/$/ </"]),
    ("a\nb\n", ["sed", "p"]), ("a\nb\nc\nd\ne\n", ["sed", "-n", "1~2p"]), ("a\nb\nc\nd\ne\n", ["sed", "0~2d"]), ("a\nb\nc\nd\n", ["sed", "/b/,+1d"]), ("aXb\n", ["sed", "/X/!d;s//Y/;b;s/Y/Z/"][:1] + ["/X/!d;s/X/Y/;b;s/Y/Z/"]),
    ("ab\n", ["sed", "-n", "s/a/x/p"]), ("#x\na\n", ["sed", "/^#/d"]), ("a{2}\n", ["sed", "s/{2}/x/"]), ("aab\n", ["sed", "-E", "s/a{2}/x/"]), ("aab\n", ["sed", "s/a\\{1,\\}/x/"]), ("a\nb\n", ["sed", "$!N;P;D"]),
    ("", ["awk", "BEGIN{print \"rm -rf ~\"}"]), ("", ["awk", "BEGIN{printf(\"%c%c\",114,109)}"]), ("", ["awk", "BEGIN{printf \"%s-%d\\n\",\"a\",3}"]), ("b a\n", ["awk", "{print $2,$1}"]), ("b a\n", ["awk", "{print $2$1}"]),
    ("a:b\n", ["awk", "-F:", "{print $2}"]), ("a b c\n", ["awk", "{print NF,$NF}"]), ("a\nb\n", ["awk", "NR==2"]), ("a\nb", ["awk", "1"]), ("a\nb\n", ["awk", "END{print NR}"]), ("", ["awk", "BEGIN{x=\"r\";y=\"m\";print x y}"]),
    ("", ["awk", "-v", "x=rm", "BEGIN{print x}"]), ("", ["awk", "BEGIN{OFS=\"-\";print 1,2}"]), ("", ["awk", "BEGIN{print substr(\"xrmx\",2,2) toupper(\"a\") length(\"abc\")}"]), ("", ["awk", "BEGIN{print sprintf(\"%c\",65)}"]),
    ("", ["awk", "BEGIN{print 1+2*3-4}"]), ("", ["awk", "BEGIN{print \"\\162\\x6d\"}"]), ("a|b\n", ["awk", "-F|", "{print $1}"]), ("a,,b\n", ["awk", "-F,", "{print $3 NF}"]), ("  a  b \n", ["awk", "{print $1 \"|\" $2}"]), ("\n", ["awk", "{print $1 NF}"]),
    ("", ["python3", "-c", "print('rm -rf ~')"]), ("", ["perl", "-e", "print \"a b\""]), ("", ["perl", "-E", "say 'x';"]),
]

# Input, command, with unknown parts in them. Something has to be known.
PARTIAL = [
    ("", ["echo", "rm", U]), ("", ["echo", U, "rm -rf /"]), ("", ["echo", U + "x", "b"]), ("", ["echo", "-" + U, "b"]), ("", ["echo", "-n" + U, "b"]), ("", ["echo", "-e", "a\\x4" + U]),
    ("", ["echo", U, "-n", "a"]), ("", ["printf", "%s\n", "a" + U]), ("", ["printf", "a%sb", U]), ("", ["printf", "a%dz", U]), ("", ["printf", "a" + U + "b", "x"]), ("", ["printf", "%s %s\n", "a", "b", U]),
    ("a" + U + "b", ["cat"]), ("a\nb" + U, ["head", "-n1"]), ("ab" + U, ["head", "-n1"]), (U + "\nb\nc\n", ["tail", "-n1"]), (U + "\nb\nc\n", ["tail", "-n5"]), ("abc" + U, ["head", "-c2"]), (U + "abc", ["tail", "-c2"]), ("a\nb\nc" + U, ["tail", "-n+2"]),
    ("a" + U + "b", ["tr", "ab", "xy"]), ("a" + U + "b", ["tee"]), ("a\n" + U + "\nb", ["paste", "-sd,"]), ("cm0g" + U, ["base64", "-d"]), ("726d" + U, ["xxd", "-r", "-p"]),
]


class Maker:
    """Makes commands up. Each method gives input and arguments."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, choices):
        return self.r.choice(choices)

    def some(self, choices, most):
        return "".join(self.pick(choices) for _ in range(self.r.randrange(most + 1)))

    def text(self):
        return self.some(["a", "b", "c", "ab", " ", "\n", "x", "1", "2", ":", ",", "-", ".", "a b\n", "B", "\t"], 12)

    def make(self):
        return self.pick([self.echo, self.printf, self.tr, self.sed, self.sed, self.sed, self.awk, self.awk, self.cut, self.ends,
                          self.lines, self.code, self.code, self.fold, self.path])()

    def escapes(self):
        return self.some(["a", "b", " ", "\\n", "\\t", "\\x41", "\\x4", "\\101", "\\0101", "\\0", "\\\\", "\\c", "\\q", "\\e", "\\8", "1", "\\u0041", "\\", U], 6)

    def echo(self):
        return "", ["echo"] + [self.pick(["-n", "-e", "-E", "-ne", "-x", "--", self.escapes(), self.escapes()]) for _ in range(self.r.randrange(4))]

    def printf(self):
        spec = lambda: "%" + self.some("-+ 0#", 2) + self.pick(["", "", "5", "1", "*"]) + self.pick(["", "", "", ".2", ".*", ".0"]) + self.pick("sssddxXoucbbiq%")
        form = "".join(self.pick([spec(), spec(), self.escapes(), "a"]) for _ in range(self.r.randrange(1, 4)))
        return "", ["printf", form] + [self.pick(["a", "", "12", "-3", "0x1f", "007", "abc", "'a", self.escapes(), "2", "1"]) for _ in range(self.r.randrange(4))]

    def tr(self):
        sets = lambda: self.some(["a", "b-c", "a-z", "[:lower:]", "[:upper:]", "[:digit:]", "[:space:]", "\\n", "x", "-", "1", "\\055", ":", "[", "]", "\\\\"], 4)
        options = self.pick([[], [], ["-d"], ["-s"], ["-c"], ["-cd"], ["-ds"], ["-cs"], ["-t"]])
        return self.text(), ["tr"] + options + [sets() for _ in range(self.pick([1, 2, 2]))]

    def regex(self, extended):
        atoms = ["a", "b", ".", "[ab]", "[^a]", "[0-9]", "x", "[[:alpha:]]", "\\.", ":", " ", "c", "\\n"]
        repeats = ["", "", "", "*", "+", "?", "{2}", "{1,}", "{1,2}"] if extended else ["", "", "", "*", "\\+", "\\?", "\\{2\\}", "\\{1,\\}"]
        groups = ("(", ")") if extended else ("\\(", "\\)")
        text = self.pick(["", "", "^"])
        for _ in range(self.r.randrange(1, 4)):
            atom = self.pick(atoms) + self.pick(repeats)
            text += groups[0] + atom + groups[1] if self.r.random() < 0.3 else atom
        return text + self.pick(["", "", "$"])

    def sed(self):
        extended = self.r.random() < 0.4
        address = lambda: self.pick(["", "", "", "1", "2", "$", "1,2", "2,$", "2,1", "/a/", "/b/,/c/", "0,/a/", "1~2", "0~2", "/a/,+1", "1!", "$!", "/a/!", "2,/b/", "/a/,2", "1,~2", f"/{self.regex(extended)}/"])
        simple = ["p", "d", "h", "H", "g", "G", "x", "n", "N", "D", "P", "=", "q", "y/abc/xyz/", "s/a/b/", "z", "{p;p}", "b", "ta", "i foo\n", "a bar\n", "c baz\n"]
        substitute = lambda: "s/%s/%s/%s" % (self.regex(extended), self.pick(["", "X", "<&>", "\\n", "[\\1]" if self.r.random() < 0.2 else "Y"]), self.pick(["", "g", "2", "p", "gp", "I", "2g"]))
        commands = [address() + (substitute() if self.r.random() < 0.5 else self.pick(simple)) for _ in range(self.r.randrange(1, 4))]
        script = ";".join(commands).replace("\n;", "\n")
        if "ta" in commands or any(c.endswith("ta") for c in commands):
            script = ":a;" + script
        options = self.pick([[], [], ["-n"]]) + (["-E"] if extended else [])
        return self.text(), ["sed"] + options + [script]

    def awk(self):
        value = lambda: self.pick(["$1", "$2", "$0", "$NF", "NR", "NF", "\"a\"", "\" \"", "\"\\n\"", "3", "1+2", "2*3", "x", "y", "substr($0,2,2)", "toupper($1)", "length($0)", "sprintf(\"%c\",66)", "(1 2)", "$1+1", "7%3", "\"\\141\""])
        values = lambda joint: joint.join(value() for _ in range(self.r.randrange(1, 4)))
        statement = lambda: self.pick(["print " + values(","), "print " + values(" "), "print", "print(" + values(",") + ")", "printf \"%s|\"," + value(), "printf(\"%s %d\\n\"," + value() + "," + self.pick(["1", "65", "NR"]) + ")", "x=" + values(" "), "y=" + value(), "printf \"%c\"," + self.pick(["65", "\"abc\""]), "OFS=\"-\""])
        rule = lambda: self.pick(["", "", "BEGIN", "END", "NR==1", "1"]) + "{" + "; ".join(statement() for _ in range(self.r.randrange(1, 4))) + "}"
        options = self.pick([[], [], ["-F:"], ["-F", ","], ["-v", "x=q"]])
        return self.text(), ["awk"] + options + [self.pick(["", "", "1;"]) + " ".join(rule() for _ in range(self.r.randrange(1, 3)))]

    def cut(self):
        places = self.pick(["1", "2", "1,3", "2-", "-2", "1-2,4", "3,1"])
        how = self.pick([["-c", places], ["-b" + places], ["-d:", "-f" + places], ["-d,", "-f", places, "-s"], ["-f" + places], ["-d:", "-f" + places, "--complement"], ["-d:", "-f" + places, "--output-delimiter=+"]])
        return self.text(), ["cut"] + how

    def ends(self):
        number = self.pick(["0", "1", "2", "3", "-1", "-2", "+1", "+2", "+3"])
        text = self.text() + self.pick(["", "", U, U + self.text()])
        return text, [self.pick(["head", "tail"]), self.pick(["-n", "-c"]), number]

    def lines(self):
        return self.text(), self.pick([["tac"], ["rev"], ["uniq"], ["uniq", "-c"], ["uniq", "-d"], ["sort"], ["sort", "-r"], ["sort", "-n"], ["sort", "-nr"], ["sort", "-u"], ["paste", "-s"], ["paste", "-sd,:"], ["paste", "-sd", ""], ["xargs"], ["cat"]])

    def code(self):
        which = self.pick(["base64", "base32"])
        text = self.text().encode()
        if self.r.random() < 0.4:
            return self.text(), self.pick([[which], [which, "-w0"], [which, "-w", "5"], ["xxd", "-p"], ["openssl", "base64"], ["basenc", "--base16"]])
        coded = subprocess.run([which], input=text, stdout=subprocess.PIPE, check=True).stdout.decode()
        at = self.r.randrange(len(coded) + 1)
        coded = self.pick([coded, coded, coded[:at], coded[:at] + self.pick(["=", "\n", "!", " ", U, "A"]) + coded[at:], coded.rstrip("=\n")])
        return coded, self.pick([[which, "-d"], [which, "-di"], [which, "--decode"]] + ([["openssl", "base64", "-d"], ["openssl", "enc", "-d", "-a", "-A"]] if which == "base64" else []))

    def fold(self):
        return self.text(), ["fold"] + self.pick([["-w3"], ["-w", "2"], ["-sw4"], ["-s", "-w", "3"]])

    def path(self):
        name = self.some(["a", "/", "b.c", "..", "/usr", ".c"], 4)
        return "", self.pick([["basename", name], ["basename", name, ".c"], ["dirname", name], ["expr", "length", name], ["expr", "substr", name, "2", "2"], ["seq", self.pick("123"), self.pick("135")]])


def encode(text):
    data = text if isinstance(text, bytes) else text.encode()
    return data.hex() or "-"


def emulated(dump, cases):
    lines = "".join(f"b {encode(given)} {' '.join(encode(a) for a in command)}\n" for given, command in cases)
    return subprocess.run([dump], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")[:-1]


def drop_rights():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def run(given, command, directory, fill):
    data = given if isinstance(given, bytes) else given.replace(U, fill).encode()
    argv = [a.replace(U, fill) for a in command]
    done = subprocess.run(["/bin/bash", "-c", '"$@"', "bash"] + argv, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=directory,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, timeout=20, check=False, preexec_fn=drop_rights)
    return done.stdout


def pattern_of(line):
    parts = re.findall("..", line)
    return b"".join(b".*" if p == "??" else re.escape(bytes([int(p, 16)])) for p in parts)


def has_unknown(case):
    given, command = case
    return any(isinstance(a, str) and U in a for a in [given] + command)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="show what is not known")
    parser.add_argument("--only", help="commands of this name only")
    args = parser.parse_args()
    maker = Maker(args.seed)
    cases = KNOWN + PARTIAL + [maker.make() for _ in range(args.count)]
    if args.only:
        cases = [c for c in cases if c[1][0] == args.only]
    lines = emulated(args.dump, cases)
    wrong = known = 0
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        for i, (case, line) in enumerate(zip(cases, lines)):
            expected = case in KNOWN or case in PARTIAL
            if line in ("no", "?"):
                if expected:
                    wrong += 1
                    print(f"--- not known\n  {case}")
                elif args.list:
                    print(f"--- {line}\n  {case}")
                continue
            known += 1
            if not has_unknown(case) and "?" in line and case in KNOWN and case[1][0] != "yes":
                wrong += 1
                print(f"--- not all known\n  {case}\n  said {line}")
            fills = FILLS if has_unknown(case) else [""]
            for fill in fills:
                output = run(*case, directory, fill)
                if not re.fullmatch(pattern_of(line), output, re.S):
                    wrong += 1
                    print(f"--- differs\n  {case} with {fill!r}\n  printed {output!r}\n  said    {said(line)!r}")
                    break
    print(f"{len(cases)} commands: {wrong} differ, {known} outputs known")
    return 1 if wrong or len(lines) != len(cases) else 0


def said(line):
    return b"".join(b"\xef\xbf\xbd" if p == "??" else bytes([int(p, 16)]) for p in re.findall("..", line))


if __name__ == "__main__":
    sys.exit(main())
