"""What a hostile page can do to the processes that parse it, and through them to others."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from research_crawler.core.errors import PageUnreadable
from research_crawler.core.models.reasons import Reason
from research_crawler.extraction.formats.pdf import MAX_PAGE_CHARS, read_pdf
from research_crawler.extraction.process.pool import ParsePool
from tests.attacks.bombs import pdf_of

PROJECT = Path(__file__).parents[2]
URL = "https://a.example/"
SMALL = b"<html><body><p>One small page with a few words in it.</p></body></html>"
SLOW = b"<html><script></script><body>" + b"<p class=x>some words <b>are</b> written here</p>" * 80_000
"""About two seconds of work."""


async def refusal(pool: ParsePool, body: bytes) -> Reason:
    with pytest.raises(PageUnreadable) as refused:
        await pool.read(body, url=URL, headers={})
    return refused.value.reason.kind


@pytest.mark.long
async def test_a_pdf_that_needs_too_much_memory_is_refused_and_the_next_page_is_read():
    pool = ParsePool(1, memory_mb=200)
    try:
        bomb = pdf_of(30_000)
        assert len(bomb) < 10_000
        assert await refusal(pool, bomb) is Reason.PARSE_MEMORY
        assert (await pool.read(SMALL, url=URL, headers={})).text
    finally:
        pool.close()


async def test_a_page_that_needs_too_much_memory_is_refused():
    pool = ParsePool(1, memory_mb=200)
    try:
        assert await refusal(pool, b"<p>a</p>" * 1_200_000) is Reason.PARSE_MEMORY
        assert (await pool.read(SMALL, url=URL, headers={})).text
    finally:
        pool.close()


@pytest.mark.long
async def test_parse_processes_do_not_see_the_keys_of_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key-in-the-environment")
    code = (
        "import asyncio, multiprocessing, os\n"
        "from pathlib import Path\n"
        "from research_crawler.extraction.process.pool import ParsePool\n"
        "if __name__ == '__main__':\n"
        "    pool = ParsePool(1)\n"
        "    pool.start()\n"
        "    for worker in multiprocessing.active_children():\n"
        "        print(Path(f'/proc/{worker.pid}/environ').read_text())\n"
        "    print('own', os.environ['OPENAI_API_KEY'])\n"
        "    pool.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=PROJECT, timeout=60
    )
    assert done.stdout.count("key-in-the-environment") == 1, done.stderr
    assert "PATH=" in done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with their parent")
@pytest.mark.long
def test_parse_processes_end_when_their_parent_is_killed(tmp_path):
    code = (
        "import asyncio, multiprocessing\n"
        "from research_crawler.extraction.process.pool import ParsePool\n"
        "from tests.attacks.test_parse_processes import SLOW, SMALL, URL\n"
        "async def main():\n"
        "    pool = ParsePool(2)\n"
        "    await pool.read(SMALL, url=URL, headers={})\n"
        "    reading = [asyncio.create_task(pool.read(SLOW * 8, url=URL, headers={})) for _ in range(2)]\n"
        "    await asyncio.sleep(1)\n"
        "    print(*(worker.pid for worker in multiprocessing.active_children()), flush=True)\n"
        "    await asyncio.gather(*reading)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=PROJECT
    ) as process:
        workers = [int(pid) for pid in process.stdout.readline().split()]
        process.kill()
    assert len(workers) == 2
    by_s = time.monotonic() + 30
    while any(map(is_running, workers)) and time.monotonic() < by_s:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


def is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@pytest.mark.parametrize(
    ("work", "ended_by"),
    [("re.match('(x+x+)+y', 'x' * 40)", signal.SIGPROF), ("time.sleep(50)", signal.SIGALRM)],
)
def test_a_process_that_its_parent_does_not_end_ends_itself(work, ended_by):
    code = (
        "import re, time\n"
        "from research_crawler.extraction.process.limits import ended_after\n"
        "with ended_after(0.1):\n"
        f"    {work}\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=PROJECT, timeout=60)
    assert done.returncode == -ended_by


async def test_a_page_that_took_too_long_is_not_looked_at_by_the_crawler_itself():
    pool = ParsePool(1, max_seconds=0.5)
    try:
        await pool.read(SMALL, url=URL, headers={})
        before = time.process_time()
        with pytest.raises(PageUnreadable) as refused:
            await pool.look_and_read(SLOW, url=URL, headers={})
        assert refused.value.reason.kind is Reason.PARSE_TIMEOUT
        assert time.process_time() - before < 0.5
    finally:
        pool.close()


async def test_a_run_of_dots_does_not_hold_up_the_event_loop():
    pool = ParsePool(1)
    try:
        await pool.read(SMALL, url=URL, headers={})
        before = time.process_time()
        text = "word " + ". ! ?" * 20_000 + "# " * 50_000
        passages = await pool.split(text, url=URL, count_tokens=lambda texts: list(map(len, texts)))
        assert sum(len(passage.text) for passage in passages) > 100_000
        assert time.process_time() - before < 2
    finally:
        pool.close()


async def test_a_page_is_split_where_it_is_read():
    pool = ParsePool(1)
    try:
        text = "".join(f"<p>Pump number {n} was tested in the garden for {n} weeks.</p>" for n in range(40))
        body = f"<html><body><article>{text}</article></body></html>".encode()
        reading = await pool.look_and_read(body, url=URL, headers={})
        markdown = reading.page.markdown
        assert len(reading.passages) > 1
        found = await pool.with_texts(
            reading.passages, markdown, count_tokens=lambda texts: list(map(len, texts))
        )
        assert [passage.text for passage in found] == [markdown[p.start : p.end] for p in found]
        assert " ".join(passage.text for passage in found).split() == markdown.split()
        assert found == await pool.split(markdown, url=URL, count_tokens=lambda texts: list(map(len, texts)))
    finally:
        pool.close()


async def test_the_quotes_of_a_page_are_found_in_a_process():
    from research_crawler.core.models.evidence.findings import Extraction, ProposedFinding
    from research_crawler.core.models.web.pages import PageText, StoredPage

    markdown = "# Lamp\n\nThe lamp was built in 1861 by two brothers.\n"
    stored = StoredPage(sha="0" * 64, url=URL, final_url=URL, page=PageText(markdown=markdown, text=markdown))
    proposals = [
        ProposedFinding(kind="key_fact", claim="It is of 1861.", quote=quote, score=0.5)
        for quote in ("The lamp was built in 1861", "The lamp was built in 1900")
    ]
    pool = ParsePool(1)
    try:
        found, refused = await pool.verify(
            Extraction(by="extractive", findings=proposals), stored, "job:1", goal="lamp"
        )
    finally:
        pool.close()
    assert [finding.quote for finding in found] == ["The lamp was built in 1861"]
    assert refused == 1


def test_the_text_of_a_pdf_is_bounded_for_each_page_and_for_all():
    one = read_pdf(pdf_of(4_000), headers={}, max_chars=1_000_000)
    assert 0 < len(one.text) <= MAX_PAGE_CHARS
    before = time.process_time()
    many = read_pdf(pdf_of(20, pages=2_000), headers={}, max_chars=5_000)
    assert len(many.text) <= 5_000
    assert time.process_time() - before < 2


@pytest.mark.long
def test_a_pool_that_is_closed_while_it_starts_prints_nothing():
    code = (
        "from research_crawler.extraction.process.pool import ParsePool\n"
        "if __name__ == '__main__':\n"
        "    for _ in range(3):\n"
        "        pool = ParsePool(3)\n"
        "        pool.start()\n"
        "        pool.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=PROJECT, timeout=100
    )
    assert (done.returncode, done.stderr) == (0, "")
