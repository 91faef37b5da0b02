/* Bytes as a capture file, which the capture helper reads. */
#include "inputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "read_file.h"
#include "text.h"

/* A small compressed file may have a gigabyte. */
enum { COMPRESSED_MOST = 1024, RECORD_LEAST = 16 };

struct seen {
	bool ready, over;
	uint64_t packets;
};

static void check_sentence(const char *chars, size_t length)
{
	struct text sentence = { 0 };

	must(length > 0);
	text_add_chars(&sentence, chars, length);
	must_be_safe(&sentence, "");
	text_free(&sentence);
}

static void check_record(const struct capture_header *header,
	const char *bytes, struct seen *seen)
{
	must(!seen->over);
	switch (header->kind) {
	case CAPTURE_READY:
		must(header->wire_bytes == CAPTURE_VERSION);
		seen->ready = true;
		return;
	case CAPTURE_PACKET:
		must(seen->ready && header->stamp <= 3);
		must(header->byte_count == output_kept(header->captured_bytes));
		seen->packets++;
		return;
	case CAPTURE_FAILED:
		check_sentence(bytes, header->byte_count);
		break;
	default:
		must(header->kind == CAPTURE_END);
	}
	seen->over = true;
}

/* Whole records, of which the last is the end. Returns the number of
 * packets. */
static uint64_t check_records(const char *bytes, size_t size)
{
	struct seen seen = { .packets = 0 };

	while (size) {
		const struct capture_header *header = (const void *)bytes;

		must(size >= sizeof *header && capture_is_possible(header));
		size_t whole =
			sizeof *header + capture_padded(header->byte_count);
		must(size >= whole);
		check_record(header, bytes + sizeof *header, &seen);
		bytes += whole;
		size -= whole;
	}
	must(seen.over);
	return seen.packets;
}

/* Puts a file in the place of a descriptor, and returns the old one. */
static int replace(int fd, int file)
{
	int kept = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	must(kept >= 0 && dup2(file, fd) == fd);
	close(file);
	return kept;
}

static uint64_t check_output(int fd)
{
	struct stat is;

	must(!fstat(fd, &is) && is.st_size > 0);
	size_t size = (size_t)is.st_size;
	char *bytes = malloc(size);
	must(bytes && pread(fd, bytes, size, 0) == (ssize_t)size);
	uint64_t packets = check_records(bytes, size);
	free(bytes);
	return packets;
}

static bool is_compressed(const uint8_t *data, size_t size)
{
	return size >= 4 && (!memcmp(data, "\x1f\x8b", 2) ||
				    !memcmp(data, "\x28\xb5\x2f\xfd", 4));
}

void capture_input(const uint8_t *data, size_t size)
{
	bool compressed = is_compressed(data, size);

	if (compressed && size > COMPRESSED_MOST)
		return;
	int in = replace(STDIN_FILENO, file_of(data, size));
	int out = replace(STDOUT_FILENO, file_of("", 0));
	read_file();
	uint64_t packets = check_output(STDOUT_FILENO);
	must(compressed || packets <= size / RECORD_LEAST);
	close(replace(STDIN_FILENO, in));
	close(replace(STDOUT_FILENO, out));
}
