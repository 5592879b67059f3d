"""DNS queries."""

from typing import Final

from dns.exception import DNSException
from dns.rdatatype import RdataType
from dns.resolver import NXDOMAIN, NoAnswer, NoNameservers, Resolver
from dns.reversename import from_address

PATIENCE: Final = 5.0
"""The timeout of a query in seconds."""


class NoAnswerFromDns(Exception):
    """The DNS does not answer. The message contains the query."""


class Names:
    """A resolver that asks this machine's name servers, or a given one."""

    def __init__(self, nameserver: str = "", port: int = 53) -> None:
        """Use the name server with the IP address ``nameserver``, or those of this machine if it is blank."""
        self._resolver = Resolver(configure=not nameserver)
        self._resolver.lifetime = PATIENCE
        if nameserver:
            self._resolver.nameservers = [nameserver]
            self._resolver.port = port

    def addresses(self, host: str) -> list[str]:
        """Return the addresses of a host. Raises NoAnswerFromDns."""
        return [*self._ask(host, RdataType.A), *self._ask(host, RdataType.AAAA)]

    def exchangers(self, domain: str) -> list[str]:
        """Return the hosts that accept mail for a domain, the preferred one first. ``.`` means that all mail is
        refused.
        """
        records = (line.split() for line in self._ask(domain, RdataType.MX))
        return [
            host if host == "." else host.rstrip(".") for _, host in sorted((int(rank), host) for rank, host in records)
        ]

    def texts(self, name: str, beginning: str) -> list[str]:
        """Return the texts of a name that begin with ``start``. Long texts are stored in pieces."""
        pieces = (
            "".join(part.replace("\\;", ";") for part in line.split('"')[1::2])
            for line in self._ask(name, RdataType.TXT)
        )
        return [text for text in pieces if text.lower().startswith(beginning.lower())]

    def names_of(self, address: str) -> list[str]:
        """Return the names that the owner of an address gave it."""
        return [name.rstrip(".") for name in self._ask(str(from_address(address)), RdataType.PTR)]

    def _ask(self, name: str, kind: RdataType) -> list[str]:
        try:
            return [record.to_text() for record in self._resolver.resolve(name, kind, search=False)]
        except (NXDOMAIN, NoAnswer):
            return []
        except (DNSException, NoNameservers, OSError) as error:
            raise NoAnswerFromDns(
                f"The DNS gives no answer about {name} ({kind.name}): {type(error).__name__}."
            ) from error
