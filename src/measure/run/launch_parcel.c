/* A launch's job as one block of bytes. */
#include "launch_parcel.h"

#include <string.h>

#include "parcel.h"

/* Followed by the sizings, a pointer for each point, and each point's struct of
 * arguments with its texts. */
struct launch_block {
	_Alignas(PARCEL_ALIGNED) struct launch_job job;
	uintptr_t distance; /* of the experiment from `origin` */
	struct schedule schedule;
	struct place place;
	struct clock_facts clock;
	struct tape tape;
};

static const char origin;

/* ---- packing ---------------------------------------------------------- */

static const char *text_of(const struct param *row, const void *args)
{
	const char *chars;

	memcpy(&chars, (const char *)args + row->offset, sizeof chars);
	return chars;
}

/* Each text with its terminator; NULL as an empty piece. */
static void put_texts(struct text *text, const struct param *row,
	const void *args)
{
	for (; row->name; row++) {
		if (row->type != PARAM_TEXT)
			continue;
		const char *chars = text_of(row, args);

		parcel_put(text, chars, chars ? strlen(chars) + 1 : 0);
	}
}

void launch_pack(const struct launch_job *job, struct text *text)
{
	const struct schedule *schedule = job->schedule;
	struct launch_block launch = { .job = *job,
		.distance = (uintptr_t)job->experiment - (uintptr_t)&origin,
		.schedule = *schedule,
		.place = *job->place,
		.clock = *job->clock,
		.tape = *job->tape };

	parcel_put(text, &launch, sizeof launch);
	parcel_put(text, schedule->points,
		schedule->count * sizeof *schedule->points);
	parcel_put(text, job->args, schedule->count * sizeof *job->args);
	for (size_t i = 0; i < schedule->count; i++) {
		parcel_put(text, job->args[i], job->experiment->args_size);
		put_texts(text, job->experiment->params, job->args[i]);
	}
}

/* ---- unpacking -------------------------------------------------------- */

static void take_texts(struct parcel *parcel, const struct param *row,
	void *args)
{
	for (; row->name; row++) {
		if (row->type != PARAM_TEXT)
			continue;
		size_t length;
		const char *chars = parcel_take(parcel, &length);

		chars = length ? chars : NULL;
		memcpy((char *)args + row->offset, &chars, sizeof chars);
	}
}

struct launch_job *launch_unpack(struct parcel *parcel, struct tape **tape,
	size_t *tape_bytes)
{
	struct launch_block *launch =
		parcel_take_sized(parcel, sizeof *launch);
	struct launch_job *job = &launch->job;
	struct schedule *schedule = &launch->schedule;
	size_t length;
	void **args;

	job->experiment = (const void *)((uintptr_t)&origin + launch->distance);
	schedule->points = parcel_take(parcel, &length);
	args = parcel_take(parcel, &length);
	for (size_t i = 0; i < schedule->count; i++) {
		args[i] = parcel_take(parcel, &length);
		take_texts(parcel, job->experiment->params, args[i]);
	}
	*tape_bytes = launch->tape.mapped_bytes;
	launch->tape = (struct tape){ .fd = -1 };
	*tape = &launch->tape;
	job->schedule = schedule;
	job->args = args;
	job->place = &launch->place;
	job->clock = &launch->clock;
	job->tape = &launch->tape;
	return job;
}
