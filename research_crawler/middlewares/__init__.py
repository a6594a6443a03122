"""Downloader middlewares: guard, robots, permits, redirects, stored pages."""
