/* Chains of known length, whose loop counter is hidden by the chain's latency;
 * and moments on two clocks. */
#include "ruler.h"

#include <math.h>

#if defined(__x86_64__)
#define LOOP_BEGIN "1:\n\t"
#define LOOP_END   "dec %[n]\n\tjnz 1b"
#define ADD(a, b)  "add %[" b "], %[" a "]\n\t"
#define ADD_ONE(a) "add $1, %[" a "]\n\t"
#define MUL(a, b)  "imul %[" b "], %[" a "]\n\t"
/* Of three bytes: caches of decoded instructions hold few of one byte. */
#define NOP	   "nopl 0(%%rax)\n\t"
#elif defined(__aarch64__)
#define LOOP_BEGIN "1:\n\t"
#define LOOP_END   "subs %[n], %[n], #1\n\tb.ne 1b"
#define ADD(a, b)  "add %[" a "], %[" a "], %[" b "]\n\t"
#define ADD_ONE(a) "add %[" a "], %[" a "], #1\n\t"
#define MUL(a, b)  "mul %[" a "], %[" a "], %[" b "]\n\t"
#define NOP	   "nop\n\t"
#endif

#define REPEAT(count, body) ".rept " count "\n\t" body ".endr\n\t"

void ruler_adds(uint64_t rounds)
{
	uint64_t sum = 1, step = 3;

	__asm__ volatile(LOOP_BEGIN REPEAT("100", ADD("a", "b")) LOOP_END
			 : [a] "+r"(sum), [n] "+r"(rounds)
			 : [b] "r"(step)
			 : "cc");
}

void ruler_multiplies(uint64_t rounds)
{
	uint64_t product = 1, factor = 3;

	__asm__ volatile(LOOP_BEGIN REPEAT("100", MUL("a", "b")) LOOP_END
			 : [a] "+r"(product), [n] "+r"(rounds)
			 : [b] "r"(factor)
			 : "cc");
}

void ruler_nops(uint64_t rounds)
{
	__asm__ volatile(LOOP_BEGIN REPEAT("100", NOP) LOOP_END
			 : [n] "+r"(rounds)
			 :
			 : "cc");
}

void ruler_branches(uint64_t n)
{
	/* Within one line of the instruction cache, at any link address. */
	__asm__ volatile(".p2align 6\n\t" LOOP_BEGIN LOOP_END
			 : [n] "+r"(n)
			 :
			 : "cc");
}

void ruler_links(uint64_t n)
{
	uint64_t sum = 1, step = 3, rounds = n / 64;

	if (!rounds)
		return;
	__asm__ volatile(LOOP_BEGIN REPEAT("64", ADD("a", "b")) LOOP_END
			 : [a] "+r"(sum), [n] "+r"(rounds)
			 : [b] "r"(step)
			 : "cc");
}

void ruler_constant_adds(uint64_t rounds)
{
	uint64_t sum = 1;

	__asm__ volatile(LOOP_BEGIN REPEAT("100", ADD_ONE("a")) LOOP_END
			 : [a] "+r"(sum), [n] "+r"(rounds)
			 :
			 : "cc");
}

/* ---- measuring with them ---------------------------------------------- */

enum { BRACKETS = 15 };

struct moment moment_now(enum tick_source source)
{
	struct moment best = { .half_width = INFINITY };

	for (int i = 0; i < BRACKETS; i++) {
		uint64_t before = tick_now(source);
		uint64_t raw_ns = tick_raw_ns();
		uint64_t after = tick_now(source);
		double half = (double)(after - before) / 2;

		if (half >= best.half_width)
			continue;
		best.half_width = half;
		best.ticks = (double)before + half;
		best.raw_ns = raw_ns;
	}
	return best;
}

double ruler_link_ticks(enum tick_source source, void (*ruler)(uint64_t rounds),
	unsigned tries)
{
	enum { LONG = 120, SHORT = 20 };
	double least[2] = { INFINITY, INFINITY };

	for (unsigned i = 0; i < 2 * tries; i++) {
		uint64_t start = tick_now(source);
		ruler(i % 2 ? LONG : SHORT);
		double taken = (double)(tick_now(source) - start);

		least[i % 2] = fmin(least[i % 2], taken);
	}
	return (least[1] - least[0]) / ((LONG - SHORT) * (double)RULER_ROUND);
}

/* ---- two rulers ------------------------------------------------------- */

/* No core of the last decade multiplies faster (three cycles on x86-64, two on
 * arm64) or slower (Fog, "Instruction tables"; Arm's optimisation guides). */
#if defined(__x86_64__)
#define MULTIPLY_LEAST 3
#else
#define MULTIPLY_LEAST 2
#endif
#define MULTIPLY_MOST 6

static const double disagreement_most = .01;

struct ruler_look ruler_look(enum tick_source source, unsigned tries)
{
	double add = ruler_link_ticks(source, ruler_adds, tries);

	return (struct ruler_look){ add,
		ruler_link_ticks(source, ruler_multiplies, tries) };
}

double ruler_agree(const struct ruler_look *look)
{
	double ratio = look->multiply / look->add, cycles = round(ratio);

	return cycles >= MULTIPLY_LEAST && cycles <= MULTIPLY_MOST &&
			fabs(ratio / cycles - 1) <= disagreement_most ?
		cycles :
		0;
}

double ruler_assume(const struct ruler_look *look)
{
	double cycles = ceil(look->multiply / look->add - .1);

	return fmin(fmax(cycles, MULTIPLY_LEAST), MULTIPLY_MOST);
}
