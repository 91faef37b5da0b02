/* A table of columns that fits the width of its reader. */
#include "check.h"


#include "columns.h"

static void assert_printed(struct columns *table, int width, const char *is)
{
	const struct text_layout layout = { .width = width };
	struct text text = { 0 };

	columns_print(table, &layout, &text);
	assert_string_equal(text_chars(&text), is);
	text_free(&text);
	columns_free(table);
}

static void add_calls(struct columns *table)
{
	size_t call = columns_add(table, "call", COLUMN_LEFT, 0);
	size_t median = columns_add(table, "median", COLUMN_RIGHT, 0);
	size_t cycles = columns_add(table, "cycles", COLUMN_RIGHT, 2);
	size_t alone = columns_add(table, "alone", COLUMN_RIGHT, 1);

	columns_row(table);
	columns_cell(table, call, STYLE_PLAIN, "getppid");
	columns_cell(table, median, STYLE_BOLD, "%.1f ns", 89.5);
	columns_cell(table, cycles, STYLE_PLAIN, "277");
	columns_cell(table, alone, STYLE_PLAIN, "61 %%");
	columns_row(table);
	columns_cell(table, call, STYLE_PLAIN, "read");
	columns_cell(table, median, STYLE_BOLD, "123.7 ns");
}

static void columns_are_as_wide_as_their_cells(void **state)
{
	struct columns table = { 0 };

	add_calls(&table);
	assert_printed(&table, 80,
		"  call       median  cycles  alone\n"
		"  getppid   89.5 ns     277   61 %\n"
		"  read     123.7 ns\n");
}

static void columns_drop_one_after_another(void **state)
{
	struct columns table = { 0 };

	add_calls(&table);
	assert_printed(&table, 33,
		"  call       median  alone\n"
		"  getppid   89.5 ns   61 %\n"
		"  read     123.7 ns\n");
	add_calls(&table);
	assert_printed(&table, 20,
		"  call       median\n"
		"  getppid   89.5 ns\n"
		"  read     123.7 ns\n");
}

static void the_room_that_is_left_is_known(void **state)
{
	const struct text_layout layout = { .width = 40 };
	struct columns table = { 0 };

	add_calls(&table);
	/* 34 columns, and a gap of two. */
	assert_int_equal(columns_fit(&table, &layout), 4);
	columns_free(&table);
}

static void a_sentence_is_broken_below_its_beginning(void **state)
{
	struct columns table = { 0 };

	add_calls(&table);
	columns_row(&table);
	columns_cell(&table, 0, STYLE_PLAIN, "enosys");
	columns_say(&table, 1, "unavailable: the filter ends it");
	assert_printed(&table, 34,
		"  call       median  cycles  alone\n"
		"  getppid   89.5 ns     277   61 %\n"
		"  read     123.7 ns\n"
		"  enosys   unavailable: the filter\n"
		"           ends it\n");
}

static void columns_count_characters(void **state)
{
	struct columns table = { 0 };

	columns_add(&table, "", COLUMN_LEFT, 0);
	columns_add(&table, "", COLUMN_LEFT, 0);
	columns_row(&table);
	columns_cell(&table, 0, STYLE_PLAIN, "\u2588\u2588");
	columns_cell(&table, 1, STYLE_PLAIN, "a");
	columns_row(&table);
	columns_cell(&table, 0, STYLE_PLAIN, "\u2588");
	columns_cell(&table, 1, STYLE_PLAIN, "b");
	assert_printed(&table, 80,
		"  \u2588\u2588  a\n"
		"  \u2588   b\n");
}

static void colour_takes_no_column(void **state)
{
	const struct text_layout layout = { .width = 80, .colour = true };
	struct columns table = { 0 };
	struct text text = { 0 };

	columns_add(&table, "", COLUMN_RIGHT, 0);
	columns_add(&table, "", COLUMN_LEFT, 0);
	columns_row(&table);
	columns_cell(&table, 0, STYLE_BOLD, "1 ns");
	columns_cell(&table, 1, STYLE_GOOD, "good");
	columns_row(&table);
	columns_cell(&table, 0, STYLE_PLAIN, "10 ns");
	columns_print(&table, &layout, &text);
	assert_string_equal(text_chars(&text),
		"   \033[1m1 ns\033[0m  \033[32mgood\033[0m\n"
		"  10 ns\n");
	text_free(&text);
	columns_free(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_cells),
		cmocka_unit_test(columns_drop_one_after_another),
		cmocka_unit_test(the_room_that_is_left_is_known),
		cmocka_unit_test(a_sentence_is_broken_below_its_beginning),
		cmocka_unit_test(columns_count_characters),
		cmocka_unit_test(colour_takes_no_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
