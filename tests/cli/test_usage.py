# SPDX-License-Identifier: MIT
"""Bad input: each mistake has its own message and its documented exit status."""

import json
import os

from harness import Fixture, main

POLICY = '{"type":"workspace_write","writable_roots":[],"exclude_slash_tmp":true,' \
         '"exclude_tmpdir_env_var":true}'

# arguments, exit status, part of stderr
MISTAKES = [
    ([], 2, "a command is missing"),
    (["nonsense"], 2, "unknown command 'nonsense'"),
    (["run"], 2, "a command is missing"),
    (["run", "--read-only"], 2, "a command is missing"),
    (["run", "--nonsense", "--", "true"], 2, "option '--nonsense'"),
    (["run", "-Z", "true"], 2, "unknown option '-Z'"),
    (["run", "--write"], 2, "option '--write' needs an argument"),
    (["run", "--net=yes", "true"], 2, "takes no argument"),
    (["run", "--timeout", "soon", "true"], 2, "--timeout expects a whole number"),
    (["run", "--timeout", "-1", "true"], 2, "--timeout expects a whole number"),
    (["run", "--memory", "99999999999999999999", "true"], 2, "--memory expects a whole number"),
    (["run", "--env", "novalue", "true"], 2, "--env expects NAME=VALUE"),
    (["run", "--keep-fd", "77", "true"], 2, "no such descriptor"),
    (["run", "--keep-env", "--clear-env", "true"], 2, "exclude each other"),
    (["run", "--read-only", "--full-access", "true"], 2, "exclude each other"),
    (["run", "--compat", "other", "true"], 2, "--compat knows"),
    (["run", "--limits", "tiny", "true"], 2, "tiny"),
    (["run", "--caches", "some", "true"], 2, "some"),
    (["run", "--seccomp", "lax", "true"], 2, "lax"),
    (["run", "--", "no-such-program"], 127, "no program 'no-such-program' in PATH"),
    (["run", "--", "./no-such-file"], 127, "no file './no-such-file'"),
    (["run", "--", "/etc/passwd"], 126, "not an executable file"),
    (["run", "--", "/etc"], 126, "it is a directory"),
    (["run", "-w", "/no/such/root", "--", "true"], 125, "does not exist"),
    (["run", "-w", "relative", "--", "true"], 125, "/relative' does not exist"),
    (["run", "--policy", '{"type":"workspace_write","writable_roots":[{"root":"x"}]}', "true"],
     125, "--policy:1:"),
    (["run", "-w", "/", "--", "true"], 125, "whole file system"),
    (["run", "-w", "~/.ssh", "--", "true"], 125, "keeps out"),
    (["run", "--deny", "/usr", "--", "true"], 125, "hides the program"),
    (["run", "--deny", ".", "--", "true"], 125, "keeps out"),
    (["run", "--read-only", "--deny", ".", "--", "true"], 125, "hides the working directory"),
    (["run", "--policy", "/no/such/policy.json", "--", "true"], 125, "cannot open"),
    (["run", "--policy", "/etc", "--", "true"], 125, "not a regular file"),
    (["run", "--policy", "{", "--", "true"], 125, "--policy:1:"),
    (["run", "--policy", '{"type":"nope"}', "--", "true"], 125, "nope"),
    (["run", "--policy", '{"type":"read_only","x":1}', "--", "true"], 125, "unknown key 'x'"),
    (["run", "--profile", "nodejs", "--", "true"], 125, "node"),
    (["run", "--allow-net", "example.org", "--", "true"], 125, "does not have"),
    (["run", "--no-broker", "--protect-git", "hooks", "--", "true"], 125, "needs the broker"),
    (["run", "--no-broker", "--allow-unix=/x", "--", "true"], 125, "leave out --no-broker"),
    (["run", "--allow-unix=", "--", "true"], 2, "is empty"),
    (["run", "--loopback", "all", "--", "true"], 2, "'own', 'none'"),
    (["run", "--explain", "--", "true"], 125, "not in this version"),
    (["run", "--block-syscall", "chmodd", "--", "true"], 125, "chmod"),
    (["run", "--in-place", "--", "true"], 125, "--in-place leaves nobody behind"),
    (["run", "--pretend-abi", "0", "--", "true"], 125, "no Landlock"),
    (["run", "--pretend-abi", "2", "--", "true"], 125, "--best-effort"),
    (["run", "--pretend-abi", "0", "--best-effort", "--", "true"], 125, "no Landlock"),
    (["run", "--device", "toaster", "--", "true"], 2, "toaster"),
    (["run", "--cwd", "/no/such/dir", "--", "true"], 125, "--cwd"),
    (["sandbox-exec", "--", "true"], 2, "--sandbox-policy is missing"),
    (["sandbox-exec", "--sandbox-policy", POLICY], 2, "a command is missing"),
    (["sandbox-exec", "--sandbox-policy", "[]", "--", "true"], 125, "--sandbox-policy:1:"),
    (["sandbox-exec", "--sandbox-policy", POLICY, "--sandbox-policy", POLICY, "true"], 2, "twice"),
    (["sandbox-exec", "--sandbox-policy", POLICY, "--resource-limits", '{"max_pids":-1}', "--",
      "true"], 125, "--resource-limits:1:"),
    (["policy"], 2, ""),
    (["policy", "frobnicate"], 2, "unknown command 'policy frobnicate'"),
    (["policy", "validate"], 2, "a file to validate is missing"),
    (["policy", "validate", "/no/such.toml"], 1, "cannot open"),
    (["check"], 2, "a command is missing"),
    (["check", "--stdin", "ls"], 2, "not both"),
    (["check", "--nonsense", "ls"], 2, "option '--nonsense'"),
    (["check", "--policy", "{", "ls"], 125, "--policy:1:"),
    (["check", "--cwd", "/no/such/dir", "ls"], 125, "--cwd"),
    (["why"], 2, "is missing"),
    (["why", "example.org:99999"], 125, "the port expects"),
    (["debug", "frobnicate"], 2, "unknown command 'debug frobnicate'"),
]


