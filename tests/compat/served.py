# SPDX-License-Identifier: MIT
"""What the broker performs for a program, in numbers and in odd forms: repositories, big trees,
locks, attributes, servers, shared memory, signals."""

from case import Case

# ---- repositories with a protected .git ----------------------------------------------------------

GIT_VARIES = ("*.git/index", "*.git/objects/pack/*", "*.git/worktrees/*/index")
HOOKS = ("--protect-git", "hooks")
REPOSITORY = """
git init -q .
seq 100 >numbers
mkdir sub
echo text >sub/file
ln -s numbers link
printf '#!/bin/sh\\necho hooked\\n' >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
git add .
git commit -qm first
git tag v1
git branch other
"""
WORKTREE = f"""
mkdir project
cd project
{REPOSITORY}
git worktree add -q ../tree -b tree
"""

GIT_CASES = (
    Case(
        "git-looks-at-a-checkout",
        """
        seq 90 >numbers
        echo new >new
        git status --short --branch
        git diff --stat
        git log --oneline --decorate
        git blame -L 1,2 numbers
        git stash list
        git ls-files --stage
        """,
        needs="git",
        setup=REPOSITORY,
        ignore=GIT_VARIES,
    ),
    Case(
        "git-works-with-hooks-protected",
        """
        seq 90 >numbers
        git add numbers
        git commit -qm second
        echo stashed >sub/file
        git stash -q
        git stash pop -q
        git commit -qam third
        git checkout -q other
        git checkout -qb another
        git mv numbers figures
        git commit -qm moved
        git merge -q -m merged main
        git rebase -q main other
        git checkout -q main
        git tag -a -m annotated v2
        git reset -q --hard HEAD~1
        git gc -q
        git fsck --strict
        git log --graph --oneline --all
        git status
        ls -l .git/hooks/pre-commit .git/config | cut -c 1-10
        """,
        needs="git",
        setup=REPOSITORY,
        options=HOOKS,
        ignore=(*GIT_VARIES, "*.git/logs/*"),
    ),
    Case(
        "git-works-in-a-worktree",
        """
        cd tree
        seq 80 >numbers
        git commit -qam second
        echo stashed >sub/file
        git stash -q
        git stash pop -q
        git checkout -q -- sub/file
        git checkout -qb another
        git gc -q
        git -C ../project merge -q tree
        git worktree list | sed 's/.* //'
        git log --oneline --all
        git status --short --branch
        """,
        needs="git",
        setup=WORKTREE,
        options=HOOKS,
        ignore=(*GIT_VARIES, "*.git/logs/*"),
    ),
    Case(
        "git-init-nested",
        "git init -q nested || { find nested; exit 1; }",
        needs="git",
        setup=REPOSITORY,
        options=HOOKS,
        refused=r"nested/\.git.*: Permission denied",
    ),
    Case(
        "git-clone-nested",
        "git clone -q . nested || { find . -path ./.git -prune -o -print; exit 1; }",
        needs="git",
        setup=REPOSITORY,
        refused=r"nested/\.git: Permission denied",
    ),
    Case(
        "git-config",
        "git config core.pager 'touch here'",
        needs="git",
        setup=REPOSITORY,
        options=HOOKS,
        refused=r"\.git/config: Permission denied",
    ),
    Case(
        "git-init-unprotected",
        """
        git init -q nested
        git clone -q . copy
        ls -A nested copy
        """,
        needs="git",
        setup=REPOSITORY,
        options=("--no-protect",),
        ignore=GIT_VARIES,
    ),
)

# ---- many files, and few in odd forms ------------------------------------------------------------

