#!/usr/bin/env python3
"""docs/ludii/*.lud: what they describe are Nonet's games, as far as that can be seen without Ludii.

    ludii.py NONET

Each file is read as the list of lists that it is, and played by a small reader of the few ludemes that it uses, which are
written down here as Ludii's language reference describes them. Legal moves, results and points are those of Nonet in random
games, and the numbers of move sequences are those of `nonet perft`. Whether Ludii itself takes the files is not tested.
"""
import json
import pathlib
import random
import re
import subprocess
import sys

from checking import check, close

nonet = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent
GAMES = 6
WOODS = {"Maple": "M", "Zebrano": "Z", "Padouk": "P", "Walnut": "W"}


def ask(*words):
    return subprocess.run([nonet, *words], capture_output=True, text=True, check=True).stdout


def parse(text):
    """All expressions of a file. (a b) and {a b} become lists, the second ones with "{" first; name:x becomes ("name", x)."""
    words = re.findall(r'"[^"]*"|[(){}]|[^\s(){}"]+', text)
    stack = [[]]
    for word in words:
        if word in "({":
            stack.append(["{"] if word == "{" else [])
        elif word in ")}":
            done = stack.pop()
            assert (word == "}") == (done[:1] == ["{"]), "brackets of two kinds"
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    assert len(stack) == 1, "an open bracket"
    return [named(expression) for expression in stack[0]]


def named(expression):
    if not isinstance(expression, list):
        return expression
    found = []
    for item in expression:
        if found and isinstance(found[-1], str) and re.fullmatch(r"\w+:", found[-1]):
            found[-1] = (found[-1][:-1], named(item))
        elif isinstance(item, str) and re.fullmatch(r"\w+:\w+", item):
            found.append(tuple(item.split(":")))
        else:
            found.append(named(item))
    return found


def option(expression, key):
    return next((item[1] for item in expression if isinstance(item, tuple) and item[0] == key), None)


def part(expression, head):
    return next(item for item in expression if isinstance(item, list) and item[0] == head)


def items(expression):
    """One thing, or the things in braces."""
    return expression[1:] if expression[0] == "{" else [expression]


class State:
    """Cells and hand sites, each with what stands there, whose it is, and how many."""

    def __init__(self, game):
        equipment = items(part(game, "equipment")[1])
        self.size = int(part(part(equipment, "board"), "square")[1])
        self.hand = int(option(part(equipment, "hand"), "size") or 1)
        self.pieces = {item[1].strip('"'): item[2] for item in equipment if item[0] == "piece"}
        self.rules = part(game, "rules")
        self.cells = {(x, y): None for y in range(self.size) for x in range(self.size)}
        self.hands = {(player, i): None for player in (1, 2) for i in range(self.hand)}
        self.score = {1: 0, 2: 0}
        self.mover, self.winners = 1, None
        for place in items(part(self.rules, "start")[1]):
            count = int(option(place, "count"))
            if place[2] == '"Hand"':
                for player in (1, 2):
                    self.hands[player, 0] = (f"{place[1]}{player}", player, count)
            else:
                _, owner, index = place[2]
                assert place[2][0] == "handSite" and self.pieces[place[1].strip('"')[:-1]] == "Neutral"
                self.hands[int(owner[1]), int(index)] = (place[1].strip('"')[:-1], 0, count)

    def at(self, site):
        return self.cells[site] if site in self.cells else self.hands[site[1:]]

    def value(self, e, where):
        """A number, a site or a region."""
        if isinstance(e, str):
            return int(e)
        match e:
            case ["mover"]:
                return self.mover
            case ["site"] | ["to"] | ["from"]:
                return where[e[0]]
            case ["who", ("at", site)]:
                found = self.at(self.value(site, where))
                return found[1] if found else 0
            case ["what", ("at", site)]:
                found = self.at(self.value(site, where))
                return found[0] if found else 0
            case ["row", ("of", site)]:
                return self.value(site, where)[1]
            case ["column", ("of", site)]:
                return self.value(site, where)[0]
            case ["sites", "Row", row]:
                return [cell for cell in self.cells if cell[1] == self.value(row, where)]
            case ["sites", "Column", column]:
                return [cell for cell in self.cells if cell[0] == self.value(column, where)]
            case ["sites", "Empty"]:
                return [cell for cell, found in self.cells.items() if found is None]
            case ["sites", "Hand", "Mover"]:
                return [("hand", *site) for site in self.hands if site[0] == self.mover]
            case ["handSite", "Mover"]:
                return [("hand", self.mover, 0)]
            case ["sites", ["{", *names]]:
                return [("ABCD".index(name[1]), int(name[2]) - 1) for name in names]
        raise ValueError(e)

    def holds(self, e, where=None):
        match e:
            case ["and", ["{", *parts]] | ["and", *parts]:
                return all(self.holds(p, where) for p in parts)
            case ["or", ["{", *parts]] | ["or", *parts]:
                return any(self.holds(p, where) for p in parts)
            case ["not", inner]:
                return not self.holds(inner, where)
            case ["=", a, b]:
                return self.value(a, where) == self.value(b, where)
            case ["!=", a, b]:
                return self.value(a, where) != self.value(b, where)
            case ["all", "Sites", region, ("if", condition)]:
                return all(self.holds(condition, (where or {}) | {"site": site}) for site in self.value(region, where))
            case ["is", "In", site, region]:
                return self.value(site, where) in self.value(region, where)
            case ["is", "Occupied", site]:
                return self.at(self.value(site, where)) is not None
            case ["is", "Full"]:
                return None not in self.cells.values()
            case ["no", "Moves", "Next"]:
                self.mover = 3 - self.mover
                none = not self.moves()
                self.mover = 3 - self.mover
                return none
        raise ValueError(e)

    def moves(self):
        if self.winners is not None:
            return []
        move = part(part(self.rules, "play"), "move")
        source, goal = part(move, "from"), part(move, "to")
        found = []
        for origin in self.value(source[1], None):
            if self.at(origin) is None or not (option(source, "if") is None or self.holds(option(source, "if"), {"from": origin})):
                continue
            for cell in self.value(goal[1], None):
                if option(goal, "if") is None or self.holds(option(goal, "if"), {"from": origin, "to": cell}):
                    found.append((origin, cell))
        return found

    def text(self, move):
        """As Nonet writes it: with the wood's letter where pieces differ."""
        (_, player, index), (x, y) = move
        return WOODS.get(self.hands[player, index][0], "") + "abcd"[x] + str(y + 1)

    def do(self, e):
        match e:
            case ["if", condition, effect]:
                if self.holds(condition):
                    self.do(effect)
            case ["and", ["{", *effects]]:
                for effect in effects:
                    self.do(effect)
            case ["addScore", player, points]:
                self.score[int(player[1])] += int(points)
            case _:
                raise ValueError(e)

    def play(self, move):
        (_, player, index), cell = move
        what, who, count = self.hands[player, index]
        self.cells[cell] = (what, who, 1)
        self.hands[player, index] = (what, who, count - 1) if count > 1 else None
        for item in part(part(self.rules, "play"), "move"):
            if isinstance(item, list) and item[0] == "then":
                self.do(item[1])
        for _, condition, result in items(part(self.rules, "end")[1]):
            if self.winners is None and self.holds(condition):
                match result:
                    case ["result", "Mover", "Win"]:
                        self.winners = [self.mover]
                    case ["result", "Mover", "Draw"]:
                        self.winners = [1, 2]
                    case ["byScore"]:
                        best = max(self.score.values())
                        self.winners = [p for p in (1, 2) if self.score[p] == best]
        self.mover = 3 - self.mover


