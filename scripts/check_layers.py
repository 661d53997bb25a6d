#!/usr/bin/env python3
"""Which folder may include which: downward only. A game sees rules/, base/ and what games share, and nothing else;
search/, table/, study/, solve/ and host/ see the contract but no game; library/ sees these and its installed header; apps/ see everything and nothing sees
apps/."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
MAY_SEE = {
    "engine/base": ["engine/base"],
    "engine/rules": ["engine/base", "engine/rules"],
    "engine/games": ["engine/base", *(f"engine/rules/{part}.h" for part in ("game", "wide", "parts", "ranking", "hidden", "counts", "events", "standings", "editing", "features")),
                     "engine/games/board4.h"],
    "engine/search": ["engine/base", "engine/rules", "engine/search", "engine/table"],
    "engine/table": ["engine/base", "engine/rules", "engine/table"],
    "engine/study": ["engine/base", "engine/rules", "engine/search", "engine/table", "engine/study"],
    "solve": ["engine/base", "engine/rules", "engine/table", "solve", "host/clock.h", "host/files.h"],
    "host/clock.": ["engine/base"],  # the lowest part of host, which solve may see too
    "host/refusal.": ["engine/base", "engine/rules/message.h", "host/refusal.h"],
    "host/files.": ["engine/base", "host/files.h", "host/refusal.h"],
    "host": ["engine/base", "engine/rules", "engine/search", "engine/table", "engine/study", "solve", "host"],
    "library": ["include", "library", "engine/base", "engine/rules", "engine/search", "engine/table", "engine/study", "host"],
    "include": [],
    "train": ["engine/base", "engine/rules", "engine/search", "host/files.h", "train"],
    "apps": ["engine", "apps", "host", "solve"],
}
# The registry is the only file that expands games.def, and makes of each game one with the swap rule.
EXPANDS = {"engine/games/registry.c": ["engine/games/games.def", "engine/rules/swap.h"]}
# The library does no I/O, has no clock, no threads, and never ends the program.
FORBIDDEN = re.compile(r"\b(printf|puts|fopen|exit|abort|time|clock|pthread_\w+|getenv|rand|malloc|free)\s*\(")
MAY_ALLOCATE = {"engine/rules/session.c", "engine/rules/perft.c", "engine/search/at_once.c", "engine/search/book.c", "engine/search/player.c", "engine/search/search.c", "engine/table/table.c",
                "engine/study/describe_position.c", "engine/study/judge.c", "engine/study/measure.c", "engine/study/balance.c", "engine/study/playouts.c", "engine/study/review.c", "engine/study/trial.c"}  # games never do

wrong = []
for source in sorted(f for top in ("engine", "host", "solve", "train", "library", "include", "apps") for f in root.glob(f"{top}/**/*.[ch]")):
    name = source.relative_to(root).as_posix()
    layer = next(layer for layer in MAY_SEE if name.startswith(layer if layer.endswith(".") else layer + "/"))
    text = source.read_text(encoding="utf-8")
    for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M):
        for base in (source.parent, root / "engine", root / "apps", root / "include", root):
            target = (base / included).resolve()
            if target.exists():
                break
        else:
            continue  # made by the build
        target = target.relative_to(root).as_posix()
        allowed = MAY_SEE[layer] + EXPANDS.get(name, [])
        if layer == "engine/games":  # a game of several files has headers of its own
            allowed = allowed + [f"engine/games/{source.stem.split('_')[0]}{part}" for part in ("_board.h", "_words.h", ".weights")]
        if not any(target == a or target.startswith(a + "/") for a in allowed):
            wrong.append(f"{name} includes {target}")
        if target.endswith("games.def") and name not in EXPANDS:
            wrong.append(f"{name} expands games.def")
    if layer.startswith("engine"):
        bare = re.sub(r'/\*.*?\*/|"(\\.|[^"\\])*"', " ", text, flags=re.S)
        for call in FORBIDDEN.finditer(bare):
            if call[1] in ("malloc", "free") and name in MAY_ALLOCATE:
                continue
            wrong.append(f"{name} calls {call[1]}")
for line in wrong:
    print(line)
sys.exit(bool(wrong))
