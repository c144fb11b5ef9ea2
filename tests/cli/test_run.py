# SPDX-License-Identifier: MIT
"""bailey run from outside: statuses, streams, signals, limits, and that nothing is left."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid

from harness import Fixture, alive, children, guard_of, main, name_of, wait_for


def token() -> str:
    return "bailey-test-" + uuid.uuid4().hex


# ---- statuses and streams ---------------------------------------------------------------------


def status_is_the_commands_own(fx: Fixture) -> None:
    for status in (0, 1, 3, 100, 255):
        assert fx.run("run", "-q", "--", "sh", "-c", f"exit {status}").status == status


def signal_becomes_128_plus_n(fx: Fixture) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGINT):
        got = fx.run("run", "-q", "--", "bash", "-c", f"kill -{int(number)} $$")
        assert got.status == 128 + number, (number, got)


def streams_pass_through(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--", "sh", "-c", "cat; echo err >&2", input="in\n", stdin=None)
    assert got.out == "in\n" and got.err == "err\n", got


def notes_go_to_stderr_and_quiet_silences_them(fx: Fixture) -> None:
    got = fx.run("run", "--no-broker", "--", "echo", "hi")
    assert got.out == "hi\n" and "metadata-not-confined" in got.err, got
    assert fx.run("run", "--quiet", "--no-broker", "--", "true").err == ""
    assert fx.run("run", "--", "true").err == ""
    assert fx.run("run", "--read-only", "--", "true").err == ""


def protected_names_are_announced(fx: Fixture) -> None:
    (fx.ws / ".git").mkdir()
    got = fx.run("run", "--no-broker", "--", "true")
    assert "--no-protect" in got.err, got


def script_without_an_interpreter_line_runs(fx: Fixture) -> None:
    script = fx.ws / "script"
    script.write_text("echo from script $1\n")
    script.chmod(0o755)
    assert fx.run("run", "-q", "--", "./script", "arg").out == "from script arg\n"


def files_on_the_standard_streams_can_be_opened_again(fx: Fixture) -> None:
    with open(fx.out / "log", "a", encoding="ascii") as log:
        done = subprocess.run(fx.argv("run", "-q", "--", "sh", "-c",
                                      f"echo a >> /dev/stderr; echo b > {fx.out}/other"),
                              cwd=fx.ws, env=fx.env, stdin=subprocess.DEVNULL, stderr=log)
    assert done.returncode != 0 and not (fx.out / "other").exists(), done
    assert (fx.out / "log").read_text().startswith("a\n")
    (fx.out / "input").write_text("in\n")
    with open(fx.out / "input", encoding="ascii") as file:
        done = subprocess.run(fx.argv("run", "-q", "--", "sh", "-c",
                                      f"cat /dev/stdin; echo c >> {fx.out}/input"),
                              cwd=fx.ws, env=fx.env, stdin=file, capture_output=True, text=True)
    assert done.stdout == "in\n" and (fx.out / "input").read_text() == "in\n", done


def closed_standard_streams_do_no_harm(fx: Fixture) -> None:
    command = f"exec {fx.bailey} run -q -- sh -c 'ls -l /proc/self/fd | wc -l' 0<&- 2>&-"
    done = subprocess.run(["sh", "-c", command], cwd=fx.ws, env=fx.env, capture_output=True,
                          text=True)
    assert done.returncode == 0, done


def program_is_found_in_the_path_of_the_sandbox(fx: Fixture) -> None:
    tool = fx.ws / "tool"
    tool.write_text("#!/bin/sh\necho mine\n")
    tool.chmod(0o755)
    got = fx.run("run", "-q", "--env", f"PATH={fx.ws}:/usr/bin:/bin", "--", "tool")
    assert got.out == "mine\n", got


def full_access_changes_nothing(fx: Fixture) -> None:
    env = {**fx.env, "OPENAI_API_KEY": "k"}
    got = fx.run("run", "--full-access", "--", "sh", "-c",
                 "echo $OPENAI_API_KEY $BAILEY_SANDBOX_ACTIVE; cat ~/.ssh/id", env=env)
    assert got.out == "k\nSECRET\n" and got.err == "", got


# ---- what it may touch -------------------------------------------------------------------------


def reads_all_but_credentials_and_writes_its_place(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--", "sh", "-c",
                 f"echo a > here && cat /etc/hostname >/dev/null && cat ~/.ssh/id; "
                 f"echo x > {fx.out}/f; echo x > ~/f; cat here")
    assert got.out == "a\n" and got.err.count("ermission denied") == 3, got
    assert not (fx.out / "f").exists() and not (fx.home / "f").exists()


def written_roots_and_denied_paths(fx: Fixture) -> None:
    (fx.ws / "no").mkdir()
    got = fx.run("run", "-q", "-w", str(fx.out), "--deny", "no", "--", "sh", "-c",
                 f"echo x > {fx.out}/f; echo x > no/f")
    assert (fx.out / "f").exists() and not (fx.ws / "no" / "f").exists(), got


def symlink_that_appears_in_place_of_a_root_is_not_followed(fx: Fixture) -> None:
    (fx.ws / "link").symlink_to(fx.out)
    fx.run("run", "-q", "--", "sh", "-c", "echo x > link/f")
    assert not (fx.out / "f").exists()


def bare_policies_of_other_programs_work(fx: Fixture) -> None:
    policy = json.dumps({
        "type": "workspace_write", "writable_roots": [{"root": str(fx.out)}],
        "network_access": False, "network_allowlist": [], "sensitive_paths": None,
        "resource_limits": {"max_memory_mb": 0, "max_pids": 0, "max_disk_mb": 0,
                            "cpu_time_secs": 0, "timeout_secs": 300},
        "seccomp_profile": {"blocked_syscalls": ["ptrace"], "allow_namespaces": False,
                            "allow_network_sockets": False, "log_only": False},
        "exclude_tmpdir_env_var": True, "exclude_slash_tmp": True})
    profile = json.dumps({"blocked_syscalls": ["ptrace", "mount", "umount2"],
                          "allow_namespaces": False, "allow_network_sockets": False,
                          "log_only": False})
    limits = json.dumps({"max_memory_mb": 2048, "max_pids": 64, "max_disk_mb": 64,
                         "cpu_time_secs": 60, "timeout_secs": 30})
    env = {**fx.env, "OPENAI_API_KEY": "kept-by-the-manager"}
    for word in (["sandbox-exec"], []):  # a helper of its own is called without the word
        got = fx.run(*word, "--sandbox-policy-cwd", str(fx.ws), "--sandbox-policy", policy,
                     "--seccomp-profile", profile, "--resource-limits", limits, "--", "sh", "-c",
                     f"echo x > {fx.out}/f; echo x > ~/f; cat ~/.ssh/id; echo $OPENAI_API_KEY; "
                     "exit 7", env=env)
        assert got.status == 7 and got.out == "kept-by-the-manager\n", got
        assert (fx.out / "f").exists() and not (fx.home / "f").exists()
        (fx.out / "f").unlink()


def environment_modes(fx: Fixture) -> None:
    env = {**fx.env, "OPENAI_API_KEY": "k", "my_token": "t", "HARMLESS": "h", "LD_PRELOAD": "x.so"}
    show = ["--", "sh", "-c", "echo [$OPENAI_API_KEY$my_token][$HARMLESS][$SET]"]
    assert fx.run("run", "-q", *show, env=env).out == "[][h][]\n"
    assert fx.run("run", "-q", "--sanitize-env", *show, env=env).out == "[][][]\n"
    assert fx.run("run", "-q", "--env", "SET=1", "--clear-env", *show, env=env).out == "[][][1]\n"
    env.pop("LD_PRELOAD")
    assert fx.run("run", "-q", "--keep-env", *show, env=env).out == "[kt][h][]\n"
    assert fx.run("run", "-q", "--env", "OPENAI_API_KEY=mine", *show, env=env).out == \
        "[mine][h][]\n"


def only_named_descriptors_cross(fx: Fixture) -> None:
    read, write = os.pipe()
    os.set_inheritable(read, True)
    os.set_inheritable(write, True)
    code = "import os\nfor n in range(64):\n  try: os.fstat(n); print(n)\n  except OSError: pass"
    count = ["--", "/usr/bin/python3", "-c", code]
    got = fx.run("run", "-q", *count, pass_fds=(read, write))
    assert got.out.split() == ["0", "1", "2"], got
    got = fx.run("run", "-q", "--keep-fd", str(read), *count, pass_fds=(read, write))
    assert str(read) in got.out.split() and str(write) not in got.out.split(), got
    os.close(read)
    os.close(write)


def network_is_closed_and_opens_whole(fx: Fixture) -> None:
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
    code = f"import socket; socket.create_connection(('127.0.0.1', {port})); print('in')"
    got = fx.run("run", "-q", "--", "/usr/bin/python3", "-c", code)
    assert got.out == "" and "refused" in got.err, got
    for option in ("--no-broker", "--loopback=none"):
        got = fx.run("run", "-q", option, "--", "/usr/bin/python3", "-c", code)
        assert got.out == "" and "unreachable" in got.err, got
    assert fx.run("run", "-q", "--net", "--", "/usr/bin/python3", "-c", code).out == "in\n"
    server.close()


def unix_sockets_are_closed_and_open_whole(fx: Fixture) -> None:
    path = str(fx.out / "s")
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
    code = f"import socket; socket.socket(socket.AF_UNIX).connect('{path}'); print('in')"
    got = fx.run("run", "-q", "--", "/usr/bin/python3", "-c", code)
    assert got.out == "", got
    got = fx.run("run", "--allow-unix", "--", "/usr/bin/python3", "-c", code)
    assert got.out == "in\n" and got.err == "", got
    got = fx.run("run", "--allow-unix", "--no-broker", "--", "/usr/bin/python3", "-c", code)
    assert got.out == "in\n" and "unix-sockets-not-confined" in got.err, got
    got = fx.run("run", f"--allow-unix={path}", "--", "/usr/bin/python3", "-c", code)
    assert got.out == "in\n", got
    got = fx.run("run", f"--allow-unix={path}x", "--", "/usr/bin/python3", "-c", code)
    assert got.out == "", got
    server.close()


def best_effort_says_what_is_lost(fx: Fixture) -> None:
    got = fx.run("run", "--pretend-abi", "3", "--best-effort", "--", "echo", "ran")
    assert got.out == "ran\n" and "signal-scope" in got.err, got
    got = fx.run("run", "--pretend-abi", "1", "--best-effort", "--", "sh", "-c",
                 f"echo x > {fx.out}/f; echo x > f")
    assert not (fx.out / "f").exists() and (fx.ws / "f").exists(), got


# ---- the private temp directory ----------------------------------------------------------------


def temp_directory_is_private_and_removed(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--", "sh", "-c",
                 "echo x > $TMPDIR/f; mkdir -m 0 $TMPDIR/d; mktemp >/dev/null; echo $TMPDIR")
    path = got.out.strip()
    assert path.startswith(str(fx.tmp)) and not os.path.exists(path), got


def temp_directory_of_a_killed_run_is_removed_at_once(fx: Fixture) -> None:
    run = fx.start("run", "-q", "--", "sh", "-c", "echo $TMPDIR; sleep 60")
    path = run.stdout.readline().strip()
    assert os.path.isdir(path)
    run.kill()
    run.wait()
    assert wait_for(lambda: not os.path.exists(path))


def leftovers_are_swept_and_living_ones_kept(fx: Fixture) -> None:
    living = fx.start("run", "-q", "--", "sh", "-c", "echo $TMPDIR; sleep 60")
    kept = living.stdout.readline().strip()
    base = os.path.dirname(kept)
    stale = os.path.join(base, "run-stale")
    os.makedirs(os.path.join(stale, "deep"))
    assert fx.run("run", "-q", "--", "sleep", "0.3").status == 0
    assert not os.path.exists(stale) and os.path.isdir(kept)
    living.terminate()
    living.wait()


def foreign_temp_base_is_refused(fx: Fixture) -> None:
    base = fx.tmp / f"bailey-{os.geteuid()}"
    base.mkdir(mode=0o755)
    base.chmod(0o755)
    got = fx.run("run", "-q", "--", "true")
    assert got.status == 125 and "open to others" in got.err, got
    base.rmdir()
    base.symlink_to(fx.out)
    assert fx.run("run", "-q", "--", "true").status == 125


def locks_of_a_command_hold_up_no_other_run(fx: Fixture) -> None:
    """Whoever may open a directory for reading may lock it, and all may read."""
    base = fx.tmp / f"bailey-{os.geteuid()}"
    locker = fx.start("run", "-q", "--read-only", "--tmp", "--", "sh", "-c",
                      f"exec 8<{base}; flock -s 8; echo locked; sleep 20")
    assert locker.stdout.readline() == "locked\n"
    begin = time.monotonic()
    assert fx.run("run", "-q", "--", "true").status == 0
    assert time.monotonic() - begin < 5
    locker.terminate()
    locker.wait()


def home_behind_a_symlink_has_its_caches(fx: Fixture) -> None:
    (fx.home / ".cache").mkdir()
    (fx.top / "link").symlink_to(fx.home)
    got = fx.run("run", "-q", "--", "sh", "-c", "mkdir -p $XDG_CACHE_HOME && echo $XDG_CACHE_HOME",
                 env={**fx.env, "HOME": str(fx.top / "link")})
    assert got.out.startswith(f"{fx.home}/.cache/bailey/"), got


# ---- names that somebody chose -----------------------------------------------------------------


def names_of_files_command_no_terminal(fx: Fixture) -> None:
    (fx.ws / "a\x1b]0;owned\x07" / ".git").mkdir(parents=True)
    for got in (fx.run("run", "--no-broker", "--", "true"), fx.run("policy", "explain"),
                fx.run("why", "a\x1b]0;owned\x07/.git"),
                fx.run("run", "--policy", "no\x1bfile", "--", "true")):
        assert "\x1b" not in got.out + got.err and "\\x1b" in got.out + got.err, got


def answers_about_names_that_are_not_utf8_are_json(fx: Fixture) -> None:
    name = b"bad\xff/x"
    (fx.ws / os.fsdecode(b"bad\xff") / ".git").mkdir(parents=True)
    got = fx.run("why", "--json", os.fsdecode(name))
    lines = [json.loads(line) for line in got.out.splitlines()]
    assert lines and all(line["subject"] == "bad\\xff/x" for line in lines), got
    json.loads(fx.run("policy", "explain", "--json").out)


def what_is_mounted_a_second_time_is_kept_out_there_too(fx: Fixture) -> None:
    other = fx.top / "other"
    other.mkdir()
    mount = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "sh",
             str(fx.home), str(other)]
    if subprocess.run([*mount, "true"], capture_output=True, check=False).returncode != 0:
        return  # only root may mount
    done = subprocess.run([*mount, *fx.argv("run", "-q", "--", "cat", f"{other}/.ssh/id")],
                          cwd=fx.ws, env=fx.env, capture_output=True, text=True, check=False)
    assert done.stdout == "" and "denied" in done.stderr, done


# ---- what the caller left ----------------------------------------------------------------------


def ignored_sigchld_does_no_harm(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--", "sh", "-c", "exit 3", restore_signals=False, timeout=5,
                 preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert got.status == 3, got


def alarm_of_the_caller_reaches_the_command(fx: Fixture) -> None:
    """As with `perl -e 'alarm 1; exec @ARGV'`: an alarm outlives exec."""
    got = fx.run("run", "-q", "--", "sleep", "20", timeout=5,
                 preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 0.5))
    assert got.status == 128 + signal.SIGALRM, got


def flags_of_shared_streams_are_put_back(fx: Fixture) -> None:
    ends = os.pipe()
    code = "import os; [os.set_blocking(n, False) for n in (0, 1, 2)]"
    done = subprocess.run(fx.argv("run", "-q", "--", "python3", "-I", "-c", code), cwd=fx.ws,
                          env=fx.env, stdin=ends[0], stdout=ends[1], stderr=ends[1], check=False)
    assert done.returncode == 0
    assert os.get_blocking(ends[0]) and os.get_blocking(ends[1])
    os.close(ends[0])
    os.close(ends[1])


# ---- nothing is left ---------------------------------------------------------------------------


def daemon(name: str) -> str:
    return f"(setsid bash -c \"trap '' TERM HUP INT; exec -a {name} sleep 60\" &) ; "


def daemon_ends_with_the_command(fx: Fixture) -> None:
    name = token()
    assert fx.run("run", "-q", "--", "bash", "-c", daemon(name) + "sleep 0.2; exit 4").status == 4
    assert not alive(name)


def daemon_ends_at_the_timeout(fx: Fixture) -> None:
    name = token()
    begin = time.monotonic()
    got = fx.run("run", "--timeout", "1", "--grace", "1", "--", "bash", "-c",
                 daemon(name) + "trap '' TERM; sleep 50; sleep 50")
    assert got.status == 124 and "--timeout" in got.err, got
    assert time.monotonic() - begin < 6 and not alive(name)


def timeout_lets_a_program_clean_up(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--timeout", "1", "--", "bash", "-c",
                 "trap 'echo cleaned; exit 9' TERM; sleep 30 & wait")
    assert got.status == 124 and got.out == "cleaned\n", got


def command_that_stops_itself_stops_no_clock(fx: Fixture) -> None:
    """Whoever stops is stopped at the end as well: there is no shell that waits for a job."""
    name = token()
    begin = time.monotonic()
    got = fx.run("run", "-q", "--timeout", "1", "--", "bash", "-c",
                 daemon(name) + "(kill -STOP $$) ; sleep 9", timeout=20)
    assert got.status == 124 and time.monotonic() - begin < 8, got
    assert not alive(name)
    got = fx.run("run", "-q", "--no-broker", "--pids", "20", "--timeout", "30", "--", "bash", "-c",
                 "(sleep 0.3; for i in $(seq 100); do sleep 20 & done; wait) & kill -STOP $$",
                 timeout=20)
    assert got.status == 137, got


def kill_of(fx: Fixture, which: str) -> None:
    name = token()
    run = fx.start("run", "-q", "--", "bash", "-c",
                   daemon(name) + f"exec -a {name} sleep 60", start_new_session=True)
    assert wait_for(lambda: len(alive(name)) >= 2 and guard_of(run.pid))
    os.kill(run.pid if which == "launcher" else guard_of(run.pid), signal.SIGKILL)
    assert wait_for(lambda: not alive(name)), alive(name)
    status = run.wait(5)
    assert status == (-9 if which == "launcher" else 137), status


def killing_the_launcher_ends_all(fx: Fixture) -> None:
    kill_of(fx, "launcher")


def killing_the_guard_ends_all(fx: Fixture) -> None:
    kill_of(fx, "guard")


def killing_the_launcher_at_any_moment_leaves_nothing(fx: Fixture) -> None:
    for step in range(60):
        name = token()
        run = fx.start("run", "-q", "--", "bash", "-c", daemon(name) + f"exec -a {name} sleep 60",
                       start_new_session=True)
        time.sleep(step * 0.0004)
        run.kill()
        run.wait()
        assert wait_for(lambda: not alive(name), 3), (step, alive(name))
        run.stdout.close()
        run.stderr.close()


def killing_the_group_of_the_launcher_ends_all(fx: Fixture) -> None:
    for options in ((), ("--no-broker",), ("--keep-background",)):
        name = token()
        run = fx.start("run", "-q", *options, "--", "bash", "-c",
                       daemon(name) + f"exec -a {name} sleep 60", start_new_session=True)
        assert wait_for(lambda: len(alive(name)) >= 2)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        assert wait_for(lambda: not alive(name)), (options, alive(name))
        assert wait_for(lambda: not any(fx.tmp.glob("bailey-*/*")))


def stopped_helper_goes_on(fx: Fixture) -> None:
    for which in ("bailey-guard", "bailey-broker"):
        run = fx.start("run", "-q", "--", "bash", "-c", "trap 'exit 5' TERM; echo on; "
                       "while :; do mkdir d; rmdir d; done")
        assert run.stdout.readline() == "on\n"
        helper = [pid for pid in children(run.pid) if name_of(pid) == which][0]
        os.kill(helper, signal.SIGSTOP)
        time.sleep(0.1)
        run.terminate()
        assert run.wait(5) == 5, which


def term_to_the_launcher_reaches_the_command(fx: Fixture) -> None:
    run = fx.start("run", "-q", "--", "bash", "-c", "trap 'echo got; exit 5' TERM; echo on; "
                   "while :; do sleep 0.1; done")
    assert run.stdout.readline() == "on\n"
    run.terminate()
    assert run.wait(5) == 5 and run.stdout.read() == "got\n"


def other_signals_reach_the_command(fx: Fixture) -> None:
    for number in (signal.SIGUSR1, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGWINCH):
        run = fx.start("run", "-q", "--", "bash", "-c",
                       f"trap 'exit 6' {int(number)}; echo on; while :; do sleep 0.1; done",
                       start_new_session=True)
        assert run.stdout.readline() == "on\n"
        run.send_signal(number)
        assert run.wait(5) == 6, number


def it_ends_when_its_parent_does(fx: Fixture) -> None:
    for option, expected in ((None, False), ("--outlive-parent", True)):
        name = token()
        args = [fx.bailey, "run", "-q", *([option] if option else []), "--", "bash", "-c",
                f"exec -a {name} sleep 60"]
        code = "import subprocess, sys, time; subprocess.Popen(sys.argv[1:]); time.sleep(1)"
        parent = subprocess.Popen([sys.executable, "-c", code, *args], cwd=fx.ws, env=fx.env,
                                  start_new_session=True, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL)
        assert wait_for(lambda: alive(name))
        parent.kill()
        parent.wait()
        gone = wait_for(lambda: not alive(name), 1.5 if expected else 5)
        assert gone != expected, (option, gone)
        for pid in alive(name):
            os.kill(pid, signal.SIGKILL)


def fork_bomb_is_bounded(fx: Fixture) -> None:
    """The kernel's part ends it, the broker lets it grow no further: forks fail as they may."""
    bomb = ("bash", "-c", "f() { f | f & }; f; sleep 2")
    got = fx.run("run", "-q", "--no-broker", "--pids", "40", "--timeout", "20", "--", *bomb,
                 timeout=25)
    assert got.status == 137, got
    got = fx.run("run", "--exact-pids", "--pids", "40", "--timeout", "20", "--", *bomb, timeout=25)
    assert got.status in (0, 254) and "(--pids)" in got.err, got
    code = ("import os, threading, time\n"
            "def made(start):\n"
            "    for i in range(99):\n"
            "        try: start()\n"
            "        except (BlockingIOError, RuntimeError): return i\n"
            "def fork():\n"
            "    if os.fork() == 0: time.sleep(60)\n"
            "def thread(): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
            "print(made(fork) + made(thread), flush=True)\n"
            "os._exit(0)\n")
    got = fx.run("run", "-q", "--exact-pids", "--pids", "20", "--", "/usr/bin/python3", "-c", code)
    assert got.out == "19\n", got


