#!/bin/sh
# Measures the program itself: its start, its memory, its load when idle.
#   bench_lab.sh BENCHTOP
# script(1) gives the lab a terminal, and the keys are written to it.
set -eu
export LC_ALL=C
benchtop=$1
starts=100
idle_s=10

command -v script >/dev/null 2>&1 || {
	echo "SKIP: no script to keep a terminal with"
	exit 77
}
folder=$(mktemp -d)
pid=
trap 'test -z "$pid" || kill "$pid" 2>/dev/null || :; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

now_ns() {
	date +%s%N
}

# start_ms WORDS..: the median time of a start, with the fork of date.
start_ms() {
	i=0
	while [ "$i" -lt "$starts" ]; do
		begin=$(now_ns)
		"$@" >/dev/null
		end=$(now_ns)
		echo $((end - begin))
		i=$((i + 1))
	done | sort -g | awk '{ v[NR] = $1 }
		END { printf "%.2f", v[int((NR + 1) / 2)] / 1e6 }'
}

# status FIELD: a field of the lab's /proc/PID/status.
status() {
	awk -v field="$1:" '$1 == field { print $2 }' "/proc/$pid/status"
}

memory() {
	awk -v what="$1" -v rss="$(status VmRSS)" -v anon="$(status RssAnon)" \
		'BEGIN { printf "%-26s %9.2f MB, %.2f MB of its own\n", what,
			rss * 1024 / 1e6, anon * 1024 / 1e6 }'
}

# wait_for SECONDS COMMAND..: until the command succeeds.
wait_for() {
	left=$(($1 * 10))
	shift
	until "$@" 2>/dev/null; do
		left=$((left - 1))
		[ "$left" -gt 0 ] || {
			echo "bench_lab: waited in vain for: $*" >&2
			exit 1
		}
		sleep .1
	done
}

sessions() {
	grep -qs '"state":"done"' "$folder"/benchtop/sessions/*.json
}

gone() {
	! kill -0 "$pid"
}

awk -v ours="$(start_ms "$benchtop" list)" -v least="$(start_ms /bin/true)" \
	'BEGIN { printf "%-26s %9s ms, a start of /bin/true %s ms\n",
		"start, benchtop list", ours, least }'

mkfifo "$folder/keys"
TERM=xterm-256color script -qfc \
	"stty cols 120 rows 40; echo \$\$ >'$folder/pid'; exec '$benchtop'" \
	/dev/null <"$folder/keys" >"$folder/screen" &
exec 9>"$folder/keys"
wait_for 20 test -s "$folder/pid"
pid=$(cat "$folder/pid")
# Wait until the screen is drawn and the machine has been examined.
wait_for 20 test -s "$folder/screen"
sleep 3
memory "memory at rest"

drawn=$(wc -c <"$folder/screen")
woken=$(($(status voluntary_ctxt_switches) +
	$(status nonvoluntary_ctxt_switches)))
sleep "$idle_s"
woken=$(($(status voluntary_ctxt_switches) +
	$(status nonvoluntary_ctxt_switches) - woken))
drawn=$(($(wc -c <"$folder/screen") - drawn))
awk -v n="$woken" -v s="$idle_s" -v bytes="$drawn" 'BEGIN {
	printf "%-26s %9.2f /s, %d bytes drawn in %d s\n", "wake-ups when idle",
		n / s, bytes, s }'

printf ':run cpu.syscall budget=3s\r' >&9
wait_for 60 sessions
sleep 1
memory "memory after a run"
awk -v rss="$(status VmHWM)" 'BEGIN {
	printf "%-26s %9.2f MB\n", "peak of memory", rss * 1024 / 1e6 }'
printf 'q' >&9
wait_for 20 gone
pid=
