"""What a question wants: to know something, or to buy something."""

from typing import Literal

Intent = Literal["informational", "commerce"]
