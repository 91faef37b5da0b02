#!/bin/sh
# The same two costs by perf bench and by benchtop, in interleaved pairs:
#   bench_perf.sh BENCHTOP
# Both measure on the same processor, perf kept there by taskset, benchtop by
# cpu=, which leaves its lab elsewhere. A pair is half of perf's runs, that of
# benchtop, the other half: what drifts meanwhile falls on both. Figures are
# read from `export csv` by the names in its header.
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

# The last processor we may use: the first one serves most interrupts.
cpu=$(taskset -cp $$ | sed 's/.*[^0-9]//')
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
# Nothing is left behind among the user's sessions.
export XDG_STATE_HOME="$folder"

# perf_ns: ns per operation, a line for each of half a pair's runs. perf reads
# gettimeofday around all its loops and prints six decimals of a microsecond.
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

# benchtop_ns METRIC WORDS..: the headline in ns and "-", or "*" where the core
# was shared or data are not enough; without a headline the median of all trials.
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

# pair NUMBER: one row, its ratio last but for the mark.
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

# compare TITLE BOUND: by the variables below; `times` of benchtop's
# operations are one of perf's, which runs `runs` times before and after.
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
# Five milliseconds: some of them are undisturbed on a busy machine too.
times=1 metric=time loops=30000 runs=40 perf_words="syscall basic"
words="cpu.syscall call=getppid via=libc"
compare "getppid" 5

# Not compared: the wrapper's return is predicted from a stack that some
# kernels overwrite on every entry, which costs more than the loop does.
set -f # the mark may be a star
# shellcheck disable=SC2046
set -- $(benchtop_ns time cpu.syscall call=getppid via=raw)
set +f
printf '  via=raw, the bare instruction: %.2f ns %s\n' "$1" "${2#-}"

# A tenth of a second: the start and end of perf's second process, half a
# millisecond, are in it.
times=2 metric=gross loops=20000 runs=20 perf_words="sched pipe"
words="cpu.switch between=processes through=pipe parties=2"
compare "a pipe's round trip, twice the gross time of a switch" 10
