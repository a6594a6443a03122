"""What a caller hears when Redis has no memory for its request."""

from fastapi import FastAPI
from starlette.testclient import TestClient

from research_crawler.core.errors import RedisFull
from research_crawler.interfaces.http.faults import install_faults


def test_a_request_that_redis_has_no_memory_for_may_be_sent_again_soon():
    app = FastAPI()
    install_faults(app)

    @app.get("/")
    async def refuse() -> None:
        raise RedisFull("Redis has reached its memory limit")

    answer = TestClient(app).get("/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    assert answer.json()["error"]["code"] == "storage_full"
