#!/bin/sh
# arm64.sh TOP: the timed sources compile for arm64, with warnings as errors. If
# an emulator is installed, the clock pair and the bandwidth kernels run.
set -eu
cd "$1"
compiler=aarch64-linux-gnu-gcc
if ! command -v $compiler >/dev/null; then
	echo "SKIP: no aarch64 compiler here"
	exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
set -- -std=gnu17 -O1 -Wall -Wextra -Wformat=2 -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wvla -Wpointer-arith \
	-Wwrite-strings -Wconversion -Wno-sign-conversion -Wundef \
	-Wimplicit-fallthrough -Werror -D_GNU_SOURCE \
	'-DBENCHTOP_VERSION="0"' '-DBENCHTOP_BUILD=""' \
	'-DBENCHTOP_SANITIZE=""' '-DBENCHTOP_TIMED_FLAGS=""'
# Clones differ in the number of no-ops: the first and the last are enough. With
# all of them call.c takes eight times as long. The first folder wins.
mkdir "$out/few"
sed -E 's/\<M\(([1-9]|1[0-4])(, __VA_ARGS__)?\)//g' src/kit/memory/clones.h \
	>"$out/few/clones.h"
set -- "$@" "-I$out/few"
# shellcheck disable=SC2044 # no name has a space
for folder in $(find src/base src/stats src/probe src/net/decode \
	src/net/connection src/net/packet src/kit src/measure probes -type d); do
	set -- "$@" "-I$folder"
done
# Headers of GSL are the same for all architectures; those of hwloc are not.
if [ -d /usr/include/gsl ]; then
	ln -s /usr/include/gsl "$out/gsl"
	set -- "$@" "-I$out"
fi
for file in src/base/*.c src/probe/*/*.c src/kit/*/*.c src/measure/*/*.c \
	probes/*/*.c tests/probes/*/*.c; do
	grep -q '#include <hwloc' "$file" || echo "$file"
done >"$out/sources"
# Instructions are made of files with assembly or with code for a processor, in
# them or in their headers. The rest of the compiler is the same for all
# architectures, and for other files its front end is enough: a sixth of the time.
xargs grep -El '\<asm|__asm__|__(aarch64|x86_64)__|"(clones|callee|addition).h"' \
	<"$out/sources" >"$out/special"
grep -vxFf "$out/special" "$out/sources" |
	xargs -P "$(nproc)" -n 40 $compiler "$@" -fsyntax-only
# shellcheck disable=SC2016 # variables of the shell in it
xargs -P "$(nproc)" -I FILE sh -c '
	out=$1 file=$2 compiler=$3
	shift 3
	$compiler "$@" -c "$file" -o "$out/$(echo "$file" | tr / _).o"
' sh "$out" FILE $compiler "$@" <"$out/special"
count=$(wc -l <"$out/sources")
echo "$count files compile for arm64"

# The clock pair consists of isb; mrs cntvct_el0; isb.
if command -v aarch64-linux-gnu-objdump >/dev/null; then
	aarch64-linux-gnu-objdump -d "$out/tests_probes_selftest_adds.c.o" |
		grep -B1 -A1 cntvct_el0 | awk '{ print $3 }' |
		grep -v '^$' | tr '\n' ' ' >"$out/pair"
	if ! grep -q 'isb mrs isb' "$out/pair"; then
		echo "wrong: no isb; mrs; isb in selftest.adds" >&2
		exit 1
	fi
fi

command -v qemu-aarch64 >/dev/null || exit 0
$compiler "$@" -static tests/code/arm64_kernels.c src/kit/memory/kernels.c \
	src/probe/contract/cpuinfo.c src/base/text.c src/base/memory.c \
	src/kit/memory/kernels_aarch64.S -o "$out/kernels"
qemu-aarch64 "$out/kernels"
$compiler "$@" -static tests/code/arm64_clock.c src/probe/contract/ruler.c -lm \
	-o "$out/clock"
qemu-aarch64 "$out/clock"
