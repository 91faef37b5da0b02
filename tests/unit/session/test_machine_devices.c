/* Disks, network interfaces, buses and memory of simulated machines. */
#include "fake_tree.h"
#include "machine.h"

static struct machine machine;

static void assert_said(struct text *said, const char *expected)
{
	assert_string_equal(text_chars(said), expected);
	text_free(said);
}

static void assert_disk(size_t i, const char *expected)
{
	struct text said = { 0 };

	assert_true(i < machine.disk_count);
	machine_say_disk(&machine.disks[i], &said);
	assert_said(&said, expected);
}

static void assert_network(size_t i, const char *expected)
{
	struct text said = { 0 };

	assert_true(i < machine.network_count);
	machine_say_network(&machine.networks[i], &said);
	assert_said(&said, expected);
}

static void a_disk_on_sata_is_read(void **state)
{
	fake_device("/sys/block/sda",
		"pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/"
		"sda");
	fake_file("/sys/block/sda/size", "250069680\n");
	fake_file("/sys/block/sda/device/model", "TOSHIBA THNSNK12\n");
	fake_file("/sys/block/sda/device/vpd_pg80", "SERIAL-4711");
	fake_file("/sys/block/sda/queue/scheduler", "[mq-deadline] none\n");
	fake_file("/sys/block/sda/queue/rotational", "0\n");
	fake_file("/sys/block/sda/queue/read_ahead_kb", "128\n");
	fake_file("/sys/class/ata_link/link3/sata_spd", "6.0 Gbps\n");
	machine_read_at(fake_root, &machine);
	assert_int_equal(machine.disk_count, 1);
	assert_near(machine.disks[0].size_bytes, 250069680. * 512);
	assert_disk(0,
		"sda, TOSHIBA THNSNK12, 119.2 GiB, not rotating, sata 6.0 "
		"Gbps, scheduler mq-deadline, reads ahead 128.0 KiB");
}

static void a_disk_on_pci_has_its_link(void **state)
{
	fake_device("/sys/block/nvme0n1",
		"pci0000:00/0000:00:1d.0/0000:03:00.0/nvme/nvme0/nvme0n1");
	fake_file("/sys/block/nvme0n1/size", "1000\n");
	fake_file("/sys/bus/pci/devices/0000:03:00.0/current_link_speed",
		"8.0 GT/s PCIe\n");
	fake_file("/sys/bus/pci/devices/0000:03:00.0/current_link_width",
		"4\n");
	fake_file("/sys/block/nvme0n1/queue/rotational", "1\n");
	machine_read_at(fake_root, &machine);
	assert_disk(0, "nvme0n1, 500.0 KiB, rotating, nvme 8.0 GT/s PCIe x4");
}

static void what_is_no_disk_is_left_out(void **state)
{
	fake_device("/sys/block/loop0", "virtual/block/loop0");
	fake_file("/sys/block/loop0/size", "8\n");
	/* A drive without a medium. */
	fake_device("/sys/block/sr0", "pci0000:00/0000:00:1f.2/ata1/block/sr0");
	fake_file("/sys/block/sr0/size", "0\n");
	machine_read_at(fake_root, &machine);
	assert_int_equal(machine.disk_count, 0);
}

static void no_more_disks_than_there_is_room_for(void **state)
{
	for (int i = 0; i < 20; i++) {
		char path[40], device[60];

		snprintf(path, sizeof path, "/sys/block/sd%c", 'a' + i);
		snprintf(device, sizeof device, "platform/d%d/block/sd%c", i,
			'a' + i);
		fake_device(path, device);
		snprintf(path, sizeof path, "/sys/block/sd%c/size", 'a' + i);
		fake_file(path, "8\n");
	}
	machine_read_at(fake_root, &machine);
	assert_int_equal(machine.disk_count, MACHINE_DISKS);
	assert_string_equal(machine.disks[7].name, "sdh");
}

static void a_network_interface_is_read(void **state)
{
	fake_device("/sys/class/net/eth0",
		"pci0000:00/0000:00:1c.0/0000:02:00.0/net/eth0");
	fake_device("/sys/class/net/lo", "virtual/net/lo");
	fake_file("/sys/class/net/eth0/address", "02:00:5e:10:00:01\n");
	fake_file("/sys/class/net/eth0/speed", "1000\n");
	fake_file("/sys/class/net/eth0/mtu", "1500\n");
	fake_file("/sys/class/net/eth0/operstate", "up\n");
	fake_file("/sys/class/net/eth0/device/vendor", "0x10ec\n");
	fake_file("/sys/class/net/eth0/device/device", "0x8168\n");
	fake_link("/sys/class/net/eth0/device/driver",
		"../../../bus/pci/drivers/r8169");
	fake_file("/sys/bus/pci/devices/0000:02:00.0/current_link_speed",
		"2.5 GT/s PCIe\n");
	fake_file("/sys/bus/pci/devices/0000:02:00.0/current_link_width",
		"1\n");
	machine_read_at(fake_root, &machine);
	assert_int_equal(machine.network_count, 1);
	assert_near(machine.networks[0].speed_bit_s, 1e9);
	assert_network(0,
		"eth0, wired, r8169 (10ec:8168), 2.5 GT/s PCIe x1, 1.000 "
		"Gbit/s, MTU 1500");
}

