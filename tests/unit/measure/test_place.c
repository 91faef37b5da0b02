/* Placement, on processors simulated by hwloc. */
#include "place.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "param.h"
#include "tape_folder.h"
#include "text.h"

enum { OTHERS = 1u << PLACEMENT_OTHER, SIBLING = 1u << PLACEMENT_SMT };

/* Simulates a machine of `topology`, of which this process may use `cpus`. */
static struct places machine(const char *topology, const char *cpus)
{
	struct places places;

	setenv("HWLOC_SYNTHETIC", topology, 1);
	/* The lab began just now, so no processor is known to be busy. */
	places_read(&places);
	CPU_ZERO(&places.allowed);
	for (; *cpus; cpus++)
		CPU_SET((size_t)(*cpus - '0'), &places.allowed);
	return places;
}

static struct place planned(struct places *places, int64_t cpu,
	unsigned parties)
{
	struct place place;
	struct error error = { 0 };

	assert_int_equal(place_plan(places, cpu, parties, &place, &error), 0);
	return place;
}

#define assert_cpus(set, wanted)                                \
	do {                                                    \
		struct text list = { 0 };                       \
		cpus_describe(&(set), &list);                   \
		assert_string_equal(text_chars(&list), wanted); \
		text_free(&list);                               \
	} while (0)

static void cores_come_first(void **state)
{
	static const int wanted[] = { 5, 0, 2, 6, 1, 3, 4, 7 };
	struct places places = machine("core:4 pu:2", "01234567");
	struct place place = planned(&places, 5, 0);

	assert_int_equal(place.row_count, 8);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(place.row[i], wanted[i]);
	place_threads(&place, 4);
	assert_false(place.facts.lab_shares);
	assert_cpus(place.lab, "1,3,7");
	place_threads(&place, 8);
	assert_true(place.facts.lab_shares);
	places = machine("core:4 pu:2", "37");
	place = planned(&places, 3, 0);
	assert_int_equal(place.row_count, 2);
	assert_int_equal(place.row[1], 7);
}

static void one_processor_is_shared(void **state)
{
	struct places places = machine("core:1 pu:1", "0");
	struct place place = planned(&places, PARAM_AUTO, OTHERS);

	assert_int_equal(place.cpu, 0);
	assert_int_equal(place.facts.cpu, 0);
	assert_true(place.facts.lab_shares);
	assert_int_equal(place.facts.second, -1);
	assert_int_equal(place.at[PLACEMENT_SAME_CPU], 0);
	assert_int_equal(place.at[PLACEMENT_SMT], -1);
	assert_int_equal(place.at[PLACEMENT_SAME_LLC], -1);
	assert_int_equal(place.at[PLACEMENT_OTHER], -1);
	assert_cpus(place.lab, "0");
}

static void two_processors_part_company(void **state)
{
	struct places places = machine("l3:1 core:2 pu:1", "01");
	struct place place = planned(&places, PARAM_AUTO, 0);

	/* The last processor, because the first usually handles interrupts. */
	assert_int_equal(place.cpu, 1);
	assert_non_null(strstr(place.facts.why, "chosen: the last allowed"));
	assert_false(place.facts.lab_shares);
	assert_int_equal(place.at[PLACEMENT_SMT], -1);
	assert_int_equal(place.at[PLACEMENT_SAME_LLC], 0);
	/* No processor is farther away. */
	assert_int_equal(place.at[PLACEMENT_OTHER], 0);
	assert_cpus(place.lab, "0");
	/* The chosen processor is used again. */
	place = planned(&places, PARAM_AUTO, 0);
	assert_int_equal(place.cpu, 1);
	assert_string_equal(place.facts.why, "first choice of this lab");
}

static void two_parties_leave_the_lab_no_room(void **state)
{
	struct places places = machine("l3:1 core:2 pu:1", "01");
	struct place place = planned(&places, PARAM_AUTO, OTHERS);

	assert_int_equal(place.facts.second, 0);
	assert_true(place.facts.lab_shares);
	assert_cpus(place.lab, "0");
	/* If both tasks share one processor, the lab has the other. */
	place = planned(&places, PARAM_AUTO, 1u << PLACEMENT_SAME_CPU);
	assert_int_equal(place.facts.second, -1);
	assert_false(place.facts.lab_shares);
	assert_cpus(place.lab, "0");
}

/* Two packages of two cores of two threads: 0 and 1 are a core. */
static void siblings_are_told_from_neighbours(void **state)
{
	struct places places =
		machine("package:2 l3:1 core:2 pu:2", "01234567");
	struct place place = planned(&places, 2, 0);

	assert_string_equal(place.facts.why, "requested");
	assert_int_equal(place.at[PLACEMENT_SAME_CPU], 2);
	assert_int_equal(place.at[PLACEMENT_SMT], 3);
	assert_int_equal(place.at[PLACEMENT_SAME_LLC], 0);
	assert_int_equal(place.at[PLACEMENT_OTHER], 4);
	/* The lab also avoids the sibling. */
	assert_cpus(place.lab, "0-1,4-7");
	assert_false(place.facts.lab_shares);
	place = planned(&places, 2, OTHERS);
	assert_int_equal(place.facts.second, 4);
	assert_cpus(place.lab, "0-1,5-7");
	place = planned(&places, 2, SIBLING);
	assert_int_equal(place.facts.second, 3);
	assert_cpus(place.lab, "0-1,4-7");
	place = planned(&places, 2, SIBLING | OTHERS);
	assert_cpus(place.lab, "0-1,5-7");
}

