#!/usr/bin/env python3
"""docs/ludii/*.lud: what they describe are Nonet's games, as far as that can be seen without Ludii.

    ludii.py NONET

Each file is read as the list of lists that it is, and played by a small reader of the few ludemes that it uses, which are
written down here as Ludii's language reference describes them and as Ludii's sources evaluate them. Legal moves, results and
points are those of Nonet in random games, and the numbers of move sequences are those of `nonet perft`. Whether Ludii itself
takes the files is not tested.
"""
import collections
import copy
import itertools
import json
import pathlib
import random
import re
import string
import subprocess
import sys
import typing

from checking import check, close

nonet = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent
GAMES = 20
MOST = 4000  # move sequences that are counted
ENOUGH = 3000  # cells of all positions, after which no other game of the same file is begun
REPETITION = ("trix", "chasm", "kolem")  # a third time draws. No ludeme says so, and the files do not
PIECES = {"Maple0": "M", "Zebrano0": "Z", "Padouk0": "P", "Walnut0": "W", "Stone0": "n"}
OWNERS = {"A": 1, "W": 1, "B": 2, "C": 3, "D": 4}  # of pieces in the text of a position
STANDS = ("2x3@", "3x2@", "1x3@", "3x1@", "1x2@", "2x1@")  # of a piece in Ksar, in the order of the hand's sites


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


def lasting(region):
    """Whether it says the same all game long, for the same `from` and `to`."""
    match region:
        case ["sites", "Board"] | ["from"] | ["to"]:
            return True
        case ["sites", "Around", inner, *_] | ["sites", "Direction", ("from", inner), *_]:
            return lasting(inner)
        case ["sites", ["{", *names]]:
            return all(isinstance(name, str) for name in names)
    return False


class Stand(typing.NamedTuple):
    """What stands on a site: which piece, whose, and how many."""
    what: str
    who: int
    count: int = 1


class Move(typing.NamedTuple):
    """A decision: from a site to a site. A selection moves nothing by itself. What follows it is an expression, or None."""
    origin: tuple
    goal: tuple
    selects: bool
    then: list | None


DIRECTIONS = {"E": [(1, 0)], "W": [(-1, 0)], "N": [(0, 1)], "S": [(0, -1)]}
DIRECTIONS["Orthogonal"] = [*itertools.chain(*DIRECTIONS.values())]
DIRECTIONS["Adjacent"] = [step for step in itertools.product((-1, 0, 1), repeat=2) if any(step)]


