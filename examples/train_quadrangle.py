#!/usr/bin/env python3
"""Trains a small network to tell who wins a position of Quadrangle, from exact values, in plain Python and in less than a
minute. Usage: train_quadrangle.py [POSITIONS]

Positions come from random games, their values from the table of exact values (which is built the first time), and the
numbers that the network sees from the scene. It has one hidden layer, and is tested on positions that it has not seen.

Editors that know cells ("# %%"), such as Jupyter with jupytext, Spyder or VS Code, show it as a notebook.
"""
import math
import random
import sys

from nonet.learning import LearningGame

HIDDEN, ROUNDS, RATE = 24, 10, 0.05
WORTH = {"win": 1.0, "draw": 0.5, "loss": 0.0}
dice = random.Random(1)


# %% Positions, with what the table knows about them


def positions(count):
    """So many different positions, as lists of numbers, each with its value for the player to move."""
    found, game = {}, LearningGame("quadrangle")
    state = game.new_initial_state()
    while len(found) < count:
        if state.is_terminal() or state.game.ply > 9:
            state.game.restart()
        state.apply_action(dice.choice(state.legal_actions()))
        if not state.is_terminal() and str(state) not in found:
            found[str(state)] = state.observation_tensor(), WORTH[state.game.probe()["value"]]
    return list(found.values())


# %% The network


class Network:
    """A hidden layer of tanh, and a logistic output: the share of the win to expect."""

    def __init__(self, size):
        self.first = [[dice.gauss(0, 0.3) for _ in range(size + 1)] for _ in range(HIDDEN)]
        self.second = [dice.gauss(0, 0.3) for _ in range(HIDDEN + 1)]

    def expect(self, numbers):
        """The answer, and what the hidden layer had to say. Only the numbers that are not zero count."""
        self.seen = [(i, number) for i, number in enumerate(numbers) if number] + [(len(numbers), 1.0)]
        self.hidden = [math.tanh(sum(row[i] * number for i, number in self.seen)) for row in self.first] + [1.0]
        return 1 / (1 + math.exp(-sum(weight * value for weight, value in zip(self.second, self.hidden))))

    def learn(self, numbers, worth, rate):
        error = self.expect(numbers) - worth
        for k, row in enumerate(self.first):
            slope = rate * error * self.second[k] * (1 - self.hidden[k] ** 2)
            for i, number in self.seen:
                row[i] -= slope * number
        for k, value in enumerate(self.hidden):
            self.second[k] -= rate * error * value


def right(network, examples):
    """The share of positions, drawn ones aside, whose winner the network names."""
    decided = [(numbers, worth) for numbers, worth in examples if worth != 0.5]
    return sum((network.expect(numbers) > 0.5) == (worth > 0.5) for numbers, worth in decided) / len(decided)


# %% What it learns from, and what it is tested with

examples = positions(int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 4000)
# Cells that never differ tell nothing, and large counts would drown the others.
useful = [i for i in range(len(examples[0][0])) if len({numbers[i] for numbers, _ in examples}) > 1]
largest = [max(abs(numbers[i]) for numbers, _ in examples) for i in useful]
examples = [([numbers[i] / most for i, most in zip(useful, largest)], worth) for numbers, worth in examples]
learned, kept = examples[len(examples) // 5:], examples[:len(examples) // 5]
won = sum(worth == 1 for _, worth in kept) / sum(worth != 0.5 for _, worth in kept)
print(f"{len(examples)} positions, {len(useful)} numbers each; always the same answer is right in {max(won, 1 - won):.1%}")

# %% Learning

network = Network(len(useful))
for number in range(ROUNDS):
    dice.shuffle(learned)
    for numbers, worth in learned:
        network.learn(numbers, worth, RATE / (1 + number / 3))
    print(f"round {number + 1}: right in {right(network, learned):.1%} of what it learned from, {right(network, kept):.1%} of the others", flush=True)
