/* Channels between two tasks. */
#include "channel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "file.h"
#include "leftover.h"
#include "party.h"

bool channel_carries(enum channel_kind kind)
{
	return kind == CHANNEL_PIPE || kind == CHANNEL_FIFO ||
		kind == CHANNEL_SOCKETPAIR || kind == CHANNEL_DATAGRAM ||
		kind == CHANNEL_QUEUE;
}

/* ---- opening ---------------------------------------------------------- */

/* The name exists only until both ends are open. That of a process that was
 * killed meanwhile is removed by channel_sweep(). */
static int open_fifo(struct channel *channel)
{
	char *folder = folder_runtime();
	struct text name = { 0 };

	text_add(&name, "%s/", folder ? folder : "/tmp");
	leftover_name(&name, 0);
	free(folder);
	int failed = mkfifo(name.chars, 0600);
	if (!failed) {
		/* Open for both: one end does not wait for the other. */
		channel->in = open(name.chars, O_RDWR | O_CLOEXEC);
		channel->out = open(name.chars, O_RDONLY | O_CLOEXEC);
		unlink(name.chars);
	}
	text_free(&name);
	return channel->in < 0 || channel->out < 0 ? -1 : 0;
}

static int open_queue(struct channel *channel)
{
	struct mq_attr limits = { .mq_maxmsg = 1,
		.mq_msgsize = (long)channel->size_bytes };
	char name[64];

	snprintf(name, sizeof name, "/benchtop-%d", (int)getpid());
	mq_unlink(name); /* of an earlier process with this number */
	channel->in = mq_open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600,
		&limits);
	if (channel->in < 0)
		return -1;
	channel->out = channel->in;
	return mq_unlink(name);
}

/* A set of semaphores outlives its processes. Its key marks it as ours, and its
 * last operation names a process that is alive as long as it is in use. */
enum { KEY_MARK = 0x62740000, KEYS = 1 << 16 };

static int open_semaphore(struct channel *channel)
{
	int first = (int)getpid();

	for (int i = 0; i < KEYS && channel->in < 0; i++) {
		key_t key = KEY_MARK | ((first + i) % KEYS);

		channel->in = semget(key, 1, IPC_CREAT | IPC_EXCL | 0600);
		if (channel->in < 0 && errno != EEXIST)
			break;
	}
	return channel->in < 0 ? -1 : semctl(channel->in, 0, SETVAL, 0);
}

static void remove_orphan(int id)
{
	int last = semctl(id, 0, GETPID);

	if (last > 0 && kill(last, 0) && errno == ESRCH)
		semctl(id, 0, IPC_RMID);
}

static void sweep_semaphores(void)
{
	struct seminfo info;
	struct semid_ds set;
	union {
		struct seminfo *info;
		struct semid_ds *set;
	} into = { .info = &info };
	int last = semctl(0, 0, SEM_INFO, into);

	into.set = &set;
	for (int i = 0; i <= last; i++) {
		int id = semctl(i, 0, SEM_STAT, into);

		if (id >= 0 && (set.sem_perm.__key & ~(KEYS - 1)) == KEY_MARK)
			remove_orphan(id);
	}
}

void channel_sweep(void)
{
	char *folder = folder_runtime();

	if (folder)
		leftover_sweep_files(folder);
	free(folder);
	sweep_semaphores();
}

static int open_ends(struct channel *channel)
{
	int ends[2] = { -1, -1 };
	int failed = 0;

	switch (channel->kind) {
	case CHANNEL_PIPE:
		failed = pipe2(ends, O_CLOEXEC);
		break;
	case CHANNEL_SOCKETPAIR:
	case CHANNEL_DATAGRAM:
		failed = socketpair(AF_UNIX,
			(channel->kind == CHANNEL_DATAGRAM ? SOCK_DGRAM :
							     SOCK_STREAM) |
				SOCK_CLOEXEC,
			0, ends);
		break;
	case CHANNEL_EVENTFD:
		ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC);
		failed = ends[0] < 0;
		break;
	case CHANNEL_RECORD_LOCK:
	case CHANNEL_FILE_LOCK:
		ends[0] = memfd_create("lock", MFD_CLOEXEC);
		ends[1] = memfd_create("lock", MFD_CLOEXEC);
		failed = ends[0] < 0 || ends[1] < 0;
		break;
	case CHANNEL_FUTEX:
		channel->word = party_memory(sizeof *channel->word);
		return channel->word ? 0 : -1;
	case CHANNEL_FIFO:
		return open_fifo(channel);
	case CHANNEL_QUEUE:
		return open_queue(channel);
	case CHANNEL_SEMAPHORE:
		return open_semaphore(channel);
	}
	channel->in = ends[1];
	channel->out = ends[0];
	return failed;
}

static int prepare(struct channel *channel, enum channel_kind kind,
	size_t size_bytes)
{
	*channel = (struct channel){ .kind = kind,
		.size_bytes = size_bytes,
		.message = calloc(1, size_bytes),
		.in = -1,
		.out = -1 };
	return channel->message ? 0 : -ENOMEM;
}

int channel_open(struct channel *channel, enum channel_kind kind,
	size_t size_bytes)
{
	int failed = prepare(channel, kind, size_bytes);

	if (failed)
		return failed;
	return open_ends(channel) ? -errno : 0;
}

