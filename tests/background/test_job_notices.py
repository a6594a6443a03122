"""The end of a job and its questions are told once to each place, signed, whoever sees them and however often."""

import asyncio
import hashlib
import hmac
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from research_crawler.adapters.notifications import Notifications
from research_crawler.adapters.sql.stores.batch_store import SqlBatches
from research_crawler.adapters.sql.stores.notice_store import SqlNotices
from research_crawler.background.batch_feeder import row_job
from research_crawler.background.job_notices import JobNotices
from research_crawler.background.notice_delivery import RETRY_WAITS_MS
from research_crawler.configuration import load_system_config
from research_crawler.core.errors import UsageError
from research_crawler.core.models.jobs.caller_question import JobQuestion
from research_crawler.core.models.messages.commands import VisitCommand
from research_crawler.core.models.people.interventions import Intervention
from research_crawler.core.models.people.reviews import OpenQuestion
from research_crawler.core.models.reasons import Reason
from research_crawler.core.models.why import Why
from research_crawler.core.web.urls import frontier_target
from research_crawler.runtime.runtime import running
from research_crawler.services.batches.batch_control import add_batch, cancel_batch, find_batch, resume_batch
from research_crawler.services.batches.batch_documents import BatchSubmission, batch_from
from research_crawler.services.forgetting import forget, selection_of
from research_crawler.services.submission.job_question import request_from
from research_crawler.services.submission.submit import submit_job

SECRET = "a long random text"


class Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        self.send_response(self.server.statuses.pop(0) if self.server.statuses else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


@pytest.fixture
def hook():
    server = ThreadingHTTPServer(("127.0.0.4", 0), Hook)
    server.got, server.statuses = [], []
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
async def runtime(tmp_path):
    config = load_system_config(
        home=tmp_path,
        webhook_secret=SECRET,
        allow_private_hosts=["127.0.0.4/32"],
        web_blocked_hosts=["localhost"],
    )
    async with running(config, crawl=False, plan=False) as running_one:
        yield running_one


def notices_of(runtime, *, at_ms: int | None = None) -> JobNotices:
    parts = runtime.container
    clock = (lambda: at_ms) if at_ms else None
    return JobNotices(
        SqlNotices(parts.archive),
        parts.jobs,
        parts.archive,
        Notifications(runtime.config),
        people=parts.people,
        clock_ms=clock,
    )


async def asked(runtime, hook, key: str = ""):
    url = f"http://127.0.0.4:{hook.server_port}/hook?key=hidden"
    question = JobQuestion(goal="How do heat pumps work?", notify=[url, url])
    return await submit_job(runtime, request_from(runtime.config, question), key=key)


async def test_the_end_of_a_job_is_told_once_signed_and_with_its_state(runtime, hook):
    job = await asked(runtime, hook, key="k")
    assert (await asked(runtime, hook, key="k")).id == job.id
    assert await notices_of(runtime).tick() == 0
    await runtime.container.jobs.cancel(job.id)
    sent = await asyncio.gather(*(notices_of(runtime).tick() for _ in range(4)))
    await notices_of(runtime).last()
    assert sum(sent) == len(hook.got) == 1
    headers, body = hook.got[0]
    document = json.loads(body)
    assert (document["event"], document["id"]) == ("job.cancelled", f"{job.id}:end")
    assert (document["job"]["task_id"], document["job"]["status"]) == (job.id, "cancelled")
    signed = headers["X-Research-Timestamp"].encode() + b"." + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["X-Research-Signature"] == f"sha256={expected}"
    assert headers["Idempotency-Key"] == document["id"]


async def test_a_notice_that_certainly_did_not_arrive_is_sent_again_later(runtime, hook):
    job = await asked(runtime, hook)
    await runtime.container.jobs.cancel(job.id)
    hook.statuses = [503]
    at_ms = 10**12
    assert await notices_of(runtime, at_ms=at_ms).tick() == 0
    assert await notices_of(runtime, at_ms=at_ms + RETRY_WAITS_MS[0] - 1).tick() == 0
    assert await notices_of(runtime, at_ms=at_ms + RETRY_WAITS_MS[0]).tick() == 1
    assert [state for _, _, state, _ in await SqlNotices(runtime.container.archive).states(job.id)] == [
        "sent"
    ]


async def test_a_question_is_told_once_and_the_end_after_it(runtime, hook):
    job = await asked(runtime, hook)
    jobs = runtime.container.jobs
    taken = await jobs.take(max_active=5)
    question = OpenQuestion(no=1, kind="review", text="Which model year?")
    waiting = taken.job.changed(state="waiting_for_human", review=taken.job.review.changed(question=question))
    assert await jobs.commit(taken, waiting, timers={("human", 1): taken.now_ms + 10**6}) == "ok"
    assert [await notices_of(runtime).tick() for _ in range(3)] == [1, 0, 0]
    await jobs.cancel(job.id)
    assert await notices_of(runtime).tick() == 1
    first, last = (json.loads(body) for _, body in hook.got)
    assert (first["event"], first["question"], first["job"]["status"]) == (
        "job.needs_input",
        "Which model year?",
        "running",
    )
    assert last["event"] == "job.cancelled"


async def test_a_wall_that_waits_for_a_person_is_told_once(runtime, hook):
    job, parts = await asked(runtime, hook), runtime.container
    target = frontier_target("http://harbour.example/page")
    command = VisitCommand(
        id=f"{job.id}:1", job=job.id, url=target.url, slot=target.slot, page_key=target.page_key, ask=True
    )
    await parts.frontier.beat("node", {})
    await parts.frontier.push([command])
    (lease,) = await parts.frontier.lease("node", 1, ["page"])
    wall = Intervention(
        id="0123456789", host=target.slot, url=target.url, kind=Reason.LOGIN_PAGE, job=job.id,
        asked_ms=parts.people.now_ms(), until_ms=parts.people.now_ms() + 60_000,
    )  # fmt: skip
    await parts.people.ask(lease.command, lease.token, Why(Reason.LOGIN_PAGE), wall)
    notices = notices_of(runtime)
    assert [await notices.tick(), await notices.tick()] == [1, 0]
    ((_, body),) = hook.got
    told = json.loads(body)
    assert told["event"] == "job.needs_person"
    assert told["intervention"]["host"] == "harbour.example"


async def test_a_forgotten_job_leaves_no_address_behind(runtime, hook):
    job = await asked(runtime, hook)
    await runtime.container.jobs.cancel(job.id)
    await forget(runtime, selection_of(job=job.id))
    assert await SqlNotices(runtime.container.archive).states(job.id) == []


@pytest.mark.parametrize(
    "place", ["http://hooks.example/x", "https://127.0.0.1/x", "nothing://x", "not a url"]
)
def test_a_place_that_cannot_be_told_refuses_the_question(tmp_path, place):
    config = load_system_config(home=tmp_path, webhook_secret=SECRET)
    with pytest.raises(UsageError, match=r"no alerts go to"):
        request_from(config, JobQuestion(goal="x", notify=[place]))


def of_batches(runtime) -> JobNotices:
    parts = runtime.container
    return JobNotices(
        SqlNotices(parts.archive), parts.jobs, parts.archive, Notifications(runtime.config),
        batches=SqlBatches(parts.archive),
    )  # fmt: skip


async def test_the_end_of_a_batch_is_told_once_signed_and_again_after_it_was_resumed(runtime, hook):
    url = f"http://127.0.0.4:{hook.server_port}/hook"
    asked_batch = BatchSubmission(
        rows=[{"name": "Tarn 300"}, {"name": "Corvid 45"}], template="{name}: what does it cost?",
        question=JobQuestion(notify=[url]), name="bikes",
    )  # fmt: skip
    entry = await add_batch(runtime, batch_from(runtime.config, asked_batch))
    batch = entry.batch.id
    assert await of_batches(runtime).tick() == 0  # it runs
    store = SqlBatches(runtime.container.archive)
    row = (await store.rows(batch))[0]
    assert row_job(entry.batch, row, 1).inputs.notify == []  # its rows are not told one by one
    await cancel_batch(runtime, entry)
    assert sum(await asyncio.gather(*(of_batches(runtime).tick() for _ in range(3)))) == len(hook.got) == 1
    headers, body = hook.got[0]
    document = json.loads(body)
    assert (document["event"], document["id"]) == ("batch.cancelled", f"{batch}:end")
    assert (document["batch"]["rows_total"], document["batch"]["counts"]) == (2, {"cancelled": 2})
    signed = headers["X-Research-Timestamp"].encode() + b"." + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["X-Research-Signature"] == f"sha256={expected}"
    await resume_batch(runtime, await find_batch(runtime, batch))
    assert await of_batches(runtime).tick() == 0
    await store.set_state(batch, "stopped", reason="no search works", now_ms=2)
    assert await of_batches(runtime).tick() == 1
    document = json.loads(hook.got[1][1])
    assert (document["event"], document["text"]) == ("batch.stopped", "no search works")
    assert (
        document["id"] == hook.got[1][0]["Idempotency-Key"] == f"{batch}:end:2"
    )  # not a repetition of the first


async def test_an_end_that_was_not_told_yet_is_told_once_with_the_next_one(runtime, hook):
    url = f"http://127.0.0.4:{hook.server_port}/hook"
    asked_batch = BatchSubmission(
        rows=[{"name": "Tarn 300"}], template="{name}?", question=JobQuestion(notify=[url])
    )
    entry = await add_batch(runtime, batch_from(runtime.config, asked_batch))
    batch, store = entry.batch.id, SqlBatches(runtime.container.archive)
    await cancel_batch(runtime, entry)
    await resume_batch(runtime, await find_batch(runtime, batch))  # before anybody looked
    assert await of_batches(runtime).tick() == 0
    await store.set_state(batch, "stopped", reason="no search works", now_ms=2)
    assert await of_batches(runtime).tick() == len(hook.got) == 1
    assert json.loads(hook.got[0][1])["id"] == f"{batch}:end"


async def test_a_name_that_a_batch_has_is_refused_for_another_one(runtime):
    named = BatchSubmission(rows=[{"name": "Tarn 300"}], template="{name}?", name="bikes")
    entry = await add_batch(runtime, batch_from(runtime.config, named))
    with pytest.raises(UsageError, match=f"there is a batch 'bikes' already .{entry.batch.id}"):
        await add_batch(runtime, batch_from(runtime.config, named))
    unnamed = BatchSubmission(rows=[{"name": "Tarn 300"}], template="{name}?")
    for _ in range(2):  # without a name of their own they have their template's
        await add_batch(runtime, batch_from(runtime.config, unnamed))
