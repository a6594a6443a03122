"""The tools that the MCP server offers, a group a file, and what all of them share."""
