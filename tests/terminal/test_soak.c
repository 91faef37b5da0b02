/* Thousands of keys, clicks, broken sequences and sizes: nothing crashes,
 * nothing is written out of bounds (under a sanitizer), `q` still quits, and
 * the terminal is restored. */
#include <unistd.h>

#include "cli/run.h"
#include "random.h"
#include "seat.h"

enum { ACTIONS = 5000, WIDEST = 300, HIGHEST = 100 };

/* Keys by name, mouse reports, and invalid sequences. The terminal itself uses
 * Ctrl-C, Ctrl-Z, Ctrl-\ and Ctrl-S. */
static const char *const pieces[] = { "\033[A", "\033[B", "\033[C", "\033[D",
	"\033OA", "\033OB", "\033OC", "\033OD", "\033[H", "\033[F", "\033[5~",
	"\033[6~", "\033[Z", "\033OP", "\033[15~", "\033[3~", "\t", "\r", "\r",
	"\n", "\177", "\014", "\033", "\033", "\033[<0;1;1M", "\033[<0;70;23M",
	"\033[<65;3;3M", "\033[<0;99999;99999M", "\033[M !!", "\033[M\377\377",
	"\033[200~", "\033[201~", "\033[", "\033[?1;2c", "\033]11;rgb:0/0/0\a",
	"\303\251", "\346\274\242", "\360\237\230\200", "\314\201", "\377",
	"\300\200", "\001", "\005", "\025", "\027", ":help\r", "?", "/sys\r",
	":glyphs\r", "G", "U", ":run cpu.call budget=2s\r", "x", "r", "x",
	":edit bogus=1\r", ":predict cpu.call 1\r", ":mouse off\r",
	":mouse on\r" };

static void send_something(struct seat *seat, uint64_t *random)
{
	char any;

	if (random_below(random, 3) == 0) {
		/* Without `q`, which quits. */
		any = (char)(' ' + random_below(random, 95));
		seat_send(seat, any == 'q' ? "j" : &any, 1);
		return;
	}
	const char *piece =
		pieces[random_below(random, sizeof pieces / sizeof *pieces)];
	seat_send(seat, piece, strlen(piece));
}

/* Waits only after a change of size: the number of keys in a broken sequence is
 * unknown. */
static void change_size(struct seat *seat, uint64_t *random)
{
	int columns = (int)random_below(random, WIDEST) + 1;
	int rows = (int)random_below(random, HIGHEST) + 1;

	if (columns == seat->columns)
		columns = columns % WIDEST + 1;
	seat_resize(seat, columns, rows);
}

static void escape(struct seat *seat, uint64_t *random)
{
	seat_send(seat, "\033", 1);
	change_size(seat, random);
	seat_idle(seat);
}

/* Leaves any open dialog: a line with text in it needs a second Esc. */
static void leave(struct seat *seat)
{
	uint64_t random = 1;

	for (int i = 0; i < 100 && seat->state != SEAT_ENDED; i++) {
		escape(seat, &random);
		escape(seat, &random);
		seat_send(seat, "q", 1);
		change_size(seat, &random);
		seat_watch(seat, .05);
	}
}

static void soak(uint64_t seed)
{
	struct seat seat;

	seat_open(&seat, &(struct seat_options){ 0 });
	seat_idle(&seat);
	for (int i = 0; i < ACTIONS && seat.state != SEAT_ENDED; i++) {
		if (random_below(&seed, 10))
			send_something(&seat, &seed);
		else
			change_size(&seat, &seed);
		if (random_below(&seed, 50) == 0)
			seat_idle(&seat);
	}
	/* None of this input quits the lab. */
	assert_int_equal(seat.state, SEAT_RUNS);
	leave(&seat);
	assert_ended(&seat, 0);
	assert_restored(&seat);
	seat_close(&seat);
}

static void test_soak(void **state)
{
	/* The input may have created files. */
	assert_int_equal(chdir(folder), 0);
	soak(20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_soak),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
