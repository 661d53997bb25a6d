#!/usr/bin/env bash
# Fuzzes for a number of seconds a target, as many targets at a time as there are processors. Every tests/fuzz_NAME.c is
# a target; it begins with the inputs kept in tests/corpus/NAME/ and the words in tests/corpus/NAME.dict, where they
# exist. New inputs that reach new code are left in build-fuzz/corpus/NAME; a crash is left in build-fuzz and fails
# the run.
#   scripts/fuzz.sh [SECONDS [NAME…]]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true

fuzz() {
    local seconds=$1 name=$2
    local found=build-fuzz/corpus/$name log=build-fuzz/$name.log
    local words=()
    mkdir -p "$found"
    local begin=("$found")
    [ ! -d "tests/corpus/$name" ] || begin+=("tests/corpus/$name")
    [ ! -f "tests/corpus/$name.dict" ] || words=(-dict="tests/corpus/$name.dict")
    if "build-fuzz/fuzz-$name" -max_total_time="$seconds" -entropic=1 -entropic_scale_per_exec_time=1 -timeout=20 \
        -rss_limit_mb=4096 -max_len=8192 "${words[@]}" -artifact_prefix="build-fuzz/$name-" \
        -print_final_stats=1 "${begin[@]}" >"$log" 2>&1; then
        echo "ok    $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    else
        echo "FAIL  $name"
        tail -n 40 "$log"
        return 1
    fi
}
export -f fuzz

[ $# -gt 0 ] || set -- $(cd tests && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} bash -c 'fuzz "$0" "$1"' "$seconds" {}
