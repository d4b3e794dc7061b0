"""A Databricks workspace, as far as the kit needs it: SQL statements, and updates of pipelines."""

from __future__ import annotations

import re
import sys
import time
from datetime import timedelta
from typing import Any

from databricks.sdk import WorkspaceClient
from databricks.sdk.errors import NotFound
from databricks.sdk.service.pipelines import PipelineEvent, UpdateInfoState
from databricks.sdk.service.sql import (
    Disposition,
    ExecuteStatementRequestOnWaitTimeout,
    Format,
    StatementParameterListItem,
    StatementState,
)

from play import Failed, NotRun

ENDS = (UpdateInfoState.COMPLETED, UpdateInfoState.FAILED, UpdateInfoState.CANCELED)
RUNS = (StatementState.PENDING, StatementState.RUNNING)
# `[AUTOCDC_MICROBATCH_VALIDATION.NULL_KEY]`, as Databricks and Spark begin a message.
CLASS = re.compile(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\]")


def connect(profile: str | None, warehouse: str, timeout: float) -> Workspace:
    """The workspace of a profile; without one that of the environment, as the SDK finds it."""
    try:
        client = WorkspaceClient(profile=profile)
    except ValueError as error:
        sys.exit(f"there is no workspace to speak to: {error}")
    return Workspace(client, warehouse, timeout)


class Workspace:
    """A workspace that is spoken to with a client; all failures become `NotRun`.

    What the client raises are OSErrors, those of the workspace and those of the way to it.
    """

    def __init__(self, client: WorkspaceClient, warehouse: str, timeout: float, pause: float = 5) -> None:
        self.client, self.warehouse, self.timeout, self.pause = client, warehouse, timeout, pause

    def sql(self, statement: str, **parameters: str) -> dict[str, Any]:
        """The answer to a statement, as the Statement Execution API gives it."""
        api = self.client.statement_execution
        end = time.monotonic() + self.timeout
        try:
            answer = api.execute_statement(
                statement,
                self.warehouse,
                parameters=[StatementParameterListItem(name, value=it) for name, it in parameters.items()],
                disposition=Disposition.INLINE,
                format=Format.JSON_ARRAY,
                wait_timeout="50s",
                on_wait_timeout=ExecuteStatementRequestOnWaitTimeout.CONTINUE,
            )
            while answer.status and answer.status.state in RUNS and answer.statement_id:
                if end < time.monotonic():
                    api.cancel_execution(answer.statement_id)
                    raise NotRun(f"a statement took more than {self.timeout:g} s")
                time.sleep(self.pause)
                answer = api.get_statement(answer.statement_id)
        except OSError as error:
            raise NotRun(f"a statement wasn't carried out: {described(error)}") from error
        status = answer.status
        if status is None or status.state != StatementState.SUCCEEDED:
            message = status.error.message if status and status.error else "without a reason"
            state = status.state.value if status and status.state else "unknown"
            raise NotRun(f"a statement is {state}: {message}")
        if answer.result and answer.result.next_chunk_index is not None:
            raise NotRun("the rows don't fit into one answer")
        return answer.as_dict()

    def pipeline(self, name: str, catalog: str, schema: str, configuration: dict[str, str]) -> str:
        """The id of a pipeline that is what the kit deployed under a name."""
        try:
            listed = self.client.pipelines.list_pipelines(filter=f"name LIKE '{name}'")
            ids = [it.pipeline_id for it in listed if it.name == name and it.pipeline_id]
            if len(ids) != 1:
                raise NotRun(f"{len(ids)} pipelines are called {name!r}; expected 1, deployed from the bundle")
            spec = self.client.pipelines.get(ids[0]).spec
        except OSError as error:
            raise NotRun(f"the pipeline wasn't found: {described(error)}") from error
        is_own = (
            spec is not None
            and (spec.catalog, spec.schema) == (catalog, schema)
            and configuration.items() <= (spec.configuration or {}).items()
        )
        if not is_own:
            raise NotRun(f"the pipeline {name!r} isn't the one of this kit: its tables are others")
        return ids[0]

    def owner(self, table: str) -> str | None:
        """What made a table: the id of a pipeline, `""` if none did; None if there is no such table."""
        try:
            return self.client.tables.get(table).pipeline_id or ""
        except NotFound:
            return None
        except OSError as error:
            raise NotRun(f"{table} can't be looked at: {described(error)}") from error

    def update(self, pipeline: str, *, full_refresh: bool = False, reset: str | None = None) -> None:
        """Starts a triggered update, and waits until it is COMPLETED.

        `reset`: a flow that forgets how far it has read; what it wrote stays.
        """
        api = self.client.pipelines
        end = time.monotonic() + self.timeout
        try:
            # In development mode an update that fails isn't tried again.
            flows = [reset] if reset else None
            answer = api.start_update(
                pipeline, full_refresh=full_refresh, reset_checkpoint_selection=flows, development=True
            )
            started = answer.update_id
            if started is None:
                raise NotRun("the update wasn't started, without a reason")
            while True:
                update = api.get_update(pipeline, started).update
                state = update.state if update else None
                if state in ENDS:
                    break
                if end < time.monotonic():
                    api.stop(pipeline).result(timedelta(seconds=self.timeout))
                    raise NotRun(f"the update {started} took more than {self.timeout:g} s; it is stopped")
                time.sleep(self.pause)
            if state == UpdateInfoState.COMPLETED:
                return
            if state == UpdateInfoState.CANCELED:
                raise NotRun(f"the update {started} was CANCELED")
            events = api.list_pipeline_events(pipeline, filter="level='ERROR'", max_results=100)
            texts = [text for it in events if of_update(it, started) for text in texts_of(it)]
        except OSError as error:
            raise NotRun(f"the update wasn't carried out: {described(error)}") from error
        raise failure(texts)


def failure(texts: list[str]) -> Failed:
    """What the events of an update say of its failure: the text is that of AUTO CDC, if there is one."""
    classes = list(dict.fromkeys(found for text in texts for found in CLASS.findall(text)))
    about = next((text for text in texts if "AUTOCDC" in text or "APPLY_CHANGES" in text), None)
    text = about or next(iter(texts), "its events say nothing of it")
    return Failed(classes, text.strip().splitlines()[0][:1000])


def of_update(event: PipelineEvent, update: str) -> bool:
    return event.origin is not None and event.origin.update_id == update


def texts_of(event: PipelineEvent) -> list[str]:
    """What an event says: its exceptions first, which name the classes."""
    exceptions = event.error.exceptions if event.error else None
    texts = [it.message for it in exceptions or []] + [event.message]
    return [text for text in texts if text and text.strip()]


def described(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:1000]}"
