/* Checks of what network experiments meet. */
#include "doctor_checks.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "peek.h"

#define IPV4 "/proc/sys/net/ipv4"
enum { PORTS_FEW = 5000 };

void check_congestion(const struct patient *patient, struct doctor_row *row)
{
	char offered[160], allowed[160], used[32];

	if (!peek_line(patient->root, offered, sizeof offered,
		    IPV4 "/tcp_available_congestion_control")) {
		row_found(row, "not told");
		return;
	}
	peek_line(patient->root, used, sizeof used,
		IPV4 "/tcp_congestion_control");
	peek_line(patient->root, allowed, sizeof allowed,
		IPV4 "/tcp_allowed_congestion_control");
	row_found(row, "%s by itself; offered: %s; for everybody: %s", used,
		offered, allowed);
	if (strstr(offered, "cubic") && strstr(offered, "reno"))
		return;
	row_verdict(row, DOCTOR_NOTE,
		"slow start cannot be compared between cubic and reno",
		"sudo modprobe tcp_cubic");
}

/* Connections that wait after their end keep their ports for a minute. */
void check_ports(const struct patient *patient, struct doctor_row *row)
{
	char range[64], sockets[1024];
	unsigned low = 0, high = 0;
	double waiting = 0;

	if (!peek_bytes(patient->root, range, sizeof range,
		    IPV4 "/ip_local_port_range") ||
		sscanf(range, "%u %u", &low, &high) != 2 || high < low) {
		row_found(row, "not told");
		return;
	}
	peek_bytes(patient->root, sockets, sizeof sockets,
		"/proc/net/sockstat");
	const char *kept = strstr(sockets, " tw ");
	if (kept && sscanf(kept, " tw %lf", &waiting) != 1)
		waiting = 0;
	row_found(row, "%u to one address, %.0f connections in TIME_WAIT",
		high - low + 1, waiting);
	if (high - low + 1 < PORTS_FEW)
		row_verdict(row, DOCTOR_NOTE,
			"net.connect to another machine may run out of ports",
			"sudo sysctl net.ipv4.ip_local_port_range='32768 "
			"60999'");
}

void check_metrics(const struct patient *patient, struct doctor_row *row)
{
	double forgets = 0;

	if (!peek_number(patient->root, &forgets,
		    IPV4 "/tcp_no_metrics_save")) {
		row_found(row, "not told");
		return;
	}
	row_found(row,
		forgets > 0 ? "forgotten with the connection" :
			      "kept for the next connection");
	if (forgets <= 0)
		row_verdict(row, DOCTOR_NOTE,
			"a connection begins with what the last one to the "
			"same host learned; not on the link",
			"sudo sysctl net.ipv4.tcp_no_metrics_save=1");
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
		    IPV4 "/ping_group_range")) {
		row_found(row, "not told");
		return;
	}
	if (sscanf(range, "%lu %lu", &low, &high) == 2 && low <= group &&
		group <= high) {
		row_found(row, "datagram sockets are permitted");
		return;
	}
	row_found(row, "not permitted but on the link");
	row_verdict(row, DOCTOR_NOTE,
		"net.rtt proto=icmp asks a private network namespace",
		"sudo sysctl net.ipv4.ping_group_range='0 2147483647'");
}
