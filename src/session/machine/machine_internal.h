/*
 * The parts of machine_read_at(); private to the machine's files. Each fills in
 * only its own fields.
 */
#ifndef BENCHTOP_MACHINE_INTERNAL_H
#define BENCHTOP_MACHINE_INTERNAL_H

#include "machine.h"

enum { CPUINFO_BYTES = 16384 };

/* Cores, packages, nodes and caches, by hwloc. */
void machine_read_topology(struct machine *);

/* Configuration of the running kernel: mitigations, page table isolation,
 * filtered command line. `flags` are the processor's. */
void machine_read_kernel(const char *root, const char *flags, struct machine *);

/* The name of the hypervisor and the frequencies of the counter. `cpuinfo` is
 * the first processor's part of /proc/cpuinfo, `flags` its flags. */
void machine_read_hypervisor(const char *root, const char *flags,
	struct machine *);
void machine_read_counter(const char *root, const char *cpuinfo,
	const char *flags, struct machine *);

/* The running program's build ID. */
void machine_read_build_id(struct machine *);

/* Disks, network interfaces and the buses they are on. */
void machine_read_devices(const char *root, struct machine *);

#endif
