/* The fixture's lab with a screen. */
#include "fixture.h"

#include <locale.h>

void fixture_open_list(struct lab *lab, struct screen *screen,
	const struct experiment *const *list)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	lab_init(lab, list);
	lab->screen = screen;
	verbs_add(lab);
	ui_add_commands(lab);
	screen_init(screen, lab);
}

void fixture_open(struct lab *lab, struct screen *screen)
{
	fixture_open_list(lab, screen, fixture_list);
}

/* Makes a run the active one, without advancing it; NULL: none. */
void fixture_going(struct lab *lab, struct run *run)
{
	static const struct activity nothing;

	lab->run = run;
	lab->activity = run ? &nothing : NULL;
}

void fixture_select(struct screen *screen, const char *name)
{
	for (size_t i = 0; i < screen->item_count; i++) {
		screen->selected = i;
		if (!screen->items[i].group &&
			!strcmp(screen_descriptor(screen)->name, name))
			return;
	}
	fail_msg("no experiment '%s' in the list", name);
}

void fixture_type(struct screen *screen, const char *chars)
{
	for (; *chars; chars++) {
		char key[2] = { *chars, '\0' };

		screen_key(screen, *chars == ' ' ? "Space" : key,
			(uint32_t)*chars);
	}
}

bool fixture_in_diet(uint32_t code)
{
	return (code >= 0x20 && code < 0x7f) ||
		(code >= 0x2500 && code <= 0x259f) ||
		(code >= 0x2800 && code <= 0x28ff) || code == 0x25b4 ||
		code == 0x25be || code == 0x25c2 || code == 0x25b8;
}

void fixture_close(struct lab *lab, struct screen *screen)
{
	screen_release(screen);
	lab_release(lab);
}

int fixture_home(void **state)
{
	static char home[] = "/dev/shm/benchtop-screens-XXXXXX";

	*state = mkdtemp(home);
	setenv("HOME", home, 1);
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	return *state ? 0 : -1;
}

int fixture_away(void **state)
{
	struct text command = { 0 };

	text_add(&command, "rm -rf %s", (char *)*state);
	int failed = system(command.chars);
	text_free(&command);
	return failed;
}
