#!/usr/bin/env python3
"""What is there for programs that learn: the same states as the games, what an AEC environment has to keep, nothing hidden
in what an agent observes, and a network that learns something.

    NONET_LIBRARY=… PYTHONPATH=python test_learning.py
"""
import importlib.util
import pathlib
import random
import re
import subprocess
import sys
import unittest

import nonet
from nonet import IllegalMove, NonetError
from nonet.learning import TERMINAL, Env, LearningGame, pettingzoo_env

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VARIANTS = [("quadrangle", {}), ("mix3", {}), ("kudosu", {}), ("trix", {}), ("kolem", {}), ("ksar", {"frame": "6x5"}), ("chasm", {"players": 3}),
            ("masker", {"players": 2}), ("masker", {"players": 4})]


class States(unittest.TestCase):
    def test_games(self):
        for name, options in VARIANTS:
            with self.subTest(name):
                game, dice = LearningGame(name, **options), random.Random(1)
                state = game.new_initial_state()
                self.assertEqual(len(state.returns()), game.num_players())
                while not state.is_terminal():
                    actions = state.legal_actions()
                    self.assertEqual(sorted(map(state.action_to_string, actions)), sorted(state.game.legal()))
                    self.assertEqual([i for i, legal in enumerate(state.legal_actions_mask()) if legal], actions)
                    self.assertEqual(state.legal_actions((state.current_player() + 1) % game.num_players()), [])
                    self.assertEqual([len(state.observation_tensor())], game.observation_tensor_shape())
                    self.assertTrue(all(game.action_of(game.move_of(action)) == action for action in actions))
                    other, action = state.clone(), dice.choice(actions)
                    before = str(state)
                    state.apply_action(action)
                    other.apply_action(action)
                    self.assertEqual((str(state), state.observation_tensor(0)), (str(other), other.observation_tensor(0)))
                    other.undo_action()
                    self.assertEqual(str(other), before)
                self.assertEqual((state.current_player(), state.legal_actions()), (TERMINAL, []))
                self.assertTrue(all(game.min_utility() <= got <= game.max_utility() for got in state.returns()))
                if game.num_players() == 2:
                    self.assertAlmostEqual(sum(state.returns()), 0)

    def test_who_won(self):
        """The square of b2, c2, b3, c3 wins Quadrangle."""
        game = LearningGame("quadrangle")
        state = game.new_initial_state()
        for text in ("b2", "a4", "c2", "d4", "b3", "d1", "c3"):
            state.apply_action(next(action for action in state.legal_actions() if state.action_to_string(action) == text))
        self.assertEqual(state.returns(), [1, -1])

    def test_wrong(self):
        with self.assertRaises(NonetError):
            LearningGame("fullend")
        state = LearningGame("quadrangle").new_initial_state()
        state.apply_action(0)
        with self.assertRaises(IllegalMove):
            state.apply_action(0)
        for action in (-1, 16, 2**32 + 1):
            with self.assertRaises(NonetError):
                state.apply_action(action)
        for player in (TERMINAL, -2, -1, 2, 2**32):
            for observed in (state.observation_tensor, state.observation_string):
                with self.assertRaises(NonetError):
                    observed(player)
        self.assertEqual(LearningGame("quadrangle").action_of(2**32), -1)

    def test_sides(self):
        """An observation is from the observer's side: players 1 and 2 see a piece of their own as the same owner's."""
        features, owners = 32, slice(5 * 32 + 26, 5 * 32 + 31)  # of the cell b2, as docs/python.md tells
        game = LearningGame("quadrangle")
        one, two = game.new_initial_state(), game.new_initial_state()
        one.apply_action(5)
        two.apply_action(0)
        two.apply_action(5)
        self.assertEqual(one.observation_tensor(0)[owners], [0, 1, 0, 0, 0])
        self.assertEqual(one.observation_tensor(1)[owners], [0, 0, 1, 0, 0])
        self.assertEqual(two.observation_tensor(1)[owners], [0, 1, 0, 0, 0])
        self.assertEqual(one.observation_tensor(0)[6 * features:7 * features], [0] * features)  # c2 is empty

    def test_hidden(self):
        """A deal that differs only in the others' discs looks the same to a player."""
        deal = nonet.Game("masker", players=3, seed=1).observe(1)["options"]["deal"]
        game = LearningGame("masker", players=3, deal=deal)
        some, other = (game.new_initial_state(colours=colours) for colours in ("RGB", "RVY"))
        for _ in range(6):
            if some.current_player() != 0:  # a player's own moves may depend on what they know
                break
            self.assertEqual(some.observation_tensor(0), other.observation_tensor(0))
            action = some.legal_actions()[0]
            some.apply_action(action)
            other.apply_action(action)
        self.assertNotEqual(some.observation_tensor(1), other.observation_tensor(1))


