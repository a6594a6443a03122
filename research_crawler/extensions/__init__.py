"""Scrapy extensions: leases kept, throttle feedback."""
