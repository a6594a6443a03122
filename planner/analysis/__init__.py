"""What the findings of a job say together: how sure they are, where they differ, and what leads on. Pure."""
