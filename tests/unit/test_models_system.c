/* SPDX-License-Identifier: MIT */
/* Programs about the machine, its users, services, network and secrets. */
#include "model_fixture.h"

#include "base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct fixture_row machine[] = {
	{ "uname -a", "", NULL },
	{ "hostname", "", NULL },
	{ "hostname -I", "", NULL },
	{ "hostname x", "rule:hostname.sets", NULL },
	{ "hostname -F f", "rule:hostname.sets", NULL },
	{ "nproc --all", "", NULL },
	{ "whoami", "", NULL },
	{ "id -u", "", NULL },
	{ "groups u", "", NULL },
	{ "who -b", "", NULL },
	{ "w", "", NULL },
	{ "last -n 5", "", NULL },
	{ "lastlog -C", "unknown", NULL },
	{ "uptime -p", "", NULL },
	{ "free -m", "", NULL },
	{ "vmstat 1 2", "", NULL },
	{ "iostat -x 1", "", NULL },
	{ "lscpu -e", "", NULL },
	{ "lsns", "", NULL },
	{ "lspci -v", "", NULL },
	{ "lsusb", "", NULL },
	{ "dmidecode -t bios", "", NULL },
	{ "dmidecode --dump-bin f", "write:f", NULL },
};

static void
only_looks_when_the_machine_is_described(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, machine, COUNT_OF(machine)), 0);
}

static const struct fixture_row settings[] = {
	{ "date", "", NULL },
	{ "date +%F", "", NULL },
	{ "date -d yesterday +%s", "", NULL },
	{ "date -s 2020-01-01", "rule:date.sets", NULL },
	{ "date 010203042020", "rule:date.sets", NULL },
	{ "date -r f", "", NULL },
	{ "date -j -f %Y 2020 +%s", "read:%Y", NULL },
	{ "cal 2026", "", NULL },
	{ "locale -a", "", NULL },
	{ "timedatectl", "", NULL },
	{ "timedatectl set-ntp false", "rule:settings.changes", NULL },
	{ "localectl status", "", NULL },
	{ "hostnamectl", "", NULL },
	{ "hostnamectl hostname x", "rule:hostname.sets", NULL },
	{ "printenv", "rule:environment.shown secret", NULL },
	{ "printenv PATH", "", NULL },
	{ "printenv PATH AWS_SECRET_ACCESS_KEY", "rule:environment.shown secret", NULL },
	{ "printenv $x", "rule:environment.shown secret unknown", NULL },
	{ "getent passwd root", "", NULL },
	{ "getent shadow root", "rule:getent.password-hashes", NULL },
	{ "getent hosts example.com", "rule:network.uses net", NULL },
	{ "getconf PAGE_SIZE", "", NULL },
	{ "tty", "", NULL },
	{ "stty -a", "", NULL },
	{ "stty size", "", NULL },
	{ "stty -echo", "unknown", NULL },
	{ "tput cols", "", NULL },
	{ "tput reset", "unknown", NULL },
	{ "clear", "", NULL },
	{ "mesg n", "unknown", NULL },
	{ "gsettings get a b", "", NULL },
	{ "gsettings set a b c", "rule:settings.changes", NULL },
	{ "dconf dump /", "", NULL },
	{ "xdg-mime query filetype a", "", NULL },
	{ "notify-send hi", "", NULL },
	{ "xdg-open a.pdf", "rule:open.runs read:a.pdf", NULL },
	{ "pbpaste", "rule:clipboard.uses", NULL },
	{ "xclip -o", "rule:clipboard.uses", NULL },
};

static void
tells_reading_from_setting_when_a_program_does_both(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, settings, COUNT_OF(settings)), 0);
}

