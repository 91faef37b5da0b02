#!/bin/sh
# Times `fleet` on the sessions of many machines, and its memory.
#   bench_fleet.sh BENCHTOP
# The sessions are copies of one, measured without trials: the first 21
# experiments of quick.lab. Each has figures and a host name of its own; one
# machine of 200 is 20 % slower. SESSIONS sets the number, 1000 by default,
# which need about 1 GB in TMPDIR. Targets: 10 s and 500 MB.
set -eu
export LC_ALL=C
benchtop=$1
sessions=${SESSIONS:-1000}
here=$(dirname "$(readlink -f "$0")")

command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3 here"; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/bench-fleet-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder/state" XDG_CONFIG_HOME="$folder/config"

# As many points as in quick.lab, but in a fraction of its time.
grep '^run ' "$here/../../assets/scripts/quick.lab" | head -n 21 |
	sed 's/budget=[0-9]*s/launches=6 trials=4 budget=1s/' >"$folder/one.lab"
echo "save $folder/one.json" >>"$folder/one.lab"
"$benchtop" --trials=none --script "$folder/one.lab" >"$folder/out" 2>&1 || {
	cat "$folder/out" >&2
	exit 1
}
rm -rf "$folder/state"
mkdir "$folder/nodes"
python3 - "$folder" "$sessions" <<'END'
import json, random, re, sys
folder, count = sys.argv[1], int(sys.argv[2])
text = open(folder + '/one.json').read()
runs = json.loads(text)['runs']
text = re.sub(r'"quality":"[^"]*"', '"quality":"good"', text)
random.seed(1)
total = 0
# The medians, each with the ratio of its machine.
parts = re.split(r'("median":)([0-9.e+-]+)', text)
for i in range(count):
    slow = 1.2 if i % 200 == 199 else 1
    new = ''.join(repr(float(part) * random.gauss(1, .005) * slow)
                  if k % 3 == 2 else part for k, part in enumerate(parts))
    new = re.sub(r'"hostname":"[^"]*"', '"hostname":"node%04d"' % i, new)
    with open(folder + '/nodes/node%04d.json' % i, 'w') as file:
        total += file.write(new)
print('%d sessions of %d experiments, %d points, %.0f kB' %
    (count, len({run['experiment'] for run in runs}),
     sum(len(run['points']) for run in runs), total / count / 1e3))
END

# timed WHAT WORDS ..: prints seconds and megabytes of `fleet`.
timed() {
	what=$1
	shift
	python3 - "$what" "$benchtop" fleet "$folder/nodes" "$@" <<'END'
import resource, subprocess, sys, time
begin = time.monotonic()
done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, text=True)
took = time.monotonic() - begin
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3
print('%-16s %6.2f s, target 10 s: %s; %4.0f MB, target 500 MB: %s' %
    (sys.argv[1], took, 'met' if took <= 10 else 'missed', most,
     'met' if most <= 500 else 'missed'))
if done.returncode:
    sys.exit(done.stderr)
if sys.argv[1] == 'text':
    print('\n'.join(line for line in done.stdout.split('\n')
                    if ' machines' in line))
END
}

for _ in 1 2 3; do
	timed text
done
timed json --json
timed openmetrics --openmetrics
timed page -o "$folder/fleet.html"
