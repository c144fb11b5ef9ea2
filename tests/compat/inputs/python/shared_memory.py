# SPDX-License-Identifier: MIT
"""multiprocessing, all of it that lies in /dev/shm or talks over a unix socket."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import shared_memory
from multiprocessing.managers import BaseManager, SharedMemoryManager
from multiprocessing.pool import ThreadPool
from multiprocessing.synchronize import Event


class Account:
    def __init__(self) -> None:
        self.total = 0

    def add(self, number: int) -> int:
        self.total += number
        return self.total


class Accounts(BaseManager):
    pass


Accounts.register("Account", Account)


def pools() -> object:
    with multiprocessing.Pool(2) as processes, ThreadPool(2) as threads:
        powers = processes.map(abs, range(-200, 0)), threads.map(abs, [-3])
    with ProcessPoolExecutor(2) as executor:
        return sum(powers[0]), powers[1], sum(executor.map(abs, range(-100, 0)))


def fill(name: str, ready: "Event") -> None:
    block = shared_memory.SharedMemory(name=name)
    block.buf[4000:4006] = b"filled"
    block.close()
    ready.set()


def block_between_processes(method: str) -> object:
    context = multiprocessing.get_context(method)
    ready = context.Event()
    block = shared_memory.SharedMemory(create=True, size=100_000)
    child = context.Process(target=fill, args=(block.name, ready))
    child.start()
    child.join()
    mode = oct(os.stat(f"/dev/shm/{block.name}").st_mode)
    found = bytes(block.buf[4000:4006]), block.size >= 100_000, mode, ready.is_set(), child.exitcode
    block.close()
    block.unlink()
    try:
        shared_memory.SharedMemory(name=block.name)
    except FileNotFoundError as error:
        return method, found, error.strerror
    return "is still there"


def produce(queue: "multiprocessing.Queue[int]", numbers: range) -> None:
    for number in numbers:
        queue.put(number)


def through_a_queue() -> int:
    queue: "multiprocessing.Queue[int]" = multiprocessing.Queue(10)
    children = [
        multiprocessing.Process(target=produce, args=(queue, range(first, 1000, 4)))
        for first in range(4)
    ]
    for child in children:
        child.start()
    total = sum(queue.get(timeout=30) for _ in range(1000))
    for child in children:
        child.join()
    return total


def count(lock: object, number: object) -> None:
    for _ in range(500):
        with lock:  # type: ignore[attr-defined]
            number.value += 1  # type: ignore[attr-defined]


def locked() -> int:
    lock, number = multiprocessing.Lock(), multiprocessing.Value("i", 0, lock=False)
    children = [multiprocessing.Process(target=count, args=(lock, number)) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    return number.value


def managed() -> object:
    with Accounts() as manager:
        account = manager.Account()  # type: ignore[attr-defined]
        totals = [account.add(n) for n in (1, 2, 3)]
    with SharedMemoryManager() as manager:
        return totals, list(manager.ShareableList([1, "two", 3.0]))


def main() -> None:
    print(pools())
    for method in ("fork", "spawn", "forkserver"):
        print(block_between_processes(method))
    print(through_a_queue(), locked(), managed())


if __name__ == "__main__":
    main()
