import asyncio
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research_crawler.adapters.in_memory.memory_provider_health import MemoryHealth
from research_crawler.core.errors import LeaseLost, SearchFailed
from research_crawler.core.models.messages.commands import SearchSpec
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.messages.health import Health
from research_crawler.core.models.messages.searches import SearchProgress
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.engines.health_rules import Allowance
from research_crawler.engines.provider import ProviderRequest
from research_crawler.engines.provider_calls import Account
from research_crawler.engines.providers.bing import Bing
from research_crawler.engines.providers.brave import Brave
from research_crawler.engines.providers.duckduckgo import DuckDuckGo
from research_crawler.engines.providers.google import Google
from research_crawler.engines.providers.searxng import SearXNG
from research_crawler.engines.providers.tavily import Tavily
from research_crawler.engines.providers.wikipedia import Wikipedia
from research_crawler.engines.search_plan import WAIT_BESIDE_S
from research_crawler.engines.search_run import MOST_LIMITED, MOST_TURNS, SearchRun
from research_crawler.engines.search_turns import Turn
from tests.cases import each_case
from tests.engines.fake_engines import BAD
from tests.engines.keyed_answers import ENGINE_ID, KEY
from tests.engines.virtual_time import run_virtually

MODES = ["429", "500", "empty", "none", "challenge", "slow", "wrong key", "spent", "robots", "busy"]
"""Modes without results; `none` is a correct answer that has none, and `busy` answers only when the search has its
turn."""
TROUBLES = {"429": "rate", "500": "server", "empty": "other", "challenge": "challenge", "wrong key": "key",
            "spent": "quota", "robots": "refused"}  # fmt: skip
TIMEOUT_S = 20.0


class Scripted:
    """A provider that waits and then behaves as its mode says."""

    verticals = frozenset({"web"})

    def __init__(self, name, *, mode="ok", usd=0.0, general=True, takes_s=0.4, pages=1):
        self.name, self.mode, self.usd_per_call, self.general = name, mode, usd, general
        self.takes_s, self.pages, self.asked = takes_s, pages, 0

    def ignores(self, spec):
        return []

    def requests(self, spec):
        url = f"https://{self.name}.example/?key={KEY}"
        return [ProviderRequest(url=url, service=True, further=n > 0) for n in range(self.pages)]

    def parse(self, request, *, status, headers, body):
        raise AssertionError("nothing is downloaded here")


async def fetch(provider, request, *, permit_no, permit_by_s, download_s):
    provider.asked += 1
    now_s = asyncio.get_running_loop().time()
    assert permit_by_s >= now_s and download_s >= 0
    if provider.mode == "lost":
        raise LeaseLost
    if provider.mode == "slow" or provider.takes_s > download_s:
        await asyncio.sleep(download_s)
        raise SearchFailed(provider.name, Reason.TIMEOUT, trouble="slow")
    if provider.mode == "busy" and permit_by_s <= now_s + WAIT_BESIDE_S:
        provider.asked -= 1
        await asyncio.sleep(max(0.0, permit_by_s - now_s))
        raise SearchFailed(provider.name, Reason.BUSY, url=request.shown_url, trouble="busy")
    await asyncio.sleep(provider.takes_s)
    if provider.mode in TROUBLES:
        raise SearchFailed(
            provider.name,
            Why.from_stored(provider.mode),
            url=request.shown_url,
            trouble=TROUBLES[provider.mode],
        )
    rows = 0 if provider.mode == "none" else 10
    return [SearchResult(url=f"https://{provider.name}.example/{provider.asked}/{n}") for n in range(rows)]


def search(asked, *, book=None, accounts=None, timeout_s=TIMEOUT_S, **spec):
    """(answers, seconds of its longest turn) of one search in virtual time; a turn comes as soon as it is wanted."""

    async def work():
        clock = asyncio.get_running_loop().time
        run = SearchRun(
            book or MemoryHealth(clock=lambda: 1_800_000_000_000 + int(clock() * 1000)),
            fetch,
            accounts=accounts
            or {one.name: Account(one.name, Allowance(usd_per_call=one.usd_per_call)) for one in asked},
            timeout_s=timeout_s,
            clock=clock,
        )
        return await all_turns(run, SearchSpec(query="x", **spec), asked)

    return run_virtually(work())


