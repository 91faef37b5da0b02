/*
 * The hypervisor of this machine and the frequency of its counter: cpuid and
 * its equivalents on other architectures, and the kernel's information. No
 * other file executes cpuid.
 *
 * Sources: Intel SDM volume 2, CPUID leaves 15H and 16H; the Linux kernel's
 * Documentation/virt/kvm/x86/cpuid.rst (leaf 0x40000000) and perf_event_open(2)
 * (time_mult and time_shift).
 */
#include "machine_internal.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "peek.h"

/* The name that a hypervisor reports, and its usual name. */
struct alias {
	const char *said, *name;
};

enum guest { GUEST_UNKNOWN, GUEST_NO, GUEST_YES };

#if defined(__x86_64__)

enum {
	LEAF_FEATURES = 1,
	LEAF_COUNTER = 0x15,
	LEAF_FREQUENCY = 0x16,
	LEAF_HYPERVISOR = 0x40000000,
	LEAF_HYPERVISOR_NEXT = 0x40000100,
};

static const struct alias signatures[] = {
	{ "KVMKVMKVM", "KVM" },
	{ "Microsoft Hv", "Hyper-V" },
	{ "VMwareVMware", "VMware" },
	{ "XenVMMXenVMM", "Xen" },
	{ "VBoxVBoxVBox", "VirtualBox" },
	{ "TCGTCGTCGTCG", "QEMU" },
	{ "bhyve bhyve", "bhyve" },
	{ "lrpepyh  vr", "Parallels" },
	{ "ACRNACRNACRN", "ACRN" },
	{ "QNXQVMBSQG", "QNX" },
	{ "VirtualApple", "Rosetta" },
	{ "Jailhouse", "Jailhouse" },
};

static const char *signature_name(const char *said)
{
	for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
		if (!strcmp(signatures[i].said, said))
			return signatures[i].name;
	return NULL;
}

static void read_signature(unsigned leaf, char said[32])
{
	unsigned eax, part[3];
	char raw[sizeof part + 1] = "";

	__cpuid(leaf, eax, part[0], part[1], part[2]);
	memcpy(raw, part, sizeof part);
	safe_copy(said, 32, raw);
}

static enum guest ask_processor(char name[32])
{
	unsigned eax, ebx, ecx, edx;
	char said[32];

	if (!__get_cpuid(LEAF_FEATURES, &eax, &ebx, &ecx, &edx))
		return GUEST_UNKNOWN;
	if (!(ecx & 1u << 31))
		return GUEST_NO;
	/* A hypervisor that imitates Hyper-V for Windows guests has its own
	 * name in the next leaf. */
	read_signature(LEAF_HYPERVISOR_NEXT, said);
	if (!signature_name(said))
		read_signature(LEAF_HYPERVISOR, said);
	const char *known = signature_name(said);
	snprintf(name, 32, "%s", known ? known : said);
	return GUEST_YES;
}

static double processor_tick_hz(void)
{
	unsigned eax, ebx, ecx, edx;

	if (__get_cpuid(LEAF_COUNTER, &eax, &ebx, &ecx, &edx) && eax && ebx &&
		ecx)
		return (double)ecx * ebx / eax;
	if (__get_cpuid(LEAF_FREQUENCY, &eax, &ebx, &ecx, &edx))
		return (eax & 0xffff) * 1e6;
	return 0;
}

/* If the counter is constant, the kernel needs no delay loop, and prints 2 x
 * the counter's MHz as BogoMIPS. */
static double architecture_tick_hz(const char *cpuinfo, const char *flags)
{
	double bogomips;

	if (!words_have(flags, "tsc") || !words_have(flags, "constant_tsc"))
		return 0;
	if (!field_number(cpuinfo, "bogomips", ':', &bogomips) || bogomips < 0)
		return 0;
	return bogomips / 2 * 1e6;
}

static bool counter_is_invariant(const char *flags)
{
	return words_have(flags, "constant_tsc") &&
		words_have(flags, "nonstop_tsc");
}

#else

static enum guest ask_processor(char name[32])
{
	name[0] = '\0';
	return GUEST_UNKNOWN;
}