# ---- limits ------------------------------------------------------------------------------------


def limits_end_the_tree_and_say_so(fx: Fixture) -> None:
    hog = "x = []\nwhile True: x.append(bytearray(1 << 20))"
    fork = "import os\nfor i in range(8):\n  if os.fork() == 0: break\n" \
           "x = bytearray(os.urandom(1 << 20) * 30)\nimport time; time.sleep(5)"
    disk = "while :; do head -c 1048576 /dev/zero > f$((i += 1)); done"
    spin = "for i in 1 2 3 4; do (while :; do :; done) & done; wait"
    # one process alone is held by its own rlimit, many together by the measuring
    got = fx.run("run", "--memory", "80", "--", "/usr/bin/python3", "-c", hog)
    assert got.status in (1, 137), got
    got = fx.run("run", "--memory", "120", "--", "/usr/bin/python3", "-c", fork)
    assert got.status == 137 and "--memory" in got.err, got
    got = fx.run("run", "--no-broker", "--pids", "10", "--", "bash", "-c",
                 "for i in $(seq 40); do sleep 5 & done; wait")
    assert got.status == 137 and "--pids" in got.err, got
    got = fx.run("run", "--cpu", "1", "--", "bash", "-c", spin, timeout=20)
    assert got.status == 137, got
    got = fx.run("run", "--files", "16", "--", "bash", "-c", "ulimit -n; ulimit -Hn")
    assert got.out == "16\n16\n", got
    if os.statvfs(fx.ws).f_bsize and "tmpfs" not in mount_type(str(fx.ws)):
        got = fx.run("run", "--disk", "20", "--timeout", "20", "--", "bash", "-c", disk, timeout=30)
        assert got.status == 137 and "--disk" in got.err, got


def mount_type(path: str) -> str:
    return subprocess.run(["stat", "-f", "-c", "%T", path], capture_output=True,
                          text=True, check=True).stdout


def no_core_is_dumped(fx: Fixture) -> None:
    got = fx.run("run", "-q", "--", "bash", "-c", "ulimit -c; kill -SEGV $$")
    assert got.out == "0\n" and got.status == 139, got


# ---- in place ----------------------------------------------------------------------------------


def in_place_leaves_no_process_behind(fx: Fixture) -> None:
    run = fx.start("run", "-q", "--read-only", "--limits", "unlimited", "--in-place", "--", "sleep",
                   "30")
    assert wait_for(lambda: open(f"/proc/{run.pid}/comm").read() == "sleep\n")
    assert not children(run.pid)
    run.kill()
    run.wait()
    got = fx.run("run", "--read-only", "--limits", "unlimited", "--in-place", "--", "sh", "-c",
                 "echo x > f; cat ~/.ssh/id; exit 3")
    assert got.status == 3 and got.err.count("denied") == 2 and "not-reaped" in got.err, got


main([value for name, value in list(globals().items())
      if callable(value) and getattr(value, "__module__", "") == "__main__"
      and name not in ("token", "daemon", "kill_of", "mount_type")])
