/*
 * The checks in the doctor's table; private to the doctor's files.
 *
 * A check receives a row with name and `touches` filled in and the verdict ok.
 * It adds its finding and, if that is not ok, the reason.
 */
#ifndef BENCHTOP_DOCTOR_CHECKS_H
#define BENCHTOP_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "doctor.h"

struct patient {
	const char *root; /* prefix of /proc and /sys */
	const struct doctor_input *input;
	bool guest; /* runs under a hypervisor */
};

void row_found(struct doctor_row *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Effect and fix may be "". */
void row_verdict(struct doctor_row *, enum doctor_verdict, const char *effect,
	const char *fix);

/* The measured processor, or 0 before one is chosen. */
int patient_cpu(const struct patient *);
/* A field of /proc/self/status. */
void patient_status(const struct patient *, const char *key, char *into,
	size_t size_bytes);
/* True if a capability of linux/capability.h is effective. */
bool patient_can(const struct patient *, unsigned capability);

/* The processor and its clock. */
void check_clock(const struct patient *, struct doctor_row *);
void check_frequency(const struct patient *, struct doctor_row *);
void check_turbo(const struct patient *, struct doctor_row *);
void check_smt(const struct patient *, struct doctor_row *);
void check_clocksource(const struct patient *, struct doctor_row *);
void check_thermal(const struct patient *, struct doctor_row *);
void check_battery(const struct patient *, struct doctor_row *);

/* Interruptions of the measured processor, and its idle states. */
void check_isolation(const struct patient *, struct doctor_row *);
void check_tick(const struct patient *, struct doctor_row *);
void check_interrupts(const struct patient *, struct doctor_row *);
void check_idle_states(const struct patient *, struct doctor_row *);
void check_core_types(const struct patient *, struct doctor_row *);

/* Other users of the processor. */
void check_load(const struct patient *, struct doctor_row *);
void check_hypervisor(const struct patient *, struct doctor_row *);
void check_gaps(const struct patient *, struct doctor_row *);
void check_quota(const struct patient *, struct doctor_row *);
void check_memory_limit(const struct patient *, struct doctor_row *);

/* Configuration of the kernel. */
void check_realtime(const struct patient *, struct doctor_row *);
void check_mitigations(const struct patient *, struct doctor_row *);
void check_aslr(const struct patient *, struct doctor_row *);
void check_watchdog(const struct patient *, struct doctor_row *);
void check_preemption(const struct patient *, struct doctor_row *);
void check_timer_slack(const struct patient *, struct doctor_row *);

/* Memory and disk. */
void check_swap(const struct patient *, struct doctor_row *);
void check_huge_pages(const struct patient *, struct doctor_row *);
void check_memory_work(const struct patient *, struct doctor_row *);
void check_numa(const struct patient *, struct doctor_row *);
void check_disk(const struct patient *, struct doctor_row *);

/* The network. */
void check_network(const struct patient *, struct doctor_row *);
void check_coalescing(const struct patient *, struct doctor_row *);
void check_congestion(const struct patient *, struct doctor_row *);
void check_tcp_metrics(const struct patient *, struct doctor_row *);
void check_ports(const struct patient *, struct doctor_row *);
void check_remote(const struct patient *, struct doctor_row *);
void check_link(const struct patient *, struct doctor_row *);
void check_capture(const struct patient *, struct doctor_row *);
void check_icmp(const struct patient *, struct doctor_row *);

/* Observers: instrumented builds, filters, tracing. */
void check_build(const struct patient *, struct doctor_row *);
void check_filters(const struct patient *, struct doctor_row *);
void check_tracing(const struct patient *, struct doctor_row *);

/* Rights of this process, and noise. */
void check_priority(const struct patient *, struct doctor_row *);
void check_memory_lock(const struct patient *, struct doctor_row *);
void check_counters(const struct patient *, struct doctor_row *);
void check_noise(const struct patient *, struct doctor_row *);

#endif
