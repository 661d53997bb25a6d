"""For programs that learn: numbered actions, positions as numbers, and two surfaces that such programs know.

`LearningGame` and `State` are called as OpenSpiel's games and states are, `Env` as a PettingZoo AEC environment. Neither
of these packages is needed.
"""
from __future__ import annotations

import ctypes
import operator
import random
from array import array
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from ._library import CError, library
from .errors import NonetError, as_int, error_of
from .game import Game, Variant

TERMINAL = -4  # the current player of a finished game, as OpenSpiel says it


class LearningGame:
    """A game with numbered actions: `LearningGame("masker", players=3)`. Players count from 0 here."""

    def __init__(self, game: str, **options: Any) -> None:
        self._name, self._options = game, options
        self._variant = Variant(game, options)
        self._actions: int = library.nonet_variant_actions(self._variant.handle)
        if self._actions == 0:
            raise NonetError(f"{game} has no numbered actions: it has too many moves")
        first = Game(game, **options)
        self._size: int = library.nonet_round_tensor_size(first._handle)

    def __str__(self) -> str:
        return self._variant.name

    def num_players(self) -> int:
        return self._variant.players

    def num_distinct_actions(self) -> int:
        return self._actions

    def observation_tensor_shape(self) -> List[int]:
        return [self._size]

    def min_utility(self) -> float:
        return -1.0

    def max_utility(self) -> float:
        return 1.0

    def new_initial_state(self, **dealt: Any) -> "State":
        """A state at the first position. What is dealt is chosen at random, unless it is told: `seed=1`."""
        return State(self, Game(self._name, **{**self._options, **dealt}))

    def action_of(self, move: int) -> int:
        """The action of a move's number; -1 if it has none."""
        return library.nonet_variant_action_of(self._variant.handle, move) if 0 <= move < 2**32 else -1

    def move_of(self, action: int) -> int:
        """The move's number of an action."""
        found, error = ctypes.c_uint32(), CError()
        if library.nonet_variant_action_move(self._variant.handle, as_int(action), ctypes.addressof(found), ctypes.addressof(error)):
            raise error_of(error)
        return found.value


class State:
    """A position that actions are applied to."""

    def __init__(self, game: LearningGame, played: Game) -> None:
        self._game, self.game = game, played
        self._mask = (ctypes.c_uint8 * game.num_distinct_actions())()
        self._numbers = (ctypes.c_float * game.observation_tensor_shape()[0])()

    def __str__(self) -> str:
        return self.game.text

    def current_player(self) -> int:
        """From 0; TERMINAL if the game is over."""
        return self.game.to_move - 1 if not self.game.over else TERMINAL

    def is_terminal(self) -> bool:
        return self.game.over

    def is_chance_node(self) -> bool:
        """Chance only deals, before the first move."""
        return False

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """In rising order; none for a player whose turn it is not."""
        if player is not None and player != self.current_player():
            return []
        return sorted(self._game.action_of(move) for move in self.game.numbers())

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        """A 1 for each legal action."""
        if player is not None and player != self.current_player():
            return [0] * len(self._mask)
        library.nonet_round_mask(self.game._handle, ctypes.addressof(self._mask), len(self._mask), None)
        return self._mask[:]

    def apply_action(self, action: int) -> None:
        """Plays the move of an action. Raises IllegalMove, with the reason."""
        self.game.play(self._game.move_of(action))

    def undo_action(self, player: int = 0, action: int = 0) -> None:
        self.game.undo()

    def action_to_string(self, *action: int) -> str:
        return self.game.move_text(self._game.move_of(action[-1]))

    def returns(self) -> List[float]:
        """What each player has of a finished game, from -1 for a loss to 1 for a win; zeros while it goes on."""
        players = range(1, self.game.players + 1)
        return [2 * self.game.share(player) - 1 if self.game.over else 0.0 for player in players]

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        """The position as a player may know it; by default the player whose turn it is. docs/python.md explains it."""
        viewer = self.game.to_move if player is None else self._seat(player)
        error = CError()
        if library.nonet_round_tensor(self.game._handle, viewer, ctypes.addressof(self._numbers), len(self._numbers), ctypes.addressof(error)):
            raise error_of(error)
        return self._numbers[:]

    def observation_string(self, player: int) -> str:
        return self.game.text_for(self._seat(player))

    def _seat(self, player: int) -> int:
        """Numbers below 0 mean chance and the like in OpenSpiel, and a viewer who may know everything in `Game`: neither observes here."""
        if not 0 <= player < self.game.players:
            raise NonetError(f"there is no player {player}")
        return player + 1

    def clone(self) -> "State":
        return State(self._game, self.game.copy())


class Discrete:
    """The space of n actions."""

    def __init__(self, n: int) -> None:
        self.n, self.shape, self.dtype = n, (), "int64"

    def contains(self, action: Any) -> bool:
        try:
            return 0 <= operator.index(action) < self.n  # whole numbers of numpy too
        except TypeError:
            return False

    def sample(self, mask: Optional[Any] = None) -> int:
        """A random action; with a mask, one that it allows."""
        return random.choice([action for action in range(self.n) if mask is None or mask[action]])


