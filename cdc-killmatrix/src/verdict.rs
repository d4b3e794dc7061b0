//! One model on one fixture: what it gets wrong, checkpoint by checkpoint.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use cdc_core::{AutoCdc, Batch, Event, Feed, Mutant, Refusal, Row, Run, Schema, Spy, Table};

use crate::fixture::{Checkpoint, Fixture};

mod outcome;

pub use outcome::{Cause, Difference, Found, Miss, Outcome, Verdict};

/// Plays a fixture under a mutant. Of one that is missed the questions are counted, and not kept in words.
pub fn try_mutant(mutant: &Mutant, fixture: &Fixture) -> Outcome {
    watched(Spy::counting(mutant), mutant, fixture)
}

/// Plays a fixture under a mutant; of one that is missed so many questions are kept in words, and the first at which
/// its answer differed.
pub fn watch_mutant(mutant: &Mutant, fixture: &Fixture, questions: usize) -> Outcome {
    watched(Spy::new(mutant, questions), mutant, fixture)
}

fn watched(spy: Spy<'_>, mutant: &Mutant, fixture: &Fixture) -> Outcome {
    if let Err(reason) = applies(mutant, fixture) {
        return Outcome::NotApplicable(reason);
    }
    let mut verdict = Verdict::default();
    let played = guarded(|| judge(&spy, fixture, &mut verdict));
    verdict.failure = played.err();
    // A breakdown is never a catch; what was found before it is.
    match verdict.failure {
        _ if !verdict.differences.is_empty() => Outcome::Caught(verdict.differences),
        Some(failure) => Outcome::Error(failure),
        None => Outcome::Missed(Miss::new(spy.notes())),
    }
}

/// Whether a mutant can differ under one of the fixture's flows; else the reason.
pub(crate) fn applies(mutant: &Mutant, fixture: &Fixture) -> Result<(), &'static str> {
    let mut answers = fixture.plans.iter().map(mutant.needs);
    let first = answers.next().unwrap_or(Ok(()));
    if first.is_ok() || answers.any(|answer| answer.is_ok()) { Ok(()) } else { first }
}

/// Plays a fixture under a model and compares every checkpoint that expects something.
///
/// # Panics
///
/// If the model does: [`try_mutant`] turns that into an outcome.
pub fn play<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> Verdict {
    let mut verdict = Verdict::default();
    let played = judge(model, fixture, &mut verdict);
    verdict.failure = played.err();
    verdict
}

fn judge<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture, verdict: &mut Verdict) -> Result<(), String> {
    walk(model, fixture, |number, checkpoint, state| {
        verdict.differences.extend(compare(number, checkpoint, state)?);
        Ok(())
    })
}

/// What a model shows after a checkpoint.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The columns. A mutant may show others than the flow says.
    pub target: Schema,
    /// The rows.
    pub table: Table,
    /// Why the batch was refused, if it was.
    pub refusal: Option<Refusal>,
    /// In a flow from snapshots the feed that the snapshot amounted to, in the columns of `Plan::feed`. `None` where it
    /// was refused or passed over.
    pub feed: Option<Vec<Event>>,
    /// Whether the batch was passed over, because its flow runs once and has run.
    pub is_passed_over: bool,
}

/// What a model shows after each checkpoint, or why it broke down.
pub fn tables<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> Result<Vec<Shown>, String> {
    let mut all = Vec::new();
    guarded(|| {
        walk(model, fixture, |number, _, State { run, refusal, is_passed_over }| {
            let flow = fixture.feed.batch(number).delivery.flow;
            let is_taken = refusal.is_none() && !is_passed_over;
            let is_snapshot = fixture.plans[flow].reads_snapshots();
            let feed = (is_snapshot && is_taken).then(|| run.snapshot_feed(flow).to_vec());
            all.push(Shown {
                target: run.target().clone(),
                table: run.table(),
                refusal,
                feed,
                is_passed_over,
            });
            Ok(())
        })
    })?;
    Ok(all)
}

/// Whether a model gives the observed rows wherever there are some, and takes every batch that isn't `refused`.
///
/// It is played only as far as it does.
pub(crate) fn gives_observed<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture, refused: &[bool]) -> bool {
    let fits = |run: &mut Run<'_, M>, observed: &Table| {
        let rows = run.rows();
        // Sorting them costs more than counting.
        rows.len() == observed.rows().len()
            && run.target() == fixture.plan().target()
            && Table::new(rows) == *observed
    };
    let played = guarded(|| {
        walk(model, fixture, |number, checkpoint, State { run, refusal, .. }| {
            let is_taken = refusal.is_none() || refused[number];
            let is_fit = is_taken && checkpoint.observed.as_ref().is_none_or(|observed| fits(run, observed));
            if is_fit { Ok(()) } else { Err(String::new()) }
        })
    });
    played.is_ok()
}

/// How a fixture ends under a model. Of the tables in between only the sizes are kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ending {
    /// How many rows there are after each checkpoint.
    pub(crate) rows: Vec<usize>,
    /// Whether a batch was refused.
    pub(crate) is_refused: bool,
    /// The columns and the rows after the last checkpoint.
    pub(crate) last: Option<(Schema, Table)>,
}

