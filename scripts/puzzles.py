#!/usr/bin/env python3
"""Makes the lists of puzzles that the page ships: web/src/study/puzzles/lists/GAME.json, and an index of them all.
Takes some minutes. The same program makes the same lists.

    scripts/puzzles.py [--nonet build/nonet] [GAME…]     all games, or only these
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "web/src/study/puzzles/lists"
VERSION = 1  # rises when the lists change their shape
THEMES = ["only", "save", "win", "quiet"]
# What is asked of `nonet puzzles`, with --grade: all solved games and variants of which a table is at hand, and frames of
# Ksar so small that a search sees the end of every game.
WANTED = {
    "trix": ["--count 80", "-o goal=filled --count 20", "-o camps=side --count 20", "-o camps=side -o goal=filled --count 20"],
    "kudosu": ["--count 80"],
    "quadrangle": ["--count 80", "-o rectangles=upright --count 20"],
    "mix3": ["--count 80", "-o rectangles=upright --count 20"],
    "chasm": ["--count 80"],
    "kolem": ["--count 80"],
    "ksar": ["-o frame=5x4 --count 20", "-o frame=6x4 --count 20", "-o frame=5x5 --count 20"],
}


def make(nonet, game):
    commands = [f"nonet puzzles {game} {words} --seed 1 --grade" for words in WANTED[game]]
    puzzles = []
    for command in commands:
        made = subprocess.run([nonet, *shlex.split(command)[1:]], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            sys.exit(f"{command}: {made.stderr}")
        puzzles += json.loads(made.stdout)
    lines = ",\n".join(json.dumps(puzzle, separators=(",", ":")) for puzzle in puzzles)
    head = json.dumps({"version": VERSION, "game": game, "commands": commands}, separators=(",", ":"))
    (FOLDER / f"{game}.json").write_text(f'{head[:-1]},"puzzles":[\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{game}: {len(puzzles)} puzzles", flush=True)


def index():
    """For each game one letter a puzzle: its level (a: 10), and its themes as bits."""
    games = {}
    for game in WANTED:
        puzzles = json.loads((FOLDER / f"{game}.json").read_text(encoding="utf-8"))["puzzles"]
        games[game] = {"levels": "".join("%x" % puzzle["level"] for puzzle in puzzles),
                       "themes": "".join("%x" % sum(1 << THEMES.index(theme) for theme in puzzle["themes"]) for puzzle in puzzles)}
    lines = ",\n".join(f"{json.dumps(game)}:{json.dumps(facts, separators=(',', ':'))}" for game, facts in games.items())
    (FOLDER / "index.json").write_text(f'{{"version":{VERSION},"games":{{\n{lines}\n}}}}\n', encoding="utf-8")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--nonet", default=ROOT / "build/nonet")
parser.add_argument("games", nargs="*", metavar="GAME")
arguments = parser.parse_args()
os.nice(10)  # nobody waits for it
FOLDER.mkdir(parents=True, exist_ok=True)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    list(pool.map(lambda game: make(arguments.nonet, game), arguments.games or WANTED))
index()
