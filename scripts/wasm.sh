#!/usr/bin/env bash
# Builds the engine as WebAssembly for the page: web/build/nonet.wasm.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p web/build
clang --target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -std=gnu17 -O3 -flto -msimd128 \
    -Wall -Wextra -mexec-model=reactor -Iengine -Iapps -o web/build/nonet.wasm \
    apps/wasm/page.c apps/common/bench.c apps/common/describe.c apps/common/draw_svg.c engine/*/*.c \
    -Wl,--no-entry -Wl,--strip-all -lm -Wl,-z,stack-size=1048576
