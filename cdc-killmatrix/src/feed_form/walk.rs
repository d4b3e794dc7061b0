//! The flows and the batches of a fixture, one after the other.

use cdc_core::{Batch, Feed, Flow, Plan, Reference, Row, Run, Schema};

use crate::fixture::Fixture;

/// A batch on its way to an engine.
pub(super) struct Step<'a> {
    /// The plan of the flow that brings it.
    pub(super) plan: &'a Plan,
    /// The batch.
    pub(super) batch: Batch<'a>,
    /// Whether the target was emptied before it.
    pub(super) is_fresh: bool,
    /// The run of the reference, which has met it.
    pub(super) run: &'a Run<'a, Reference>,
    /// Whether the reference applied it: it was neither refused nor passed over.
    pub(super) is_taken: bool,
}

/// The plans that another flow and source make in the place of each, or what is wrong with them.
pub(super) fn plans(
    fixture: &Fixture,
    mut change: impl FnMut(&Plan) -> Result<(Flow, Schema), String>,
) -> Result<Vec<Plan>, String> {
    let plan = |plan: &Plan| {
        let (flow, schema) = change(plan)?;
        Plan::new(flow, schema).map_err(|errors| errors.to_string())
    };
    let plans: Vec<Plan> = fixture.plans.iter().map(plan).collect::<Result<_, _>>()?;
    let shared = Plan::share_a_target(&plans);
    shared.map_err(|errors| {
        errors.into_iter().map(|(_, error)| error.to_string()).collect::<Vec<_>>().join("; ")
    })?;
    Ok(plans)
}

/// The feed that other rows make in the place of each batch's. They come as the batch does.
pub(super) fn feed(fixture: &Fixture, mut rows: impl FnMut(Step<'_>) -> Vec<Row>) -> Result<Feed, String> {
    let empty = || Run::of_flows(&Reference, &fixture.plans).map_err(|errors| errors.to_string());
    let (mut run, mut start) = (empty()?, 0);
    let mut feed = Feed::default();
    for (number, checkpoint) in fixture.checkpoints.iter().enumerate() {
        if checkpoint.full_refresh {
            (run, start) = (empty()?, number);
        }
        let batch = fixture.feed.batch_since(number, start);
        let flow = batch.delivery.flow;
        let is_taken = !run.is_done(flow) && run.apply(batch).is_ok();
        let plan = &fixture.plans[flow];
        let step = Step { plan, batch, is_fresh: start == number, run: &run, is_taken };
        feed.deliver(batch.delivery.clone(), rows(step));
    }
    Ok(feed)
}

/// The same rows.
pub(super) fn same(step: &Step<'_>) -> Vec<Row> {
    step.batch.events.iter().map(|event| event.values.clone()).collect()
}
