/* Facts about the machine: names, processor, memory, build; the rest is in
 * other files. */
#include "machine.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "machine_internal.h"
#include "peek.h"

const char *machine_given_name(void)
{
	const char *name = getenv("BENCHTOP_HOST");

	return name && *name ? name : NULL;
}

/* In a container uname(2) has the name of the container, not of the machine. */
static void read_names(struct machine *machine)
{
	const char *given = machine_given_name();
	struct utsname name;

	if (uname(&name))
		return;
	safe_copy(machine->hostname, sizeof machine->hostname,
		given ? given : name.nodename);
	safe_copy(machine->kernel, sizeof machine->kernel, name.release);
	safe_copy(machine->kernel_version, sizeof machine->kernel_version,
		name.version);
	safe_copy(machine->architecture, sizeof machine->architecture,
		name.machine);
}

/* os-release(5): PRETTY_NAME="Debian GNU/Linux 12 (bookworm)". */
static void read_system(const char *root, struct machine *machine)
{
	char release[4096], name[sizeof machine->system];

	if (!peek_bytes(root, release, sizeof release, "/etc/os-release"))
		peek_bytes(root, release, sizeof release,
			"/usr/lib/os-release");
	const char *at = strstr(release, "PRETTY_NAME=");
	if (!at || (at > release && at[-1] != '\n'))
		return;
	at += strlen("PRETTY_NAME=");
	at += *at == '"' || *at == '\'';
	snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\"'\n"), at);
	safe_copy(machine->system, sizeof machine->system, name);
}

/* Adds a name from the firmware, after a gap. Unnamed boards have placeholder
 * texts. */
static bool add_dmi(const char *root, const char *name, const char *gap,
	struct text *text)
{
	static const char *const nothing[] = { "To Be Filled By O.E.M.",
		"System manufacturer", "System Product Name", "Default string",
		"Not Specified" };
	char line[64];

	if (!peek_line(root, line, sizeof line, "/sys/class/dmi/id/%s", name))
		return false;
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
		if (!strcasecmp(line, nothing[i]))
			return true;
	text_add(text, "%s%s", text->length ? gap : "", line);
	return true;
}

/* Maker and product; those of the firmware. */
static void read_device(const char *root, struct machine *machine)
{
	struct text text = { 0 };
	char model[64];

	add_dmi(root, "sys_vendor", "", &text);
	if (!add_dmi(root, "product_name", " ", &text) &&
		peek_line(root, model, sizeof model, "/proc/device-tree/model"))
		text_add(&text, "%s%s", text.length ? " " : "", model);
	safe_copy(machine->device, sizeof machine->device, text_chars(&text));
	text_clear(&text);
	add_dmi(root, "bios_vendor", "", &text);
	add_dmi(root, "bios_version", " ", &text);
	add_dmi(root, "bios_date", ", ", &text);
	safe_copy(machine->firmware, sizeof machine->firmware,
		text_chars(&text));
	text_free(&text);
}

static unsigned field_unsigned(const char *text, const char *key)
{
	double value;

	if (!field_number(text, key, ':', &value) || value < 0 || value > 1e9)
		return 0;
	return (unsigned)value;
}

/* arm64 identifies its processors by numbers (Arm, "Main ID Register"). */
static void read_arm_names(const char *cpuinfo, struct machine *machine)
{
	static const struct {
		const char *code, *name;
	} vendors[] = {
		{ "0x41", "Arm" },
		{ "0x42", "Broadcom" },
		{ "0x43", "Cavium" },
		{ "0x46", "Fujitsu" },
		{ "0x48", "HiSilicon" },
		{ "0x4e", "NVIDIA" },
		{ "0x51", "Qualcomm" },
		{ "0x61", "Apple" },
		{ "0x6d", "Microsoft" },
		{ "0xc0", "Ampere" },
	};
	char vendor[16], part[16];

	field_find(cpuinfo, "CPU implementer", ':', vendor, sizeof vendor);
	field_find(cpuinfo, "CPU part", ':', part, sizeof part);
	if (!vendor[0])
		return;
	safe_copy(machine->vendor, sizeof machine->vendor, vendor);
	for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
		if (!strcmp(vendors[i].code, vendor))
			safe_copy(machine->vendor, sizeof machine->vendor,
				vendors[i].name);
	if (!machine->cpu[0])
		snprintf(machine->cpu, sizeof machine->cpu, "%s part %s",
			machine->vendor, part);
}

static void read_processor(const char *root, const char *cpuinfo,
	struct machine *machine)
{
	field_find(cpuinfo, "model name", ':', machine->cpu,
		sizeof machine->cpu);
	field_find(cpuinfo, "vendor_id", ':', machine->vendor,
		sizeof machine->vendor);
	if (!machine->vendor[0])
		read_arm_names(cpuinfo, machine);
	machine->family = field_unsigned(cpuinfo, "cpu family");
	machine->model = field_unsigned(cpuinfo, "model");
	machine->stepping = field_unsigned(cpuinfo, "stepping");
	if (!field_find(cpuinfo, "microcode", ':', machine->microcode,
		    sizeof machine->microcode))
		peek_line(root, machine->microcode, sizeof machine->microcode,
			"/sys/devices/system/cpu/cpu0/microcode/version");
}

