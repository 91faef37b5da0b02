#!/bin/sh
# arrows.sh TOP BUILD: an include against an arrow does not compile.
set -eu
top=$1
build=$2
cd "$top"
status=0
wrong() {
	echo "wrong: $*" >&2
	status=1
}

# The include folders of a layer, from the build.
includes_of() {
	grep -F "\"command\"" "$build/compile_commands.json" |
		grep -- "-c $top/$1/[^/]*\"" | head -1 |
		grep -o -- '-I[^ ]*' | sed 's/^-I//' | grep "^$top/"
}

# May code in `folder`, which sees the folders that follow, include the header?
check_layer() {
	folder=$1
	shift
	includes=$(includes_of "$folder") || true
	if [ -z "$includes" ]; then
		wrong "$folder is not in compile_commands.json"
		return
	fi
	layers="$layers $folder"
	for other in src/base $stats $probe $packet $log $kit \
		$measure $session $report src/net src/capture $lab $ui \
		probes; do
		case " $* " in *" $other "*) sees=1 ;; *) sees=0 ;; esac
		for header in "$other"/*.h; do
			[ -f "$header" ] || continue
			header=${header##*/}
			found=0
			for path in $includes; do
				[ -f "$path/$header" ] && found=1
			done
			[ $found = $sees ] ||
				wrong "$folder and $header: found $found, expected $sees"
			checked=$((checked + 1))
		done
	done
}

checked=0
layers=
kit="src/kit/base src/kit/memory src/kit/link src/kit/net src/kit/file
	src/kit/fault src/kit/capture src/kit/transfer src/kit/uring
	src/kit/durable src/kit/noise"
session="src/session/json src/session/machine src/session/doctor
	src/session/connections src/session/file src/session/history
	src/session/fleet src/session/index src/session/export"
ui="ui/term ui/widget ui/model ui/lab ui/sweep ui/net ui/compare ui/machine
	ui/shell"
stats="src/stats/sample src/stats/curve src/stats/groups"
probe="src/probe/contract src/probe/figures"
measure="src/measure/params src/measure/clock src/measure/run"
lab="src/lab/core src/lab/language src/lab/annotate src/lab/activity
	src/lab/many src/lab/verbs src/lab/front"
report="src/report/shape src/report/layout src/report/text src/report/brief
	src/report/plot src/report/page"
