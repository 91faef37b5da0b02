/* Checks of the network: interfaces, TCP's settings, the link, capture. */
#include "doctor_checks.h"

#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "machine.h"
#include "peek.h"
#include "text.h"

#define TCP "/proc/sys/net/ipv4"

static const double ports_least = 10000;

void check_network(const struct patient *patient, struct doctor_row *row)
{
	const struct machine *machine = patient->input->machine;
	struct text found = { 0 };
	double mtu = 0;
	size_t up = 0;

	if (peek_number(patient->root, &mtu, "/sys/class/net/lo/mtu"))
		text_add(&found, "lo: MTU %.0f", mtu);
	for (size_t i = 0; i < machine->network_count; i++) {
		text_add(&found, "%s", found.length ? "; " : "");
		machine_say_network(&machine->networks[i], &found);
		up += machine->networks[i].up;
	}
	row_found(row, "%s", found.length ? found.chars : "none found");
	text_free(&found);
	if (!up)
		row_verdict(row, DOCTOR_NOTE,
			"no interface is up: host=loopback measures the "
			"kernel, host=link an emulated path",
			"");
}

/* A network card may wait for more packets before it interrupts: ethtool(8),
 * -c. */
void check_coalescing(const struct patient *patient, struct doctor_row *row)
{
	enum { WAITS_US_MOST = 10 };
	const struct machine *machine = patient->input->machine;
	struct text found = { 0 };
	char fix[sizeof row->fix] = "";

	for (size_t i = 0; i < machine->network_count; i++) {
		const struct machine_network *card = &machine->networks[i];

		if (!card->up || !card->coalescing_told)
			continue;
		text_add(&found, "%s%s waits %u us%s", found.length ? "; " : "",
			card->name, card->coalesces_us,
			card->coalesces_adaptively ? ", adaptive" :
						     "");
		if (card->coalesces_adaptively ||
			card->coalesces_us > WAITS_US_MOST)
			snprintf(fix, sizeof fix,
				"sudo ethtool -C %s adaptive-rx off rx-usecs 0",
				card->name);
	}
	row_found(row, "%s",
		found.length ? found.chars : "no active interface reports "
			"coalescing");
	text_free(&found);
	if (*fix)
		row_verdict(row, DOCTOR_NOTE,
			"packets are reported late: round trips are longer and "
			"quantised",
			fix);
}

void check_congestion(const struct patient *patient, struct doctor_row *row)
{
	static const char *const wanted[] = { "cubic", "reno", "bbr" };
	char now[32], offered[200], fix[sizeof row->fix] = "";
	struct text missing = { 0 };

	peek_line(patient->root, now, sizeof now,
		TCP "/tcp_congestion_control");
	peek_line(patient->root, offered, sizeof offered,
		TCP "/tcp_available_congestion_control");
	row_found(row, "%s; available: %s", now[0] ? now : "unknown",
		offered[0] ? offered : "unknown");
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (offered[0] && !words_have(offered, wanted[i])) {
			text_add(&missing, "%s%s", missing.length ? ", " : "",
				wanted[i]);
			snprintf(fix, sizeof fix, "sudo modprobe tcp_%s",
				wanted[i]);
		}
	if (missing.length) {
		char effect[80];

		snprintf(effect, sizeof effect, "not available for comparison: "
			"%s",
			missing.chars);
		row_verdict(row, DOCTOR_NOTE, effect, fix);
	}
	text_free(&missing);
}

void check_tcp_metrics(const struct patient *patient, struct doctor_row *row)
{
	double forgets = 1;

	if (!peek_number(patient->root, &forgets, TCP "/tcp_no_metrics_save")) {
		row_found(row, "unknown");
		return;
	}
	row_found(row, "the kernel %s round-trip time and slow-start threshold "
		"per host",
		forgets > 0 ? "does not keep" : "keeps");
	if (forgets <= 0)
		row_verdict(row, DOCTOR_NOTE,
			"a connection starts with those of an earlier one to "
			"the same host",
			"sudo sysctl net.ipv4.tcp_no_metrics_save=1");
}

void check_ports(const struct patient *patient, struct doctor_row *row)
{
	char range[64];
	double low, high, reuse = 0;

	/* The two are separated by a tab. */
	peek_bytes(patient->root, range, sizeof range,
		TCP "/ip_local_port_range");
	const char *gap = strpbrk(range, " \t");
	if (!gap || !number_read(range, &low) || !number_read(gap, &high) ||
		high < low) {
		row_found(row, "the range is unknown");
		return;
	}
	peek_number(patient->root, &reuse, TCP "/tcp_tw_reuse");
	row_found(row, "%.0f for outgoing connections; closed ones are %s",
		high - low + 1,
		reuse == 1         ? "reused" :
			reuse == 2 ? "reused on loopback" :
				     "kept for a minute");
	if (high - low + 1 < ports_least)
		row_verdict(row, DOCTOR_NOTE,
			"many connections to one address exhaust the ports",
			"sudo sysctl net.ipv4.ip_local_port_range='10000 "
			"65000'");
}

