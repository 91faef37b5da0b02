/* The machine of the session, and the conditions that disturbed
 * measurements. */
#include <string.h>

#include "doctor.h"
#include "report_internal.h"

static void row(struct document *document, const char *what, const char *value)
{
	if (!*value)
		return;
	document_cell(document, what);
	document_cell(document, value);
}

static void quantity(struct document *document, const char *what,
	enum unit unit, double value)
{
	struct text text = { 0 };

	if (value > 0)
		row(document, what, unit_show(&text, unit, value));
	text_free(&text);
}

/* "4 cores"; adds nothing if `many` is 0 (unknown). */
static void count(struct text *text, unsigned many, const char *one,
	const char *more)
{
	if (many)
		text_add(text, "%s%u %s", text->length ? ", " : "", many,
			many == 1 ? one : more);
}

static void processors(struct document *document, const struct machine *machine)
{
	struct text text = { 0 };

	row(document, "Processor", machine->cpu);
	if (machine->family)
		text_add(&text, "family %u, model %u, stepping %u",
			machine->family, machine->model, machine->stepping);
	if (*machine->microcode)
		text_add(&text, "%smicrocode %s", text.length ? ", " : "",
			machine->microcode);
	row(document, "Model", text_chars(&text));
	text_clear(&text);
	count(&text, machine->cpus, "processor", "processors");
	count(&text, machine->cores, "core", "cores");
	count(&text, machine->threads_per_core, "thread a core",
		"threads a core");
	count(&text, machine->packages, "package", "packages");
	count(&text, machine->nodes, "node", "nodes");
	row(document, "Topology", text_chars(&text));
	text_free(&text);
}

static void caches(struct document *document, const struct machine *machine)
{
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct machine_cache *cache = &machine->caches[i];
		struct text text = { 0 };

		if (cache->count)
			text_add(&text, "%u x ", cache->count);
		unit_show(&text, UNIT_BYTES, cache->size_bytes);
		if (cache->ways)
			text_add(&text, ", %u ways", cache->ways);
		if (cache->line_bytes)
			text_add(&text, ", lines of %u B", cache->line_bytes);
		if (cache->shared_by > 1)
			text_add(&text, ", shared by %u", cache->shared_by);
		row(document, cache->name, text.chars);
		text_free(&text);
	}
}

/* Writes a row with the text `said`, and clears `said`. */
static void said_row(struct document *document, const char *what,
	struct text *said)
{
	row(document, what, text_chars(said));
	text_clear(said);
}

static void devices(struct document *document, const struct machine *machine)
{
	struct text said = { 0 };

	machine_say_memory(machine, &said);
	said_row(document, "Memory modules", &said);
	row(document, "Buses", machine->buses);
	for (size_t i = 0; i < machine->disk_count; i++) {
		machine_say_disk(&machine->disks[i], &said);
		said_row(document, "Disk", &said);
	}
	for (size_t i = 0; i < machine->network_count; i++) {
		machine_say_network(&machine->networks[i], &said);
		said_row(document, "Network", &said);
	}
	text_free(&said);
}

/* The remote machines of network runs; consecutive equal ones share a row. */
static void far_ends(struct document *document, const struct session *session)
{
	const char *last = "";

	for (size_t r = 0; r < session->run_count; r++)
		for (size_t p = 0; p < session->runs[r]->point_count; p++) {
			const char *far =
				point_note(&session->runs[r]->points[p],
					"far-end");

			if (!far || !strcmp(far, last))
				continue;
			row(document, "Remote end", far);
			last = far;
		}
}

