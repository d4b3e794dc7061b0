//! The specification: every decision of AUTO CDC, in the order in which an event meets them.

use cdc_mutants_derive::hooks;

use crate::data_type::same_name;
use crate::error::EvalError;
use crate::event::{Arrival, Event, Image, Key, Operation, Order, Version};
use crate::flow::{Dialect, Flow, ScdType};
use crate::plan::Plan;
use crate::row::Row;
use crate::told::Told;
use crate::value::Value;

mod mutant;
mod spy;

pub use mutant::{Mutant, Mutants, Needs};
pub use spy::{Notes, Question, Spy};

/// AUTO CDC, one method a decision.
///
/// The body of a method is what AUTO CDC does. A method decides alone: it asks no other method, so that a
/// wrong answer of one leaves all others as they are. Sources are named in the methods' documentation;
/// "measured" means: on Apache Spark 4.3.0, or in tables captured on Databricks.
#[hooks]
pub trait AutoCdc {
    /// Which definition runs instead of the deployed one.
    ///
    /// `None`: the flow runs as it was written.
    fn definition(&self, _flow: &Flow) -> Option<Flow> {
        None
    }

    /// Which events are applied instead of a batch.
    ///
    /// `None`: the batch is applied as it was delivered. `earlier` holds the events of the batches before it, those
    /// of refused ones and of the target's other flows too. In a flow from snapshots the events are the rows of the
    /// snapshot.
    fn rewrite(&self, _plan: &Plan, _earlier: &[Event], _batch: &[Event]) -> Option<Vec<Event>> {
        None
    }

    /// Whether a flow applies the batches after its first one (ONCE).
    ///
    /// Unless it runs once: then nothing more until a full refresh. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc-advanced>.
    fn runs_again(&self, plan: &Plan) -> bool {
        !plan.flow().once
    }

    /// Whether a snapshot is compared with the one before it (FROM SNAPSHOT).
    ///
    /// If its version is greater. Else it is refused with `OUT_OF_ORDER_SNAPSHOT_VERSION`. Versions must ascend;
    /// of one that doesn't the documentation says three things in three editions: an error, skipped in silence,
    /// that class. Chosen: the class, for the same version as well. Source:
    /// <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes-from-snapshot>.
    fn accepts_snapshot(&self, _plan: &Plan, last: Option<&Value>, version: &Value) -> bool {
        last.is_none_or(|last| last < version)
    }

    /// Whether the row of a key is another one than in the snapshot before.
    ///
    /// If any value differs, be it tracked or not; a null is equal to a null. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc>, where an untracked change shows in the open row. Chosen for
    /// nulls, of which it says nothing.
    fn differs(&self, _plan: &Plan, before: &Event, now: &Event) -> bool {
        before.values != now.values
    }

    /// Whether a key is deleted that a snapshot lacks and the one before it had.
    ///
    /// It is. Source: <https://docs.databricks.com/aws/en/ldp/cdc>.
    fn deletes_missing(&self, _plan: &Plan, _before: &Event) -> bool {
        true
    }

    /// Whether an event upserts, deletes or truncates (APPLY AS DELETE WHEN, APPLY AS TRUNCATE WHEN).
    ///
    /// A truncate or a delete where its condition is true. Where it is false or null, or where there is none, an
    /// upsert. Source: <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>; the null
    /// is read in Spark's code. Chosen where both are true, of which nothing is said: a truncate, which deletes
    /// that key as well.
    fn operation_of(&self, plan: &Plan, event: &Event) -> Result<Operation, EvalError> {
        for (condition, operation) in
            [(plan.truncate_condition(), Operation::Truncate), (plan.delete_condition(), Operation::Delete)]
        {
            if let Some(condition) = condition
                && condition.holds(&event.values)? == Some(true)
            {
                return Ok(operation);
            }
        }
        Ok(Operation::Upsert)
    }

    /// Which row of the target an event speaks about (KEYS).
    ///
    /// The values of the key columns. `None`, where one of them is null, refuses the batch with `NULL_KEY`.
    /// Not asked of a truncate, which speaks of all rows: its key may be null, as in the documented example.
    /// Source: <https://docs.databricks.com/aws/en/error-messages/autocdc-microbatch-validation-error-class>.
    fn key_of(&self, plan: &Plan, event: &Event) -> Option<Key> {
        let values = || plan.keys().iter().map(|&column| &event.values[column]);
        if values().any(Value::is_null) { None } else { Some(Key::new(values().cloned())) }
    }

