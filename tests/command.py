#!/usr/bin/env python3
"""The command's promises: what it prints, and how it refuses. Usage: command.py NONET

An error is one line on stderr that begins "nonet: ", nothing on stdout, exit code 2 for bad usage and 1 for everything
else. Closes with "N passed, N failed".
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from checking import check, check_refused, close

NONET = sys.argv[1]
BOARD_LINE = re.compile(r"^ *\d* *[│|].*[│|]$")


def run(*words, **more):
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, **more)


def refused(code, part, *words):
    got = run(*words)
    check_refused(" ".join(words)[:80], got, code, part)


# Bad usage: 2.
refused(2, "name a command")
refused(2, 'no command "fly"', "fly")
refused(2, 'no game "chess"', "position", "chess")
refused(2, "the games are ksar, masker", "perft", "chess", "3")
refused(2, "name a game", "position")
refused(2, 'has no option "size"', "position", "ksar", "-o", "size=3x3")
refused(2, "from 3x3 to 16x16", "position", "ksar", "-o", "frame=2x9")
refused(2, "from 3x3 to 16x16", "position", "ksar", "-o", "frame=17x9")
refused(2, "from 3x3 to 16x16", "position", "ksar", "-o", "frame=10")
refused(2, "it is one of 8|4", "position", "kolem", "-o", "steps=6")
for pieces in ("2", "11", "09", "-3", "9x9", ""):
    refused(2, "a whole number from 3 to 10", "position", "kolem", "-o", f"pieces={pieces}")
refused(1, "each from 0 to 3", "position", "kolem", "-o", "pieces=3", "--from", "...../...../...../...../..... 9 9 1")
refused(2, "it has swap", "position", "kudosu", "-o", "woods=3")
refused(2, "swap=yes is for two players; with players=3 it is swap=no", "position", "chasm", "-o", "players=3", "-o", "swap=yes")
refused(2, 'no option "swap"', "position", "masker", "-o", "swap=yes")
refused(1, "build it with swap=no", "solve", "kolem", "-o", "swap=yes")
refused(2, "play with swap=no", "selfplay", "ksar", "-o", "swap=yes", "--output", "games")
refused(2, "write it as key=value", "position", "kolem", "-o", "steps")
refused(2, "-o needs key=value", "position", "kolem", "-o")
refused(2, "36 letters, not 3", "position", "masker", "-o", "deal=RGB")
refused(2, "it looks like 36 letters", "position", "masker", "-o", "deal=" + "R" * 100)
refused(2, "both be violet", "position", "masker", "-o", "colours=VV")
refused(2, "whole number from 0", "position", "masker", "-o", "seed=x")
refused(2, "nothing left to deal", "position", "masker", "-o", "seed=1", "--from", "x")
refused(2, "a player from 1 to 2", "position", "masker", "--as", "3")
refused(2, "a player from 1 to 2", "position", "masker", "--as", "0")
refused(2, "a player from 1 to 2", "position", "masker", "--as", "9")
refused(2, "needs a value", "position", "masker", "--as")
refused(2, 'no flag "--wrong"', "position", "masker", "--wrong")
refused(2, "takes no value", "games", "--json=yes")
refused(2, "no argument", "games", "ksar")
refused(2, "a depth from 1", "perft", "trix")
refused(2, "a depth from 1", "perft", "trix", "0")
refused(2, 'no flag "-5x"', "perft", "trix", "-5x")
refused(2, "a depth from 1", "perft", "trix", "3", "4")
refused(2, "a depth from 1", "perft", "trix", "99999999999999999999")
refused(2, "--games", "bench", "--games", "0")
refused(2, "en", "rules", "ksar", "--lang", "xx")
refused(2, 'no game "go"', "rules", "go")
refused(2, 'no game "go"', "draw", "go")
refused(2, 'no game "go"', "play", "go")
refused(2, "", "replay")
refused(2, "name the records", "openings")
refused(2, "needs one file", "verify")
refused(2, "needs one file", "verify", "a", "b")
refused(2, "from 1 to 64", "verify", "a", "--threads", "0")
refused(2, "or 500M, 2G", "verify", "a", "--memory", "2T")
# No number is taken that makes no sense, whichever flag it is for.
NUMBERS = {
    "position masker": ["--as"], "draw masker": ["--as"], "perft trix": [""], "bench trix": ["--games", "--nodes"],
    "verify table": ["--threads", "--memory"], "solve template": ["--threads", "--memory", "--material", "--checkpoint"],
    "probe trix": ["--time"], "think trix": ["--level", "--nodes", "--time", "--seed", "--threads", "--memory"],
    "analyse record": ["--nodes", "--time", "--seed", "--memory"], "puzzles template": ["--count", "--seed"],
    "match trix random random": ["--games", "--nodes", "--time", "--opening", "--max-plies", "--timeout", "--seed", "--jobs", "--sprt"],
    "match trix random": ["level:", "level:3,nodes=", "level:3,time="], "play trix": ["--level", "--seed", "--seats"],
    "book ksar --output b": ["--positions", "--nodes", "--seed", "--threads"], "selfplay ksar --output g": ["--games", "--nodes", "--seed"],
    "export table": ["--sample", "--seed"], "think --batch": ["--parallel"],
    "trial trix": ["--games", "--level", "--seed", "--jobs"], "serve": ["--port"]}
for words, flags in NUMBERS.items():
    for flag in flags:
        for value in ("", "x", "-1", "+1", " 1", "1 ", "0x10", "1e3", "1;2", "nan", "inf", "9" * 30, "18446744073709551616"):
            given = [flag, value] if flag == "--sprt" else [f"{flag}={value}"] if flag.startswith("--") else [flag + value]
            refused(2, "", *words.split(), *given)
# Everything else: 1.
refused(1, "/proc/nowhere: No such file", "verify", "/proc/nowhere")
refused(1, "it is a directory", "verify", "/")
refused(1, "not a regular file", "verify", "/dev/null")
refused(1, "not a table of exact values", "verify", NONET)
refused(1, "move 2, a1, is not legal: a1 is occupied", "position", "quadrangle", "a1", "a1")
refused(1, "a1 to d4", "position", "quadrangle", "z9")
refused(1, "same height", "position", "ksar", "2x3@i1", "3x1@f1", "1x2@h2", "3x1@c1")
refused(1, "game is over", "position", "quadrangle", "a1", "d4", "b1", "d3", "a2", "c4", "b2", "c1")
refused(1, "this is no position", "position", "trix", "--from", "nonsense")
refused(1, "this is no position", "perft", "trix", "--from", "", "2")
refused(1, "this is no position", "draw", "chasm", "--from", "....")
refused(1, "is not legal", "perft", "trix", "--moves", "a1a1", "2")
refused(1, "is not legal", "draw", "trix", "a1a1")
refused(1, "", "replay", "/nonexistent/record.json")
refused(1, "", "replay", "/")
# No bytes can harm a terminal.
got = run("position", "\x1b[31mgame")
check("control characters are not echoed", "\x1b" not in got.stderr, got.stderr)
long = run("position", "quadrangle", "a" * 100000)
check("a huge move", long.returncode == 1 and len(long.stderr) < 1000, long.stderr[:100])

# The disk is full: a line, and 1. A pipe that nobody reads any more: no word, and the signal that ends cat too.
with open("/dev/full", "w") as full:
    got = subprocess.run([NONET, "games"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
check("/dev/full", got.returncode == 1 and got.stderr.startswith("nonet: cannot write") and got.stderr.count("\n") == 1, got.stderr)
reader, writer = os.pipe()
os.close(reader)
got = subprocess.run([NONET, "games"], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
os.close(writer)
for words in (["rules", "ksar"], ["draw", "trix"], ["help"], ["help", "play"], ["perft", "trix", "3"]):
    reader, writer = os.pipe()
    os.close(reader)
    piped = subprocess.run([NONET, *words], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    check(f"{words} into a closed pipe", piped.returncode == -signal.SIGPIPE and piped.stderr == "", f"{piped.returncode} {piped.stderr}")
check("a closed pipe", got.returncode == -signal.SIGPIPE and got.stderr == "", f"{got.returncode} {got.stderr}")

# Upper and lower case, as far as there is only one meaning.
def same(words, plain):
    check(f"{words} is {plain}", run(*words.split()).stdout == run(*plain.split()).stdout != "", run(*words.split()).stderr)

same("draw Mix3", "draw mix3")
same("draw mix 3 A1", "draw mix3 a1")
same("rules MIX 3", "rules mix3")
check("a name in quotes", run("draw", "Mix 3").stdout == run("draw", "mix3").stdout)
same("draw KSAR 2X3@A1", "draw ksar 2x3@a1")
same("draw Fullend FLAT@100,100,0", "draw fullend flat@100,100,0")
same("rules trix --lang FR", "rules trix --lang fr")
same("--lang FR rules trix", "rules trix --lang fr")
same("--lang de games", "games --lang de")
check("errors too", "il n’y a pas de jeu" in run("--lang", "fr", "position", "chess", env={**os.environ, "LC_ALL": "C.UTF-8"}).stderr)
french = {**os.environ, "LC_ALL": "fr_FR.UTF-8"}
check("a colon as in French", "n’est pas permis\u00a0: " in run("position", "trix", "zz", env=french).stderr)
check("also in a drawing", "joueur 1\u00a0: 2×M" in run("draw", "kudosu", env=french).stdout)
refused(2, "the languages are en, fr", "--lang", "xx", "games")
refused(2, "--lang needs a value", "rules", "trix", "--lang")
same("rules --lang=FR trix", "rules trix --lang fr")
same("help --lang fr", "--lang fr --help")
same("help --lang fr play", "play --help --lang fr")
said = {"fr": "introuvable", "de": "nicht gefunden", "nl": "niet gevonden", "it": "inesistente"}
every_command = re.findall(r"^  (\w+) ", run("help").stdout, re.M)
for language, words in said.items():
    for command in every_command:
        ours, theirs = (run(command, "--help", "--lang", spoken).stdout.split("\n\n", 2) for spoken in (language, "en"))
        check(f"{command} --help in {language}", all(part not in theirs for part in ours) and ours[2].endswith("\n"), ours)
    spoken = {**os.environ, "LC_ALL": "C.UTF-8"}
    check(f"a missing file in {language}", words in run("replay", "no-such-file", "--lang", language, env=spoken).stderr)
    check(f"an unknown flag in {language}", run("games", "--no-such-flag", "--lang", language, env=spoken).stderr not in ("", run("games", "--no-such-flag").stderr))
    check(f"an error of a command for researchers in {language}", run("match", "trix", "--lang", language, env=spoken).stderr not in ("", run("match", "trix").stderr))
# A language of which the system has no locale is written in UTF-8 where that is asked for, and in ASCII elsewhere.
unknown = {key: word for key, word in os.environ.items() if key != "LC_CTYPE"} | {"LC_ALL": "", "LC_MESSAGES": ""}
check("UTF-8 without a locale", "più" in run("games", env={**unknown, "LANG": "it_XX.utf8"}).stdout)
check("ASCII without a locale", run("games", env={**unknown, "LANG": "it_XX"}).stdout.isascii())
told = run("games").stdout
check("games tells ranges", "-o pieces=9" in told and "(3 to 10)" in told and "(3x3 to 16x16)" in told, told)
refused(1, "touch nothing at its south or north", "position", "ksar", "2X3@A5")
refused(2, "the languages are en, fr", "rules", "trix", "--lang", "X" * 100)
same("help play", "play --help")
same("--help play", "play --help")
refused(2, 'no command "chess"', "help", "chess")

# What no search can prove is refused before anybody waits for it.
begun = time.time()
refused(1, "cannot be proven", "puzzles", "ksar")
check("puzzles ksar is refused soon", time.time() - begun < 30, time.time() - begun)

# A floor has its numbers in the unit of the moves: a piece at 320,320 would be in the far corner.
drawn = run("draw", "fullend", "flat@284,284,0").stdout.splitlines()
check("the numbers along a floor", next(line.split() for line in drawn if line.split()[:2] == ["0", "80"]) == ["0", "80", "160", "240", "320"], drawn)

# The output that was asked for.
check("--version", run("--version").stdout.startswith("nonet 0."), run("--version").stdout)
check("all commands are listed", {"games", "rules", "play", "position", "perft", "draw", "replay", "bench", "verify"} <= set(every_command), every_command)
for command in every_command:
    check(f"help {command}", run("help", command).stdout == run(command, "--help").stdout)
    got = run(command, "--help")
    check(f"{command} --help", got.returncode == 0 and got.stdout.startswith(f"nonet {command}:") and "Usage:" in got.stdout, got.stdout[:100])
    check(f"{command} is listed", f"  {command} " in run("--help").stdout)
games = json.loads(run("games", "--json").stdout)
root = pathlib.Path(__file__).resolve().parent.parent
RULES = root / "docs/rules"
shelf = (root / "engine/games/games.def").read_text(encoding="utf-8")
check("the games of the shelf", [g["id"] for g in games] == re.findall(r"^GAME\((\w+)\)", shelf, re.M), games)
for game in games:
    got = run("position", game["id"])
    answer = json.loads(got.stdout)
    check(f"{game['id']}: fields", list(answer) == ["game", "options", "text", "ply", "to_move", "over", "winners", "points", "legal_count", "legal"], list(answer))
    check(f"{game['id']}: start", answer["to_move"] == 1 and answer["ply"] == 0 and answer["over"] is False and answer["winners"] == [] and answer["points"] is None)
    check(f"{game['id']}: options are strings", all(isinstance(v, str) for v in answer["options"].values()))
    for option in game["options"]:
        if option["key"] in ("swap", "pieces", "lattice"):  # what is usual there goes without saying
            check(f"{game['id']}: {option['key']} is not stated", option["key"] not in answer["options"], answer["options"])
        elif option["default"] is not None:
            check(f"{game['id']}: {option['key']} is stated", answer["options"].get(option["key"]) == option["default"], answer["options"])
    if answer["legal"] is not None:
        check(f"{game['id']}: legal moves are sorted", answer["legal"] == sorted(answer["legal"]) and len(answer["legal"]) == answer["legal_count"])
    again = json.loads(run("position", game["id"], *[w for k, v in answer["options"].items() if k not in ("deal", "colours") for w in ("-o", f"{k}={v}")], "--from", answer["text"]).stdout)
    check(f"{game['id']}: --from its own text", again["legal_count"] == answer["legal_count"] and again["text"] == answer["text"])
    english = run("rules", game["id"]).stdout
    check(f"{game['id']}: rules", len(english) > 400 and run("rules", game["id"], "--lang", "en").stdout == english)
    for page in (RULES / f"{game['id']}.md", *RULES.glob(f"??/{game['id']}.md")):
        rules = page.read_text(encoding="utf-8")
        missing = [option["key"] for option in game["options"] if not re.search(rf"`{option['key']}[=`]", rules)]
        check(f"{page.relative_to(RULES)} explains all options", missing == [], missing)
    # The same diagrams in every language, with other text around them; English where there is no translation yet.
    boards = [line for line in english.splitlines() if BOARD_LINE.search(line)]
    for language in ("fr", "de", "nl", "it"):
        page = run("rules", game["id"], "--lang", language)
        translated = (RULES / language / f"{game['id']}.md").exists()
        check(f"{game['id']}: rules in {language}", page.returncode == 0 and (page.stdout != english) == translated and len(page.stdout) > 400)
        ascii = run("rules", game["id"], "--lang", language, env={**os.environ, "LC_ALL": "C"}).stdout
        check(f"{game['id']}: rules in {language} for a terminal with ASCII", ascii.isascii() and ascii.count("?") == page.stdout.count("?"))
        drawn = [line for line in page.stdout.splitlines() if BOARD_LINE.search(line)]
        check(f"{game['id']}: diagrams in {language}", drawn == boards, (boards[:3], drawn[:3]))
    check(f"{game['id']}: draw", run("draw", game["id"]).returncode == 0)
    check(f"{game['id']}: draw --svg", run("draw", game["id"], "--svg").stdout.startswith("<svg"))

empty = json.loads(run("position", "fullend").stdout)
check("Fullend is counted, not listed", empty["legal"] is None and empty["legal_count"] == 4703970 + 12043844)
check("perft", run("perft", "quadrangle", "3").stdout == "1 16\n2 240\n3 3360\n")
check("perft --moves", run("perft", "kudosu", "--moves", "Ma1 Wd4", "1").stdout.startswith("1 "))

# Masker: what one player may know.
for players, variant, seed in [(p, v, s) for p in (2, 3, 4) for v in ("flat", "3d") for s in range(3)]:
    options = ["-o", f"players={players}", "-o", f"variant={variant}", "-o", f"seed={seed}"]
    whole = json.loads(run("position", "masker", *options).stdout)
    discs = whole["text"].split(" ")[2]
    for seat in range(1, players + 1):
        seen = json.loads(run("position", "masker", *options, "--as", str(seat)).stdout)
        own = discs[(seat - 1) % len(discs)]
        hidden = "".join(d if i == (seat - 1) % len(discs) else "?" for i, d in enumerate(discs))
        check(f"masker --as {seat}: disc", seen["disc"] == own, seen)
        check(f"masker --as {seat}: no seed, no foreign disc", set(seen["options"]) == {"players", "variant", "deal"} and seen["text"].split(" ")[2] == hidden, seen)
        check(f"masker --as {seat}: same moves", seen["legal"] == whole["legal"])
one, two = (json.loads(run("position", "masker").stdout) for _ in range(2))
check("without a seed every deal is another", one["options"]["deal"] != two["options"]["deal"])
check("and can be dealt again", json.loads(run("position", "masker", "-o", f"deal={one['options']['deal']}", "-o", f"colours={one['options']['colours']}").stdout)["text"] == one["text"])

# The signature of a short bench is the same every time.
check("bench repeats itself", run("bench", "chasm", "--games", "50").stdout.splitlines()[-1] == run("bench", "chasm", "--games", "50").stdout.splitlines()[-1])

close()
