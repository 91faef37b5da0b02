/* `snapshot` draws what the terminal shows. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run.h"
#include "memory.h"
#include "seat.h"

static void read_picture(const char *path, char *into, size_t size)
{
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	into[fread(into, 1, size - 1, file)] = '\0';
	fclose(file);
}

/* Compares every row except the status sentence, which reports the snapshot
 * only after it was drawn. Trailing blanks are ignored. */
static void compare(struct seat *seat, const char *picture)
{
	char *copy = xstrdup(picture), *rest = copy;

	for (int row = 0; row < seat->rows; row++) {
		char *line = strsep(&rest, "\n");

		assert_non_null(line);
		for (size_t n = strlen(line); n && line[n - 1] == ' '; n--)
			line[n - 1] = '\0';
		if (row != seat->rows - 2)
			assert_string_equal(seat_row(seat, row), line);
	}
	free(copy);
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
	/* The long file name in the message may cover other text, until the
	 * next key. */
	seat_type(&seat, "kj");
	seat_idle(&seat);
	read_picture(path, picture, sizeof picture);
	compare(&seat, picture);
	seat_close(&seat);
}

static void test_r17_snapshot_equals_the_terminal(void **state)
{
	at_size(80, 24);
	at_size(120, 40);
}

/* ---- after a run ------------------------------------------------------- */

static void read_file(const char *name, struct text *into)
{
	char piece[65536];
	size_t got;
	FILE *file = fopen(in_folder(name), "re");

	assert_non_null(file);
	while ((got = fread(piece, 1, sizeof piece, file)))
		text_add_chars(into, piece, got);
	fclose(file);
}

/* A field of the first row of figures, as text. */
static void field_of(const struct text *csv, const char *name, struct text *to)
{
	const char *head = csv->chars, *row = strchr(head, '\n') + 1;

	while (strncmp(head, name, strlen(name)) ||
		!strchr(",\n", head[strlen(name)])) {
		head += strcspn(head, ",\n") + 1;
		row += strcspn(row, ",\n") + 1;
		assert_true(head < strchr(csv->chars, '\n'));
	}
	text_clear(to);
	text_add_chars(to, row, strcspn(row, ",\n"));
}

/* The digits of a figure as on the screen and in formats for people, which have
 * all figures of a row in the unit of its median: ns or us. */
static void say_figure(const struct text *written, double median_ns,
	struct text *to)
{
	double ns = strtod(written->chars, NULL);

	text_clear(to);
	text_add(to, "%.4g", median_ns < 1000 ? ns : ns / 1000);
}

static void type_line(struct seat *seat, const char *before, const char *name)
{
	struct text line = { 0 };

	text_add(&line, ":%s %s\r", before, in_folder(name));
	seat_type(seat, line.chars);
	seat_type(seat, "kj");
	text_free(&line);
}

/* The screen and every export show the same figures: text, picture, CSV, JSON
 * of the rows and of the session, Markdown. */
static void test_r17_exports_are_what_is_shown(void **state)
{
	static const char *const figures[] = { "median", "mean", "min" };
	static char picture[1 << 18];
	struct text csv = { 0 }, rows = { 0 }, words = { 0 }, svg = { 0 };
	struct text session = { 0 }, written = { 0 }, said = { 0 };
	double median_ns = 0;
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ .columns = 120, .rows = 40 });
	seat_idle(&seat);
	seat_type(&seat,
		"/syscall\r:run cpu.syscall launches=6 trials=60 budget=2s\r");
	seat_shows(&seat, SEAT_BUSY);
	seat_shows(&seat, SEAT_AT_REST);
	type_line(&seat, "snapshot lab", "r17.txt 120x40");
	type_line(&seat, "snapshot lab", "r17.svg 120x40");
	type_line(&seat, "export csv", "r17.csv");
	type_line(&seat, "export jsonl", "r17.jsonl");
	type_line(&seat, "export markdown", "r17.md");
	read_picture(in_folder("r17.txt"), picture, sizeof picture);
	compare(&seat, picture);
	type_line(&seat, "save", "r17.json");
	read_file("r17.svg", &svg);
	read_file("r17.csv", &csv);
	read_file("r17.jsonl", &rows);
	read_file("r17.md", &words);
	read_file("r17.json", &session);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		field_of(&csv, figures[i], &written);
		assert_contains(rows, written.chars);
		assert_contains(session, written.chars);
		if (!i)
			median_ns = strtod(written.chars, NULL);
		say_figure(&written, median_ns, &said);
		assert_contains(words, said.chars);
		assert_contains(svg, said.chars);
		assert_true(seat_find(&seat, said.chars, NULL, NULL));
	}
	struct text *all[] = { &csv, &rows, &words, &svg, &session, &written,
		&said };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		text_free(all[i]);
	seat_close(&seat);
}

/* ---- the Net screen ---------------------------------------------------- */

static void put_words(FILE *file, const uint32_t *words, size_t count)
{
	assert_int_equal(fwrite(words, sizeof *words, count, file), count);
}

