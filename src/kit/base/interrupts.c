/* Interrupts of a processor. */
#include "interrupts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* The columns of the first line, "CPU0 CPU2". */
struct columns {
	int count, mine; /* -1: none */
};

static struct columns columns_of(const char *head, int cpu)
{
	struct columns columns = { 0, -1 };
	int number, used;

	while (sscanf(head, " CPU%d%n", &number, &used) == 1) {
		if (number == cpu)
			columns.mine = columns.count;
		head += used;
		columns.count++;
	}
	return columns;
}

/* " LOC:  12  34   Local timer interrupts". A line with fewer columns counts
 * events of the machine. */
static void count_line(struct interrupts *counts, const char *line,
	const struct columns *columns)
{
	const char *at = strchr(line, ':');
	unsigned long long count = 0;

	if (!at)
		return;
	at++;
	for (int i = 0; i < columns->count; i++) {
		char *end;

		while (isspace((unsigned char)*at))
			at++;
		if (!isdigit((unsigned char)*at))
			return;
		unsigned long long one = strtoull(at, &end, 10);
		if (i == columns->mine)
			count = one;
		at = end;
	}
	counts->all += count;
	if (strstr(line, "LOC:") || strstr(line, "arch_timer"))
		counts->timer += count;
}

bool interrupts_read(struct interrupts *counts, const char *root, int cpu)
{
	struct text path = { 0 };
	size_t size = 0;
	char *line = NULL;
	struct columns columns = { 0, -1 };

	*counts = (struct interrupts){ 0 };
	text_add(&path, "%s/proc/interrupts", root);
	FILE *file = fopen(text_chars(&path), "re");
	text_free(&path);
	if (!file)
		return false;
	if (getline(&line, &size, file) > 0)
		columns = columns_of(line, cpu);
	while (columns.mine >= 0 && getline(&line, &size, file) > 0)
		count_line(counts, line, &columns);
	free(line);
	fclose(file);
	return columns.mine >= 0;
}
