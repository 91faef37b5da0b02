/* A grid for drawing widgets. */
#include "widgets.h"

struct grid grid;

struct pane fresh(int columns, int rows, enum tier tier)
{
	grid_reset(&grid, columns, rows, tier);
	return pane_whole(&grid);
}

char *dumped(void)
{
	static struct text text;

	text_clear(&text);
	grid_dump(&grid, &text);
	return text.chars;
}

int free_grid(void **state)
{
	grid_free(&grid);
	return 0;
}

double draw(uint32_t *seed, double least, double most)
{
	*seed = *seed * 1664525u + 1013904223u;
	return least + (most - least) * (*seed >> 8) / (double)(1 << 24);
}

int count_role(enum role role)
{
	int count = 0;

	for (int i = 0; i < grid.columns * grid.rows; i++)
		count +=
			grid.cells[i].role == role && grid.cells[i].code != ' ';
	return count;
}
