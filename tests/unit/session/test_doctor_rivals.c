/* The doctor's verdicts on other users of the processor. */
#include "doctor.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "calm_machine.h"

static void load_is_judged(void **state)
{
	fake_file("/proc/loadavg", "3.50 2.00 1.00 4/300 1234\n");
	assert_row("load", DOCTOR_NOTE, "load 3.50");
	fake_file("/proc/pressure/cpu", "some avg10=42.50 avg60=1.00\n");
	assert_row("load", DOCTOR_BAD, "tasks waited 42.5 % of 10 s");
}

/* Writes a task with this processor time, atomically because the doctor reads
 * at the same time. */
static void put_task(unsigned ticks)
{
	char stat[256];
	char *draft = fake_place("/draft"),
	     *place = fake_place("/proc/17/stat");

	snprintf(stat, sizeof stat,
		"17 (a) b\033[2J (c) R 1 1 1 0 -1 0 0 0 0 0 %u 0 0 0 20 0 1 0 "
		"5 0 0 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 3 0 0\n",
		ticks);
	fake_file("/draft", stat);
	assert_int_equal(rename(draft, place), 0);
	free(draft);
	free(place);
}

/* A process that advances the task's processor time, until it is killed. */
static pid_t age_task(void)
{
	const struct timespec moment = { .tv_nsec = 2000000 };
	pid_t child = fork();

	assert_true(child >= 0);
	if (child)
		return child;
	for (unsigned ticks = 0;; ticks += 100) {
		put_task(ticks);
		nanosleep(&moment, NULL);
	}
}

static void busy_tasks_are_named(void **state)
{
	fake_file("/proc/loadavg", "3.50 2.00 1.00 4/300 1234\n");
	put_task(0);
	pid_t child = age_task();
	examine();
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	const struct doctor_row *load = row_named("load");
	assert_int_equal(load->verdict, DOCTOR_BAD);
	assert_non_null(strstr(load->found, ": a) b\\x1b[2J (c (pid 17)"));
	assert_non_null(strstr(load->found, "on cpu 3"));
}

static void stolen_time_is_bad_in_a_guest(void **state)
{
	snprintf(machine.hypervisor, sizeof machine.hypervisor, "KVM");
	assert_row("hypervisor", DOCTOR_NOTE, "KVM, 0.00 %");
	fake_file("/proc/stat", "cpu  100 0 100 9700 0 0 0 100 0 0\n");
	assert_row("hypervisor", DOCTOR_BAD, "KVM, 1.00 %");
}

static void gaps_are_told_in_words(void **state)
{
	gaps = (struct gap_facts){ .watched_s = 2,
		.lost = .04,
		.longest_ns = 5.4e7,
		.decade = { 0, 12, 0, 3, 0, 1 } };
	assert_row("gaps", DOCTOR_BAD,
		"lost 4.00 % of 2.0 s, longest 54.0 ms; 12 of 1 to 10 us, "
		"3 of 0.1 to 1 ms, 1 over 10 ms");
	input.gaps = NULL;
	assert_row("gaps", DOCTOR_NOTE, "not measured yet");
}

static void quotas_are_found_upwards(void **state)
{
	fake_file("/sys/fs/cgroup/user.slice/me/cpu.max", "max 100000\n");
	assert_row("quota", DOCTOR_OK, "none found");
	fake_file("/sys/fs/cgroup/user.slice/cpu.max", "400000 100000\n");
	assert_row("quota", DOCTOR_NOTE, "4.00 cpus (400 ms in 100 ms)");
	fake_file("/sys/fs/cgroup/user.slice/cpu.stat",
		"usage_usec 1\nnr_throttled 7\n");
	assert_row("quota", DOCTOR_BAD, "throttled 7 times");
	fake_file("/sys/fs/cgroup/user.slice/me/cpu.max", "50000 100000\n");
	assert_row("quota", DOCTOR_BAD, "0.50 cpus");
}

static void quotas_of_a_container_are_found(void **state)
{
	fake_file("/proc/self/cgroup", "0::/../outside\n");
	fake_file("/sys/fs/cgroup/cpu.max", "150000 100000\n");
	assert_row("quota", DOCTOR_BAD, "1.50 cpus");
}

static void quotas_of_old_groups_are_found(void **state)
{
	fake_file("/proc/self/cgroup",
		"5:cpuset:/\n4:cpu,cpuacct:/docker/x\nnonsense\n0::/\n");
	fake_file("/sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "-1\n");
	fake_file("/sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us", "100000\n");
	assert_row("quota", DOCTOR_OK, "none found");
	fake_file("/sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us", "20000\n");
	assert_row("quota", DOCTOR_BAD, "0.20 cpus");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_a_calm_machine(load_is_judged),
		on_a_calm_machine(busy_tasks_are_named),
		on_a_calm_machine(stolen_time_is_bad_in_a_guest),
		on_a_calm_machine(gaps_are_told_in_words),
		on_a_calm_machine(quotas_are_found_upwards),
		on_a_calm_machine(quotas_of_a_container_are_found),
		on_a_calm_machine(quotas_of_old_groups_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
