"""Every interface tells a caller the same about an error."""

from research_crawler.core.errors import ResearchError
from research_crawler.interfaces.http.faults import STATUSES
from research_crawler.services.error_codes import ERROR_CODES, ErrorKind


def test_no_error_stands_behind_one_that_it_is_a_kind_of():
    kinds: list[type[ResearchError]] = []
    for row in ERROR_CODES:
        assert not any(issubclass(row.error, earlier) for earlier in kinds), row.error
        kinds.append(row.error)


def test_http_has_a_status_for_each_kind_of_error():
    assert set(STATUSES) == set(ErrorKind)
    assert len(set(STATUSES.values())) == len(ErrorKind)
