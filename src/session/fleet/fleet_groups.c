/* Groups of alike machines. */
#include "fleet_groups.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

static const enum surrounding shared[] = {
	SURROUNDING_DEVICE,
	SURROUNDING_PROCESSOR,
	SURROUNDING_FIRMWARE,
	SURROUNDING_MICROCODE,
	SURROUNDING_PROCESSORS,
	SURROUNDING_THREADS,
	SURROUNDING_NODES,
	SURROUNDING_HYPERVISOR,
	SURROUNDING_KERNEL,
	SURROUNDING_KERNEL_VERSION,
};
enum { SHARED = sizeof shared / sizeof *shared };

bool fleet_groups_by(enum surrounding which)
{
	for (size_t i = 0; i < SHARED; i++)
		if (shared[i] == which)
			return true;
	return false;
}

struct member {
	const struct surroundings *surroundings;
	size_t machine;
};

static int compare(const struct surroundings *a, const struct surroundings *b)
{
	for (size_t i = 0; i < SHARED; i++) {
		const char *one = a->value[shared[i]];
		const char *other = b->value[shared[i]];
		int order = strcmp(one ? one : "", other ? other : "");

		if (order)
			return order;
	}
	return 0;
}

/* Alike machines become neighbours. */
static int by_surroundings(const void *a, const void *b)
{
	const struct member *one = a, *other = b;
	int order = compare(one->surroundings, other->surroundings);

	return order ? order :
		one->machine < other->machine ? -1 :
						one->machine > other->machine;
}

/* Machines that are alike. */
struct alike {
	size_t first, count; /* of the members */
	size_t machine;      /* the first */
};

static int by_size(const void *a, const void *b)
{
	const struct alike *one = a, *other = b;

	if (one->count != other->count)
		return one->count > other->count ? -1 : 1;
	return one->machine < other->machine ? -1 : 1;
}

static size_t find_alike(const struct member *members, size_t count,
	struct alike *lists)
{
	size_t alike_count = 0;

	for (size_t i = 0; i < count; i++) {
		if (!i || compare(members[i - 1].surroundings,
				  members[i].surroundings))
			lists[alike_count++] =
				(struct alike){ i, 0, members[i].machine };
		lists[alike_count - 1].count++;
	}
	return alike_count;
}

void fleet_groups_find(const struct surroundings *const *machines, size_t count,
	size_t *groups)
{
	struct member *members = xcalloc(count + 1, sizeof *members);
	struct alike *lists = xcalloc(count + 1, sizeof *lists);

	for (size_t i = 0; i < count; i++)
		members[i] = (struct member){ machines[i], i };
	qsort(members, count, sizeof *members, by_surroundings);
	size_t alike_count = find_alike(members, count, lists);
	qsort(lists, alike_count, sizeof *lists, by_size);
	for (size_t g = 0; g < alike_count; g++)
		for (size_t i = 0; i < lists[g].count; i++)
			groups[members[lists[g].first + i].machine] = g;
	free(members);
	free(lists);
}
