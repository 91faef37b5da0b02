/* Several processes that do the work of a test together. */
#include "processes.h"

#include <sys/mman.h>
#include <sys/prctl.h>

#include "commands.h"

static _Noreturn void work(void (*body)(void))
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	srand((unsigned)getpid());
	command_enter();
	body();
	command_leave();
	_exit(0);
}

void in_processes(unsigned count, void (*body)(void))
{
	pid_t *pids = calloc(count, sizeof *pids);
	int status;

	for (unsigned i = 0; i < count; i++) {
		pids[i] = fork();
		if (!pids[i])
			work(body);
	}
	for (unsigned i = 0; i < count; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	free(pids);
}

void *shared_memory(unsigned long bytes)
{
	void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(made != MAP_FAILED);
	return made;
}
