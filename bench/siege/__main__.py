"""Twenty people play on a real server, in quiet and under siege: ``python -m bench.siege``.

The attackers have 500 slow and 1,100 idle connections, shared out among the web server, the event stream and the mail
server. All of it happens once more behind nginx, where there is one. Prints a table, and ends with status 1 unless
nobody was refused or left without an answer, no answer was an error of the server, and the slowest hundredth of the
answers took at most twice as long under siege.
"""

import argparse
import sys

from bench.siege.campaign import Force, campaign
from bench.siege.report import is_held, table
from bench.siege.server import has_nginx


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench.siege", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--players", type=int, default=20, help="an even number")
    parser.add_argument("--slow", type=int, default=500, help="slow connections")
    parser.add_argument("--idle", type=int, default=1100, help="idle connections")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each phase takes")
    parser.add_argument("--rounds", type=int, default=3, help="how often quiet and siege alternate")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds that a player thinks")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Besiege the bare server, then the one behind nginx."""
    asked = arguments()
    force = Force(asked.players, asked.slow, asked.idle, asked.seconds, asked.rounds, asked.pause, asked.seed)
    held = True
    for proxied in (False, True):
        if proxied and not has_nginx():
            print("skipped: behind nginx, for there is none on this machine (Debian: apt-get install nginx)")
            continue
        found = campaign(force, proxied)
        print(table("behind nginx, TRUSTED_PROXIES=1" if proxied else "the bare server", found), flush=True)
        held = held and is_held(found)
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
