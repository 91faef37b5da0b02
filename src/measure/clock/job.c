/* Children of the lab with one answer. */
#include "job.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

struct job_context {
	job_body body;
	void *answer, *context;
};

static int run_body(void *context)
{
	const struct job_context *job = context;

	return job->body(job->answer, job->context);
}

static void forget_answer(struct job *job)
{
	if (job->answer)
		shared_unmap(job->answer, job->answer_bytes);
	job->answer = NULL;
}

int job_start(struct job *job, size_t answer_bytes, job_body body,
	void *context, int cpu, struct error *error)
{
	*job = (struct job){ .answer = shared_map(answer_bytes),
		.answer_bytes = answer_bytes };
	struct job_context inner = { body, job->answer, context };
	if (!child_start(&job->child, run_body, &inner, cpu, error))
		return 0;
	forget_answer(job);
	return -1;
}

int job_finish(struct job *job, int status, void *answer, const char *does,
	struct error *error)
{
	memcpy(answer, job->answer, job->answer_bytes);
	forget_answer(job);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == CHILD_NOT_PINNED)
		return error_set(error, STATUS_WORKER,
			"cannot pin to the processor: it is offline or not "
			"allowed for this process");
	/* The lab kills a child that shows no progress. */
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return error_set(error, STATUS_WORKER,
			"the child that %s did not end in time and was killed: "
			"expected a clock that neither jumps nor stands still "
			"(as with libfaketime) and enough memory",
			does);
	if (WIFSIGNALED(status))
		return error_set(error, STATUS_WORKER,
			"the child that %s died of signal %d", does,
			WTERMSIG(status));
	return error_set(error, STATUS_WORKER,
		"the child that %s ended with exit code %d", does,
		WEXITSTATUS(status));
}

void job_abandon(struct job *job)
{
	child_kill(&job->child);
	if (job->child.pid)
		child_wait(&job->child, -1);
	forget_answer(job);
}