/* "Intel(R) Core(TM) i5-6200U CPU @ 2.30GHz" */
static double frequency_in(const char *model)
{
	const char *at = strrchr(model, '@');
	double gigahertz;

	if (!at || !number_read(at + 1, &gigahertz) || gigahertz <= 0 ||
		gigahertz > 100 || !strstr(at, "GHz"))
		return 0;
	return gigahertz * 1e9;
}

static void read_frequencies(const char *root, size_t cpu,
	struct machine *machine)
{
	static const char folder[] = "/sys/devices/system/cpu/cpu";
	struct {
		const char *file;
		double *hz;
	} files[] = {
		{ "base_frequency", &machine->base_hz },
		{ "cpuinfo_min_freq", &machine->least_hz },
		{ "cpuinfo_max_freq", &machine->most_hz },
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		double kilohertz = 0;

		peek_number(root, &kilohertz, "%s%zu/cpufreq/%s", folder, cpu,
			files[i].file);
		if (kilohertz > 0 && kilohertz < 1e9)
			*files[i].hz = kilohertz * 1e3;
	}
	if (machine->base_hz <= 0)
		machine->base_hz = frequency_in(machine->cpu);
}

static unsigned allowed_processors(void)
{
	for (int most = 1024; most <= 1 << 20; most *= 4) {
		cpu_set_t *set = CPU_ALLOC(most);
		size_t size = CPU_ALLOC_SIZE(most);

		if (!set)
			return 0;
		int failed = sched_getaffinity(0, size, set);
		int count = failed ? 0 : CPU_COUNT_S(size, set);
		CPU_FREE(set);
		if (!failed || errno != EINVAL)
			return (unsigned)count;
	}
	return 0;
}

static void read_online(const char *root, struct machine *machine)
{
	char list[512];
	struct processors online;

	peek_line(root, list, sizeof list, "/sys/devices/system/cpu/online");
	machine->cpus = (unsigned)processors_read(list, &online);
	if (!machine->cpus) {
		long count = sysconf(_SC_NPROCESSORS_ONLN);
		machine->cpus = count > 0 ? (unsigned)count : 0;
		online.has[0] = true;
	}
	machine->allowed = allowed_processors();
	size_t first = 0;
	while (!online.has[first])
		first++;
	peek_line(root, machine->governor, sizeof machine->governor,
		"/sys/devices/system/cpu/cpu%zu/cpufreq/scaling_governor",
		first);
	read_frequencies(root, first, machine);
}

static void read_memory(const char *root, struct machine *machine)
{
	char meminfo[4096];
	double kibibytes;
	long page = sysconf(_SC_PAGESIZE);

	machine->page_bytes = page > 0 ? (double)page : 0;
	peek_bytes(root, meminfo, sizeof meminfo, "/proc/meminfo");
	if (field_number(meminfo, "MemTotal", ':', &kibibytes) && kibibytes > 0)
		machine->memory_bytes = kibibytes * 1024;
	smbios_memory_look(root, &machine->memory);
}

static void read_build(struct machine *machine)
{
	bool sanitized = BENCHTOP_SANITIZE[0];

#ifdef __clang__
	safe_copy(machine->compiler, sizeof machine->compiler,
		"clang " __clang_version__);
#else
	safe_copy(machine->compiler, sizeof machine->compiler,
		"gcc " __VERSION__);
#endif
	safe_copy(machine->flags, sizeof machine->flags, BENCHTOP_TIMED_FLAGS);
#ifdef __GLIBC__
	snprintf(machine->libc, sizeof machine->libc, "glibc %s",
		gnu_get_libc_version());
#else
	/* musl does not report that it is musl. */
	safe_copy(machine->libc, sizeof machine->libc, "not glibc");
#endif
	snprintf(machine->build, sizeof machine->build, "%s%s%s",
		BENCHTOP_BUILD, sanitized ? " " : "", BENCHTOP_SANITIZE);
	machine_read_build_id(machine);
}

void machine_read_at(const char *root, struct machine *machine)
{
	char cpuinfo[CPUINFO_BYTES], flags[CPUINFO_BYTES];

	*machine = (struct machine){ 0 };
	peek_bytes(root, cpuinfo, sizeof cpuinfo, "/proc/cpuinfo");
	/* Only the first processor is used. */
	char *second = strstr(cpuinfo, "\n\n");
	if (second)
		*second = '\0';
	field_find(cpuinfo, "flags", ':', flags, sizeof flags);
	read_names(machine);
	read_processor(root, cpuinfo, machine);
	read_online(root, machine);
	read_memory(root, machine);
	read_build(machine);
	peek_line(root, machine->clocksource, sizeof machine->clocksource,
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	read_system(root, machine);
	read_device(root, machine);
	machine_read_kernel(root, flags, machine);
	machine_read_devices(root, machine);
	machine_read_hypervisor(root, flags, machine);
	machine_read_counter(root, cpuinfo, flags, machine);
	if (!root[0])
		machine_read_topology(machine);
}

void machine_read(struct machine *machine)
{
	machine_read_at("", machine);
}
