/*
 * Disks, network interfaces and buses from sysfs: a device's folder is a
 * symbolic link into the tree of buses, and its path contains its buses. Serial
 * numbers, addresses and names of volumes are not read.
 *
 * Sources: the Linux kernel's Documentation/ABI/testing/sysfs-bus-pci,
 * sysfs-class-net, Documentation/ABI/stable/sysfs-block and
 * Documentation/driver-api/libata.rst (ata_link).
 */
#include "machine_internal.h"

#include <ctype.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peek.h"

enum { SECTOR_BYTES = 512, PATH_BYTES = 512, WORD_BYTES = 64 };

/* ---- the bus of a device ---------------------------------------------- */

/* True for a PCI address: 0000:00:02.0. */
static bool is_pci(const char *word)
{
	unsigned domain, bus, slot, function;
	int end = 0;

	return sscanf(word, "%4x:%2x:%2x.%1x%n", &domain, &bus, &slot,
		       &function, &end) == 4 &&
		!word[end];
}

/* Takes the next component of a path; false at its end. */
static bool next_step(const char **path, char step[WORD_BYTES])
{
	*path += strspn(*path, "/");
	size_t length = strcspn(*path, "/");

	snprintf(step, WORD_BYTES, "%.*s", (int)length, *path);
	*path += length;
	return length > 0;
}

/* Finds the path of a device of /sys/FOLDER in the tree of buses. False for
 * devices without hardware: loop devices, RAM disks, device mapper, virtual
 * interfaces. */
static bool is_hardware(const char *root, const char *folder, const char *name,
	char path[PATH_BYTES])
{
	return peek_link(root, path, PATH_BYTES, "/sys/%s/%s", folder, name) &&
		!strstr(path, "/virtual/");
}

/* Components of a device's path: the last PCI controller, the ATA port, and the
 * innermost known bus. */
struct way {
	char pci[WORD_BYTES];
	unsigned ata;
	const char *bus;
};

static void look_at_way(const char *path, struct way *way)
{
	static const struct {
		const char *begins, *bus;
	} marks[] = {
		{ "ata", "sata" },
		{ "nvme", "nvme" },
		{ "usb", "usb" },
		{ "virtio", "virtio" },
		{ "mmc", "mmc" },
		{ "vmbus", "vmbus" },
		{ "vbd-", "xen" },
		{ "vif-", "xen" },
	};
	char step[WORD_BYTES];

	*way = (struct way){ .bus = "" };
	while (next_step(&path, step)) {
		if (is_pci(step)) {
			snprintf(way->pci, sizeof way->pci, "%s", step);
			way->bus = "pci";
		}
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
			size_t length = strlen(marks[i].begins);

			if (strncmp(step, marks[i].begins, length) != 0 ||
				!isdigit((unsigned char)step[length]))
				continue;
			way->bus = marks[i].bus;
			if (!i)
				way->ata = (unsigned)strtoul(step + length,
					NULL, 10);
		}
	}
}

/* "8.0 GT/s PCIe x4" or, for SATA, "6.0 Gbps". */
static void read_link(const char *root, const struct way *way, char link[48])
{
	char speed[WORD_BYTES], width[WORD_BYTES];

	link[0] = '\0';
	if (way->ata) {
		peek_line(root, speed, sizeof speed,
			"/sys/class/ata_link/link%u/sata_spd", way->ata);
		if (isdigit((unsigned char)speed[0]))
			safe_copy(link, 48, speed);
		return;
	}
	if (!way->pci[0])
		return;
	peek_line(root, speed, sizeof speed,
		"/sys/bus/pci/devices/%s/current_link_speed", way->pci);
	peek_line(root, width, sizeof width,
		"/sys/bus/pci/devices/%s/current_link_width", way->pci);
	if (!isdigit((unsigned char)speed[0]) || !strcmp(width, "0"))
		return;
	struct text text = { 0 };
	text_add(&text, "%s%s%s", speed, width[0] ? " x" : "", width);
	safe_copy(link, 48, text_chars(&text));
	text_free(&text);
}

/* ---- disks ------------------------------------------------------------ */

/* The scheduler in brackets: "mq-deadline kyber [none]". */
static void read_scheduler(const char *root, const char *name,
	char scheduler[24])
{
	char line[128];

	peek_line(root, line, sizeof line, "/sys/block/%s/queue/scheduler",
		name);
	char *from = strchr(line, '['), *to = from ? strchr(from, ']') : NULL;
	if (to) {
		*to = '\0';
		safe_copy(scheduler, 24, from + 1);
	} else {
		safe_copy(scheduler, 24, line);
	}
}

static double positive(const char *root, const char *name, const char *file)
{
	double value = 0;

	peek_number(root, &value, "/sys/block/%s/%s", name, file);
	return value > 0 ? value : 0;
}

static void read_disk(const char *root, const char *name, const char *path,
	struct machine_disk *disk)
{
	struct way way;

	*disk = (struct machine_disk){ .rotational = false };
	look_at_way(path, &way);
	safe_copy(disk->name, sizeof disk->name, name);
	safe_copy(disk->bus, sizeof disk->bus, way.bus);
	/* MMC devices have a name instead of a model. */
	if (!peek_line(root, disk->model, sizeof disk->model,
		    "/sys/block/%s/device/model", name))
		peek_line(root, disk->model, sizeof disk->model,
			"/sys/block/%s/device/name", name);
	read_link(root, &way, disk->link);
	read_scheduler(root, name, disk->scheduler);
	disk->size_bytes = positive(root, name, "size") * SECTOR_BYTES;
	disk->ahead_bytes = positive(root, name, "queue/read_ahead_kb") * 1024;
	disk->rotational = positive(root, name, "queue/rotational") > 0;
}

