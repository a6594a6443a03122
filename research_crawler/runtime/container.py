"""Builds the parts of a process from its settings, for `Runtime` and for the add-on of `scrapy crawl`.

A command that only reads (`research status`) only needs Redis and the archive, so the modules for planning
and crawling are imported where they are used.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from research_crawler.adapters.data_folder import DataFolder
from research_crawler.adapters.redis.budgets import RedisBudget
from research_crawler.adapters.redis.job_overview import JobOverview
from research_crawler.adapters.redis.presence import RENDERER, Presence
from research_crawler.adapters.redis.redis_jobs import RedisJobs
from research_crawler.adapters.redis.redis_outbox import RedisOutbox
from research_crawler.adapters.redis.redis_provider_health import RedisHealth
from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted, RedisFull
from research_crawler.core.log import get_log
from research_crawler.core.tasks.end_tasks import end_tasks
from research_crawler.core.telemetry import switch_off_telemetry
from research_crawler.frontier.person_queue import PersonQueue
from research_crawler.frontier.store import Frontier
from research_crawler.runtime.opened_parts import OpenedParts
from research_crawler.runtime.process_memory import ProcessMemory

if TYPE_CHECKING:
    from planner.brains.extractive.extract import Picker
    from planner.brains.extractive.extractive_brain import ExtractiveBrain, RememberingEmbedder
    from research_crawler.adapters.browser_program import BrowserProgram
    from research_crawler.adapters.models.embedder import SentenceEmbedder
    from research_crawler.adapters.sql.sql_archive import SqlArchive
    from research_crawler.core.crawler_services import CrawlServices, FetchServices
    from research_crawler.core.models.jobs.job import Job
    from research_crawler.core.ports.crawler import PageReaders, ProductGapModel
    from research_crawler.core.ports.models import Brain
    from research_crawler.extraction.process.pool import ParsePool
    from research_crawler.runtime.job_models import JobModels

_PAGE_WORK = "planner.brains.extractive.extract"
"""What the parse processes do for the brain without a model."""

log = get_log(__name__)
CrawlMode = bool | Literal["search", "page"]
"""What a process crawls: True for all kinds of commands, False for none, or the only kind that it takes.

