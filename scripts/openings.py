#!/usr/bin/env python3
"""Makes the lists of openings that the page ships: web/src/study/explorer/lists/GAME.json. Level 10 plays against itself
(`nonet match`), and `nonet openings` counts how the games went. Needs the tables of the page (scripts/tables.sh), and half
an hour on two processors. What was played is kept in a folder, so that a run that was interrupted goes on where it was.
The same program makes the same lists.

    scripts/openings.py [--nonet build/nonet] [--games build/openings] [GAME…]     all games, or only these
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "web/src/study/explorer/lists"
VERSION = 1  # rises when the lists change their shape
# Who plays: level 10, which overlooks nothing and asks the tables. Where it has to search, it looks at as many positions
# as level 9 does; a clock would make every run another one.
LEVEL_9 = 6500
PLAYOUTS = 32 * LEVEL_9  # where a position is judged by playouts
WIDE = LEVEL_9 // 30 + 13  # where there are too many moves to list
# Where something is dealt, all games of a setting have the same deal. What is hidden is dealt anew for each.
FLAT = "-o deal=GBGVVRVNYRRYYGBWVBYGGVRWRYBYRWWGVWBB"
PILES = "-o variant=3d -o deal=VRGRYGYBVBWBRWRYVGYRGGBVWWVYNVWYBRGB"
# For each setting of a game's options: the nodes, then how many random plies begin how many games.
TABLE = {1: 60, 2: 120, 3: 200}
WANTED = {
    "trix": {"": (LEVEL_9, TABLE), "-o goal=filled": (LEVEL_9, TABLE), "-o camps=side": (LEVEL_9, TABLE),
             "-o camps=side -o goal=filled": (LEVEL_9, TABLE)},
    "quadrangle": {"": (LEVEL_9, TABLE), "-o rectangles=upright": (LEVEL_9, TABLE)},
    "mix3": {"": (LEVEL_9, TABLE), "-o rectangles=upright": (LEVEL_9, TABLE)},
    "kudosu": {"": (LEVEL_9, TABLE)},
    "chasm": {"": (LEVEL_9, TABLE), "-o players=3": (PLAYOUTS, {1: 99}), "-o players=4": (PLAYOUTS, {1: 40})},
    "kolem": {"": (LEVEL_9, TABLE), "-o steps=4": (LEVEL_9, {1: 60, 2: 60})},
    "ksar": {"": (LEVEL_9, {1: 240, 2: 240})},
    "masker": {FLAT: (PLAYOUTS, {0: 48, 1: 48}), f"-o players=3 {FLAT}": (PLAYOUTS, {1: 18}), f"-o players=4 {FLAT}": (PLAYOUTS, {1: 16}),
               PILES: (PLAYOUTS, {1: 16}), f"-o players=3 {PILES}": (PLAYOUTS, {1: 12}), f"-o players=4 {PILES}": (PLAYOUTS, {1: 12})},
    "fullend": {"": (WIDE, {0: 12, 1: 60}), "-o supply=unlimited": (WIDE, {0: 2, 1: 22})},
}


def matches(game):
    """For each setting the commands that play its games."""
    for options, (nodes, games) in WANTED[game].items():
        yield [" ".join(f"nonet match {game} {options} level:10 level:10 --nodes {nodes} --opening {plies} --games {count} --seed 1".split())
               for plies, count in games.items()]


def run(arguments, words):
    environment = dict(os.environ, NONET_TABLES=str(arguments.games / "tables"))
    made = subprocess.run([arguments.nonet, *words], capture_output=True, text=True, check=False, env=environment)
    if made.returncode != 0:
        sys.exit(f"{' '.join(words)}: {made.stderr}")
    return made.stdout


def play(arguments, command):
    """Plays a match, unless it was played before; the folder with its records."""
    records = arguments.games / command.removeprefix("nonet match ").replace(" ", "_")
    if not records.exists():
        part = records.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        run(arguments, [*shlex.split(command)[1:], "--records", part])
        part.rename(records)
        print(command, flush=True)
    return records


def make(arguments, game):
    settings = []
    for commands in matches(game):
        records = [file for command in commands for file in sorted(play(arguments, command).iterdir())]
        counted = json.loads(run(arguments, ["openings", *records]))
        del counted["game"]
        settings.append({"commands": commands, **counted})
    lines = ",\n".join(json.dumps(setting, separators=(",", ":")) for setting in settings)
    (FOLDER / f"{game}.json").write_text(f'{{"version":{VERSION},"game":"{game}","settings":[\n{lines}\n]}}\n', encoding="utf-8")
    print(f"{game}: {sum(setting['games'] for setting in settings)} games", flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--nonet", default=ROOT / "build/nonet")
parser.add_argument("--games", type=pathlib.Path, default=ROOT / "build/openings", help="where the games are kept")
parser.add_argument("names", nargs="*", metavar="GAME")
given = parser.parse_args()
os.nice(10)  # nobody waits for it
FOLDER.mkdir(parents=True, exist_ok=True)
tables = given.games.resolve() / "tables"
tables.mkdir(parents=True, exist_ok=True)
for table in [*ROOT.glob("tables/*.nonet-table"), *ROOT.glob("web/build/tables/*.nonet-table")]:
    if not (tables / table.name).exists():
        (tables / table.name).symlink_to(table)
for name in given.names or WANTED:
    make(given, name)
