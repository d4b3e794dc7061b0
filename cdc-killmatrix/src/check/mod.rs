//! The source contract: what may be wrong with a source, or with a flow for it, before any table is.
//!
//! A rule looks at events under a plan and says what it finds, with the events that show it, the clause to
//! change, and the query that counts the same in a user's table. A rule that isn't sure is silent: names only
//! hint, the events have to show it.

mod case;
mod query;
mod names;
mod tied;
mod advice;
mod ties;
mod nulls;
mod sequence;
mod keys;
mod deletes;
mod columns;
mod noise;
mod expiry;
mod questions;
mod of_fixture;

pub use case::{Case, Delivered};
pub(crate) use names::may_order;
pub use of_fixture::{Checked, cases_of_fixture, undeclared_conflicts};
pub use query::quoted_table;
pub(crate) use query::spelled;
pub use questions::Answer;

use crate::finding::Finding;
pub(crate) use tied::{Effect, Group, TieBreakers, Tied, groups};

/// Everything that is found in some cases, those of the flows into one target, as of one: the worst first, then
/// by code; of each code the first.
pub fn findings(cases: &[Case<'_>]) -> Vec<Finding> {
    let mut all: Vec<Finding> = ties::conflict(cases).into_iter().collect();
    all.extend(cases.iter().flat_map(of_case));
    all.sort_by_key(|finding| (finding.severity, finding.code));
    all.dedup_by_key(|finding| (finding.severity, finding.code));
    all
}

/// What is found in the events of one flow.
fn of_case(case: &Case<'_>) -> Vec<Finding> {
    // Snapshots have no events: the versions are the sequence, and a key occurs once in each.
    if case.plan.reads_snapshots() {
        return Vec::new();
    }
    let rules: [fn(&Case<'_>) -> Vec<Finding>; 8] = [
        ties::tie,
        nulls::rules,
        sequence::rules,
        keys::rules,
        deletes::rules,
        columns::rules,
        noise::rules,
        expiry::rules,
    ];
    rules.into_iter().flat_map(|rule| rule(case)).collect()
}

/// The answers to the five questions of a checklist: clock, ties, nulls, history model, noise.
pub fn answers(case: &Case<'_>, findings: &[Finding]) -> Vec<Answer> {
    questions::answers(case, findings)
}
