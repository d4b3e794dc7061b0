//! What names and values hint at. A hint alone makes no finding: the events have to show it too.

use cdc_core::{DataType, Value};

/// A time at which something passed a station on its way, not a time of the source.
const OF_ARRIVAL: [&str; 18] = [
    "arrival",
    "arrived",
    "etl",
    "extracted",
    "heartbeat",
    "ingest",
    "ingested",
    "ingestion",
    "landed",
    "load",
    "loaded",
    "polled",
    "processed",
    "processing",
    "received",
    "refreshed",
    "sync",
    "synced",
];

/// A place in an order that the source may have made.
const OF_ORDER: [&str; 22] = [
    "csn",
    "counter",
    "idx",
    "index",
    "lsn",
    "offset",
    "ordinal",
    "pos",
    "position",
    "rev",
    "revision",
    "scn",
    "seq",
    "seqno",
    "sequence",
    "serial",
    "time",
    "timestamp",
    "transaction",
    "ts",
    "txn",
    "version",
];

/// A place in an order, by what isn't a time: as whole seconds since 1970 its numbers aren't to be read.
const OF_COUNT: [&str; 15] = [
    "counter", "csn", "idx", "index", "lsn", "offset", "ordinal", "pos", "position", "rev", "revision",
    "scn", "serial", "txn", "version",
];

/// A value of a column that says what an event does, and whether it deletes.
const OPERATIONS: [(&str, bool); 18] = [
    ("c", false),
    ("create", false),
    ("d", true),
    ("del", true),
    ("delete", true),
    ("deleted", true),
    ("i", false),
    ("insert", false),
    ("inserted", false),
    ("r", false),
    ("read", false),
    ("remove", true),
    ("removed", true),
    ("snapshot", false),
    ("u", false),
    ("update", false),
    ("updated", false),
    ("upsert", false),
];

/// The words of a name: `lastSyncedAt` and `last_synced_at` have the same.
fn words(name: &str) -> Vec<String> {
    let (mut words, mut word, mut was_lower) = (Vec::new(), String::new(), false);
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_lower {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a column's name says that it tells when an event arrived.
pub(super) fn is_of_arrival(name: &str) -> bool {
    words(name).iter().any(|word| OF_ARRIVAL.contains(&&**word))
}

/// Whether a column's name says that it tells an order.
pub(super) fn is_of_order(name: &str) -> bool {
    words(name).iter().any(|word| OF_ORDER.contains(&&**word))
}

/// Whether a column's name says that it counts, and tells no time.
pub(super) fn is_of_count(name: &str) -> bool {
    words(name).iter().any(|word| OF_COUNT.contains(&&**word))
}

/// Whether a column's name says that it tells what an event does.
pub(super) fn is_of_operation(name: &str) -> bool {
    let words = words(name);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&&**word));
    has(&["op", "oper", "operation", "dml"])
        || has(&["change", "event", "record", "row"]) && has(&["type", "kind"])
}

/// Whether a column's name says that it marks deletes.
pub(super) fn is_of_deletes(name: &str) -> bool {
    let words = words(name);
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&&**word));
    has(&["deleted", "tombstone", "isdeleted"])
        || has(&["delete"]) && has(&["is", "flag", "ind", "indicator"])
}

/// Whether a text is a word for an operation; if so, whether for a delete.
pub(super) fn operation(text: &str) -> Option<bool> {
    let text = text.trim().to_lowercase();
    OPERATIONS.iter().find(|(word, _)| *word == text).map(|&(_, deletes)| deletes)
}

/// Whether a text is an identifier without an order: a UUID, or the digits of a hash.
pub(super) fn is_identifier(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_hexdigit).count();
    let dashes = text.chars().filter(|&c| c == '-').count();
    let is_bare = digits + dashes == text.chars().count();
    is_bare && matches!((digits, dashes), (32, 0 | 4) | (40 | 56 | 64 | 96 | 128, 0))
}

/// Whether the values of a type are times.
pub(super) fn is_time(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Timestamp | DataType::TimestampNtz | DataType::Date)
}

/// Whether the values of a type are numbers.
pub(super) fn is_number(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Float | DataType::Double | DataType::Decimal { .. })
        || data_type.int_bounds().is_some()
}

/// Whether a column may follow the source's own order, by its name and type: not if it tells when an event arrived.
pub(crate) fn may_order(name: &str, data_type: &DataType) -> bool {
    !is_of_arrival(name) && (is_time(data_type) || is_number(data_type) && is_of_order(name))
}

/// The text of a value.
pub(super) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        assert!(is_of_arrival("lastSyncedAt") && is_of_arrival("_ingest_time"));
        assert!(!is_of_arrival("payload") && !is_of_arrival("updated_at"));
        assert!(is_of_operation("_change_type") && is_of_operation("OP"));
        assert!(!is_of_operation("type") && !is_of_operation("option"));
        assert!(is_of_deletes("__deleted") && is_of_deletes("isDeleted") && is_of_deletes("delete_flag"));
        assert!(!is_of_deletes("delete_reason"));
        assert!(is_of_order("event_pos") && !is_of_order("amount"));
    }

    #[test]
    fn identifiers_are_uuids_and_hashes() {
        assert!(is_identifier("123e4567-e89b-12d3-a456-426614174000"));
        assert!(is_identifier("d41d8cd98f00b204e9800998ecf8427e"));
        assert!(!is_identifier("cafe") && !is_identifier("Lyon") && !is_identifier(""));
    }

    #[test]
    fn operations_are_words() {
        assert_eq!(operation(" Delete "), Some(true));
        assert_eq!(operation("U"), Some(false));
        assert_eq!(operation("a"), None);
    }
}
