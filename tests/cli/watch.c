/* The published data of a running lab. */
#include "watch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>

void pause_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

bool find_tape(char *path, size_t size)
{
	DIR *dir = opendir(in_folder("run/benchtop"));
	bool found = false;

	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (entry->d_name[0] != '.') {
			snprintf(path, size, "%s/run/benchtop/%s", folder,
				entry->d_name);
			found = true;
		}
	if (dir)
		closedir(dir);
	return found;
}

/* Trials that count, without those of pilots. */
static size_t count_trials(const struct sample *samples, uint64_t length)
{
	size_t trials = 0;
	bool counts = false;

	for (uint64_t i = 0; i < length; i++) {
		const struct sample *sample = &samples[i];

		if (sample->kind == SAMPLE_LAUNCH)
			counts = sample->n > 0;
		trials += counts && sample->kind == SAMPLE_TRIAL;
		if (sample->kind == SAMPLE_TEXT)
			i += (sample->n + sizeof *sample - 1) / sizeof *sample;
	}
	return trials;
}

size_t trials_on(const char *path)
{
	struct tape tape;
	struct error error;

	assert_int_equal(tape_open(&tape, path, &error), 0);
	size_t trials = count_trials(tape.samples, tape_length(&tape));
	tape_close(&tape, true);
	return trials;
}

size_t trials_so_far(void)
{
	struct tape_header header = { .length = 0 };
	char path[512];
	size_t trials = 0;

	int fd = find_tape(path, sizeof path) ? open(path, O_RDONLY) : -1;
	if (fd >= 0 && pread(fd, &header, sizeof header, 0) == sizeof header &&
		header.length) {
		size_t size = header.length * sizeof(struct sample);
		struct sample *samples = malloc(size);

		if (pread(fd, samples, size, header.header_bytes) ==
			(ssize_t)size)
			trials = count_trials(samples, header.length);
		free(samples);
	}
	if (fd >= 0)
		close(fd);
	return trials;
}

bool wait_for_trials(pid_t lab)
{
	for (int i = 0; i < 12000; i++) {
		siginfo_t info = { 0 };

		if (waitid(P_PID, (id_t)lab, &info,
			    WEXITED | WNOHANG | WNOWAIT) ||
			info.si_pid)
			return false;
		if (trials_so_far())
			return true;
		pause_ms(5);
	}
	return false;
}

int wait_status(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
