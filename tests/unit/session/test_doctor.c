/* The doctor's verdicts on simulated machines and on the real one. */
#include "doctor.h"

#include <time.h>

#include "calm_machine.h"

static void checks_come_in_their_order(void **state)
{
	static const char *const order[] = { "clock", "frequency", "turbo",
		"smt", "core-types", "isolation", "tick", "interrupts",
		"idle-states", "load", "hypervisor", "gaps", "noise", "quota",
		"memory-limit", "real-time", "mitigations", "aslr",
		"clocksource", "watchdog", "preemption", "timer-slack",
		"huge-pages", "memory-work", "numa", "swap", "disk", "network",
		"coalescing", "congestion", "tcp-metrics", "ports", "remote",
		"link", "battery", "thermal", "priority", "memory-lock",
		"counters", "capture", "icmp", "filters", "tracing", "build" };

	examine();
	assert_int_equal(doctor.count, sizeof order / sizeof order[0]);
	for (size_t i = 0; i < doctor.count; i++)
		assert_string_equal(doctor.rows[i].check, order[i]);
}

static void a_calm_machine_is_well(void **state)
{
	examine();
	for (size_t i = 0; i < doctor.count; i++)
		if (doctor.rows[i].verdict != DOCTOR_OK)
			fail_msg("%s: %s", doctor.rows[i].check,
				doctor.rows[i].found);
}

static void clock_is_judged(void **state)
{
	assert_row("clock", DOCTOR_OK, "2700.000000 MHz");
	clock_now.hz = 2.7e9 * 1.0003;
	assert_row("clock", DOCTOR_BAD, "+300.0 ppm from the kernel's");
	clock_now.kernel_hz = clock_now.hz;
	assert_row("clock", DOCTOR_OK, "+0.0 ppm from the kernel's");
	clock_now.residual = 40;
	assert_row("clock", DOCTOR_BAD, "residual 40.0 ticks");
	clock_now.source = TICK_MONOTONIC_RAW;
	snprintf(clock_now.why, sizeof clock_now.why, "nonstop_tsc is missing");
	assert_row("clock", DOCTOR_NOTE, "nonstop_tsc is missing");
	input.clock = NULL;
	assert_row("clock", DOCTOR_NOTE, "not measured yet");
}

