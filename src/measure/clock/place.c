/* Planning processors. */
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <hwloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "processors.h"
#include "text.h"
#include "tick.h"

static const uint64_t siblings_kept_ns = 600ull * 1000 * 1000 * 1000;

static bool has(const cpu_set_t *set, int cpu)
{
	return cpu >= 0 && cpu < CPUS_MAX && CPU_ISSET((size_t)cpu, set);
}

void places_read(struct places *places)
{
	places->chosen = -1;
	CPU_ZERO(&places->allowed);
	if (sched_getaffinity(0, sizeof places->allowed, &places->allowed))
		CPU_SET(0, &places->allowed);
	cpu_times_read("/proc/stat", &places->since);
}

/* Fraction of the time since the lab started in which each processor was busy;
 * 0 if that time is too short. */
static void busy_shares(const struct places *places, double *share)
{
	struct cpu_times now;

	cpu_times_read("/proc/stat", &now);
	for (size_t cpu = 0; cpu < CPUS_MAX; cpu++) {
		share[cpu] = cpu_times_busy(&places->since, &now, cpu);
		if (isnan(share[cpu]))
			share[cpu] = 0;
	}
}

static int choose(struct places *places, struct place *place)
{
	double share[CPUS_MAX];
	int best = -1;

	if (has(&places->allowed, places->chosen)) {
		snprintf(place->facts.why, sizeof place->facts.why,
			"first choice of this lab");
		return places->chosen;
	}
	busy_shares(places, share);
	/* Prefers the last processor, because the first usually serves
	 * interrupts. Another is used only if it is clearly less busy. */
	for (int cpu = CPUS_MAX - 1; cpu >= 0; cpu--)
		if (has(&places->allowed, cpu) &&
			(best < 0 || share[cpu] + .05 < share[best]))
			best = cpu;
	places->chosen = best;
	snprintf(place->facts.why, sizeof place->facts.why,
		"chosen: the last allowed processor that is not busier than "
		"the others");
	return best;
}

/* ---- where a second party can go -------------------------------------- */

static hwloc_obj_t processor(hwloc_topology_t topology, int cpu)
{
	return hwloc_get_pu_obj_by_os_index(topology, (unsigned)cpu);
}

static hwloc_obj_t last_level_cache(hwloc_topology_t topology, hwloc_obj_t pu)
{
	static const hwloc_obj_type_t levels[] = { HWLOC_OBJ_L4CACHE,
		HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE };

	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		hwloc_obj_t cache =
			hwloc_get_ancestor_obj_by_type(topology, levels[i], pu);

		if (cache)
			return cache;
	}
	return NULL;
}

static bool are_found_siblings(const struct places *places, int a, int b)
{
	const struct sibling *sibling = &places->siblings[a];

	return sibling->answer == SIBLING_FOUND && sibling->cpu == b;
}

/* The placement of processor b relative to a. */
static enum placement relation(hwloc_topology_t topology,
	const struct places *places, int a, int b)
{
	hwloc_obj_t pa = processor(topology, a), pb = processor(topology, b);

	if (a == b)
		return PLACEMENT_SAME_CPU;
	if (are_found_siblings(places, a, b))
		return PLACEMENT_SMT;
	if (!pa || !pb)
		return PLACEMENT_OTHER;
	hwloc_obj_t core =
		hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pa);
	if (core &&
		core ==
			hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE,
				pb))
		return PLACEMENT_SMT;
	hwloc_obj_t cache = last_level_cache(topology, pa);
	return cache && cache == last_level_cache(topology, pb) ?
		PLACEMENT_SAME_LLC :
		PLACEMENT_OTHER;
}

static hwloc_obj_t core_of(hwloc_topology_t topology, int cpu)
{
	hwloc_obj_t pu = processor(topology, cpu);

	return pu ?
		hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu) :
		NULL;
}

static bool share_core(const struct places *places,
	const hwloc_obj_t cores[CPUS_MAX], int a, int b)
{
	return (cores[a] && cores[a] == cores[b]) ||
		are_found_siblings(places, a, b);
}

/* True if the processor, or with `cores` one on the same core, is in the
 * row. */
