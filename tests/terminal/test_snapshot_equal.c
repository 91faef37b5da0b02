/* `snapshot` draws what the terminal shows. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"
#include "seat.h"

static void read_picture(const char *path, char *into, size_t size)
{
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	into[fread(into, 1, size - 1, file)] = '\0';
	fclose(file);
}

/* Every row but the status sentence, which says that it was saved only when it
 * was. Blanks at the end of a row say nothing. */
static void compare(struct seat *seat, char *picture)
{
	char *rest = picture;

	for (int row = 0; row < seat->rows; row++) {
		char *line = strsep(&rest, "\n");

		assert_non_null(line);
		for (size_t n = strlen(line); n && line[n - 1] == ' '; n--)
			line[n - 1] = '\0';
		if (row != seat->rows - 2)
			assert_string_equal(seat_row(seat, row), line);
	}
}

static void at_size(int columns, int rows)
{
	static char picture[1 << 18];
	struct seat seat;
	char path[256], line[320];

	snprintf(path, sizeof path, "%s/shot-%d.txt", folder, columns);
	snprintf(line, sizeof line, ":snapshot lab %s %dx%d\r", path, columns,
		rows);
	seat_open(&seat,
		&(struct seat_options){ .columns = columns, .rows = rows });
	seat_shows(&seat, SEAT_LIST);
	seat_type(&seat, "jj");
	seat_type(&seat, line);
	seat_shows(&seat, "saved in");
	/* A long name may lie on top of the rest, until the next key. */
	seat_type(&seat, "kj");
	seat_idle(&seat);
	read_picture(path, picture, sizeof picture);
	compare(&seat, picture);
	seat_close(&seat);
}

static void test_r17_snapshot_equals_the_terminal(void **state)
{
	(void)state;
	at_size(80, 24);
	at_size(120, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r17_snapshot_equals_the_terminal),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
