"""Names and addresses that mean this machine only."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Return whether a host name or address means this machine only."""
    name = host.strip("[]")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
