//! A mutant with the reference beside it.

use std::cell::RefCell;

use super::Mutant;
use crate::told::Told;

/// A mutant that is watched: at the decision that it takes wrongly the reference is asked, too.
///
/// It answers as the mutant does.
///
/// ```
/// use cdc_core::{AutoCdc, Hook, Mutant, Plan, Spy};
/// # use cdc_core::Flow;
/// # let schema = "id BIGINT, lsn BIGINT".parse()?;
/// # let flow = Flow { keys: vec!["id".into()], sequence_by: "lsn".into(), ..Flow::default() };
/// # let plan: Plan = Plan::new(flow, schema)?;
///
/// let mutant = Mutant::new("kept_nulls", "A null keeps what was there", Hook::ignores_null(|_, _| true));
/// let spy = Spy::new(&mutant, 0);
/// assert!(spy.ignores_null(&plan, 1));
/// let notes = spy.notes();
/// assert_eq!((notes.asked, notes.differing), (1, 1));
/// let difference = notes.difference.unwrap();
/// assert_eq!(difference.inputs, [("column", "1".to_owned())]);
/// assert_eq!((&*difference.right, &*difference.answer), ("no", "yes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Spy<'a> {
    pub(super) mutant: &'a Mutant,
    /// How many questions are kept in words, beside the first that differed. `None`: not even that one.
    wanted: Option<usize>,
    notes: RefCell<Notes>,
}

/// What a [`Spy`] saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// How often the decision was asked for.
    pub asked: usize,
    /// How often the mutant answered otherwise than the reference.
    pub differing: usize,
    /// The first questions, as many as were wanted.
    pub questions: Vec<Question>,
    /// The first question at which they differed.
    pub difference: Option<Question>,
}

/// A decision that was asked for, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The name of each input, and the input. What is always the same, as the plan is, is left out.
    pub inputs: Vec<(&'static str, String)>,
    /// What the reference answers.
    pub right: String,
    /// What the mutant answers.
    pub answer: String,
}

impl<'a> Spy<'a> {
    /// Watches a mutant, and keeps so many questions in words, and the first that differed.
    pub fn new(mutant: &'a Mutant, wanted: usize) -> Self {
        Self { mutant, wanted: Some(wanted), notes: RefCell::default() }
    }

    /// Watches a mutant, and only counts: words cost more than most answers.
    pub fn counting(mutant: &'a Mutant) -> Self {
        Self { mutant, wanted: None, notes: RefCell::default() }
    }

    /// What was seen.
    pub fn notes(self) -> Notes {
        self.notes.into_inner()
    }

    /// Takes down a question with both answers.
    #[inline]
    pub(super) fn note<A: PartialEq + Told>(
        &self,
        right: &A,
        answer: &A,
        inputs: impl FnOnce() -> Vec<(&'static str, String)>,
    ) {
        let mut notes = self.notes.borrow_mut();
        let differs = right != answer;
        notes.asked += 1;
        notes.differing += usize::from(differs);
        if let Some(wanted) = self.wanted {
            let is_first = differs && notes.differing == 1;
            notes.keep(wanted, is_first, || {
                let inputs = inputs().into_iter().filter(|(_, text)| !text.is_empty()).collect();
                Question { inputs, right: right.told(), answer: answer.told() }
            });
        }
    }
}

impl Notes {
    // Out of the way of those that only count.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, wanted: usize, is_first: bool, question: impl FnOnce() -> Question) {
        if wanted < self.asked && !is_first {
            return;
        }
        let question = question();
        if is_first {
            self.difference = Some(question.clone());
        }
        if self.asked <= wanted {
            self.questions.push(question);
        }
    }
}
