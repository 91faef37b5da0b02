#!/bin/sh
# skips.sh TOP: tests/skips accepts a skip with an allowed reason, and no other.
set -eu
cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/Testing/Temporary/LastTest.log
mkdir -p "${log%/*}"
status=0

# log_has NAME LINE ..: adds the output of a test.
log_has() {
	printf '1/9 Testing: %s\n' "$1" >>"$log"
	shift
	printf '%s\n' "$@" '<end of output>' >>"$log"
}

# expect CODE WHAT: of the log; then begins another.
expect() {
	code=0
	tests/skips "$log" >"$folder/said" 2>&1 || code=$?
	if [ "$code" -ne "$1" ]; then
		echo "wrong: $2: $code"
		cat "$folder/said"
		status=1
	fi
	: >"$log"
	: >"$folder/tests.xml"
}

# returned_77 NAME
returned_77() {
	printf '<testcase name="%s" status="notrun">\n<skipped message="x"/>\n' \
		"$1" >>"$folder/tests.xml"
}

: >"$folder/tests.xml"
log_has test_one "passed"
expect 0 "no skip"
returned_77 test_one
log_has test_one "SKIP: one processor only"
log_has test_two "passed"
expect 0 "an allowed reason"
log_has test_one "SKIP: no wish to run"
expect 1 "another reason"
returned_77 test_two
log_has test_one "SKIP: one processor only"
log_has test_two "passed"
expect 1 "77 without a reason beside a skip with one"
log_has test_one "[  SKIPPED ] test_locale"
expect 1 "a part that is skipped without a reason"
log_has test_one "SKIP: one processor only" "[  SKIPPED ] test_pairs"
expect 0 "a part that is skipped with a reason"
returned_77 test_one
log_has test_one "wrong, at first"
log_has test_one "SKIP: not quiet in three attempts: x"
expect 0 "a reason at the second attempt"
log_has fuzz_json "found"
log_has fuzz_json "passed"
expect 1 "random input that failed once"
exit $status
