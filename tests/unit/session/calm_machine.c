/* A quiet machine. */
#include "calm_machine.h"

#include <string.h>

struct machine machine;
struct clock_facts clock_now;
struct gap_facts gaps;
struct noise_facts noise;
struct doctor_input input;
struct doctor doctor;

static const struct experiment calm_calls = { .name = "cpu.calls",
	.sensitive_to = SENSITIVE_KERNEL | SENSITIVE_CALLS };
static const struct experiment calm_loops = { .name = "cpu.loops",
	.sensitive_to = SENSITIVE_CODE };
static const struct experiment calm_loads = { .name = "mem.loads",
	.sensitive_to = SENSITIVE_MEMORY };
static const struct experiment calm_stores = { .name = "mem.stores",
	.sensitive_to = SENSITIVE_MEMORY };
static const struct experiment *const calm_experiments[] = { &calm_calls,
	&calm_loops, &calm_loads, &calm_stores, NULL };

static void calm_kernel(void)
{
	fake_file("/proc/loadavg", "0.05 0.10 0.20 1/300 1234\n");
	fake_file("/proc/pressure/cpu", "some avg10=0.00 avg60=0.00\n");
	fake_file("/proc/stat", "cpu  100 0 100 9800 0 0 0 0 0 0\n");
	fake_file("/proc/meminfo", "MemTotal: 1000 kB\nSwapTotal: 0 kB\n");
	fake_file("/proc/self/cgroup", "0::/user.slice/me\n");
	fake_file("/proc/self/status",
		"Name:\tx\nTracerPid:\t0\nCapEff:\t000001ffffffffff\n");
	fake_file("/proc/sys/kernel/sched_rt_runtime_us", "-1\n");
	fake_file("/proc/sys/kernel/randomize_va_space", "2\n");
	fake_file("/proc/sys/kernel/perf_event_paranoid", "2\n");
	fake_file("/sys/bus/event_source/devices/cpu/type", "4\n");
	fake_file("/sys/devices/system/cpu/online", "0-1\n");
	fake_file(CPU0 "/cpufreq/scaling_governor", "performance\n");
	fake_file(CPU1 "/cpufreq/scaling_governor", "performance\n");
	fake_file(CPU0 "/topology/thread_siblings_list", "0\n");
	fake_file(CPU1 "/topology/thread_siblings_list", "1\n");
	fake_file(CPU1 "/thermal_throttle/core_throttle_count", "0\n");
	fake_file("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	fake_file(CLOCKSOURCE "/current_clocksource", "tsc\n");
	fake_file(CLOCKSOURCE "/available_clocksource", "tsc hpet\n");
	fake_file("/sys/devices/system/cpu/isolated", "1\n");
	fake_file("/sys/devices/system/cpu/nohz_full", "1\n");
	fake_file("/proc/interrupts",
		"           CPU0       CPU1\n"
		" 24:          9          0  PCI-MSI 512-edge      eth0\n"
		"LOC:       1000       1000   Local timer interrupts\n");
	fake_file("/proc/sys/kernel/nmi_watchdog", "0\n");
	fake_file("/sys/class/net/lo/mtu", "65536\n");
	fake_file(TCP "/tcp_congestion_control", "cubic\n");
	fake_file(TCP "/tcp_available_congestion_control", "reno cubic bbr\n");
	fake_file(TCP "/tcp_no_metrics_save", "1\n");
	fake_file(TCP "/ip_local_port_range", "32768\t60999\n");
	fake_file("/dev/net/tun", "");
	fake_file("/proc/self/mountinfo",
		"22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
		"23 22 0:24 / /tmp rw - tmpfs tmpfs rw\n");
}

int calm_open(void **state)
{
	if (fake_open(state))
		return -1;
	calm_kernel();
	machine = (struct machine){ .cpus = 2,
		.allowed = 2,
		.kernel_version = "#1 SMP PREEMPT_DYNAMIC",
		.networks = { { .name = "eth0",
			.up = true,
			.speed_bit_s = 1e9 } },
		.network_count = 1,
		.build = "Release",
		.kernel_tick_hz = 2.7e9 };
	clock_now = (struct clock_facts){ .source = TICK_COUNTER,
		.hz = 2.7e9,
		.hz_error_ppm = .02,
		.residual = -1.5 };
	noise = (struct noise_facts){ "cpu.loop", .004, .001, false };
	gaps = (struct gap_facts){ .watched_s = 1,
		.lost = .001,
		.longest_ns = 2e4 };
	input = (struct doctor_input){ .experiments = calm_experiments,
		.machine = &machine,
		.clock = &clock_now,
		.gaps = &gaps,
		.capture_helper = "/usr/libexec/benchtop-capture",
		.folder = "/home/me/state",
		.noise = &noise,
		.noise_count = 1,
		.cpu = 1 };
	return 0;
}

int calm_close(void **state)
{
	doctor_free(&doctor);
	return fake_close(state);
}

void examine(void)
{
	doctor_free(&doctor);
	doctor_examine_at(fake_root, &input, &doctor);
	for (size_t i = 0; i < doctor.count; i++) {
		const struct doctor_row *row = &doctor.rows[i];

		assert_printable(row->found, sizeof row->found);
		assert_printable(row->touches, sizeof row->touches);
		assert_printable(row->effect, sizeof row->effect);
		assert_printable(row->fix, sizeof row->fix);
		assert_true(row->check[0] && row->found[0] && row->touches[0]);
		/* A check that is not ok has a consequence; one that is ok has
		 * none. */
		assert_int_equal(row->verdict != DOCTOR_OK,
			row->effect[0] != '\0');
		if (row->verdict == DOCTOR_OK)
			assert_string_equal(row->fix, "");
	}
}

const struct doctor_row *row_named(const char *check)
{
	for (size_t i = 0; i < doctor.count; i++)
		if (!strcmp(doctor.rows[i].check, check))
			return &doctor.rows[i];
	fail_msg("there is no check '%s'", check);
	return &doctor.rows[0];
}

static const struct doctor_row *examined(const char *check)
{
	examine();
	return row_named(check);
}

void assert_row(const char *check, enum doctor_verdict verdict,
	const char *found)
{
	const struct doctor_row *row = examined(check);

	if (!strstr(row->found, found))
		fail_msg("%s: '%s' is not in '%s'", check, found, row->found);
	assert_string_equal(doctor_verdict_word(row->verdict),
		doctor_verdict_word(verdict));
}