int channel_open_back(struct channel *channel, const struct channel *there)
{
	if (there->kind != CHANNEL_SOCKETPAIR &&
		there->kind != CHANNEL_DATAGRAM)
		return channel_open(channel, there->kind, there->size_bytes);
	int failed = prepare(channel, there->kind, there->size_bytes);
	if (failed)
		return failed;
	channel->in = fcntl(there->out, F_DUPFD_CLOEXEC, 0);
	channel->out = fcntl(there->in, F_DUPFD_CLOEXEC, 0);
	return channel->in < 0 || channel->out < 0 ? -errno : 0;
}

void channel_close(struct channel *channel)
{
	if (channel->kind == CHANNEL_SEMAPHORE) {
		if (channel->in >= 0)
			semctl(channel->in, 0, IPC_RMID);
	} else {
		if (channel->in >= 0)
			close(channel->in);
		if (channel->out >= 0 && channel->out != channel->in)
			close(channel->out);
	}
	if (channel->word)
		party_memory_free(channel->word, sizeof *channel->word);
	free(channel->message);
	*channel = (struct channel){ .in = -1, .out = -1 };
}

/* ---- futexes ---------------------------------------------------------- */

static long futex(uint32_t *word, int operation, uint32_t value)
{
	return syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static void futex_send(uint32_t *word)
{
	__atomic_store_n(word, 1, __ATOMIC_RELEASE);
	futex(word, FUTEX_WAKE, 1);
}

static void futex_receive(uint32_t *word)
{
	while (!__atomic_load_n(word, __ATOMIC_ACQUIRE))
		futex(word, FUTEX_WAIT, 0);
	__atomic_store_n(word, 0, __ATOMIC_RELAXED);
}

/* ---- locks ------------------------------------------------------------ */

static bool set_lock(const struct channel *channel, unsigned turn, bool locked)
{
	int fd = turn % 2 ? channel->out : channel->in;
	struct flock range = { .l_type = locked ? F_WRLCK : F_UNLCK,
		.l_whence = SEEK_SET,
		.l_len = 1 };

	if (channel->kind == CHANNEL_FILE_LOCK)
		return !flock(fd, locked ? LOCK_EX : LOCK_UN);
	return !fcntl(fd, F_SETLKW, &range);
}

/* A lock of flock() belongs to an open file, which a fork shares. */
static int reopen(int *fd)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", *fd);
	int own = open(path, O_RDWR | O_CLOEXEC);
	if (own < 0)
		return -1;
	close(*fd);
	*fd = own;
	return 0;
}

int channel_enter(struct channel *channel, bool sends)
{
	if (channel->kind == CHANNEL_FILE_LOCK &&
		(reopen(&channel->in) || reopen(&channel->out)))
		return -errno;
	bool locks = channel->kind == CHANNEL_FILE_LOCK ||
		channel->kind == CHANNEL_RECORD_LOCK;
	return locks && sends && !set_lock(channel, 0, true) ? -errno : 0;
}

static bool lock_send(struct channel *channel)
{
	unsigned turn = channel->turn++;

	return set_lock(channel, turn + 1, true) &&
		set_lock(channel, turn, false);
}

static bool lock_receive(struct channel *channel)
{
	unsigned turn = channel->turn++;

	return set_lock(channel, turn, true) && set_lock(channel, turn, false);
}

/* ---- messages --------------------------------------------------------- */

static bool semaphore_add(const struct channel *channel, short amount)
{
	struct sembuf operation = { .sem_op = amount };

	return !semop(channel->in, &operation, 1);
}

/* A stream may deliver a message in pieces. */
static bool read_all(const struct channel *channel)
{
	for (size_t done = 0; done < channel->size_bytes;) {
		ssize_t got = read(channel->out, channel->message + done,
			channel->size_bytes - done);

		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

bool channel_send(struct channel *channel)
{
	const uint64_t one = 1;

	switch (channel->kind) {
	case CHANNEL_EVENTFD:
		return write(channel->in, &one, sizeof one) == sizeof one;
	case CHANNEL_FUTEX:
		futex_send(channel->word);
		return true;
	case CHANNEL_QUEUE:
		return !mq_send(channel->in, (const char *)channel->message,
			channel->size_bytes, 0);
	case CHANNEL_SEMAPHORE:
		return semaphore_add(channel, 1);
	case CHANNEL_RECORD_LOCK:
	case CHANNEL_FILE_LOCK:
		return lock_send(channel);
	default:
		return write(channel->in, channel->message,
			       channel->size_bytes) ==
			(ssize_t)channel->size_bytes;
	}
}

bool channel_receive(struct channel *channel)
{
	uint64_t count;

	switch (channel->kind) {
	case CHANNEL_EVENTFD:
		return read(channel->out, &count, sizeof count) == sizeof count;
	case CHANNEL_FUTEX:
		futex_receive(channel->word);
		return true;
	case CHANNEL_QUEUE:
		return mq_receive(channel->out, (char *)channel->message,
			       channel->size_bytes, NULL) ==
			(ssize_t)channel->size_bytes;
	case CHANNEL_SEMAPHORE:
		return semaphore_add(channel, -1);
	case CHANNEL_RECORD_LOCK:
	case CHANNEL_FILE_LOCK:
		return lock_receive(channel);
	case CHANNEL_DATAGRAM:
		return read(channel->out, channel->message,
			       channel->size_bytes) ==
			(ssize_t)channel->size_bytes;
	default:
		return read_all(channel);
	}
}

bool channel_own(struct channel *channel)
{
	if (channel->kind == CHANNEL_FUTEX) {
		futex_send(channel->word);
		/* Includes the wait of a real receiver, which finds a token. */
		futex(channel->word, FUTEX_WAIT, 0);
		futex_receive(channel->word);
		return true;
	}
	return channel_send(channel) && channel_receive(channel);
}
