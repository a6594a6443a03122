from research_crawler.core.models.web.pages import PageText
from research_crawler.extraction.page import read_page

URL = "https://blog.example/feed.xml"
RSS = """<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>Kettle news</title><link>https://blog.example/</link><description>All about kettles</description>
<language>en-gb</language>
<item><title>One &amp; only</title><link>https://blog.example/1?utm_source=rss</link><dc:creator>Ada</dc:creator>
<pubDate>Tue, 05 Mar 2024 10:00:00 GMT</pubDate>
<description>&lt;p&gt;First &lt;b&gt;text&lt;/b&gt;.&lt;/p&gt;
&lt;ul&gt;&lt;li&gt;quiet&lt;/li&gt;&lt;/ul&gt;</description></item>
<item><title>Two</title><link>/2</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><updated>2024-04-01T00:00:00Z</updated>
<entry><title>Boiling</title><link rel="alternate" href="https://notes.example/boiling"/><link rel="self" href="/x"/>
<author><name>Grace</name></author><published>2024-03-09T00:00:00Z</published>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Water boils at 100 degrees.</p></div></content>
</entry></feed>"""


def read(body: str, content_type: str) -> PageText:
    return read_page(body.encode(), url=URL, headers={"content-type": content_type})


def test_an_rss_feed_becomes_a_listing_of_its_entries():
    page = read(RSS, "application/rss+xml")
    assert page.kind == "listing"
    assert page.title == "Kettle news"
    assert page.language == "en"
    assert "## One & only\n\nAda · 2024-03-05\n\nFirst text.\n\n- quiet" in page.markdown
    assert [(link.url, link.text) for link in page.links] == [
        ("https://blog.example/1", "One & only"),
        ("https://blog.example/2", "Two"),
    ]


def test_an_atom_feed_is_read_whatever_its_declared_type():
    for content_type in ("application/atom+xml", "text/xml", "text/plain", ""):
        page = read(ATOM, content_type)
        assert "Water boils at 100 degrees." in page.text
        assert "Grace · 2024-03-09" in page.text
        assert [link.url for link in page.links] == ["https://notes.example/boiling"]


def test_a_truncated_feed_is_read_as_far_as_possible():
    page = read(RSS[: RSS.index("<item><title>Two")], "application/rss+xml")
    assert "First text." in page.text


def test_entities_of_a_feed_open_no_files():
    evil = '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + RSS[38:].replace(
        "First", "&amp;x; &x; First"
    )
    assert "root:" not in read(evil, "application/rss+xml").text


def test_other_xml_is_still_read_as_a_page():
    assert "only words" in read("<note><body>only words</body></note>", "application/xml").text
