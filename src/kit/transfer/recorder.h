/*
 * Packets of a network experiment, captured at its near end while it runs.
 *
 * If the run captures (probe->packets_fd), a recorder starts the capture helper
 * at the near end of a session: on `lo` for loopback, in the near namespace of
 * a link, or on the interface that leads to another machine. The helper appends
 * to the run's packets. Between trials the recorder reads and annotates them,
 * so that an experiment can emit what the packets show about its last trial:
 *
 *     setup    recorder = recorder_open(probe, &far, CAPTURE_FOR_LATENCY, NULL)
 *     trial    .. connection = recorder_await(recorder, probe, port, 100)
 *     cleanup  recorder_close(recorder); far_close(&far)
 *
 * Without permission to capture, recorder_open() returns NULL and the
 * experiment runs without packets. A note of the point has the reason and the
 * cure. All functions accept NULL and then do nothing.
 *
 * The annotator's tap is set to the place of the capture (TAP_LOOPBACK,
 * TAP_CLIENT). Time stamps are CLOCK_REALTIME.
 */
#ifndef BENCHTOP_RECORDER_H
#define BENCHTOP_RECORDER_H

#include "annotate.h"
#include "far.h"
#include "packets.h"

struct recorder;

/* Call after far_open(). The options may be NULL; their tap is replaced. */
struct recorder *recorder_open(struct probe *, const struct far *,
	enum capture_use, const struct annotator_options *);
/* Annotates the packets that arrived since the last call. */
void recorder_take(struct recorder *);
/* The same, until both ends have closed the latest connection from this port of
 * the near end, or until the timeout. Returns NULL if no such connection was
 * seen. The result is valid until the recorder annotates more. */
const struct connection *recorder_await(struct recorder *, struct probe *,
	uint16_t port, int timeout_ms);
/* Adds a note `sent-again`: retransmissions in the packets since the last call,
 * compared with the kernel's count at this end. Only this end may have sent
 * data. */
void recorder_tell_resent(struct recorder *, struct probe *, uint64_t kernel);
/* Waits until past packets are written, annotates them, and ends the helper:
 * about 100 ms. Warns if the helper died before. The descriptor of the packets
 * stays open. */
void recorder_stop(struct recorder *, struct probe *);
/* Calls recorder_stop(), frees the recorder, and adds a note about packets that
 * the capture lost. */
void recorder_close(struct recorder *, struct probe *);

#endif
