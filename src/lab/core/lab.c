/* The lab's state: initialization, access, release. */
#include "lab_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "activity.h"
#include "file.h"
#include "leftover.h"
#include "memory.h"

/* Saves that were killed left temporary files. */
static void tidy_sessions(void)
{
	char *state = folder_state_path();
	struct text sessions = { 0 };

	if (!state)
		return;
	text_add(&sessions, "%s/sessions", state);
	leftover_sweep_files(sessions.chars);
	text_free(&sessions);
	free(state);
}

void lab_tidy(const struct lab *lab)
{
	tidy_sessions();
	for (size_t i = 0; i < lab->registry.count; i++)
		if (lab->registry.list[i]->tidy)
			lab->registry.list[i]->tidy();
}

void lab_init(struct lab *lab, const struct experiment *const *probes)
{
	*lab = (struct lab){
		.packets_fd = -1,
		.layout = text_layout_plain,
	};
	registry_init(&lab->registry, probes);
	lab->session = session_new();
	param_set_init(&lab->common, common_params);
	lab->predictions =
		xcalloc(lab->registry.count, sizeof *lab->predictions);
	lab->clocks = xcalloc(1, sizeof *lab->clocks);
	places_read(&lab->places);
	clock_gettime(CLOCK_REALTIME, &lab->began);
	lab_choose_autosave(lab);
	/* Orphans of a worker become the lab's children, and the lab reaps
	 * them. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	lab_tidy(lab);
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
	capture_file_close(&lab->capture_file);
	many_free(&lab->many);
	session_free(lab->session);
	published_free(&lab->published);
	param_set_free(&lab->common);
	reply_free(&lab->ended);
	if (lab->record)
		fclose(lab->record);
	doctor_free(&lab->doctor);
	free(lab->commands);
	free(lab->predictions);
	free(lab->clocks->canary_path);
	free(lab->clocks);
	for (size_t i = 0; i < lab->saved_count; i++)
		free(lab->saved[i].path);
	free(lab->saved);
	free(lab->autosave);
	free(lab->autosave_why);
	text_free(&lab->aside);
}

struct prediction *lab_prediction(struct lab *lab,
	const struct experiment *experiment)
{
	for (size_t i = 0; i < lab->registry.count; i++)
		if (lab->registry.list[i] == experiment)
			return &lab->predictions[i];
	return NULL;
}

void reply_free(struct reply *reply)
{
	text_free(&reply->text);
	text_free(&reply->remark);
}

/* ---- activities ------------------------------------------------------- */

void lab_enqueue(struct lab *lab, struct queued *queued)
{
	ARRAY_GROW(lab->queue, lab->queue_count);
	lab->queue[lab->queue_count++] = *queued;
	lab->version++;
}

void lab_begin(struct lab *lab, const struct activity *activity, void *doing)
{
	lab->activity = activity;
	lab->doing = doing;
	lab->ended_run = false;
	lab->version++;
}

bool lab_busy(const struct lab *lab)
{
	return lab->activity || lab->queue_count;
}

void lab_activity_over(struct lab *lab)
{
	lab->activity->abandon(lab);
	lab->activity = NULL;
	lab->doing = NULL;
	lab->has_ended = true;
	lab->version++;
}

void lab_stopped(struct lab *lab, const char *sentence)
{
	error_set(&lab->ended.error, STATUS_INTERRUPTED, "%s", sentence);
	lab_activity_over(lab);
}

bool lab_can_begin(const struct lab *lab)
{
	return !lab->activity && lab->queue_count && !lab->has_ended;
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
	return lab->activity ? lab->activity->descriptor(lab) : -1;
}

void lab_stop(struct lab *lab)
{
	forget_queue(lab);
	if (lab->activity)
		lab->activity->stop(lab);
	lab->version++;
}

void lab_cut(struct lab *lab)
{
	lab_stop(lab);
	if (lab->activity && lab->activity->cut)
		lab->activity->cut(lab);
}

void lab_abandon(struct lab *lab)
{
	forget_queue(lab);
	if (lab->activity)
		lab->activity->abandon(lab);
	lab->activity = NULL;
	lab->doing = NULL;
}
