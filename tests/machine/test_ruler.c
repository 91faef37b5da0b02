/* R1 to R3: the pair of clock reads, its linearity, its rate, and the core's
 * frequency. */
#include "quiet.h"

#include "ruler.h"

enum { CALIBRATIONS = 20, RULER_TRIES = 20 };

static const double too_fast = .8; /* of the time of an addition */

static void pair_and_line(struct attempt *attempt)
{
	struct error error = { 0 };
	struct clock_facts facts;

	if (clock_measure(place.cpu, &facts, &error)) {
		wrong(attempt, "%s", error.message);
		return;
	}
	if (facts.source != TICK_COUNTER) {
		printf("timed by CLOCK_MONOTONIC_RAW: %s\n", facts.why);
		return;
	}
	printf("residual %.1f ticks, pair %.0f, quantum %.0f\n", facts.residual,
		facts.overhead, facts.quantum);
	if (fabs(facts.residual) > fmax(10, facts.quantum))
		wrong(attempt, "a residual of %.1f ticks", facts.residual);
	/* It takes 46 ticks on one core and 60 to 63 on another; a trap takes
	 * a thousand. If a counter moves in larger steps, each reading may be
	 * one step off. */
	if (facts.overhead > 100 + (facts.quantum > 2 ? 2 * facts.quantum : 0))
		wrong(attempt, "a pair takes %.0f ticks", facts.overhead);
}

/* Without fences the end of a first call overlaps the work by 50 cycles. */
static void the_kernels_clock_is_fenced(struct attempt *attempt)
{
	static const double most_ns = 5;
	double quantum = clock_quantum(TICK_MONOTONIC_RAW);
	double residual = clock_residual(TICK_MONOTONIC_RAW, quantum, most_ns);

	printf("residual of CLOCK_MONOTONIC_RAW %.1f ns, quantum %.0f\n",
		residual, quantum);
	if (fabs(residual) > fmax(most_ns, quantum))
		wrong(attempt, "a residual of %.1f ns", residual);
}

static void calibrations_agree(struct attempt *attempt)
{
	double least = INFINITY, most = 0, sum = 0, squares = 0;
	double first = 0, error_ppm = 0;

	for (int i = 0; i < CALIBRATIONS; i++) {
		struct error error = { 0 };
		struct clock_facts facts;

		if (clock_measure(place.cpu, &facts, &error)) {
			wrong(attempt, "%s", error.message);
			return;
		}
		/* A counter must be refused in every calibration or in none. */
		if (*facts.why && i && first > 1e9) {
			wrong(attempt, "the counter is refused: %s", facts.why);
			return;
		}
		first = i ? first : facts.hz;
		error_ppm = fmax(error_ppm, facts.hz_error_ppm);
		double off_ppm = (facts.hz / first - 1) * 1e6;
		least = fmin(least, off_ppm);
		most = fmax(most, off_ppm);
		sum += off_ppm;
		squares += off_ppm * off_ppm;
	}
	double mean = sum / CALIBRATIONS;
	double sd = sqrt((squares - mean * sum) / (CALIBRATIONS - 1));
	printf("%d calibrations within %.4f ppm, sd %.4f, said to be %.4f\n",
		CALIBRATIONS, most - least, sd, error_ppm);
	/* A counter with larger steps has a larger reported error. */
	if (most - least > fmax(.2, 2 * error_ppm))
		wrong(attempt, "calibrations differ by %.3f ppm", most - least);
	if (sd > fmax(.05, error_ppm / 2))
		wrong(attempt, "calibrations have an sd of %.3f ppm", sd);
}

/* ---- the core --------------------------------------------------------- */

static void additions_and_multiplications_agree(struct attempt *attempt)
{
	struct error error = { 0 };
	struct clock_facts facts;

	if (clock_measure(place.cpu, &facts, &error)) {
		wrong(attempt, "%s", error.message);
		return;
	}
	printf("core %.2f MHz, a multiplication %.0f cycles\n",
		facts.core_hz * 1e-6, facts.multiply_cycles);
	if (!facts.cycles_trusted)
		wrong(attempt, "additions and multiplications disagree");
}

/* Recent cores execute additions of a constant in no time. As a ruler they
 * would show up to 17 GHz, so they must never agree with multiplications. */
static void a_wrong_ruler_is_refused(struct attempt *attempt)
{
	struct ruler_look look = ruler_look(TICK_COUNTER, RULER_TRIES);
	double add = look.add;

	look.add = ruler_link_ticks(TICK_COUNTER, ruler_constant_adds,
		RULER_TRIES);
	double cycles = ruler_agree(&look);
	printf("an addition of a constant takes %.2f of an addition, %s\n",
		look.add / add, cycles > 0 ? "believed" : "refused");
	if (look.add < too_fast * add && cycles > 0)
		wrong(attempt, "a multiplication of %.0f cycles is believed",
			cycles);
}

int main(void)
{
	static const struct check checks[] = {
		{ "R1: the pair and its line", pair_and_line },
		{ "R1: the kernel's clock is fenced", the_kernels_clock_is_fenced },
		{ "R2: calibrations agree", calibrations_agree },
		{ "R3: two rulers agree", additions_and_multiplications_agree },
		{ "R3: a wrong ruler is refused", a_wrong_ruler_is_refused },
	};

	return run_checks(checks, sizeof checks / sizeof *checks);
}
