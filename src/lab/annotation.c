/* A capture file on its way through the annotator. */
#include "annotation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate.h"
#include "annotation_text.h"
#include "capture.h"
#include "connections.h"
#include "memory.h"
#include "packet_log.h"

/* Some 20 ms of packets: keys and signals do not wait longer. */
enum { PACKETS_PER_STEP = 50000 };

int annotation_start(struct annotation *annotation,
	const struct annotation_ask *ask, struct error *error)
{
	const struct capture_ask file = { .file = ask->path };
	struct annotator_options options = { 0 };

	/* A wrong name must not cost the file that is open. */
	if (access(ask->path, R_OK)) {
		error_set(error, STATUS_INPUT, "cannot open %s: %s",
			text_quoted(ask->path).chars, strerror(errno));
		return -1;
	}
	struct capture *capture = capture_open(&file, error);

	if (!capture)
		return -1;
	annotation_abandon(annotation);
	struct packet_log *log = packet_log_new(PACKET_LOG_MAX);
	packet_log_watch(log, &options);
	*annotation = (struct annotation){
		.capture = capture,
		.annotator = annotator_new(&options),
		.log = log,
		.path = xstrdup(ask->path),
		.json = ask->json,
		.say = ask->say,
		.context = ask->context,
		.serial = annotation->serial + 1,
	};
	return 0;
}

int annotation_descriptor(const struct annotation *annotation)
{
	return annotation->capture ? capture_descriptor(annotation->capture) :
				     -1;
}

void annotation_abandon(struct annotation *annotation)
{
	capture_close(annotation->capture);
	annotator_free(annotation->annotator);
	packet_log_free(annotation->log);
	free(annotation->path);
	*annotation = (struct annotation){ .serial = annotation->serial };
}

/* Nothing of it can be read: one sentence, not a list of nothing. */
static bool is_unknown_link(const struct annotation *annotation,
	struct error *error)
{
	const struct capture_facts *facts =
		annotator_facts(annotation->annotator);

	if (!facts->packets ||
		facts->of_class[PACKET_UNKNOWN_LINK] < facts->packets)
		return false;
	error_set(error, STATUS_INPUT,
		"cannot annotate %s: link type %u is not understood, expected "
		"Ethernet, NULL, LOOP, RAW, LINUX_SLL, LINUX_SLL2, IPV4 or IPV6",
		text_quoted(annotation->path).chars, facts->link_unknown);
	return true;
}

static void say(const struct annotation *annotation, uint32_t snap_bytes,
	struct reply *reply)
{
	const struct capture_origin origin = {
		.file = annotation->path,
		.snap_bytes = snap_bytes,
	};

	if (annotation->say)
		annotation->say(annotation->context, reply);
	else if (annotation->json)
		connections_write(annotation->annotator, &origin, &reply->text);
	else
		annotation_text(annotation->annotator, annotation->path,
			&reply->text);
}

/* A file that breaks off is explained as far as it goes; one of which nothing
 * can be read is as if it had not been opened. */
static void conclude(struct annotation *annotation, enum capture_got got,
	struct reply *reply)
{
	bool any = got == CAPTURE_OVER ||
		annotator_facts(annotation->annotator)->packets;

	if (!any || is_unknown_link(annotation, &reply->error)) {
		annotation_abandon(annotation);
		return;
	}
	uint32_t snap_bytes = capture_snap_bytes(annotation->capture);
	capture_close(annotation->capture);
	annotation->capture = NULL;
	annotation->news = !annotation->json;
	say(annotation, snap_bytes, reply);
}

bool annotation_step(struct annotation *annotation, struct reply *reply)
{
	struct packet_record record;

	for (int i = 0; i < PACKETS_PER_STEP; i++) {
		enum capture_got got = capture_next(annotation->capture,
			&record, &reply->error);

		if (got == CAPTURE_AGAIN)
			return false;
		if (got == CAPTURE_GOT) {
			annotator_add(annotation->annotator, &record);
			continue;
		}
		conclude(annotation, got, reply);
		return true;
	}
	return false;
}