    /// Where an event stands among the events of its key (SEQUENCE BY).
    ///
    /// The value of the sequence; a struct is compared by its first field, then by its second. A null field
    /// comes first. `None`, where the value is null, refuses the batch with `NULL_SEQUENCE`; `struct(a, b)` is
    /// never null, even if `a` and `b` are. Source: <https://docs.databricks.com/aws/en/ldp/cdc>, and measured
    /// for nulls.
    fn order_of(&self, plan: &Plan, event: &Event) -> Option<Order> {
        let values = || plan.sequence().iter().map(|&column| &event.values[column]);
        let is_null = !plan.sequence_is_struct() && values().all(Value::is_null);
        if is_null { None } else { Some(Order::new(values().cloned())) }
    }

    /// When an event became known (SYSTEM SEQUENCE BY).
    ///
    /// The value of the column. `None`, where it is null, refuses the batch with `NULL_SEQUENCE`. Asked in
    /// bitemporal targets. Source: <https://docs.databricks.com/aws/en/ldp/cdc>.
    fn system_order_of(&self, plan: &Plan, event: &Event) -> Option<Order> {
        let value = &event.values[plan.system_sequence()?];
        if value.is_null() { None } else { Some(Order::new([value.clone()])) }
    }

    /// What of an event reaches the target (COLUMNS).
    ///
    /// The selected columns, in the order of the source. Source: captured rows.
    fn row_of(&self, plan: &Plan, event: &Event) -> Row {
        plan.output().iter().map(|&column| event.values[column].clone()).collect()
    }

    /// Whether an event is applied at all.
    ///
    /// Always: an event that comes late is put in its place, however late it is. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc>, and measured.
    fn admits(&self, _plan: &Plan, _version: &Version, _around: &Around<'_>) -> bool {
        true
    }

    /// Whether an event meets what the table has of its key.
    ///
    /// It does: a key has one row, or one history, whatever the batch in which its events come. Else it begins
    /// another one beside it, and what was there stays. Not asked of a truncate. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc>.
    fn meets(&self, _plan: &Plan, _version: &Version, _around: &Around<'_>) -> bool {
        true
    }

    /// Whether a truncate deletes a key.
    ///
    /// Every key, also one that was not yet seen: then `newest` is `None`. A truncate is a delete of all keys at
    /// its place in the sequence, so what comes after it stays. Source: <https://docs.databricks.com/aws/en/ldp/cdc>
    /// for rows that are there. Chosen for late events, of which it says nothing: they meet the truncate as they
    /// would meet a delete.
    fn truncates(&self, _plan: &Plan, _truncate: &Version, _newest: Option<&Version>) -> bool {
        true
    }

    /// Whether an event takes the place of another one of its key in a table of type 1.
    ///
    /// The one that comes later in the sequence does, be it a delete or an upsert. Asked where their orders
    /// differ. Source: <https://docs.databricks.com/aws/en/ldp/cdc>.
    fn supersedes(&self, _plan: &Plan, new: &Version, stored: &Version) -> bool {
        stored.order < new.order
    }

    /// Whether a new event replaces a stored one at the same place in the sequence.
    ///
    /// No vendor orders a tie. SCD type 1, as measured: in a batch the last row wins; between batches an
    /// upsert wins over what is stored. SCD type 2: in a batch a delete wins, else the last row; between
    /// batches the stored event stays, but a delete replaces an upsert. Spark forgets a delete whose only
    /// trace is the end of a row, so there an equal upsert of a later batch wins; here the delete stays.
    /// Bitemporal: the event that became known later wins, for it corrects the other; else as in type 2. A
    /// truncate is a delete. Chosen, for no page and no measurement settles it.
    fn breaks_tie(&self, plan: &Plan, new: &Version, stored: &Version) -> bool {
        if new.system != stored.system {
            return stored.system < new.system;
        }
        let same_batch = new.arrival().batch == stored.arrival().batch;
        match (plan.scd_type(), same_batch) {
            (ScdType::One, true) => true,
            (ScdType::One, false) => !new.is_delete(),
            (ScdType::Two | ScdType::Bitemporal, true) => new.is_delete() || !stored.is_delete(),
            (ScdType::Two | ScdType::Bitemporal, false) => new.is_delete() && !stored.is_delete(),
        }
    }

