/* A ring of io_uring(7). */
#include "uring.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file.h"
#include "text.h"

/* ---- refusals --------------------------------------------------------- */

/* kernel.io_uring_disabled (Linux 6.6); -1: no such setting. */
static int disabled(const char *root)
{
	struct text path = { 0 };
	char value[16];

	text_add(&path, "%s/proc/sys/kernel/io_uring_disabled", root);
	int failed = file_peek(text_chars(&path), value, sizeof value);
	text_free(&path);
	return failed ? -1 : (int)strtol(value, NULL, 10);
}

int uring_refuse(const char *root, int number, struct error *error)
{
	int setting = number == EPERM ? disabled(root) : 0;

	if (setting == 1)
		return error_set(error, STATUS_PERMISSION,
			"io_uring is forbidden for this user: "
			"kernel.io_uring_disabled is 1: expected 0, or a "
			"member of kernel.io_uring_group");
	if (setting == 2)
		return error_set(error, STATUS_PERMISSION,
			"io_uring is forbidden: kernel.io_uring_disabled is 2: "
			"`sysctl kernel.io_uring_disabled=0` permits it");
	if (number == EPERM || number == ENOSYS)
		return error_set(error, STATUS_PERMISSION,
			"io_uring_setup: %s: expected Linux 5.12, and a "
			"sandbox or container that allows the call",
			strerror(number));
	return error_set(error, STATUS_PERMISSION, "io_uring_setup: %s",
		strerror(number));
}

/* ---- open and close --------------------------------------------------- */

static void *map(struct uring *ring, int number, size_t bytes, off_t offset)
{
	struct uring_map *made = &ring->maps[number];

	made->at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_POPULATE, ring->fd, offset);
	made->bytes = made->at == MAP_FAILED ? 0 : bytes;
	return made->bytes ? made->at : NULL;
}

static uint32_t *word(char *base, uint32_t offset)
{
	return (uint32_t *)(void *)(base + offset);
}

static int map_all(struct uring *ring, const struct io_uring_params *params)
{
	const struct io_sqring_offsets *sq = &params->sq_off;
	const struct io_cqring_offsets *cq = &params->cq_off;
	char *requests = map(ring, 0,
		sq->array + params->sq_entries * sizeof(uint32_t),
		IORING_OFF_SQ_RING);
	char *answers = map(ring, 1,
		cq->cqes + params->cq_entries * sizeof(struct io_uring_cqe),
		IORING_OFF_CQ_RING);

	ring->requests = map(ring, 2,
		params->sq_entries * sizeof(struct io_uring_sqe),
		IORING_OFF_SQES);
	if (!requests || !answers || !ring->requests)
		return -1;
	/* Request n is always in entry n. */
	for (uint32_t i = 0; i < params->sq_entries; i++)
		word(requests, sq->array)[i] = i;
	ring->requests_mask = *word(requests, sq->ring_mask);
	ring->requests_tail = word(requests, sq->tail);
	ring->requests_flags = word(requests, sq->flags);
	ring->requests_dropped = word(requests, sq->dropped);
	ring->answers = (const void *)(answers + cq->cqes);
	ring->answers_mask = *word(answers, cq->ring_mask);
	ring->answers_head = word(answers, cq->head);
	ring->answers_tail = word(answers, cq->tail);
	ring->answers_lost = word(answers, cq->overflow);
	return 0;
}

/* Headers before Linux 5.12 lack it. */
#ifndef IORING_FEAT_NATIVE_WORKERS
#define IORING_FEAT_NATIVE_WORKERS (1u << 9)
#endif

/* Linux 5.12: the kernel's threads for a ring are threads of this process, so
 * that their CPU time is known, and a poller needs no privilege. */
static int check_features(const struct io_uring_params *params,
	struct error *error)
{
	if (params->features & IORING_FEAT_NATIVE_WORKERS)
		return 0;
	return error_set(error, STATUS_PERMISSION,
		"the io_uring of this kernel is too old: expected Linux 5.12");
}

int uring_open(struct uring *ring, unsigned entries, int poller,
	struct error *error)
{
	struct io_uring_params params = { .flags = 0 };

	*ring = (struct uring){ .polled = poller != URING_NO_POLLER };
	if (ring->polled) {
		params.flags = IORING_SETUP_SQPOLL | IORING_SETUP_SQ_AFF;
		params.sq_thread_cpu = (uint32_t)poller;
		params.sq_thread_idle = URING_IDLE_MS;
	}
	ring->fd = (int)syscall(SYS_io_uring_setup, entries, &params);
	if (ring->fd < 0)
		return uring_refuse("", errno, error);
	int failed = check_features(&params, error);
	if (!failed && map_all(ring, &params))
		failed = error_set(error, STATUS_PERMISSION,
			"cannot map the rings of io_uring: %s",
			strerror(errno));
	if (failed)
		uring_close(ring);
	return failed;
}

void uring_close(struct uring *ring)
{
	for (int i = 0; i < URING_MAPS; i++)
		if (ring->maps[i].bytes)
			munmap(ring->maps[i].at, ring->maps[i].bytes);
	if (ring->fd >= 0)
		close(ring->fd);
	*ring = (struct uring){ .fd = -1 };
}

/* ---- requests --------------------------------------------------------- */

int uring_enter(struct uring *ring, unsigned submit, unsigned wait,
	unsigned flags)
{
	long result = syscall(SYS_io_uring_enter, ring->fd, submit, wait, flags,
		NULL, 0);

	ring->calls++;
	return result < 0 ? -errno : (int)result;
}

uint32_t uring_lost(const struct uring *ring)
{
	return __atomic_load_n(ring->requests_dropped, __ATOMIC_RELAXED) +
		__atomic_load_n(ring->answers_lost, __ATOMIC_RELAXED);
}

/* ---- CPU time --------------------------------------------------------- */

/* The clock of any thread of this process, as the C library makes it for
 * pthread_getcpuclockid(3): the complement of the thread's number, shifted, and
 * the bits for a thread's clock of the scheduler. */
static clockid_t clock_of(pid_t thread)
{
	return (clockid_t)(~(uint32_t)thread << 3 | 6);
}

void uring_threads_find(struct uring_threads *threads)
{
	DIR *entries = opendir("/proc/self/task");

	threads->count = 0;
	if (!entries)
		return;
	for (struct dirent *entry; (entry = readdir(entries));) {
		long thread = strtol(entry->d_name, NULL, 10);

		if (thread <= 0)
			continue;
		if (threads->count < URING_THREADS)
			threads->clocks[threads->count] =
				clock_of((pid_t)thread);
		threads->count++;
	}
	closedir(entries);
	if (threads->count > URING_THREADS)
		threads->count = 0;
}

int64_t uring_threads_ns(const struct uring_threads *threads)
{
	int64_t sum = 0;

	for (size_t i = 0; i < threads->count; i++) {
		struct timespec time;

		if (clock_gettime(threads->clocks[i], &time))
			return -1;
		sum += time.tv_sec * 1000000000 + time.tv_nsec;
	}
	return threads->count ? sum : -1;
}
