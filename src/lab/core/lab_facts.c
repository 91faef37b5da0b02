/* Facts about this machine and about other machines. */
#include "lab.h"

#include <string.h>

#include "siblings.h"

static bool is_of(const struct machine *a, const struct machine *b)
{
	return !strcmp(a->cpu, b->cpu) && !strcmp(a->hostname, b->hostname);
}

/* Updates the machine's siblings, which are measured while the lab runs. In a
 * guest they are measured repeatedly. */
static void note_siblings(struct lab *lab)
{
	struct text words = { 0 };

	siblings_say(&lab->places, &words);
	snprintf(lab->machine.siblings, sizeof lab->machine.siblings, "%s",
		text_chars(&words));
	text_free(&words);
}

const struct machine *lab_machine(struct lab *lab)
{
	struct machine *of_session = &lab->session->machine;

	if (!lab->machine_known) {
		machine_read(&lab->machine);
		/* The lab may now be confined to one processor. */
		lab->machine.allowed =
			(unsigned)CPU_COUNT(&lab->places.allowed);
	}
	lab->machine_known = true;
	note_siblings(lab);
	/* A new session is from this machine. */
	if (!machine_is_known(of_session))
		*of_session = lab->machine;
	/* A loaded session keeps its siblings until they are measured here. */
	if (*lab->machine.siblings && is_of(&lab->machine, of_session))
		memcpy(of_session->siblings, lab->machine.siblings,
			sizeof of_session->siblings);
	return &lab->machine;
}

int lab_check_machine(struct lab *lab, struct error *error)
{
	const struct machine *here = lab_machine(lab);
	const struct machine *there = &lab->session->machine;

	if (is_of(here, there))
		return 0;
	return error_set(error, STATUS_USAGE,
		"the session is from another machine (%s, %s): restart "
		"benchtop to measure this machine",
		there->hostname, there->cpu);
}

static double cache_bytes(const struct machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->cache_count; i++)
		if (!strcmp(machine->caches[i].name, name))
			return machine->caches[i].size_bytes;
	return 0;
}

static void facts_of_machine(const struct machine *machine, struct facts *facts)
{
	*facts = (struct facts){
		.hypervisor = *machine->hypervisor != '\0',
		.page_table_isolation = machine->page_table_isolation,
		.mitigations = machine->mitigations,
		.cpus = machine->allowed ? machine->allowed : machine->cpus,
		.memory_bytes = machine->memory_bytes,
		.memory_peak = machine->memory.peak_bytes_per_s,
		.l1d_bytes = cache_bytes(machine, "L1d"),
		.l2_bytes = cache_bytes(machine, "L2"),
		.llc_bytes = cache_bytes(machine, "L3"),
		.kernel_hz = machine->kernel_tick_hz,
		.cpuid_hz = machine->cpuid_tick_hz,
	};
}

static struct published_runs read_published(void *reader)
{
	struct lab *lab = reader;

	if (!lab->published_known)
		published_load(&lab->published);
	lab->published_known = true;
	return (struct published_runs){ lab->published.runs,
		lab->published.run_count };
}

const struct facts *lab_facts(struct lab *lab)
{
	struct facts *facts = &lab->facts;
	int cpu = lab->places.chosen;

	facts_of_machine(lab_machine(lab), facts);
	facts->earlier = (const struct results *const *)lab->session->runs;
	facts->earlier_count = lab->session->run_count;
	facts->read_published = read_published;
	facts->reader = lab;
	if (cpu >= 0)
		facts_use_clock(facts, &lab->clocks->facts[cpu]);
	return facts;
}

void lab_facts_of(const struct session *session, size_t i, struct facts *facts)
{
	facts_of_machine(&session->machine, facts);
	facts_use_clock(facts, &session->runs[i]->clock);
	facts->earlier = (const struct results *const *)session->runs;
	facts->earlier_count = i;
}
