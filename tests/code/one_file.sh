#!/bin/sh
# one_file.sh TOP: an experiment is one file in probes/; no file in src/ and ui/
# depends on its name. There a name may only occur in a comment, or as part of a
# command line in a sentence: "run cpu.syscall".
set -eu
cd "$1"
names=$(for file in probes/*/*.c; do
	echo "$file"
done | sed 's|probes/||; s|\.c$||; s|/|[._]|' | paste -sd '|')
[ -n "$names" ] || exit 1

find_names() {
	awk -v name="($names)" '
	BEGIN {
		typed = "(run|show|pick|predict|expect|ab|history|" \
			"summary [a-z]+) " name
		named = "(^|[^a-z.])(probe_)?" name "([^a-z_.(]|$)"
	}
	FNR == 1 { comment = 0 }
	{
		line = $0
		if (comment && !(end = index(line, "*/")))
			next
		if (comment)
			line = substr(line, end + 2)
		gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
		start = index(line, "/*")
		comment = start > 0
		if (comment)
			line = substr(line, 1, start - 1)
		gsub(typed, "", line)
		if (line ~ named)
			print FILENAME ":" FNR ": " $0
	}' "$@"
}

# Tests the search: it must find the first lines, and none of the second.
found=$(printf '%s\n' 'take("cpu.syscall");' '	"net.rtt asks",' \
	'extern probe_mem_latency;' '/* x */ { "cpu.call cpu.loop" },' |
	find_names | wc -l)
spared=$(printf '%s\n' '/* "cpu.syscall" */' '"with run net.rtt"' \
	'/* as' ' * mem.latency */' '"cpu.stat net.ipv4.x"' | find_names | wc -l)
if [ "$found" -ne 4 ] || [ "$spared" -ne 0 ]; then
	echo "wrong: the search finds $found of 4 and $spared of 0" >&2
	exit 1
fi

# shellcheck disable=SC2046
if find_names $(find src ui -name '*.[ch]' | sort) | grep .; then
	echo "wrong: experiments are named outside probes/" >&2
	exit 1
fi
echo "$(echo "$names" | tr '|' '\n' | wc -l) experiments, each in one file"
