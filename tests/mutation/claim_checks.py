"""Checks of the claims about one instance, and of what is harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from random import Random

from tests.mutation.bare import bare
from tests.mutation.fate import Check
from tests.mutation.instance_checks import WHOLE, asked, chosen, coarse_of, evidences, near, outcomes
from tests.mutation.query_families import families
from unco.solver import claims
from unco.solver.decide import Prover
from unco.solver.harmless import Telling, harmless, readings
from unco.solver.judge import exists, judge, violations
from unco.solver.queries import another_answer
from unco.solver.sufficient import least_hitting_set, smallest_sufficient
from unco.solver.witness import first_move
from unco.specs.domains import BooleanDomain, CategoryDomain
from unco.specs.evidence import NOTHING, Between, Exact, Knowledge, OneOf, full
from unco.specs.family import Cell, Family
from unco.specs.group import CandidateGroup, Harmless, Incomplete, Misaligned, Missed, Mixed
from unco.specs.instance import Instance, Outcome, SeveralEligible, Winner

# Claims --------------------------------------------------------------------------------------------------------------


def claimed(name: str, claim: Callable[[Prover, Instance, Outcome], object]) -> object:
    """The verdicts of a claim about instances of every kind of outcome."""
    prover = Prover(families()[name])
    return [bare(claim(prover, each, outcome)) for each, outcome in chosen(name)]


def legal_and_unique(prover: Prover, instance: Instance, outcome: Outcome) -> object:
    found = [claims.uniqueness(prover.family, instance, other) for other in near(outcome)]
    return claims.legality(prover.family, instance), found


def necessary(prover: Prover, instance: Instance, outcome: Outcome) -> object:
    found = {role.id: claims.necessity(prover, instance, outcome, role.id) for role in prover.family.roles}
    alone = [claims.no_oracle(prover, instance, outcome, role, found) for role in found]
    return found, alone, [claims.no_oracle(prover, instance, outcome, role, {role: found[role]}) for role in found]


def misread(prover: Prover, instance: Instance, outcome: Outcome) -> object:
    defect = Misaligned("fee", "last")
    face = claims.face_values(prover.family, instance, defect)
    return face, claims.misaligned(prover.family, instance, outcome, defect)


def vague(prover: Prover, instance: Instance, outcome: Outcome) -> object:
    """Coarse replies that are true or not, coarser or not, of all candidates or of one."""
    family, found = prover.family, []
    for attribute in family.attributes:
        cells = [c for c in family.cells if c.attribute == attribute.id and c.context == attribute.required]
        for coarse in _replies(family, instance, cells):
            reply = Incomplete(attribute.id, coarse)
            because = claims.untrue(family, instance, reply)
            found.append(because or claims.incomplete(prover, instance, outcome, reply))
    return found


def _replies(family: Family, instance: Instance, cells: list[Cell]) -> Iterator[dict[Cell, Knowledge]]:
    domain = family.domains[cells[0].slot]
    first, last = domain.value(0), domain.value(domain.size - 1)
    yield dict.fromkeys(cells, NOTHING)
    yield dict.fromkeys(cells[:1], NOTHING)
    yield {cell: Exact(instance.cells[cell]) for cell in cells}
    yield {cell: NOTHING if exists(family, instance, cell) else Exact(last) for cell in cells}
    yield dict.fromkeys(cells, Between(first, last))
    yield {cell: OneOf((first, last)) for cell in cells}
    yield {cell: OneOf((instance.cells[cell], first)) for cell in cells}
    yield {cell: OneOf((instance.cells[cell], "nothing")) for cell in cells}
    if not isinstance(domain, BooleanDomain | CategoryDomain):
        yield {cell: Between(instance.cells[cell], last) for cell in cells}
        yield {cell: Between(first, domain.value(1)) for cell in cells}


def mixed(prover: Prover, instance: Instance, outcome: Outcome) -> object:
    found = []
    for omitted, missed in MIXED:
        defect = Mixed(Misaligned("fee", "last"), omitted, missed)
        found.append([(sorted(state), verdict) for state, verdict in claims.mixed(prover, instance, outcome, defect)])
        for name in claims.DEFECTS:
            found.append([claims.defect_cells(prover.family, defect, name)])  # type: ignore[list-item]
    return found


MIXED = (("score", "office"), ("licence", "marks"), ("score", "marks"))
"""What is omitted, and who is silent."""


@cache
def several_at_face_value(name: str) -> tuple[tuple[Instance, Outcome], ...]:
    """Instances with a winner in which several are eligible by last year's fee."""
    family = families()[name]
    faces = ((each, out, claims.face_values(family, each, Misaligned("fee", "last"))) for each, out in outcomes(name))
    legal = ((each, out, each.changed(face)) for each, out, face in faces if isinstance(out, Winner))
    return tuple(
        (each, out)
        for each, out, read in legal
        if not violations(family, read) and isinstance(judge(family, read), SeveralEligible)
    )


def mixed_more(name: str, part: int) -> object:
    """The eight states of further groups."""
    prover, found = Prover(families()[name]), []
    for instance, outcome in (*outcomes(name)[part : part + 12 : 4], *several_at_face_value(name)[part : part + 8 : 4]):
        if not isinstance(outcome, SeveralEligible):
            defect = Mixed(Misaligned("fee", "last"), *MIXED[part % 2])
            found += [(sorted(state), bare(each)) for state, each in claims.mixed(prover, instance, outcome, defect)]
    return found


