/* Readers beside the one that is measured. */
#include "crowd.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "party.h"
#include "probe.h"
#include "tick.h"

enum {
	LINE_BYTES = 64,
	NAP_NS = 50000,
	SILENT_NS = 2000000000, /* of a reader that reads nothing */
};

/* What a reader says of itself; a line of its own. */
struct own {
	_Alignas(LINE_BYTES) _Atomic uint64_t blocks;
	_Atomic uint64_t ticks;
	_Atomic int failed; /* errno + 1 */
};

struct crowd_shared {
	_Atomic uint32_t reading; /* a futex: 0 sleep, 1 read */
	struct own readers[CROWD_MOST];
};

/* ---- a neighbour ------------------------------------------------------ */

static void sleep_while_idle(struct crowd_shared *shared)
{
	while (!atomic_load(&shared->reading))
		syscall(SYS_futex, &shared->reading, FUTEX_WAIT, 0, NULL, NULL,
			0);
}

/* Where the lab is: not on the processor that is measured on, if possible. */
static void move_aside(pid_t lab)
{
	cpu_set_t set;

	if (!sched_getaffinity(lab, sizeof set, &set))
		sched_setaffinity(0, sizeof set, &set);
}

static void read_for_ever(struct crowd_shared *shared, struct own *own,
	struct file_reader *reader, struct file_order *order, bool evicts,
	const struct probe *probe)
{
	struct error error;

	for (;;) {
		sleep_while_idle(shared);
		if (evicts && order->at == 0 &&
			file_reader_chill(reader, &error)) {
			atomic_store(&own->failed, EBUSY + 1);
			return;
		}
		uint64_t begin = probe_now(probe);
		if (!file_reader_get(reader, file_order_next(order))) {
			atomic_store(&own->failed, errno + 1);
			return;
		}
		atomic_fetch_add(&own->ticks, probe_now(probe) - begin);
		atomic_fetch_add(&own->blocks, 1);
	}
}

/* How far is read ahead, and whether at all, belongs to an open file: a fork's
 * is its parent's too. The file has no name any more, and is opened by number;
 * where that cannot be, one is shared. */
static void open_own(struct file_source *source)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", source->made.fd);
	int own = open(path, O_RDONLY | O_CLOEXEC);
	if (own >= 0)
		source->made.fd = own;
}

static void be_neighbour(struct crowd_shared *shared, size_t number,
	const struct crowd_seat *seat, enum file_caching caching,
	size_t block_bytes, bool evicts, struct probe *probe, pid_t lab)
{
	struct own *own = &shared->readers[number];
	struct file_source source = *seat->source;
	struct file_reader reader;
	struct file_order order;
	struct error error;

	move_aside(lab);
	/* Nobody else's notes, and nobody to keep alive. */
	probe->quiet = true;
	probe->random += number + 1;
	open_own(&source);
	file_order_draw(&order, seat->ordering,
		source.made.size_bytes / block_bytes, &probe->random);
	/* Of one file for all, somebody always holds a page. */
	if (file_reader_open(&reader, &source,
		    evicts || caching == FILE_DIRECT ? caching : FILE_AS_IT_IS,
		    seat->ordering, block_bytes, probe, &error))
		atomic_store(&own->failed, EIO + 1);
	else
		read_for_ever(shared, own, &reader, &order,
			evicts && caching == FILE_COLD, probe);
	_exit(1);
}

/* ---- all of them ------------------------------------------------------ */

int crowd_start(struct crowd *crowd, const struct crowd_seat *seats,
	size_t count, enum file_caching caching, size_t block_bytes,
	bool evicts, struct probe *probe)
{
	pid_t parent = getpid(), lab = getppid();

	*crowd = (struct crowd){ 0 };
	if (!count)
		return 0;
	crowd->shared = party_memory(sizeof *crowd->shared);
	if (!crowd->shared)
		return probe_unavailable(probe, "no shared memory");
	for (size_t i = 0; i < count; i++) {
		pid_t pid = fork();

		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() == parent)
				be_neighbour(crowd->shared, i, &seats[i],
					caching, block_bytes, evicts, probe,
					lab);
			_exit(1);
		}
		if (pid < 0) {
			int number = errno;

			crowd_stop(crowd);
			return probe_fail(probe, "cannot fork a reader: %s",
				strerror(number));
		}
		crowd->pids[crowd->count++] = pid;
	}
	return 0;
}