/* A TCP segment between 10.0.0.1:4000 and 10.0.0.2:80, as a record. */
static void put_segment(FILE *file, uint32_t at_us, bool back, uint32_t seq,
	uint32_t ack, uint32_t flags, uint32_t length)
{
	uint32_t ports = back ? 80u << 16 | 4000 : 4000u << 16 | 80;
	const uint32_t record[] = { 1700000000, at_us, 40, 40 + length };
	const uint32_t packet[] = { htonl(0x45000000 | (40 + length)),
		htonl(0x00014000), htonl(64u << 24 | 6u << 16),
		htonl(back ? 0x0a000002 : 0x0a000001),
		htonl(back ? 0x0a000001 : 0x0a000002), htonl(ports), htonl(seq),
		htonl(ack), htonl(5u << 28 | flags << 16 | 1000), 0 };

	put_words(file, record, 4);
	put_words(file, packet, 10);
}

/* A handshake over 20 ms, ten segments and their acknowledgement. */
static void make_capture(const char *path)
{
	enum { SYN = 2, ACK = 16 };
	const uint32_t head[] = { 0xa1b2c3d4, 4u << 16 | 2, 0, 0, 65535, 101 };
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	put_words(file, head, 6);
	put_segment(file, 0, false, 999, 0, SYN, 0);
	put_segment(file, 20000, true, 4999, 1000, SYN | ACK, 0);
	put_segment(file, 20050, false, 1000, 5000, ACK, 0);
	for (uint32_t i = 0; i < 10; i++)
		put_segment(file, 20100 + i, false, 1000 + i * 1000, 5000, ACK,
			1000);
	put_segment(file, 40200, true, 5000, 11000, ACK, 0);
	assert_int_equal(fclose(file), 0);
}

/* With a capture file, which needs neither a privilege nor a screen. */
static void net_at_size(const char *capture, int columns, int rows)
{
	char line[320], size[32];
	struct seat seat;

	snprintf(size, sizeof size, "%dx%d", columns, rows);
	struct ran ran = RUN(PROGRAM, "snapshot", "net", capture, size);
	assert_status(ran, 0);
	assert_non_null(strstr(text_chars(&ran.out), "+20.000"));
	snprintf(line, sizeof line, ":annotate %s\r", capture);
	seat_open(&seat,
		&(struct seat_options){ .columns = columns, .rows = rows });
	seat_shows(&seat, SEAT_LIST);
	seat_type(&seat, line);
	seat_shows(&seat, "handshake");
	seat_idle(&seat);
	compare(&seat, ran.out.chars);
	seat_close(&seat);
	const char *words[] = { "annotate", capture, NULL };
	seat_open(&seat,
		&(struct seat_options){ .words = words,
			.columns = columns,
			.rows = rows });
	seat_shows(&seat, "handshake");
	seat_idle(&seat);
	compare(&seat, ran.out.chars);
	seat_close(&seat);
	ran_free(&ran);
}

/* Words of a shell that are not shown on the screen. */
static void prints(const char *const *words, int code, const char *sentence)
{
	assert_prints(&(struct seat_options){ .words = words,
			      .columns = 200,
			      .rows = 24 },
		code, sentence);
}

static void test_capture_printed_on_a_terminal(void **state)
{
	char path[256], words[256];

	snprintf(path, sizeof path, "%s/made.pcap", folder);
	snprintf(words, sizeof words, "%s/words.txt", folder);
	make_capture(path);
	FILE *file = fopen(words, "we");
	assert_non_null(file);
	fputs("these are words, not packets\n", file);
	fclose(file);
	prints((const char *[]){ "annotate", path, "--summary", NULL }, 0,
		":80");
	prints((const char *[]){ "annotate", words, NULL }, 3, "words.txt");
	prints((const char *[]){ "annotate", path, "port=9", NULL }, 2,
		"an end with port=9");
}

static void test_r20_capture_drawn_without_a_screen(void **state)
{
	char path[256];

	snprintf(path, sizeof path, "%s/made.pcap", folder);
	make_capture(path);
	net_at_size(path, 80, 24);
	net_at_size(path, 120, 40);
}

/* Lines also connect published figures, which have no launches. */
static void test_published_sweep_has_lines(void **state)
{
	char path[256], line[320];
	static char picture[1 << 16];
	size_t dots = 0;

	snprintf(path, sizeof path, "%s/published.txt", folder);
	snprintf(line, sizeof line, "load published:a; snapshot sweep %s",
		path);
	struct ran ran = RUN(PROGRAM, "-c", line);
	assert_status(ran, 0);
	read_picture(path, picture, sizeof picture);
	assert_non_null(strstr(picture, " published  60 points\n"));
	for (const char *at = picture; (at = strstr(at, "\xe2\xa0")); at++)
		dots++;
	assert_true(dots > 20);
	ran_free(&ran);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_r17_snapshot_equals_the_terminal),
		cmocka_unit_test(test_r17_exports_are_what_is_shown),
		cmocka_unit_test(test_r20_capture_drawn_without_a_screen),
		cmocka_unit_test(test_capture_printed_on_a_terminal),
		cmocka_unit_test(test_published_sweep_has_lines),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
