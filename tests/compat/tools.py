# SPDX-License-Identifier: MIT
"""Tools of the system: data, files, shells, terminals, facts about the machine."""

from case import Case

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
        "ssh-agent",
        """
        ssh-keygen -q -t ed25519 -N '' -f key
        ssh-agent sh -c 'ssh-add -q key; ssh-add -l | cut -d " " -f 1; ssh-add -T key.pub'
        """,
        needs="ssh-agent ssh-add",
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
        options=("--device", "pty"),
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
        find . -type f -print0 | sort -z | xargs -0 -n 1 -P 2 wc -l | sort | sed -n 1,2p
        find . -name n -exec grep -c three {} +
        diff odd even | sed -n 1,2p || true
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
        sleep 0.1 &
        tail -f --pid $! n
        seq 3 | xargs -P 3 -I{} sh -c 'exit 0'
        """,
    ),
    Case(
        "perl",
        """
        perl -MFile::Temp=tempfile -MSocket -e '
        my ($temp, $name) = tempfile();
        print $temp "temp\n";
        close $temp;
        open(F, $name);
        print <F>;
        open(P, "-|", "echo piped");
        print <P>;
        socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) or die;
        if (!fork) { syswrite A, "forked\n"; exit }
        wait;
        sysread B, $_, 99;
        print'
        """,
        needs="perl",
    ),
    Case(
        "nested",
        "../../../../bailey run -q --no-broker -- bash -c 'echo nested >file; cat file'",
        options=("--no-protect",),  # or the broker would have to know what the inner one grants
    ),
)

# ---- terminals -----------------------------------------------------------------------------------

TERMINAL_CASES = (
    Case(
        "script",
        "script -qec 'test -t 1 && echo on a terminal' typescript",
        needs="script",
        options=("--device", "pty"),
        ignore=("typescript",),
    ),
    Case(
        "tmux",
        """
        tmux -S socket -f /dev/null new-session -d 'echo typed >typed; exec cat'
        for i in $(seq 50); do test -s typed && break; sleep 0.1; done
        cat typed
        tmux -S socket list-sessions | cut -d '(' -f 1
        tmux -S socket kill-server
        tmux -f /dev/null new-session -d
        tmux kill-server
        """,
        needs="tmux",
        options=("--allow-unix", "--device", "pty"),
        same="out",
    ),
    Case(
        "dialogue-bash",
        """
        python3 dialogue.py 'bash --norc --noprofile' '[$#] ' 'echo go; sleep 9\n' \
            '[\r\n]go' '\x1a' 'Stopped' 'kill -9 %1; wait; echo status $((40 + 2))\n' \
            'status 42' 'exit 3\n'
        """,
        needs="python3",
        options=("--device", "pty"),
        inputs="python",
    ),
    Case(
        "dialogue-python",
        """
        python3 dialogue.py python3 '>>> ' 'print(6 * 7)\n' '42\s+>>> ' \
            'import readline, sys\n' '>>> ' 'sys.exit(4)\n'
        """,
        needs="python3",
        options=("--device", "pty"),
        inputs="python",
    ),
    Case(
        "dialogue-node",
        "python3 dialogue.py node '> ' 'process.stdout.isTTY\n' 'true' '' '> ' '.exit\n'",
        needs="python3 node",
        options=("--device", "pty"),
        inputs="python",
    ),
    Case(
        "dialogue-sqlite",
        """
        python3 dialogue.py 'sqlite3 x.db' 'sqlite> ' 'select 6 * 7;\n' '42' '' \
            'sqlite> ' '.quit\n'
        """,
        needs="python3 sqlite3",
        options=("--device", "pty"),
        inputs="python",
    ),
    Case(
        "dialogue-less",
        "python3 dialogue.py 'seq 500 | less' ':' 'G' 'END' 'q'",
        needs="python3 less",
        options=("--device", "pty"),
        inputs="python",
    ),
    Case(
        "dialogue-vi",
        "python3 dialogue.py 'vi file' 'text' ':s/text/new/\r' 'new' ':wq\r'; cat file",
        needs="python3 vi",
        options=("--device", "pty"),
        inputs="python",
        setup="echo text >file",
    ),
    Case(
        "vi-batch",
        "vi -es -c '%s/o/0/g' -c wq file; cat file",
        needs="vi",
        setup="echo foo boo >file",
    ),
    Case(
        "pagers",
        "seq 3 | less; seq 3 | more; printf 'a\\bab\\n' | col -b",
        needs="less more col",
    ),
    Case("man", "man -P cat true | grep -c NAME; man -w true", needs="man", optional=True),
)

# ---- facts about the machine ---------------------------------------------------------------------

FACT_CASES = (
    Case(
        "names",
        """
        id; whoami; groups; hostname; uname -s; nproc
        getent passwd root; getent group root; getent hosts localhost
        ls -ld /etc/passwd /usr
        stat -c '%U %G' /etc .
        """,
    ),
    Case(
        "date-and-locale",
        """
        date -u -d @0
        TZ=Europe/Berlin date -d @86400 +%c
        locale | sort
        locale -a | sort
        LC_ALL=C.UTF-8 sort <<<$'\u00e9\na\nz'
        printf '%(%Y)T\n' 0
        """,
    ),
    Case(
        "ps",
        """
        ps -o comm= -p $$
        test $(ps -e | wc -l) -gt 3
        sleep 5 &
        until pgrep -P $$ -x sleep >/dev/null; do sleep 0.1; done
        ps -o comm= -p $!
        pgrep -P $$ -x sleep | wc -l
        kill $!
        wait $! || echo $?
        for tool in 'ps aux' uptime free 'top -bn1'; do $tool >/dev/null; done
        cat /proc/self/comm
        """,
        needs="ps pgrep top",
    ),
    Case(
        "df",
        """
        df . | wc -l
        df --output=target . | tail -1
        findmnt -n -o TARGET --target .
        mount | wc -l
        for tool in df lscpu 'ldd /bin/true'; do $tool >/dev/null; done
        getconf PAGESIZE
        """,
        needs="findmnt mount",
    ),
)

CASES = (*DATA_CASES, *SHELL_CASES, *TERMINAL_CASES, *FACT_CASES)
