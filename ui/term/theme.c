/* The appearance of each role in each theme. */
#include "theme.h"

#include "text.h"

/* The four colours of a plot and the terminal's own, as numbers of the
 * 256-colour cube and of the eight basic colours. */
enum hue { OWN, BLUE, AMBER, CRIMSON, VIOLET, HUES };

static const int16_t cube[][HUES] = {
	[THEME_ANY] = { -1, 68, 136, 161, 93 },
	[THEME_DARK] = { -1, 110, 214, 203, 135 },
	[THEME_LIGHT] = { -1, 25, 94, 125, 93 },
};
static const int16_t eight[HUES] = { -1, 4, 3, 1, 5 };

static const struct {
	enum hue hue;
	uint8_t attributes;
} styles[ROLES] = {
	[ROLE_TEXT] = { OWN, 0 },
	[ROLE_DIM] = { OWN, LOOK_DIM },
	[ROLE_STRONG] = { OWN, LOOK_BOLD },
	[ROLE_FRAME] = { OWN, LOOK_DIM },
	[ROLE_KEY] = { OWN, LOOK_BOLD },
	[ROLE_SELECT] = { OWN, LOOK_REVERSE },
	[ROLE_GOOD] = { BLUE, 0 },
	[ROLE_WARN] = { AMBER, LOOK_BOLD },
	[ROLE_BAD] = { CRIMSON, LOOK_BOLD },
	[ROLE_SERIES] = { BLUE, 0 },
	[ROLE_SERIES_2] = { AMBER, 0 },
	[ROLE_SERIES_3] = { CRIMSON, 0 },
	[ROLE_SERIES_4] = { VIOLET, 0 },
	[ROLE_FLAGGED] = { AMBER, 0 },
	[ROLE_PREDICTED] = { VIOLET, LOOK_BOLD },
};

/* Without colour, flagged values are underlined instead. */
static uint8_t mono(enum role role)
{
	uint8_t attributes = styles[role].attributes;

	return role == ROLE_FLAGGED ? attributes | LOOK_UNDERLINE : attributes;
}

static uint8_t high(enum role role)
{
	uint8_t attributes = mono(role);

	if (role == ROLE_DIM || role == ROLE_FRAME)
		return 0;
	return role == ROLE_TEXT ? 0 : attributes | LOOK_BOLD;
}

struct look theme_look(enum theme theme, enum role role)
{
	enum hue hue = styles[role].hue;

	if (theme == THEME_MONO)
		return (struct look){ -1, -1, mono(role) };
	if (theme == THEME_HIGH)
		return (struct look){ -1, -1, high(role) };
	return (struct look){ cube[theme][hue], eight[hue],
		styles[role].attributes };
}

void theme_rgb(int colour256, uint8_t rgb[3])
{
	static const uint8_t levels[] = { 0, 95, 135, 175, 215, 255 };
	int place = colour256 - 16;

	rgb[0] = levels[place / 36 % 6];
	rgb[1] = levels[place / 6 % 6];
	rgb[2] = levels[place % 6];
}

const char *const theme_names[] = { "any", "dark", "light", "mono", "high",
	NULL };

const char *theme_name(enum theme theme)
{
	return theme < THEMES ? theme_names[theme] : "";
}

enum theme theme_named(const char *name)
{
	return (enum theme)text_index(name, theme_names, THEMES);
}
