/* The content of test files. */
#include "file_content.h"

#include <string.h>

static uint64_t word_of(uint64_t seed, uint64_t offset)
{
	uint64_t mixed = seed + (offset / 8 + 1) * 0x9e3779b97f4a7c15u;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
	return mixed ^ mixed >> 31;
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
