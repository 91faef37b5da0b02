/* The lab's state: made, kept, released. */
#include "facts.h"
#include "lab_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "linked.h"
#include "memory.h"

static void choose_autosave(struct lab *lab)
{
	char *folder = folder_state();
	struct text path = { 0 };
	time_t now = time(NULL);
	struct tm local;
	char stamp[32];

	lab->autosave_claimed = false;
	if (!folder) {
		free(lab->autosave_why);
		lab->autosave_why =
			xstrdup("no folder for it: set HOME or XDG_STATE_HOME");
		return;
	}
	text_add(&path, "%s/sessions", folder);
	mkdir(path.chars, 0700);
	localtime_r(&now, &local);
	strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &local);
	text_add(&path, "/%s-%d", stamp, (int)getpid());
	if (lab->autosaves++)
		text_add(&path, "-%u", lab->autosaves);
	text_add(&path, ".json");
	lab->autosave = text_take(&path);
	free(folder);
}

void lab_add_table(struct lab *lab, const struct command *rows, void *self)
{
	lab->tables[lab->table_count++] = (struct command_table){ rows, self };
}

void lab_bind_table(struct lab *lab, const struct command *rows, void *self)
{
	for (size_t i = 0; i < lab->table_count; i++)
		if (lab->tables[i].rows == rows)
			lab->tables[i].self = self;
}

void lab_init(struct lab *lab, const struct experiment *const *probes)
{
	*lab = (struct lab){ .packets_fd = -1 };
	registry_init(&lab->registry, probes);
	lab_add_table(lab, run_commands, lab);
	lab_add_table(lab, session_commands, lab);
	lab_add_table(lab, machine_commands, lab);
	lab_add_table(lab, compare_commands, lab);
	lab_add_table(lab, report_commands, lab);
	lab_add_table(lab, annotate_commands, lab);
	lab_add_table(lab, serve_commands, lab);
	lab_add_table(lab, link_commands, lab);
	lab_add_table(lab, lab_commands, lab);
	lab->session = session_new();
	param_set_init(&lab->common, common_params);
	lab->predictions =
		xcalloc(lab->registry.count, sizeof *lab->predictions);
	lab->clocks = xcalloc(1, sizeof *lab->clocks);
	places_read(&lab->places);
	choose_autosave(lab);
	/* Whatever a worker leaves behind comes to the lab, and ends there. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void queued_free(struct queued *queued)
{
	param_set_free(&queued->args);
	param_set_free(&queued->common);
}

static void forget_queue(struct lab *lab)
{
	for (size_t i = 0; i < lab->queue_count; i++)
		queued_free(&lab->queue[i]);
	free(lab->queue);
	lab->queue = NULL;
	lab->queue_count = 0;
}

void lab_release(struct lab *lab)
{
	lab_abandon(lab);
	lab_drop_packets(lab);
	session_free(lab->session);
	published_free(&lab->published);
	param_set_free(&lab->common);
	reply_free(&lab->ended);
	if (lab->record)
		fclose(lab->record);
	doctor_free(&lab->doctor);
	free(lab->predictions);
	free(lab->clocks);
	free(lab->autosave);
	free(lab->autosave_why);
	text_free(&lab->aside);
}

void lab_abandon(struct lab *lab)
{
	forget_queue(lab);
	closing_abandon(&lab->closing);
	run_close(lab->run, true);
	lab->run = NULL;
	examine_abandon(lab);
	annotation_abandon(&lab->annotation);
	linked_abandon(lab);
}

struct prediction *lab_prediction(struct lab *lab,
	const struct experiment *experiment)
{
	for (size_t i = 0; i < lab->registry.count; i++)
		if (lab->registry.list[i] == experiment)
			return &lab->predictions[i];
	return NULL;
}

static bool is_of(const struct machine *a, const struct machine *b)
{
	return !strcmp(a->cpu, b->cpu) && !strcmp(a->hostname, b->hostname);
}

/* Siblings are found while the lab runs, in a guest again and again. */
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
		/* The lab may have moved to a processor of its own. */
		lab->machine.allowed =
			(unsigned)CPU_COUNT(&lab->places.allowed);
	}
	lab->machine_known = true;
	note_siblings(lab);
	/* A session that was just begun is of this machine. */
	if (!machine_is_known(of_session))
		*of_session = lab->machine;
	/* A loaded one keeps its own until they are looked for here. */
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
		"the session is of another machine (%s, %s): leave and start "
		"benchtop anew to measure this one",
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
		.cpus = machine->cpus,
		.memory_bytes = machine->memory_bytes,
		.memory_peak = machine->memory.peak_bytes_per_s,
		.l1d_bytes = cache_bytes(machine, "L1d"),
		.l2_bytes = cache_bytes(machine, "L2"),
		.llc_bytes = cache_bytes(machine, "L3"),
		.kernel_hz = machine->kernel_tick_hz,
		.cpuid_hz = machine->cpuid_tick_hz,
	};
}

