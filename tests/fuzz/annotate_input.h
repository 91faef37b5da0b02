/*
 * Bytes as packets: what the fuzzer and the test of mutations feed to the
 * annotator, and what must hold whatever they are.
 *
 * A record is a link (1 byte: an index, of which the upper four bits make time
 * pass faster), 2 bytes of captured length, 2 of what the wire had more, 2 of
 * microseconds since the record before, all little-endian, and the captured
 * bytes.
 */
#ifndef BENCHTOP_ANNOTATE_INPUT_H
#define BENCHTOP_ANNOTATE_INPUT_H

#include "annotate.h"
#include "annotation_text.h"
#include "connections.h"
#include "json.h"

enum { INPUT_HEADER = 7, INPUT_LINKS = 10 };

extern const uint32_t input_links[INPUT_LINKS];

void check_connection(const struct connection *connection);
void annotate_input(const uint8_t *data, size_t size);

#endif
