"""A rich console that shows text from pages and models without characters that command the terminal."""

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from research_crawler.core.text.plain_text import clean


class SafeConsole(Console):
    """Only rich's own styles and cursor movements reach the terminal, whatever the texts contain."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of a renderable with clean texts."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(clean(text), style)
