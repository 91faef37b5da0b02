/* The end of a link: nothing is left behind, whichever process is killed, and
 * the host's network is unchanged. */
#include <dirent.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "on_link.h"
#include "text.h"

/* ---- the host's network ----------------------------------------------- */

static void add_file(struct text *text, const char *path)
{
	FILE *file = fopen(path, "re");
	int c;

	while (file && (c = fgetc(file)) != EOF)
		text_add_char(text, (char)c);
	if (file)
		fclose(file);
}

/* Everything that a link could have changed: devices by name, addresses,
 * routes, settings. Packet counters are left out. */
static struct text host_network(void)
{
	FILE *devices = fopen("/proc/net/dev", "re");
	struct text text = { 0 };
	char line[512];

	assert_non_null(devices);
	while (fgets(line, sizeof line, devices))
		text_add(&text, "%.*s\n", (int)strcspn(line, ":"), line);
	fclose(devices);
	add_file(&text, "/proc/net/route");
	add_file(&text, "/proc/net/if_inet6");
	add_file(&text, "/proc/net/fib_trie");
	add_file(&text, "/proc/sys/net/ipv4/tcp_no_metrics_save");
	add_file(&text, "/proc/sys/net/ipv4/tcp_congestion_control");
	add_file(&text, "/proc/sys/net/ipv4/tcp_allowed_congestion_control");
	add_file(&text, "/proc/self/mountinfo");
	return text;
}

/* ---- processes of the link -------------------------------------------- */

struct place {
	dev_t device;
	ino_t number;
};

static bool lives_in(const char *process, const struct place *place)
{
	struct stat its;
	char path[64];

	snprintf(path, sizeof path, "/proc/%s/ns/net", process);
	return !stat(path, &its) && its.st_ino == place->number &&
		its.st_dev == place->device;
}

/* The number of processes in either namespace that have not ended. */
static unsigned inhabitants(const struct place places[LINK_SIDES])
{
	DIR *processes = opendir("/proc");
	unsigned count = 0;

	assert_non_null(processes);
	for (struct dirent *entry; (entry = readdir(processes));)
		if (strtol(entry->d_name, NULL, 10) > 0)
			count += lives_in(entry->d_name, &places[LINK_NEAR]) ||
				lives_in(entry->d_name, &places[LINK_FAR]);
	closedir(processes);
	return count;
}

static void expect_empty(const struct place places[LINK_SIDES])
{
	int64_t until_ns = now_ns() + 20 * S;

	while (inhabitants(places)) {
		if (now_ns() > until_ns)
			fail_msg("%u processes are left in the link",
				inhabitants(places));
		usleep(2000);
	}
}

static int tell_place(void *context)
{
	struct stat is;

	if (stat("/proc/self/ns/net", &is))
		return 1;
	const struct place place = { is.st_dev, is.st_ino };
	return write(*(int *)context, &place, sizeof place) != sizeof place;
}

static void find_places(struct link *link, struct place places[LINK_SIDES])
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	for (int side = 0; side < LINK_SIDES; side++) {
		const int fds[] = { ends[0], ends[1] };
		int out = 1;
		const struct link_program program = {
			.body = tell_place,
			.context = &out,
			.fds = fds,
			.fd_count = 2,
		};
		struct error error;
		pid_t pid = link_spawn(link, (enum link_side)side, &program,
			&error);

		assert_true(pid > 0);
		assert_int_equal(read(ends[0], &places[side],
					 sizeof places[side]),
			sizeof places[side]);
		waitpid(pid, NULL, 0);
	}
	close(ends[0]);
	close(ends[1]);
}

/* Starts programs on both sides that ignore signals. One of them runs in the
 * background, in a session of its own, after its shell has ended. */
