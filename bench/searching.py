#!/usr/bin/env python3
"""Speed of the searches, for docs/performance.md: nodes a second on one thread and on two, and how long a search
continues after it was asked to stop. Needs a machine that does nothing else.

    bench/searching.py [PATH-TO-NONET]"""
import json
import os
import subprocess
import sys
import time

NONET = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/nonet")
# Without tables, there is something to search.
ENVIRONMENT = os.environ | {"NONET_TABLES": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}
SHELF = [game["id"] for game in json.loads(subprocess.run([NONET, "games", "--json"], capture_output=True, text=True, check=True).stdout)]
# These are searched at the highest level too. Any other game would get a table, built at once, so it is searched at a
# level that uses none.
GAMES = ["ksar", "ksar -o frame=16x16", "masker -o seed=7", "masker -o seed=7 -o players=3", "masker -o seed=7 -o players=4",
         "chasm -o players=3", "chasm -o players=4", "fullend"]
SEARCHED = [game for game in SHELF if game not in GAMES and not any(words.startswith(f"{game} -o seed") for words in GAMES)]


def speed(words, threads):
    command = [NONET, "think", *words, "--threads", str(threads)]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT).stdout)
    return answer["nodes"] / answer["seconds"], answer["seconds"]


def stop_time(game):
    """Milliseconds from `stop` to `bestmove`, the worst of several."""
    process = subprocess.Popen([NONET, "ugi", *game.split()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=ENVIRONMENT)
    say = lambda line: (process.stdin.write(line + "\n"), process.stdin.flush())
    say("isready")
    while process.stdout.readline() != "readyok\n":
        pass
    worst = 0.0
    for pause in (0.3, 0.33, 0.37, 0.41, 0.46):
        say("position startpos")
        say("go infinite")
        time.sleep(pause)
        said = time.perf_counter()
        say("stop")
        while not process.stdout.readline().startswith("bestmove"):
            pass
        worst = max(worst, time.perf_counter() - said)
    say("quit")
    process.wait(10)
    return worst * 1000


print(f"{'game':32}{'one thread':>14}{'two threads':>14}{'ratio':>7}{'stops within':>14}")
for game in GAMES:
    (one, _), (two, _) = (speed([*game.split(), "--time", "1"], threads) for threads in (1, 2))
    print(f"{game:32}{one:14,.0f}{two:14,.0f}{two / one:7.2f}{stop_time(game):11.1f} ms", flush=True)
for game in SEARCHED:
    (one, seconds), (two, _) = (speed([*game.split(), "--level", "9", "--nodes", "1000000000", "--time", "1"], threads) for threads in (1, 2))
    over = "" if seconds > 0.9 else f"  over after {seconds:.2f} s"
    print(f"{game:32}{one:14,.0f}{two:14,.0f}{two / one:7.2f}{over}", flush=True)
