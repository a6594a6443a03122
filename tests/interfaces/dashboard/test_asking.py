"""The first page: a question is asked in a box, and a model is set by trying it."""

import socket
import stat
from pathlib import Path

import pytest

from planner.job.factory import make_job
from research_crawler.core.models.jobs.job import JobInputs
from research_crawler.core.settings.depth import limits_for
from tests.interfaces.dashboard.conftest import fields_of
from tests.interfaces.dashboard.test_pages import archived, check_tags

SECRET = "sk-a-secret-key-of-a-test"


async def asked(visitor, status: int = 303, files=None, **fields):
    page = fields_of(await visitor.page("/"))
    data = {"form_key": page["form_key"], "once": page["once"], **fields}
    answer = await visitor.client.post("/ui/ask", data=data, files=files or {"files": ("", b"")})
    assert answer.status_code == status, answer.text
    return answer


async def test_a_question_with_its_limits_and_a_file_becomes_a_job(visitor):
    check_tags(await visitor.page("/?q=%3Cb%3Ewhat%3C/b%3E"))
    answer = await asked(
        visitor,
        files=[("files", ("../notes.md", b"# Notes\n\nThe pump is a Velmar.")), ("files", ("b.txt", b"B."))],
        goal="What does a hand grinder cost?", depth="quick", type="technical", buy="1", language="de",
        max_visits="7", minutes="2,5", walls="1", urls="https://a.example/1\nhttps://b.example/", max_usd="",
    )  # fmt: skip
    job = await visitor.served.runtime.container.jobs.get(answer.headers["location"].rpartition("/")[2])
    assert (job.inputs.depth, job.inputs.intent, job.inputs.type) == ("quick", "commerce", "technical")
    assert (job.limits.max_visits, job.limits.timeout_seconds) == (7, 150.0)
    assert job.inputs.blocker_policy == "ask"
    assert job.inputs.urls == ["https://a.example/1", "https://b.example/"]
    assert [file.url for file in job.inputs.files] == ["file:///notes.md", "file:///b.txt"]


async def test_the_same_form_sent_twice_asks_once_and_a_changed_one_asks_anew(visitor):
    page = fields_of(await visitor.page("/"))
    form = {"form_key": page["form_key"], "once": page["once"], "goal": "How do heat pumps work?"}
    first, second = [(await visitor.client.post("/ui/ask", data=form)).headers["location"] for _ in "12"]
    changed = await visitor.client.post("/ui/ask", data={**form, "goal": "How loud are heat pumps?"})
    assert first == second != changed.headers["location"]


async def test_what_cannot_be_asked_is_said_beside_what_was_written(visitor):
    for fields in (
        {"goal": ""}, {"goal": "  "}, {"goal": "x?", "max_visits": "many"}, {"goal": "x?", "minutes": "soon"},
        {"goal": "x?", "depth": "<b>"}, {"goal": "x?", "since": "2024-02-30"}, {"goal": "x?", "max_usd": "-1"},
        {"goal": "x?", "include_hosts": "no host/"},
    ):  # fmt: skip
        answer = await asked(visitor, 422, **fields, context="<i>what I know</i>")
        check_tags(answer.text)
        assert 'role="alert"' in answer.text and "&lt;i&gt;what I know&lt;/i&gt;" in answer.text, fields
    assert not (await visitor.served.get("/jobs"))["jobs"]


async def test_a_file_that_cannot_be_read_is_refused_and_a_form_without_its_key_asks_nothing(visitor):
    answer = await asked(visitor, 422, files=[("files", ("a.exe", b"MZ"))], goal="What is it?")
    assert "a.exe: only" in answer.text
    for data in ({"goal": "x?"}, {"goal": "x?", "form_key": "x"}):
        answer = await visitor.client.post("/ui/ask", data=data, files={"files": ("a.md", b"x")})
        assert answer.status_code == 403
    broken = {"Content-Type": "multipart/form-data; boundary=x"}
    assert (await visitor.client.post("/ui/ask", content=b"nonsense", headers=broken)).status_code == 400
    assert not (await visitor.served.get("/jobs"))["jobs"]


