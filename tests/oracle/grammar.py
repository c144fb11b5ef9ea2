#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes shell scripts up, from a grammar of bash and a seed.

usage: grammar.py [--seed N] [--count N] [--mutate] [--size N] [--extglob]

Prints scripts, each ended by a NUL. The same seed gives the same scripts. As a module:
script(seed) is a script that bash accepts and that can be run: programs are cmd1, cmd2 and so on
(put stubs of these names in PATH), files are out1 and so on in the working directory, every loop
ends, no function calls a function, and nothing waits for input when that is /dev/null.
mutant(seed) is such a script with some of its tokens or characters damaged: it is to be read, not
to be run.
"""

import argparse
import random
import re
import sys

COMMANDS = [f"cmd{n}" for n in range(1, 7)]
WORDS = ["w1", "w2", "a.txt", "-x", "--long=v", "dir/f", "0", "12", "x=y", "a:b", "%s", "@", "+1"]
NAMES = ["v1", "v2", "v3", "_n", "LONG_NAME"]
ARRAYS = ["arr", "map"]
FILES = ["out1", "out2", "/dev/null"]
ODD = ["*", "?", "[a-c]*", "~", "~/x", "{a,b}", "{1..3}", "x{1,2}y", "{", "}", "a{b", "!", "=", "^",
       "a#b", "%", ",", "[", "]", "[[", "in", "do", "then", "done", "fi", "if", "time"]
QUOTABLE = ["a b", "x;y", "|", "&& c", "$v1", "it is", "#no", "(p)", "a\tb", "*", "", "{a,b}",
            "<in", "done", "`", "\\", "é", "=", "~"]


class Maker:
    """One script. `room` is what is left of its size: with none left, all choices are plain."""

    def __init__(self, rng, size, extglob):
        self.rng = rng
        self.room = size
        self.extglob = extglob
        self.heredocs = []  # bodies that the next newline owes
        self.loops = 0
        self.functions = []
        self.in_function = False
        self.in_quotes = 0

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, choices):
        return self.rng.choice(choices)

    def spend(self):
        self.room -= 1
        return self.room > 0

    def one_of(self, *makers):
        """One of (weight, function), the plain first one when there is no room."""
        if not self.spend():
            return makers[0][1]()
        total = sum(weight for weight, _ in makers)
        at = self.rng.random() * total
        for weight, make in makers:
            at -= weight
            if at < 0:
                return make()
        return makers[0][1]()

    # ---- words --------------------------------------------------------------------------------

    def single(self):
        return "'" + self.pick(QUOTABLE).replace("'", "") + "'"

    def ansi(self):
        escapes = ["\\n", "\\t", "\\x41", "\\101", "\\u00e9", "\\\\", "\\'", "\\e", "\\cA", "a",
                   "b c", '"', "\\\"", "\\x4", "\\q"]
        return "$'" + "".join(self.pick(escapes) for _ in range(self.rng.randint(0, 4))) + "'"

    def escaped(self):
        return self.pick(["a", "", "b"]) + "\\" + self.pick(list(" $`\"'\\;&|<>()*?[#~a{}!\t"))

    def double(self):
        pieces = []
        for _ in range(self.rng.randint(0, 3)):
            pieces.append(self.one_of(
                (4, lambda: self.pick(["text", "a b", "it's", "(", ")", ";", "#", "<", "*", "!",
                                       "{}", "$", "\\$", "\\\\", "\\\"", "\\`", "\\a", "é"])),
                (3, self.param), (1, self.comsub), (1, self.backquote), (1, self.arith_word)))
        return '"' + "".join(pieces) + '"'

    def quoted(self):
        return self.one_of((3, self.single), (3, self.double), (1, self.ansi), (2, self.escaped),
                           (1, lambda: "$" + self.double()))

    def subscript(self):
        return self.one_of((3, lambda: self.pick(["0", "1", "@", "*", "-1"])),
                           (2, lambda: "$v1"), (1, lambda: "v2+1"), (1, lambda: '"k"'),
                           (1, lambda: "$(cmd1)"))

    def reference(self):
        return self.one_of((6, lambda: self.pick(NAMES)),
                           (2, lambda: self.pick(["1", "2", "@", "*", "#", "?", "-", "$", "!",
                                                  "0", "10"])),
                           (2, lambda: self.pick(ARRAYS) + "[" + self.subscript() + "]"))

    def inner_word(self):
        """The word of ${x-word}: it may hold blanks, and no live } or quote out of step."""
        return self.one_of((4, lambda: self.pick(["", "w1", "a b", "*", "a/b", "#", "(", ";"])),
                           (2, self.quoted_inner), (2, self.param), (1, self.comsub))

    def quoted_inner(self):
        return self.one_of((1, lambda: self.pick(["'q'", "'a b'", "''"])),
                           (1, lambda: '"' + self.pick(["q", "$v1", "a b", "}"]) + '"'))

    def braced(self):
        name = self.reference()
        return self.one_of(
            (3, lambda: "${" + name + "}"),
            (4, lambda: "${" + name + self.pick(["-", ":-", "=", ":=", "+", ":+"]) +
             self.inner_word() + "}"),
            (1, lambda: "${#" + self.pick(NAMES) + "}"),
            (3, lambda: "${" + name + self.pick(["%", "%%", "#", "##", "^", "^^", ",", ",,"]) +
             self.inner_word() + "}"),
            (2, lambda: "${" + name + self.pick(["/", "//", "/#", "/%"]) +
             self.pick(["a", "[ab]", '"$v1"', "\\/", "*"]) + self.pick(["", "/", "/b", "/$v2"]) +
             "}"),
            (2, lambda: "${" + name + self.pick([":0", ":1:2", ": -1", ":v1", ":v1?1:2:1",
                                                 ":(1):$v1"]) + "}"),
            (1, lambda: "${" + self.pick(NAMES) + "@" + self.pick("QUuLEAak") + "}"),
            (1, lambda: "${!" + self.pick(NAMES) + "}"),
            (1, lambda: "${!" + self.pick(["v", "_n"]) + self.pick("*@") + "}"),
            (1, lambda: "${!arr[" + self.pick("*@") + "]}"),
            (1, lambda: "${#arr[" + self.pick("*@") + "]}"))

    def param(self):
        return self.one_of((5, lambda: "$" + self.pick(NAMES)),
                           (1, lambda: "$" + self.pick("@*#?-$!012")), (4, self.braced))

    def nested_list(self):
        """A list inside of something that has its own newlines and here-documents."""
        outer, self.heredocs = self.heredocs, []
        text = self.compound_list()
        if self.heredocs:
            text = text.rstrip(" ;") + self.newline()
        self.heredocs = outer
        return text

    def comsub(self):
        return self.one_of(
            (3, lambda: "$(" + self.pick(COMMANDS) + " w1)"),
            (4, lambda: "$(" + self.nested_list() + ")"),
            (1, lambda: "$(<out1)"), (1, lambda: "$( (" + self.pick(COMMANDS) + ") )"),
            (1, lambda: "$(case w1 in w1) " + self.pick(COMMANDS) + ";; (x|y) ;; esac)"),
            (1, lambda: "$(cmd1 # it's a comment )\n)"), (1, lambda: "$()"))

    def backquote(self):
        inner = self.pick(["cmd1", "cmd2 w1", "cmd1 $v1", "cmd3 'a b'", "cmd1 \\\\x", "cmd2 |cmd1",
                           "cmd1 \\`cmd2\\`", "", "cmd1 \\$v1"])
        return "`" + inner + "`"

    def arithmetic(self):
        return self.one_of(
            (5, lambda: self.pick(["1", "v1", "v1+1", "v1 * 2", "(v1+2)%3", "v1 << 2", "v1 > 1",
                                   "0x1f", "v1 ? 1 : 2", "v1=3", "v2++", "arr[1]", "1,2", ""])),
            (2, lambda: self.param() + " + 1"), (1, lambda: "$(cmd1) + 0"),
            (1, lambda: "(" + self.arithmetic() + ")"), (1, lambda: "arr[$v1] + ${v2:-1}"))

    def arith_word(self):
        return self.one_of((4, lambda: "$((" + self.arithmetic() + "))"),
                           (1, lambda: "$[" + self.pick(["1+2", "v1", "arr[0]", "$v1 * (2)"]) +
                            "]"))

    def process(self):
        return self.pick("<>") + "(" + self.nested_list() + ")"

    def extended(self):
        if not self.extglob:
            return self.pick(WORDS)
        return self.pick("?*+@!") + "(" + self.pick(["a", "a|b", "*.c|$v1", "'x y'|z"]) + ")"

    def piece(self):
        return self.one_of((6, lambda: self.pick(WORDS)), (4, self.quoted), (4, self.param),
                           (2, self.comsub), (1, self.backquote), (1, self.arith_word),
                           (1, lambda: self.pick(ODD)), (1, self.extended))

    def word(self):
        text = self.piece()
        while self.chance(0.25) and self.spend():
            text += self.piece()
        if self.chance(0.02):
            at = self.rng.randint(0, len(text))
            if at == 0 or text[at - 1] not in "\\'$#" and "'" not in text and "#" not in text:
                text = text[:at] + "\\\n" + text[at:]
        return text

    def argument(self):
        if self.chance(0.05):
            return self.process()
        text = self.word()
        # A number in front of < is a descriptor, and # at the start a comment.
        return "w3" if text.isdigit() or text.startswith("#") else text

    # ---- simple commands ----------------------------------------------------------------------

    def element(self):
        return self.one_of((4, self.argument),
                           (1, lambda: "[" + self.pick(["1", "$v1", "k", "'a b'"]) + "]=" +
                            self.argument_or_nothing()))

    def argument_or_nothing(self):
        return "" if self.chance(0.2) else self.word()

    def array(self):
        gap = self.pick([" ", " ", "\n", " # note\n"])
        return "(" + gap.join(self.element() for _ in range(self.rng.randint(0, 3))) + \
            (gap if "#" in gap else "") + ")"

    def assignment(self):
        return self.one_of(
            (6, lambda: self.pick(NAMES) + self.pick(["=", "=", "+="]) +
             self.argument_or_nothing()),
            (1, lambda: "arr[" + self.pick(["0", "$v1", "v1 + 1", "'k'"]) + "]=" +
             self.argument_or_nothing()),
            (2, lambda: "arr" + self.pick(["=", "+="]) + self.array()))

    def heredoc(self):
        tag = self.pick(["EOF", "E1", "END_X"])
        quoted = self.chance(0.4)
        dash = self.pick(["", "-"])
        lines = []
        for _ in range(self.rng.randint(0, 3)):
            lines.append(self.pick(["plain line", "it's \"quoted\"", "a $v1 b", "${v2:-x}", "",
                                    "`cmd1`", "$(cmd2 w1)", "back\\slash", "\\$v1", "cmd1 w1",
                                    "$((v1+1))", "EOFX", " EOF", "joined\\", "(", "'"]))
        if lines and lines[-1].endswith("\\"):
            lines.append("tail")
        tab = "\t" if dash and self.chance(0.5) else ""
        self.heredocs.append("".join(tab + line + "\n" for line in lines) + tab + tag)
        spelled = self.pick(["'%s'", '"%s"', "\\%s"]) % tag if quoted else tag
        return "<<" + dash + self.pick(["", " "]) + spelled

    def redirect(self):
        name = self.pick(FILES)
        choices = [f"> {name}", f">{name}", f">>{name}", f"2>{name}", f"2>> {name}", f"<{name}",
                   f"&>{name}", f"&>>{name}", f">&{name}", f">|{name}", f"<>{name}", "2>&1",
                   ">&2", "<&-", "3>&-", "2>&1-", "3<&0-", f"{{fd}}>{name}", "<<< w1",
                   '<<<"$v1 x"', "<<<$(cmd1)", "< <(cmd1)", "> >(cmd2)"]
        if self.chance(0.15):
            return self.heredoc()
        return self.pick(choices)

    def simple(self):
        words = [self.assignment() for _ in range(2) if self.chance(0.15)]
        if self.chance(0.05):
            words.append(self.redirect())
        if not words or self.chance(0.7):
            words.append(self.command_name())
            words += [self.argument() for _ in range(self.rng.randint(0, 3))]
        if self.chance(0.2):
            at = self.rng.randint(len(words) - 1, len(words)) if len(words) > 1 else len(words)
            words.insert(at, self.redirect())
        return self.pick([" ", " ", " ", "  ", "\t", " \\\n "]).join(words)

    def command_name(self):
        if self.functions and not self.in_function and self.chance(0.2):
            return self.pick(self.functions)
        return self.one_of((12, lambda: self.pick(COMMANDS)),
                           (1, lambda: self.pick(["\\cmd1", "c'm'd2", '"cmd3"', "$'cmd4'",
                                                  "c\\\nmd1"])),
                           (2, lambda: self.pick(["echo", "printf '%s\\n'", "true", "false", ":",
                                                  "set --", "cd .", "eval cmd1", "test -n"])))

    def declare(self):
        return self.pick(["declare", "export", "declare -r", "typeset"]) + " " + self.pick(
            [self.pick(NAMES) + "=" + self.argument_or_nothing(), "new=" + self.array(),
             self.pick(NAMES)])

    # ---- compound commands --------------------------------------------------------------------

    def newline(self):
        text = "\n"
        for body in self.heredocs:
            text += body + "\n"
        self.heredocs = []
        return text

    def gap(self):
        """Between a command and what follows it."""
        return self.one_of((3, lambda: "; "), (2, self.newline), (1, lambda: ";" + self.newline()),
                           (1, lambda: " & "), (1, lambda: " # don't\n" if not self.heredocs
                                                else self.newline()))

    def end(self):
        return self.newline() if self.heredocs or self.chance(0.3) else "; "

    def list_items(self, most):
        text = self.and_or()
        for _ in range(self.rng.randint(0, most)):
            if not self.spend():
                break
            text += self.gap() + self.and_or()
        return text

    def compound_list(self):
        return self.pick(["", "", " ", "\n"]) + self.list_items(2)

    def block(self):
        return self.compound_list() + self.end()

    def if_command(self):
        text = "if " + self.block() + "then " + self.block()
        if self.chance(0.3):
            text += "elif " + self.block() + "then " + self.block()
        if self.chance(0.3):
            text += "else " + self.block()
        return text + "fi"

    def counted(self):
        self.loops += 1
        name = f"n{self.loops}"
        kind, test = self.pick([("while", "-lt"), ("until", "-ge")])
        head = self.pick([f'[ "${{{name}:-0}}" {test} 2 ]', f"[[ ${{{name}:-0}} {test} 2 ]]"])
        return f"{kind} {head}; do {name}=$(({name}+1)); " + self.block() + "done"

    def for_command(self):
        name = self.pick(NAMES)
        head = self.one_of(
            (3, lambda: f"for {name} in " + " ".join(self.argument() for _ in range(2)) + "; "),
            (1, lambda: f"for {name}; "), (1, lambda: f"for {name}\n"),
            (1, lambda: f"for {name} in; "), (1, lambda: f"for {name}\nin w1 w2\n"))
        if self.chance(0.15):
            return head + "{ " + self.block() + "}"
        return head + "do " + self.block() + "done"

    def for_arith(self):
        self.loops += 1
        name = f"i{self.loops}"
        return f"for (({name}=0; {name}<2; {name}++))" + self.pick(["; do ", " do ", "\ndo "]) + \
            self.block() + "done"

    def case_command(self):
        text = "case " + self.argument() + self.pick([" in ", " in\n", "\nin "])
        count = self.rng.randint(0, 3)
        for n in range(count):
            pattern = "|".join(self.pick(["w1", "a*", "?", "[ab]", '"q r"', "$v1", "x\\ y", "''",
                                          "*"]) for _ in range(self.rng.randint(1, 2)))
            text += self.pick(["", "("]) + pattern + self.pick([")", ") ", ")\n"])
            if self.chance(0.85):
                text += self.block().rstrip(" ;") if not self.heredocs else self.block()
            if self.heredocs:
                text += self.newline()
            if n < count - 1 or self.chance(0.7):
                text += self.pick([" ;;", " ;;", ";;", " ;&", " ;;&"]) + self.pick([" ", "\n"])
            else:
                text += self.newline()
        return text + "esac"

    def select_command(self):
        return "select v3 in w1 w2; do " + self.block() + "done </dev/null"

    def test_operand(self):
        return self.one_of((3, lambda: self.pick(["w1", "$v1", '"$v2"', "a.txt", "''", "1"])),
                           (1, self.quoted), (1, self.param))

    def test_term(self):
        return self.one_of(
            (2, lambda: self.test_operand()),
            (3, lambda: self.pick(["-n", "-z", "-f", "-d", "-v"]) + " " + self.pick(
                ["w1", "$v1", '"$v2"'])),
            (3, lambda: self.test_operand() + self.pick([" == ", " = ", " != "]) + self.pick(
                ["w1", "a*", '"q"*', "$v1", "@(a|b)", "!(x)*", "[[:alpha:]]*", "'*'"])),
            (1, lambda: self.test_operand() + " =~ " + self.pick(
                ["^a+$", "(a|b)c", "$v1", "a|b", "[0-9]{2}", '"x y"', "^(a b)$", "\\.c$"])),
            (1, lambda: "$v1" + self.pick([" < ", " > ", " -eq ", " -lt "]) + "1"),
            (1, lambda: "! " + self.test_term()),
            (1, lambda: "( " + self.test_expression() + " )"))

    def test_expression(self):
        text = self.test_term()
        while self.chance(0.25) and self.spend():
            text += self.pick([" && ", " || ", "\n&& ", " ||\n"]) + self.test_term()
        return text

    def test_command(self):
        return "[[ " + self.test_expression() + " ]]"

    def arith_command(self):
        return "((" + self.arithmetic() + "))"

    def group(self):
        return self.one_of((1, lambda: "{ " + self.block() + "}"),
                           (1, lambda: "(" + self.nested_list() + ")"))

    def function(self):
        if self.in_function:
            return self.simple()
        name = f"f{len(self.functions) + 1}"
        self.in_function = True
        body = self.one_of((3, lambda: "{ " + self.block() + "}"), (1, self.if_command),
                           (1, lambda: "(" + self.nested_list() + ")"), (1, self.for_command))
        self.in_function = False
        self.functions.append(name)
        head = self.pick([f"{name}() ", f"{name} ()\n", f"function {name} ", f"function {name}() ",
                          f"function {name}\n"])
        return head + body + (" " + self.redirect() if self.chance(0.1) else "")

    def coproc(self):
        return "coproc " + self.one_of((2, lambda: "cmd1 w1"),
                                       (1, lambda: "CO { " + self.block() + "}"),
                                       (1, lambda: "{ " + self.block() + "}"),
                                       (1, lambda: "(cmd2)"))

    def compound(self):
        text = self.one_of((4, self.group), (3, self.if_command), (2, self.counted),
                           (3, self.for_command), (1, self.for_arith), (3, self.case_command),
                           (1, self.select_command), (3, self.test_command),
                           (1, self.arith_command))
        if self.chance(0.1):
            text += " " + self.redirect()
        return text

    def command(self):
        return self.one_of((10, self.simple), (4, self.compound), (1, self.function),
                           (1, self.declare))

    def pipeline(self):
        if self.chance(0.01):
            return self.coproc()
        text = self.pick(["", "", "", "", "", "", "! ", "time ", "time -p "]) + self.command()
        while self.chance(0.15) and self.spend():
            text += self.pick([" | ", "|", " |& ", " |\n"] if not self.heredocs else [" | "])
            text += self.one_of((5, self.simple), (1, self.compound))
        return text

    def and_or(self):
        text = self.pipeline()
        while self.chance(0.15) and self.spend():
            text += self.pick([" && ", " || ", "&&", " &&\n"] if not self.heredocs else
                              [" && ", " || "]) + self.pipeline()
        return text

    def whole(self):
        text = "shopt -s extglob\n" if self.extglob else ""
        for _ in range(self.rng.randint(1, 3)):
            text += self.list_items(1) + self.newline()
        return text if self.chance(0.5) else text.rstrip("\n")


def script(seed, size=25, extglob=False):
    """A script that bash accepts."""
    rng = random.Random(f"script {seed}")
    return Maker(rng, rng.randint(3, size), extglob).whole()


TOKEN = re.compile(r"""'[^']*'|"[^"]*"|\$\(\(|\$\(|\$\{|`|\w+|;;&|;;|;&|&&|\|\||<<-?|>>|[ \t]+|.""",
                   re.S)
