/* The timed walks: dependent loads only, with the loop's two instructions in
 * parallel. A test disassembles these functions. */
#include "chain.h"

#include <stddef.h>

const char *const unroll_choices[UNROLLS + 1] = { "100", "10", "1", NULL };
const unsigned unroll_loads[UNROLLS] = { 100, 10, 1 };

/* In assembly, so that the compiler adds neither a slower addressing mode nor
 * an instruction of a sanitizer between two loads. */
#if defined(__x86_64__)
#define LOAD_WIDE   "mov (%0), %0"
#define LOAD_NARROW "mov (%q0), %k0"
#elif defined(__aarch64__)
#define LOAD_WIDE   "ldr %x0, [%x0]"
#define LOAD_NARROW "ldr %w0, [%x0]"
#endif

#define WALKER(name, load, times)                                    \
	char *chain_walk_##name##_##times(char *at, uint64_t turns); \
	char *chain_walk_##name##_##times(char *at, uint64_t turns)  \
	{                                                            \
		do                                                   \
			__asm__ volatile(".rept " #times "\n\t" load \
					 "\n\t.endr"                 \
					 : "+r"(at)                  \
					 :                           \
					 : "memory");                \
		while (--turns);                                     \
		return at;                                           \
	}

WALKER(wide, LOAD_WIDE, 100)
WALKER(wide, LOAD_WIDE, 10)
WALKER(wide, LOAD_WIDE, 1)
WALKER(narrow, LOAD_NARROW, 100)
WALKER(narrow, LOAD_NARROW, 10)
WALKER(narrow, LOAD_NARROW, 1)

chain_walker *const chain_walkers[2][UNROLLS] = {
	{ chain_walk_wide_100, chain_walk_wide_10, chain_walk_wide_1 },
	{ chain_walk_narrow_100, chain_walk_narrow_10, chain_walk_narrow_1 },
};