def mistakes_are_told_with_their_status(fx: Fixture) -> None:
    wrong = []
    for args, status, part in MISTAKES:
        got = fx.run(*args)
        if got.status != status or part not in got.err:
            wrong.append((args, status, part, got.status, got.err))
    assert not wrong, "\n".join(map(str, wrong))


def nothing_runs_after_a_mistake(fx: Fixture) -> None:
    fx.run("run", "--allow-net", "example.org", "--", "touch", "ran")
    fx.run("run", "--nonsense", "--", "touch", "ran")
    assert not (fx.ws / "ran").exists()


def policy_file_errors_name_file_line_and_column(fx: Fixture) -> None:
    (fx.ws / "p.json").write_text('{\n  "type": "workspace_write",\n  "writeable_roots": []\n}\n')
    got = fx.run("run", "--policy", "p.json", "--", "true")
    assert got.status == 125 and "p.json:3:3" in got.err, got
    assert "did you mean 'writable_roots'" in got.err, got
    (fx.ws / "p.toml").write_text('[sandbox]\ndefault_policy = "read_only\n')
    got = fx.run("policy", "validate", "p.toml")
    assert got.status == 1 and "p.toml:2:" in got.err, got


def deleted_working_directory_is_told(fx: Fixture) -> None:
    gone = fx.ws / "gone"
    gone.mkdir()
    script = f"cd '{gone}' && rmdir '{gone}' && exec {fx.bailey} run -- true"
    import subprocess

    done = subprocess.run(["sh", "-c", script], env=fx.env, capture_output=True, text=True)
    assert done.returncode == 125 and "does not exist" in done.stderr, done


def unreadable_policy_is_told(fx: Fixture) -> None:
    if os.geteuid() == 0:
        return  # root reads everything
    path = fx.ws / "p.json"
    path.write_text(POLICY)
    path.chmod(0)
    got = fx.run("run", "--policy", "p.json", "--", "true")
    assert got.status == 125 and "Permission denied" in got.err, got


def help_and_version_answer(fx: Fixture) -> None:
    assert fx.run("--version").out.startswith("bailey ")
    assert fx.run("version").status == 0
    for command in ("check", "run", "policy", "why", "debug", "sandbox-exec"):
        for form in ([command, "--help"], ["help", command]):
            got = fx.run(*form)
            assert got.status == 0 and got.out.startswith("Usage: bailey " + command), got
    assert "Commands:" in fx.run("help").out
    assert fx.run("--help").status == 0


def write_errors_are_told(fx: Fixture) -> None:
    with open("/dev/full", "w", encoding="ascii") as full:
        import subprocess

        done = subprocess.run(fx.argv("policy", "explain"), cwd=fx.ws, env=fx.env, stdout=full,
                              stderr=subprocess.PIPE, text=True)
    assert done.returncode == 125 and "cannot write" in done.stderr, done


def policy_show_round_trips(fx: Fixture) -> None:
    first = fx.run("policy", "show", "-w", str(fx.out), "--memory", "100", "--deny", "~/x").out
    again = fx.run("policy", "show", "--policy", first.strip()).out
    assert json.loads(first) == json.loads(again)


