/* Mappings that fault, and the child that makes them be copied. */
#include "untouched.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "available.h"

int untouched_map(struct untouched *untouched, size_t size_bytes, int fd,
	struct error *error)
{
	const int anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	size_t reserved_bytes = size_bytes + UNTOUCHED_ALIGNMENT;
	void *reserved =
		mmap(NULL, reserved_bytes, PROT_NONE, anonymous, -1, 0);

	if (reserved == MAP_FAILED)
		return memory_refuse_map(size_bytes, errno, error);
	uintptr_t start = ((uintptr_t)reserved + UNTOUCHED_ALIGNMENT - 1) &
		-(uintptr_t)UNTOUCHED_ALIGNMENT;
	if (mmap((void *)start, size_bytes, PROT_READ | PROT_WRITE,
		    (fd < 0 ? anonymous : MAP_SHARED) | MAP_FIXED, fd,
		    0) == MAP_FAILED) {
		memory_refuse_map(size_bytes, errno, error);
		munmap(reserved, reserved_bytes);
		return -1;
	}
	untouched->start = (char *)start;
	untouched->size_bytes = size_bytes;
	untouched->reserved = reserved;
	untouched->reserved_bytes = reserved_bytes;
	return 0;
}

void untouched_unmap(struct untouched *untouched)
{
	if (untouched->start)
		munmap(untouched->reserved, untouched->reserved_bytes);
	untouched->start = NULL;
}

int untouched_share(struct untouched *untouched, struct error *error)
{
	pid_t parent = getpid();
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (getppid() == parent)
			raise(SIGSTOP);
		_exit(0);
	}
	if (child < 0)
		return error_set(error, STATUS_USAGE, "cannot fork: %s",
			strerror(errno));
	untouched->sharer = child;
	int status = 0;
	if (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status))
		return 0;
	untouched_unshare(untouched);
	return error_set(error, STATUS_USAGE,
		"the child that shares the pages died");
}

void untouched_unshare(struct untouched *untouched)
{
	if (!untouched->sharer)
		return;
	kill(untouched->sharer, SIGKILL);
	waitpid(untouched->sharer, NULL, 0);
	untouched->sharer = 0;
}
