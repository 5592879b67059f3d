"""Builds images of containers: Darbar's own, and replacements for the images of a registry from Debian packages."""

import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

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

    @staticmethod
    def add_options(parser: ArgumentParser) -> None:
        """Let a command take the options of podman that this machine needs."""
        parser.add_argument("--runtime", help="the OCI runtime, if podman's usual one does not work here")
        parser.add_argument(
            "--limit", action="append", default=[], help="a value for podman run --ulimit, such as nofile=4096:4096"
        )

    @classmethod
    def from_options(cls, options: Namespace) -> Self:
        program = ("podman", *(("--runtime", options.runtime) if options.runtime else ()))
        return cls(program, tuple(part for limit in options.limit for part in ("--ulimit", limit)))

    def output(self, *arguments: str) -> str:
        """Return the output of a podman command."""
        return output(*self.program, *arguments)

    def quietly(self, *arguments: str) -> bool:
        """Run a podman command without output. Return whether it succeeds."""
        return subprocess.run([*self.program, *arguments], capture_output=True, check=False).returncode == 0


def base(podman: Podman, folder: Path) -> str:
    """Return the name of an image of Debian, which comes from the registry or is built from packages."""
    for name in (OWN_BASE, BASE):
        if podman.quietly("image", "exists", name):
            return name
    if podman.quietly("pull", "-q", BASE):
        return BASE
    tar = folder / "debian.tar"
    without = [f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in _LEFT_OUT]
    # Debian's own image lacks the package that merges /usr, too, because it needs Perl.
    merged = ("--include=usr-is-merged", "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr")
    output("mmdebstrap", "-q", "--variant=apt", *merged, *without, "bookworm", str(tar))
    podman.output("import", "-q", str(tar), OWN_BASE)
    return OWN_BASE


def darbar(name: str, on: str, folder: Path, dist: Path) -> None:
    """Build Darbar's image from a release, with libraries that this machine downloads, so that its settings of pip
    apply.
    """
    shutil.copy(ROOT / "Containerfile", folder)
    shutil.copytree(dist, folder / "dist")
    (wheel,) = (folder / "dist").glob("darbar-*.whl")
    download = (sys.executable, "-m", "pip", "wheel", "-q", "-w", str(folder / "dist"))
    # redis needs async-timeout on Debian's Python 3.11.2, but not on later versions.
    output(*download, "--constraint", str(dist / "constraints.txt"), str(wheel), "async-timeout>=4.0.3")
    output(*_BUILD, "--build-arg", f"BASE={on}", "--build-arg", "PIP_NO_INDEX=1", "-t", name, str(folder))


def replacement(name: str, text: str, folder: Path) -> None:
    """Build an image from the text of a container file and the other files in a folder."""
    (folder / "Containerfile").write_text(text)
    output(*_BUILD, "-t", name, str(folder))


def output(*command: str) -> str:
    """Return the output of a command. Raises SystemExit with its last lines if it fails."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{' '.join(command[:4])} failed:\n{result.stderr[-2000:]}")
    return result.stdout.strip()
