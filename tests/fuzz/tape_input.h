/*
 * Bytes as an orphaned tape: the input of the fuzzer and of the regression
 * test for `recover`, and what must hold for any input.
 *
 * An input consists of the command line of the tape up to its newline, 2 bytes
 * of a length, little-endian, that many bytes for the header from `seed`
 * onwards (rest: 0), and the samples. An input that begins with 0xff is a file
 * as it is, without this first byte.
 */
#ifndef BENCHTOP_TAPE_INPUT_H
#define BENCHTOP_TAPE_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* Recovers the tape, and reads the session that is made of it again. Aborts if
 * there is neither a session nor a sentence. */
void tape_input(const uint8_t *data, size_t size);

#endif
