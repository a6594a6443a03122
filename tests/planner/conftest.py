import pytest

from research_crawler.core.ports.models import Call


@pytest.fixture
def call():
    return Call(job="j", key="1", token="t", deadline_s=60)
