/* A constant machine. */
#include "machine_fixture.h"

#include <string.h>

static const struct doctor_row inspected_rows[] = {
	{ "clock", DOCTOR_OK, "the counter, 3.800 GHz, linear to 2 ticks",
		"all timing", "", "" },
	{ "frequency", DOCTOR_BAD, "powersave on cpu 0-7", "all timing",
		"times in ns move with the frequency: the first seconds of a "
		"run are slower than the rest",
		"sudo cpupower frequency-set -g performance" },
	{ "turbo", DOCTOR_NOTE, "on", "all timing in ns",
		"the clock moved 4.1 % during a spin of ten seconds",
		"echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost" },
	{ "smt", DOCTOR_OK, "cpu 3 shares its core with cpu 11, idle",
		"cpu.call cpu.loop mem.*", "", "" },
	{ "load", DOCTOR_OK, "load 0.12, nothing waited", "all timing", "",
		"" },
	{ "hypervisor", DOCTOR_OK, "nothing found",
		"cpu.syscall cpu.switch mem.* net.*", "", "" },
	{ "gaps", DOCTOR_NOTE, "0.4 % of the time lost, the longest 1.2 ms",
		"all timing", "trials that were interrupted are flagged", "" },
	{ "mitigations", DOCTOR_NOTE, "retbleed: untrained return thunk",
		"cpu.syscall cpu.switch mem.fault",
		"entering the kernel costs what they cost", "" },
	{ "aslr", DOCTOR_OK, "on, another layout in each launch",
		"cpu.call cpu.loop mem.*", "", "" },
	{ "clocksource", DOCTOR_OK, "tsc", "all timing", "", "" },
	{ "swap", DOCTOR_OK, "none used", "mem.* fs.*", "", "" },
	{ "counters", DOCTOR_NOTE, "perf_event_paranoid is 2", "cycles",
		"the kernel's part of a figure cannot be told apart",
		"sudo sysctl kernel.perf_event_paranoid=1" },
	{ "capture", DOCTOR_BAD, "the helper has no right to capture",
		"net.* with capture", "connections are timed without packets",
		"sudo setcap cap_net_raw+ep benchtop-capture" },
	{ "build", DOCTOR_OK, "Release", "all", "", "" },
};

static void inspected_machine(struct machine *machine)
{
	*machine = (struct machine){ .family = 25,
		.model = 97,
		.stepping = 2,
		.cpus = 16,
		.allowed = 16,
		.cores = 8,
		.packages = 1,
		.nodes = 1,
		.threads_per_core = 2,
		.memory_bytes = 31.2 * (1 << 30),
		.page_bytes = 4096,
		.invariant_counter = true,
		.kernel_tick_hz = 3.8e9 };
#define SET(FIELD, VALUE) \
	snprintf(machine->FIELD, sizeof machine->FIELD, "%s", VALUE)
	SET(hostname, "zen4");
	SET(cpu, "AMD Ryzen 7 7700");
	SET(kernel, "6.1.0-31-amd64");
	SET(kernel_version, "#1 SMP PREEMPT_DYNAMIC Debian 6.1.128-1");
	SET(system, "Debian GNU/Linux 12 (bookworm)");
	SET(microcode, "0xa60120a");
	SET(clocksource, "tsc");
	SET(governor, "powersave");
	SET(mitigations,
		"retbleed: untrained return thunk; spectre_v2: Enhanced "
		"automatic IBRS; spec_rstack_overflow: safe RET");
	SET(compiler, "gcc 12.2.0");
	SET(build, "Release");
	SET(flags, "-O2");
#undef SET
	snprintf(machine->memory.type, sizeof machine->memory.type, "DDR5");
	machine->memory.modules = machine->memory.channels = 2;
	machine->memory.speed_mts = 5200;
	machine->memory.width_bits = 64;
	machine->memory.peak_bytes_per_s = 83.2e9;
}

static void inspected_map(struct cpu_map *map)
{
	static const struct {
		const char *name;
		double bytes;
		int cores;
	} levels[] = { { "L1d", 32 << 10, 1 }, { "L2", 1 << 20, 1 },
		{ "L3", 32 << 20, 8 } };

	*map = (struct cpu_map){ .cores = 8, .threads = 2, .levels = 3 };
	for (int i = 0; i < 8; i++)
		map->core[i] = (struct cpu_map_core){ .cpu = { i, i + 8 },
			.threads = 2 };
	for (int k = 0; k < 3; k++) {
		struct cpu_map_level *level = &map->level[k];

		snprintf(level->name, sizeof level->name, "%s", levels[k].name);
		level->size_bytes = levels[k].bytes;
		for (int i = 0; i < 8; i++)
			level->share[i] = i / levels[k].cores;
	}
}

void inspected_now(struct screen *screen)
{
	static const double ghz[] = { 4.2, 3, 3, 5.31, 3, 3, 3.1, 3 };
	static const int percent[] = { 4, 1, 0, 0, 2, 0, 6, 1 };
	struct cpu_now *now = &inspection_of(screen)->now;

	cpu_now_forget(now);
	now->span_s = 35;
	for (int i = 0; i < 8; i++) {
		/* While a core's sibling sleeps, its reported frequency is an
		 * old one. */
		now->hz[i] = ghz[i] * 1e9;
		now->hz[i + 8] = 2.8e9;
		now->busy[i] = percent[i] / 100.;
		now->busy[i + 8] = i == 3 ? .24 : 0;
	}
}

void inspected_open(struct lab *lab, struct screen *screen)
{
	size_t count = sizeof inspected_rows / sizeof *inspected_rows;

	swept_open(lab, screen);
	inspected_machine(&lab->machine);
	lab->machine_known = true;
	lab->places.chosen = 3;
	inspected_map(&inspection_of(screen)->map);
	lab->doctor.rows = xcalloc(count, sizeof *lab->doctor.rows);
	memcpy(lab->doctor.rows, inspected_rows, sizeof inspected_rows);
	lab->doctor.count = count;
}