static bool in_row(const struct places *places, const struct place *place,
	int cpu, const hwloc_obj_t cores[CPUS_MAX])
{
	for (unsigned i = 0; i < place->row_count; i++)
		if (place->row[i] == cpu ||
			(cores &&
				share_core(places, cores, cpu, place->row[i])))
			return true;
	return false;
}

/* The first pass skips processors that share a core with one in the row. */
static void make_row(hwloc_topology_t topology, const struct places *places,
	struct place *place)
{
	hwloc_obj_t cores[CPUS_MAX] = { NULL };

	for (int cpu = 0; topology && cpu < CPUS_MAX; cpu++)
		if (has(&places->allowed, cpu))
			cores[cpu] = core_of(topology, cpu);
	place->row[0] = place->cpu;
	place->row_count = 1;
	for (int turn = 0; turn < 2; turn++)
		for (int cpu = 0; cpu < CPUS_MAX; cpu++)
			if (has(&places->allowed, cpu) &&
				!in_row(places, place, cpu,
					turn ? NULL : cores))
				place->row[place->row_count++] = cpu;
}

static void find_placements(const struct places *places, struct place *place)
{
	hwloc_topology_t topology;

	make_row(NULL, places, place);
	for (int i = 0; i < PLACEMENTS; i++)
		place->at[i] = -1;
	place->at[PLACEMENT_SAME_CPU] = place->cpu;
	/* hwloc would print its warnings on the screen. */
	setenv("HWLOC_HIDE_ERRORS", "2", 0);
	if (hwloc_topology_init(&topology))
		return;
	/* hwloc's x86 component runs cpuid on every processor, which traps in a
	 * guest; sysfs has the same information. */
	hwloc_topology_set_components(topology,
		HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	if (!nodes_are_listed())
		hwloc_topology_set_components(topology,
			HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "linux");
	if (!hwloc_topology_load(topology)) {
		make_row(topology, places, place);
		for (int cpu = 0; cpu < CPUS_MAX; cpu++)
			if (has(&places->allowed, cpu)) {
				int r = relation(topology, places, place->cpu,
					cpu);

				if (place->at[r] < 0)
					place->at[r] = cpu;
			}
	}
	hwloc_topology_destroy(topology);
	/* `other` is the most distant processor available. On most machines
	 * that is another core under the same cache, in a guest with two
	 * processors sometimes the SMT sibling. */
	if (place->at[PLACEMENT_OTHER] < 0)
		place->at[PLACEMENT_OTHER] = place->at[PLACEMENT_SAME_LLC];
	if (place->at[PLACEMENT_OTHER] < 0)
		place->at[PLACEMENT_OTHER] = place->at[PLACEMENT_SMT];
}

/* ---- where the lab goes ----------------------------------------------- */

static bool take_away(cpu_set_t *set, int cpu)
{
	cpu_set_t rest = *set;

	if (!has(&rest, cpu))
		return true;
	CPU_CLR((size_t)cpu, &rest);
	if (!CPU_COUNT(&rest))
		return false;
	*set = rest;
	return true;
}

static void plan_lab(const struct places *places, unsigned parties,
	struct place *place)
{
	place->lab = places->allowed;
	place->facts.lab_shares = !take_away(&place->lab, place->cpu);
	for (int i = PLACEMENT_SMT; i < PLACEMENTS; i++) {
		if (!(parties & (1u << i)) || place->at[i] < 0)
			continue;
		place->facts.second = place->at[i];
		if (!take_away(&place->lab, place->at[i]))
			place->facts.lab_shares = true;
	}
	/* The sibling is used only if nothing else remains. */
	place->facts.lab_beside =
		!take_away(&place->lab, place->at[PLACEMENT_SMT]);
}

/* The result of the experiment, else the kernel's information. */
static struct sibling sibling_of(const struct places *places,
	const struct place *place)
{
	const struct sibling *found = &places->siblings[place->cpu];
	int kernel = place->at[PLACEMENT_SMT];

	if (found->answer != SIBLING_UNKNOWN || kernel < 0)
		return *found;
	return (struct sibling){ SIBLING_FOUND, kernel };
}

bool place_asks(const struct places *places, int cpu, bool guest,
	cpu_set_t *others)
{
	uint64_t at_ns = places->siblings_ns[cpu];
	struct place place = { .cpu = cpu };

	CPU_ZERO(others);
	if (at_ns && tick_raw_ns() - at_ns < siblings_kept_ns)
		return false;
	if (guest) {
		*others = places->allowed;
		CPU_CLR((size_t)cpu, others);
	} else {
		find_placements(places, &place);
		if (place.at[PLACEMENT_SMT] >= 0)
			CPU_SET((size_t)place.at[PLACEMENT_SMT], others);
	}
	return CPU_COUNT(others) > 0;
}

void place_threads(struct place *place, unsigned threads)
{
	place->threads =
		threads < place->row_count ? threads : place->row_count;
	for (unsigned i = 1; i < place->threads; i++)
		if (!take_away(&place->lab, place->row[i]))
			place->facts.lab_shares = true;
}

int place_check(const struct places *places, int64_t cpu, struct error *error)
{
	struct text list = { 0 };

	if (cpu == PARAM_AUTO ||
		(cpu >= 0 && cpu < CPUS_MAX &&
			has(&places->allowed, (int)cpu)))
		return 0;
	cpus_describe(&places->allowed, &list);
	error_set(error, STATUS_USAGE,
		"cpu=%lld: not available to this process, expected one of %s",
		(long long)cpu, text_chars(&list));
	text_free(&list);
	return -1;
}

int places_last(const struct places *places)
{
	int last = CPUS_MAX - 1;

	while (last && !has(&places->allowed, last))
		last--;
	return last;
}

int place_plan(struct places *places, int64_t cpu, unsigned parties,
	struct place *place, struct error *error)
{
	*place = (struct place){ .facts = { .second = -1 } };
	if (place_check(places, cpu, error))
		return -1;
	if (cpu == PARAM_AUTO)
		place->cpu = choose(places, place);
	else
		place->cpu = (int)cpu;
	if (!*place->facts.why)
		snprintf(place->facts.why, sizeof place->facts.why,
			"requested");
	place->facts.cpu = place->cpu;
	find_placements(places, place);
	place->facts.sibling = sibling_of(places, place);
	plan_lab(places, parties, place);
	return 0;
}

void place_apply(const struct place *place)
{
	sched_setaffinity(0, sizeof place->lab, &place->lab);
}

void place_restore(const struct places *places)
{
	sched_setaffinity(0, sizeof places->allowed, &places->allowed);
}

void cpus_describe(const cpu_set_t *set, struct text *text)
{
	const char *gap = "";

	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		int last = cpu;

		if (!has(set, cpu))
			continue;
		while (has(set, last + 1))
			last++;
		text_add(text, last > cpu ? "%s%d-%d" : "%s%d", gap, cpu, last);
		cpu = last;
		gap = ",";
	}
}

