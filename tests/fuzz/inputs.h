/*
 * The inputs of the fuzzer: functions that read bytes, and abort where
 * something does not hold. The programs fuzz_NAME search for such bytes.
 * test_fuzz_findings reads those that were found, in findings/NAME.
 */
#ifndef BENCHTOP_INPUTS_H
#define BENCHTOP_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Packets: annotate_input.h. */
void annotate_input(const uint8_t *data, size_t size);

/* An orphaned tape, recovered. The session that is made of it can be read
 * again, or there is a sentence.
 *
 * An input consists of the command line of the tape up to its newline, 2 bytes
 * of a length, little-endian, that many bytes for the header from `seed`
 * onwards (rest: 0), and the samples. An input that begins with 0xff is a file
 * as it is, without this first byte. */
void tape_input(const uint8_t *data, size_t size);

/* A script, and the same lines as the words of a command line: parsed and
 * checked, not executed. A check has no effect, an error is one sentence, and
 * accepted words can be quoted and read again. */
void script_input(const uint8_t *data, size_t size);

/* Values of a parameter, and the completion of a line that ends in them. The
 * first byte, or two, choose the experiment and its row. Accepted values are
 * the same after writing and reading them. */
void param_input(const uint8_t *data, size_t size);

/* A session file: read, verified, written, exported, and reported. What is
 * written reads as the same session, and the outputs have no character that a
 * terminal would interpret; HTML is as in markup.h. */
void session_input(const uint8_t *data, size_t size);

/* A session file on every view of the screen, as text and as a picture. */
void picture_input(const uint8_t *data, size_t size);

/* A session file, as the verbs print it: loaded, scored, summarised, compared
 * with itself, and judged by a bound; as text and as JSON. */
void print_input(const uint8_t *data, size_t size);

/* A kept session, as lists, histories and fleets scan it without parsing; it
 * need not be a session. */
void fleet_input(const uint8_t *data, size_t size);

/* The wire protocol. The first byte: bit 0 is the end under test (0: the
 * server, 1: the client), bit 1 a token at the server, bit 2 a client after the
 * greeting. Then follow the frames of the other end: type (1 byte), length (2
 * bytes, little-endian), payload. They get valid heads and tags, and an empty
 * PROOF the valid proof. Type 254 is an OPEN with valid values: its payload is
 * the experiment (1 byte) and the point (2 bytes). Type 255 is sent as it is,
 * without a head. */
void wire_input(const uint8_t *data, size_t size);

/* A capture file, as the capture helper reads it. What it writes to its pipe is
 * whole records, in order, of which the last is its end or one sentence. */
void capture_input(const uint8_t *data, size_t size);

/* The pipe of the capture helper, and the same bytes as a run's packets. */
void pipe_input(const uint8_t *data, size_t size);

/* ---- shared by the inputs ----------------------------------------------- */

struct error;
struct lab;
struct text;

/* A lab with all experiments of the program, and without files of a user. */
struct lab *the_lab(void);
void must(bool holds);
/* The error has a status and one line of safe text. */
void must_be_sentence(const struct error *);
/* The text is UTF-8 without characters that a terminal interprets, except those
 * that are allowed. */
void must_be_safe(const struct text *, const char *allowed);
/* A file in memory with these bytes, at its beginning. */
int file_of(const void *data, size_t size);
/* Adds the path of a descriptor's file, in /proc. */
void path_of(int fd, char path[32]);

#endif
