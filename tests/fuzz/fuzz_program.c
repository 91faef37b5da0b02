/* An input for libFuzzer: the build defines INPUT as its function. */
#include "inputs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	INPUT(data, size);
	return 0;
}
