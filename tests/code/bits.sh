#!/bin/sh
# bits.sh TOP: cmake refuses a compiler for 32 bits, with one sentence.
set -eu
if [ "$(uname -m)" != x86_64 ]; then
	echo "SKIP: no compiler for 32 bits here"
	exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for bits in -m32 -mx32; do
	# The libraries of 32 bits are not needed: nothing is linked.
	if cmake -S "$1" -B "$out/build" -DCMAKE_C_FLAGS=$bits \
		-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY >"$out/log" 2>&1
	then
		echo "wrong: cmake accepts $bits" >&2
		exit 1
	fi
	grep 'makes programs of 32 bits' "$out/log"
	rm -rf "$out/build"
done
