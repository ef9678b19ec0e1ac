"""Units as people write them: their dimension and their size, known ones and those that a text brings along."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from unco.compiler.solving.unreadable import Unreadable

Dimension = tuple[tuple[str, int], ...]
"""Powers of what is measured, in alphabetical order: speed is length once and time minus once."""
Unit = tuple[Dimension, Fraction]
"""A dimension, and how many of its smallest measure one unit is."""
PLAIN: Unit = ((), Fraction(1))

_SIZES = {
    # Calendar months have no fixed length, so years and days are two kinds of time.
    "calendar": "month=1 quarter=3 year=12 yr=12 decade=120",
    "time": "second=1 s=1 sec=1 ms=1/1000 millisecond=1/1000 minute=60 min=60 hour=3600 h=3600 hr=3600 day=86400"
    " week=604800 fortnight=1209600",
    "length": "metre=1 m=1 meter=1 millimetre=1/1000 mm=1/1000 millimeter=1/1000 centimetre=1/100 cm=1/100"
    " centimeter=1/100 kilometre=1000 km=1000 kilometer=1000 inch=127/5000 foot=381/1250 feet=381/1250 ft=381/1250"
    " yard=1143/1250 yd=1143/1250 mile=201168/125 mi=201168/125 nautical_mile=1852 nmi=1852",
    "length2": "m²=1 m2=1 sqm=1 cm²=1/10000 cm2=1/10000 mm²=1/1000000 mm2=1/1000000 km²=1000000 km2=1000000"
    " hectare=10000 ha=10000 acre=316160658/78125 ft2=145161/1562500 sqft=145161/1562500",
    "length3": "m³=1 m3=1 litre=1/1000 liter=1/1000 L=1/1000 l=1/1000 millilitre=1/1000000 milliliter=1/1000000"
    " mL=1/1000000 ml=1/1000000 hectolitre=1/10 hL=1/10 hl=1/10 cm³=1/1000000 cm3=1/1000000",
    "mass": "kilogram=1 kg=1 gram=1/1000 g=1/1000 milligram=1/1000000 mg=1/1000000 microgram=1/1000000000"
    " ug=1/1000000000 µg=1/1000000000 mcg=1/1000000000 tonne=1000 t=1000 kilotonne=1000000 kt=1000000"
    " pound=45359237/100000000 lb=45359237/100000000 ounce=45359237/1600000000 oz=45359237/1600000000",
    "current": "ampere=1 amp=1 A=1 mA=1/1000 milliampere=1/1000",
    "data": "bit=1 byte=8 B=8 kbit=1000 kilobit=1000 Mbit=1000000 megabit=1000000 Gbit=1000000000 gigabit=1000000000"
    " kB=8000 kilobyte=8000 MB=8000000 megabyte=8000000 GB=8000000000 gigabyte=8000000000 TB=8000000000000"
    " terabyte=8000000000000 PB=8000000000000000 petabyte=8000000000000000 KiB=8192 MiB=8388608 GiB=8589934592"
    " TiB=8796093022208",
    "substance": "mole=1 mol=1 millimole=1/1000 mmol=1/1000 micromole=1/1000000 umol=1/1000000",
    "angle": "degree=1 deg=1",
    "illuminance": "lux=1 lx=1",
    "light": "lumen=1 lm=1",
    "sound": "decibel=1 dB=1",
    "dose": "sievert=1 Sv=1 millisievert=1/1000 mSv=1/1000 microsievert=1/1000000 uSv=1/1000000",
    "celsius": "celsius=1 °C=1 degC=1",
    "fahrenheit": "fahrenheit=1 °F=1 degF=1",
    "kelvin": "kelvin=1 K=1",
    "": "%=1/100 percent=1/100 ratio=1",
}
_DERIVED = {
    "mass*length/time/time": "newton=1 N=1 kilonewton=1000 kN=1000",
    "mass/length/time/time": "pascal=1 Pa=1 hectopascal=100 hPa=100 kilopascal=1000 kPa=1000 megapascal=1000000"
    " MPa=1000000 bar=100000 millibar=100 mbar=100 atmosphere=101325 atm=101325",
    "mass*length*length/time/time": "joule=1 J=1 kilojoule=1000 kJ=1000 megajoule=1000000 MJ=1000000"
    " gigajoule=1000000000 GJ=1000000000 calorie=523/125 cal=523/125 kilocalorie=4184 kcal=4184 Wh=3600 kWh=3600000"
    " MWh=3600000000 GWh=3600000000000 TWh=3600000000000000",
    "mass*length*length/time/time/time": "watt=1 W=1 kilowatt=1000 kW=1000 megawatt=1000000 MW=1000000"
    " gigawatt=1000000000 GW=1000000000 kVA=1000 MVA=1000000",
    "mass*length*length/time/time/time/current": "volt=1 V=1 millivolt=1/1000 mV=1/1000 kilovolt=1000 kV=1000",
    "mass*length*length/time/time/time/current/current": "ohm=1",
    "current*time": "Ah=3600 mAh=18/5",
    "length/time": "kmh=5/18 kph=5/18 mph=1397/3125 knot=463/900 kn=463/900",
    "/time": "hertz=1 Hz=1 kilohertz=1000 kHz=1000 megahertz=1000000 MHz=1000000 gigahertz=1000000000"
    " GHz=1000000000 rpm=1/60",
    "data/time": "kbps=1000 Mbps=1000000 Gbps=1000000000",
}
_WORDS_BEFORE = {"square": 2, "cubic": 3}


@lru_cache(maxsize=4096)
def times(one: Dimension, other: Dimension, sign: int = 1) -> Dimension:
    """The dimension of a product, or with a sign of minus one of a quotient."""
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + sign * power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _dimension(formula: str) -> Dimension:
    found: Dimension = ()
    for sign, name, power in re.findall(r"([*/]?)([a-z]+)(\d?)", formula):
        found = times(found, ((name, int(power or 1)),), -1 if sign == "/" else 1)
    return found


_KNOWN: dict[str, Unit] = {
    name: (_dimension(formula), Fraction(size))
    for formula, listed in (_SIZES | _DERIVED).items()
    for name, size in (each.split("=") for each in listed.split())
}


class Units:
    """The units of one task: those that everybody knows, and those that its text converts or simply counts in."""

    def __init__(self, conversions: Iterable[str] = ()) -> None:
        self._own: dict[str, Unit] = {}
        self._read: dict[str, Unit] = {}
        for line in conversions:
            self._learn(line)

    def unit(self, text: str) -> Unit:
        """What a unit such as `EUR per MWh` measures; a word that is not known is a unit of its own kind."""
        if text not in self._read:
            self._read[text] = self._composed(text)
        return self._read[text]

    def _composed(self, text: str) -> Unit:
        first, *others = text.split(" per ")
        dimension, size = self._single(first.strip())
        for other in others:
            below, below_size = self._single(other.strip())
            dimension, size = times(dimension, below, -1), size / below_size
        return dimension, size

    def _single(self, name: str) -> Unit:
        if not name:
            return PLAIN
        before, _, rest = name.partition(" ")
        if before in _WORDS_BEFORE and rest:
            dimension, size = self._single(rest)
            power = _WORDS_BEFORE[before]
            return tuple((each, old * power) for each, old in dimension), size**power
        for form in singulars(name):
            found = self._own.get(form) or _KNOWN.get(form)
            if found is not None:
                return found
        return ((f"own {singulars(name)[-1]}", 1),), Fraction(1)

    def _learn(self, line: str) -> None:
        """`1 crate is 24 bottles.`: what is not known is told by what is, else the larger by the smaller."""
        found = re.fullmatch(r"1 (\D.*?) (?:is|are|equals|makes) ([\d,]+(?:\.\d+)?(?:/\d+)?) (\D.*?)\.?", line)
        if found is None:
            raise Unreadable("expected a conversion such as `1 MWh is 1,000 kWh.`", line)
        larger, number, smaller = found.groups()
        ratio = Fraction(number.replace(",", ""))
        one, other = self.unit(larger), self.unit(smaller)
        if is_own(one) or not is_own(other):
            self._own[singulars(larger)[-1]] = (other[0], other[1] * ratio)
        else:
            self._own[singulars(smaller)[-1]] = (one[0], one[1] / ratio)
        self._read.clear()


def is_own(unit: Unit) -> bool:
    """Whether a unit is one of those that only their text knows."""
    return any(name.startswith("own ") for name, _ in unit[0])


def is_known(word: str) -> bool:
    """Whether everybody knows the unit, a currency included."""
    return any(form in _KNOWN for form in singulars(word)) or re.fullmatch(r"[A-Z]{3}", word) is not None


@lru_cache(maxsize=4096)
def singulars(name: str) -> tuple[str, ...]:
    """The word itself and what it may be the plural of, the likeliest last."""
    found = [name]
    if name.endswith("s") and not name.endswith("ss") and len(name) > 2:
        found.append(name[:-1])
    if name.endswith(("ches", "shes", "xes", "sses")):
        found.append(name[:-2])
    if name.endswith("ies"):
        found.append(f"{name[:-3]}y")
    return tuple(found)
