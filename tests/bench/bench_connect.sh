#!/bin/sh
# Captures a thousand connections on loopback, one after the other.
#   bench_connect.sh BENCHTOP
# Each of LAUNCHES (6) launches makes a thousand connections. The capture must
# have the third packet of 99.9 % of them. For every connection, the time from
# SYN to SYN/ACK must not exceed that of connect(). 0.1 % and 50 ns are allowed,
# because the two clocks differ and one may be slewed.
set -eu
export LC_ALL=C
benchtop=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export XDG_STATE_HOME="$folder" XDG_CONFIG_HOME="$folder"

"$benchtop" -c "run net.connect count=1000 capture=on \
	launches=${LAUNCHES:-6} budget=120s; save $folder/session.json" >/dev/null
python3 - "$folder/session.json" <<'END'
import json
import sys

with open(sys.argv[1]) as file:
    run = json.load(file)["runs"][0]
point = run["points"][0]
if point["notes"]["capture"].startswith("off"):
    print("SKIP: not permitted here:", point["notes"]["capture"])
    sys.exit(77)
tick_ns = 1e9 / run["clock"]["hz"]
metrics = point["metrics"]
made = thirds = paired = late = 0
most = 0
for launch, ticks in enumerate(metrics["connect"]["ticks"]):
    legs = metrics["syn-to-synack"]["values"][launch]
    acks = metrics["synack-to-ack"]["values"][launch]
    made += len(ticks)
    thirds += len(acks)
    if len(legs) != len(ticks):
        continue
    for took, leg in zip(ticks, legs):
        took_ns = took * tick_ns
        paired += 1
        late += leg > took_ns * 1.001 + 50
        most = max(most, leg / took_ns)
print("%d connections in %d launches: third packet seen of %d (%.3f %%)"
      % (made, len(metrics["connect"]["ticks"]), thirds, 100 * thirds / made))
print("SYN to SYN/ACK against connect() of %d: longer in %d; at most %.1f %% "
      "of it" % (paired, late, 100 * most))
print("capture: %s" % point["notes"]["capture"])
sys.exit(late != 0 or thirds * 1000 < made * 999 or not paired)
END