class Whole:
    """A whole number that is no int, as those of numpy."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


class Environments(unittest.TestCase):
    """What the API test of PettingZoo asks of an AEC environment."""

    def check_tables(self, env):
        for table in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
            self.assertEqual(set(table), set(env.agents))
        self.assertIn(env.agent_selection, env.agents)

    def play(self, env, dice):
        got = {agent: 0.0 for agent in env.possible_agents}
        since = dict(got)  # the rewards of all steps since an agent was asked
        for agent in env.agent_iter(10000):
            self.assertEqual(agent, env.agent_selection)
            self.check_tables(env)
            observation, reward, terminated, truncated, info = env.last()
            self.assertIsNone(env.last(observe=False)[0])
            self.assertTrue(env.observation_space(agent).contains(observation))
            self.assertIsInstance(info, dict)
            self.assertIs(type(terminated), bool)
            self.assertIs(type(truncated), bool)
            self.assertEqual(reward, since[agent])
            since[agent] = 0.0
            got[agent] += reward
            if terminated or truncated:
                self.assertIsNone(env.step(None))
                self.assertNotIn(agent, env.agents)
            else:
                for other in env.agents:  # only the agent whose turn it is may act
                    self.assertEqual(any(env.observe(other)["action_mask"]), other == agent)
                self.assertIsNone(env.step(env.action_space(agent).sample(observation["action_mask"])))
            for each, more in env.rewards.items():
                since[each] += more
        self.assertEqual(env.num_agents, 0)
        return got

    def test_whole_games(self):
        for name, options in VARIANTS:
            with self.subTest(name):
                random.seed(1)
                env = Env(name, **options)
                self.assertEqual(env.max_num_agents, len(env.possible_agents))
                for agent in env.possible_agents:
                    self.assertIs(env.observation_space(agent), env.observation_space(agent))
                    self.assertIs(env.action_space(agent), env.action_space(agent))
                for seed in (1, 2):
                    env.reset(seed=seed)
                    self.assertEqual(env.agents, env.possible_agents)
                    self.assertIsInstance(env.render(), str)
                    got = self.play(env, random)
                    self.assertEqual(list(got.values()), env.state.returns())
                env.close()

    def test_same_seed(self):
        texts = []
        for _ in range(2):
            env = Env("masker", players=3)
            env.reset(seed=7)
            texts.append(str(env.state))
        self.assertEqual(*texts)

    def test_numbers_of_other_libraries(self):
        env = Env("quadrangle")
        env.reset(seed=0, options={"anything": 1})
        env.step(Whole(3))
        self.assertEqual(env.state.game.played, ["d1"])
        state = env.state
        state.apply_action(Whole(4))
        state.game.play(Whole(state.game.numbers()[0]))
        self.assertEqual(state.game.ply, 3)
        with self.assertRaises(IllegalMove):
            state.game.play(Whole(2**40))

    def test_cut(self):
        env = Env("trix", longest=4)
        env.reset()
        random.seed(1)
        self.play(env, random)
        self.assertEqual(env.state.game.ply, 4)

    def test_wrong(self):
        env = Env("quadrangle")
        env.reset()
        env.step(3)
        with self.assertRaises(IllegalMove):
            env.step(3)
        for action in (None, -1, 16, "a1"):
            with self.assertRaises(NonetError):
                env.step(action)
        self.assertEqual(env.state.game.ply, 1)

    @unittest.skipIf(importlib.util.find_spec("pettingzoo") is None, "PettingZoo is not installed")
    def test_pettingzoo(self):
        from pettingzoo.test import api_test
        for name, options in VARIANTS:
            with self.subTest(name):
                api_test(pettingzoo_env(name, **options), num_cycles=100)


class Learning(unittest.TestCase):
    def test_network(self):
        got = subprocess.run([sys.executable, ROOT / "examples/train_quadrangle.py", "1200"], capture_output=True, text=True, timeout=120)
        always = float(re.search(r"right in ([\d.]+)%\n", got.stdout)[1])
        learned = float(re.findall(r"([\d.]+)% of what it learned", got.stdout)[-1])
        self.assertGreater(learned, always + 5, got.stdout + got.stderr)


if __name__ == "__main__":
    outcome = unittest.main(exit=False, verbosity=0).result
    wrong = len(outcome.failures) + len(outcome.errors)
    passed = max(0, outcome.testsRun - wrong - len(outcome.skipped))  # a failed part of a test counts by itself
    print(f"{passed} passed, {wrong} failed")
    sys.exit(wrong > 0)
