#!/usr/bin/env python3
"""Finds the skills that make the steps between levels even, for the `skills` of a game.

    scripts/skills.py ksar                  with the fewest players
    scripts/skills.py chasm --players 3
    scripts/skills.py mix3 --games 1000     more games a match: less left to chance
    scripts/skills.py trix --begin 16,19,23,28,35,41,46,57,69    without a search for the first guess

It measures how much better a player gets from one octave of skill to the next, and how far the best of them is from
level 10, which has as many nodes here as in docs/strength.md. Level 2 gets the least skill that wins nine of ten games
against a player who makes any move (with three or more players, as much above an even share), or, where draws keep even
a strong player from that, somewhat less than such a player does. The others follow in steps of equal Elo; level 1 is
one step below level 2. Then the steps are measured as they are and mended, some times over: take the most even of what
is printed. All players are limited by nodes, so the answer can be repeated."""
import argparse
import json
import math
import subprocess
import sys

import strength

LOWEST, STRONG, HIGHEST, OCTAVE = 16, 112, 152, 8
BEATS_CHANCE = 420  # Elo: 92 % with two players, a little more than asked, because it is measured
SOMEWHAT = 60
ROUNDS = 4  # the first guess, and corrections


class Ladder:
    def __init__(self, game, players, games):
        self.words = [game] + (["-o", f"players={players}"] if players > 2 else [])
        self.games = games
        self.even = strength.even_share(self.words)
        self.top = strength.level(self.words, 10)

    def score(self, strong, weak):
        """The first player's share of the points."""
        words = [strength.NONET, "match", *self.words, strong, weak, "--games", str(self.games), "--seed", "1", "--json"]
        answer = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        return answer["pairings"][0]["entrants"][0]["score"]["value"]

    def elo(self, strong, weak):
        return strength.elo(self.score(strong, weak), self.even, self.games)

    def beginners(self):
        """The least skill that level 2 needs against chance, by halving."""
        low, high = LOWEST, HIGHEST
        wanted = min(BEATS_CHANCE, self.elo(f"level:3,skill={STRONG}", "random") - SOMEWHAT)
        print(f"  wanted against chance: {wanted:+.0f} Elo", flush=True)
        while low < high:
            middle = (low + high) // 2
            gap = self.elo(f"level:2,skill={middle}", "random")
            print(f"  skill {middle} against chance: {gap:+.0f} Elo", flush=True)
            low, high = (low, middle) if gap >= wanted else (middle + 1, high)
        return low

    def curve(self):
        """The Elo of every octave of skill, from the lowest on, and of level 10."""
        heights = [(LOWEST, 0.0)]
        skill = LOWEST
        while skill < HIGHEST:
            gap = self.elo(self.top, f"level:3,skill={skill}") if skill > 60 else math.inf
            if gap < 15:
                break
            step = self.elo(f"level:3,skill={skill + OCTAVE}", f"level:3,skill={skill}")
            print(f"  skill {skill} to {skill + OCTAVE}: {step:+.0f} Elo; to level 10: {gap:.0f}", flush=True)
            skill += OCTAVE
            heights.append((skill, max(heights[-1][1] + 1, heights[-1][1] + step)))
            if gap < 1.2 * step:
                break
        return heights, heights[-1][1] + max(0, self.elo(self.top, f"level:3,skill={skill}"))


    def steps(self, skills):
        """The Elo from each level to the next, with these skills."""
        players = [f"level:{level},skill={skill}" for level, skill in enumerate(skills, 1)] + [self.top]
        return [self.elo(strong, weak) for weak, strong in zip(players, players[1:])]


def height(heights, skill):
    for (low, below), (high, above) in zip(heights, heights[1:]):
        if skill <= high:
            return below + (above - below) * max(0, skill - low) / (high - low)
    return heights[-1][1]


def skill_at(heights, wanted):
    return min(range(LOWEST, heights[-1][0] + 1), key=lambda skill: abs(height(heights, skill) - wanted))


def moved(skills, steps, fixed):
    """Skills that should make steps even that are as measured now. That of one level stays as it is."""
    even = sum(steps[fixed:]) / len(steps[fixed:])
    reached = [sum(steps[:level]) - sum(steps[:fixed]) for level in range(len(skills))]
    answer = []
    for level, skill in enumerate(skills):
        low, high = max(0, level - 1), min(len(skills) - 1, level + 1)
        slope = (reached[high] - reached[low]) / max(1, skills[high] - skills[low])
        by = ((level - fixed) * even - reached[level]) / max(slope, 1)
        answer.append(min(max(LOWEST, round(skill + max(-OCTAVE, min(OCTAVE, by)))), HIGHEST))
    return sorted(answer)


def first_guess(ladder):
    """The skills of levels 1 to 9 by the curve, and which level is to keep its skill, from 0."""
    second = ladder.beginners()
    heights, top = ladder.curve()
    below = height(heights, second)
    step = (top - below) / 8
    fixed = 1
    if below < step:  # even the lowest skill beats chance
        below = step = top / 9
        fixed = 0
    return [skill_at(heights, below + (level - 2) * step) for level in range(1, 10)], fixed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--begin", help="the skills to begin with, with commas; that of level 2 stays")
    args = parser.parse_args()
    ladder = Ladder(args.game, args.players, args.games)
    skills, fixed = ([int(skill) for skill in args.begin.split(",")], 1) if args.begin else first_guess(ladder)
    for _ in range(ROUNDS):
        steps = ladder.steps(skills)
        print(f"{args.game}, {args.players} players: {{{', '.join(map(str, skills))}}}")
        print("  steps", *(f"{step:+.0f}" for step in steps), flush=True)
        skills = moved(skills, steps, fixed)


if __name__ == "__main__":
    sys.exit(main())
