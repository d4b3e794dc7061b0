//! How much of long lists is shown.

/// How many lines of each list are shown, and how many names of each line, unless all are wanted.
pub(super) const SHOWN: usize = 5;

/// How much of an audit is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A screen a suite.
    Screen,
    /// Everything, the decisions by fixtures included.
    All,
}

impl Extent {
    /// Names; of many the first.
    pub(super) fn some(self, names: &[&str]) -> String {
        match names.len().saturating_sub(SHOWN) {
            0 | 1 => names.join(", "),
            _ if self == Self::All => names.join(", "),
            more => format!("{} and {more} more (--all)", names[..SHOWN].join(", ")),
        }
    }
}
