/* The sandbox of benchtop-serve.service. A service manager of the test's own,
 * in namespaces, runs the unit with this program in place of the server. It
 * tries to leave, and prints what succeeded. The same attempts by root without
 * a sandbox all succeed, so that each attempt is known to be one. */
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "cli/run.h"

#define SCRIPT SOURCE_FOLDER "/tests/net/unit_file.sh"

/* ---- attempts: each returns true if it succeeded ---------------------- */

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool writes_to(const char *path)
{
	bool done = opens(path, O_WRONLY | O_CREAT);

	if (done)
		unlink(path);
	return done;
}

static bool writes_etc(void)
{
	return writes_to("/etc/benchtop-escape");
}

static bool writes_usr(void)
{
	return writes_to("/usr/benchtop-escape");
}

static bool reads_a_home(void)
{
	return opens("/root/.", O_RDONLY | O_DIRECTORY);
}

static bool reads_a_disk_key(void)
{
	return opens("/etc/shadow", O_RDONLY);
}

static bool opens_a_device(void)
{
	return opens("/dev/kmsg", O_RDONLY);
}

static bool sees_other_processes(void)
{
	return opens("/proc/1/status", O_RDONLY);
}

static bool changes_the_kernel(void)
{
	return opens("/proc/sys/kernel/domainname", O_WRONLY);
}

static bool changes_a_control_group(void)
{
	return opens("/sys/fs/cgroup/cgroup.procs", O_WRONLY);
}

static bool has_a_socket(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool captures_packets(void)
{
	return has_a_socket(AF_PACKET, SOCK_RAW);
}

static bool configures_the_network(void)
{
	return has_a_socket(AF_NETLINK, SOCK_RAW);
}

/* In a child, because success changes the process. */
static bool in_child(bool (*attempt)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(attempt() ? 0 : 1);
	return waitpid(pid, &status, 0) == pid && status == 0;
}

static bool makes_namespaces_now(void)
{
	return !unshare(CLONE_NEWUSER);
}

static bool makes_namespaces(void)
{
	return in_child(makes_namespaces_now);
}

static bool mounts(void)
{
	return !mount("none", "/tmp", "tmpfs", 0, NULL) && !umount("/tmp");
}

static bool becomes_root_now(void)
{
	return !setresuid(0, 0, 0);
}

static bool becomes_root(void)
{
	return in_child(becomes_root_now);
}

static bool traces_now(void)
{
	return !ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static bool traces(void)
{
	return in_child(traces_now);
}

static bool makes_code(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at != MAP_FAILED && !munmap(at, 4096);
}

static bool runs_first(void)
{
	const struct sched_param usual = { 0 }, first = { .sched_priority = 1 };

	return !sched_setscheduler(0, SCHED_FIFO, &first) &&
		!sched_setscheduler(0, SCHED_OTHER, &usual);
}

/* Checks the right and sets nothing. */
static bool sets_the_clock(void)
{
	return !syscall(SYS_settimeofday, NULL, NULL);
}

static bool renames_the_host(void)
{
	return !sethostname("escape", 6);
}

static bool makes_setuid_files(void)
{
	static const char path[] = "/tmp/benchtop-escape";
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	bool done = fd >= 0 && !fchmod(fd, 04700);

	close(fd);
	unlink(path);
	return done;
}

static const struct {
	const char *name;
	bool (*succeeds)(void);
} attempts[] = {
	{ "write to /etc", writes_etc },
	{ "write to /usr", writes_usr },
	{ "read a home folder", reads_a_home },
	{ "read /etc/shadow", reads_a_disk_key },
	{ "open a device", opens_a_device },
	{ "see other processes", sees_other_processes },
	{ "change a setting of the kernel", changes_the_kernel },
	{ "change a control group", changes_a_control_group },
	{ "capture packets", captures_packets },
	{ "configure the network", configures_the_network },
	{ "make a user namespace", makes_namespaces },
	{ "mount", mounts },
	{ "become root", becomes_root },
	{ "trace a process", traces },
	{ "map memory that is writable and executable", makes_code },
	{ "get a real-time priority", runs_first },
	{ "set the clock", sets_the_clock },
	{ "rename the host", renames_the_host },
	{ "make a setuid file", makes_setuid_files },
};
enum { ATTEMPTS = sizeof attempts / sizeof *attempts };

/* A setuid program, a filter or a capability would show here. */
static void print_status(void)
{
	char *status = read_process("self", "status", '\n');
	static const char *const names[] = { "CapBnd:", "CapEff:",
		"NoNewPrivs:", "Seccomp:" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *at = strstr(status, names[i]);

		printf("%.*s\n", at ? (int)strcspn(at, "\n") : 0, at);
	}
	free(status);
}

static int try_all(void)
{
	for (size_t i = 0; i < ATTEMPTS; i++) {
		bool done = attempts[i].succeeds();

		printf("%s: %s\n", attempts[i].name,
			done ? "done" : "refused");
	}
	print_status();
	return 0;
}

/* ---- the tests -------------------------------------------------------- */

/* "unit" or "bare": what the script ran. */
static struct ran tried(const char *how)
{
	char own[4096];
	ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);

	assert_true(length > 0);
	own[length] = '\0';
	struct ran ran = RUN("/bin/sh", SCRIPT, how, own, PROGRAM,
		SOURCE_FOLDER "/assets/systemd/benchtop-serve.service");
	if (ran.status == 77) {
		printf("%s", text_chars(&ran.out));
		exit(77);
	}
	assert_false(contains(&ran.out, "/var/lib/benchtop remains"));
	return ran;
}

static void assert_all(const struct ran *ran, const char *result)
{
	for (size_t i = 0; i < ATTEMPTS; i++) {
		char line[100];

		snprintf(line, sizeof line, "%s: %s\n", attempts[i].name,
			result);
		assert_contains(ran->out, line);
	}
}

static void test_without_the_unit_all_succeed(void **state)
{
	struct ran ran = tried("bare");

	assert_all(&ran, "done");
	ran_free(&ran);
}

static void test_nothing_leaves_the_unit(void **state)
{
	struct ran ran = tried("unit");

	assert_all(&ran, "refused");
	assert_contains(ran.out, "CapEff:\t0000000000000000\n");
	assert_contains(ran.out, "CapBnd:\t0000000000000000\n");
	assert_contains(ran.out, "NoNewPrivs:\t1\n");
	assert_contains(ran.out, "Seccomp:\t2\n");
	ran_free(&ran);
}

/* What the sandbox permits suffices for a run of every kind. */
static void test_the_unit_serves(void **state)
{
	struct ran ran = tried("serve");

	assert_contains(ran.out, "served net.rtt\n");
	assert_contains(ran.out, "served net.connect\n");
	assert_contains(ran.out, "served net.bandwidth\n");
	ran_free(&ran);
}

int main(int count, char **words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_the_unit_all_succeed),
		cmocka_unit_test(test_nothing_leaves_the_unit),
		cmocka_unit_test(test_the_unit_serves),
	};

	(void)words;
	if (count > 1)
		return try_all();
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
