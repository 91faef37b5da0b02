/* A launch's job as one block of bytes. */
#include "launch_parcel.h"

#include <string.h>

#include "text.h"

enum { ALIGNED = 16 };

/* The sizings follow, then a pointer for each point, then each point's struct
 * of arguments with its texts behind it. */
struct parcel {
	_Alignas(ALIGNED) struct launch_job job;
	struct schedule schedule;
	struct place place;
	struct clock_facts clock;
	struct tape tape;
};

/* ---- packing ---------------------------------------------------------- */

static void put(struct text *text, const void *bytes, size_t count)
{
	if (count)
		text_add_chars(text, bytes, count);
	while (text->length % ALIGNED)
		text_add_char(text, '\0');
}

static const char *text_of(const struct param *row, const void *args)
{
	const char *chars;

	memcpy(&chars, (const char *)args + row->offset, sizeof chars);
	return chars;
}

/* Each text by its length and end, then its characters; no text by 0. */
static void put_texts(struct text *text, const struct param *row,
	const void *args)
{
	for (; row->name; row++) {
		if (row->type != PARAM_TEXT)
			continue;
		const char *chars = text_of(row, args);
		size_t length = chars ? strlen(chars) + 1 : 0;

		put(text, &length, sizeof length);
		put(text, chars, length);
	}
}

void launch_pack(const struct launch_job *job, struct text *text)
{
	const struct schedule *schedule = job->schedule;
	struct parcel parcel = { .job = *job,
		.schedule = *schedule,
		.place = *job->place,
		.clock = *job->clock,
		.tape = *job->tape };

	put(text, &parcel, sizeof parcel);
	put(text, schedule->points, schedule->count * sizeof *schedule->points);
	put(text, job->args, schedule->count * sizeof *job->args);
	for (size_t i = 0; i < schedule->count; i++) {
		put(text, job->args[i], job->experiment->args_size);
		put_texts(text, job->experiment->params, job->args[i]);
	}
}

/* ---- unpacking -------------------------------------------------------- */

/* So many bytes of the block, which goes on behind them. */
static void *take(char **at, size_t count)
{
	void *taken = *at;

	*at += (count + ALIGNED - 1) / ALIGNED * ALIGNED;
	return taken;
}

static void take_texts(char **at, const struct param *row, void *args)
{
	for (; row->name; row++) {
		if (row->type != PARAM_TEXT)
			continue;
		size_t length = *(size_t *)take(at, sizeof length);
		const char *chars = length ? take(at, length) : NULL;

		memcpy((char *)args + row->offset, &chars, sizeof chars);
	}
}

struct launch_job *launch_unpack(void *block, struct tape **tape,
	size_t *tape_bytes)
{
	char *at = block;
	struct parcel *parcel = take(&at, sizeof *parcel);
	struct launch_job *job = &parcel->job;
	struct schedule *schedule = &parcel->schedule;
	void **args;

	schedule->points =
		take(&at, schedule->count * sizeof *schedule->points);
	args = take(&at, schedule->count * sizeof *args);
	for (size_t i = 0; i < schedule->count; i++) {
		args[i] = take(&at, job->experiment->args_size);
		take_texts(&at, job->experiment->params, args[i]);
	}
	*tape_bytes = parcel->tape.mapped_bytes;
	parcel->tape = (struct tape){ .fd = -1 };
	*tape = &parcel->tape;
	job->schedule = schedule;
	job->args = args;
	job->place = &parcel->place;
	job->clock = &parcel->clock;
	job->tape = &parcel->tape;
	return job;
}
