"""The processes that parse pages. A process that hangs or dies on a page is replaced."""
