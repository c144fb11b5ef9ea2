# SPDX-License-Identifier: MIT
"""bailey run --keep-background: what the command leaves running lives on, and stays confined."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import uuid

from harness import SHELL, Fixture, Terminal, alive, children, guard_of, main, name_of, wait_for

KEEP = ("run", "-q", "--keep-background")
# Nothing of it is the command's: whoever reads the command's output sees its end.
APART = "</dev/null >/dev/null 2>&1 &"


def token() -> str:
    return "bailey-test-" + uuid.uuid4().hex


def server(fx: Fixture, name: str, serve: str = "") -> str:
    """Shell text that leaves a process behind; when there is a file `ask` it serves, once."""
    wait = "for i in $(seq 1500); do [ -e ask ] && break; sleep 0.02; done"
    (fx.ws / "serve.sh").write_text(f"{wait}\n{serve}\ntouch answered\nexec -a {name} sleep 30\n")
    return f"setsid bash -c 'exec -a {name} bash serve.sh' {APART} "


def parent_of(pid: int) -> int:
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def launcher_of(name: str) -> int:
    """The process of bailey that has the guard, above whatever is called `name`."""
    assert runs(name)
    pid = parent_of(alive(name)[0])
    while pid > 1 and not guard_of(pid):
        pid = parent_of(pid)
    assert pid > 1, "there is no launcher"
    return pid


def runs(name: str) -> bool:
    """It may be about to, when bailey has returned already."""
    return wait_for(lambda: alive(name))


def has_ended(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def stop(name: str) -> None:
    """Ends what is called `name`, and waits for the launcher above it to notice."""
    launcher = launcher_of(name)
    for pid in alive(name):
        os.kill(pid, signal.SIGKILL)
    assert wait_for(lambda: has_ended(launcher)), "the launcher stays"


def ask(fx: Fixture) -> None:
    (fx.ws / "ask").touch()
    assert wait_for(lambda: (fx.ws / "answered").exists()), "the server does not answer"


def temp_directories(fx: Fixture) -> list[str]:
    return [entry for path in fx.tmp.glob("bailey-*") for entry in os.listdir(path)]


# ---- what lives on ------------------------------------------------------------------------------


def server_lives_on_and_stays_confined(fx: Fixture) -> None:
    name = token()
    serve = ("mkdir .git; mkdir -p made/.git; echo x >> ~/outside; cat ~/.ssh/id > stolen; "
             "kill -0 $PPID; mkdir fine && mv fine served; chmod 700 served; "
             "echo x > $TMPDIR/file && touch temp-works")
    begin = time.monotonic()
    got = fx.run(*KEEP, "--", "bash", "-c", server(fx, name, serve) + "echo done; exit 7")
    assert got.status == 7 and got.out == "done\n" and time.monotonic() - begin < 5, got
    assert runs(name)
    ask(fx)
    assert (fx.ws / "served").stat().st_mode & 0o777 == 0o700
    assert (fx.ws / "temp-works").exists() and temp_directories(fx)
    assert not (fx.ws / ".git").exists() and not (fx.ws / "made/.git").exists()
    assert not (fx.home / "outside").exists() and not (fx.ws / "stolen").read_text()
    stop(name)
    assert wait_for(lambda: not temp_directories(fx)), temp_directories(fx)


def without_the_option_it_ends(fx: Fixture) -> None:
    name = token()
    assert fx.run("run", "-q", "--", "bash", "-c", server(fx, name) + "sleep 0.2").status == 0
    assert not alive(name)


def it_lives_on_without_a_broker_too(fx: Fixture) -> None:
    serve = "echo x >> ~/outside; cat ~/.ssh/id > $TMPDIR/stolen"
    for options in (("--no-broker",), ("--read-only", "--tmp")):
        name = token()
        serve_here = serve + (f"; exec -a {name} sleep 30" if "--tmp" in options else "")
        got = fx.run(*KEEP, *options, "--", "bash", "-c", server(fx, name, serve_here) + "exit 4")
        assert got.status == 4, got
        assert runs(name)
        if "--tmp" in options:
            (fx.ws / "ask").touch()
            time.sleep(0.3)
        else:
            ask(fx)
        assert not (fx.home / "outside").exists()
        assert runs(name) and temp_directories(fx)
        stop(name)
        assert wait_for(lambda: not temp_directories(fx)), temp_directories(fx)
        (fx.ws / "ask").unlink()


def nothing_left_is_nothing_kept(fx: Fixture) -> None:
    got = fx.run(*KEEP, "--", "bash", "-c", "echo $$; (sleep 0.01 &) ; wait; exit 3")
    assert got.status == 3, got
    assert wait_for(lambda: not temp_directories(fx)), temp_directories(fx)


def full_access_leaves_it_as_well(fx: Fixture) -> None:
    read, write = os.pipe()
    name = token()
    got = fx.run(*KEEP, "--full-access", "--json-status-fd", str(write), "--", "bash", "-c",
                 server(fx, name) + "exit 5", pass_fds=(write,))
    os.close(write)
    with os.fdopen(read) as file:
        assert '"status":5' in file.read()
    assert got.status == 5 and runs(name), got
    stop(name)


# ---- the end of the run -------------------------------------------------------------------------


def statuses_are_those_of_any_run(fx: Fixture) -> None:
    (fx.ws / "data").write_text("no program\n")
    (fx.ws / "data").chmod(0o755)
    (fx.ws / "broken").write_text("#!/no/such/interpreter\n")
    (fx.ws / "broken").chmod(0o755)
    for expected, command in ((0, ["true"]), (9, ["sh", "-c", "exit 9"]),
                              (128 + 15, ["sh", "-c", "kill $$"]), (127, ["no-such-program"]),
                              (126, ["./broken"]), (126, [str(fx.ws)])):
        for options in ((), ("--no-broker",)):
            got = fx.run(*KEEP, *options, "--", *command)
            assert got.status == expected, (command, got)
    assert not temp_directories(fx)
    assert fx.run(*KEEP, "--timeout", "1", "--", "sleep", "30").status == 124


def it_excludes_in_place(fx: Fixture) -> None:
    got = fx.run(*KEEP, "--in-place", "--", "true")
    assert got.status == 2 and "--in-place and --keep-background" in got.err, got


def only_the_time_limit_ends_with_the_command(fx: Fixture) -> None:
    name = token()
    got = fx.run(*KEEP, "--timeout", "1", "--memory", "100", "--", "bash", "-c",
                 server(fx, name, 'x=$(head -c 150000000 /dev/zero | tr "\\0" x)') + "true")
    assert got.status == 0, got
    time.sleep(1.4)
    assert runs(name)
    (fx.ws / "ask").touch()
    assert wait_for(lambda: not alive(name)) and not (fx.ws / "answered").exists()
    assert wait_for(lambda: not temp_directories(fx))


def reader_of_events_sees_the_end(fx: Fixture) -> None:
    name = token()
    read, write = os.pipe()
    got = fx.run(*KEEP, "--json-status-fd", str(write), "--", "bash", "-c",
                 server(fx, name) + "mkdir .git; exit 2", pass_fds=(write,))
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as file:
        events = [json.loads(line) for line in file]  # until nobody has it open
    assert got.status == 2 and runs(name), got
    assert [event["event"] for event in events] == ["started", "refused", "ended"], events
    assert events[-1]["status"] == 2 and events[-1]["reason"] == "exit", events
    stop(name)


def launcher_that_stays_holds_nothing_of_the_caller(fx: Fixture) -> None:
    name = token()
    read, write = os.pipe()
    script = server(fx, name).replace(APART, f"{write}>&- {APART}")
    got = fx.run(*KEEP, "--keep-fd", str(write), "--", "bash", "-c", script, pass_fds=(write,))
    assert got.status == 0, got
    os.close(write)
    assert runs(name) and os.read(read, 1) == b""
    os.close(read)
    launcher = launcher_of(name)
    for pid in (launcher, guard_of(launcher)):
        links = {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")}
        known = ("/dev/null", "anon_inode:[signalfd]", str(fx.tmp))
        assert all(link.startswith(known) or link.startswith("pipe:") for link in links), links
    assert os.readlink(f"/proc/{launcher}/cwd") == "/"
    stop(name)


def shared_memory_is_removed_with_the_last_process(fx: Fixture) -> None:
    name = token()
    shared = pathlib.Path("/dev/shm") / name
    got = fx.run(*KEEP, "--", "bash", "-c", f"echo x > {shared}; " + server(fx, name))
    assert got.status == 0, got
    assert shared.exists() and runs(name)
    stop(name)
    assert wait_for(lambda: not shared.exists())


# ---- signals ------------------------------------------------------------------------------------


def signals_reach_the_command(fx: Fixture) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT):
        run = fx.start(*KEEP, "--", "bash", "-c",
                       f"trap 'exit 6' {int(number)}; echo on; while :; do sleep 0.1; done",
                       start_new_session=True)
        assert run.stdout.readline() == "on\n"
        run.send_signal(number)
        assert run.wait(5) == 6, number


def alarm_of_the_caller_reaches_the_command(fx: Fixture) -> None:
    code = ("import os, signal, sys; signal.signal(signal.SIGALRM, signal.SIG_DFL); "
            "signal.alarm(1); os.execv(sys.argv[1], sys.argv[1:])")
    done = subprocess.run([sys.executable, "-c", code, *fx.argv(*KEEP, "--", "sleep", "20")],
                          cwd=fx.ws, env=fx.env, stdin=subprocess.DEVNULL, timeout=15, check=False)
    assert done.returncode == 128 + signal.SIGALRM, done


def interrupt_reaches_the_command_once(fx: Fixture) -> None:
    term = Terminal(fx, fx.argv(*KEEP, "--", "bash", "-c",
                                "trap 'n=$((n+1))' INT; echo on; sleep 1; sleep 1; echo got $n"))
    term.expect("on")
    time.sleep(0.2)
    term.send("\x03")
    term.expect("got 1")
    assert term.wait() == 0


def stop_and_continue_as_a_job_of_an_outer_shell(fx: Fixture) -> None:
    term = Terminal(fx, SHELL)
    term.expect("ready> ")
    term.send(f"{fx.bailey} run -q --keep-background -- bash -c 'setsid sh -c \"while :; do "
              "echo x >> ticks; sleep 0.05; done\" & sleep 62'\n")
    time.sleep(0.8)
    for _ in range(2):
        term.send("\x1a")
        term.expect("Stopped")
        time.sleep(0.2)
        size = (fx.ws / "ticks").stat().st_size
        time.sleep(0.4)
        assert (fx.ws / "ticks").stat().st_size == size
        term.send("bg; sleep 0.3; jobs\n")
        term.expect("Running.*sleep 62")
        term.send("fg\n")
        time.sleep(0.4)
        assert (fx.ws / "ticks").stat().st_size > size
    launcher = [pid for pid in descendants(term.pid) if guard_of(pid)][0]
    term.send("\x03")
    term.expect("ready> ")
    term.send("echo status $?\n")
    term.expect("status 130")
    size = (fx.ws / "ticks").stat().st_size
    time.sleep(0.3)
    assert (fx.ws / "ticks").stat().st_size > size  # what the command left runs on
    os.kill(launcher, signal.SIGTERM)
    assert wait_for(lambda: has_ended(launcher))
    term.send("exit\n")
    term.wait()


def descendants(pid: int) -> list[int]:
    below = children(pid)
    return below + [deeper for child in below for deeper in descendants(child)]


def terminal_is_put_back_when_the_command_ends(fx: Fixture) -> None:
    name = token()
    term = Terminal(fx, SHELL)
    term.expect("ready> ")
    (fx.ws / "script.sh").write_text(server(fx, name) + "stty raw -echo\n")
    term.send(f"{fx.bailey} run -q --keep-background -- bash script.sh\n")
    term.expect("ready> ", 10)
    term.send("stty -a | tr ' ' '\\n' | grep -x -e echo -e icanon | tr '\\n' ' '; echo end\n")
    term.expect("icanon echo end|echo icanon end")
    term.send("exit\n")
    term.wait()
    os.close(term.fd)  # the terminal hangs up
    time.sleep(0.2)
    assert runs(name)
    stop(name)


# ---- who is killed ------------------------------------------------------------------------------


def command(fx: Fixture, name: str) -> str:
    return server(fx, name) + f"exec -a {name} sleep 60"


def killing_the_front_before_the_end_ends_all(fx: Fixture) -> None:
    for options in ((), ("--outlive-parent",), ("--no-broker",)):
        name = token()
        run = fx.start(*KEEP, *options, "--grace", "0", "--", "bash", "-c", command(fx, name),
                       start_new_session=True)
        assert wait_for(lambda: len(alive(name)) >= 2)
        run.kill()
        run.wait()
        assert wait_for(lambda: not alive(name)), alive(name)
        assert wait_for(lambda: not temp_directories(fx)), temp_directories(fx)


def end_of_the_caller_ends_all(fx: Fixture) -> None:
    name = token()
    code = "import subprocess, sys, time; subprocess.Popen(sys.argv[1:]); time.sleep(1)"
    subprocess.run([sys.executable, "-c", code,
                    *fx.argv(*KEEP, "--", "bash", "-c", f"exec -a {name} sleep 60")],
                   cwd=fx.ws, env=fx.env, stdin=subprocess.DEVNULL, check=False)
    assert wait_for(lambda: not alive(name)), alive(name)


def killing_a_process_of_bailey_before_the_end_ends_all(fx: Fixture) -> None:
    for which, said in (("bailey", "the launcher was killed"), ("bailey-guard", "the guard"),
                        ("bailey-broker", "the broker was killed")):
        name = token()
        run = fx.start("run", "--keep-background", "--", "bash", "-c", command(fx, name))
        assert wait_for(lambda: len(alive(name)) >= 2)
        below = [pid for pid in descendants(run.pid) if name_of(pid) == which]
        assert below, which
        os.kill(below[0], signal.SIGKILL)
        _, err = run.communicate(timeout=10)
        assert run.returncode == 137 and said in err, (which, run.returncode, err)
        assert wait_for(lambda: not alive(name)), (which, alive(name))


def end_of_a_launcher_that_is_killed_is_told(fx: Fixture) -> None:
    name = token()
    read, write = os.pipe()
    run = fx.start(*KEEP, "--json-status-fd", str(write), "--", "bash", "-c", command(fx, name),
                   pass_fds=(write,))
    os.close(write)
    assert wait_for(lambda: len(alive(name)) >= 2)
    os.kill(launcher_of(name), signal.SIGKILL)
    run.wait(5)
    with os.fdopen(read, encoding="utf-8") as file:
        last = [json.loads(line) for line in file][-1]
    assert last["event"] == "ended" and last["status"] == 137, last
    assert last["message"] == "the launcher was killed", last


def killing_a_process_of_bailey_afterwards_ends_all(fx: Fixture) -> None:
    for which in ("bailey", "bailey-guard", "bailey-broker"):
        name = token()
        assert fx.run(*KEEP, "--", "bash", "-c", server(fx, name)).status == 0
        launcher = launcher_of(name)
        named = [launcher, *children(launcher)]
        os.kill([pid for pid in named if name_of(pid) == which][0], signal.SIGKILL)
        assert wait_for(lambda: not alive(name)), which
        assert wait_for(lambda: not temp_directories(fx)), (which, temp_directories(fx))


def term_to_the_launcher_that_stays_ends_all(fx: Fixture) -> None:
    for options in ((), ("--no-broker",)):
        name = token()
        got = fx.run(*KEEP, *options, "--", "bash", "-c",
                     f"(trap '' TERM; exec -a {name} sleep 30) {APART} sleep 0.2")
        assert got.status == 0 and runs(name), got
        os.kill(launcher_of(name), signal.SIGTERM)
        assert wait_for(lambda: not alive(name)), alive(name)


def runs_beside_it_leave_it_alone(fx: Fixture) -> None:
    name = token()
    assert fx.run(*KEEP, "--", "bash", "-c", server(fx, name)).status == 0
    for _ in range(3):
        assert fx.run("run", "-q", "--", "sh", "-c", "kill -9 -1; true").status in (0, 137)
    assert runs(name) and temp_directories(fx)
    ask(fx)
    stop(name)


main([value for name, value in list(globals().items())
      if callable(value) and getattr(value, "__module__", "") == "__main__"
      and getattr(value, "__annotations__", {}).get("fx") is Fixture
      and value not in (ask, command, server, temp_directories)])