class State:
    """Cells and hand sites with what stands there, in Ludii's order: row by row from below, then the hands. A cell is a file and a
    rank, a hand site "hand", the player and an index."""

    def __init__(self, game):
        equipment = items(part(game, "equipment")[1])
        shape, *sides = part(equipment, "board")[1]
        self.height, self.width = map(int, sides if shape == "rectangle" else 2 * sides)
        self.players = int(part(game, "players")[1])
        self.rules = part(game, "rules")
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        hand = [item for item in equipment if item[0] == "hand"]
        indices = range(int(option(hand[0], "size") or 1)) if hand else ()
        self.sites = dict.fromkeys([*self.cells, *(("hand", player, i) for player in self.all_players() for i in indices)])
        self.score = dict.fromkeys(self.all_players(), 0)
        self.mover, self.last, self.winners = 1, None, None
        self.known = {}
        pieces = {item[1].strip('"'): item[2] for item in equipment if item[0] == "piece"}
        for _, name, where, *rest in items(part(self.rules, "start")[1]):
            name, count = name.strip('"'), int(option(rest, "count") or 1)
            if where == '"Hand"':
                assert pieces[name] == "Each"
                self.sites |= {("hand", player, 0): Stand(f"{name}{player}", player, count) for player in self.all_players()}
                continue
            kind, owner = name[:-1], int(name[-1])
            assert pieces[kind] == ("Each" if owner else "Neutral")
            self.sites |= dict.fromkeys(self.region(where, {}), Stand(name, owner, count))

    def all_players(self):
        return range(1, self.players + 1)

    def next(self):
        return self.mover % self.players + 1

    def player(self, role):
        return self.mover if role == "Mover" else int(role.removeprefix("P"))

    def value(self, e, where):
        """A number or a site."""
        if isinstance(e, str):
            return (string.ascii_uppercase.index(e[1]), int(e[2:-1]) - 1) if e.startswith('"') else int(e)
        match e:
            case ["site"] | ["to"] | ["from"]:
                return where[e[0]]
            case ["mover"]:
                return self.mover
            case ["last", "From"]:
                return self.last.origin
            case ["last", "To"]:
                return self.last.goal
            case ["who", ("at", site)]:
                found = self.sites[self.value(site, where)]
                return found.who if found else 0
            case ["what", ("at", site)]:
                found = self.sites[self.value(site, where)]
                return found.what if found else 0
            case ["row", ("of", site)]:
                return self.value(site, where)[1]
            case ["column", ("of", site)]:
                return self.value(site, where)[0]
            case ["handSite", role, *index]:
                return "hand", self.player(role), int(index[0]) if index else 0
            case ["+", site, steps]:
                order = list(self.sites)
                return order[order.index(self.value(site, where)) + int(steps)]
            case ["-", a, b]:
                return self.value(a, where) - self.value(b, where)
            case ["/", a, b]:
                return self.value(a, where) // self.value(b, where)
            case ["max", ["results", ("from", starts), ("to", ends), function]]:
                pairs = ((start, end) for start in self.region(starts, where) for end in self.region(ends, where | {"from": start}))
                return max(self.value(function, where | {"from": start, "to": end}) for start, end in pairs)
            case ["count", "Sites", ("in", region)]:
                return len(self.region(region, where))
            case ["count", ("in" | "at", region)]:
                return sum(self.sites[site].count for site in self.region(region, where) if self.sites[site])
            case ["count", "Pieces", role, ("in", region)]:
                found = [self.sites[site] for site in self.region(region, where)]
                return sum(stand.count for stand in found if stand and stand.who == self.player(role))
        raise ValueError(e)

    def region(self, e, where):
        """Sites. Where only the board decides, they are found once."""
        key = id(e), where.get("from"), where.get("to")
        if key not in self.known:
            found = self.find(e, where)
            if not lasting(e):
                return found
            self.known[key] = found
        return self.known[key]

    def find(self, e, where):
        match e:
            case ["sites", "Board"]:
                return self.cells
            case ["sites", "Row", row]:
                return [cell for cell in self.cells if cell[1] == self.value(row, where)]
            case ["sites", "Column", column]:
                return [cell for cell in self.cells if cell[0] == self.value(column, where)]
            case ["sites", "Empty"]:
                return [cell for cell in self.cells if not self.sites[cell]]
            case ["sites", "Hand", role]:
                return [site for site in self.sites if site[:2] == ("hand", self.player(role))]
            case ["sites", "Occupied", ("by", role)]:
                return [site for site, found in self.sites.items() if found and found.who == self.player(role)]
            case ["sites", "Occupied", ("by", role), ("container", "0")]:
                return [cell for cell in self.cells if self.sites[cell] and self.sites[cell].who == self.player(role)]
            case ["sites", "Around", middle, *directions]:
                centre = self.region(middle, where)
                steps = DIRECTIONS[directions[0] if directions else "Adjacent"]
                found = dict.fromkeys((x + dx, y + dy) for x, y in centre for dx, dy in steps)
                return [cell for cell in found if cell in self.sites and cell not in centre]
            case ["sites", "Direction", ("from", start), direction, ("included", "True"), ("distance", most)]:
                ((dx, dy),) = DIRECTIONS[direction]
                found = dict.fromkeys((x + i * dx, y + i * dy) for x, y in self.region(start, where) for i in range(int(most) + 1))
                return [cell for cell in found if cell in self.sites]
            case ["sites", "Group", ("at", start), direction, ("if", condition)]:
                start = self.value(start, where)
                found = [start] if self.holds(condition, where | {"to": start}) else []
                for x, y in found:
                    beside = ((x + dx, y + dy) for dx, dy in DIRECTIONS[direction])
                    found += [cell for cell in beside if cell in self.sites and cell not in found and self.holds(condition, where | {"from": start, "to": cell})]
                return found
            case ["sites", ["{", *sites]]:
                return [self.value(site, where) for site in sites]
            case ["difference", a, b]:
                without = self.region(b, where)
                return [site for site in self.region(a, where) if site not in without]
        return [self.value(e, where)]

    def holds(self, e, where):
        match e:
            case ["is", "Empty", site]:
                return self.sites[self.value(site, where)] is None
            case ["all", "Sites", region, ("if", condition)]:
                return all(self.holds(condition, where | {"site": site}) for site in self.region(region, where))
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
            case ["<=", a, b]:
                return self.value(a, where) <= self.value(b, where)
            case ["is", "In", site, region]:
                return self.value(site, where) in self.region(region, where)
            case ["is", "Occupied", site]:
                return self.sites[self.value(site, where)] is not None
            case ["is", "Enemy", who]:
                return self.value(who, where) not in (0, self.mover)
            case ["is", "Full"]:
                return all(self.sites[cell] for cell in self.cells)
            case ["no", "Moves", "Next"]:
                mover, self.mover = self.mover, self.next()
                none = next(self.decisions(part(self.rules, "play")[1]), None) is None
                self.mover = mover
                return none
        raise ValueError(e)

    def decisions(self, e):
        match e:
            case ["if", condition, yes, no]:
                yield from self.decisions(yes if self.holds(condition, {}) else no)
            case ["or", ["{", *choices]]:
                yield from itertools.chain(*map(self.decisions, choices))
            case ["priority", ["{", *choices]]:
                yield from next(filter(None, map(list, map(self.decisions, choices))), [])
            case ["move", "Select", source, goal, *then]:
                yield from self.pairs(source, goal, True, then)
            case ["move", source, goal, *then]:
                yield from self.pairs(source, goal, False, then)
            case _:
                raise ValueError(e)

    def pairs(self, source, goal, selects, then):
        """The sites of the goal may depend on where the move comes from. Only a selection may come from an empty site."""
        leaving, entering = option(source, "if"), option(goal, "if")
        for origin in self.region(source[1], {}):
            where = {"from": origin}
            if not (selects or self.sites[origin]) or not (leaving is None or self.holds(leaving, where)):
                continue
            for site in self.region(goal[1], where):
                if entering is None or self.holds(entering, where | {"to": site}):
                    yield Move(origin, site, selects, then[0][1] if then else None)

    def moves(self):
        return [] if self.winners else list(self.decisions(part(self.rules, "play")[1]))

    def text(self, move):
        """As Nonet writes it: with a letter where pieces differ, and how the piece stands where the hand has a site for each way.
        What leaves a hand for another site of it is lost."""
        def name(site):
            return f"{string.ascii_lowercase[site[0]]}{site[1] + 1}"

        if move.origin in self.cells:
            return name(move.origin) + name(move.goal)
        if move.goal not in self.cells:
            return "pass"
        what = self.sites[move.origin].what
        way = STANDS[move.origin[2] % len(STANDS)] if what[:-1] in ("Cube", "Stone") else ""
        return PIECES.get(what, "") + way + name(move.goal)

    def hands(self):
        """What Kolem's and Ksar's texts of positions tell of them: pieces, with the neutral ones after a plus sign."""
        first = [site for site in self.sites if site[0] == "hand" and site[2] % len(STANDS) == 0]
        counts = [(site[1], str(self.sites[site].count if self.sites[site] else 0)) for site in first]
        return ["+".join(count for owner, count in counts if owner == player) for player in self.all_players()]

    def effects(self, e):
        """What an expression does now. All parts of `and` are looked at before any of them is done."""
        match e:
            case ["if", condition, effect]:
                return self.effects(effect) if self.holds(condition, {}) else []
            case ["and", ["{", *parts]] | ["and", *parts]:
                return [effect for p in parts for effect in self.effects(p)]
            case ["addScore", player, points]:
                return [lambda: self.score.update({self.player(player): self.score[self.player(player)] + int(points)})]
            case ["remove", region]:
                return [lambda site=site: self.sites.update({site: None}) for site in self.region(region, {})]
            case ["fromTo", ["from", start], ["to", goal]]:
                return [lambda sites=(self.value(start, {}), self.value(goal, {})): self.put(*sites)]
            case ["push", ["from", start], ["directions", "Cell", ("from", a), ("to", b)]]:
                (x, y), (ax, ay), (bx, by) = (self.value(site, {}) for site in (start, a, b))
                carried, changes = None, {}
                while (x, y) in self.sites:
                    carried, changes[x, y] = self.sites[x, y], carried
                    if carried is None:
                        break
                    x, y = x + (bx > ax) - (bx < ax), y + (by > ay) - (by < ay)
                return [lambda: self.sites.update(changes)]
        raise ValueError(e)

    def put(self, origin, goal):
        stand = self.sites[origin]
        self.sites[origin] = stand._replace(count=stand.count - 1) if stand.count > 1 else None
        there = self.sites[goal]
        self.sites[goal] = stand._replace(count=there.count + 1 if there and there.what == stand.what else 1)

    def play(self, move):
        """The rules of the end are all looked at, even when one has ended the game. A result of a player who has left the game by
        an earlier one does not count; any other second result is a mistake of the file."""
        self.last = move
        if not move.selects:
            self.put(move.origin, move.goal)
        for effect in self.effects(move.then) if move.then else ():
            effect()
        gone = ()
        for _, condition, result in items(part(self.rules, "end")[1]):
            if not self.holds(condition, {}):
                continue
            match result:
                case ["result", role, _] if self.player(role) in gone:
                    continue
                case ["result", role, "Win"]:
                    winners, leaving = [self.player(role)], [self.player(role)]
                case ["result", "Mover", "Draw"]:
                    winners = leaving = list(self.all_players())
                case ["byScore", *given]:
                    for _, role, points in given[0][1:] if given else ():
                        self.score[self.player(role)] = self.value(points, {})
                    best = max(self.score.values())
                    winners, leaving = [p for p in self.all_players() if self.score[p] == best], list(self.all_players())
            assert self.winners is None, "two results"
            self.winners, gone = winners, leaving
        self.mover = self.next()


