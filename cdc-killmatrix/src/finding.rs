//! What `check` finds in events: the codes that fixtures declare, and the findings themselves.

use std::fmt;

/// What may be wrong with a source, or with a flow for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// Different events have one key and one sequence value.
    Conflict,
    /// Events of one key and one sequence value agree in the target, and differ in what it leaves out.
    Tie,
    /// A key is null: the batch is refused.
    NullKey,
    /// A sequence is null: the batch is refused.
    NullSequence,
    /// The sequence holds numbers as text, which sorts them as text.
    TextSequence,
    /// The sequence is cut to whole seconds or days, and a key has several events in one.
    CoarseSequence,
    /// The sequence is a time of arrival, and the source's own order is another.
    IngestionClock,
    /// Updates leave out values, and nulls clear.
    SparseUpdate,
    /// A tracked column changes in most updates, and nothing else does.
    SyncNoise,
    /// Keys differ only in case or blanks.
    SimilarKeys,
    /// Events look like deletes, and the flow has no delete condition.
    NoDeleteCondition,
    /// The delete condition is never true.
    IdleDeleteCondition,
    /// Events look like deletes, and the delete condition, true of others, isn't true of them.
    MissedDelete,
    /// A column of the sequence or of the operation reaches the target.
    TechnicalColumn,
    /// An upsert comes after the tombstone of a later delete has expired.
    LateAfterExpiry,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 15] = [
        Self::Conflict,
        Self::Tie,
        Self::NullKey,
        Self::NullSequence,
        Self::TextSequence,
        Self::CoarseSequence,
        Self::IngestionClock,
        Self::SparseUpdate,
        Self::SyncNoise,
        Self::SimilarKeys,
        Self::NoDeleteCondition,
        Self::IdleDeleteCondition,
        Self::MissedDelete,
        Self::TechnicalColumn,
        Self::LateAfterExpiry,
    ];

    /// The code as fixtures and scripts write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::Tie => "tie",
            Self::NullKey => "null_key",
            Self::NullSequence => "null_sequence",
            Self::TextSequence => "text_sequence",
            Self::CoarseSequence => "coarse_sequence",
            Self::IngestionClock => "ingestion_clock",
            Self::SparseUpdate => "sparse_update",
            Self::SyncNoise => "sync_noise",
            Self::SimilarKeys => "similar_keys",
            Self::NoDeleteCondition => "no_delete_condition",
            Self::IdleDeleteCondition => "idle_delete_condition",
            Self::MissedDelete => "missed_delete",
            Self::TechnicalColumn => "technical_column",
            Self::LateAfterExpiry => "late_after_expiry",
        }
    }

    /// The code of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The table will be wrong, or no table will come of it.
    Error,
    /// The table may be wrong, or isn't what was meant.
    Warning,
    /// Worth knowing. It needn't be declared, and never fails.
    Note,
}

impl Severity {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Where an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of its checkpoint in a fixture, from 0.
    pub checkpoint: Option<usize>,
    /// Its number in the checkpoint, or in the file of events, from 0.
    pub event: usize,
    /// The line of the file, from 1.
    pub line: usize,
}

/// As in a sentence: `line 8 (checkpoint 1, event 2)`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.checkpoint {
            Some(checkpoint) => write!(f, " (checkpoint {}, event {})", checkpoint + 1, self.event + 1),
            None => Ok(()),
        }
    }
}

/// Something that may be wrong with a source, or with a flow for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// How often it occurs: what [`Finding::query`] counts, unless [`Finding::advice`] says what it can't see.
    pub occurrences: usize,
    /// The first events that show it, at most two.
    pub events: Vec<Place>,
    /// The clause of the flow to change.
    pub clause: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
    /// What else is to be known before it is done.
    pub advice: Vec<String>,
    /// Databricks SQL that counts the same in the user's own table.
    pub query: String,
}
