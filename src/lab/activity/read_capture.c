/* Reads a capture file and annotates its packets. */
#include "read_capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "activity.h"
#include "annotate.h"
#include "annotation_text.h"
#include "capture.h"
#include "connections.h"
#include "memory.h"

/* About 20 ms of work: the longest delay for keys and signals. */
enum { PACKETS_PER_STEP = 50000 };

struct reading {
	struct capture *capture;
	struct capture_request request;
	bool piped; /* from standard input */
	struct list_rows rows; /* of connections that were not kept */
};

static int descriptor(const struct lab *lab)
{
	const struct reading *reading = lab->doing;

	return capture_descriptor(reading->capture);
}

static void abandon(struct lab *lab)
{
	struct reading *reading = lab->doing;

	capture_close(reading->capture);
	list_rows_free(&reading->rows);
	free(reading);
	lab->capture_file.reading = false;
}

/* A live capture ends where it is stopped. */
static void stop(struct lab *lab)
{
	struct reading *reading = lab->doing;

	if (reading->piped) {
		capture_stop(reading->capture);
		return;
	}
	capture_file_close(&lab->capture_file);
	lab_stopped(lab, "stopped before the end of the file");
}

/* If every packet has an unknown link type, the reply is an error and not an
 * empty list. */
static bool is_unknown_link(const struct capture_file *file,
	struct error *error)
{
	const struct capture_facts *facts = annotator_facts(file->annotator);

	if (!facts->packets ||
		facts->of_class[PACKET_UNKNOWN_LINK] < facts->packets)
		return false;
	const char *name = link_type_name(facts->link_unknown);
	error_set(error, STATUS_INPUT,
		"cannot annotate %s: link type %s (%u) is not read, expected "
		"Ethernet, IEEE 802.11, raw IP, NULL, LOOP, LINUX_SLL, PPP, "
		"C_HDLC, FRELAY, MPLS, NFLOG, PFLOG, PKTAP or another type "
		"that carries IP",
		text_quoted(file->path).chars, name ? name : "unknown",
		facts->link_unknown);
	return true;
}

/* Lists the connections that were not kept, too. */
static void write_summary(const struct capture_file *file,
	struct reading *reading, const struct text_layout *layout,
	struct text *text)
{
	const struct annotator *annotator = file->annotator;

	annotation_capture(annotator, file->path, layout, text);
	text_add_char(text, '\n');
	list_text(&reading->rows, annotator, &reading->request.list, layout,
		text);
}

static void note_forgotten(void *context, const struct connection *connection)
{
	struct reading *reading = context;

	list_rows_add(&reading->rows, &reading->request.list, connection);
}

static bool is_any_chosen(const struct capture_file *file,
	const struct connection_filter *only, struct error *error)
{
	size_t count = annotator_count(file->annotator);
	struct text words = { 0 };

	for (size_t i = 0; i < count; i++)
		if (connection_matches(annotator_connection(file->annotator, i),
			    only))
			return true;
	if (!connection_filter_any(only))
		return true;
	connection_filter_write(only, &words);
	error_set(error, STATUS_USAGE, "no connection of %s has an end with %s",
		text_quoted(file->path).chars, words.chars);
	text_free(&words);
	return false;
}

static void write_reply(const struct lab *lab, struct reply *reply)
{
	const struct capture_file *file = &lab->capture_file;
	struct reading *reading = lab->doing;
	const struct capture_request *request = &reading->request;
	const struct capture_origin origin = {
		.file = file->path,
		.snap_bytes = capture_snap_bytes(reading->capture),
		.only = request->list.only,
	};
	struct text_layout layout = lab->layout;

	layout.verbose |= request->verbose;
	if (request->write)
		request->write(request->context, reply);
	else if (request->json && request->summary)
		list_json(&reading->rows, file->annotator, &origin,
			&request->list, &reply->text);
	else if (request->json)
		connections_write(file->annotator, &origin, &reply->text);
	else if (request->summary)
		write_summary(file, reading, &layout, &reply->text);
	else
		annotation_text(file->annotator, file->path,
			&request->list.only, &layout, &reply->text);
}

/* Explains a truncated file up to the damage. A file without a readable packet
 * is closed again. */
static void conclude(struct lab *lab, bool whole, struct reply *reply)
{
	struct capture_file *file = &lab->capture_file;
	const struct reading *reading = lab->doing;
	bool any = whole || annotator_facts(file->annotator)->packets;

	file->reading = false;
	if (!whole)
		annotator_damaged(file->annotator);
	if (!any || is_unknown_link(file, &reply->error) ||
		!is_any_chosen(file, &file->only, &reply->error)) {
		capture_file_close(file);
		return;
	}
	file->news = !reading->request.json;
	/* The reply may draw a screen, which must show that the lab is idle. */
	const struct activity *self = lab->activity;
	lab->activity = NULL;
	write_reply(lab, reply);
	lab->activity = self;
}

static bool step(struct lab *lab, struct reply *reply)
{
	const struct reading *reading = lab->doing;
	struct packet_record record;

	for (int i = 0; i < PACKETS_PER_STEP; i++) {
		enum capture_got got = capture_next(reading->capture, &record,
			&reply->error);

		if (got == CAPTURE_AGAIN)
			return false;
		if (got == CAPTURE_GOT) {
			annotator_add(lab->capture_file.annotator, &record);
			continue;
		}
		conclude(lab, got == CAPTURE_OVER, reply);
		return true;
	}
	return false;
}

static const struct activity activity = {
	.step = step,
	.descriptor = descriptor,
	.stop = stop,
	.abandon = abandon,
};

/* A named pipe cannot be read again. */
static bool is_regular(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* False if the program ends after printing the reply. */
static bool may_show(const struct lab *lab,
	const struct capture_request *request)
{
	return lab->screen || lab->screen_follows || !lab->one_command ||
		request->write;
}

int read_capture(struct lab *lab, const struct capture_request *request,
	struct error *error)
{
	const struct capture_ask file = { .file = request->path };
	bool piped = !strcmp(request->path, "-");

	/* A wrong name must not close the file that is open. */
	if (!piped && access(request->path, R_OK))
		return error_set(error, STATUS_INPUT, "cannot open %s: %s",
			text_quoted(request->path).chars, strerror(errno));
	struct capture *capture = capture_open(&file, error);

	if (!capture)
		return -1;
	struct reading *reading = xcalloc(1, sizeof *reading);
	*reading = (struct reading){ capture, *request, piped, { 0 } };
	const struct annotator_options options = {
		.only = request->list.only.host,
		.forget = request->summary ? note_forgotten : NULL,
		.forget_context = reading,
	};
	capture_file_open(&lab->capture_file,
		piped ? "standard input" : request->path, &options,
		may_show(lab, request));
	lab->capture_file.reading = true;
	lab->capture_file.again = !piped && is_regular(request->path);
	lab->capture_file.only = request->list.only;
	lab->capture_file.after_runs = lab->session->run_count;
	lab_begin(lab, &activity, reading);
	return 0;
}
