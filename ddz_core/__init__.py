"""Dou Dizhu at compiled speed: legal moves, simulation and search."""

import typing

try:
    from ddz_core._batch import legal_moves_batch
except ModuleNotFoundError as error:
    if error.name != "ddz_core._batch":
        raise
    # Python in the clone finds the source before it finds what was installed from it.
    raise ImportError(
        f"ddz_core is not compiled in {__path__[0]}: start Python in another folder to use an "
        'installed one, or compile this one with pip install -e "."'
    ) from error
from ddz_core._position import Position, divide, perft
from ddz_core._queries import (
    all_plays,
    classify,
    count_legal_moves,
    legal_move_at,
    legal_moves,
)
from ddz_core._turns import decompose, min_turns
from ddz_core._values import Hand, Move, MoveList, move_dtype, pack_counts, unpack_counts
from ddz_core.actions import ActionSpace
from ddz_core.auction import Auction, Bid
from ddz_core.deal import SUITS, Deal, card_name, deal
from ddz_core.errors import (
    DdzError,
    Illegal,
    IllegalMoveError,
    InvalidCardsError,
    PhaseError,
    RecordError,
)
from ddz_core.estimates import Estimate, Rate
from ddz_core.evaluate import (
    BidEvaluation,
    MoveEstimate,
    MoveEvaluation,
    SideEstimate,
    evaluate_bid,
    evaluate_moves,
)
from ddz_core.game import Game, Phase, Result
from ddz_core.hidden import WeightedSample, sample_hidden, sample_weighted
from ddz_core.lazy import submodules as _submodules
from ddz_core.legality import why_illegal
from ddz_core.match import Match
from ddz_core.observation import Observation, hint
from ddz_core.playout import PlayoutStats, playout, random_hands
from ddz_core.policies import Policy, built_in
from ddz_core.record import Record
from ddz_core.rules import Rules
from ddz_core.simulate import SimulationResult, simulate
from ddz_core.solve import Analysis, Solution, analyse, solve, solve_batch
from ddz_core.vocabulary import Kind, Rank

if typing.TYPE_CHECKING:
    from ddz_core import bots as bots
    from ddz_core import envs as envs
    from ddz_core import features as features
    from ddz_core import importers as importers
    from ddz_core import interop as interop
else:
    # What these cost is for those who ask for them.
    __getattr__ = _submodules(__name__, ("bots", "envs", "features", "importers", "interop"))

__version__ = "0.1.0"

__all__ = [
    "SUITS",
    "ActionSpace",
    "Analysis",
    "Auction",
    "Bid",
    "BidEvaluation",
    "DdzError",
    "Deal",
    "Estimate",
    "Game",
    "Hand",
    "Illegal",
    "IllegalMoveError",
    "InvalidCardsError",
    "Kind",
    "Match",
    "Move",
    "MoveEstimate",
    "MoveEvaluation",
    "MoveList",
    "Observation",
    "Phase",
    "PhaseError",
    "PlayoutStats",
    "Policy",
    "Position",
    "Rank",
    "Rate",
    "Record",
    "RecordError",
    "Result",
    "Rules",
    "SideEstimate",
    "SimulationResult",
    "Solution",
    "WeightedSample",
    "all_plays",
    "analyse",
    "built_in",
    "card_name",
    "classify",
    "count_legal_moves",
    "deal",
    "decompose",
    "divide",
    "evaluate_bid",
    "evaluate_moves",
    "hint",
    "legal_move_at",
    "legal_moves",
    "legal_moves_batch",
    "min_turns",
    "move_dtype",
    "pack_counts",
    "perft",
    "playout",
    "random_hands",
    "sample_hidden",
    "sample_weighted",
    "simulate",
    "solve",
    "solve_batch",
    "unpack_counts",
    "why_illegal",
]
