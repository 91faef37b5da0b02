/* Identifies the running program by the build ID that the linker wrote. */
#include "machine_internal.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

static void say_digits(const char *bytes, size_t count, char *id, size_t size)
{
	for (size_t i = 0; i < count && 2 * i + 2 < size; i++)
		snprintf(id + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
}

/* Writes the digits of the first build ID in a segment of notes, whose names
 * and descriptions are padded to multiples of four (elf(5)). */
static void read_notes(const char *notes, size_t length, char *id, size_t size)
{
	static const char owner[] = "GNU";
	ElfW(Nhdr) note;

	while (length >= sizeof note) {
		memcpy(&note, notes, sizeof note);
		const char *name = notes + sizeof note;
		size_t before = sizeof note + ((note.n_namesz + 3u) & ~3u);
		size_t whole = before + ((note.n_descsz + 3u) & ~3u);

		if (whole > length)
			return;
		if (note.n_type == NT_GNU_BUILD_ID &&
			note.n_namesz == sizeof owner &&
			!memcmp(name, owner, sizeof owner)) {
			say_digits(notes + before, note.n_descsz, id, size);
			return;
		}
		notes += whole;
		length -= whole;
	}
}

/* The first object is the program itself; others are not visited. */
static int read_program(struct dl_phdr_info *info, size_t size, void *context)
{
	struct machine *machine = context;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum && !*machine->build_id; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE)
			/* The loader gives addresses as integers. */
			read_notes((const char *)(info->dlpi_addr +
					   info->dlpi_phdr[i].p_vaddr),
				info->dlpi_phdr[i].p_memsz, machine->build_id,
				sizeof machine->build_id);
	return 1;
}

void machine_read_build_id(struct machine *machine)
{
	dl_iterate_phdr(read_program, machine);
}
