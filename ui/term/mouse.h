/*
 * A report of the mouse, from its bytes after the first three.
 *
 * Terminals send "ESC [ < 0;12;5M" (SGR, the mode 1006) or "ESC [ M" and three
 * bytes (the mode 1000 without it); source: XTerm Control Sequences, Mouse
 * Tracking. ncurses would wait for the end of a truncated report, and no key
 * would be answered.
 */
#ifndef BENCHTOP_MOUSE_H
#define BENCHTOP_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

enum mouse_format { MOUSE_NONE, MOUSE_SGR, MOUSE_BYTES };

enum mouse_button {
	MOUSE_BUTTON_1 = 0,
	MOUSE_WHEEL_UP = 64,
	MOUSE_WHEEL_DOWN,
};

struct mouse_report {
	enum mouse_format format; /* MOUSE_NONE: no report is arriving */
	bool pressed;             /* false: a button was released */
	int button;               /* enum mouse_button, or another */
	int column, row;          /* from 0 */
	/* Private: the numbers so far, and the time of the last byte. */
	int numbers[3], count;
	uint64_t at_ns;
};

void mouse_begin(struct mouse_report *, enum mouse_format, uint64_t now_ns);

/* Adds a byte, or a larger code of a key. After anything but MOUSE_WITHIN the
 * format is MOUSE_NONE. */
enum mouse_step {
	MOUSE_WITHIN,
	MOUSE_COMPLETE,
	MOUSE_TRUNCATED, /* the byte does not belong to the report, or came
			  * later than the rest of a report does: it is a key */
};
enum mouse_step mouse_add(struct mouse_report *, int byte, uint64_t now_ns);

#endif
