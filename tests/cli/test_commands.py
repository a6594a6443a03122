"""The commands `research page`, `search`, `config show`, `doctor` and `demo --list`."""

import gzip
import json
import socket
import sqlite3

import pytest

from research_crawler.demo.demo_walls import wall

PAGE_KEYS = {
    "id", "url", "final_url", "status", "refused", "blocker", "title", "author", "date", "language", "text", "markdown",
    "links", "products", "tokens", "kind", "modified", "site", "canonical_url", "description", "encoding", "headings",
    "metadata", "noarchive", "nosnippet", "posts",
}  # fmt: skip
HTML = (
    "<html lang=en><head><title>Bees</title></head><body><main><h1>Bees</h1><p>Bees sleep between five and eight "
    "hours a day, often in <a href='/flowers'>flowers</a>, and hold on to each other's legs while they do.</p>"
    "</main></body></html>"
)


def test_a_fetched_page_is_printed_as_it_is_stored(up, web):
    url = f"{web.hosts['verdict']}/hand-grinders-for-travel"
    answer = up("page", url, "--json")
    assert answer.code == 0, answer.err
    assert answer.err == ""
    page = answer.json
    assert set(page) >= PAGE_KEYS
    assert page["title"] == "Seven hand coffee grinders for travel, tested"
    assert page["final_url"] == url
    assert (page["status"], page["refused"], page["language"]) == (200, None, "en")
    assert "A grinder that lives on the kitchen counter" in page["markdown"]
    assert "**" not in page["text"]
    assert page["tokens"] > 100
    plain = up("page", url)
    assert plain.out.rstrip("\n") == page["markdown"].rstrip("\n")


def test_a_page_that_robots_txt_forbids_is_refused(up, web):
    answer = up("page", f"{web.hosts['fenced']}/members/skelder-keepers-diary", "--json")
    assert answer.code == 1
    assert answer.json["refused"] == "robots"
    assert answer.json["markdown"] == ""


def test_a_captcha_instead_of_a_page_is_shown_as_a_blocker(up, web, research):
    answer = up("page", web.hazards["captcha"], "--json")
    assert (answer.code, answer.err) == (1, "")
    blocker = answer.json["blocker"]
    assert (blocker["kind"], blocker["vendor"]) == ("captcha", "hcaptcha")
    (research.folder / "wall.html").write_bytes(wall("/challenge").body)
    saved = research("page", "wall.html")
    assert saved.code == 1
    assert "blocked: challenge" in saved.err


def test_a_page_of_a_private_address_is_refused(up):
    answer = up.having(RESEARCH_ALLOW_PRIVATE_HOSTS="127.0.0.0/30")("page", "http://192.168.1.1/")
    assert answer.code == 1
    assert "refused" in answer.err
    assert len(answer.err.splitlines()) == 1


def test_an_address_that_is_not_http_is_bad_usage(research):
    answer = research("page", "gopher://example.com/")
    assert answer.code == 2
    assert "is not an http(s) URL" in answer.err


def test_a_saved_page_is_read_without_any_service(research):
    (research.folder / "bees.html").write_text(HTML)
    answer = research("page", "bees.html", "--url", "https://bees.example/sleep", "--json")
    assert answer.code == 0
    page = answer.json
    assert set(page) >= PAGE_KEYS
    assert page["title"] == "Bees"
    assert {"url": "https://bees.example/flowers", "text": "flowers"} in page["links"]
    assert not research.home.exists()


