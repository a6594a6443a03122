"""Good and bad answers of the services that need a key, in their documented form."""

from typing import Any

KEY = "test-key-4711"
ENGINE_ID = "engine-0815"

BRAVE_WEB = {
    "type": "search",
    "query": {"original": "honey", "more_results_available": True},
    "mixed": {"type": "mixed", "main": [{"type": "web", "index": 0, "all": False}]},
    "web": {
        "type": "search",
        "results": [
            {
                "type": "search_result",
                "title": "How bees make <strong>honey</strong>",
                "url": "https://bees.example/honey",
                "description": "Nectar is <strong>thickened</strong> &amp; stored.",
                "page_age": "2026-03-02T10:00:00",
                "age": "March 2, 2026",
                "language": "en",
                "profile": {"name": "Bees", "url": "https://bees.example/"},
                "extra_snippets": ["More of it."],
            },
            {"title": "No address"},
            {"title": "Wax", "url": "https://wax.example/", "description": "About wax."},
        ],
    },
}
BRAVE_NEWS = {
    "type": "news",
    "query": {"original": "honey"},
    "results": [
        {
            "type": "news_result",
            "title": "Honey prices rise",
            "url": "https://news.example/honey",
            "description": "A bad summer.",
            "age": "2 hours ago",
            "page_age": "2026-11-19T08:00:00",
            "meta_url": {"netloc": "news.example"},
        },
        {"title": "Second", "url": "https://news.example/second", "description": "Another."},
    ],
}
BRAVE_IMAGES = {
    "type": "images",
    "query": {"original": "honey"},
    "results": [
        {
            "type": "image_result",
            "title": "A jar of honey",
            "url": "https://pictures.example/jar",
            "source": "pictures.example",
            "thumbnail": {"src": "https://imgs.brave.example/t.jpg"},
            "properties": {"url": "https://pictures.example/jar.jpg", "width": 800, "height": 600},
        },
        {"title": "Second", "url": "https://pictures.example/second", "properties": {"url": "nonsense"}},
    ],
}
TAVILY = {
    "query": "honey",
    "follow_up_questions": None,
    "answer": None,
    "images": [],
    "results": [
        {
            "title": "Honey prices rise",
            "url": "https://news.example/honey",
            "content": "A bad summer.",
            "score": 0.99,
            "raw_content": None,
            "published_date": "Thu, 19 Nov 2026 08:00:00 GMT",
        },
        {"title": "Second", "url": "https://news.example/second", "content": "Another.", "score": 0.5},
    ],
    "response_time": 0.9,
    "request_id": "0",
}
GOOGLE = {
    "kind": "customsearch#search",
    "url": {
        "type": "application/json",
        "template": "https://www.googleapis.com/customsearch/v1?q={searchTerms}",
    },
    "queries": {"request": [{"title": "Google Custom Search - honey", "count": 10, "startIndex": 1}]},
    "searchInformation": {"totalResults": "2"},
    "items": [
        {
            "kind": "customsearch#result",
            "title": "How bees make honey",
            "htmlTitle": "How bees make <b>honey</b>",
            "link": "https://bees.example/honey",
            "displayLink": "bees.example",
            "snippet": "Nectar is thickened\n& stored.",
            "pagemap": {
                "metatags": [{"og:type": "article", "article:published_time": "2026-03-02T10:00:00Z"}]
            },
        },
        {"title": "Wax", "link": "https://wax.example/", "snippet": "About wax."},
    ],
}
GOOGLE_IMAGES = {
    "kind": "customsearch#search",
    "searchInformation": {"totalResults": "1"},
    "items": [
        {
            "title": "A jar of honey",
            "link": "https://pictures.example/jar.jpg",
            "snippet": "A jar.",
            "mime": "image/jpeg",
            "image": {"contextLink": "https://pictures.example/jar", "thumbnailLink": "https://t.example/1"},
        },
        {
            "title": "Second",
            "link": "https://p.example/2.jpg",
            "image": {"contextLink": "https://p.example/2"},
        },
    ],
}
BING_WEB = {
    "_type": "SearchResponse",
    "queryContext": {"originalQuery": "honey"},
    "webPages": {
        "webSearchUrl": "https://www.bing.com/search?q=honey",
        "totalEstimatedMatches": 2,
        "value": [
            {
                "id": "https://api.bing.microsoft.com/api/v7/#WebPages.0",
                "name": "How bees make honey",
                "url": "https://bees.example/honey",
                "displayUrl": "https://bees.example/honey",
                "snippet": "Nectar is thickened & stored.",
                "dateLastCrawled": "2026-11-01T00:00:00.0000000Z",
                "datePublished": "2026-03-02T00:00:00.0000000",
            },
            {"name": "Wax", "url": "https://wax.example/", "snippet": "About wax."},
        ],
    },
}
BING_NEWS = {
    "_type": "News",
    "readLink": "https://api.bing.microsoft.com/api/v7/news/search?q=honey",
    "value": [
        {
            "name": "Honey prices rise",
            "url": "https://news.example/honey",
            "description": "A bad summer.",
            "datePublished": "2026-11-19T08:00:00.0000000Z",
            "provider": [{"_type": "Organization", "name": "News"}],
        },
        {"name": "Second", "url": "https://news.example/second", "description": "Another."},
    ],
}
BING_IMAGES = {
    "_type": "Images",
    "value": [
        {
            "name": "A jar of honey",
            "contentUrl": "https://pictures.example/jar.jpg",
            "hostPageUrl": "https://pictures.example/jar",
            "thumbnailUrl": "https://t.example/1",
        },
        {"name": "Second", "contentUrl": "https://p.example/2.jpg", "hostPageUrl": "https://p.example/2"},
    ],
}
GOOD: dict[str, Any] = {
    "/res/v1/web/search": BRAVE_WEB,
    "/res/v1/news/search": BRAVE_NEWS,
    "/res/v1/images/search": BRAVE_IMAGES,
    "/tavily/search": TAVILY,
    "/customsearch/v1": GOOGLE,
    "/v7.0/search": BING_WEB,
    "/v7.0/news/search": BING_NEWS,
    "/v7.0/images/search": BING_IMAGES,
}
NONE: dict[str, Any] = {
    "/res/v1/web/search": {"type": "search", "query": {"original": "x"}},
    "/res/v1/news/search": {"type": "news", "query": {"original": "x"}, "results": []},
    "/res/v1/images/search": {"type": "images", "query": {"original": "x"}, "results": []},
    "/tavily/search": {"query": "x", "answer": None, "images": [], "results": [], "response_time": 0.1},
    "/customsearch/v1": {"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}},
    "/v7.0/search": {"_type": "SearchResponse", "queryContext": {"originalQuery": "x"}},
    "/v7.0/news/search": {"_type": "News", "value": []},
    "/v7.0/images/search": {"_type": "Images", "value": []},
}
WRONG_KEY: dict[str, tuple[int, Any]] = {
    "/res/v1": (
        422,
        {
            "type": "ErrorResponse",
            "error": {
                "id": "0",
                "status": 422,
                "code": "SUBSCRIPTION_TOKEN_INVALID",
                "detail": "The provided subscription token is invalid.",
                "meta": {"component": "authentication"},
            },
            "time": 1764000000,
        },
    ),
    "/tavily": (401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}),
    "/customsearch": (
        400,
        {
            "error": {
                "code": 400,
                "message": "API key not valid. Please pass a valid API key.",
                "errors": [{"message": "API key not valid.", "domain": "global", "reason": "badRequest"}],
                "status": "INVALID_ARGUMENT",
                "details": [{"reason": "API_KEY_INVALID", "domain": "googleapis.com"}],
            }
        },
    ),
    "/v7.0": (
        401,
        {
            "error": {
                "code": "401",
                "message": "Access denied due to invalid subscription key or wrong API endpoint.",
            }
        },
    ),
}
SPENT: dict[str, tuple[int, Any]] = {
    "/res/v1": (402, {"type": "ErrorResponse", "error": {"code": "QUOTA_EXCEEDED", "status": 402}}),
    "/tavily": (432, {"detail": {"error": "This request exceeds your plan's set usage limit."}}),
    "/customsearch": (
        429,
        {
            "error": {
                "code": 429,
                "message": "Quota exceeded for quota metric 'Queries' and limit 'Queries per day'",
                "status": "RESOURCE_EXHAUSTED",
            }
        },
    ),
    "/v7.0": (
        403,
        {"error": {"code": "403", "message": "Out of call volume quota. Quota will be replenished."}},
    ),
}
