"""The MCP server: research, watches and prices as tools for other models, over stdio and streamable HTTP."""
