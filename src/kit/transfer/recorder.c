/* Capturing at the near end of a session. */
#include "recorder.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "capture_link.h"
#include "memory.h"
#include "results.h"
#include "route.h"
#include "tcp_timeline_tell.h"

enum {
	BEGIN_MS = 30000, /* on a busy machine; */
	END_MS = 10000,
	LOOK_MS = 100,
	NAP_NS = 200 * 1000,
	NICE = 10,
};

struct recorder {
	struct capture *capture; /* NULL: stopped */
	struct packets *packets;
	struct annotator *annotator;
	uint64_t resent; /* reported so far */
};

static void nap(void)
{
	const struct timespec span = { 0, NAP_NS };

	nanosleep(&span, NULL);
}

/* The helper inherits the worker's affinity; this moves it to the other
 * processors. */
static void move_aside(const struct capture *capture, int cpu)
{
	cpu_set_t others;

	memset(&others, 0xff, sizeof others);
	CPU_CLR((size_t)cpu, &others);
	sched_setaffinity(capture_process(capture), sizeof others, &others);
}

/* For bandwidth the helper does not preempt the measurement: the ring buffers
 * the packets. It has started before, which would take seconds at a low
 * priority on a busy machine. */
static void stand_back(const struct capture *capture, enum capture_use use)
{
	const struct sched_param none = { 0 };
	pid_t helper = capture_process(capture);

	if (use == CAPTURE_FOR_LATENCY)
		return;
	sched_setscheduler(helper, SCHED_BATCH, &none);
	setpriority(PRIO_PROCESS, (id_t)helper, NICE);
}

/* The interface of the packets; "" if unknown. For a link, its device. */
static void find_interface(const struct far *far, char name[IF_NAMESIZE])
{
	struct sockaddr_storage to;
	socklen_t length = far_tcp_address(far, &to);

	*name = '\0';
	if (far->kind == NETWORK_REMOTE)
		route_interface(&to, length, name);
	else if (far->kind == NETWORK_LOOPBACK)
		snprintf(name, IF_NAMESIZE, "lo");
}

/* On loopback each packet is captured twice, outgoing and incoming. */
static bool passes_twice(const char *name)
{
	return !strcmp(name, "lo");
}

static struct capture *start(const struct probe *probe, const struct far *far,
	const char *name, enum capture_use use, uint64_t most,
	struct error *error)
{
	const struct capture_ask ask = {
		.interface = name,
		.use = use,
		.inbound = passes_twice(name),
		.port = far->kind == NETWORK_LINK ? 0 : far->tcp_port,
		.into = probe->packets_fd,
		.into_most = most,
	};

	if (far->kind == NETWORK_LINK)
		return capture_open_link(far->link, LINK_NEAR, &ask, error);
	if (*name)
		return capture_open(&ask, error);
	error_set(error, STATUS_NETWORK,
		"no known interface leads to %s", far->name);
	return NULL;
}

/* Waits until the helper captures or has failed. */
static bool await_begin(struct recorder *recorder, struct probe *probe)
{
	const struct packets_state *state = packets_state(recorder->packets);
	uint64_t until_ns = tick_raw_ns() + BEGIN_MS * UINT64_C(1000000);

	while (!state->begun && !*state->why && tick_raw_ns() < until_ns) {
		bool gone = capture_gone(recorder->capture, 0);

		recorder_take(recorder);
		probe_alive(probe);
		if (gone)
			break;
		nap();
	}
	return state->begun != 0;
}

/* If earlier launches have packets, this one is missing among them. */
static void note_why(struct probe *probe, const struct recorder *recorder)
{
	const struct packets_state *state = packets_state(recorder->packets);
	char *program = capture_program();
	const char *why = *state->why ? state->why :
					"the capture helper did not start";
	struct stat is;

	if (!state->denied && !fstat(probe->packets_fd, &is) && is.st_size)
		probe_warn(probe, "a launch has no packets: %s", why);
	if (state->denied)
		probe_note(probe, "capture",
			CAPTURE_OFF
			"%s; `sudo setcap cap_net_raw+ep %s` permits it",
			state->why, program ? program : "benchtop-capture");
	else
		probe_note(probe, "capture", CAPTURE_OFF "%s", why);
	free(program);
}

