"""Scrapy middlewares: address guard, robots.txt, permits, redirects, cookies, stored pages, callbacks' output."""
