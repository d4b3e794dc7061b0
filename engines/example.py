"""An engine in one file: SCD type 1 in a dict. Copy it, and put a table of your own in its place.

    cdc-killmatrix run --engine 'python3 engines/example.py' fixtures/customers_current

It compares values as JSON has them, and reads one kind of condition: operation = 'DELETE'.
"""

import json
import re
import sys

CLAUSES = ["apply_as_deletes", "column_list", "except_column_list"]
HELLO = {"protocol": 1, "name": "example", "version": "1", "scd_types": [1], "clauses": CLAUSES}
tables = {}  # By id: the flow, the target's columns, and of each key the newest event with its place in the sequence.


def say(kind, **message):
    print(json.dumps({kind: message}), flush=True)


def deletes(flow):  # The column and the value that mean a delete.
    return re.fullmatch(r"(\w+) = '(\w+)'", flow.get("apply_as_deletes") or "no_column = 'DELETE'")


def merge(flow, newest, rows):
    column, value = deletes(flow).groups()
    fields = re.findall(r"\w+", flow["sequence_by"].removeprefix("struct"))
    batch = {}
    for row in rows:  # Of each key the last of the greatest in the batch.
        key = tuple(row.get(name) for name in flow["keys"])
        place = [(row.get(field) is not None, row.get(field)) for field in fields]  # Nulls come first.
        if place == [(False, None)]:
            return "NULL_SEQUENCE"
        if None in key:
            return "NULL_KEY"
        if key not in batch or place >= batch[key][0]:
            batch[key] = place, row, row.get(column) == value
    for key, (place, row, is_delete) in batch.items():  # It stays, a delete too: nothing older comes back.
        if key not in newest or place > newest[key][0] or (place == newest[key][0] and not is_delete):
            newest[key] = place, row, is_delete


for line in sys.stdin.buffer:
    [(kind, message)] = json.loads(line).items()
    if kind == "hello":
        say("hello", **HELLO)
    elif kind == "open" and not deletes(message["flow"]):
        say(
            "refused",
            id=message["id"],
            **{"class": "UNSUPPORTED_CONDITION", "message": "not like operation = 'DELETE'"},
        )
    elif kind == "open":
        tables[message["id"]] = message["flow"], [column["name"] for column in message["target"]], {}
    elif kind == "batch" and message["id"] in tables:
        flow, target, newest = tables[message["id"]]
        place = {"id": message["id"], "checkpoint": message["checkpoint"]}
        if refusal := merge(flow, newest, message["rows"]):
            say("refused", **place, **{"class": refusal, "message": "an event lacks it"})
        else:
            shown = [row for _, row, is_delete in newest.values() if not is_delete]
            say("rows", **place, rows=[{name: row.get(name) for name in target} for row in shown])
    elif kind == "close":
        tables.pop(message["id"], None)
