#!/bin/sh
# hosts.sh PROGRAM: tests between two hosts, which are two network namespaces
# connected by a veth pair. Needs root.
set -eu
program=$1
skip() {
	echo "SKIP: $*"
	exit 77
}
[ "$(id -u)" = 0 ] || skip "not permitted here: network namespaces need root"
command -v ip >/dev/null || skip "not permitted here: no ip(8)"
a=benchtop-a-$$ b=benchtop-b-$$
folder=$(mktemp -d)
server=
finish() {
	# shellcheck disable=SC2086
	[ -z "$server" ] || kill $server 2>/dev/null || true
	ip netns del "$a" 2>/dev/null || true
	ip netns del "$b" 2>/dev/null || true
	rm -rf "$folder"
}
trap finish EXIT
ip netns add "$a" 2>/dev/null || skip "not permitted here: ip netns add"
ip netns add "$b"
ip link add cable netns "$a" type veth peer name cable netns "$b" 2>/dev/null ||
	skip "not permitted here: a kernel without veth"
for end in "$a 1" "$b 2"; do
	# shellcheck disable=SC2086
	set -- $end
	ip -n "$1" address add "10.99.0.$2/24" dev cable
	ip -n "$1" address add "fd99::$2/64" dev cable nodad
	ip -n "$1" link set cable up
	ip -n "$1" link set lo up
done
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder" \
	XDG_RUNTIME_DIR="$folder" BENCHTOP_TOKEN_FILE="$folder/token"
echo "0123456789abcdef0123456789abcdef" >"$folder/token"
chmod 600 "$folder/token"
ip netns exec "$b" "$program" serve --listen '[::]' --token-file \
	"$folder/token" >"$folder/log6" 2>&1 &
six=$!
ip netns exec "$b" "$program" serve --listen 10.99.0.2 --token-file \
	"$folder/token" >"$folder/log" 2>&1 &
server="$! $six"
for log in log log6; do
	for _ in $(seq 200); do
		grep -q listening "$folder/$log" && break
		sleep .05
	done
done

# measure WHAT WORDS ..: fails if nothing was measured.
measure() {
	what=$1
	shift
	echo "run $*"
	ip netns exec "$a" "$program" run "$@" budget=100ms launches=6 \
		trials=10 --json >"$folder/reply" || {
		cat "$folder/log" "$folder/log6"
		exit 1
	}
	grep -q '"state":"ok"' "$folder/reply"
	grep -q "\"$what\"" "$folder/reply"
}
measure rtt net.rtt host=10.99.0.2 proto=tcp
measure rtt net.rtt host=10.99.0.2 proto=udp
measure icmp-socket net.rtt host=10.99.0.2 proto=icmp
measure rtt net.rtt 'host=fd99::2' proto=udp
measure icmp-socket net.rtt 'host=[fd99::2]' proto=icmp
for close in fin-client fin-server rst; do
	measure connect net.connect host=10.99.0.2 close=$close
done
for direction in up down; do
	measure bandwidth net.bandwidth host=10.99.0.2 mode=message size=64K \
		direction=$direction
	measure steady net.bandwidth 'host=[fd99::2]:24117' mode=stream \
		size=64K duration=20ms streams=2 direction=$direction
done
grep -q far-end "$folder/reply"
# Packets are captured on the interface to the other host.
measure between net.rtt host=10.99.0.2 capture=on
grep -q '"client":"10.99.0.1:' "$folder/reply"
measure syn-to-synack net.connect 'host=[fd99::2]' capture=on
grep -q '"client":"\[fd99::1\]:' "$folder/reply"
grep -q '"complete":true' "$folder/reply"
measure bandwidth net.bandwidth host=10.99.0.2 mode=message size=256K \
	capture=on
grep -q '"sent-again":"[0-9]* by the kernel' "$folder/reply"
grep -q '"window_bytes":\[[0-9]' "$folder/reply"

# The link goes down: the run must end with a sentence within 15 seconds.
ip netns exec "$a" "$program" run net.rtt host=10.99.0.2 budget=60s \
	launches=30 trials=10000 >"$folder/reply" 2>"$folder/why" &
run=$!
before=$(grep -c begins "$folder/log")
for _ in $(seq 400); do
	[ "$(grep -c begins "$folder/log")" -ge $((before + 3)) ] && break
	sleep .05
done
began=$(date +%s)
ip -n "$b" link set cable down
status=0
wait "$run" || status=$?
took=$(($(date +%s) - began))
echo "lost after $took s: $(cat "$folder/why")"
[ "$status" = 6 ]
[ "$took" -le 15 ]
# The server has a free place again.
for _ in $(seq 400); do
	began=$(grep -c begins "$folder/log")
	over=$(grep -c 'session [0-9]*:' "$folder/log")
	[ "$began" = "$over" ] && break
	sleep .05
done
[ "$began" = "$over" ]
ip -n "$b" link set cable up
# The kernel reports a link that is up again after up to a second, and keeps
# the failed address resolution.
for _ in $(seq 200); do
	ip -n "$a" link show cable | grep -q 'state UP' && break
	sleep .05
done
ip -n "$a" neighbour flush dev cable
measure rtt net.rtt host=10.99.0.2
