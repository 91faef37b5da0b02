/* A bare-metal machine with two processors on which every check of the doctor
 * succeeds with ok. A test changes one thing and checks the corresponding
 * row. */
#ifndef BENCHTOP_CALM_MACHINE_H
#define BENCHTOP_CALM_MACHINE_H

#include "doctor.h"
#include "fake_tree.h"
#include "machine.h"
#include "results.h"

#define CPU0        "/sys/devices/system/cpu/cpu0"
#define CPU1        "/sys/devices/system/cpu/cpu1"
#define TCP         "/proc/sys/net/ipv4"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0"

extern struct machine machine;
extern struct clock_facts clock_now;
extern struct gap_facts gaps;
extern struct noise_facts noise;
extern struct doctor_input input;
extern struct doctor doctor;

int calm_open(void **state);
int calm_close(void **state);
void examine(void);
const struct doctor_row *row_named(const char *check);
void assert_row(const char *check, enum doctor_verdict verdict,
	const char *found);

#define on_a_calm_machine(test) \
	cmocka_unit_test_setup_teardown(test, calm_open, calm_close)

#endif