connection="src/net/decode src/net/connection"
packet="$connection src/net/packet"
log=src/net/packet_log
below_probe="src/base $stats $probe"
check_layer src/base src/base
check_layer src/stats/sample src/base src/stats/sample
check_layer src/stats/curve src/base src/stats/sample src/stats/curve
check_layer src/stats/groups src/base src/stats/sample src/stats/groups
# shellcheck disable=SC2086
{
	check_layer src/probe/contract src/base $stats src/probe/contract
	check_layer src/probe/figures $below_probe
	below_kit="$below_probe src/kit/base"
	check_layer src/kit/base $below_kit
	check_layer src/kit/memory $below_kit src/kit/memory
	check_layer src/kit/noise $below_kit src/kit/noise
	check_layer src/kit/link $below_kit src/kit/link
	below_kit="$below_kit src/kit/link src/kit/net"
	check_layer src/kit/net $below_kit
	check_layer src/kit/file $below_kit src/kit/file
	check_layer src/kit/uring $below_kit src/kit/file src/kit/uring
	check_layer src/kit/durable $below_kit src/kit/file src/kit/durable
	check_layer src/kit/fault $below_kit src/kit/memory src/kit/file \
		src/kit/fault
	check_layer src/net/decode src/base src/net/decode
	check_layer src/net/connection src/base $connection
	check_layer src/net/packet src/base $packet
	check_layer $log src/base $packet $log
	check_layer src/kit/capture $below_kit $packet src/kit/capture
	check_layer src/kit/transfer $below_kit $packet \
		src/kit/capture src/kit/transfer
	check_layer src/measure/params $below_probe src/measure/params
	check_layer src/measure/clock $below_probe src/measure/params \
		src/measure/clock
	check_layer src/measure/run $below_probe $measure
	json=src/session/json
	machine=src/session/machine
	doctor=src/session/doctor
	connections=src/session/connections
	below_file="$below_probe $packet $json $machine $doctor
		$connections src/session/file"
	check_layer $json $below_probe $json
	check_layer $machine $below_probe $machine
	check_layer $doctor $below_probe $machine $doctor
	check_layer $connections $below_probe $packet $json $connections
	check_layer src/session/file $below_file
	check_layer src/session/history $below_file src/session/history
	below_fleet="$below_file src/session/history src/session/fleet"
	check_layer src/session/fleet $below_fleet
	check_layer src/session/index $below_file src/session/history \
		src/session/index
	check_layer src/session/export $below_fleet \
		src/session/index src/session/export
	below_report="$below_probe $packet $session src/report/shape"
	check_layer src/report/shape $below_report
	below_report="$below_report src/report/layout"
	check_layer src/report/layout $below_report
	below_text="$below_report src/report/text"
	check_layer src/report/text $below_text
	check_layer src/report/brief $below_text src/report/brief
	check_layer src/report/plot $below_text src/report/brief src/report/plot
	check_layer src/report/page $below_probe $packet $session $report
	check_layer src/net $below_probe $packet $kit src/net
	below_lab="$below_probe $packet $log $kit $measure
		$session $report src/net"
	core=src/lab/core
	language=src/lab/language
	annotate=src/lab/annotate
	activity=src/lab/activity
	check_layer $core $below_lab $core
	check_layer $language $below_lab $core $language
	check_layer $annotate $below_report $annotate
	check_layer $activity $below_lab $core $annotate $activity
	many=src/lab/many
	check_layer $many $below_lab $core $language $many
	check_layer src/lab/verbs $below_lab $core $language $annotate \
		$activity $many src/lab/verbs
	check_layer src/lab/front $below_lab $lab
	below_ui="$below_lab $lab ui/term"
	check_layer ui/term $below_ui
	check_layer ui/widget $below_ui ui/widget
	below_ui="$below_ui ui/widget ui/model"
	check_layer ui/model $below_ui
	check_layer ui/lab $below_ui ui/lab
	check_layer ui/sweep $below_ui ui/lab ui/sweep
	for room in net compare machine; do
		check_layer ui/$room $below_ui ui/$room
	done
	check_layer ui/shell $below_lab $lab $ui
	check_layer probes/cpu $below_probe $packet $kit probes
	check_layer src/capture src/capture src/kit/capture
}
# All probes have the flags of those of the processor; src has main.c alone.
# shellcheck disable=SC2013 # names without spaces
for folder in $(sed -n "s|.* -c $top/\([^\"]*\)/[^/\"]*\".*|\1|p" \
	"$build/compile_commands.json" | sort -u |
	grep -xE '(src|ui)/.*'); do
	case " $layers " in
	*" $folder "*) ;;
	*) wrong "no rule for $folder" ;;
	esac
done
echo "$checked pairs of layer and header"

# The compiler must agree, given the layer's include folders.
compiles() {
	flags=$(includes_of "$1" | sed 's/^/-I/')
	# shellcheck disable=SC2086
	printf '#include "%s"\n' "$2" |
		cc -std=gnu17 -D_GNU_SOURCE $flags -fsyntax-only -x c - 2>/dev/null
}
compiles src/stats/curve quantile.h || wrong "src/stats/curve does not see its own"
compiles src/lab/core lab.h || wrong "src/lab/core does not see its own"
compiles src/stats/sample lab.h && wrong "src/stats/sample sees lab.h"
compiles src/lab/front screen.h && wrong "src/lab/front sees screen.h"
compiles src/measure/run session.h && wrong "src/measure sees session.h"
compiles probes/cpu tape.h && wrong "probes sees tape.h"

# No include by a path, and ncurses only in its module.
if grep -rnE '#include "[^"]*/' src ui probes --include='*.[ch]'; then
	wrong "an include names a folder"
fi
if grep -rlE '#include <(n?curses|term)\.h>' src ui probes --include='*.[ch]' |
	grep -vxE 'ui/term/terminal(_events)?\.c'; then
	wrong "only ui/term/terminal.c and its events may include ncurses"
fi
if grep -rlE '#include <pcap' src ui probes --include='*.[ch]' |
	grep -vx 'src/capture/main.c'; then
	wrong "only src/capture/main.c may include libpcap"
fi
exit $status
