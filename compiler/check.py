"""check: a specification to a family, or to diagnostics that say what does not stand and where."""

from __future__ import annotations

from dataclasses import dataclass

from unco.compiler.checking.build import build_family
from unco.compiler.checking.findings import check_findings, check_values
from unco.compiler.checking.report import Report
from unco.compiler.checking.structure import check_structure
from unco.specs.diagnostics import in_order
from unco.specs.document import Specification
from unco.specs.errors import Diagnostic, SpecificationError
from unco.specs.family import Family
from unco.specs.read import Loaded, located_specification
from unco.specs.source import Source
from unco.templates.loader import fill


@dataclass(frozen=True)
class CheckOptions:
    """Whether the solver looks for findings too, and with what budget (Z3 resource units a question)."""

    findings: bool = True
    rlimit: int = 20_000_000
    values: bool = True
    """Whether, without the findings, it is still proved that every rule has a value wherever it is looked at. A family
    of which that is not known can be looked at, but neither proved nor built."""


@dataclass(frozen=True)
class Checked:
    """The outcome of a check: the family where the specification stands, and all diagnostics."""

    family: Family | None
    diagnostics: tuple[Diagnostic, ...]
    source: Source

    def require(self) -> Family:
        """The family; raises SpecificationError where there is none."""
        if self.family is None:
            raise SpecificationError(self.diagnostics, self.source.text)
        return self.family

    def _repr_html_(self) -> str:
        """A table of the diagnostics, for a notebook."""
        stands = self.family is not None
        return fill("show/diagnostics.html.j2", name=self.source.file, stands=stands, rows=in_order(self.diagnostics))


def check(specification: Specification | Loaded, options: CheckOptions | None = None) -> Checked:
    """Types, units, ownership and structure of a specification, then the solver's findings about it."""
    options = options or CheckOptions()
    loaded = specification if isinstance(specification, Loaded) else located_specification(specification)
    report = Report(loaded.source)
    family = build_family(loaded.specification, report)
    if family is not None:
        check_structure(loaded.specification, family, report)
        if options.findings:
            check_findings(family, report, options.rlimit)
        elif options.values and not report.failed:
            check_values(family, report, options.rlimit)
    return Checked(None if report.failed else family, tuple(report.diagnostics), loaded.source)
