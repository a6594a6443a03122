"""What Prometheus reads at `/metrics`: the server's own latency, and how much the whole system has to do.

Numbers of jobs are of those that Redis holds: all that are open, and those that ended in the last day.
"""

import time
from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from research_crawler.core.tasks.every import failures
from research_crawler.runtime.runtime import Runtime
from research_crawler.services.jobs.job_totals import JobTotals, totals_of

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0)
"""Borders of the histogram of latencies, in seconds."""


class ServerMetrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._latency = Histogram(
            "research_http_seconds",
            "Time from a request to the begin of its answer",
            ("method", "route", "status"),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._system = _System()
        self._registry.register(self._system)

    def took(self, seconds: float, *, method: str, route: str, status: int) -> None:
        """Note a request."""
        self._latency.labels(method, route, str(status)).observe(seconds)

    async def text(self, runtime: Runtime) -> bytes:
        """All metrics in the text format of Prometheus."""
        self._system.totals = await totals_of(runtime)
        return generate_latest(self._registry)


class _System(Collector):
    """The state of the system as it was last looked at."""

    def __init__(self) -> None:
        self.totals: JobTotals | None = None

    def collect(self) -> Iterator[Metric]:
        """The metrics."""
        yield _counted(
            "research_loop_failures", "Failures of this process's loops, by loop", "loop", failures
        )
        if (totals := self.totals) is None:
            return
        yield _labelled("research_jobs", "Jobs by state", "state", totals.states)
        yield _labelled(
            "research_job_outcomes",
            "Jobs that ended with a report, by what came of them",
            "outcome",
            totals.outcomes,
        )
        yield _labelled("research_queue_commands", "Commands that wait, by queue", "queue", totals.queued)
        usage = totals.usage
        tokens = {"prompt": usage.prompt_tokens, "completion": usage.completion_tokens}
        yield _labelled("research_tokens", "Model tokens of these jobs", "kind", tokens)
        singles = {
            "research_commands_leased": ("Commands that crawlers work on", totals.leased),
            "research_outbox_events": ("Events that the archive does not have yet", totals.outbox),
            "research_crawlers": ("Crawler nodes that are alive", totals.crawlers),
            "research_planners": ("Planner workers that are alive", totals.planners),
            "research_pages_fetched": ("Pages that these jobs fetched", totals.pages_fetched),
            "research_model_calls": ("Model calls of these jobs", usage.model_calls),
            "research_failed_answers": (
                "Model answers of these jobs that did not parse",
                usage.failed_answers,
            ),
            "research_model_usd": ("Price of these jobs' model calls", usage.usd),
        }
        for name, (words, value) in singles.items():
            yield GaugeMetricFamily(name, words, value=value)


def _counted(name: str, words: str, label: str, values: Mapping[str, int]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, words, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family


def _labelled(name: str, words: str, label: str, values: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, words, labels=[label])
    for key, value in sorted(values.items()):
        family.add_metric([key], value)
    return family


class Timing:
    """Measures the time until each answer begins, under the route's own pattern, not the address that was called."""

    def __init__(self, app: ASGIApp, *, metrics: ServerMetrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and note its time."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun_s = time.perf_counter()

        async def timed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._metrics.took(
                    time.perf_counter() - begun_s,
                    method=scope["method"] if scope["method"] in _METHODS else "other",
                    route=getattr(scope.get("route"), "path", "none"),
                    status=message["status"],
                )
            await send(message)

        await self._app(scope, receive, timed)


_METHODS = frozenset({"GET", "POST", "DELETE", "HEAD", "OPTIONS"})
