/* fs.remote against real servers on a loopback of the test's own: NFS-Ganesha,
 * versions 3 and 4, through libnfs, and sshfs against an sshd. */
#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <stdio.h>

#include "namespace.h"
#include "run.h"

static char top[512]; /* holds all of what follows */
static bool isolated; /* namespaces are ours */
static pid_t servers[4];
static size_t server_count;

enum { NFS_PORT = 22049, MOUNT_PORT = 22048, SSH_PORT = 22022 };

static const char *in_top(const char *name)
{
	static char paths[8][600];
	static int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", top, name);
	return path;
}

static size_t entries_in(const char *path)
{
	DIR *entries = opendir(path);
	size_t count = 0;

	for (struct dirent *entry; entries && (entry = readdir(entries));)
		count += strcmp(entry->d_name, ".") &&
			strcmp(entry->d_name, "..");
	if (entries)
		closedir(entries);
	return count;
}

static bool is_here(const char *program)
{
	char command[256];

	snprintf(command, sizeof command, "command -v %s >/dev/null", program);
	return !system(command);
}

static pid_t serve(const char *const *words)
{
	int log = open(in_top("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		0600);
	pid_t pid = fork();

	if (!pid) {
		dup2(log, 1);
		dup2(log, 2);
		execvp(words[0], (char *const *)words);
		_exit(127);
	}
	close(log);
	servers[server_count++] = pid;
	return pid;
}
#define SERVE(...) serve((const char *const[]){ __VA_ARGS__, NULL })

static struct sockaddr_in here(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* A connection, or -1. */
static int dial(int port)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in to = here(port);

	if (!connect(fd, (struct sockaddr *)&to, sizeof to))
		return fd;
	close(fd);
	return -1;
}

/* Waits until somebody listens; false when `server` has ended instead. */
static bool await_port(int port, pid_t server)
{
	for (int i = 0; i < 3000; i++) {
		int fd = dial(port);

		if (fd >= 0) {
			close(fd);
			return true;
		}
		if (waitpid(server, NULL, WNOHANG))
			return false;
		usleep(10000);
	}
	return false;
}

/* ---- NFS -------------------------------------------------------------- */

static pid_t ganesha;

static void write_configuration(void)
{
	struct text text = { 0 };

	text_add(&text,
		"NFS_CORE_PARAM { NFS_Port = %d; MNT_Port = %d;\n"
		"  Enable_NLM = false; Enable_RQUOTA = false;\n"
		"  Protocols = 3,4; Mount_Path_Pseudo = true; }\n"
		"NFSV4 { Graceless = true; RecoveryRoot = %s; }\n"
		"EXPORT { Export_Id = 77; Path = %s; Pseudo = /export;\n"
		"  Access_Type = RW; Squash = No_Root_Squash; SecType = sys;\n"
		"  Transports = TCP; Protocols = 3,4; FSAL { Name = VFS; } }\n",
		NFS_PORT, MOUNT_PORT, top, in_top("export"));
	write_file(in_top("ganesha.conf"), text_chars(&text));
	text_free(&text);
}

/* The server's own port mapper is of this namespace as well. */
static const char *start_ganesha(void)
{
	if (!isolated)
		return "not permitted here: namespaces";
	if (!is_here("ganesha.nfsd") || !is_here("rpcbind"))
		return "no NFS server here";
	write_configuration();
	if (!await_port(111, SERVE("rpcbind", "-f")))
		return "not permitted here: rpcbind";
	ganesha = SERVE("ganesha.nfsd", "-F", "-f", in_top("ganesha.conf"),
		"-L", in_top("ganesha.log"), "-p", in_top("ganesha.pid"), "-N",
		"EVENT");
	if (!await_port(NFS_PORT, ganesha))
		return "not permitted here: an NFS server";
	return NULL;
}

static const char *reason = "no NFS server here";

static bool serves_nfs(void)
{
	struct ran ran = { 0 };
	bool without = false;

	if (!reason) {
		ran = RUN(PROGRAM, "run", "fs.remote", "size=4K",
			"path=nfs://127.0.0.1/none/?nfsport=1&mountport=1");
		without = contains(&ran.out, "built without");
		ran_free(&ran);
	}
	if (reason || without)
		print_message("SKIP: %s\n", reason ? reason : "no libnfs here");
	return !reason && !without;
}

static const char *path_of(int version)
{
	static char word[256];

	snprintf(word, sizeof word,
		"path=nfs://127.0.0.1/export/"
		"?version=%d&nfsport=%d&mountport=%d",
		version, NFS_PORT, MOUNT_PORT);
	return word;
}

/* 64 MiB in both orders, every byte compared; the notes say so. */
static void test_nfs(void **state)
{
	(void)state;
	if (!serves_nfs())
		skip();
	for (int version = 3; version <= 4; version++) {
		/* Version 4 is written in short pieces, which takes long. */
		const char *size = version == 3 ? "size=64M" : "size=4M";
		const char *verified = version == 3 ?
			"64 blocks of 1048576 bytes, byte for byte" :
			"4 blocks of 1048576 bytes, byte for byte";
		char line[1024];
		snprintf(line, sizeof line,
			"run fs.remote '%s' %s block=1M order=sequential,random "
			"launches=6 trials=2; save %s --force",
			path_of(version), size, in_folder("nfs.json"));
		struct ran ran = RUN(PROGRAM, "-c", line);
		assert_status(ran, 0);
		assert_false(contains(&ran.out, "unavailable"));
		assert_false(contains(&ran.out, "invalid"));
		assert_contains(ran.out, "times as long as in sequence");
		assert_int_equal(entries_in(in_top("export")), 0);
		ran_free(&ran);
		char *content = read_whole(in_folder("nfs.json"));
		const char *first = strstr(content, verified);
		assert_non_null(first);
		/* At both points. */
		assert_non_null(strstr(first + 1, verified));
		assert_non_null(strstr(content,
			version == 3 ? "nfs 3 of nfs://" : "nfs 4 of nfs://"));
		free(content);
	}
}

/* Without a cache there is nothing warm; what is not there is named. */
static void test_nfs_refusals(void **state)
{
	(void)state;
	if (!serves_nfs())
		skip();
	struct ran ran = RUN(PROGRAM, "run", "fs.remote", path_of(3),
		"size=64K", "cache=warm");
	assert_contains(ran.out, "libnfs keeps no cache on this side");
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "fs.remote", "size=64K",
		"path=nfs://127.0.0.1/nowhere/?nfsport=22049&mountport=22048");
	assert_contains(ran.out, "cannot mount");
	ran_free(&ran);
	assert_int_equal(entries_in(in_top("export")), 0);
}

/* The penalty stands beside a local read of the same session. */
static void test_penalty(void **state)
{
	char line[2048];

	(void)state;
	if (!serves_nfs())
		skip();
	snprintf(line, sizeof line,
		"run fs.read dir=%s size=256K order=random launches=6 trials=3; "
		"run fs.remote '%s' size=256K order=random launches=6 trials=3",
		top, path_of(3));
	struct ran ran = RUN(PROGRAM, "-c", line);
	assert_status(ran, 0);
	if (!contains(&ran.out, "which is memory"))
		assert_contains(ran.out, "over the network a block takes");
	ran_free(&ran);
}

/* ---- a server that falls silent --------------------------------------- */

enum { HUSHED = 16, HUSHED_PORT = 22100, ENDS_MOST = 32 };

static bool pass_on(int from, int to)
{
	char bytes[65536];
	ssize_t got = read(from, bytes, sizeof bytes);

	return got > 0 && write(to, bytes, (size_t)got) == got;
}

/* Passes on what goes between clients and the server, and keeps to itself what
 * comes after so many requests; connections stay open, as those of a stopped
 * server do. */
static void hush(int listener, int requests)
{
	struct pollfd ends[1 + ENDS_MOST] = { { listener, POLLIN, 0 } };
	nfds_t count = 1;

	for (;;) {
		poll(ends, count, -1);
		for (nfds_t i = 1; i < count; i++) {
			/* Clients' ends are odd. */
			if (!ends[i].revents)
				continue;
			if (i % 2 && requests-- <= 0)
				pause();
			if (!pass_on(ends[i].fd,
				    ends[i % 2 ? i + 1 : i - 1].fd))
				ends[i].fd = -1;
		}
		if (ends[0].revents && count + 1 < 1 + ENDS_MOST) {
			int client = accept(listener, NULL, NULL);

			ends[count++] = (struct pollfd){ client, POLLIN, 0 };
			ends[count++] =
				(struct pollfd){ dial(NFS_PORT), POLLIN, 0 };
		}
	}
}

static pid_t start_hushed(int port, int requests)
{
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in at = here(port);

	assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
	assert_int_equal(listen(listener, 8), 0);
	pid_t pid = fork();
	if (!pid)
		hush(listener, requests);
	close(listener);
	return pid;
}

/* Wherever it happens, while a file is looked for, made, written, read or
 * removed: it is the network's fault, not the worker's, and it is noticed. */
static void test_nfs_silent(void **state)
{
	pid_t relays[HUSHED], labs[HUSHED];
	int status[HUSHED], null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)state;
	if (!serves_nfs())
		skip();
	for (int i = 0; i < HUSHED; i++) {
		char line[512];

		relays[i] = start_hushed(HUSHED_PORT + i, i);
		snprintf(line, sizeof line,
			"run fs.remote 'path=nfs://127.0.0.1/export/?version=3"
			"&nfsport=%d&mountport=%d' size=4K order=random "
			"launches=6 trials=2",
			HUSHED_PORT + i, MOUNT_PORT);
		const char *words[] = { "-c", line, NULL };
		labs[i] = start(PROGRAM, words, null, null);
	}
	close(null);
	for (int i = 0; i < HUSHED; i++) {
		waitpid(labs[i], &status[i], 0);
		kill(relays[i], SIGKILL);
		waitpid(relays[i], NULL, 0);
	}
	for (int i = 0; i < HUSHED; i++)
		if (!WIFEXITED(status[i]) || WEXITSTATUS(status[i]) != 6)
			fail_msg("silent after %d requests: status 0x%x", i,
				(unsigned)status[i]);
}

