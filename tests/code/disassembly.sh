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
# shellcheck disable=SC2086 # no name has a space
objdump -dr --no-show-raw-insn $objects | awk '
function wrong(sentence) {
	if (!seen[sentence]++)
		print "wrong: " sentence " in " object
}
# "path.c.o:     file format elf64-x86-64"
/^[^ ].*: +file format / {
	object = $1
	sub(/:$/, "", object)
	count = split(object, parts, "/")
	# The name of a probe is that of its experiment, cpu_clock.
	name = parts[count]
	sub(/\.c\.o$/, "", name)
	if (object ~ /\/probes\//)
		name = parts[count - 1] "_" name
	plain = object ~ /\/probes\/|\/src\/kit\//
	# caches: before any trial
	may_ask = name ~ /^(cpu_clock|machine_cpuid|caches)$/
	# If the work is instructions, nothing else is timed.
	bare = name ~ /^(cpu_loop|cpu_call|selftest_adds|selftest_lazy)$/
	timed = 0
	want = last = ""
	split("", seen)
	objects++
	next
}
# cpuid traps in a virtual machine and disturbs what follows.
!may_ask && /(^|[^A-Za-z0-9_])cpuid([^A-Za-z0-9_]|$)/ { wrong("cpuid") }
# Timed code has none of the hardening of the other code.
plain && /__stack_chk_fail/ { wrong("a stack protector") }
# cpu.clock measures readings of every kind, also unfenced ones.
name == "cpu_clock" { next }
# Relocations have lines of their own.
/R_X86_64_|R_AARCH64_/ { next }
/>:$/ { timed = 0; want = ""; last = "" }
/^ *[0-9a-f]+:/ {
	code = $2
	if (want && code != want)
		wrong(last " without " want)
	want = ""
	if (code == "rdtsc") {
		if (last != "lfence")
			wrong("rdtsc without lfence")
		want = "lfence"
		reads++
		timed = !timed
	} else if (timed && bare && /%[xyz]mm/)
		wrong("a vector in timed code")
	last = code
}
END {
	print "objects " objects + 0
	print "reads " reads + 0
}
' >"$text"
! grep '^wrong' "$text" >&2 || status=1
parsed=$(sed -n 's/^objects //p' "$text")
reads=$(sed -n 's/^reads //p' "$text")
[ "$parsed" -eq "$(echo "$objects" | wc -l)" ] ||
	wrong "objdump has read $parsed objects"

# Experiments, overhead, canary and cache line must each read the clock twice.
# Otherwise nothing was checked.
case $(uname -m) in
x86_64)
	[ "$reads" -ge 30 ] || wrong "the clock is read only $reads times"
	;;
esac
echo "$reads fenced reads; cpuid only where it is measured or asked"
exit $status
