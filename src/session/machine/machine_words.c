/* Descriptions of the parts of a machine. */
#include "machine.h"

#include <string.h>

#include "unit.h"

bool machine_is_known(const struct machine *machine)
{
	return *machine->hostname || *machine->cpu || *machine->kernel;
}

void machine_say_memory(const struct machine *machine, struct text *text)
{
	const struct smbios_memory *memory = &machine->memory;

	if (memory->modules)
		text_add(text, "%u module%s%s%s", memory->modules,
			memory->modules > 1 ? "s" : "",
			memory->type[0] ? " of " : "", memory->type);
	else
		text_add(text, "%s", memory->type);
	if (memory->speed_mts)
		text_add(text, "%s%u MT/s", text->length ? ", " : "",
			memory->speed_mts);
	if (memory->channels)
		text_add(text, "%s%u channel%s", text->length ? ", " : "",
			memory->channels, memory->channels > 1 ? "s" : "");
	if (memory->width_bits)
		text_add(text, "%s%u bit", memory->channels ? " of " : ", ",
			memory->width_bits);
	if (memory->peak_bytes_per_s > 0) {
		text_add(text, "%sat most ", text->length ? ", " : "");
		unit_show(text, UNIT_BYTES_PER_S, memory->peak_bytes_per_s);
	}
}

void machine_say_cycle(const struct machine *machine, struct text *text)
{
	double hz = machine->base_hz;

	if (hz > 0) {
		text_add(text, "%.3g ns at ", 1e9 / hz);
		unit_show(text, UNIT_HZ, hz);
	}
	if (machine->least_hz > 0 && machine->most_hz > 0) {
		text_add(text, "%s", text->length ? ", runs at " : "at ");
		unit_show(text, UNIT_HZ, machine->least_hz);
		text_add(text, " to ");
		unit_show(text, UNIT_HZ, machine->most_hz);
	}
}

void machine_say_disk(const struct machine_disk *disk, struct text *text)
{
	text_add(text, "%s", disk->name);
	if (disk->model[0])
		text_add(text, ", %s", disk->model);
	if (disk->size_bytes > 0) {
		text_add(text, ", ");
		unit_show(text, UNIT_BYTES, disk->size_bytes);
	}
	text_add(text, ", %s", disk->rotational ? "rotating" : "not rotating");
	if (disk->bus[0])
		text_add(text, ", %s", disk->bus);
	if (disk->link[0])
		text_add(text, "%s%s", disk->bus[0] ? " " : ", ", disk->link);
	if (disk->scheduler[0])
		text_add(text, ", scheduler %s", disk->scheduler);
	if (disk->ahead_bytes > 0) {
		text_add(text, ", reads ahead ");
		unit_show(text, UNIT_BYTES, disk->ahead_bytes);
	}
}

void machine_say_network(const struct machine_network *network,
	struct text *text)
{
	const char *kind = network->wireless ? "wireless" : "wired";

	text_add(text, "%s", network->name);
	if (strcmp(network->name, kind))
		text_add(text, ", %s", kind);
	if (network->driver[0])
		text_add(text, ", %s", network->driver);
	if (network->device[0])
		text_add(text, " (%s)", network->device);
	if (network->link[0])
		text_add(text, ", %s", network->link);
	text_add(text, ", ");
	if (network->speed_bit_s > 0)
		unit_show(text, UNIT_BITS_PER_S, network->speed_bit_s);
	else
		text_add(text, "%s", network->up ? "speed unknown" : "down");
	if (network->mtu)
		text_add(text, ", MTU %u", network->mtu);
}
