# SPDX-License-Identifier: MIT
"""The table of what has to work in a sandbox: real programs, used as people use them.

A script runs in bash -e -u -o pipefail, in an empty workspace into which the contents of
inputs/NAME were copied for each name in `inputs`, and where `setup` ran before.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    run: str
    needs: str = ""  # programs, and Python modules as "py:NAME"
    inputs: str = ""
    setup: str = ""  # a script too, always outside of the sandbox
    options: tuple[str, ...] = ()  # of bailey run
    # What must be the same inside and outside: "out" (standard output), "files" (with what is in
    # them) or "names" (of files, with types and modes).
    same: str = "out files"
    ignore: tuple[str, ...] = ()  # patterns of paths whose contents may differ
    # Where this is given, the script runs inside only, has to fail there within so many seconds,
    # and to print something that matches.
    refused: str = ""
    seconds: float = 3
    optional: bool = False  # CI may lack the program: tests/allowed-skips has it too


# ---- git -----------------------------------------------------------------------------------------

# The index holds times and inode numbers; the rest is as reproducible as its dates, which are set.
GIT_VARIES = ("*.git/index", "*.git/objects/pack/*")
SOURCE = """
git init -q "$HOME/source"
cd "$HOME/source"
seq 100 >numbers
mkdir sub
echo text >sub/file
ln -s numbers link
git add .
git commit -qm first
git tag v1
seq 90 >numbers
git commit -qam second
"""

GIT_CASES = (
    Case(
        "git-clone-path",
        """
        git clone -q "$HOME/source" copy
        cd copy
        git log --oneline --decorate --stat
        git status --short --branch
        git fsck --strict
        """,
        needs="git",
        setup=SOURCE,
        same="out",  # objects are copied: what cannot be written cannot be linked into the copy
    ),
    Case(
        "git-clone-url",
        """
        git clone -q --depth 1 "file://$HOME/source" copy
        cd copy
        git log --oneline
        git fetch -q --unshallow
        git log --oneline
        git pull -q
        """,
        needs="git",
        setup=SOURCE,
        ignore=GIT_VARIES,
    ),
    Case(
        "git-daily-work",
        """
        mkdir project
        cd project
        git init -q
        seq 100 >a
        echo b >b
        git add .
        git status --short
        git commit -qm one
        git switch -qc topic
        sed -i 1d a
        git diff --stat
        git commit -qam two
        git mv b c
        git commit -qm three
        git switch -q main
        git branch -v
        git log --oneline --all
        git blame a | head -2
        git grep -n 50
        git archive topic | tar t
        git gc -q
        git count-objects -v | grep in-pack
        git status
        """,
        needs="git",
        ignore=GIT_VARIES,
    ),
    Case(
        "git-merge-rebase-bisect",
        """
        mkdir project
        cd project
        git init -q
        echo start >a
        git add a
        git commit -qm start
        for i in 1 2 3 4 5; do echo line$i >>a; git commit -qam $i; done
        git switch -qc topic HEAD~3
        echo b >b
        git add b
        git commit -qm b
        git rebase -q main
        git switch -q main
        git merge -q --no-ff -m merged topic
        echo stashed >b
        git stash -q
        git stash pop
        git checkout -q b
        git bisect start HEAD HEAD~5
        git bisect run sh -c '! grep -q line3 a' | tail -3
        git bisect reset
        git log --graph --oneline
        """,
        needs="git",
        ignore=(*GIT_VARIES, "*.git/logs/*", "*.git/ORIG_HEAD"),
    ),
    Case(
        "git-worktree-submodule",
        """
        mkdir project
        cd project
        git init -q
        git submodule add -q "$HOME/source" sub
        git commit -qm sub
        git submodule status
        git worktree add -q ../tree -b tree
        cd ../tree
        git submodule update -q --init
        echo x >x
        git add x
        git commit -qm x
        git worktree list --porcelain
        cd ../project
        git worktree remove --force ../tree
        git merge -q tree
        git log --oneline --all
        ls
        """,
        needs="git",
        setup=SOURCE,
        same="out",
    ),
    Case(
        "git-push-hooks",
        """
        git init -q --bare hub.git
        git clone -q hub.git one
        cd one
        printf '#!/bin/sh\\necho hooked\\n' >.git/hooks/pre-commit
        chmod +x .git/hooks/pre-commit
        echo a >a
        git add a
        git commit -qm a
        git push -q origin HEAD
        git clone -q ../hub.git ../two
        git -C ../two log --oneline --decorate
        """,
        needs="git",
        ignore=GIT_VARIES,
    ),
    Case(
        "git-in-a-checkout",
        """
        git switch -qc topic
        seq 80 >numbers
        git commit -qam third
        git log --oneline
        git gc -q
        git status --short
        """,
        needs="git",
        setup="git init -q .; seq 100 >numbers; git add .; git commit -qm first",
        options=("--no-protect",),
        ignore=GIT_VARIES,
    ),
)

# ---- building ------------------------------------------------------------------------------------

BUILD_CASES = (
    Case(
        "make",
        "make -s; ./words 'to be or not'; make -s check",
        needs="gcc make",
        inputs="c",
    ),
    Case(
        "make-parallel",
        """
        make -s -j2
        ./words
        make -s clean
        make -s -j2 CFLAGS='-O0 -g -flto'
        ar t libwords.a
        nm words | grep -c count_words
        strip words
        ./words
        """,
        needs="gcc make",
        inputs="c",
        same="out names",
    ),
    Case(
        "cmake",
        """
        cmake -S . -B out >/dev/null
        cmake --build out -j2 >/dev/null
        out/main 'three words here'
        (cd out && ctest | grep passed)
        cmake --install out --prefix installed >/dev/null
        installed/bin/main
        """,
        needs="gcc make cmake",
        inputs="c",
        same="out names",
    ),
    Case(
        "meson",
        """
        meson setup out . >/dev/null
        ninja -C out >/dev/null
        out/main 'one two three'
        meson test -C out | grep ^Ok
        """,
        needs="gcc meson ninja",
        inputs="c",
        same="out",
    ),
    Case(
        "c++-threads",
        "g++ -O1 -pthread -o threads threads.cpp; for i in 1 2 3; do ./threads; done",
        needs="g++",
        inputs="c",
    ),
    Case(
        "sanitizers",
        """
        gcc -g -fsanitize=address,undefined -o asan main.c count.c longest.c
        ./asan
        g++ -g -fsanitize=thread -pthread -o tsan threads.cpp
        ./tsan
        """,
        needs="gcc g++",
        inputs="c",
    ),
    Case(
        "valgrind",
        "make -s; valgrind -q ./words",
        needs="gcc make valgrind",
        inputs="c",
        optional=True,
    ),
    Case(
        "java",
        "javac Hello.java; java Hello; java Hello.java",
        needs="java javac",
        inputs="java",
        optional=True,
    ),
    Case(
        "java-temp-file",  # in /tmp, whatever TMPDIR says
        "java Temp.java",
        needs="java javac",
        inputs="java",
        options=("--real-tmp", "--no-protect"),
        optional=True,
    ),
    Case(
        "go",
        "go vet; go build; ./hello; go run .",
        needs="go",
        inputs="go",
        same="out",
        optional=True,
    ),
    Case(
        "cargo",
        "cargo -q run --offline; cargo test --offline 2>&1 | grep -c passed; ls target",
        needs="cargo",
        inputs="rust",
        same="out",
        optional=True,
    ),
)

# ---- node and Python -----------------------------------------------------------------------------

NPM_VARIES = ("app/node_modules/.package-lock.json",)

NODE_CASES = (
    Case("node-children", "node children.js", needs="node", inputs="node"),
    Case("node-library", "node library.js", needs="node", inputs="node"),
    Case(
        "npm-install-directory",
        """
        cd app
        npm install --silent ../greet
        npm test --silent
        npm run --silent hello
        npm ls
        npx --no-install greet npx
        """,
        needs="node npm",
        inputs="greet-js",
        ignore=NPM_VARIES,
    ),
    Case(
        "npm-pack-and-ci",
        """
        (cd greet && npm pack --silent)
        cd app
        npm install --silent ../greet/greet-1.2.3.tgz
        npm test --silent
        rm -r node_modules
        npm ci --silent
        npm test --silent
        node -p 'require("greet/package.json").version'
        """,
        needs="node npm",
        inputs="greet-js",
        ignore=NPM_VARIES,
    ),
)

PYTHON_CASES = (
    Case("python-asyncio", "python3 event_loop.py", needs="python3", inputs="python"),
    Case("python-threads", "python3 threads.py", needs="python3", inputs="python"),
    Case(
        "python-files",
        "mkdir empty; cd empty; python3 ../files.py",
        needs="python3",
        inputs="python",
        ignore=("empty/archive.zip",),
    ),
    Case(
        "python-pools",  # their locks lie in /dev/shm
        """
        python3 -c '
        from multiprocessing import Pool
        from multiprocessing.pool import ThreadPool
        with Pool(2) as processes, ThreadPool(2) as threads:
            print(processes.map(abs, [-1, 2]), threads.map(abs, [-3]))'
        """,
        needs="python3",
        options=("--write", "/dev/shm"),
    ),
    Case(
        "python-venv-pip",
        """
        python3 -m venv env
        pip='env/bin/pip --disable-pip-version-check -q'
        $pip install --no-index .
        env/bin/greet
        $pip uninstall -y greet
        env/bin/python -c 'import backend; backend.build_sdist("."); backend.build_wheel(".")'
        $pip install --no-index ./greet-1.2.3-py3-none-any.whl
        env/bin/greet
        $pip install --no-index --force-reinstall ./greet-1.2.3.tar.gz
        env/bin/greet
        $pip list --format freeze | grep greet
        """,
        needs="python3 py:ensurepip",
        inputs="greet-py",
        same="out",
    ),
    Case(
        "python-modules",
        """
        printf '%s\\n' 'import unittest' 'class T(unittest.TestCase):' '  def test(self): pass' >t.py
        python3 -m unittest t 2>&1 | grep -x OK
        python3 -m compileall -q .
        python3 -m zipfile -c t.zip t.py
        python3 -m zipfile -l t.zip | wc -l
        python3 -m json.tool --compact <<<'[1,  2]'
        """,
        needs="python3",
        same="out names",
    ),
    Case(
        "python-pty-spawn",
        """
        python3 -c 'import pty; pty.spawn(["sh", "-c", "stty -a | grep -c speed; test -t 0"])'
        """,
        needs="python3",
    ),
    Case(
        "python-unix-server",
        "python3 unix_server.py",
        needs="python3",
        inputs="python",
        options=("--allow-unix",),
    ),
    Case(
        "python-tcp-server",
        "python3 tcp_server.py",
        needs="python3",
        inputs="python",
        options=("--net",),
    ),
)

# ---- data, files and shells ----------------------------------------------------------------------

DATA_CASES = (
    Case(
        "sqlite-wal",
        """
        sqlite3 x.db 'pragma journal_mode=wal; create table t (n);
            insert into t select value from generate_series(1, 5000);'
        sqlite3 x.db 'select count(*), sum(n) from t; pragma integrity_check;'
        sqlite3 x.db '.backup y.db'
        sqlite3 y.db .dump | tail -2
        """,
        needs="sqlite3",
        same="out names",
    ),
    Case(
        "sqlite-concurrent-writers",
        """
        sqlite3 x.db 'pragma journal_mode=wal; create table t (n)'
        write() {
            for n in $(seq 15); do
                sqlite3 -cmd '.timeout 20000' x.db "insert into t values ($1 * $n)"
            done
        }
        write 1 & write 2 & write 3 & wait
        sqlite3 x.db 'select count(*), sum(n) from t; pragma integrity_check;'
        """,
        needs="sqlite3",
        same="out",
    ),
    Case(
        "archives",
        """
        mkdir tree tree/empty one two
        seq 5000 >tree/numbers
        ln -s numbers tree/link
        ln tree/numbers tree/hard
        chmod 600 tree/numbers
        touch -d 2001-02-03 tree/numbers
        tar czf a.tgz tree
        tar cJf a.txz tree
        tar xzf a.tgz -C one
        tar xJf a.txz -C two
        diff -r one two
        stat -c '%a %h %n' one/tree/*
        stat -c %y one/tree/hard
        gzip -kf tree/numbers
        gzip -t tree/numbers.gz
        xz -kf tree/hard
        zcat tree/numbers.gz | tail -1
        xzcat tree/hard.xz | md5sum
        """,
        needs="tar gzip xz",
        same="out names",
    ),
    Case(
        "tar-with-foreign-owner",
        "tar xf a.tar; cat tree/text",
        needs="tar",
        setup="""
        mkdir tree
        echo unpacked >tree/text
        tar cf a.tar --owner 4321 --group 4321 tree
        rm -r tree
        """,
        same="out",
    ),
    Case(
        "zip",
        """
        mkdir a
        seq 1000 >a/numbers
        zip -qr a.zip a
        unzip -qq a.zip -d b
        diff -r a b/a
        unzip -l a.zip | tail -1
        """,
        needs="zip unzip",
        same="out names",
    ),
    Case(
        "rsync",
        """
        mkdir from
        seq 1000 >from/numbers
        ln -s numbers from/link
        chmod 640 from/numbers
        touch -d 2001-02-03 from/numbers
        rsync -a from/ to
        echo >>from/numbers
        rsync -ai --delete from/ to
        rsync -a --link-dest "$PWD/to" from/ third
        stat -c '%a %h %n' to/* third/*
        """,
        needs="rsync",
        same="out names",
    ),
    Case(
        "keys",
        """
        ssh-keygen -q -t ed25519 -N '' -f key
        ssh-keygen -lf key | cut -c 1-3
        ssh-keygen -y -f key | cmp -n 50 - key.pub
        openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -subj /CN=x 2>/dev/null
        openssl x509 -in c.pem -noout -subject
        aes='openssl enc -aes-256-cbc -pbkdf2 -k x'
        echo decrypted | $aes | $aes -d
        openssl dgst -sha256 /etc/passwd
        openssl rand 8 | wc -c
        """,
        needs="ssh-keygen openssl",
        same="out names",
    ),
    Case(
        "gpg",
        """
        mkdir -m 700 keys
        export GNUPGHOME=$PWD/keys
        gpg -q --batch --passphrase '' --quick-gen-key me
        echo decrypted | gpg -q --batch -er me --trust-model always | gpg -q -d
        gpgconf --kill all
        """,
        needs="gpg gpgconf",
        options=("--allow-unix",),
        same="out",
        optional=True,
    ),
)

SHELL_CASES = (
    Case(
        "files",
        """
        mkdir -p one/deep two
        seq 10 >one/a
        ln -s a one/link
        ln one/a one/hard
        touch -d 2001-02-03 one/a
        cp -a one copy
        stat -c '%a %h %n' copy/*
        stat -c %y copy/a
        mv one/deep two
        mv one/a two/b
        mv two third
        install -m 751 third/b installed
        install -d -m 700 private/deep
        cp --reflink=auto third/b c
        rm -r copy
        truncate -s 100 c
        chmod -R go-w .
        (umask 027; mkdir mode; echo >mode/file)
        ln -sfn third current
        readlink -f current
        du -s --apparent-size c
        dd if=/dev/zero of=zeros bs=1k count=64 status=none
        split -n 4 zeros part
        cat part* | cmp - zeros
        mkfifo pipe
        echo through a pipe >pipe & cat pipe
        tee t1 t2 <<<teed
        fallocate -l 1M room
        sync room
        unlink room
        ls -R
        """,
    ),
    Case(
        "text-tools",
        """
        seq 200000 | shuf --random-source=<(yes) | sort -n -S 100k --parallel=2 | tail -1
        seq 30 >n
        sed -i -e 's/3/three/' -e 5d n
        perl -pi -e 's/7/seven/' n
        head -8 n
        awk '{ print > (NR % 2 ? "odd" : "even") } END { print NR | "cat" }' n
        find . -type f -print0 | sort -z | xargs -0 -n 1 -P 2 wc -l | awk '{ s += $1 } END { print s }'
        find . -name n -exec grep -c three {} +
        diff odd even | head -2 || true
        paste -d+ <(seq 3) <(seq 4 6)
        """,
        needs="perl",
    ),
    Case(
        "temp-files",
        """
        file=$(mktemp)
        directory=$(mktemp -d)
        echo kept >"$file"
        cp "$file" "$directory/copy"
        cat "$directory/copy"
        printf '#!/bin/sh\\necho ran\\n' >"$directory/run"
        chmod +x "$directory/run"
        "$directory/run"
        mv "$file" here
        rm -r "$directory"
        """,
    ),
    Case(
        "bash",
        """
        cat <<END
        here $((6 * 7))
END
        tr a-z A-Z <<<string
        diff <(seq 3) <(seq 3)
        seq 3 | tee >(wc -l >count) >/dev/null
        coproc upper { tr a-z A-Z; }
        from=${upper[0]}
        echo coproc >&${upper[1]}
        eval "exec ${upper[1]}>&-"
        cat <&$from
        exec 3<>file
        echo three >&3
        exec 3>&-
        cat file
        trap 'echo trapped' USR1
        kill -USR1 $$
        sleep 5 &
        kill $!
        wait $! || echo status $?
        mapfile -t lines < <(seq 4)
        echo ${#lines[@]} f* $(cd / && pwd)
        (ulimit -n 100; ulimit -n)
        for i in 1 2 3; do (exit $i) & done
        wait
        echo out >/dev/stdout
        echo err >/dev/stderr
        sleep 0.1
        """,
    ),
    Case(
        "process-tools",
        """
        echo tailed >n
        timeout 5 echo timed
        timeout 0.1 sleep 5 || echo $?
        nice -n 5 nice
        setsid -w echo session
        nohup echo hangup 2>/dev/null
        stdbuf -oL echo buffered
        flock lock echo locked
        taskset -c 0 nproc
        chrt -b 0 echo batch
        ionice -c 3 echo idle
        env -i /bin/echo clean
        prlimit --nofile=64 bash -c 'ulimit -n'
        tail -f --pid $! n & sleep 0.1 & wait
        seq 3 | xargs -P 3 -I{} sh -c 'exit 0'
        """.replace("tail -f --pid $! n & sleep 0.1 & wait", "sleep 0.1 & tail -f --pid $! n"),
    ),
)
