"""`python -m tests.mutation [--all] [MODULE ...]` tries mutants and prints what is not as listed; or `--page`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]


def main(arguments: list[str]) -> int:
    """0 where every mutant is killed or listed."""
    from tests.mutation.fate import Fate
    from tests.mutation.listed import listed
    from tests.mutation.report import PAGE, fates, modules, mutants_of, page, record, scope, tried

    if "--page" in arguments:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    chosen, named = mutants_of if "--all" in arguments else tried, set(arguments) - {"--all"}
    wrong = 0
    for part in scope():
        for module in modules(part):
            if named and module not in named:
                continue
            seen: Counter[Fate] = Counter()
            for mutant, fate, check in fates(part, chosen(part, module)):
                seen[fate] += 1
                if (fate is Fate.SURVIVES) != (str(mutant.name) in listed()):
                    wrong += 1
                    print(f"{fate}\t{check}\t{mutant.name}", flush=True)
            if chosen is tried:
                record(module, seen)
            print(module, *(f"{count} {fate}," for fate, count in sorted(seen.items())), flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
