//! Where no configuration over the same events gives the wanted rows: does a flow with one clause changed?

use cdc_core::{Flow, Plan, Reference, ScdType};

use super::clauses::changes;
use super::ties::Ties;
use super::wishes::Wish;
use crate::check::may_order;
use crate::fixture::Fixture;
use crate::verdict;

/// How many changes are tried.
const TRIED: usize = 64;

/// The first change of one clause under which these events, in a complete order, give the wanted rows; or how many
/// were tried.
pub(super) fn change(fixture: &Fixture, wish: &Wish<'_>) -> Result<String, usize> {
    let [plan] = &fixture.plans[..] else { return Err(0) };
    let plans = flows(plan).into_iter().filter(|flow| flow != plan.flow());
    let plans = plans.filter_map(|flow| Plan::new(flow, plan.schema().clone()).ok());
    // Wishes are typed by the target.
    let fitting: Vec<Plan> = plans.filter(|changed| changed.target() == plan.target()).take(TRIED).collect();
    let tried = fitting.len();
    let found = fitting.into_iter().find_map(|changed| {
        let changed = Fixture { plans: vec![changed], ..fixture.clone() };
        let ending = verdict::ending(&Reference, &changed).ok()?;
        let (_, table) = ending.last?;
        let is_right = !ending.is_refused
            && Ties::of(&changed).first.is_none()
            && wish.unfulfilled(changed.plan(), &table).is_none();
        let change = is_right.then(|| changes(fixture, &changed))?.into_iter().next()?;
        let is_order = changed.plan().sequence() != plan.sequence();
        let caveat = if is_order { ", only if that follows the source's own order" } else { "" };
        Some(format!("{change}{caveat}"))
    });
    found.ok_or(tried)
}

/// The flow with one clause changed: its null handling, its sequence, the columns that make a history.
fn flows(plan: &Plan) -> Vec<Flow> {
    let flow = plan.flow();
    let mut flows = Vec::new();
    let is_feed = flow.from_snapshot.is_none();
    if is_feed && flow.columns_to_update.is_none() {
        flows.push(Flow {
            ignore_null_updates: true,
            ignore_null_updates_column_list: None,
            ignore_null_updates_except_column_list: None,
            ..flow.clone()
        });
        flows.push(Flow {
            ignore_null_updates: false,
            ignore_null_updates_column_list: None,
            ignore_null_updates_except_column_list: None,
            ..flow.clone()
        });
    }
    if plan.scd_type() == ScdType::Two {
        flows.extend(plan.payload().map(|column| Flow {
            track_history_column_list: None,
            track_history_except_column_list: Some(vec![plan.target()[column].name.clone()]),
            ..flow.clone()
        }));
    }
    for (place, column) in plan.schema().iter().enumerate() {
        // A column that happens to sort these events as wanted is none to sort others by.
        let is_order = column.data_type.is_orderable() && may_order(&column.name, &column.data_type);
        if is_feed && is_order && !plan.keys().contains(&place) {
            flows.push(Flow { sequence_by: column.name.clone(), ..flow.clone() });
        }
    }
    flows
}