static struct crowd_count count_of(const struct crowd *crowd, size_t i)
{
	struct own *own = &crowd->shared->readers[i];

	return (struct crowd_count){ atomic_load(&own->blocks),
		atomic_load(&own->ticks) };
}

/* Waits until everyone has read more than `from` says. */
static bool await_all(struct crowd *crowd, const struct crowd_count *from,
	struct probe *probe)
{
	const struct timespec nap = { 0, NAP_NS };
	uint64_t begin_ns = tick_raw_ns();

	for (size_t i = 0; i < crowd->count;) {
		const struct own *own = &crowd->shared->readers[i];

		if (atomic_load(&own->blocks) > from[i].blocks) {
			i++;
			continue;
		}
		if (atomic_load(&own->failed) ||
			tick_raw_ns() - begin_ns > (uint64_t)SILENT_NS)
			return false;
		nanosleep(&nap, NULL);
		probe_alive(probe);
	}
	return true;
}

bool crowd_begin(struct crowd *crowd, struct probe *probe)
{
	struct crowd_count idle[CROWD_MOST];

	if (!crowd->count)
		return true;
	for (size_t i = 0; i < crowd->count; i++)
		idle[i] = count_of(crowd, i);
	atomic_store(&crowd->shared->reading, 1);
	syscall(SYS_futex, &crowd->shared->reading, FUTEX_WAKE, CROWD_MOST,
		NULL, NULL, 0);
	bool all = await_all(crowd, idle, probe);
	for (size_t i = 0; i < crowd->count; i++)
		crowd->begun[i] = count_of(crowd, i);
	return all;
}

bool crowd_has_read(const struct crowd *crowd)
{
	for (size_t i = 0; i < crowd->count; i++)
		if (count_of(crowd, i).blocks == crowd->begun[i].blocks)
			return false;
	return true;
}

bool crowd_end(struct crowd *crowd, struct probe *probe,
	struct crowd_count *counts)
{
	struct crowd_count ended[CROWD_MOST];

	if (!crowd->count)
		return true;
	for (size_t i = 0; i < crowd->count; i++)
		ended[i] = count_of(crowd, i);
	bool all = await_all(crowd, ended, probe);
	atomic_store(&crowd->shared->reading, 0);
	for (size_t i = 0; i < crowd->count; i++) {
		uint64_t blocks = ended[i].blocks - crowd->begun[i].blocks;

		counts[i].blocks = blocks;
		counts[i].ticks = ended[i].ticks - crowd->begun[i].ticks;
		/* A pass that was too short for a block of his. */
		all = all && blocks;
	}
	return all;
}

void crowd_failed(const struct crowd *crowd, struct probe *probe)
{
	for (size_t i = 0; i < crowd->count; i++) {
		int failed = atomic_load(&crowd->shared->readers[i].failed);

		if (failed) {
			probe_fail(probe, "reader %zu cannot read: %s",
				i + 1, strerror(failed - 1));
			return;
		}
	}
	probe_invalid(probe,
		"another reader read nothing while the first reader was "
		"measured");
}

void crowd_stop(struct crowd *crowd)
{
	for (size_t i = 0; i < crowd->count; i++)
		kill(crowd->pids[i], SIGKILL);
	for (size_t i = 0; i < crowd->count; i++)
		waitpid(crowd->pids[i], NULL, 0);
	if (crowd->shared)
		party_memory_free(crowd->shared, sizeof *crowd->shared);
	*crowd = (struct crowd){ 0 };
}