def policy_explain_is_readable_and_json(fx: Fixture) -> None:
    text = fx.run("policy", "explain").out
    assert "kept out:" in text and "not held in this run:" in text
    plan = json.loads(fx.run("policy", "explain", "--json").out)
    assert plan["policy"] == "workspace_write" and plan["landlock"]["rules"]
    assert not any(note["gap"] for note in plan["notes"])
    assert plan["broker"]["roots"] == [str(fx.ws)] and "files" in plan["broker"]["parts"]
    plan = json.loads(fx.run("policy", "explain", "--json", "--no-broker").out)
    assert any(note["gap"] for note in plan["notes"]) and not plan["broker"]["parts"]


def why_answers_for_paths_and_hosts(fx: Fixture) -> None:
    got = fx.run("why", "/etc/passwd")
    assert got.status == 0 and "yes" in got.out and "no " in got.out, got
    got = fx.run("why", "~/.ssh/id")
    assert got.status == 1 and got.out.count("no ") == 2, got
    assert fx.run("why", "example.org:443").status == 1
    assert fx.run("why", "--net", "example.org:443").status == 0
    answer = json.loads(fx.run("why", "--json", "example.org").out)
    assert answer["allowed"] is False


def why_never_promises_what_is_not_held(fx: Fixture) -> None:
    (fx.ws / ".git").mkdir()
    got = fx.run("why", "--no-broker", str(fx.ws / "new"))
    assert "floor.new-entries" in got.out, got
    assert fx.run("run", "-q", "--no-broker", "--", "touch", "new").status != 0
    assert fx.run("run", "-q", "--no-broker", "--no-protect", "--", "touch", "new").status == 0
    (fx.ws / "new").unlink()
    assert "yes     write" in fx.run("why", str(fx.ws / "new")).out
    assert fx.run("run", "-q", "--", "touch", "new").status == 0


def why_knows_what_the_broker_holds(fx: Fixture) -> None:
    deep = fx.ws / "a/b/c/d/.git"
    deep.mkdir(parents=True)
    for path in (f"{deep}/config", f"{fx.ws}/.claude", f"{fx.ws}/x/.GIT"):
        got = fx.run("why", path)
        assert f"no      write {path}" in got.out and "[write.protected]" in got.out, got
        assert fx.run("run", "-q", "--", "mkdir", "-p", path).status != 0


def why_knows_which_parts_of_git_commits_need(fx: Fixture) -> None:
    (fx.ws / ".git" / "refs").mkdir(parents=True)
    for path, answer in ((".git/refs/x", "yes"), (".git/index", "yes"), (".git/config", "no "),
                         (".git/hooks/pre-commit", "no ")):
        got = fx.run("why", "--protect-git", "hooks", str(fx.ws / path))
        assert f"{answer}     write {fx.ws / path}" in got.out, got
        made = fx.run("run", "-q", "--protect-git", "hooks", "--", "touch", path).status == 0
        assert made == (answer == "yes"), (path, made)


def why_owns_up_to_what_is_not_held(fx: Fixture) -> None:
    deep = fx.ws / "a/b/c/d/.git"
    deep.mkdir(parents=True)
    (fx.ws / "open").write_text("x")
    (fx.home / ".ssh" / "link").symlink_to(fx.ws / "open")
    for path, verb in ((f"{deep}/config", "write"), (f"{fx.ws}/.claude", "write"),
                       (f"{fx.home}/.ssh/link", "read")):
        got = fx.run("why", "--no-broker", path)
        assert f"yes     {verb} {path}: the policy refuses it" in got.out, got
        assert "floor.not-held" in got.out, got
    assert fx.run("run", "-q", "--no-broker", "--", "touch", f"{deep}/config").status == 0
    assert fx.run("run", "-q", "--", "cat", f"{fx.home}/.ssh/link").out == "x"
    assert "three directories deep" in fx.run("policy", "explain", "--no-broker").out


def debug_reports_and_tests_itself(fx: Fixture) -> None:
    got = fx.run("debug", "capabilities")
    assert got.status == 0 and "Landlock" in got.out and "truncate" in got.out, got
    assert json.loads(fx.run("debug", "capabilities", "--json").out)["landlock_abi"] > 0
    got = fx.run("debug", "landlock")
    assert got.status == 0 and "FAILED" not in got.out and got.out.count("ok ") >= 3, got
    got = fx.run("debug", "landlock", "--", "sh", "-c", "echo out; echo err >&2; exit 3")
    assert got.status == 1 and "sandbox: linux_landlock" in got.out, got
    assert "exit status: 3" in got.out and "out\nerr\n" in got.out, got
    got = fx.run("debug", "seatbelt")
    assert got.status == 0 and "(deny default)" in got.out, got
    got = fx.run("debug", "seatbelt", "--allow-net", "example.org")
    assert got.status == 125, got


main([value for name, value in list(globals().items())
      if callable(value) and getattr(value, "__module__", "") == "__main__"])