static void governor_is_judged_where_it_measures(void **state)
{
	fake_file(CPU0 "/cpufreq/scaling_governor", "powersave\n");
	assert_row("frequency", DOCTOR_NOTE, "powersave on cpu 0");
	fake_file(CPU1 "/cpufreq/scaling_governor", "powersave\n");
	fake_file(CPU1 "/cpufreq/energy_performance_preference",
		"balance_power\n");
	assert_row("frequency", DOCTOR_BAD,
		"powersave on cpu 0-1, preference balance_power");
	assert_string_equal(row_named("frequency")->effect,
		"figures change as the frequency ramps up");
	assert_string_equal(row_named("frequency")->fix,
		"echo performance | sudo tee "
		"/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
	fake_file(CPU0 "/cpufreq/scaling_governor", "schedutil\n");
	assert_row("frequency", DOCTOR_BAD, "and others on cpu 0-1");
}

static void no_governor_is_a_note(void **state)
{
	fake_file("/sys/devices/system/cpu/online", "4-5\n");
	assert_row("frequency", DOCTOR_NOTE, "the firmware sets");
	snprintf(machine.hypervisor, sizeof machine.hypervisor, "KVM");
	assert_row("frequency", DOCTOR_NOTE, "the host sets");
}

static void turbo_is_a_note(void **state)
{
	fake_file("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	assert_row("turbo", DOCTOR_NOTE, "on");
	fake_file("/sys/devices/system/cpu/intel_pstate/no_turbo", "");
	assert_row("turbo", DOCTOR_OK, "no switch");
	fake_file("/sys/devices/system/cpu/cpufreq/boost", "1\n");
	assert_row("turbo", DOCTOR_NOTE, "on");
	fake_file("/sys/devices/system/cpu/cpufreq/boost", "0\n");
	assert_row("turbo", DOCTOR_OK, "off");
}

static void siblings_are_named(void **state)
{
	fake_file(CPU1 "/topology/thread_siblings_list", "1,5\n");
	assert_row("smt", DOCTOR_NOTE, "cpu 1 shares its core with cpu 5");
	input.cpu = -1;
	assert_row("smt", DOCTOR_OK, "cpu 0 has no sibling");
	input.cpu = 1 << 20;
	assert_row("smt", DOCTOR_OK, "cpu 0 has no sibling");
}

static void kernel_settings_are_judged(void **state)
{
	fake_file("/proc/sys/kernel/randomize_va_space", "0\n");
	assert_row("aslr", DOCTOR_BAD, "off");
	assert_string_equal(row_named("aslr")->fix,
		"sudo sysctl kernel.randomize_va_space=2");
	fake_file("/proc/sys/kernel/randomize_va_space", "1\n");
	assert_row("aslr", DOCTOR_NOTE, "not for the heap");
	fake_file("/proc/sys/kernel/sched_rt_runtime_us", "950000\n");
	fake_file("/proc/sys/kernel/sched_rt_period_us", "1000000\n");
	assert_row("real-time", DOCTOR_NOTE, "950 ms of each 1000 ms");
	assert_string_equal(row_named("real-time")->effect,
		"long trials at priority=fifo have gaps of 50 ms");
	snprintf(machine.mitigations, sizeof machine.mitigations,
		"meltdown: PTI");
	machine.page_table_isolation = true;
	assert_row("mitigations", DOCTOR_NOTE, "page table isolation");
	assert_string_equal(row_named("mitigations")->fix, "");
}

static void slow_clocksources_are_bad(void **state)
{
	fake_file(CLOCKSOURCE "/current_clocksource", "hpet\n");
	assert_row("clocksource", DOCTOR_BAD, "hpet");
	assert_non_null(strstr(row_named("clocksource")->fix, "echo tsc"));
	fake_file(CLOCKSOURCE "/available_clocksource", "hpet acpi_pm\n");
	assert_row("clocksource", DOCTOR_BAD, "hpet");
	assert_string_equal(row_named("clocksource")->fix, "");
	fake_file(CLOCKSOURCE "/current_clocksource", "other\n");
	assert_row("clocksource", DOCTOR_NOTE, "other");
}

static void swap_in_use_is_bad(void **state)
{
	fake_file("/proc/meminfo",
		"MemTotal: 9 kB\nSwapTotal: 2097152 kB\nSwapFree: 2097152 kB\n");
	assert_row("swap", DOCTOR_OK, "0 of 2048 MiB");
	fake_file("/proc/meminfo",
		"MemTotal: 9 kB\nSwapTotal: 2097152 kB\nSwapFree: 1048576 kB\n");
	assert_row("swap", DOCTOR_BAD, "1024 of 2048 MiB in use");
}

static void a_battery_in_use_is_bad(void **state)
{
	fake_file("/sys/class/power_supply/mouse/type", "Battery\n");
	fake_file("/sys/class/power_supply/mouse/scope", "Device\n");
	fake_file("/sys/class/power_supply/mouse/status", "Discharging\n");
	assert_row("battery", DOCTOR_OK, "none");
	fake_file("/sys/class/power_supply/BAT0/type", "Battery\n");
	fake_file("/sys/class/power_supply/BAT0/status", "Charging\n");
	assert_row("battery", DOCTOR_OK, "on mains");
	fake_file("/sys/class/power_supply/BAT0/status", "Discharging\n");
	assert_row("battery", DOCTOR_BAD, "in use");
}

static void heat_is_judged(void **state)
{
	fake_file("/sys/class/thermal/thermal_zone0/type", "acpitz\n");
	fake_file("/sys/class/thermal/thermal_zone0/temp", "99000\n");
	fake_file("/sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
	fake_file("/sys/class/thermal/thermal_zone1/temp", "61000\n");
	assert_row("thermal", DOCTOR_OK, "61 degrees, never throttled");
	fake_file(CPU1 "/thermal_throttle/package_throttle_count", "12\n");
	assert_row("thermal", DOCTOR_NOTE, "throttled 12 times");
	fake_file("/sys/class/thermal/thermal_zone1/temp", "95000\n");
	assert_row("thermal", DOCTOR_BAD, "95 degrees");
}

static void rights_are_told(void **state)
{
	fake_file("/proc/self/status", "TracerPid:\t0\nCapEff:\t0\n");
	assert_row("capture", DOCTOR_NOTE, "needs CAP_NET_RAW");
	assert_string_equal(row_named("capture")->fix,
		"sudo setcap cap_net_raw+ep '/usr/libexec/benchtop-capture'");
	/* If the path does not fit, no command with a truncated path is
	 * suggested. */
	char deep[300];
	memset(deep, 'd', sizeof deep);
	deep[0] = '/';
	deep[sizeof deep - 1] = '\0';
	input.capture_helper = deep;
	assert_row("capture", DOCTOR_NOTE, "/ddd");
	assert_string_equal(row_named("capture")->fix, "");
	/* The limits are those of this process, not of the simulated tree. */
	assert_true(row_named("priority")->verdict != DOCTOR_BAD);
	assert_true(row_named("memory-lock")->verdict != DOCTOR_BAD);
	machine.allowed = 1;
	assert_row("priority", DOCTOR_NOTE, "one processor");
	fake_file("/proc/sys/kernel/perf_event_paranoid", "4\n");
	assert_row("counters", DOCTOR_NOTE, "perf_event_paranoid is 4");
	fake_file("/sys/bus/event_source/devices/cpu/type", "");
	assert_row("counters", DOCTOR_NOTE, "no hardware counters");
}

static void untrustworthy_builds_are_bad(void **state)
{
	snprintf(machine.build, sizeof machine.build, "Debug");
	assert_row("build", DOCTOR_BAD, "Debug");
	snprintf(machine.build, sizeof machine.build, "Release thread");
	assert_row("build", DOCTOR_BAD, "thread");
	assert_string_equal(row_named("build")->effect,
		"figures are not valid");
	snprintf(machine.build, sizeof machine.build, "Release");
	fake_file("/proc/self/status", "TracerPid:\t4711\nCapEff:\t0\n");
	assert_row("build", DOCTOR_BAD, "traced by pid 4711");
	fake_file("/proc/4711/comm", "gdb\n");
	assert_row("build", DOCTOR_BAD, "traced by gdb (pid 4711)");
	fake_file("/proc/self/maps",
		"04000000-04022000 r-xp 0 8:1 1 "
		"/usr/libexec/valgrind/vgpreload_core-amd64-linux.so\n");
	assert_row("build", DOCTOR_BAD, "Release, under valgrind");
}

static void nonsense_does_no_harm(void **state)
{
	enum { SIZES = 5 };
	static const size_t sizes[SIZES] = { 0, 1, 300, 5000, 1 << 20 };

	input.cpu = 0;
	for (size_t i = 0; i < SIZES; i++) {
		char *bytes = fake_garbage(sizes[i] + 1);

		fake_everywhere(bytes, sizes[i]);
		examine();
		memset(bytes, '9', sizes[i]);
		fake_everywhere(bytes, sizes[i]);
		examine();
		free(bytes);
	}
}

static void nothing_at_all_does_no_harm(void **state)
{
	snprintf(fake_root + strlen(fake_root), 8, "/empty");
	examine();
	fake_root[strlen(fake_root) - strlen("/empty")] = '\0';
}

static void pipes_in_place_of_files_do_not_block(void **state)
{
	assert_int_equal(fake_close(state), 0);
	assert_int_equal(fake_open(state), 0);
	fake_pipes_everywhere();
	examine();
	assert_int_equal(fake_close(state), 0);
	assert_int_equal(fake_open(state), 0);
	fake_folders_everywhere();
	examine();
}

static void conditions_name_the_experiments_they_touch(void **state)
{
	examine();
	assert_string_equal(row_named("clock")->touches, "all timing");
	assert_string_equal(row_named("mitigations")->touches, "cpu.calls");
	assert_string_equal(row_named("aslr")->touches, "cpu.loops mem.*");
	assert_string_equal(row_named("hypervisor")->touches,
		"cpu.calls mem.*");
	assert_string_equal(row_named("link")->touches, "host=link");
	assert_string_equal(row_named("ports")->touches, "no experiment");
}

static void this_machine_is_examined(void **state)
{
	struct timespec from, to;

	machine_read(&machine);
	input = (struct doctor_input){ .machine = &machine, .cpu = 0 };
	fake_root[0] = '\0';
	clock_gettime(CLOCK_MONOTONIC, &from);
	examine();
	clock_gettime(CLOCK_MONOTONIC, &to);
	/* It takes tenths of a second; a loaded machine may be slower. */
	assert_true(to.tv_sec - from.tv_sec < 5);
	doctor_free(&doctor);
	assert_null(doctor.rows);
	assert_int_equal(doctor.count, 0);
	doctor_examine(&input, &doctor);
	assert_true(doctor.count > 0);
	doctor_free(&doctor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_a_calm_machine(checks_come_in_their_order),
		on_a_calm_machine(a_calm_machine_is_well),
		on_a_calm_machine(conditions_name_the_experiments_they_touch),
		on_a_calm_machine(clock_is_judged),
		on_a_calm_machine(governor_is_judged_where_it_measures),
		on_a_calm_machine(no_governor_is_a_note),
		on_a_calm_machine(turbo_is_a_note),
		on_a_calm_machine(siblings_are_named),
		on_a_calm_machine(kernel_settings_are_judged),
		on_a_calm_machine(slow_clocksources_are_bad),
		on_a_calm_machine(swap_in_use_is_bad),
		on_a_calm_machine(a_battery_in_use_is_bad),
		on_a_calm_machine(heat_is_judged),
		on_a_calm_machine(rights_are_told),
		on_a_calm_machine(untrustworthy_builds_are_bad),
		on_a_calm_machine(nonsense_does_no_harm),
		on_a_calm_machine(nothing_at_all_does_no_harm),
		on_a_calm_machine(pipes_in_place_of_files_do_not_block),
		cmocka_unit_test(this_machine_is_examined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