static void system_rows(struct document *document,
	const struct machine *machine)
{
	struct text text = { 0 };

	row(document, "Operating system", machine->system);
	if (*machine->kernel)
		text_add(&text, "Linux %s", machine->kernel);
	if (*machine->kernel_version)
		text_add(&text, " %s", machine->kernel_version);
	row(document, "Kernel", text_chars(&text));
	row(document, "Kernel command line", machine->command_line);
	row(document, "Hypervisor", machine->hypervisor);
	text_clear(&text);
	if (*machine->clocksource)
		text_add(&text, "%s, counter %s", machine->clocksource,
			machine->invariant_counter ? "invariant" :
						     "not invariant");
	row(document, "Clock", text_chars(&text));
	row(document, "Governor", machine->governor);
	row(document, "Mitigations", machine->mitigations);
	text_clear(&text);
	text_add(&text, "%s%s%s", machine->compiler,
		*machine->compiler && *machine->libc ? ", " : "",
		machine->libc);
	row(document, "Compiler", text_chars(&text));
	row(document, "Flags of timed code", machine->flags);
	text_free(&text);
}

/* Clock rates measured by the last run that has them. */
static void rates(struct document *document, const struct session *session)
{
	for (size_t r = session->run_count; r-- > 0;) {
		const struct clock_facts *clock = &session->runs[r]->clock;
		struct text text = { 0 };

		if (!(clock->hz > 0))
			continue;
		quantity(document, "Counter", UNIT_HZ, clock->hz);
		double core_hz = results_usual_hz(session->runs[r]);
		if (core_hz > 0) {
			unit_show(&text, UNIT_HZ, core_hz);
			text_add(&text, ", a cycle of ");
			unit_show(&text, UNIT_NS, 1e9 / core_hz);
			row(document, "Core", text.chars);
		}
		text_free(&text);
		return;
	}
}

static bool is_ok(const struct session_check *check)
{
	return !strcmp(check->verdict, doctor_verdict_word(DOCTOR_OK));
}

/* The checks without a finding, in one sentence. */
static void quiet_checks(struct document *document,
	const struct session *session)
{
	struct text text = { 0 };

	for (size_t i = 0; i < session->check_count; i++)
		if (is_ok(&session->checks[i]))
			text_add(&text, "%s%s", text.length ? ", " : "",
				session->checks[i].check);
	if (text.length)
		document_said(document, "Passed", text.chars);
	text_free(&text);
}

static void checks(struct document *document, const struct session *session)
{
	static const struct column_head heads[] = {
		{ "check", false, false },
		{ "verdict", false, false },
		{ "found", false, true },
	};
	size_t spoken = 0;

	document_heading(document, 3, NULL, "Doctor");
	for (size_t i = 0; i < session->check_count; i++)
		spoken += !is_ok(&session->checks[i]);
	if (!session->check_count)
		document_paragraph(document,
			"The doctor did not run in this session.");
	if (spoken) {
		document_table_begin(document, "Conditions that may distort "
			"the figures.", heads,
			3);
		for (size_t i = 0; i < session->check_count; i++) {
			const struct session_check *check = &session->checks[i];

			if (is_ok(check))
				continue;
			document_cell(document, check->check);
			document_cell(document, check->verdict);
			document_cell(document, check->found);
		}
		document_table_end(document);
	}
	quiet_checks(document, session);
}

void report_machine(struct document *document, const struct session *session)
{
	static const struct column_head heads[] = {
		{ "property", false, false },
		{ "value", false, true },
	};
	const struct machine *machine = &session->machine;
	struct text said = { 0 };

	document_heading(document, 2, "machine", "The machine");
	document_table_begin(document, "The measured machine.", heads, 2);
	row(document, "Host", machine->hostname);
	row(document, "Device", machine->device);
	row(document, "Firmware", machine->firmware);
	processors(document, machine);
	machine_say_cycle(machine, &said);
	said_row(document, "Cycle", &said);
	text_free(&said);
	rates(document, session);
	caches(document, machine);
	quantity(document, "Memory", UNIT_BYTES, machine->memory_bytes);
	quantity(document, "Memory peak", UNIT_BYTES_PER_S,
		machine->memory.peak_bytes_per_s);
	quantity(document, "Page", UNIT_BYTES, machine->page_bytes);
	devices(document, machine);
	far_ends(document, session);
	system_rows(document, machine);
	document_table_end(document);
	checks(document, session);
}
