#!/usr/bin/env python3
"""The manual page and the words for shells: nothing that the command offers is missing. Usage: packaging.py NONET FOLDER

FOLDER: where the build left them. Closes with "N passed, N failed".
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from checking import check, close

NONET, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])


def ask(*words):
    return subprocess.run([NONET, *words], capture_output=True, text=True, check=True).stdout


def complete(*words):
    """What bash offers for the last of the words."""
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _nonet; printf "%s\\n" "${COMPREPLY[@]}"'
    got = subprocess.run(["bash", "-c", script, "bash", FOLDER / "nonet", "nonet", *words], capture_output=True, text=True)
    check(f"bash: {words}", got.returncode == 0 and got.stderr == "", got.stderr)
    return set(got.stdout.split())


manual = (FOLDER / "nonet.1").read_text().replace("\\-", "-")
zsh, fish = ((FOLDER / name).read_text() for name in ("_nonet", "nonet.fish"))
commands = set(re.findall(r"^  ([a-z]+) ", ask("--help"), re.MULTILINE))
games = json.loads(ask("games", "--json"))
check("there are commands", {"play", "serve", "probe"} < commands, commands)
check("bash knows the commands", complete("") == commands | {"help", "--help", "--version"}, complete(""))
check("and those that help explains", complete("help", "") == commands and complete("help", "play", "") == set(), complete("help", ""))
check("bash completes a command", complete("pos") == {"position"})
for name in sorted(commands):
    said = ask(name, "--help")
    section = manual.partition(f".SS nonet {name}\n")[2].partition("\n.S")[0]
    flags = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", said))
    check(f"{name}: the manual has its flags", all(f"{flag}" in section for flag in flags), flags)
    offered = complete(name, "--")
    usage = said.split("\n\n")[1]
    own = {flag for flag in flags if re.search(rf"{flag}\b", usage) or re.search(rf"^  {flag}\b", said, re.MULTILINE)}
    check(f"{name}: bash has its flags", own <= offered, own - offered)
    check(f"{name}: bash has no others", offered - {"--help"} <= flags, offered)
    told = re.findall(r"^\.TP\n\.B (--.*)\n(.*)", section, re.MULTILINE)
    check(f"{name}: the manual tells flags from what they mean", all(len(flag.split()) <= 3 and len(meaning) > 3 for flag, meaning in told), told)
    check(f"{name}: zsh and fish know it", f"'{name}:" in zsh and fish.count(f"-a {name} -d") == 2)
check("zsh and fish know help", "'help:" in zsh and "-a help -d" in fish)
for game in games:
    check(f"{game['id']} is in the manual", f".B {game['id']}\n" in manual and game["summary"] in manual)
    keys = {f"{option['key']}=" for option in game["options"]}
    check(f"{game['id']}: its options", complete("play", game["id"], "-o", "") == keys, keys)
    for option in game["options"]:
        if option["kind"] == "choice":
            check(f"{game['id']}: values of {option['key']}", complete("play", game["id"], "-o", option["key"], "=", "") == set(option["values"].split("|")))
maker = pathlib.Path(__file__).resolve().parent.parent / "packaging/manual.py"
version = ask("--version").split()[1]
abroad = subprocess.run([sys.executable, maker, "nonet", NONET, version], capture_output=True, text=True, encoding="utf-8", env=os.environ | {"LC_ALL": "fr_FR.UTF-8"})
check("the manual is the same in a French environment", abroad.stdout == (FOLDER / "nonet.1").read_text(encoding="utf-8"), abroad.stderr)
check("values of a short range", complete("play", "kolem", "-o", "pieces", "=", "") == {str(number) for number in range(3, 11)})
check("a range in the manual", ".B kolem pieces=9 (3 to 10)\n" in manual and ".B ksar frame=10x10 (3x3 to 16x16)\n" in manual)
check("games after a command that takes one", complete("probe", "") == {game["id"] for game in games})
check("levels", "10" in complete("think", "trix", "--level", "1"))
for words in (["bash", "-n", FOLDER / "nonet"], ["zsh", "-n", FOLDER / "_nonet"], ["fish", "-n", FOLDER / "nonet.fish"], ["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z", FOLDER / "nonet.1"]):
    if shutil.which(words[0]):
        got = subprocess.run(words, capture_output=True, text=True)
        check(f"{words[0]} takes it", got.returncode == 0 and got.stderr == "", got.stderr)
close()
