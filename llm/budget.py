"""What calls cost, and the budget that they must not exceed: exact money, whole tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from unco.llm.protocol import Kind, LlmError, Request, Usage
from unco.specs.errors import UsageError

PER_MILLION = 1_000_000
AROUND_MESSAGE, AROUND_REQUEST = 16, 256
"""Tokens that the template of a chat may add."""


@dataclass(frozen=True)
class Price:
    """Of a million tokens, in a currency. Without a currency nothing is known of the price."""

    prompt: Decimal = Decimal(0)
    completion: Decimal = Decimal(0)
    currency: str = ""

    def __post_init__(self) -> None:
        if not all(price.is_finite() and price >= 0 for price in (self.prompt, self.completion)):
            raise UsageError(f"a price of {self.prompt} and {self.completion}: expected numbers that are not negative")

    def of(self, usage: Usage) -> Fraction:
        """Exact money for these tokens."""
        return (usage.prompt * Fraction(self.prompt) + usage.completion * Fraction(self.completion)) / PER_MILLION


@dataclass(frozen=True)
class Budget:
    """The most tokens, or the most money in one currency, that a run may use in all. None: no limit."""

    tokens: int | None = None
    money: Decimal | None = None
    currency: str = ""

    def __post_init__(self) -> None:
        if (self.money is None) != (not self.currency):
            raise UsageError("a budget of money: expected an amount with its currency")

    def accept(self, price: Price) -> None:
        """Raises UsageError where calls at this price cannot be held to the budget."""
        if self.money is not None and price.currency != self.currency:
            found = f"is in {price.currency}" if price.currency else "is not set"
            raise UsageError(f"the budget is in {self.currency}, and a price {found}; give prices in {self.currency}")


@dataclass(frozen=True)
class Account:
    """What one LLM did for one task of one phase. Calls of unknown usage count at the most they can have used."""

    phase: str
    task: str
    model: str
    currency: str
    requests: int
    """Different questions, however often each was tried."""
    calls: int
    unknown: int
    """Calls of which nobody said what they used: dropped, timed out, or under way when the process ended."""
    usage: Usage
    money: Fraction
    milliseconds: int
    faults: Mapping[str, int]
    """Calls that failed, by code; replies found to repeat an earlier one are told as UNC814."""

    @property
    def tokens(self) -> int:
        return self.usage.prompt + self.usage.completion


def most(request: Request) -> Usage:
    """The most tokens that a call can use: a token of the prompt has a byte at least."""
    texts = [each.text for each in request.messages]
    written = sum(len(text.encode()) for text in (*texts, request.schema.text, request.schema.text))
    return Usage(written + AROUND_MESSAGE * len(texts) + AROUND_REQUEST, request.sampling.max_tokens)


@dataclass
class Meter:
    """What was spent and what is set aside for calls under way. It belongs to one event loop."""

    budget: Budget
    tokens: int = 0
    money: Fraction = Fraction(0)
    under_way: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def set_aside(self, usage: Usage, price: Price) -> None:
        """Take from the budget for a call, waiting for calls under way if need be.

        Raises LlmError (UNC815) where it would be exceeded even if those cost nothing more.
        """
        async with self.changed:
            while self._exceeded_by(usage, price):
                if not self.under_way:
                    raise LlmError(
                        Kind.OVER_BUDGET.value, self._words(usage, price), by_settings=not (self.tokens or self.money)
                    )
                await self.changed.wait()
            self._add(usage, price, 1)
            self.under_way += 1

    async def settle(self, aside: Usage, used: Usage | None, price: Price) -> None:
        """Give back what a call did not use."""
        async with self.changed:
            if used is not None:
                self._add(aside, price, -1)
                self._add(used, price, 1)
            self.under_way -= 1
            self.changed.notify_all()

    def _add(self, usage: Usage, price: Price, sign: int) -> None:
        self.tokens += sign * (usage.prompt + usage.completion)
        if price.currency == self.budget.currency:
            self.money += sign * price.of(usage)

    def _exceeded_by(self, usage: Usage, price: Price) -> bool:
        tokens, money = self.budget.tokens, self.budget.money
        over = tokens is not None and self.tokens + usage.prompt + usage.completion > tokens
        return over or (money is not None and self.money + price.of(usage) > Fraction(money))

    def _words(self, usage: Usage, price: Price) -> str:
        """What is left, and what to do."""
        if self.budget.tokens is not None and self.tokens + usage.prompt + usage.completion > self.budget.tokens:
            spent, limit, needed = (
                f"{self.tokens}",
                f"{self.budget.tokens} tokens",
                f"{usage.prompt + usage.completion}",
            )
        else:
            spent, limit = _places(self.money), f"{self.budget.money} {self.budget.currency}"
            needed = _places(price.of(usage))
        return (
            f"the budget of {limit} does not allow another call: {spent} spent, the next call may use {needed}; "
            "all replies are kept: give a larger budget and run the same command again"
        )


def _places(money: Fraction) -> str:
    """To four places, rounded up."""
    return str(Decimal(-(-money.numerator * 10_000 // money.denominator)) / 10_000)
