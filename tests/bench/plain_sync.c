/*
 * The simplest measurement of a durable append, for comparison: it contains no
 * code of benchtop.
 *     plain_sync FOLDER FILES WRITES BYTES
 * In FOLDER, a new one, makes files in folders of their own, and appends to one
 * after the other: write(), fdatasync(). Prints the median and the 99th
 * percentile of all syncs, us.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b)
{
	const double *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int new_file(size_t number)
{
	char name[40];

	snprintf(name, sizeof name, "%zu", number);
	if (mkdir(name, 0700))
		die("mkdir");
	snprintf(name, sizeof name, "%zu/file", number);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		die("open");
	return fd;
}

static void append(int fd, size_t writes, size_t bytes, double *syncs_us)
{
	char *record = calloc(1, bytes);

	if (!record)
		die("calloc");
	for (size_t i = 0; i < writes; i++) {
		memset(record, (int)i, bytes);
		if (write(fd, record, bytes) != (ssize_t)bytes)
			die("write");
		double begin_us = now_us();
		if (fdatasync(fd))
			die("fdatasync");
		syncs_us[i] = now_us() - begin_us;
	}
	free(record);
}

int main(int count, char **words)
{
	if (count != 5)
		return 2;
	size_t files = strtoul(words[2], NULL, 10);
	size_t writes = strtoul(words[3], NULL, 10), all = files * writes;
	double *syncs_us = calloc(all + 1, sizeof *syncs_us);
	if (!syncs_us)
		die("calloc");
	if (mkdir(words[1], 0700) || chdir(words[1]))
		die(words[1]);
	for (size_t i = 0; i < files; i++) {
		int fd = new_file(i);

		append(fd, writes, strtoul(words[4], NULL, 10),
			syncs_us + i * writes);
		close(fd);
	}
	qsort(syncs_us, all, sizeof *syncs_us, by_size);
	printf("%.2f %.2f\n", syncs_us[all / 2], syncs_us[all * 99 / 100]);
	free(syncs_us);
	return 0;
}
