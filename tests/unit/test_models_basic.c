/* SPDX-License-Identifier: MIT */
/* Everyday programs on files and text: what they do to which path. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row removing[] = {
	{ "rm -i a", "delete:a", NULL },
	{ "rm --rec d", "delete-tree:d", NULL },
	{ "rm -rf --no-preserve-root /", "delete-tree:/", NULL },
	{ "rm --help -rf /", "", NULL },
	{ "rm --nonsense a", "delete:a unknown", NULL },
	{ "rm $x", "delete:? unknown", NULL },
	{ "rmdir a b", "delete:a delete:b", NULL },
	{ "rmdir -p a/b", "delete:a/b", NULL },
	{ "unlink a", "delete:a", NULL },
	{ "shred -n 3 -z a", "empty:a", NULL },
	{ "shred --remove a", "empty:a delete:a", NULL },
	{ "shred /dev/sda", "empty:/dev/sda", NULL },
	{ "trash a", "delete-tree:a", NULL },
	{ "trash-put a b", "delete-tree:a delete-tree:b", NULL },
	{ "trash-empty", "rule:trash.empties", NULL },
	{ "trash-list", "", NULL },
	{ "trash-restore", "rule:trash.restores", NULL },
	{ "fdupes -r .", "list:.", NULL },
	{ "fdupes -rdN .", "delete-tree:.+filtered", NULL },
	{ "jdupes -L a b", "delete-tree:a+filtered delete-tree:b+filtered", NULL },
	{ "gio trash a", "delete-tree:a", NULL },
	{ "gio remove a", "delete:a", NULL },
	{ "gio trash --empty", "rule:trash.empties", NULL },
	{ "gio copy a b", "read:a write:b", NULL },
	{ "gio copy sftp://h/a b", "read:sftp://h/a write:b net unknown", NULL },
	{ "gio list .", "list:.", NULL },
	{ "gio open a.pdf", "rule:gio.opens unknown", NULL },
	{ "gio mime text/plain", "", NULL },
};

static void
deletes_when_a_program_removes(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, removing, COUNT_OF(removing)), 0);
}

static const struct fixture_row making[] = {
	{ "mkdir -p -m 755 a/b", "make:a/b", NULL },
	{ "mkdir --mode=700 a", "make:a", NULL },
	{ "mkfifo -m 600 p", "make:p", NULL },
	{ "mknod p p", "make:p", NULL },
	{ "mknod sda b 8 0", "make:sda rule:mknod.device", NULL },
	{ "touch a b", "make:a make:b", NULL },
	{ "touch -r ref a", "list:ref make:a", NULL },
	{ "touch -d yesterday a", "make:a", NULL },
	{ "touch -t 202601010000 a", "make:a", NULL },
	{ "mktemp", "rule:mktemp.makes", NULL },
	{ "mktemp -d", "rule:mktemp.makes", NULL },
	{ "mktemp -u", "", NULL },
	{ "mktemp -p /var/tmp x.XXX", "rule:mktemp.makes make:/var/tmp", NULL },
	{ "mktemp ./x.XXXX", "rule:mktemp.makes make:./x.XXXX", NULL },
	{ "truncate -s 0 a", "empty:a", NULL },
	{ "truncate -s +10M a", "edit:a", NULL },
	{ "truncate -s 1G a", "edit:a", NULL },
	{ "truncate -s -5 a", "empty:a", NULL },
	{ "truncate -r ref a", "list:ref empty:a", NULL },
	{ "tee a b", "write:a write:b", NULL },
	{ "tee -a log", "append:log", NULL },
	{ "tee", "", NULL },
	{ "sponge out.txt", "write:out.txt", NULL },
	{ "split big part-", "read:big write:part-aa", NULL },
	{ "split -b 1M big", "read:big write:xaa", NULL },
	{ "split --filter='gzip > $FILE' big",
	  "rule:option.names-program read:big [split sh: gzip > $FILE]", NULL },
	{ "split -5 big", "read:big write:xaa", NULL },
	{ "csplit a.txt /x/", "read:a.txt write:xx00", NULL },
	{ "csplit -f part a.txt /x/", "read:a.txt write:part00", NULL },
	{ "rename s/a/b/ a.txt", "rule:rename.moves move:a.txt [rename!prompt other: s/a/b/]",
	  NULL },
	{ "rename -n s/a/b/ a.txt", "[rename!prompt other: s/a/b/]", NULL },
	{ "patch -p1 -i fix.diff", "read:fix.diff rule:patch.changes", NULL },
	{ "patch --dry-run -p1", "", NULL },
	{ "patch -o out a.c fix.diff", "write:out edit:a.c read:fix.diff rule:patch.changes",
	  NULL },
	{ "stow -t ~ vim", "rule:stow.links extract:~", NULL },
};

static void
writes_when_a_program_makes_files(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, making, COUNT_OF(making)), 0);
}

static const struct fixture_row modes[] = {
	{ "chmod +x a", "meta:a", NULL },
	{ "chmod u+x,go-w a", "meta:a", NULL },
	{ "chmod -x a", "meta:a", NULL },
	{ "chmod -R 755 d", "meta-tree:d", NULL },
	{ "chmod 4755 a", "meta:a", NULL },
	{ "chmod --reference=b a", "meta:a", NULL },
	{ "chmod -w a", "meta:a", NULL },
	{ "chmod o+w a", "meta:a", NULL },
	{ "chown root a", "meta:a", NULL },
	{ "chown -R u:g d", "meta-tree:d", NULL },
	{ "chown --from=a b c", "meta:c", NULL },
	{ "chgrp --reference=r f", "meta:f", NULL },
	{ "chattr +i a", "meta:a", NULL },
	{ "chattr -i a", "meta:a", NULL },
	{ "chattr -R +i d", "meta-tree:d", NULL },
	{ "setfacl -R -m u:x:rw d", "meta-tree:d", NULL },
	{ "setfacl --restore=acl.txt", "rule:setfacl.restores", NULL },
	{ "setfacl -M acl.txt f", "read:acl.txt meta:f", NULL },
	{ "setfattr -n user.x -v 1 f", "meta:f", NULL },
	{ "xattr -l f", "list:f", NULL },
	{ "xattr -d com.apple.quarantine f", "meta:com.apple.quarantine meta:f", NULL },
	{ "setcap cap_net_bind_service=+ep ./server", "rule:setcap.changes meta:./server", NULL },
	{ "setcap cap_setuid,cap_net_raw+ep x", "rule:setcap.changes rule:setcap.grants meta:x",
	  NULL },
	{ "setcap -r x", "rule:setcap.changes meta:x", NULL },
	{ "setcap -v cap_net_raw+ep x", "", NULL },
};

static void
changes_metadata_when_modes_are_set(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, modes, COUNT_OF(modes)), 0);
}

static const struct fixture_row copies[] = {
	{ "cp a b", "read:a write:b", NULL },
	{ "cp -r d e/", "read:d write:e/d", NULL },
	{ "cp a b c", "read:a write:c/a read:b write:c/b", NULL },
	{ "cp -t d a b", "read:a write:d/a read:b write:d/b", NULL },
	{ "cp -s a b", "read:a write:b", NULL },
	{ "cp a", "unknown", NULL },
	{ "cp --target-directory=d a", "read:a write:d/a", NULL },
	{ "cp a ~", "read:a write:~", NULL },
	{ "cp -r a/. b", "read:a/. write:b", NULL },
	{ "cp -r .. b", "read:.. write:b", NULL },
	{ "cp a ..", "read:a write:../a", NULL },
	{ "cp -T a b", "read:a write:b", NULL },
	{ "cp -- -a b", "read:-a write:b", NULL },
	{ "mv a b", "move:a write:b", NULL },
	{ "mv a b d", "move:a write:d/a move:b write:d/b", NULL },
	{ "mv -t d a", "move:a write:d/a", NULL },
	{ "mv a d/", "move:a write:d/a", NULL },
	{ "install -d a b", "make:a make:b", NULL },
	{ "install -s --strip-program=./x a b",
	  "rule:option.names-program read:a write:b [install: ./x]", NULL },
	{ "install a b", "read:a write:b", NULL },
	{ "ln -s a b", "make:b", NULL },
	{ "ln -s ../x sub/y", "make:sub/y", NULL },
	{ "ln a b", "make:b", NULL },
	{ "ln -sf a b", "write:b", NULL },
	{ "ln -s /etc/passwd", "make:./passwd", NULL },
	{ "ln -st d a b", "make:d/a make:d/b", NULL },
	{ "link a b", "make:b", NULL },
	{ "dd if=a of=b bs=1", "read:a write:b", NULL },
	{ "dd of=/dev/sda", "write:/dev/sda", NULL },
	{ "dd if=a", "read:a", NULL },
	{ "dd bogus", "unknown", NULL },
	{ "dd if=$x of=b", "read:? write:b", NULL },
	{ "ditto a b", "read:a write:b", NULL },
};

static void
names_the_new_path_when_files_are_copied(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, copies, COUNT_OF(copies)), 0);
}

static const struct fixture_row listing[] = {
	{ "ls -la", "", NULL },
	{ "ls -R --color=auto src", "list:src", NULL },
	{ "ls --sort=time --rev", "", NULL },
	{ "ls $x", "list:?", NULL },
	{ "eza -la --git", "", NULL },
	{ "tree -a", "", NULL },
	{ "tree -o out.txt", "write:out.txt", NULL },
	{ "tree -R -L 2", "unknown", NULL },
	{ "readlink -f x", "list:x", NULL },
	{ "realpath --relative-to=. x", "list:x", NULL },
	{ "basename -s .c a.c", "", NULL },
	{ "stat -f x", "list:x", NULL },
	{ "df -h /", "list:/", NULL },
	{ "du -sh --exclude='*.o' .", "list:.", NULL },
	{ "du --files0-from=list", "read:list", NULL },
	{ "file -i x", "list:x", NULL },
	{ "file -C -m magic", "read:magic unknown", NULL },
	{ "getfacl -R d", "list:d", NULL },
	{ "getcap -r /usr", "list:/usr", NULL },
	{ "lsattr -R d", "list:d", NULL },
	{ "sync", "", NULL },
	{ "inotifywait -m d", "list:d", NULL },
	{ "inotifywait -o log d", "write:log list:d", NULL },
	{ "inotifywait -d d", "list:d unknown", NULL },
	{ "ncdu .", "rule:ncdu.interactive list:.", NULL },
	{ "md5sum -c SUMS", "read:SUMS", NULL },
	{ "shasum -a 256 x", "read:x", NULL },
	{ "sha256sum --check --strict SUMS", "read:SUMS", NULL },
	{ "cksum x", "read:x", NULL },
	{ "md5 -q x", "read:x", NULL },
	{ "cmp -l a b", "read:a read:b", NULL },
	{ "diff -ru a b", "read:a read:b", NULL },
	{ "diff --color=always --from-file=a b c", "read:a read:b read:c", NULL },
	{ "diff --to-file=/etc/shadow a", "read:/etc/shadow read:a", NULL },
	{ "diff3 a b c", "read:a read:b read:c", NULL },
	{ "diff3 --diff-program=./d a b c",
	  "rule:option.names-program read:a read:b read:c [diff3: ./d]", NULL },
	{ "sdiff -o out a b", "write:out read:a read:b", NULL },
	{ "sdiff a b", "read:a read:b", NULL },
	{ "colordiff -u a b", "read:a read:b", NULL },
	{ "wdiff a b", "read:a read:b", NULL },
	{ "diffstat p.diff", "read:p.diff", NULL },
	{ "lsdiff p.diff", "read:p.diff", NULL },
};

static void
only_looks_when_files_are_listed(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, listing, COUNT_OF(listing)), 0);
}

static const struct fixture_row text[] = {
	{ "cat a b", "read:a read:b", NULL },
	{ "cat -n a", "read:a", NULL },
	{ "cat -", "", NULL },
	{ "cat --nope a", "read:a unknown", NULL },
	{ "cat $x", "read:?", NULL },
	{ "cat \"$x\"", "read:?", NULL },
	{ "tac a", "read:a", NULL },
	{ "head -5 a", "read:a", NULL },
	{ "head -n 5 a b", "read:a read:b", NULL },
	{ "head -c 10 a", "read:a", NULL },
	{ "tail -f a", "read:a", NULL },
	{ "tail -n +3 a", "read:a", NULL },
	{ "tail -20 a", "read:a", NULL },
	{ "nl -ba a", "read:a", NULL },
	{ "wc -l a", "read:a", NULL },
	{ "wc --files0-from=l", "read:l", NULL },
	{ "od -c a", "read:a", NULL },
	{ "hexdump -C a", "read:a", NULL },
	{ "hexdump -f fmt a", "read:fmt read:a", NULL },
	{ "xxd a", "read:a", NULL },
	{ "xxd a b", "read:a write:b", NULL },
	{ "xxd -r -p a", "read:a", NULL },
	{ "xxd -r a b", "read:a write:b", NULL },
	{ "strings -n 8 a", "read:a", NULL },
	{ "strings -8 a", "read:a", NULL },
	{ "base64 a", "read:a", NULL },
	{ "base64 -d a", "read:a", NULL },
	{ "base64 -o out -i in", "write:out read:in", NULL },
	{ "base32 -d a", "read:a", NULL },
	{ "basenc --base16 a", "read:a", NULL },
	{ "uudecode a", "read:a rule:uudecode.writes", NULL },
	{ "uudecode -o /dev/stdout a", "write:/dev/stdout read:a", NULL },
	{ "uudecode -o x a", "write:x read:a", NULL },
	{ "uuencode a b", "read:a", NULL },
	{ "sort -t: -k3 a", "read:a", NULL },
	{ "sort -o a a", "write:a read:a", NULL },
	{ "sort --output=b a", "write:b read:a", NULL },
	{ "sort --compress-program=./x a", "rule:option.names-program read:a [sort: ./x]", NULL },
	{ "sort --comp ./x a", "rule:option.names-program read:a [sort: ./x]", NULL },
	{ "sort --files0-from=l", "rule:input.names-files read:l", NULL },
	{ "sort -T /var/tmp a", "list:/var/tmp read:a", NULL },
	{ "uniq a", "read:a", NULL },
	{ "uniq a b", "read:a write:b", NULL },
	{ "uniq -c -f 2 a", "read:a", NULL },
	{ "shuf -e a b c", "", NULL },
	{ "shuf -n 1 a", "read:a", NULL },
	{ "shuf -o b a", "write:b read:a", NULL },
	{ "shuf -i 1-10", "", NULL },
	{ "comm a b", "read:a read:b", NULL },
	{ "comm -13 a b", "read:a read:b", NULL },
	{ "join -t, -1 2 a b", "read:a read:b", NULL },
	{ "cut -d: -f1 a", "read:a", NULL },
	{ "paste -sd+ a b", "read:a read:b", NULL },
	{ "tr a-z A-Z", "", NULL },
	{ "tr -d x", "", NULL },
	{ "rev a", "read:a", NULL },
	{ "expand -t 4 a", "read:a", NULL },
	{ "fold -w 80 -s a", "read:a", NULL },
	{ "fmt -w 72 a", "read:a", NULL },
	{ "pr -2 +3 a", "read:a", NULL },
	{ "column -t a", "read:a", NULL },
	{ "col -b", "", NULL },
	{ "look foo words", "read:words", NULL },
	{ "ptx a", "read:a", NULL },
	{ "seq 1 10", "", NULL },
	{ "seq -s, 10", "", NULL },
	{ "numfmt --to=iec 1000", "", NULL },
	{ "factor 12", "", NULL },
	{ "expr 1 + 2", "", NULL },
	{ "yes", "", NULL },
	{ "strings @opts", "read:@opts unknown", NULL },
	{ "ptx -G a b", "read:a read:b unknown", NULL },
	{ "sort --files0-from=-", "rule:input.names-files", NULL },
	{ "shuf -e a b c", "", NULL },
};

static void
reads_when_text_goes_through_a_filter(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, text, COUNT_OF(text)), 0);
}

static const struct fixture_row filters[] = {
	{ "grep -rn x src", "read:src", NULL },
	{ "grep -e x -f pats a", "read:a read:pats", NULL },
	{ "grep -f pats a", "read:a read:pats", NULL },
	{ "grep -f ~/.ssh/id_rsa a", "read:a read:~/.ssh/id_rsa", NULL },
	{ "grep --include='*.c' -r x .", "read:.", NULL },
	{ "grep -P '(?<=a)b' f", "read:f", NULL },
	{ "grep -c '^' /etc/passwd", "read:/etc/passwd", NULL },
	{ "grep -A3 x a", "read:a", NULL },
	{ "grep -5 x a", "read:a", NULL },
	{ "grep $x a", "read:? read:a", NULL },
	{ "grep \"$x\" a", "read:? read:a", NULL },
	{ "egrep 'a|b' f", "read:f", NULL },
	{ "zgrep -c x a.gz", "read:a.gz", NULL },
	{ "iconv -f latin1 -t utf8 a", "read:a", NULL },
	{ "iconv -o b a", "write:b read:a", NULL },
	{ "recode latin1..utf8 a", "edit:a", NULL },
	{ "dos2unix a", "edit:a", NULL },
	{ "dos2unix -i a", "read:a", NULL },
	{ "unix2dos -n a b", "edit:a edit:b", NULL },
	{ "xmllint --noout a.xml", "read:a.xml", NULL },
	{ "xmllint --format --output b.xml a.xml", "write:b.xml read:a.xml", NULL },
	{ "xmllint --xpath //a a.xml", "read:a.xml", NULL },
	{ "xmllint --shell a.xml", "read:a.xml unknown", NULL },
	{ "xmllint --noent a.xml", "read:a.xml unknown", NULL },
	{ "xmllint http://h/a.xml", "read:http://h/a.xml net unknown", NULL },
	{ "xsltproc a.xsl b.xml", "rule:xsltproc.runs read:a.xsl read:b.xml", NULL },
	{ "tidy -m a.html", "edit:a.html", NULL },
	{ "tidy -q a.html", "read:a.html", NULL },
	{ "pandoc a.md", "read:a.md rule:pandoc.includes", NULL },
	{ "pandoc -o a.pdf a.md", "write:a.pdf read:a.md rule:pandoc.includes", NULL },
	{ "pandoc --filter ./f a.md",
	  "rule:option.names-program read:a.md rule:pandoc.includes [pandoc: ./f]", NULL },
	{ "pandoc --lua-filter=f.lua a.md",
	  "rule:option.names-program read:a.md rule:pandoc.includes [pandoc other file: f.lua]",
	  NULL },
	{ "pandoc https://h/a", "read:https://h/a rule:pandoc.includes net unknown", NULL },
	{ "glow README.md", "read:README.md", NULL },
	{ "aspell list", "", NULL },
	{ "aspell check a.txt", "edit:a.txt", NULL },
	{ "ispell a.txt", "edit:a.txt", NULL },
	{ "hunspell -l a.txt", "read:a.txt", NULL },
	{ "gettext x", "", NULL },
	{ "envsubst", "rule:environment.substituted secret", NULL },
	{ "envsubst -v '$HOME'", "", NULL },
	{ "csvcut -c 1 a.csv", "read:a.csv", NULL },
	{ "gron a.json", "read:a.json", NULL },
	{ "nm a.out", "read:a.out", NULL },
	{ "objdump -d a.out", "read:a.out", NULL },
	{ "objdump --disassemble=main a.out", "read:a.out", NULL },
	{ "readelf -a a.out", "read:a.out", NULL },
	{ "size a.out", "read:a.out", NULL },
	{ "addr2line -e a.out 0x1", "read:a.out", NULL },
	{ "strip a.out", "edit:a.out", NULL },
	{ "strip -o b a", "write:b edit:a", NULL },
	{ "nm @opts", "read:@opts unknown", NULL },
	{ "readelf @opts", "read:@opts unknown", NULL },
	{ "xmllint --schema http://h/x a.xml", "read:http://h/x read:a.xml net unknown", NULL },
	{ "glow github.com/x/y", "read:github.com/x/y rule:network.uses net", NULL },
	{ "pandoc --sandbox a.md", "read:a.md", NULL },
	{ "recode -l", "", NULL },
};

static void
reads_or_edits_when_text_is_searched_or_converted(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, filters, COUNT_OF(filters)), 0);
}

/* ---- what the description does not show ---------------------------------------------------- */

