"""A site whose pages are made by scripts, on two allowed hosts and on one that the guard refuses."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from aiohttp import web

OPEN_HOST, OTHER_HOST, CLOSED_HOST = "127.0.5.1", "127.0.5.2", "127.9.9.9"
TEXT = "The depth at the quay is 6.4 metres. "
SHOW = f"document.getElementById('root').innerHTML = '<p>' + '{TEXT}'.repeat(10) + '</p>';"
HEAD = (
    "<!doctype html><html><head><meta charset='utf-8'><title>Shell</title></head><body><div id='root'></div>"
)
PAGES = {
    "/shell": "<script>fetch('/data').then(a => a.json()).then(d => {"
    "document.getElementById('root').innerHTML = '<p>' + d.text.repeat(10) + '</p>'})</script>",
    "/late": f"<script>setTimeout(() => {{ {SHOW} }}, 900)</script>",
    "/redirect": "<script>location.href = 'http://{other}/shell'</script>",
    "/same": "<script>location.replace('/shell?from=same')</script>",
    "/reload": f"<script>{SHOW} location.reload()</script>",
    "/form": "<form method=get action='http://{other}/found'><input name=q value=x></form>"
    "<script>document.forms[0].submit()</script>",
    "/refresh": "<meta http-equiv=refresh content='0; url=http://{other}/shell'>",
    "/private": "<img src='http://{closed}/i.png'><iframe src='http://{closed}/f'></iframe>"
    "<link rel=stylesheet href='http://{closed}/s.css'><link rel=preload as=fetch href='http://{closed}/p'>"
    "<link rel=preconnect href='http://{closed}/'><link rel=dns-prefetch href='http://{closed}/'>"
    "<script src='http://{closed}/s.js'></script>"
    "<script>fetch('http://{closed}/x', {mode: 'no-cors'}).catch(() => 0);"
    "navigator.sendBeacon('http://{closed}/b', 'x'); new WebSocket('ws://{closed}/w');"
    "new EventSource('http://{closed}/e'); new Worker('http://{closed}/k.js');</script><script>"
    + SHOW
    + "</script>",
    "/hop": "<script>fetch('/to-closed', {mode: 'no-cors'}).catch(() => 0); new Image().src = '/to-closed';"
    + SHOW
    + "</script><iframe src='/to-closed'></iframe>",
    "/popup": f"<script>window.open('http://{{closed}}/'); window.open('/data'); alert(1); {SHOW}</script>",
    "/sockets": "<script>const s = new WebSocket('ws://' + location.host + '/socket');"
    "s.onmessage = m => { document.getElementById('root').innerHTML = '<p>' + m.data.repeat(10) + '</p>' }</script>",
    "/saved": f"<img src='/i.png'><video src='/v.mp4' autoplay></video><script>{SHOW}</script>",
    "/shadow": "<depth-board></depth-board><script>customElements.define('depth-board', class extends HTMLElement {"
    "connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<p>In the shadow</p>' }})</script>",
    "/agent": "<script>document.getElementById('root').textContent = navigator.userAgent + ' ' + navigator.language +"
    " ' ' + document.cookie</script>",
    "/cookie": "<script>document.cookie = 'seen=1'; localStorage.setItem('seen', 1);"
    "document.getElementById('root').textContent = 'set'</script>",
    "/recall": "<script>document.getElementById('root').textContent ="
    "'kept: ' + document.cookie + localStorage.getItem('seen')</script>",
    "/heavy": f"<script>{SHOW} for (let i = 0; i < 12; i++) fetch('/blob?' + i).then(() => {{"
    "document.getElementById('root').append('more ')}, () => null)</script>",
    "/endless": f"<script>{SHOW} setInterval(() => fetch('/data').then(() => {{"
    "document.getElementById('root').append('more ')}), 50)</script>",
    "/spin": "<script>while (true) {}</script>",
    "/worker": "<script>navigator.serviceWorker.register('/sw.js').then(() => 'on', () => 'off')"
    ".then(w => { document.getElementById('root').textContent = 'service worker ' + w })</script>",
    "/refer": "<script>fetch('http://{other}/refer-log', {mode: 'no-cors'}).then(() => {"
    + SHOW
    + "})</script>",
    "/datagrams": "<script>const c = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.5.1:{udp}'}]});"
    "c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o));"
    f"try {{ new WebTransport('https://{{other}}/') }} catch (e) {{}} {SHOW}</script>",
}


@dataclass
class ScriptedSite:
    port: int = 0
    seen: list[tuple[str, str]] = field(default_factory=list)
    """Host and path of every request."""
    referers: list[str] = field(default_factory=list)
    connections: Counter[str] = field(default_factory=Counter)
    udp_port: int = 0
    datagrams: int = 0

    closing: list = field(default_factory=list)

    async def close(self) -> None:
        close_datagrams, cleanup = self.closing
        close_datagrams()
        await cleanup()

    def url(self, path: str, host: str = OPEN_HOST) -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self, host: str = OPEN_HOST) -> list[str]:
        return [path for at, path in self.seen if at == host]

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:  # noqa: C901
        host = request.transport.get_extra_info("sockname")[0]
        self.seen.append((host, request.path))
        if request.path == "/socket":
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.send_str(TEXT)
            await asyncio.sleep(0.2)
            return socket
        if request.path == "/data":
            return web.json_response({"text": TEXT})
        if request.path == "/to-closed":
            return web.Response(
                status=302,
                headers={"Location": self.url("/secret", CLOSED_HOST), "Access-Control-Allow-Origin": "*"},
            )
        if request.path == "/refer-log":
            self.referers.append(request.headers.get("Referer", ""))
        if request.path == "/blob":
            return web.Response(body=b"x" * 5_000_000)
        if request.path == "/pdf":
            return web.Response(body=b"%PDF-1.7", content_type="application/pdf")
        if request.path == "/gone":
            return web.Response(status=410, text=HEAD, content_type="text/html")
        page = PAGES.get(request.path)
        if page is None:
            return web.Response(status=404)
        for name, host in (("other", OTHER_HOST), ("closed", CLOSED_HOST)):
            page = page.replace("{" + name + "}", f"{host}:{self.port}")
        page = page.replace("{udp}", str(self.udp_port))
        response = web.Response(text=HEAD + page, content_type="text/html", charset="utf-8")
        response.set_cookie("first", "1")
        if request.path == "/shell":
            response.enable_compression()
        return response


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, site: ScriptedSite) -> None:
        self.site = site

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.site.datagrams += 1


async def serve(site: ScriptedSite) -> None:
    runner = web.ServerRunner(web.Server(site.answer, access_log=None), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, OPEN_HOST, 0).start()
    site.port = runner.addresses[0][1]
    for host in (OTHER_HOST, CLOSED_HOST):
        await web.TCPSite(runner, host, site.port).start()
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
        lambda: _Datagrams(site), local_addr=(OPEN_HOST, 0)
    )
    site.udp_port = transport.get_extra_info("sockname")[1]
    site.closing = [transport.close, runner.cleanup]
