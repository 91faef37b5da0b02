/* Interrupts of processors. */
#include "interrupts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

/* The columns of the first line, "CPU0 CPU2". */
struct columns {
	bool *wanted;
	size_t count;
};

/* Returns how many of the processors have a column. */
static size_t columns_of(const char *head, const int *cpus, size_t count,
	struct columns *columns)
{
	size_t found = 0;
	int number, used;

	*columns = (struct columns){ xcalloc(strlen(head) + 1, sizeof(bool)),
		0 };
	while (sscanf(head, " CPU%d%n", &number, &used) == 1) {
		for (size_t i = 0; i < count; i++)
			if (cpus[i] == number)
				columns->wanted[columns->count] = true;
		found += columns->wanted[columns->count++];
		head += used;
	}
	return found;
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
	for (size_t i = 0; i < columns->count; i++) {
		char *end;

		while (isspace((unsigned char)*at))
			at++;
		if (!isdigit((unsigned char)*at))
			return;
		unsigned long long one = strtoull(at, &end, 10);
		count += columns->wanted[i] ? one : 0;
		at = end;
	}
	const char *name = line + strspn(line, " ");
	bool tlb = !strncmp(name, "TLB:", strlen("TLB:"));

	counts->all += count;
	if (strstr(line, "LOC:") || strstr(line, "arch_timer"))
		counts->timer += count;
	counts->tlb += tlb ? count : 0;
	counts->has_tlb |= tlb;
}

bool interrupts_read(struct interrupts *counts, const char *root,
	const int *cpus, size_t count)
{
	struct text path = { 0 };
	struct columns columns = { 0 };
	size_t size = 0;
	char *line = NULL;
	bool reported;

	*counts = (struct interrupts){ 0 };
	text_add(&path, "%s/proc/interrupts", root);
	FILE *file = fopen(text_chars(&path), "re");
	text_free(&path);
	if (!file)
		return false;
	reported = getline(&line, &size, file) > 0 &&
		columns_of(line, cpus, count, &columns) == count;
	while (reported && getline(&line, &size, file) > 0)
		count_line(counts, line, &columns);
	free(columns.wanted);
	free(line);
	fclose(file);
	return reported;
}
