# SPDX-License-Identifier: MIT
"""Talks to a program on a pseudo-terminal: dialogue.py COMMAND [PATTERN ANSWER]...

Waits for each pattern in what the program prints and then types the answer. Prints what was found,
and the program's exit status.
"""

import os
import pty
import re
import select
import sys
import time


class Talk:
    def __init__(self, command: str) -> None:
        self.text = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execlp("sh", "sh", "-c", command)

    def read(self) -> bool:
        if not select.select([self.terminal], [], [], 0.1)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:  # EIO: nobody is left on the other side
            return False
        self.text += data.decode(errors="replace")
        return bool(data)

    def expect(self, pattern: str) -> str:
        end = time.monotonic() + 10
        open_still = True
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end():]
                return found.group()
            if not open_still:
                break
            open_still = self.read()
        sys.exit(f"no {pattern!r} in {self.text!r}")

    def finish(self) -> int:
        end = time.monotonic() + 10
        while self.read():
            if time.monotonic() > end:
                sys.exit(f"does not end, after {self.text!r}")
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def main() -> None:
    talk = Talk(sys.argv[1])
    rest = iter(sys.argv[2:])
    for pattern, answer in zip(rest, rest):
        print(talk.expect(pattern))
        time.sleep(0.15)  # nobody types faster, and a program's child has to take the terminal
        os.write(talk.terminal, answer.encode().decode("unicode_escape").encode())
    print("status", talk.finish())


main()
