# Sourced by ./lab, ./check and .ci/run: the packages that benchtop needs from
# Debian or Ubuntu, and how to install them.
# shellcheck shell=sh disable=SC2034

packages_build="build-essential cmake ninja-build pkg-config libncurses-dev
libcjson-dev libhwloc-dev libgsl-dev libsodium-dev libpcap-dev
libsqlite3-dev zlib1g-dev libzstd-dev libcap-ng-dev libseccomp-dev libnfs-dev"
packages_check="$packages_build libcmocka-dev libvterm-dev ncurses-term
procps python3 python3-jsonschema binutils bash-completion zsh fish groff-base
locales nfs-ganesha nfs-ganesha-vfs rpcbind sshfs openssh-server e2fsprogs
iproute2 netbase slurm-wlm munge python3-yaml btrfs-progs systemd"

# Debian enables these when it installs their packages.
servers="ssh rpcbind.service rpcbind.socket nfs-ganesha munge slurmctld slurmd"

# quietly_install PACKAGE ...: installs without starting servers, now or at the
# next boot. The tests start servers of their own.
quietly_install() {
	added=
	for server in $servers; do
		systemctl -q is-enabled "$server" 2>/dev/null ||
			added="$added $server"
	done
	policy=/usr/sbin/policy-rc.d
	if [ -e "$policy" ]; then
		policy=
	else
		printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy"
	fi
	installed=0
	apt-get install -y -qq --no-install-recommends "$@" || installed=1
	[ -z "$policy" ] || rm -f "$policy"
	for server in $added; do
		systemctl -q disable "$server" 2>/dev/null || :
	done
	return "$installed"
}

# need PACKAGE ...: installs missing packages, or prints the command for it.
need() {
	missing=
	for package in "$@"; do
		case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
		*"ok installed") ;;
		*) missing="$missing $package" ;;
		esac
	done
	[ -z "$missing" ] && return 0
	if ! command -v apt-get >/dev/null; then
		echo "benchtop needs these packages, by their Debian names:$missing" >&2
		return 1
	fi
	if [ "$(id -u)" -ne 0 ]; then
		echo "benchtop needs packages that are missing here. Type:" >&2
		echo "  sudo apt-get update && sudo apt-get install -y" \
			"--no-install-recommends$missing" >&2
		return 1
	fi
	echo "installing, about a minute:$missing" >&2
	export DEBIAN_FRONTEND=noninteractive
	installing=$(mktemp) || return 1
	failed=0
	# shellcheck disable=SC2086
	quietly "$installing" update_and_install $missing || failed=1
	rm -f "$installing"
	return "$failed"
}

update_and_install() {
	apt-get update -qq && quietly_install "$@"
}

# quietly FILE COMMAND ...: prints the command's output only if it fails.
quietly() {
	log=$1
	shift
	"$@" >"$log" 2>&1 || {
		cat "$log" >&2
		return 1
	}
}
