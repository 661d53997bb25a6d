#!/usr/bin/env python3
"""How accurate the strongest player and a random one are in solved games. Usage: accuracy.py NONET [GAMES [GAME…]]

They play against each other, with alternating seats and no random opening, and `nonet analyse` reviews every game. What
each kept is added up over all games, so that the one number of a game is 100 (a - c) / (b - c) of the sums.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

nonet, games = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "200"
SOLVED = sys.argv[3:] or ["quadrangle", "trix", "mix3", "chasm", "kudosu"]

print("| game | moves reviewed | level 10 | random |\n|---|---|---|---|")
for game in SOLVED:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([nonet, "match", game, "level:10", "random", "--games", games, "--opening", "0", "--seed", "1", "--records", folder],
                       check=True, stdout=subprocess.DEVNULL)
        files = sorted(map(str, pathlib.Path(folder).iterdir()))
        lines = subprocess.run([nonet, "analyse", "--json", "--nodes", "1000000", *files], check=True, capture_output=True, text=True).stdout.splitlines()
        sums = {}
        moves = 0
        for file, line in zip(files, lines):
            review = json.loads(line)
            assert review["measure"] == "exact", file
            moves += len(review["moves"])
            seats = json.loads(pathlib.Path(file).read_text())["seats"]
            for player, seat in zip(review["players"], seats):
                total = sums.setdefault(seat["kind"], [0, 0, 0])
                for i, key in enumerate(("kept", "of", "chance")):
                    total[i] += player[key]
        say = {kind: f"kept {a} of {b}, by chance {c:.1f}: {100 * (a - c) / (b - c):.1f}" for kind, (a, b, c) in sums.items()}
        print(f"| {game} | {moves} | {say['level-10']} | {say['random']} |", flush=True)
