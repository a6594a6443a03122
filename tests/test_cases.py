"""One test of many cases tries them all, and fails with each that fails."""

import pytest

from tests.cases import each_case


def test_all_cases_are_tried_with_the_fixtures_and_all_that_fail_are_told():
    tried = []

    @each_case("even", [2, 3])
    @each_case(("left", "right"), [(1, 1), (1, 2)])
    def small(left, right, even, fixture):
        tried.append((left, right, even, fixture))
        assert left == right and even % 2 == 0

    with pytest.raises(ExceptionGroup) as raised:
        small(fixture="f")
    assert len(tried) == 4
    told = [failure.exceptions for failure in raised.value.exceptions]
    assert [len(of_one) for of_one in told] == [1, 2]
    assert "'left': 1, 'right': 2" in told[0][0].__notes__[0]


@each_case("number", [1, 2])
async def test_cases_may_be_coroutines_that_use_fixtures(number, tmp_path):
    assert number in (1, 2) and tmp_path.is_dir()


async def test_a_coroutine_that_fails_in_a_case_is_told():
    @each_case("number", [1, 2])
    async def small(number):
        assert number == 1

    with pytest.raises(ExceptionGroup, match="1 of 2"):
        await small()
