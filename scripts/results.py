#!/usr/bin/env python3
"""Solves the games and writes docs/results.md with its plots from the tables.

Usage: scripts/results.py [--nonet COMMAND] [--tables DIRECTORY] [GAME …]

Figures come from `nonet solve --json` and `nonet probe`, and are kept as JSON beside the tables, so that a second run only
writes the page. The words about what they mean are in docs/results-meaning.json, and what was found by search instead
of tables is in docs/results-search.md.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLOTS = ROOT / "docs" / "results"

SOLVED = [
    ("Kudosu", "kudosu", {}),
    ("Quadrangle, any rectangle", "quadrangle", {"rectangles": "any"}),
    ("Quadrangle, upright rectangles", "quadrangle", {"rectangles": "upright"}),
    ("Mix 3, any rectangle", "mix3", {"rectangles": "any"}),
    ("Mix 3, upright rectangles", "mix3", {"rectangles": "upright"}),
    ("Trix, corner camps, three home", "trix", {"camps": "corner", "goal": "three"}),
    ("Trix, corner camps, home filled", "trix", {"camps": "corner", "goal": "filled"}),
    ("Trix, side camps, three home", "trix", {"camps": "side", "goal": "three"}),
    ("Trix, side camps, home filled", "trix", {"camps": "side", "goal": "filled"}),
    ("Chasm, two players", "chasm", {"players": "2"}),
    ("Kolem, eight steps", "kolem", {"steps": "8"}),
    ("Kolem, four steps", "kolem", {"steps": "4"}),
]

# Games of the ranked solver, which does not count symmetric positions: scripts/count_kolem.py counts them.
POSITIONS = {"kolem": 1731220818}

PIECES = range(3, 11)  # of Kolem, for the table that compares them

MEANING = json.loads((ROOT / "docs" / "results-meaning.json").read_text(encoding="utf-8"))


def words(options):
    return [word for key, value in options.items() for word in ("-o", f"{key}={value}")]


def ask(nonet, environment, *arguments):
    got = subprocess.run([nonet, *arguments], capture_output=True, text=True, env=environment)
    if got.returncode != 0:
        sys.exit(got.stderr.strip() or f"{arguments} failed")
    return json.loads(got.stdout)


def figures(nonet, tables, game, options):
    """Everything the page tells about one game, from the tables."""
    name = "-".join([game, *options.values()])
    kept = tables / f"{name}.json"
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    environment = dict(os.environ, NONET_TABLES=str(tables))
    print(f"solving {name} …", file=sys.stderr)
    facts = ask(nonet, environment, "solve", game, *words(options), "--json")
    facts.setdefault("positions", POSITIONS.get(game))
    facts["first"] = ask(nonet, environment, "probe", game, *words(options))
    facts["line"] = []
    longest = facts.get("longest")
    while longest:
        answer = ask(nonet, environment, "probe", game, *words(options), "--from", longest["text"], *facts["line"])
        if not answer["moves"]:
            break
        facts["line"].append(answer["moves"][0]["move"])
    facts["sha256"] = hashlib.sha256(pathlib.Path(facts["table"]).read_bytes()).hexdigest()
    kept.write_text(json.dumps(facts), encoding="utf-8")
    return facts


def outcome(value):
    """A value in words: "a draw", "won by player 1 in 15 plies"."""
    winner = {"win": "won by player 1", "loss": "won by player 2", "draw": "a draw"}[value["value"]]
    if value["margin"] is not None:
        return f"{winner}, by {abs(value['margin'])} points" if value["margin"] else winner
    return f"{winner} in {value['distance']} plies" if value["distance"] is not None else winner


def first_moves(first):
    """The first moves, those of equal value together."""
    groups = {}
    for move in first["moves"]:
        short = move["value"] + (f" in {move['distance']}" if move["distance"] is not None else "")
        if move["margin"] is not None:
            short = f"{move['value']} by {move['margin']}" if move["margin"] else move["value"]
        groups.setdefault(short, []).append(move["move"])
    if len(groups) == 1:
        return [f"- all {len(first['moves'])} of them: {next(iter(groups))}"]
    return [f"- {value}: {', '.join(f'`{m}`' for m in moves)}" for value, moves in groups.items()]


def wrapped(text, indent=""):
    """The lines of a paragraph, or of a list item with its indent: 100 columns, no break inside `code`."""
    whole = re.sub("`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(whole, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


COLOURS = {"win": "#2e7d52", "draw": "#9a9a9a", "loss": "#b5482f"}


def plot(name, title, rows, label):
    """Stacked bars: the shares of wins, draws and losses for the player to move. Rows are (label, counts)."""
    width, height, left, base, bar = 640, 260, 48, 210, max(4.0, min(28.0, 560 / max(1, len(rows)) - 2))
    step = 580 / max(1, len(rows))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#fbf7ef" rx="8"/>',
    ]
    for share in (0, 25, 50, 75, 100):
        y = base - 1.8 * share
        parts.append(f'<path d="M{left} {y:.1f}H{width - 12}" stroke="#d9cfbe"/><text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#5a4a38">{share} %</text>')
    every = max(1, len(rows) // 20)
    for i, (text, counts) in enumerate(rows):
        total, y, x = sum(counts.values()), base, left + 4 + i * step
        for kind in ("win", "draw", "loss"):
            tall = 180 * counts[kind] / total if total else 0
            y -= tall
            if tall > 0:
                parts.append(f'<rect x="{x:.1f}" y="{y:.2f}" width="{bar:.1f}" height="{tall:.2f}" fill="{COLOURS[kind]}"><title>{text}: {counts[kind]:,} {kind}</title></rect>')
        if i % every == 0:
            parts.append(f'<text x="{x + bar / 2:.1f}" y="{base + 14}" text-anchor="middle" fill="#5a4a38">{text}</text>')
    parts.append(f'<text x="{width / 2}" y="{base + 30}" text-anchor="middle" fill="#5a4a38">{label}</text>')
    for i, kind in enumerate(("win", "draw", "loss")):
        parts.append(f'<rect x="{left + 90 * i}" y="{base + 36}" width="10" height="10" fill="{COLOURS[kind]}"/><text x="{left + 14 + 90 * i}" y="{base + 45}" fill="#5a4a38">{kind}</text>')
    parts.append("</svg>\n")
    PLOTS.mkdir(exist_ok=True)
    (PLOTS / f"{name}.svg").write_text("\n".join(parts), encoding="utf-8")


def section(title, name, facts):
    key = "material" if "by_material" in facts else "ply"
    rows = facts[f"by_{key}"]
    plot(name, f"{title}: values by {key}", [(row[key], {k: row[k] for k in COLOURS}) for row in rows],
         "pieces of the larger side" if key == "material" else "moves played")
    total = {kind: sum(row[kind] for row in rows) for kind in COLOURS}
    every = sum(total.values())
    out = [f"## {title}", "", *wrapped(f"**{outcome(facts['first'])[0].upper()}{outcome(facts['first'])[1:]}.** " + MEANING.get(name, "")), "",
           f"![How values spread]({PLOTS.name}/{name}.svg)", ""]
    items = [f"- {facts['positions']:,} positions" + (f" in the second phase; {facts['classes']:,} entries with the first phase, symmetric positions counted once but for a few" if key == "material"
                                                      else f", {facts['classes']:,} with symmetric ones counted once"),
             "- for the player to move: " + ", ".join(f"{100 * total[k] / every:.1f} % {k}" for k in ("win", "draw", "loss"))]
    if facts.get("longest"):
        longest = facts["longest"]
        what = f"by {longest['margin']} points" if longest["margin"] is not None else f"in {longest['distance']} plies"
        items.append(f"- the {'largest' if longest['margin'] is not None else 'longest'} win, {what}: `{longest['text']}`, then " + " ".join(f"`{m}`" for m in facts["line"]))
    items.append(f"- the table has {facts['bytes']:,} bytes (SHA-256 `{facts['sha256']}`); `nonet solve` took {facts['milliseconds'] / 1000:.1f} s and {facts['memory'] >> 20:,} MB")
    out += [line for item in items for line in wrapped(item, "  ")] + ["", "First moves:", ""]
    return out + [line for item in first_moves(facts["first"]) for line in wrapped(item, "  ")] + [""]


def by_pieces(nonet, tables):
    """Kolem with other numbers of pieces: what the game is worth, and how much of it is drawn."""
    out = ["## Kolem with fewer or more pieces", "", *wrapped(MEANING["kolem-pieces"]), "",
           "| pieces each | steps | with perfect play | entries | drawn | longest win |", "|--:|--:|---|--:|--:|--:|"]
    for steps in ("8", "4"):
        for pieces in PIECES:
            facts = figures(nonet, tables, "kolem", {"steps": steps, "pieces": str(pieces)})
            counts = {kind: sum(row[kind] for row in facts["by_material"]) for kind in COLOURS}
            drawn = 100 * counts["draw"] / sum(counts.values())
            out.append(f"| {pieces} | {steps} | {outcome(facts['first'])} | {facts['classes']:,} | {drawn:.1f} % | {facts['longest']['distance']} plies |")
    return out + [""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nonet", default=str(ROOT / "build" / "nonet"))
    parser.add_argument("--tables", default=str(ROOT / "build" / "tables"))
    parser.add_argument("games", nargs="*")
    chosen = parser.parse_args()
    tables = pathlib.Path(chosen.tables)
    tables.mkdir(parents=True, exist_ok=True)
    page = [
        "# Who wins",
        "",
        "What the solvers found. `scripts/results.py` writes this page from the tables. A value is that of",
        "perfect play by both players. A distance counts plies to the end: the winner hurries, the loser",
        "delays. Play that goes on for ever is a draw. *Win*, *draw* and *loss* in the figures are those of",
        "the player to move. Every table passes `nonet verify`, which checks each entry against its",
        "successors and the rules.",
        "",
    ]
    overview, sections = ["| game | with perfect play | positions |", "|---|---|--:|"], []
    for title, game, options in SOLVED:
        name = "-".join([game, *options.values()])
        if chosen.games and game not in chosen.games and not (tables / f"{name}.json").exists():
            continue
        facts = figures(chosen.nonet, tables, game, options)
        overview.append(f"| {title} | {outcome(facts['first'])} | {facts['positions']:,} |")
        sections += section(title, name, facts)
    if not chosen.games or "kolem" in chosen.games:
        sections += by_pieces(chosen.nonet, tables)
    search = (ROOT / "docs" / "results-search.md").read_text(encoding="utf-8")
    (ROOT / "docs" / "results.md").write_text("\n".join(page + overview + [""] + sections) + "\n" + search, encoding="utf-8")


if __name__ == "__main__":
    main()
