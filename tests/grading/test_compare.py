import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspect_agentbench.bank import Tolerance
from inspect_agentbench.grading.compare import close, equal, same
from inspect_agentbench.grading.inside.wire import encode

TOLERANCE = Tolerance(relative=1e-6, absolute=1e-9)
TEXTS = st.text() | st.sampled_from(
    [
        encode(value)
        for value in (
            1,
            True,
            1.0,
            math.nan,
            Decimal("sNaN"),
            Decimal("NaN"),
            {Decimal("NaN"): 1.0},
            {Decimal("NaN"): 2.0},
            {1: 1.0},
            {True: 1.0},
            [1.0, [2.0]],
            [1.0, (2.0,)],
            {"a": Decimal("1E+999999")},
            "\ud800",
        )
    ]
)


@given(TEXTS, TEXTS)
def test_comparing_never_raises(expected: str, got: str) -> None:
    """Whatever the two texts are, each comparison says yes or no; a text agrees with itself."""
    for verdict in (same(expected, got), equal(expected, got), close(expected, got, TOLERANCE)):
        assert verdict is True or verdict is False
        assert verdict or expected != got


@pytest.mark.parametrize(
    ("expected", "got", "equal_for_a_test"),
    [
        (1, True, True),
        (1, 1.0, True),
        (Decimal(2), 2.0, True),
        ((1, 2), [1, 2], False),
        ("a", b"a", False),
        ({1: "x"}, {True: "x"}, True),
        (0.0, -0.0, True),
        (1, 2, False),
        ([math.nan], [math.nan], True),
        (Decimal("sNaN"), 1, False),
    ],
)
def test_fixed_cases_are_compared_as_the_tests_do(expected: Any, got: Any, equal_for_a_test: bool) -> None:
    """`equal` is Python's ==; `same` tells types apart wherever the spelling does."""
    assert equal(encode(expected), encode(got)) is equal_for_a_test
    assert same(encode(expected), encode(got)) is (encode(expected) == encode(got))


@pytest.mark.parametrize(
    ("expected", "got", "agrees"),
    [
        (1.0, 1.0 + 1e-7, True),
        (1.0, 1.0 + 1e-5, False),
        (0.0, 1e-10, True),
        (0.0, -0.0, True),
        (1e300, 1e300 * (1 + 1e-7), True),
        (1.0, 1, False),
        (1, 1.0, False),
        (1.0, Decimal(1), False),
        (math.nan, math.nan, True),
        (math.inf, 1e308, False),
        (1e308, math.inf, False),
        (-1e308, 1.7e308, False),
        ([1.0, 2.0], [1.0, 2.0 + 1e-7], True),
        ([1.0], [1.0, 2.0], False),
        ([1.0, 2.0], [1.0], False),
        ([1.0], (1.0,), False),
        ({"a": (1.0,)}, {"a": (1.0 + 1e-8,)}, True),
        ({"a": 1.0}, {"b": 1.0}, False),
        ({"a": 1.0}, {"a": 1.0, "b": 1.0}, False),
        ({1: 1.0}, {True: 1.0 + 1e-8}, False),
        ({1: 1.0}, {1.0: 1.0 + 1e-8}, False),
        ([1.0, "x"], [1.0 + 1e-8, "y"], False),
        ([1.0, 1], [1.0 + 1e-8, True], False),
        ([1.0, {2.0}], [1.0 + 1e-8, {2.0 + 1e-9}], False),
    ],
)
def test_tolerance_is_for_floats_only_and_type_for_type(expected: Any, got: Any, agrees: bool) -> None:
    """Floats may differ by the tolerance wherever they stand as values; nothing else may differ at all."""
    assert close(encode(expected), encode(got), TOLERANCE) is agrees


@given(st.floats(), st.floats())
def test_tolerance_is_measured_from_the_expected_value(expected: float, got: float) -> None:
    """A candidate cannot widen the tolerance by answering something huge."""
    if close(encode(expected), encode(got), TOLERANCE) and math.isfinite(expected):
        assert abs(got - expected) <= max(1e-9, 1e-6 * abs(expected))
