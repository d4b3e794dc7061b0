//! Flows from snapshots: each snapshot against the one before it.

use serde_json::Value as Json;

use super::Row;
use super::flow::{Asks, Flow, Read};
use super::target::{Target, rows_of};
use super::typed::{Kind, compare};

/// A snapshot that was accepted.
pub(crate) struct Snapshot {
    version: Json,
    rows: Vec<Row>,
}

impl Snapshot {
    /// The snapshot that follows, and the events that it amounts to. `None`: the source gives none this time.
    pub(crate) fn next(
        last: Option<&Self>,
        flow: &Flow,
        kind: &Kind,
        target: &Target,
        given: &Json,
    ) -> Result<Option<(Self, Vec<Read>)>, &'static str> {
        if given.is_null() {
            return if last.is_some() { Ok(None) } else { Err("FIRST_SNAPSHOT_EMPTY") };
        }
        let version = kind.read(Some(given.get("version").expect("a snapshot has a version")));
        if version.is_null() {
            return Err("NULL_SNAPSHOT_VERSION");
        }
        if last.is_some_and(|last| compare(kind, &version, &last.version).is_le()) {
            return Err("OUT_OF_ORDER_SNAPSHOT_VERSION");
        }
        let mut rows: Vec<Row> = Vec::new();
        let same_key = |a: &Row, b: &Row| target.is_same_key(&flow.key(a), &flow.key(b));
        for row in rows_of(given.get("rows").expect("a snapshot has rows")) {
            let row = flow.values(&row);
            if flow.key(&row).iter().any(Json::is_null) {
                return Err("NULL_KEY");
            }
            if rows.iter().any(|other| same_key(other, &row)) {
                return Err("DUPLICATE_KEY_VIOLATION");
            }
            rows.push(row);
        }
        let before = last.map_or(&[][..], |last| &last.rows);
        let is_new = |row: &&Row| !before.iter().any(|other| flow.are_equal(other, row));
        let is_gone = |row: &&Row| !rows.iter().any(|other| same_key(other, row));
        let upserts = rows.iter().filter(is_new).map(|row| flow.of_snapshot(row, &version, Asks::Upsert));
        let deletes = before.iter().filter(is_gone).map(|row| flow.of_snapshot(row, &version, Asks::Delete));
        let changes = upserts.chain(deletes).collect();
        Ok(Some((Self { version, rows }, changes)))
    }
}
