"""How a draft was begun, and how it goes on: `draft.json`. One text of an author, and any number of drafters."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from unco.compiler.drafting.lines import BEGUN, FORMAT, damaged_draft
from unco.compiler.drafting.options import DraftOptions
from unco.compiler.drafting.skeleton import DOMAINS, OPERATIONS
from unco.specs.errors import UsageError

if TYPE_CHECKING:
    from unco.llm.settings import Served

How: TypeAlias = Mapping[str, Any]
"""Who drafts, and how, as plain data: the grammar, or an LLM with its server, model and sampling."""
GRAMMAR: How = {"by": "grammar"}


@dataclass(frozen=True)
class Begun:
    """What `draft.json` holds."""

    seed: int
    source: str = ""
    """SHA-256 of the author's text; empty without one."""
    drafters: tuple[How, ...] = ()
    """Each with `from`, the number of the first candidate that it made."""
    whole: int | None = None
    """So many candidates are of whole rounds; the others are of one that an LLM could not finish. None: all are."""

    @property
    def since(self) -> int:
        """The number of the first candidate of the last drafter, wherever its server stood."""
        asking = [_without(each, "from", "server") for each in self.drafters]
        last = takewhile(lambda place: asking[place] == asking[-1], range(len(asking) - 1, -1, -1))
        return min((int(self.drafters[place]["from"]) for place in last), default=0)

    def going_on(self, path: Path, new: Begun, how: How, number: int) -> Begun:
        """How the draft goes on with candidate `number`, if it is to be as `new` says and drafted so.

        Raises UsageError where the seed or the text is another.
        """
        if new.seed != self.seed:
            raise UsageError(
                f"the draft in {path} was begun with --seed {self.seed}; "
                "say so again, or choose another folder with --out"
            )
        if new.source != self.source:
            raise UsageError(
                f"the draft in {path} was begun {_told(self.source)}, and was now called {_told(new.source)}: "
                "give the same text, or choose another folder with --out"
            )
        last = _without(self.drafters[-1], "from") if self.drafters else None
        if last == how:
            return self
        asks_alike = last is not None and _without(last, "server") == _without(how, "server")
        drafters = (*(each for each in self.drafters if each["from"] < number), {"from": number, **how})
        return replace(self, drafters=drafters, whole=self.whole if asks_alike else None)

    @property
    def text(self) -> str:
        """The content of the file."""
        found = {"format": FORMAT, "seed": self.seed, "source": self.source, "drafters": self.drafters}
        return json.dumps(found if self.whole is None else {**found, "whole": self.whole}, indent=1) + "\n"


def begun_of(folder: Path) -> Begun:
    """What a folder tells. SpecificationError (UNC704) where it does not read back, or another version wrote it."""
    path = folder / BEGUN
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if (written := found.get("format", 1)) != FORMAT:
            damaged_draft(path, 1, f"the format {written} of another version of unco, where this one writes {FORMAT}")
        drafters = tuple({**each, "from": int(each["from"])} for each in found["drafters"])
        whole = found.get("whole")
        return Begun(int(found["seed"]), str(found["source"]), drafters, None if whole is None else int(whole))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        damaged_draft(path, 1, f"{type(error).__name__}: {error}")


def digest_of(text: str) -> str:
    """SHA-256 of an author's text; empty where there is none."""
    return hashlib.sha256(text.encode()).hexdigest() if text else ""


def how_of(options: DraftOptions, served: Served | None) -> How:
    """Who drafts, and how; domains and operations where not all may be used."""
    found: dict[str, Any] = dict(GRAMMAR)
    if served is not None:
        place = served.endpoint
        temperature = None if place.temperature is None else str(place.temperature)
        sampling = {"temperature": temperature, "max_tokens": place.max_tokens, "extra": place.extra}
        found = {"by": "llm", "server": place.place, "model": place.model, **sampling}
    for name, chosen, every in (
        ("domains", options.domains, DOMAINS),
        ("operations", options.operations, OPERATIONS),
    ):
        if set(chosen) != set(every):
            found[name] = list(chosen)
    return found


def _without(how: How, *names: str) -> How:
    return {field: value for field, value in how.items() if field not in names}


def _told(source: str) -> str:
    return f"with --from, a text whose SHA-256 begins with {source[:12]}" if source else "without --from"