LISTING = """
find . -type d -printf '%M %n %p\\n' -o -printf '%M %n %s %T@ %p %l\\n' | sort | sha256sum
"""
TREE = """
import io, tarfile
def name(number):
    return f"tree/{number % 97}/{number % 13}/file{number}"
with tarfile.open("many.tar", "w") as archive:
    for number in range(20_000):
        member = tarfile.TarInfo(name(number))
        data = str(number).encode() * (number % 50)
        member.size, member.mtime = len(data), 1_000_000_000 + number
        member.mode = (0o644, 0o600, 0o755, 0o444)[number % 4]
        if number % 100 == 99:
            member.type, member.linkname, member.size = tarfile.SYMTYPE, "../elsewhere", 0
        if number % 100 == 98 and number > 97:
            member.type, member.size = tarfile.LNKTYPE, 0
            member.linkname = name(number - 97)
        archive.addfile(member, io.BytesIO(data))
"""
PACKAGES = """
for name in one two three four five; do
    mkdir -p package/lib
    for n in $(seq 240); do echo "module.exports = $n" >package/lib/$n.js; done
    echo "module.exports = require('./lib/240')" >package/index.js
    printf '#!/usr/bin/env node\\nconsole.log("%s")\\n' $name >package/cli.js
    chmod +x package/cli.js
    printf '{"name":"%s","version":"1.0.0","bin":"cli.js","main":"index.js",
        "scripts":{"postinstall":"node cli.js >installed"}}' $name >package/package.json
    tar c --sort name --mtime @0 package | gzip -n >$name.tgz
    rm -r package
done
echo '{"name":"app","version":"1.0.0","private":true}' >package.json
"""

FILE_CASES = (
    Case(
        "tar-of-20000-files",
        f"""
        mkdir there
        tar xf many.tar -C there
        (cd there/tree; {LISTING})
        tar xf many.tar --wildcards 'tree/1*'
        mv tree new
        tar xf many.tar -C there --wildcards 'tree/2*'
        (cd new; {LISTING})
        tar cf again.tar -C there tree
        tar tvf again.tar | awk '{{ print $1, $3, $6 }}' | sort | sha256sum
        rm -r new there
        ls
        """,
        needs="python3 tar",
        setup=f"python3 -c '{TREE}'",
        same="out",
    ),
    Case(
        "npm-install-tarballs",
        """
        npm install --silent --no-audit ./one.tgz ./two.tgz ./three.tgz ./four.tgz ./five.tgz
        find node_modules | wc -l
        npx --no-install three
        node -p 'require("one") + require("five")'
        npm ls
        npm uninstall --silent two
        rm -r node_modules
        npm ci --silent --no-audit
        cat node_modules/*/installed
        """,
        needs="node npm",
        setup=PACKAGES,
        ignore=("node_modules/.package-lock.json",),
    ),
    Case(
        "odd-files",
        "umask 027; python3 odd_files.py",
        needs="python3",
        inputs="python",
    ),
    Case(
        "locks-and-pipes",
        """
        exec 9>lock
        flock 9
        flock -n lock true || echo taken
        (sleep 0.3; flock -u 9) &
        flock -w 20 lock echo got it
        mkfifo -m 600 pipe
        (sleep 0.2; cat <pipe) &
        echo through it >pipe
        wait
        timeout 0.3 sh -c 'echo nobody reads >pipe' || echo status $?
        timeout 0.3 cat pipe || echo status $?
        exec 8<>pipe
        echo kept >pipe
        read -r line <&8
        echo "$line"
        ls -l | cut -c 1-10
        """,
        needs="flock",
    ),
    Case(
        "small-tools",
        """
        printf 'one\\ntwo\\n' >text
        chmod 640 text
        sed -i.old s/two/three/ text
        install -D -m 440 text deep/er/installed
        ln -s text link
        sed -i --follow-symlinks s/one/1/ link
        mkdir from to
        cp -a text link from
        mv from/text to/moved
        mv -T to renamed
        mv link "$TMPDIR"
        mv "$TMPDIR/link" back
        mkdir "$TMPDIR/directory"
        cp text "$TMPDIR/directory"
        mv "$TMPDIR/directory" .
        ln text hard
        cp --remove-destination hard text
        tee -a hard <back
        touch -r renamed/moved -c text
        vi -es -c '%s/three/3/' -c 'w! written' -c wq text
        split -l 1 text part
        truncate -s 0 hard
        patch -s <<END
        --- text
        +++ text
        @@ -1,2 +1,2 @@
         1
        -3
        +three
        END
        rename.ul part piece part* 2>/dev/null || mv partaa pieceaa
        shred -u pieceaa
        cat text written
        """,
        needs="vi patch",
        ignore=("partab", "pieceab"),
    ),
)

# ---- sockets and shared memory -------------------------------------------------------------------

POSTGRES = "/usr/lib/postgresql/15/bin"

