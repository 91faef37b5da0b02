/* Facts about simulated machines and the real one. */
#include "machine.h"

#include <time.h>

#include "fake_tree.h"

static const char laptop_cpuinfo[] =
	"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
	"model\t\t: 142\nmodel name\t: Intel(R) Core(TM) i5-8250U CPU\n"
	"stepping\t: 10\nmicrocode\t: 0xf4\n"
	"flags\t\t: fpu tsc constant_tsc nonstop_tsc pti\n"
	"bogomips\t: 3600.00\n\n"
	"processor\t: 1\nflags\t\t: hypervisor\n";

static void assert_all_printable(const struct machine *machine)
{
	assert_printable(machine->hostname, sizeof machine->hostname);
	assert_printable(machine->kernel, sizeof machine->kernel);
	assert_printable(machine->kernel_version,
		sizeof machine->kernel_version);
	assert_printable(machine->architecture, sizeof machine->architecture);
	assert_printable(machine->cpu, sizeof machine->cpu);
	assert_printable(machine->vendor, sizeof machine->vendor);
	assert_printable(machine->microcode, sizeof machine->microcode);
	assert_printable(machine->hypervisor, sizeof machine->hypervisor);
	assert_printable(machine->clocksource, sizeof machine->clocksource);
	assert_printable(machine->governor, sizeof machine->governor);
	assert_printable(machine->mitigations, sizeof machine->mitigations);
	assert_printable(machine->command_line, sizeof machine->command_line);
	assert_printable(machine->compiler, sizeof machine->compiler);
	assert_printable(machine->flags, sizeof machine->flags);
	assert_printable(machine->build, sizeof machine->build);
	assert_printable(machine->device, sizeof machine->device);
	assert_printable(machine->system, sizeof machine->system);
	assert_printable(machine->buses, sizeof machine->buses);
	for (size_t i = 0; i < machine->disk_count; i++) {
		struct text said = { 0 };

		machine_say_disk(&machine->disks[i], &said);
		assert_printable(said.chars, said.length + 1);
		text_free(&said);
	}
	for (size_t i = 0; i < machine->network_count; i++) {
		struct text said = { 0 };

		machine_say_network(&machine->networks[i], &said);
		assert_printable(said.chars, said.length + 1);
		text_free(&said);
	}
}

static void a_laptop_is_read(void **state)
{
	struct machine machine;

	fake_file("/proc/cpuinfo", laptop_cpuinfo);
	fake_file("/proc/meminfo", "MemTotal:        8052964 kB\n");
	fake_file("/sys/devices/system/cpu/online", "0-7\n");
	fake_file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		"powersave\n");
	fake_file("/sys/devices/system/clocksource/clocksource0/"
		  "current_clocksource",
		"tsc\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.cpu, "Intel(R) Core(TM) i5-8250U CPU");
	assert_string_equal(machine.vendor, "GenuineIntel");
	assert_int_equal(machine.family, 6);
	assert_int_equal(machine.model, 142);
	assert_int_equal(machine.stepping, 10);
	assert_string_equal(machine.microcode, "0xf4");
	assert_int_equal(machine.cpus, 8);
	assert_near(machine.memory_bytes, 8052964. * 1024);
	assert_string_equal(machine.governor, "powersave");
	assert_string_equal(machine.clocksource, "tsc");
	assert_string_equal(machine.hypervisor, "");
	assert_true(machine.invariant_counter);
	assert_true(machine.page_table_isolation);
#if defined(__x86_64__)
	assert_near(machine.kernel_tick_hz, 1.8e9);
#endif
	assert_near(machine.cpuid_tick_hz, 0);
	assert_all_printable(&machine);
}

