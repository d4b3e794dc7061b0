//! Values of two columns that make one text when they are glued together, in two ways.

use cdc_core::{DataType, Value};

use super::literals::value_of;
use super::values::{Role, themes};

/// The most values of a column that are glued.
const MOST: usize = 24;

/// The values of two adjacent parts of a key, of which the first of both and the second of both glue to one text.
///
/// `None`: they don't, or aren't read from a text.
pub(super) fn glued(first: &DataType, second: &DataType) -> Option<[Vec<Value>; 2]> {
    let (firsts, seconds) = (pieces(first), pieces(second));
    let pairs = firsts.iter().flat_map(|first| seconds.iter().map(move |second| (first, second)));
    pairs.into_iter().find_map(|(one, two)| {
        let text = format!("{one}{two}");
        let others =
            text.char_indices().map(|(at, _)| text.split_at(at)).filter(|(left, _)| !left.is_empty());
        let read = |(left, right)| Some((value_of(left, first)?, value_of(right, second)?));
        let (left, right) = others.filter_map(read).find(|(left, _)| left != one)?;
        Some([vec![one.clone(), left], vec![two.clone(), right]])
    })
}

/// A few values of a type, each of a text that can be cut.
fn pieces(data_type: &DataType) -> Vec<Value> {
    let texts = ["a", "1", "11", "11.00", "1.25", "11.5"];
    let read = texts.iter().filter_map(|text| value_of(text, data_type));
    let all = themes(data_type, Role::Key, "").into_iter().flatten();
    read.chain(all.filter(|value| !value.to_string().is_empty())).take(MOST).collect()
}
