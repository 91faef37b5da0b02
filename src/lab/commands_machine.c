/* The verbs about the machine: doctor, machine. */
#include <string.h>

#include "examine.h"
#include "json.h"
#include "lab.h"
#include "show.h"

static const char *const json_option[] = { "--json", NULL };
static const char *const fixes[] = { "fixes", NULL };

static int check_doctor(const struct call *call, struct error *error)
{
	if (!call->count || !strcmp(call->arg[0], "fixes"))
		return 0;
	error_set(error, STATUS_USAGE,
		"`doctor` takes the word 'fixes' or nothing, not %s",
		text_quoted(call->arg[0]).chars);
	return call_fault(call, 0, 0, error);
}

static enum outcome exec_doctor(const struct call *call, struct reply *reply)
{
	if (lab_busy(call->lab))
		return reply_fail(reply, STATUS_USAGE,
			"the doctor waits for the run to end: stop it first");
	if (examine_start(call->lab, call_option(call, "--json") != NULL,
		    call->count != 0, &reply->error))
		return OUTCOME_FAILED;
	return OUTCOME_WAIT;
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

/* What may be longer than a line hangs behind its name. */
static void add_long(struct text *text, const char *name, const char *value)
{
	text_add(text, "%-12s ", name);
	wrap(text, value, 13, 80);
}

static void add_machine(const struct machine *machine, struct text *text)
{
	text_add(text, "%-12s %s\n", "host", machine->hostname);
	text_add(text, "%-12s Linux %s, %s\n", "kernel", machine->kernel,
		machine->kernel_version);
	text_add(text, "%-12s %s (family %u, model %u, stepping %u", "cpu",
		machine->cpu, machine->family, machine->model,
		machine->stepping);
	if (*machine->microcode)
		text_add(text, ", microcode %s", machine->microcode);
	text_add(text,
		")\n%-12s %u online, %u for this process; %u core%s, "
		"%u a core, %u package%s, %u node%s\n",
		"processors", machine->cpus, machine->allowed, machine->cores,
		machine->cores == 1 ? "" : "s", machine->threads_per_core,
		machine->packages, machine->packages == 1 ? "" : "s",
		machine->nodes, machine->nodes == 1 ? "" : "s");
	add_caches(machine, text);
	text_add(text, "%-12s ", "memory");
	unit_show(text, UNIT_BYTES, machine->memory_bytes);
	text_add(text, ", pages of ");
	unit_show(text, UNIT_BYTES, machine->page_bytes);
	text_add(text, "\n%-12s %s\n", "hypervisor",
		*machine->hypervisor ? machine->hypervisor : "none seen");
	text_add(text, "%-12s %s, counter %s", "clock", machine->clocksource,
		machine->invariant_counter ? "invariant" : "not invariant");
	if (machine->kernel_tick_hz > 0) {
		text_add(text, ", ");
		unit_show(text, UNIT_HZ, machine->kernel_tick_hz);
	}
	text_add(text, "\n%-12s %s\n", "governor",
		*machine->governor ? machine->governor : "none");
	struct text built = { 0 };
	text_add(&built, "%s, %s, timed code %s", machine->compiler,
		machine->build, machine->flags);
	add_long(text, "mitigations", machine->mitigations);
	add_long(text, "built by", text_chars(&built));
	text_free(&built);
}

static enum outcome exec_machine(const struct call *call, struct reply *reply)
{
	const struct machine *machine = lab_machine(call->lab);

	if (call_option(call, "--json"))
		session_write_machine(machine, &reply->text);
	else
		add_machine(machine, &reply->text);
	return OUTCOME_DONE;
}

const struct command machine_commands[] = {
	{ "doctor", "[fixes]",
		"what about this machine makes figures untrue; fixes prints "
		"the commands that would help",
		"doctor", 0, 1, ARGUMENT_WORD, fixes, json_option, 0,
		check_doctor, exec_doctor },
	{ "machine", "", "describes this machine", "machine", 0, 0,
		ARGUMENT_NONE, NULL, json_option, 0, NULL, exec_machine },
	{ .name = NULL },
};
