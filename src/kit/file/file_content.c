/* The content of test files. */
#include "file_content.h"

#include <string.h>

#include "splitmix.h"

static uint64_t word_of(uint64_t seed, uint64_t offset)
{
	return splitmix_mixed(seed + (offset / 8 + 1) * SPLITMIX_STEP);
}

void file_content(uint64_t seed, uint64_t offset, void *into, size_t length)
{
	char *at = into;

	for (size_t i = 0; i < length; i += 8) {
		uint64_t word = word_of(seed, offset + i);
		size_t left = length - i;

		memcpy(at + i, &word, left < 8 ? left : 8);
	}
}

bool file_content_same(uint64_t seed, uint64_t offset, const void *bytes,
	size_t length)
{
	const char *at = bytes;

	for (size_t i = 0; i < length; i += 8) {
		uint64_t word = word_of(seed, offset + i);
		size_t left = length - i;

		if (memcmp(at + i, &word, left < 8 ? left : 8) != 0)
			return false;
	}
	return true;
}