/* ---- the lock --------------------------------------------------------- */

/* /run/lock is shared by all users on most systems, so that labs of two users
 * detect each other. Elsewhere only labs of the same user do. */
static int open_lock(int cpu)
{
	struct text path = { 0 };

	text_add(&path, "/run/lock/benchtop-cpu%d", cpu);
	int fd = open(path.chars, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		fd = open(path.chars, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
			0666);
	if (fd >= 0 && fchmod(fd, 0666))
		errno = 0; /* another user's file with the right mode */
	char *folder = fd < 0 ? folder_runtime() : NULL;
	if (folder) {
		text_clear(&path);
		text_add(&path, "%s/.cpu%d", folder, cpu);
		fd = open(path.chars, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	}
	free(folder);
	text_free(&path);
	return fd;
}

int place_lock(int cpu, pid_t *holder)
{
	char who[32];
	int fd = open_lock(cpu);

	*holder = 0;
	if (fd < 0)
		return -1;
	if (!flock(fd, LOCK_EX | LOCK_NB)) {
		int length = snprintf(who, sizeof who, "%d\n", (int)getpid());

		if (!ftruncate(fd, 0) && pwrite(fd, who, (size_t)length, 0) > 0)
			return fd;
		return fd;
	}
	ssize_t got = pread(fd, who, sizeof who - 1, 0);
	if (got > 0) {
		who[got] = '\0';
		*holder = (pid_t)strtol(who, NULL, 10);
	}
	close(fd);
	return -1;
}
