/*
 * Facts about the machine that are stored with every session, so that a figure
 * can be judged years later. Serial numbers, MAC addresses, host addresses and
 * user names are never stored.
 *
 * Sources: uname(2), os-release(5), /proc (cpuinfo, meminfo, cmdline), sysfs
 * (vulnerabilities, cpufreq, clocksource, hypervisor, product name, SMBIOS,
 * block and network devices, buses), hwloc for topology and caches, cpuid for
 * the hypervisor's name and the counter's frequency. Cpuid traps in a virtual
 * machine and disturbs the following code. So it is executed only here, once,
 * and never during a measurement.
 *
 * Texts from files are safe to print, and shortened to their fields.
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
	double size_bytes;         /* of one cache */
	unsigned count;            /* number of such caches */
	unsigned line_bytes, ways; /* 0: unknown */
	unsigned shared_by;        /* processors that share one cache */
};

/* A block device with its own driver: no loop device, no RAM disk. */
struct machine_disk {
	char name[32];      /* nvme0n1 */
	char model[64];     /* "": unknown */
	char bus[16];       /* nvme, sata, usb, virtio, .. */
	char link[48];      /* of its controller: "8.0 GT/s PCIe x4", or "6.0
			     * Gbps" for SATA; "": unknown */
	char scheduler[24]; /* the active one; "": unknown */
	double size_bytes;  /* 0: unknown */
	double ahead_bytes; /* read-ahead of the kernel; 0: none */
	bool rotational;    /* reported by the device; may be wrong in a
			     * guest */
};

/* A network interface with a device. */
struct machine_network {
	char name[16];   /* eth0; shortened if it contains a MAC address */
	char driver[32]; /* e1000e */
	char device[24]; /* "8086:15b8", vendor and device on PCI or USB */
	char link[48];   /* of the bus, as for a disk */
	bool wireless;
	bool up;
	double speed_bit_s; /* 0: unknown (wireless, virtual, no carrier) */
	unsigned mtu;
	/* Delay of its interrupts for packets. */
	bool coalescing_told, coalesces_adaptively;
	unsigned coalesces_us;
};

struct machine {
	char hostname[65];
	char device[130];         /* maker and product: "LENOVO 20BX" */
	char firmware[130];       /* "LENOVO JBET73WW (1.37), 03/20/2023" */
	char system[130];         /* "Debian GNU/Linux 12 (bookworm)" */
	char libc[32];            /* "glibc 2.36" */
	char kernel[130];         /* release */
	char kernel_version[130]; /* uname -v: contains the preemption model */
	char architecture[66];
	char cpu[130]; /* model name */
	char vendor[32];
	unsigned family, model, stepping; /* x86; 0 elsewhere */
	char microcode[32];
	unsigned cpus;    /* online */
	unsigned allowed; /* usable by this process */
	unsigned cores, packages, nodes;
	unsigned threads_per_core;
	/* Of the first online processor, Hz; 0: unknown. `base` is nominal. */
	double base_hz, least_hz, most_hz;
	double memory_bytes, page_bytes;
	struct smbios_memory memory; /* modules reported by the firmware */
	struct machine_cache caches[MACHINE_CACHES];
	size_t cache_count;
	char buses[160]; /* "1 PCI root, 5 PCI devices, 4 virtio" */
	struct machine_disk disks[MACHINE_DISKS];
	size_t disk_count;
	struct machine_network networks[MACHINE_NETWORKS];
	size_t network_count;
	char siblings[160]; /* SMT siblings by experiment, in words; "":
			     * unknown */
	char hypervisor[32]; /* "KVM", "VMware", .. ; "" on bare metal */
	char clocksource[32];
	char governor[32];     /* of the first online processor; "": none */
	char mitigations[600]; /* "spectre_v2: ..; retbleed: .." */
	char command_line[1024]; /* of the kernel, without root= and secrets */
	char compiler[80];       /* with which benchtop was built */
	char flags[240];         /* of the timed code */
	char build[64];          /* "Release", "Debug address,undefined" */
	char build_id[17];       /* first 16 digits of the program's build ID
				  * (ld --build-id); "": it has none */
	bool invariant_counter;  /* constant_tsc and nonstop_tsc; arm64: yes */
	bool page_table_isolation;
	double kernel_tick_hz; /* of the counter, from the kernel; 0: unknown */
	double cpuid_tick_hz;  /* CPUID leaf 0x15 (0x16: nominal); 0: unknown */
};

/* Reads everything; what cannot be read is empty or 0. Takes tens of
 * milliseconds (hwloc), so do not call it before the first screen is drawn. */
void machine_read(struct machine *);
/* The same with /proc and /sys below `root`, for tests. If root is not "",
 * hwloc, cpuid and perf are not used, because they would describe another
 * machine. */
void machine_read_at(const char *root, struct machine *);
/* The name that BENCHTOP_HOST gives this machine; NULL: none. */
const char *machine_given_name(void);

/* True if the machine's facts are known. */
bool machine_is_known(const struct machine *);

/* Each adds one line about a part, without its name: "2 x DDR4, 2400 MT/s, 2
 * channels of 64 bit, at most 38.4 GB/s". Adds nothing if nothing is known. */
void machine_say_memory(const struct machine *, struct text *);
/* The nominal cycle of a core. The counter's tick is another quantity. */
void machine_say_cycle(const struct machine *, struct text *);
void machine_say_disk(const struct machine_disk *, struct text *);
void machine_say_network(const struct machine_network *, struct text *);

#endif
