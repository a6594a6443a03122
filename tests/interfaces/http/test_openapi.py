"""The OpenAPI document is valid for its version, and a client that is made from it works."""

import re

from tests.interfaces.http.conftest import TOKEN


async def test_the_document_is_valid_openapi_says_who_may_call_and_names_its_methods(served):
    # Imported here, and not by every process that collects tests.
    from openapi_spec_validator import OpenAPIV31SpecValidator

    document = await served.get("/openapi.json")
    assert document["openapi"].startswith("3.1")
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    assert document["servers"] == [{"url": "/"}]
    [scheme] = document["components"]["securitySchemes"].values()
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    names = [method["operationId"] for path in document["paths"].values() for method in path.values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", name) for name in names)


async def test_a_client_made_from_the_document_starts_a_job_and_reads_its_status(served):
    import aiopenapi3

    base = str(served.client.base_url)
    api = await aiopenapi3.OpenAPI.load_async(f"{base}/openapi.json")
    api.authenticate(token=TOKEN)
    asked = api._.start_job.data.get_type().model_validate({"goal": "How do heat pumps work?"})
    started = await api._.start_job(data=asked.model_dump(exclude_unset=True))
    status = await api._.job_status(parameters={"job_id": started.task_id})
    assert (status.status, status.topic, status.outcome) == ("pending", "How do heat pumps work?", None)