def sufficing(prover: Prover, instance: Instance, outcome: Outcome) -> object:
    if isinstance(outcome, SeveralEligible):
        return None
    coarse = full(instance).with_knowledge(dict.fromkeys(prover.family.cells[-1:], NOTHING))
    return [
        claims.sufficient(prover, instance, outcome),
        claims.sufficient(prover, instance, outcome, coarse),
        smallest_sufficient(prover, instance, outcome),
    ]


def open_or_not(name: str, part: int) -> object:
    """Openness by a move and by the solver, as looking at every completion says; the witness is one of them."""
    family, found = families()[name], []
    prover = Prover(family)
    for (instance, outcome, evidence), (_, _, _, fits) in list(zip(evidences(name), asked(name)[::2], strict=True))[
        part::4
    ]:
        for decide in (claims.openness, claims.openness_by_solver):
            if isinstance(outcome, SeveralEligible):
                continue
            verdict = decide(prover, instance, evidence, outcome)
            if name in WHOLE:
                assert (type(verdict).__name__ == "Proved") == any(fits)
            found.append(bare(verdict))
        move = first_move(family, instance, evidence, outcome)
        found.append(bare(move))
    return found


def without_answers(name: str) -> object:
    """Nothing is claimed where the solver may not answer, or gives up."""
    found: list[object] = []
    for prover in (Prover(families()[name], asks=False), Prover(families()[name], 1)):
        for instance, outcome, evidence in list(evidences(name))[:3]:
            found.append(bare(claims.openness_by_solver(prover, instance, evidence, outcome)))
            if not isinstance(outcome, SeveralEligible):
                found.append(bare(claims.sufficient(prover, instance, outcome)))
            if not isinstance(outcome, SeveralEligible) and name != "measured":
                defect = Mixed(Misaligned("fee", "last"), *MIXED[0])
                found += [bare(each) for _, each in claims.mixed(prover, instance, outcome, defect)]
            found.append(bare(prover.decide_fresh(another_answer(prover.family, evidence, outcome, promise=True))))
    return found


def hitting_sets() -> object:
    rng = Random(3)
    return [least_hitting_set([tuple(rng.sample(range(6), rng.randint(1, 3))) for _ in range(5)]) for _ in range(60)]


# Harmless ------------------------------------------------------------------------------------------------------------


def tellings(name: str) -> object:
    """Which coarse facts no rule can tell from exact ones."""
    family, rng, found = families()[name], Random(f"telling {name}"), []
    for instance, _ in chosen(name):
        for candidate in range(family.candidates):
            telling = Telling(family, instance, candidate)
            for _ in range(8):
                slots = rng.sample([slot for slot in family.slots if not slot.member], rng.randint(1, 3))
                coarse = {slot: coarse_of(family, Cell(candidate, *slot), instance, rng) for slot in slots}
                found.append((telling.wins, telling.same_throughout(coarse)))
    return found


def harmless_groups(name: str) -> object:
    """Whole groups with coarse facts and extras beside their defects."""
    family, rng, found = families()[name], Random(f"harmless {name}"), []
    decoy, other = Misaligned("fee", "last"), Misaligned("fee", "this")
    for instance, outcome in chosen(name):
        for attribute in family.attributes:
            cells = [c for c in family.cells if c.attribute == attribute.id and c.context == attribute.required]
            for _ in range(2):
                vague = Incomplete(attribute.id, {cell: coarse_of(family, cell, instance, rng) for cell in cells})
                mixed = Mixed(decoy, attribute.id, "office")
                for parts in (
                    (None, None, None, None, Harmless((vague,))),
                    (None, None, None, None, Harmless((vague, vague))),
                    (decoy, None, None, None, Harmless((vague,), (("fee", "last"),))),
                    (None, vague, None, None, Harmless((vague,))),
                    (None, None, Missed("office"), mixed, Harmless((vague,))),
                    (None, None, None, Mixed(decoy, "score", "office"), Harmless((vague,))),
                    (None, None, None, None, Harmless((), ((attribute.id, "last"), ("fee", "this")))),
                    (None, None, None, None, Harmless((), (("fee", "last"),))),
                    (other, None, None, None, Harmless((vague,))),
                ):
                    group = CandidateGroup(0, instance, outcome, *parts)
                    found.append(bare(harmless(family, group)))
                    found.append(len(list(readings(family, group))))
    return found


# All of them ---------------------------------------------------------------------------------------------------------


def claim_checks() -> list[Check]:
    """The checks about claims."""
    found: list[tuple[str, Callable[[], object]]] = [("hitting sets", hitting_sets)]
    for name in families():
        found += [(f"telling {name}", partial(tellings, name)), (f"harmless {name}", partial(harmless_groups, name))]
        found += [(f"open {name} {n}", partial(open_or_not, name, n)) for n in range(4)]
        for claim in (legal_and_unique, necessary, misread, vague, sufficing):
            found.append((f"{claim.__name__} {name}", partial(claimed, name, claim)))
        if name != "measured":
            found.append((f"mixed {name}", partial(claimed, name, mixed)))
        if name in WHOLE:
            found += [(f"more mixed {name} {n}", partial(mixed_more, name, n)) for n in range(4)]
        found.append((f"no answers {name}", partial(without_answers, name)))
    return [Check(name, answer) for name, answer in found]
