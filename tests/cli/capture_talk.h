/* Capture files of one conversation, and what becomes of them when they are
 * damaged. */
#ifndef BENCHTOP_CLI_CAPTURE_TALK_H
#define BENCHTOP_CLI_CAPTURE_TALK_H

#include "capture_files.h"
#include "run.h"

enum { BYTES_MAX = 1 << 16, TALK_PACKETS = 10 };

/* Handshake, a request, an answer, the end. Times are binary fractions of a
 * second, so that every resolution can state them. */
extern const struct segment talk[TALK_PACKETS];

/* A file in memory. */
struct bytes {
	uint8_t at[BYTES_MAX];
	size_t count;
};

void read_bytes(const char *path, struct bytes *bytes);
void write_bytes(const char *path, const void *bytes, size_t count);
/* Adds the conversation, with a link header, to a file. */
void write_talk_on(struct capture_file *file, enum encapsulation on, bool six);
/* Writes the conversation as talk.pcap in the folder, and reads its bytes. */
void write_talk(bool ng, struct bytes *bytes);
/* From "connections":[ to the end; the caller frees it. */
char *connections_in(const struct ran *ran);
char *connections_of(const char *path);
/* Starts the helper alone, reading a file; its output is lost. */
pid_t start_helper(const char *path);
/* Damages files in many ways, the same in every run. Each is read to its end or
 * refused. */
void assert_survives(const struct bytes *file, int times);

#endif
