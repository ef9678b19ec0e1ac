"""Sections of tables to bands in base units, each key in at most one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import NoReturn

from unco.compiler.checking.domains import Domains
from unco.specs.document import TableRow, TableSection
from unco.specs.domains import exact
from unco.specs.expression import Band, Table, scale_of
from unco.specs.located import FieldPath
from unco.specs.scalars import Scalar
from unco.specs.values import BooleanType, CategoryType, Type, Value


class _Invalid(Exception):  # noqa: N818 -- the report already holds why
    """A row that does not stand."""


class Tables:
    """Builds the tables of one specification; what is wrong goes into the report, and None comes back."""

    def __init__(self, domains: Domains) -> None:
        self.domains = domains
        self.report = domains.report

    def table(self, id_: str, section: TableSection) -> Table | None:
        """The table, or None where a row or a type does not stand."""
        path = ("tables", id_)
        key = self.domains.section_type(section.key, (*path, "key"))
        gives = self.domains.section_type(section.gives, (*path, "gives"))
        if key is None or gives is None:
            return None
        bands = [
            self._band_or_none(row, key, gives, (*path, "rows", number)) for number, row in enumerate(section.rows)
        ]
        whole = tuple(band for band in bands if band is not None)
        if len(whole) < len(bands):
            return None
        self._no_overlap(whole, path)
        return Table(id_, section.label, key, gives, whole)

    def _band_or_none(self, row: TableRow, key: Type, gives: Type, path: FieldPath) -> Band | None:
        try:
            return self._band(row, key, gives, path)
        except _Invalid:
            return None

    def _band(self, row: TableRow, key: Type, gives: Type, path: FieldPath) -> Band:
        value = self._based(row.value, gives, (*path, "value"))
        bounds = (row.from_, row.above, row.to, row.below)
        if row.is_ is not None:
            if any(bound is not None for bound in bounds):
                self._wrong(path, "a row has either `is` or bounds, not both")
            only = self._based(row.is_, key, (*path, "is"))
            return Band(only, True, only, True, value)
        if isinstance(key, BooleanType | CategoryType):
            self._wrong(path, "a row of this table needs `is`", "the keys are names, not numbers or dates")
        if (row.from_ is not None and row.above is not None) or (row.to is not None and row.below is not None):
            self._wrong(path, "a bound is given twice", "give `from` or `above`, and `to` or `below`")
        low = self._bound((("from", row.from_), ("above", row.above)), key, path)
        high = self._bound((("to", row.to), ("below", row.below)), key, path)
        band = Band(low, row.from_ is not None, high, row.to is not None, value)
        if _is_empty(band):
            self._wrong(path, "no key lies in this row", "the lower bound is above the upper one")
        return band

    def _bound(self, given: tuple[tuple[str, Scalar | None], ...], key: Type, path: FieldPath) -> Value | None:
        return next((self._based(scalar, key, (*path, name)) for name, scalar in given if scalar is not None), None)

    def _based(self, scalar: object, type_: Type, path: FieldPath) -> Value:
        """A scalar as a value in base units."""
        value = self.domains.value(scalar, type_, path)
        if value is None:
            raise _Invalid
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            return exact(Fraction(value) * scale_of(type_))
        return value

    def _wrong(self, path: FieldPath, message: str, hint: str | None = None) -> NoReturn:
        self.report.add("UNC208", path, message, hint=hint)
        raise _Invalid

    def _no_overlap(self, bands: tuple[Band, ...], path: FieldPath) -> None:
        for (number, one), (other_number, other) in combinations(enumerate(bands), 2):
            if overlaps(one, other):
                rows = (*path, "rows")
                self.report.add(
                    "UNC409",
                    (*rows, other_number),
                    f"rows {number + 1} and {other_number + 1} overlap",
                    hint="let exactly one row hold for each key",
                    related=(("the other row", (*rows, number)),),
                )


def overlaps(one: Band, other: Band) -> bool:
    """Whether some key lies in both bands."""
    return not _is_before(one, other) and not _is_before(other, one)


def _is_before(one: Band, other: Band) -> bool:
    """Whether every key of one band lies below every key of the other; for names, whether they differ."""
    if one.high is None or other.low is None:
        return False
    if isinstance(one.high, str | bool):
        return one.high != other.low
    if one.high == other.low:
        return not (one.high_included and other.low_included)
    return bool(one.high < other.low)  # type: ignore[operator]


def _is_empty(band: Band) -> bool:
    """Whether no key can lie between the bounds; two open bounds on neighbouring keys are not looked into."""
    if band.low is None or band.high is None:
        return False
    if band.low == band.high:
        return not (band.low_included and band.high_included)
    return bool(band.low > band.high)  # type: ignore[operator]
