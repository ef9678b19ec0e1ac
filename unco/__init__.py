"""unco: a compiler from decision-task specifications to verified multi-agent tasks.

    import unco

    family = unco.check(unco.load("my_spec.yaml")).require()
    group = unco.instantiate(family, 0, unco.InstantiateOptions(seed=7))
    proof = unco.prove(family, group)
    tasks = unco.perturb(family, group, unco.render(family, group))
    print(unco.show(tasks))

Every name below is imported when it is first used, so that `import unco` costs nothing. The phases (`check`,
`instantiate`, `prove`, `render`, `validate`, `perturb`, `build`) take an artifact and options, and return a new one;
data is frozen; errors are below `UncoError`. In a notebook, results show themselves.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unco.compiler.build import BuildOptions, Built, build, write
    from unco.compiler.build_facts import FactsOptions, FactsSummary, build_facts
    from unco.compiler.check import Checked, CheckOptions, check
    from unco.compiler.examples import example
    from unco.compiler.executor import ProcessExecutor, SerialExecutor
    from unco.compiler.facts.decode import Fact
    from unco.compiler.instantiate import InstantiateOptions, instantiate
    from unco.compiler.perturb import perturb
    from unco.compiler.pipeline import Retained
    from unco.compiler.planning.pins import load_pins
    from unco.compiler.prove import Proof, ProveOptions, prove
    from unco.compiler.prove_family import FamilyReport, ProveFamilyOptions, prove_family
    from unco.compiler.ray_executor import RayExecutor
    from unco.compiler.read_facts import read_facts
    from unco.compiler.render import RenderOptions, render
    from unco.compiler.run import Watcher, run
    from unco.compiler.running.tally import Summary
    from unco.compiler.show import show
    from unco.compiler.validate import Validation, validate
    from unco.specs.answer import Answer, AnswerFormat, Score, parse_answer, score, write_answer
    from unco.specs.codes import CODES
    from unco.specs.document import Specification
    from unco.specs.errors import (
        Diagnostic,
        InconsistencyError,
        InfrastructureError,
        Severity,
        Span,
        SpecificationError,
        UncoError,
        UsageError,
    )
    from unco.specs.facts import Pins
    from unco.specs.family import Family
    from unco.specs.family_proof import (
        FamilyClaim,
        FamilyClaimName,
        FamilyProof,
        FamilyProved,
        FamilyRefuted,
        FamilyUnknown,
        Scope,
        Vacuous,
    )
    from unco.specs.group import CandidateGroup, Setting
    from unco.specs.instance import Instance, NoWinner, SeveralEligible, Winner
    from unco.specs.read import Loaded, to_yaml
    from unco.specs.read import parse_specification as parse
    from unco.specs.read import read_specification as load
    from unco.specs.rejection import Rejection
    from unco.specs.schema import json_schema
    from unco.specs.shipped import shipped_facts, shipped_specifications
    from unco.specs.task import RenderedGroup, Task
    from unco.specs.verdict import Claim, ClaimName, Proved, Refuted, Unknown, Verdict, WitnessPair
    from unco.specs.version import VERSION as __version__  # noqa: N811

_PLACES = {
    "compiler.build": ("Built", "BuildOptions", "build", "write"),
    "compiler.build_facts": ("FactsOptions", "FactsSummary", "build_facts"),
    "compiler.check": ("Checked", "CheckOptions", "check"),
    "compiler.examples": ("example",),
    "compiler.executor": ("ProcessExecutor", "SerialExecutor"),
    "compiler.facts.decode": ("Fact",),
    "compiler.instantiate": ("InstantiateOptions", "instantiate"),
    "compiler.perturb": ("perturb",),
    "compiler.pipeline": ("Retained",),
    "compiler.planning.pins": ("load_pins",),
    "compiler.prove": ("Proof", "ProveOptions", "prove"),
    "compiler.prove_family": ("FamilyReport", "ProveFamilyOptions", "prove_family"),
    "compiler.ray_executor": ("RayExecutor",),
    "compiler.read_facts": ("read_facts",),
    "compiler.render": ("RenderOptions", "render"),
    "compiler.run": ("Watcher", "run"),
    "compiler.show": ("show",),
    "compiler.validate": ("Validation", "validate"),
    "compiler.running.tally": ("Summary",),
    "specs.answer": ("Answer", "AnswerFormat", "Score", "parse_answer", "score", "write_answer"),
    "specs.codes": ("CODES",),
    "specs.document": ("Specification",),
    "specs.errors": (
        "Diagnostic", "InconsistencyError", "InfrastructureError", "Severity", "Span", "SpecificationError",
        "UncoError", "UsageError",
    ),
    "specs.facts": ("Pins",),
    "specs.family": ("Family",),
    "specs.family_proof": (
        "FamilyClaim", "FamilyClaimName", "FamilyProof", "FamilyProved", "FamilyRefuted", "FamilyUnknown", "Scope",
        "Vacuous",
    ),
    "specs.group": ("CandidateGroup", "Setting"),
    "specs.instance": ("Instance", "NoWinner", "SeveralEligible", "Winner"),
    "specs.read": ("Loaded", "to_yaml"),
    "specs.rejection": ("Rejection",),
    "specs.schema": ("json_schema",),
    "specs.shipped": ("shipped_facts", "shipped_specifications"),
    "specs.task": ("RenderedGroup", "Task"),
    "specs.verdict": ("Claim", "ClaimName", "Proved", "Refuted", "Unknown", "Verdict", "WitnessPair"),
}  # fmt: skip
_SHORTER = {
    "load": ("specs.read", "read_specification"),
    "parse": ("specs.read", "parse_specification"),
    "__version__": ("specs.version", "VERSION"),
}
_NAMES = {name: (module, name) for module, names in _PLACES.items() for name in names} | _SHORTER

__all__ = [
    "CODES", "Answer", "AnswerFormat", "BuildOptions", "Built", "CandidateGroup", "CheckOptions", "Checked", "Claim",
    "ClaimName", "Diagnostic", "Fact", "FactsOptions", "FactsSummary", "Family", "FamilyClaim", "FamilyClaimName",
    "FamilyProof", "FamilyProved", "FamilyRefuted", "FamilyReport", "FamilyUnknown", "InconsistencyError",
    "InfrastructureError", "Instance", "InstantiateOptions", "Loaded", "NoWinner", "Pins", "ProcessExecutor", "Proof",
    "ProveFamilyOptions", "ProveOptions", "Proved", "RayExecutor", "Refuted", "Rejection", "RenderOptions",
    "RenderedGroup", "Retained", "Scope", "Score", "SerialExecutor", "Setting", "SeveralEligible", "Severity", "Span",
    "Specification", "SpecificationError", "Summary", "Task", "UncoError", "Unknown", "UsageError", "Vacuous",
    "Validation", "Verdict", "Watcher", "Winner", "WitnessPair", "__version__", "build", "build_facts", "check",
    "example", "instantiate", "json_schema", "load", "load_pins", "parse", "parse_answer", "perturb", "prove",
    "prove_family", "read_facts", "render", "run", "score", "shipped_facts", "shipped_specifications", "show",
    "to_yaml", "validate", "write", "write_answer",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """A public name, imported when it is first used."""
    if name not in _NAMES:
        raise AttributeError(f"module 'unco' has no attribute {name!r}")
    module, original = _NAMES[name]
    value = globals()[name] = getattr(import_module(f"unco.{module}"), original)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
