/* The link of an ordinary user: with a device that all users may open, in a
 * mount namespace of the test, and refused in one sentence otherwise. */
#include "device.h"
#include "link_internal.h"
#include "on_link.h"

/* Runs a body in a child as user `nobody`, with such a device; a failed assert
 * ends the child. */
static void as_nobody(mode_t rights, void (*body)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (bring_device(rights))
			_exit(77);
		if (become_nobody())
			_exit(2);
		body();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		print_message("SKIP: not permitted here: a device of the "
			      "test's own\n");
		skip();
	}
	assert_int_equal(status, 0);
}

/* A failed assert of cmocka jumps out of the test, which a child must not
 * do. */
#define demand(condition)                                                  \
	do {                                                               \
		if (!(condition)) {                                        \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
				#condition);                               \
			_exit(1);                                          \
		}                                                          \
	} while (0)

static struct link *open_or_end(void)
{
	struct link_settings settings = quick_path();
	struct link *link;
	struct error error = { 0 };

	if (link_open(&settings, &link, &error)) {
		fprintf(stderr, "%s\n", error.message);
		_exit(1);
	}
	return link;
}

static void cross(void)
{
	struct link *link = open_or_end();
	struct error error;
	int far = link_socket(link, LINK_FAR, AF_INET, SOCK_DGRAM, 0, &error);
	int near = link_socket(link, LINK_NEAR, AF_INET, SOCK_DGRAM, 0, &error);
	int raw = link_socket(link, LINK_NEAR, AF_INET, SOCK_RAW, IPPROTO_ICMP,
		&error);
	int stream =
		link_socket(link, LINK_NEAR, AF_INET, SOCK_STREAM, 0, &error);
	struct sockaddr_storage address;
	socklen_t size = at_port(link, LINK_FAR, AF_INET, 5007, &address);
	char got[8];

	demand(near >= 0 && far >= 0 && raw >= 0 && stream >= 0);
	/* Outside the link, an ordinary user may only select reno and a few
	 * others. */
	demand(!setsockopt(stream, IPPROTO_TCP, TCP_CONGESTION, "reno", 4));
	demand(!bind(far, (struct sockaddr *)&address, size));
	demand(sendto(near, "hello", 6, 0, (struct sockaddr *)&address, size) ==
		6);
	demand(readable(far, 20000));
	demand(recv(far, got, sizeof got, 0) == 6);
	link_close(link);
}

static void datagrams_cross(void **state)
{
	as_nobody(0666, cross);
}

/* Every congestion control that root sees as loaded can be selected by an
 * ordinary user. */
static void choose(void)
{
	FILE *file =
		fopen("/proc/sys/net/ipv4/tcp_available_congestion_control",
			"re");
	struct link *link = open_or_end();
	struct error error;
	char name[32];

	demand(file);
	while (fscanf(file, "%31s", name) == 1) {
		int near = link_socket(link, LINK_NEAR, AF_INET, SOCK_STREAM, 0,
			&error);

		demand(near >= 0);
		demand(!setsockopt(near, IPPROTO_TCP, TCP_CONGESTION, name,
			(socklen_t)strlen(name)));
		close(near);
	}
	link_close(link);
}

static void congestion_of_choice(void **state)
{
	as_nobody(0666, choose);
}

static void run_program(void)
{
	static const char *const words[] = { "sh", "-c",
		"test $(id -u) = 0 && grep -q link: /proc/net/dev && "
		"test $(cat /proc/sys/net/ipv4/tcp_no_metrics_save) = 1 && "
		"exit 9",
		NULL };
	const struct link_program program = { .argv = words };
	struct link *link = open_or_end();
	struct error error;
	int status;

	for (int side = 0; side < LINK_SIDES; side++) {
		pid_t pid = link_spawn(link, (enum link_side)side, &program,
			&error);

		demand(pid > 0);
		demand(waitpid(pid, &status, 0) == pid);
		demand(WIFEXITED(status) && WEXITSTATUS(status) == 9);
	}
	link_close(link);
	/* Outside the link the process is still an ordinary user. */
	demand(getuid() == NOBODY);
}

static void programs(void **state)
{
	as_nobody(0666, run_program);
}

static void see_refusal(void)
{
	struct link_settings settings = link_preset();
	struct error error = { 0 };
	struct link *link;

	demand(link_open(&settings, &link, &error) == -1);
	demand(!link);
	demand(error.status == STATUS_PERMISSION);
	demand(!strcmp(error.message,
		"cannot open /dev/net/tun: the link needs access for this "
		"user, as by `chmod 0666 /dev/net/tun`"));
}

static void device_closed(void **state)
{
	as_nobody(0600, see_refusal);
}

/* ---- without permission for namespaces -------------------------------- */

static void write_setting(const char *root, const char *path, const char *value)
{
	char name[256];

	snprintf(name, sizeof name, "%s%s", root, path);
	for (char *slash = name + strlen(root) + 1;
		(slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(name, 0700);
		*slash = '/';
	}
	FILE *file = fopen(name, "we");
	assert_non_null(file);
	fputs(value, file);
	fclose(file);
}

static void check_cure(const char *path, const char *value, const char *cure)
{
	char root[] = "/tmp/benchtop-test-XXXXXX";
	char command[64], sentence[256];
	struct error error = { 0 };

	assert_non_null(mkdtemp(root));
	if (path)
		write_setting(root, path, value);
	assert_int_equal(link_refuse_spaces(root, EPERM, &error), -1);
	assert_int_equal(error.status, STATUS_PERMISSION);
	snprintf(sentence, sizeof sentence,
		"cannot make network namespaces for the link: %s", cure);
	assert_string_equal(error.message, sentence);
	snprintf(command, sizeof command, "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static void namespaces_closed(void **state)
{
	static const char other[] = "Operation not permitted: needs root or a "
		"container with CAP_SYS_ADMIN";

	check_cure("/proc/sys/user/max_user_namespaces", "0\n",
		"not permitted for this user; `sysctl "
		"user.max_user_namespaces=1000` permits it");
	check_cure("/proc/sys/kernel/unprivileged_userns_clone", "0\n",
		"not permitted for this user; `sysctl "
		"kernel.unprivileged_userns_clone=1` permits it");
	check_cure("/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"1\n",
		"not permitted for this user; `sysctl "
		"kernel.apparmor_restrict_unprivileged_userns=0` permits it");
	check_cure("/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"0\n", other);
	check_cure(NULL, NULL, other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(namespaces_closed),
		cmocka_unit_test(datagrams_cross),
		cmocka_unit_test(congestion_of_choice),
		cmocka_unit_test(programs),
		cmocka_unit_test(device_closed),
	};
	int failed;

	if (geteuid()) {
		printf("SKIP: not permitted here: a device of the test's own, "
		       "which root may make\n");
		return 77;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed;
}
