//! What counts as a change.

use cdc_core::{Change, Image, Mutants, Value, needs};

/// Faults of change detection.
#[derive(Mutants)]
#[mutants(family = "change detection")]
pub(super) enum Changes {
    /// History is tracked on every column, though the flow excludes some.
    ///
    /// Every night's sync looks like a change of every customer.
    #[mutant(
        tracks = |_, _| true,
        needs = needs::untracked_column,
        report = "https://github.com/Datavault-UK/automate-dv/issues/110",
        caught_by = "customer_history/sync_noise"
    )]
    TrackedSyncNoise,

    /// A change from null, or to null, isn't seen.
    ///
    /// An address that was filled in later never arrives.
    #[mutant(
        change = |_, tracked, _, open, new| seen(tracked, open, new, |open, new| {
            open.is_null() || new.is_null() || open == new
        }),
        needs = needs::changes_of_nulls,
        report = "https://github.com/dbt-labs/dbt-core/issues/1516",
        caught_by = "customer_history/fine_differences"
    )]
    UnseenNullInHistory,

    /// A change of capital letters isn't seen.
    ///
    /// The spelling of a name stays wrong after it was corrected.
    #[mutant(
        change = |_, tracked, _, open, new| seen(tracked, open, new, |open, new| {
            as_text(open, new, str::to_lowercase)
        }),
        needs = needs::changes_of_spelling,
        caught_by = "customer_history/fine_differences"
    )]
    UnseenCapitals,

    /// A change of blanks around a text isn't seen.
    ///
    /// A code that was cleaned at the source stays padded.
    #[mutant(
        change = |_, tracked, _, open, new| seen(tracked, open, new, |open, new| {
            as_text(open, new, |text| text.trim().to_owned())
        }),
        needs = needs::changes_of_spelling,
        caught_by = "customer_history/fine_differences"
    )]
    UnseenBlanks,

    /// A column that isn't tracked shows the first value of its run, not the last.
    ///
    /// The last login shown is the one from years ago.
    #[mutant(
        shows = |_, first, _, _| first.row.clone(),
        needs = needs::untracked_column,
        caught_by = "customer_history/sync_noise"
    )]
    FirstValueShown,
}

/// What is seen of an event where values are equal that aren't: nothing, if there is no other difference.
fn seen(
    tracked: &[usize],
    open: Option<&Image<'_>>,
    new: &Image<'_>,
    are_equal: fn(&Value, &Value) -> bool,
) -> Change {
    let Some(open) = open else { return Change::Opens };
    let all = |are_equal: fn(&Value, &Value) -> bool| {
        tracked.iter().all(|&column| are_equal(&open.row[column], &new.row[column]))
    };
    if all(|open, new| open == new) {
        Change::Extends
    } else if all(are_equal) {
        Change::Nothing
    } else {
        Change::Opens
    }
}

fn as_text(open: &Value, new: &Value, read: fn(&str) -> String) -> bool {
    match (open, new) {
        (Value::String(open), Value::String(new)) => read(open) == read(new),
        (open, new) => open == new,
    }
}
