"""Twenty players play on a real server, without and with attackers: ``python -m bench.siege``.

Attackers hold 1,500 connections to each service (web, stream, mail). They come from 20 addresses of one /24, then from
20 different /24s, and behind proxies also from one IPv6 /48. The server is attacked without a proxy, behind nginx and
behind Caddy with their shipped configurations. Prints a table for each siege. The exit status is 1 unless every request
was answered, no answer was a 5xx, 429 or 421, and the 99th percentile of the latency was at most twice that of the
quiet phase.

As root, it runs in a network namespace in which every address of 2001:db8::/32 leads to this machine. Without root, the
attackers from the /48 are left out.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import Final

from bench.siege.campaign import Force, campaign
from bench.siege.report import is_held, table
from bench.siege.server import FRONTS

OWN_NETWORK: Final = "DARBAR_SIEGE_NETWORK"
"""The environment variable that is set inside the network namespace."""
NETWORKS: Final = {
    "bare": ["one /24", "twenty /24s"],
    "nginx": ["one /24", "twenty /24s", "one /48"],
    "caddy": ["one /24", "twenty /24s", "one /48"],
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.siege", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--players", type=int, default=20, help="an even number")
    parser.add_argument("--connections", type=int, default=1500, help="of the attackers, at each service")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each phase takes")
    parser.add_argument("--rounds", type=int, default=2, help="how often quiet and siege alternate")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds that a player thinks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--front", choices=FRONTS, action="append", help="only bare, nginx or caddy; may be repeated")
    parser.add_argument("--network", choices=NETWORKS["nginx"], action="append", help="from these networks only")
    return parser.parse_args()


def enter_own_network() -> None:
    """Start this program again in a network namespace with IPv6 addresses for the attackers."""
    setup = 'ip link set lo up && ip -6 route add local 2001:db8::/32 dev lo && exec "$@"'
    again = [sys.executable, "-m", "bench.siege", *sys.argv[1:]]
    os.environ[OWN_NETWORK] = "yes"
    os.execvp("unshare", ["unshare", "--net", "sh", "-c", setup, "sh", *again])


def main() -> None:
    """Attack the server behind each proxy, from each network."""
    options = arguments()
    has_own_network = OWN_NETWORK in os.environ
    if not has_own_network and os.geteuid() == 0 and shutil.which("unshare") and shutil.which("ip"):
        enter_own_network()
    force = Force(options.players, options.connections, options.seconds, options.rounds, options.pause, options.seed)
    are_all_held = True
    for front in options.front or FRONTS:
        if front != "bare" and shutil.which(front) is None:
            print(f"skipped: {front} is not installed (Debian: apt-get install {front})")
            continue
        networks = [name for name in NETWORKS[front] if name in (options.network or NETWORKS[front])]
        if "one /48" in networks and not has_own_network:
            print(f"skipped: one /48 behind {front}, because IPv6 addresses of our own need root, unshare and ip")
            networks.remove("one /48")
        for network in networks:
            siege = campaign(force, front, network)
            load = Path("/proc/loadavg").read_text().split()[0] if Path("/proc/loadavg").exists() else "unknown"
            print(table(f"{front}, attackers from {network} (load of the machine: {load})", siege), flush=True)
            are_all_held = is_held(siege) and are_all_held
    sys.exit(0 if are_all_held else 1)


if __name__ == "__main__":
    main()