static const struct {
	const char *command;
	enum deed deed;
	unsigned flags;
	const char *other; /* NULL: nothing */
} flagged[] = {
	{ "chmod +x a", DEED_META, EFFECT_EXECUTABLE, NULL },
	{ "chmod u+x,g-w a", DEED_META, EFFECT_EXECUTABLE, NULL },
	{ "chmod -x a", DEED_META, 0, NULL },
	{ "chmod 644 a", DEED_META, 0, NULL },
	{ "chmod 755 a", DEED_META, EFFECT_EXECUTABLE, NULL },
	{ "chmod 4755 a", DEED_META, EFFECT_EXECUTABLE | EFFECT_SETUID, NULL },
	{ "chmod 00777 a", DEED_META, EFFECT_EXECUTABLE | EFFECT_SETUID, NULL },
	{ "chmod -R 777 a", DEED_META_TREE, EFFECT_EXECUTABLE | EFFECT_SETUID, NULL },
	{ "chmod u+s a", DEED_META, EFFECT_SETUID, NULL },
	{ "chmod u-s a", DEED_META, 0, NULL },
	{ "chmod g-w,o+w a", DEED_META, EFFECT_SETUID, NULL },
	{ "chmod a=rw a", DEED_META, EFFECT_SETUID, NULL },
	{ "chmod +w a", DEED_META, 0, NULL },
	{ "chmod --reference=b a", DEED_META, EFFECT_EXECUTABLE, NULL },
	{ "chmod $x a", DEED_META, EFFECT_EXECUTABLE, NULL },
	{ "install -m 4755 a b", DEED_WRITE, EFFECT_SETUID | EFFECT_FROM_FILE | EFFECT_EXECUTABLE,
	  "a" },
	{ "install -m 755 a b", DEED_WRITE, EFFECT_FROM_FILE | EFFECT_EXECUTABLE, "a" },
	{ "rm -f a", DEED_DELETE, EFFECT_FORCE, NULL },
	{ "rm -r --no-preserve-root a", DEED_DELETE_TREE, EFFECT_FORCE, NULL },
	{ "rm a", DEED_DELETE, 0, NULL },
	{ "tee a", DEED_WRITE, EFFECT_FROM_STDIN, NULL },
	{ "tee -a a", DEED_APPEND, EFFECT_FROM_STDIN, NULL },
	{ "sort -o a b", DEED_WRITE, EFFECT_FROM_OUTPUT, NULL },
	{ "xxd -r a b", DEED_WRITE, EFFECT_FROM_OUTPUT, NULL },
	{ "cp a b", DEED_WRITE, EFFECT_FROM_FILE, "a" },
	{ "cp -s a b", DEED_WRITE, EFFECT_LINK, "a" },
	{ "mv a b", DEED_WRITE, EFFECT_FROM_FILE, "a" },
	{ "mv a b", DEED_MOVE, 0, "b" },
	{ "ln a b", DEED_MAKE, EFFECT_LINK, "a" },
	{ "ln -s ../x sub/y", DEED_MAKE, EFFECT_LINK, "sub/../x" },
	{ "ln -sr x sub/y", DEED_MAKE, EFFECT_LINK, "x" },
	{ "ln -s /x sub/y", DEED_MAKE, EFFECT_LINK, "/x" },
	{ "dd if=a of=b", DEED_WRITE, EFFECT_FROM_FILE, "a" },
	{ "dd of=b", DEED_WRITE, EFFECT_FROM_STDIN, NULL },
};