static double processor_tick_hz(void)
{
	return 0;
}

static double architecture_tick_hz(const char *cpuinfo, const char *flags)
{
	uint64_t hz = 0;

	(void)cpuinfo;
	(void)flags;
#if defined(__aarch64__)
	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
#endif
	return (double)hz;
}

static bool counter_is_invariant(const char *flags)
{
	(void)flags;
	return true;
}

#endif

/* Product names vary, so a part of the name suffices. */
static const struct alias products[] = {
	{ "KVM", "KVM" },
	{ "linux,kvm", "KVM" },
	{ "QEMU", "QEMU" },
	{ "VirtualBox", "VirtualBox" },
	{ "VMware", "VMware" },
	{ "xen", "Xen" },
	{ "HVM domU", "Xen" },
	{ "Parallels", "Parallels" },
	{ "Apple Virtualization", "Apple" },
	{ "Google Compute Engine", "KVM" },
	{ "OpenStack", "KVM" },
	{ "Bochs", "Bochs" },
	{ "Amazon EC2", "Nitro" },
	{ "Virtual Machine", "Hyper-V" },
};

/* Uses the system's product name if the processor gives no name. */
static void ask_system(const char *root, char name[32])
{
	static const char *const places[] = {
		"/sys/hypervisor/type",
		"/proc/device-tree/hypervisor/compatible",
		"/sys/class/dmi/id/product_name",
		"/sys/class/dmi/id/sys_vendor",
	};

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		char said[128];

		peek_line(root, said, sizeof said, "%s", places[i]);
		if (strstr(said, ".metal"))
			return;
		for (size_t k = 0; k < sizeof products / sizeof products[0];
			k++)
			if (!name[0] && strcasestr(said, products[k].said))
				snprintf(name, 32, "%s", products[k].name);
	}
}

void machine_read_hypervisor(const char *root, const char *flags,
	struct machine *machine)
{
	enum guest guest = GUEST_UNKNOWN;
	char *name = machine->hypervisor;

	if (!root[0])
		guest = ask_processor(name);
	else if (flags[0])
		guest = words_have(flags, "hypervisor") ? GUEST_YES : GUEST_NO;
	/* Clouds give bare metal the same names as virtual machines. */
	if (guest == GUEST_NO)
		return;
	if (!name[0])
		ask_system(root, name);
	if (!name[0] && guest == GUEST_YES)
		snprintf(name, sizeof machine->hypervisor, "unknown");
}

/* ns = ticks * time_mult >> time_shift, read as in the manual. */
static double page_tick_hz(const volatile struct perf_event_mmap_page *page)
{
	uint32_t sequence, multiplier, shift;
	bool usable;

	for (int attempt = 0; attempt < 1000; attempt++) {
		sequence = page->lock;
		__sync_synchronize();
		usable = page->cap_user_time;
		multiplier = page->time_mult;
		shift = page->time_shift;
		__sync_synchronize();
		if (page->lock != sequence)
			continue;
		if (!usable || !multiplier || shift > 63)
			return 0;
		return 1e9 * (double)(UINT64_C(1) << shift) / multiplier;
	}
	return 0;
}

static double perf_tick_hz(void)
{
	struct perf_event_attr attribute = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attribute,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attribute, 0, -1, -1,
		PERF_FLAG_FD_CLOEXEC);
	double hz = 0;

	if (fd < 0)
		return 0;
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ, MAP_SHARED, (int)fd, 0);
	if (page != MAP_FAILED) {
		hz = page_tick_hz(page);
		munmap(page, size);
	}
	close((int)fd);
	return hz;
}

void machine_read_counter(const char *root, const char *cpuinfo,
	const char *flags, struct machine *machine)
{
	machine->invariant_counter = counter_is_invariant(flags);
	if (!root[0]) {
		machine->cpuid_tick_hz = processor_tick_hz();
		machine->kernel_tick_hz = perf_tick_hz();
	}
	if (machine->kernel_tick_hz <= 0)
		machine->kernel_tick_hz = architecture_tick_hz(cpuinfo, flags);
}
