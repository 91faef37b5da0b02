/* A machine as text and JSON. */
#include "machine_text.h"

#include "session.h"
#include "unit.h"
#include "wrap.h"

/* Adds a value that may be longer than a line, wrapped behind its name. */
static void add_long(struct text *text, const char *name, const char *value)
{
	text_add(text, "%-12s ", name);
	wrap(text, *value ? value : "unknown", 13, 80);
}

/* Adds a value from a text, and frees the text. */
static void add_said(struct text *text, const char *name, struct text *said)
{
	add_long(text, name, text_chars(said));
	text_free(said);
	*said = (struct text){ 0 };
}

static void add_caches(const struct machine *machine, struct text *text)
{
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct machine_cache *cache = &machine->caches[i];

		text_add(text, "%-12s %u x ", cache->name, cache->count);
		unit_show(text, UNIT_BYTES, cache->size_bytes);
		if (cache->ways)
			text_add(text, ", %u ways", cache->ways);
		if (cache->line_bytes)
			text_add(text, ", lines of %u B", cache->line_bytes);
		text_add(text, ", shared by %u\n", cache->shared_by);
	}
}

static void add_system(const struct machine *machine, struct text *text)
{
	struct text said = { 0 };

	add_long(text, "host", machine->hostname);
	add_long(text, "device", machine->device);
	add_long(text, "firmware", machine->firmware);
	add_long(text, "system", machine->system);
	text_add(&said, "Linux %s, %s", machine->kernel,
		machine->kernel_version);
	add_said(text, "kernel", &said);
	add_long(text, "command line", machine->command_line);
	add_long(text, "hypervisor",
		*machine->hypervisor ? machine->hypervisor : "none detected");
}

static void say_cores(const struct machine *machine, struct text *said)
{
	if (!machine->cores) {
		text_add(said, "cores and caches unknown: "
			       "/sys/devices/system is incomplete");
		return;
	}
	text_add(said, "%u core%s, %u a core, %u package%s, %u node%s",
		machine->cores, machine->cores == 1 ? "" : "s",
		machine->threads_per_core, machine->packages,
		machine->packages == 1 ? "" : "s", machine->nodes,
		machine->nodes == 1 ? "" : "s");
}

static void add_processor(const struct machine *machine, struct text *text)
{
	struct text said = { 0 };

	text_add(&said, "%s (family %u, model %u, stepping %u", machine->cpu,
		machine->family, machine->model, machine->stepping);
	if (*machine->microcode)
		text_add(&said, ", microcode %s", machine->microcode);
	text_add(&said, ")");
	add_said(text, "cpu", &said);
	text_add(&said, "%u online, %u for this process; ", machine->cpus,
		machine->allowed);
	say_cores(machine, &said);
	add_said(text, "processors", &said);
	if (*machine->siblings)
		add_long(text, "siblings", machine->siblings);
	else
		add_long(text, "siblings",
			*machine->hypervisor ? "unknown: `doctor` detects "
				"them" :
				machine->threads_per_core > 1 ?
					       "as listed by the kernel" :
					       "none");
	machine_say_cycle(machine, &said);
	if (!said.length)
		text_add(&said, "unknown: runs measure the core's frequency");
	add_said(text, "cycle", &said);
	add_long(text, "governor",
		*machine->governor ? machine->governor : "none");
	add_caches(machine, text);
}

static void add_memory(const struct machine *machine, struct text *text)
{
	struct text said = { 0 };

	unit_show(&said, UNIT_BYTES, machine->memory_bytes);
	text_add(&said, ", pages of ");
	unit_show(&said, UNIT_BYTES, machine->page_bytes);
	add_said(text, "memory", &said);
	machine_say_memory(machine, &said);
	if (!said.length)
		text_add(&said, "unknown: SMBIOS is missing or readable by "
			"root only");
	add_said(text, "modules", &said);
}

static void add_devices(const struct machine *machine, struct text *text)
{
	struct text said = { 0 };

	add_long(text, "buses", machine->buses);
	for (size_t i = 0; i < machine->disk_count; i++) {
		machine_say_disk(&machine->disks[i], &said);
		add_said(text, "disk", &said);
	}
	if (!machine->disk_count)
		add_long(text, "disk", "none detected");
	for (size_t i = 0; i < machine->network_count; i++) {
		machine_say_network(&machine->networks[i], &said);
		add_said(text, "network", &said);
	}
	if (!machine->network_count)
		add_long(text, "network", "none but loopback");
}

static void write_lines(const struct machine *machine, struct text *text)
{
	struct text said = { 0 };

	add_system(machine, text);
	add_processor(machine, text);
	text_add(&said, "%s, counter %s", machine->clocksource,
		machine->invariant_counter ? "invariant" : "not invariant");
	if (machine->kernel_tick_hz > 0) {
		text_add(&said, ", ");
		unit_show(&said, UNIT_HZ, machine->kernel_tick_hz);
	}
	add_said(text, "clock", &said);
	add_memory(machine, text);
	add_devices(machine, text);
	add_long(text, "mitigations",
		*machine->mitigations ? machine->mitigations : "none");
	text_add(&said, "%s, %s%s%s, timed code %s", machine->compiler,
		machine->libc, *machine->libc ? ", " : "", machine->build,
		machine->flags);
	add_said(text, "built by", &said);
}

void machine_text(const struct machine *machine, bool json, struct text *text)
{
	if (json)
		session_write_machine(machine, text);
	else
		write_lines(machine, text);
}
