#!/bin/sh
# bench_network.sh PROGRAM: compares a stream over loopback with iperf3 at the
# same write size, and the TCP round trip with sockperf's ping-pong, on the same
# processors and for the same time. The peer is measured before and after,
# because the rate drifts; the ratio is to their mean, and its median counts.
# Then compares messages with streams of the same size, and makes 50 000
# connections with each way of closing.
set -eu
program=$1
rounds=${ROUNDS:-5}
near=$(nproc --all)
near=$((near - 1))
far=0
for tool in iperf3 sockperf python3 taskset; do
	command -v $tool >/dev/null || {
		echo "SKIP: $tool is not installed"
		exit 77
	}
done
[ "$near" -gt 0 ] || {
	echo "SKIP: one processor only"
	exit 77
}
folder=$(mktemp -d)
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"
iperf=
sock=
# shellcheck disable=SC2317 # called by the trap
finish() {
	for pid in $iperf $sock; do
		kill "$pid" 2>/dev/null || true
	done
	rm -rf "$folder"
}
trap finish EXIT
taskset -c $far iperf3 -s -p 24381 >/dev/null 2>&1 &
iperf=$!
taskset -c "$near" sockperf server --tcp -i 127.0.0.1 -p 24382 \
	>/dev/null 2>&1 &
sock=$!
sleep 1

# The median of a metric of a run.
ours() {
	metric=$1
	shift
	"$program" run "$@" cpu="$near" --json | python3 -c '
import json, sys
run = json.load(sys.stdin)
metric = run["points"][0]["metrics"][sys.argv[1]]
print(metric["median"] or metric["median_all"])' "$metric"
}
iperf_bits() {
	taskset -c "$near" iperf3 -c 127.0.0.1 -p 24381 -l 128K -t 3 -J |
		python3 -c '
import json, sys
print(json.load(sys.stdin)["end"]["sum_received"]["bits_per_second"])'
}
# The median of sockperf's full round trip, in ns.
sockperf_ns() {
	taskset -c "$near" sockperf ping-pong --tcp -i 127.0.0.1 -p 24382 -m 56 \
		-t 2 --full-rtt | sed -n 's/.*percentile 50.000 = *//p' |
		awk '{ print $1 * 1000 }'
}

# keep NAME: the ratio to the mean of the peer.
keep() {
	python3 -c "print('%.3f' % (2 * $own / ($before + $after)))" \
		>>"$folder/$1"
	echo "round $round, $1: $own, before $before, after $after, ratio" \
		"$(tail -1 "$folder/$1")"
}
for round in $(seq "$rounds"); do
	before=$(iperf_bits)
	own=$(ours bandwidth net.bandwidth mode=stream size=128K \
		duration=500ms placement=other launches=6 trials=1 budget=1s)
	after=$(iperf_bits)
	keep bandwidth
	before=$(sockperf_ns)
	own=$(ours rtt net.rtt payload=56 reply=56 placement=same-cpu budget=2s)
	after=$(sockperf_ns)
	keep rtt
done
median() {
	sort -g "$folder/$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
bandwidth=$(median bandwidth)
rtt=$(median rtt)
echo "stream over iperf3: $bandwidth (0.9 to 1.1)"
echo "round trip over sockperf's: $rtt (at most 1.03)"

# A message must not be faster than a stream of the same size, beyond their
# intervals. Not with bbr: it paces a stream, but not a message that fits into
# the congestion window.
bad=0
"$program" run net.bandwidth mode=stream,message size=128K,2M congestion=cubic \
	cpu="$near" budget=40s --json | python3 -c '
import json, sys
figure = {(p["args"]["size"], p["args"]["mode"]): p["metrics"]["bandwidth"]
	for p in json.load(sys.stdin)["points"]}
bad = False
for size in "128K", "2M":
	stream, message = (figure[size, m] for m in ("stream", "message"))
	low, high = ((m["ci"] or [m["median_all"]])[i]
		for m, i in ((message, 0), (stream, -1)))
	bad |= low > high
	print("%s: message %.3g, stream %.3g bit/s" % (size,
		message["median_all"], stream["median_all"]))
sys.exit(bad)' || bad=1

# Per launch; six launches make 50 000 connections.
counter() {
	awk '/^TcpExt:/ { if (!n) n = split($0, name); else
		for (i = 2; i <= n; i++) if (name[i] == "TCPSynRetrans") print $i }' \
		/proc/net/netstat
}
for close in fin-client fin-server rst; do
	before=$(counter)
	"$program" run net.connect close=$close count=8334 launches=6 budget=1s \
		>"$folder/connect" 2>&1 || bad=1
	grep -q -e 'ran out' -e invalid "$folder/connect" && bad=1
	echo "50 004 connections, close=$close:" \
		"$(awk 'NR == 4 { print $1, $2 }' "$folder/connect")," \
		"$(($(counter) - before)) SYN sent again"
	[ "$(counter)" = "$before" ] || bad=1
done
python3 -c "import sys
sys.exit(not (.9 <= $bandwidth <= 1.1 and $rtt <= 1.03))" || bad=1
exit $bad
