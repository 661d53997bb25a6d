#!/usr/bin/env python3
"""Training from nothing: self-play, the trainer, and what they make of a small frame. Then the same for
what is counted in a game with hidden information. Usage: training.py NONET NONET-TRAIN NONET-FIT

Closes with "N passed, N failed".
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checking import check, check_refused, close

NONET, TRAIN, FIT = (os.path.abspath(word) for word in sys.argv[1:4])
folder = tempfile.TemporaryDirectory()
HERE = pathlib.Path(folder.name)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, cwd=HERE)


KSAR, MASKER = ("ksar", "-o", "frame=6x6"), ("masker", "-o", "players=2")


def selfplay(name, games, *words, game=KSAR):
    got = run(NONET, "selfplay", *game, "--nodes", "60", "--games", str(games), "--output", name, *words)
    check(f"{games} games in {name}", got.returncode == 0 and got.stderr == "", got.stderr[:300])
    return (HERE / name).read_bytes()


def train(name, *words):
    got = run(TRAIN, "--output", name, *words)
    check(f"{name} is trained", got.returncode == 0 and got.stderr == "", got.stderr[:300])
    return (HERE / name).read_bytes()


# ---- Games ----

whole = selfplay("whole", 300)
check("a line for each game, after the first", whole.count(b"\n") == 301 and whole.startswith(b"ksar:frame=6x6 --nodes 60 --seed 0"))
(HERE / "cut").write_bytes(whole[: len(whole) // 2])
check("a file that was cut short becomes the same", selfplay("cut", 300) == whole)
check("a file that is complete stays as it is", selfplay("cut", 300) == whole)
check("another seed, other games", selfplay("other", 20, "--seed", "1") != whole[: (HERE / "other").stat().st_size])
check_refused("another seed does not continue a file", run(NONET, "selfplay", "ksar", "-o", "frame=6x6", "--nodes", "60", "--seed", "2", "--output", "cut"), 1, "made differently")
check_refused("a file is needed", run(NONET, "selfplay", "ksar"), 2, "--output")
check_refused("three players who see everything", run(NONET, "selfplay", "chasm", "-o", "players=3", "--output", "x"), 2, "two players")
for line in whole.decode().splitlines()[1:20]:
    words = [word.lstrip("~").split("=")[0] for word in line[1:].split() if not word.startswith("~")]
    got = run(NONET, "position", "ksar", "-o", "frame=6x6", *words)
    check("a game can be replayed", got.returncode == 0, got.stderr[:200])

# ---- Training ----

untrained = train("untrained", "--epochs", "0", "whole")
trained = train("trained", "--epochs", "20", "whole")
check("the same seed, the same bytes", train("again", "--epochs", "20", "whole") == trained)
check("another seed, other weights", train("seeded", "--epochs", "20", "--seed", "2", "whole") != trained)
(HERE / "nonsense").write_text("ksar:frame=6x6\n+ 2x3@a1=5 9x9@a1=7\n")
got = run(TRAIN, "--output", "x", "nonsense")
check("a game that is none is refused", got.returncode == 1 and got.stderr.startswith("nonet-train: nonsense: "), got.stderr)
check("no files, no training", run(TRAIN, "--output", "x").returncode == 2)
got = run(NONET, "match", "ksar", "-o", "frame=6x6", "level:10,weights=trained", "level:10,weights=untrained", "--nodes", "60", "--games", "200", "--seed", "1", "--json")
score = json.loads(got.stdout)["pairings"][0]["entrants"][0]["score"] if got.returncode == 0 else {"low": 0}
check("the trained network is stronger than the untrained one", score["low"] > 0.5, str(score) + got.stderr[:200])
check_refused("weights of nothing", run(NONET, "match", "ksar", "level:10,weights=whole", "random"), 1, "weights, as Ksar has them")
check_refused("weights for another game", run(NONET, "match", "trix", "level:10,weights=trained", "random"), 2, "no weights")

# ---- Where information is hidden ----

whole = selfplay("hidden", 300, "--nodes", "300", game=MASKER)
lines = whole.decode().splitlines()
check("every game has its own deal", len({line.split()[1] for line in lines[1:]}) == 300 and all(line.split()[1].startswith("masker:players=2,") for line in lines[1:]))
(HERE / "cut").write_bytes(whole[: len(whole) // 3])
check("a file that was cut short becomes the same", selfplay("cut", 300, "--nodes", "300", game=MASKER) == whole)
for line in lines[1:20]:
    winner, options, *words = line.split()
    given = [word for option in options.partition(":")[2].split(",") for word in ("-o", option)]
    got = run(NONET, "position", "masker", *given, *(word.split("=")[0] for word in words))
    check("a game can be replayed, and has this winner", got.returncode == 0 and json.loads(got.stdout)["winners"] == [int(winner)], got.stdout[:200] + got.stderr[:200])


def fit(name, *words):
    got = run(FIT, "--output", name, *words)
    check(f"{name} is fitted", got.returncode == 0 and got.stderr == "", got.stderr[:300])
    return (HERE / name).read_bytes(), got.stdout


fitted, said = fit("fitted", "hidden")
check("the same games, the same bytes", fit("again", "hidden")[0] == fitted)
check("with more weight on small weights, others", fit("flatter", "--ridge", "1000", "hidden")[0] != fitted)
for part in ("2 players, flat, the last 13 crosses", "moves, flat"):
    found = re.search(rf"^{part} .* a guess (-[0-9.]+) .* the new (-[0-9.]+)$", said, re.M)
    check(f"{part}: in the games held out the weights know more than a guess", found and float(found[2]) > float(found[1]) + 0.01, said)
check("no games, no word about these weights", "teams" not in said)
(HERE / "zero").write_text("0, " * 1128)
got = run(NONET, "match", *MASKER, "level:10,weights=fitted", "level:10,weights=zero", "--nodes", "2000", "--games", "200", "--seed", "1", "--json")
score = json.loads(got.stdout)["pairings"][0]["entrants"][0]["score"] if got.returncode == 0 else {"low": 0}
check("they are stronger than none", score["low"] > 0.5, str(score) + got.stderr[:200])
check_refused("weights of a network", run(NONET, "match", "masker", "level:10,weights=trained", "random"), 1, "weights, as Masker has them")
got = run(FIT, "--output", "x", "whole")
check("nothing is hidden in Ksar", got.returncode == 1 and "nothing is hidden" in got.stderr, got.stderr)
got = run(TRAIN, "--output", "x", "hidden")
check("no network judges Masker", got.returncode == 1 and "no network" in got.stderr, got.stderr)
(HERE / "nonsense").write_text(lines[0] + "\n" + " ".join(lines[1].split()[:2]) + " a1=5 z9=7\n")
check("a game that is none cannot be fitted", run(FIT, "--output", "x", "nonsense").returncode == 1)
check("no files, no weights", run(FIT, "--output", "x").returncode == 2)
close()
