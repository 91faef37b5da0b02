/* Chance by number. */
#include "relay_draw.h"

static uint64_t mixed(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint64_t step(uint64_t from, uint64_t count)
{
	return mixed(from + (count + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t relay_key(uint64_t seed, unsigned direction,
	enum relay_purpose purpose)
{
	return step(mixed(seed), direction * RELAY_PURPOSES + purpose);
}

bool relay_draw(uint64_t key, uint64_t index, double share)
{
	return (double)(step(key, index) >> 11) * 0x1p-53 < share;
}
