/* Euclid's greatest common divisor. */
#include "quantum.h"

uint64_t quantum_join(uint64_t quantum, uint64_t difference)
{
	while (difference) {
		uint64_t rest = quantum % difference;

		quantum = difference;
		difference = rest;
	}
	return quantum;
}
