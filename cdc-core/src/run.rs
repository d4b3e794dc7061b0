use crate::auto_cdc::AutoCdc;
use crate::error::{ConfigErrors, EvalError, Refusal};
use crate::event::{Batch, Event, Key, Version};
use crate::flow::ScdType;
use crate::plan::Plan;
use crate::row::{Row, Schema};
use crate::rules::Rules;
use crate::scd1::Latest;
use crate::scd2::History;
use crate::store::Store;
use crate::table::Table;

/// A target and the state behind it, under one model: the only caller of the model's methods.
///
/// It branches on the model's answers and on the SCD type, never on another clause of the flow: else a
/// wrong answer might go unseen. The example of the crate shows its use.
pub struct Run<'a, M: ?Sized> {
    rules: Rules<'a, M>,
    target: Target,
    buffer: Vec<(Key, Version)>,
}

enum Target {
    One(Store<Latest>),
    Two(Store<History>),
}

impl<'a, M: AutoCdc + ?Sized> Run<'a, M> {
    /// An empty target, or what is wrong with the definition that the model puts in the place of the flow's.
    pub fn new(model: &'a M, plan: &'a Plan) -> Result<Self, ConfigErrors> {
        let rules = Rules::new(model, plan)?;
        let target = match rules.plan.scd_type() {
            ScdType::One => Target::One(Store::default()),
            ScdType::Two => Target::Two(Store::default()),
        };
        Ok(Self { rules, target, buffer: Vec::new() })
    }

    /// Applies a batch, or refuses it as a whole: then nothing has changed.
    ///
    /// # Panics
    ///
    /// If an event has fewer values than the source has columns.
    pub fn apply(&mut self, batch: Batch<'_>) -> Result<(), Refusal> {
        let Rules { model, plan, .. } = &self.rules;
        match model.rewrite(plan, batch.earlier, batch.events) {
            None => self.read(batch.events)?,
            Some(events) => self.read(&events)?,
        }
        match &mut self.target {
            Target::One(keys) => keys.apply(&self.rules, &mut self.buffer),
            Target::Two(keys) => keys.apply(&self.rules, &mut self.buffer),
        }
        Ok(())
    }

    /// The columns of the target: those of the plan, unless the model puts another definition in its place.
    pub fn target(&self) -> &Schema {
        self.rules.plan.target()
    }

    /// The rows that the target shows now, by the key that was seen first.
    pub fn rows(&mut self) -> Vec<Row> {
        match &mut self.target {
            Target::One(keys) => keys.rows(&self.rules),
            Target::Two(keys) => keys.rows(&self.rules),
        }
    }

    /// The rows that the target shows now, as a table that can be compared.
    pub fn table(&mut self) -> Table {
        Table::new(self.rows())
    }

    /// Reads the events of a batch into the buffer.
    fn read(&mut self, events: &[Event]) -> Result<(), Refusal> {
        let Rules { model, plan, .. } = &self.rules;
        self.buffer.clear();
        for event in events {
            let (Some(order), Some(key)) = (model.order_of(plan, event), model.key_of(plan, event)) else {
                return Err(self.null_refusal(events));
            };
            match model.operation_of(plan, event) {
                Ok(operation) => self.buffer.push((key, Version { operation, order, event: event.clone() })),
                Err(error) => return Err(self.refusal(events, &error)),
            }
        }
        Ok(())
    }

    /// Why events with nulls are refused: Spark looks for a null sequence first.
    #[cold]
    fn null_refusal(&self, events: &[Event]) -> Refusal {
        let Rules { model, plan, .. } = &self.rules;
        let unordered = places(events, |event| model.order_of(plan, event).is_none());
        if !unordered.is_empty() {
            let message = format!("the sequence `{}` is null", plan.flow().sequence_by);
            return Refusal { class: "NULL_SEQUENCE", events: unordered, message };
        }
        let unkeyed = places(events, |event| model.key_of(plan, event).is_none());
        let message = format!("a key is null: `{}`", plan.flow().keys.join("`, `"));
        Refusal { class: "NULL_KEY", events: unkeyed, message }
    }

    /// Why events are refused of which a condition can't be evaluated, unless there are nulls: they come first.
    #[cold]
    fn refusal(&self, events: &[Event], error: &EvalError) -> Refusal {
        let Rules { model, plan, .. } = &self.rules;
        let has_null =
            |event: &Event| model.order_of(plan, event).is_none() || model.key_of(plan, event).is_none();
        if events.iter().any(has_null) {
            return self.null_refusal(events);
        }
        let failed = places(events, |event| model.operation_of(plan, event).is_err());
        let message = format!("APPLY AS DELETE WHEN: {}", error.message);
        Refusal { class: error.class, events: failed, message }
    }
}

/// The places of these events in the batch.
fn places(events: &[Event], is_meant: impl Fn(&Event) -> bool) -> Vec<usize> {
    (0..events.len()).filter(|&place| is_meant(&events[place])).collect()
}
