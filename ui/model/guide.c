/* The first three steps of a newcomer. */
#include "guide.h"

#include "kept.h"

static bool has_kept_sessions(void)
{
	struct kept_list list;

	kept_list_read(&list);
	bool any = list.count > 0;
	kept_list_free(&list);
	return any;
}

void guide_begin(struct screen *screen)
{
	const struct settings *settings = &screen->settings;
	struct error ignored;

	screen->guide = settings->guide == GUIDE_ON ? GUIDE_PREDICT :
						      GUIDE_NONE;
	if (settings->there || !settings->path ||
		screen->prompt.history_count || has_kept_sessions())
		return;
	/* Do not begin if the state cannot be saved: the user could not dismiss
	 * the guide permanently. */
	guide_use(screen, true, &ignored);
}

int guide_use(struct screen *screen, bool on, struct error *error)
{
	int failed = settings_keep(&screen->settings, "guide",
		on ? "on" : "off", error);

	screen->guide = on && !failed ? GUIDE_PREDICT : GUIDE_NONE;
	return failed;
}

void guide_done(struct screen *screen, enum guide_step step)
{
	struct error error;

	if (!screen->guide || step < screen->guide ||
		(step == GUIDE_READ && screen->guide != GUIDE_READ))
		return;
	if (step < GUIDE_READ)
		screen->guide = step + 1;
	else if (guide_use(screen, false, &error))
		screen_say(screen, ROLE_WARN, "%s", error.message);
	else
		screen_say(screen, ROLE_TEXT,
			"First steps done. ? lists the keys, 1 to 5 switch "
			"screens.");
}

void guide_say(const struct screen *screen, struct text *text)
{
	const char *name = screen_descriptor(screen)->name;
	bool here = screen->view == VIEW_LAB || screen->view == VIEW_SWEEP;
	/* Who opens a capture does not want to measure. */
	bool reads = screen->view == VIEW_NET &&
		screen->lab->capture_file.annotator;

	if (!screen->guide || reads)
		return;
	text_add(text, "Step %d of 3: ", (int)screen->guide);
	if (!here)
		text_add(text, "press 1 for the Lab.");
	else if (screen->guide == GUIDE_PREDICT)
		text_add(text,
			"press p, type the range you expect, then Enter.");
	else if (screen->guide == GUIDE_READ)
		text_add(text, "press d for all figures and the prediction.");
	else if (lab_busy(screen->lab))
		text_add(text, "the run measures; figures appear as they come.");
	else
		text_add(text, "press r to measure %s.",
			name);
}
