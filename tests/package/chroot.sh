#!/bin/sh
# Builds the Debian package in a fresh installation of a distribution, upgrades
# to it from an older version with apt, uses it as an ordinary user, and purges
# it. By hand, as root:
#     tests/package/chroot.sh bookworm
#     tests/package/chroot.sh noble http://archive.ubuntu.com/ubuntu
# It takes about 15 minutes and downloads about 300 MB. The folder $CHROOTS (or
# /var/tmp/benchtop-chroots) keeps the installation, without the package, for
# the next time, and the package.
set -eu
suite=${1?expected a suite of Debian or Ubuntu, such as bookworm}
mirror=${2:-http://deb.debian.org/debian}
top=$(cd "$(dirname "$0")/../.." && pwd)
base=${CHROOTS:-/var/tmp/benchtop-chroots}/$suite

if [ "${BENCHTOP_IN_NAMESPACE:-}" != yes ]; then
	BENCHTOP_IN_NAMESPACE=yes exec unshare --mount --pid --fork "$0" "$@"
fi

say() {
	echo "$suite: $*"
}

inside() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=xterm \
		DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
		chroot "$base" "$@"
}

as_user() {
	inside su user -c "cd && $1"
}

version() {
	inside dpkg-query -W -f "\${Version}\n" benchtop
}

files() {
	inside find / -xdev \( -path /proc -o -path /sys -o -path /dev \
		-o -path /run -o -path /tmp -o -path /var/cache -o -path /var/lib/apt \
		-o -path /var/lib/dpkg -o -path /var/log \
		-o -path /source -o -path /home \) -prune -o -print | sort
}

if [ ! -e "$base/ready" ]; then
	rm -rf "$base"
	mkdir -p "$base"
	say "debootstrap"
	components=main script=sid
	case $mirror in *ubuntu*) components="main universe" script=gutsy ;; esac
	debootstrap --variant=minbase --include=ca-certificates "$suite" \
		"$base" "$mirror" "$script" >"$base.log"
	echo "deb $mirror $suite $components" >"$base/etc/apt/sources.list"
	touch "$base/ready"
fi
cp /etc/resolv.conf "$base/etc/resolv.conf"
mount --bind "$base" "$base"
mount -t proc proc "$base/proc"
mount --rbind /sys "$base/sys"
mount --rbind /dev "$base/dev"
printf '#!/bin/sh\nexit 101\n' >"$base/usr/sbin/policy-rc.d"
chmod 755 "$base/usr/sbin/policy-rc.d"

say "build"
older=0.9.9
rm -rf "$base/source"
mkdir "$base/source"
git -C "$top" archive --prefix=benchtop/ HEAD | tar -x -C "$base/source"
inside apt-get update -qq
{
	inside apt-get install -y -qq --no-install-recommends build-essential \
		lintian bash-completion zsh fish man-db libcap2-bin
	inside sh -c 'cd /source/benchtop && apt-get build-dep -y -qq \
		--no-install-recommends . && dpkg-buildpackage -us -uc -b'
	# The same files under an older version.
	inside sh -c "cd /source && mkdir older &&
		dpkg-deb -R benchtop_*.deb older/files &&
		sed -i 's/^Version: .*/Version: $older/' older/files/DEBIAN/control &&
		dpkg-deb --root-owner-group -b older/files older"
} >>"$base.log" 2>&1
inside id user >/dev/null 2>&1 || inside useradd --create-home user
inside sh -c 'cd /source && chown -R user . && su user -c \
	"lintian --profile debian --fail-on error,warning benchtop_*.changes"'
# The service makes these: private is systemd's own.
inside mkdir -p -m 700 /var/lib/private
before=$(files)

say "install $older, upgrade"
capture=/usr/libexec/benchtop/benchtop-capture
inside sh -c 'apt-get install -y -qq /source/older/benchtop_*.deb' \
	>>"$base.log" 2>&1
version | grep -Fx "$older"
as_user 'benchtop run cpu.clock budget=1s >/dev/null'
inside setcap cap_net_raw+ep $capture
inside sh -c 'apt-get install -y -qq /source/benchtop_*.deb' \
	>>"$base.log" 2>&1
as_user 'benchtop --version' | grep -Fx "benchtop $(version)"
# As README.Debian states.
[ -z "$(inside getcap $capture)" ]
as_user 'benchtop sessions' | grep cpu.clock

say "use"
as_user 'man -w benchtop >/dev/null && man benchtop | grep -q SYNOPSIS'
as_user 'bash -c ". /usr/share/bash-completion/bash_completion &&
	_completion_loader benchtop; complete -p benchtop"'
# shellcheck disable=SC2016 # a variable of zsh
as_user 'zsh -c "autoload -Uz compinit && compinit -u &&
	[[ \$_comps[benchtop] == _benchtop ]]"'
as_user 'fish -c "complete -C \"benchtop doc\""' | grep -q '^doctor'
# 4: a user of this machine may not make namespaces or cgroups.
as_user 'benchtop quick >quick.txt' || [ $? -eq 4 ]
as_user 'tail -n 12 quick.txt'

say "install again, purge"
inside mkdir -p /var/lib/private/benchtop/benchtop
inside ln -s private/benchtop /var/lib/benchtop
{
	inside sh -c 'apt-get install -y -qq --reinstall /source/benchtop_*.deb'
	inside apt-get purge -y -qq benchtop
	inside apt-get autoremove -y -qq
} >>"$base.log" 2>&1
if [ "$before" != "$(files)" ]; then
	echo "$before" >"$base.before"
	files | diff "$base.before" - || true
	say "purge left or removed files"
	exit 1
fi
say "passed"
