"""Whether an address on the web answers, asked so that nothing else can be reached by it.

The one rule: every address is judged before it is connected to, and that very address is the one
connected to: the name is not looked up again, and each redirect starts from the beginning.
"""

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from threading import Timer
from urllib.parse import SplitResult, urljoin, urlsplit

PATIENCE = 8.0
"""Seconds for each connection and each answer."""

LONGEST = 20.0
"""Seconds after which a connection is cut, however busily it drips."""

HOPS = 5
"""Redirects that are followed."""

_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")

Judge = Callable[[str], str]
"""Says why a URL may not be asked; "" where it may."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Answer:
    """The status of the last answer; 0 where there was none, and `why` says why."""

    status: int = 0
    why: str = ""


def get(url: str, judge: Judge, allow_private: bool = False) -> Answer:
    """Ask for a URL and follow its redirects, each of which `judge` must accept."""
    if not allow_private and not _is_connected():
        return Answer(why="this machine is not connected")
    for _ in range(HOPS + 1):
        if why := judge(url):
            return Answer(why=f"refused: {why}")
        try:
            parts = urlsplit(url)
            status, to = _asked(parts, _address(parts, allow_private))
            if to is None:
                return Answer(status, f"answered {status}")
            url = urljoin(url, to)
        except Unfit as refused:
            return Answer(why=f"refused: {refused}")
        except (OSError, http.client.HTTPException, ValueError) as fault:
            return Answer(why=f"no answer: {_named(fault)}")
    return Answer(why=f"redirected more than {HOPS} times")


@lru_cache(maxsize=1)
def _is_connected() -> bool:
    """Whether this machine has a way out; nothing is sent."""
    for family, address in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
            return True
    return False


class Unfit(Exception):
    """An address that is not to be connected to."""


def _address(parts: SplitResult, allow_private: bool) -> tuple[str, int]:
    """The one (address, port) that is connected to. Raises Unfit and OSError."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    host = parts.hostname or ""
    found, fault = _looked_up(host, port)
    for address in found:
        if not allow_private and (why := unfit(address)):
            raise Unfit(f"{host} is {address}, {why}")
    if not found:
        raise OSError(fault or f"{host} has no address")
    return found[0], port


def unfit(address: str) -> str:
    """Why an address is not one of the open net; "" where it is."""
    try:
        number: Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "which is no address"
    if isinstance(number, ipaddress.IPv6Address):
        inner = number.ipv4_mapped or number.sixtofour or (number.teredo or (None, None))[1]
        if number in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
        if inner is not None:
            return unfit(str(inner))
    if number.is_loopback:
        return "this machine"
    if number.is_link_local:
        return "link-local"
    if number.is_multicast or number.is_unspecified or number.is_reserved:
        return "no host's address"
    return "" if number.is_global else "private"


@lru_cache(maxsize=512)
def _looked_up(host: str, port: int) -> tuple[tuple[str, ...], str]:
    """(addresses of a host, why there are none), looked up once: offline, a store of links to one
    host waits once, and what was judged is what is connected to.
    """
    try:
        rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        return (), _named(fault)
    return tuple(dict.fromkeys(str(row[4][0]) for row in rows)), ""


def _asked(parts: SplitResult, address: tuple[str, int]) -> tuple[int, str | None]:
    """(status, where it redirects to or None). The body is left where it is."""
    link = _Pinned(parts, address)
    late = Timer(LONGEST, link.cut)
    late.daemon = True
    late.start()
    try:
        link.putrequest("GET", _target(parts), skip_accept_encoding=True)
        for name, value in _HEADERS.items():
            link.putheader(name, value)
        link.endheaders()
        answer = link.getresponse()
        to = answer.getheader("Location") if answer.status in (301, 302, 303, 307, 308) else None
        return answer.status, to
    finally:
        late.cancel()
        link.close()


_HEADERS: Mapping[str, str] = {
    "User-Agent": "memgit (checks whether a link answers)",
    "Accept": "*/*",
    "Range": "bytes=0-0",
    "Connection": "close",
}


def _target(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


class _Pinned(http.client.HTTPConnection):
    """A connection to one address, whatever its name leads to by now; TLS goes by the name."""

    def __init__(self, parts: SplitResult, address: tuple[str, int]) -> None:
        super().__init__(parts.hostname or "", address[1], timeout=PATIENCE)
        self._pinned = address
        self._is_tls = parts.scheme == "https"
        self.default_port = 443 if self._is_tls else 80

    def connect(self) -> None:
        """Connect to the pinned address."""
        family = socket.AF_INET6 if ":" in self._pinned[0] else socket.AF_INET
        plain = socket.socket(family, socket.SOCK_STREAM)
        self.sock = plain  # so that it is closed, whatever comes
        plain.settimeout(PATIENCE)
        plain.connect(self._pinned)
        if self._is_tls:
            self.sock = _tls().wrap_socket(plain, server_hostname=self.host)

    def cut(self) -> None:
        """End it from another thread."""
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _named(fault: Exception) -> str:
    """A fault in a few words."""
    said = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return " ".join(str(said).split())[:120]
