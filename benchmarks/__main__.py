"""`python -m benchmarks [--json]`: every benchmark, as a table or as JSON."""

from __future__ import annotations

import dataclasses
import json
import resource
import sys
from importlib.resources import files
from pathlib import Path

from benchmarks import instance_proofs, start_up

AIM = 5
"""`prove` should be at least this many times faster than the script with fresh solvers."""


def main() -> None:
    """Measure and print."""
    folder = Path(str(files("unco.specs") / "references"))
    paths = sorted(path for path in folder.glob("*.yaml") if not path.name.endswith(".facts.yaml"))
    proofs = list(instance_proofs.measure(paths))
    starts = start_up.measure()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if "--json" in sys.argv:
        rows = [{**dataclasses.asdict(row), "ratio": row.ratio} for row in proofs]
        data = {"instance_proofs": rows, "start_up": [dataclasses.asdict(row) for row in starts], "peak_mib": peak}
        print(json.dumps(data, indent=2))
        return
    print("Instance proofs: the same questions on the same groups, seconds")
    print(f"{'specification':<32}{'groups':>7}{'questions':>11}{'prove':>9}{'fresh':>9}{'times faster':>14}")
    for row in proofs:
        print(
            f"{row.specification:<32}{row.groups:>7}{row.questions:>11}{row.ours:>9.2f}{row.fresh:>9.2f}{row.ratio:>14.1f}"
        )
    print(f"Aim: at least {AIM} times. Peak memory of this process: {peak:.0f} MiB\n")
    print(f"{'start-up, median of ' + str(start_up.RUNS):<40}{'seconds':>9}{'MiB':>8}")
    for start in starts:
        print(f"{start.command:<40}{start.seconds:>9.3f}{start.memory:>8.0f}")


if __name__ == "__main__":
    main()
