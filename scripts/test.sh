#!/usr/bin/env bash
# All tests: with gcc as released, the page in a browser, with clang's sanitizers, races between threads, a tenth game,
# some fuzzing, and the checks on the sources. Prints how long each part took and how many lines the tests reach. Closes
# with one line, "N passed, N failed".
#   scripts/test.sh quick     only the released build, some topics of the page in a browser, and the checks on the sources
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
FORMAT=14 # the clang-format version for the sources; other versions format some lines differently

heading() {
    keep_time
    part=$* since=$SECONDS
    printf '\n== %s\n' "$*"
}
part='' since=0 took=''
again='' # browser tests that passed only at the second attempt
keep_time() { [ -z "$part" ] || took+=$(printf '%5d s  %s' $((SECONDS - since)) "$part")$'\n'; }

# Runs one check; its output is shown only if it fails.
check() {
    local name=$1
    shift
    if "$@" >"$log" 2>&1; then
        echo "ok    $name"
        passed=$((passed + 1))
    else
        echo "FAIL  $name"
        tail -n 60 "$log"
        failed=$((failed + 1))
    fi
}

# Adds the counts of a program that closes with "N passed, N failed"; shows what failed.
counting() {
    "$@" >"$log" 2>&1
    local status=$?
    local counted
    counted=$(sed -nE '$s/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log")
    [ -n "$counted" ] || counted="0 1"
    passed=$((passed + ${counted% *}))
    failed=$((failed + ${counted#* }))
    echo "      ${counted% *} passed, ${counted#* } failed"
    sed -n 's/^took /     /p' "$log"
    [ $status -eq 0 ] || grep -vE '^(ok|took) ' "$log"
    again+=$(sed -n 's/^again /  /p' "$log")
}

# Runs a build's Meson tests and adds the counts of each.
suite() {
    local build=$1
    shift
    # Some tests wait more than they compute.
    meson test -C "$build" --no-rebuild --print-errorlogs --num-processes $(($(nproc) + 1)) "$@" >"$log" 2>&1
    local status=$?
    grep -E '^ *[0-9]+/[0-9]+ ' "$log"
    local counted
    counted=$(scripts/count_tests.py "$build/meson-logs/testlog.json") || counted="0 1"
    passed=$((passed + ${counted% *}))
    failed=$((failed + ${counted#* }))
    if [ $status -ne 0 ]; then
        tail -n 80 "$log"
        [ "${counted#* }" -gt 0 ] || failed=$((failed + 1))
    fi
}

# The engine in WebAssembly, under Node, plays the games and searches that the command plays.
same_in_wasm() {
    local file
    for file in nonet nonet-plain; do
        node tests/wasm.mjs "web/build/$file.wasm" build-test/nonet 20 2000 || return 1
    done
    for file in study study-plain; do
        node tests/wasm.mjs "web/build/$file.wasm" build-test/nonet 2 2000 || return 1
    done
}

# A build folder with the given compiler and options, set up once and kept. What another folder has compiled in the same
# way is not compiled again.
build() {
    local folder=$1 compiler=$2
    shift 2
    [ -f "$folder/build.ninja" ] || CC="ccache $compiler" meson setup "$folder" "$@" >/dev/null || return 1
    ninja -C "$folder"
}

# A program that ends at the first fault needs little more than half the time of one that could continue.
sanitized=(-Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-fno-sanitize-recover=all
    -Doptimization=1 -Ddebug=true -Dcpu=baseline)
racing=(-Db_sanitize=thread -Db_lundef=false -Doptimization=1 -Ddebug=true -Dcpu=baseline)

# Quietly: grep refuses to print into the file that it reads.
no_warnings() { "$@" && ! grep -q 'warning:' "$log"; }

# With another compiler and another processor's instructions, the games are the same.
same_signature() {
    diff <(build/nonet bench --games 20 | tail -n 1) <(build-asan/nonet bench --games 20 | tail -n 1)
}

# The tests in C that take no longer than a few seconds, and the searches of bench, in a build that counts which lines
# they run.
reached=(contract fixtures slow base board4 hidden record scene draw session setup allocations table selective exact
    search_hidden)
covered() {
    build build-lines gcc -Dcpu=auto -Dtests=true -Db_coverage=true -Doptimization=1 || return 1
    find build-lines -name '*.gcda' -delete
    local known
    known=$(meson introspect --tests build-lines | grep -o '"name": "[a-z_0-9]*"' | cut -d'"' -f4)
    meson test -C build-lines --no-rebuild --timeout-multiplier 4 $(comm -12 <(printf '%s\n' "${reached[@]}" | sort) <(sort <<<"$known")) &&
        build-lines/nonet bench --games 5 --nodes 2000 &&
        scripts/coverage.py build-lines >build-lines/lines.txt
}

# What of the page daily work looks at: every game played, and what breaks most easily.
daily=(games table masker errors light online)

heading "the page"
check "plain make" make
check "the page builds" scripts/page.sh
check "its types agree" npm run --silent --prefix web check

heading "the released build (gcc)"
rm -rf build-test build-asan build-fuzz build-race build-lines
check "gcc builds without a warning" no_warnings build build-test gcc -Dcpu=auto -Dtests=true -Dpage=web/dist
suite build-test

heading "the page in Chromium"
check "the engine computes the same in WebAssembly" same_in_wasm
if [ "${1:-}" = quick ]; then
    for topic in "${daily[@]}"; do
        NONET=build-test/nonet counting node web/tests/run.mjs --only "$topic: "
    done
else
    NONET=build-test/nonet counting node web/tests/run.mjs
fi

if [ "${1:-}" != quick ]; then
    heading "AddressSanitizer and UndefinedBehaviorSanitizer (clang)"
    check "clang builds without a warning" no_warnings build build-asan clang -Dtests=true -Dpage=web/dist "${sanitized[@]}"
    ASAN_OPTIONS=detect_leaks=1:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1 \
        suite build-asan --timeout-multiplier 4
    check "the bench signature is that of the released build" same_signature

    heading "ThreadSanitizer (clang)"
    check "it builds" build build-race clang -Dpage=web/dist "${racing[@]}"
    counting tests/races.py build-race/nonet build-race/nonet-serve

    heading "a tenth game"
    counting scripts/tenth_game.py

    heading "fuzzing"
    check "the fuzz targets build" build build-fuzz clang -Dfuzz=true "${sanitized[@]}"
    check "10 seconds of fuzzing a target on the kept corpus" scripts/fuzz.sh 10

    heading "lines of engine/ that the quick tests in C reach"
    check "they are counted" covered
    cat build-lines/lines.txt
fi

heading "the sources"
if clang-format --version | grep -q " version $FORMAT\."; then
    check "clang-format leaves nothing to do" clang-format --dry-run -Werror $(git ls-files '*.c' '*.h')
else
    echo "--    the format of the sources is checked with clang-format $FORMAT; this is $(clang-format --version)"
fi
check "nobody includes upward" scripts/check_layers.py
check "the library is documented" scripts/check_library.py
check "the pictures are up to date" scripts/diagrams.py --check
check "every language says everything" scripts/check_words.py
check "the documents' links lead somewhere, and their lines are wrapped" scripts/check_links.py

heading "how long it took"
printf '%s%5d s  altogether\n' "$took" "$SECONDS"
[ -z "$again" ] || printf '\nTried a second time:\n%s\n' "$again"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
