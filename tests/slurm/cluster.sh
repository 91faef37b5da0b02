#!/bin/sh
# cluster.sh PROGRAM ASSETS: a Slurm cluster of four nodes on this machine, with
# its own munged, ports and folder. A node is a slurmd with a host name of its
# own. Node n2 is sick: each of its system calls takes some microseconds more.
# Needs root, for the names.
set -eu
program=$1
assets=$2
here=$(dirname "$(readlink -f "$0")")
skip() {
	echo "SKIP: $*"
	exit 77
}
for needed in slurmctld slurmd sbatch munged; do
	command -v "$needed" >/dev/null || skip "no Slurm here"
done
command -v python3 >/dev/null || skip "no python3 here"
[ "$(id -u)" = 0 ] || skip "not permitted here: host names need root"
unshare --uts true 2>/dev/null || skip "not permitted here: unshare --uts"
python3 "$here/slow.py" true 2>/dev/null || skip "not permitted here: seccomp"

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
	BENCHTOP_PORT=$((base + 6)) XDG_STATE_HOME="$folder/home" \
	TMPDIR="$folder"
mkdir "$folder/log" "$folder/state"
# The program with three faults: the script of n3 takes long, once n1 has no
# figure of net.rtt from n3, and n2 does not reach n1.
cat >"$folder/benchtop" <<END
#!/bin/sh
touch "$folder/began.\$(hostname)"
case \$(hostname)\$* in
n3*--script*)
	[ ! -e "$folder/fault.long" ] ||
		exec "$program" --trials=none -c \
			"run cpu.process launches=30 trials=10000 budget=60s"
	;;
n1*host=*:$((base + 8))*)
	if rm "$folder/fault.once" 2>/dev/null; then
		exec "$program" "\$1" "\$2" "\$(echo "\$3" | grep -v net.rtt)"
	fi
	;;
n2*host=*:$((base + 6))*)
	[ ! -e "$folder/fault.lasting" ] || {
		echo "benchtop: injected" >&2
		exit 6
	}
	;;
esac
exec "$program" "\$@"
END
chmod 755 "$folder/benchtop"
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
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MaxArraySize=4
Licenses=turn:1
ReturnToService=2
SlurmdTimeout=5
InactiveLimit=0
KillWait=1
MpiDefault=none
SwitchType=switch/none
HealthCheckProgram=$folder/health.sh
HealthCheckInterval=2
HealthCheckNodeState=IDLE
NodeName=n1 NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=$cpus
NodeName=n2 NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=$cpus
NodeName=n3 NodeAddr=127.0.0.1 Port=$((base + 3)) CPUs=$cpus
NodeName=n4 NodeAddr=127.0.0.1 Port=$((base + 4)) CPUs=$cpus
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=10 State=UP OverSubscribe=EXCLUSIVE
END
# The health check does nothing until there is a health.lab. The nodes share the
# processors of this machine, so one at a time is checked, until each has its
# answer; slurmd begins a check every two seconds, also during the one before.
cat >"$folder/health.sh" <<END
#!/bin/sh
[ -e "$folder/health.lab" ] || exit 0
[ \$(hostname) = n2 ] || ! grep -qx \$(hostname) "$folder/checked" || exit 0
export SLURM_CONF="$SLURM_CONF" BENCHTOP="$BENCHTOP" \\
	BENCHTOP_HEALTH="$folder/health.lab" TMPDIR="$folder"
flock -n "$folder/turn" \\
	sh -c '"$assets/slurm/health.sh"; hostname >>"$folder/checked"'
END
touch "$folder/checked"
cat >"$folder/short.lab" <<END
run cpu.syscall call=getppid via=raw launches=20 trials=400 budget=10s
run mem.latency size=16K order=local launches=20 trials=400 budget=10s
END
chmod 755 "$folder/health.sh"

