#!/usr/bin/env python3
"""nonet trial: the same games whoever plays them, figures that fit together, and openings counted again by nonet probe.
Usage: trial.py NONET. Closes with "N passed, N failed"."""
import json
import os
import subprocess
import sys
import tempfile

from checking import check, check_refused, close

NONET = sys.argv[1]
scratch = tempfile.TemporaryDirectory()
clean = {k: v for k, v in os.environ.items() if k not in ("NONET_TABLES", "XDG_CACHE_HOME")} | {"HOME": scratch.name}


def run(*words, feed=""):
    return subprocess.run([NONET, *words], capture_output=True, text=True, timeout=240, input=feed, env=clean)


def trial(*words):
    got = run("trial", *words, "--json")
    check(f"trial {words}", got.returncode == 0, got.stderr)
    return json.loads(got.stdout)


# The same games, whatever the number of threads; others by another seed.
small = ("trix", "-o", "camps=side", "--games", "30", "--level", "1")
once = trial(*small, "--jobs", "1")
check("three threads play the same games", trial(*small, "--jobs", "3") == once)
check("another seed is another run", trial(*small, "--seed", "2") != once)
check("another level is another run", trial(*small, "--level", "2") != once)

for words in (small, ("quadrangle", "--games", "40"), ("chasm", "-o", "players=3", "--games", "4", "--level", "1"),
              ("masker", "-o", "players=4", "--games", "3", "--level", "1"), ("ksar", "-o", "frame=4x4", "--games", "20")):
    figures = trial(*words)
    games, players = figures["games"], len(figures["shares"])
    check(f"{words}: the setting", figures["setting"].startswith(words[0]))
    teams = words[0] == "masker"
    whole = sum(share["value"] for share in figures["shares"])
    check(f"{words}: all shares are one win", abs(whole - (2 if teams else 1)) < 0.003, whole)
    check(f"{words}: games are won or drawn", sum(figures["wins"]) + figures["draws"] * (1 if not teams else 2) <= games * (2 if teams else 1))
    if players == 2:
        check(f"{words}: a win is no draw", sum(figures["wins"]) + figures["draws"] == games)
        share = (figures["wins"][0] + figures["draws"] / 2) / games
        check(f"{words}: a draw is half a win", abs(figures["shares"][0]["value"] - share) < 0.001)
    for name in ("drawn", "length", "branching", "lead_changes"):
        value = figures[name]
        check(f"{words}: {name}", value["low"] <= value["value"] <= value["high"] and value["games"] == games, value)
    check(f"{words}: swaps", (len(figures["swaps"]) > 0) == (players == 2 and words[0] != "masker"), figures["swaps"])
    for swap in figures["swaps"]:
        if swap["often"]:
            first, chooser = swap["first"], swap["chooser"]
            check(f"{words}: the chooser takes the better side", abs(chooser["value"] - max(first["value"], 1 - first["value"])) < 0.0015, swap)
            check(f"{words}: the opening can be played", run("position", words[0], *words[1:3] if words[1] == "-o" else (), *swap["moves"]).returncode == 0)

# What the table says about openings, counted line by line.
OTHER = {"win": "loss", "loss": "win", "draw": "draw"}
for words in (("quadrangle",), ("trix", "-o", "goal=filled")):
    exact = trial(*words, "--exact")["plies"]
    check(f"{words}: from the first position on", [row["plies"] for row in exact] == [0, 1, 2, 3, 4])
    lines = [""]
    for plies, row in enumerate(exact[:4]):
        answers = [json.loads(line) for line in run("probe", *words, "--batch", feed="\n".join(lines) + "\n").stdout.splitlines()]
        check(f"{words}: all of {len(lines)} lines are probed", len(answers) == len(lines))
        values = [answer["value"] if plies % 2 == 0 else OTHER[answer["value"]] for answer in answers]
        counts = {value: values.count(value) for value in OTHER}
        check(f"{words}: who wins after {plies} plies", counts == row["lines"], f"{counts}, not {row['lines']}")
        fairest = answers[lines.index(" ".join(row["fairest"]["moves"]))]
        value = fairest["value"] if plies % 2 == 0 else OTHER[fairest["value"]]
        check(f"{words}: the fairest after {plies} plies", value == row["fairest"]["value"] and fairest["distance"] == row["fairest"]["distance"])
        if counts["draw"]:
            check(f"{words}: a draw is fairer than a win", row["fairest"]["value"] == "draw")
        else:
            check(f"{words}: none takes longer", fairest["distance"] == max(answer["distance"] for answer in answers))
        lines = [f"{line} {move['move']}".strip() for line, answer in zip(lines, answers) for move in answer["moves"]]

# For people.
said = run("trial", "quadrangle", "--games", "20").stdout
check("a line for each figure", all(part in said for part in ("player 1 gets", "drawn games", "plies", "lead changes", "swap after 1")), said)
check("the table of openings", "player 2 wins" in run("trial", "quadrangle", "--exact").stdout)

for words, part in (((), "needs a game"), (("quadrangle", "a1"), "needs a game"), (("quadrangle", "--from", "x"), "needs a game"),
                    (("quadrangle", "--level", "10"), "from 1 to 9"), (("quadrangle", "--games", "0"), "--games"), (("go",), "no game")):
    check_refused(f"trial {words}", run("trial", *words), 2, part)
check_refused("no table", run("trial", "ksar", "--exact"), 1, "no table")
close()