class Box:
    """The space of so many numbers."""

    def __init__(self, size: int) -> None:
        self.shape, self.dtype = (size,), "float32"

    def contains(self, numbers: Any) -> bool:
        return len(numbers) == self.shape[0]


class Observations(Dict[str, Any]):
    """The space of what `observe` gives."""

    def contains(self, observation: Any) -> bool:
        return observation.keys() == self.keys() and all(space.contains(observation[key]) for key, space in self.items())


class Env:
    """A PettingZoo AEC environment: `Env("quadrangle")`. Agents are "player_1" and so on.

    An observation has the numbers of State.observation_tensor as `observation` and the legal actions as `action_mask`.
    They are arrays of the standard library; `as_array=numpy.asarray` makes them numpy's. A game that is not over after
    `longest` actions is cut off.
    """

    def __init__(self, game: str, *, as_array: Callable[[array], Any] = lambda numbers: numbers, longest: int = 1000, **options: Any) -> None:
        self._game, self._as_array, self._longest = LearningGame(game, **options), as_array, longest
        self.metadata = {"name": f"nonet_{game}_v0", "is_parallelizable": False, "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.possible_agents = [f"player_{seat}" for seat in range(1, self._game.num_players() + 1)]
        self._actions = {agent: Discrete(self._game.num_distinct_actions()) for agent in self.possible_agents}
        self._observations = {agent: Observations(observation=Box(self._game.observation_tensor_shape()[0]), action_mask=Box(self._game.num_distinct_actions()))
                              for agent in self.possible_agents}
        self.observation_spaces, self.action_spaces = self._observations, self._actions
        self.agents: List[str] = []

    def observation_space(self, agent: str) -> Observations:
        return self._observations[agent]

    def action_space(self, agent: str) -> Discrete:
        return self._actions[agent]

    @property
    def num_agents(self) -> int:
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        return len(self.possible_agents)

    @property
    def unwrapped(self) -> "Env":
        return self

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins a game. The seed decides the deal, in a game that has one."""
        dealt = {"seed": seed} if seed is not None and any(option["key"] == "seed" for option in self._game._variant.facts["options"]) else {}
        self.state = self._game.new_initial_state(**dealt)
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = dict(self.terminations)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def _to_move(self) -> str:
        return self.possible_agents[self.state.current_player()]

    def observe(self, agent: str) -> Dict[str, Any]:
        """What an agent may know: numbers, and the actions that it may take now."""
        player = self.possible_agents.index(agent)
        return {"observation": self._as_array(array("f", self.state.observation_tensor(player))),
                "action_mask": self._as_array(array("b", self.state.legal_actions_mask(player)))}

    def last(self, observe: bool = True) -> Tuple[Optional[Dict[str, Any]], float, bool, bool, Dict[str, Any]]:
        """What the selected agent sees, what it got since it acted last, and whether it is done."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent])

    def step(self, action: Optional[int]) -> None:
        """Applies an action of the selected agent. An agent that is done takes None, and is gone. Raises IllegalMove."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise NonetError("an agent that is done can only take None")
            self._remove(agent)
            return
        if not self._actions[agent].contains(action):
            raise NonetError(f"{action!r} is no action: it is a number below {self._actions[agent].n}")
        self.state.apply_action(action)
        self._cumulative_rewards[agent] = 0.0
        over, cut = self.state.is_terminal(), self.state.game.ply >= self._longest
        for each, got in zip(self.possible_agents, self.state.returns()):
            self.rewards[each] = got
            self._cumulative_rewards[each] += got
            self.terminations[each], self.truncations[each] = over, cut and not over
        self.agent_selection = self.agents[0] if over or cut else self._to_move()

    def _remove(self, agent: str) -> None:
        for table in (self.rewards, self._cumulative_rewards, self.terminations, self.truncations, self.infos):
            del table[agent]
        self.rewards = dict.fromkeys(self.rewards, 0.0)  # this step gave none
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The selected agent, again and again, until all are gone."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def render(self) -> str:
        return str(self.state.game)

    def close(self) -> None:
        """There is nothing to close."""


def pettingzoo_env(game: str, *, longest: int = 1000, **options: Any) -> Any:
    """The same as an environment of PettingZoo's own class, with arrays of numpy and spaces of Gymnasium, for programs that
    ask for these. As in PettingZoo's games, an illegal action ends the game, and its agent gets -1."""
    import numpy
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import TerminateIllegalWrapper

    class NonetEnv(Env, AECEnv):
        pass

    env = NonetEnv(game, as_array=numpy.asarray, longest=longest, **options)
    for agent in env.possible_agents:
        (size,), count = env.observation_space(agent)["observation"].shape, env.action_space(agent).n
        env.observation_spaces[agent] = spaces.Dict({"observation": spaces.Box(-numpy.inf, numpy.inf, (size,), numpy.float32),
                                                     "action_mask": spaces.Box(0, 1, (count,), numpy.int8)})
        env.action_spaces[agent] = spaces.Discrete(count)
    return TerminateIllegalWrapper(env, illegal_reward=-1)