static const struct fixture_row services[] = {
	{ "systemctl status nginx", "", NULL },
	{ "systemctl", "", NULL },
	{ "systemctl list-units --failed", "", NULL },
	{ "systemctl restart nginx", "rule:service.changes", NULL },
	{ "systemctl stop sshd.service", "rule:service.changes rule:service.stops-protection",
	  NULL },
	{ "systemctl stop nginx", "rule:service.changes", NULL },
	{ "systemctl --dry-run stop nginx", "rule:service.changes unknown", NULL },
	{ "systemctl poweroff --dry-run", "none:", NULL },
	{ "systemctl isolate rescue.target", "rule:service.changes rule:power.off", NULL },
	{ "systemctl show-environment", "rule:service.environment", NULL },
	{ "systemctl -H h status x", "rule:network.uses net", NULL },
	{ "systemctl frobnicate", "unknown", NULL },
	{ "journalctl -u x -n 50", "", NULL },
	{ "journalctl -n --rotate", "rule:log.deletes", NULL },
	{ "journalctl --vacuum-size=1G", "rule:log.deletes", NULL },
	{ "journalctl -D d", "read:d", NULL },
	{ "loginctl list-sessions", "", NULL },
	{ "loginctl terminate-user u", "rule:session.ends", NULL },
	{ "systemd-analyze blame", "", NULL },
	{ "service nginx status", "", NULL },
	{ "service --status-all", "", NULL },
	{ "service ufw stop", "rule:service.changes rule:service.stops-protection", NULL },
	{ "rc-update del sshd", "rule:service.changes rule:service.stops-protection", NULL },
	{ "launchctl list", "", NULL },
	{ "launchctl unload x.plist", "rule:service.changes", NULL },
	{ "shutdown -c", "rule:power.cancels", NULL },
	{ "shutdown -h now", "rule:power.off", NULL },
	{ "reboot", "rule:power.off", NULL },
	{ "halt --help", "", NULL },
	{ "init 0", "rule:power.off", NULL },
	{ "telinit q", "rule:service.changes", NULL },
	{ "kexec -e", "rule:power.off", NULL },
	{ "pmset -g", "", NULL },
	{ "pmset sleep 0", "rule:settings.changes", NULL },
	{ "service nginx stop --help", "rule:service.changes", NULL },
	{ "networkctl status", "", NULL },
	{ "udevadm info x", "list:x", NULL },
};

static void
sees_what_protects_when_a_service_stops(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, services, COUNT_OF(services)), 0);
}

static const struct fixture_row kernel[] = {
	{ "dmesg -T", "", NULL },
	{ "dmesg -C", "rule:log.deletes", NULL },
	{ "sysctl -a", "", NULL },
	{ "sysctl kernel.x", "", NULL },
	{ "sysctl kernel.x=1", "rule:kernel.changes", NULL },
	{ "sysctl -w kernel/randomize_va_space=0", "rule:kernel.changes rule:kernel.weakens",
	  NULL },
	{ "sysctl -w kernel.core_pattern='|/tmp/x'", "rule:kernel.changes rule:kernel.weakens",
	  NULL },
	{ "sysctl -p", "rule:kernel.changes", NULL },
	{ "sysctl --system", "rule:kernel.changes", NULL },
	{ "modprobe loop", "rule:kernel.changes", NULL },
	{ "modprobe -n loop", "", NULL },
	{ "modprobe -r loop", "rule:kernel.changes", NULL },
	{ "insmod ./x.ko", "rule:kernel.changes", NULL },
	{ "lsmod", "", NULL },
	{ "modinfo loop", "list:loop", NULL },
	{ "hwclock -r", "", NULL },
	{ "hwclock --systohc", "rule:settings.changes", NULL },
	{ "setenforce 0", "rule:protection.off", NULL },
	{ "setenforce 1", "rule:protection.changes", NULL },
	{ "getenforce", "", NULL },
	{ "sestatus", "", NULL },
	{ "aa-teardown", "rule:protection.off", NULL },
	{ "aa-status", "", NULL },
	{ "apparmor_parser -r f", "rule:protection.changes read:f", NULL },
	{ "apparmor_parser -R f", "rule:protection.changes rule:protection.off read:f", NULL },
	{ "auditctl -l", "", NULL },
	{ "auditctl -e 0", "rule:protection.off", NULL },
	{ "auditctl -D", "rule:protection.off", NULL },
	{ "ausearch -m avc", "", NULL },
	{ "spctl --status", "", NULL },
	{ "spctl --master-disable", "rule:protection.off", NULL },
	{ "csrutil status", "", NULL },
	{ "csrutil disable", "rule:protection.off", NULL },
	{ "fdesetup disable", "rule:protection.off", NULL },
	{ "aa-teardown --help", "rule:protection.off", NULL },
	{ "chcon -h -t x y", "rule:protection.changes", NULL },
	{ "insmod x.ko --help", "rule:kernel.changes", NULL },
};