def replay(game, moves):
    state = State(game)
    for move in moves:
        state.play(move)
    return state


def perft(game, depth, moves=()):
    legal = replay(game, moves).moves()
    return len(legal) if depth == 1 else sum(perft(game, depth - 1, (*moves, move)) for move in legal)


def check_game(file, facts):
    (_, _, *_), *_ = expressions = parse(file.read_text(encoding="utf-8"))
    game = expressions[0]
    words = [facts["id"]]
    if "-" in file.stem:
        words += ["-o", f"{facts['options'][0]['key']}={file.stem.split('-')[1]}"]
    start = json.loads(ask("position", *words))
    state = State(game)
    rows = start["text"].split()[0].split("/")
    check(f"{file.name}: its name", game[1] == f'"{facts["title"]}"', game[1])
    check(f"{file.name}: players", ["players", "2"] in game)
    check(f"{file.name}: the board", state.size == len(rows) == len(rows[0]))
    check(f"{file.name}: eight pieces each", all(sum(f[2] for (p, _), f in state.hands.items() if p == player) == 8 for player in (1, 2)))
    for depth, line in enumerate(ask("perft", *words, "2").split("\n")[:2], 1):
        check(f"{file.name}: perft {depth}", perft(game, depth) == int(line.split()[1]))
    chance = random.Random(file.name)
    for number in range(GAMES):
        state, played = State(game), []
        while state.winners is None:
            legal = {state.text(move): move for move in state.moves()}
            now = json.loads(ask("position", *words, *played))
            check(f"{file.name}: moves after {' '.join(played)}", sorted(legal) == now["legal"] and state.mover == now["to_move"])
            if sorted(legal) != now["legal"]:
                return
            played.append(chance.choice(sorted(legal)))
            state.play(legal[played[-1]])
        end = json.loads(ask("position", *words, *played))
        check(f"{file.name}: the end of {' '.join(played)}", end["over"] and end["winners"] == state.winners, f"{end['winners']} {state.winners}")
        check(f"{file.name}: points", end["points"] is None or end["points"] == [state.score[1], state.score[2]], end["points"])


shelf = {game["id"]: game for game in json.loads(ask("games", "--json"))}
readme = (root / "docs/ludii/README.md").read_text(encoding="utf-8")
described = set()
for file in sorted((root / "docs/ludii").glob("*.lud")):
    described.add(file.stem.split("-")[0])
    check(f"the README names {file.name}", f"]({file.name})" in readme)
    check_game(file, shelf[file.stem.split("-")[0]])
    values = [value for o in shelf[file.stem.split("-")[0]]["options"] if o["key"] != "swap" for value in o["values"].split("|")]
    check(f"{file.name}: every value of the option has a file", all((file.parent / f"{file.stem.split('-')[0]}-{value}.lud").exists() for value in values))
for game in shelf.values():
    if not (root / f"docs/rules/fr/{game['id']}.md").exists():
        continue  # a game that somebody adds
    check(f"the README tells about {game['title']}", game["id"] in described or re.search(rf"^\| {game['title']} \|", readme, re.M))
got = subprocess.run([root / "scripts/ludii.py", "--check"], capture_output=True, text=True)
check("the files are what the script writes", got.returncode == 0, got.stdout)
close()
