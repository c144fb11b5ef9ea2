# SPDX-License-Identifier: MIT
"""What bailey run tells: refusals to a person at the end, events to a program as they happen."""

import fcntl
import json
import os
import socket
import subprocess
import time

from harness import Fixture, Result, main


def events_of(fx: Fixture, *args: str, **more) -> tuple[Result, list[dict]]:
    """Runs with a pipe that has room for all, and reads it after the end."""
    read, write = os.pipe()
    try:
        got = fx.run("run", "--json-status-fd", str(write), *args, pass_fds=(write,), **more)
        os.close(write)
        with os.fdopen(read, encoding="utf-8") as file:
            read = -1
            return got, [json.loads(line) for line in file]
    finally:
        if read >= 0:
            os.close(read)


def refused_in(events: list[dict]) -> list[dict]:
    return [event for event in events if event["event"] == "refused"]


# ---- to a person -------------------------------------------------------------------------------


def refusals_are_listed_with_what_would_allow_them(fx: Fixture) -> None:
    got = fx.run("run", "--", "sh", "-c", "echo x > ~/file; echo x > ~/file; mkdir .git")
    assert f"bailey: refused: openat {fx.home}/file: outside of the writable roots " \
        f"(--write {fx.home})\n" in got.err, got
    assert got.err.count("bailey: refused:") == 2 and "(--no-protect)" in got.err, got
    assert not (fx.home / "file").exists() and not (fx.ws / ".git").exists()


def quiet_silences_the_list(fx: Fixture) -> None:
    got = fx.run("run", "--quiet", "--", "sh", "-c", "echo x > ~/file")
    assert "bailey:" not in got.err and "denied" in got.err, got


def nothing_refused_is_nothing_said(fx: Fixture) -> None:
    got = fx.run("run", "--", "sh", "-c",
                 "echo x > file && mkdir d && rm -r file d; cat /etc/passwd >/dev/null; "
                 "test -w /usr; ls /root >/dev/null 2>&1; echo x 2>/dev/null >/dev/tty")
    assert got.status in (0, 2) and "refused" not in got.err, got


def reading_is_no_refusal_where_every_open_is_asked_about(fx: Fixture) -> None:
    """The home directory as workspace has kept-out paths below it."""
    got = fx.run("run", "--", "sh", "-c",
                 "cat /etc/passwd > copy && cat copy && mkdir d && echo y > d/z && cat d/z",
                 cwd=fx.home)
    assert got.status == 0 and "root:" in got.out and "refused" not in got.err, got
    got = fx.run("run", "--", "sh", "-c", "cat .ssh/id; echo x > .ssh/new", cwd=fx.home)
    assert "SECRET" not in got.out and got.err.count("bailey: refused:") == 1, got


def what_the_mode_forbids_is_not_listed(fx: Fixture) -> None:
    if os.geteuid() == 0:
        return
    got = fx.run("run", "--", "sh", "-c",
                 "echo x > /etc/passwd; mkdir /usr/lib/new; rm -f /etc/passwd")
    assert got.err.count("denied") == 3 and "refused" not in got.err, got


def long_lists_are_cut(fx: Fixture) -> None:
    got = fx.run("run", "--", "sh", "-c", "for i in $(seq 30); do echo x > ~/file$i; done")
    lines = [line for line in got.err.splitlines() if line.startswith("bailey: refused: ")]
    assert len(lines) == 11 and lines[-1] == \
        "bailey: refused: 20 more (--json-status-fd lists all)", got


def names_in_the_list_command_no_terminal(fx: Fixture) -> None:
    got = fx.run("run", "--", "sh", "-c",
                 "{ echo x > ~/\"$(printf 'a\\033]0;x\\007')\"; } 2>/dev/null")
    assert "\x1b" not in got.err and "\\x1b]0;x\\x07" in got.err, got


# ---- to a program ------------------------------------------------------------------------------


