/* Threads that run all the time. */
#include "spinners.h"

#include <errno.h>
#include <stdlib.h>

#include "party.h"

struct spinner {
	_Alignas(64) uint64_t spins;
	uint64_t seen; /* of the spins */
	const uint32_t *quit;
	struct party party;
};

static void *spin(void *context)
{
	struct spinner *spinner = context;

	while (!__atomic_load_n(spinner->quit, __ATOMIC_RELAXED))
		__atomic_store_n(&spinner->spins, spinner->spins + 1,
			__ATOMIC_RELAXED);
	return NULL;
}

int spinners_start(struct spinners *spinners, const int *cpus, size_t count)
{
	*spinners = (struct spinners){ 0 };
	spinners->list =
		aligned_alloc(64, (count + 1) * sizeof *spinners->list);
	if (!spinners->list)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct spinner *spinner = &spinners->list[i];

		*spinner = (struct spinner){ .quit = &spinners->quit };
		int failed = party_start(&spinner->party, true, cpus[i], spin,
			spinner);
		if (failed)
			return failed;
		spinners->count++;
	}
	return 0;
}

void spinners_stop(struct spinners *spinners)
{
	__atomic_store_n(&spinners->quit, 1, __ATOMIC_RELAXED);
	for (size_t i = 0; i < spinners->count; i++)
		party_join(&spinners->list[i].party);
	free(spinners->list);
	*spinners = (struct spinners){ 0 };
}

void spinners_note(struct spinners *spinners)
{
	for (size_t i = 0; i < spinners->count; i++)
		spinners->list[i].seen = __atomic_load_n(
			&spinners->list[i].spins, __ATOMIC_RELAXED);
}

bool spinners_ran(const struct spinners *spinners)
{
	for (size_t i = 0; i < spinners->count; i++)
		if (__atomic_load_n(&spinners->list[i].spins,
			    __ATOMIC_RELAXED) == spinners->list[i].seen)
			return false;
	return true;
}
