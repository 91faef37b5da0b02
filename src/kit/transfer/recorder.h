/*
 * Packets of a network experiment, captured at its near end while it runs.
 *
 * Where the run captures (probe->packets_fd), a recorder starts the capture
 * helper at the near end of a session: on `lo` for loopback, in the near
 * namespace of a link, on the interface that leads to another machine. The
 * helper appends to the run's packets by itself; the recorder follows them
 * between trials and annotates, so that an experiment can emit what the packets
 * show of the trial it has just made:
 *
 *     setup    recorder = recorder_open(probe, &far, CAPTURE_FOR_LATENCY, NULL)
 *     trial    .. connection = recorder_await(recorder, probe, port, 100)
 *     cleanup  recorder_close(recorder); far_close(&far)
 *
 * Without permission there is no recorder and the experiment goes on without: a
 * note of the point says why, and what would allow it. All calls take NULL for
 * that: nothing was captured.
 *
 * The annotator knows where it looks (TAP_LOOPBACK, TAP_CLIENT). Stamps are of
 * CLOCK_REALTIME.
 */
#ifndef BENCHTOP_RECORDER_H
#define BENCHTOP_RECORDER_H

#include "annotate.h"
#include "far.h"
#include "packets.h"

struct recorder;

/* After far_open(). The options may be NULL; their tap is overruled. */
struct recorder *recorder_open(struct probe *, const struct far *,
	enum capture_use, const struct annotator_options *);
/* Annotates what has come since. */
void recorder_take(struct recorder *);
/* The same until the latest connection from this port of the near end has been
 * closed by both, or so long. NULL: no such connection was seen. Good until the
 * recorder takes more. */
const struct connection *recorder_await(struct recorder *, struct probe *,
	uint16_t port, int timeout_ms);
/* Notes what the packets taken since the last time show as sent again
 * beside the kernel's count at this end, which alone has sent data:
 * `sent-again`. */
void recorder_tell_resent(struct recorder *, struct probe *, uint64_t kernel);
/* Lets what has passed be written, annotates it, and ends the helper: some
 * 100 ms. The descriptor of the packets stays. */
void recorder_stop(struct recorder *);
/* The same, and frees it; notes what the capture lost. */
void recorder_close(struct recorder *, struct probe *);

#endif
