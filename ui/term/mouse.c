/* Reads reports of the mouse, byte by byte. */
#include "mouse.h"

enum { NUMBERS = 3, NUMBER_MOST = 1 << 20, FIRST_BYTE = 32, BYTES = 256 };

/* Between two bytes of a report on a slow line. */
static const uint64_t pause_ns = 300000000;

void mouse_begin(struct mouse_report *report, enum mouse_format format,
	uint64_t now_ns)
{
	*report = (struct mouse_report){ .format = format, .at_ns = now_ns };
}

/* The first number: bits 2 to 4 are keys that were held. */
static enum mouse_step complete(struct mouse_report *report, bool released)
{
	enum { HELD = 4 | 8 | 16, RELEASED = 3 };
	const int *numbers = report->numbers;

	report->button = numbers[0] & ~HELD;
	report->pressed = !released && report->button != RELEASED;
	report->column = numbers[1] ? numbers[1] - 1 : 0;
	report->row = numbers[2] ? numbers[2] - 1 : 0;
	return MOUSE_COMPLETE;
}

static enum mouse_step add_sgr(struct mouse_report *report, int byte)
{
	int *number = &report->numbers[report->count];

	if (byte >= '0' && byte <= '9') {
		if (*number < NUMBER_MOST)
			*number = *number * 10 + byte - '0';
		return MOUSE_WITHIN;
	}
	if (byte == ';' && report->count < NUMBERS - 1) {
		report->count++;
		return MOUSE_WITHIN;
	}
	if ((byte == 'M' || byte == 'm') && report->count == NUMBERS - 1)
		return complete(report, byte == 'm');
	return MOUSE_TRUNCATED;
}

static enum mouse_step add_byte(struct mouse_report *report, int byte)
{
	if (byte < FIRST_BYTE || byte >= BYTES)
		return MOUSE_TRUNCATED;
	report->numbers[report->count++] = byte - FIRST_BYTE;
	return report->count < NUMBERS ? MOUSE_WITHIN : complete(report, false);
}

enum mouse_step mouse_add(struct mouse_report *report, int byte,
	uint64_t now_ns)
{
	enum mouse_step step = MOUSE_TRUNCATED;

	if (now_ns - report->at_ns <= pause_ns)
		step = report->format == MOUSE_SGR ? add_sgr(report, byte) :
						     add_byte(report, byte);
	report->at_ns = now_ns;
	if (step != MOUSE_WITHIN)
		report->format = MOUSE_NONE;
	return step;
}
