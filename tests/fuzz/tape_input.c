/* Bytes as an orphaned tape. */
#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "lab.h"
#include "recover.h"
#include "tape.h"

static void must_write(int fd, const void *bytes, size_t size)
{
	must(write(fd, bytes, size) == (ssize_t)size);
}

/* The size of a header on a tape of this build. */
static uint32_t header_bytes(void)
{
	const size_t page = 4096, header = sizeof(struct tape_header);

	return (uint32_t)((header + page - 1) / page * page);
}

static void write_tape(int fd, const uint8_t *data, size_t size)
{
	static struct tape_header header;
	static char padding[8192];
	const uint8_t *end = memchr(data, '\n', size);
	size_t line = end ? (size_t)(end - data) : 0;
	const size_t from = offsetof(struct tape_header, seed);
	size_t count = 0, fixed = 0;

	header = (struct tape_header){
		.magic = "benchtap",
		.version = TAPE_VERSION,
		.header_bytes = header_bytes(),
		.started = "2026-11-23T10:00:00+0000",
	};
	snprintf(header.line, sizeof header.line, "%.*s",
		line < sizeof header.line ? (int)line : 0, (const char *)data);
	data += end ? line + 1 : 0;
	size -= end ? line + 1 : 0;
	if (size >= 2) {
		count = data[0] | (size_t)data[1] << 8;
		data += 2;
		size -= 2;
	}
	fixed = count < size ? count : size;
	if (fixed > sizeof header - from)
		fixed = sizeof header - from;
	memcpy((char *)&header + from, data, fixed);
	header.length = (size - fixed) / sizeof(struct sample);
	must_write(fd, &header, sizeof header);
	must_write(fd, padding, header_bytes() - sizeof header);
	must_write(fd, data + fixed, size - fixed);
}

/* The session is a file that this program reads, and that it can export. */
static void check_session(const struct lab *lab)
{
	struct text json = { 0 };
	struct error error;

	session_write(lab->session, &json);
	struct session *again =
		session_read(json.chars, json.length, "session", &error);
	if (!again)
		fprintf(stderr, "not read again: %s\n", error.message);
	must(again != NULL);
	for (size_t i = 0; i < again->run_count; i++)
		lab_attach(lab, again->runs[i]);
	for (int format = 0; format < EXPORT_PCAP; format++) {
		struct text text = { 0 };

		must(!session_export(again, (enum export_format)format, true,
			&text, &error));
		text_free(&text);
	}
	session_free(again);
	text_free(&json);
}

void tape_input(const uint8_t *data, size_t size)
{
	struct lab *lab = the_lab();
	struct reply reply = { 0 };
	char path[32];
	int fd = file_of(NULL, 0);

	if (size && *data == 0xff)
		must_write(fd, data + 1, size - 1);
	else
		write_tape(fd, data, size);
	path_of(fd, path);
	if (recover_tape(lab, path, &reply) == OUTCOME_DONE)
		check_session(lab);
	else
		must_be_sentence(&reply.error);
	reply_free(&reply);
	close(fd);
	session_free(lab->session);
	lab->session = session_new();
}