static void
sees_what_weakens_when_the_kernel_is_set(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, kernel, COUNT_OF(kernel)), 0);
}

static const struct fixture_row network[] = {
	{ "ip a", "", NULL },
	{ "ip -br addr show", "", NULL },
	{ "ip link set eth0 down", "rule:network.changes-settings", NULL },
	{ "ip route get 1.1.1.1", "", NULL },
	{ "ip route", "", NULL },
	{ "ip netns exec ns rm -rf /", "rule:network.changes-settings [ip: rm -rf /]", NULL },
	{ "ip netns list", "", NULL },
	{ "ip -batch f", "unknown", NULL },
	{ "ip addr flush dev eth0", "rule:network.changes-settings", NULL },
	{ "ifconfig", "", NULL },
	{ "ifconfig eth0", "", NULL },
	{ "ifconfig eth0 down", "unknown", NULL },
	{ "route -n", "", NULL },
	{ "route add default gw 1.1.1.1", "rule:network.changes-settings", NULL },
	{ "arp -a", "", NULL },
	{ "arp -d h", "rule:network.changes-settings", NULL },
	{ "netstat -tlnp", "", NULL },
	{ "ss -tlnp", "", NULL },
	{ "ss -K dst 1.1.1.1", "rule:ss.closes", NULL },
	{ "lsof -i :80", "list::80", NULL },
	{ "lsof +D /var", "list:/var", NULL },
	{ "fuser -v f", "list:f", NULL },
	{ "fuser -k 80/tcp", "rule:fuser.kills list:80/tcp", NULL },
	{ "iw dev", "", NULL },
	{ "iwconfig wlan0", "", NULL },
	{ "nmcli device status", "", NULL },
	{ "nmcli -s connection show x", "rule:network.shows-secrets", NULL },
	{ "nmcli radio wifi off", "rule:network.changes-settings", NULL },
	{ "iptables -L -n", "", NULL },
	{ "iptables -F", "rule:firewall.off", NULL },
	{ "iptables -A INPUT -j DROP", "rule:firewall.changes", NULL },
	{ "iptables -P INPUT ACCEPT", "rule:firewall.changes rule:firewall.off", NULL },
	{ "iptables-save", "", NULL },
	{ "nft list ruleset", "", NULL },
	{ "nft flush ruleset", "rule:firewall.changes rule:firewall.off", NULL },
	{ "nft 'list ruleset; flush ruleset'", "rule:firewall.changes rule:firewall.off", NULL },
	{ "nft -f f", "read:f rule:firewall.changes", NULL },
	{ "ufw status", "", NULL },
	{ "ufw disable", "rule:firewall.off", NULL },
	{ "ufw allow 22", "rule:firewall.changes", NULL },
	{ "firewall-cmd --list-all", "", NULL },
	{ "firewall-cmd --add-port=80/tcp", "rule:firewall.changes", NULL },
	{ "pfctl -s rules", "", NULL },
	{ "pfctl -d", "rule:firewall.off", NULL },
	{ "networksetup -listallhardwareports", "", NULL },
	{ "networksetup -setdnsservers Wi-Fi 1.1.1.1", "rule:network.changes-settings", NULL },
	{ "scutil --dns", "", NULL },
	{ "lsof -i @evil.example", "list:@evil.example rule:network.uses net", NULL },
	{ "ss dst evil.example", "rule:network.uses net", NULL },
	{ "ss dst 1.2.3.4", "", NULL },
	{ "arp evil.example", "rule:network.uses net", NULL },
	{ "nmcli d connect x", "unknown", NULL },
	{ "nmcli d", "", NULL },
	{ "nft list ruleset ; flush ruleset", "rule:firewall.changes rule:firewall.off", NULL },
	{ "ufw default allow incoming", "rule:firewall.changes rule:firewall.off", NULL },
	{ "ufw --dry-run disable", "none:", NULL },
};

static void
sees_an_open_filter_when_the_network_is_set(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, network, COUNT_OF(network)), 0);
}

