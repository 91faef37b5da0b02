/* Bytes as what the capture helper writes. */
#include "inputs.h"

#include <stdio.h>
#include <unistd.h>

#include "annotate.h"
#include "capture.h"
#include "packets.h"

struct bytes {
	const uint8_t *data;
	size_t size;
};

/* Writes as many bytes as the pipe holds, instead of starting the helper. */
static pid_t write_pipe(void *context, const char *const *argv, const int *fds,
	struct error *error)
{
	const struct bytes *bytes = context;

	(void)argv;
	(void)error;
	must(!bytes->size || write(fds[1], bytes->data, bytes->size) > 0);
	return 0;
}

static void check_packet(struct annotator *annotator,
	const struct packet_record *record)
{
	must(record->bytes != NULL);
	annotator_add(annotator, record);
}

static void read_pipe(struct bytes *bytes)
{
	enum { BYTES_MOST = 60 << 10 }; /* do not fill an ordinary pipe */
	struct annotator *annotator = annotator_new(NULL);
	const struct capture_ask ask = {
		.file = "/dev/null",
		.spawn = write_pipe,
		.context = bytes,
	};
	struct packet_record record;
	struct error error = { 0 };
	enum capture_got got;

	if (bytes->size > BYTES_MOST)
		bytes->size = BYTES_MOST;
	struct capture *capture = capture_open(&ask, &error);
	if (!capture)
		fprintf(stderr, "%s\n", error.message);
	must(capture != NULL);
	if (bytes->size % 2 && capture_wait(capture, 0, &error))
		must_be_sentence(&error);
	while ((got = capture_next(capture, &record, &error)) == CAPTURE_GOT)
		check_packet(annotator, &record);
	must(got != CAPTURE_AGAIN); /* the pipe is closed */
	if (got == CAPTURE_BROKEN)
		must_be_sentence(&error);
	capture_close(capture);
	annotator_free(annotator);
}

/* Two readers of a run's packets see the same. */
static void read_file_in_memory(const struct bytes *bytes)
{
	struct annotator *annotator = annotator_new(NULL);
	int fd = file_of(bytes->data, bytes->size);
	struct packets *packets = packets_follow(fd);
	struct packets *again = packets_follow(fd);
	struct packet_record record, same;

	while (packets_next(packets, &record)) {
		must(packets_next(again, &same));
		must(record.t_ns == same.t_ns);
		must(record.captured_bytes == same.captured_bytes);
		check_packet(annotator, &record);
	}
	must(!packets_next(again, &same));
	packets_unfollow(packets);
	packets_unfollow(again);
	close(fd);
	annotator_free(annotator);
}

void pipe_input(const uint8_t *data, size_t size)
{
	struct bytes bytes = { data, size };

	read_file_in_memory(&bytes);
	read_pipe(&bytes);
}