static const struct effect *
first_deed(const struct findings *found, enum deed deed)
{
	const struct effect *effect = found->effects;

	while (effect != NULL && effect->deed != deed) {
		effect = effect->next;
	}
	return effect;
}

static bool
same_other(const struct field *other, const char *want)
{
	return other == NULL ? want == NULL : want != NULL && strcmp(other->text, want) == 0;
}

static void
says_more_of_an_effect_when_the_text_does(void **state)
{
	int wrong = 0;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(flagged); i++) {
		AUTO_ARENA arena = { 0 };
		struct field words[FIXTURE_WORDS];
		size_t count = fixture_words(&arena, flagged[i].command, words);
		const struct effect *effect;
		struct findings found;

		findings_init(&found, &arena);
		model_judge(NULL, words, count, NULL, &found);
		effect = first_deed(&found, flagged[i].deed);
		if (effect == NULL || effect->flags != flagged[i].flags ||
		    !same_other(effect->other, flagged[i].other)) {
			print_message("%s\n", flagged[i].command);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* A directory is known by its text alone, and home by the scene. */
static void
puts_the_name_into_home_when_home_is_the_target(void **state)
{
	AUTO_ARENA arena = { 0 };
	static const struct bailey_scene scene = { .cwd = "/w", .home = "/home/u" };
	struct shell shell = { .scene = &scene };
	struct field words[FIXTURE_WORDS];
	size_t count = fixture_words(&arena, "cp x/.bashrc /home/u", words);
	struct findings found;

	(void)state;
	findings_init(&found, &arena);
	model_judge(&shell, words, count, NULL, &found);
	assert_string_equal(first_deed(&found, DEED_WRITE)->target->text, "/home/u/.bashrc");
	findings_init(&found, &arena);
	count = fixture_words(&arena, "cp -r x/. /home/u", words);
	model_judge(&shell, words, count, NULL, &found);
	assert_string_equal(first_deed(&found, DEED_EXTRACT)->target->text, "/home/u");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(deletes_when_a_program_removes),
		cmocka_unit_test(writes_when_a_program_makes_files),
		cmocka_unit_test(changes_metadata_when_modes_are_set),
		cmocka_unit_test(names_the_new_path_when_files_are_copied),
		cmocka_unit_test(only_looks_when_files_are_listed),
		cmocka_unit_test(reads_when_text_goes_through_a_filter),
		cmocka_unit_test(reads_or_edits_when_text_is_searched_or_converted),
		cmocka_unit_test(says_more_of_an_effect_when_the_text_does),
		cmocka_unit_test(puts_the_name_into_home_when_home_is_the_target),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
