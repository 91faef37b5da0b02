#!/bin/sh
# musl.sh TOP: every source compiles with musl in place of glibc. The libraries
# are those of this machine, of which only the headers are read.
set -eu
cd "$1"
if ! command -v musl-gcc >/dev/null; then
	echo "SKIP: no musl compiler here"
	exit 77
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# A folder for what is not of the C library: a search in /usr/include itself
# would find the headers of glibc.
for name in linux asm-generic asm hwloc.h hwloc gsl cjson curses.h term.h \
	ncurses_dll.h unctrl.h sqlite3.h sodium.h sodium pcap.h pcap zlib.h \
	zconf.h zstd.h cap-ng.h seccomp.h seccomp-syscalls.h; do
	for from in /usr/include /usr/include/"$(gcc -print-multiarch)"; do
		if [ -d "$from/$name" ]; then
			mkdir -p "$out/$name"
			cp -rs "$from/$name/." "$out/$name"
		elif [ -e "$from/$name" ]; then
			ln -sf "$from/$name" "$out/$name"
		fi
	done
done
set -- -std=gnu17 -O1 -Wall -Wextra -Wformat=2 -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wvla -Wpointer-arith \
	-Wwrite-strings -Wconversion -Wno-sign-conversion -Wundef \
	-Wimplicit-fallthrough -Werror -fsyntax-only \
	-D_GNU_SOURCE -D_XOPEN_SOURCE=600 \
	'-DBENCHTOP_VERSION="0"' '-DBENCHTOP_BUILD=""' \
	'-DBENCHTOP_SANITIZE=""' '-DBENCHTOP_TIMED_FLAGS=""' -isystem "$out"
# src/kit/link/link.h is not <link.h>.
# shellcheck disable=SC2044 # no name has a space
for folder in $(find src ui probes -type d); do
	set -- "$@" -iquote "$folder"
done
find src ui probes -name '*.c' >"$out/sources"
xargs -P "$(nproc)" -n 40 musl-gcc "$@" <"$out/sources"
echo "$(wc -l <"$out/sources") files compile with musl"
