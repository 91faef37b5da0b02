/* Lists of processors. */
#include "processors.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include "file.h"

size_t processors_read(const char *list, struct processors *set)
{
	*set = (struct processors){ 0 };
	while (isdigit((unsigned char)*list)) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < PROCESSORS_MAX; first++)
			set->has[first] = true;
		list = *end == ',' ? end + 1 : end;
	}
	return processors_count(set);
}

size_t processors_count(const struct processors *set)
{
	size_t count = 0;

	for (size_t i = 0; i < PROCESSORS_MAX; i++)
		count += set->has[i];
	return count;
}

bool nodes_are_listed(void)
{
	char first[8];

	/* Kernels without memory nodes have no folder. */
	return access("/sys/devices/system/node", F_OK) ||
		(!file_peek("/sys/devices/system/node/online", first,
			 sizeof first) &&
			isdigit((unsigned char)*first));
}
