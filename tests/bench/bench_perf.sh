#!/bin/sh
# Measures two costs by perf bench and by benchtop, in interleaved pairs:
#   bench_perf.sh BENCHTOP
# Both measure on the same processor, perf by taskset, benchtop by cpu=, whose
# lab runs elsewhere. A pair is half of perf's runs, the run of benchtop, and
# the other half, so that drift affects both alike. Figures are read from `export
# csv` by the names in its header.
set -eu
export LC_ALL=C
benchtop=$1
pairs=5
budget=5s

skip() {
	echo "SKIP: $1"
	exit 77
}
command -v taskset >/dev/null 2>&1 || skip "taskset is not installed"
perf bench syscall basic -l 1000 >/dev/null 2>&1 ||
	skip "perf bench does not run here"

# The last allowed processor, because the first serves most interrupts.
cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
# Keeps the user's sessions unchanged.
export XDG_STATE_HOME="$folder"

# perf_ns: ns per operation, one line per run in half a pair. perf reads
# gettimeofday() around all its loops and prints six decimals of a microsecond.
perf_ns() {
	run=0
	while [ "$run" -lt "$runs" ]; do
		# shellcheck disable=SC2086
		taskset -c "$cpu" perf bench $perf_words -l "$loops" |
			awk '/usecs\/op/ { print $1 * 1000 }'
		run=$((run + 1))
	done
}

# column FILE METRIC NAME: the cells of one column of an export.
column() {
	awk -F, -v metric="$2" -v name="$3" '
		{ sub(/\r$/, "") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 && $at["metric"] == metric { print $at[name] }' "$1"
}

median() {
	sort -g | awk '{ v[NR] = $1 }
		END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# benchtop_ns METRIC WORDS..: the headline in ns and "-", or "*" if the core was
# shared or the data are not enough. Without a headline: the median of all
# trials.
benchtop_ns() {
	metric=$1
	shift
	rm -f "$folder/figures.csv"
	"$benchtop" -c "run $* cpu=$cpu budget=$budget
		export csv $folder/figures.csv" >"$folder/said" 2>&1 || {
		cat "$folder/said" >&2
		return 1
	}
	ours=$(column "$folder/figures.csv" "$metric" median)
	[ -n "$ours" ] || ours=$(column "$folder/figures.csv" "$metric" median_all)
	case $(column "$folder/figures.csv" "$metric" quality) in
	good | rough) echo "$ours -" ;;
	*) echo "$ours *" ;;
	esac
}

# pair NUMBER: one row; its last columns are the ratio and the mark.
pair() {
	perf_ns >"$folder/perf"
	# shellcheck disable=SC2086
	ours=$(benchtop_ns "$metric" $words)
	perf_ns >>"$folder/perf"
	least=$(sort -g "$folder/perf" | head -n 1)
	echo "$1 $least $(median <"$folder/perf") $times $ours" | awk '{
		ours = $4 * $5
		printf "  %-4d %10.2f %10.2f %12.2f %8.4f %s\n", $1, $2, $3,
			ours, ours / $2, $6 == "*" ? $6 : ""
	}'
}

# compare TITLE BOUND: uses the variables below. One operation of perf is
# `times` operations of benchtop. perf runs `runs` times before and after.
compare() {
	echo
	echo "$1, processor $cpu"
	echo "  perf bench $perf_words / benchtop run $words"
	printf '  %-4s %10s %10s %12s %8s\n' pair 'perf, ns' median \
		'benchtop, ns' ratio
	i=1
	while [ "$i" -le "$pairs" ]; do
		pair "$i"
		i=$((i + 1))
	done | tee "$folder/rows"
	ratio=$(awk '{ print $5 }' "$folder/rows" | median)
	awk -v r="$ratio" -v bound="$2" 'BEGIN {
		off = 100 * (r > 1 ? r - 1 : 1 - r)
		printf "  median ratio %.4f, %.1f %% apart; at most %g %%: %s\n",
			r, off, bound, off <= bound ? "met" : "missed"
	}'
}

cat <<'END'
perf bench divides the time of its whole loop by the calls: the loop is in it,
and so is whatever disturbed it. It is run for many short times a pair, and the
least is compared: the one that was disturbed least; their median stands beside.
benchtop's figure is the median of trials on a core of its own, the clock's
overhead subtracted, interrupted trials left out; * where the core was shared
or data are not enough. perf calls getppid() of the C library,
so via=libc is compared.
END
# Runs of five milliseconds: some are undisturbed even on a busy machine.
times=1 metric=time loops=30000 runs=40 perf_words="syscall basic"
words="cpu.syscall call=getppid via=libc"
compare "getppid" 5

# Not compared: some kernels overwrite the return stack on every entry. The
# mispredicted return of the C library's wrapper then costs more than the loop.
set -f # the mark may be a star
# shellcheck disable=SC2046
set -- $(benchtop_ns time cpu.syscall call=getppid via=raw)
set +f
printf '  via=raw, the bare instruction: %.2f ns %s\n' "$1" "${2#-}"

# Runs of a tenth of a second, because they include the start and the end of
# perf's second process, half a millisecond.
times=2 metric=gross loops=20000 runs=20 perf_words="sched pipe"
words="cpu.switch between=processes through=pipe parties=2"
compare "a pipe's round trip, twice the gross time of a switch" 10
