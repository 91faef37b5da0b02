#!/bin/sh
# Builds the static program and the unit tests with musl in place of glibc, and
# runs them, the program alone in an empty folder. Their libraries are built too,
# from Debian's sources. In .ci/nightly, or by hand, as root, ten minutes:
#     tests/package/musl.sh
#     tests/package/musl.sh -R json         some of the unit tests
# It downloads about 26 MB. The folder $CHROOTS (or /var/tmp/benchtop-chroots)
# keeps the libraries.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
base=${CHROOTS:-/var/tmp/benchtop-chroots}/musl
root=$base/root
pool=http://deb.debian.org/debian/pool/main
# shellcheck source=../../cmake/packages.sh
. "$top/cmake/packages.sh"
# shellcheck disable=SC2086
need $packages_build musl-tools autoconf automake libtool tcl bzip2 xz-utils curl

# What the kernel's headers define is not of the C library.
prepare() {
	mkdir -p "$root/include" "$root/lib/pkgconfig"
	ln -sfn /usr/include/linux "$root/include/linux"
	ln -sfn /usr/include/asm-generic "$root/include/asm-generic"
	ln -sfn "/usr/include/$(gcc -print-multiarch)/asm" "$root/include/asm"
	# Debian's specs do not know -static-pie, and lld needs no specs.
	sed -e 's|%{!shared: \([^}]*\)/Scrt1.o}|%{static-pie: \1/rcrt1.o; !shared: \1/Scrt1.o}|' \
		-e 's|^-dynamic-linker \([^ ]*\)|%{static-pie: -static -pie --no-dynamic-linker -z text; : &}|' \
		"/usr/lib/$(gcc -dumpmachine | sed 's/-gnu/-musl/')/musl-gcc.specs" \
		>"$base/specs"
	cat >"$base/cc" <<-EOF
		#!/bin/sh
		for word; do
			shift
			case \$word in
			-fuse-ld=*) ;;
			*) set -- "\$@" "\$word" ;;
			esac
		done
		exec gcc -specs "$base/specs" -isystem "$root/include" "\$@"
	EOF
	chmod 755 "$base/cc"
}

# unpack PATH SHA256: downloads it, and enters its folder.
unpack() {
	file=$base/$(basename "$1")
	curl -sSf -o "$file" "$pool/$1"
	echo "$2  $file" | sha256sum --quiet -c
	rm -rf "$base/source"
	mkdir "$base/source"
	cd "$base/source"
	tar -x --strip-components=1 -f "$file"
	rm "$file"
}

# configured WORD ..: builds and installs a static library.
configured() {
	./configure --prefix="$root" "$@"
	make -j "$(nproc)"
	make install
}

# describe NAME: the file of pkg-config that its own build does not make.
describe() {
	cat >"$root/lib/pkgconfig/$1.pc" <<-EOF
		Name: $1
		Description: $1
		Version: 1
		Libs: -L$root/lib -l$1
		Cflags: -I$root/include
	EOF
}

build_libraries() {
	export CC="$base/cc" CFLAGS="-O2 -fPIC"
	unpack z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2 \
		71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1
	./configure --static --prefix="$root"
	make -j "$(nproc)" libz.a
	make install
	unpack libz/libzstd/libzstd_1.5.4+dfsg2.orig.tar.xz \
		8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953
	make -C lib -j "$(nproc)" libzstd.a
	make -C lib install-static install-includes install-pc PREFIX="$root"
	unpack n/ncurses/ncurses_6.4.orig.tar.gz \
		6931283d9ac87c5073f30b6290c4c75f21632bb4fc3603ac8100812bed248159
	configured --enable-widec --without-cxx --without-cxx-binding \
		--without-ada --without-tests --without-manpages \
		--without-progs --disable-db-install --enable-pc-files \
		--with-pkg-config-libdir="$root/lib/pkgconfig" \
		--with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo \
		--with-default-terminfo-dir=/usr/share/terminfo
	unpack libs/libsodium/libsodium_1.0.18.orig.tar.gz \
		d59323c6b712a1519a5daf710b68f5e7fde57040845ffec53850911f10a5d4f4
	autoreconf -fi
	configured --disable-shared
	unpack h/hwloc/hwloc_2.9.0.orig.tar.bz2 \
		b3fb1a43a14d8fbcd8e976de5ede2ea7ce1d768ed173adb33c7ceaaf098dc970
	configured --disable-shared --enable-static --disable-libxml2 \
		--disable-io --disable-cairo --disable-plugins
	unpack s/sqlite3/sqlite3_3.40.1.orig.tar.xz \
		aaa776260ab4dc976db34aa7891819484c8676b5b2783123ebc6301e2ca5d655
	configured --disable-shared --disable-readline --disable-tcl BUILD_CC=gcc
	unpack g/gsl/gsl_2.7.1+dfsg.orig.tar.gz \
		e560d6b9c6e254e46769bbb03583c00ecafbdd51b062c55db23b3b9612868567
	sed -i '/^SUBDIRS/s/ doc$//' Makefile.in
	configured --disable-shared
	unpack c/cmocka/cmocka_1.1.5.orig.tar.xz \
		f0ccd8242d55e2fd74b16ba518359151f6f8383ff8aef4976e48393f77bba8b6
	cmake -B b -DCMAKE_C_COMPILER="$base/cc" -DWITH_STATIC_LIB=ON \
		-DWITH_EXAMPLES=OFF
	cmake --build b
	cp b/src/libcmocka*.a "$root/lib/libcmocka.a"
	cp include/cmocka*.h "$root/include"
	describe cmocka
	unpack libv/libvterm/libvterm_0.1.4.orig.tar.gz \
		bc70349e95559c667672fc8c55b9527d9db9ada0fb80a3beda533418d782d3dd
	make src/encoding/DECdrawing.inc src/encoding/uk.inc
	for file in src/*.c; do
		# shellcheck disable=SC2086
		"$CC" $CFLAGS -std=c99 -Iinclude -c "$file"
	done
	ar rcs "$root/lib/libvterm.a" ./*.o
	cp include/*.h "$root/include"
	describe vterm
}

prepare
# A process of its own, since a function that may fail does not stop at errors.
if [ "${1:-}" = libraries ]; then
	build_libraries
	touch "$base/ready"
	exit
fi
[ -e "$base/ready" ] || quietly "$base/libraries.log" "$0" libraries

cd "$top"
build=$top/build/musl
# benchtop-capture is not in the static program.
lacks='fuzz_findings'
export PKG_CONFIG_LIBDIR="$root/lib/pkgconfig"
mkdir -p "$build"
quietly "$build/configure.log" cmake --preset static -S "$top" -B "$build" \
	-DBUILD_TESTING=ON -DCMAKE_C_COMPILER="$base/cc" \
	-DCMAKE_PREFIX_PATH="$root"
# shellcheck disable=SC2046 # names without spaces
quietly "$build/build.log" cmake --build "$build" --target benchtop \
	benchtop_selftest $(ctest --test-dir "$build" -N -L unit |
		sed -n 's/^ *Test *#[0-9]*: //p')
ctest --test-dir "$build" -L unit --no-tests=error --output-on-failure \
	-j "$(nproc)" \
	-E "^test_($lacks)\$" "$@"
tests/package/static.sh "$build/benchtop"
