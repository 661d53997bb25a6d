#!/usr/bin/env bash
# Fuzzes all games for a number of seconds, beginning with the kept corpus. New inputs that reach new code are left
# in build-fuzz/corpus; a crash is left there too and fails the run.
#   scripts/fuzz.sh [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build-fuzz/corpus
build-fuzz/fuzz -max_total_time="${1:-60}" -entropic=1 -entropic_scale_per_exec_time=1 -timeout=20 \
    -rss_limit_mb=4096 -max_len=8192 -dict=tests/corpus.dict -artifact_prefix=build-fuzz/ \
    -print_final_stats=1 build-fuzz/corpus tests/corpus
