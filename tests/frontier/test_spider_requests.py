"""Requests of other projects' spiders as JSON: what comes back, and what is refused."""

import json

import pytest
from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest
from scrapy.settings import Settings

from research_crawler.core.errors import BadMessage
from research_crawler.frontier.queue import LocalBuffer
from research_crawler.frontier.spider_requests import MAX_REQUEST_BYTES, command_of, queue_of
from research_crawler.runtime.addon import redis_url_of
from tests.cases import each_case

URL = "http://a.example/x?b=2&a=1#part"


class Example(Spider):
    name = "example"

    def parse(self, response):
        """A callback."""

    def failed(self, failure):
        """An errback."""


class Special(Request):
    """A request class of a project."""


@pytest.fixture
def buffer():
    spider = Example()
    return LocalBuffer(spider=spider, key="%(spider)s:requests")


def there_and_back(buffer, request):
    return buffer.decode(buffer.encode(request))


def test_a_request_comes_back_as_it_was(buffer):
    made = Request(
        URL,
        method="PUT",
        headers={"X-Mine": ["1", "é"], "Accept": "*/*"},
        body=b"\x00\xff",
        cookies={"a": "b"},
        meta={"page": 2, "deep": {"none": None, "list": [1.5, True, []]}},
        cb_kwargs={"word": "ü"},
        priority=-3,
        dont_filter=True,
        flags=["mine"],
        callback=buffer.spider.parse,
        errback=buffer.spider.failed,
    )
    assert there_and_back(buffer, made).to_dict(spider=buffer.spider) == made.to_dict(spider=buffer.spider)


@pytest.mark.parametrize(
    "request_",
    [FormRequest(URL, formdata={"a": "b"}), JsonRequest(URL, data={"a": [1]})],
    ids=["form", "json"],
)
def test_scrapys_own_request_classes_come_back_as_such(buffer, request_):
    back = there_and_back(buffer, request_)
    assert type(back) is type(request_)
    assert (back.method, back.body, back.headers) == (request_.method, request_.body, request_.headers)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"meta": {"spider": object()}}, "meta['spider'] of the request of .* is a object"),
        ({"meta": {1: "a"}}, "has the key 1"),
        ({"cb_kwargs": {"seen": {1, 2}}}, r"cb_kwargs\['seen'\] of the request of .* is a set"),
        ({"cb_kwargs": {"raw": b"x"}}, "is a bytes"),
        ({"meta": {"n": float("nan")}}, "cannot be written as JSON"),
        ({"callback": lambda response: None}, "cannot be queued: .* is not an instance method"),
        ({"body": b"x" * MAX_REQUEST_BYTES}, "bytes; 262,144 are allowed"),
    ],
)
def test_a_value_that_json_cannot_represent_is_refused_and_named(buffer, fields, said):
    with pytest.raises(BadMessage, match=said.replace("meta['", r"meta\['").replace("'] of", r"'\] of")):
        buffer.encode(Request(URL, **fields))


def test_a_request_class_of_a_project_is_refused(buffer):
    with pytest.raises(BadMessage, match="only Scrapy's own request classes"):
        buffer.encode(Special(URL))


@pytest.mark.parametrize(
    "change",
    [
        {"_class": "os.system"},
        {"callback": "__init__"},
        {"callback": "no_such_method"},
        {"callback": "name"},
        {"callback": ["parse"]},
        {"body": "no base64!"},
        {"headers": 7},
        {"url": 7},
    ],
    ids=str,
)
def test_a_queued_request_that_was_tampered_with_calls_nothing(buffer, change):
    text = json.dumps(json.loads(buffer.encode(Request(URL, callback=buffer.spider.parse))) | change)
    with pytest.raises(BadMessage):
        buffer.decode(text)


@pytest.mark.parametrize("text", ["", "[]", "null", b"\x80\x04K\x01."], ids=str)
def test_a_text_that_is_not_a_request_is_refused(buffer, text):
    with pytest.raises(BadMessage):
        buffer.decode(text)


def test_a_command_has_the_host_and_the_priority_of_its_request():
    made = command_of("{}", url=URL, spider="example", identity="1", priority=3)
    assert (made.kind, made.job, made.spider, made.slot) == ("request", "-", "own.example", "a.example")
    assert made.url == URL
    assert made.max_age_s == 0, "pages are not shared: the callback wants the response"
    assert made.priority == 2
    assert made.id == command_of("{}", url=URL, spider="example", identity="1").id
    assert made.id != command_of("{}", url=URL, spider="other", identity="1").id


@each_case("url", ["ftp://a.example/", "data:text/plain,x", "http:///x", "file:///etc/passwd"])
def test_only_http_goes_into_the_frontier(url):
    with pytest.raises(BadMessage, match=r"not an http\(s\) URL"):
        command_of("{}", url=url, spider="example", identity="1")


def test_every_spider_name_makes_a_queue():
    assert queue_of("example") == "own.example"
    odd = queue_of("a spider: with blanks")
    assert odd.startswith("own.") and " " not in odd and odd.count(":") == 0


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ({}, None),
        ({"REDIS_URL": "redis://:secret@r.example:7000/3"}, "redis://:secret@r.example:7000/3"),
        ({"REDIS_HOST": "r.example", "REDIS_PORT": 7000, "REDIS_DB": 2}, "redis://r.example:7000/2"),
        (
            {"REDIS_HOST": "r.example", "REDIS_PARAMS": {"password": "a b", "username": "u", "db": 1}},
            "redis://u:a%20b@r.example:6379/1",
        ),
        ({"REDIS_URL": "unix:///run/redis.sock?db=4"}, "unix:///run/redis.sock?db=4"),
        (
            {"REDIS_URL": "rediss://r.example", "REDIS_PARAMS": {"ssl_ca_certs": "/ca.pem"}},
            "rediss://r.example:6379/0?ssl_ca_certs=%2Fca.pem",
        ),
    ],
    ids=["none", "url", "host", "params", "socket", "tls"],
)
def test_the_redis_of_a_project_is_found_from_its_scrapy_redis_settings(settings, url):
    assert redis_url_of(Settings(settings)) == url