async def all_turns(run, spec, providers):
    """(answers, seconds of the longest turn) of a search; its progress goes over the wire between two turns."""
    turn, longest_s = Turn(), 0.0
    while True:
        started_s = asyncio.get_running_loop().time()
        step = await run.take_turn(spec, providers, turn)
        longest_s = max(longest_s, asyncio.get_running_loop().time() - started_s)
        if not step.wait_for:
            return list(step.answers), longest_s
        turn = Turn(provider=step.wait_for, progress=SearchProgress.from_wire(step.progress.to_wire()))


def found(answers):
    return sum(len(answer.results) for answer in answers)


@each_case("count", [1, 2, 3, 4, 5])
def test_there_are_results_whichever_providers_fail_and_however(count):
    for failing in itertools.product([None, *MODES], repeat=count) if count < 4 else rotations(count):
        if None not in failing:
            continue
        providers = [
            Scripted(f"p{n}", mode=mode or "ok", usd=0.005 * (n % 2), general=n != 2)
            for n, mode in enumerate(failing)
        ]
        answers, seconds = search(providers)
        assert found(answers) > 0, failing
        assert seconds <= TIMEOUT_S + 0.5, failing


def rotations(count):
    """All but one fail, in the same way or in neighbouring ways. Each provider is once the one that
    answers."""
    for first in range(len(MODES)):
        for step in (0, 1, 3):
            modes = [MODES[(first + step * n) % len(MODES)] for n in range(count)]
            yield from ((*modes[:n], None, *modes[n + 1 :]) for n in range(count))


@given(st.data())
def test_a_provider_that_answers_is_used_whatever_happened_before(data):
    count = data.draw(st.integers(1, 6))
    now = [1_800_000_000_000]
    book = MemoryHealth(clock=lambda: now[0])
    paid = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    for _ in range(data.draw(st.integers(1, 6))):
        well = data.draw(st.integers(0, count - 1))
        modes = data.draw(st.lists(st.sampled_from(["ok", *MODES]), min_size=count, max_size=count))
        providers = [
            Scripted(
                f"p{n}",
                mode="ok" if n == well else mode,
                usd=0.01 * paid[n],
                takes_s=data.draw(st.floats(0, 3)),
            )
            for n, mode in enumerate(modes)
        ]
        preferred = data.draw(st.lists(st.sampled_from([one.name for one in providers]), max_size=2))
        answers, seconds = search(providers, book=book, providers=preferred)
        assert found(answers) > 0
        assert seconds <= TIMEOUT_S + 0.5
        now[0] += data.draw(st.integers(1, 400)) * 1000


def test_free_providers_are_asked_first_and_alone_if_they_give_enough():
    free, paid = Scripted("free"), Scripted("paid", usd=0.005)
    answers, seconds = search([paid, free])
    assert [one.report.provider for one in answers] == ["free"] and paid.asked == 0
    assert seconds == pytest.approx(0.4)


@pytest.mark.parametrize("mode", ["429", "none", "challenge"])
def test_a_paid_provider_is_asked_when_the_others_give_too_little(mode):
    free, dear, dearer = Scripted("free", mode=mode), Scripted("a", usd=0.005), Scripted("b", usd=0.005)
    answers, _ = search([free, dear, dearer])
    assert (free.asked, dear.asked, dearer.asked) == (1, 1, 0)
    assert [(one.report.provider, one.report.usd) for one in answers] == [("free", 0), ("a", 0.005)]


def test_an_encyclopedia_alone_is_not_enough():
    providers = [Scripted("encyclopedia", general=False), Scripted("paid", usd=0.005)]
    search(providers)
    assert providers[1].asked == 1


def test_the_next_provider_is_asked_while_one_is_slower_than_usual():
    slow, other = Scripted("slow", mode="slow"), Scripted("other", usd=0.005)
    answers, seconds = search([slow, other])
    assert other.asked == 1 and found(answers) == 10
    assert answers[1].report.seconds == pytest.approx(0.4) and seconds == pytest.approx(8.0)


