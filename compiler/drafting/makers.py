"""Which drafter works: the grammar, or an LLM with the store of the draft's folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from unco.compiler.drafting.by_grammar import GrammarDrafter
from unco.compiler.drafting.options import DraftOptions
from unco.compiler.executor import Executor

if TYPE_CHECKING:
    from unco.compiler.drafting.by_llm import LlmDrafter
    from unco.llm.budget import Budget
    from unco.llm.settings import Served


@contextmanager
def drafter_of(
    folder: Path,
    options: DraftOptions,
    executor: Executor,
    served: Served | None = None,
    budget: Budget | None = None,
    source: str = "",
) -> Iterator[GrammarDrafter | LlmDrafter]:
    """The drafter while it may be used. Every reply of an LLM is kept in the folder, and not asked for again.

    Raises UsageError where the key is missing or the budget is in a currency without a price.
    """
    if served is None:
        yield GrammarDrafter(options, executor)
        return
    from unco.compiler.drafting.by_llm import LlmDrafter
    from unco.llm.budget import Budget
    from unco.llm.desk import opened

    with opened(folder, budget or Budget()) as desk:
        line = desk.line("draft", "drafter", served.endpoint)
        yield LlmDrafter(line, served.at_once, served.endpoint.sampling(), options, executor, source)
