# SPDX-License-Identifier: MIT
"""bailey check: ways to ask, forms of the answer, exit statuses."""

import json

from harness import Fixture, main

STATUSES = {"allow": 0, "prompt": 3, "forbidden": 4}


def statuses_are_those_of_the_decision(fx: Fixture) -> None:
    for text, status in (("ls", 0), ("touch x", 3), ("rm -rf /", 4), ("ls && (", 3)):
        got = fx.run("check", text)
        assert got.status == status and got.err == "", (text, got)
        assert got.out.startswith({0: "allow", 3: "prompt", 4: "forbidden"}[status]), got


def one_argument_is_a_text_and_several_are_an_argv(fx: Fixture) -> None:
    assert fx.run("check", "rm -rf /").status == 4
    assert fx.run("check", "--", "rm", "-rf", "/").status == 4
    assert fx.run("check", "rm", "-rf", "/").status == 4
    assert fx.run("check", "--", "rm", "-rf", "~").status == 3  # no shell has looked at it
    got = fx.run("check", "--", "rm -rf /")
    assert got.status == 3 and "unknown" in got.out, got


def carets_stand_below_the_words(fx: Fixture) -> None:
    got = fx.run("check", "echo é\necho ü && rm -rf ~/src/..")
    lines = got.out.splitlines()
    assert lines[0] == (f"forbidden  delete-tree.root: deletes {fx.home}, your home directory, "
                        "and everything in it"), got
    assert lines[1] == "  echo ü && rm -rf ~/src/..", got
    assert lines[2].index("^") == lines[1].index("~"), got
    assert lines[2].count("^") == len("~/src/.."), got


def long_lines_are_cut_around_the_word(fx: Fixture) -> None:
    got = fx.run("check", "echo " + "x" * 5000 + " && rm -rf / && echo " + "y" * 5000)
    lines = got.out.splitlines()
    assert max(map(len, lines)) < 130, got
    assert lines[1].startswith("  ...") and lines[1].endswith("..."), got
    assert lines[1][lines[2].index("^")] == "/", got


def control_characters_do_not_reach_the_terminal(fx: Fixture) -> None:
    got = fx.run("check", "--explain", "rm -rf /\x1b]0;x\x07 ‮ab")
    assert "\x1b" not in got.out and "\x07" not in got.out and "‮" not in got.out, got
    assert "\\x1b" in got.out, got


def json_has_the_documented_members(fx: Fixture) -> None:
    got = fx.run("check", "--json", "FOO=1 sudo ls *.c > out.txt")
    verdict = json.loads(got.out)
    assert STATUSES[verdict["decision"]] == got.status == 3, got
    assert set(verdict) >= {"decision", "requires_sandbox", "readable", "text", "reasons",
                            "effects", "commands"}, got
    outer, inner = verdict["commands"]
    assert [w["text"] for w in outer["words"]] == ["sudo", "ls", "*.c"], got
    assert outer["words"][2]["kind"] == "glob" and outer["via"] is None, got
    assert outer["assignments"][0]["name"] == "FOO", got
    assert outer["redirections"][0]["op"] == ">", got
    assert inner["via"] == "sudo" and inner["parent"] == 0, got
    assert {"kind", "place", "target"} <= set(verdict["effects"][0]), got
    for reason in verdict["reasons"]:
        assert reason["rule"] and 0 <= reason["start"] <= reason["end"], got


def bytes_that_are_no_text_are_shown(fx: Fixture) -> None:
    import subprocess

    done = subprocess.run([fx.bailey, "check", "--json", b"ls \xff\xfe"], cwd=fx.ws, env=fx.env,
                          capture_output=True)
    assert done.returncode == 3 and json.loads(done.stdout)["readable"] is False, done


def many_commands_come_from_the_input(fx: Fixture) -> None:
    import subprocess

    def ask(option: str, data: bytes) -> subprocess.CompletedProcess:
        return subprocess.run([fx.bailey, "check", *option.split()], cwd=fx.ws, env=fx.env,
                              input=data, capture_output=True)

    done = ask("--stdin", b"ls\ntouch x\n\nrm -rf /\n")
    assert done.returncode == 4, done
    assert [line.split(b"\t")[0] for line in done.stdout.splitlines()] == [
        b"allow", b"prompt", b"allow", b"forbidden"], done
    done = ask("--stdin0", b"ls\nrm -rf /\0ls")
    assert done.returncode == 4 and len(done.stdout.splitlines()) == 2, done
    done = ask("--stdin0 --json", b"ls\0ls\ntouch x\0")
    assert [json.loads(line)["decision"] for line in done.stdout.splitlines()] == [
        "allow", "prompt"], done
    assert ask("--stdin", b"").returncode == 0


def explain_lists_every_command(fx: Fixture) -> None:
    got = fx.run("check", "--explain", "x=rm; sudo env $x -rf \"$y\" build")
    lines = [line for line in got.out.splitlines() if line[:4].strip().isdigit()]
    assert lines[-1].split("  ")[-2].strip() == "rm -rf ... build", got
    assert lines[-1].endswith("(by env)"), got


def policies_say_what_is_workspace_and_what_is_secret(fx: Fixture) -> None:
    target = f"rm -rf {fx.out}/x"
    assert fx.run("check", "--cwd", "/usr", "rm -rf /srv/x").status == 4
    assert fx.run("check", "--cwd", "/usr", "-w", "/srv", "rm -rf /srv/x").status == 3
    assert fx.run("check", target).status in (3, 4)
    policy = ('{"type":"workspace_write","writable_roots":[{"root":"/srv"}],'
              '"sensitive_paths":[{"path":"/opt/keys"}]}')
    assert fx.run("check", "--policy", policy, "rm -rf /srv/x").status == 3
    assert fx.run("check", "--policy", policy, "cat /opt/keys/a").status == 4
    assert fx.run("check", "cat /opt/keys/a").status == 0


def quiet_prints_nothing(fx: Fixture) -> None:
    for args in (["-q"], ["-q", "--json"], ["-q", "--explain"]):
        got = fx.run("check", *args, "rm -rf /")
        assert got.status == 4 and got.out == "" and got.err == "", got


def nothing_is_run(fx: Fixture) -> None:
    fx.run("check", "touch ran; echo $(touch ran2)")
    assert not list(fx.ws.iterdir())


if __name__ == "__main__":
    main([
        statuses_are_those_of_the_decision,
        one_argument_is_a_text_and_several_are_an_argv,
        carets_stand_below_the_words,
        long_lines_are_cut_around_the_word,
        control_characters_do_not_reach_the_terminal,
        json_has_the_documented_members,
        bytes_that_are_no_text_are_shown,
        many_commands_come_from_the_input,
        explain_lists_every_command,
        policies_say_what_is_workspace_and_what_is_secret,
        quiet_prints_nothing,
        nothing_is_run,
    ])
