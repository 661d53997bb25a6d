#!/usr/bin/env bash
# Builds the tables that the page takes along (tables/list.txt) in web/build/tables, with the command at build/nonet. A
# table that is there is kept as long as this program can read it.
set -euo pipefail
cd "$(dirname "$0")/.."
nonet=build/nonet
folder=web/build/tables
mkdir -p "$folder"

while read -r near name; do
    [ "$near" = near ] || continue
    file=${name//[:,]/-}
    file=${file//=/_}.nonet-table
    [ ! -e "tables/$file" ] || continue # it ships with the program
    options=()
    [ "$name" = "${name%%:*}" ] || for option in $(tr , ' ' <<<"${name#*:}"); do
        options+=(-o "$option")
    done
    if [ ! -e "$folder/$file" ] || { [ -x "$nonet" ] && ! NONET_TABLES=$folder "$nonet" probe "${name%%:*}" "${options[@]}" &>/dev/null; }; then
        [ -e build/build.ninja ] || meson setup build -Dcpu=auto
        [ -x "$nonet" ] || ninja -C build nonet
        echo "Solving $name …"
        "$nonet" solve "${name%%:*}" "${options[@]}" --output "$folder/$file" >/dev/null
    fi
done <tables/list.txt