SERVER_CASES = (
    Case("python-servers", "python3 servers.py", "python3", "python"),
    Case("python-http-server", "python3 tcp_server.py", "python3", "python"),
    Case("python-unix-socket", "python3 unix_server.py", "python3", "python"),
    Case("shared-memory", "python3 shared_memory.py", "python3", "python"),
    Case("python-signals", "python3 signals.py", "python3", "python"),
    Case("node-servers", "node servers.js", "node", "node"),
    Case(
        "python-project",
        """
        python3 -m venv env
        pip='env/bin/pip --disable-pip-version-check'
        env/bin/python -c 'import backend; backend.build_wheel(".")'
        $pip install -q --no-index ./greet-1.2.3-py3-none-any.whl
        cat >test_it.py <<'END'
        import subprocess, sys, threading, unittest, urllib.request
        from http.server import HTTPServer, SimpleHTTPRequestHandler
        class Test(unittest.TestCase):
            def test_server(self):
                server = HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
                threading.Thread(target=server.serve_forever, daemon=True).start()
                url = f"http://127.0.0.1:{server.server_port}/test_it.py"
                self.assertIn(b"HTTPServer", urllib.request.urlopen(url).read())
                server.shutdown()
            def test_greet(self):
                self.assertTrue(subprocess.check_output([sys.prefix + "/bin/greet"]))
        END
        env/bin/python -m unittest test_it 2>&1 | grep -E '^(Ran|OK)' | sed 's/ in .*//'
        """,
        needs="python3 py:ensurepip",
        inputs="greet-py",
        same="out",
    ),
    Case(
        "python-http-server-and-curl",
        """
        python3 -u -m http.server --bind 127.0.0.1 0 >log 2>&1 &
        server=$!
        until port=$(sed -n 's/.* port \\([0-9]*\\) .*/\\1/p' log) && test "$port"; do
            sleep 0.05
        done
        curl -sS -o got "http://127.0.0.1:$port/data"
        wget --no-netrc -q -O got2 "http://localhost:$port/data"
        exec 3<>"/dev/tcp/127.0.0.1/$port"
        printf 'HEAD /data HTTP/1.0\\r\\n\\r\\n' >&3
        head -1 <&3
        cmp got data
        cmp got2 data
        kill $server
        wait $server || echo $?
        """,
        needs="python3 curl wget",
        setup="seq 100000 >data",
        ignore=("log",),
        same="out",
    ),
    Case(
        "tmux-own-socket",
        """
        tmux -f /dev/null new-session -d 'echo typed >typed; exec cat'
        for i in $(seq 50); do test -s typed && break; sleep 0.1; done
        cat typed
        tmux list-sessions | cut -d '(' -f 1
        tmux send-keys echoed Enter
        for i in $(seq 50); do tmux capture-pane -p | grep -q echoed && break; sleep 0.1; done
        tmux capture-pane -p | grep -c echoed
        tmux kill-server
        """,
        needs="tmux",
        options=("--device", "pty"),
        same="out",
    ),
    Case(
        "postgres",  # which root may not start
        f"""
        export PATH={POSTGRES}:$PATH
        initdb -D data -A trust --no-sync >/dev/null
        pg_ctl -D data -w -l log -o "-k $PWD -h 127.0.0.1 -p 54329" start >/dev/null
        psql -h "$PWD" -p 54329 -Atc 'select sum(n) from generate_series(1, 1000) n' postgres
        psql -h 127.0.0.1 -p 54329 -Atc 'create table t as select 1 as n' postgres
        pgbench -h "$PWD" -p 54329 -i -q postgres 2>/dev/null
        pgbench -h 127.0.0.1 -p 54329 -c 4 -j 2 -t 50 postgres 2>&1 | grep actually
        pg_ctl -D data stop >/dev/null
        """,
        needs=f"{POSTGRES}/postgres {POSTGRES}/pgbench",
        options=("--ipc",),
        same="out",
        optional=True,
    ),
)

# ---- shells --------------------------------------------------------------------------------------

SHELL_CASES = tuple(
    Case(
        f"{shell}-pipelines{'-with-alarms' * bool(how)}",
        f'{shell} pipelines.sh "$ROUNDS" {how}',
        needs=f"{shell} python3",
        inputs="shell",
    )
    for shell in ("bash", "dash")
    for how in ("", "alarm")
)

CASES = (*GIT_CASES, *FILE_CASES, *SERVER_CASES, *SHELL_CASES)