static void settle_down(struct link *link)
{
	static const char *const lines[] = {
		"trap '' TERM HUP INT; sleep 1000",
		"trap '' TERM HUP INT; setsid sleep 1000 &",
	};

	for (int side = 0; side < LINK_SIDES; side++)
		for (int i = 0; i < 2; i++) {
			const char *const words[] = { "sh", "-c", lines[i],
				NULL };
			const struct link_program program = { .argv = words };
			struct error error;
			pid_t pid = link_spawn(link, (enum link_side)side,
				&program, &error);

			assert_true(pid > 0);
			if (i)
				waitpid(pid, NULL, 0);
		}
}

/* ---- tests ------------------------------------------------------------ */

static void closed(void **state)
{
	struct link_settings settings = link_preset();
	struct text before = host_network();
	struct place places[LINK_SIDES];
	struct link *link = opened(&settings);
	struct text while_open = host_network();

	find_places(link, places);
	settle_down(link);
	/* The keeper, the relay, and two programs on each side. */
	assert_true(inhabitants(places) >= 2 + 4);
	link_close(link);
	expect_empty(places);
	struct text after = host_network();
	assert_string_equal(before.chars, while_open.chars);
	assert_string_equal(before.chars, after.chars);
	text_free(&before);
	text_free(&while_open);
	text_free(&after);
	/* This process reaps the two programs that it spawned. */
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}

/* An owner that reports the namespaces of its link and waits to be killed. Its
 * child holds all its descriptors. */
static void own(int out)
{
	struct link_settings settings = link_preset();
	struct place places[LINK_SIDES];
	struct link *link = opened(&settings);

	find_places(link, places);
	settle_down(link);
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, 0);
		pause();
		_exit(0);
	}
	if (write(out, places, sizeof places) != sizeof places)
		_exit(1);
	pause();
	_exit(1);
}

static void killed(void **state)
{
	struct text before = host_network();
	struct place places[LINK_SIDES];
	int ends[2];

	for (int times = 0; times < 5; times++) {
		assert_int_equal(pipe(ends), 0);
		pid_t owner = fork();
		if (!owner) {
			setpgid(0, 0);
			own(ends[1]);
		}
		assert_int_equal(read(ends[0], places, sizeof places),
			sizeof places);
		assert_true(inhabitants(places) >= 2 + 4);
		kill(owner, SIGKILL);
		expect_empty(places);
		/* Kills the child that held the descriptors. */
		kill(-owner, SIGKILL);
		waitpid(owner, NULL, 0);
		close(ends[0]);
		close(ends[1]);
	}
	struct text after = host_network();
	assert_string_equal(before.chars, after.chars);
	text_free(&before);
	text_free(&after);
}

/* Without its keeper a link fails with a sentence, and can still be closed. */
static void keeper_killed(void **state)
{
	struct link_settings settings = link_preset();
	struct place places[LINK_SIDES];
	struct link *link = opened(&settings);
	struct error error = { 0 };
	char path[64];
	long keeper = 0;

	find_places(link, places);
	snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
	FILE *children = fopen(path, "re");
	if (!children || fscanf(children, "%ld", &keeper) != 1)
		fail_msg("no child in %s", path);
	fclose(children);
	kill((pid_t)keeper, SIGKILL);
	expect_empty(places);
	assert_int_equal(link_socket(link, LINK_NEAR, AF_INET, SOCK_DGRAM, 0,
				 &error),
		-1);
	assert_int_equal(error.status, STATUS_NETWORK);
	assert_non_null(strstr(error.message, "the link has ended"));
	assert_int_equal(link_configure(link, &settings, &error), -1);
	link_close(link);
}

/* Many links in sequence leave nothing behind. */
static void many(void **state)
{
	struct link_settings settings = link_preset();
	int first = -1;

	for (int i = 0; i < 20; i++) {
		struct link *link = opened(&settings);
		int made = socket_on(link, LINK_FAR, AF_INET, SOCK_DGRAM, 0);

		close(made);
		link_close(link);
		int next = dup(0);
		close(next);
		if (i)
			assert_int_equal(next, first);
		first = next;
	}
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed),
		cmocka_unit_test(killed),
		cmocka_unit_test(keeper_killed),
		cmocka_unit_test(many),
	};

	need_link();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
