#!/bin/sh
# Builds the last commit twice, in other folders, at other times, in another
# language, time zone and umask, and compares every file that would be
# installed, the static program, and the Debian packages. In .ci/nightly,
# or by hand, 15 minutes:
#     tests/package/reproducible.sh
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../../cmake/packages.sh
. "$top/cmake/packages.sh"
# shellcheck disable=SC2086
need $packages_build debhelper
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git clone -q "$top" "$work/commit" # one, whatever is committed meanwhile

# build SOURCE BUILD OPTION ..: installs in BUILD/root, with options of cmake.
build() {
	source=$1 out=$2
	shift 2
	cmake -S "$source" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=Release \
		-DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX=/usr "$@" >"$work/log"
	cmake --build "$out" >"$work/log"
	DESTDIR=$out/root cmake --install "$out" >"$work/log"
}

# both SOURCE BUILD: clones, and builds the usual program and the static one.
both() {
	git clone -q "$work/commit" "$1"
	build "$1" "$2"
	build "$1" "$2-static" -DBENCHTOP_STATIC=ON
}

# other COMMAND ..: in another language, time zone and umask.
other() (
	umask 077
	export TZ=Pacific/Kiritimati LC_ALL=C LANGUAGE=de
	"$@"
)

# package SOURCE: without tests; its result is beside SOURCE.
package() {
	(cd "$1" && DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -us -uc -b) \
		>"$work/log" 2>&1 || { tail "$work/log"; return 1; }
}

both "$work/a/benchtop" "$work/a/benchtop/build/release"
other both "$work/another folder/benchtop" "$work/outside"
mkdir "$work/first" "$work/second"
for kind in "" -static; do
	mv "$work/a/benchtop/build/release$kind/root" "$work/first/root$kind"
	mv "$work/outside$kind/root" "$work/second/root$kind"
done
diff -r "$work/first" "$work/second"
(cd "$work/first" && find . -type f -exec sha256sum {} + | sort -k 2) |
	grep -E 'bin/benchtop|benchtop-capture|benchtop\.1'
rm -rf "$work/a/benchtop/build"
package "$work/a/benchtop"
mv "$work/another folder" "$work/b"
other package "$work/b/benchtop"
for deb in "$work"/a/*.*deb; do # Ubuntu names debug symbols .ddeb
	cmp "$deb" "$work/b/$(basename "$deb")"
	sha256sum "$deb"
done
echo "identical"
