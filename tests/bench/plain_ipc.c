/*
 * The simplest measurements of what the experiments of the group ipc and
 * cpu.signal measure, for comparison: it contains no code of benchtop.
 *     plain_ipc CPU pipe|unix|sem|fcntl|select|signal|install|handler|fault|
 *         bw-pipe|bw-unix
 * Two processes on one processor. Prints the median over batches and the mean:
 * ns of a round trip or of a call, or bytes per second.
 *
 * With a second word, like-lmbench, it performs lmbench's operation where that
 * is another one: sem (one call that waits and posts, half a round trip), fcntl
 * (the same two files, half a round trip of which a process may lock its own),
 * select (for writing, all of one file, the number as the limit).
 */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 16000, OPS = 20, DESCRIPTORS = 64, BLOCK = 64 << 10 };

static int there[2], back[2]; /* reading end, writing end */
static int set = -1;
static fd_set watched, watched_out;
static int limit;
static int locks[2];
static unsigned turn;
static char block[BLOCK];
static volatile sig_atomic_t caught, faults;
static double fault_begin_ns;
static pid_t own;
static char *page;
static sigjmp_buf out;
static double half = 1;

static void handle(int number)
{
	(void)number;
	caught++;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Returns to the store, which faults again. */
static void handle_fault(int number)
{
	(void)number;
	if (!faults++)
		fault_begin_ns = now_ns();
	if (faults > OPS)
		siglongjmp(out, 1);
}

static void must(int good)
{
	if (!good) {
		perror("plain_ipc");
		exit(1);
	}
}

static int move(unsigned short which, short amount)
{
	struct sembuf one = { .sem_num = which, .sem_op = amount };

	return semop(set, &one, 1);
}

static int wait_and_post(unsigned short first, unsigned short then)
{
	struct sembuf both[] = { { .sem_num = first, .sem_op = -1 },
		{ .sem_num = then, .sem_op = 1 } };

	return semop(set, both, 2);
}

static int lock(int fd, short type)
{
	struct flock range = { .l_type = type, .l_whence = SEEK_SET,
		.l_len = 1 };

	return fcntl(fd, type == F_UNLCK ? F_SETLK : F_SETLKW, &range);
}

/* ---- the other process ------------------------------------------------ */

static void echo(void)
{
	char c;

	while (read(there[0], &c, 1) == 1)
		must(write(back[1], &c, 1) == 1);
}

static void echo_sem(void)
{
	while (!move(0, -1) && !move(1, 1))
		;
}

static void echo_both(void)
{
	while (!wait_and_post(0, 1))
		;
}

/* Two pairs of locks, one for each direction: the sender locks its next lock
 * and unlocks its last one, for which the receiver waits. */
static void pass_on(int fd, unsigned at, int sends)
{
	must(!lock(fd + (int)((at + (unsigned)sends) % 2), F_WRLCK));
	must(!lock(fd + (int)(at % 2), F_UNLCK));
}

static void echo_lock(void)
{
	must(!lock(locks[1], F_WRLCK));
	must(write(back[1], "", 1) == 1);
	for (unsigned at = 0;; at++) {
		pass_on(locks[0], at, 0);
		pass_on(locks[1], at, 1);
	}
}

static void echo_unlock(void)
{
	for (;;) {
		must(!lock(locks[0], F_UNLCK) && !lock(locks[1], F_WRLCK));
		must(!lock(locks[1], F_UNLCK) && !lock(locks[0], F_WRLCK));
	}
}

static void pour(void)
{
	memset(block, 2, BLOCK);
	while (write(back[1], block, BLOCK) > 0)
		;
}

static void start(void (*body)(void))
{
	/* Pages of its own: unwritten pages are all the same page of zeros. */
	memset(block, 1, BLOCK);
	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	body();
	_exit(0);
}

/* ---- one operation ---------------------------------------------------- */

static void ask(void)
{
	char c = 1;

	must(write(there[1], &c, 1) == 1 && read(back[0], &c, 1) == 1);
}

static void ask_sem(void)
{
	must(!move(0, 1) && !move(1, -1));
}

static void ask_both(void)
{
	must(!wait_and_post(1, 0));
}

static void ask_lock(void)
{
	pass_on(locks[0], turn, 1);
	pass_on(locks[1], turn++, 0);
}

static void ask_unlock(void)
{
	must(!lock(locks[0], F_WRLCK) && !lock(locks[1], F_UNLCK));
	must(!lock(locks[1], F_WRLCK) && !lock(locks[0], F_UNLCK));
}

static void scan(void)
{
	struct timeval now = { 0, 0 };
	fd_set ready = watched;

	must(select(limit, &ready, NULL, NULL, &now) > 0);
}

static void scan_out(void)
{
	struct timeval now = { 0, 0 };
	fd_set ready = watched_out;

	must(select(limit, NULL, &ready, NULL, &now) > 0);
}

static void signal_self(void)
{
	kill(own, SIGUSR1);
}

static void signal_none(void)
{
	kill(own, 0);
}

/* OPS faults, from the handler of the first to that of the last. */
static double fault_ns(void)
{
	faults = 0;
	if (!sigsetjmp(out, 1))
		*(volatile char *)page = 1;
	return (now_ns() - fault_begin_ns) / OPS;
}

static void install(void)
{
	static const struct sigaction action = { .sa_handler = handle };
	struct sigaction old;

	sigaction(SIGUSR2, &action, &old);
}

static void take_block(void)
{
	for (size_t left = BLOCK; left;) {
		ssize_t got = read(back[0], block, left);

		must(got > 0);
		left -= (size_t)got;
	}
}

/* ---- modes ------------------------------------------------------------ */

static void open_watched(int like_lmbench)
{
	const uint64_t one = 1;
	char name[] = "/tmp/plain-ipc-XXXXXX";
	int file = mkstemp(name), fd = -1;

	must(file >= 0 && !unlink(name));
	for (int i = 0; i < DESCRIPTORS; i++) {
		fd = like_lmbench ? dup(file) : eventfd(0, 0);
		must(fd >= 0 && fd < FD_SETSIZE);
		FD_SET(fd, like_lmbench ? &watched_out : &watched);
	}
	limit = like_lmbench ? DESCRIPTORS : fd + 1;
	if (!like_lmbench)
		must(write(fd, &one, sizeof one) == sizeof one);
}

/* The numbers of a pair of files are adjacent. */
static int open_pair(void)
{
	int first = memfd_create("lock", 0), second = memfd_create("lock", 0);

	must(first >= 0 && second == first + 1);
	return first;
}

static void (*prepare_locks(int like_lmbench))(void)
{
	char c;

	locks[0] = open_pair();
	locks[1] = like_lmbench ? locks[0] + 1 : open_pair();
	must(!lock(locks[0], F_WRLCK));
	if (like_lmbench) {
		must(!lock(locks[1], F_WRLCK));
		half = .5;
		/* Locks belong to a process: the child has none of them. */
		start(echo_unlock);
		return ask_unlock;
	}
	must(!pipe(back));
	start(echo_lock);
	must(read(back[0], &c, 1) == 1);
	return ask_lock;
}

static void (*prepare_semaphores(int like_lmbench))(void)
{
	set = semget(IPC_PRIVATE, 2, 0600);
	must(set >= 0);
	half = like_lmbench ? .5 : 1;
	if (like_lmbench)
		must(!move(1, 1));
	start(like_lmbench ? echo_both : echo_sem);
	return like_lmbench ? ask_both : ask_sem;
}

static void (*prepare_signals(const char *mode))(void)
{
	struct sigaction action = { .sa_handler = handle };
	struct sigaction on_fault = { .sa_handler = handle_fault };

	own = getpid();
	sigaction(SIGUSR1, &action, NULL);
	if (!strcmp(mode, "install"))
		return install;
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(page != MAP_FAILED);
	sigaction(SIGSEGV, &on_fault, NULL);
	return signal_self;
}

static void (*prepare(const char *mode, int like_lmbench))(void)
{
	if (strstr(mode, "pipe"))
		must(!pipe(there) && !pipe(back));
	if (strstr(mode, "unix")) {
		/* One pair carries both ways. */
		must(!socketpair(AF_UNIX, SOCK_STREAM, 0, there));
		back[0] = there[1];
		back[1] = there[0];
	}
	if (!strncmp(mode, "bw-", 3)) {
		start(pour);
		return take_block;
	}
	if (!strcmp(mode, "pipe") || !strcmp(mode, "unix")) {
		start(echo);
		return ask;
	}
	if (!strcmp(mode, "fcntl"))
		return prepare_locks(like_lmbench);
	if (!strcmp(mode, "sem"))
		return prepare_semaphores(like_lmbench);
	if (strcmp(mode, "select") != 0)
		return prepare_signals(mode);
	open_watched(like_lmbench);
	return like_lmbench ? scan_out : scan;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double ns_of(void (*operate)(void))
{
	double begin = now_ns();

	for (int i = 0; i < OPS; i++)
		operate();
	return (now_ns() - begin) / OPS;
}

/* The handler is a signal without the call that sends it; the fault is without
 * the handler. */
static double batch_ns(const char *mode, void (*operate)(void))
{
	if (!strcmp(mode, "handler"))
		return ns_of(operate) - ns_of(signal_none);
	if (!strcmp(mode, "fault"))
		return fault_ns() - ns_of(operate) + ns_of(signal_none);
	return ns_of(operate);
}

static void print(double ns, int moves_block)
{
	printf("%.2f ", moves_block ? BLOCK / ns * 1e9 : ns);
}

int main(int argc, char **argv)
{
	static double took[BATCHES];
	double sum = 0;
	cpu_set_t cpus;

	if (argc < 3)
		return 2;
	CPU_ZERO(&cpus);
	CPU_SET((size_t)strtol(argv[1], NULL, 10), &cpus);
	must(!sched_setaffinity(0, sizeof cpus, &cpus));
	void (*operate)(void) = prepare(argv[2], argc > 3);
	for (int batch = 0; batch < BATCHES; batch++) {
		took[batch] = batch_ns(argv[2], operate);
		sum += took[batch];
	}
	qsort(took, BATCHES, sizeof *took, by_size);
	if (set >= 0)
		semctl(set, 0, IPC_RMID);
	print(took[BATCHES / 2] * half, operate == take_block);
	print(sum / BATCHES * half, operate == take_block);
	printf("\n");
	return 0;
}
