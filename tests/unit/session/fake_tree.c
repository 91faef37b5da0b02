/* A machine made of files. */
#include "fake_tree.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Every file and folder that is read below a root. */
static const char *const fake_paths[] = {
	"/proc/cpuinfo",
	"/proc/meminfo",
	"/proc/cmdline",
	"/proc/self/maps",
	"/proc/sys/kernel/sched_schedstats",
	"/proc/sys/vm/swappiness",
	"/proc/sys/vm/compaction_proactiveness",
	"/sys/kernel/tracing/current_tracer",
	"/sys/kernel/tracing/set_event",
	"/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled",
	"/proc/loadavg",
	"/proc/pressure/cpu",
	"/proc/stat",
	"/proc/self/cgroup",
	"/proc/self/status",
	"/proc/sys/kernel/sched_rt_runtime_us",
	"/proc/sys/kernel/sched_rt_period_us",
	"/proc/sys/kernel/randomize_va_space",
	"/proc/sys/kernel/perf_event_paranoid",
	"/proc/17/stat",
	"/proc/device-tree/hypervisor/compatible",
	"/proc/device-tree/model",
	"/etc/os-release",
	"/usr/lib/os-release",
	"/sys/block/sda/size",
	"/sys/block/sda/device/model",
	"/sys/block/sda/queue/scheduler",
	"/sys/block/sda/queue/rotational",
	"/sys/block/sda/queue/read_ahead_kb",
	"/sys/class/net/eth0/speed",
	"/sys/class/net/eth0/mtu",
	"/sys/class/net/eth0/operstate",
	"/sys/class/net/eth0/device/vendor",
	"/sys/class/net/eth0/device/device",
	"/sys/hypervisor/type",
	"/sys/class/dmi/id/bios_date",
	"/sys/class/dmi/id/bios_vendor",
	"/sys/class/dmi/id/bios_version",
	"/sys/class/dmi/id/product_name",
	"/sys/class/dmi/id/sys_vendor",
	"/sys/class/power_supply/BAT0/type",
	"/sys/class/power_supply/BAT0/scope",
	"/sys/class/power_supply/BAT0/status",
	"/sys/class/thermal/thermal_zone0/type",
	"/sys/class/thermal/thermal_zone0/temp",
	"/sys/bus/event_source/devices/cpu/type",
	"/sys/devices/system/clocksource/clocksource0/current_clocksource",
	"/sys/devices/system/clocksource/clocksource0/available_clocksource",
	"/sys/devices/system/cpu/online",
	"/sys/devices/system/cpu/intel_pstate/no_turbo",
	"/sys/devices/system/cpu/cpufreq/boost",
	"/sys/devices/system/cpu/vulnerabilities/meltdown",
	"/sys/devices/system/cpu/vulnerabilities/spectre_v2",
	"/sys/devices/system/cpu/cpu0/microcode/version",
	"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	"/sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference",
	"/sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
	"/sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
	"/sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count",
	"/sys/devices/system/cpu/isolated",
	"/sys/devices/system/cpu/nohz_full",
	"/sys/devices/system/cpu/cpu0/cpu_capacity",
	"/sys/devices/system/cpu/cpu0/cpuidle/state1/latency",
	"/sys/devices/system/cpu/cpu0/cpuidle/state1/name",
	"/sys/devices/system/cpu/cpuidle/current_driver",
	"/sys/devices/cpu_core/cpus",
	"/sys/devices/cpu_atom/cpus",
	"/sys/kernel/mm/transparent_hugepage/enabled",
	"/sys/kernel/mm/transparent_hugepage/defrag",
	"/sys/kernel/mm/ksm/run",
	"/sys/kernel/mm/damon/admin/kdamonds/0/state",
	"/sys/kernel/debug/sched/preempt",
	"/sys/kernel/debug/sched/fair_server/cpu0/runtime",
	"/sys/module/page_reporting/parameters/page_reporting_order",
	"/proc/interrupts",
	"/proc/self/mountinfo",
	"/proc/self/timerslack_ns",
	"/proc/sys/kernel/numa_balancing",
	"/proc/sys/kernel/nmi_watchdog",
	"/proc/sys/kernel/unprivileged_userns_clone",
	"/proc/sys/user/max_user_namespaces",
	"/proc/sys/net/ipv4/tcp_congestion_control",
	"/proc/sys/net/ipv4/tcp_available_congestion_control",
	"/proc/sys/net/ipv4/tcp_no_metrics_save",
	"/proc/sys/net/ipv4/ip_local_port_range",
	"/proc/sys/net/ipv4/tcp_tw_reuse",
	"/sys/class/net/lo/mtu",
	"/sys/fs/cgroup/memory.max",
	"/sys/fs/cgroup/memory/memory.limit_in_bytes",
	"/sys/fs/cgroup/cpu.max",
	"/sys/fs/cgroup/cpu.stat",
	"/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
	"/sys/fs/cgroup/cpu/cpu.cfs_period_us",
};

enum { FAKE_PATHS = sizeof fake_paths / sizeof fake_paths[0] };

void fake_everywhere(const char *bytes, size_t length)
{
	for (size_t i = 0; i < FAKE_PATHS; i++)
		fake_bytes(fake_paths[i], bytes, length);
}

void fake_folders_everywhere(void)
{
	for (size_t i = 0; i < FAKE_PATHS; i++) {
		char *full = fake_place(fake_paths[i]);

		assert_int_equal(mkdir(full, 0700), 0);
		free(full);
	}
}

void fake_pipes_everywhere(void)
{
	for (size_t i = 0; i < FAKE_PATHS; i++) {
		char *full = fake_place(fake_paths[i]);

		assert_int_equal(mkfifo(full, 0600), 0);
		free(full);
	}
}

void assert_printable(const char *text, size_t size_bytes)
{
	size_t length = strnlen(text, size_bytes);

	assert_true(length < size_bytes);
	assert_int_equal(utf8_valid(text, length), length);
	for (size_t i = 0; i < length; i++)
		assert_true((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
}

char *fake_garbage(size_t length)
{
	char *bytes = malloc(length);

	assert_non_null(bytes);
	for (size_t i = 0; i < length; i++)
		bytes[i] = (char)(255 - i * 7 % 256);
	return bytes;
}
