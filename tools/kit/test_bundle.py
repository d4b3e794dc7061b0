"""The bundle that `export-kit` writes, by the classes with which Databricks itself reads bundles."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from databricks.bundles.jobs import JobRunAs
from databricks.bundles.pipelines import Pipeline

Json = dict[str, Any]

ROOT = Path(__file__).resolve().parents[2]
# The mappings at the top of a bundle, as the schema of the Databricks CLI lists them (bundle/schema/jsonschema.json).
TOP = {"artifacts", "bundle", "experimental", "include", "permissions", "presets", "python", "resources", "run_as"}
TOP |= {"scripts", "sync", "targets", "variables", "workspace"}


def export(folder: Path, *more: str) -> Path:
    suite = str(ROOT / "fixtures" / "customers_current")
    told = ["export-kit", str(folder / "kit"), suite, "--catalog", "dev", "--schema", "cdc-test", "--mutants", *more]
    subprocess.run([os.environ["KILLMATRIX"], *told], check=True, capture_output=True)
    return folder / "kit"


def read(file: Path) -> Json:
    found = yaml.safe_load(file.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def pipelines(kit: Path) -> dict[str, Json]:
    found: dict[str, Json] = read(kit / "resources" / "pipelines.yml")["resources"]["pipelines"]
    return found


@pytest.mark.parametrize("compute", ["serverless", "advanced"])
def test_every_pipeline_has_the_fields_that_bundles_have(tmp_path: Path, compute: str) -> None:
    kit = export(tmp_path, "--compute", compute)
    found = pipelines(kit)
    for written in found.values():
        # It refuses a field that it doesn't know.
        known: Any = Pipeline.from_dict(written).as_dict()  # type: ignore[arg-type]
        assert known == written
        path = Path(written["libraries"][0]["file"]["path"])
        assert (kit / "resources" / path).resolve().is_relative_to(kit / "definitions")
        assert (kit / "resources" / path).is_file()
        assert written["serverless"] is (compute == "serverless")
        assert written.get("edition") == (None if compute == "serverless" else "ADVANCED")
    plan = json.loads((kit / "plan.json").read_text("utf-8"))
    assert list(found) == [it["key"] for it in plan["plays"]]
    assert [it["name"] for it in found.values()] == [it["pipeline"] for it in plan["plays"]]


def test_a_field_that_bundles_do_not_have_is_refused() -> None:
    with pytest.raises(Exception, match="cluster"):
        Pipeline.from_dict({"name": "x", "cluster": []})  # type: ignore[typeddict-unknown-key]


def test_the_bundle_has_the_mappings_that_bundles_have(tmp_path: Path) -> None:
    kit = export(tmp_path, "--run-as-user", "ana@example.com")
    bundle = read(kit / "databricks.yml")
    assert bundle.keys() <= TOP
    assert JobRunAs.from_dict(bundle["run_as"]).user_name == "ana@example.com"
    assert [it.default for it in map(Variable.of, bundle["variables"].values())] == ["dev", "cdc-test"]
    assert [file for glob in bundle["include"] for file in kit.glob(glob)] == [kit / "resources" / "pipelines.yml"]
    assert [(kit / path).is_dir() for path in bundle["sync"]["paths"]] == [True]


class Variable:
    """A variable, which the Python classes of bundles don't have."""

    def __init__(self, default: str, description: str) -> None:
        self.default, self.description = default, description

    @classmethod
    def of(cls, written: Json) -> Variable:
        return cls(**written)
