/*
 * What machine this is: facts that are stored with every session, so that a
 * figure can be judged years later. No serial number, MAC address, host
 * address or user name is ever kept.
 *
 * Sources: uname(2), os-release(5), /proc (cpuinfo, meminfo, cmdline), sysfs
 * (vulnerabilities, cpufreq, clocksource, hypervisor, product name, SMBIOS,
 * block and network devices, buses), hwloc for topology and caches, cpuid for
 * the hypervisor's name and the counter's frequency.
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
#include "text.h"

enum { MACHINE_CACHES = 8, MACHINE_DISKS = 8, MACHINE_NETWORKS = 8 };

struct machine_cache {
	char name[8];              /* L1d, L1i, L2, L3 */
	double size_bytes;         /* of one */
	unsigned count;            /* how many of them */
	unsigned line_bytes, ways; /* 0 unknown */
	unsigned shared_by;        /* processors that share one */
};

/* A block device with a driver of its own: no loop, no memory disk. */
struct machine_disk {
	char name[32];      /* nvme0n1 */
	char model[64];     /* "" untold */
	char bus[16];       /* nvme, sata, usb, virtio, .. */
	char link[48];      /* of its controller: "8.0 GT/s PCIe x4", or
			      * "6.0 Gbps" of SATA; "" untold */
	char scheduler[24]; /* the one in use; "" untold */
	double size_bytes;  /* 0 unknown */
	double ahead_bytes; /* that the kernel reads ahead; 0 none */
	bool rotational;    /* as the device says, and a guest's may lie */
};

/* A network interface with a device behind it. */
struct machine_network {
	char name[16];   /* eth0; one made of a MAC address is cut */
	char driver[32]; /* e1000e */
	char device[24]; /* "8086:15b8", vendor and device on PCI or USB */
	char link[48];   /* of the bus, as of a disk */
	bool wireless;
	bool up;
	double speed_bit_s; /* 0 unknown: wireless, virtual, no carrier */
	unsigned mtu;
	/* How long it may wait before it interrupts for a packet. */
	bool coalescing_told, coalesces_adaptively;
	unsigned coalesces_us;
};

struct machine {
	char hostname[65];
	char device[130];         /* maker and product: "LENOVO 20BX" */
	char system[130];         /* "Debian GNU/Linux 12 (bookworm)" */
	char libc[32];            /* "glibc 2.36" */
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
	/* Of the first online processor, Hz; 0 unknown. `base` is nominal. */
	double base_hz, least_hz, most_hz;
	double memory_bytes, page_bytes;
	struct smbios_memory memory; /* its modules, by the firmware */
	struct machine_cache caches[MACHINE_CACHES];
	size_t cache_count;
	char buses[160]; /* "1 PCI root, 5 PCI devices, 4 virtio" */
	struct machine_disk disks[MACHINE_DISKS];
	size_t disk_count;
	struct machine_network networks[MACHINE_NETWORKS];
	size_t network_count;
	char siblings[160]; /* of SMT, by experiment, in words; "": unknown */
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

/* Has it been told at all what machine it is? */
bool machine_is_known(const struct machine *);

/* What a person reads of a part, one line without its name, added to a text:
 * "2 x DDR4, 2400 MT/s, 2 channels of 64 bit, at most 38.4 GB/s". Nothing
 * where nothing is known. */
void machine_say_memory(const struct machine *, struct text *);
void machine_say_cycle(const struct machine *, struct text *);
void machine_say_disk(const struct machine_disk *, struct text *);
void machine_say_network(const struct machine_network *, struct text *);

#endif
