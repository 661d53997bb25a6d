#!/usr/bin/env bash
# Builds the page: tables, the engine as WebAssembly, the npm packages, web/dist. A result that is newer than all its sources is
# kept.
set -euo pipefail
cd "$(dirname "$0")/.."
[ ! -e .tarball-version ] || exit 0 # a source tarball has the page in it

# Whether a file is missing, or older than one of the files and folders named after it.
stale() {
    local made=$1
    shift
    [ ! -e "$made" ] || [ -n "$(find "$@" -type f -newer "$made" -print -quit)" ]
}

if ! node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)'; then
    echo "The page needs Node 18 or newer; this is $(node --version)." >&2
    exit 1
fi
scripts/tables.sh
if stale web/build/study.wasm engine apps/wasm scripts/wasm.sh; then
    echo "Building the engine for the browser …"
    scripts/wasm.sh
fi
cd web
if stale node_modules/.package-lock.json package.json package-lock.json; then
    echo "Fetching what the page is built with …"
    npm ci --no-audit --no-fund --loglevel=error
fi
made_of=(build src package-lock.json index.html ./*.ts ./*.js ./*.css ../docs ../examples ../CHANGELOG.md
    ../CONTRIBUTING.md ../SECURITY.md ../books ../tables)
[ ! -d public ] || made_of+=(public)
if stale dist/index.html "${made_of[@]}"; then
    echo "Building the page …"
    npx --no-install vite build --logLevel warn
fi
