/* The relay of the link. */
#include "relay.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "relay_path.h"

enum {
	BATCH = 16,        /* packets, before other work */
	LOOK_NS = 5000000, /* interval of checks for settings when busy */
	EARLY_LEAST_NS = 5000, /* range of the wake-up before a deadline */
	EARLY_MOST_NS = 200000,
};

struct relay {
	struct relay_ends ends;
	struct relay_path path[LINK_SIDES];
	bool ready; /* has settings */
	int64_t looked_ns;
	int64_t early_ns;
};

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* ---- settings --------------------------------------------------------- */

static void place(int cpu)
{
	cpu_set_t set;

	memset(&set, cpu == LINK_ANY_CPU ? 0xff : 0, sizeof set);
	if (cpu != LINK_ANY_CPU)
		CPU_SET((size_t)cpu, &set);
	/* If that processor is gone, the relay may use any. */
	if (sched_setaffinity(0, sizeof set, &set)) {
		memset(&set, 0xff, sizeof set);
		sched_setaffinity(0, sizeof set, &set);
	}
}

/* What the devices hold was sent under other settings. */
static void empty(int device)
{
	char packet[LINK_MTU];

	while (read(device, packet, sizeof packet) > 0)
		continue;
}

static int begin(struct relay *relay)
{
	struct relay_shared *shared = relay->ends.shared;

	place(shared->settings.cpu);
	for (int from = 0; from < LINK_SIDES; from++) {
		empty(relay->ends.device[from]);
		int failed =
			relay_path_init(&relay->path[from], &shared->settings,
				(enum link_side)from, &shared->counters[from]);
		if (failed)
			return failed;
	}
	return 0;
}

/* Waits for the owner, or with timeout 0 only checks. */
static void listen_to_owner(struct relay *relay, int timeout_ms)
{
	struct pollfd control = { relay->ends.control, POLLIN, 0 };
	char word;

	if (poll(&control, 1, timeout_ms) <= 0)
		return;
	if (read(control.fd, &word, 1) <= 0)
		_exit(0);
	int answer = begin(relay);
	relay->ready = !answer;
	if (write(control.fd, &answer, sizeof answer) < 0)
		_exit(0);
	relay->looked_ns = now();
}

/* ---- packets ---------------------------------------------------------- */

/* Reads packets; returns true if there may be more. */
static bool receive(struct relay *relay, enum link_side from)
{
	struct relay_path *path = &relay->path[from];

	for (int i = 0; i < BATCH; i++) {
		ssize_t length = read(relay->ends.device[from],
			relay_path_room(path), LINK_MTU);

		if (length <= 0)
			return false;
		relay_path_arrive(path, (size_t)length, now());
	}
	return true;
}

/* Writes packets that are due; returns true if there may be more. */
static bool send_due(struct relay *relay, enum link_side from)
{
	struct relay_path *path = &relay->path[from];
	int device = relay->ends.device[!from];

	for (int i = 0; i < BATCH; i++) {
		size_t length;
		const void *packet = relay_path_take(path, now(), &length);

		if (!packet)
			return false;
		/* A device that is down loses packets, like a cable. */
		if (write(device, packet, length) < 0 && errno == EBADFD)
			_exit(1);
	}
	return true;
}

static int64_t next_due(const struct relay *relay)
{
	int64_t near_ns = relay_path_due(&relay->path[LINK_NEAR]);
	int64_t far_ns = relay_path_due(&relay->path[LINK_FAR]);

	return near_ns < far_ns ? near_ns : far_ns;
}

/* Adapts the early wake-up to the lateness of timers: increases at once,
 * decreases over some hundred deadlines. */
static void learn(struct relay *relay, int64_t over_ns)
{
	int64_t early_ns = relay->early_ns - relay->early_ns / 64;

	if (over_ns > early_ns)
		early_ns = over_ns;
	if (early_ns < EARLY_LEAST_NS)
		early_ns = EARLY_LEAST_NS;
	relay->early_ns = early_ns < EARLY_MOST_NS ? early_ns : EARLY_MOST_NS;
}

/* Sleeps until a packet arrives, or shortly before one is due. */
static void rest(struct relay *relay)
{
	int64_t due_ns = next_due(relay);
	int64_t left_ns = due_ns - now() - relay->early_ns;
	struct pollfd ends[] = {
		{ relay->ends.device[LINK_NEAR], POLLIN, 0 },
		{ relay->ends.device[LINK_FAR], POLLIN, 0 },
		{ relay->ends.control, POLLIN, 0 },
	};

	if (due_ns == INT64_MAX) {
		ppoll(ends, 3, NULL, NULL);
	} else if (due_ns != INT64_MIN && left_ns > 0) {
		struct timespec time = { left_ns / 1000000000,
			left_ns % 1000000000 };

		if (!ppoll(ends, 3, &time, NULL))
			learn(relay, now() - due_ns + relay->early_ns);
	}
	if (ends[2].revents)
		listen_to_owner(relay, 0);
}

void relay_run(const struct relay_ends *ends)
{
	struct relay relay = { .ends = *ends, .early_ns = EARLY_LEAST_NS };

	prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		bool more = false;

		while (!relay.ready)
			listen_to_owner(&relay, -1);
		for (int from = 0; from < LINK_SIDES; from++) {
			more |= send_due(&relay, (enum link_side)from);
			more |= receive(&relay, (enum link_side)from);
		}
		if (now() - relay.looked_ns > LOOK_NS) {
			relay.looked_ns = now();
			listen_to_owner(&relay, 0);
		}
		if (!more)
			rest(&relay);
	}
}
