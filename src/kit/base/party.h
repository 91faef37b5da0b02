/*
 * Second parties: processes and threads that take part in an experiment.
 *
 * A party is pinned, ends with the worker, and counts its own context switches.
 */
#ifndef BENCHTOP_PARTY_H
#define BENCHTOP_PARTY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct probe;

struct party {
	bool thread;
	pid_t pid;
	pthread_t id;
};

/* Starts body(context) in a process or a thread, pinned to `cpu`. Returns 0 or
 * -errno. */
int party_start(struct party *, bool thread, int cpu,
	void *(*body)(void *context), void *context);
/* Waits for the party to end. Returns 0, or -1 if a process failed. */
int party_join(struct party *);
/* Pins the calling thread. */
void party_pin(int cpu);
/* Context switches of the calling thread so far, voluntary and involuntary. */
uint64_t party_switches(void);
/* Of these the voluntary ones, when it slept, and the involuntary ones. */
uint64_t party_sleeps(void);
uint64_t party_preemptions(void);
/* True if the kernel counted fewer switches or sleeps than the least possible
 * number. 2 % and four more may be missing. */
bool party_too_few(double counted, double least);
/* Verifies that two tasks on one processor switched twice per round trip, by
 * the kernel's count for both. More are possible. Calls probe_invalid() with
 * the reason `why` if there were fewer. */
void party_verify_switches(struct probe *, uint64_t round_trips,
	uint64_t switches, const char *why);

/* Zeroed memory, shared with children forked later. NULL: out of memory. */
void *party_memory(size_t size_bytes);
void party_memory_free(void *, size_t size_bytes);

#endif
