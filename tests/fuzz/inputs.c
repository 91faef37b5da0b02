/* What the inputs share. */
#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"
#include "text.h"

void must(bool holds)
{
	if (!holds)
		abort();
}

static bool is_one_of(unsigned code, const char *characters)
{
	return code && code < 0x80 && strchr(characters, (int)code);
}

static void must_be_harmless(const char *chars, size_t length,
	const char *allowed)
{
	unsigned code;

	for (size_t at = 0; at < length;) {
		size_t size = utf8_read(chars + at, length - at, &code);

		if (!size ||
			(text_is_unsafe(code) && !is_one_of(code, allowed))) {
			fprintf(stderr, "unsafe at byte %zu: %.*s\n", at,
				(int)(length - at < 80 ? length - at : 80),
				chars + at);
			abort();
		}
		at += size;
	}
}

void must_be_sentence(const struct error *error)
{
	must(error->status != STATUS_OK);
	must(*error->message);
	must_be_harmless(error->message, strlen(error->message), "");
}

void must_be_safe(const struct text *text, const char *allowed)
{
	must_be_harmless(text->chars, text->length, allowed);
}

int file_of(const void *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	must(fd >= 0);
	must(pwrite(fd, data, size, 0) == (ssize_t)size);
	return fd;
}

void path_of(int fd, char path[32])
{
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}
