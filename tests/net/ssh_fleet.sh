#!/bin/sh
# ssh_fleet.sh PROGRAM ASSETS: three hosts over ssh, each an sshd on this machine
# with a host name of its own, and one that is down. Needs root, for the names.
set -eu
program=$1
assets=$2
skip() {
	echo "SKIP: $*"
	exit 77
}
for needed in /usr/sbin/sshd ssh ssh-keygen; do
	command -v "$needed" >/dev/null || skip "no sshd here"
done
[ "$(id -u)" = 0 ] || skip "not permitted here: host names need root"
unshare --uts true 2>/dev/null || skip "not permitted here: unshare --uts"

folder=$(mktemp -d)
processes=
finish() {
	# shellcheck disable=SC2086
	kill $processes 2>/dev/null || true
	rm -rf "$folder"
}
trap finish EXIT
trap 'exit 143' INT TERM
fail() {
	echo "wrong: $*" >&2
	tail -n 20 "$folder"/*.log "$folder"/nodes/*.log >&2
	exit 1
}

# Ports below those that the kernel gives to connections.
base=$((21000 + $$ % 1000 * 10))
ln -s "$program" "$folder/benchtop"
mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
cp "$folder/key.pub" "$folder/allowed"
cat >"$folder/client" <<END
Host *
	HostName 127.0.0.1
	User root
	IdentityFile $folder/key
	StrictHostKeyChecking no
	UserKnownHostsFile /dev/null
	LogLevel ERROR
Host h1
	Port $((base + 1))
Host h2
	Port $((base + 2))
Host h3
	Port $((base + 3))
Host h4
	Port $((base + 4))
END
cat >"$folder/server" <<END
ListenAddress 127.0.0.1
HostKey $folder/key
AuthorizedKeysFile $folder/allowed
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
PidFile none
END
start_host() {
	unshare --uts sh -c "hostname $1
		exec /usr/sbin/sshd -D -e -f $folder/server -p $2" \
		2>"$folder/$1.log" &
	processes="$processes $!"
	for _ in $(seq 100); do
		! grep -q listening "$folder/$1.log" || return 0
		kill -0 $! 2>/dev/null || skip "not permitted here: an sshd"
		sleep .1
	done
	fail "$1 does not listen"
}
start_host h1 $((base + 1))
start_host h2 $((base + 2))
start_host h3 $((base + 3))
cat >"$folder/hosts" <<END
# three hosts, then one that is down
h1
h2   h3
h4
END
echo "run cpu.syscall call=getppid launches=6 trials=20 budget=2s" \
	>"$folder/short.lab"
export BENCHTOP="$folder/benchtop" BENCHTOP_SSH="ssh -F $folder/client"
fleet() {
	status=0
	"$assets/ssh/fleet.sh" "$folder/nodes" "$@" >"$folder/out" 2>&1 ||
		status=$?
	cat "$folder/out"
}
sessions() { find "$folder/nodes" -name '*.json.gz' | wc -l; }

echo "== two at once, one host is down"
fleet "$folder/short.lab" "$folder/hosts" 2
[ "$status" = 1 ] || fail "status $status, expected 1"
[ "$(sessions)" = 3 ] || fail "$(sessions) sessions, expected 3"
grep -q "^4 of 4: " "$folder/out" || fail "no progress"
grep -q "h4 failed with status 255: .*[Rr]efused$" "$folder/out" ||
	fail "no reason, or more behind it"
grep -q "^without a session: 1 of 4 hosts, call again" "$folder/out" ||
	fail "not the number of missing hosts"
for host in h1 h2 h3; do
	"$program" verify "$folder/nodes/$host.json.gz" >/dev/null ||
		fail "the session of $host is not valid"
	zgrep -q "\"hostname\":\"$host\"" "$folder/nodes/$host.json.gz" ||
		fail "the session of $host is of another host"
done

echo "== the missing host alone, with a script of benchtop"
start_host h4 $((base + 4))
before=$(stat -c %Y-%i "$folder/nodes/h1.json.gz")
cat >"$folder/benchtop.part" <<END
#!/bin/sh
# The script itself takes two minutes.
case "\$*" in
*"--script quick.lab") exec "$program" --trials=none --script "$folder/short.lab" ;;
esac
exit 9
END
chmod 755 "$folder/benchtop.part"
mv "$folder/benchtop.part" "$folder/benchtop"
"$program" fleet "$folder/nodes" --hosts "$folder/hosts" \
	--script quick.lab >"$folder/out" || fail "status $?, expected 0"
# On a busy machine, all four may have not enough data.
grep -q "^[0-4] machines*, 4 sessions" "$folder/out" || fail "not compared"
[ "$(sessions)" = 4 ] || fail "$(sessions) sessions, expected 4"
[ "$before" = "$(stat -c %Y-%i "$folder/nodes/h1.json.gz")" ] ||
	fail "a host was measured again"
fleet quick.lab "$folder/hosts"
grep -q "every host has a session" "$folder/out" || fail "measured again"

echo "== what fails leaves no session"
rm "$folder/nodes/h2.json.gz"
fleet nightly.lab "$folder/hosts"
[ "$status" = 1 ] || fail "status $status, expected 1"
[ ! -e "$folder/nodes/h2.json.gz" ] || fail "a session without figures"
grep -q "h2 failed with status 9" "$folder/out" || fail "no status"
[ -z "$(find "$folder/nodes" -name '*.part')" ] || fail "a part is left"
