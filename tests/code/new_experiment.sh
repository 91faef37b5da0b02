#!/bin/sh
# new_experiment.sh TOP BUILD: adds the example of HACKING.md, one file, to a copy
# of the tree. Then the experiment is listed and runs. All other objects are
# those of BUILD.
set -eu
top=$1
build=$2
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/tree" "$copy/build" "$copy/run"
tar -C "$top" --exclude=./build --exclude=./.git -cf - . | tar -C "$copy/tree" -xf -
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$top/HACKING.md" \
	>"$copy/tree/probes/mem/touch.c"
lines=$(wc -l <"$copy/tree/probes/mem/touch.c")
if [ "$lines" -lt 20 ] || [ "$lines" -gt 60 ]; then
	echo "wrong: the example in HACKING.md has $lines lines" >&2
	exit 1
fi

# The object, the table of experiments, and the command that links them.
sed "s|$build|$copy/build|g; s|$top|$copy/tree|g" "$build/CMakeCache.txt" \
	>"$copy/build/CMakeCache.txt"
main=CMakeFiles/benchtop.dir/src/main.c.o
touch=CMakeFiles/probes.dir/probes/mem/touch.c.o
if ! {
	cmake -S "$copy/tree" -B "$copy/build" -DBUILD_TESTING=OFF &&
		cmake --build "$copy/build" --target $main $touch \
			CMakeFiles/benchtop.dir/probe_list.c.o &&
		cd "$copy/build" &&
		ln -sf "$build"/*.a . &&
		link=$(ninja -t commands benchtop | tail -1) &&
		eval "$(echo "$link" | sed "s|$main|& $touch|; s| && cd .*||")"
} >"$copy/log" 2>&1; then
	cat "$copy/log" >&2
	exit 1
fi
export XDG_STATE_HOME="$copy/state" XDG_CONFIG_HOME="$copy/config"
export XDG_RUNTIME_DIR="$copy/run" HOME="$copy"
program="$copy/build/benchtop"

expect() {
	if ! printf '%s\n' "$2" | grep -q "$1"; then
		printf 'wrong: no "%s" in\n%s\n' "$1" "$2" >&2
		exit 1
	fi
}
expect '^mem.touch .*cache line?' "$("$program" list)"
expect '4K,64K,1M' "$("$program" show mem.touch)"
said=$("$program" run mem.touch budget=1s 2>&1)
for size in 4K 64K 1M; do
	expect "^ *$size " "$said"
done
# Invalid values of the experiment's parameter give the usual errors.
if said=$("$program" run mem.touch size=32 2>&1); then
	echo "wrong: size=32 was accepted" >&2
	exit 1
fi
expect 'size' "$said"

# The build writes into no other folder of the sources.
differs=$(diff -rq --exclude=build --exclude=.git "$top" "$copy/tree" || true)
if [ "$differs" != "Only in $copy/tree/probes/mem: touch.c" ]; then
	echo "wrong: $differs" >&2
	exit 1
fi
echo "an experiment of $lines lines, one new file"
