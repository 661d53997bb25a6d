"""The shared library and its functions, as include/nonet/nonet.h declares them."""
import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p


class CError(ctypes.Structure):
    """struct nonet_error."""

    _fields_ = [("code", c_int32), ("key", ctypes.c_char * 48), ("message", ctypes.c_char * 1024)]


class CThinking(ctypes.Structure):
    """struct nonet_thinking."""

    _fields_ = [("nodes", c_uint64), ("seed", c_uint64), ("memory", c_uint64), ("seconds", c_double), ("level", c_int32),
                ("threads", c_int32)]


class CTally(ctypes.Structure):
    """struct nonet_tally."""

    _fields_ = [("games", c_uint64), ("moves", c_uint64), ("shares", c_uint64 * 4)]


# Handles, errors and arrays are passed as addresses. That is quicker than typed pointers.
_FUNCTIONS = {
    "nonet_version": (c_char_p, []),
    "nonet_words_open": (c_void_p, [c_char_p, c_void_p]),
    "nonet_words_close": (None, [c_void_p]),
    "nonet_shelf_size": (c_int, []),
    "nonet_shelf_game": (c_char_p, [c_int]),
    "nonet_variant_open": (c_void_p, [c_char_p, c_void_p, c_void_p]),
    "nonet_variant_close": (None, [c_void_p]),
    "nonet_variant_name": (c_char_p, [c_void_p]),
    "nonet_variant_game": (c_char_p, [c_void_p]),
    "nonet_variant_json": (c_char_p, [c_void_p]),
    "nonet_variant_players": (c_int, [c_void_p]),
    "nonet_variant_facts": (c_uint32, [c_void_p]),
    "nonet_variant_actions": (c_int, [c_void_p]),
    "nonet_variant_action_of": (c_int, [c_void_p, c_uint32]),
    "nonet_variant_action_move": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "nonet_round_open": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "nonet_round_open_seen": (c_void_p, [c_void_p, c_int, c_char_p, POINTER(c_char_p), c_size_t, c_char_p, c_void_p]),
    "nonet_round_write": (c_char_p, [c_void_p, c_void_p]),
    "nonet_round_read": (c_void_p, [c_char_p, c_void_p, c_void_p]),
    "nonet_round_copy": (c_void_p, [c_void_p, c_void_p]),
    "nonet_round_close": (None, [c_void_p]),
    "nonet_round_turn": (c_int, [c_void_p]),
    "nonet_round_players": (c_int, [c_void_p]),
    "nonet_round_ply": (c_int, [c_void_p]),
    "nonet_round_played": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "nonet_round_legal_count": (c_uint64, [c_void_p]),
    "nonet_round_legal": (c_size_t, [c_void_p, c_uint64, c_void_p, c_size_t]),
    "nonet_round_move_text": (c_char_p, [c_void_p, c_uint32, c_void_p]),
    "nonet_round_parse": (c_int, [c_void_p, c_char_p, c_void_p, c_void_p]),
    "nonet_round_why": (c_int, [c_void_p, c_uint32, c_void_p]),
    "nonet_round_play": (c_int, [c_void_p, c_uint32, c_void_p]),
    "nonet_round_play_text": (c_int, [c_void_p, c_char_p, c_void_p]),
    "nonet_round_undo": (c_int, [c_void_p]),
    "nonet_round_redo": (c_int, [c_void_p]),
    "nonet_round_restart": (None, [c_void_p]),
    "nonet_round_winners": (c_uint32, [c_void_p]),
    "nonet_round_share": (c_int, [c_void_p, c_int]),
    "nonet_round_points": (c_int, [c_void_p, c_int, c_void_p, c_void_p]),
    "nonet_round_reason": (c_char_p, [c_void_p, c_void_p]),
    "nonet_round_text": (c_char_p, [c_void_p, c_int, c_void_p]),
    "nonet_round_position": (c_char_p, [c_void_p, c_int, c_void_p]),
    "nonet_round_scene": (c_char_p, [c_void_p, c_int, c_void_p]),
    "nonet_round_draw": (c_char_p, [c_void_p, c_int, c_int, c_void_p]),
    "nonet_round_tensor_size": (c_size_t, [c_void_p]),
    "nonet_round_tensor": (c_int, [c_void_p, c_int, c_void_p, c_size_t, c_void_p]),
    "nonet_round_mask": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p]),
    "nonet_round_probe": (c_char_p, [c_void_p, c_double, c_void_p]),
    "nonet_round_think": (c_char_p, [c_void_p, c_void_p, c_void_p]),
    "nonet_round_choose": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "nonet_round_playouts": (c_int, [c_void_p, c_uint64, c_uint64, c_void_p, c_void_p]),
    "nonet_batch_open": (c_void_p, [c_void_p, c_size_t, c_uint64, c_void_p]),
    "nonet_batch_close": (None, [c_void_p]),
    "nonet_batch_step": (c_int, [c_void_p, c_void_p, c_void_p, c_void_p]),
    "nonet_batch_choose": (c_int, [c_void_p, c_void_p, c_void_p]),
    "nonet_batch_restart": (c_size_t, [c_void_p]),
    "nonet_batch_turns": (c_int, [c_void_p, c_void_p, c_void_p]),
    "nonet_batch_winners": (c_int, [c_void_p, c_void_p, c_void_p]),
    "nonet_batch_legal": (c_size_t, [c_void_p, c_size_t, c_uint64, c_void_p, c_size_t]),
}


def _load() -> ctypes.CDLL:
    """$NONET_LIBRARY, what came with the package, a build beside it, or what the system has installed."""
    here = pathlib.Path(__file__).resolve().parent
    named = os.environ.get("NONET_LIBRARY")
    places = [named] if named else [here / "libnonet.so.1", here.parent.parent / "build/library/libnonet.so.1"]
    for place in places:
        if named or pathlib.Path(place).exists():
            return ctypes.CDLL(str(place))
    try:
        return ctypes.CDLL("libnonet.so.1")
    except OSError as error:
        raise ImportError(f"libnonet.so.1 was not found ({error}): install the library, or set NONET_LIBRARY") from None


library = _load()
for _name, (_returns, _takes) in _FUNCTIONS.items():
    _function = getattr(library, _name)
    _function.restype, _function.argtypes = _returns, _takes
