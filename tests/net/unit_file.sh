#!/bin/sh
# unit_file.sh bare|unit|serve ATTEMPTS PROGRAM UNIT: in namespaces, run
# ATTEMPTS as root (bare); or let systemd run UNIT, with ATTEMPTS in place of the
# server (unit), or with the server, and experiments against it (serve).
set -eu
how=$1 attempts=$2 program=$3 unit=$4 folder=${5-}
manager=/lib/systemd/systemd
skip() {
	echo "SKIP: $*"
	exit 77
}

# ---- the control group: busy until the killed processes are gone

if [ "$how" = clean ]; then
	mount -t cgroup2 none "$attempts" || exit 0
	for _ in $(seq 100); do
		[ -e "$attempts/$program" ] || exit 0
		find "$attempts/$program" -depth -type d -exec rmdir {} + \
			2>/dev/null || sleep .1
	done
	exit 1
fi

# ---- outside: start the namespaces, wait for the end, show the result

if [ -z "$folder" ]; then
	[ "$(id -u)" = 0 ] || skip "not permitted here: namespaces need root"
	[ -x $manager ] || skip "no systemd here"
	# A container keeps the right to set the clock (25) from its root.
	rights=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
	[ $((0x$rights >> 25 & 1)) = 1 ] ||
		skip "not permitted here: root without its capabilities"
	folder=$(mktemp -d)
	mkdir "$folder/cgroup"
	state=$(ls -d /var/lib/benchtop 2>/dev/null) || true
	trap 'rm -rf "$folder"' EXIT
	unshare -pfmnu --kill-child sh "$0" "$@" "$folder" \
		>"$folder/said" 2>&1 &
	inside=$!
	for _ in $(seq 900); do
		[ ! -e "$folder/end" ] || break
		kill -0 $inside 2>/dev/null || break
		sleep .1
	done
	kill -KILL $inside 2>/dev/null || true
	wait $inside || true
	unshare -m sh "$0" clean "$folder/cgroup" "${folder##*/}" - -
	cat "$folder/said" "$folder/out" 2>/dev/null || true
	[ ! -e "$folder/skip" ] || exit 77
	[ "$(ls -d /var/lib/benchtop 2>/dev/null)" = "$state" ] ||
		echo "wrong: /var/lib/benchtop remains"
	exit 0
fi

# ---- inside: process 1 of the namespaces

cgroup=/sys/fs/cgroup
if [ -z "${6-}" ]; then
	# Shared with the mount namespaces that systemd makes, not with the host.
	mount --make-rprivate /
	mount --make-rshared /
	mount -t proc proc /proc
	mount -t tmpfs none /run
	umount -R $cgroup 2>/dev/null || true
	own=$cgroup/${folder##*/}
	if ! mount -t cgroup2 none $cgroup || ! mkdir "$own" ||
		! echo 0 >"$own/cgroup.procs"; then
		echo "SKIP: not permitted here: cgroup2"
		touch "$folder/skip"
		exit 0
	fi
	umount $cgroup
	exec unshare -C sh "$0" "$@" own
fi
mount -t cgroup2 none $cgroup
ip link set lo up
# Copies, because ProtectHome= hides the build folder if it is in a home.
mkdir -p /run/units/benchtop-serve.service.d /run/systemd
cp "$attempts" /run/attempts
cp "$program" /run/benchtop
if [ "$how" = bare ]; then
	/run/attempts try >"$folder/out"
	touch "$folder/end"
	exit 0
fi
cp "$unit" /run/units/benchtop-serve.service
# systemd keeps the unit's private folders in these, and the server its own.
mkdir /run/test
mount --bind "$folder" /run/test
folder=/run/test
for path in /tmp /var/tmp /dev/shm; do
	mount -t tmpfs -o mode=1777 none $path
done
# Of StateDirectory=, which would remain on this machine.
mount -t tmpfs -o mode=755 none /var/lib
echo 0123456789abcdef0123456789abcdef >/run/token
chmod 600 /run/token
case $how in
unit) start="/run/attempts try" type=oneshot ;;
serve)
	start="/run/benchtop serve --listen=127.0.0.1 --token-file=%d/token"
	type=notify
	;;
esac
cat >/run/units/benchtop-serve.service.d/test.conf <<END
[Unit]
DefaultDependencies=no
[Service]
LoadCredential=
LoadCredential=token:/run/token
ExecStart=
ExecStart=$start
Type=$type
Restart=no
StandardOutput=append:$folder/out
StandardError=append:$folder/out
END

# Ends the test, whatever happens; the result is what the unit has printed.
finish() {
	touch "$folder/end"
}
await() {
	for _ in $(seq 600); do
		! grep -qs "$1" "$folder/out" || return 0
		sleep .1
	done
	cat "$folder/out" /run/console
	return 1
}
measure() {
	BENCHTOP_TOKEN_FILE=/run/token XDG_STATE_HOME="$folder" \
		XDG_CONFIG_HOME="$folder" XDG_RUNTIME_DIR="$folder" \
		/run/benchtop run "$@" host=127.0.0.1 budget=1s \
		trials=20 >"$folder/run" 2>&1 || {
		cat "$folder/run"
		return 1
	}
	grep -q "both ends hold the same token" "$folder"/benchtop/sessions/* &&
		echo "served $1"
	rm -rf "$folder/benchtop/sessions"
}
(
	trap finish EXIT
	case $how in
	unit) await ^Seccomp: ;;
	serve)
		await listening
		measure net.rtt
		measure net.connect
		measure net.bandwidth mode=message size=32K direction=down
		;;
	esac
) &
touch /run/console
mount --bind /run/console /dev/console
exec env -i PATH="$PATH" container=test SYSTEMD_UNIT_PATH=/run/units \
	$manager --system --unit=benchtop-serve.service --log-target=console