void check_icmp(const struct patient *patient, struct doctor_row *row)
{
	enum { CAP_NET_RAW_BIT = 13 };
	char range[64];
	unsigned long low = 1, high = 0, group = getegid();

	if (patient_can(patient, CAP_NET_RAW_BIT)) {
		row_found(row, "raw sockets are permitted");
		return;
	}
	if (!peek_bytes(patient->root, range, sizeof range,
		    TCP "/ping_group_range")) {
		row_found(row, "unknown");
		return;
	}
	if (sscanf(range, "%lu %lu", &low, &high) == 2 && low <= group &&
		group <= high) {
		row_found(row, "datagram sockets are permitted");
		return;
	}
	row_found(row, "permitted on the link only");
	row_verdict(row, DOCTOR_NOTE,
		"proto=icmp uses a private network namespace",
		"sudo sysctl net.ipv4.ping_group_range='0 2147483647'");
}

/* ---- the link --------------------------------------------------------- */

/* Why this user may not create namespaces, and the cure; NULL if no file shows
 * a restriction. Same texts as link_refuse_spaces(). */
static const char *closed_spaces(const struct patient *patient,
	const char **fix)
{
	static const struct {
		const char *name;
		double closed;
		bool for_root;
		const char *fix;
	} rows[] = {
		{ "user/max_user_namespaces", 0, false,
			"sudo sysctl user.max_user_namespaces=1000" },
		{ "user/max_net_namespaces", 0, true,
			"sudo sysctl user.max_net_namespaces=1000" },
		{ "kernel/unprivileged_userns_clone", 0, false,
			"sudo sysctl kernel.unprivileged_userns_clone=1" },
		{ "kernel/apparmor_restrict_unprivileged_userns", 1, false,
			"sudo sysctl "
			"kernel.apparmor_restrict_unprivileged_userns=0" },
	};
	bool privileged = patient_can(patient, CAP_SYS_ADMIN);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double is;

		if ((privileged && !rows[i].for_root) ||
			!peek_number(patient->root, &is, "/proc/sys/%s",
				rows[i].name) ||
			is != rows[i].closed)
			continue;
		*fix = rows[i].fix;
		return rows[i].name;
	}
	return NULL;
}

void check_link(const struct patient *patient, struct doctor_row *row)
{
	static const char effect[] =
		"no emulated path: slow start is not observable on this "
		"machine";
	const char *fix = "";
	const char *closed = closed_spaces(patient, &fix);
	struct text device = { 0 };

	text_add(&device, "%s/dev/net/tun", patient->root);
	if (access(device.chars, F_OK)) {
		row_found(row, "/dev/net/tun does not exist");
		row_verdict(row, DOCTOR_NOTE, effect, "sudo modprobe tun");
	} else if (access(device.chars, R_OK | W_OK)) {
		row_found(row, "this user has no access to /dev/net/tun");
		row_verdict(row, DOCTOR_NOTE, effect,
			"sudo chmod 0666 /dev/net/tun");
	} else if (closed) {
		row_found(row, "this user cannot create namespaces: %s",
			closed);
		row_verdict(row, DOCTOR_NOTE, effect, fix);
	} else {
		row_found(row, "permitted: /dev/net/tun and namespaces");
	}
	text_free(&device);
}

/* ---- capture ---------------------------------------------------------- */

/* True if the helper has privileges: capabilities, or setuid root. */
static bool helper_privileged(const char *path)
{
	struct stat is;

	return getxattr(path, "security.capability", NULL, 0) > 0 ||
		(!stat(path, &is) && is.st_uid == 0 && is.st_mode & S_ISUID);
}

void check_capture(const struct patient *patient, struct doctor_row *row)
{
	static const char effect[] = "packets of a run are not available";
	const char *helper = patient->input->capture_helper;
	char fix[sizeof row->fix];

	if (!helper) {
		row_found(row, "benchtop-capture is not beside the program");
		row_verdict(row, DOCTOR_NOTE, effect,
			"cmake --build --preset release --target "
			"benchtop-capture");
		return;
	}
	if (patient_can(patient, CAP_NET_RAW) || helper_privileged(helper)) {
		row_found(row, "permitted, by %s", helper);
		return;
	}
	row_found(row, "%s needs CAP_NET_RAW", helper);
	/* A path that is truncated or contains a quote would give a wrong
	 * command. */
	int length = snprintf(fix, sizeof fix,
		"sudo setcap cap_net_raw+ep '%s'", helper);
	bool good = length < (int)sizeof fix && !strchr(helper, '\'');
	row_verdict(row, DOCTOR_NOTE, effect, good ? fix : "");
}
