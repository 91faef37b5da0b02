/* The share of other tasks in a processor's time. */
#include "others.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int first_cpu(void)
{
	cpu_set_t set;
	int cpu = 0;

	sched_getaffinity(0, sizeof set, &set);
	while (!CPU_ISSET(cpu, &set))
		cpu++;
	return cpu;
}

static pid_t spin_on(int cpu)
{
	pid_t pid = fork();
	cpu_set_t set;

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
	for (;;)
		;
}

/* What the lab uses counts if it can run on the processor. */
static void test_lab(const struct others *others, int cpu)
{
	struct others used = *others;
	double share = others_share(others);
	cpu_set_t all, elsewhere;

	used.lab_s -= .4;
	assert_true(fabs(others_share(&used) - (share - .4 / 1.2)) < .1);
	sched_getaffinity(0, sizeof all, &all);
	elsewhere = all;
	CPU_CLR(cpu, &elsewhere);
	if (sched_setaffinity(0, sizeof elsewhere, &elsewhere))
		return; /* there is no other processor */
	assert_true(fabs(others_share(&used) - share) < .1);
	sched_setaffinity(0, sizeof all, &all);
}

/* Other programs make the share larger, never smaller. */
static void test_spinner(void **state)
{
	struct others others;
	cpu_set_t cpus;
	int cpu = first_cpu();

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	others_begin(&others, &cpus);
	assert_true(others_share(&others) == 0); /* too short */
	assert_true(others_share_of_all(&others) == 0);
	assert_true(others_share_in_user_mode(&others) == 0);
	pid_t pid = spin_on(cpu);
	usleep(1200000);
	double share = others_share(&others);
	struct others used = others;
	/* The lab and its children used a third of the time. */
	used.own_s -= .4;
	assert_true(share > .5 && share < 1.1);
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	assert_true(others_share_of_all(&others) > .5 / (double)online);
	assert_true(fabs(others_share(&used) - (share - .4 / 1.2)) < .1);
	/* The spinner makes no system calls. */
	double in_user = others_share_in_user_mode(&others);
	assert_true(in_user > .2);
	used.own_user_s -= .4;
	assert_true(fabs(others_share_in_user_mode(&used) -
			    (in_user - .4 / 1.2)) < .1);
	test_lab(&others, cpu);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* Its time is now that of a child. */
	assert_true(others_share(&others) < share);
	assert_true(others_share_in_user_mode(&others) < in_user);
}

static void test_unknown(void **state)
{
	struct others others = { 0 };
	cpu_set_t cpus;

	assert_true(others_share(&others) == 0);
	assert_true(others_share_of_all(&others) == 0);
	assert_true(others_share_in_user_mode(&others) == 0);
	CPU_ZERO(&cpus);
	others_begin(&others, &cpus);
	assert_true(others_share(&others) == 0);
	assert_true(others_share_in_user_mode(&others) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spinner),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
