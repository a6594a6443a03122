"""The page Doctor: what is in order, what is not, and what to do about it."""

import asyncio

from research_crawler.interfaces.http import state
from research_crawler.services.doctor.check import HealthCheck
from research_crawler.services.doctor.service_checks import check_search
from tests.interfaces.dashboard.test_pages import check_tags


async def test_each_check_that_is_not_in_order_says_what_to_do_in_the_reader_s_language(visitor):
    page = await visitor.page("/system/doctor")
    check_tags(page)
    assert "set RESEARCH_CONTACT to an email address or URL" in page and "in order" in page
    german = await visitor.client.get("/ui/system/doctor", headers={"Accept-Language": "de"})
    assert "RESEARCH_CONTACT auf eine E-Mail-Adresse oder URL setzen" in german.text
    assert 'href="/ui/system/doctor"' in await visitor.page("/system")


async def test_six_presses_of_the_button_ask_providers_and_models_once(visitor, monkeypatch):
    asked = []

    async def ask(runtime):
        asked.append(runtime)
        await asyncio.sleep(0.2)
        return [HealthCheck("ok", "model", "it answers")]

    monkeypatch.setattr(state, "ask_services", ask)
    key = await visitor.form_key("/system/doctor")
    presses = [visitor.client.post("/ui/system/doctor", data={"form_key": key}) for _ in range(6)]
    pages = [answer.text for answer in await asyncio.gather(*presses)]
    check_tags(pages[0])
    assert all("it answers" in page and "within a minute" in page for page in pages)
    await visitor.send("/system/doctor", 200)
    assert len(asked) == 1


async def test_a_server_without_a_crawler_does_not_blame_the_providers(served):
    begun = asyncio.get_running_loop().time()
    (check,) = await check_search(served.runtime)
    assert (check.state, check.todo[:19]) == ("warn", "start `research up`")
    assert "no crawler runs here" in check.text
    assert asyncio.get_running_loop().time() - begun < 5
