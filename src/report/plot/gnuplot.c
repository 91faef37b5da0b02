/* Scripts for gnuplot, and running it. */
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 20000, LOOK_MS = 5, SVG_MOST_BYTES = 8 << 20 };

bool gnuplot_there(void)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t length = strcspn(path, ":");
		struct text file = { 0 };

		text_add(&file, "%.*s/gnuplot", (int)length, path);
		bool there = !access(file.chars, X_OK);
		text_free(&file);
		if (there)
			return true;
		path += length + (path[length] == ':');
	}
	return false;
}

void gnuplot_quote(struct text *script, const char *chars)
{
	/* Between single quotes only these have a meaning. */
	text_add_char(script, '\'');
	for (; *chars; chars++)
		if (*chars == '\'')
			text_add(script, "''");
		else
			text_add_char(script, *chars == '\n' ? ' ' : *chars);
	text_add_char(script, '\'');
}

static void add_axis(struct text *script, char name, const struct axis *axis,
	const struct ticks *ticks, const char *label)
{
	struct text said = { 0 };

	text_add(script, "set %crange [%.17g:%.17g]\n", name, axis->low,
		axis->high);
	if (axis->logarithmic)
		text_add(script, "set logscale %c\n", name);
	text_add(script, "set %ctics (", name);
	for (size_t i = 0; i < ticks->count; i++) {
		text_add(script, "%s", i ? ", " : "");
		gnuplot_quote(script, ticks->list[i].label);
		text_add(script, " %.17g", ticks->list[i].value);
	}
	text_add(script, ") textcolor rgb '#767676'\nset %clabel ", name);
	text_add(&said, "%s%s%s", label, *ticks->unit ? ", " : "", ticks->unit);
	gnuplot_quote(script, said.chars);
	text_add(script, " textcolor rgb '#767676'\n");
	text_free(&said);
}

void gnuplot_begin(struct text *script, const struct frame *frame,
	double height, unsigned number, const char *across, const char *up)
{
	struct ticks ticks;

	text_add(script,
		"set encoding utf8\n"
		"set terminal svg size %d,%.0f dynamic noenhanced "
		"font 'sans-serif,12' name 'gnuplot%u'\n"
		"set border 3 linecolor rgb '#767676'\n"
		"set grid linecolor rgb '#bbbbbb'\nset tics nomirror\n"
		"set key outside right textcolor rgb '#767676'\n",
		PLOT_WIDTH, height, number);
	axis_ticks(&frame->x, (int)(frame->width / plot_text_width("m")),
		&ticks);
	add_axis(script, 'x', &frame->x, &ticks, across);
	axis_ticks_upright(&frame->y, (int)frame->height / 16, &ticks);
	add_axis(script, 'y', &frame->y, &ticks, up);
}

/* ---- running it ------------------------------------------------------- */

/* Reads commands from one descriptor and writes to another. */
static bool start(int commands, int picture, pid_t *child)
{
	char name[] = "gnuplot";
	char *const words[] = { name, NULL };
	posix_spawn_file_actions_t actions;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, commands, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
		O_WRONLY, 0);
	bool started =
		!posix_spawnp(child, "gnuplot", &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	return started;
}

static bool wait_for(pid_t child)
{
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000L };
	int status = 0;

	for (int waited = 0; waited < WAIT_MS; waited += LOOK_MS) {
		pid_t ended = waitpid(child, &status, WNOHANG);

		if (ended == child)
			return WIFEXITED(status) && !WEXITSTATUS(status);
		if (ended < 0 && errno != EINTR)
			return false;
		nanosleep(&pause, NULL);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return false;
}

/* From "<svg" on: what stands before is for files of their own. */
static bool take(int picture, struct text *svg)
{
	off_t size = lseek(picture, 0, SEEK_END);
	bool whole = false;

	if (size <= 0 || size > SVG_MOST_BYTES)
		return false;
	char *all = calloc(1, (size_t)size + 1);
	if (all && pread(picture, all, (size_t)size, 0) == size) {
		const char *from = strstr(all, "<svg");
		const char *to = from ? strstr(from, "</svg>") : NULL;

		whole = to != NULL;
		if (whole)
			text_add_chars(svg, from,
				(size_t)(to - from) + strlen("</svg>"));
	}
	free(all);
	return whole;
}

bool gnuplot_draw(const struct text *script, struct text *svg)
{
	int commands = memfd_create("gnuplot-script", MFD_CLOEXEC);
	int picture = memfd_create("gnuplot-picture", MFD_CLOEXEC);
	ssize_t length = (ssize_t)script->length;
	pid_t child;

	bool drawn = commands >= 0 && picture >= 0 &&
		write(commands, script->chars, script->length) == length &&
		!lseek(commands, 0, SEEK_SET) &&
		start(commands, picture, &child) && wait_for(child) &&
		take(picture, svg);
	if (drawn)
		text_add_char(svg, '\n');
	if (commands >= 0)
		close(commands);
	if (picture >= 0)
		close(picture);
	return drawn;
}
