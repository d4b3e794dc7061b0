"""Plays the hooks of .pre-commit-hooks.yaml, and examples/pre-commit, in a repository of its own.

python pre_commit.py WHEEL LINKS    the hooks install WHEEL; LINKS holds it, and setuptools
python pre_commit.py --build        the hooks install this repository, as a user's would: minutes

`pre-commit` is on the path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples/pytest"
HOOKS = ".pre-commit-hooks.yaml"
CONFIG = ".pre-commit-config.yaml"

# Installs in this repository's place: its hooks as they are, and a wheel that is there already.
PYPROJECT = """
[build-system]
requires = []
build-backend = "handed_over"
backend-path = ["."]
[project]
name = "cdc-killmatrix"
dynamic = ["version"]
"""
BACKEND = """
import shutil
WHEEL = {wheel!r}
def build_wheel(folder, config_settings=None, metadata_directory=None):
    return shutil.copy(WHEEL, folder).replace("\\\\", "/").rpartition("/")[2]
"""


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


class Sample:
    """A repository with fixtures, in which pre-commit runs."""

    def __init__(self, base: Path, links: Optional[Path]) -> None:
        self.folder = base / "sample"
        self.environment = {**os.environ, "PRE_COMMIT_HOME": str(base / "home")}
        if links:
            self.environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(links.resolve())}
        self.reset()

    def reset(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(SAMPLE, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        git(self.folder, "init", "--quiet")
        git(self.folder, "add", "--all")

    def change(self, fixture: str, old: str, new: str) -> None:
        path = self.folder / "fixtures/customers" / fixture
        text = path.read_text("utf-8")
        assert old in text, (fixture, old)
        path.write_text(text.replace(old, new, 1), "utf-8")
        git(self.folder, "add", "--all")

    def expect(self, code: int, words: str, *arguments: str) -> None:
        """Holds what pre-commit does to its exit code and some words of what it prints."""
        done = subprocess.run(
            ["pre-commit", *arguments, "--color=never"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == code and words in done.stdout, (
            f"pre-commit {' '.join(arguments)}: exit code {done.returncode}, expected {code} "
            f"and {words!r}\n{done.stdout}"
        )


def stand_in(base: Path, wheel: Path) -> Path:
    """A repository with the hooks of this one, which installs a wheel."""
    folder = base / "hooks"
    folder.mkdir()
    shutil.copy(ROOT / HOOKS, folder)
    (folder / "pyproject.toml").write_text(PYPROJECT, "utf-8")
    (folder / "handed_over.py").write_text(BACKEND.format(wheel=str(wheel.resolve())), "utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "hooks")
    return folder


def try_hooks(sample: Sample, repository: Path) -> None:
    config = sample.folder / CONFIG
    text = f"repos:\n  - repo: {repository}\n    rev: HEAD\n    hooks:\n"
    config.write_text(text + "      - id: killmatrix-check\n      - id: killmatrix\n", "utf-8")
    git(sample.folder, "add", "--all")
    every = ["run", "--all-files", "--verbose"]
    sample.expect(0, "4 fixtures in 1 suite", *every, "killmatrix")
    sample.expect(0, "4 fixtures passed", *every, "killmatrix-check")
    sample.expect(0, "(no files to check)Skipped", "run", "--files", "README.md")
    sample.change("late_events.json", '"Metz", "credit": 12.50 }\n', '"Metz", "credit": 99 }\n')
    sample.expect(1, "AUTO CDC disagrees with 1 fixture", *every, "killmatrix")
    sample.change("remembered_deletes.json", '"lsn": 20 }', '"lsn": 10 }')
    sample.expect(1, "conflict", *every, "killmatrix-check")


def try_local(sample: Sample) -> None:
    shutil.copy(ROOT / "examples/pre-commit" / CONFIG, sample.folder)
    git(sample.folder, "add", "--all")
    sample.expect(0, "4 fixtures in 1 suite", "run", "--all-files", "--verbose")
    (sample.folder / "fixtures/customers/values_as_sent.json").unlink()
    git(sample.folder, "add", "--all")
    sample.expect(1, "survives", "run", "--all-files")


def main(arguments: list[str]) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        if arguments == ["--build"]:
            sample = Sample(base, None)
            sample.expect(
                0, "4 fixtures", "try-repo", str(ROOT), "killmatrix", "--verbose", "--all-files"
            )
        else:
            wheel, links = map(Path, arguments)
            sample = Sample(base, links)
            try_hooks(sample, stand_in(base, wheel))
            sample.reset()
            try_local(sample)
    print("pre-commit: the hooks pass on right fixtures, and fail on wrong ones")


if __name__ == "__main__":
    main(sys.argv[1:])
