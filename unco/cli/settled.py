"""What `unco build` says of the proofs of families: what they settle, and what is decided in each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unco.cli.output import counted

SCOPES = ("with a winner", "without a winner", "every instance")


def settled_lines(proofs: Mapping[str, Any]) -> Iterator[str]:
    """For each specification, from the manifest's entry about its proof."""
    for name, found in proofs.items():
        proved = f"{found['proved']} of {counted(found['claims'], 'claim')}"
        yield f"{name}: {proved} about the family hold in every group; decided in each group:"
        for scope in SCOPES:
            claims = [_claim(each) for each in found["case_by_case"] if each["groups"] == scope]
            if claims:
                yield f"  {scope}: {'; '.join(claims)}"
        audit = found["audit"]
        if audit["groups"]:
            unknown = f"; of {audit['undecided']} it came to no end" if audit["undecided"] else ""
            again = f"{counted(audit['claims'], 'claim')} of {counted(audit['groups'], 'group')}"
            yield f"  audited: the solver decided {again} again{unknown}"


def warnings(proofs: Mapping[str, Any], retained: Mapping[str, int]) -> Iterator[str]:
    """What does not hold of a whole family, and which groups its proof says nothing of."""
    for name, found in proofs.items():
        if found["rejection"]:
            code, detail = found["rejection"]["code"], found["rejection"]["detail"]
            yield f"{name}: not proved for every group: {code}: {detail}; what stands is built group by group"
        outside = found["outside"]
        if outside["groups"]:
            yield (
                f"{name}: {outside['groups']} of {counted(retained[name], 'group')} outside the space of the family "
                f"proof, so that every claim was decided there: {outside['first']}"
            )


def _claim(entry: Mapping[str, Any]) -> str:
    claim = f"{entry['claim']}, {entry['form']}" if entry["form"] else str(entry["claim"])
    return f"{claim} ({', '.join(entry['subjects'])})" if entry["subjects"] else claim