static void read_disks(const char *root, struct machine *machine)
{
	struct folder folder;
	char path[PATH_BYTES];

	peek_folder(root, &folder, "/sys/block");
	for (size_t i = 0; i < folder.count; i++)
		if (machine->disk_count < MACHINE_DISKS &&
			is_hardware(root, "block", folder.name[i], path) &&
			positive(root, folder.name[i], "size") > 0)
			read_disk(root, folder.name[i], path,
				&machine->disks[machine->disk_count++]);
}

/* ---- network interfaces ----------------------------------------------- */

/* "enx0011aabbccdd": systemd's fallback name contains the MAC address. */
static void keep_name(const char *name, char into[16])
{
	size_t length = strlen(name), tail = 0;

	while (tail < length &&
		isxdigit((unsigned char)name[length - tail - 1]))
		tail++;
	safe_copy(into, 16, name);
	if (tail >= 12)
		snprintf(into, 16, "%.*s..",
			length - tail < 12 ? (int)(length - tail) : 12, name);
}

/* "0x8086" and "0x15b8" for PCI, "0bda" and "8153" for USB. */
static void read_device(const char *root, const char *name, char device[24])
{
	static const char *const places[][2] = {
		{ "device/vendor", "device/device" },
		{ "device/../idVendor", "device/../idProduct" },
	};

	for (size_t i = 0; i < 2 && !device[0]; i++) {
		char vendor[16], product[16];

		if (!peek_line(root, vendor, sizeof vendor,
			    "/sys/class/net/%s/%s", name, places[i][0]) ||
			!peek_line(root, product, sizeof product,
				"/sys/class/net/%s/%s", name, places[i][1]))
			continue;
		snprintf(device, 24, "%.8s:%.8s",
			vendor + (strncmp(vendor, "0x", 2) ? 0 : 2),
			product + (strncmp(product, "0x", 2) ? 0 : 2));
	}
}

/* linux/ethtool.h: permitted for all users; virtual interfaces refuse it. */
static void ask_coalescing(struct machine_network *network, const char *name)
{
	struct ethtool_coalesce answer = { .cmd = ETHTOOL_GCOALESCE };
	struct ifreq request = { .ifr_data = (char *)&answer };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
	if (!ioctl(fd, SIOCETHTOOL, &request)) {
		network->coalescing_told = true;
		network->coalesces_us = answer.rx_coalesce_usecs;
		network->coalesces_adaptively = answer.use_adaptive_rx_coalesce;
	}
	close(fd);
}

static void read_network(const char *root, const char *name, const char *path,
	struct machine_network *network)
{
	char target[PATH_BYTES], state[16];
	double megabits = 0, mtu = 0;
	struct way way;

	*network = (struct machine_network){ .mtu = 0 };
	look_at_way(path, &way);
	keep_name(name, network->name);
	peek_link(root, target, sizeof target,
		"/sys/class/net/%s/device/driver", name);
	const char *last = strrchr(target, '/');
	safe_copy(network->driver, sizeof network->driver,
		last ? last + 1 : target);
	read_device(root, name, network->device);
	read_link(root, &way, network->link);
	network->wireless =
		peek_there(root, "/sys/class/net/%s/wireless", name) ||
		peek_there(root, "/sys/class/net/%s/phy80211", name);
	peek_line(root, state, sizeof state, "/sys/class/net/%s/operstate",
		name);
	network->up = !strcmp(state, "up");
	/* -1, or an error, if the link is down or has no speed. */
	peek_number(root, &megabits, "/sys/class/net/%s/speed", name);
	if (megabits > 0 && megabits < 1e7)
		network->speed_bit_s = megabits * 1e6;
	if (!root[0])
		ask_coalescing(network, name);
	peek_number(root, &mtu, "/sys/class/net/%s/mtu", name);
	if (mtu > 0 && mtu <= 1 << 20)
		network->mtu = (unsigned)mtu;
}

static void read_networks(const char *root, struct machine *machine)
{
	struct folder folder;
	char path[PATH_BYTES];

	peek_folder(root, &folder, "/sys/class/net");
	for (size_t i = 0; i < folder.count; i++)
		if (machine->network_count < MACHINE_NETWORKS &&
			is_hardware(root, "class/net", folder.name[i], path))
			read_network(root, folder.name[i], path,
				&machine->networks[machine->network_count++]);
}

/* ---- buses ------------------------------------------------------------ */

static void read_buses(const char *root, struct machine *machine)
{
	static const char *const names[][2] = {
		{ "pci", "PCI devices" },
		{ "usb", "USB" },
		{ "nvme", "NVMe" },
		{ "virtio", "virtio" },
		{ "vmbus", "VMBus" },
		{ "xen", "Xen" },
		{ "mmc", "MMC" },
		{ "thunderbolt", "Thunderbolt" },
	};
	struct folder folder;
	struct text text = { 0 };
	size_t roots = 0;

	peek_folder(root, &folder, "/sys/devices");
	for (size_t i = 0; i < folder.count; i++)
		roots += !strncmp(folder.name[i], "pci", 3);
	if (roots)
		text_add(&text, "%zu PCI root%s", roots, roots > 1 ? "s" : "");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t count =
			peek_count(root, "/sys/bus/%s/devices", names[i][0]);

		if (count)
			text_add(&text, "%s%zu %s", text.length ? ", " : "",
				count, names[i][1]);
	}
	safe_copy(machine->buses, sizeof machine->buses, text_chars(&text));
	text_free(&text);
}

void machine_read_devices(const char *root, struct machine *machine)
{
	read_disks(root, machine);
	read_networks(root, machine);
	read_buses(root, machine);
}