    /// Whether a delete is remembered when its row is gone.
    ///
    /// It is, also for a key that was never seen, so that an older event that comes later brings nobody back.
    /// `before` says when the event arrived that lost to the delete last. In a table of type 2 this is asked for
    /// deletes that close no row; the others are remembered by the end of the row they closed. Source:
    /// <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>, and measured.
    fn keeps_tombstone(&self, _plan: &Plan, _delete: &Version, _before: Option<Arrival>) -> bool {
        true
    }

    /// Whether a delete is forgotten after some time: a tombstone expires.
    ///
    /// When more seconds than the target's threshold, by default two days, have passed since its batch. What
    /// comes late then brings its row back. A truncate is a delete of this kind, too. Asked for deletes whose
    /// row is gone; in a table of type 2, that close no row; in a bitemporal one, for all. Source:
    /// <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>. Chosen: the age is that of
    /// the batch, not of the sequence, which need be no time; nothing expires in a bitemporal table, which shows
    /// what was known. In Apache Spark 4.3 nothing expires (read in its code).
    fn expires(&self, plan: &Plan, _delete: &Version, seconds: u64) -> bool {
        let threshold = plan.flow().tombstone_seconds();
        let never = plan.flow().dialect == Dialect::Spark43 || plan.scd_type() == ScdType::Bitemporal;
        !never && threshold < seconds
    }

    /// Whether an event that no row shows is remembered.
    ///
    /// It is: a late event may come between it and its neighbours, `before` and `after`, and bring it out.
    /// Asked in tables of type 2. Source: measured (a late event splits a run, and the hidden event's own
    /// values come back).
    fn remembers(
        &self,
        _plan: &Plan,
        _before: Option<&Version>,
        _hidden: &Version,
        _after: Option<&Version>,
    ) -> bool {
        true
    }

    /// Whether an event says something of a column of the target (COLUMNS TO UPDATE).
    ///
    /// If its list names the column, in any case; of the key always. What an event doesn't give keeps the value
    /// that was there, or is null where none was. Asked where a flow into the target has such a list or ignores
    /// nulls. Source:
    /// <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>. Chosen where it is silent: no
    /// list (null) gives every column, a name that is no column gives none.
    fn gives(&self, plan: &Plan, event: &Event, column: usize) -> bool {
        let Some(list) = plan.columns_to_update() else { return true };
        let is_named = |name: &Value| match name {
            Value::String(name) => same_name(name, &plan.target()[column].name),
            _ => false,
        };
        match &event.values[list] {
            Value::Array(names) => plan.target_keys().contains(&column) || names.iter().any(is_named),
            _ => true,
        }
    }

    /// Whether a null in a column of the target says nothing (IGNORE NULL UPDATES).
    ///
    /// In the columns that the clause names; in all others a null erases. A null inside a struct is treated
    /// alike. Source: <https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes>.
    fn ignores_null(&self, plan: &Plan, column: usize) -> bool {
        plan.ignores_null(column)
    }

    /// Whether an event takes what it leaves unsaid from the upsert before it.
    ///
    /// Unless a delete lies between them. Asked in the order of the sequence, so that a late event may fill
    /// a hole of a newer one. Source: Apache Spark's code for the option, which its release does not yet
    /// offer; for late events Databricks says nothing.
    fn fills(
        &self,
        _plan: &Plan,
        _earlier: &Image<'_>,
        delete: Option<&Image<'_>>,
        _new: &Image<'_>,
    ) -> bool {
        delete.is_none()
    }

    /// Whether a change in a column of the target opens a version (TRACK HISTORY ON).
    ///
    /// In the columns that the clause names, or else in all of them. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc>.
    fn tracks(&self, plan: &Plan, column: usize) -> bool {
        plan.tracks(column)
    }

