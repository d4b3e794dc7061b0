//! Whatever the bytes are, the loader answers.

use std::fs;
use std::path::{Path, PathBuf};

use cdc_killmatrix::Fixtures;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;

use super::{Folder, fixture};

/// The shipped fixtures, by content; a few of our own where there are none.
fn corpus() -> Vec<Vec<u8>> {
    let mut files = vec![
        fixture(r#"{"append": {"columns": ["id"], "rows": [[1]]}, "expect_any": [[], []]}"#).into_bytes(),
        fixture(r#"{"append": [{"id": 1}], "expect_error": "NULL_KEY", "full_refresh": true}"#).into_bytes(),
    ];
    let mut folders: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                files.push(fs::read(path).expect("a shipped fixture"));
            }
        }
    }
    files
}

/// One change of a file's bytes.
#[derive(Clone, Debug)]
enum Change {
    Cut(Index, Index),
    Put(Index, String),
    Set(Index, u8),
    Repeat(Index, Index),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let range = |from: &Index, to: &Index, length: usize| {
            let (from, to) = (from.index(length + 1), to.index(length + 1));
            from.min(to)..from.max(to)
        };
        match self {
            Self::Cut(from, to) => drop(bytes.drain(range(from, to, bytes.len()))),
            Self::Put(at, text) => {
                let at = at.index(bytes.len() + 1);
                bytes.splice(at..at, text.bytes());
            }
            Self::Set(at, byte) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Self::Set(..) => {}
            Self::Repeat(from, to) => bytes.extend_from_within(range(from, to, bytes.len())),
        }
    }
}

/// Pieces that mean something to the loader.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "true",
    "1e400",
    "9223372036854775808",
    "\\ud800",
    "\"expect\": \"TODO\",",
    "\"append\": [{}],",
    "\"once\": true,",
    "\"stored_as_scd_type\": 2,",
    "struct(",
    "DECIMAL(38,38)",
    "MAP<STRING, INT>",
    "\"NaN\"",
    "\u{feff}",
    "\u{202e}",
    "é",
    "\r\n",
    "'",
    "((((",
    "0000-00-00",
];

fn piece() -> impl Strategy<Value = String> {
    prop::sample::select(PIECES).prop_map(str::to_owned)
}

fn change() -> impl Strategy<Value = Change> {
    let index = any::<Index>;
    prop_oneof![
        (index(), index()).prop_map(|(from, to)| Change::Cut(from, to)),
        (index(), piece()).prop_map(|(at, text)| Change::Put(at, text)),
        (index(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (index(), index()).prop_map(|(from, to)| Change::Repeat(from, to)),
    ]
}

/// Loads a file as a fixture and as a suite's description, and shows what is wrong with it.
fn load(bytes: &[u8]) {
    let sound = r#"{"name": "b", "checkpoints": [{"append": [{"id": 1}], "expect": []}]}"#;
    let folder = Folder::new().with("f/a.json", bytes).with("g/suite.json", bytes).with("g/b.json", sound);
    let loaded = [
        Fixtures::load([folder.path("f")]),
        Fixtures::load_events([folder.path("f/a.json")]),
        Fixtures::load([folder.path("g")]),
    ];
    for faults in loaded.into_iter().filter_map(Result::err) {
        assert_ne!(faults.count(), 0);
        assert!(!faults.plain().is_empty());
        assert!(faults.styled().len() >= faults.to_string().len());
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_260_830),
        cases,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        load(&bytes);
    }

    #[test]
    fn arbitrary_pieces_never_panic(pieces in prop::collection::vec(piece(), 0..40)) {
        load(pieces.concat().as_bytes());
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn mutated_fixtures_never_panic(
        file in any::<Index>(),
        changes in prop::collection::vec(change(), 1..4),
    ) {
        thread_local!(static CORPUS: Vec<Vec<u8>> = corpus());
        let mut bytes = CORPUS.with(|files| file.get(files).clone());
        for change in &changes {
            change.apply(&mut bytes);
        }
        load(&bytes);
    }
}
