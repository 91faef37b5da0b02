/* Marks and their legend. */
#include "row_marks.h"

#include "digest.h"
#include "wrap.h"

enum mark { ROUGH, SHARED, FEW, BELOW, EXCLUDED, UNVERIFIED, CYCLES, MARKS };

static const struct {
	const char *mark, *says;
} marks[MARKS] = {
	[ROUGH] = { "~", "rough: wide interval, or trials that never settled" },
	[SHARED] = { "s", "shared core: beside a co-runner or other tasks" },
	[FEW] = { "?", "not enough data: fewer than 6 launches, or a "
		"wide interval" },
	[BELOW] = { "<", "below the clock's resolution" },
	[EXCLUDED] = { "x", "all trials excluded: median of these" },
	[UNVERIFIED] = { "*", "partly unverified" },
	[CYCLES] = { "c", "interval of the cycles: the core's frequency "
		"changed" },
};

static enum mark mark_of(const struct point *point, const struct digest *digest)
{
	static const enum mark of[QUALITIES] = {
		[QUALITY_GOOD] = MARKS,
		[QUALITY_ROUGH] = ROUGH,
		[QUALITY_SHARED_CORE] = SHARED,
		[QUALITY_NOT_ENOUGH] = FEW,
	};

	if (!digest->summary.trials)
		return EXCLUDED;
	if (digest->quality == QUALITY_NOT_ENOUGH)
		return FEW;
	if (digest->below_resolution)
		return BELOW;
	if (digest->quality == QUALITY_GOOD && point->why)
		return UNVERIFIED;
	return of[digest->quality];
}

const char *row_mark(const struct point *point, const struct digest *digest,
	unsigned *seen)
{
	enum mark mark = mark_of(point, digest);

	if (mark == MARKS)
		return "";
	*seen |= 1u << mark;
	return marks[mark].mark;
}

const char *half_mark(const struct digest *digest, unsigned *seen)
{
	if (!digest->by_cycles)
		return "";
	*seen |= 1u << CYCLES;
	return " c";
}

void print_marks(unsigned seen, const struct text_layout *layout,
	struct text *text)
{
	struct text line = { 0 };

	for (int i = 0; i < MARKS; i++)
		if (seen & (1u << i))
			text_add(&line, "%s%s %s", line.length ? "; " : "",
				marks[i].mark, marks[i].says);
	if (line.length) {
		text_add(text, "\n  ");
		wrap(text, line.chars, 2, layout->width);
	}
	text_free(&line);
}
