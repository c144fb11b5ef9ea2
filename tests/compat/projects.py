# SPDX-License-Identifier: MIT
"""Work on projects: git, builds, Node and Python."""

from case import Case

# ---- git -----------------------------------------------------------------------------------------

# The index holds times and inode numbers; the rest is as reproducible as its dates, which are set.
MAY_MAKE_GIT = ("--protect-git", "none")
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
        options=MAY_MAKE_GIT,
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
        options=MAY_MAKE_GIT,
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
        git blame -L 1,2 a
        git grep -n 50
        git archive topic | tar t
        git gc -q
        git count-objects -v | grep in-pack
        git status
        """,
        needs="git",
        options=MAY_MAKE_GIT,
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
        options=MAY_MAKE_GIT,
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
        options=MAY_MAKE_GIT,
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
        options=MAY_MAKE_GIT,
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
    ),
    Case(
        "python-venv-pip",
        """
        python3 -m venv env
        pip='env/bin/pip --disable-pip-version-check'
        $pip install -q --no-index .
        env/bin/greet
        $pip uninstall -qy greet
        env/bin/python -c 'import backend; backend.build_sdist("."); backend.build_wheel(".")'
        $pip install -q --no-index ./greet-1.2.3-py3-none-any.whl
        env/bin/greet
        $pip install -q --no-index --force-reinstall ./greet-1.2.3.tar.gz
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
        printf '%s\\n' 'import unittest' 'class T(unittest.TestCase):' ' def test(_): 0' >t.py
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
        options=("--device", "pty"),
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

CASES = (*GIT_CASES, *BUILD_CASES, *NODE_CASES, *PYTHON_CASES)
