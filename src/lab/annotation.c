/* A capture file on its way through the annotator. */
#include "annotation.h"

#include <stdlib.h>

#include "annotate.h"
#include "annotation_text.h"
#include "capture.h"
#include "connections.h"
#include "memory.h"

/* Some 20 ms of packets: keys and signals do not wait longer. */
enum { PACKETS_PER_STEP = 50000 };

int annotation_start(struct annotation *annotation, const char *path, bool json,
	struct error *error)
{
	const struct capture_ask ask = { .file = path };
	struct capture *capture = capture_open(&ask, error);

	if (!capture)
		return -1;
	*annotation = (struct annotation){
		.capture = capture,
		.annotator = annotator_new(NULL),
		.path = xstrdup(path),
		.json = json,
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
	free(annotation->path);
	*annotation = (struct annotation){ 0 };
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

static void conclude(const struct annotation *annotation, struct reply *reply)
{
	const struct capture_origin origin = {
		.file = annotation->path,
		.snap_bytes = capture_snap_bytes(annotation->capture),
	};

	if (is_unknown_link(annotation, &reply->error))
		return;
	if (annotation->json)
		connections_write(annotation->annotator, &origin, &reply->text);
	else
		annotation_text(annotation->annotator, annotation->path,
			&reply->text);
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
		/* A file that breaks off is explained as far as it goes. */
		if (got == CAPTURE_OVER ||
			annotator_facts(annotation->annotator)->packets)
			conclude(annotation, reply);
		annotation_abandon(annotation);
		return true;
	}
	return false;
}
