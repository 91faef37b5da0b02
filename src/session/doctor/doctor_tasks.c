/* The busy tasks. */
#include "doctor_tasks.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "peek.h"

enum {
	TASKS_MOST = 4096, /* most tasks examined */
	NAMED_MOST = 3,
	LOOK_APART_MS = 100,
	BUSY_PERCENT_LEAST = 15,
};

struct task {
	long pid;
	double ticks;   /* processor time of all threads */
	double percent; /* of one processor, between the samples */
	long cpu;
	char name[32];
};

struct tasks {
	struct task *list;
	size_t count;
};

static const char *skip_words(const char *text, int count)
{
	while (count--) {
		text += strspn(text, " ");
		text += strcspn(text, " ");
	}
	return text;
}

/* /proc/PID/stat: "12 (make) S 1 ..", see proc(5). The name may contain any
 * character; only the last parenthesis ends it. */
static bool read_task(const char *root, struct task *task)
{
	enum { WORDS_TO_TIME = 11, WORDS_TO_CPU = 36 };
	char stat[1024];

	peek_bytes(root, stat, sizeof stat, "/proc/%ld/stat", task->pid);
	const char *name = strchr(stat, '(');
	char *end = strrchr(stat, ')');
	if (!name || !end || end < name)
		return false;
	*end = '\0';
	safe_copy(task->name, sizeof task->name, name + 1);
	const char *times = skip_words(end + 1, WORDS_TO_TIME);
	char *system;
	double user = (double)strtoull(times, &system, 10);
	task->ticks = user + (double)strtoull(system, NULL, 10);
	task->cpu = strtol(skip_words(end + 1, WORDS_TO_CPU), NULL, 10);
	return true;
}

static void first_look(const char *root, struct tasks *tasks)
{
	char path[512];
	struct dirent *entry;

	snprintf(path, sizeof path, "%s/proc", root);
	DIR *folder = opendir(path);
	if (!folder)
		return;
	while (tasks->count < TASKS_MOST && (entry = readdir(folder))) {
		struct task task = { 0 };

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		task.pid = strtol(entry->d_name, NULL, 10);
		if (task.pid == getpid() || !read_task(root, &task))
			continue;
		ARRAY_GROW(tasks->list, tasks->count);
		tasks->list[tasks->count++] = task;
	}
	closedir(folder);
}

static void second_look(const char *root, struct tasks *tasks, double apart_s)
{
	double ticks_per_s = (double)sysconf(_SC_CLK_TCK);

	for (size_t i = 0; i < tasks->count; i++) {
		struct task *task = &tasks->list[i];
		double before = task->ticks;

		if (read_task(root, task))
			task->percent = 100 * (task->ticks - before) /
				ticks_per_s / apart_s;
	}
}

static double monotonic_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int busier_first(const void *a, const void *b)
{
	const struct task *one = a, *other = b;

	return (one->percent < other->percent) -
		(one->percent > other->percent);
}

bool tasks_name_busy(const char *root, struct text *sentence)
{
	const struct timespec apart = { .tv_nsec = LOOK_APART_MS * 1000000L };
	struct tasks tasks = { 0 };
	size_t named = 0;

	first_look(root, &tasks);
	double from_s = monotonic_s();
	nanosleep(&apart, NULL);
	second_look(root, &tasks, monotonic_s() - from_s);
	if (tasks.count)
		qsort(tasks.list, tasks.count, sizeof *tasks.list,
			busier_first);
	while (named < tasks.count && named < NAMED_MOST) {
		const struct task *task = &tasks.list[named];

		if (task->percent < BUSY_PERCENT_LEAST)
			break;
		text_add(sentence, "%s%s (pid %ld) %.0f %% on cpu %ld",
			named ? ", " : ": ", task->name, task->pid,
			task->percent, task->cpu);
		named++;
	}
	free(tasks.list);
	return named > 0;
}
