//! What came of the replay, in words.

use super::grid::{joined, wrapped};
use crate::replay::Replay;
use crate::words::counted;

/// What came of the replay, a paragraph a suite.
pub fn replays(replays: &[Replay]) -> String {
    let mut lines = Vec::new();
    for Replay { suite, compared, differing, catches } in replays {
        let same = compared - differing.len();
        let differing = match differing.as_slice() {
            [] => String::new(),
            names => format!("; not {}, where the rows depend on the batches", names.join(", ")),
        };
        let catches = match catches.as_slice() {
            [] => "no broken copy".to_owned(),
            names => names.join(", "),
        };
        let sentence = format!(
            "Replay of {suite}, all events as one batch on an empty target: {same} of {} end with the rows of \
             their last checkpoint{differing}. It would catch {catches}.",
            counted(*compared, "fixture"),
        );
        lines.push(String::new());
        lines.extend(wrapped(&sentence, 0, 0));
    }
    joined(&lines)
}
