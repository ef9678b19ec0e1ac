"""Try skeletons: `python -m unco.compiler.drafting NAME [SEEDS] [--quick]`, by skeleton, domain or `all`.

Composes and checks them for each operation; without `--quick` the solver looks for findings, and one task is shown.
"""

from __future__ import annotations

import sys
from random import Random

from unco.compiler.check import CheckOptions, check
from unco.compiler.drafting.compose import compose
from unco.compiler.drafting.skeleton import Skeleton, skeletons
from unco.compiler.instantiate import InstantiateOptions, instantiate
from unco.compiler.perturb import perturb
from unco.compiler.render import render
from unco.compiler.show import show
from unco.specs.errors import UsageError
from unco.specs.read import located_specification
from unco.specs.rejection import Rejection


def main(name: str, seeds: int, *, quick: bool) -> int:
    """Every finding, a line for each specification, and one task in full; 1 if anything was found."""
    chosen = [each for each in skeletons() if name in (each.name, each.domain, "all")]
    if not chosen:
        raise UsageError(f"no skeleton or domain is called {name!r}")
    options = CheckOptions(findings=not quick, values=False)
    tried = [(each, operation, seed) for each in chosen for operation in each.operations for seed in range(seeds)]
    found = [_tried(*each, options) for each in tried]
    if len(chosen) == 1 and not quick:
        print(_shown(chosen[0]))
    return int(any(found))


def _tried(skeleton: Skeleton, operation: str, seed: int, options: CheckOptions) -> bool:
    """Whether something was found against the specification."""
    try:
        specification = compose(skeleton, operation, Random(f"{skeleton.name}/{operation}/{seed}"))
    except (UsageError, ValueError, KeyError) as error:
        print(f"{skeleton.name} {operation} {seed}: {error!r}")
        return True
    diagnostics = check(located_specification(specification), options).diagnostics
    counts = f"{len(specification.roles)} roles, {len(specification.conditions)} conditions"
    print(f"{skeleton.name} {operation} {seed}: {counts}, {len(diagnostics)} findings")
    for each in diagnostics:
        print(f"    {each.code} {each.message}; found {each.found}; expected {each.expected}")
    return bool(diagnostics)


def _shown(skeleton: Skeleton) -> str:
    specification = compose(skeleton, skeleton.operations[0], Random(skeleton.name))
    family = check(located_specification(specification)).require()
    group = instantiate(family, 0, InstantiateOptions())
    return str(group) if isinstance(group, Rejection) else show(perturb(family, group, render(family, group)))


if __name__ == "__main__":
    given = [each for each in sys.argv[1:] if each != "--quick"]
    sys.exit(main(given[0], int(given[1]) if len(given) > 1 else 2, quick="--quick" in sys.argv))
