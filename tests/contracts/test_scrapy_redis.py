"""scrapy-redis: how it writes requests, reads start URLs, names the same requests and finds its server."""

import inspect
from collections.abc import Callable

import pytest
from scrapy_redis import connection
from scrapy_redis.dupefilter import RFPDupeFilter
from scrapy_redis.queue import Base
from scrapy_redis.scheduler import Scheduler
from scrapy_redis.spiders import RedisMixin

from tests.cases import each_case
from tests.contracts.private_names import parameters, relied_on

QUEUE = "frontier.queue writes and reads the requests of projects with it"
INLET = "frontier.inlet asks a project's spider for its key, its batch and its requests"


@pytest.mark.parametrize(
    ("name", "expected", "calls"),
    [
        ("_encode_request", ["self", "request"], "self.serializer.dumps"),
        ("_decode_request", ["self", "encoded_request"], "self.serializer.loads"),
    ],
)
def test_a_queue_writes_and_reads_requests_with_the_serializer_that_it_is_given(
    name: str, expected: list[str], calls: str
) -> None:
    relied_on(Base, name, QUEUE)
    assert parameters(getattr(Base, name)) == expected
    assert calls in inspect.getsource(getattr(Base, name)), f"{name} pickles: {QUEUE}"


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (RedisMixin.setup_redis, ["self", "crawler"]),
        (RedisMixin.make_request_from_data, ["self", "data"]),
        (RFPDupeFilter.request_fingerprint, ["self", "request"]),
        (connection.get_redis_from_settings, ["settings"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_called_takes_what_it_took(function: Callable[..., object], expected: list[str]) -> None:
    assert parameters(function) == expected


@each_case("name", ["redis_key", "redis_batch_size", "fetch_data", "count_size"])
def test_a_spider_has_the_attributes_that_are_read_or_replaced(name: str) -> None:
    assert f"self.{name} = " in inspect.getsource(RedisMixin.setup_redis), f"{name} is gone: {INLET}"


def test_an_idle_spider_reads_its_key_through_the_replaced_attributes() -> None:
    assert "self.count_size(" in inspect.getsource(RedisMixin.spider_idle), INLET
    assert "self.fetch_data(" in inspect.getsource(RedisMixin.next_requests), INLET


def test_the_scheduler_takes_what_ours_gives_it() -> None:
    names = {
        "server",
        "persist",
        "flush_on_start",
        "queue_cls",
        "dupefilter",
        "idle_before_close",
        "serializer",
    }
    assert names <= set(parameters(Scheduler.__init__))
