/* SPDX-License-Identifier: MIT */
/* Disks, processes, jobs and terminal multiplexers. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row disks[] = {
	{ "lsblk -f", "", NULL },
	{ "findmnt /", "list:/", NULL },
	{ "mountpoint /mnt", "list:/mnt", NULL },
	{ "mount", "", NULL },
	{ "mount -l", "", NULL },
	{ "mount -t proc", "", NULL },
	{ "mount /dev/sdb1 /mnt", "rule:mount.changes", NULL },
	{ "mount -a", "rule:mount.changes", NULL },
	{ "mount --bind a b", "rule:mount.changes", NULL },
	{ "umount /mnt", "rule:mount.changes", NULL },
	{ "swapon --show", "", NULL },
	{ "swapon", "", NULL },
	{ "swapon -a", "rule:swap.changes", NULL },
	{ "swapoff -a", "rule:swap.changes", NULL },
	{ "losetup", "", NULL },
	{ "losetup -a", "", NULL },
	{ "losetup /dev/loop0", "list:/dev/loop0", NULL },
	{ "losetup /dev/loop0 f", "list:/dev/loop0 list:f rule:loop.changes", NULL },
	{ "losetup -d /dev/loop0", "rule:loop.changes", NULL },
	{ "blkid /dev/sda", "list:/dev/sda", NULL },
	{ "wipefs /dev/sda", "list:/dev/sda", NULL },
	{ "wipefs -a -n /dev/sda", "list:/dev/sda", NULL },
	{ "wipefs -a /dev/sda", "format:/dev/sda", NULL },
	{ "fdisk -l", "", NULL },
	{ "fdisk /dev/sda", "format:/dev/sda", NULL },
	{ "sfdisk -d /dev/sda", "list:/dev/sda", NULL },
	{ "sfdisk /dev/sda", "format:/dev/sda", NULL },
	{ "cfdisk /dev/sda", "format:/dev/sda", NULL },
	{ "parted /dev/sda print", "list:/dev/sda", NULL },
	{ "parted -s /dev/sda unit MiB print", "list:/dev/sda", NULL },
	{ "parted /dev/sda mkpart primary 1 2", "format:/dev/sda", NULL },
	{ "gdisk -l /dev/sda", "list:/dev/sda", NULL },
	{ "sgdisk -p /dev/sda", "list:/dev/sda", NULL },
	{ "sgdisk -Z /dev/sda", "format:/dev/sda", NULL },
	{ "partx -s /dev/sda", "list:/dev/sda", NULL },
	{ "partx -a /dev/sda", "list:/dev/sda rule:disk.changes", NULL },
	{ "partprobe", "rule:disk.reads-partitions", NULL },
	{ "blkdiscard /dev/sda", "format:/dev/sda", NULL },
	{ "hdparm -I /dev/sda", "list:/dev/sda", NULL },
	{ "hdparm -W0 /dev/sda", "rule:disk.changes list:/dev/sda", NULL },
	{ "nvme list", "", NULL },
	{ "nvme smart-log /dev/nvme0", "list:/dev/nvme0", NULL },
	{ "nvme sanitize /dev/nvme0", "rule:disk.changes format:/dev/nvme0", NULL },
	{ "smartctl -a /dev/sda", "list:/dev/sda", NULL },
	{ "smartctl -t long /dev/sda", "rule:disk.changes list:long list:/dev/sda", NULL },
	{ "blockdev --getsize64 /dev/sda", "list:/dev/sda", NULL },
	{ "blockdev --setro /dev/sda", "rule:disk.changes list:/dev/sda", NULL },
	{ "badblocks -sv /dev/sda", "list:/dev/sda", NULL },
	{ "badblocks -w /dev/sda", "format:/dev/sda", NULL },
	{ "fstrim -av", "rule:disk.changes", NULL },
	{ "fallocate -l 1G f", "edit:f", NULL },
	{ "mkfs -t ext4 /dev/sdb", "format:/dev/sdb", NULL },
	{ "mkfs.xfs -f /dev/sdb1", "format:/dev/sdb1", NULL },
	{ "mkfs.vfat -n LABEL img", "format:img", NULL },
	{ "mkswap f", "format:f", NULL },
	{ "fsck -n /dev/sda1", "list:/dev/sda1", NULL },
	{ "fsck -y /dev/sda1", "list:/dev/sda1 rule:disk.changes", NULL },
	{ "e2fsck -f /dev/sda1", "list:/dev/sda1 rule:disk.changes", NULL },
	{ "dumpe2fs -h /dev/sda1", "list:/dev/sda1", NULL },
	{ "tune2fs -l /dev/sda1", "list:/dev/sda1", NULL },
	{ "tune2fs -m 1 /dev/sda1", "list:/dev/sda1 rule:disk.changes", NULL },
	{ "resize2fs /dev/sda1", "list:/dev/sda1 rule:disk.changes", NULL },
	{ "debugfs -R 'cat /etc/shadow' /dev/sda1",
	  "rule:disk.changes read:cat /etc/shadow read:/dev/sda1", NULL },
	{ "e2label /dev/sda1", "list:/dev/sda1", NULL },
	{ "e2label /dev/sda1 x", "list:/dev/sda1 rule:disk.changes", NULL },
	{ "mount -o remount,ro /", "rule:mount.changes", NULL },
};

static void
formats_when_a_disk_is_written(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, disks, COUNT_OF(disks)), 0);
}

static const struct fixture_row volumes[] = {
	{ "lvs", "", NULL },
	{ "lvremove vg/x", "rule:volume.removes", NULL },
	{ "lvresize -L -5G vg/x", "rule:volume.changes rule:volume.removes", NULL },
	{ "lvresize -L +5G vg/x", "rule:volume.changes", NULL },
	{ "lvcreate -n x -L 1G vg", "rule:volume.changes", NULL },
	{ "pvcreate /dev/sdb", "rule:volume.changes format:/dev/sdb", NULL },
	{ "mdadm --detail /dev/md0", "list:/dev/md0", NULL },
	{ "mdadm --zero-superblock /dev/sdb", "format:/dev/sdb", NULL },
	{ "mdadm --create /dev/md0 --level=1 -n 2 /dev/sda1 /dev/sdb1",
	  "format:/dev/md0 format:/dev/sda1 format:/dev/sdb1", NULL },
	{ "mdadm --stop /dev/md0", "rule:volume.changes list:/dev/md0", NULL },
	{ "zfs list -t snapshot", "", NULL },
	{ "zfs destroy -r t/x", "rule:volume.removes", NULL },
	{ "zfs destroy -nv t/x", "none:", NULL },
	{ "zfs rollback t/x@a", "rule:volume.rolls-back", NULL },
	{ "zfs snapshot t/x@a", "rule:volume.changes", NULL },
	{ "zpool status", "", NULL },
	{ "zpool destroy t", "rule:volume.removes", NULL },
	{ "zpool create t /dev/sdb", "rule:volume.changes format:/dev/sdb", NULL },
	{ "btrfs subvolume list /", "list:/", NULL },
	{ "btrfs subvolume delete ./s", "delete-tree:./s", NULL },
	{ "btrfs device add /dev/sdb /mnt", "rule:volume.changes list:/dev/sdb list:/mnt", NULL },
	{ "cryptsetup status x", "list:x", NULL },
	{ "cryptsetup luksDump /dev/sda", "list:/dev/sda", NULL },
	{ "cryptsetup luksDump --dump-master-key /dev/sda", "rule:volume.shows-key list:/dev/sda",
	  NULL },
	{ "cryptsetup luksFormat /dev/sdb", "rule:volume.changes format:/dev/sdb", NULL },
	{ "cryptsetup open /dev/sdb x", "rule:volume.changes list:/dev/sdb list:x", NULL },
	{ "diskutil list", "", NULL },
	{ "diskutil eraseDisk APFS X disk2", "rule:volume.removes", NULL },
	{ "hdiutil info", "", NULL },
	{ "hdiutil attach a.dmg", "rule:volume.changes list:a.dmg", NULL },
	{ "mkisofs -o a.iso d", "rule:image.makes write:a.iso read:d", NULL },
	{ "ddrescue /dev/sda img map", "read:/dev/sda write:img", NULL },
};

static void
removes_when_a_volume_is_destroyed(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, volumes, COUNT_OF(volumes)), 0);
}

static const struct fixture_row processes[] = {
	{ "ps aux", "", NULL },
	{ "ps -ef", "", NULL },
	{ "ps auxe", "rule:environment.shown secret", NULL },
	{ "ps e", "rule:environment.shown secret", NULL },
	{ "ps -eo pid,cmd", "", NULL },
	{ "ps -o pid= -p 1", "", NULL },
	{ "ps -p $x", "", NULL },
	{ "ps -C nginx -o pid", "", NULL },
	{ "ps $x", "unknown", NULL },
	{ "pgrep -f x", "", NULL },
	{ "pidof x", "", NULL },
	{ "top -bn1", "", NULL },
	{ "pstree -p", "", NULL },
	{ "pmap 1", "", NULL },
	{ "ipcs -a", "", NULL },
	{ "kill 1234", "rule:kill.signals", NULL },
	{ "kill -9 1234", "rule:kill.signals", NULL },
	{ "kill -l", "", NULL },
	{ "kill -0 1234", "", NULL },
	{ "kill -s KILL -1", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "kill -9 -1", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "kill -1", "rule:kill.signals", NULL },
	{ "kill -- -1", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "kill -9 1", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "kill $x", "rule:kill.signals", NULL },
	{ "kill -0 $x", "", NULL },
	{ "killall node", "rule:kill.signals", NULL },
	{ "killall -9 sshd", "rule:kill.signals rule:kill.stops-protection", NULL },
	{ "killall -u bob", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "killall -l", "", NULL },
	{ "pkill node", "rule:kill.signals", NULL },
	{ "pkill -u bob", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "pkill -u bob node", "rule:kill.signals", NULL },
	{ "pkill -f .", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "pkill -KILL x", "rule:kill.signals unknown", NULL },
	{ "pkill -9 -f 'python app'", "rule:kill.signals", NULL },
	{ "pkill -v x", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "killall5", "rule:kill.signals-everything", NULL },
	{ "renice -n 5 -p 1", "rule:process.changes", NULL },
	{ "ipcrm -a", "rule:process.changes", NULL },
	{ "gcore 123", "rule:process.dumps-memory", NULL },
	{ "kill %1", "rule:kill.signals", NULL },
	{ "pkill -9 -u bob -t tty1", "rule:kill.signals rule:kill.signals-everything", NULL },
	{ "ps -p 1 e", "rule:environment.shown secret", NULL },
};

static void
tells_one_from_all_when_processes_are_signalled(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, processes, COUNT_OF(processes)), 0);
}

static const struct fixture_row jobs[] = {
	{ "at now", "rule:job.changes [at!later sh stdin:]", NULL },
	{ "at -f j now", "rule:job.changes [at!later sh file: j]", NULL },
	{ "at -l", "", NULL },
	{ "atq", "", NULL },
	{ "atrm 1", "rule:job.changes", NULL },
	{ "batch", "rule:job.changes [at!later sh stdin:]", NULL },
	{ "crontab", "rule:job.changes [crontab!later other stdin:]", NULL },
	{ "crontab -l", "", NULL },
	{ "crontab -r", "rule:crontab.removes-all", NULL },
	{ "crontab -e", "rule:job.changes", NULL },
	{ "crontab f", "rule:job.changes [crontab!later other file: f]", NULL },
	{ "crontab -", "rule:job.changes [crontab!later other stdin:]", NULL },
	{ "crontab -u root -", "rule:job.changes [crontab!later other stdin:]", NULL },
	{ "supervisorctl status", "", NULL },
	{ "supervisorctl stop all", "rule:process.changes", NULL },
	{ "pm2 list", "", NULL },
	{ "pm2 start app.js", "rule:process.changes execute:app.js", NULL },
	{ "pm2 delete all", "rule:process.changes", NULL },
	{ "at -c 1", "rule:environment.shown secret", NULL },
	{ "pm2 jlist", "rule:environment.shown", NULL },
	{ "pm2 env 0", "rule:environment.shown", NULL },
	{ "crontab -ir", "rule:crontab.removes-all", NULL },
};

static void
keeps_code_for_later_when_a_job_is_made(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, jobs, COUNT_OF(jobs)), 0);
}

static const struct fixture_row terminals[] = {
	{ "tmux ls", "", NULL },
	{ "tmux", "rule:terminal.changes", NULL },
	{ "tmux new -d 'rm -rf /'", "rule:terminal.changes [tmux!prompt sh: rm -rf /]", NULL },
	{ "tmux new-session -d -s x rm -rf /", "rule:terminal.changes [tmux!prompt: rm -rf /]",
	  NULL },
	{ "tmux send-keys -t x 'rm -rf /' Enter",
	  "rule:terminal.changes [tmux!prompt sh: rm -rf /] [tmux!prompt sh: Enter]", NULL },
	{ "tmux run-shell 'id'", "rule:terminal.changes [tmux!prompt sh: id]", NULL },
	{ "tmux kill-server", "rule:terminal.changes", NULL },
	{ "tmux display -p '#(id)'", "unknown", NULL },
	{ "tmux display -p '#S'", "", NULL },
	{ "tmux ls ; kill-server", "unknown", NULL },
	{ "tmux -c 'id'", "rule:terminal.changes [tmux sh: id]", NULL },
	{ "screen -ls", "", NULL },
	{ "screen -dmS x rm -rf /", "rule:terminal.changes [screen!prompt: rm -rf /]", NULL },
	{ "screen -S x -X stuff 'rm -rf /'",
	  "rule:terminal.changes [screen -X!prompt sh: rm -rf /]", NULL },
	{ "screen -r x", "rule:terminal.changes", NULL },
	{ "tmux capture-pane -p", "", NULL },
	{ "tmux source x", "rule:terminal.changes", NULL },
	{ "tmux save-buffer x", "write:x", NULL },
};

static void
runs_what_it_is_given_when_a_terminal_opens(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, terminals, COUNT_OF(terminals)), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_when_a_disk_is_written),
		cmocka_unit_test(removes_when_a_volume_is_destroyed),
		cmocka_unit_test(tells_one_from_all_when_processes_are_signalled),
		cmocka_unit_test(keeps_code_for_later_when_a_job_is_made),
		cmocka_unit_test(runs_what_it_is_given_when_a_terminal_opens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
