# SPDX-License-Identifier: MIT
"""What the broker does for a command, seen by the command: sandboxes in the sandbox, FIFOs, moves,
sockets of others."""

import socket

from harness import Fixture, main

# Opens two FIFOs in the order in which two processes shake hands.
HANDSHAKE = """
import os
os.mkfifo("there")
os.mkfifo("back")
if os.fork() == 0:
    os.open("there", os.O_WRONLY)
    os.read(os.open("back", os.O_RDONLY), 1)
    os._exit(0)
os.open("there", os.O_RDONLY)
os.write(os.open("back", os.O_WRONLY), b"x")
os.wait()
print("met")
"""

# Confines itself with Landlock (no writing at all), and tries in itself and in a grandchild.
CONFINED = """
import ctypes, os, struct
libc = ctypes.CDLL(None)
handled = ctypes.create_string_buffer(struct.pack("QQQ", 0x1fff, 0, 0))
ruleset = libc.syscall(444, handled, 24, 0)
assert ruleset >= 0 and libc.prctl(38, 1, 0, 0, 0) == 0 and libc.syscall(446, ruleset, 0) == 0

def attempt(call, *arguments):
    try:
        call(*arguments)
        print("done:", call.__name__, flush=True)
    except PermissionError:
        pass

attempt(os.open, "new", os.O_WRONLY | os.O_CREAT)
attempt(os.open, "/dev/shm/bailey-confined", os.O_WRONLY | os.O_CREAT)
attempt(os.mkdir, "directory")
attempt(os.rename, "file", "moved")
attempt(os.truncate, "file", 0)
if os.fork() == 0:
    if os.fork() == 0:
        attempt(os.unlink, "file")
        print("tried", flush=True)
        os._exit(0)
    os.wait()
    os._exit(0)
os.wait()
"""

# Fills a listener's queue; then connects to it without waiting, while another thread makes the
# socket wait.
WAITING = """
import fcntl, os, socket, sys, threading, time
listener = socket.socket(socket.AF_UNIX)
listener.bind("full")
listener.listen(0)
waiting = [socket.socket(socket.AF_UNIX) for _ in range(2)]
for one in waiting:
    one.setblocking(False)
    one.connect_ex("full")

def connect(one):
    while True:
        one.connect_ex("full")

def make_it_wait(fd):
    while True:
        fcntl.fcntl(fd, fcntl.F_SETFL, os.O_RDWR)

for _ in range(2):
    one = socket.socket(socket.AF_UNIX)
    waiting.append(one)
    one.setblocking(False)
    threading.Thread(target=connect, args=(one,), daemon=True).start()
    threading.Thread(target=make_it_wait, args=(one.fileno(),), daemon=True).start()
end = time.monotonic() + 2
while time.monotonic() < end:
    os.mkdir("made")
    os.rmdir("made")
print("served", flush=True)
os._exit(0)
"""


def inner_sandbox_holds(fx: Fixture) -> None:
    """What the outer broker performs does not go around the inner sandbox."""
    inner = (fx.bailey, "run", "-q")
    for options, target in ((("--read-only",), "new"), (("--no-broker", "--cwd", "sub"), "../new")):
        (fx.ws / "sub").mkdir(exist_ok=True)
        got = fx.run("run", "-q", "--", *inner, *options, "--", "sh", "-c",
                     f"echo ran; echo x > {target}")
        assert got.out == "ran\n" and not (fx.ws / "new").exists(), (options, got)


def own_landlock_domain_holds(fx: Fixture) -> None:
    (fx.ws / "file").write_text("text")
    got = fx.run("run", "-q", "--", "/usr/bin/python3", "-c", CONFINED)
    assert got.out == "tried\n", got
    assert (fx.ws / "file").read_text() == "text"


def domain_of_one_is_not_that_of_others(fx: Fixture) -> None:
    (fx.ws / "file").write_text("text")
    (fx.ws / "confined").write_text(CONFINED)
    code = "/usr/bin/python3 confined; echo x > after; mkdir made; cat after"
    got = fx.run("run", "-q", "--", "sh", "-c", code)
    assert got.out == "tried\nx\n", got


