/*
 * Standard input as a stream of bytes: plain, or compressed by gzip (RFC 1952)
 * or zstd (RFC 8878), which the first bytes show. Compressed parts may follow
 * each other.
 *
 * Memory is fixed, however large the stream is. zlib needs 32 KiB more, and
 * zstd at most the 128 MiB window of `zstd --long`. Input may be a pipe whose
 * writer is running: before waiting for it, the records so far are written,
 * those of order.h at most 200 ms later.
 *
 * SIGINT ends the stream: what the writer still sends is read, but no longer
 * than half a second.
 */
#ifndef BENCHTOP_CAPTURE_INPUT_H
#define BENCHTOP_CAPTURE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INPUT_TAKE_MOST = 4096 };

/* From here on, SIGINT ends the stream. Call it while signals may be set up. */
void input_open(void);
/* Forgets the stream. Standard input may then be another. */
void input_close(void);
/* Returns the next `count` bytes, at most INPUT_TAKE_MOST. They are valid until
 * the next call. NULL: the stream ends before. */
const uint8_t *input_take(size_t count);
/* Skips bytes. False if the stream ends before. */
bool input_skip(uint64_t count);
/* After the end: true if bytes remain that input_take() could not return. */
bool input_has_rest(void);
/* After the end: a sentence on unreadable or damaged input, or NULL. */
const char *input_fault(void);
/* The same for compressed input that makes no sense: reads it to its end, where
 * a checksum may show that it is damaged. */
const char *input_fault_to_end(void);
/* SIGINT has ended the stream. */
bool input_stopped(void);

#endif