/* Killed in mid-run: one sentence, the exit code of the network, and what was
 * measured is in the session. Last of the tests of NFS. */
static void test_nfs_killed(void **state)
{
	char line[1024];
	struct ran ran = { 0 };
	int out[2], err[2], status;

	(void)state;
	if (!serves_nfs())
		skip();
	snprintf(line, sizeof line,
		"run fs.remote '%s' size=1M order=random launches=30 "
		"trials=1000 budget=120s",
		path_of(3));
	const char *words[] = { "-c", line, NULL };
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	pid_t pid = start(PROGRAM, words, out[1], err[1]);
	close(out[1]);
	close(err[1]);
	/* While a file of the run is there. */
	while (!entries_in(in_top("export")))
		usleep(1000);
	kill(ganesha, SIGKILL);
	collect(out[0], err[0], &ran);
	close(out[0]);
	close(err[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	assert_status(ran, 6);
	assert_contains(ran.err, "benchtop: fs.remote: ");
	assert_contains(ran.out, "ended: the far end was lost");
	assert_int_equal(lines_beginning(&ran.err, "benchtop:"), 1);
	ran_free(&ran);
}

/* ---- sshfs ------------------------------------------------------------ */

static bool mounted;

static void shell(const char *command)
{
	if (system(command))
		fail_msg("%s", command);
}

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
	if (!await_port(SSH_PORT,
		    SERVE("/usr/sbin/sshd", "-D", "-e", "-f",
			    in_top("sshd.conf"))))
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

	(void)state;
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

/* ---- all of it -------------------------------------------------------- */

static int make_all(void **state)
{
	char here[400];

	if (make_folder(state) || !getcwd(here, sizeof here))
		return -1;
	snprintf(top, sizeof top, "%s/remote-XXXXXX", here);
	if (!mkdtemp(top) || mkdir(in_top("export"), 0755))
		return -1;
	isolated = !own_namespaces(CLONE_NEWNS | CLONE_NEWNET) &&
		!mount("none", "/run", "tmpfs", 0, NULL);
	reason = start_ganesha();
	return 0;
}

static int remove_all(void **state)
{
	char command[600];

	if (mounted)
		umount2(in_top("far"), MNT_DETACH);
	for (size_t i = 0; i < server_count; i++) {
		kill(servers[i], SIGKILL);
		waitpid(servers[i], NULL, 0);
	}
	snprintf(command, sizeof command, "rm -rf %s", top);
	return system(command) || remove_folder(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nfs),
		cmocka_unit_test(test_nfs_refusals),
		cmocka_unit_test(test_penalty),
		cmocka_unit_test(test_nfs_silent),
		cmocka_unit_test(test_nfs_killed),
		cmocka_unit_test(test_sshfs),
	};

	return cmocka_run_group_tests(tests, make_all, remove_all);
}