def test_named_engines_are_asked_alone_while_they_answer():
    free, named = Scripted("free"), Scripted("named", usd=0.005)
    answers, _ = search([free, named], providers=["named"])
    assert (free.asked, named.asked) == (0, 1)
    named.mode = "500"
    answers, _ = search([free, named], providers=["named"])
    assert free.asked == 1 and found(answers) == 10


def test_further_pages_are_asked_only_while_they_are_full_and_wanted():
    provider = Scripted("p", pages=5)
    answers, _ = search([provider], max_results=25)
    assert provider.asked == 3 and found(answers) == 25
    provider = Scripted("p", pages=5, mode="none")
    search([provider], max_results=25)
    assert provider.asked == 1


def test_a_ceiling_of_calls_holds_even_if_no_other_provider_answers():
    provider = Scripted("p")
    book = MemoryHealth(clock=lambda: 1_800_000_000_000)
    accounts = {"p": Account("p", Allowance(per_day=2))}
    for n in range(3):
        answers, _ = search([provider], book=book, accounts=accounts)
        assert bool(found(answers)) == (n < 2)
    [answer] = answers
    assert provider.asked == 2 and answer.report.reason.text == "its 2 calls for today are used up"


def test_a_resting_provider_is_not_asked_while_others_answer_and_the_report_says_why():
    book, now = MemoryHealth(clock=lambda: 1_800_000_000_000), 1_800_000_000_000
    run_virtually(
        book.change("tired", lambda health, _: (Health(open_until_ms=now + 42_000, why="http 429"), None))
    )
    tired = Scripted("tired")
    answers, _ = search([tired, Scripted("other")], book=book)
    assert tired.asked == 0
    assert [answer.report.reason.text for answer in answers] == ["", "resting for 42 s after: http 429"]


def test_a_search_waits_for_a_turn_where_it_was_passed_over_and_keeps_what_it_has_tried():
    """The second provider is busy: the search waits for it, and does not ask the first one again."""
    failing, busy = Scripted("failing", mode="500"), Scripted("busy", mode="busy")
    answers, _ = search([failing, busy])
    assert (failing.asked, busy.asked) == (1, 1)
    assert [(one.report.provider, one.report.ok) for one in answers] == [("failing", False), ("busy", True)]
    assert found(answers) == 10


def test_results_of_an_encyclopedia_are_kept_while_the_search_waits_for_an_engine():
    engine, encyclopedia = Scripted("engine", mode="500"), Scripted("encyclopedia", general=False)
    waited_for = Scripted("second", mode="busy")
    answers, _ = search([engine, encyclopedia, waited_for])
    assert (engine.asked, encyclopedia.asked, waited_for.asked) == (1, 1, 1)
    assert found(answers) == 20


def test_a_busy_provider_is_not_waited_for_when_an_engine_has_answered():
    busy = Scripted("busy", mode="busy")
    answers, seconds = search([Scripted("engine"), busy])
    assert busy.asked == 0 and seconds == pytest.approx(WAIT_BESIDE_S)
    assert [(one.report.provider, one.report.ok) for one in answers] == [("engine", True), ("busy", False)]


def test_a_provider_that_gets_too_many_calls_is_waited_for_again_but_not_for_ever():
    limited = Scripted("limited", mode="429")
    answers, _ = search([limited])
    assert limited.asked == MOST_LIMITED
    assert [one.report.reason.text for one in answers] == ["429"]


class LateOnce(Scripted):
    """Is too late for its first call."""

    @property
    def mode(self):
        return "slow" if self.asked < 2 else "ok"

    @mode.setter
    def mode(self, value):
        pass


def test_a_provider_that_was_too_late_is_asked_once_more_where_nothing_else_was_found():
    late = LateOnce("late")
    assert found(search([late])[0]) == 10
    slow = Scripted("slow", mode="slow")
    answers, _ = search([slow])
    assert (slow.asked, found(answers), [one.report.ok for one in answers]) == (2, 0, [False])


def test_a_late_provider_is_not_asked_again_where_that_costs_money_or_another_one_has_answered():
    paid = Scripted("paid", mode="slow", usd=0.005)
    search([paid])
    slow, other = Scripted("slow", mode="slow"), Scripted("other", usd=0.005)
    answers, _ = search([slow, other])
    assert (paid.asked, slow.asked, other.asked, found(answers)) == (1, 1, 1, 10)


