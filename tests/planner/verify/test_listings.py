"""Commands and settings are shown as the cited pages have them, or not at all."""

from hypothesis import given
from hypothesis import strategies as st

from planner.verify.listings import listing_in
from tests.cases import each_case

HOST = """Two names are served so:

```
<VirtualHost *:80>
    ServerName www.example.com
    DocumentRoot "/www/domain"
</VirtualHost>
```
"""
PROSE = "First enable it with `a2enmod ssl`, then run `systemctl restart apache2`."
TERMINAL = "$ git switch -c fix\n$ git push -u origin fix"


@each_case(
    ("code", "quotes", "shown"),
    [
        (  # a prompt shows a quote on one line
            '<VirtualHost *:80> ServerName www.example.com DocumentRoot "/www/domain" </VirtualHost>',
            [HOST],
            '<VirtualHost *:80>\n    ServerName www.example.com\n    DocumentRoot "/www/domain"\n</VirtualHost>',
        ),
        ("```apache\nServerName www.example.com\n```", [HOST], "ServerName www.example.com"),
        (
            "a2enmod ssl\nsystemctl restart apache2",
            [PROSE],
            "a2enmod ssl\nsystemctl restart apache2",
        ),
        (
            "git switch -c fix\ngit push -u origin fix",
            [TERMINAL],
            "git switch -c fix\ngit push -u origin fix",
        ),
        ("a2enmod ssl\nServerName www.example.com", [PROSE, HOST], "a2enmod ssl\nServerName www.example.com"),
        ("a2enmod ssl\na2enmod rewrite", [PROSE], ""),  # without one of its lines it would say another thing
        (  # within the quotation marks of a sentence
            "apt-get update; apt-get dist-upgrade",
            ["Then run “apt-get update; apt-get dist-upgrade”."],
            "apt-get update; apt-get dist-upgrade",
        ),
        ("rm", ['Say "rmdir".'], ""),
        ("DocumentRoot", [PROSE], ""),
        ("rm", ["Remove it with `rmdir`."], ""),
        ("", [HOST], ""),
        ("```\n```", [HOST], ""),
    ],
)
def test_a_listing_is_what_the_quotes_have_line_by_line(code, quotes, shown):
    assert listing_in(code, quotes) == shown


@given(code=st.text(), quotes=st.lists(st.text(), max_size=3))
def test_no_line_of_a_listing_is_new(code, quotes):
    shown = listing_in(code, quotes)
    assert all(any(line.strip() in quote for quote in quotes) for line in shown.splitlines())
