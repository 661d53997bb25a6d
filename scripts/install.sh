#!/usr/bin/env bash
# Installs those of the named Debian packages that are missing. If none is missing, it ends at once. "node:nodejs" means
# the package nodejs, which is not needed if there is a command node from anywhere.
set -euo pipefail
missing=()
for wanted in "$@"; do
    package=${wanted#*:}
    if [ "$package" != "$wanted" ] && command -v "${wanted%%:*}" >/dev/null; then
        continue
    fi
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null; then
    echo "This machine has no apt-get. Install the equivalents of: ${missing[*]}" >&2
    exit 1
fi
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
echo "Installing ${missing[*]}; this may take some minutes …"
export DEBIAN_FRONTEND=noninteractive
# nginx is only for a test: it must not begin to serve this machine.
unit=/etc/systemd/system/nginx.service
if [[ " ${missing[*]} " == *" nginx "* ]] && [ -d /run/systemd/system ] && [ ! -e $unit ]; then
    "${as_root[@]}" ln -s /dev/null $unit
    trap '"${as_root[@]}" rm -f $unit' EXIT
fi
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