    /// What an upsert does to the history of its key.
    ///
    /// It extends the open row, whose last event is `open`, if all `tracked` columns are equal, a null being
    /// equal to a null. Else, and after a delete, it opens a row. `past` holds the events before it, in the
    /// order of the sequence. Source: <https://docs.databricks.com/aws/en/ldp/cdc>, and measured.
    fn change(
        &self,
        _plan: &Plan,
        tracked: &[usize],
        _past: &[Image<'_>],
        open: Option<&Image<'_>>,
        new: &Image<'_>,
    ) -> Change {
        match open {
            Some(open) if tracked.iter().all(|&column| open.row[column] == new.row[column]) => {
                Change::Extends
            }
            _ => Change::Opens,
        }
    }

    /// Which event ends a row: its place in the history of the key.
    ///
    /// The one after the row's `last`, if there is one. `history` holds the events that open, extend or
    /// delete, in the order of the sequence. Source: <https://docs.databricks.com/aws/en/ldp/cdc>.
    fn ends_at(&self, _plan: &Plan, history: &[&Image<'_>], last: usize) -> Option<usize> {
        Some(last + 1).filter(|&next| next < history.len())
    }

    /// What an event gives as the start of the row it opens, and as the end of the row it ends.
    ///
    /// The value of its sequence: of a struct, all fields. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc>.
    fn bound_of(&self, plan: &Plan, version: &Version) -> Value {
        plan.sequence_value(&version.event)
    }

    /// Which values a row of the history shows.
    ///
    /// Those of the last event of its run. `next` is the event that ends it. Source: captured rows (51 events
    /// in one row, which shows the last sync time).
    fn shows(&self, _plan: &Plan, _first: &Image<'_>, last: &Image<'_>, _next: Option<&Image<'_>>) -> Row {
        last.row.clone()
    }

    /// What a delete leaves to be seen in the history.
    ///
    /// `None`: it ends the open row, and no row of its own is shown. What is left behind has no end. Source:
    /// captured rows.
    fn leaves_behind(&self, _plan: &Plan, _delete: &Image<'_>) -> Option<Row> {
        None
    }

    /// Whether an event was known at a system time.
    ///
    /// If it became known then or before. A bitemporal table holds the history of each system time at which
    /// something became known, as it follows from the events known then; one that becomes known late changes what
    /// was known since. Events of one system time become known together. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc>, and captured rows; that a late system time changes the past is
    /// chosen, from "any order on both axes".
    fn believes(&self, _plan: &Plan, version: &Version, at: &Order) -> bool {
        version.system.as_deref().is_none_or(|system| system <= at)
    }

    /// When a row stopped being believed: its place among the system times.
    ///
    /// At the one after the `last` at which it was, of as many `times`; if that is the last of all, never.
    /// Source: captured rows.
    fn system_ends_at(&self, _plan: &Plan, last: usize, times: usize) -> Option<usize> {
        Some(last + 1).filter(|&next| next < times)
    }
}

/// What a table knows when an event arrives.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The event of the same key that stands last in the sequence, of those in earlier batches.
    pub stored: Option<&'a Version>,
    /// The event of the same key that came before it in the same batch; of type 1, the one that wins so far.
    pub incoming: Option<&'a Version>,
    /// The greatest order in all earlier batches, over all keys.
    pub high_water: Option<&'a Order>,
}

/// What an upsert does to the history of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It ends the open row, if there is one, and opens a row.
    Opens,
    /// It belongs to the last row.
    Extends,
    /// It ends the open row, if there is one, and opens none.
    Closes,
    /// It leaves no trace.
    Nothing,
}

impl Told for Around<'_> {
    fn told(&self) -> String {
        let Self { stored, incoming, high_water } = self;
        let [stored, incoming] = [stored, incoming].map(Told::told);
        format!("stored {stored}, in the batch {incoming}, greatest of all keys {}", high_water.told())
    }
}

impl Told for Change {
    fn told(&self) -> String {
        match self {
            Self::Opens => "opens a row",
            Self::Extends => "extends the row",
            Self::Closes => "ends the row",
            Self::Nothing => "nothing",
        }
        .to_owned()
    }
}

/// AUTO CDC as documented: every decision as written in [`AutoCdc`].
#[derive(Clone, Copy, Debug)]
pub struct Reference;

impl AutoCdc for Reference {}
