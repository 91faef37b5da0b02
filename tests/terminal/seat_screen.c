/* A seat: what the terminal shows. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "check.h"
#include "seat_internal.h"

static const char mark_begin[] = "\033]7777;";

/* ---- painting --------------------------------------------------------- */

static int set_property(VTermProp property, VTermValue *value, void *user)
{
	struct seat *seat = user;

	if (property == VTERM_PROP_ALTSCREEN)
		seat->alternate = value->boolean;
	else if (property == VTERM_PROP_CURSORVISIBLE)
		seat->cursor_shown = value->boolean;
	else if (property == VTERM_PROP_MOUSE)
		seat->mouse = value->number;
	return 1;
}

/* libvterm's output: reports of keys, or answers to queries. */
static void answer(const char *bytes, size_t count, void *user)
{
	struct seat *seat = user;

	seat->said++;
	seat_send(seat, bytes, count);
}

void seat_make_screen(struct seat *seat)
{
	static const VTermScreenCallbacks callbacks = {
		.settermprop = set_property,
	};

	seat->term = vterm_new(seat->rows, seat->columns);
	vterm_set_utf8(seat->term, 1);
	vterm_output_set_callback(seat->term, answer, seat);
	seat->screen = vterm_obtain_screen(seat->term);
	vterm_screen_enable_altscreen(seat->screen, 1);
	vterm_screen_set_callbacks(seat->screen, &callbacks, seat);
	vterm_screen_reset(seat->screen, 1);
}

static void take_mark(struct seat *seat, const char *mark)
{
	struct mark got = { .serial = seat->mark.serial + 1 };
	int status;

	if (sscanf(mark, "\033]7777;was;%d\a", &status) == 1) {
		seat_became(seat, status);
		return;
	}
	assert_int_equal(
		sscanf(mark, "\033]7777;idle;%lu;%lu;%d;%d;%" SCNu64 "\a",
			&got.keys, &got.frames, &got.columns, &got.rows,
			&got.drawing_ns),
		5);
	got.at_ns = seat->read_ns;
	seat->mark = got;
	seat->amid_frame = false;
	seat->mark_bytes += strcspn(mark, "\a") + 1;
}

static void paint(struct seat *seat, const char *bytes, size_t count)
{
	text_add_chars(&seat->log, bytes, count);
	seat->amid_frame = seat->mark.serial > 0;
	vterm_input_write(seat->term, bytes, count);
}

/* Processes one piece of the pending output, up to the next escape or the end
 * of a mark. Returns its bytes, or 0 if the rest has not arrived. */
static size_t take_piece(struct seat *seat, const char *at, size_t count,
	bool *marked)
{
	const char *escape = memchr(at, '\033', count);
	size_t whole = sizeof mark_begin - 1;

	if (escape != at) {
		size_t plain = escape ? (size_t)(escape - at) : count;

		paint(seat, at, plain);
		return plain;
	}
	if (strncmp(at, mark_begin, count < whole ? count : whole)) {
		paint(seat, at, 1);
		return 1;
	}
	const char *bell = memchr(at, '\a', count);
	if (!bell)
		return 0;
	take_mark(seat, at);
	*marked = true;
	return (size_t)(bell - at) + 1;
}

bool seat_advance(struct seat *seat)
{
	struct text *pending = &seat->pending;
	size_t used = 0, taken = 1;
	bool marked = false;

	while (used < pending->length && taken && !marked) {
		taken = take_piece(seat, pending->chars + used,
			pending->length - used, &marked);
		used += taken;
	}
	struct text rest = { 0 };
	text_add_chars(&rest, text_chars(pending) + used,
		pending->length - used);
	text_free(pending);
	*pending = rest;
	return marked;
}

/* ---- inspecting ------------------------------------------------------- */

VTermScreenCell seat_cell(struct seat *seat, int column, int row)
{
	VTermScreenCell cell;
	VTermPos at = { .row = row, .col = column };

	assert_true(vterm_screen_get_cell(seat->screen, at, &cell));
	return cell;
}

const char *seat_row(struct seat *seat, int row)
{
	static char line[4096];
	VTermRect rect = { .start_row = row,
		.end_row = row + 1,
		.start_col = 0,
		.end_col = seat->columns };
	size_t length = vterm_screen_get_text(seat->screen, line,
		sizeof line - 1, rect);

	while (length && line[length - 1] == ' ')
		length--;
	line[length] = '\0';
	return line;
}

bool seat_find(struct seat *seat, const char *words, int *column, int *row)
{
	for (int i = 0; i < seat->rows; i++) {
		const char *line = seat_row(seat, i);
		const char *found = strstr(line, words);

		if (!found)
			continue;
		if (row)
			*row = i;
		if (column)
			*column = 0;
		for (const char *at = line; column && at < found; at++)
			*column += (*at & 0xc0) != 0x80;
		return true;
	}
	return false;
}

