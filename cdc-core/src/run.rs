use std::collections::BTreeMap;

use crate::auto_cdc::AutoCdc;
use crate::bitemporal::Beliefs;
use crate::error::{ConfigErrors, Refusal};
use crate::event::{Batch, Delivery, Event, Key, Operation, Version};
use crate::flow::ScdType;
use crate::plan::Plan;
use crate::row::{Row, Schema};
use crate::rules::Rules;
use crate::scd1::Latest;
use crate::scd2::History;
use crate::snapshot::{Snapshot, null_key};
use crate::store::Store;
use crate::table::Table;
use crate::value::Value;

/// A target and the state behind it, under one model: the only caller of the model's methods.
///
/// It branches on the model's answers, on the SCD type, and on whether a flow reads snapshots and lists columns to
/// update, never on another clause of the flow: else a wrong answer might go unseen. The example of the crate shows
/// its use.
pub struct Run<'a, M: ?Sized> {
    rules: Rules<'a, M>,
    target: Target,
    /// What is known of each flow.
    flows: Vec<Progress>,
    /// How many seconds have passed, and how many had when each batch was applied.
    seconds: u64,
    applied: BTreeMap<u32, u64>,
    buffer: Vec<(Option<Key>, Version)>,
}

enum Target {
    One(Store<Latest>),
    Two(Store<History>),
    Bitemporal(Store<Beliefs>),
}

/// What is known of a flow.
#[derive(Default)]
struct Progress {
    has_run: bool,
    snapshot: Snapshot,
    /// The feed that the last snapshot amounted to.
    feed: Vec<Event>,
}

impl<'a, M: AutoCdc + ?Sized> Run<'a, M> {
    /// An empty target of one flow, or what is wrong with the definition that the model puts in the place of the
    /// flow's.
    pub fn new(model: &'a M, plan: &'a Plan) -> Result<Self, ConfigErrors> {
        Self::of_flows(model, std::slice::from_ref(plan))
    }

    /// An empty target into which several flows write, at least one: see [`Plan::share_a_target`].
    ///
    /// # Panics
    ///
    /// If there is no flow.
    pub fn of_flows(model: &'a M, plans: &'a [Plan]) -> Result<Self, ConfigErrors> {
        let rules = Rules::new(model, plans)?;
        let target = match rules.flow(0).plan.scd_type() {
            ScdType::One => Target::One(Store::default()),
            ScdType::Two => Target::Two(Store::default()),
            ScdType::Bitemporal => Target::Bitemporal(Store::default()),
        };
        let flows = plans.iter().map(|_| Progress::default()).collect();
        Ok(Self { rules, target, flows, seconds: 0, applied: BTreeMap::new(), buffer: Vec::new() })
    }

    /// Applies a batch, or refuses it as a whole: then nothing has changed, but that time has passed.
    ///
    /// # Panics
    ///
    /// If an event has fewer values than the source has columns, or there is no such flow.
    pub fn apply(&mut self, batch: Batch<'_>) -> Result<(), Refusal> {
        let &Delivery { flow, seconds, ref version } = batch.delivery;
        self.pass(seconds);
        let (model, plan) = (self.rules.model, &*self.rules.flow(flow).plan);
        if self.is_done(flow) {
            return Ok(());
        }
        let rewritten = model.rewrite(plan, batch.earlier, batch.events);
        let events = rewritten.as_deref().unwrap_or(batch.events);
        if plan.reads_snapshots() {
            self.take_snapshot(flow, version.as_ref(), batch.number, events)?;
        } else {
            self.read(flow, events)?;
        }
        self.flows[flow].has_run = true;
        if 0 < self.seconds {
            self.applied.insert(batch.number, self.seconds);
        }
        match &mut self.target {
            Target::One(keys) => keys.apply(&self.rules, &mut self.buffer),
            Target::Two(keys) => keys.apply(&self.rules, &mut self.buffer),
            Target::Bitemporal(keys) => keys.apply(&self.rules, &mut self.buffer),
        }
        Ok(())
    }

    /// The columns of the target: those of the plan, unless the model puts another definition in its place.
    pub fn target(&self) -> &Schema {
        self.rules.flow(0).plan.target()
    }

    /// The rows that the target shows now, by the key that was seen first.
    pub fn rows(&mut self) -> Vec<Row> {
        match &mut self.target {
            Target::One(keys) => keys.rows(&self.rules),
            Target::Two(keys) => keys.rows(&self.rules),
            Target::Bitemporal(keys) => keys.rows(&self.rules),
        }
    }

    /// The rows that the target shows now, as a table that can be compared.
    pub fn table(&mut self) -> Table {
        Table::new(self.rows())
    }

    /// Whether a flow applies nothing more: it runs once, and has run.
    ///
    /// # Panics
    ///
    /// If there is no such flow.
    pub fn is_done(&self, flow: usize) -> bool {
        self.flows[flow].has_run && !self.rules.model.runs_again(&self.rules.flow(flow).plan)
    }