def events_are_told(fx: Fixture) -> None:
    got, events = events_of(fx, "-q", "--", "sh", "-c", "echo x > ~/a\\ b; mkdir .git; exit 3")
    assert got.status == 3 and [e["event"] for e in events] == \
        ["started", "refused", "refused", "ended"], events
    assert events[0]["pid"] > 0
    assert events[1]["subject"] == f"{fx.home}/a b" and events[1]["call"] == "openat"
    assert events[1]["errno"] == "EACCES" and events[1]["advice"] == "policy, do not retry"
    assert (events[1]["option"], events[1]["value"]) == ("--write", str(fx.home))
    assert events[2]["rule"] == "protected" and events[2]["subject"] == f"{fx.ws}/.git"
    assert events[2]["option"] == "--no-protect" and "value" not in events[2]
    end = events[3]
    assert (end["status"], end["reason"], end["refused"], end["lost"]) == (3, "exit", 2, 0), end


def events_come_as_they_happen(fx: Fixture) -> None:
    read, write = os.pipe()
    run = fx.start("run", "-q", "--json-status-fd", str(write), "--", "sh", "-c",
                   "echo x > ~/file; sleep 60", pass_fds=(write,))
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as file:
        assert json.loads(file.readline())["event"] == "started"
        assert json.loads(file.readline())["event"] == "refused"
        run.terminate()
        run.wait()
        end = json.loads(file.readline())
        assert (end["event"], end["status"], end["reason"]) == ("ended", 143, "signal"), end
        assert file.read() == ""


def end_says_why(fx: Fixture) -> None:
    got, events = events_of(fx, "-q", "--timeout", "1", "--grace", "1", "--", "sleep", "20")
    assert got.status == 124 and events[-1]["reason"] == "timeout", events
    got, events = events_of(fx, "-q", "--read-only", "--", "true")
    assert [e["event"] for e in events] == ["started", "ended"] and got.status == 0, events
    got, events = events_of(fx, "-q", "--full-access", "--", "sh", "-c", "exit 4")
    assert [e["event"] for e in events] == ["started", "ended"] and got.status == 4, events
    got, events = events_of(fx, "-q", "--", "no-such-program")
    assert [e["event"] for e in events] == ["ended"], events
    assert events[0]["status"] == 127 and events[0]["reason"] == "failed", events
    assert "no-such-program" in events[0]["message"]


def names_that_are_no_text_are_json(fx: Fixture) -> None:
    _, events = events_of(fx, "-q", "--", "sh", "-c",
                          "{ echo x > ~/\"$(printf 'a\\377\\n\\001b')\"; }"
                          " 2>/dev/null")
    assert refused_in(events)[0]["subject"] == f"{fx.home}/a\\xff\\x0a\\x01b", events


def descriptor_stays_outside(fx: Fixture) -> None:
    got, _ = events_of(fx, "-q", "--", "sh", "-c", "ls -l /proc/self/fd")
    assert "pipe" not in "".join(got.out.splitlines()[5:]), got
    read, write = os.pipe()
    got = fx.run("run", "-q", "--json-status-fd", str(write), "--", "sh", "-c",
                 f"echo forged >&{write}", pass_fds=(write,))
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as file:
        assert got.status != 0 and "forged" not in file.read(), got


def slow_reader_stops_nobody(fx: Fixture) -> None:
    read, write = os.pipe()
    fcntl.fcntl(write, 1031, 4096)  # F_SETPIPE_SZ
    command = "for i in $(seq 60); do echo x > ~/file$i; done 2>/dev/null; exit 5"
    begin = time.monotonic()
    got = fx.run("run", "-q", "--json-status-fd", str(write), "--", "sh", "-c", command,
                 pass_fds=(write,))
    assert got.status == 5 and time.monotonic() - begin < 5, got
    assert os.get_blocking(write)  # it is the caller's too
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert 1 < len(lines) < 50 and all(json.loads(line)["event"] for line in lines[:-1]), lines


