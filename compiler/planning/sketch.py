"""Sketch: what a group is to be, drawn before any value: who wins, who fails how much, what each defect aims at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from unco.compiler.checking.structure import owners
from unco.compiler.planning.flips import operands, touched
from unco.compiler.planning.natural import weighted
from unco.specs.family import Family
from unco.specs.verdict import Flip

DEFECTS = ("misaligned", "incomplete", "missed")
SINGLE = 2
"""So many of the candidates, before the winner takes somebody's place, are to fail one condition each; one more in a
group of the shape *apart* or *pair*."""
SHAPES = (("apart", Fraction(1, 2)), ("pair", Fraction(5, 12)), ("free", Fraction(1, 12)))
"""Who is to fail what. *Apart*: conditions of different roles, so that Mixed can stand: it is planned here alone.
*Pair*, without a winner: two candidates what one fact keeps out. It is drawn before the winner, who sways nothing."""
SEVERAL = Fraction(1, 3)
"""The share of groups without a winner in which two could win while what Incomplete, or Missed, withholds is open."""


@dataclass(frozen=True)
class Aim:
    """How the answer is to flip by a defect; its targets, attributes or roles, the preferred one first; and how many
    candidates could win where nobody does.
    """

    flip: Flip
    targets: tuple[str, ...]
    rivals: int = 1


@dataclass(frozen=True)
class Sketch:
    """The winner, how many conditions each candidate fails, the aims, and whether Mixed is planned."""

    winner: int | None
    counts: tuple[int, ...]
    aims: Mapping[str, Aim]
    mixed: bool = False


def offered(family: Family) -> dict[str, dict[str, tuple[str, ...]]]:
    """The targets of each defect, each with the attributes that it withholds."""
    targets = family.perturbations
    roles = {role: tuple(each.id for each in family.owned(role)) for role in targets.missed}
    return {
        "misaligned": {name: (name,) for name in targets.misaligned},
        "incomplete": {name: (name,) for name in targets.incomplete},
        "missed": roles,
    }


def sketched(family: Family, winner: int | None, rng: Random) -> Sketch:
    """Two or three of the candidates fail one condition each, others a drawn number; the winner takes the place of any
    one. Where the author gave the weights, every loser draws from them.
    """
    shape = weighted(SHAPES, rng)
    single = 0 if family.plan.every_loser else min(family.candidates, SINGLE + (shape != "free"))
    drawn = [1] * single + [weighted(family.plan.failed_conditions, rng) for _ in range(family.candidates - single)]
    counts = rng.sample([min(each, len(family.conditions)) for each in drawn], family.candidates)
    single = counts.count(1) if family.plan.every_loser else single
    if winner is not None:
        counts[winner] = 0
    targets = offered(family)
    made = {name: _aim(family, targets[name], winner, rng) for name in DEFECTS}
    aims = {name: _shared(name, aim, shape, rng) for name, aim in made.items() if aim is not None}
    mixed = shape == "apart" and all(targets.values()) and (winner is not None or single > SINGLE)
    aim = _aim(family, targets["misaligned"], winner, rng) if mixed else None
    return Sketch(winner, tuple(counts), {**aims, "mixed": aim} if aim is not None else aims, aim is not None)


def _shared(name: str, aim: Aim, shape: str, rng: Random) -> Aim:
    """The aim, with two rivals in the groups of shape *pair*: for Misaligned in all of them, for the others so that the
    stated share of all groups comes out.
    """
    share = Fraction(1) if name == "misaligned" else SEVERAL / dict(SHAPES)["pair"]
    several = shape == "pair" and rng.randrange(share.denominator) < share.numerator
    return replace(aim, rivals=2) if several and aim.flip is Flip.TO_WINNER else aim


def _aim(family: Family, targets: Mapping[str, tuple[str, ...]], winner: int | None, rng: Random) -> Aim | None:
    """One of the flips that some target may bring about, each as likely, and the targets for it in a drawn order."""
    deciding = [name for name, withheld in targets.items() if touched(family, withheld)]
    counting = [name for name, withheld in targets.items() if not operands(family).isdisjoint(withheld)]
    choices = {Flip.TO_WINNER: deciding}
    if winner is not None:
        choices = {Flip.TO_NONE: deciding, Flip.OTHER_WINNER: deciding, Flip.OTHER_RESULT: counting}
    flips = [flip for flip, names in choices.items() if names]
    if not flips:
        return None
    flip = rng.choice(flips)
    return Aim(flip, tuple(rng.sample(choices[flip], len(choices[flip]))))


def turned(sketch: Sketch, defect: str, cast: Sketch) -> Sketch:
    """The sketch with the target that the defect preferred in a cast of it, and that did not do, asked last."""
    if defect not in cast.aims:
        return sketch
    aim, failed = sketch.aims[defect], cast.aims[defect].targets[0]
    order = (*(each for each in aim.targets if each != failed), failed)
    return replace(sketch, aims={**sketch.aims, defect: replace(aim, targets=order)})


def reshuffled(sketch: Sketch, rng: Random) -> Sketch:
    """The sketch with the targets of each aim in another order."""
    aims = {
        name: replace(aim, targets=tuple(rng.sample(aim.targets, len(aim.targets))))
        for name, aim in sketch.aims.items()
    }
    return replace(sketch, aims=aims)


def failing_sets(family: Family, sketch: Sketch, rng: Random) -> tuple[tuple[frozenset[str], ...], Sketch]:
    """Which conditions each candidate fails, so that the aims can be met; and the aims, the targets that fit first."""
    casting = _Casting(family, sketch, rng)
    aims = dict(sketch.aims)
    cast = [name for name in DEFECTS if name in aims]
    for name in rng.sample(cast, len(cast)):
        fits = next((target for target in aims[name].targets if casting.accepts(name, aims[name], target)), None)
        if fits is not None:
            order = (fits, *(each for each in aims[name].targets if each != fits))
            aims[name] = replace(aims[name], targets=order)
    return casting.sets(), replace(sketch, aims=aims)


class _Casting:
    """Hands single failed conditions to candidates, one aim after another, as far as they agree."""

    def __init__(self, family: Family, sketch: Sketch, rng: Random) -> None:
        self.family = family
        self.sketch = sketch
        self.rng = rng
        self.withheld = offered(family)
        self.ids = [rule.id for rule in family.conditions]
        self.owner = {rule.id: frozenset(owners(family, [rule.expression])) for rule in family.conditions}
        singles = [number for number, count in enumerate(sketch.counts) if count == 1]
        self.free = rng.sample(singles, len(singles))
        self.given: dict[int, str] = {}
        self.avoid: frozenset[str] = frozenset()
        """Conditions that no other candidate is to fail alone."""

    def accepts(self, name: str, aim: Aim, target: str) -> bool:
        """Whether the target can flip the answer so; then what it needs is settled."""
        open_conditions = touched(self.family, self.withheld[name][target])
        match aim.flip:
            case Flip.OTHER_RESULT:
                return True
            case Flip.TO_NONE if name != "misaligned":
                return self._reserve(open_conditions)
            case Flip.TO_WINNER:
                return self._give(open_conditions, aim.rivals)
            case _:
                return self._give(open_conditions, 1)

    def _reserve(self, conditions: frozenset[str]) -> bool:
        """Nobody but the winner is to turn on these conditions."""
        if not conditions.isdisjoint(self.given.values()):
            return False
        self.avoid |= conditions
        return True

    def _give(self, conditions: frozenset[str], wanted: int) -> bool:
        """So many candidates fail one of these conditions and nothing else."""
        holding = sum(each in conditions for each in self.given.values())
        choices = [each for each in self._allowed() if each in conditions]
        if holding >= wanted:
            return self.sketch.winner is not None or holding == wanted
        if (
            wanted - holding > len(self.free)
            or not choices
            or not self._leaves_another_role(conditions, wanted - holding)
        ):
            return False
        for _ in range(wanted - holding):
            self.given[self.free.pop()] = self.rng.choice(choices)
        if self.sketch.winner is None:
            self.avoid |= conditions
        return True

    def _leaves_another_role(self, conditions: frozenset[str], taken: int) -> bool:
        """Without a winner some candidate is to fail alone what another role owns, so that two roles are necessary."""
        if self.sketch.winner is not None or len(self.free) > taken:
            return True
        return any(each not in conditions for each in self.given.values())

    def sets(self) -> tuple[frozenset[str], ...]:
        """The failed conditions of each candidate; what no aim settled is drawn."""
        return tuple(self._set(number, count) for number, count in enumerate(self.sketch.counts))

    def _allowed(self) -> list[str]:
        """The conditions that one more candidate may fail alone: of other roles where Mixed is planned."""
        taken = frozenset(owner for each in self.given.values() for owner in self.owner[each])
        apart = taken if self.sketch.mixed else frozenset()
        return [each for each in self.ids if each not in self.avoid and apart.isdisjoint(self.owner[each])]

    def _set(self, number: int, count: int) -> frozenset[str]:
        if number in self.given:
            return frozenset({self.given[number]})
        if count == 1:
            choices = self._apart() or self._allowed() or self.ids
            self.given[number] = self.rng.choice(choices)
            return frozenset({self.given[number]})
        for _ in range(8):
            drawn = frozenset(self.rng.sample(self.ids, count))
            if not drawn <= self.avoid:
                break
        return drawn

    def _apart(self) -> list[str]:
        """Without a winner: the conditions of other owners than those given so far."""
        taken = frozenset(owner for each in self.given.values() for owner in self.owner[each])
        if self.sketch.winner is not None:
            return []
        return [each for each in self.ids if taken.isdisjoint(self.owner[each]) and each not in self.avoid]
