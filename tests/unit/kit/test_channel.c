/* Channels: messages arrive in order and complete, locks alternate, and killed
 * processes leave no semaphores and names of FIFOs behind. */
#include "channel.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "file.h"
#include "leftover.h"
#include "party.h"

enum { MESSAGES = 500, KINDS = CHANNEL_FILE_LOCK + 1 };

/* Shared by both processes. The messages that each has sent. */
struct counts {
	uint64_t there, back;
	uint32_t early, damaged;
};

struct pair {
	struct channel there, back, ready;
	struct counts *counts;
};

static void fill(struct channel *channel, uint64_t number)
{
	memset(channel->message, (int)(number & 0xff), channel->size_bytes);
}

static bool filled(const struct channel *channel, uint64_t number)
{
	for (size_t i = 0; i < channel->size_bytes; i++)
		if (channel->message[i] != (unsigned char)number)
			return false;
	return true;
}

/* Answers each message. A message must not arrive before it has been sent. */
static void answer(struct pair *pair)
{
	struct counts *counts = pair->counts;

	if (channel_enter(&pair->there, false) ||
		channel_enter(&pair->back, true))
		_exit(1);
	channel_send(&pair->ready);
	for (uint64_t i = 0; i < MESSAGES; i++) {
		if (!channel_receive(&pair->there))
			_exit(1);
		counts->early += __atomic_load_n(&counts->there,
					 __ATOMIC_ACQUIRE) != i + 1;
		counts->damaged += channel_carries(pair->there.kind) &&
			!filled(&pair->there, i);
		fill(&pair->back, i + 1);
		__atomic_store_n(&counts->back, i + 1, __ATOMIC_RELEASE);
		if (!channel_send(&pair->back))
			_exit(1);
	}
	_exit(0);
}

static void ask(struct pair *pair)
{
	struct counts *counts = pair->counts;

	for (uint64_t i = 0; i < MESSAGES; i++) {
		fill(&pair->there, i);
		__atomic_store_n(&counts->there, i + 1, __ATOMIC_RELEASE);
		assert_true(channel_send(&pair->there));
		assert_true(channel_receive(&pair->back));
		assert_int_equal(counts->back, i + 1);
		if (channel_carries(pair->back.kind))
			assert_true(filled(&pair->back, i + 1));
	}
}

static void exchange(enum channel_kind kind, size_t size)
{
	struct pair pair = { .counts = party_memory(sizeof *pair.counts) };
	int status;

	assert_int_equal(channel_open(&pair.there, kind, size), 0);
	assert_int_equal(channel_open_back(&pair.back, &pair.there), 0);
	assert_int_equal(channel_open(&pair.ready, CHANNEL_FUTEX, 1), 0);
	assert_int_equal(channel_enter(&pair.there, true), 0);
	assert_int_equal(channel_enter(&pair.back, false), 0);
	pid_t child = fork();
	if (!child)
		answer(&pair);
	channel_receive(&pair.ready);
	ask(&pair);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(pair.counts->early, 0);
	assert_int_equal(pair.counts->damaged, 0);
	channel_close(&pair.there);
	channel_close(&pair.back);
	channel_close(&pair.ready);
	party_memory_free(pair.counts, sizeof *pair.counts);
}

static void every_kind_keeps_the_order(void **state)
{
	for (int kind = 0; kind < KINDS; kind++)
		exchange((enum channel_kind)kind, 1);
}

/* 200 KiB exceed a pipe, so the message is written in pieces. */
static void messages_arrive_whole(void **state)
{
	exchange(CHANNEL_PIPE, 200 << 10);
	exchange(CHANNEL_FIFO, 200 << 10);
	exchange(CHANNEL_SOCKETPAIR, 200 << 10);
	exchange(CHANNEL_DATAGRAM, 64 << 10);
	exchange(CHANNEL_QUEUE, 8192);
}

static void a_closed_end_is_noticed(void **state)
{
	struct channel pipe;

	assert_int_equal(channel_open(&pipe, CHANNEL_PIPE, 1), 0);
	close(pipe.in);
	pipe.in = -1;
	assert_false(channel_receive(&pipe));
	channel_close(&pipe);
}

static int set_of_a_killed_process(void)
{
	int ends[2], set = -1, status;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (!child) {
		struct channel left;

		if (channel_open(&left, CHANNEL_SEMAPHORE, 1) ||
			write(ends[1], &left.in, sizeof left.in) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(read(ends[0], &set, sizeof set), sizeof set);
	assert_int_equal(waitpid(child, &status, 0), child);
	close(ends[0]);
	close(ends[1]);
	return set;
}

static void only_orphaned_semaphores_are_removed(void **state)
{
	struct channel used;
	int foreign = semget(IPC_PRIVATE, 1, 0600);
	int left = set_of_a_killed_process();

	assert_int_equal(channel_open(&used, CHANNEL_SEMAPHORE, 1), 0);
	assert_int_equal(semctl(left, 0, GETVAL), 0);
	channel_sweep();
	assert_int_equal(semctl(left, 0, GETVAL), -1);
	assert_int_equal(semctl(used.in, 0, GETVAL), 0);
	assert_int_equal(semctl(foreign, 0, GETVAL), 0);
	semctl(foreign, 0, IPC_RMID);
	int set = used.in;
	channel_close(&used);
	assert_int_equal(semctl(set, 0, GETVAL), -1);
}

static void add_fifo_name(struct text *path)
{
	char *runtime = folder_runtime();

	assert_non_null(runtime);
	text_add(path, "%s/", runtime);
	leftover_name(path, 0);
	free(runtime);
}

static int count_fifos(void)
{
	char *runtime = folder_runtime();
	DIR *entries = opendir(runtime);
	struct stat file;
	int count = 0;

	assert_non_null(entries);
	for (struct dirent *entry; (entry = readdir(entries));)
		count += !fstatat(dirfd(entries), entry->d_name, &file, 0) &&
			S_ISFIFO(file.st_mode);
	closedir(entries);
	free(runtime);
	return count;
}

/* A child ends between making the name and removing it. */
static void only_orphaned_names_of_fifos_are_removed(void **state)
{
	char memory[] = "/dev/shm/test-channel-XXXXXX", inside[64];
	struct text used = { 0 };
	struct channel channel;
	int status;

	assert_non_null(mkdtemp(memory));
	setenv("XDG_RUNTIME_DIR", memory, 1);
	add_fifo_name(&used);
	pid_t child = fork();
	if (!child) {
		struct text left = { 0 };

		add_fifo_name(&left);
		_exit(mkfifo(left.chars, 0600));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(mkfifo(used.chars, 0600), 0);
	channel_sweep();
	assert_int_equal(count_fifos(), 1);
	assert_int_equal(unlink(used.chars), 0);
	text_free(&used);
	/* The name of an open channel is gone at once. */
	assert_int_equal(channel_open(&channel, CHANNEL_FIFO, 1), 0);
	assert_int_equal(count_fifos(), 0);
	channel_close(&channel);
	snprintf(inside, sizeof inside, "%s/benchtop", memory);
	assert_int_equal(rmdir(inside) || rmdir(memory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_keeps_the_order),
		cmocka_unit_test(messages_arrive_whole),
		cmocka_unit_test(a_closed_end_is_noticed),
		cmocka_unit_test(only_orphaned_semaphores_are_removed),
		cmocka_unit_test(only_orphaned_names_of_fifos_are_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
