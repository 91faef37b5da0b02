/*
 * What machine this is: facts that are stored with every session, so that a
 * figure can be judged years later. No serial number, MAC address, host
 * address or user name is ever kept.
 *
 * Sources: uname(2), /proc (cpuinfo, meminfo, cmdline), sysfs (vulnerabilities,
 * cpufreq, clocksource, hypervisor, product name, SMBIOS), hwloc for topology
 * and caches, cpuid for the hypervisor's name and the counter's frequency.
 * Cpuid traps in a virtual machine and disturbs what follows, so it is
 * executed here, once, and nowhere near a measurement.
 *
 * Texts from files are safe to print and cut where they do not fit.
 */
#ifndef BENCHTOP_MACHINE_H
#define BENCHTOP_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "smbios.h"

enum { MACHINE_CACHES = 8 };

struct machine_cache {
	char name[8];              /* L1d, L1i, L2, L3 */
	double size_bytes;         /* of one */
	unsigned count;            /* how many of them */
	unsigned line_bytes, ways; /* 0 unknown */
	unsigned shared_by;        /* processors that share one */
};

struct machine {
	char hostname[65];
	char kernel[130];         /* release */
	char kernel_version[130]; /* uname -v: the preemption model is in it */
	char architecture[66];
	char cpu[130]; /* model name */
	char vendor[32];
	unsigned family, model, stepping; /* x86; 0 elsewhere */
	char microcode[32];
	unsigned cpus;    /* online */
	unsigned allowed; /* that this process may use */
	unsigned cores, packages, nodes;
	unsigned threads_per_core;
	double memory_bytes, page_bytes;
	struct smbios_memory memory; /* its modules; of a file the peak alone */
	struct machine_cache caches[MACHINE_CACHES];
	size_t cache_count;
	char hypervisor[32]; /* "KVM", "VMware", .. ; "" on bare metal */
	char clocksource[32];
	char governor[32];     /* of the first online processor; "" for none */
	char mitigations[600]; /* "spectre_v2: ..; retbleed: .." */
	char command_line[1024]; /* of the kernel, without root= and tokens */
	char compiler[80];       /* that built benchtop */
	char flags[240];         /* of the timed code */
	char build[64];          /* "Release", "Debug address,undefined" */
	bool invariant_counter;  /* constant_tsc and nonstop_tsc; arm64: yes */
	bool page_table_isolation;
	double kernel_tick_hz; /* of the counter, as the kernel has it; 0 */
	double cpuid_tick_hz;  /* CPUID leaf 0x15 (0x16: nominal); 0 */
};

/* Reads everything; what cannot be read is empty or 0. Takes some tens of
 * milliseconds (hwloc), so not before a first screen is drawn. */
void machine_read(struct machine *);
/* The same with /proc and /sys looked up below `root`, for tests. Where root
 * is not "", hwloc, cpuid and perf are left out: they would tell of another
 * machine. */
void machine_read_at(const char *root, struct machine *);

#endif
