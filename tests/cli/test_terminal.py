# SPDX-License-Identifier: MIT
"""bailey run on a terminal: a shell with job control, and a terminal left as it was found."""

import os
import pty
import signal
import termios
import time

from harness import SHELL, Fixture, Terminal, main


def shell_has_job_control(fx: Fixture) -> None:
    term = Terminal(fx, fx.argv("run", "-q", "--", *SHELL))
    term.expect("ready> ")
    term.send("sleep 61\n")
    time.sleep(0.4)
    term.send("\x1a")  # ^Z stops the inner job, not bailey
    term.expect("Stopped.*sleep 61")
    term.send("jobs; echo still $((40 + 2))\n")
    term.expect("still 42")
    term.send("fg\n")
    term.expect("sleep 61")
    time.sleep(0.3)
    term.send("\x03")
    term.expect("ready> ")
    term.send("echo after $?\n")
    term.expect("after 130")
    term.send("exit 7\n")
    assert term.wait() == 7


def interrupt_reaches_the_command_once(fx: Fixture) -> None:
    term = Terminal(fx, fx.argv("run", "-q", "--", "bash", "-c",
                                "trap 'n=$((n+1))' INT; echo on; sleep 1; sleep 1; echo got $n"))
    term.expect("on")
    time.sleep(0.2)
    term.send("\x03")
    term.expect("got 1")
    assert term.wait() == 0


def stop_and_continue_as_a_job_of_an_outer_shell(fx: Fixture) -> None:
    term = Terminal(fx, SHELL)
    term.expect("ready> ")
    term.send(f"{fx.bailey} run -q -- sleep 62\n")
    time.sleep(0.6)
    term.send("\x1a")
    term.expect("Stopped")
    term.send("bg; sleep 0.3; jobs\n")
    term.expect("Running.*sleep 62")
    term.send("fg\n")
    time.sleep(0.3)
    term.send("\x03")
    term.expect("ready> ")
    term.send("echo status $?\n")
    term.expect("status 130")
    term.send("exit\n")
    term.wait()


def terminal_modes_are_put_back(fx: Fixture) -> None:
    term = Terminal(fx, SHELL)
    term.expect("ready> ")
    term.send(f"{fx.bailey} run -q --timeout 1 -- sh -c 'stty raw -echo; sleep 30'\n")
    time.sleep(0.7)
    assert not termios.tcgetattr(term.fd)[3] & termios.ECHO
    term.expect("ready> ", 10)
    term.send("stty -a | tr ' ' '\\n' | grep -x -e echo -e icanon | tr '\\n' ' '; echo end\n")
    term.expect("icanon echo end|echo icanon end")
    term.send("exit\n")
    term.wait()


def terminal_is_put_back_when_all_streams_are_redirected(fx: Fixture) -> None:
    term = Terminal(fx, SHELL)
    term.expect("ready> ")
    term.send(f"{fx.bailey} run -q -- sh -c 'stty raw -echo </dev/tty' "
              "</dev/null >/dev/null 2>&1\n")
    term.expect("ready> ")
    term.send("stty -a | tr ' ' '\\n' | grep -x -e echo -e icanon | tr '\\n' ' '; echo end\n")
    term.expect("icanon echo end|echo icanon end")
    term.send("exit\n")
    term.wait()


def stopped_output_goes_on(fx: Fixture) -> None:
    stop = "import termios; termios.tcflow(1, termios.TCOOFF)"
    term = Terminal(fx, ["sh", "-c", f"{fx.bailey} run -q -- python3 -I -c '{stop}'; echo after"])
    term.expect("after")
    assert term.wait() == 0


def hangup_ends_the_run_of_a_session_leader(fx: Fixture) -> None:
    term = Terminal(fx, fx.argv("run", "-q", "--outlive-parent", "--", "sh", "-c",
                                "echo on; sleep 63"))
    term.expect("on")
    os.close(term.fd)
    end = time.monotonic() + 5
    pid = 0
    while not pid and time.monotonic() < end:
        pid, status = os.waitpid(term.pid, os.WNOHANG)
        time.sleep(0.05)
    if not pid:
        os.kill(term.pid, signal.SIGKILL)
        os.waitpid(term.pid, 0)
    assert pid and os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP


def stopped_job_stops_whole(fx: Fixture) -> None:
    term = Terminal(fx, SHELL)
    term.expect("ready> ")
    term.send(f"{fx.bailey} run -q -- bash -c 'setsid sh -c \"while :; do echo x >> ticks; "
              "sleep 0.05; done\" & sleep 64'\n")
    time.sleep(0.8)
    term.send("\x1a")
    term.expect("Stopped")
    time.sleep(0.2)
    size = (fx.ws / "ticks").stat().st_size
    time.sleep(0.5)
    assert (fx.ws / "ticks").stat().st_size == size
    term.send("fg\n")
    time.sleep(0.5)
    assert (fx.ws / "ticks").stat().st_size > size
    term.send("\x03")
    term.expect("ready> ")
    term.send("exit\n")
    term.wait()


def no_clock_runs_for_a_person_at_a_terminal(fx: Fixture) -> None:
    term = Terminal(fx, fx.argv("run", "-q", "--", "sh", "-c", "echo shown"))
    term.expect("shown")
    assert term.wait() == 0


def pseudo_terminals_open_no_other_terminal(fx: Fixture) -> None:
    make = ["--", "script", "-qec", "tty; echo typed", "/dev/null"]
    got = fx.run("run", "-q", "--device", "pty", *make)
    assert "/dev/pts/" in got.out and "typed" in got.out, got
    other, theirs = pty.openpty()  # another terminal of the user
    steal = ["run", "-q", "--", "sh", "-c", f"head -c 1 < {os.ttyname(theirs)}"]
    got = fx.run(*steal)
    assert got.status != 0 and "ermission denied" in got.err, got
    assert "typed" not in fx.run("run", "-q", *make).out
    assert "pseudo-terminals" in fx.run("policy", "explain").out
    os.close(other)
    os.close(theirs)


main([value for name, value in list(globals().items())
      if callable(value) and getattr(value, "__module__", "") == "__main__"
      and not isinstance(value, type)])