def after(state, move):
    later = copy.copy(state)
    later.sites, later.score = dict(state.sites), dict(state.score)
    later.play(move)
    return later


def perft(state, depth):
    legal = state.moves()
    return len(legal) if depth == 1 else sum(perft(after(state, move), depth - 1) for move in legal)


def choices(facts):
    """The options of which each value has a file. The others stand as they are by default."""
    return [o for o in facts["options"] if o["key"] != "swap" and o["kind"] != "number"]


def arranged(start, text):
    """The position of a text of Chasm, Kolem or Trix with empty hands, or None."""
    found = re.fullmatch(r"(\S+/\S+)( move| 0 0)? ([1-4])", text)
    if not found or (found[2] is None) == any(site not in start.cells for site in start.sites):
        return None
    pieces = {stand.who: stand for stand in start.sites.values() if stand}
    state = copy.copy(start)
    state.mover, state.sites = int(found[3]), dict.fromkeys(start.sites)
    for y, row in enumerate(reversed(found[1].split("/"))):
        state.sites |= {(x, y): pieces[OWNERS[letter]]._replace(count=1) for x, letter in enumerate(row) if letter != "."}
    return state


def play_beside(label, words, state, choose, draws):
    """Plays on with both, as far as there is a choice, and compares all positions on the way. Tells how many moves were made."""
    played, seen = [], collections.Counter()
    while True:
        now = json.loads(ask("position", *words, *played))
        seen[now["text"]] += 1
        repeated = draws and seen[now["text"]] == 3
        if state.winners or repeated:
            break
        moves = state.moves()
        legal = {state.text(move): move for move in moves}
        good = sorted(legal) == sorted(now["legal"]) and len(legal) == len(moves) and state.mover == now["to_move"]
        if now["game"] in ("kolem", "ksar"):
            check(f"{label}: hands after {' '.join(played)}", [word for word in now["text"].split() if re.fullmatch(r"[\d+]+", word)][:2] == state.hands(), now["text"])
        check(f"{label}: moves after {' '.join(played)}", good, f"{sorted(legal)}, not {now['legal']}")
        move = choose(sorted(legal), len(played)) if good else None
        if move is None:
            return len(played)
        played.append(move)
        state = after(state, legal[move])
    winners = list(state.all_players()) if repeated else state.winners
    check(f"{label}: the end of {' '.join(played)}", now["over"] and now["winners"] == winners, f"{now['winners']}, not {winners}")
    score = list(state.score.values())
    # In Ksar, equal points have a result of their own, which sets no score.
    check(f"{label}: points", now["points"] in (None, score) or now["points"][0] == now["points"][1] and not any(score), now["points"])
    return len(played)


