"""Results pages built like those of several engines, with parts that must not be taken for results."""

import base64

ADDRESSES = ["https://bees.example/honey", "https://www.wax.example/candles?a=1&b=2", "https://mead.example/"]
TITLES = ["How bees make honey & wax", "Wax candles: a guide", "Mead, the drink"]
TEXTS = [
    "Nectar is thickened in the hive until it is honey that keeps for years.",
    "Everything that one needs to know to make candles from the wax of bees.",
    "Mead is made from honey and water, and is one of the oldest drinks.",
]
EXPECTED = list(zip(ADDRESSES, TITLES, TEXTS, strict=True))


def esc(text: str) -> str:
    return text.replace("&", "&amp;")


def bing() -> str:
    def away(url: str) -> str:
        code = base64.urlsafe_b64encode(url.encode()).decode().rstrip("=")
        return f"https://www.bing.com/ck/a?!&amp;&amp;p=7a99&amp;ptn=3&amp;u=a1{code}&amp;ntb=1"

    def row(n: int) -> str:
        url = ADDRESSES[n]
        return f"""<li class="b_algo" data-id="" iid="SERP.53{n}"><style>.b_x{{color:red}}</style>
<div class="b_tpcn"><a class="tilk" href="{away(url)}"><div class="tptxt"><div class="tptt">bees.example</div>
<div class="b_attribution"><cite>https://bees.example › honey</cite></div></div></a></div>
<h2 class=""><a target="_blank" href="{away(url)}" h="ID=SERP,51{n}.2">{esc(TITLES[n])}</a></h2>
<div class="b_caption"><p class="b_lineclamp2">{TEXTS[n]}<a class="b_algoReadMore" href="{away(url)}">Read
more</a></p></div>
{
            '<ul class="b_vList"><li><h3><a href="'
            + away("https://bees.example/sub")
            + '">Sub page</a></h3><p>'
            + "A page below the first result, which is no result of its own.</p></li></ul>"
            if n == 0
            else ""
        }</li>"""

    carousel = "".join(
        f'<div class="slide"><h3><a href="{away(f"https://video.example/{n}")}">Video {n} about honey and bees</a>'
        "</h3><span>3 months ago on a large video site, watched often</span></div>"
        for n in range(2)
    )
    return f"""<html><head><title>honey - Search</title></head><body><header id="b_header"><h1><a
href="/">Bing</a></h1><ul><li><a href="/images/search?q=honey">Images</a></li></ul></header><div id="b_content">
<ol id="b_results"><li class="b_ad b_adTop"><ul><li><div class="sb_add"><h2><a
href="https://www.bing.com/aclick?ld=e8&amp;u=a1{base64.urlsafe_b64encode(b"https://ads.example/").decode()}">Cheap
honey</a></h2><p>Buy cheap honey here, all kinds of honey for little money.</p></div></li></ul></li>
{row(0)}<li class="b_ans b_mop"><h2><a href="/videos/search?q=honey">Videos of honey</a></h2>{carousel}</li>
{row(1)}{row(2)}<li class="b_ans"><h2>Related searches</h2><ul><li><a href="/search?q=bees">bees</a></li></ul>
</li><li class="b_pag"><nav><a href="/search?q=honey&amp;first=11">2</a></nav></li></ol><aside id="b_context"><li
class="b_ans"><h2><a href="{away("https://en.wikipedia.example/wiki/Honey")}">Honey</a></h2><p>Honey is a sweet
substance that bees make; this is a panel beside the list.</p></li></aside></div>
<footer><a href="https://go.microsoft.example/privacy">Privacy</a></footer></body></html>"""