static const struct fixture_row accounts[] = {
	{ "useradd bob", "rule:account.changes", NULL },
	{ "useradd -u 0 -o x", "rule:account.changes rule:account.gives-privilege", NULL },
	{ "useradd -G sudo,users x", "rule:account.changes rule:account.gives-privilege", NULL },
	{ "usermod -aG docker u", "rule:account.changes rule:account.gives-privilege", NULL },
	{ "usermod -L u", "rule:account.changes", NULL },
	{ "usermod -aG audio u", "rule:account.changes", NULL },
	{ "userdel u", "rule:account.changes", NULL },
	{ "userdel -r u", "rule:account.changes rule:account.deletes-home", NULL },
	{ "adduser bob sudo", "rule:account.changes rule:account.gives-privilege", NULL },
	{ "adduser bob", "rule:account.changes", NULL },
	{ "deluser --remove-home bob", "rule:account.changes rule:account.deletes-home", NULL },
	{ "groupadd g", "rule:account.changes", NULL },
	{ "gpasswd -a u wheel", "rule:account.changes rule:account.gives-privilege", NULL },
	{ "gpasswd -d u g", "rule:account.changes", NULL },
	{ "passwd", "rule:account.sets-password", NULL },
	{ "passwd -S u", "", NULL },
	{ "passwd -d root", "rule:account.sets-password rule:account.gives-privilege", NULL },
	{ "chpasswd", "rule:account.sets-password rule:account.gives-privilege", "root:x" },
	{ "chpasswd", "rule:account.sets-password", "bob:x" },
	{ "chage -l u", "", NULL },
	{ "chage -E 0 u", "rule:account.changes", NULL },
	{ "chsh -s /bin/zsh", "rule:account.changes", NULL },
	{ "pwck -r", "", NULL },
	{ "pwck", "rule:account.changes", NULL },
	{ "dscl . -list /Users", "", NULL },
	{ "dscl . -append /Groups/admin GroupMembership u",
	  "rule:account.changes rule:account.gives-privilege", NULL },
	{ "dseditgroup -o edit -a u -t user admin",
	  "rule:account.changes rule:account.gives-privilege", NULL },
	{ "dseditgroup -o read admin", "", NULL },
	{ "defaults read com.x", "", NULL },
	{ "defaults write com.x a b", "rule:settings.changes", NULL },
	{ "nvram -p", "", NULL },
	{ "nvram -c", "rule:nvram.clears", NULL },
	{ "nvram x=y", "rule:settings.changes", NULL },
	{ "tmutil status", "", NULL },
	{ "tmutil delete /x", "rule:backup.deletes", NULL },
	{ "update-alternatives --list editor", "", NULL },
	{ "update-alternatives --set editor /bin/ed", "rule:settings.changes", NULL },
	{ "ldconfig -p", "", NULL },
	{ "ldconfig", "rule:settings.changes", NULL },
	{ "logrotate /etc/logrotate.conf", "rule:logrotate.runs read:/etc/logrotate.conf", NULL },
	{ "logger hi", "rule:message.sends", NULL },
	{ "wall hi", "rule:message.sends", NULL },
	{ "xhost", "", NULL },
	{ "xhost +", "rule:xhost.opens-display", NULL },
	{ "xhost +local:", "rule:xhost.changes", NULL },
	{ "softwareupdate -i -a", "rule:settings.changes net", NULL },
};

static void
sees_given_rights_when_an_account_changes(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, accounts, COUNT_OF(accounts)), 0);
}