def test_the_metadata_of_a_page_is_part_of_its_record(research):
    head = """<meta charset=windows-1252><title>Caf\xe9 bees</title><meta property=og:type content=article>
    <meta property=og:site_name content="The Hive"><link rel=canonical href=/bees><meta name=description content=Naps>
    <meta property=article:published_time content=2025-03-02><meta property=article:modified_time content=2025-04-01>
    <meta name=robots content=noarchive>"""
    (research.folder / "bees.html").write_bytes(HTML.replace("<title>Bees</title>", head).encode("cp1252"))
    page = research("page", "bees.html", "--url", "https://bees.example/bees?from=feed", "--json").json
    assert (page["kind"], page["site"], page["description"]) == ("article", "The Hive", "Naps")
    assert (page["date"], page["modified"]) == ("2025-03-02", "2025-04-01")
    assert page["canonical_url"] == "https://bees.example/bees"
    assert page["headings"] == [{"level": 1, "text": "Bees"}]
    assert page["metadata"]["og:type"] == "article"
    assert (page["encoding"], page["noarchive"], page["nosnippet"]) == ("cp1252", True, False)


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("noise.bin", bytes(range(32)) * 40, "binary: neither text nor a PDF"),
        ("cut.pdf", b"%PDF-1.7\n" + b"x" * 400, "pdf_broken: a PDF that cannot be parsed"),
        ("large.html", b"<p>large " * 1_300_000, "too_large: larger than RESEARCH_DOWNLOAD_MAX_BYTES allows"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_reason_in_words(research, name, body, message):
    (research.folder / name).write_bytes(body)
    answer = research("page", name)
    assert (answer.code, answer.out, answer.err) == (1, "", f"research: {name}: {message}\n")


def test_a_list_of_saved_pages_gives_a_line_for_each_page(research):
    (research.folder / "bees.html").write_text(HTML)
    (research.folder / "bees.html.gz").write_bytes(gzip.compress(HTML.encode()))
    (research.folder / "cut.html.gz").write_bytes(gzip.compress(HTML.encode())[:40])
    entries = [
        {"id": "a", "path": "bees.html", "url": "https://bees.example/"},
        {"id": "b", "path": "bees.html.gz", "url": "https://bees.example/", "status": 200},
        {"id": "c", "path": "nowhere.html", "url": "https://bees.example/"},
        {"id": "d", "path": "cut.html.gz", "url": "https://bees.example/"},
    ]
    (research.folder / "list.jsonl").write_text("\n".join(json.dumps(entry) for entry in entries) + "\n\n")
    answer = research("page", "--jsonl", "list.jsonl")
    assert (answer.code, answer.err) == (0, "")
    pages = [json.loads(line) for line in answer.out.splitlines()]
    assert [page["id"] for page in pages] == ["a", "b", "c", "d"]
    assert pages[0]["markdown"] == pages[1]["markdown"] != ""
    assert "No such file" in pages[2]["error"]
    assert "the gzip file is damaged or cut off" in pages[3]["error"]


def test_a_malformed_list_of_pages_is_reported_with_its_line(research):
    (research.folder / "list.jsonl").write_text('{"id": "a"}\n')
    answer = research("page", "--jsonl", "list.jsonl")
    assert answer.code == 2
    assert answer.err == "research: list.jsonl, line 1: not a JSON object {id, path, url}\n"


def test_a_provider_without_its_key_is_reported_with_the_setting_it_needs(research):
    answer = research.having(RESEARCH_PROVIDERS="brave")("search", "hand coffee grinder")
    assert (answer.code, answer.out) == (1, "")
    assert "brave is off: set BRAVE_API_KEY" in answer.err


def test_a_search_prints_one_list(up, web):
    answer = up("search", "hand coffee grinder", "--json", "--max-results", "3")
    assert answer.code == 0, answer.err
    found = answer.json
    assert set(found) == {"query", "what", "reason", "results", "providers"}
    assert [result["rank"] for result in found["results"]] == [1, 2, 3]
    assert found["providers"][0]["provider"] == "searxng"
    plain = up("search", "hand coffee grinder", "--max-results", "3")
    assert found["results"][0]["url"] in plain.out


def test_options_that_a_provider_ignores_are_reported(up):
    answer = up("search", "hand coffee grinder", "--max-results", "2", "--date-restrict", "w2")
    assert answer.code == 0
    assert answer.err == "research: searxng ignores date_restrict (widened to month)\n"
    assert up("search", "hand coffee grinder", "--max-results", "2").err == ""


def test_a_search_without_results_says_so_and_fails(up):
    answer = up("search", "zxqv wkjh pfgt")
    assert answer.code == 1
    assert answer.out == ""
    assert "no results" in answer.err


def test_settings_are_shown_with_their_origin_and_without_secrets(research):
    (research.folder / "research.toml").write_text("phase1_max_visits = 3\n")
    shown = research.having(OPENAI_API_KEY="very-secret", REDIS_URL="redis://me:hidden@h/")(
        "config", "show", "--json"
    )
    rows = {row["name"]: (row["value"], row["origin"]) for row in shown.json}
    assert rows["PHASE1_MAX_VISITS"] == ("3", "research.toml")
    assert rows["PHASE1_MAX_SEARCHES"] == ("2", "default; by depth: quick 2, standard 5, deep 10")
    assert rows["RESEARCH_DAY_MAX_USD"] == ("", "default")
    assert rows["OPENAI_API_KEY"] == ("***", "environment OPENAI_API_KEY")
    assert "very-secret" not in shown.out
    assert "hidden" not in shown.out
    plain = research("config", "show")
    assert "PHASE1_MAX_VISITS" in plain.out


def test_doctor_says_what_works_and_how_to_switch_on_the_rest(up):
    answer = up.having(RESEARCH_PHASE1_MAX_SERCHES="1")("doctor")
    assert answer.code == 0, answer.out
    lines = answer.out.splitlines()
    assert all(line[:4] in ("ok  ", "warn", "off ") for line in lines)
    assert any("RESEARCH_PHASE1_MAX_SERCHES is not a known setting" in line for line in lines)
    assert any("set RESEARCH_CONTACT" in line for line in lines)
    assert any("MB free" in line for line in lines)
    assert any("brave: off: set BRAVE_API_KEY" in line for line in lines)
    assert any(line.startswith("ok") and "searxng: answered with a result in" in line for line in lines)
    assert any("384 dimensions" in line for line in lines)
    assert any("crawler and planner are running" in line for line in lines)
    assert any(line.startswith("ok    watches      none") for line in lines)


@pytest.mark.long
def test_doctor_fails_if_no_search_provider_answers(research):
    with socket.socket() as silent:  # accepts connections, and never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        answer = research.having(SEARXNG_URL=url)("doctor", within_s=60)
    assert answer.code == 1
    lines = answer.out.splitlines()
    assert any(line.startswith("warn  search") and "searxng: no answer within 8 s" in line for line in lines)
    assert any(line.startswith("FAIL  search") and "start a SearXNG of your own" in line for line in lines)


@pytest.mark.long
def test_doctor_fails_if_something_is_broken(research):
    answer = research.having(OPENAI_BASE_URL="http://127.0.0.1:9/v1", RESEARCH_PROVIDERS="brave")("doctor")
    assert answer.code == 1
    assert "FAIL  model        no answer from the model endpoint" in answer.out
    assert "FAIL  search       no provider is switched on" in answer.out


def test_the_demo_lists_the_questions_of_its_web(research):
    answer = research("demo", "--list")
    assert answer.code == 0
    assert "What is the best hand coffee grinder for travel?" in answer.out.splitlines()


@pytest.mark.long
def test_a_qdrant_that_does_not_answer_is_said_by_doctor_and_status_and_costs_no_finding(
    new_research, tmp_path
):
    research = new_research(tmp_path).having(QDRANT_URL="http://127.0.0.1:9")
    answer = research(
        "run", "What is the best hand coffee grinder for travel?", "--json", "--max-visits", "2"
    )
    assert answer.code in (0, 3), answer.err
    with sqlite3.connect(research.home / "archive.sqlite3") as archive:
        assert archive.execute("SELECT count(*) FROM findings").fetchone()[0] > 0
    status = research("status", answer.json["job"])
    assert "are kept, but wait for the vector index" in status.err
    doctor = research("doctor")
    [line] = [line for line in doctor.out.splitlines() if " vectors " in line]
    assert doctor.code == 1
    assert line.startswith("FAIL") and "Qdrant at http://127.0.0.1:9 does not answer" in line
    assert "wait for the vector index" in line
    without = research.having(QDRANT_URL="")
    assert without("run", "What is the best hand coffee grinder?", "--max-visits", "1").code in (0, 3)
    assert "wait for the vector index" not in without("doctor").out


@pytest.mark.long
def test_a_page_without_end_ends_after_its_time_with_one_document(research, web):
    answer = research("page", web.hazards["endless"], "--json", within_s=45)
    assert answer.code == 1
    assert answer.json["error"].startswith("too_slow(")
