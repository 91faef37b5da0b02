/* A folder below the current one. */
#include "disk.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

char disk[544];

int make_folders(void **state)
{
	char here[512];

	if (make_folder(state) || !getcwd(here, sizeof here))
		return -1;
	snprintf(disk, sizeof disk, "%s/disk-XXXXXX", here);
	return mkdtemp(disk) ? 0 : -1;
}

int remove_folders(void **state)
{
	struct text command = { 0 };

	text_add(&command, "rm -rf %s", disk);
	int failed = system(text_chars(&command));
	text_free(&command);
	return failed || remove_folder(state);
}

/* Ends it with a signal while its folder exists. */
static void end_by(const char *const *words, int number)
{
	int out = open("/dev/null", O_WRONLY), status;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t pid = start(PROGRAM, words, out, out);

	for (int ms = 0; ms < 20000 && !entries_in(disk); ms++)
		usleep(1000);
	assert_int_equal(entries_in(disk), 1);
	kill(pid, number);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(out);
}

/* Waits for the processes of a killed lab. They become children of this
 * process, because one that is ending has no words and no environment by which
 * processes_of() could recognise it. */
static void await_no_process(void)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
	assert_int_equal(errno, ECHILD);
}

void assert_tidy_if_interrupted(const char *const *words)
{
	end_by(words, SIGINT);
	assert_int_equal(entries_in(disk), 0);
	assert_int_equal(processes_of(PROGRAM), 0);
}

void assert_tidy_if_killed(const char *const *words)
{
	end_by(words, SIGKILL);
	await_no_process();
	struct ran ran = RUN(PROGRAM, "list");
	assert_status(ran, 0);
	ran_free(&ran);
	assert_int_equal(entries_in(disk), 0);
}
