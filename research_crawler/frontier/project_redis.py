"""Finds the Redis server of a project that was written for scrapy-redis, from the project's own settings."""

import warnings
from typing import Any, Final
from urllib.parse import quote, urlencode

from redis.connection import Connection, SSLConnection, UnixDomainSocketConnection
from scrapy.settings import BaseSettings
from scrapy_redis.connection import get_redis_from_settings

_NAMES: Final = ("REDIS_URL", "REDIS_HOST", "REDIS_PORT", "REDIS_DB", "REDIS_PARAMS")
_TLS: Final = ("ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname")
"""Connection parameters that go into the URL's query; timeouts and retries are those of our own client."""


def redis_url_of(settings: BaseSettings) -> str | None:
    """The URL of the server that scrapy-redis would connect to; None if the project names none.

    scrapy-redis builds its client from the settings, and the URL is made from the client's connection parameters. So
    every setting that the library reads has its usual effect.
    """
    if not any(settings.get(name) for name in _NAMES):
        return None
    with warnings.catch_warnings():  # scrapy-redis' defaults have an option that redis-py has deprecated
        warnings.simplefilter("ignore", DeprecationWarning)
        pool = get_redis_from_settings(settings).connection_pool
    return _url(pool.connection_class, pool.connection_kwargs)


def _url(kind: type[Connection], known: dict[str, Any]) -> str:
    login = (
        f"{quote(known.get('username') or '')}:{quote(known['password'])}@" if known.get("password") else ""
    )
    database = int(known.get("db") or 0)
    if issubclass(kind, UnixDomainSocketConnection):
        return f"unix://{login}{known['path']}?db={database}"
    is_tls = issubclass(kind, SSLConnection)
    query = {name: str(known[name]) for name in _TLS if is_tls and known.get(name) is not None}
    address = f"{known.get('host', 'localhost')}:{known.get('port', 6379)}/{database}"
    return f"{'rediss' if is_tls else 'redis'}://{login}{address}{'?' + urlencode(query) if query else ''}"
