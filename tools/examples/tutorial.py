#!/usr/bin/env python3
"""Plays the tutorial of the README in an empty folder, as a newcomer would, and writes down what came.

    tutorial.py LINKS README [--check]

LINKS is a folder with the wheel, which is installed into a fresh environment. The section of README between the marks is
rewritten; with --check only compared. Every step says the exit code that is documented for it; any other ends the play.
"""

import difflib
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

BEGIN = "<!-- begin tutorial: written by tools/examples/tutorial.py -->"
END = "<!-- end tutorial -->"

PIPELINE = '''\
from pyspark import pipelines as dp
from pyspark.sql.functions import col, expr

dp.create_streaming_table("customers")

dp.create_auto_cdc_flow(
    target="customers",
    source="customer_changes",
    keys=["customer_id"],
    sequence_by=col("lsn"),
    apply_as_deletes=expr("op = 'D'"),
    except_column_list=["op", "lsn"],
    stored_as_scd_type=1,
)
'''

COLUMNS = '''\
CREATE TABLE bronze.customer_changes (
  customer_id BIGINT NOT NULL,
  city STRING,
  email STRING,
  op STRING COMMENT 'I, U or D',
  lsn BIGINT
) USING delta;
'''

EVENTS = '''\
batch,customer_id,city,email,op,lsn
1,7,Paris,ana@example.com,I,100
1,8,Oslo,bo@example.com,I,101
2,7,Lyon,ana@example.com,U,130
2,8,,,D,140
3,7,Nice,ana@example.com,U,120
'''

# What a person types in the place of each "TODO", from what the business wants.
ROWS = [
    """[
        { "customer_id": 7, "city": "Paris", "email": "ana@example.com" },
        { "customer_id": 8, "city": "Oslo", "email": "bo@example.com" }
      ]""",
    '[{ "customer_id": 7, "city": "Lyon", "email": "ana@example.com" }]',
    '[{ "customer_id": 7, "city": "Lyon", "email": "ana@example.com" }]',
]

# The answer to what `suggest` asks: the business wants a null to clear the email.
CLEARED = '[{ "customer_id": 1, "city": "city 1", "email": null }]'


