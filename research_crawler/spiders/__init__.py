"""The spiders that serve commands: search, page, vendor, and their base."""
