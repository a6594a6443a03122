"""A search engine with a page to type into; says its address on stdout."""

import asyncio
import sys

from aiohttp import web

HOME = "<html><body><h1>Find</h1><form action='/find'><input type=search name=q></form></body></html>"


async def answer(request: web.BaseRequest) -> web.Response:
    if request.path == "/":
        return web.Response(text=HOME, content_type="text/html")
    if request.path != "/find":
        return web.Response(status=404)
    query = request.query["q"].replace(" ", "+")
    results = "".join(
        f"<li class='result'><h2><a href='https://result-{n}.example/{query}'>Result {n} about {query}</a></h2>"
        f"<p>What the page number {n} says of it, in a sentence or two of some length.</p></li>"
        for n in (1, 2, 3)
    )
    return web.Response(
        text=f"<html><body><ol id='results'>{results}</ol></body></html>", content_type="text/html"
    )


async def main() -> None:
    runner = web.ServerRunner(web.Server(answer, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.8.1", 0).start()
    sys.stdout.write(f"http://127.0.8.1:{runner.addresses[0][1]}/\n")
    sys.stdout.flush()
    await asyncio.sleep(600)


asyncio.run(main())
