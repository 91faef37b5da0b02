/* fs.remote on a mounted remote file system: sshfs with an sshd of the test. */
#include "servers.h"

enum { SSH_PORT = 22022 };

/* ---- sshfs ------------------------------------------------------------ */

static bool mounted;
static pid_t sshd;

static void write_ssh(void)
{
	struct text text = { 0 };

	text_add(&text,
		"cd %s && ssh-keygen -q -t ed25519 -N '' -f host && "
		"ssh-keygen -q -t ed25519 -N '' -f key && cp key.pub allowed && "
		"chmod 600 allowed && mkdir -p /run/sshd remote far",
		top);
	shell(text_chars(&text));
	text_clear(&text);
	text_add(&text,
		"Port %d\nListenAddress 127.0.0.1\nHostKey %s\n"
		"AuthorizedKeysFile %s\nStrictModes no\nUsePAM no\n"
		"PasswordAuthentication no\nPermitRootLogin yes\n"
		"PidFile none\nSubsystem sftp internal-sftp\n",
		SSH_PORT, in_top("host"), in_top("allowed"));
	write_file(in_top("sshd.conf"), text_chars(&text));
	text_free(&text);
}

static const char *mount_sshfs(void)
{
	struct text text = { 0 };

	if (!isolated)
		return "not permitted here: namespaces";
	if (!is_here("/usr/sbin/sshd") || !is_here("sshfs") ||
		!is_here("ssh-keygen"))
		return "no sshfs here";
	if (access("/dev/fuse", R_OK | W_OK))
		return "not permitted here: /dev/fuse";
	write_ssh();
	sshd = SERVE("/usr/sbin/sshd", "-D", "-e", "-f", in_top("sshd.conf"));
	if (!await_port(SSH_PORT, sshd))
		return "not permitted here: an sshd";
	text_add(&text,
		"sshfs -p %d -o IdentityFile=%s -o StrictHostKeyChecking=no "
		"-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "
		"root@127.0.0.1:%s %s 2>>%s",
		SSH_PORT, in_top("key"), in_top("remote"), in_top("far"),
		in_top("log"));
	mounted = !system(text_chars(&text));
	text_free(&text);
	return mounted ? NULL : "not permitted here: a FUSE mount";
}

static void test_sshfs(void **state)
{
	const char *why = mount_sshfs();
	char path[700];

	if (why) {
		print_message("SKIP: %s\n", why);
		skip();
	}
	snprintf(path, sizeof path, "path=%s", in_top("far"));
	struct ran ran = RUN(PROGRAM, "run", "fs.remote", path, "size=64K,1M",
		"order=sequential,random", "launches=6", "trials=2");
	assert_status(ran, 0);
	assert_false(contains(&ran.out, "unavailable"));
	assert_false(contains(&ran.out, "invalid"));
	assert_contains(ran.out, "times as long as in sequence");
	ran_free(&ran);
	ran = RUN(PROGRAM, "-c",
		"run fs.remote path=/nowhere/at/all size=4K; list");
	assert_contains(ran.out, "No such file or directory");
	ran_free(&ran);
	assert_int_equal(entries_in(in_top("remote")), 0);
}

static void await_entries(bool some)
{
	while (some != (entries_in(in_top("remote")) > 0))
		usleep(1000);
}

/* The server's process is killed during the first launch, which is long: the
 * pilot is short, and after it a path without server is local. The sentence
 * names the file that could not be removed. */
static void test_killed(void **state)
{
	char path[700], command[256];

	if (!mounted)
		skip_because("no sshfs here");
	snprintf(path, sizeof path, "path=%s", in_top("far"));
	const char *words[] = { "run", "fs.remote", path, "size=1M",
		"order=random", "launches=30", "trials=1000", "budget=120s",
		NULL };
	struct running running = start_run(words);
	await_entries(true);
	await_entries(false);
	await_entries(true);
	snprintf(command, sizeof command, "kill -9 $(ps -o pid= --ppid %d)",
		(int)sshd);
	shell(command);
	struct ran ran = end_run(&running);
	lost_its_server(&ran);
}

static int unmount_all(void **state)
{
	if (mounted)
		umount2(in_top("far"), MNT_DETACH);
	return end_servers(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sshfs),
		cmocka_unit_test(test_killed),
	};

	return cmocka_run_group_tests(tests, make_servers, unmount_all);
}
