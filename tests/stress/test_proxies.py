"""The proxies of the folder ``deploy``: the trials use the shipped files;
requests reach the program unchanged.
"""

from __future__ import annotations

import re
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.live.conftest import SLUG
from tests.live.server import HOST, Site

from .proxies import Trial, production_site
from .proxy import KINDS, NGINX, Proxy, is_installed, tried_caddy, tried_nginx


@pytest.mark.parametrize("kind", ["site", "compose"])
def test_nginx_is_tried_as_it_is_but_for_addresses_and_places(kind: str, tmp_path: Path) -> None:
    text = tried_nginx(kind, tmp_path, (4321, 4322), 8765)
    assert re.findall(r"listen (.*);", text) == ["127.0.0.1:4322", "127.0.0.1:4321 ssl"]
    assert re.findall(r" server (\S*);", text) == ["127.0.0.1:8765"]
    places = re.findall(
        r"(?:include|_key|_certificate|_temp_path|access_log|error_log|pid) +(/\S+?);?[ \n]", text
    )
    assert len(places) > 8
    assert [place for place in places if not place.startswith(str(tmp_path))] == []
    plain = tried_nginx(kind, tmp_path, (4321, 4322), 8765, https=False)
    assert re.findall(r"listen (.*);", plain) == ["127.0.0.1:4322", "127.0.0.1:4321"]
    assert "ssl_" not in plain
    shipped = (NGINX / f"{kind}.conf").read_text()
    assert set(re.findall(r"include /etc/nginx/swiss-arbiter/(\S+);", shipped)) == {
        "cache.conf",
        "pass.conf",
    }


def test_caddy_is_tried_as_it_is_but_for_addresses_and_the_certificate(tmp_path: Path) -> None:
    text = tried_caddy(tmp_path, (4321, 4322), 8765)
    assert "reverse_proxy 127.0.0.1:8765\n" in text
    assert f"tls {tmp_path}/certificate.pem {tmp_path}/certificate.key\n" in text
    assert "max_size 65MiB" in text
    assert text.count("{") == text.count("}")


@pytest.mark.slow
def test_forged_headers_slow_clients_large_uploads_and_parts_of_files(tmp_path: Path) -> None:
    with production_site(tmp_path / "site") as site:
        for kind in filter(is_installed, KINDS):
            with Proxy(tmp_path / kind, site.port, kind, https=True) as proxy:
                assert [line for line in Trial(site, proxy).lines() if not line.is_good] == []


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="nginx is not installed")
def test_behind_nginx_no_reader_gets_the_answer_of_another(served: Site, tmp_path: Path) -> None:
    requested = [
        {"Accept-Language": language, "Accept-Encoding": packed, **more}
        for language in ("en", "fr-FR,fr;q=0.9", "de, fr;q=0.5", "fr;q=0.1, en")
        for packed in ("gzip", "gzip, deflate, br, zstd", "br;q=0, gzip")
        for more in (
            {},
            {"HX-Request": "true"},
            {"Cookie": "django_language=fr"},
            {"Cookie": "sessionid=none"},
        )
    ]
    with Proxy(tmp_path / "nginx", served.port) as proxy:
        for headers in [*requested, *requested]:
            assert variant(proxy.port, headers) == variant(served.port, headers), headers
        assert proxy.reached() < len(requested)


def variant(port: int, headers: dict[str, str]) -> tuple[str | None, ...]:
    """Return what identifies an answer: its ETag has address, version,
    language and part or page.
    """
    connection = HTTPConnection(HOST, port)
    connection.request("GET", f"/t/{SLUG}/standings/", headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return tuple(answer.headers[name] for name in ("ETag", "Content-Language", "Content-Encoding"))
