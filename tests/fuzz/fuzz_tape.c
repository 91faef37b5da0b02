/* Orphaned tapes for libFuzzer: see tests/README.md on how to run it. */
#include "tape_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	tape_input(data, size);
	return 0;
}
