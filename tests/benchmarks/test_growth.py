"""Growth goes through every size, and is drawn the same way each time."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from benchmarks.growth import MEASURES, SIZES, Point, picture, short, sizes

POINTS = [
    Point("instances", 1_000, 0.25, 900.0, 8_000.0, 90.0, 40.0),
    Point("instances", 10_000, 0.25, 18_000.0, 9_500.0, 91.0, 41.0),
    Point("roles", 5, 0.2, 21_000.0, 9_900.0, 88.0, 41.0),
]


def test_every_axis_goes_through_its_sizes_alone() -> None:
    found = list(sizes(20_000))
    assert [value for axis, value, _, _ in found if axis == "instances"] == [1_000, 10_000, 20_000]
    for axis, values in SIZES.items():
        own = [(value, size) for name, value, size, _ in found if name == axis]
        assert tuple(value for value, _ in own) == values
        assert all(getattr(size, axis) == value for value, size in own)
    assert (min(SIZES["roles"]), max(SIZES["roles"])) == (5, 12)
    assert (min(SIZES["conditions"]), max(SIZES["conditions"])) == (5, 20)
    assert (min(SIZES["candidates"]), max(SIZES["candidates"])) == (3, 8)


def test_fewer_instances_than_the_first_count_are_one_point() -> None:
    assert [value for axis, value, _, _ in sizes(20) if axis == "instances"] == [20]


def test_a_million_instances_are_reached_by_powers_of_ten() -> None:
    counts = [value for axis, value, _, _ in sizes(1_000_000) if axis == "instances"]
    assert counts == [1_000, 10_000, 100_000, 1_000_000]


def test_the_picture_is_the_same_each_time_and_holds_a_mark_a_point_and_measure() -> None:
    text = picture(POINTS)
    assert text == picture(POINTS)
    marks = [each for each in ElementTree.fromstring(text).iter() if each.tag.endswith("circle")]
    assert len(marks) == len(POINTS) * len(MEASURES)


def test_a_higher_value_stands_higher() -> None:
    drawn = ElementTree.fromstring(picture(POINTS[:2]))
    heights = [int(each.attrib["cy"]) for each in drawn.iter() if each.tag.endswith("circle")]
    assert heights[2] > heights[3]


@pytest.mark.parametrize(
    ("number", "text"), [(0.25, "0.25"), (5, "5"), (18.4, "18"), (999, "999"), (1_000, "1k"), (1_000_000, "1M")]
)
def test_numbers_are_short(number: float, text: str) -> None:
    assert short(number) == text
