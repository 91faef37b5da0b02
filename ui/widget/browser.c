/* Sessions listed. */
#include "browser.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "draw_table.h"
#include "file.h"
#include "fit.h"
#include "lab.h"
#include "memory.h"
#include "peek.h"

enum {
	HEAD = 2048,
	LISTED_MOST = 500,
	WHEN = 20,
	KIND_AND_SIZE = 22,
	BROAD = 100
};

/* ---- reading ---------------------------------------------------------- */

/* The value of a member of text near the head of a file, as a label: escapes
 * are not resolved. */
static void add_member(const char *head, const char *name, struct text *text)
{
	struct text key = { 0 };

	text_add(&key, "\"%s\":", name);
	const char *found = strstr(head, key.chars);
	if (found) {
		const char *value = found + key.length;

		value += strspn(value, " \"");
		size_t length = strcspn(value, "\"\\\n");
		if (length && text->length)
			text_add(text, ", ");
		text_add_safe(text, value, length);
	}
	text_free(&key);
}

static struct browsed *add(struct browser *browser)
{
	ARRAY_GROW(browser->list, browser->count);
	browser->list[browser->count] =
		(struct browsed){ .machine = xstrdup("") };
	return &browser->list[browser->count++];
}

/* Is it a session? Only its head is looked at. */
static void add_file(struct browser *browser, const char *path, int kind)
{
	char head[HEAD];
	struct stat is;
	struct text machine = { 0 };

	if (stat(path, &is) || !S_ISREG(is.st_mode) ||
		!peek_bytes("", head, sizeof head, "%s", path) ||
		!strstr(head, "\"benchtop-session\""))
		return;
	add_member(head, "hostname", &machine);
	add_member(head, "cpu", &machine);
	struct browsed *file = add(browser);
	free(file->machine);
	*file = (struct browsed){ .kind = kind,
		.name = xstrdup(path),
		.machine = xstrdup(text_chars(&machine)),
		.changed = is.st_mtime,
		.size_bytes = (double)is.st_size };
	text_free(&machine);
}

static int by_age(const void *a, const void *b)
{
	const struct browsed *one = a, *other = b;

	if (one->changed != other->changed)
		return one->changed < other->changed ? 1 : -1;
	return strcmp(other->name, one->name);
}

/* Sessions of a folder, the newest first; but the file that the lab itself
 * writes, which is the present session. */
static void add_folder(struct browser *browser, const char *folder, int kind,
	const struct lab *lab)
{
	static const char ending[] = ".json";
	size_t first = browser->count;
	DIR *dir = opendir(*folder ? folder : ".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) &&
		browser->count - first < LISTED_MOST) {
		struct text path = { 0 };
		size_t length = strlen(entry->d_name);

		text_add(&path, "%s%s%s", folder, *folder ? "/" : "",
			entry->d_name);
		if (length > strlen(ending) &&
			!strcmp(entry->d_name + length - strlen(ending),
				ending) &&
			(!lab->autosave || strcmp(path.chars, lab->autosave)))
			add_file(browser, path.chars, kind);
		text_free(&path);
	}
	if (dir)
		closedir(dir);
	if (browser->count > first)
		qsort(browser->list + first, browser->count - first,
			sizeof *browser->list, by_age);
}

static void add_published(struct browser *browser)
{
	for (size_t i = 0; published_names[i]; i++) {
		struct error error;
		char *path = published_path(published_names[i], &error);
		size_t before = browser->count;

		if (!path)
			continue;
		add_file(browser, path, BROWSED_PUBLISHED);
		if (browser->count > before) {
			struct browsed *last = &browser->list[before];

			free(last->name);
			last->name = xstrdup(published_names[i]);
		}
		free(path);
	}
}

