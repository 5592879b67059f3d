"""A fresh Debian from debootstrap that boots its own systemd, with a network of its own behind this machine's.

It runs in namespaces: what runs there ends with it, and no port of it is one of this machine's. Its folder is the root
of a tree of mounts, for a unit with ``PrivateUsers`` does not start in a plain chroot.
"""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.server.darbar import wait_until

PROGRAMS: Final = ("debootstrap", "slirp4netns", "unshare", "nsenter")
GATEWAY: Final = "10.0.2.2"
"""The name from within of this machine: its loopback."""
_GUEST: Final = "10.0.2.100"
_AUTHORITIES: Final = Path("/usr/local/share/ca-certificates")
_BOOT: Final = """
set -e
cd "$1"
mount --bind . .
cd "$1"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
for each in run dev tmp; do mount -t tmpfs -o mode=755 tmpfs $each; done
chmod 1777 tmp
for each in null zero full random urandom tty; do
    touch dev/$each
    mount --bind /dev/$each dev/$each
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mount -t cgroup2 cgroup2 sys/fs/cgroup
else
    mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup
    mkdir sys/fs/cgroup/systemd sys/fs/cgroup/unified
    mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
    mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
fi
mkdir -p .former
pivot_root . .former
umount -l .former
exec env -i container=chroot PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
"""
FOR_A_BOOT: Final = 60
_SPACES: Final = ("--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup")


class Chroot:
    """A Debian that runs."""

    def __init__(self, folder: Path, pid: int, api: Path) -> None:
        self.folder, self._pid, self._api = folder, pid, api
        own = {name: os.environ[name] for name in ("SSL_CERT_FILE", "PIP_CERT") if name in os.environ}
        self._environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        self._environment |= {"LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **own}

    def command(self, *command: str) -> list[str]:
        """Return a command of this machine that runs one there, as root."""
        return ["nsenter", "-t", str(self._pid), "-m", "-p", "-n", "-u", "-i", *command]

    def outside(self, *command: str) -> list[str]:
        """Return a command of this machine that runs one of its own programs in the network of the chroot."""
        return ["nsenter", "-t", str(self._pid), "-n", *command]

    def run(self, *command: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
        """Run a command there."""
        how = {"input": typed, "env": self._environment, "capture_output": True, "text": True}
        return subprocess.run(self.command(*command), check=False, **how)  # type: ignore[call-overload, no-any-return]

    def popen(self, *command: str, terminal: int) -> "subprocess.Popen[bytes]":
        """Start a command there whose input and output are a terminal."""
        return subprocess.Popen(
            self.command(*command), env=self._environment, stdin=terminal, stdout=terminal, stderr=terminal
        )

    def forward(self, port: int, to: int) -> None:
        """Lead a port of this machine's loopback to one there."""
        arguments = {"proto": "tcp", "host_addr": "127.0.0.1", "host_port": port}
        arguments |= {"guest_addr": _GUEST, "guest_port": to}
        with socket.socket(socket.AF_UNIX) as api:
            api.connect(str(self._api))
            api.sendall(json.dumps({"execute": "add_hostfwd", "arguments": arguments}).encode())
            api.shutdown(socket.SHUT_WR)
            answer = json.loads(api.recv(4096))
        assert "error" not in answer, answer

    def write(self, path: str, text: str) -> None:
        """Write a file, or add to it."""
        place = self.folder / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a") as file:
            file.write(text)


@contextmanager
def booted(folder: Path, release: str = "bookworm") -> Iterator[Chroot]:
    """Make a Debian in ``folder`` and boot it. OSError where systemd does not come up."""
    root = folder / "debian"
    made = subprocess.run(["debootstrap", release, root], capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout[-2000:]
    for name in _AUTHORITIES.glob("*.crt"):
        place = root / str(_AUTHORITIES).lstrip("/")
        place.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, place)
    (root / "etc/apt/apt.conf.d/90drill").write_text('APT::Get::Assume-Yes "true";\n')
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    boot = ["unshare", *_SPACES, "--fork", "--kill-child", "--propagation", "private", "sh", "-c", _BOOT, "boot"]
    with (folder / "boot.log").open("wb") as log:
        outer = subprocess.Popen([*boot, str(root)], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    slirp: subprocess.Popen[bytes] | None = None
    try:
        pid = _child(outer)
        api = folder / "slirp"
        slirp = subprocess.Popen(
            ["slirp4netns", "--configure", "--api-socket", api, str(pid), "tap0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        machine = Chroot(root, pid, api)
        if not _comes_up(machine, api):
            raise OSError(f"systemd does not come up: {(folder / 'boot.log').read_text()[-300:]}")
        yield machine
    finally:
        for each in filter(None, (slirp, outer)):
            each.kill()
            each.wait()


def _comes_up(machine: Chroot, api: Path) -> bool:
    """Return whether systemd and the network are there after a while."""
    running = ("systemctl", "is-system-running")
    with suppress(AssertionError):
        wait_until(lambda: machine.run(*running).stdout.strip() == "running" and api.exists(), "it runs", FOR_A_BOOT)
        return True
    return False


def _child(outer: "subprocess.Popen[bytes]") -> int:
    """Return the process that is the first one in its namespaces."""
    children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children")
    wait_until(lambda: outer.poll() is not None or children.read_text(), "the namespaces are there", 20)
    if outer.poll() is not None:
        raise OSError("no namespaces can be made here")
    return int(children.read_text().split()[0])
