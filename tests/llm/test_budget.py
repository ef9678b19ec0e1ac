"""No call is made that could exceed the budget; what was paid is counted exactly, by phase, task and LLM."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.llm.asking import endpoint, question
from tests.llm.faulty_server import good, refuses, says, served
from unco.llm.budget import Budget, Meter, Price, most
from unco.llm.desk import opened
from unco.llm.protocol import Fault, Kind, LlmError, Outcome, Reply, Request, Usage
from unco.specs.errors import UsageError

DOLLARS = Price(Decimal("0.15"), Decimal("0.60"), "USD")
MOST = most(question())
WHOLE = MOST.prompt + MOST.completion


class Paid:
    """Replies that cost so much; a question that names one costs that."""

    def __init__(self, usage: Usage) -> None:
        self.usage = usage
        self.calls = 0

    async def ask(self, request: Request) -> Outcome:
        self.calls += 1
        await asyncio.sleep(0)
        return Reply({"answer": "a"}, '{"answer": "a"}', self.usage, "stop", "small-1")


def test_money_is_exact() -> None:
    assert DOLLARS.of(Usage(1, 1)) == Fraction(75, 100_000_000)
    assert sum(DOLLARS.of(Usage(1_000, 0)) for _ in range(1_000)) == Fraction("0.15")


@pytest.mark.parametrize("wrong", [Decimal(-1), Decimal("NaN"), Decimal("Infinity")])
def test_a_price_is_a_number_that_is_not_negative(wrong: Decimal) -> None:
    with pytest.raises(UsageError):
        Price(prompt=wrong)
    with pytest.raises(UsageError):
        Price(completion=wrong)


@pytest.mark.parametrize(("spare", "calls"), [(0, 1), (-1, 0), (14, 1), (15, 2), (29, 2), (30, 3)])
def test_a_call_is_made_where_the_most_it_can_use_fits_exactly(spare: int, calls: int, tmp_path: Path) -> None:
    """A call uses 15 tokens in the end."""
    client = Paid(Usage(10, 5))
    with opened(tmp_path, Budget(tokens=WHOLE + spare)) as desk:
        line = desk.line("draft", "drafter", endpoint("http://localhost:1/v1"), client)
        with pytest.raises(LlmError, match=r"UNC815.*larger budget"):
            [line.ask(question(repetition=number)) for number in range(10)]
    assert client.calls == calls


@pytest.mark.parametrize(("spare", "calls"), [(0, 1), (Decimal("0.00000001"), 2)])
def test_money_is_held_to_the_last_fraction(spare: Decimal, calls: int, tmp_path: Path) -> None:
    """A call uses 0.00000001 USD in the end, and may use what 1 and 100 tokens cost."""
    price = Price(Decimal("0.001"), Decimal("0.009"), "USD")
    client = Paid(Usage(1, 1))
    money = MOST.prompt * Decimal("0.000000001") + MOST.completion * Decimal("0.000000009") + spare
    with opened(tmp_path, Budget(money=money, currency="USD")) as desk:
        line = desk.line("draft", "drafter", endpoint("http://localhost:1/v1", price=price), client)
        with pytest.raises(LlmError, match="UNC815"):
            [line.ask(question(repetition=number)) for number in range(10)]
    assert client.calls == calls


def test_a_larger_budget_goes_on_without_paying_again(tmp_path: Path) -> None:
    questions = [question(str(number)) for number in range(10)]
    with served() as server:
        got: list[tuple[Request, Outcome]] = []
        with opened(tmp_path, Budget(tokens=WHOLE + 60)) as desk, pytest.raises(LlmError, match="UNC815"):
            got.extend(desk.line("draft", "drafter", endpoint(server.url)).ask_all(questions, at_once=4))
        calls = len(server.bodies)
        assert len(got) == calls == 5
        with opened(tmp_path, Budget(tokens=WHOLE + 60)) as desk, pytest.raises(LlmError, match="UNC815"):
            list(desk.line("draft", "drafter", endpoint(server.url)).ask_all(questions, at_once=4))
        assert len(server.bodies) == calls
        with opened(tmp_path, Budget(tokens=WHOLE + 10 * 15)) as desk:
            outcomes = list(desk.line("draft", "drafter", endpoint(server.url)).ask_all(questions, at_once=4))
            (account,) = desk.accounts()
    assert [isinstance(outcome, Reply) for _, outcome in outcomes] == [True] * 10
    assert len(server.bodies) == 10
    assert account.tokens == 150


@given(st.integers(0, 400), st.integers(1, 9), st.lists(st.integers(0, 40), min_size=1, max_size=12))
def test_whatever_is_under_way_the_budget_is_never_exceeded(tokens: int, at_once: int, costs: list[int]) -> None:
    """A call may use 40 tokens. It waits for others before it gives up, and gives up only where it must."""
    meter = Meter(Budget(tokens=tokens))
    aside, spent, refused = Usage(20, 20), 0, 0

    async def call(cost: int, gate: asyncio.Semaphore) -> None:
        nonlocal spent, refused
        async with gate:
            try:
                await meter.set_aside(aside, Price())
            except LlmError:
                refused += 1
                assert tokens - spent < 40
                return
            assert meter.tokens <= tokens
            await asyncio.sleep(0)
            spent += cost
            await meter.settle(aside, Usage(cost, 0), Price())

    async def run() -> None:
        gate = asyncio.Semaphore(at_once)
        await asyncio.gather(*(call(cost, gate) for cost in costs))

    asyncio.run(run())
    assert spent <= tokens
    assert meter.tokens == spent
    if sum(costs) + 40 <= tokens:
        assert refused == 0


def test_calls_of_unknown_usage_count_at_the_most(tmp_path: Path) -> None:
    class Lost:
        async def ask(self, request: Request) -> Outcome:
            return Fault(Kind.DROPPED, "lost", usage=None)

    with opened(tmp_path, Budget(tokens=WHOLE)) as desk:
        line = desk.line("draft", "drafter", endpoint("http://localhost:1/v1"), Lost())
        with pytest.raises(LlmError, match="UNC815"):
            line.ask(question())
        (account,) = desk.accounts()
    assert (account.tokens, account.unknown, account.calls) == (WHOLE, 1, 1)


def test_a_budget_of_money_wants_prices_in_its_currency(tmp_path: Path) -> None:
    with opened(tmp_path, Budget(money=Decimal(1), currency="EUR")) as desk:
        for price, found in ((Price(), "is not set"), (DOLLARS, "is in USD")):
            with pytest.raises(UsageError, match=found):
                desk.line("draft", "drafter", endpoint("http://localhost:1/v1", price=price))
    with pytest.raises(UsageError):
        Budget(money=Decimal(1))


def test_accounts_tell_calls_by_phase_task_and_llm(tmp_path: Path) -> None:
    with served(says("{"), good, refuses(500), refuses(429), good, good) as server:
        with opened(tmp_path) as desk:
            place = endpoint(server.url, price=DOLLARS)
            drafter = desk.line("draft", "drafter", place)
            drafter.ask(question("one"))
            drafter.ask(question("two"))
            drafter.ask(question("two"))
            desk.line("validate", "validator", place).ask(question("three"))
            told = desk.accounts()
        with opened(tmp_path) as desk:
            assert desk.accounts() == told
    draft, validate = told
    assert (draft.phase, draft.task, draft.model, draft.currency) == ("draft", "drafter", "small", "USD")
    assert (draft.requests, draft.calls, draft.unknown) == (2, 5, 0)
    assert draft.faults == {"UNC811": 1, "UNC804": 1, "UNC803": 1}
    assert draft.usage == Usage(30, 15)
    assert draft.money == DOLLARS.of(Usage(30, 15))
    assert (validate.phase, validate.requests, validate.calls, validate.faults) == ("validate", 1, 1, {})
