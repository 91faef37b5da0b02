/* The Lab screen, put together. */
#include "draw_histogram.h"
#include "lab_layout.h"
#include "view.h"

int lab_parts(const struct screen *screen, const struct pane *body,
	struct pane *parts)
{
	struct lab_layout layout;
	int count = 0;

	lab_layout(&layout, body, (enum focus)screen->focus[VIEW_LAB]);
	parts[count++] = layout.list;
	parts[count++] = layout.form;
	parts[count++] = layout.plot;
	parts[count++] = layout.strip;
	parts[count++] = layout.result;
	parts[count++] = layout.prediction;
	parts[count++] = layout.about;
	return count;
}

/* The figures must be there before any pane shows them. */
static void refresh_figures(struct screen *screen,
	const struct lab_layout *layout)
{
	int columns = layout->plot.columns > 2 ? layout->plot.columns - 2 : 1;
	int room = histogram_room(columns);

	screen_figures(screen, room > 1 ? room : 1);
}

void lab_draw(struct screen *screen, const struct pane *body)
{
	struct lab_layout layout;

	lab_layout(&layout, body, (enum focus)screen->focus[VIEW_LAB]);
	refresh_figures(screen, &layout);
	view_list(screen, &layout.list);
	view_form(screen, &layout.form);
	view_plot(screen, &layout.plot);
	view_strip(screen, &layout.strip);
	view_result(screen, &layout.result);
	view_prediction(screen, &layout.prediction);
	view_about(screen, &layout.about);
}
