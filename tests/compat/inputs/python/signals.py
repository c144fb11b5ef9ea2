# SPDX-License-Identifier: MIT
"""Signals through a socket pair, as event loops take them, while files are made: none is lost, and
no call ends early."""

import os
import signal
import socket
import threading

ROUNDS = 400


def main() -> None:
    mine, its = socket.socketpair()
    its.setblocking(False)
    counts = dict.fromkeys((signal.SIGALRM, signal.SIGUSR1, signal.SIGCHLD), 0)
    for number in counts:
        signal.signal(number, lambda *_: None)
        signal.siginterrupt(number, False)
    signal.set_wakeup_fd(its.fileno(), warn_on_full_buffer=False)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)

    def take() -> None:
        while data := mine.recv(4096):
            for byte in data:
                counts[signal.Signals(byte)] += 1

    taker = threading.Thread(target=take)
    taker.start()
    statuses = []
    for number in range(ROUNDS):
        child = os.fork()
        if child == 0:
            os.kill(os.getppid(), signal.SIGUSR1)
            os._exit(number % 251)
        os.mkdir("directory")
        with open("directory/file", "x", encoding="ascii") as file:
            file.write(str(number))
        os.chmod("directory/file", 0o640)
        os.rename("directory/file", "directory/other")
        os.unlink("directory/other")
        os.rmdir("directory")
        statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.set_wakeup_fd(-1)
    its.close()
    taker.join()
    print(statuses == [number % 251 for number in range(ROUNDS)])
    print([number.name for number in counts if counts[number] > 10])


main()
