/*
 * The simplest measurements of what the experiments of the group ipc and
 * cpu.signal measure, for comparison: it contains no code of benchtop.
 *     plain_ipc CPU pipe|unix|sem|select|signal|install|bw-pipe|bw-unix
 * Two processes on one processor. Prints the median over batches: ns of a round
 * trip or of a call, or bytes per second.
 */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 4000, OPS = 20, DESCRIPTORS = 64, BLOCK = 64 << 10 };

static int there[2], back[2]; /* reading end, writing end */
static int set = -1;
static fd_set watched;
static int highest;
static char block[BLOCK];
static volatile sig_atomic_t caught;
static pid_t own;

static void handle(int number)
{
	(void)number;
	caught++;
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

static void scan(void)
{
	struct timeval now = { 0, 0 };
	fd_set ready = watched;

	must(select(highest + 1, &ready, NULL, NULL, &now) == 1);
}

static void signal_self(void)
{
	kill(own, SIGUSR1);
}

static void install(void)
{
	static const struct sigaction action = { .sa_handler = handle };

	sigaction(SIGUSR2, &action, NULL);
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

static void open_watched(void)
{
	const uint64_t one = 1;

	for (int i = 0; i < DESCRIPTORS; i++) {
		highest = eventfd(0, 0);
		must(highest >= 0 && highest < FD_SETSIZE);
		FD_SET(highest, &watched);
	}
	must(write(highest, &one, sizeof one) == sizeof one);
}

static void (*prepare(const char *mode))(void)
{
	struct sigaction action = { .sa_handler = handle };

	if (strstr(mode, "pipe"))
		must(!pipe(there) && !pipe(back));
	else if (strstr(mode, "unix"))
		must(!socketpair(AF_UNIX, SOCK_STREAM, 0, there) &&
			!socketpair(AF_UNIX, SOCK_STREAM, 0, back));
	if (!strncmp(mode, "bw-", 3)) {
		start(pour);
		return take_block;
	}
	if (!strcmp(mode, "pipe") || !strcmp(mode, "unix")) {
		start(echo);
		return ask;
	}
	if (!strcmp(mode, "sem")) {
		set = semget(IPC_PRIVATE, 2, 0600);
		must(set >= 0);
		start(echo_sem);
		return ask_sem;
	}
	if (!strcmp(mode, "select")) {
		open_watched();
		return scan;
	}
	own = getpid();
	sigaction(SIGUSR1, &action, NULL);
	return !strcmp(mode, "signal") ? signal_self : install;
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static double took[BATCHES];
	cpu_set_t cpus;

	if (argc != 3)
		return 2;
	CPU_ZERO(&cpus);
	CPU_SET((size_t)strtol(argv[1], NULL, 10), &cpus);
	must(!sched_setaffinity(0, sizeof cpus, &cpus));
	void (*operate)(void) = prepare(argv[2]);
	for (int batch = 0; batch < BATCHES; batch++) {
		double begin = now_ns();

		for (int i = 0; i < OPS; i++)
			operate();
		took[batch] = (now_ns() - begin) / OPS;
	}
	qsort(took, BATCHES, sizeof *took, by_size);
	if (set >= 0)
		semctl(set, 0, IPC_RMID);
	printf("%.2f\n",
		operate == take_block ? BLOCK / took[BATCHES / 2] * 1e9 :
					took[BATCHES / 2]);
	return 0;
}