const struct facts *lab_facts(struct lab *lab)
{
	struct facts *facts = &lab->facts;
	int cpu = lab->places.chosen;

	facts_of_machine(lab_machine(lab), facts);
	facts->earlier = (const struct results *const *)lab->session->runs;
	facts->earlier_count = lab->session->run_count;
	if (!lab->published_known)
		published_load(&lab->published);
	lab->published_known = true;
	facts->published = lab->published.runs;
	facts->published_count = lab->published.run_count;
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

static void add_quoted(struct text *text, const char *chars)
{
	text_add_char(text, '\'');
	text_add_safe(text, chars, strlen(chars));
	text_add_char(text, '\'');
}

/* The autosaved file of a session that another takes the place of: the next
 * run must not be saved over it. */
static int set_aside(struct lab *lab, struct error *error)
{
	const struct session *session = lab->session;
	size_t runs = session->run_count;

	if (!session->changed || (!runs && !session->note_count))
		return 0;
	if (!lab->autosave || lab->autosave_why)
		return error_set(error, STATUS_OUTPUT,
			"this session is in no file (%s): save it first",
			lab->autosave_why);
	if (runs)
		text_add(&lab->aside, "%zu run%s", runs, runs == 1 ? "" : "s");
	else
		text_add(&lab->aside, "notes");
	text_add(&lab->aside, " not saved, set aside in ");
	add_quoted(&lab->aside, lab->autosave);
	text_add_char(&lab->aside, '\n');
	free(lab->autosave);
	lab->autosave = NULL;
	choose_autosave(lab);
	return 0;
}

int lab_use_session(struct lab *lab, struct session *session,
	struct error *error)
{
	if (set_aside(lab, error)) {
		session_free(session);
		return -1;
	}
	session_free(lab->session);
	lab_drop_packets(lab);
	lab->session = session;
	for (size_t i = 0; i < session->run_count; i++)
		lab_attach(lab, session->runs[i]);
	lab->version++;
	return 0;
}

/* The sweep that a run was: every value of every parameter it had. */
static bool attach_point(const struct experiment *experiment,
	const struct results *results, struct point *point)
{
	struct param_set set;
	struct error error;
	bool good = true;

	param_set_init(&set, experiment->params);
	for (size_t i = 0; i < results->param_count && good; i++)
		good = !param_set_values(&set, results->param_names[i],
			       point->values[i], &error) &&
			param_set_points(&set) == 1;
	if (good) {
		free(point->args);
		point->args = xcalloc(1, experiment->args_size);
		param_set_args(&set, 0, point->args);
		results_own_texts(results, experiment->params, point);
	}
	param_set_free(&set);
	return good;
}

bool lab_attach(const struct lab *lab, struct results *results)
{
	const struct experiment *experiment =
		registry_find(&lab->registry, results->experiment);

	for (size_t i = 0; experiment && i < results->point_count; i++)
		if (!attach_point(experiment, results, &results->points[i]))
			return false;
	return experiment != NULL;
}

/* A lab in another container, or on another machine with the same home, may
 * have begun in the same second and have the same number. */
void lab_claim_autosave(struct lab *lab)
{
	while (lab->autosave && !lab->autosave_claimed) {
		int fd = open(lab->autosave,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

		if (fd < 0 && errno != EEXIST)
			return; /* saving will say why */
		if (fd >= 0) {
			close(fd);
			lab->autosave_claimed = true;
			return;
		}
		free(lab->autosave);
		lab->autosave = NULL;
		choose_autosave(lab);
	}
}

/* A file that was claimed and could not be saved is of no use. */
static void give_up_claim(struct lab *lab)
{
	struct stat is;

	if (lab->autosave_claimed && !stat(lab->autosave, &is) && !is.st_size)
		lab->autosave_claimed = unlink(lab->autosave) != 0;
}

void lab_autosave(struct lab *lab)
{
	struct error error;

	lab_claim_autosave(lab);
	if (!lab->autosave)
		return;
	lab_machine(lab);
	/* Saving by itself must not look like saving by the user. */
	int failed = session_save_copy(lab->session, lab->autosave, &error);
	if (failed)
		give_up_claim(lab);
	malloc_trim(0);
	free(lab->autosave_why);
	lab->autosave_why = failed ? xstrdup(error.message) : NULL;
}

enum status lab_say_kept(const struct lab *lab, struct text *text)
{
	const struct session *session = lab->session;
	size_t count = session->run_count;

	if (lab->aside.length)
		text_add_chars(text, lab->aside.chars, lab->aside.length - 1);
	if (!count || !session->changed)
		return STATUS_OK;
	if (lab->aside.length)
		text_add_char(text, '\n');
	text_add(text,
		lab->autosave_why ? "benchtop: %zu run%s not kept: " :
				    "%zu run%s kept in ",
		count, count == 1 ? "" : "s");
	const char *rest =
		lab->autosave_why ? lab->autosave_why : lab->autosave;
	text_add_safe(text, rest, strlen(rest));
	return lab->autosave_why ? STATUS_OUTPUT : STATUS_OK;
}

void lab_record(struct lab *lab, const struct words *words)
{
	struct text line = { 0 };

	if (!lab->record)
		return;
	for (size_t i = 0; i < words->count; i++) {
		if (i)
			text_add_char(&line, ' ');
		words_quote(&line, words->word[i]);
	}
	fprintf(lab->record, "%s\n", text_chars(&line));
	fflush(lab->record);
	text_free(&line);
}

/* ---- runs ------------------------------------------------------------- */

void lab_enqueue(struct lab *lab, struct queued *queued)
{
	ARRAY_GROW(lab->queue, lab->queue_count);
	lab->queue[lab->queue_count++] = *queued;
	lab->version++;
}

bool lab_busy(const struct lab *lab)
{
	return lab->run || lab->queue_count || lab->annotation.capture ||
		lab->examination.stage != EXAMINE_NOTHING || lab->linked;
}

bool lab_ended(struct lab *lab, struct reply *reply)
{
	if (!lab->has_ended)
		return false;
	reply_free(reply);
	*reply = lab->ended;
	lab->ended = (struct reply){ 0 };
	lab->has_ended = false;
	return true;
}

int lab_descriptor(const struct lab *lab)
{
	if (lab->annotation.capture)
		return annotation_descriptor(&lab->annotation);
	if (lab->linked)
		return linked_descriptor(lab);
	if (lab->closing.child.pid)
		return lab->closing.child.pidfd;
	return lab->run ? run_descriptor(lab->run) : examine_descriptor(lab);
}

void lab_stop(struct lab *lab)
{
	forget_queue(lab);
	if (lab->run)
		run_stop(lab->run);
	if (lab->annotation.capture) {
		annotation_abandon(&lab->annotation);
		lab->has_ended = true;
		lab->ended_run = false;
		error_set(&lab->ended.error, STATUS_INTERRUPTED,
			"stopped before the file had been read");
	}
	if (lab->examination.stage != EXAMINE_NOTHING &&
		!lab->examination.quiet) {
		examine_abandon(lab);
		place_restore(&lab->places);
		lab->has_ended = true;
		lab->ended_run = false;
		error_set(&lab->ended.error, STATUS_INTERRUPTED,
			"stopped before the doctor had looked at everything");
	}
	linked_stop(lab);
	lab->version++;
}

void lab_cut(struct lab *lab)
{
	lab_stop(lab);
	if (lab->run)
		run_cut(lab->run);
	linked_cut(lab);
}