def check_game(file, facts):
    game = parse(file.read_text(encoding="utf-8"))[0]
    values = {o["key"]: value for o, value in zip(choices(facts), file.stem.split("-")[1:], strict=True)}
    words = [facts["id"], *itertools.chain(*(("-o", f"{key}={value}") for key, value in values.items()))]
    start = State(game)
    empty = json.loads(ask("position", *words))
    rows = empty["text"].split()[0].split("/")
    size = empty["options"].get("frame", f"{len(rows[0])}x{len(rows)}")
    draws = facts["id"] in REPETITION
    check(f"{file.name}: its name", game[1] == f'"{facts["title"]}"', game[1])
    check(f"{file.name}: the board", f"{start.width}x{start.height}" == size, size)
    for depth, count in map(str.split, ask("perft", *words, "3").splitlines()):
        if int(count) < MOST:
            check(f"{file.name}: perft {depth}", perft(start, int(depth)) == int(count))
    chance = random.Random(file.name)
    games = cells = 0
    while games < GAMES and cells < ENOUGH:
        games += 1
        cells += len(start.cells) * play_beside(file.name, words, start, lambda legal, _: chance.choice(legal), draws)
    defaults = {o["key"]: o["default"] for o in facts["options"]}
    for line in (root / f"tests/cases/{facts['id']}.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if defaults | case.get("options", {}) != defaults | values:
            continue
        source = ["--from", case["from"]] if "from" in case else []
        state = arranged(start, case["from"]) if source else start
        if state and not json.loads(ask("position", *words, *source))["over"]:
            plan = dict(enumerate(case["moves"]))
            play_beside(f"{file.name}: {case['note']}", [*words, *source], state, lambda _, ply: plan.get(ply), draws)


shelf = {game["id"]: game for game in json.loads(ask("games", "--json"))}
readme = (root / "docs/ludii/README.md").read_text(encoding="utf-8")
described = set()
for file in sorted((root / "docs/ludii").glob("*.lud")):
    described.add(file.stem.split("-")[0])
    check(f"the README names {file.name}", f"]({file.name})" in readme)
    check_game(file, shelf[file.stem.split("-")[0]])
for game in sorted(described):
    for values in itertools.product(*(o["values"].split("|") for o in choices(shelf[game]))):
        check(f"{game}: a file for {values}", (root / f"docs/ludii/{'-'.join([game, *values])}.lud").exists())
for game in shelf.values():
    if not (root / f"docs/rules/fr/{game['id']}.md").exists():
        continue  # a game that somebody adds
    check(f"the README tells about {game['title']}", game["id"] in described or re.search(rf"^\| {game['title']} \|", readme, re.M))
got = subprocess.run([root / "scripts/ludii.py", "--check"], capture_output=True, text=True)
check("the files are what the script writes", got.returncode == 0, got.stdout)
close()