def fifos_open_when_the_other_end_does(fx: Fixture) -> None:
    """Also where the broker opens for reading, in a home directory."""
    for options in ((), ("--cwd", str(fx.home))):
        where = fx.home if options else fx.ws
        for name in ("there", "back"):
            (where / name).unlink(missing_ok=True)
        got = fx.run("run", "-q", "--timeout", "8", *options, "--", "/usr/bin/python3", "-c",
                     HANDSHAKE)
        assert got.out == "met\n", (options, got)


def waiting_connections_stop_nobody(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--timeout", "15", "--", "/usr/bin/python3", "-c", WAITING)
    assert got.out == "served\n", got


def names_like_those_of_git_are_protected_by_name_alone(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--protect", "hooks", "--", "sh", "-c",
                 "ln -s a link && mkdir one && mv one two && ! mkdir hooks && echo fine")
    assert got.out == "fine\n", got


def parts_of_git_stay_where_they_are(fx: Fixture) -> None:
    git = fx.ws / "a/b/c/d/e/.git"
    for part in ("modules/sub/hooks", "info", "worktrees/wt"):
        (git / part).mkdir(parents=True)
    (git / "info/attributes").write_text("* text")
    for part in ("modules", "modules/sub", "info", "worktrees", "worktrees/wt"):
        got = fx.run("run", "-q", "--protect-git", "hooks", "--", "mv", str(git / part),
                     str(fx.ws / "away"))
        assert got.status != 0 and (git / part).exists(), (part, got)


def nothing_in_git_leads_to_its_configuration(fx: Fixture) -> None:
    """Outside, `git commit` writes its message through a symlink."""
    git = fx.ws / ".git"
    (git / "logs").mkdir(parents=True)
    (git / "config").write_text("[core]\n")
    (fx.ws / "logs").mkdir()
    (fx.ws / "logs/HEAD").symlink_to("../config")
    (fx.ws / "link").symlink_to("config")
    for command in ("ln -s config .git/COMMIT_EDITMSG", "mv link .git/COMMIT_EDITMSG",
                    "ln -P link .git/COMMIT_EDITMSG", "cp -P link .git/COMMIT_EDITMSG",
                    "ln -s config $TMPDIR/x && mv $TMPDIR/x .git/COMMIT_EDITMSG",
                    "mv -T logs .git/logs", "mv --exchange -T logs .git/logs", "mv logs .git/new"):
        got = fx.run("run", "-q", "--protect-git", "hooks", "--", "sh", "-c", command)
        assert got.status != 0, command
        assert not [path for path in git.rglob("*") if path.is_symlink()], command
    got = fx.run("run", "-q", "--protect-git", "hooks", "--", "sh", "-c",
                 "cd .git && mkdir a && mv a b && echo text > b/f && mv b/f COMMIT_EDITMSG")
    assert got.status == 0, got


def sockets_of_others_in_a_shared_directory_are_refused(fx: Fixture) -> None:
    """A temp directory that is served because the workspace lies in it."""
    shared = fx.top / "shared"
    (shared / "ws").mkdir(parents=True)
    shared.chmod(0o1777)
    env = {**fx.env, "TMPDIR": str(shared)}
    code = ("import socket, sys\n"
            "for path in sys.argv[1:]:\n"
            "    print(socket.socket(socket.AF_UNIX).connect_ex(path))\n")
    with socket.socket(socket.AF_UNIX) as others, socket.socket(socket.AF_UNIX) as inside:
        others.bind(str(shared / "agent"))
        inside.bind(str(shared / "ws/server"))
        for listener in (others, inside):
            listener.listen(4)
        got = fx.run("run", "-q", "--real-tmp", "--", "/usr/bin/python3", "-c", code,
                     str(shared / "agent"), str(shared / "ws/server"), cwd=shared / "ws", env=env)
    assert got.out == "13\n0\n", got


if __name__ == "__main__":
    main([
        inner_sandbox_holds,
        own_landlock_domain_holds,
        domain_of_one_is_not_that_of_others,
        fifos_open_when_the_other_end_does,
        waiting_connections_stop_nobody,
        names_like_those_of_git_are_protected_by_name_alone,
        parts_of_git_stay_where_they_are,
        nothing_in_git_leads_to_its_configuration,
        sockets_of_others_in_a_shared_directory_are_refused,
    ])
