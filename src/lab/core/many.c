/* Many sessions as the screen shows them. */
#include "many.h"

#include <stdlib.h>

#include "fleet_sessions.h"
#include "run_history.h"

static void drop_fleet(struct many *many)
{
	if (many->fleet)
		fleet_sessions_free(many->fleet);
	free(many->fleet);
}

static void drop_history(struct many *many)
{
	if (many->history)
		history_free(many->history);
	free(many->history);
}

void many_keep_fleet(struct many *many, struct fleet_sessions *fleet)
{
	drop_fleet(many);
	many->fleet = fleet;
	many->news = "fleet";
	many->serial++;
}

void many_keep_history(struct many *many, struct history *history)
{
	drop_history(many);
	many->history = history;
	many->news = "history";
	many->serial++;
}

void many_free(struct many *many)
{
	drop_fleet(many);
	drop_history(many);
}
