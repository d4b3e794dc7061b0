//! Whether a feed separates mutants from the reference, and where.

use cdc_core::{AutoCdc, ConfigErrors, Feed, Mutant, Plan, Reference, Refusal, Run, Schema, Table};

use super::draft::conflicts;
use super::kind::Kind;
use crate::verdict::guarded;

/// What a model answers to a batch.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The table then holds these rows, in these columns.
    Rows(Schema, Table),
    /// The batch is refused.
    Refused(Refusal),
}

/// The mutants that a feed has to separate.
pub(super) struct Group<'a> {
    pub(super) mutants: Vec<&'a Mutant>,
    /// How many of them may part from the reference: all but one, unless something else stays with it.
    pub(super) most: usize,
}

/// Where mutants part from the reference.
#[derive(Clone, Debug)]
pub(super) struct Parting {
    /// The number of the checkpoint, from 0.
    pub(super) checkpoint: usize,
    /// What the reference answers there.
    pub(super) right: Answer,
    /// What each mutant answers that parts, with its place in the group: one at least.
    pub(super) wrong: Vec<(usize, Answer)>,
}

/// The first checkpoint at which the table or the refusal of some mutants isn't the reference's, while the others gave
/// what it gives at all checkpoints. A feed that has what its kind may not have separates nothing, and neither does a
/// breakdown of a mutant.
pub(super) fn parting(group: &Group<'_>, plans: &[Plan], feed: &Feed, kind: Kind) -> Option<Parting> {
    if kind != Kind::Tied && conflicts(plans, feed) {
        return None;
    }
    let part = || -> Result<Option<Parting>, String> {
        let text = |errors: ConfigErrors| errors.to_string();
        let mut reference = Run::of_flows(&Reference, plans).map_err(text)?;
        let runs = group.mutants.iter().map(|mutant| Run::of_flows(*mutant, plans).map_err(text));
        let mut runs = runs.collect::<Result<Vec<Run<'_, Mutant>>, String>>()?;
        for checkpoint in 0..feed.batches() {
            let batch = feed.batch(checkpoint);
            let refused = reference.apply(batch).err();
            if refused.is_some() && kind != Kind::Refused {
                return Ok(None);
            }
            let class = refused.as_ref().map(|refusal| refusal.class);
            let right = answer(&mut reference, refused);
            let mut wrong = Vec::new();
            for (place, run) in runs.iter_mut().enumerate() {
                let refused = run.apply(batch).err();
                match (class, refused.as_ref().map(|refusal| refusal.class)) {
                    // What a copy refuses a pipeline would report: it shows no wrong rows.
                    (None, Some(_)) if kind != Kind::BrokenDown => return Ok(None),
                    // After a refusal the tables are those of before.
                    (Some(class), Some(other)) if class == other => continue,
                    _ => {}
                }
                let answer = answer(run, refused);
                if answer != right {
                    wrong.push((place, answer));
                }
            }
            if group.most < wrong.len() {
                return Ok(None);
            }
            if !wrong.is_empty() {
                return Ok(Some(Parting { checkpoint, right, wrong }));
            }
        }
        Ok(None)
    };
    guarded(part).ok().flatten()
}

fn answer<M: AutoCdc + ?Sized>(run: &mut Run<'_, M>, refusal: Option<Refusal>) -> Answer {
    match refusal {
        Some(refusal) => Answer::Refused(refusal),
        None => Answer::Rows(run.target().clone(), run.table()),
    }
}
