"""Runs the steps of examples/github/killmatrix.yml as written, as far as GitHub isn't needed.

python github.py WHEELS    PIP_FIND_LINKS for `pip install`, which asks no index
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import xml.etree.ElementTree as xml
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / "examples/github/killmatrix.yml"
SAMPLE = ROOT / "examples/pytest"
FIXTURES = "fixtures/customers"


def steps_of(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    """The steps, after a look at what GitHub would refuse."""
    # YAML 1.1 reads the key `on` as true.
    assert workflow.keys() == {"name", True, "permissions", "jobs"}, workflow.keys()
    (job,) = workflow["jobs"].values()
    assert job.keys() == {"runs-on", "steps"}, job.keys()
    for step in job["steps"]:
        assert step.keys() <= {"uses", "with", "if", "run"}, step
        assert ("uses" in step) != ("run" in step), step
        assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step.get("uses", "a/b@v1")), step
    return job["steps"]


def play(steps: list[dict[str, Any]], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """The exit code of the first step that fails, or 0, and what was printed."""
    code, printed = 0, ""
    for step in steps:
        if "run" in step and code == 0:
            # As a runner does where no shell is named.
            command = ["bash", "-e", "-c", step["run"]]
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            code, printed = done.returncode, printed + done.stdout
        if step.get("uses", "").startswith("actions/upload-artifact@"):
            assert step["if"] == "always()", step
            for path in step["with"]["path"].split():
                assert (folder / path).is_file(), f"{path}: there is no such artefact"
    return code, printed


def look_at(folder: Path, summary: Path) -> tuple[str, xml.Element]:
    """The summary and the JUnit report, after a look at the page."""
    page = (folder / "killmatrix.html").read_text("utf-8")
    HTMLParser().feed(page)
    assert page.lower().startswith("<!doctype html>") and page.rstrip().endswith("</html>")
    suites = xml.parse(folder / "killmatrix.xml").getroot()
    assert suites.tag == "testsuites", suites.tag
    return summary.read_text("utf-8"), suites


def main(wheels: Path) -> None:
    steps = steps_of(yaml.safe_load(WORKFLOW.read_text("utf-8")))
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(temporary)
        venv.create(base / "python", with_pip=True)

        def build(name: str, change: Any) -> tuple[int, str, str, xml.Element]:
            folder = shutil.copytree(SAMPLE, base / name)
            change(folder / FIXTURES)
            summary = base / f"{name}.md"
            summary.touch()
            environment = {
                **os.environ,
                "PATH": f"{base / 'python/bin'}{os.pathsep}{os.environ['PATH']}",
                "PIP_NO_INDEX": "1",
                "PIP_FIND_LINKS": str(wheels.resolve()),
                "GITHUB_STEP_SUMMARY": str(summary),
                "GITHUB_ACTIONS": "true",
            }
            code, printed = play(steps, folder, environment)
            return code, printed, *look_at(folder, summary)

        code, printed, summary, suites = build("right", lambda _: None)
        assert (code, suites.get("failures")) == (0, "0"), (code, suites.attrib)
        assert "::error" not in printed, printed
        assert summary.startswith("### Every broken copy"), summary

        code, printed, summary, suites = build(
            "survivor", lambda fixtures: (fixtures / "values_as_sent.json").unlink()
        )
        assert code == 2, (code, printed)
        assert f"::error file={FIXTURES}/" in printed and "survives" in printed, printed
        assert int(suites.get("failures", "0")) > 0, suites.attrib

        code, printed, summary, suites = build("wrong", with_a_wrong_row)
        assert code == 4, (code, printed)
        assert f"::error file={FIXTURES}/late_events.json,line=" in printed, printed
        assert "late\\_events" in summary, summary
        assert int(suites.get("failures", "0")) > 0, suites.attrib
    print("examples/github: the steps end as they must: right 0, a survivor 2, a wrong row 4")


def with_a_wrong_row(fixtures: Path) -> None:
    fixture = fixtures / "late_events.json"
    text = fixture.read_text("utf-8")
    wrong = text.replace('"city": "Metz", "credit": 12.50 }', '"city": "Metz", "credit": 99.00 }')
    assert wrong != text
    fixture.write_text(wrong, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
