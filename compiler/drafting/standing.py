"""Whether a drafted specification stands: the check of the text that will be its file."""

from __future__ import annotations

from dataclasses import dataclass

from unco.compiler.check import CheckOptions, check
from unco.compiler.drafting.frame import frame_findings
from unco.specs.diagnostics import render_text
from unco.specs.document import Specification
from unco.specs.errors import Diagnostic, InconsistencyError, Severity
from unco.specs.read import parse_specification
from unco.specs.rejection import Rejection
from unco.specs.write import to_yaml


@dataclass(frozen=True)
class Standing:
    """The outcome of a check without the family: it comes from other processes."""

    stands: bool
    diagnostics: tuple[Diagnostic, ...]
    text: str
    """The YAML text that the diagnostics point into."""

    @property
    def told(self) -> str:
        """The diagnostics as an author reads them; empty where there are none."""
        return render_text(self.diagnostics, self.text).rstrip("\n") if self.diagnostics else ""

    def rejection(self, name: str, number: int) -> Rejection | None:
        """Why it does not stand, by the first error; None where it does."""
        if self.stands:
            return None
        first = next(each for each in self.diagnostics if each.severity is Severity.ERROR)
        parts = (f"{word} {said}" for word, said in (("found", first.found), ("expected", first.expected)) if said)
        return Rejection("check", first.code, ": ".join((first.message, ", ".join(parts))).rstrip(": "), name, number)


def standing(specification: Specification, options: CheckOptions, *, by_llm: bool = False) -> Standing:
    """What the check makes of a specification, read back from its own file, and of the texts that an LLM drafted."""
    loaded = parse_specification(to_yaml(specification), f"{specification.name}.yaml")
    if loaded.specification != specification:
        raise InconsistencyError(f"{specification.name} does not read back from its own YAML text")
    checked = check(loaded, options)
    frame = frame_findings(loaded) if by_llm else ()
    return Standing(checked.family is not None and not frame, (*checked.diagnostics, *frame), loaded.source.text)