static void one_core_of_two_threads(void **state)
{
	struct places places = machine("core:1 pu:2", "01");
	struct place place = planned(&places, PARAM_AUTO, 0);

	assert_int_equal(place.at[PLACEMENT_SMT], 0);
	/* The farthest processor. */
	assert_int_equal(place.at[PLACEMENT_OTHER], 0);
	/* The sibling of the measured thread is better than the thread
	 * itself. */
	assert_cpus(place.lab, "0");
	assert_false(place.facts.lab_shares);
}

/* In a container or under taskset, some processors may not be used. */
static void affinity_is_respected(void **state)
{
	struct places places = machine("package:2 l3:1 core:2 pu:2", "25");
	struct place place = planned(&places, PARAM_AUTO, 0);
	struct error error = { 0 };

	assert_int_equal(place.cpu, 5);
	assert_int_equal(place.at[PLACEMENT_SMT], -1);
	assert_int_equal(place.at[PLACEMENT_SAME_LLC], -1);
	assert_int_equal(place.at[PLACEMENT_OTHER], 2);
	assert_cpus(place.lab, "2");
	assert_int_equal(place_plan(&places, 4, 0, &place, &error), -1);
	assert_int_equal(error.status, STATUS_USAGE);
	assert_string_equal(error.message,
		"cpu=4: not available to this process, "
		"expected one of 2,5");
	assert_int_equal(place_plan(&places, 5000, 0, &place, &error), -1);
	assert_int_equal(place_plan(&places, -7, 0, &place, &error), -1);
}

/* A permitted processor that hwloc does not report. */
static void an_unknown_processor_is_another(void **state)
{
	struct places places = machine("core:1 pu:1", "06");
	struct place place = planned(&places, 0, 0);

	assert_int_equal(place.at[PLACEMENT_OTHER], 6);
	assert_cpus(place.lab, "6");
}

static void sets_are_described(void **state)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	assert_cpus(set, "");
	CPU_SET(3, &set);
	assert_cpus(set, "3");
	CPU_SET(0, &set);
	CPU_SET(4, &set);
	CPU_SET(5, &set);
	CPU_SET(CPUS_MAX - 1, &set);
	assert_cpus(set, "0,3-5,1023");
}

/* The lab moves to other processors and back, on the real machine. */
static void the_lab_moves_and_returns(void **state)
{
	struct places places;
	cpu_set_t now;

	unsetenv("HWLOC_SYNTHETIC");
	places_read(&places);
	struct place place = planned(&places, PARAM_AUTO, 0);
	place_apply(&place);
	assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
	assert_true(CPU_EQUAL(&now, &place.lab));
	if (CPU_COUNT(&places.allowed) > 1)
		assert_false(CPU_ISSET((size_t)place.cpu, &now));
	place_restore(&places);
	assert_int_equal(sched_getaffinity(0, sizeof now, &now), 0);
	assert_true(CPU_EQUAL(&now, &places.allowed));
}

/* ---- the lock --------------------------------------------------------- */

enum { NOBODYS_CPU = 1021 };

static void a_lock_names_its_holder(void **state)
{
	int ready[2], status;
	pid_t holder = -1;
	char c;

	assert_int_equal(pipe(ready), 0);
	pid_t other = fork();
	if (!other) {
		pid_t nobody;

		if (place_lock(NOBODYS_CPU, &nobody) < 0)
			_exit(1);
		c = 1;
		if (write(ready[1], &c, 1) != 1)
			_exit(1);
		pause();
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	assert_int_equal(place_lock(NOBODYS_CPU, &holder), -1);
	assert_int_equal(holder, other);
	/* The lock is released when its holder ends in any way. */
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, &status, 0), other);
	int lock = place_lock(NOBODYS_CPU, &holder);
	assert_true(lock >= 0);
	assert_int_equal(holder, 0);
	close(lock);
	close(ready[0]);
	close(ready[1]);
	char path[64];
	snprintf(path, sizeof path, "/run/lock/benchtop-cpu%d", NOBODYS_CPU);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cores_come_first),
		cmocka_unit_test(one_processor_is_shared),
		cmocka_unit_test(two_processors_part_company),
		cmocka_unit_test(two_parties_leave_the_lab_no_room),
		cmocka_unit_test(siblings_are_told_from_neighbours),
		cmocka_unit_test(one_core_of_two_threads),
		cmocka_unit_test(affinity_is_respected),
		cmocka_unit_test(an_unknown_processor_is_another),
		cmocka_unit_test(sets_are_described),
		cmocka_unit_test(the_lab_moves_and_returns),
		cmocka_unit_test(a_lock_names_its_holder),
	};

	return cmocka_run_group_tests(tests, make_tape_folder,
		remove_tape_folder);
}
