"""A node beside others and beside other crawlers: speed, politeness, the guard, the browser."""
