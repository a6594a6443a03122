"""Scrapy extensions: leasing commands ahead, keeping leases alive, settling callbacks, measuring delays."""
