"""Needs: which candidates do not yet serve what the sketch aims at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unco.compiler.planning.flips import Hidden, Standings, hiding_attribute, hiding_role, touched
from unco.compiler.planning.sketch import DEFECTS, Sketch, offered
from unco.solver.judge import judge
from unco.specs.family import Family
from unco.specs.instance import Instance
from unco.specs.verdict import Flip


def wanting(family: Family, instance: Instance, sets: Sequence[frozenset[str]], sketch: Sketch) -> list[int]:
    """The candidates whom the hidden cells of a preferred target do not touch as the aim asks."""
    standings = Standings(family, instance, judge(family, instance))
    return list(dict.fromkeys(_unserved(standings, sets, sketch)))


def _unserved(standings: Standings, sets: Sequence[frozenset[str]], sketch: Sketch) -> Iterator[int]:
    withheld = offered(standings.family)
    for name, aim in ((each, sketch.aims[each]) for each in DEFECTS if each in sketch.aims):
        target = aim.targets[0]
        hidden = (hiding_role if name == "missed" else hiding_attribute)(standings.family, target)
        if sketch.winner is not None and not _winner_serves(standings, sketch.winner, aim.flip, hidden):
            yield sketch.winner
        open_conditions = touched(standings.family, withheld[name][target])
        rivals = aim.flip in (Flip.OTHER_WINNER, Flip.TO_WINNER) or name == "misaligned"
        for candidate, failing in enumerate(sets if rivals else ()):
            if candidate != sketch.winner and failing <= open_conditions and not standings.could_win(candidate, hidden):
                yield candidate


def _winner_serves(standings: Standings, winner: int, flip: Flip, hidden: Hidden) -> bool:
    if flip is Flip.OTHER_RESULT:
        return standings.could_differ(winner, hidden)
    return standings.could_fail(winner, hidden)