static const struct fixture_row secrets[] = {
	{ "gpg --list-keys", "", NULL },
	{ "gpg -K", "", NULL },
	{ "gpg --verify a.sig a", "read:a.sig read:a", NULL },
	{ "gpg --export-secret-keys -a", "rule:gpg.exports-secret-key", NULL },
	{ "gpg --delete-secret-keys X", "rule:gpg.deletes-secret-key read:X", NULL },
	{ "gpg -d a.gpg", "rule:gpg.uses-keys read:a.gpg", NULL },
	{ "gpg --import k", "rule:gpg.uses-keys read:k", NULL },
	{ "gpg a.gpg", "read:a.gpg rule:gpg.uses-keys", NULL },
	{ "gpg --export -a X", "rule:gpg.uses-keys read:X", NULL },
	{ "gpgconf --kill all", "rule:gpg.uses-keys", NULL },
	{ "gpgv a.sig", "read:a.sig", NULL },
	{ "openssl version", "", NULL },
	{ "openssl x509 -in c.pem -noout -text", "read:c.pem", NULL },
	{ "openssl x509 -req -in c.csr -CA ca.pem -CAkey ca.key -out c.pem",
	  "rule:key.makes read:c.csr read:ca.pem read:ca.key write:c.pem", NULL },
	{ "openssl base64 -d -in a", "read:a", NULL },
	{ "openssl enc -d -aes-256-cbc -in a -out b", "read:a write:b", NULL },
	{ "openssl dgst -sha256 a", "read:a", NULL },
	{ "openssl sha256 a", "read:a", NULL },
	{ "openssl rand -hex 16", "", NULL },
	{ "openssl rsa -in k.pem", "read:k.pem rule:openssl.private-key secret", NULL },
	{ "openssl rsa -in k.pem -pubout", "read:k.pem", NULL },
	{ "openssl rsa -in k.pem -noout -modulus", "read:k.pem", NULL },
	{ "openssl genrsa -out k.pem 2048", "rule:key.makes unknown", NULL },
	{ "openssl s_client -connect h:443", "rule:network.uses rule:network.uses net", NULL },
	{ "openssl req -x509 -newkey rsa:2048 -nodes",
	  "rule:key.makes rule:key.makes read:rsa:2048", NULL },
	{ "openssl verify -CAfile ca.pem c.pem", "read:ca.pem read:c.pem", NULL },
	{ "openssl pkcs12 -in a.p12 -nodes", "read:a.p12 rule:openssl.private-key secret", NULL },
	{ "openssl x509 -engine ./e.so -in c", "read:c unknown", NULL },
	{ "ssh-keygen -t ed25519 -f ./k", "rule:key.makes make:./k", NULL },
	{ "ssh-keygen -y -f ~/.ssh/id_rsa", "list:~/.ssh/id_rsa", NULL },
	{ "ssh-keygen -lf k.pub", "list:k.pub", NULL },
	{ "ssh-keygen -R host", "rule:ssh-keygen.changes-known-hosts", NULL },
	{ "ssh-keygen -D ./lib.so", "rule:key.makes unknown", NULL },
	{ "ssh-add -l", "", NULL },
	{ "ssh-add k", "list:k rule:ssh-agent.changes", NULL },
	{ "ssh-add -D", "rule:ssh-agent.changes", NULL },
	{ "ssh-agent -s", "rule:ssh-agent.changes", NULL },
	{ "ssh-agent rm -rf /", "rule:ssh-agent.changes [ssh-agent: rm -rf /]", NULL },
	{ "pass ls", "rule:secret.store-changes", NULL },
	{ "pass show x", "rule:secret.shown", NULL },
	{ "pass x", "rule:secret.shown", NULL },
	{ "pass rm x", "rule:secret.store-deletes", NULL },
	{ "op item get x", "rule:secret.shown", NULL },
	{ "op item list", "rule:secret.store-changes", NULL },
	{ "bw get password x", "rule:secret.shown", NULL },
	{ "vault read secret/x", "rule:secret.shown", NULL },
	{ "vault kv get x", "rule:secret.shown", NULL },
	{ "vault kv delete x", "rule:secret.store-deletes", NULL },
	{ "vault status", "unknown", NULL },
	{ "secret-tool lookup a b", "rule:secret.shown", NULL },
	{ "security find-generic-password -w -s x", "rule:secret.shown", NULL },
	{ "security dump-keychain", "rule:secret.shown", NULL },
	{ "security find-certificate -a", "", NULL },
	{ "docker-credential-desktop get", "rule:secret.shown", NULL },
	{ "lpass show x", "rule:secret.shown", NULL },
	{ "keepassxc-cli show db x", "rule:secret.shown", NULL },
	{ "sops -d f", "rule:secret.store-changes", NULL },
};

static void
sees_a_taken_secret_when_keys_are_used(void **state)
{
	(void)state;
	assert_int_equal(fixture_run(NULL, secrets, COUNT_OF(secrets)), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_looks_when_the_machine_is_described),
		cmocka_unit_test(tells_reading_from_setting_when_a_program_does_both),
		cmocka_unit_test(sees_what_protects_when_a_service_stops),
		cmocka_unit_test(sees_what_weakens_when_the_kernel_is_set),
		cmocka_unit_test(sees_an_open_filter_when_the_network_is_set),
		cmocka_unit_test(sees_given_rights_when_an_account_changes),
		cmocka_unit_test(sees_a_taken_secret_when_keys_are_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
