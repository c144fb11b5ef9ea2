# SPDX-License-Identifier: MIT
"""Threads, locks, queues, executors, timers, and processes that need no shared memory."""

import multiprocessing
import os
import queue
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor


def work(todo: "queue.Queue[int]", done: "queue.Queue[int]") -> None:
    while (number := todo.get()) >= 0:
        done.put(number * number)


def square_in_threads() -> int:
    todo: "queue.Queue[int]" = queue.Queue()
    done: "queue.Queue[int]" = queue.Queue()
    threads = [threading.Thread(target=work, args=(todo, done)) for _ in range(4)]
    for number in [*range(100), -1, -1, -1, -1]:
        todo.put(number)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(done.get() for _ in range(100))


def ask_a_child(method: str) -> str:
    context = multiprocessing.get_context(method)
    mine, its = context.Pipe()
    child = context.Process(target=its.send, args=(f"{method}ed",))
    child.start()
    answer = mine.recv()
    child.join()
    return answer


def main() -> None:
    print(square_in_threads())
    with ThreadPoolExecutor(8) as pool:
        print(sum(pool.map(lambda n: int(subprocess.check_output(["echo", str(n)])), range(20))))
    rang = threading.Event()
    threading.Timer(0.05, rang.set).start()
    print(rang.wait(5), ask_a_child("fork"), ask_a_child("spawn"))
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    print(os.nice(3), os.getpriority(os.PRIO_PROCESS, 0))


if __name__ == "__main__":
    main()