static struct recorder *open_at(struct probe *probe, const struct far *far,
	enum capture_use use, const struct annotator_options *wanted,
	uint64_t most)
{
	struct annotator_options options = { 0 };
	struct error error;
	struct recorder *recorder = xcalloc(1, sizeof *recorder);
	char name[IF_NAMESIZE];

	if (wanted)
		options = *wanted;
	find_interface(far, name);
	options.tap = passes_twice(name) ? TAP_LOOPBACK : TAP_CLIENT;
	recorder->packets = packets_follow_new(probe->packets_fd);
	recorder->annotator = annotator_new(&options);
	recorder->capture = start(probe, far, name, use, most, &error);
	if (!recorder->capture) {
		probe_note(probe, "capture", CAPTURE_OFF "%s", error.message);
	} else {
		move_aside(recorder->capture, probe->cpu);
		if (await_begin(recorder, probe)) {
			stand_back(recorder->capture, use);
			probe_note(probe, "capture", "on");
			return recorder;
		}
		note_why(probe, recorder);
	}
	recorder_close(recorder, probe);
	return NULL;
}

struct recorder *recorder_open(struct probe *probe, const struct far *far,
	enum capture_use use, const struct annotator_options *options)
{
	struct stat is;

	if (probe->packets_fd < 0 || fstat(probe->packets_fd, &is))
		return NULL;
	if (is.st_size >= PACKETS_BYTES_MOST) {
		probe_note(probe, "capture",
			"on, until the run had %d MiB of packets",
			PACKETS_BYTES_MOST >> 20);
		return NULL;
	}
	return open_at(probe, far, use, options,
		(uint64_t)(PACKETS_BYTES_MOST - is.st_size));
}

void recorder_take(struct recorder *recorder)
{
	struct packet_record record;

	while (recorder && packets_next(recorder->packets, &record))
		annotator_add(recorder->annotator, &record);
}

static const struct connection *latest(const struct recorder *recorder,
	uint16_t port)
{
	for (size_t i = annotator_count(recorder->annotator); i-- > 0;) {
		const struct connection *connection =
			annotator_connection(recorder->annotator, i);

		if (connection->end[connection->client].port == port)
			return connection;
	}
	return NULL;
}

static bool is_over(const struct connection *connection)
{
	const struct teardown *teardown = &connection->teardown;

	return teardown->resets ||
		(teardown->leg[0].ack_number && teardown->leg[1].ack_number);
}

const struct connection *recorder_await(struct recorder *recorder,
	struct probe *probe, uint16_t port, int timeout_ms)
{
	uint64_t until_ns = tick_raw_ns() + (uint64_t)timeout_ms * 1000000;
	const struct connection *connection;

	if (!recorder)
		return NULL;
	for (;;) {
		recorder_take(recorder);
		connection = latest(recorder, port);
		if ((connection && is_over(connection)) ||
			tick_raw_ns() >= until_ns)
			return connection;
		probe_alive(probe);
		nap();
	}
}

void recorder_tell_resent(struct recorder *recorder, struct probe *probe,
	uint64_t kernel)
{
	uint64_t seen = 0;

	if (!recorder)
		return;
	for (size_t i = 0; i < annotator_count(recorder->annotator); i++) {
		const struct connection *connection =
			annotator_connection(recorder->annotator, i);

		/* The kernel's count is that of the side that sends data. */
		seen += connection->side[connection_sender(connection)]
				.retransmitted_segments;
	}
	tell_resent(probe, kernel, seen - recorder->resent,
		packets_state(recorder->packets)->counts.dropped);
	recorder->resent = seen;
}

void recorder_stop(struct recorder *recorder, struct probe *probe)
{
	if (!recorder || !recorder->capture)
		return;
	uint64_t until_ns = tick_raw_ns() + END_MS * UINT64_C(1000000);
	capture_stop(recorder->capture);
	while (!capture_gone(recorder->capture, LOOK_MS) &&
		tick_raw_ns() < until_ns)
		probe_alive(probe);
	capture_close(recorder->capture);
	recorder->capture = NULL;
	recorder_take(recorder);
	const struct packets_state *state = packets_state(recorder->packets);
	if (state->begun > state->ended)
		probe_warn(probe,
			"the capture of a launch is incomplete: "
			"benchtop-capture died");
}

void recorder_close(struct recorder *recorder, struct probe *probe)
{
	if (!recorder)
		return;
	recorder_stop(recorder, probe);
	const struct packets_state *state = packets_state(recorder->packets);
	if (state->counts.dropped)
		probe_note(probe, "capture", "on; it lost %llu packets",
			(unsigned long long)state->counts.dropped);
	packets_unfollow(recorder->packets);
	annotator_free(recorder->annotator);
	free(recorder);
}
