/* A screen with one measured lab for all tests of a program: its groups begin
 * with open_lab() and end with close_lab(). Included last: its names are those
 * of other headers' parameters. */
#ifndef BENCHTOP_SEATED_H
#define BENCHTOP_SEATED_H

#include "fixture.h"

static struct screen screen;
static struct lab lab;

static inline int open_lab(void **state)
{
	(void)state;
	fixture_open(&lab, &screen);
	fixture_measure(&lab);
	return 0;
}

static inline int close_lab(void **state)
{
	(void)state;
	fixture_close(&lab, &screen);
	return 0;
}

/* Presses a key by its name: a letter, or "Enter". */
static inline void press(const char *key)
{
	screen_key(&screen, key, key[1] ? 0 : (uint32_t)key[0]);
}

/* The screen's last message. */
static inline const char *said(void)
{
	return text_chars(&screen.message);
}

#endif
