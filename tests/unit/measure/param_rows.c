/* The table of parameters that the tests share. */
#include "param_rows.h"

static const char *const calls[] = { "getppid", "getpid", "times", NULL };

static int64_t reach_of_rows(void)
{
	return 9000;
}

const struct param rows[] = {
	[SIZE] = { .name = "size",
		.preset = "8M",
		.unit = UNIT_BYTES,
		.min = 0,
		.max = 0x1p40,
		WHOLE_FIELD(struct args, size) },
	[CPU] = { .name = "cpu",
		.preset = "auto",
		.unit = UNIT_COUNT,
		.min = 1,
		.max = 1023,
		.automatic = true,
		WHOLE_FIELD(struct args, cpu) },
	[COUNT] = { .name = "count",
		.preset = "1",
		.unit = UNIT_COUNT,
		.min = 0,
		.max = 0x1p63,
		WHOLE_FIELD(struct args, count) },
	[TIME] = { .name = "time",
		.preset = "1s",
		.unit = UNIT_NS,
		.min = 0,
		.max = 1e13,
		WHOLE_FIELD(struct args, time_ns) },
	[SHARE] = { .name = "share",
		.preset = "1%",
		.unit = UNIT_PERCENT,
		.min = 0,
		.max = 1,
		.automatic = true,
		REAL_FIELD(struct args, share) },
	[RATIO] = { .name = "ratio",
		.preset = "0",
		.unit = UNIT_NONE,
		.min = -10,
		.max = (double)INFINITY,
		REAL_FIELD(struct args, ratio) },
	[CALL] = { .name = "call",
		.preset = "getppid",
		.choices = calls,
		CHOICE_FIELD(struct args, call) },
	[PATH] = { .name = "path",
		.preset = "",
		TEXT_FIELD(struct args, path) },
	[REACH] = { .name = "reach",
		.preset = "1K",
		.unit = UNIT_BYTES,
		.min = 256,
		.max = 0x1p40,
		.range_end = reach_of_rows,
		WHOLE_FIELD(struct args, reach) },
	[ROWS] = { .name = NULL },
};

char *values_of(const struct param_set *set, int row)
{
	struct text text = { 0 };
	struct param_set one = { &set->rows[row], 1, &set->values[row] };

	for (size_t i = 0; i < param_set_points(&one); i++) {
		text_add(&text, i ? " " : "");
		param_set_text(&one, i, 0, &text);
	}
	return text_take(&text);
}
