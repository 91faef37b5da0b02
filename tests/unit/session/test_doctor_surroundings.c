/* The doctor's verdicts on interruptions, memory, disk and network: simulated
 * machines with one changed property at a time. */
#include "calm_machine.h"

#define THP "/sys/kernel/mm/transparent_hugepage"

static void assert_fix(const char *check, const char *part)
{
	const struct doctor_row *row = row_named(check);

	if (!strstr(row->fix, part))
		fail_msg("%s: '%s' is not in '%s'", check, part, row->fix);
}

static void isolation_is_told(void **state)
{
	assert_row("isolation", DOCTOR_OK, "cpu 1 is isolated");
	fake_file("/sys/devices/system/cpu/nohz_full", "\n");
	assert_row("isolation", DOCTOR_NOTE, "isolated, but has a tick");
	fake_file("/sys/devices/system/cpu/isolated", "0\n");
	assert_row("isolation", DOCTOR_NOTE, "not isolated");
	assert_fix("isolation",
		"isolcpus=managed_irq,domain,1 nohz_full=1 rcu_nocbs=1");
	/* The boot parameters of a guest do not apply to its host. */
	snprintf(machine.hypervisor, sizeof machine.hypervisor, "KVM");
	assert_row("isolation", DOCTOR_NOTE, "not isolated");
	assert_string_equal(row_named("isolation")->fix, "");
	assert_non_null(
		strstr(row_named("isolation")->effect, "only the host"));
	machine.hypervisor[0] = '\0';
	/* No processor is left for other work. */
	machine.cpus = 1;
	assert_row("isolation", DOCTOR_NOTE, "not isolated");
	assert_string_equal(row_named("isolation")->fix, "");
}

static void the_tick_is_judged_by_its_share(void **state)
{
	assert_row("tick", DOCTOR_OK, "no tick while one task");
	fake_file("/sys/devices/system/cpu/nohz_full", "0\n");
	assert_row("tick", DOCTOR_OK, "unknown");
	clock_now.timer_hz = 250;
	assert_row("tick", DOCTOR_OK, "250 a second");
	snprintf(machine.hypervisor, sizeof machine.hypervisor, "KVM");
	assert_row("tick", DOCTOR_NOTE, "0.65 % of the time");
	clock_now.timer_hz = 100;
	assert_row("tick", DOCTOR_OK, "100 a second");
}

static void interrupts_are_those_of_this_processor(void **state)
{
	assert_row("interrupts", DOCTOR_OK, "cpu 1");
	input.cpu = 0;
	assert_row("interrupts", DOCTOR_NOTE, "1 device interrupted cpu 0");
	assert_non_null(strstr(row_named("interrupts")->found, "eth0"));
	assert_fix("interrupts",
		"for i in 24; do echo 1 | sudo tee "
		"/proc/irq/$i/smp_affinity_list; done");
	input.cpu = 1;
	fake_file("/run/irqbalance.pid", "7\n");
	assert_row("interrupts", DOCTOR_NOTE, "irqbalance moves them");
	assert_fix("interrupts", "sudo systemctl stop irqbalance");
	/* Processors with gaps in their numbers, and very many interrupts. */
	fake_file("/proc/interrupts",
		"       CPU4  CPU1\n"
		" 1:  5  0 edge a\n 2:  0  5 edge b\n 3:  1  1 edge c\n"
		" 4:  5  9 edge d\n 5:  0  5 edge e\nNMI: 7 7 Non-maskable\n");
	assert_row("interrupts", DOCTOR_NOTE, "4 devices interrupted cpu 1");
	assert_fix("interrupts", "for i in 2 3 4 5; do echo 0 |");
	/* A list longer than a line is cut between numbers, not within one. */
	struct text many = { 0 };
	text_add(&many, "  CPU1\n 1: 5 edge a\n");
	for (int i = 101; i < 140; i++)
		text_add(&many, " %d: 5 edge b\n", i);
	fake_file("/proc/interrupts", many.chars);
	text_free(&many);
	assert_row("interrupts", DOCTOR_NOTE, "40 devices interrupted cpu 1");
	assert_fix("interrupts", " 122 123; do echo 0 |");
}

