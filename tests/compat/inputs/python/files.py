# SPDX-License-Identifier: MIT
"""What Python's library does with files: temp files, maps, locks, watches, moves, descriptors."""

import ctypes
import fcntl
import mmap
import os
import pathlib
import select
import shutil
import tempfile


def map_a_file() -> bytes:
    with tempfile.TemporaryFile() as file:
        file.truncate(4096)
        with mmap.mmap(file.fileno(), 4096) as memory:
            memory[:6] = b"mapped"
            memory.flush()
        return os.pread(file.fileno(), 6, 0)


def lock_a_file() -> str:
    with open("lock", "w", encoding="ascii") as one, open("lock", "a", encoding="ascii") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        try:
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.lockf(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return "locked"
    return "not locked"


def watch_a_directory() -> bytes:
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_CLOEXEC)
    libc.inotify_add_watch(watch, b".", 0x100)  # IN_CREATE
    pathlib.Path("watched").write_text("x", encoding="ascii")
    select.select([watch], [], [], 5)
    return os.read(watch, 4096)[16:].rstrip(b"\0")


def memory_file() -> str:
    file = os.memfd_create("script")
    os.write(file, b"#!/bin/sh\necho run from memory\n")
    with os.popen(f"sh /proc/self/fd/0 </proc/{os.getpid()}/fd/{file}") as shell:
        return shell.read().strip()


def move_trees() -> list[str]:
    pathlib.Path("tree/deep").mkdir(parents=True)
    pathlib.Path("tree/deep/leaf").write_text("leaf", encoding="ascii")
    shutil.copytree("tree", "copy")
    shutil.move("copy/deep", "moved")
    os.link("moved/leaf", "copy/linked")
    os.symlink("../moved", "copy/symbolic")
    shutil.rmtree("tree")
    os.replace("copy/linked", "moved/renamed")
    shutil.make_archive("archive", "zip", "moved")
    return sorted(str(path) for path in pathlib.Path(".").rglob("*") if path.name != "files.py")


def main() -> None:
    print(map_a_file(), lock_a_file(), watch_a_directory(), memory_file())
    print(move_trees())
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "program")
        path.write_text("#!/bin/sh\necho run from the temp directory\n", encoding="ascii")
        path.chmod(0o755)
        print(os.popen(str(path)).read().strip(), oct(path.stat().st_mode))
    os.utime("watched", (1e9, 1e9))
    print(os.stat("watched").st_mtime)


main()