async def test_a_file_with_any_name_is_taken_under_one_that_a_disk_can_hold(visitor):
    names = ("\U0001f600" * 100 + ".md", "\u00e4" * 190 + ".md", "x" * 250 + ".md", "..\\c\nd.md")
    answer = await asked(
        visitor, files=[("files", (name, b"# A note")) for name in names], goal="What is it?"
    )
    job = await visitor.served.runtime.container.jobs.get(answer.headers["location"].rpartition("/")[2])
    assert len(job.inputs.files) == len(names)
    assert all(file.url.startswith("file:///") and file.url.endswith(".md") for file in job.inputs.files)


async def test_the_estimate_says_what_it_is_computed_from(visitor):
    for depth in ("quick", "deep", "<b>"):
        piece = await visitor.page(f"/estimate?depth={depth}")
        assert "by a typical job of this depth" in piece and "<b>" not in piece


async def test_a_model_is_tried_by_a_real_call_and_its_key_is_kept_for_the_user_alone(visitor, model_server):
    home = visitor.served.runtime.config.home
    check_tags(await visitor.page("/model"))
    answer = await visitor.send("/model", 200, address=model_server.url, model="tiny", key=SECRET)
    assert "It answers, and is kept." in answer.text and SECRET not in answer.text
    file = Path(home, "config.toml")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert f'OPENAI_API_KEY = "{SECRET}"' in file.read_text()
    assert model_server.keys == {f"Bearer {SECRET}"} and model_server.calls >= 1
    later = await visitor.page("/model")
    assert SECRET not in later
    assert "New jobs use tiny." in later
    assert "No model is set." not in await visitor.page("/") and ">tiny</a>" in await visitor.page("/")


async def test_the_settings_of_a_model_that_was_set_or_taken_away_say_where_they_come_from(
    visitor, model_server
):
    async def origin_of(name: str) -> str:
        row = (await visitor.page("/system")).partition(f"<code>{name}</code>")[2].partition("<tr>")[0]
        return row.partition('data-label="From">')[2].partition("<")[0].strip()

    await visitor.send("/model", 200, address=model_server.url, model="tiny", key=SECRET)
    names = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "MIND_MODEL", "REFLEX_MODEL")
    kept = ["config.toml", "config.toml", "config.toml", "default"]
    assert [await origin_of(name) for name in names] == kept
    await visitor.send("/model/none", 200)
    assert [await origin_of(name) for name in names] == kept


async def test_an_address_that_is_no_model_server_is_refused_and_nothing_is_kept(visitor):
    for address in (
        "http://169.254.169.254/v1", "http://metadata.google.internal/", "file:///etc/passwd", "http://127.0.0.1:9/v1",
        "javascript:alert(1)", "http://user:pass@127.0.0.1:8080/v1", "http://127.0.0.1:22/v1", "x",
    ):  # fmt: skip
        answer = await visitor.client.post(
            "/ui/model",
            data={"form_key": await visitor.form_key(), "address": address, "model": "tiny", "key": SECRET},
        )
        assert answer.status_code == 422, (address, answer.text)
        assert 'role="alert"' in answer.text and SECRET not in answer.text, address
        check_tags(answer.text)
    assert not Path(visitor.served.runtime.config.home, "config.toml").exists()


async def test_what_is_wrong_with_a_model_is_told_at_its_field_in_the_words_of_the_page(
    visitor, model_server
):
    answer = await visitor.send("/model", 422, address=model_server.url, model="x", key=SECRET)
    check_tags(answer.text)
    assert 'aria-errormessage="fault-model"' in answer.text and "no model x" in answer.text
    assert '<button name="offered" value="tiny">' in answer.text
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    silent = await visitor.send("/model", 422, address=nobody, model="x")
    assert 'aria-errormessage="fault-address"' in silent.text
    for page in (answer.text, silent.text):
        assert "OPENAI_BASE_URL" not in page and "MIND_MODEL" not in page
    visitor.client.headers["Accept-Language"] = "de"
    german = await visitor.send("/model", 422, address=nobody, model="x")
    assert "antwortet kein Server" in german.text
    chosen = await visitor.send("/model", 200, address=model_server.url, model="x", offered="tiny")
    assert "tiny" in chosen.text and Path(visitor.served.runtime.config.home, "config.toml").exists()


async def test_a_model_is_taken_out_again_and_its_key_is_forgotten(visitor, model_server):
    await visitor.send("/model", 200, address=model_server.url, model="tiny", key=SECRET)
    gone = await visitor.send("/model/none", 200)
    assert "No model is used any more." in gone.text
    assert SECRET not in Path(visitor.served.runtime.config.home, "config.toml").read_text()
    assert "No model is set." in await visitor.page("/")
    assert "forget the key" not in await visitor.page("/model")


