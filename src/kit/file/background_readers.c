/* Background readers beside the measured reader. */
#include "background_readers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "die_with.h"
#include "party.h"
#include "probe.h"
#include "tick.h"

enum {
	LINE_BYTES = 64,
	NAP_NS = 50000,
	SILENT_NS = 2000000000, /* of a reader that makes no progress */
};

/* Progress of a reader, in a cache line of its own. */
struct own {
	_Alignas(LINE_BYTES) _Atomic uint64_t blocks;
	_Atomic uint64_t ticks;
	_Atomic int failed; /* errno + 1 */
};

struct background_shared {
	_Atomic uint32_t reading; /* a futex: 0 sleep, 1 read */
	struct own readers[BACKGROUND_MOST];
};

/* ---- one reader ------------------------------------------------------- */

static void sleep_while_idle(struct background_shared *shared)
{
	while (!atomic_load(&shared->reading))
		syscall(SYS_futex, &shared->reading, FUTEX_WAIT, 0, NULL, NULL,
			0);
}

/* Moves to the processors of the lab, which exclude the measured one if
 * possible. */
static void move_aside(pid_t lab)
{
	cpu_set_t set;

	if (!sched_getaffinity(lab, sizeof set, &set))
		sched_setaffinity(0, sizeof set, &set);
}

static void read_for_ever(struct background_shared *shared, struct own *own,
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

/* Read-ahead state belongs to an open file description, which a fork shares
 * with its parent. So the file is opened again, by descriptor number because it
 * has no name. If that fails, the description stays shared. */
static void open_own(struct file_source *source)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", source->made.fd);
	int own = open(path, O_RDONLY | O_CLOEXEC);
	if (own >= 0)
		source->made.fd = own;
}

static void be_reader(struct background_shared *shared, size_t number,
	const struct background_seat *seat, enum file_caching caching,
	size_t block_bytes, bool evicts, struct probe *probe, pid_t lab)
{
	struct own *own = &shared->readers[number];
	struct file_source source = *seat->source;
	struct file_reader reader;
	struct file_order order;
	struct error error;

	move_aside(lab);
	/* The child emits no notes and need not report that it is alive. */
	probe->quiet = true;
	probe->random += number + 1;
	open_own(&source);
	file_order_draw(&order, seat->ordering,
		source.made.size_bytes / block_bytes, &probe->random);
	/* If all readers share one file, some page of it is always in use, so
	 * it cannot be evicted. */
	if (file_reader_open(&reader, &source,
		    evicts || caching == FILE_DIRECT ? caching : FILE_AS_IT_IS,
		    seat->ordering, block_bytes, probe, &error))
		atomic_store(&own->failed, EIO + 1);
	else
		read_for_ever(shared, own, &reader, &order,
			evicts && caching == FILE_COLD, probe);
	_exit(1);
}

/* ---- all readers ------------------------------------------------------ */

int background_start(struct background_readers *background,
	const struct background_seat *seats,
	size_t count, enum file_caching caching, size_t block_bytes,
	bool evicts, struct probe *probe)
{
	pid_t parent = getpid(), lab = getppid();

	*background = (struct background_readers){ 0 };
	if (!count)
		return 0;
	background->shared = party_memory(sizeof *background->shared);
	if (!background->shared)
		return probe_unavailable(probe, "no shared memory");
	for (size_t i = 0; i < count; i++) {
		pid_t pid = fork();

		if (!pid) {
			die_with(parent, SIGKILL);
			be_reader(background->shared, i, &seats[i], caching,
				block_bytes, evicts, probe, lab);
			_exit(1);
		}
		if (pid < 0) {
			int number = errno;

			background_stop(background);
			return probe_fail(probe, "cannot fork a reader: %s",
				strerror(number));
		}
		background->pids[background->count++] = pid;
	}
	return 0;
}

static struct background_count count_of(
	const struct background_readers *background, size_t i)
{
	struct own *own = &background->shared->readers[i];

	return (struct background_count){ atomic_load(&own->blocks),
		atomic_load(&own->ticks) };
}

/* Waits until every reader has read more than `from`. */
static bool await_all(struct background_readers *background,
	const struct background_count *from,
	struct probe *probe)
{
	const struct timespec nap = { 0, NAP_NS };
	uint64_t begin_ns = tick_raw_ns();

	for (size_t i = 0; i < background->count;) {
		const struct own *own = &background->shared->readers[i];

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

bool background_begin(struct background_readers *background,
	struct probe *probe)
{
	struct background_count idle[BACKGROUND_MOST];

	if (!background->count)
		return true;
	for (size_t i = 0; i < background->count; i++)
		idle[i] = count_of(background, i);
	atomic_store(&background->shared->reading, 1);
	syscall(SYS_futex, &background->shared->reading, FUTEX_WAKE,
		BACKGROUND_MOST,
		NULL, NULL, 0);
	bool all = await_all(background, idle, probe);
	for (size_t i = 0; i < background->count; i++)
		background->begun[i] = count_of(background, i);
	return all;
}

bool background_has_read(const struct background_readers *background)
{
	for (size_t i = 0; i < background->count; i++)
		if (count_of(background,
		i).blocks == background->begun[i].blocks)
			return false;
	return true;
}

bool background_end(struct background_readers *background, struct probe *probe,
	struct background_count *counts)
{
	struct background_count ended[BACKGROUND_MOST];

	if (!background->count)
		return true;
	for (size_t i = 0; i < background->count; i++)
		ended[i] = count_of(background, i);
	bool all = await_all(background, ended, probe);
	atomic_store(&background->shared->reading, 0);
	for (size_t i = 0; i < background->count; i++) {
		uint64_t blocks = ended[i].blocks - background->begun[i].blocks;

		counts[i].blocks = blocks;
		counts[i].ticks = ended[i].ticks - background->begun[i].ticks;
		/* The pass was too short for a block of this reader. */
		all = all && blocks;
	}
	return all;
}

void background_failed(const struct background_readers *background,
	struct probe *probe)
{
	for (size_t i = 0; i < background->count; i++) {
		int failed =
			atomic_load(&background->shared->readers[i].failed);

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

void background_stop(struct background_readers *background)
{
	for (size_t i = 0; i < background->count; i++)
		kill(background->pids[i], SIGKILL);
	for (size_t i = 0; i < background->count; i++)
		waitpid(background->pids[i], NULL, 0);
	if (background->shared)
		party_memory_free(background->shared,
		sizeof *background->shared);
	*background = (struct background_readers){ 0 };
}
