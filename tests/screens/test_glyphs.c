/* The glyphs of each tier, in the order of enum glyph. */
#include "glyphs.h"

#include "check.h"
#include "text.h"

static const char *const drawn[TIERS] = {
	[TIER_BRAILLE] = "─│┌┐└┘┤┬├┤▾▸▴▾◂▸═╤█▒░▓┊▀▔",
	[TIER_BLOCK] = "─│┌┐└┘┤┬├┤▾▸▴▾◂▸═╤█▒░▓┊▀▔",
	[TIER_CONSOLE] = "─│┌┐└┘┤┬├┤v>^v<>═╤█▒░▓:▀▀",
	[TIER_ASCII] = "-|++++++++v>^v<>=+#=.%:\"'",
};

static void test_glyphs(void **state)
{
	for (enum tier tier = 0; tier < TIERS; tier++) {
		char bytes[GLYPHS * 4 + 1];
		size_t length = 0;

		for (enum glyph glyph = 0; glyph < GLYPHS; glyph++)
			length += utf8_write(glyph_code(tier, glyph),
				bytes + length);
		bytes[length] = '\0';
		assert_string_equal(bytes, drawn[tier]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glyphs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
