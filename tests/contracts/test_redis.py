"""redis-py: a write that can be cancelled, and retrying with a patience in seconds."""

import inspect

from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from tests.contracts.private_names import parameters, relied_on


def test_a_connection_writes_in_the_method_that_is_called_and_by_the_one_that_is_replaced():
    why = "adapters.redis_writes writes under asyncio.timeout"
    inner = relied_on(AbstractConnection, "_send_packed_command", why)
    assert inspect.iscoroutinefunction(inner) and parameters(inner)[:2] == ["self", "command"]
    outer = relied_on(AbstractConnection, "send_packed_command", why)
    assert parameters(outer) == ["self", "command", "check_health"]
    assert "_send_packed_command" in inspect.getsource(outer), "redis-py writes by another way"


def test_a_retry_keeps_its_errors_and_its_backoff_under_the_names_that_are_read():
    retry = Retry(ExponentialBackoff(), 1, supported_errors=(TimeoutError,))
    why = "adapters.redis_connection retries until its patience ends"
    assert relied_on(retry, "_supported_errors", why) == (TimeoutError,)
    assert isinstance(relied_on(retry, "_backoff", why), ExponentialBackoff)
    assert parameters(Retry.call_with_retry) == [
        "self",
        "do",
        "fail",
        "is_retryable",
        "with_failure_count",
    ], "a connection hands other arguments to Retry.call_with_retry"
