//! How a version ends, and what is written when it does.

use cdc_core::{AutoCdc as _, Change, Image, Mutants, Plan, Reference, Row, Value, needs};

/// Faults of closing a version.
#[derive(Mutants)]
#[mutants(family = "closing of versions")]
pub(super) enum Close {
    /// With every change all versions of the key get a new end, also those that had one.
    ///
    /// A report for last year shows two prices of one product at a time.
    #[mutant(
        ends_at = at_last_change,
        needs = needs::history,
        report = "https://github.com/ardent-data/weevr/issues/186",
        caught_by = "customer_history/replayed_lifecycle"
    )]
    MovedEnds,

    /// No version ever ends.
    ///
    /// A customer has all addresses at once.
    #[mutant(
        ends_at = |_, _, _| None,
        needs = needs::history,
        report = "https://github.com/dbt-labs/dbt-core/issues/11747",
        caught_by = "customer_history/update_and_mapping"
    )]
    NeverClosed,

    /// A change ends the open version, and opens none.
    ///
    /// A customer who moved is no customer any more.
    #[mutant(
        change = only_closes,
        needs = needs::history,
        caught_by = "customer_history/update_and_mapping"
    )]
    ClosedOnly,

    /// When a version ends, its nulls are filled from the version after it.
    ///
    /// A discount that was given in June seems to have been there in May.
    #[mutant(
        shows = filled_from_next,
        needs = needs::history,
        report = "https://github.com/SQLMesh/sqlmesh/issues/5332",
        caught_by = "customer_history/fine_differences"
    )]
    FilledFromNext,

    /// A delete writes its own values, usually null, over the version that it ends.
    ///
    /// What is known of former customers is lost.
    #[mutant(
        shows = overwritten_by_delete,
        needs = needs::late_deleted_history,
        caught_by = "customer_history/users_scd2"
    )]
    OverwrittenByDelete,

    /// A version ends where its own last event stood, not where the next one starts.
    ///
    /// Between two addresses a customer has none.
    #[mutant(
        ends_at = |plan, history, last| Reference.ends_at(plan, history, last).map(|_| last),
        needs = needs::history,
        caught_by = "customer_history/update_and_mapping"
    )]
    GapAfterVersion,

    /// A delete opens a row of nulls, which no later event ends.
    ///
    /// For every deleted product there is an empty row.
    #[mutant(
        leaves_behind = |plan, _| Some(nulls(plan)),
        needs = needs::deleted_history,
        report = "https://github.com/dbt-labs/dbt-core/issues/11949",
        caught_by = "customer_history/delete_and_equal_reinsert"
    )]
    RowOfNulls,
}

/// The last event that opens a version or deletes, if it comes after the row.
fn at_last_change(plan: &Plan, history: &[&Image<'_>], last: usize) -> Option<usize> {
    let tracked: Vec<usize> = plan.payload().filter(|&column| plan.tracks(column)).collect();
    let differs = |before: &Image<'_>, now: &Image<'_>| {
        before.is_delete()
            || now.is_delete()
            || tracked.iter().any(|&column| before.row[column] != now.row[column])
    };
    (last + 1..history.len()).rev().find(|&place| differs(history[place - 1], history[place]))
}

fn only_closes(
    plan: &Plan,
    tracked: &[usize],
    past: &[Image<'_>],
    open: Option<&Image<'_>>,
    new: &Image<'_>,
) -> Change {
    match Reference.change(plan, tracked, past, open, new) {
        Change::Opens if open.is_some() => Change::Closes,
        change => change,
    }
}

fn filled_from_next(_: &Plan, _: &Image<'_>, last: &Image<'_>, next: Option<&Image<'_>>) -> Row {
    let Some(next) = next.filter(|next| !next.is_delete()) else { return last.row.clone() };
    let fill = |(value, next): (&Value, &Value)| if value.is_null() { next.clone() } else { value.clone() };
    last.row.iter().zip(&*next.row).map(fill).collect()
}

fn overwritten_by_delete(_: &Plan, _: &Image<'_>, last: &Image<'_>, next: Option<&Image<'_>>) -> Row {
    next.filter(|next| next.is_delete()).unwrap_or(last).row.clone()
}

fn nulls(plan: &Plan) -> Row {
    plan.output().iter().map(|_| Value::Null).collect()
}
