"""The planner: decides what to search and read, and writes the report. It uses ports only, never the web itself."""
