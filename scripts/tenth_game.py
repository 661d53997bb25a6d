#!/usr/bin/env python3
"""Proves that a tenth game needs four things and no more: its C file, its rules page, its cases, and a line in
games.def.

    scripts/tenth_game.py [--keep]

Copies the checkout to a scratch folder and adds Notakto from tests/tenth/ to the copy. Then builds everything there,
runs the tests with it, and solves, thinks about and plays the new game, in the terminal's command and in Chromium. The
values of Notakto are computed here once more, by trying everything. Closes with "N passed, N failed"; --keep leaves the
copy where it is.
"""
import argparse
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
GAME = "notakto"
WRITTEN = {
    f"engine/games/{GAME}.c": f"{GAME}.c",
    f"docs/rules/{GAME}.md": f"{GAME}.md",
    f"tests/cases/{GAME}.jsonl": f"{GAME}.jsonl",
}
# Tests of certain games, or of parts below the games, say nothing new about a tenth one. All tests that go through the
# shelf are run.
ELSEWHERE = {"alphabeta", "analyse", "answer", "base", "board4", "command", "elo", "examples", "export", "faults",
             "fullend", "fullend_exact", "fullend_x87", "http", "install", "judge", "library_threads", "match",
             "network", "openings", "probe", "proxy", "puzzle_lists", "puzzles", "ranked", "reading", "request",
             "scarce", "search_hidden", "selective", "serve", "solve", "spread", "store", "table", "training",
             "trial_command", "wide"}

passed = failed = 0


def check(name, good, detail=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"FAIL  {name}\n{detail}", flush=True)


def step(name, *command, **more):
    """Runs a command in the copy; what it printed, or None if it failed."""
    begun = time.monotonic()
    got = subprocess.run([str(word) for word in command], cwd=copy, text=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1800, **more)
    print(f"{'ok  ' if got.returncode == 0 else 'FAIL'}  {name} ({time.monotonic() - begun:.0f} s)", flush=True)
    check(name, got.returncode == 0, got.stdout[-6000:])
    return got.stdout if got.returncode == 0 else None


def copy_checkout(copy):
    files = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    for name in filter(None, files.split("\0")):
        if (root / name).exists():  # not one that is being removed
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name, follow_symlinks=False)
    for kept in ("web/node_modules", "web/build/tables"):  # linked, since nothing writes to them
        if (root / kept).exists():
            shutil.copytree(root / kept, copy / kept, symlinks=True, copy_function=link)


def link(source, target, *, follow_symlinks=True):
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=follow_symlinks)


def add_game(copy):
    for target, source in WRITTEN.items():
        shutil.copy(root / "tests/tenth" / source, copy / target)
    shelf = copy / "engine/games/games.def"
    shelf.write_text(shelf.read_text().replace("TEMPLATE(", f"GAME({GAME})\nTEMPLATE(", 1))


# ---- Notakto once more, by trying everything. ----

LINES = ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]
LINES = [frozenset(line.split()) for line in LINES]
CELLS = sorted(set().union(*LINES))


def over(crosses):
    return any(line <= crosses for line in LINES)


@functools.cache
def value(crosses):
    """"win" or "loss" for the player to move, and the plies to the end if the winner hurries and the loser delays."""
    if over(crosses):
        return "win", 0  # the other one completed the line
    values = [value(crosses | {cell}) for cell in CELLS if cell not in crosses]
    won = [plies for who, plies in values if who == "loss"]
    return ("win", 1 + min(won)) if won else ("loss", 1 + max(plies for _, plies in values))


def games_of(plies, crosses=frozenset()):
    if plies == 0:
        return 1
    return 0 if over(crosses) else sum(games_of(plies - 1, crosses | {cell}) for cell in CELLS if cell not in crosses)


def check_values(nonet):
    def answer(*words):
        got = subprocess.run([nonet, *words], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env=environment)
        check(" ".join(words), got.returncode == 0 and got.stderr == "", got.stderr)
        return json.loads(got.stdout) if got.returncode == 0 else None

    best = [cell for cell in CELLS if value(frozenset([cell]))[0] == "loss"]
    check("Notakto is won by the centre alone", value(frozenset())[0] == "win" and best == ["b2"], best)
    for moves in ([], ["b2"], ["a1"], ["a1", "c3"], ["b2", "a1"], ["b1", "a3", "c2"], ["b2", "a1", "c3"]):
        name = " ".join([GAME, *moves])
        crosses = frozenset(moves)
        probed = answer("probe", GAME, *moves)
        check(f"probe {name}", (probed["value"], probed["distance"]) == value(crosses), probed)
        for move in probed["moves"]:
            who, plies = value(crosses | {move["move"]})
            check(f"probe {name}: {move['move']}", (move["value"], move["distance"]) == ({"win": "loss", "loss": "win"}[who], plies + 1), move)
        thought = answer("think", GAME, "--level", "10", *moves)
        if not over(crosses):
            check(f"think {name}", thought["value"] == value(crosses)[0] and (value(crosses)[0] == "loss" or value(crosses | {thought["move"]})[0] == "loss"), thought)
    match = answer("match", GAME, "level:10", "random", "--games", "40", "--seed", "1", "--json")
    best = match["entrants"][0]
    check("a perfect player beats a random one", best["points"] > 30 and best["failures"] == 0, match)
    perft = subprocess.run([nonet, "perft", GAME, "9"], capture_output=True, text=True).stdout
    counts = [games_of(plies) for plies in range(1, 10)]
    check("perft", [int(line.split()[1]) for line in perft.splitlines()] == counts, (perft, counts))


parser = argparse.ArgumentParser()
parser.add_argument("--keep", action="store_true", help="leave the copy where it is")
arguments = parser.parse_args()
scratch = pathlib.Path(tempfile.mkdtemp(prefix="nonet-tenth-"))
copy = scratch / "nonet"
environment = {key: word for key, word in os.environ.items() if not key.startswith("NONET")} | {"XDG_CACHE_HOME": str(scratch / "cache")}
try:
    copy_checkout(copy)
    add_game(copy)
    step("the page builds", "scripts/page.sh")
    step("set up", "meson", "setup", "build", "-Dcpu=auto", "-Dtests=true", "-Dpage=web/dist")
    built = step("the build, without a warning", "ninja", "-C", "build")
    check("no warning", built is not None and "warning:" not in built, built)
    if built is None:
        raise SystemExit
    nonet = copy / "build/nonet"
    listed = subprocess.run(["meson", "introspect", "--tests", "build"], cwd=copy, capture_output=True, text=True, check=True)
    tests = sorted({test["name"] for test in json.loads(listed.stdout)} - ELSEWHERE)
    step("the tests: " + " ".join(tests), "meson", "test", "-C", "build", "--no-rebuild", "--print-errorlogs", *tests)
    step("solve", nonet, "solve", GAME, env=environment)
    check_values(nonet)
    step("nobody includes upward", "scripts/check_layers.py")
    said = step("a missing translation is no error", "scripts/check_words.py")
    check("but it is a warning", said is not None and f"warning: {GAME} is not translated" in said, said)
    for played in (f"games: {GAME}", "games: every game stands on the shelf"):
        said = step(f"the page in Chromium: {played}", "node", "web/tests/run.mjs", "--only", played, env=environment | {"NONET": str(nonet)})
        check(f"{played}: there is such a test", said is not None and not said.endswith("0 passed, 0 failed\n"), said)
finally:
    if arguments.keep:
        print(f"The copy is in {copy}.")
    else:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
