#!/bin/sh
# cluster.sh PROGRAM ASSETS: a Slurm cluster of four nodes on this machine, with
# its own munged, ports and folder. A node is a slurmd with a host name of its
# own. Needs root, for the names.
set -eu
program=$1
assets=$2
skip() {
	echo "SKIP: $*"
	exit 77
}
for needed in slurmctld slurmd sbatch munged; do
	command -v "$needed" >/dev/null || skip "no Slurm here"
done
[ "$(id -u)" = 0 ] || skip "not permitted here: host names need root"
unshare --uts true 2>/dev/null || skip "not permitted here: unshare --uts"

folder=$(mktemp -d)
chmod 755 "$folder"
processes=
# A node is all processes in its namespace of host names.
kill_node() {
	names=$(readlink "/proc/$1/ns/uts") || return 0
	for process in /proc/[0-9]*; do
		[ "$(readlink "$process/ns/uts" 2>/dev/null)" != "$names" ] ||
			kill -9 "${process#/proc/}" 2>/dev/null || true
	done
}
finish() {
	# shellcheck disable=SC2154
	for node in ${n1-} ${n2-} ${n3-} ${n4-}; do
		kill_node "$node"
	done
	# shellcheck disable=SC2086
	kill $processes 2>/dev/null || true
	wait
	rm -rf "$folder"
}
trap finish EXIT
trap 'exit 143' INT TERM
fail() {
	echo "wrong: $*" >&2
	tail -n 20 "$folder"/log/* "$folder"/*/*.log "$folder"/*/.*.log >&2
	exit 1
}

# Ports below those that the kernel gives to connections.
base=$((20000 + $$ % 1000 * 10))
cpus=$(nproc)
export SLURM_CONF="$folder/slurm.conf" BENCHTOP="$folder/benchtop" \
	BENCHTOP_PORT=$((base + 6))
mkdir "$folder/log" "$folder/state"
ln -s "$program" "$folder/benchtop"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$base
AuthInfo=socket=$folder/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
ReturnToService=2
SlurmdTimeout=5
InactiveLimit=0
KillWait=2
MpiDefault=none
SwitchType=switch/none
HealthCheckProgram=$folder/health.sh
HealthCheckInterval=5
HealthCheckNodeState=IDLE
NodeName=n1 NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=$cpus
NodeName=n2 NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=$cpus
NodeName=n3 NodeAddr=127.0.0.1 Port=$((base + 3)) CPUs=$cpus
NodeName=n4 NodeAddr=127.0.0.1 Port=$((base + 4)) CPUs=$cpus
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=10 State=UP OverSubscribe=EXCLUSIVE
END
# The health check does nothing until the file `sick` names a node.
cat >"$folder/health.sh" <<END
#!/bin/sh
[ "\$(cat "$folder/sick" 2>/dev/null)" = "\$(hostname)" ] || exit 0
export SLURM_CONF="$SLURM_CONF" BENCHTOP="$BENCHTOP" \\
	BENCHTOP_HEALTH="$folder/health.lab"
exec "$assets/slurm/health.sh"
END
cat >"$folder/health.lab" <<END
run cpu.syscall launches=6 trials=20 budget=1s
expect cpu.syscall median > 1s
END
cat >"$folder/short.lab" <<END
run cpu.syscall call=getppid launches=6 trials=20 budget=1s
run cpu.call args=0 launches=6 trials=20 budget=1s
END
chmod 755 "$folder/health.sh"

# until COMMAND ..: waits for it, a minute at most.
until_true() {
	for _ in $(seq 300); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep .2
	done
	fail "not within a minute: $*"
}
sessions() { find "$folder/$1" -name '[!.]*.json' | wc -l; }
has_sessions() { [ "$(sessions "$1")" = "$2" ]; }
is_in_state() { [ "$(sinfo -hN -n "$1" -o %t)" = "$2" ]; }
no_job() { [ -z "$(squeue -h)" ]; }
start_node() {
	unshare --uts sh -c "hostname $1; exec slurmd -D" 2>/dev/null &
	eval "$1=$!"
	processes="$processes $!"
}

echo "== start"
dd if=/dev/urandom of="$folder/munge.key" bs=64 count=1 2>/dev/null
chmod 600 "$folder/munge.key"
munged --foreground --force --key-file="$folder/munge.key" \
	--socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
	--log-file="$folder/log/munged" --seed-file="$folder/munge.seed" \
	2>/dev/null &
processes=$!
until_true test -S "$folder/munge.socket"
slurmctld -D 2>/dev/null &
processes="$processes $!"
for node in n1 n2 n3 n4; do
	start_node "$node"
done
for node in n1 n2 n3 n4; do
	until_true is_in_state "$node" idle
done

echo "== an array over four nodes, one is killed in mid-run"
cat "$folder/short.lab" >"$folder/long.lab"
echo "run cpu.noise duration=1s launches=6 trials=2 budget=20s" >>"$folder/long.lab"
"$assets/slurm/fleet.sh" "$folder/nodes" "$folder/long.lab" --time=5
running_on() { squeue -h -t running -w "$1" | grep -q .; }
until_true running_on n3
sleep 2
kill_node "$n3"
scontrol update nodename=n3 state=down reason=killed
echo "== the others end"
until_true has_sessions nodes 3
[ ! -e "$folder/nodes/n3.json" ] || fail "the killed node has a session"
until_true no_job

echo "== the array resumes"
start_node n3
scontrol update nodename=n3 state=resume
until_true is_in_state n3 idle
before=$(stat -c %Y-%i "$folder/nodes/n1.json")
"$assets/slurm/fleet.sh" "$folder/nodes" "$folder/short.lab" |
	grep "measures 1 nodes" || fail "not one node is missing"
until_true has_sessions nodes 4
[ "$before" = "$(stat -c %Y-%i "$folder/nodes/n1.json")" ] ||
	fail "a complete node was measured again"
until_true no_job
"$assets/slurm/fleet.sh" "$folder/nodes" "$folder/short.lab" |
	grep "every node has a session" || fail "a node was measured again"
for node in n1 n2 n3 n4; do
	"$program" verify "$folder/nodes/$node.json" >/dev/null ||
		fail "the session of $node is not valid"
done
"$program" fleet "$folder/nodes" | grep "4 machines, 4 sessions" ||
	fail "the fleet is not of four machines"

echo "== pairs"
sbatch --wait --quiet --nodes=4 --output="$folder/log/pairs" \
	"$assets/slurm/pairs.sh" "$folder/pairs" || fail "pairs.sh"
[ "$(sessions pairs)" = 12 ] || fail "$(sessions pairs) pairs, expected 12"
[ -z "$(find "$folder/pairs" -name '.token*')" ] || fail "the token is left"
for experiment in net.rtt net.bandwidth net.connect; do
	"$assets/slurm/matrix.sh" "$folder/pairs" "$experiment" \
		>"$folder/matrix" || fail "matrix.sh $experiment"
	cat "$folder/matrix"
	# Five lines; in each of the last four a name, three figures and a -.
	awk 'NR > 1 { for (i = 2; i <= NF; i++) n += $i > 0 }
		END { exit !(NR == 5 && n == 12) }' "$folder/matrix" ||
		fail "the matrix is not filled"
done

echo "== health check"
echo n2 >"$folder/sick"
until_true is_in_state n2 drain
sinfo -hN -n n2 -o %E | grep "benchtop: " || fail "no reason"
for node in n1 n3 n4; do
	is_in_state "$node" idle || fail "$node was drained"
done