INSERTS = [";", "&", "|", "&&", "||", ";;", ";&", "(", ")", "{", "}", "((", "))", "$(", "${", "`",
           "'", '"', "\\", "\n", "#", "$", "<", ">", "<<E", "<<<", ">&", "<(", "[[", "]]", "[",
           "]", "!", "if", "then", "fi", "do", "done", "case", "in", "esac", "for", "while", "=",
           "a=(", "function", "f()", "time", "coproc", "select", " ", "\t", "\\\n", "1>", "{x}>",
           "-", "=~", "==", "$'", '$"', "$((", "$[", "*", "?(", "~", "elif", "else", "a[", "|&",
           "&>", "EOF\n", "\nEOF\n", "2", "-p", "--"]


def mutate(rng, text):
    """The text with one to three tokens or characters deleted, doubled, swapped or put in."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        pieces = list(text) if rng.random() < 0.3 else TOKEN.findall(text)
        if not pieces:
            return rng.choice(INSERTS)
        at = rng.randrange(len(pieces))
        how = rng.random()
        if how < 0.35:
            del pieces[at]
        elif how < 0.5:
            pieces.insert(at, pieces[at])
        elif how < 0.6:
            other = rng.randrange(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
        else:
            space = rng.choice(["", " "])
            pieces.insert(at, space + rng.choice(INSERTS) + space)
        text = "".join(pieces)
    return text


def mutant(seed, size=25):
    """A damaged script."""
    rng = random.Random(f"mutant {seed}")
    return mutate(rng, script(seed, size))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--size", type=int, default=25)
    parser.add_argument("--mutate", action="store_true")
    parser.add_argument("--extglob", action="store_true")
    args = parser.parse_args()
    for seed in range(args.seed, args.seed + args.count):
        text = mutant(seed, args.size) if args.mutate else script(seed, args.size, args.extglob)
        sys.stdout.write(text + "\0")


if __name__ == "__main__":
    main()
