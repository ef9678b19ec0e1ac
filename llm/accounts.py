"""What was used of each LLM, summed over a store of replies: calls, faults, tokens, exact money and time."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from urllib.parse import quote

from unco.llm.budget import Account, Price
from unco.llm.protocol import Usage
from unco.llm.store_file import FILE, disk, require_ours

SUMS = """
SELECT phase, task, llm, currency, prompt_price, completion_price, count(*), sum(prompt IS NULL),
    sum(coalesce(prompt, most_prompt)), sum(coalesce(completion, most_completion)), sum(coalesce(milliseconds, 0))
FROM attempts GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
"""
REQUESTS = "SELECT phase, task, llm, currency, count(DISTINCT key) FROM attempts GROUP BY 1, 2, 3, 4"
FAULTS = """
SELECT phase, task, llm, currency, iif(repeats, 'UNC814', code), count(*)
FROM attempts WHERE repeats OR code <> '' GROUP BY 1, 2, 3, 4, 5
"""


def accounts_of(folder: Path) -> list[Account]:
    """What each LLM did for each task of each phase, sorted; nothing where no LLM was asked in this folder.

    The store is only read, and no file is made beside it. Raises as `Replies` does.
    """
    path = folder / FILE
    if not path.is_file():
        return []
    at_rest = not path.with_name(f"{FILE}-wal").exists()
    name = f"file:{quote(str(path.absolute()))}?{'immutable=1' if at_rest else 'mode=ro'}"
    with disk(path), closing(sqlite3.connect(name, uri=True)) as connection:
        require_ours(connection, path)
        return summed(connection)


def summed(connection: sqlite3.Connection) -> list[Account]:
    """The accounts of an open store, sorted."""
    sums = connection.execute(SUMS).fetchall()
    requests = {tuple(row[:4]): row[4] for row in connection.execute(REQUESTS)}
    faults: dict[tuple[str, ...], Counter[str]] = {}
    for *name, code, count in connection.execute(FAULTS):
        faults.setdefault(tuple(name), Counter())[code] = count
    found: dict[tuple[str, ...], Account] = {}
    for phase, task, llm, currency, prompt_price, completion_price, calls, unknown, *used, milliseconds in sums:
        name = (phase, task, llm, currency)
        usage = Usage(*used)
        money = Price(Decimal(prompt_price), Decimal(completion_price), currency).of(usage)
        before = found.get(name, Account(*name, requests[name], 0, 0, Usage(), Fraction(0), 0, faults.get(name, {})))
        found[name] = Account(
            *name,
            before.requests,
            before.calls + calls,
            before.unknown + unknown,
            Usage(before.usage.prompt + usage.prompt, before.usage.completion + usage.completion),
            before.money + money,
            before.milliseconds + milliseconds,
            before.faults,
        )
    return list(found.values())
