#!/bin/sh
# disassembly.sh BUILD SANITIZERS: checks the instructions of the timed code.
set -eu
build=$1
sanitizers=${2:-}
if [ -n "$sanitizers" ]; then
	echo "SKIP: sanitizers time nothing"
	exit 77
fi
status=0
wrong() {
	echo "wrong: $*" >&2
	status=1
}

objects=$(find "$build/CMakeFiles" "$build/tests/CMakeFiles/selftests.dir" \
	-name '*.c.o' | sort)
[ -n "$objects" ] || wrong "no objects in $build"
text=$(mktemp)
trap 'rm -f "$text"' EXIT
pairs=0
for object in $objects; do
	# A probe's name is that of its experiment, cpu_clock.
	case $object in
	*/probes/*) name=$(basename "$(dirname "$object")")_ ;;
	*) name= ;;
	esac
	name=$name$(basename "$object" .c.o)
	objdump -dr --no-show-raw-insn "$object" >"$text"

	# cpuid traps in a virtual machine and disturbs what follows.
	case $name in
	cpu_clock | machine_cpuid | caches) ;; # caches: before any trial
	*) ! grep -qw cpuid "$text" || wrong "cpuid in $object" ;;
	esac

	# Timed code has none of the hardening of the other code.
	case $object in
	*/probes/*.c.o | */src/kit/*/*.c.o)
		! grep -q __stack_chk_fail "$text" ||
			wrong "a stack protector in $object"
		;;
	esac

	# cpu.clock measures readings of every kind, also unfenced ones.
	[ "$name" = cpu_clock ] && continue
	# If the work is instructions, nothing else is timed.
	case $name in
	cpu_loop | cpu_call | selftest_adds | selftest_lazy) bare=1 ;;
	*) bare=0 ;;
	esac
	found=$(awk -v object="$object" -v bare=$bare '
	# Relocations have lines of their own.
	/R_X86_64_|R_AARCH64_/ { next }
	/>:$/ { timed = 0; want = ""; last = "" }
	/^ *[0-9a-f]+:/ {
		code = $2
		if (want && code != want) {
			print "wrong: " last " without " want " in " object
			exit
		}
		want = ""
		if (code == "rdtsc") {
			if (last != "lfence")
				print "wrong: rdtsc without lfence in " object
			want = "lfence"
			timed = 1
		} else if (code == "rdtscp") {
			want = "lfence"
			stops++
			timed = 0
		} else if (timed && bare && /%[xyz]mm/) {
			print "wrong: a vector in timed code of " object
			exit
		}
		last = code
	}
	END { print "stops " stops + 0 }
	' "$text")
	echo "$found" | grep '^wrong' >&2 && status=1
	pairs=$((pairs + ${found##*stops }))
done

# Experiments, overhead, canary and cache line must each have a clock pair.
# Otherwise nothing was checked.
case $(uname -m) in
x86_64)
	[ "$pairs" -ge 15 ] || wrong "only $pairs fenced pairs were found"
	;;
esac
echo "$pairs fenced stops; cpuid only where it is measured or asked"
exit $status
