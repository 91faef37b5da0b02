/*
 * Bytes as packets: the input of the fuzzer and of the mutation test for the
 * annotator, and the invariants that must hold for any input.
 *
 * A record consists of a link type (1 byte: an index), 1 byte by which time
 * passes faster, 2 bytes of captured length, 2 of additional length on the
 * wire, 2 of microseconds since the previous record, all little-endian, and
 * the captured bytes.
 */
#ifndef BENCHTOP_ANNOTATE_INPUT_H
#define BENCHTOP_ANNOTATE_INPUT_H

#include "annotate.h"
#include "annotation_text.h"
#include "connection_list.h"
#include "connections.h"
#include "inputs.h"
#include "json.h"

enum { INPUT_HEADER = 8, INPUT_LINKS = 55 };

extern const uint32_t input_links[INPUT_LINKS];

void check_connection(const struct connection *connection);

#endif