static void deep_sleep_is_a_note(void **state)
{
	assert_row("idle-states", DOCTOR_OK, "none");
	fake_file(CPU1 "/cpuidle/state0/latency", "0\n");
	fake_file(CPU1 "/cpuidle/state0/name", "POLL\n");
	fake_file(CPU1 "/cpuidle/state1/latency", "2\n");
	fake_file(CPU1 "/cpuidle/state1/name", "C1\n");
	assert_row("idle-states", DOCTOR_OK, "C1 is the deepest, 2 us");
	fake_file(CPU1 "/cpuidle/state2/latency", "170\n");
	fake_file(CPU1 "/cpuidle/state2/name", "C6\n");
	assert_row("idle-states", DOCTOR_NOTE, "C6 is the deepest, 170 us");
	assert_fix("idle-states", "/dev/cpu_dma_latency");
	fake_file(CPU1 "/cpuidle/state2/disable", "1\n");
	assert_row("idle-states", DOCTOR_OK, "C1 is the deepest");
}

static void kinds_of_core_are_told_apart(void **state)
{
	assert_row("core-types", DOCTOR_OK, "one");
	fake_file("/sys/devices/cpu_core/cpus", "0\n");
	fake_file("/sys/devices/cpu_atom/cpus", "1\n");
	assert_row("core-types", DOCTOR_NOTE, "slower cores, cpu 1");
	fake_file("/sys/devices/cpu_atom/cpus", "");
	fake_file(CPU0 "/cpu_capacity", "1024\n");
	fake_file(CPU1 "/cpu_capacity", "512\n");
	assert_row("core-types", DOCTOR_NOTE, "50 % of the highest");
	input.cpu = 0;
	assert_row("core-types", DOCTOR_OK, "the highest capacity");
}

static void memory_is_judged(void **state)
{
	fake_file(THP "/enabled", "always [madvise] never\n");
	assert_row("huge-pages", DOCTOR_OK, "madvise");
	fake_file(THP "/enabled", "[always] madvise never\n");
	fake_file(THP "/defrag", "always defer [madvise] never\n");
	assert_row("huge-pages", DOCTOR_NOTE, "always, defrag madvise");
	fake_file("/sys/module/page_reporting/parameters/page_reporting_order",
		"9\n");
	assert_row("memory-work", DOCTOR_OK, "nothing found");
	snprintf(machine.hypervisor, sizeof machine.hypervisor, "KVM");
	assert_row("memory-work", DOCTOR_NOTE, "order 9 return to the host");
	fake_file("/sys/kernel/mm/ksm/run", "1\n");
	assert_row("memory-work", DOCTOR_BAD, "ksm");
	assert_fix("memory-work", "echo 0 | sudo tee /sys/kernel/mm/ksm/run");
	fake_file("/proc/sys/kernel/numa_balancing", "1\n");
	assert_row("numa", DOCTOR_OK, "one node");
	machine.nodes = 2;
	assert_row("numa", DOCTOR_NOTE, "2 nodes, balancing on");
	fake_file("/proc/sys/kernel/numa_balancing", "0\n");
	assert_row("numa", DOCTOR_OK, "balancing off");
}

static void the_disk_is_that_of_the_folder(void **state)
{
	assert_row("disk", DOCTOR_OK, "ext4 in /home/me/state");
	machine.disk_count = 1;
	machine.disks[0] =
		(struct machine_disk){ .name = "sda", .ahead_bytes = 131072 };
	fake_link("/sys/dev/block/8:1", "../../devices/x/block/sda/sda1");
	assert_row("disk", DOCTOR_OK, "state: sda, ");
	machine.disks[0].ahead_bytes = 8 << 20;
	assert_row("disk", DOCTOR_NOTE, "reads ahead 8.000 MiB");
	assert_fix("disk", "sudo blockdev --setra 256 /dev/sda");
	input.folder = "/tmp/x";
	assert_row("disk", DOCTOR_BAD, "tmpfs in /tmp/x");
	input.folder = "/tmpx";
	assert_row("disk", DOCTOR_NOTE, "ext4 in /tmpx");
	fake_file("/proc/self/mountinfo",
		"1 0 0:30 / / rw master:1 - overlay overlay rw\n"
		"2 1 0:40 / /n rw - nfs4 host:/x rw\nnot a line\n");
	assert_row("disk", DOCTOR_NOTE, "overlay");
	input.folder = "/n";
	assert_row("disk", DOCTOR_NOTE, "nfs4");
	input.folder = NULL;
	assert_row("disk", DOCTOR_OK, "no folder");
}

