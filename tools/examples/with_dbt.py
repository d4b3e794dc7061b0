"""Runs examples/dbt: the fixtures of examples/pytest as unit tests, and back.

python with_dbt.py KILLMATRIX    the command; `dbt` is beside this Python
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/dbt"
PYTEST = ROOT / "examples/pytest"


def main(killmatrix: str) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        project = shutil.copytree(EXAMPLE, Path(temporary) / "project")
        shutil.copy(PYTEST / "killmatrix_fixture.py", project)
        fixtures = shutil.copytree(PYTEST / "fixtures", project / "fixtures") / "customers"
        environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}

        def run(*command: str, code: int = 0) -> str:
            done = subprocess.run(
                command, cwd=project, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == code, (command, done.returncode, done.stdout, done.stderr)
            return done.stdout

        def rows(*arguments: str) -> str:
            return run(sys.executable, "dbt_rows.py", *arguments)

        dbt = str(Path(sys.executable).parent / "dbt")
        paths = sorted(str(path.relative_to(project)) for path in fixtures.glob("*.json"))
        tests = rows("to-dbt", "current_customers", "ref('customer_changes')", *paths)
        (project / "models/unit_tests.yml").write_text(tests, "utf-8")
        run(dbt, "run", "--empty")
        assert "PASS=11 " in run(dbt, "test", "--select", "test_type:unit")

        readme = (project / "README.md").read_text("utf-8")
        shown = dict(re.findall(r"```(yaml|json)\n(.*?)```", readme, re.DOTALL))
        assert tests.startswith(shown["yaml"]), shown["yaml"]
        names = re.findall(r"name: (\w+)", tests)
        given = {name: rows("from-dbt", "models/unit_tests.yml", name) for name in names}
        assert given["late_events_1"] == shown["json"], shown["json"]

        # What came back are fixtures again, on which the model agrees: the types are as they were.
        for path in fixtures.glob("*.json"):
            if path.name != "suite.json":
                path.unlink()
        for name, checkpoint in given.items():
            said = {"name": name, "title": name, "about": name, "source": "own"}
            text = json.dumps(said)[:-1] + f', "checkpoints": [{checkpoint}]}}'
            (fixtures / f"{name}.json").write_text(text, "utf-8")
        # They are for one batch each: some broken copies survive.
        assert "11 fixtures in 1 suite" in run(killmatrix, "run", "fixtures", code=2)

        model = project / "models/current_customers.sql"
        model.write_text(model.read_text("utf-8").replace("lsn desc", "lsn"), "utf-8")
        assert "FAIL 1 current_customers::late_events_2" in re.sub(
            r"\x1b\[[0-9;]*m", "", run(dbt, "test", "--select", "test_type:unit", code=1)
        )
    print("examples/dbt: 11 unit tests pass, a wrong model fails, and the rows come back")


if __name__ == "__main__":
    main(sys.argv[1])
