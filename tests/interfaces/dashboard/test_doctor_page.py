"""The page Doctor: what is in order, what is not, and what to do about it."""

from tests.interfaces.dashboard.test_pages import check_tags


async def test_each_check_that_is_not_in_order_says_what_to_do_in_the_reader_s_language(visitor):
    page = await visitor.page("/system/doctor")
    check_tags(page)
    assert "set RESEARCH_CONTACT to an email address or URL" in page and "in order" in page
    german = await visitor.client.get("/ui/system/doctor", headers={"Accept-Language": "de"})
    assert "RESEARCH_CONTACT auf eine E-Mail-Adresse oder URL setzen" in german.text
    assert 'href="/ui/system/doctor"' in await visitor.page("/system")
