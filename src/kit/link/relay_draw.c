/* Random decisions by packet index. */
#include "relay_draw.h"

#include "splitmix.h"

static uint64_t step(uint64_t from, uint64_t count)
{
	return splitmix_mixed(from + (count + 1) * SPLITMIX_STEP);
}

uint64_t relay_key(uint64_t seed, unsigned direction,
	enum relay_purpose purpose)
{
	return step(splitmix_mixed(seed), direction * RELAY_PURPOSES + purpose);
}

bool relay_draw(uint64_t key, uint64_t index, double share)
{
	return (double)(step(key, index) >> 11) * 0x1p-53 < share;
}
