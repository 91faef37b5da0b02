#!/bin/sh
# Builds for arm64 with Debian's cross compiler, and runs the static program and
# the unit tests under qemu-user. In .ci/nightly, or by hand, as root, with Linux
# 6.7 or newer, half an hour:
#     tests/package/arm64.sh
#     tests/package/arm64.sh -R json        some of the unit tests
# test_history_steps alone takes 6 minutes of a processor, 30 times as long as
# without the emulator. It downloads about 60 MB. The folder $CHROOTS (or
# /var/tmp/benchtop-chroots) keeps the libraries.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
base=${CHROOTS:-/var/tmp/benchtop-chroots}/arm64
root=$base/root
# shellcheck source=../../cmake/packages.sh
. "$top/cmake/packages.sh"
need gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user debootstrap

wanted=libcmocka-dev,libvterm-dev
for package in $packages_build; do
	case $package in *-dev) wanted=$wanted,$package ;; esac
done
if [ "$(cat "$base/ready" 2>/dev/null)" != "$wanted" ]; then
	rm -rf "$base"
	mkdir -p "$root/usr/lib"
	ln -s usr/lib "$root/lib"
	debootstrap --arch=arm64 --variant=minbase --download-only \
		--include="$wanted" bookworm "$base/packages" >"$base.log"
	for package in "$base"/packages/var/cache/apt/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$package" |
			tar -x --keep-directory-symlink -C "$root"
	done
	find "$root/usr/lib" -lname '/lib/*' | while read -r link; do
		ln -sf "$root$(readlink "$link")" "$link"
	done
	rm -rf "$base/packages"
	echo "$wanted" >"$base/ready"
fi

# arm64 PRESET BUILD ARGUMENT ..: configures and builds.
arm64() {
	preset=$1 build=$2
	shift 2
	mkdir -p "$build"
	quietly "$build/configure.log" cmake --preset "$preset" -S "$top" \
		-B "$build" -DBENCHTOP_SYSROOT="$root" \
		-DCMAKE_TOOLCHAIN_FILE="$top/cmake/arm64.cmake"
	quietly "$build/build.log" cmake --build "$build" "$@"
}

units() {
	ctest --test-dir "$top/build/arm64" -N -L unit |
		sed -n 's/^ *Test *#[0-9]*: //p'
}

cd "$top"
arm64 static build/arm64-static
arm64 release build/arm64 --target benchtop
# shellcheck disable=SC2046 # names without spaces
arm64 release build/arm64 --target benchtop_selftest $(units)
stat -c '%s bytes' build/arm64-static/benchtop
[ "$(stat -c %s build/arm64-static/benchtop)" -le 8000000 ]

# What the emulator lacks: limits of memory (arena, buffer, faulting), faults
# of the program alone (watch), io_uring, children of the parent (child), loops
# whose time is that of the processor (canary, clock), the refusal of O_TMPFILE
# in /proc (file_made), silence when a child aborts (param), filters of system
# calls (descriptors, launch), MADV_DONTFORK (memory), PR_SET_THP_DISABLE
# (traffic), and counts of system calls without its own (durable_writer).
lacks='arena|buffer|canary|child|clock|descriptors|durable_writer|faulting'
lacks=$lacks'|file_made|launch|memory|param|traffic|uring|watch'

# Tests execute the program, and programs themselves. In a namespace of its own
# the kernel (since Linux 6.7) passes those of arm64 to the emulator.
# shellcheck disable=SC2016 # variables of the shell in it
exec unshare --user --map-root-user --mount sh -eu -c '
	mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
	magic="\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7"
	mask="\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff"
	printf %s ":arm64:M::$magic:$mask:$(command -v qemu-aarch64):" \
		>/proc/sys/fs/binfmt_misc/register
	export QEMU_LD_PREFIX="$1" HOME="$PWD/build/arm64"
	unset XDG_STATE_HOME XDG_CONFIG_HOME
	lacks=$2
	shift 2
	build/arm64-static/benchtop list | grep "^cpu.syscall "
	build/arm64-static/benchtop run cpu.syscall budget=1s
	ctest --test-dir build/arm64 -L unit --no-tests=error \
		--output-on-failure -j "$(nproc)" \
		-E "^test_($lacks)\$" "$@"
' sh "$root" "$lacks" "$@"
