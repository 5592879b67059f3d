"""Images of containers: Darbar's own from its file, and what a registry would have, made from Debian packages."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
BASE: Final = "debian:bookworm-slim"
OWN_BASE: Final = "localhost/darbar-debian"
_LEFT_OUT: Final = ("doc", "man", "locale")
_BUILD: Final = ("buildah", "bud", "--isolation", "chroot", "--network", "host", "--format", "docker")


@dataclass(frozen=True)
class Podman:
    """The program that starts containers on this machine, and its options."""

    program: tuple[str, ...] = ("podman",)
    limits: tuple[str, ...] = ()
    """Options of ``podman run``."""

    def said(self, *arguments: str) -> str:
        """Return what a command of podman prints."""
        return said(*self.program, *arguments)

    def quietly(self, *arguments: str) -> bool:
        """Run a command of podman; return whether it succeeds."""
        return subprocess.run([*self.program, *arguments], capture_output=True, check=False).returncode == 0


def base(podman: Podman, folder: Path) -> str:
    """Return an image of Debian: the registry's, or one that is made from packages."""
    for name in (OWN_BASE, BASE):
        if podman.quietly("image", "exists", name):
            return name
    if podman.quietly("pull", "-q", BASE):
        return BASE
    tar = folder / "debian.tar"
    without = [f"--dpkgopt=path-exclude=/usr/share/{item}/*" for item in _LEFT_OUT]
    said("mmdebstrap", "-q", "--variant=apt", *without, "bookworm", str(tar))
    podman.said("import", "-q", str(tar), OWN_BASE)
    return OWN_BASE


def darbar(name: str, on: str, folder: Path) -> None:
    """Build Darbar's image with libraries that are fetched here, so that pip's settings of this machine hold."""
    shutil.copy(ROOT / "Containerfile", folder)
    shutil.copytree(ROOT / "dist", folder / "dist")
    (wheel,) = (folder / "dist").glob("darbar-*.whl")
    # Debian's Python 3.11.2 needs async-timeout for redis, which later ones do not.
    said(sys.executable, "-m", "pip", "wheel", "-q", "-w", str(folder / "dist"), str(wheel), "async-timeout>=4.0.3")
    said(*_BUILD, "--build-arg", f"BASE={on}", "--build-arg", "PIP_NO_INDEX=1", "-t", name, str(folder))


def replacement(name: str, text: str, folder: Path) -> None:
    """Build an image from the text of its file, and the files beside it in ``folder``."""
    (folder / "Containerfile").write_text(text)
    said(*_BUILD, "-t", name, str(folder))


def said(*command: str) -> str:
    """Return what a command prints. SystemExit with its last lines where it fails."""
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        raise SystemExit(f"{' '.join(command[:4])} failed:\n{finished.stderr[-2000:]}")
    return finished.stdout.strip()