/// How a fixture ends under a model, or why the model broke down.
pub(crate) fn ending<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> Result<Ending, String> {
    let mut ending = Ending::default();
    guarded(|| {
        walk(model, fixture, |number, _, State { run, refusal, .. }| {
            let rows = run.rows();
            ending.rows.push(rows.len());
            ending.is_refused |= refusal.is_some();
            if number + 1 == fixture.checkpoints.len() {
                ending.last = Some((run.target().clone(), Table::new(rows)));
            }
            Ok(())
        })
    })?;
    Ok(ending)
}

/// The columns that a model shows; those of the flow, if it breaks down.
pub(crate) fn target<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> Schema {
    let run = Run::of_flows(model, &fixture.plans);
    run.map_or_else(|_| fixture.plan().target().clone(), |run| run.target().clone())
}

/// Whether all events of a fixture, as one batch on an empty target, give the rows of its last checkpoint. `None`
/// where that expects no rows, or where batches are more than their events: snapshots, and those of several flows;
/// an error where the model breaks down.
///
/// Events before a full refresh, and those of batches that had to be refused, are left out.
pub fn replay<M: AutoCdc + ?Sized>(model: &M, fixture: &Fixture) -> Option<Result<bool, String>> {
    let expected = fixture.checkpoints.last()?;
    Some(refreshed(model, fixture)?.map(|(_, table)| expected.expect.contains(&table)))
}

/// The columns and the rows after all events of a fixture as one batch on an empty target, as for [`replay`].
pub(crate) fn refreshed<M: AutoCdc + ?Sized>(
    model: &M,
    fixture: &Fixture,
) -> Option<Result<(Schema, Table), String>> {
    let expected = fixture.checkpoints.last()?;
    let of_events = !fixture.plan().reads_snapshots() && fixture.plans.len() == 1;
    if expected.expect.is_empty() || !of_events {
        return None;
    }
    let start = fixture.checkpoints.iter().rposition(|checkpoint| checkpoint.full_refresh).unwrap_or(0);
    let accepted = (start..fixture.checkpoints.len())
        .filter(|&number| fixture.checkpoints[number].expect_error.is_none());
    let rows: Vec<Row> = accepted
        .flat_map(|number| fixture.feed.batch(number).events)
        .map(|event| event.values.clone())
        .collect();
    let mut feed = Feed::default();
    feed.append(rows);

    Some(guarded(|| {
        let mut run = Run::new(model, fixture.plan()).map_err(|errors| errors.to_string())?;
        run.apply(feed.batch(0)).map_err(|refusal| refusal.to_string())?;
        Ok((run.target().clone(), run.table()))
    }))
}

/// What is there to see after a batch.
struct State<'s, 'a, M: ?Sized> {
    run: &'s mut Run<'a, M>,
    refusal: Option<Refusal>,
    is_passed_over: bool,
}

/// Applies a fixture's batches one by one and shows what is there after each.
fn walk<M: AutoCdc + ?Sized>(
    model: &M,
    fixture: &Fixture,
    mut see: impl FnMut(usize, &Checkpoint, State<'_, '_, M>) -> Result<(), String>,
) -> Result<(), String> {
    let empty = || Run::of_flows(model, &fixture.plans).map_err(|errors| errors.to_string());
    let (mut run, mut start) = (empty()?, 0);
    for (number, checkpoint) in fixture.checkpoints.iter().enumerate() {
        if checkpoint.full_refresh {
            (run, start) = (empty()?, number);
        }
        let batch: Batch<'_> = fixture.feed.batch_since(number, start);
        let is_passed_over = run.is_done(batch.delivery.flow);
        let refusal = run.apply(batch).err();
        see(number, checkpoint, State { run: &mut run, refusal, is_passed_over })?;
    }
    Ok(())
}

/// Compares what is there with what a checkpoint expects. A refusal that nobody expects is a breakdown.
fn compare<M: AutoCdc + ?Sized>(
    number: usize,
    checkpoint: &Checkpoint,
    State { run, refusal, .. }: State<'_, '_, M>,
) -> Result<Option<Difference>, String> {
    let found = match (&checkpoint.expect_error, refusal) {
        (None, Some(refusal)) => {
            return Err(format!("checkpoint {}: the batch was refused: {refusal}", number + 1));
        }
        (Some(class), Some(refusal)) if *class != refusal.class => {
            Some(Found::RefusedOtherwise { class: class.clone(), refusal })
        }
        (Some(class), None) => Some(Found::Accepted { class: class.clone() }),
        _ if checkpoint.expect.is_empty() => None,
        _ => {
            let got = run.table();
            let differs = !checkpoint.expect.contains(&got);
            differs.then_some(Found::Rows(got))
        }
    };
    Ok(found.map(|found| Difference { checkpoint: number, found }))
}

/// Turns a panic, which a mutant of the user's own may cause, into its message.
pub(crate) fn guarded<T>(play: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(|payload| Err(panic_text(&*payload)))
}

thread_local! {
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Makes panics silent, for they are reported: only their place is kept.
pub(crate) fn note_panics() {
    panic::set_hook(Box::new(|info| PLACE.set(info.location().map(ToString::to_string))));
}

/// What a panic said, and where it was, if that was noted.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    match PLACE.take() {
        Some(place) => format!("panicked at {place}: {text}"),
        None => format!("panicked: {text}"),
    }
}
