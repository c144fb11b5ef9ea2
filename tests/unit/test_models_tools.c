/* SPDX-License-Identifier: MIT */
/* Archives, editors and pagers: when they read, unpack, edit, or run something. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row compression[] = {
	{ "gzip a", "move:a", NULL },
	{ "gzip -c a", "read:a", NULL },
	{ "gzip -l a.gz", "read:a.gz", NULL },
	{ "gzip -dk a.gz", "read:a.gz write:a.gz.new", NULL },
	{ "gunzip -t a.gz", "read:a.gz", NULL },
	{ "gzip", "", NULL },
	{ "gunzip -c a.gz", "read:a.gz", NULL },
	{ "zcat a.gz", "read:a.gz", NULL },
	{ "bzip2 -9 a", "move:a", NULL },
	{ "bzcat a.bz2", "read:a.bz2", NULL },
	{ "xz -T0 a", "move:a", NULL },
	{ "xz -dc a.xz", "read:a.xz", NULL },
	{ "xz --list a.xz", "read:a.xz", NULL },
	{ "zstd a", "read:a write:a.new", NULL },
	{ "zstd -d a.zst -o b", "write:b read:a.zst", NULL },
	{ "zstd -t a.zst", "read:a.zst", NULL },
	{ "zstd --rm a", "rule:compression.removes-source read:a write:a.new", NULL },
	{ "zstd -19 -c a", "read:a", NULL },
	{ "lz4 a b", "read:a write:b", NULL },
	{ "lz4 a", "read:a write:a.new", NULL },
	{ "lz4 -dc a.lz4", "read:a.lz4", NULL },
	{ "brotli -d a.br", "read:a.br write:a.br.new", NULL },
	{ "zdiff a.gz b.gz", "read:a.gz read:b.gz", NULL },
	{ "gzip -k a", "read:a write:a.new", NULL },
	{ "xz --files=l", "unknown", NULL },
	{ "zstd --filelist l", "unknown", NULL },
	{ "zstd -c --rm a", "rule:compression.removes-source read:a", NULL },
	{ "compress a", "move:a", NULL },
	{ "lz4 -m a b", "read:a write:b write:a.new write:b.new", NULL },
};

static void
reads_or_replaces_when_a_file_is_compressed(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, compression, COUNT_OF(compression)), 0);
}

static const struct fixture_row archives[] = {
	{ "zip a.zip b c", "write:a.zip read:b read:c", NULL },
	{ "zip -m a.zip b", "rule:zip.moves write:a.zip read:b delete-tree:b", NULL },
	{ "zip -T -TT './x' a.zip b", "rule:zip.runs write:a.zip read:b [zip sh: ./x]", NULL },
	{ "zip -r - src", "write:- read:src", NULL },
	{ "unzip a.zip", "read:a.zip extract:.", NULL },
	{ "unzip -p a.zip x", "read:a.zip", NULL },
	{ "unzip -t a.zip", "read:a.zip", NULL },
	{ "unzip a.zip -d out", "read:a.zip extract:out", NULL },
	{ "zipinfo a.zip", "read:a.zip", NULL },
	{ "7z a x.7z src", "write:x.7z read:src", NULL },
	{ "7z e x.7z -oout", "read:x.7z extract:out", NULL },
	{ "7z x -so x.7z", "read:x.7z", NULL },
	{ "7z t x.7z", "read:x.7z", NULL },
	{ "7z a -sdel x.7z src", "write:x.7z read:src rule:7z.deletes", NULL },
	{ "7z d x.7z f", "edit:x.7z", NULL },
	{ "unrar l a.rar", "read:a.rar", NULL },
	{ "unrar x a.rar out/", "read:a.rar extract:out/", NULL },
	{ "rar a a.rar src", "write:a.rar read:src", NULL },
	{ "ar rcs lib.a a.o", "edit:lib.a", NULL },
	{ "ar x lib.a", "read:lib.a extract:.", NULL },
	{ "ar p lib.a", "read:lib.a", NULL },
	{ "ranlib lib.a", "edit:lib.a", NULL },
	{ "jar tf a.jar", "read:a.jar", NULL },
	{ "jar cf a.jar x", "write:a.jar read:x", NULL },
	{ "jar xf a.jar", "read:a.jar extract:.", NULL },
	{ "jar --create --file a.jar -C d .", "write:a.jar", NULL },
	{ "dpkg-deb -c a.deb", "read:a.deb", NULL },
	{ "dpkg-deb -x a.deb out", "read:a.deb extract:out", NULL },
	{ "dpkg-deb -b d a.deb", "read:d write:a.deb", NULL },
	{ "rpm2cpio a.rpm", "read:a.rpm", NULL },
	{ "unar a.zip", "rule:unar.unpacks read:a.zip", NULL },
	{ "lsar a.zip", "read:a.zip", NULL },
	{ "rsnapshot daily", "rule:backup.uses", NULL },
	{ "ar t @x", "read:@x unknown", NULL },
	{ "jar tf a.jar @x", "read:a.jar unknown", NULL },
	{ "jar i a.jar", "edit:a.jar read:a.jar", NULL },
	{ "unzip -T a.zip", "read:a.zip meta:a.zip", NULL },
	{ "7z l a -slt", "read:a", NULL },
};

static void
reads_or_unpacks_when_an_archive_is_used(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, archives, COUNT_OF(archives)), 0);
}

static const struct fixture_row tars[] = {
	{ "tar tf a.tar", "read:a.tar", NULL },
	{ "tar -tvf a.tar x", "read:a.tar", NULL },
	{ "tar xzf a.tgz", "read:a.tgz extract:.", NULL },
	{ "tar -xf a.tar -C out", "read:a.tar extract:out", NULL },
	{ "tar xf a.tar --one-top-level=d", "read:a.tar extract:./d", NULL },
	{ "tar -cf - src", "read:src", NULL },
	{ "tar czf a.tgz -C d x -C ../e y", "read:d/x read:d/../e/y write:a.tgz", NULL },
	{ "tar rf a.tar x", "read:x edit:a.tar", NULL },
	{ "tar --delete -f a.tar x", "edit:a.tar", NULL },
	{ "tar df a.tar", "read:a.tar", NULL },
	{ "tar -cf a.tar --remove-files x", "read:x write:a.tar delete-tree:x", NULL },
	{ "tar -xf a.tar --to-command='sh -c id'",
	  "rule:option.names-program read:a.tar [tar sh: sh -c id]", NULL },
	{ "tar -tf h:a.tar", "rule:archive.remote net", NULL },
	{ "tar -tf h:a.tar --force-local", "read:h:a.tar", NULL },
	{ "tar cf a.tar -T list", "write:a.tar unknown", NULL },
	{ "tar xOf a.tar x", "read:a.tar", NULL },
	{ "tar -x --use-compress-program=zstd -f a.tar",
	  "rule:option.names-program read:a.tar extract:. [tar sh: zstd]", NULL },
	{ "tar --checkpoint-action=dot -tf a.tar", "read:a.tar", NULL },
	{ "tar -g snap -cf a.tar x", "edit:snap read:x write:a.tar", NULL },
	{ "tar cvf", "write: unknown", NULL },
	{ "tar --version", "", NULL },
	{ "tar", "unknown", NULL },
	{ "bsdtar -tf a.zip", "read:a.zip", NULL },
	{ "cpio -it", "", NULL },
	{ "cpio -id", "extract:.", NULL },
	{ "cpio -o -O a.cpio", "write:a.cpio rule:cpio.names-from-input", NULL },
	{ "cpio -pd out", "rule:cpio.names-from-input extract:out", NULL },
	{ "cpio -idD out", "extract:out", NULL },
	{ "pax -f a.tar", "read:a.tar", NULL },
	{ "pax -rf a.tar", "read:a.tar extract:.", NULL },
	{ "pax -wf a.tar x", "write:a.tar rule:cpio.names-from-input read:x", NULL },
	{ "cpio -t -I h:x", "read:h:x rule:archive.remote net", NULL },
	{ "tar -t --use-comp ./x -f a", "rule:option.names-program read:a [tar sh: ./x]", NULL },
	{ "tar -tvf a --index-file=x", "write:x read:a", NULL },
	{ "tar -tf a --volno-file=x", "edit:x read:a", NULL },
	{ "tar -xf a -P", "read:a extract:. rule:tar.absolute-names", NULL },
	{ "tar -xf a --recursive-unlink", "read:a extract:. rule:tar.recursive-unlink", NULL },
};

static void
follows_the_mode_when_tar_runs(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, tars, COUNT_OF(tars)), 0);
}

static const struct fixture_row editors[] = {
	{ "vi a", "rule:editor.opens edit:a", NULL },
	{ "vim -R a", "rule:editor.opens edit:a", NULL },
	{ "vim --version", "", NULL },
	{ "vim -c ':q' a", "rule:editor.opens edit:a [vi other: :q]", NULL },
	{ "vim +12 a", "rule:editor.opens edit:a [vim + other: 12]", NULL },
	{ "vim -S s.vim a", "rule:editor.opens edit:a [vi other file: s.vim]", NULL },
	{ "vim -s keys a", "rule:editor.opens edit:keys edit:a", NULL },
	{ "vim --cmd 'set x' a", "rule:editor.opens edit:a [vi other: set x]", NULL },
	{ "vim -u NONE a", "rule:editor.opens edit:a [vi other file: NONE]", NULL },
	{ "vim -es -c '%s/a/b/' -c wq a",
	  "rule:editor.opens edit:a [vi other: %s/a/b/] [vi other: wq]", NULL },
	{ "view a", "rule:editor.opens edit:a", NULL },
	{ "nvim -l x.lua", "rule:editor.opens [vi other file: x.lua]", NULL },
	{ "ex -sc '%p|q' a", "rule:editor.opens edit:a [ex other: %p|q] [ex other stdin:]", NULL },
	{ "ed a", "rule:editor.opens edit:a [ed other stdin:]", NULL },
	{ "ed '!ls'", "rule:editor.opens edit:!ls [ed sh: ls] [ed other stdin:]", NULL },
	{ "red a", "rule:editor.opens edit:a", NULL },
	{ "emacs --batch --eval '(x)'", "rule:editor.opens [emacs other: (x)]", NULL },
	{ "emacs -Q --script x.el", "rule:editor.opens [emacs other file: x.el]", NULL },
	{ "emacs -nw a", "rule:editor.opens edit:a", NULL },
	{ "emacsclient -e '(x)'", "rule:editor.opens [emacsclient other: (x)]", NULL },
	{ "emacsclient -n a", "rule:editor.opens edit:a", NULL },
	{ "nano -s ./spell a",
	  "rule:editor.opens rule:option.names-program edit:a [nano!prompt!split sh: ./spell]",
	  NULL },
	{ "kak -e 'echo' a", "rule:editor.opens edit:a [kak other: echo]", NULL },
	{ "code --install-extension x", "rule:editor.opens rule:editor.installs-extension", NULL },
	{ "code --version", "", NULL },
	{ "code .", "rule:editor.opens edit:.", NULL },
	{ "micro a", "rule:editor.opens edit:a", NULL },
	{ "visudo", "rule:editor.opens", NULL },
};

static void
finds_the_code_when_an_editor_starts(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, editors, COUNT_OF(editors)), 0);
}

static const struct fixture_row pagers[] = {
	{ "less a", "read:a", NULL },
	{ "less -N +G a", "read:a", NULL },
	{ "less '+!id' a", "read:a [less +!prompt other: !id]", NULL },
	{ "less +12 a", "read:a", NULL },
	{ "less -o log a", "write:log read:a", NULL },
	{ "less -p foo a", "read:a", NULL },
	{ "less -k keys a", "read:a [less other file: keys]", NULL },
	{ "more a", "read:a", NULL },
	{ "more +/x a", "read:a", NULL },
	{ "bat -n a", "read:a", NULL },
	{ "bat --pager ./p a", "rule:option.names-program read:a [bat sh: ./p]", NULL },
	{ "bat cache --clear", "rule:bat.cache unknown", NULL },
	{ "man ls", "", NULL },
	{ "man 3 printf", "", NULL },
	{ "man -k foo", "", NULL },
	{ "man -l ./a.1", "read:./a.1", NULL },
	{ "man -P ./p ls", "rule:option.names-program [man sh: ./p]", NULL },
	{ "man -H ls", "rule:option.names-program", NULL },
	{ "man -C cfg ls", "config:cfg", NULL },
	{ "apropos x", "", NULL },
	{ "whatis ls", "", NULL },
	{ "whereis ls", "", NULL },
	{ "info ls", "", NULL },
	{ "info -o out ls", "write:out", NULL },
	{ "tldr tar", "rule:network.uses net", NULL },
	{ "less -Ox a", "write:x read:a", NULL },
	{ "less '+|^ id' a", "read:a [less +!prompt other: |^ id]", NULL },
	{ "man -k -P ./x ls", "rule:option.names-program [man sh: ./x]", NULL },
	{ "man -X ls", "unknown", NULL },
};

static void
reads_when_a_pager_shows(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, pagers, COUNT_OF(pagers)), 0);
}

static const struct fixture_row tools[] = {
	{ "pv a", "read:a", NULL },
	{ "pv -o b a", "write:b read:a", NULL },
	{ "datamash sum 1", "", NULL },
	{ "htmlq -f a.html p", "read:a.html", NULL },
	{ "pdfinfo a.pdf", "read:a.pdf", NULL },
	{ "pdftotext a.pdf", "read:a.pdf write:a.pdf.txt", NULL },
	{ "pdftotext a.pdf -", "read:a.pdf", NULL },
	{ "pdftotext -layout a.pdf b", "read:a.pdf write:b", NULL },
	{ "mediainfo http://h/a", "read:http://h/a net unknown", NULL },
	{ "plutil -p a", "read:a", NULL },
	{ "plutil -convert xml1 a", "edit:xml1 edit:a", NULL },
	{ "otool -L a", "read:a", NULL },
	{ "pkg-config --cflags x", "", NULL },
	{ "uuidgen", "", NULL },
	{ "jot 3", "", NULL },
	{ "unvis a", "read:a", NULL },
	{ "units 1m ft", "", NULL },
	{ "figlet hi", "", NULL },
	{ "errno 2", "", NULL },
	{ "zdump UTC", "", NULL },
	{ "dust .", "list:.", NULL },
	{ "procs --pager less", "unknown", NULL },
	{ "upower -d", "", NULL },
	{ "nvidia-smi -q", "", NULL },
	{ "nvidia-smi -pl 100", "unknown", NULL },
	{ "efibootmgr", "", NULL },
	{ "efibootmgr -b 0001 -B", "rule:settings.changes rule:settings.changes", NULL },
	{ "coredumpctl list", "", NULL },
	{ "coredumpctl gdb", "unknown", NULL },
	{ "busctl list", "", NULL },
	{ "busctl call a b c d", "rule:settings.changes", NULL },
	{ "resolvectl status", "", NULL },
	{ "resolvectl query example.com", "rule:network.uses net", NULL },
	{ "rfkill list", "", NULL },
	{ "rfkill block all", "unknown", NULL },
	{ "zramctl", "", NULL },
	{ "zramctl -r /dev/zram0", "", NULL },
	{ "symlinks -r .", "list:.", NULL },
	{ "symlinks -d .", "delete-tree:.", NULL },
};

static void
prints_when_a_small_tool_runs(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, tools, COUNT_OF(tools)), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_or_replaces_when_a_file_is_compressed),
		cmocka_unit_test(reads_or_unpacks_when_an_archive_is_used),
		cmocka_unit_test(follows_the_mode_when_tar_runs),
		cmocka_unit_test(finds_the_code_when_an_editor_starts),
		cmocka_unit_test(reads_when_a_pager_shows),
		cmocka_unit_test(prints_when_a_small_tool_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