void browser_read(struct browser *browser, const struct lab *lab)
{
	size_t selected = browser->selected;
	struct text folder = { 0 };
	char *state = folder_state();

	browser_free(browser);
	add(browser)->kind = BROWSED_PRESENT;
	add_folder(browser, "", BROWSED_FILE, lab);
	if (state) {
		text_add(&folder, "%s/sessions", state);
		add_folder(browser, folder.chars, BROWSED_AUTOSAVED, lab);
	}
	add_published(browser);
	browser->selected =
		selected < browser->count ? selected : browser->count - 1;
	text_free(&folder);
	free(state);
}

void browser_free(struct browser *browser)
{
	for (size_t i = 0; i < browser->count; i++) {
		free(browser->list[i].name);
		free(browser->list[i].machine);
	}
	free(browser->list);
	*browser = (struct browser){ 0 };
}

/* ---- drawing ---------------------------------------------------------- */

/* The name of a file without its folder, safe for a terminal. */
static void say_name(const struct browsed *session, struct text *text)
{
	const char *slash = session->name ? strrchr(session->name, '/') : NULL;
	const char *name = slash ? slash + 1 : session->name;

	if (name)
		text_add_safe(text, name, strlen(name));
	else
		text_add(text, "this session");
}

static void add_row(struct table *table, const struct browsed *session,
	int room)
{
	static const char *const kinds[] = { "present", "file", "autosaved",
		"published" };
	struct text name = { 0 }, size = { 0 }, machine = { 0 };
	char when[20] = "";
	struct tm local;

	say_name(session, &name);
	fit_words(&machine, session->machine, room);
	if (session->kind == BROWSED_FILE ||
		session->kind == BROWSED_AUTOSAVED) {
		localtime_r(&session->changed, &local);
		strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
		unit_show(&size, UNIT_BYTES, session->size_bytes);
	}
	table_cell(table, ROLE_TEXT, "%s", text_chars(&name));
	table_cell(table, ROLE_DIM, "%s", when);
	table_cell(table, ROLE_TEXT, "%s", text_chars(&machine));
	table_cell(table, ROLE_DIM, "%s", kinds[session->kind]);
	table_cell(table, ROLE_DIM, "%s", text_chars(&size));
	text_free(&name);
	text_free(&size);
	text_free(&machine);
}

static int widest_name(const struct browser *browser)
{
	int most = 0;

	for (size_t i = 0; i < browser->count; i++) {
		struct text name = { 0 };

		say_name(&browser->list[i], &name);
		int columns = text_columns(text_chars(&name));
		most = columns > most ? columns : most;
		text_free(&name);
	}
	return most;
}

/* What the other columns leave; the last two go where it is narrow. */
static int room_of_machine(const struct browser *browser, int columns)
{
	return columns - widest_name(browser) - WHEN -
		(columns >= BROAD ? KIND_AND_SIZE : 0);
}

void browser_draw(const struct browser *browser, const struct pane *pane)
{
	struct pane rows = pane_part(pane, 1, 0, -1, pane->rows);
	struct table table = { .columns = 5, .right = 1u << 4 };
	size_t room = rows.rows > 1 ? (size_t)rows.rows - 1 : 0;
	size_t first = browser->selected >= room && room ?
		browser->selected - room + 1 :
		0;

	table_cell(&table, ROLE_DIM, "session");
	table_cell(&table, ROLE_DIM, "changed");
	table_cell(&table, ROLE_DIM, "machine");
	table_cell(&table, ROLE_DIM, "kind");
	table_cell(&table, ROLE_DIM, "size");
	for (size_t i = 0; i < browser->count; i++)
		add_row(&table, &browser->list[i],
			room_of_machine(browser, rows.columns));
	draw_table(&table, &rows, first);
	table_free(&table);
	for (size_t i = first; i < browser->count && i - first < room; i++) {
		int row = (int)(i - first) + 1;

		pane_spot(&rows, 0, row, rows.columns, "choose %zu", i + 1);
		if (i != browser->selected)
			continue;
		pane_role(&rows, 0, row, rows.columns, ROLE_SELECT);
		pane_cursor(&rows, 0, row);
	}
}
