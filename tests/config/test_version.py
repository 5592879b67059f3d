"""The version, which follows from the tag and the commit."""

import subprocess
from pathlib import Path

import pytest

from bench.release import releasable_version
from config.version import version_of_description, version_of_source
from tests.examples import for_each


@for_each(
    "description, version",
    [
        ("62022d87", "1.0.0.dev0+62022d87"),
        ("62022d87-changed", "1.0.0.dev0+62022d87.changed"),
        ("1.0.0-0-g62022d87", "1.0.0"),
        ("1.0.0-0-g62022d87-changed", "1.0.1.dev0+62022d87.changed"),
        ("1.4.9-12-g62022d87", "1.4.10.dev12+62022d87"),
    ],
)
def test_the_version_follows_from_the_tag_and_the_commit(description: str, version: str) -> None:
    assert version_of_description(description) == version


def test_a_tag_that_is_no_version_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"must be a version such as 1\.0\.0, not '1\.0-rc"):
        version_of_description("1.0-rc-3-g62022d87")


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Maryam", "-c", "user.email=maryam@darbar.example", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 1.0.0\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


@pytest.mark.slow
def test_a_build_before_the_first_tag_is_a_build_before_1_0_0(clone: Path) -> None:
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=clone, capture_output=True, text=True).stdout
    assert releasable_version(clone) == f"1.0.0.dev0+{commit.strip()}"


def test_an_sdist_keeps_the_version_of_its_clone(tmp_path: Path) -> None:
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: darbar\nVersion: 1.2.3\n")
    assert version_of_source(tmp_path) == "1.2.3"


@pytest.mark.slow
def test_a_folder_without_git_has_no_version(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="build in a clone of the repository, or from an sdist"):
        version_of_source(tmp_path)


@pytest.mark.slow
def test_only_what_is_committed_is_released(clone: Path) -> None:
    (clone / "notes.txt").touch()
    with pytest.raises(SystemExit, match=r"Commit or remove these first.*\n.*notes.txt"):
        releasable_version(clone)


@pytest.mark.slow
def test_a_tagged_version_needs_a_section_in_the_changelog(clone: Path) -> None:
    git(clone, "tag", "1.0.0")
    assert releasable_version(clone) == "1.0.0"
    git(clone, "tag", "--delete", "1.0.0")
    git(clone, "tag", "1.1.0")
    with pytest.raises(SystemExit, match=r"CHANGELOG\.md has no section '1\.1\.0'"):
        releasable_version(clone)
