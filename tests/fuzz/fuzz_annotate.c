/* The annotator for libFuzzer: see tests/README.md on how to run it. */
#include <stdint.h>

#include "annotate_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	annotate_input(data, size);
	return 0;
}
