#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What bash makes of a script in $( ) reads as the script does.

usage: reprint.py READER_DUMP [--count N] [--seed S]

bash 5.2 reads the script of a $( ), <( ) or >( ), prints it and keeps that text, which it reads
again when it runs it. Where the text says something else than the script, the reader must have said
that it cannot read the script. Takes scripts from grammar.py, with more here-documents in them, has
bash print a function with such a substitution, and compares the trees of both texts.

Nothing is run: bash is restricted, its PATH leads nowhere, and the functions are not called. Exits
0 when all are the same, 1 when not, 77 when there is no bash 5.2.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile

import grammar

SHOWN = 10
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
SHOW = r"""
for text in "$@"; do
	(
		eval "f() { : $text
}"
		declare -f f
	)
	printf '\0'
done
"""
FORMS = {'"': ('"$( ', '\n)"'), "$": ("$( ", "\n)"), "<": ("<( ", "\n)")}


class Maker(grammar.Maker):
    def redirect(self):
        return self.heredoc() if self.chance(0.5) else super().redirect()

    def heredoc(self):  # odd delimiters, and lines that nearly are one
        spelled = super().heredoc()
        if self.chance(0.7):
            return spelled
        tag = self.heredocs.pop().split("\n")[-1].strip("\t")
        lines = self.pick(["", f"\\{tag}\n", f"{tag[0]}\\\n{tag[1:]}x\n", "x\\\\\ny\n",
                           "\\\n\n", f" {tag}\n", f"$(cmd1 <<{tag}x\nb\n{tag}x\n)\n",
                           "\\\\\\\nz\n", "$\\\nv1\n"])
        odd = self.pick([tag, "a b", "a'b", "$v1", 'q"', "a#", "\\", "]]", "do"])
        self.heredocs.append(lines + odd)
        return "<<'" + odd.replace("'", "'\\''") + "'" if odd != tag else "<<" + tag

    def ansi(self):  # bash writes one with a ' in it as several pieces
        return re.sub(r"\\(.)", lambda pair: "" if pair[1] == "'" else pair[0], super().ansi())

    def function(self):  # bash puts any other body in braces
        outer, self.in_function = self.in_function, True
        name = f"f{self.rng.randint(1, 3)}"
        text = self.pick([f"{name}() ", f"function {name} "]) + "{ " + self.block() + "}"
        self.in_function = outer
        return text + (" " + self.redirect() if self.chance(0.1) else "")


def script(seed):
    rng = grammar.random.Random(f"reprint {seed}")
    return Maker(rng, rng.randint(3, 14), False).whole()


def printed(bash, texts):
    """For each text what bash keeps of it; empty where it is not read."""
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run([bash, "--norc", "--noprofile", "-r", "-c", SHOW, "bash", *texts],
                              cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env={"PATH": "/nowhere",
                                                              "LC_ALL": "C.UTF-8"},
                              check=False)
    answers = done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
    if len(answers) != len(texts):
        sys.exit(f"{len(answers)} answers for {len(texts)} scripts")
    return [found[1] if (found := re.fullmatch(r"f \(\) \n\{ \n    : (.*)\n\}\n", answer, re.S))
            else "" for answer in answers]


def trees(dump, texts):
    data = b"".join(text.encode("utf-8", "surrogateescape") + b"\0" for text in texts)
    done = subprocess.run([dump, "--tree"], input=data, stdout=subprocess.PIPE, check=True)
    return [same(tree) for tree in
            done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]]


def same(tree):
    """The tree, what is spelled in two ways alike."""
    tree = tree.replace(" / ", "; ").replace(" |& ", " 2>&1 | ").replace(" o:-n w:", " w:")
    tree = tree.replace("o:! o:! ", "")
    tree = tree.replace('""', "")
    tree = re.sub("[<>]&-", ">\&-", CONTROL.sub("?", tree))
    tree = re.sub(r"\b((?:for|select) \w+)(?=\{)", r'\1 in[<"@>]', tree)
    return re.sub(r"\bcoproc - ", "coproc COPROC ", tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump")
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    bash = shutil.which("bash")
    version = bash and subprocess.run([bash, "-c", "echo $BASH_VERSION"], stdout=subprocess.PIPE,
                                      text=True, check=True).stdout
    if not bash or not version.startswith("5.2"):
        print("there is no bash 5.2")
        sys.exit(77)
    texts = []
    for n in range(args.seed, args.seed + args.count):
        front, back = FORMS['"$<'[n % 3]]
        texts.append(front + script(n).rstrip("\n") + back)
    kept = []  # a character that $'...' stood for the reader would not take as such
    for at in range(0, len(texts), 500):
        kept += [CONTROL.sub("?", text) for text in printed(bash, texts[at : at + 500])]
    odd = []
    read = 0
    for text, keep, tree, other in zip(texts, kept, trees(args.dump, texts),
                                       trees(args.dump, kept)):
        read += tree != "" and keep != ""
        if tree and tree != other:
            odd.append((text, keep, tree, other))
    print(f"{len(texts)} scripts, {read} of them read by both, {len(odd)} kept as something else")
    for text, keep, tree, other in sorted(odd, key=lambda row: len(row[0]))[:SHOWN]:
        print(f"  {text!r}\n    kept as {keep!r}\n    reads as {tree!r}\n    and as   {other!r}")
    sys.exit(1 if odd or read < len(texts) // 3 else 0)


if __name__ == "__main__":
    main()
