"""The command `research forget`: what it deletes, what stays, and that everything else goes on."""

import sqlite3
import time
from datetime import UTC, datetime, timedelta

import pytest

GOAL = "What is the best hand coffee grinder for travel?"


def rows(research, table):
    with sqlite3.connect(research.home / "archive.sqlite3") as connection:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def finished(research, job, within_s=100):
    give_up_at = time.monotonic() + within_s
    while research("status", job, "--json").json["status"] not in ("completed", "failed", "cancelled"):
        assert time.monotonic() < give_up_at, f"job {job} has not ended"
        time.sleep(0.3)


def run(research, goal=GOAL):
    answer = research("run", goal, "--json", "--max-visits", "4")
    assert answer.code in (0, 3), answer.err
    return answer.json


@pytest.fixture(scope="module")
def two(new_research, tmp_path_factory):
    """Two finished jobs that cite the same pages."""
    research = new_research(tmp_path_factory.mktemp("forget")).having(RESEARCH_MEMORY_MAX_AGE_DAYS="0")
    return research, run(research), run(research)


@pytest.mark.long
def test_the_citation_of_a_page_that_is_forgotten_by_url_stays_and_is_marked(two):
    research, first, second = two
    source = first["sources"][0]
    answer = research("forget", "--url", source["url"], "--json")
    assert answer.code == 0, answer.err
    assert answer.json["pages"] == 1
    assert answer.json["findings"] >= 2
    assert set(answer.json["citing_jobs"]) == {first["job"], second["job"]}
    shown = research("result", first["job"], "--json").json
    assert [entry["gone"] for entry in shown["sources"] if entry["url"] == source["url"]] == [True]
    assert source["content_hash"] in shown["gone_pages"]
    marked = f"{source['url']} (page no longer kept)"
    assert marked in shown["report_markdown"]
    assert marked in (research.home / "jobs" / first["job"] / "report.md").read_text()
    again = research("forget", "--url", source["url"])
    assert (again.code, again.out) == (0, f"nothing is stored of {source['url']}\n")


@pytest.mark.long
def test_pages_that_another_job_cites_survive_a_forgotten_job_until_before_deletes_both(two):
    research, first, second = two
    answer = research("forget", first["job"])
    assert answer.code == 0, answer.err
    assert answer.out.startswith(f"deleted job {first['job']}: ")
    assert not (research.home / "jobs" / first["job"]).exists()
    assert research("status", first["job"]).code == 2
    assert rows(research, "pages") > 0
    kept = research("result", second["job"], "--json").json
    assert not [entry for entry in kept["sources"][1:] if entry["gone"]]
    assert "nothing is stored of" in research("forget", "--before", "2020-01-01").out
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    answer = research("forget", "--before", tomorrow, "--json")
    assert answer.json["jobs"] == [second["job"]]
    assert [rows(research, table) for table in ("pages", "findings", "jobs")] == [0, 0, 0]
    again = research("forget", second["job"])
    assert (again.code, again.out) == (2, "")
    assert again.err.startswith(f"research: there is no job '{second['job']}'")
    assert research("list").out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [([], "say what to forget"), (["--before", "yesterday"], "is not a day; write it as")],
)
def test_a_missing_or_malformed_selection_is_bad_usage(research, arguments, words):
    answer = research("forget", *arguments)
    assert answer.code == 2
    assert words in answer.err


def test_doctor_shows_retention_and_proxy(research):
    settings = {"RESEARCH_PROXY": "http://user:secret@127.0.7.7:3128", "RESEARCH_KEEP_PAGES_DAYS": "30"}
    answer = research.having(**settings)("doctor")
    [agent] = [line for line in answer.out.split("\n") if " user agent " in line]
    assert agent.startswith("warn"), "sites do not know whom to reach"
    assert "set RESEARCH_CONTACT" in agent
    assert "pages are kept for 30 days; 0.0 MB of at most 10 GB; due: nothing" in answer.out
    [line] = [line for line in answer.out.split("\n") if " proxy " in line]
    assert "secret" not in line
    assert "the address guard judges names and literal addresses" in line
    assert "secret" not in answer.out + answer.err


@pytest.mark.long
def test_while_research_up_runs_a_finished_job_can_be_forgotten_and_a_running_one_cannot(up):
    job = up("submit", GOAL, "--max-visits", "4").out.strip()
    answer = up("forget", job, "--json")
    if answer.code:  # On a busy machine, the job may be over before the first attempt.
        assert answer.code == 2
        assert f"job {job} is not over; " in answer.err
        assert f"`research cancel {job}` ends it" in answer.err
        finished(up, job)
        answer = up("forget", job, "--json")
    assert answer.code == 0, answer.err
    assert answer.json["jobs"] == [job]
    assert answer.json["notes"] == []
    assert up("status", job).code == 2
    assert remains(up.home, [job]) == []


def remains(folder, texts):
    """(file, text) of each text that some file of a folder still holds."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [
        (str(path.relative_to(folder)), text)
        for path in files
        for text in texts
        if text.encode() in path.read_bytes()
    ]


@pytest.mark.long
def test_no_file_of_the_data_folder_holds_a_text_of_a_forgotten_job(research):
    report = run(research, "What is the best hand coffee grinder for zwiebelkuchen travel?")
    texts = [report["job"], "zwiebelkuchen", *(found["quote"][:60] for found in report["evidence"])]
    texts = [text for text in texts if '"' not in text]
    assert len(texts) > 5
    assert {text for _, text in remains(research.home, texts)} == set(texts)
    answer = research("forget", report["job"])
    assert answer.code == 0, answer.err
    assert remains(research.home, texts) == []


@pytest.mark.long
def test_nobody_else_can_read_the_documents_of_a_job(two):
    research, _, _ = two
    opened = [path for path in research.home.rglob("*") if path.lstat().st_mode & 0o077]
    assert research.home.stat().st_mode & 0o077 == 0
    assert opened == []
