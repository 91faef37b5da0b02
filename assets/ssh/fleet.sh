#!/bin/sh
# fleet.sh FOLDER SCRIPT HOSTS [AT ONCE]: measures the hosts of a list over ssh
# with a script of benchtop, and gathers a session per host in FOLDER, for
# `benchtop fleet FOLDER`. HOSTS is a file with a host per line; # begins a
# comment. 16 hosts are measured at once; pass 1 if they share what is measured.
#
#     fleet.sh nodes/ quick.lab hosts
#
# Called again, it measures the hosts that have no session yet. host.sh tells
# what a host needs.
set -eu
here=$(dirname "$(readlink -f "$0")")
folder=$1 script=$2 hosts=$3 at_once=${4:-16}
# `benchtop fleet --hosts` has no such folder, and has looked before.
[ -f "$script" ] || [ -f "$here/../scripts/$script" ] ||
	[ ! -d "$here/../scripts" ] || {
	echo "script $script: neither a file nor a script of benchtop" >&2
	exit 3
}

# Prints the hosts of the list that have no session.
missing() {
	sed 's/#.*//' "$hosts" | tr -s '[:blank:]\r' '\n' | sort -u |
		while read -r host; do
			[ -z "$host" ] || [ -e "$folder/$host.json.gz" ] ||
				echo "$host"
		done
}
[ -n "$(sed 's/#.*//' "$hosts" | tr -d '[:space:]')" ] || {
	echo "$hosts names no host: expected one per line" >&2
	exit 3
}
mkdir -p "$folder"
count=$(missing | wc -l)
if [ "$count" = 0 ]; then
	echo "every host has a session in $folder"
	exit 0
fi
# xargs would end at a status of 255, which is ssh's for a host that is down.
# shellcheck disable=SC2016
missing | xargs -n 1 -P "$at_once" sh -c 'sh "$0" "$@" || true' \
	"$here/host.sh" "$folder" "$script" |
	awk -v count="$count" '{ print NR " of " count ": " $0; fflush() }'
left=$(missing | wc -l)
[ "$left" = 0 ] || {
	echo "without a session: $left of $count hosts, call again" >&2
	exit 1
}
