# SPDX-License-Identifier: MIT
"""What a sandbox refuses: soon, and in words that a person understands."""

from case import Case

UNREACHABLE = "[Uu]nreachable|EAI_AGAIN|[Nn]ame resolution"

NETWORK_CASES = (
    Case("curl-name", "curl -sS http://example.com/", "curl", refused="Could not resolve host"),
    Case("curl-address", "curl -sS --retry 3 http://192.0.2.1", "curl", refused="Couldn't connect"),
    Case("wget-name", "wget http://example.com/", "wget", refused="unable to resolve"),
    Case("wget-address", "wget http://192.0.2.1/", "wget", refused=UNREACHABLE),
    Case("wget-loopback", "wget http://127.0.0.1:1/", "wget", refused="Connection refused"),
    Case(
        "git-fetch",
        "git ls-remote https://example.com/x.git",
        needs="git",
        refused="Could not resolve host",
    ),
    Case("git-fetch-daemon", "git ls-remote git://192.0.2.1/x", "git", refused=UNREACHABLE),
    Case(
        "git-clone-ssh",
        "git clone ssh://example.com/x",
        needs="git ssh",
        refused="Could not resolve hostname|Permission denied",
    ),
    Case(
        "ssh",
        "ssh -F /dev/null -o BatchMode=yes example.com true",
        needs="ssh",
        refused="Could not resolve hostname",
    ),
    Case("rsync-daemon", "rsync rsync://192.0.2.1/x", "rsync", refused="error in socket IO"),
    Case(
        "pip-index",
        "env/bin/pip --disable-pip-version-check install x",
        needs="python3 py:ensurepip",
        setup="python3 -m venv env",
        refused="No matching distribution",
    ),
    Case("npm-view", "npm view left-pad", "npm", refused=UNREACHABLE),
    Case("npm-install", "npm install left-pad", "npm", refused=UNREACHABLE),
    Case(
        "cargo-build",
        "printf '[dependencies]\\nlibc = \"0.2\"\\n' >>Cargo.toml; cargo build",
        needs="cargo",
        inputs="rust",
        refused="Could ?n.t resolve host|failed to (get|update|download)",
        optional=True,
    ),
    Case(
        "python-connect",
        """python3 -c 'import urllib.request as u; u.urlopen("http://192.0.2.1")'""",
        needs="python3",
        refused=UNREACHABLE,
    ),
    Case(
        "node-fetch",
        """node -e 'fetch("http://example.com").catch(e => { throw e.cause })'""",
        needs="node",
        refused=UNREACHABLE,
    ),
    Case(
        "python-listen",
        "python3 tcp_server.py",
        needs="python3",
        inputs="python",
        options=("--loopback", "none"),
        refused=UNREACHABLE,
    ),
    Case(
        "node-listen",
        """node -e 'require("http").createServer().listen(0)'""",
        needs="node",
        options=("--loopback", "none"),
        refused="listen ENETUNREACH",
    ),
    Case("bash-connect", "echo >/dev/tcp/192.0.2.1/80", refused=UNREACHABLE),
)

REFUSED_CASES = (
    Case(
        "git-commit-in-a-checkout",
        "git commit -qam second",
        needs="git",
        setup="git init -q .; echo 1 >a; git add a; git commit -qm first; echo 2 >a",
        refused=r"index\.lock': Permission denied",
    ),
    Case(
        "nested-in-a-served-root",  # who restricts itself further has what the floor grants
        "../../../../bailey run -q --no-broker -- bash -c 'echo nested >file'",
        refused="file: Permission denied",
    ),
    Case(
        "nested-broker",  # the kernel allows one listener
        "../../../../bailey run -q -- true",
        refused="one listener; --no-broker",
    ),
    Case("java-temp", "java Temp.java", "java", "java", refused="Permission", optional=True),
    Case("strace", "strace true", "strace", refused="TRACEME.*Operation not permitted"),
    Case(
        "gdb",
        "gdb -nx -q -batch -ex run -ex 'quit $_exitcode' /bin/true",
        needs="gdb",
        refused="ptrace: Operation not permitted",
    ),
    Case("sudo", "sudo -n true", "sudo", refused="^sudo: ", optional=True),
    Case("su", "su -c true </dev/null", "su", refused="su: "),
    Case("mount", "mount -t tmpfs none .", "mount", refused="^mount: .*(denied|superuser)"),
    Case("unshare", "unshare -Ur true", "unshare", refused="Operation not permitted"),
    Case("dmesg", "dmesg", "dmesg", refused="Operation not permitted"),
    Case("date-set", "date -s 2001-02-03", refused="Operation not permitted"),
    Case("signal-init", "kill -0 1", refused="Operation not permitted"),
    Case("write-elsewhere", 'echo x >"$HOME/file"', refused="Permission denied"),
    Case("read-credentials", "cat ~/.netrc", refused="Permission denied"),
)

CASES = (*NETWORK_CASES, *REFUSED_CASES)