void seat_cursor(struct seat *seat, int *column, int *row)
{
	VTermPos at;

	vterm_state_get_cursorpos(vterm_obtain_state(seat->term), &at);
	*column = at.col;
	*row = at.row;
}

bool seat_logged(const struct seat *seat, const char *bytes)
{
	return strstr(text_chars(&seat->log), bytes) != NULL;
}

/* True if `on` was sent after the last `off`: the mode is on. */
static bool left_on(const struct seat *seat, const char *on, const char *off)
{
	const char *chars = text_chars(&seat->log);
	const char *last_on = NULL, *last_off = NULL;

	for (const char *at = chars; (at = strstr(at, on)); at++)
		last_on = at;
	for (const char *at = chars; (at = strstr(at, off)); at++)
		last_off = at;
	return last_on && (!last_off || last_off < last_on);
}

bool seat_mouse_on(const struct seat *seat)
{
	return left_on(seat, "\033[?1006;1000h", "\033[?1006;1000l") ||
		left_on(seat, "\033[?1000h", "\033[?1000l");
}

bool seat_marks_pastes(const struct seat *seat)
{
	return left_on(seat, "\033[?2004h", "\033[?2004l");
}

struct termios seat_settings(struct seat *seat)
{
	struct termios settings;

	/* On Linux tcgetattr() of the master returns the settings of the
	 * slave. */
	assert_int_equal(tcgetattr(seat->master, &settings), 0);
	return settings;
}

/* Does the process belong to the session? */
static bool of_session(const char *process, pid_t session)
{
	char path[64], line[512];
	int leader;
	char state;

	snprintf(path, sizeof path, "/proc/%.20s/stat", process);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	char *got = fgets(line, sizeof line, file);
	fclose(file);
	/* The name, in parentheses, may contain any character. */
	const char *at = got ? strrchr(line, ')') : NULL;
	return at && sscanf(at, ") %c %*d %*d %d", &state, &leader) == 2 &&
		leader == session && state != 'Z';
}

/* Counts the processes; *other is the last that is not the program. */
static int processes(const struct seat *seat, pid_t *other)
{
	DIR *folder = opendir("/proc");
	struct dirent *entry;
	int count = 0;

	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		pid_t process = (pid_t)strtol(entry->d_name, NULL, 10);

		if (!isdigit((unsigned char)*entry->d_name) ||
			process == seat->shell ||
			!of_session(entry->d_name, seat->shell))
			continue;
		count++;
		if (process != seat->program)
			*other = process;
	}
	closedir(folder);
	return count;
}

int seat_processes(const struct seat *seat)
{
	pid_t other;

	return processes(seat, &other);
}

pid_t seat_worker(const struct seat *seat)
{
	pid_t other = 0;

	processes(seat, &other);
	return other;
}

void seat_print(struct seat *seat)
{
	for (int row = 0; row < seat->rows; row++)
		if (*seat_row(seat, row))
			print_error("%3d|%s\n", row, seat_row(seat, row));
}

/* ---- asserting -------------------------------------------------------- */

void assert_restored(struct seat *seat)
{
	struct termios now = seat_settings(seat);

	assert_false(seat->alternate);
	assert_true(seat->cursor_shown);
	/* libvterm 0.1 does not parse several modes in one sequence, as sent by
	 * ncurses. */
	assert_int_equal(seat->mouse, VTERM_PROP_MOUSE_NONE);
	assert_false(seat_mouse_on(seat));
	assert_false(seat_marks_pastes(seat));
	assert_false(left_on(seat, "\033[?1h", "\033[?1l"));
	assert_int_equal(now.c_iflag, seat->before.c_iflag);
	assert_int_equal(now.c_oflag, seat->before.c_oflag);
	assert_int_equal(now.c_cflag, seat->before.c_cflag);
	assert_int_equal(now.c_lflag, seat->before.c_lflag);
	assert_memory_equal(now.c_cc, seat->before.c_cc, sizeof now.c_cc);
}

void assert_ended(struct seat *seat, int code)
{
	seat_await(seat, SEAT_ENDED);
	if (WIFEXITED(seat->status) && WEXITSTATUS(seat->status) == code)
		return;
	print_error("ended with wait status 0x%x, expected exit code %d\n",
		seat->status, code);
	seat_print(seat);
	fail();
}

void assert_killed(struct seat *seat, int number)
{
	seat_await(seat, SEAT_ENDED);
	if (WIFSIGNALED(seat->status) && WTERMSIG(seat->status) == number)
		return;
	print_error("ended with wait status 0x%x, expected signal %d\n",
		seat->status, number);
	seat_print(seat);
	fail();
}

void assert_prints(const struct seat_options *options, int code,
	const char *words)
{
	struct seat seat;

	seat_open(&seat, options);
	assert_ended(&seat, code);
	assert_true(seat_find(&seat, words, NULL, NULL));
	assert_restored(&seat);
	seat_close(&seat);
}