async def test_a_key_that_no_request_can_carry_is_told_at_its_field(visitor, model_server):
    answer = await visitor.send("/model", 422, address=model_server.url, model="tiny", key="schlüssel")
    assert 'aria-errormessage="fault-key"' in answer.text
    for address in ("localhost:11434", "http://127.0.0.1:22/v1", "http://169.254.169.254/v1"):
        answer = await visitor.send("/model", 422, address=address, model="tiny")
        assert "http://127.0.0.1:11434/v1" in answer.text and "refused:" not in answer.text


async def test_without_a_form_key_no_model_is_set(visitor, model_server):
    answer = await visitor.client.post("/ui/model", data={"address": model_server.url, "model": "tiny"})
    assert (answer.status_code, model_server.calls) == (403, 0)


async def test_the_newest_questions_are_those_of_persons_and_no_rows_of_batches(visitor):
    await visitor.served.post("/jobs", {"goal": "How loud is a heat pump?"})
    inputs = JobInputs(goal="What does the Tarn 300 cost?", batch=True, batch_id="batch0000001")
    job = make_job(inputs, limits_for(visitor.served.runtime.config, depth="quick"))
    await visitor.served.runtime.container.jobs.submit(job)
    page = await visitor.page("/")
    assert "How loud is a heat pump?" in page and "Tarn 300" not in page
    assert "Tarn 300" in await visitor.page("/jobs")


@pytest.mark.parametrize(
    ("goal", "fields", "told"),
    [
        ("Find me the cheapest gaming laptop with an RTX card", {}, "shops are asked for their prices"),
        ("What is the cheapest gaming laptop with an RTX card?", {}, "no shop is asked. Tick"),
        ("What is the cheapest gaming laptop?", {"buy": "1"}, "shops are asked for their prices"),
        ("How do heat pumps work?", {}, ""),
    ],
)
async def test_before_a_question_is_sent_it_says_whether_shops_will_be_asked(visitor, goal, fields, told):
    answer = await visitor.send("/shops-asked", 200, goal=goal, **fields)
    assert told in answer.text and bool(answer.text.strip()) == bool(told)


async def test_a_report_lists_the_questions_that_were_asked_about_it(visitor):
    job = await archived(visitor.served, "")
    assert f'hx-get="/ui/jobs/{job}/follow-ups?piece=true"' in await visitor.page(f"/jobs/{job}/report")
    assert "Nothing was asked" in await visitor.page(f"/jobs/{job}/follow-ups")
    answer = await asked(visitor, goal="And <b>how</b> loud is it?", about=job)
    for path in (f"/jobs/{job}/follow-ups", f"/jobs/{job}/follow-ups?piece=true"):
        page = await visitor.page(path)
        check_tags(page)
        assert f'href="{answer.headers["location"]}"' in page and "And &lt;b&gt;how&lt;/b&gt; loud" in page


async def test_a_cancelled_question_is_asked_again_with_its_options_filled_in(visitor):
    answer = await asked(
        visitor, goal="How <loud> is a heat pump?", depth="quick", type="technical", language="de", minutes="7",
        max_visits="3", max_words="200", include_hosts="a.example b.example", since="2024-01-01", buy="1",
    )  # fmt: skip
    path = answer.headers["location"].removeprefix("/ui")
    running = await visitor.page(path)
    check_tags(running)
    assert "<summary>Cancel the job</summary>" in running and ">Yes, cancel it<" in running
    assert "Ask again" not in running
    await visitor.send(f"{path}/cancel")
    over = await visitor.page(path)
    assert "Cancel the job" not in over
    again = over.partition('href="/ui/?again=')[2].partition('"')[0]
    box = await visitor.page(f"/?again={again}")
    check_tags(box)
    fields = fields_of(box)
    assert ">How &lt;loud&gt; is a heat pump?</textarea>" in box
    assert [fields[name] for name in ("minutes", "max_visits", "max_searches", "since")] == [
        "7",
        "3",
        "",
        "2024-01-01",
    ]
    for chosen in ('value="quick" checked', 'value="technical" selected', 'name="buy" value="1" checked'):
        assert chosen in box
    assert '<option value="de" selected>German</option>' in box and "a.example\nb.example" in box
    await visitor.page("/?again=nosuchjob", 404)