static void tcp_is_judged(void **state)
{
	fake_file(TCP "/tcp_available_congestion_control", "reno cubic\n");
	assert_row("congestion", DOCTOR_NOTE, "available: reno cubic");
	assert_fix("congestion", "sudo modprobe tcp_bbr");
	fake_file(TCP "/tcp_no_metrics_save", "0\n");
	assert_row("tcp-metrics", DOCTOR_NOTE, "keeps");
	assert_fix("tcp-metrics", "tcp_no_metrics_save=1");
	assert_row("ports", DOCTOR_OK, "28232");
	fake_file(TCP "/ip_local_port_range", "60000\t60999\n");
	assert_row("ports", DOCTOR_NOTE, "1000 for outgoing");
	fake_file(TCP "/ip_local_port_range", "60999\t60000\n");
	assert_row("ports", DOCTOR_OK, "unknown");
	machine.networks[0].up = false;
	assert_row("network", DOCTOR_NOTE, "lo: MTU 65536; eth0");
}

static void what_closes_the_link_is_told(void **state)
{
	static const char clone[] =
		"/proc/sys/kernel/unprivileged_userns_clone";

	assert_row("link", DOCTOR_OK, "permitted");
	fake_file(clone, "0\n");
	/* A process with all capabilities needs no user namespace. */
	assert_row("link", DOCTOR_OK, "permitted");
	fake_file("/proc/self/status", "CapEff:\t0000000000000000\n");
	assert_row("link", DOCTOR_NOTE, "unprivileged_userns_clone");
	assert_fix("link", "sudo sysctl kernel.unprivileged_userns_clone=1");
	fake_file(clone, "1\n");
	assert_row("link", DOCTOR_OK, "permitted");
	char *device = fake_place("/dev/net/tun");
	assert_int_equal(remove(device), 0);
	free(device);
	assert_row("link", DOCTOR_NOTE, "does not exist");
	assert_fix("link", "modprobe tun");
}