`research search` and `research page` use a single kind, because they run one command and end.
"""


class Container(OpenedParts):
    """The parts of one process. `open` connects them; `close` closes them in the opposite order."""

    fetching: "FetchServices"
    """What a download needs; set only if this process crawls."""
    frontier: Frontier
    people: PersonQueue
    """What persons are asked."""
    jobs: RedisJobs
    outbox: RedisOutbox
    overview: JobOverview
    presence: Presence
    provider_health: RedisHealth
    embedder: "SentenceEmbedder"
    extractive: "ExtractiveBrain"
    remembering: "RememberingEmbedder"
    models: "JobModels"
    parse_pool: "ParsePool"

    def __init__(
        self,
        config: Config,
        *,
        crawl: CrawlMode = False,
        plan: bool = False,
        warm: bool = True,
        index: bool = True,
        may_own: bool = True,
    ) -> None:
        """Build the parts that need no connection.

        Args:
            crawl: what this process crawls.
            plan: whether this process runs a planner worker.
            warm: load the embedding model at `open`, because this process is going to need it.
            index: copy events from Redis into the archive and the vector index, if that is this process's part.
            may_own: whether this process may become the owner of the data folder, which indexes findings.

        Raises:
            ConfigError, NotStarted: a part cannot be built from these settings.
        """
        super().__init__()
        switch_off_telemetry()
        self.config, self._crawl = config, crawl
        self._is_single_command = isinstance(crawl, str)
        self._may_index = index and not self._is_single_command
        self._warm = warm and not self._is_single_command
        self._uses_brain = bool(crawl) or plan
        self.folder = DataFolder(config, may_own=may_own)
        self._archive: SqlArchive | None = None
        self.browser: BrowserProgram | None = None
        """The browser that renders pages here; None if this process does not crawl or there is no browser."""
        self._services: CrawlServices | None = None
        self.warming: asyncio.Task[None] | None = None
        """Loads the embedding model; None where that is done at its first use."""
        self.memory = ProcessMemory(self)
        self._readers_start: asyncio.Task[None] | None = None
        if self._uses_brain:
            self._make_embedder()
            self._make_parse_pool()
        if crawl:
            self._make_fetching()

    @property
    def works(self) -> bool:
        """Whether this process crawls or plans, and does not end after a single command."""
        return self._uses_brain and not self._is_single_command

    def close_with(self, closing: Callable[[], Awaitable[object]]) -> None:
        """Call a function at `close`, before everything that is there already is closed."""
        self.closed_at_end.push_async_callback(closing)

    def _make_embedder(self) -> None:
        from research_crawler.adapters.models.embedder import SentenceEmbedder

        self.embedder = SentenceEmbedder(self.config.embedding_model)

    def _make_parse_pool(self) -> None:
        """A process that only plans repairs answers of models there, one at a time; it starts with the first."""
        from research_crawler.extraction.process.pool import ParsePool

        processes = (self.config.parse_processes or min(4, os.cpu_count() or 1)) if self._crawl else 1
        preload = () if self.config.has_endpoint or not self._crawl else (_PAGE_WORK,)
        self.parse_pool = ParsePool(processes, memory_mb=self.config.parse_memory_mb, preload=preload)

    def _make_fetching(self) -> None:
        from research_crawler.adapters.browser_program import find_browser
        from research_crawler.adapters.host_sessions import HostSessions
        from research_crawler.core.crawler_services import FetchServices
        from research_crawler.core.web.addresses import AddressGuard
        from research_crawler.engines.registry import providers_from
        from research_crawler.handlers.upstream_proxy import NOTICE, UpstreamProxy

        config = self.config
        if proxy := UpstreamProxy.from_config(config):
            log.warning(f"RESEARCH_PROXY {proxy.shown}: {NOTICE}")
        guard = AddressGuard.of_crawlers(config)
        providers_from(config)  # An unknown provider fails here, at the start, not at the first search.
        self.browser = find_browser(config)
        self.fetching = FetchServices(
            config=config, guard=guard, browser=self.browser, sessions=HostSessions(config.home)
        )

    @property
    def archive(self) -> "SqlArchive":
        """The archive. In a process that neither crawls nor plans it is opened when it is first used.

        Raises:
            ConfigError: DATABASE_URL cannot be used.
        """
        if self._archive is None:
            from research_crawler.adapters.sql.sql_archive import SqlArchive

            self._archive = SqlArchive(self.config)
        return self._archive

    async def _close_archive(self) -> None:
        if self._archive is not None:
            await self._archive.close()

    @property
    def services(self) -> "CrawlServices":
        """The services that the components of a crawler use.

        Raises:
            NotStarted: this process is not open, or does not crawl.
        """
        if self._services is None:
            raise NotStarted("this process does not crawl; open a Container with crawl=True first")
        return self._services

    async def open_services(self) -> "CrawlServices":
        """Open everything for a crawler that Scrapy started (`scrapy crawl`), and return its services.

        Raises:
            the same errors as `open`.
        """
        await self.open()
        return self.services

    async def _open(self) -> None:
        self.closed_at_end.push_async_callback(self._close_archive)
        if self._uses_brain:
            self.closed_at_end.push_async_callback(self.embedder.close)
            if self._warm:
                self.warming = self.spawn(self.embedder.warm())
        self.closed_at_end.push_async_callback(self.folder.close)
        await self.folder.open()
        self._connect()
        if self._uses_brain:
            self.closed_at_end.callback(self.parse_pool.close)
            await self.archive.open()
            self._make_models()
        if self._uses_brain and self._may_index:
            self.memory.start()
        if self._crawl:
            await self._start_fetching()

    def _connect(self) -> None:
        redis, prefix = self.folder.redis, self.config.redis_prefix
        self.frontier = Frontier(redis, prefix=prefix)
        self.people = PersonQueue(self.frontier)
        self.jobs = RedisJobs(redis, prefix=prefix)
        self.budget = RedisBudget(
            redis,
            prefix=prefix,
            day_max_tokens=self.config.day_max_tokens,
            day_max_usd=self.config.day_max_usd,
        )
        self.outbox = RedisOutbox(redis, prefix=prefix)
        self.overview = JobOverview(redis, prefix=prefix)
        self.presence = Presence(redis, prefix=prefix)
        self.provider_health = RedisHealth(redis, prefix=prefix)
        for connected in (self.frontier, self.jobs):
            self.closed_at_end.push_async_callback(connected.close)

    def _make_models(self) -> None:
        from planner.brains.extractive.extract import pick_by, pick_here
        from planner.brains.extractive.extractive_brain import ExtractiveBrain, RememberingEmbedder
        from research_crawler.runtime.job_models import JobModels

        pick = pick_by(self.parse_pool) if self._crawl else pick_here  # only crawlers extract
        self.remembering = RememberingEmbedder(self.embedder)  # a text is embedded once a job
        self.extractive = ExtractiveBrain(self.remembering, pick)
        self.models = JobModels(self.config, partial(self._readers, pick))

    def _readers(self, pick: "Picker", config: Config) -> "PageReaders":
        """What reads pages with these settings, and decides."""
        from planner.brains.extractive.extract import pick_while_read
        from planner.brains.fallback import FallbackBrain
        from research_crawler.core.ports.crawler import PageReaders

        readers = PageReaders(
            brain=self.extractive, page_tokens=config.page_tokens, reads_sections=config.reads_sections
        )
        if config.brain:
            readers = replace(readers, brain=FallbackBrain(self._installed_brain(pick), self.extractive))
        elif config.has_endpoint:
            brain, product_model = self._model_brain(config)
            fallback = FallbackBrain(brain, self.extractive)
            readers = replace(readers, brain=fallback, product_model=product_model)
        if config.has_endpoint:  # a model reads passages
            return readers
        return replace(readers, page_processor=partial(pick_while_read, most_tokens=config.page_tokens))

    def _installed_brain(self, pick: "Picker") -> "Brain":
        from planner.brains.brain_choice import BrainParts, installed_brain

        return installed_brain(
            BrainParts(config=self.config, embedder=self.remembering, pick=pick, extractive=self.extractive)
        )

    def _model_brain(self, config: Config) -> "tuple[Brain, ProductGapModel | None]":
        from pipelines.product_gaps import ProductModel
        from planner.brains.model.model_brain import ModelBrain
        from planner.brains.model.product_extractor import ProductExtractor
        from prompts.repair import repair_by
        from research_crawler.adapters.models.openai_chat import OpenAIChat, kept_schemas

        chat = OpenAIChat.from_config(config)
        self.closed_at_end.push_async_callback(chat.close)
        repair = repair_by(self.parse_pool)
        product_model = ProductModel(ProductExtractor.from_config(config, chat, self.budget, repair=repair))
        memory = kept_schemas(config)
        brain = ModelBrain.from_config(
            config, chat, self.budget, embedder=self.embedder, repair=repair, memory=memory
        )
        return brain, product_model

    async def brain_for(self, job: "Job") -> "Brain":
        """The brain that decides for a job: with the models that it was started with."""
        return (await self.models.of(job.model)).brain

    def use_models(self, config: Config) -> None:
        """Start jobs with the models of these settings from now on; those under way keep theirs."""
        self.config = config
        if self._uses_brain:
            self.models.use(config)

    async def _start_fetching(self) -> None:
        config = self.config
        with suppress(RedisFull):  # then the limits stay that were set before
            await self.frontier.configure(
                default_delay_ms=int(config.phase1_visit_delay_seconds * 1000),
                host_permits=config.host_permits,
                model_permits=config.model_concurrency,
            )
        if self.browser:
            self.spawn(self.presence.announce(RENDERER))
        self._services = self._crawl_services()
        if self._crawl != "search":
            self._readers_start = asyncio.create_task(asyncio.to_thread(self.parse_pool.start))
            self.closed_at_end.push_async_callback(asyncio.wait, {self._readers_start})

    def _crawl_services(self) -> "CrawlServices":
        from research_crawler.core.crawler_services import CrawlServices
        from research_crawler.frontier.node import Node

        return CrawlServices(
            config=self.config,
            guard=self.fetching.guard,
            browser=self.browser,
            sessions=self.fetching.sessions,
            people=self.people,
            archive=self.archive,
            embedder=self.remembering,
            readers_for=self.models.of,
            frontier=self.frontier,
            node=Node(self.frontier, leases=self.config.node_leases),
            parse_pool=self.parse_pool,
            provider_health=self.provider_health,
            renders_elsewhere=self.presence.renders_elsewhere,
        )

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine in the background until `close`. If it fails, the error is logged."""
        task = asyncio.create_task(work)
        task.add_done_callback(_log_failure)
        self.closed_at_end.push_async_callback(end_tasks, [task])
        return task


def _log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("a background task failed", exc_info=error)
