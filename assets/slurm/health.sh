#!/bin/sh
# A HealthCheckProgram of Slurm: drains this node if an expectation fails. In
# slurm.conf, for nodes that run no job:
#     HealthCheckProgram=/usr/share/benchtop/slurm/health.sh
#     HealthCheckInterval=3600
#     HealthCheckNodeState=IDLE
# Slurm ends it after a minute. A node that is undecided or cannot be measured
# stays as it is. BENCHTOP_HEALTH is the path of another script than health.lab;
# without that file the status is 1, which slurmd logs.
set -u
PATH=${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}
here=$(dirname "$(readlink -f "$0")")
script=$(readlink -f "${BENCHTOP_HEALTH:-$here/health.lab}")
[ -f "$script" ] || {
	echo "benchtop: BENCHTOP_HEALTH: no file ${BENCHTOP_HEALTH-}" >&2
	exit 1
}
node=${SLURMD_NODENAME:-$(hostname -s)}
state=$(mktemp -d) || exit 0
trap 'rm -rf "$state"' EXIT
export PATH XDG_STATE_HOME="$state" HOME="$state"
cd "$state" || exit 0
timeout 50 "${BENCHTOP:-benchtop}" --trials=none \
	--script "$script" >out 2>err </dev/null
[ $? = 1 ] || exit 0
scontrol update nodename="$node" state=drain \
	reason="benchtop: $(grep -m 1 . err | sed "s/^.*: expected/expected/" |
		cut -c 1-100)"