static void a_memory_limit_is_the_tightest(void **state)
{
	machine.memory_bytes = 8e9;
	assert_row("memory-limit", DOCTOR_OK, "none");
	fake_file("/sys/fs/cgroup/user.slice/me/memory.max", "max\n");
	assert_row("memory-limit", DOCTOR_OK, "none");
	fake_file("/sys/fs/cgroup/user.slice/memory.max", "536870912\n");
	assert_row("memory-limit", DOCTOR_NOTE, "512 MiB");
	fake_file("/proc/self/cgroup", "4:memory:/old\n");
	assert_row("memory-limit", DOCTOR_OK, "none");
	fake_file("/sys/fs/cgroup/memory/old/memory.limit_in_bytes",
		"9223372036854771712\n");
	assert_row("memory-limit", DOCTOR_OK, "none");
	fake_file("/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"1073741824\n");
	assert_row("memory-limit", DOCTOR_NOTE, "1024 MiB");
}

static void noise_is_the_worst_of_what_was_measured(void **state)
{
	static const struct noise_facts two[] = {
		{ "cpu.loop", .002, 0, false },
		{ "cpu.syscall", .03, .01, false },
	};

	assert_row("noise", DOCTOR_OK, "cpu.loop resolves changes from 0.4 %");
	input.noise = two;
	input.noise_count = 2;
	assert_row("noise", DOCTOR_NOTE,
		"from 0.2 %, cpu.syscall resolves changes from 3 %");
	noise.visible = .2;
	input.noise = &noise;
	input.noise_count = 1;
	assert_row("noise", DOCTOR_BAD, "from 20 %");
	noise.visible = NAN;
	assert_row("noise", DOCTOR_BAD, "too few clean launches");
	noise = (struct noise_facts){ "cpu.loop", .01, -.04, true };
	assert_row("noise", DOCTOR_BAD, "differs from itself by 4 %");
	input.noise_count = 0;
	assert_row("noise", DOCTOR_NOTE, "not measured");
}

static void silent_machines_are_a_note(void **state)
{
	static const struct host_facts two[] = {
		{ "far", true, 3e5, "" },
		{ "farther:99", false, 0, "Connection refused" },
	};

	assert_row("remote", DOCTOR_OK, "no other host");
	input.hosts = two;
	input.host_count = 1;
	assert_row("remote", DOCTOR_OK, "far answers in 0.3 ms");
	input.host_count = 2;
	assert_row("remote", DOCTOR_NOTE,
		"farther:99 does not answer: Connection refused");
	assert_fix("remote", "benchtop serve");
}

static void what_was_set_is_only_recorded(void **state)
{
	assert_row("preemption", DOCTOR_OK, "dynamic");
	fake_file("/sys/kernel/debug/sched/preempt", "none (full)\n");
	assert_row("preemption", DOCTOR_OK, "dynamic: none (full)");
	fake_file("/proc/self/timerslack_ns", "50000\n");
	assert_row("timer-slack", DOCTOR_OK, "50 us");
	fake_file("/proc/sys/kernel/nmi_watchdog", "1\n");
	assert_row("watchdog", DOCTOR_NOTE, "on");
	fake_file("/sys/kernel/debug/sched/fair_server/cpu1/runtime",
		"50000000\n");
	assert_row("real-time", DOCTOR_NOTE, "a fair server");
}

static void filters_of_system_calls_are_noted(void **state)
{
	assert_row("filters", DOCTOR_OK, "unknown");
	fake_file("/proc/self/status",
		"CapEff:\t000001ffffffffff\nSeccomp:\t0\n"
		"Seccomp_filters:\t0\n");
	assert_row("filters", DOCTOR_OK, "none");
	fake_file("/proc/self/status",
		"CapEff:\t000001ffffffffff\nSeccomp:\t2\n"
		"Seccomp_filters:\t3\n");
	assert_row("filters", DOCTOR_NOTE, "3 of system calls");
}

static void a_kernel_that_writes_down_is_bad(void **state)
{
	assert_row("tracing", DOCTOR_OK, "as far as this user can read");
	fake_file("/sys/kernel/tracing/current_tracer", "nop\n");
	fake_file("/sys/kernel/tracing/set_event", "");
	assert_row("tracing", DOCTOR_OK, "off");
	fake_file("/proc/sys/kernel/sched_schedstats", "1\n");
	assert_row("tracing", DOCTOR_NOTE, "schedstats");
	fake_file("/sys/kernel/tracing/set_event", "sched:sched_switch\n");
	assert_row("tracing", DOCTOR_BAD, "including sched:sched_switch");
	fake_file("/sys/kernel/tracing/current_tracer", "function\n");
	assert_row("tracing", DOCTOR_BAD, "tracer function");
}

static void a_card_that_waits_is_noted(void **state)
{
	assert_row("coalescing", DOCTOR_OK, "reports coalescing");
	machine.networks[0].coalescing_told = true;
	machine.networks[0].coalesces_us = 3;
	assert_row("coalescing", DOCTOR_OK, "eth0 waits 3 us");
	machine.networks[0].coalesces_us = 50;
	assert_row("coalescing", DOCTOR_NOTE, "eth0 waits 50 us");
	assert_non_null(strstr(row_named("coalescing")->fix, "-C eth0"));
	machine.networks[0].coalesces_us = 3;
	machine.networks[0].coalesces_adaptively = true;
	assert_row("coalescing", DOCTOR_NOTE, ", adaptive");
}

static void sizes_of_huge_pages_are_named(void **state)
{
	fake_file(THP "/enabled", "always [madvise] never\n");
	assert_row("huge-pages", DOCTOR_OK, "madvise");
	fake_file(THP "/hugepages-64kB/enabled",
		"[always] inherit madvise never\n");
	fake_file(THP "/hugepages-2048kB/enabled",
		"always [inherit] madvise never\n");
	assert_row("huge-pages", DOCTOR_NOTE, "always for 64K");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_a_calm_machine(isolation_is_told),
		on_a_calm_machine(the_tick_is_judged_by_its_share),
		on_a_calm_machine(interrupts_are_those_of_this_processor),
		on_a_calm_machine(deep_sleep_is_a_note),
		on_a_calm_machine(kinds_of_core_are_told_apart),
		on_a_calm_machine(memory_is_judged),
		on_a_calm_machine(the_disk_is_that_of_the_folder),
		on_a_calm_machine(tcp_is_judged),
		on_a_calm_machine(what_closes_the_link_is_told),
		on_a_calm_machine(a_memory_limit_is_the_tightest),
		on_a_calm_machine(noise_is_the_worst_of_what_was_measured),
		on_a_calm_machine(silent_machines_are_a_note),
		on_a_calm_machine(what_was_set_is_only_recorded),
		on_a_calm_machine(filters_of_system_calls_are_noted),
		on_a_calm_machine(a_kernel_that_writes_down_is_bad),
		on_a_calm_machine(a_card_that_waits_is_noted),
		on_a_calm_machine(sizes_of_huge_pages_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