def test_another_provider_is_asked_before_one_that_gets_too_many_calls():
    limited, other = Scripted("limited", mode="429"), Scripted("other", usd=0.005)
    answers, _ = search([limited, other])
    assert (limited.asked, other.asked, found(answers)) == (1, 1, 10)


def test_a_search_does_not_choose_a_provider_whose_slot_is_closed_while_another_is_open():
    async def work():
        closed, other = Scripted("closed"), Scripted("other")
        run = SearchRun(MemoryHealth(), fetch, accounts={}, timeout_s=TIMEOUT_S)
        both = [closed, other]
        step = await run.take_turn(SearchSpec(query="x"), both, Turn(closed_s={"closed": 60.0}))
        alone = await run.take_turn(SearchSpec(query="x"), [closed], Turn(closed_s={"closed": 60.0}))
        return step.wait_for, alone.wait_for

    assert run_virtually(work()) == ("other", "closed")


def test_a_search_at_a_provider_that_has_begun_to_rest_goes_on_to_another():
    async def work():
        book = MemoryHealth(clock=lambda: 1_800_000_000_000)
        rest = Health(open_until_ms=1_800_000_042_000, why="http 500")
        await book.change("tired", lambda health, _: (rest, None))
        tired, other = Scripted("tired"), Scripted("other")
        run = SearchRun(book, fetch, accounts={}, timeout_s=TIMEOUT_S)
        step = await run.take_turn(SearchSpec(query="x"), [tired, other], Turn(provider="tired"))
        return step.wait_for, tired.asked, step.progress.tried

    assert run_virtually(work()) == ("other", 0, [])


def test_nodes_that_pass_a_search_on_for_ever_do_not_keep_it():
    async def work():
        run = SearchRun(MemoryHealth(), fetch, accounts={}, timeout_s=TIMEOUT_S)
        progress, turns = SearchProgress(), 0
        while turns < 100:
            turns += 1
            turn = Turn(provider="unknown here", progress=progress)
            step = await run.take_turn(SearchSpec(query="x"), [Scripted("a")], turn)
            if not step.wait_for:
                return turns
            progress = step.progress
        return turns

    assert run_virtually(work()) == MOST_TURNS + 1


def test_a_lost_lease_ends_the_search():
    with pytest.raises(LeaseLost):
        search([Scripted("a", mode="slow"), Scripted("b", mode="lost")])


def test_no_report_holds_a_key():
    answers, _ = search([Scripted("a"), Scripted("b", mode="500")])
    assert all(KEY not in one.report.model_dump_json() and "key=***" in one.report.url for one in answers)


def test_a_search_that_no_provider_can_serve_has_no_answers():
    assert search([Scripted("a")] * 0)[0] == []


def adapters(base_url):
    return {
        "/search": SearXNG(base_url),
        "/html/": DuckDuckGo(base_url),
        "/w/api.php": Wikipedia(base_url),
        "/res/v1": Brave(KEY, base_url),
        "/tavily": Tavily(KEY, f"{base_url}/tavily"),
        "/customsearch": Google(KEY, ENGINE_ID, base_url),
        "/v7.0": Bing(KEY, base_url),
    }


@pytest.mark.parametrize("mode", [*BAD, "none", "wrong key", "spent"])
async def test_one_answering_provider_of_the_real_ones_is_enough(mode, engines):
    async def download(provider, request, **_):
        return await engines.ask(provider, request)

    providers = adapters(engines.base_url)
    accounts = {one.name: Account(one.name, Allowance(one.usd_per_call)) for one in providers.values()}
    engines.mode = mode if mode in (*BAD, "none") else "500"
    for path, well in providers.items():
        engines.mode_of = {path: "ok"}
        if mode in ("wrong key", "spent"):
            engines.mode_of |= {other: mode for other in list(providers)[3:] if other != path}
        run = SearchRun(MemoryHealth(), download, accounts=accounts, timeout_s=TIMEOUT_S)
        answers, _ = await all_turns(run, SearchSpec(query="honey"), list(providers.values()))
        assert found(answers) > 0
        by_name = {one.report.provider: one.report for one in answers}
        assert by_name[well.name].ok and by_name[well.name].results > 0
        assert all(KEY not in report.model_dump_json() for report in by_name.values())
