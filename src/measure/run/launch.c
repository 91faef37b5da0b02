/* Workers that execute the program again. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "die_with.h"
#include "file.h"
#include "launch_parcel.h"
#include "parcel.h"
#include "text.h"

enum {
	NAME_BYTES = 16, /* of a process, as the kernel keeps it */
	NO_JOB = 1,      /* exit code of a worker that cannot map its job */
};

static char worker_word[] = "benchtop-worker";

/* Stores the job in memory that the executed program can map; -1: failed. */
static int job_memory(const struct launch_job *job)
{
	struct text block = { 0 };
	int fd = memfd_create("benchtop job", 0);

	launch_pack(job, &block);
	if (fd >= 0 && file_write_all(fd, block.chars, block.length)) {
		close(fd);
		fd = -1;
	}
	text_free(&block);
	return fd;
}

/* Returns only if the program cannot be executed, with errno. */
static void execute(const struct launch_job *job)
{
	char number[16], name[NAME_BYTES] = "";
	char *words[] = { worker_word, number, name, NULL };
	int memory = job_memory(job);
	/* By descriptor, since some versions of QEMU would execute themselves
	 * for the name. */
	int program = open("/proc/self/exe", O_PATH | O_CLOEXEC);

	snprintf(number, sizeof number, "%d", memory);
	prctl(PR_GET_NAME, name);
	for (int i = 0; i < CHILD_KEEPS; i++)
		fcntl(CHILD_KEPT + i, F_SETFD, 0);
	if (memory >= 0 && program >= 0)
		syscall(SYS_execveat, program, "", words, environ,
			AT_EMPTY_PATH);
	int failed = errno;
	close(memory);
	close(program);
	errno = failed;
}

static int execute_or_work(void *context)
{
	struct launch_job *job = context;

	execute(job);
	job->forked = errno;
	return worker_launch(job);
}

int launch_start(struct child *child, struct launch_job *job, bool executes,
	int cpu, struct error *error)
{
	child->keeps[KEPT_TAPE] = job->tape->fd;
	return child_start(child, executes ? execute_or_work : worker_launch,
		job, cpu, error);
}

/* ---- in the worker ---------------------------------------------------- */

/* NULL: there is no job. */
static struct launch_job *receive(int memory)
{
	static struct parcel parcel;
	struct launch_job *job;
	struct error ignored;
	struct tape *tape;
	size_t tape_bytes;
	struct stat is;

	if (fstat(memory, &is) || is.st_size <= 0)
		return NULL;
	parcel.at = mmap(NULL, (size_t)is.st_size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE, memory, 0);
	close(memory);
	if (parcel.at == MAP_FAILED)
		return NULL;
	parcel.end = parcel.at + is.st_size;
	job = launch_unpack(&parcel, &tape, &tape_bytes);
	if (tape_attach(tape, CHILD_KEPT + KEPT_TAPE, tape_bytes, &ignored))
		return NULL;
	close(CHILD_KEPT + KEPT_TAPE);
	return job;
}

void launch_if_worker(int count, char **words)
{
	if (count != 3 || strcmp(words[0], worker_word))
		return;
	struct launch_job *job = receive((int)strtol(words[1], NULL, 10));
	if (!job)
		_exit(NO_JOB);
	prctl(PR_SET_NAME, words[2]);
	/* A program with capabilities of its own has lost the setting. */
	die_with(job->tape->header->lab_pid, SIGKILL);
	_exit(worker_launch(job));
}