    /// The feed that the last snapshot of a flow amounted to, in the columns of [`Plan::feed`]: what was applied.
    ///
    /// # Panics
    ///
    /// If there is no such flow.
    pub fn snapshot_feed(&self, flow: usize) -> &[Event] {
        &self.flows[flow].feed
    }

    /// Lets time pass: tombstones may expire.
    fn pass(&mut self, seconds: u64) {
        if seconds == 0 {
            return;
        }
        self.seconds = self.seconds.saturating_add(seconds);
        let is_expired = |delete: &Version| {
            let applied = self.applied.get(&delete.arrival().batch).copied().unwrap_or_default();
            self.rules.model.expires(self.rules.plan(delete), delete, self.seconds - applied)
        };
        match &mut self.target {
            Target::One(keys) => keys.expire(&self.rules, is_expired),
            Target::Two(keys) => keys.expire(&self.rules, is_expired),
            Target::Bitemporal(keys) => keys.expire(&self.rules, is_expired),
        }
    }

    /// Compares a snapshot with the one before it, and reads the feed that it amounts to into the buffer.
    fn take_snapshot(
        &mut self,
        flow: usize,
        version: Option<&Value>,
        batch: u32,
        rows: &[Event],
    ) -> Result<(), Refusal> {
        self.buffer.clear();
        let (model, plan) = (self.rules.model, &*self.rules.flow(flow).plan);
        let before = &self.flows[flow].snapshot;
        let Some(snapshot) = before.read(model, plan, version, rows)? else {
            self.flows[flow].feed.clear();
            return Ok(());
        };
        let feed = snapshot.feed(model, plan, before, batch);
        self.read(flow, &feed)?;
        (self.flows[flow].snapshot, self.flows[flow].feed) = (snapshot, feed);
        Ok(())
    }

    /// Reads the events of a batch into the buffer.
    fn read(&mut self, flow: usize, events: &[Event]) -> Result<(), Refusal> {
        let (model, plan) = (self.rules.model, &*self.rules.flow(flow).plan);
        let is_bitemporal = plan.scd_type() == ScdType::Bitemporal;
        self.buffer.clear();
        for event in events {
            let refused = || refusal(model, plan, events);
            let order = model.order_of(plan, event).ok_or_else(refused)?;
            let system = is_bitemporal.then(|| model.system_order_of(plan, event).ok_or_else(refused));
            let system = system.transpose()?.map(Box::new);
            let operation = model.operation_of(plan, event).map_err(|_| refused())?;
            let key = match operation {
                Operation::Truncate => None,
                _ => Some(model.key_of(plan, event).ok_or_else(refused)?),
            };
            self.buffer.push((key, Version { operation, order, system, flow, event: event.clone() }));
        }
        Ok(())
    }
}

/// Why events are refused: as in Spark's code a null sequence comes before a null key, and both before a condition
/// that can't be evaluated.
#[cold]
fn refusal<M: AutoCdc + ?Sized>(model: &M, plan: &Plan, events: &[Event]) -> Refusal {
    let places = |is_meant: &dyn Fn(&Event) -> bool| -> Vec<usize> {
        (0..events.len()).filter(|&place| is_meant(&events[place])).collect()
    };
    let flow = plan.flow();
    let unordered = places(&|event| model.order_of(plan, event).is_none());
    if !unordered.is_empty() {
        let message = format!("the sequence `{}` is null", flow.sequence_by);
        return Refusal { class: "NULL_SEQUENCE", events: unordered, message };
    }
    if plan.scd_type() == ScdType::Bitemporal {
        let unknown = places(&|event| model.system_order_of(plan, event).is_none());
        if !unknown.is_empty() {
            let name = flow.system_sequence_by.as_deref().unwrap_or_default();
            let message = format!("the system sequence `{name}` is null");
            return Refusal { class: "NULL_SEQUENCE", events: unknown, message };
        }
    }
    let truncates = |event: &Event| matches!(model.operation_of(plan, event), Ok(Operation::Truncate));
    let unkeyed = places(&|event| model.key_of(plan, event).is_none() && !truncates(event));
    if !unkeyed.is_empty() {
        return null_key(plan, events, unkeyed);
    }
    let failed = places(&|event| model.operation_of(plan, event).is_err());
    let error = failed.first().and_then(|&place| model.operation_of(plan, &events[place]).err());
    let (class, message) = error.map_or(("", String::new()), |error| (error.class, error.message));
    let is_truncate = plan.truncate_condition().zip(failed.first());
    let is_truncate = is_truncate.is_some_and(|(it, &place)| it.holds(&events[place].values).is_err());
    let clause = if is_truncate { "APPLY AS TRUNCATE WHEN" } else { "APPLY AS DELETE WHEN" };
    Refusal { class, events: failed, message: format!("{clause}: {message}") }
}