class Play:
    """A folder in which commands are run, and what is told of it."""

    def __init__(self, binaries: Path, folder: Path) -> None:
        self.folder = folder
        self.told: list[str] = []
        self.environment = {
            "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "NO_COLOR": "1",
            "LANG": "C.UTF-8",
        }

    def say(self, text: str) -> None:
        self.told.append(text)

    def show(self, name: str, language: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        self.told.append(f"```{language}\n{text}```")

    def put(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, command: str, expected: int, since: str = "", until: str = "") -> None:
        """Runs a command and shows it; of a long output only the lines from one that begins so, and to another."""
        done = subprocess.run(
            command.split(),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        if done.returncode != expected:
            sys.exit(f"`{command}` exits with {done.returncode}, not {expected}:\n{done.stdout}")
        lines = done.stdout.rstrip("\n").split("\n")
        first = place(command, lines, since) if since else 0
        last = place(command, lines, until) if until else len(lines)
        shown = [f"$ {command}", *["[..]"][: first], *lines[first:last], *["[..]"][: len(lines) - last]]
        shown += ["$ echo $?", str(expected)] if expected else []
        self.told.append("```console\n" + "\n".join(shown) + "\n```")

    def complete(self, name: str, tables: "list[str]") -> None:
        """Types tables in the places of the `"TODO"`s of a file."""
        text = (self.folder / name).read_text(encoding="utf-8")
        if text.count('"TODO"') != len(tables):
            sys.exit(f"{name} has not {len(tables)} times `TODO`:\n{text}")
        for table in tables:
            text = text.replace('"TODO"', table, 1)
        self.put(name, text)


def place(command: str, lines: "list[str]", start: str) -> int:
    """The place of the first line that begins so."""
    for number, line in enumerate(lines):
        if line.startswith(start):
            return number
    sys.exit(f"`{command}` shows no line that begins with `{start}`:\n" + "\n".join(lines))


def installed(links: Path, folder: Path) -> Path:
    """The folder with the command, as pip puts it into a fresh environment."""
    venv.create(folder, with_pip=True)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(binaries / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    call = [*pip, "install", "--no-index", "--find-links", str(links), "cdc-killmatrix"]
    subprocess.run(call, check=True, env=environment)
    return binaries


def play(binaries: Path, folder: Path) -> str:
    it = Play(binaries, folder)
    it.put("pipelines/customers.py", PIPELINE)
    it.put("customers.ddl", COLUMNS)
    it.put("events.csv", EVENTS)

    it.say("You have a pipeline, `pipelines/customers.py`:")
    it.show("pipelines/customers.py", "python")
    it.say(
        "the columns that it reads, as `SHOW CREATE TABLE`, `DESCRIBE` or `df.schema.json()` give them,\n`customers.ddl`:"
    )
    it.show("customers.ddl", "sql")
    it.say("and a few of its events in the order in which they arrived, `events.csv`:")
    it.show("events.csv", "csv")
    it.say("`new` makes a suite of them. Nothing of the pipeline is executed:")
    it.run(
        "cdc-killmatrix new customers --flow pipelines/customers.py --schema customers.ddl "
        "--events events.csv --batch-by batch",
        0,
    )
    it.say("First, what is wrong with the events themselves:")
    it.run("cdc-killmatrix check fixtures/customers", 0)
    it.say("The rows are yours to say. Until you do, nothing is judged:")
    it.run("cdc-killmatrix run", 1)
    it.complete("fixtures/customers/events.json", ROWS)
    it.say("When you have typed them, `fixtures/customers/events.json` says:")
    it.show("fixtures/customers/events.json", "json")
    it.say(
        "AUTO CDC gives these rows, so the fixture is right. Now to the question: which broken copies of it give\n"
        "the same rows?"
    )
    it.run("cdc-killmatrix run", 2, until="unequal_null_key survives")
    it.say(
        "A copy in which a null never clears an email survives: no fixture of yours would notice that pipeline.\n"
        "`suggest` finds the smallest events that it falls to, and asks which of two tables is right:"
    )
    it.run("cdc-killmatrix suggest kept_nulls --write", 0, since="After checkpoint 1")
    it.say("The customer took the email back, so B is. You type it into the new file, and ask again:")
    it.complete("fixtures/customers/kept_nulls.json", [CLEARED])
    it.show("fixtures/customers/kept_nulls.json", "json")
    it.run("cdc-killmatrix run --report html=report.html", 2, until="columns 1 of 1")
    page = (folder / "report.html").read_text(encoding="utf-8")
    if not page.lower().startswith("<!doctype html>"):
        sys.exit("report.html is no page")
    it.say(
        "`report.html` is the same as a page, with the rows behind each cell. What was reached can be kept, while you go\n"
        "on with the next copy:"
    )
    it.run("cdc-killmatrix audit --accepted accepted.json", 0, since="accepted.json")
    it.run("cdc-killmatrix audit --accepted accepted.json", 0, since="All is as")
    it.say(
        "A build that runs this is green, and turns red when something gets worse. Say somebody rewrites the pipeline,\n"
        "and the condition for deletes is lost:"
    )
    it.put("pipelines/customers.py", PIPELINE.replace("    apply_as_deletes=expr(\"op = 'D'\"),\n", ""))
    it.run("cdc-killmatrix audit --accepted accepted.json", 4, until="fixtures/customers/events.json:22")
    return "\n\n".join(it.told)


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    links, readme = Path(arguments[0]).resolve(), Path(arguments[1])
    with tempfile.TemporaryDirectory() as environment, tempfile.TemporaryDirectory() as folder:
        told = play(installed(links, Path(environment)), Path(folder))
    old = readme.read_text(encoding="utf-8")
    before, begun, rest = old.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not begun or not ended:
        sys.exit(f"{readme}: there is no section between `{BEGIN}` and `{END}`")
    new = f"{before}{BEGIN}\n\n{told}\n\n{END}{after}"
    if "--check" not in sys.argv:
        readme.write_text(new, encoding="utf-8")
    elif new != old:
        difference = difflib.unified_diff(old.split("\n"), new.split("\n"), "README", "as played", lineterm="")
        sys.exit("\n".join([*difference, f"{readme} is out of date: run tools/examples/run.sh --write"]))


if __name__ == "__main__":
    main()
