/* fs.remote with a real NFS server, NFS-Ganesha, versions 3 and 4, through
 * libnfs: every byte, refusals, the network's penalty, and a server that stops
 * responding or dies. */
#include "servers.h"

enum { NFS_PORT = 22049, MOUNT_PORT = 22048 };

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

/* The server's own port mapper is also in this namespace. */
static const char *start_ganesha(void)
{
	if (!isolated)
		return "not permitted here: namespaces";
	if (!is_here("ganesha.nfsd") || !is_here("rpcbind"))
		return "no NFS server here";
	/* Where Ganesha looks for the file system of an export. */
	if (access("/etc/mtab", R_OK))
		return "not permitted here: an NFS server without /etc/mtab";
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

/* 16 MiB in both orders, with every byte compared; the notes state this. */
static void test_nfs(void **state)
{
	if (!serves_nfs())
		skip();
	for (int version = 3; version <= 4; version++) {
		/* Version 4 writes small pieces, which takes long. */
		const char *size = version == 3 ? "size=16M" : "size=4M";
		const char *verified = version == 3 ?
			"16 blocks of 1048576 bytes, byte for byte" :
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
		/* The note is at both points. */
		assert_non_null(strstr(first + 1, verified));
		assert_non_null(strstr(content,
			version == 3 ? "nfs 3 of nfs://" : "nfs 4 of nfs://"));
		free(content);
	}
}

/* libnfs has no cache on this machine, so cache=warm is refused. A missing file
 * is named. */
static void test_nfs_refusals(void **state)
{
	if (!serves_nfs())
		skip();
	struct ran ran = RUN(PROGRAM, "run", "fs.remote", path_of(3),
		"size=64K", "cache=warm");
	assert_contains(ran.out, "libnfs has no cache on this machine");
	ran_free(&ran);
	ran = RUN(PROGRAM, "run", "fs.remote", "size=64K",
		"path=nfs://127.0.0.1/nowhere/?nfsport=22049&mountport=22048");
	assert_contains(ran.out, "cannot mount");
	ran_free(&ran);
	assert_int_equal(entries_in(in_top("export")), 0);
}

/* If no server listens, the sentence states this instead of the function that
 * failed. */
static void test_nfs_nobody(void **state)
{
	if (!serves_nfs())
		skip();
	struct ran ran = RUN(PROGRAM, "run", "fs.remote", "size=64K",
		"path=nfs://127.0.0.1/export/?version=4&nfsport=1");
	assert_status(ran, 6);
	assert_contains(ran.out, "cannot mount");
	assert_contains(ran.out, "onnect");
	assert_false(contains(&ran.out, "nfs_service"));
	ran_free(&ran);
}

/* The penalty is shown beside a local read of the same session. */
static void test_penalty(void **state)
{
	char line[2048];

	if (!serves_nfs())
		skip();
	snprintf(line, sizeof line,
		"run fs.read dir=%s size=256K order=random launches=6 trials=3; "
		"run fs.remote '%s' size=256K order=random launches=6 trials=3",
		top, path_of(3));
	struct ran ran = RUN(PROGRAM, "-c", line);
	assert_status(ran, 0);
	if (!contains(&ran.out, "which is memory")) {
		assert_contains(ran.out, "a block takes");
		assert_contains(ran.out, "remote/local");
	}
	ran_free(&ran);
	/* For several points the penalty is in a table, also in the report. */
	snprintf(line, sizeof line,
		"run fs.read dir=%s size=64K,256K order=sequential,random "
		"launches=6 trials=3; run fs.remote '%s' size=64K,256K,1M "
		"order=sequential,random launches=6 trials=3; report -o %s "
		"--force; save %s --force",
		top, path_of(3), in_folder("penalty.md"),
		in_folder("penalty.json"));
	ran = RUN(PROGRAM, "-c", line);
	assert_status(ran, 0);
	if (!contains(&ran.out, "which is memory")) {
		assert_contains(ran.out, "  size order ");
		assert_contains(ran.out, "\n  64K  sequential ");
		assert_contains(ran.out, "\n  256K random ");
		/* This point has no local read, so it has no ratio. */
		assert_contains(ran.out, "\n  1M   random ");
		char *report = read_whole(in_folder("penalty.md"));
		assert_non_null(strstr(report,
			"| size order | local | remote | added | "
			"remote/local |"));
		assert_non_null(strstr(report, "| 256K random | "));
		free(report);
	}
	ran_free(&ran);
	ran = RUN(PROGRAM, "verify", in_folder("penalty.json"));
	assert_status(ran, 0);
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

/* A relay between clients and the server that discards everything after
 * `requests` requests. Connections remain open, like those of a stopped
 * server. */
static void hush(int listener, int requests)
{
	struct pollfd ends[1 + ENDS_MOST] = { { listener, POLLIN, 0 } };
	nfds_t count = 1;

	for (;;) {
		poll(ends, count, -1);
		for (nfds_t i = 1; i < count; i++) {
			/* The clients' descriptors have odd indices. */
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

/* The server may stop responding while a file is looked up, created, written,
 * read or removed. Each time the run reports the network, not the worker. */
static void test_nfs_silent(void **state)
{
	pid_t relays[HUSHED], labs[HUSHED];
	int status[HUSHED], null = open("/dev/null", O_RDWR | O_CLOEXEC);

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

/* The next run removes the files of runs that lost their server. */
static void sweep_export(void)
{
	struct ran ran = RUN(PROGRAM, "run", "fs.remote", path_of(3), "size=4K",
		"order=random", "launches=6", "trials=2");

	assert_status(ran, 0);
	assert_int_equal(entries_in(in_top("export")), 0);
	ran_free(&ran);
}

static struct running start_reading(void)
{
	char line[1024];

	snprintf(line, sizeof line,
		"run fs.remote '%s' size=1M order=random launches=30 "
		"trials=1000 budget=120s",
		path_of(3));
	const char *words[] = { "-c", line, NULL };
	sweep_export();
	struct running running = start_run(words);
	/* Waits until the run has created its file. */
	while (!entries_in(in_top("export")))
		usleep(1000);
	return running;
}

/* If the user interrupts the run, its file is removed. */
static void test_stopped(void **state)
{
	if (!serves_nfs())
		skip();
	struct running running = start_reading();
	kill(running.pid, SIGINT);
	struct ran ran = end_run(&running);
	assert_status(ran, 130);
	assert_int_equal(entries_in(in_top("export")), 0);
	ran_free(&ran);
}

/* The lab is killed during a run. This is the last test: the file remains until
 * the next run. */
static void test_killed(void **state)
{
	if (!serves_nfs())
		skip();
	struct running running = start_reading();
	kill(ganesha, SIGKILL);
	struct ran ran = end_run(&running);
	lost_its_server(&ran);
}

static int make_all(void **state)
{
	if (make_servers(state) || mkdir(in_top("export"), 0755))
		return -1;
	reason = start_ganesha();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nfs),
		cmocka_unit_test(test_nfs_refusals),
		cmocka_unit_test(test_nfs_nobody),
		cmocka_unit_test(test_penalty),
		cmocka_unit_test(test_nfs_silent),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_killed),
	};

	return cmocka_run_group_tests(tests, make_all, end_servers);
}
