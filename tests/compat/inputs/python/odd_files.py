# SPDX-License-Identifier: MIT
"""Files made, changed and removed in every form that Python has; and what fails, with its errno."""

import errno
import os
import shutil
import stat
import threading


def attempt(name: str, function: object, *arguments: object, **more: object) -> None:
    try:
        result = function(*arguments, **more)  # type: ignore[operator]
    except OSError as error:
        print(name, errno.errorcode[error.errno or 0])
    else:
        print(name, result if isinstance(result, (bytes, str, list)) else "done")


def errors() -> None:
    """What is wrong with a call must be said as the kernel says it."""
    os.mkdir("errors")
    os.chdir("errors")
    os.mkdir("full")
    os.symlink("nowhere", "dangling")
    os.symlink("loop", "loop")
    with open("full/file", "w", encoding="ascii") as file:
        file.write("x")
    create = os.O_WRONLY | os.O_CREAT
    attempt("open missing", os.open, "missing", os.O_WRONLY)
    attempt("open in missing", os.open, "missing/file", create)
    attempt("open excl", os.open, "full/file", create | os.O_EXCL)
    attempt("open excl dangling", os.open, "dangling", create | os.O_EXCL)
    attempt("open nofollow", os.open, "dangling", create | os.O_NOFOLLOW)
    attempt("open loop", os.open, "loop", create)
    attempt("open directory", os.open, "full", os.O_WRONLY)
    attempt("open as directory", os.open, "full/file", os.O_WRONLY | os.O_DIRECTORY)
    attempt("open slash", os.open, "new/", create)
    attempt("open under file", os.open, "full/file/x", create)
    attempt("open empty", os.open, "", create)
    attempt("open long", os.open, "n" * 300, create)
    attempt("open longer", os.open, "n/" * 3000, create)
    attempt("mkdir existing", os.mkdir, "full")
    attempt("mkdir dangling", os.mkdir, "dangling")
    attempt("mkdir slash", os.mkdir, "slashed/")
    attempt("mkdir dot", os.mkdir, ".")
    attempt("mkdir dots", os.mkdir, "full/..")
    attempt("rmdir full", os.rmdir, "full")
    attempt("rmdir file", os.rmdir, "full/file")
    attempt("rmdir dot", os.rmdir, "slashed/.")
    attempt("unlink directory", os.unlink, "full")
    attempt("unlink slash", os.unlink, "full/file/")
    attempt("unlink missing", os.unlink, "missing")
    attempt("symlink existing", os.symlink, "x", "dangling")
    attempt("link directory", os.link, "full", "linked")
    attempt("link existing", os.link, "full/file", "dangling")
    attempt("link of link", os.link, "dangling", "linked", follow_symlinks=False)
    attempt("rename into itself", os.rename, "full", "full/inner")
    attempt("rename over full", os.rename, "slashed", "full")
    attempt("rename file over directory", os.rename, "full/file", "slashed")
    attempt("rename directory over file", os.rename, "slashed", "full/file")
    attempt("rename dot", os.rename, ".", "x")
    attempt("rename to itself", os.rename, "full/file", "full/file")
    attempt("truncate directory", os.truncate, "full", 0)
    attempt("truncate missing", os.truncate, "missing", 0)
    attempt("chmod dangling", os.chmod, "dangling", 0o600)
    attempt("utime dangling", os.utime, "dangling", (1, 1))
    attempt("utime link", os.utime, "dangling", (1, 1), follow_symlinks=False)
    attempt("mkfifo existing", os.mkfifo, "full")
    attempt("getxattr", os.getxattr, "full/file", "user.none")
    attempt("removexattr", os.removexattr, "full/file", "user.none")
    attempt("fifo without reader", os.open, "full", os.O_WRONLY | os.O_NONBLOCK)
    os.mkfifo("fifo")
    attempt("fifo nonblock", os.open, "fifo", os.O_WRONLY | os.O_NONBLOCK)
    attempt("through dangling", os.open, "dangling", create)
    os.chdir("..")


def by_descriptors() -> None:
    os.mkdir("by")
    directory = os.open("by", os.O_RDONLY | os.O_DIRECTORY)
    os.mkdir("inner", dir_fd=directory)
    file = os.open("file", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666, dir_fd=directory)
    os.write(file, b"appended")
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, b" twice")
    os.fchmod(file, 0o604)
    os.link("file", "inner/linked", src_dir_fd=directory, dst_dir_fd=directory)
    os.rename("inner/linked", "renamed", src_dir_fd=directory, dst_dir_fd=directory)
    os.symlink("file", "link", dir_fd=directory)
    os.chown("link", os.getuid(), os.getgid(), dir_fd=directory, follow_symlinks=False)
    os.mknod("node", 0o640 | stat.S_IFREG, dir_fd=directory)
    with open(f"/proc/self/fd/{directory}/self", "w", encoding="ascii") as by_self:
        by_self.write("by /proc/self")
    with open(f"/dev/fd/{file}", "a", encoding="ascii") as again:
        again.write(" and again")
    os.utime(file, ns=(1_500_000_000_123_456_789, 1_400_000_000_987_654_321))
    print(os.pread(file, 99, 0), os.fstat(file).st_mtime_ns, os.fstat(file).st_nlink)
    os.unlink("file", dir_fd=directory)
    os.fchmod(file, 0o600)
    print(oct(os.fstat(file).st_mode), sorted(os.listdir(directory)))
    os.rmdir("inner", dir_fd=directory)


def unnamed() -> None:
    file = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o640)
    os.write(file, b"named later")
    # Python asks linkat(2) to follow symlinks only where it has a directory to start from.
    os.link(f"/proc/self/fd/{file}", "named", src_dir_fd=file, follow_symlinks=True)
    print(open("named", "rb").read(), oct(os.stat("named").st_mode))


def attributes() -> None:
    with open("attributes", "w", encoding="ascii") as file:
        os.setxattr("attributes", "user.one", b"1")
        os.setxattr(file.fileno(), "user.two", b"2" * 100)
        attempt("twice", os.setxattr, "attributes", "user.one", b"1", os.XATTR_CREATE)
        os.removexattr("attributes", "user.one")
    shutil.copy2("attributes", "copied")
    os.system("cp -a attributes cp-a; cp --preserve=xattr attributes cp-preserve")
    for name in ("attributes", "copied", "cp-a", "cp-preserve"):
        print(name, os.listxattr(name), os.getxattr(name, "user.two")[:3])


def deep() -> None:
    top = os.getcwd()
    for _ in range(15):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    with open("bottom", "w", encoding="ascii") as file:
        file.write("deep")
    os.rename("bottom", "renamed")
    print(os.listdir("."))
    os.chdir(top)
    shutil.rmtree("d" * 200)


def by_many_threads() -> None:
    def work(number: int) -> None:
        for turn in range(50):
            name = f"thread{number}-{turn}"
            with open(name, "x", encoding="ascii") as file:
                file.write(name)
            os.chmod(name, 0o600 + number)
            os.rename(name, f"{name}-done")
            if turn % 2:
                os.unlink(f"{name}-done")

    os.mkdir("many")
    os.chdir("many")
    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.chdir("..")
    print(len(os.listdir("many")))


def main() -> None:
    os.mkdir("work")
    os.chdir("work")
    errors()
    by_descriptors()
    unnamed()
    attributes()
    deep()
    by_many_threads()


main()