static void arm_processors_are_named_by_number(void **state)
{
	struct machine machine;

	fake_file("/proc/cpuinfo",
		"processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\n"
		"CPU implementer\t: 0x41\nCPU architecture: 8\n"
		"CPU part\t: 0xd0c\n\nprocessor\t: 1\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.vendor, "Arm");
	assert_string_equal(machine.cpu, "Arm part 0xd0c");
	assert_int_equal(machine.family, 0);
}

static void a_guest_is_named_by_what_it_is_told(void **state)
{
	struct machine machine;

	fake_file("/sys/class/dmi/id/product_name", "VMware20,1\n");
	fake_file("/proc/cpuinfo", "flags : tsc hypervisor\n\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.hypervisor, "VMware");
	/* The processor has no hypervisor flag, so the product name does not
	 * count. */
	fake_file("/proc/cpuinfo", "flags : tsc\n\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.hypervisor, "");
	/* A processor without such a flag. */
	fake_file("/proc/cpuinfo", "Features : fp\n\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.hypervisor, "VMware");
	fake_file("/sys/hypervisor/type", "xen\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.hypervisor, "Xen");
}

static void an_unnamed_hypervisor_is_still_one(void **state)
{
	struct machine machine;

	fake_file("/proc/cpuinfo", "flags : hypervisor\n\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.hypervisor, "unknown");
}

static void a_bare_machine_of_a_cloud_is_bare(void **state)
{
	struct machine machine;

	fake_file("/sys/class/dmi/id/product_name", "c6g.metal\n");
	fake_file("/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.hypervisor, "");
	fake_file("/sys/class/dmi/id/product_name", "c6g.large\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.hypervisor, "Nitro");
}

static void mitigations_are_compact(void **state)
{
	struct machine machine;

	fake_file("/sys/devices/system/cpu/vulnerabilities/l1tf",
		"Not affected\n");
	fake_file("/sys/devices/system/cpu/vulnerabilities/mds",
		"Vulnerable\n");
	fake_file("/sys/devices/system/cpu/vulnerabilities/meltdown",
		"Mitigation: PTI\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.mitigations,
		"mds: Vulnerable; meltdown: PTI");
	assert_true(machine.page_table_isolation);
}

static void too_many_mitigations_are_cut_at_a_whole_one(void **state)
{
	struct machine machine;

	for (int i = 0; i < 40; i++) {
		char path[80];

		snprintf(path, sizeof path,
			"/sys/devices/system/cpu/vulnerabilities/bug%02d", i);
		fake_file(path, "Mitigation: something long to say of it\n");
	}
	machine_read_at(fake_root, &machine);
	size_t length = strlen(machine.mitigations);
	assert_true(length > 500 && length < sizeof machine.mitigations);
	assert_string_equal(machine.mitigations + length - 10, " of it; ..");
}

static void the_command_line_is_kept_without_what_is_private(void **state)
{
	struct machine machine;

	fake_file("/proc/cmdline",
		"BOOT_IMAGE=/vmlinuz-6.1.0-31-amd64 root=/dev/sda1 ro quiet "
		"mitigations=auto,no_guest_host isolcpus=2-3 nohz_full=2-3 "
		"rd.luks.uuid=luks-1 token=abc Password=x ip=192.0.2.7::1 "
		"server=192.0.2.9 nfsroot=/x note=\"my secret thing\" tsc=reliable "
		"hw=02:00:5e:10:00:01 url=http://a/b "
		"crashkernel=1G-4G:192M,4G-64G:256M -- --listen 0.0.0.0\n");
	machine_read_at(fake_root, &machine);
	assert_string_equal(machine.command_line,
		"BOOT_IMAGE=/vmlinuz-6.1.0-31-amd64 ro quiet "
		"mitigations=auto,no_guest_host isolcpus=2-3 nohz_full=2-3 "
		"tsc=reliable crashkernel=1G-4G:192M,4G-64G:256M");
}

static void nothing_there_is_nothing_known(void **state)
{
	struct machine machine;

	machine_read_at(fake_root, &machine);
	assert_true(machine.cpus >= 1);
	assert_string_equal(machine.cpu, "");
	assert_string_equal(machine.governor, "");
	assert_string_equal(machine.mitigations, "");
	assert_string_equal(machine.command_line, "");
	assert_near(machine.memory_bytes, 0);
	assert_int_equal(machine.cache_count, 0);
	assert_false(machine.page_table_isolation);
}

static void nonsense_does_no_harm(void **state)
{
	enum { SIZES = 5 };
	static const size_t sizes[SIZES] = { 0, 1, 300, 5000, 1 << 20 };
	struct machine machine;

	for (size_t i = 0; i < SIZES; i++) {
		char *bytes = fake_garbage(sizes[i] + 1);

		fake_everywhere(bytes, sizes[i]);
		machine_read_at(fake_root, &machine);
		assert_all_printable(&machine);
		memset(bytes, 'A', sizes[i]);
		fake_everywhere(bytes, sizes[i]);
		machine_read_at(fake_root, &machine);
		assert_all_printable(&machine);
		free(bytes);
	}
}

static void folders_in_place_of_files_do_no_harm(void **state)
{
	struct machine machine;

	fake_folders_everywhere();
	machine_read_at(fake_root, &machine);
	assert_all_printable(&machine);
}

static void pipes_in_place_of_files_do_not_block(void **state)
{
	struct machine machine;

	fake_pipes_everywhere();
	machine_read_at(fake_root, &machine);
	assert_all_printable(&machine);
}

static void assert_cache_plausible(const struct machine *machine,
	const struct machine_cache *cache)
{
	assert_printable(cache->name, sizeof cache->name);
	assert_true(cache->name[0] == 'L');
	assert_true(cache->size_bytes >= 1024);
	assert_true(cache->count >= 1);
	assert_true(cache->shared_by >= 1);
	assert_true(cache->shared_by <= machine->cpus);
}

static void this_machine_is_plausible(void **state)
{
	struct machine machine;
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	machine_read(&machine);
	clock_gettime(CLOCK_MONOTONIC, &to);
	/* It takes tens of milliseconds; a loaded machine may be slower. */
	assert_true(to.tv_sec - from.tv_sec < 5);
	assert_all_printable(&machine);
	assert_true(machine.hostname[0] && machine.kernel[0]);
	assert_true(machine.cpus >= 1);
	assert_true(machine.allowed >= 1 && machine.allowed <= machine.cpus);
	assert_true(machine.cores <= machine.cpus);
	assert_true(machine.packages <= machine.cpus);
	assert_true(machine.memory_bytes > 1 << 20);
	assert_true(machine.page_bytes >= 4096);
	assert_true(machine.cache_count <= MACHINE_CACHES);
	for (size_t i = 0; i < machine.cache_count; i++)
		assert_cache_plausible(&machine, &machine.caches[i]);
	assert_true(machine.kernel_tick_hz >= 0);
	assert_true(machine.cpuid_tick_hz >= 0);
	if (machine.kernel_tick_hz > 0)
		assert_true(machine.kernel_tick_hz > 1e6 &&
			machine.kernel_tick_hz < 1e11);
	assert_string_equal(machine.flags, BENCHTOP_TIMED_FLAGS);
	assert_non_null(strstr(machine.build, BENCHTOP_BUILD));
	assert_true(machine.compiler[0]);
}

/* The build ID is the one in the note of the executable: three words (length of
 * the name, of the ID, type 3), the name and 20 bytes. */
static void the_program_is_identified(void **state)
{
	static const char head[] = "\4\0\0\0\24\0\0\0\3\0\0\0GNU";
	static char bytes[1 << 20];
	struct machine machine;
	char id[17] = "";
	FILE *file = fopen("/proc/self/exe", "rb");

	assert_non_null(file);
	size_t length = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	const char *note = memmem(bytes, length, head, sizeof head);
	assert_non_null(note);
	for (size_t i = 0; i < 8; i++)
		snprintf(id + 2 * i, 3, "%02x",
			(unsigned char)note[sizeof head + i]);
	machine_read(&machine);
	assert_string_equal(machine.build_id, id);
}

#define on_a_fake(test) \
	cmocka_unit_test_setup_teardown(test, fake_open, fake_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		on_a_fake(a_laptop_is_read),
		on_a_fake(arm_processors_are_named_by_number),
		on_a_fake(a_guest_is_named_by_what_it_is_told),
		on_a_fake(an_unnamed_hypervisor_is_still_one),
		on_a_fake(a_bare_machine_of_a_cloud_is_bare),
		on_a_fake(mitigations_are_compact),
		on_a_fake(too_many_mitigations_are_cut_at_a_whole_one),
		on_a_fake(the_command_line_is_kept_without_what_is_private),
		on_a_fake(nothing_there_is_nothing_known),
		on_a_fake(nonsense_does_no_harm),
		on_a_fake(folders_in_place_of_files_do_no_harm),
		on_a_fake(pipes_in_place_of_files_do_not_block),
		cmocka_unit_test(this_machine_is_plausible),
		cmocka_unit_test(the_program_is_identified),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
