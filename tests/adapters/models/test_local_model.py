"""The small real model: the answer of every role parses, and the process ends with its parent."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pydantic import SecretStr

from planner.brains.model.model_brain import ModelBrain
from research_crawler.adapters.models import local_model as module
from research_crawler.adapters.models.local_model import find_model, local_model
from research_crawler.adapters.models.openai_chat import OpenAIChat
from research_crawler.core.brain_errors import BadAnswer
from research_crawler.core.config import Config
from research_crawler.core.errors import NotStarted
from research_crawler.core.models.evidence.findings import Finding
from research_crawler.core.models.jobs.decisions import Candidate, LabelRequest, PageView, PlannerView
from research_crawler.core.models.jobs.records import ScoredResult
from research_crawler.core.models.messages.commands import JobContext
from research_crawler.core.models.messages.events import SearchResult
from research_crawler.core.models.reports.drafts import ReportView
from research_crawler.core.ports.models import Call

pytestmark = pytest.mark.long

GOAL = "What is the best hand coffee grinder for travel?"
PAGE = "The Velmar Pocket is the best hand grinder for travel that we have used. It weighs 387 g. " * 12


def is_installed():
    try:
        find_model()
    except NotStarted:
        return False
    return True


needs_model = pytest.mark.skipif(
    not is_installed() and not os.environ.get("CI"),
    reason=f"the local model is not installed: {module.INSTALL}",
)


SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "number", "enum": [0.0, 0.5, 1.0]}},
    "required": ["score"],
    "additionalProperties": False,
}


async def check_schema(local):
    chat = OpenAIChat(local.base_url, SecretStr(""), local.model)
    await chat.check()
    answer = await chat.complete(
        system="You judge.", user="How good?", temperature=0.3, max_tokens=20, schema=SCHEMA, timeout_s=30
    )
    await chat.close()
    assert '"score"' in answer.text
    assert answer.prompt_tokens > 5


@needs_model
@pytest.mark.long
@pytest.mark.timeout(900)
async def test_the_model_answers_by_a_schema_and_every_roles_answer_parses_after_at_most_one_repair():
    """A parsed answer may still be a bad choice, which the planner refuses; that is not tested here."""
    found = [
        Finding(id=str(n), command="c", claim=f"It weighs {380 + n} g.", quote="x", start=0, end=1, page_sha256="x",
                url=f"http://h{n}.test/") for n in range(4)
    ]  # fmt: skip
    results = [
        SearchResult(url=f"http://h{n}.test/", title=f"Grinder test {n}", snippet="Tested.") for n in range(5)
    ]
    candidates = [Candidate(result=ScoredResult(url=r.url, title=r.title, score=0.5)) for r in results]
    async with local_model() as local:
        await check_schema(local)
        config = Config().model_copy(update=local.settings() | {"model_timeout_seconds": 300.0})
        chat = OpenAIChat.from_config(config)
        brain = ModelBrain.from_config(config, chat)
        job_context = JobContext(goal=GOAL, intent="commerce")
        questions = [
            lambda call: brain.decide(
                PlannerView(goal=GOAL, candidates=candidates, findings=found, remaining_visits=8), call
            ),
            lambda call: brain.label(LabelRequest(goal=GOAL, results=results), call),
            lambda call: brain.extract(
                PageView(url="http://h.test/", markdown=PAGE, job_context=job_context), call
            ),
            lambda call: brain.write(ReportView(goal=GOAL, findings=found, max_words=100), call),
        ]
        for question in questions:
            call = Call(job="j", key="1", token="t", deadline_s=360)
            try:
                await question(call)
            except BadAnswer as error:
                assert "does not fit" not in str(error)
                assert "not JSON" not in str(error)
            assert call.usage.model_calls == 1
        await chat.close()


@needs_model
async def test_its_settings_make_a_process_use_the_local_model():
    local = local_model()
    local.base_url = "http://127.0.0.1:1/v1"
    config = Config().model_copy(update=local.settings())
    assert config.has_endpoint
    assert config.page_max_tokens == 800
    assert ModelBrain.from_config(config, OpenAIChat.from_config(config)).settings.prompt_tokens


@needs_model
def test_the_server_ends_with_its_parent():
    code = (
        "import asyncio\nfrom research_crawler.adapters.models.local_model import local_model\n"
        "async def main():\n"
        "    async with local_model() as local:\n"
        "        print(local._process.pid, flush=True)\n"
        "        await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        server = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    ends = time.monotonic() + 15
    while _runs(server):
        assert time.monotonic() < ends, "the server outlived its parent"
        time.sleep(0.1)


def test_a_missing_package_gives_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotStarted, match="pip install"):
        find_model()


@needs_model
async def test_a_cancelled_start_leaves_no_process_behind():
    local = local_model()
    start = asyncio.ensure_future(local.__aenter__())
    await asyncio.sleep(0.3)
    process = local._process
    start.cancel()
    await asyncio.gather(start, return_exceptions=True)
    assert process is None or process.returncode is not None


def _runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
