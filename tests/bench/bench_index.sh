#!/bin/sh
# Times `sessions`, `history` and `compare` with many kept sessions, and how
# long the first of them takes to index all.
#   bench_index.sh BENCHTOP
# The sessions are copies of one with a few points, with times and medians of
# their own. `history` tests all of one setting, so most of its time is the
# search for changes. SESSIONS sets the number, 10000 by default; 10000 need
# about 1 GB in TMPDIR. Targets: 60 s to index, 1 s for an answer.
set -eu
export LC_ALL=C
benchtop=$1
sessions=${SESSIONS:-10000}

command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3"; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/bench-index-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder/state" XDG_CONFIG_HOME="$folder/config"

"$benchtop" -c "run cpu.syscall call=getppid,read via=raw,libc launches=6 trials=20
run cpu.call args=0 launches=6 trials=20
save $folder/one.json" >"$folder/out" 2>&1
rm -rf "$folder/state"
mkdir -p "$folder/state/benchtop/sessions"

# From one tenth before the end on, the level of all figures is 5 % higher.
python3 - "$folder" "$sessions" <<'END'
import datetime, random, re, sys
folder, count = sys.argv[1], int(sys.argv[2])
text = open(folder + '/one.json').read()
begin = datetime.datetime(2020, 1, 1)
random.seed(1)
total = 0
for i in range(count):
    at = begin + datetime.timedelta(hours=6 * i)
    level = random.gauss(1, .01) * (1.05 if i >= count * 9 // 10 else 1)
    new = re.sub(r'"started":"[^"]*"', '"started":"%sT%s+0000"' %
        (at.date(), at.time()), text)
    new = re.sub(r'("unit":"ns","median":)([^,]*)', lambda m: m.group(1) +
        repr(float(m.group(2)) * level), new)
    new = re.sub(r'"quality":"[^"]*"', '"quality":"good"', new)
    name = at.strftime('%Y%m%d-%H%M%S-1.json')
    with open(folder + '/state/benchtop/sessions/' + name, 'w') as file:
        total += file.write(new)
print('%d sessions of %.1f kB, %.2f GB' %
    (count, total / count / 1e3, total / 1e9))
END

# timed TARGET_S WHAT WORDS...: prints the seconds that the words take.
timed() {
	target=$1
	what=$2
	shift 2
	begin=$(date +%s.%N)
	"$benchtop" "$@" >"$folder/out" 2>"$folder/err" || {
		cat "$folder/err" >&2
		exit 1
	}
	echo "$what $begin $(date +%s.%N) $target" |
		awk '{ took = $3 - $2
			printf "%-22s %7.3f s, target %g s: %s\n", $1, took, $4,
				took <= $4 ? "met" : "missed" }'
}

timed 60 index sessions
lines=$(($(wc -l <"$folder/out") - 1)) # without the heading
[ "$lines" -eq "$sessions" ] || { echo "$lines sessions listed"; exit 1; }
du -k "$folder/state/benchtop/index.sqlite" | awk '{ print $1 " kB of index" }'
timed 60 first-history history cpu.syscall call=getppid
for _ in 1 2 3; do
	timed 1 sessions sessions
	timed 1 history history cpu.syscall call=getppid
	timed 1 compare compare 1 last
done
rm "$folder/state/benchtop/index.sqlite"
timed 60 index-and-history history cpu.syscall call=getppid
