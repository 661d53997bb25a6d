#!/usr/bin/env bash
# The same rules, searches and tables on other processors: builds the command for each of them, runs it with qemu, and
# compares with build/nonet. `scripts/portability.sh s390x` does one of them, `scripts/portability.sh windows` does Windows
# with Wine; PORTABILITY_GAMES=2 makes it shorter.
set -euo pipefail
cd "$(dirname "$0")/.."
games=${PORTABILITY_GAMES:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a machine says, in files of one folder; the command and what runs it come after the folder.
ask() {
    local into=$1
    shift
    mkdir "$into"
    "$@" bench --games "$games" | sed -n '/^signature/p' >"$into/signature"
    "$@" perft kolem 3 >"$into/perft"
    "$@" perft ksar 2 >>"$into/perft"
    "$@" position fullend flat@36,36,0 >"$into/position"
    "$@" position masker -o seed=7 >>"$into/position"
    {
        "$@" think ksar --nodes 2000 --seed 1
        "$@" think masker -o seed=7 --nodes 2000 --seed 1
        "$@" think chasm -o players=3 --nodes 2000 --seed 1
        NONET_BOOKS=books "$@" think ksar --book
    } | sed -E 's/"(seconds|nodes_per_second)":[0-9.]+//g' >"$into/think"
    for game in trix quadrangle "kolem -o pieces=3"; do
        NONET_TABLES=$into "$@" solve $game >/dev/null
        NONET_TABLES=$into "$@" probe $game >>"$into/probe"
    done
    "$@" solve ksar -o frame=4x5 --threads 1 --memory 200M --output "$into/proof" >/dev/null
}

ask "$work/here" build/nonet
cat "$work/here/signature"
for processor in ${*:-i386 arm64 s390x}; do
    if [ "$processor" = windows ]; then
        scripts/cross_windows.sh >/dev/null
        exe=.exe
    else
        scripts/cross.sh "$processor" >/dev/null
        exe=
    fi
    ninja -C "build-$processor" nonet$exe tests/test-{base,fixtures,fullend-exact}$exe >/dev/null
    run=$PWD/build-$processor-root/run
    "$run" "build-$processor/tests/test-base$exe"
    "$run" "build-$processor/tests/test-fullend-exact$exe"
    "$run" "build-$processor/tests/test-fixtures$exe" tests/fixtures tests/cases short
    ask "$work/$processor" "$run" "build-$processor/nonet$exe"
    diff -r "$work/here" "$work/$processor"
    echo "$processor: the same"
done
