/* Packets as a nanosecond pcap file (draft-ietf-opsawg-pcap). */
#include "capture_save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

enum { NS_PER_S = 1000000000 };
#define MAGIC_NS 0xa1b23c4du

struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	int32_t zone;
	uint32_t accuracy, snap_bytes, link_type;
};
_Static_assert(sizeof(struct file_header) == 24, "in the file");

struct record_header {
	uint32_t second, fraction, captured_bytes, wire_bytes;
};
_Static_assert(sizeof(struct record_header) == 16, "in the file");

struct capture_save {
	FILE *file;
	char *path;
};

/* libpcap uses other numbers for some link types internally. */
static uint32_t file_link_type(uint32_t link_type)
{
	return link_type == LINK_RAW_BSD || link_type == LINK_RAW_OPENBSD ?
		LINK_RAW :
		link_type;
}

struct capture_save *capture_save_open(const char *path, uint32_t link_type,
	uint32_t snap_bytes, struct error *error)
{
	/* O_NONBLOCK: open() would wait for the reader of a named pipe. */
	int fd = open(path,
		O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0600);
	if (fd >= 0)
		fcntl(fd, F_SETFL, 0);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (!file) {
		error_set(error, STATUS_OUTPUT, "cannot write %s: %s",
			text_quoted(path).chars, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	const struct file_header header = { MAGIC_NS, 2, 4, 0, 0, snap_bytes,
		file_link_type(link_type) };
	struct capture_save *save = xcalloc(1, sizeof *save);
	save->file = file;
	save->path = xstrdup(path);
	fwrite(&header, sizeof header, 1, file);
	return save;
}

void capture_save_add(struct capture_save *save,
	const struct packet_record *record)
{
	const struct record_header header = {
		(uint32_t)(record->t_ns / NS_PER_S),
		(uint32_t)(record->t_ns % NS_PER_S),
		record->captured_bytes,
		record->wire_bytes,
	};

	fwrite(&header, sizeof header, 1, save->file);
	fwrite(record->bytes, 1, record->captured_bytes, save->file);
}

int capture_save_close(struct capture_save *save, struct error *error)
{
	if (!save)
		return 0;
	int failed = ferror(save->file);
	if (fclose(save->file))
		failed = 1;
	if (failed)
		error_set(error, STATUS_OUTPUT, "cannot write %s: %s",
			text_quoted(save->path).chars, strerror(errno));
	free(save->path);
	free(save);
	return failed ? -1 : 0;
}