def reader_that_catches_up_hears_of_the_end(fx: Fixture) -> None:
    read, write = os.pipe()
    fcntl.fcntl(write, 1031, 4096)
    command = "for i in $(seq 60); do echo x > ~/file$i; done 2>/dev/null; echo done"
    run = fx.start("run", "-q", "--json-status-fd", str(write), "--", "sh", "-c", command,
                   pass_fds=(write,))
    os.close(write)
    assert run.stdout.readline() == "done\n"
    with os.fdopen(read, encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    run.wait()
    assert events[-1]["event"] == "ended" and events[-1]["refused"] == 60, events[-1]
    assert events[-1]["lost"] == 60 - len(refused_in(events)) > 0, events[-1]


def reader_that_is_gone_ends_nothing(fx: Fixture) -> None:
    read, write = os.pipe()
    os.close(read)
    got = fx.run("run", "-q", "--json-status-fd", str(write), "--", "sh", "-c",
                 "echo x > ~/file; trap 'echo got it' PIPE; echo on; exit 6", pass_fds=(write,))
    os.close(write)
    assert got.status == 6 and got.out == "on\n", got


def files_and_sockets_will_do(fx: Fixture) -> None:
    with open(fx.out / "log", "ab") as log:
        fx.run("run", "-q", "--json-status-fd", str(log.fileno()), "--", "true",
               pass_fds=(log.fileno(),))
    assert len((fx.out / "log").read_text().splitlines()) == 2
    ours, theirs = socket.socketpair()
    fx.run("run", "-q", "--json-status-fd", str(theirs.fileno()), "--", "true",
           pass_fds=(theirs.fileno(),))
    theirs.close()
    assert len(ours.makefile().read().splitlines()) == 2
    ours.close()


def wrong_descriptors_are_refused(fx: Fixture) -> None:
    read, write = os.pipe()
    fds = {"pass_fds": (read, write)}
    cases = [["--json-status-fd", "2"], ["--json-status-fd", "987"], ["--json-status-fd", "x"],
             ["--json-status-fd", str(read)],
             ["--json-status-fd", str(write), "--json-status-fd", str(write)],
             ["--json-status-fd", str(write), "--keep-fd", str(write)],
             ["--keep-fd", str(write), "--json-status-fd", str(write)]]
    for options in cases:
        got = fx.run("run", *options, "--", "echo", "ran", **fds)
        assert got.status == 2 and "-fd" in got.err and got.out == "", (options, got)
    got = fx.run("run", "--json-status-fd", str(write), "--in-place", "--no-tmp", "--timeout", "0",
                 "--", "echo", "ran", **fds)
    assert got.status in (2, 125) and got.out == "", got
    os.close(read)
    os.close(write)


def closed_standard_streams_are_not_taken(fx: Fixture) -> None:
    """The descriptor is opened again; the new one must not become the command's stderr."""
    read, write = os.pipe()
    command = f"exec {fx.bailey} run -q --json-status-fd {write} -- sh -c 'echo forged >&2' 2>&-"
    subprocess.run(["sh", "-c", command], cwd=fx.ws, env=fx.env, pass_fds=(write,),
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as file:
        assert "forged" not in file.read()


if __name__ == "__main__":
    main([
        refusals_are_listed_with_what_would_allow_them,
        quiet_silences_the_list,
        nothing_refused_is_nothing_said,
        reading_is_no_refusal_where_every_open_is_asked_about,
        what_the_mode_forbids_is_not_listed,
        long_lists_are_cut,
        names_in_the_list_command_no_terminal,
        events_are_told,
        events_come_as_they_happen,
        end_says_why,
        names_that_are_no_text_are_json,
        descriptor_stays_outside,
        slow_reader_stops_nobody,
        reader_that_catches_up_hears_of_the_end,
        reader_that_is_gone_ends_nothing,
        files_and_sockets_will_do,
        wrong_descriptors_are_refused,
        closed_standard_streams_are_not_taken,
    ])