static void an_interface_named_by_its_address_is_not(void **state)
{
	fake_device("/sys/class/net/enx02005e100001",
		"pci0000:00/0000:00:14.0/usb1/1-2/1-2:1.0/net/enx02005e100001");
	fake_file("/sys/class/net/enx02005e100001/speed", "-1\n");
	fake_file("/sys/class/net/enx02005e100001/wireless/x", "");
	machine_read_at(fake_root, &machine);
	assert_network(0, "enx.., wireless, down");
}

static void buses_are_counted(void **state)
{
	fake_file("/sys/devices/pci0000:00/uevent", "");
	fake_file("/sys/devices/pci0000:80/uevent", "");
	fake_file("/sys/bus/pci/devices/0000:00:00.0", "");
	fake_file("/sys/bus/pci/devices/0000:00:1f.2", "");
	fake_file("/sys/bus/usb/devices/usb1", "");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.buses, "2 PCI roots, 2 PCI devices, 1 USB");
}

static void system_and_device_are_named(void **state)
{
	fake_file("/etc/os-release",
		"NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 22.04.3 LTS\"\n");
	fake_file("/sys/class/dmi/id/sys_vendor", "LENOVO\n");
	fake_file("/sys/class/dmi/id/product_name", "20BX000TUS\n");
	fake_file("/sys/class/dmi/id/product_serial", "PF-4711\n");
	fake_file("/sys/class/dmi/id/bios_vendor", "LENOVO\n");
	fake_file("/sys/class/dmi/id/bios_version", "JBET73WW (1.37 )\n");
	fake_file("/sys/class/dmi/id/bios_date", "08/14/2019\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.system, "Ubuntu 22.04.3 LTS");
	assert_string_equal(machine.device, "LENOVO 20BX000TUS");
	assert_string_equal(machine.firmware,
		"LENOVO JBET73WW (1.37 ), 08/14/2019");
	fake_file("/etc/os-release", "PRETTY_NAME='Some \x1b[2J Linux'\n");
	fake_file("/sys/class/dmi/id/sys_vendor", "System manufacturer\n");
	fake_file("/sys/class/dmi/id/product_name", "System Product Name\n");
	fake_file("/sys/class/dmi/id/bios_vendor", "Default string\n");
	fake_file("/sys/class/dmi/id/bios_version", "1.\x1b[2J\n");
	machine_read_at(fake_root, &machine);
	assert_printable(machine.system, sizeof machine.system);
	assert_non_null(strstr(machine.system, "Linux"));
	assert_string_equal(machine.device, "");
	assert_printable(machine.firmware, sizeof machine.firmware);
	assert_memory_equal(machine.firmware, "1.", 2);
}

static void the_cycle_comes_from_what_tells_it(void **state)
{
	struct text said = { 0 };

	fake_file("/proc/cpuinfo",
		"model name : Intel(R) Core(TM) i5-6200U CPU @ 2.30GHz\n\n");
	fake_file("/sys/devices/system/cpu/online", "0-3\n");
	fake_file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq",
		"400000\n");
	fake_file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
		"2800000\n");
	machine_read_at(fake_root, &machine);
	machine_say_cycle(&machine, &said);
	assert_said(&said,
		"0.435 ns at 2.300 GHz, runs at 400.0 MHz to 2.800 GHz");
	fake_file("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency",
		"2400000\n");
	machine_read_at(fake_root, &machine);
	assert_near(machine.base_hz, 2.4e9);
	/* A tick of the counter is no cycle. */
	machine = (struct machine){ .kernel_tick_hz = 2e9 };
	machine_say_cycle(&machine, &said);
	assert_int_equal(said.length, 0);
}

static void memory_is_said_as_far_as_it_is_known(void **state)
{
	struct text said = { 0 };

	machine = (struct machine){ 0 };
	machine_say_memory(&machine, &said);
	assert_said(&said, "");
	machine.memory = (struct smbios_memory){ 2, 2, true, 64, 2400, "DDR4",
		1 << 30, 38.4e9 };
	machine_say_memory(&machine, &said);
	assert_said(&said,
		"2 modules of DDR4, 2400 MT/s, 2 channels of 64 bit, at most "
		"38.40 GB/s");
	/* From a file of an earlier version. */
	machine.memory = (struct smbios_memory){ .peak_bytes_per_s = 27.3e9 };
	machine_say_memory(&machine, &said);
	assert_said(&said, "at most 27.30 GB/s");
}

#define on_a_fake(test) \
	cmocka_unit_test_setup_teardown(test, fake_open, fake_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_a_fake(a_disk_on_sata_is_read),
		on_a_fake(a_disk_on_pci_has_its_link),
		on_a_fake(what_is_no_disk_is_left_out),
		on_a_fake(no_more_disks_than_there_is_room_for),
		on_a_fake(a_network_interface_is_read),
		on_a_fake(an_interface_named_by_its_address_is_not),
		on_a_fake(buses_are_counted),
		on_a_fake(system_and_device_are_named),
		on_a_fake(the_cycle_comes_from_what_tells_it),
		cmocka_unit_test(memory_is_said_as_far_as_it_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