# until_true COMMAND ..: waits for it, two minutes at most.
until_true() {
	for _ in $(seq 400); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep .3
	done
	fail "not within two minutes: $*"
}
sessions() { find "$folder/$1" -name '[!.]*.json.gz' | wc -l; }
has_sessions() { [ "$(sessions "$1")" = "$2" ]; }
is_in_state() { [ "$(sinfo -hN -n "$1" -o %t)" = "$2" ]; }
# A newer Slurm refuses to resume a node that has not yet registered, or that is
# idle already.
resumes() {
	is_in_state "$1" idle || scontrol update "nodename=$1" state=resume || :
	is_in_state "$1" idle
}
no_job() { [ -z "$(squeue -h)" ]; }
# As 23.11.4 of Ubuntu 24.04.
refuses_jobs() { grep -q "has invalid account" "$folder/log/slurmctld"; }
no_job_waits() { no_job || refuses_jobs; }
start_node() {
	sick=
	[ "$1" != n2 ] || sick="python3 $here/slow.py"
	unshare --uts sh -c "hostname $1; exec $sick slurmd -D" 2>/dev/null &
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

echo "== a job runs"
sbatch --output=/dev/null --wrap=true >/dev/null
until_true no_job_waits
! refuses_jobs || skip "no Slurm here that runs a job without accounting: \
$(slurmctld -V)"

echo "== a misspelt script goes to no node"
status=0
"$assets/slurm/fleet.sh" "$folder/none" shrt.lab 2>"$folder/said" || status=$?
[ "$status" = 3 ] || fail "fleet.sh: status $status without a script"
[ "$(cat "$folder/said")" = \
	"script shrt.lab: neither a file nor a script of benchtop" ] ||
	fail "fleet.sh: $(cat "$folder/said")"
[ ! -e "$folder/none" ] || fail "a folder without sessions"
status=0
BENCHTOP_HEALTH=$folder/none.lab "$assets/slurm/health.sh" \
	2>"$folder/said" || status=$?
[ "$status" = 1 ] || fail "health.sh: status $status without a script"
grep "no file $folder/none.lab\$" "$folder/said" || fail "health.sh"

echo "== an array over four nodes, one is killed in mid-run"
# A license lets one node measure at a time, for the same reason.
touch "$folder/fault.long"
"$assets/slurm/fleet.sh" "$folder/nodes" "$folder/short.lab" --time=5 \
	--licenses=turn | tee "$folder/jobs"
[ "$(grep -c . "$folder/jobs")" = 2 ] || fail "not two arrays"
until_true test -e "$folder/began.n3"
sleep 1
[ "$(squeue -h --states=running -w n3)" ] || fail "n3 is not in mid-run"
kill_node "$n3"
scontrol update nodename=n3 state=down reason=killed
echo "== the others end"
until_true has_sessions nodes 3
[ ! -e "$folder/nodes/n3.json.gz" ] || fail "the killed node has a session"
until_true no_job

echo "== the array resumes"
rm "$folder/fault.long"
start_node n3
until_true resumes n3
before=$(stat -c %Y-%i "$folder/nodes/n1.json.gz")
"$assets/slurm/fleet.sh" "$folder/nodes" "$folder/short.lab" |
	grep "nodes to measure: 1\$" || fail "not one node is missing"
until_true has_sessions nodes 4
[ "$before" = "$(stat -c %Y-%i "$folder/nodes/n1.json.gz")" ] ||
	fail "a complete node was measured again"
until_true no_job
"$assets/slurm/fleet.sh" "$folder/nodes" "$folder/short.lab" |
	grep "every node has a session" || fail "a node was measured again"
for node in n1 n2 n3 n4; do
	"$program" verify "$folder/nodes/$node.json.gz" >/dev/null ||
		fail "the session of $node is not valid"
done

echo "== the sick node is the only outlier"
# Beside a busy co-runner, nodes lack data: 7, or 0 if only two have a figure of
# cpu.syscall. They are measured again, now in turn, because they share this
# machine.
for attempt in 1 2 3 4; do
	if [ "$attempt" != 1 ]; then
		rm -f "$folder"/nodes/*.json.gz
		"$assets/slurm/fleet.sh" "$folder/nodes" "$folder/short.lab" \
			--licenses=turn
		until_true has_sessions nodes 4
		until_true no_job
	fi
	status=0
	"$program" fleet "$folder/nodes" --fail-if-outlier || status=$?
	[ "$status" != 1 ] || break
done
[ "$status" = 1 ] || fail "--fail-if-outlier: status $status"
"$program" fleet "$folder/nodes" --json >"$folder/fleet"
python3 - "$folder/fleet" <<END || fail "other outliers than n2"
import json, sys
fleet = json.load(open(sys.argv[1]))
assert len(fleet["machines"]) == fleet["sessions"] == 4
assert {outlier["machine"] for outlier in fleet["outliers"]} == {"n2"}
END

echo "== pairs"
ended() {
	! scontrol show job "$1" | grep -Eq "State=(PENDING|RUNNING|COMPLETING)"
}
pairs() {
	job=$(BENCHTOP_BUDGET=600ms BENCHTOP_DURATION=50ms sbatch --parsable \
		--nodes=4 --output="$folder/log/pairs" \
		"$assets/slurm/pairs.sh" "$folder/pairs")
	until_true ended "$job"
	scontrol show job "$job" | grep -q "State=COMPLETED"
}
touch "$folder/fault.once" "$folder/fault.lasting"
! pairs || fail "pairs.sh, one pair of which fails"
[ ! -e "$folder/fault.once" ] || fail "no pair without net.rtt"
[ "$(sessions pairs)" = 11 ] || fail "$(sessions pairs) pairs, expected 11"
[ ! -e "$folder/pairs/n2,n1.json.gz" ] || fail "the pair that fails"
"$assets/slurm/matrix.sh" "$folder/pairs" |
	grep "^n2,n1: no session of n2: injected" || fail "no reason"
before=$(stat -c %Y-%i "$folder/pairs/n1,n3.json.gz")
rm "$folder/fault.lasting"
pairs || fail "pairs.sh"
[ "$(sessions pairs)" = 12 ] || fail "$(sessions pairs) pairs, expected 12"
[ "$before" = "$(stat -c %Y-%i "$folder/pairs/n1,n3.json.gz")" ] ||
	fail "a complete pair was measured again"
[ -z "$(find "$folder/pairs" -name '.*')" ] || fail "files are left"
for experiment in net.rtt net.bandwidth net.connect; do
	"$assets/slurm/matrix.sh" "$folder/pairs" "$experiment" \
		>"$folder/matrix" || fail "matrix.sh $experiment"
	cat "$folder/matrix"
	# Five lines; in each of the last four a name, three figures and a -.
	awk 'NR > 1 { for (i = 2; i <= NF; i++) n += $i > 0 }
		END { exit !(NR == 5 && n == 12) }' "$folder/matrix" ||
		fail "the matrix is not filled"
done

echo "== the health check drains the sick node"
# The limit is amid the median of the nodes and the sick one: how much the filter
# adds depends on what a system call costs here.
python3 - "$folder/fleet" >"$folder/health.part" <<END
import json, sys
fleet = json.load(open(sys.argv[1]))
factor = fleet["outliers"][0]["ratio"] ** .5
for series in fleet["series"]:
    if series["experiment"] == "cpu.syscall":
        print("run cpu.syscall call=getppid via=raw launches=20 trials=100 "
              "budget=10s")
        limit = factor * series["median"]
        print("expect cpu.syscall median < %.0fns" % limit)
END
mv "$folder/health.part" "$folder/health.lab"
was_checked() { grep -qx "$1" "$folder/checked"; }
until_true is_in_state n2 drain
sinfo -hN -n n2 -o %E | grep "benchtop: expected" || fail "no reason"
for node in n1 n3 n4; do
	until_true was_checked "$node"
	is_in_state "$node" idle || fail "$node was drained"
done
