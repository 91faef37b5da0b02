/* Reads a capture file again for the packets of one connection. */
#include "read_again.h"

#include <poll.h>

#include "annotate.h"
#include "capture.h"
#include "text.h"

enum {
	PACKETS_PER_STEP = 50000, /* about 20 ms */
	WAIT_MS = 1000,
	PARTS = 20, /* how often the progress is drawn */
};

static bool is_covered(const struct log_scope *had,
	const struct log_scope *wanted)
{
	return log_scope_covers(PACKET_LOG_MAX, had, wanted);
}

bool read_again_is_due(const struct lab *lab)
{
	const struct capture_file *file = &lab->capture_file;

	return file->wanted.connection && !lab->activity &&
		!is_covered(&file->close.scope, &file->wanted) &&
		!is_covered(&file->failed, &file->wanted);
}

bool read_again_failed(const struct lab *lab)
{
	const struct capture_file *file = &lab->capture_file;

	return file->wanted.connection &&
		is_covered(&file->failed, &file->wanted);
}

int read_again_descriptor(const struct lab *lab)
{
	const struct capture *capture = lab->capture_file.coming.capture;

	return capture ? capture_descriptor(capture) : -1;
}

double read_again_share(const struct capture_file *file)
{
	if (!file->coming.annotator)
		return 0;
	uint64_t again = annotator_facts(file->coming.annotator)->packets;
	uint64_t packets = annotator_facts(file->annotator)->packets;

	return packets ? (double)again / (double)packets : 0;
}

/* `error`: of the second reading; NULL: it reached an end that differs. */
static void fail(struct capture_file *file, const struct error *error)
{
	file->failed = file->wanted;
	if (error)
		error_set(&file->why, STATUS_INPUT,
			"the missing packets cannot be read again: %s",
			error->message);
	else
		error_set(&file->why, STATUS_INPUT,
			"the missing packets cannot be read again: %s has "
			"changed since it was opened",
			text_quoted(file->path).chars);
}

static void begin(struct lab *lab)
{
	struct capture_file *file = &lab->capture_file;
	const struct capture_ask ask = { .file = file->path };
	struct annotator_options options = { .only = file->only.host };
	struct close_up *coming = &file->coming;
	struct error error;

	close_up_end(coming);
	coming->capture = capture_open(&ask, &error);
	if (!coming->capture) {
		fail(file, &error);
		return;
	}
	coming->scope = file->wanted;
	coming->log = packet_log_of(PACKET_LOG_MAX, &coming->scope);
	packet_log_watch(coming->log, &options);
	coming->annotator = annotator_new(&options);
}

/* True if the log has the packets of the connection that is shown. If the file
 * has changed since, it has others. */
static bool is_same(const struct close_up *coming)
{
	return packet_log_count(coming->log) +
		packet_log_left_out(coming->log) == coming->scope.packets;
}

/* `error`: NULL at the end of the file. A file that was damaged at the first
 * reading, too, is the same. */
static void end(struct lab *lab, const struct error *error)
{
	struct capture_file *file = &lab->capture_file;
	struct close_up *coming = &file->coming;

	lab->version++;
	if (!is_same(coming)) {
		fail(file, error);
		close_up_end(coming);
		return;
	}
	capture_close(coming->capture);
	annotator_free(coming->annotator);
	coming->capture = NULL;
	coming->annotator = NULL;
	close_up_end(&file->close);
	file->close = *coming;
	*coming = (struct close_up){ .log = NULL };
}

static void read_some(struct lab *lab)
{
	struct close_up *coming = &lab->capture_file.coming;
	struct packet_record record;
	struct error error;

	for (int i = 0; i < PACKETS_PER_STEP; i++) {
		enum capture_got got =
			capture_next(coming->capture, &record, &error);

		if (got == CAPTURE_AGAIN)
			return;
		if (got != CAPTURE_GOT) {
			end(lab, got == CAPTURE_BROKEN ? &error : NULL);
			return;
		}
		annotator_add(coming->annotator, &record);
	}
}

void read_again_step(struct lab *lab)
{
	struct capture_file *file = &lab->capture_file;
	int part = (int)(read_again_share(file) * PARTS);

	if (!read_again_is_due(lab)) {
		close_up_end(&file->coming);
		return;
	}
	if (!file->coming.capture ||
		!is_covered(&file->coming.scope, &file->wanted))
		begin(lab);
	if (file->coming.capture)
		read_some(lab);
	lab->version += (int)(read_again_share(file) * PARTS) != part;
}

bool read_again_wait(struct lab *lab)
{
	bool any = read_again_is_due(lab);

	while (read_again_is_due(lab)) {
		struct pollfd polled = { .fd = read_again_descriptor(lab),
			.events = POLLIN };

		if (polled.fd >= 0)
			poll(&polled, 1, WAIT_MS);
		read_again_step(lab);
	}
	return any;
}
