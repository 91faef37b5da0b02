/* Second parties and the channels between them. */
#include "party.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- channels --------------------------------------------------------- */

int channel_open(struct channel *channel, enum channel_kind kind)
{
	int ends[2] = { -1, -1 };
	int failed = 0;

	*channel = (struct channel){ .kind = kind, .in = -1, .out = -1 };
	switch (kind) {
	case CHANNEL_PIPE:
		failed = pipe2(ends, O_CLOEXEC);
		channel->in = ends[1];
		channel->out = ends[0];
		break;
	case CHANNEL_SOCKETPAIR:
		failed = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
			ends);
		channel->in = ends[1];
		channel->out = ends[0];
		break;
	case CHANNEL_EVENTFD:
		channel->in = eventfd(0, EFD_CLOEXEC);
		channel->out = channel->in;
		failed = channel->in < 0;
		break;
	case CHANNEL_FUTEX:
		channel->word = party_memory(sizeof *channel->word);
		failed = !channel->word;
		break;
	}
	return failed ? -errno : 0;
}

void channel_close(struct channel *channel)
{
	if (channel->in >= 0)
		close(channel->in);
	if (channel->out >= 0 && channel->out != channel->in)
		close(channel->out);
	if (channel->word)
		party_memory_free(channel->word, sizeof *channel->word);
	*channel = (struct channel){ .in = -1, .out = -1 };
}

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

bool channel_send(struct channel *channel)
{
	const uint64_t one = 1;

	if (channel->kind == CHANNEL_FUTEX) {
		futex_send(channel->word);
		return true;
	}
	size_t size = channel->kind == CHANNEL_EVENTFD ? sizeof one : 1;
	return write(channel->in, &one, size) == (ssize_t)size;
}

bool channel_receive(struct channel *channel)
{
	uint64_t token;

	if (channel->kind == CHANNEL_FUTEX) {
		futex_receive(channel->word);
		return true;
	}
	size_t size = channel->kind == CHANNEL_EVENTFD ? sizeof token : 1;
	return read(channel->out, &token, size) == (ssize_t)size;
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

/* ---- parties ---------------------------------------------------------- */

struct start {
	int cpu;
	void *(*body)(void *);
	void *context;
};

void party_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static void *begin(void *context)
{
	struct start start = *(struct start *)context;

	free(context);
	party_pin(start.cpu);
	return start.body(start.context);
}

static int start_process(struct party *party, struct start *start)
{
	pid_t parent = getpid();

	party->pid = fork();
	if (party->pid) {
		free(start);
		return party->pid < 0 ? -errno : 0;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		begin(start);
	_exit(0);
}

int party_start(struct party *party, bool thread, int cpu,
	void *(*body)(void *context), void *context)
{
	struct start *start = malloc(sizeof *start);

	if (!start)
		return -ENOMEM;
	*start = (struct start){ cpu, body, context };
	*party = (struct party){ .thread = thread };
	if (!thread)
		return start_process(party, start);
	int failed = pthread_create(&party->id, NULL, begin, start);
	if (failed)
		free(start);
	return -failed;
}

int party_join(struct party *party)
{
	int status = 0;

	if (party->thread)
		return pthread_join(party->id, NULL) ? -1 : 0;
	while (waitpid(party->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status ? -1 : 0;
}

uint64_t party_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

void *party_memory(size_t size_bytes)
{
	void *made = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return made == MAP_FAILED ? NULL : made;
}

void party_memory_free(void *memory, size_t size_bytes)
{
	munmap(memory, size_bytes);
}