def brave() -> str:
    rows = "".join(
        f"""<div class="snippet svelte-jmf" data-type="web"><div class="result-wrapper svelte-1rq"><a
href="{esc(url)}" class="svelte-14r l1"><div class="site-name-wrapper svelte-on1"><div class="favicon"><img
src="f.png" alt=""></div><div><div class="desktop-small">A name of the site which is long enough</div><cite
class="snippet-url">bees.example <span>› honey</span></cite></div></div><div class="title search-snippet-title"
title="x">{esc(title)}</div></a><div class="generic-snippet svelte-1cw"><div class="content">{text}</div></div>
</div><a href="{esc(url)}" class="thumbnail svelte-1yr"><img src="t.png" alt=""></a></div>"""
        for url, title, text in EXPECTED
    )
    return f"""<html><body><header><a href="/">Brave</a></header><main><div id="results">{rows}</div><div
id="pagination"><a href="/search?q=honey&amp;offset=1">Next</a></div></main><footer><a
href="https://brave.example/privacy">Privacy</a></footer></body></html>"""


def table() -> str:
    """Like DuckDuckGo's page for text browsers: no headings, title and text in rows of their own."""
    rows = "".join(
        f"""<tr><td>{n}.&nbsp;</td><td><a rel="nofollow" href="//duckduckgo.com/l/?uddg={
            url.replace(":", "%3A")
            .replace("/", "%2F")
            .replace("?", "%3F")
            .replace("&", "%26")
            .replace("=", "%3D")
        }&amp;rut=0f"
class="result-link">{esc(title)}</a></td></tr><tr><td></td><td class="result-snippet">{
            text
        }</td></tr><tr><td></td>
<td><span class="link-text">bees.example/honey</span></td></tr>"""
        for n, (url, title, text) in enumerate(EXPECTED, 1)
    )
    return f"<html><body><form><input name=q></form><table>{rows}</table></body></html>"


def yahoo() -> str:
    rows = "".join(
        f"""<li><div class="dd algo"><div class="compTitle"><h3 class="title"><a
href="https://r.search.yahoo.com/_ylt=A0/RV=2/RE=17/RO=10/RU={
            url.replace(":", "%3a")
            .replace("/", "%2f")
            .replace("?", "%3f")
            .replace("&", "%26")
            .replace("=", "%3d")
        }/RK=2/RS=x-"><span class="d-ib"><div>www.bees.example ›
honey</div></span>{esc(title)}</a></h3></div><div class="compText"><p>{text}</p></div></div></li>"""
        for url, title, text in EXPECTED
    )
    advert = """<li><div class="dd ads"><h3><a href="https://ads.example/">Honey for sale</a></h3><p>All the honey
that you can eat, delivered today.</p></div></li>"""
    return f'<html><body><div id="web"><ol class="reg">{advert}{rows}</ol></div></body></html>'


def paragraphs() -> str:
    """Headings and texts side by side, as in hand-made pages; one of them is an advertisement."""
    rows = "".join(
        f'<h3><a href="{esc(url)}">{esc(title)}</a></h3><p>{text}</p><p><cite>{esc(url)}</cite></p>'
        for url, title, text in EXPECTED
    )
    return f"<html><body><main>{rows}</main></body></html>"


def labelled() -> str:
    """Advertisements that differ from results only by a label."""
    advert = """<article class="r"><span>Sponsored</span><h2><a href="https://ads.example/a">Cheap honey</a></h2>
<p>Buy honey from us, it is cheap and sweet, and it is here.</p></article>"""
    rows = "".join(
        f'<article class="r"><a href="{esc(url)}"><h2>{esc(title)}</h2></a><p>{text}</p></article>'
        for url, title, text in EXPECTED
    )
    return f"<html><body><section>{advert}{rows}</section></body></html>"


PAGES = {
    "bing": ("https://www.bing.com/search?q=honey", bing()),
    "brave": ("https://search.brave.com/search?q=honey", brave()),
    "table": ("https://lite.duckduckgo.com/lite/", table()),
    "yahoo": ("https://search.yahoo.com/search?p=honey", yahoo()),
    "paragraphs": ("https://find.example/?q=honey", paragraphs()),
    "labelled": ("https://find.example/?q=honey", labelled()),
}
