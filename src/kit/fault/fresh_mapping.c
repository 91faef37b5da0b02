/* Mappings that fault, and the child that shares their pages. */
#include "fresh_mapping.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "available.h"
#include "die_with.h"

int fresh_map(struct fresh_mapping *fresh, size_t size_bytes, int fd,
	struct error *error)
{
	const int anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	size_t reserved_bytes = size_bytes + FRESH_ALIGNMENT;
	void *reserved =
		mmap(NULL, reserved_bytes, PROT_NONE, anonymous, -1, 0);

	if (reserved == MAP_FAILED)
		return memory_refuse_map(size_bytes, errno, error);
	uintptr_t start = ((uintptr_t)reserved + FRESH_ALIGNMENT - 1) &
		-(uintptr_t)FRESH_ALIGNMENT;
	if (mmap((void *)start, size_bytes, PROT_READ | PROT_WRITE,
		    (fd < 0 ? anonymous : MAP_SHARED) | MAP_FIXED, fd,
		    0) == MAP_FAILED) {
		memory_refuse_map(size_bytes, errno, error);
		munmap(reserved, reserved_bytes);
		return -1;
	}
	fresh->start = (char *)start;
	fresh->size_bytes = size_bytes;
	fresh->reserved = reserved;
	fresh->reserved_bytes = reserved_bytes;
	return 0;
}

void fresh_unmap(struct fresh_mapping *fresh)
{
	if (fresh->start)
		munmap(fresh->reserved, fresh->reserved_bytes);
	fresh->start = NULL;
}

int fresh_share(struct fresh_mapping *fresh, struct error *error)
{
	pid_t parent = getpid();
	pid_t child = fork();

	if (!child) {
		die_with(parent, SIGKILL);
		for (;;)
			raise(SIGSTOP);
	}
	if (child < 0)
		return error_set(error, STATUS_USAGE, "cannot fork: %s",
			strerror(errno));
	fresh->sharer = child;
	int status = 0;
	if (waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status))
		return 0;
	fresh_unshare(fresh);
	return error_set(error, STATUS_USAGE,
		"the child that shares the pages died");
}

void fresh_unshare(struct fresh_mapping *fresh)
{
	if (!fresh->sharer)
		return;
	kill(fresh->sharer, SIGKILL);
	waitpid(fresh->sharer, NULL, 0);
	fresh->sharer = 0;
}
